#include "advise/figure_words.h"
#include "advise/fits/replies.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/search/search.h"
#include "advise/search/spending.h"
#include "advise/stacks/stored_weights.h"
#include "ask/router.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

// Several pieces of work on one hardware at the same time: memory of all adds up.

namespace ridgeline::ask {
namespace {

/// One of them, with the types of weights that it may be stored in and what each comes to.
struct Piece {
    Reading reading;
    std::vector<std::string> types{""};  ///< empty: as its own verdict has it
    std::vector<std::optional<Answer>> judged{};
    std::optional<Error> problem{};  ///< of the last type that has no verdict

    /// Suits the question to its model, and lists the types that are open. errors  the model is not
    /// known
    Result<void> prepare(const World& world) {
        WorkloadDocument document;
        document.task = Task::inference;
        document.model_id = reading.model;
        const auto architecture = completed(document, world);
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        suit_to_network(reading, *architecture, world.profiles);
        if (reading.task == Task::inference && reading.quantization.empty() &&
            reading.compute.empty()) {
            const auto parts = known_parts(reading.accelerators, world.catalog);
            document = query_of(reading).workload;
            for (const std::string_view type :
                 weights_to_try(document, *architecture, parts, world.profiles)) {
                types.emplace_back(type);
            }
        }
        judged.resize(types.size());
        return {};
    }
    const std::optional<Answer>& judge(std::size_t type, const AnswerTools& tools) {
        if (!judged[type]) {
            Reading one = reading;
            one.quantization = types[type].empty() ? one.quantization : types[type];
            if (auto answer = reply_fit(one, query_of(one), tools)) {
                judged[type] = std::move(*answer);
            } else {
                problem = answer.error();
            }
        }
        return judged[type];
    }
    [[nodiscard]] std::string words(std::size_t type) const {
        const Answer& answer = *judged[type];
        const std::string& weights =
            types[type].empty() ? answer.weights.empty() ? reading.quantization : answer.weights
                                : types[type];
        static constexpr std::pair<std::string_view, std::string_view> shown[] = {
            {"lora", "LoRA"}, {"qlora", "QLoRA"}, {"full", "full training"}};
        const auto method = std::find_if(std::begin(shown), std::end(shown), [&](const auto& each) {
            return each.first == reading.method;
        });
        const std::string deed(method == std::end(shown) ? reading.method.empty()
                                                               ? "LoRA"
                                                               : std::string_view(reading.method)
                                                         : method->second);
        return reading.task == Task::inference
                   ? fmt::format("{} served{}", reading.model,
                                 weights.empty() || weights == "none" ? "" : " in " + weights)
                   : fmt::format("{} of {}", deed, reading.model);
    }
};

/// The question about the other work alone, with nothing of what was read of the first.
Reading read_beside(const Reading& reading, const WorkBeside& work) {
    Reading other = reading;
    other.beside.clear();
    other.model = work.model;
    other.task = work.task;
    other.method = work.method;
    other.algorithm.clear();
    other.counts_samples = other.answers_at_once = other.embeds = false;
    other.batch.reset();
    other.rank.reset();
    other.samples.reset();
    other.tokens.reset();
    other.epochs.reset();
    if (assumed_of(reading, "output_tokens") != nullptr) {
        other.output_tokens.reset();
        other.input_tokens.reset();
    }
    if (work.task != Task::inference || reading.task == Task::inference) {
        other.quantization =
            work.task == Task::inference ? work.quantization.value_or(reading.quantization) : "";
    }
    const bool parted = std::ranges::any_of(
        reading.beside, [](const WorkBeside& each) { return each.concurrency.has_value(); });
    other.concurrency = parted ? work.concurrency : reading.concurrency;
    other.copies.reset();
    return other;
}

/// The first piece, and each that runs beside it.
std::vector<Reading> pieces_of(const Reading& reading) {
    std::vector<Reading> pieces{reading};
    // What embeds beside others is known by its own kind.
    pieces.front().embeds = reading.embeds && reading.beside.empty();
    pieces.front().beside.clear();
    for (const WorkBeside& work : reading.beside) {
        pieces.push_back(read_beside(reading, work));
    }
    return pieces;
}

/// Types of weights of all pieces: the place of each in its list.
struct StoredSet {
    std::vector<std::size_t> places;
    int order = -1;  ///< 0: they do not fit, 1: barely, 2: with room
};

double larger_of(double a, double b) { return std::max(a, b); }
double sum_of(double a, double b) { return a + b; }

/// How all of them together stand to what the hardware has; -1: one has no verdict.
int order_of_sum(std::vector<Piece>& pieces, const std::vector<std::size_t>& places,
                 const AnswerTools& tools) {
    double have = 0;
    double mid = 0;
    double high = 0;
    bool alone = true;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        const auto& one = pieces[k].judge(places[k], tools);
        if (!one || !one->needs || !one->have_gib) {
            return -1;
        }
        alone = alone && one->verdict != "no";
        have = k == 0 ? *one->have_gib : std::min(have, *one->have_gib);
        const auto add = pieces[k].reading.in_turn ? larger_of : sum_of;
        mid = add(mid, one->needs->mid);
        high = add(high, one->needs->high);
    }
    return !alone || mid > have ? 0 : high <= have ? 2 : 1;
}

/// Tries the types of the pieces from the kth on that are `left` steps narrower in all than the
/// widest.
void try_types(std::vector<Piece>& pieces, std::size_t k, std::size_t left,
               std::vector<std::size_t>& places, StoredSet& best, const AnswerTools& tools) {
    if (k + 1 == pieces.size()) {
        places[k] = left;
        const int order = left < pieces[k].types.size() ? order_of_sum(pieces, places, tools) : -1;
        if (order > best.order) {
            best = {places, order};
        }
        return;
    }
    for (places[k] = 0; places[k] <= left && places[k] < pieces[k].types.size() && best.order < 2;
         ++places[k]) {
        try_types(pieces, k + 1, left - places[k], places, best, tools);
    }
}

/// The widest weights of all that leave room for the others; the narrowest of each where none do.
StoredSet widest_set(std::vector<Piece>& pieces, const AnswerTools& tools) {
    std::size_t narrowest = 0;
    StoredSet last{{}, 0};
    for (const Piece& piece : pieces) {
        last.places.push_back(piece.types.size() - 1);
        narrowest += last.places.back();
    }
    StoredSet best;
    best.order = 0;
    std::vector<std::size_t> places(pieces.size());
    for (std::size_t left = 0; left <= narrowest && best.order < 2; ++left) {
        try_types(pieces, 0, left, places, best, tools);
    }
    return best.order > 0 ? best : last;
}

std::string_view words_alone(const Answer& answer) {
    return answer.verdict == "no"       ? "not even alone"
           : answer.verdict == "barely" ? "barely alone"
                                        : "alone";
}

}  // namespace

