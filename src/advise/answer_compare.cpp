#include "advise/answer.h"
#include "advise/compared_side.h"
#include "advise/desk.h"
#include "advise/host_split.h"
#include "advise/memory_ways.h"
#include "advise/offers.h"
#include "advise/plans.h"
#include "advise/stored_weights.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

// Replies to comparisons of hardware: for a workload, by its figures, by its rent.

namespace ridgeline {
namespace {

constexpr int most_for_a_side = 64;  // accelerators that a side without a number may take

class SideBySide {
public:
    SideBySide(const Reading& reading, std::vector<ComparedSide> sides, const AnswerTools& tools)
        : reading_(reading), sides_(std::move(sides)), tools_(tools) {}

    /// By a workload: rates, with narrower weights or more of each where one side does not hold it.
    Result<Answer> by_work() {
        Query query = query_of(reading_, reading_.task.value_or(Task::inference));
        WorkloadDocument& document = query.workload;
        const auto architecture = tools_.architecture(document);
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        const WorkloadDocument chosen = judged_alike(document, *architecture, query);
        const std::string stored =
            chosen.quantization != document.quantization ? *chosen.quantization : "";
        keep_usual_forms();
        const std::string fewest = put_on_as_many(chosen, *architecture, query);
        price_alike(sides_, chosen, *architecture, !stands_a_home(), tools_);
        rank();
        Answer reply = in_words(stored.empty() ? "" : " in " + stored);
        reply.headline = fewest + reply.headline + other_sides();
        for (const ComparedSide* side :
             {static_cast<const ComparedSide*>(&sides_.front()), second()}) {
            // A run without a deadline keeps nothing that was asked.
            const bool limited = chosen.task != Task::train || query.deadline_s;
            if (limited && side->score > 0 && !side->pace.words.empty()) {
                reply.headline += side->pace.missed.empty()
                                      ? fmt::format(" {} keeps what was asked.", words_of(*side))
                                      : fmt::format(" {}:{}", words_of(*side), side->pace.missed);
            }
        }
        return reply;
    }

    /// Without a workload: what decides decoding, and what decides training and prompts; of
    /// scientific computing what decides its two kinds of kernels.
    Answer by_figures() {
        const bool science = tools_.knowledge.profiles.in_doubles(reading_.profile);
        const auto of = [&](const ComparedSide& side, bool matrix) {
            const auto bf16 = side.part->peak(ComputeType::bf16);
            const auto peak = science ? side.part->peak_vector_fp64
                              : bf16  ? bf16
                                      : side.part->peak(ComputeType::fp16);
            return matrix ? (peak ? side.count * (*peak / teraflop_per_second) : 0)
                          : side.count * (side.part->memory_bandwidth / gigabyte_per_second);
        };
        const bool trains = reading_.task == Task::train;
        std::string headline;
        std::string value;
        Answer reply;
        for (const bool matrix : {trains, !trains}) {
            for (ComparedSide& side : sides_) {
                side.score = of(side, matrix);
                side.measure = matrix ? "TFLOP/s" : "GB/s";
            }
            if (reply.values.empty()) {
                keep_usual_forms();
            }
            rank();
            const ComparedSide& best = sides_.front();
            const ComparedSide* other = second();
            if (reply.values.empty()) {
                reply.choice = choice_of(best);
                reply.runner_up = choice_of(*other);
                add_values(reply);
            }
            const double ratio = other->score > 0 ? best.score / other->score : 0;
            const std::string what = !matrix   ? "memory bandwidth"
                                     : science ? "fp64 rate"
                                               : "matrix rate";
            headline += headline.empty() ? "" : "; ";
            if (ratio == 0) {
                headline += "the " + what + " of " + words_of(*other) + " is not known";
            } else if (ratio < same_rate_within) {
                headline +=
                    fmt::format("{} and {} have about the same {} ({} against {} {})",
                                words_of(best), words_of(*other), what, figure_words(best.score),
                                figure_words(other->score), best.measure);
            } else {
                headline +=
                    fmt::format("{} has {:.2g} times the {} of {} ({} against {} {})",
                                words_of(best), ratio, what, words_of(*other),
                                figure_words(best.score), figure_words(other->score), best.measure);
            }
            headline += science  ? matrix
                                       ? ", which decides arithmetic in double precision"
                                       : ", which decides stencils, sparse matrices and transforms"
                        : matrix ? ", which decides training and prompts"
                                 : ", which decides decoding";
            headline += matrix || science ? "" : apart_words(best, *other);
            if (asks(reading_, "value")) {
                const std::string worth = value_words(
                    best, *other, matrix ? " for training and prompts" : " for decoding",
                    tools_.knowledge.catalog);
                value += worth.empty() ? worth : worth + " ";
                value += value.empty() ? without_price(best, *other) : "";
            }
        }
        reply.headline = value + (science || trains ? "" : room_words()) + headline + "." +
                         (value.empty() && stands_at_desks()
                              ? bought_words(sides_.front(), *second(), tools_.knowledge.catalog)
                              : "");
        return reply;
    }