Result<Answer> Router::memory_of_both(const Reading& reading) const {
    Answer reply;
    AnswerNeeds sum{0, 0, 0};
    std::string words;
    const std::vector<Reading> pieces = pieces_of(reading);
    for (Reading piece : pieces) {
        WorkloadDocument document;
        document.task = Task::inference;
        document.model_id = piece.model;
        const auto architecture = completed(document, world_);
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        const int copies = reply.values.empty() ? reading.copies.value_or(1) : 1;
        piece.copies.reset();
        suit_to_network(piece, *architecture, world_.profiles);
        if (piece.task == Task::inference && piece.quantization.empty() && piece.compute.empty()) {
            piece.quantization = "none";
        }
        auto one = reply_memory(piece, tools_);
        if (!one || !one->needs) {
            return one;
        }
        const AnswerNeeds needs{copies * one->needs->low, copies * one->needs->mid,
                                copies * one->needs->high};
        sum = {sum.low + needs.low, sum.mid + needs.mid, sum.high + needs.high};
        const bool last = reply.values.size() + 1 == pieces.size();
        words +=
            fmt::format("{}{}{}{} {}",
                        words.empty() ? ""
                        : last        ? " and "
                                      : ", ",
                        copies > 1 ? fmt::format("{} x ", copies) : "", piece.model,
                        piece.task == Task::train
                            ? fmt::format(" ({})", piece.method.empty() ? "lora" : piece.method)
                            : "",
                        format_gib(needs.mid));
        reply.values.push_back({"memory", needs.low, needs.mid, needs.high, "GiB", piece.model});
    }
    reply.needs = sum;
    reply.values.insert(reply.values.begin(), {"memory", sum.low, sum.mid, sum.high, "GiB",
                                               pieces.size() == 2 ? "both" : "all"});
    reply.headline =
        fmt::format("{} together need {} ({} to {}): {}.", pieces.size() == 2 ? "Both" : "All",
                    format_gib(sum.mid), figure_words(sum.low), figure_words(sum.high), words);
    return reply;
}

double Router::cheapest_card_with(double gb) const {
    double least = 0;
    for (const Accelerator& part : world_.catalog.accelerators) {
        const bool card = part.kind == "gpu" && part.marketed_gb >= gb && stands_at_a_desk(part) &&
                          allowed_by(lower(asked_.query.vendor), lower(part.vendor));
        const auto price =
            card ? purchase_price(world_.catalog, part, used_wanted(asked_.query)) : std::nullopt;
        if (price && price->current && (least == 0 || price->usd_each < least)) {
            least = price->usd_each;
        }
    }
    return least;
}

void Router::narrow_pictures_beside(Reading& stored) const {
    constexpr double worth_narrowing = 0.5;  // of the price
    constexpr double most_filled = 0.95;
    for (std::size_t k = 0; k < stored.beside.size(); ++k) {
        WorkloadDocument document;
        document.task = Task::inference;
        document.model_id = stored.beside[k].model;
        const auto architecture = completed(document, world_);
        const bool pictures = architecture && architecture->kind == ModelKind::diffusion;
        if (!pictures || reading_.beside[k].quantization) {
            continue;
        }
        double price = 0;
        for (const char* type : {"none", "fp8", "q4_k_m"}) {
            Reading trial = stored;
            trial.beside[k].quantization = type;
            const auto all = memory_of_both(trial);
            if (!all || all->values.size() < k + 3) {
                break;
            }
            const double usd =
                cheapest_card_with(all->values[k + 2].high.value_or(0) / most_filled);
            const double sum = asked_.query.budget_usd.value_or(usd);
            const bool pays = price > sum && usd < price;
            if (usd > 0 && (price == 0 || usd < worth_narrowing * price || pays)) {
                stored.beside[k].quantization = type;
                price = usd;
            }
        }
    }
}

std::string Router::hold_together() {
    const bool several = !reading_.beside.empty() || reading_.copies.value_or(1) > 1;
    const bool open = reading_.accelerators.empty() && !asked_.query.memory_per_accelerator_gib;
    if (!several || !open || reading_.task != Task::inference) {
        return "";
    }
    // What one person runs is quantised.
    Reading stored = reading_;
    stored.quantization = asked_.query.workload.quantization.value_or(reading_.quantization);
    if (reading_.quantization.empty()) {
        store_as_at_home(stored);
    }
    if (asked_.query.buy && reading_.in_turn) {
        narrow_pictures_beside(stored);
    }
    const auto all = memory_of_both(stored);
    if (!all || !all->needs) {
        return "";
    }
    double needed = all->needs->high;
    std::string words = all->headline;
    if (reading_.in_turn) {
        needed = 0;
        words.clear();
        for (auto each = all->values.begin() + 1; each != all->values.end(); ++each) {
            needed = std::max(needed, each->high.value_or(0));
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", each->of,
                                 format_gib(each->mid.value_or(0)));
        }
        words = "One at a time, the larger decides: " + words + ".";
    }
    // Of a card's memory the driver and its context take some.
    constexpr double most_filled = 0.95;
    const double gb = std::ceil(needed / most_filled);
    const bool one_holds = std::ranges::any_of(world_.catalog.accelerators, [&](const auto& part) {
        // A module that is sold eight on a board is no card that one buys for its memory.
        return part.kind == "gpu" && part.marketed_gb >= gb &&
               !(asked_.query.buy && is_module(part)) &&
               allowed_by(lower(asked_.query.vendor), lower(part.vendor));
    });
    if (one_holds) {
        asked_.query.memory_per_accelerator_gib = gb;
        asked_.query.memory_at_least = true;
    } else {
        asked_.query.least_memory_gb = gb;  // no card: all of them together
    }
    reading_.flags = flags_of(reading_, asked_.query);
    return fmt::format(" {} Rates are those of {}{}.", words, reading_.model,
                       reading_.in_turn ? "" : " alone, with which the time is shared");
}