    /// What decides which models run at all: the memory of all cards of a side, where it differs.
    [[nodiscard]] std::string room_words() const {
        const auto gib = [](const ComparedSide& side) {
            return side.count * (side.part->capacity() / gibibyte);
        };
        const ComparedSide& first = sides_.front();
        const ComparedSide& other = *second();
        const ComparedSide& more = gib(first) >= gib(other) ? first : other;
        const ComparedSide& less = &more == &first ? other : first;
        constexpr double hardly_more = 1.1;
        if (gib(less) <= 0 || gib(more) < hardly_more * gib(less)) {
            return "";
        }
        return fmt::format("{} holds the larger models: {} of memory against {} of {}. ",
                           words_of(more), format_gib(gib(more)), format_gib(gib(less)),
                           words_of(less));
    }

    /// Why work is not told for a dollar, where what one side costs is not known.
    [[nodiscard]] std::string without_price(const ComparedSide& best,
                                            const ComparedSide& other) const {
        std::string words;
        for (const ComparedSide* side : {&best, &other}) {
            const auto price = purchase_price(tools_.knowledge.catalog, *side->part);
            const bool sold = price && price->current && stands_at_a_desk(*side->part);
            if (!sold && times_listed(tools_.knowledge.catalog, *side->part) == 0) {
                words += fmt::format(
                    "No rent or price of {} is listed: what a dollar buys of it is not known. ",
                    words_of(*side));
            }
        }
        return words;
    }

    /// Layers that lie on several cards one after the other, as llama.cpp has them, are read one
    /// after the other.
    static std::string apart_words(const ComparedSide& best, const ComparedSide& other) {
        if (best.count == other.count) {
            return {};
        }
        const ComparedSide& more = best.count > other.count ? best : other;
        return fmt::format(
            " (of all at once; layers that lie on one card after the other are read at the {} GB/s "
            "of each)",
            figure_words(more.part->memory_bandwidth / gigabyte_per_second));
    }