void Router::store_as_at_home(Reading& stored) const {
    for (WorkBeside& work : stored.beside) {
        WorkloadDocument document;
        document.task = Task::inference;
        document.model_id = work.model;
        const bool desk =
            asked_.query.buy || reading_.in_turn || asked_.query.workload.quantization.has_value();
        if (!work.quantization && work.task == Task::inference) {
            work.quantization = desk && runs_in_four_bits(document) ? "q4_k_m" : "none";
        }
    }
}

Result<Answer> Router::fit_of_both() const {
    std::vector<Piece> pieces;
    for (const Reading& piece : pieces_of(reading_)) {
        pieces.push_back(Piece{.reading = piece});
        if (const auto known = pieces.back().prepare(world_); !known) {
            return tl::unexpected(known.error());
        }
    }
    const StoredSet set = widest_set(pieces, tools_);
    AnswerNeeds sum{0, 0, 0};
    double have = 0;
    std::string words;
    std::string alone;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        Piece& piece = pieces[k];
        const auto& one = piece.judge(set.places[k], tools_);
        if (!one || !one->needs || !one->have_gib) {
            return one ? Result<Answer>(*one) : tl::unexpected(piece.problem.value_or(Error{}));
        }
        const auto add = reading_.in_turn ? larger_of : sum_of;
        sum = {add(sum.low, one->needs->low), add(sum.mid, one->needs->mid),
               add(sum.high, one->needs->high)};
        have = k == 0 ? *one->have_gib : std::min(have, *one->have_gib);
        words += fmt::format("{}{} {:.1f}", k == 0 ? "" : ", ", piece.words(set.places[k]),
                             one->needs->mid);
        alone += fmt::format("{}{} fits {}", k == 0 ? " " : ", ", piece.reading.model,
                             words_alone(*one));
    }
    static constexpr std::string_view verdicts[] = {"no", "barely", "yes"};
    static constexpr std::string_view spoken[] = {"No", "Barely", "Yes"};
    Answer reply;
    reply.verdict = verdicts[set.order];
    reply.needs = sum;
    reply.have_gib = have;
    reply.choice = pieces.front().judged[set.places.front()]->choice;
    if (reply.choice) {
        reply.choice->verdict = reply.verdict;
    }
    const Accelerator* part =
        reply.choice ? world_.catalog.accelerator(reply.choice->accelerator) : nullptr;
    reply.headline = fmt::format(
        "{}: {} {} need {:.1f} GiB ({:.1f} to {:.1f}) of {:.1f} GiB on each of {} x {}: {}; {}.",
        spoken[set.order], pieces.size() == 2 ? "both" : "all",
        reading_.in_turn ? "in turn" : "together", sum.mid, sum.low, sum.high, have,
        reply.choice ? reply.choice->count : 1, part != nullptr ? part->name : "it", words,
        reading_.in_turn ? "one is loaded at a time, the other waits on the host"
                         : "they share its time");
    reply.headline += set.order == 0 ? alone + "." : "";
    return reply;
}

}  // namespace ridgeline::ask