    /// By what an hour of an accelerator costs, each side with its own cloud.
    std::optional<Answer> by_rent() {
        struct Rent {
            const ReadSide* side;
            const Offer* offer;
        };
        std::vector<Rent> rents;
        for (const ReadSide& side : reading_.sides) {
            Reading one = reading_;
            one.accelerators = side.ids;
            one.count = side.count;
            if (!side.provider.empty()) {
                one.providers = {side.provider};
            }
            one.instances = side.instance.empty() ? std::vector<std::string>{}
                                                  : std::vector<std::string>{side.instance};
            const auto offers = offers_of(one, tools_.knowledge.catalog);
            const Offer* instance = offer_of_instance(tools_.knowledge.catalog, side);
            // What is taken away at any time stands for no price while there is another.
            const auto lasting = std::find_if(offers.begin(), offers.end(), [](const Offer* each) {
                return each->kind != PriceKind::spot;
            });
            const bool spot = reading_.price_kind == "spot" || lasting == offers.end();
            if (!offers.empty()) {
                rents.push_back({&side, instance != nullptr && !spot ? instance
                                        : spot                       ? offers.front()
                                                                     : *lasting});
            }
        }
        if (rents.size() < 2) {
            return std::nullopt;
        }
        stable_order(rents.begin(), rents.end(), [](const Rent& a, const Rent& b) {
            return a.offer->usd_per_accelerator_hour() < b.offer->usd_per_accelerator_hour();
        });
        const auto words = [](const Rent& rent) {
            const Offer& offer = *rent.offer;
            const std::string whole =
                offer.count > 1
                    ? fmt::format(", {}/h for {}", format_usd(offer.usd_per_hour), offer.count)
                    : "";
            return fmt::format("{} ({}{}{}, {} {})", offer.accelerator, offer.provider,
                               offer.instance_type.empty() ? "" : ", " + offer.instance_type, whole,
                               name_of(offer.kind), offer.date);
        };
        const double low = rents.front().offer->usd_per_accelerator_hour();
        const double high = rents.back().offer->usd_per_accelerator_hour();
        Answer reply;
        AnswerChoice choice;
        choice.accelerator = rents.front().offer->accelerator;
        choice.count = rents.front().offer->count;
        choice.usd_per_hour = rents.front().offer->usd_per_hour;
        reply.choice = choice;
        for (const Rent& rent : rents) {
            const double each = rent.offer->usd_per_accelerator_hour();
            reply.values.push_back({"rent", {}, each, {}, "USD/h", words(rent)});
        }
        reply.headline =
            high / low < same_rate_within
                ? fmt::format("{} and {} cost about the same, {} for each accelerator hour.",
                              words(rents.front()), words(rents.back()), format_usd(low))
                : fmt::format("{} is cheaper: {} for each accelerator hour against {} of {}.",
                              words(rents.front()), format_usd(low), format_usd(high),
                              words(rents.back()));
        return reply;
    }

private:
    /// Judges every side with the same weights, the widest that all hold, else that one holds. A
    /// side without a number takes the fewest that hold the model, as a server of it would.
    WorkloadDocument judged_alike(const WorkloadDocument& document,
                                  const Architecture& architecture, const Query& query) {
        const bool counted = is_counted();
        const bool home = stands_a_home();
        const bool fewest = document.task == Task::inference && !home;
        std::vector<const Accelerator*> parts;
        for (const ComparedSide& side : sides_) {
            parts.push_back(side.part);
        }
        const auto types = weights_to_try(document, architecture, parts, tools_.knowledge.profiles);
        const auto with = [&](bool (SideBySide::*enough)() const) {
            const auto held = [&](const WorkloadDocument& trial) {
                for (ComparedSide& side : sides_) {
                    side.count = fewest ? side.side->count.value_or(1) : side.count;
                    judge(side, trial, architecture, query, tools_);
                    while (fewest && !side.side->count && side.score <= 0 &&
                           side.count < most_for_a_side) {
                        side.count *= 2;
                        judge(side, trial, architecture, query, tools_);
                    }
                }
                return (this->*enough)();
            };
            WorkloadDocument stored =
                counted || home ? with_weights_that_fit(document, architecture, types, held)
                                : document;
            held(stored);
            return stored;
        };
        WorkloadDocument chosen = with(&SideBySide::every_side_holds);
        // At home one card that holds it answers: nobody there weighs two against two.
        const bool all_home =
            std::all_of(sides_.begin(), sides_.end(),
                        [](const ComparedSide& side) { return is_home(*side.part); });
        if (all_home && !every_side_holds() && reading_.sides.size() > 2) {
            chosen = with(&SideBySide::two_sides_hold);  // of three boxes two that can be weighed
                                                         // tell more than one alone
        }
        if (all_home && !every_side_holds() && !(reading_.sides.size() > 2 && two_sides_hold())) {
            chosen = with(&SideBySide::any_side_holds);
        }
        if (!any_side_holds() && reading_.host_memory_gib &&
            share_with_host(chosen, architecture, query)) {
            return chosen;
        }
        const auto settled = [&] { return every_side_holds() || (all_home && any_side_holds()); };
        for (int count = 2; !counted && !fewest && count <= cards_of_a_server && !settled();
             count *= 2) {
            for (ComparedSide& side : sides_) {
                side.count = count;
            }
            chosen = with(&SideBySide::every_side_holds);
        }
        const bool crowd = document.task == Task::inference && document.serving &&
                           document.serving->concurrency > 1;
        if (crowd && !home && !every_side_holds()) {
            // An engine lets those wait that the cache has no room for.
            for (ComparedSide& side : sides_) {
                side.lets_wait = true;
            }
            chosen = with(&SideBySide::every_side_holds);
        }
        // That one side alone holds it tells the sides apart too.
        const bool enough =
            every_side_holds() || (all_home && reading_.sides.size() > 2 && two_sides_hold());
        return enough ? chosen : with(&SideBySide::any_side_holds);
    }

    /// Each side with a part of the model in the host's memory, and the weights that all then have;
    /// false: it suffices for none.
    bool share_with_host(WorkloadDocument& document, const Architecture& architecture,
                         const Query& query) {
        for (ComparedSide& side : sides_) {
            const Cluster cluster =
                make_cluster(tools_.knowledge.catalog, *side.part, side.count, 0, nullptr);
            if (const auto shared =
                    shared_placement(query.workload, architecture, cluster, reading_, tools_)) {
                score_by(side, *shared, query, tools_.knowledge.catalog);
                document.quantization = shared->workload.quantization.name;
            }
        }
        return any_side_holds();
    }

    /// Whether a number of one side was said.
    [[nodiscard]] bool is_counted() const {
        return std::any_of(reading_.sides.begin(), reading_.sides.end(),
                           [](const ReadSide& side) { return side.count.has_value(); });
    }

    /// Whether all of them are sold for desks.
    [[nodiscard]] bool stands_at_desks() const {
        return std::all_of(sides_.begin(), sides_.end(),
                           [](const ComparedSide& side) { return stands_at_a_desk(*side.part); });
    }

    /// Whether a card for a home is among them.
    [[nodiscard]] bool stands_a_home() const {
        return std::any_of(sides_.begin(), sides_.end(),
                           [](const ComparedSide& side) { return is_home(*side.part); });
    }

    /// Where one side holds the model in fewer than the others, and nobody said how many: that in
    /// words, and every side with as many as the most that one takes, since a larger pile is no
    /// faster part.
    std::string put_on_as_many(const WorkloadDocument& document, const Architecture& architecture,
                               const Query& query) {
        const auto fewer = [](const ComparedSide& a, const ComparedSide& b) {
            return a.count < b.count;
        };
        const auto [least, most] = std::minmax_element(sides_.begin(), sides_.end(), fewer);
        const bool held = std::all_of(sides_.begin(), sides_.end(),
                                      [](const ComparedSide& side) { return side.score > 0; });
        if (is_counted() || !held || least->count == most->count) {
            return "";
        }
        const int count = most->count;
        std::string words = fmt::format(
            "{} hold{} {}, of {} it takes {}. With {} of each: ", words_of(*least),
            least->count > 1 ? "" : "s", reading_.model, most->part->name, count, count);
        for (ComparedSide& side : sides_) {
            side.count = count;
            judge(side, document, architecture, query, tools_);
        }
        return words;
    }

    [[nodiscard]] bool every_side_holds() const {
        return std::all_of(reading_.sides.begin(), reading_.sides.end(), [&](const auto& read) {
            return std::any_of(sides_.begin(), sides_.end(), [&](const ComparedSide& side) {
                return side.side == &read && side.score > 0;
            });
        });
    }

    [[nodiscard]] bool two_sides_hold() const {
        return std::count_if(sides_.begin(), sides_.end(),
                             [](const ComparedSide& side) { return side.score > 0; }) > 1;
    }

    [[nodiscard]] bool any_side_holds() const {
        return std::any_of(sides_.begin(), sides_.end(),
                           [](const ComparedSide& side) { return side.score > 0; });
    }

    /// Of the forms of a side the usual one, unless that holds nothing, or takes more cards, and
    /// another does better.
    void keep_usual_forms() {
        std::vector<ComparedSide> kept;
        for (const ReadSide& read : reading_.sides) {
            const ComparedSide* usual = nullptr;
            const auto key = [&](const ComparedSide& side) {
                return std::tuple(side.score > 0, -side.count,
                                  times_listed(tools_.knowledge.catalog, *side.part));
            };
            for (const ComparedSide& side : sides_) {
                if (side.side == &read && (usual == nullptr || key(side) > key(*usual))) {
                    usual = &side;
                }
            }
            if (usual != nullptr) {
                kept.push_back(*usual);
            }
        }
        sides_ = std::move(kept);
    }

    void rank() {
        stable_order(
            sides_.begin(), sides_.end(),
            [](const ComparedSide& a, const ComparedSide& b) { return a.score > b.score; });
    }

    /// The best of another side than the best.
    [[nodiscard]] const ComparedSide* second() const {
        const auto other = std::find_if(
            sides_.begin(), sides_.end(),
            [&](const ComparedSide& side) { return side.side != sides_.front().side; });
        return other == sides_.end() ? &sides_.back() : &*other;
    }

    /// Of the sides beside the best the cheapest to rent, the second where no other is.
    [[nodiscard]] const ComparedSide* cheapest_beside(const ComparedSide& second_best) const {
        const ComparedSide* cheapest = &second_best;
        for (const ComparedSide& side : sides_) {
            const bool other = side.side != sides_.front().side && side.usd && side.score > 0;
            if (other && cheapest->usd && *side.usd < *cheapest->usd) {
                cheapest = &side;
            }
        }
        return cheapest;
    }

    /// What the sides do that stand in no sentence of the best two.
    [[nodiscard]] std::string other_sides() const {
        std::string words;
        for (const ComparedSide& side : sides_) {
            if (&side == &sides_.front() || &side == second()) {
                continue;
            }
            words += words.empty() ? " Beside them " : "; ";
            words +=
                side.score > 0
                    ? fmt::format(
                          "{}: {} {}{}", words_of(side), figure_words(side.score), side.measure,
                          side.usd ? fmt::format(", {} a million", format_usd(*side.usd)) : "")
                    : fmt::format("{} does not hold it", words_of(side));
        }
        return words.empty() ? words : words + ".";
    }

    /// No figure for a side that holds nothing or whose rate nobody knows.
    void add_values(Answer& reply) const {
        for (const ComparedSide& side : sides_) {
            if (side.score <= 0) {
                continue;
            }
            reply.values.push_back({"speed",
                                    {},
                                    side.score,
                                    {},
                                    side.measure,
                                    fmt::format("{} x {}", side.count, side.part->id)});
        }
    }

    [[nodiscard]] Answer in_words(const std::string& stored) const {
        const ComparedSide& best = sides_.front();
        const ComparedSide* other = second();
        Answer reply;
        add_values(reply);
        const std::string work = reading_.model + stored;
        if (best.score <= 0) {
            reply.headline =
                fmt::format("Neither {} nor {} holds {}.", words_of(best), words_of(*other), work);
            return reply;
        }
        reply.choice = choice_of(best);
        if (other->score <= 0) {
            reply.headline =
                fmt::format("Only {} holds {}, at {} {}; {} does not.", words_of(best), work,
                            figure_words(best.score), best.measure, words_of(*other));
            return reply;
        }
        if (best.by_energy) {
            const double ratio = best.score / other->score;
            reply.headline =
                fmt::format("{} takes {} energy for {}: {} {} against {} of {}.", words_of(best),
                            ratio < same_rate_within ? "about the same" : "less", work,
                            figure_words(best.score), best.measure, figure_words(other->score),
                            words_of(*other));
            reply.runner_up = choice_of(*other);
            return reply;
        }
        const ComparedSide& rented = *cheapest_beside(*other);
        // What stands in a rack is weighed by the rent of a token, when it is busy.
        const bool desks = stands_at_a_desk(*best.part) && stands_at_a_desk(*other->part);
        const std::string worth = (asks(reading_, "value") || reading_.home) && desks
                                      ? value_words(best, *other, "", tools_.knowledge.catalog)
                                      : std::string();
        const bool added =
            reading_.owned && best.part == other->part;  // one more of what is there: nobody rents
        const std::string money = added ? std::string()
                                  : worth.empty()
                                      ? money_words(best, rented, tools_.knowledge.catalog)
                                      : worth;
        const std::string speed =
            fmt::format("{} for {} ({} against {} {}).",
                        faster_words(words_of(best), words_of(*other), best.score / other->score),
                        work, figure_words(best.score), figure_words(other->score), best.measure);
        // What was asked for goes first.
        const bool by_rent =
            reading_.objective == Objective::cost && best.usd && rented.usd && worth.empty();
        const bool other_is_cheaper = by_rent && *rented.usd < *best.usd;
        reply.headline = by_rent || (!worth.empty() && asks(reading_, "value"))
                             ? money + " " + speed
                         : money.empty() ? speed
                                         : speed + " " + money;
        reply.headline = (asks(reading_, "value") ? without_price(best, *other) : "") +
                         reply.headline + bound_words(best, *other);
        for (const ComparedSide* side : {&best, other}) {
            reply.headline +=
                side->running > 0
                    ? fmt::format(" On {} {:.0f} requests run at once, the others wait.",
                                  words_of(*side), side->running)
                : side->at_once > 1
                    ? fmt::format(" {} make {} at once, none of them sooner than one card does.",
                                  words_of(*side), side->at_once)
                    : std::string();
        }
        reply.choice = choice_of(other_is_cheaper ? rented : best);
        reply.runner_up = choice_of(other_is_cheaper ? best : *other);
        return reply;
    }

    const Reading& reading_;
    std::vector<ComparedSide> sides_;
    const AnswerTools& tools_;
};

bool has_desk_form(const ReadSide& side, const Catalog& catalog) {
    return std::any_of(side.ids.begin(), side.ids.end(), [&](const std::string& id) {
        const Accelerator* part = catalog.accelerator(id);
        return part != nullptr && stands_at_a_desk(*part);
    });
}

/// Whether one of the sides is sold for desks alone and nothing is rented: of the other's forms
/// those for a desk are meant, not the server's.
bool weighs_a_desk(const Reading& reading, const Catalog& catalog) {
    const bool rented = reading.rents || !reading.providers.empty() || reading.usd_per_hour ||
                        (!reading.price_kind.empty() && reading.price_kind != "purchase");
    return !rented &&
           std::any_of(reading.sides.begin(), reading.sides.end(), [&](const ReadSide& side) {
               return !side.ids.empty() &&
                      std::all_of(side.ids.begin(), side.ids.end(), [&](const std::string& id) {
                          const Accelerator* part = catalog.accelerator(id);
                          return part != nullptr && stands_at_a_desk(*part);
                      });
           });
}

}  // namespace

Result<Answer> reply_compare(const Reading& reading, const Query& query, const AnswerTools& tools) {
    if (reading.sides.size() < 2 && compares_settings(reading)) {
        return reply_settings(reading, tools);
    }
    if (reading.sides.size() < 2 && !reading.alternatives.empty()) {
        return reply_compare_values(reading, query, tools);
    }
    std::vector<ComparedSide> sides;
    const bool at_desk = weighs_a_desk(reading, tools.knowledge.catalog);
    for (const ReadSide& side : reading.sides) {
        const bool desk_forms = at_desk && has_desk_form(side, tools.knowledge.catalog);
        for (const std::string& id : side.ids) {
            const Accelerator* form = tools.knowledge.catalog.accelerator(id);
            if (desk_forms && form != nullptr && !stands_at_a_desk(*form)) {
                continue;
            }
            ComparedSide one;
            one.side = &side;
            one.part = tools.knowledge.catalog.accelerator(id);
            one.part = one.part != nullptr && side.memory_gb > 0
                           ? &with_memory(*one.part, side.memory_gb)
                           : one.part;
            one.count = side.count.value_or(1);
            one.by_energy = reading.objective == Objective::energy;
            one.counts_samples = reading.counts_samples && !reading.concurrency;
            sides.push_back(std::move(one));
        }
    }
    if (sides.size() < 2) {
        return input_error("question", "fewer than two sides of the comparison are in the catalog",
                           reading.neighbour);
    }
    SideBySide both(reading, std::move(sides), tools);
    // The same hardware of two providers differs in its rent alone.
    const bool alike =
        std::all_of(reading.sides.begin(), reading.sides.end(), [&](const ReadSide& side) {
            return side.ids == reading.sides.front().ids &&
                   side.count == reading.sides.front().count &&
                   side.memory_gb == reading.sides.front().memory_gb;
        });
    const bool by_price =
        (reading.objective == Objective::cost && !asks(reading, "value")) || asks(reading, "rent");
    if (alike || (reading.model.empty() && by_price)) {
        if (auto reply = both.by_rent()) {
            return std::move(*reply);
        }
    }
    return reading.model.empty() ? Result<Answer>(both.by_figures()) : both.by_work();
}

}  // namespace ridgeline
