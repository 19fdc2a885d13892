#include "advise/answers/rate_words.h"
#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/stacks/lean.h"
#include "ask/router.h"
#include "base/lists.h"
#include "base/text.h"
#include "report/option_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// "How many of them for it": what holds it, which is another number than what costs least; what is
// assumed of so many, and what they serve when they are busy.

namespace ridgeline::ask {
namespace {

/// The fewest of a part that hold the work, and the fewest that do with room.
struct Holding {
    int count = 0;  ///< 0: none up to the number that was tried
    int with_room = 0;
    double gib = 0, of = 0;  ///< on each of the fewest
    Interval band;           ///< factors low and high on `gib`
};

Holding held_by(int count, const MemoryEstimate& memory) {
    return {count, barely_fits(memory) ? 0 : count, memory.process / gibibyte,
            (memory.capacity - memory.unclaimed) / gibibyte, memory.band};
}

/// "NVIDIA A30 (24 GB)": a card with its memory as it is sold, where the name does not tell it.
std::string sized_name(const Accelerator& part) {
    return part.name.find("GB") != std::string::npos
               ? part.name
               : fmt::format("{} ({:g} GB)", part.name, part.marketed_gb);
}

/// "15.9 GiB (14.5 to 18.0) of 20.1 GiB"
std::string held_words(const Holding& held) {
    std::string low = format_gib(held.gib * held.band.low);
    low = low.substr(0, low.find(" GiB"));
    const std::string high = format_gib(held.gib * held.band.high);
    return fmt::format("{}{} of {}{}", format_gib(held.gib),
                       held.band.high > 0
                           ? fmt::format(" ({} to {})", low, high.substr(0, high.find(" GiB")))
                           : std::string(),
                       format_gib(held.of), held.count == 1 ? "" : " on each");
}

/// Machines beyond two are added whole.
int next_number(int count) {
    return count + (count < 2 * cards_of_a_server ? 1 : cards_of_a_server);
}

Holding holding_of(const Knowledge& knowledge, const WorkloadDocument& document,
                   const Architecture& architecture, const Accelerator& part, int most) {
    Holding found;
    for (int count = 1; count <= most && found.with_room == 0; count = next_number(count)) {
        const Cluster cluster = make_cluster(knowledge.catalog, part, count, 0, nullptr);
        const auto placed = place(knowledge, document, architecture, cluster, nullptr);
        if (!placed || !placed->estimate.memory.fits) {
            continue;
        }
        const MemoryEstimate& memory = placed->estimate.memory;
        if (found.count == 0) {
            found = held_by(count, memory);
        }
        found.with_room = barely_fits(memory) ? 0 : count;
    }
    return found;
}

/// "4 x MI300X barely hold it, 159.3 of 172.8 GiB on each, 5 with room; the smallest that is
/// offered is 8."
///
/// bound  a pace, a time or a crowd takes more than what holds it
std::string number_words(const Holding& held, const Accelerator& part, int offered, bool asked,
                         bool bound) {
    const std::string& name = part.name;
    const bool barely = held.with_room != held.count;
    const bool one = held.count == 1;
    if (!barely && held.count == offered) {
        return asked ? fmt::format("The smallest that holds it is {} x {}: {}. ", offered,
                                   sized_name(part), held_words(held))
                     : fmt::format("{} x {} hold{} it. ", offered, name, one ? "s" : "");
    }
    std::string words = fmt::format("{} x {} {}hold{} it", held.count, name,
                                    barely ? "barely " : "", one ? "s" : "");
    if (bound && offered > held.count) {
        words += " by memory alone";
    }
    if (barely) {
        words += fmt::format(", {:.1f} of {:.1f} GiB{}", held.gib, held.of, one ? "" : " on each");
    }
    if (barely && held.with_room > 0) {
        words += fmt::format(", {} with room", held.with_room);
    }
    const int enough = held.with_room > 0 ? held.with_room : held.count;
    return words +
           (offered > enough
                ? fmt::format("; the smallest that {} is {}. ",
                              bound ? "is offered and keeps what was asked" : "is offered", offered)
                : ". ");
}

/// Whether a pace, a time or a crowd is to be kept, which memory alone tells nothing of.
bool is_bound_by_more_than_memory(const Query& query, const Reading& reading) {
    return query.deadline_s || query.requests_per_s || query.ttft_s || query.tpot_s ||
           query.answer_s || query.budget_usd || query.budget_usd_per_hour || reading.concurrency ||
           reading.samples || reading.tokens || reading.audio_s;
}

}  // namespace

std::string Router::busy_words(const Cluster& cluster) const {
    WorkloadDocument document = asked_.query.workload;
    const bool open = document.task == Task::inference && document.serving &&
                      document.serving->concurrency <= 1 && !reading_.concurrency &&
                      !reading_.requests_per_s && !reading_.in_batches &&
                      !reading_.answers_at_once && !reading_.hears && !reading_.counts_samples &&
                      !reading_.owned && !asked_.query.buy && !asks(reading_, "one_person") &&
                      !asks(reading_, "one_at_a_time") && !asks(reading_, "latency") &&
                      !asks(reading_, "ttft");
    const Accelerator& part = *cluster.accelerator;
    const Offer* offer = open && cluster.count > 1 && !is_home(part) && !stands_at_a_desk(part)
                             ? offer_for(world_.catalog, cluster, asked_.query.price_kind)
                             : nullptr;
    const auto architecture = offer != nullptr ? completed(document, world_)
                                               : Result<Architecture>(tl::unexpected(Error{}));
    if (!architecture) {
        return "";
    }
    document.serving->concurrency = usual_batch_of_requests;
    const auto busy = place(knowledge_, document, *architecture, cluster, offer);
    if (!busy || !busy->estimate.memory.fits || busy->estimate.cost.usd_per_million_tokens <= 0) {
        return "";
    }
    return fmt::format(
        " That serves one user; with {} at once it makes {} tokens/s in all, {} per "
        "million tokens.",
        usual_batch_of_requests, figure_words(busy->estimate.time.tokens_per_second),
        format_usd(busy->estimate.cost.usd_per_million_tokens));
}

std::string Router::joined_words(const Option& best) const {
    const Cluster& cluster = best.cluster;
    const auto& offer = best.estimate.cost.offer;
    const Plan& plan = best.workload.plan;
    const bool copies = best.workload.task == Task::inference &&
                        plan.tensor * plan.pipeline <= std::max(1, cluster.per_node);
    if (asked_.query.buy || !offer || offer->count <= 1 || cluster.count <= offer->count ||
        !cluster.inter.assumed || copies || reading_.nodes || !reading_.machine.empty()) {
        return "";
    }
    const int machines = (cluster.count + offer->count - 1) / offer->count;
    return fmt::format(
        " They are rented as {} machines of {}; that {} rents so many in one place, "
        "with a network of their own between them, is assumed (--network).",
        machines, offer->count, offer->provider);
}

namespace {

const Option* smallest_of(const Advice& advice) {
    const auto found = std::ranges::find_if(
        advice.options, [](const Option& option) { return is_among("smallest", option.labels); });
    return found == advice.options.end() ? nullptr : &*found;
}

bool takes_less(const Option& a, const Option& b) {
    const auto size = [](const Option& option) {
        return std::pair(option.cluster.count, option.cluster.accelerator->marketed_gb);
    };
    return size(a) < size(b);
}

/// The sentence of one option, without what stands beside it.
std::string sentence_of(const Advice& advice, const Option& option) {
    Advice one;
    one.query = advice.query;
    one.options = {option};
    return report::hardware_sentence(one);
}

}  // namespace

std::optional<Router::Leaner> Router::smallest_under_lean(const Option& usual) const {
    WorkloadDocument document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    if (!architecture || document.task != Task::train) {
        return std::nullopt;
    }
    std::optional<Leaner> least;
    for (const LeanWay& way : lean_ways(world_.profiles, document, *architecture, 1)) {
        if (way.on_host) {
            continue;
        }
        Question lean = asked_;
        lean.query.workload = way.document;
        const auto advice = advice_on(lean, world_, AdviceExtent::options);
        const Option* small = advice ? smallest_of(*advice) : nullptr;
        if (small != nullptr && small->unobtainable.empty() &&
            !barely_fits(small->estimate.memory) &&
            takes_less(*small, least ? least->option : usual)) {
            least = Leaner{way.words, way.document, *small};
        }
    }
    return least;
}

std::string Router::take_leaner_on_fewer(const Answer& usual) {
    const Query& query = asked_.query;
    const bool open = reading_.memory_gib && usual.choice && usual.choice->count > 1 &&
                      query.accelerators.empty() && !query.exact_accelerators &&
                      !query.workload.framework && query.objective != Objective::time;
    const auto advice = open ? advice_on(asked_, world_, AdviceExtent::options)
                             : Result<Advice>(tl::unexpected(Error{}));
    const Option* offered = advice ? smallest_of(*advice) : nullptr;
    const auto lean = offered == nullptr ? std::optional<Leaner>() : smallest_under_lean(*offered);
    if (!lean ||
        lean->option.cluster.count >= std::min(usual.choice->count, offered->cluster.count)) {
        return "";
    }
    const std::string stack = offered->workload.framework;
    asked_.query.workload.framework = lean->document.framework;
    asked_.query.workload.loss = lean->document.loss;
    asked_.query.exact_accelerators = lean->option.cluster.count;
    const std::string field = lean->document.framework ? "framework" : "loss";
    assume_first(reading_, field, lean->words, "fewer cards hold it so");
    reading_.flags = flags_of(reading_, asked_.query);
    return fmt::format(
        " That is with {}; under {}, the usual stack, it takes {} cards of that "
        "memory.",
        lean->words, stack, offered->cluster.count);
}

void Router::lead_with_number(const Advice& advice, Answer& reply) {
    const Query& query = asked_.query;
    const bool least = asks(reading_, "smallest_part");
    const bool open = !query.accelerators.empty() && !query.exact_accelerators &&
                      !is_bound_by_more_than_memory(query, reading_);
    const Option* offered = smallest_of(advice);
    if (!reply.choice || offered == nullptr || !(least || open)) {
        return;
    }
    const auto lean =
        least && query.accelerators.empty() ? smallest_under_lean(*offered) : std::nullopt;
    WorkloadDocument document = lean ? lean->document : query.workload;
    const auto architecture = completed(document, world_);
    // Of two forms of which as many hold it the one that costs less is meant.
    const Option& best = advice.options.front();
    const Option& fewest = lean                                                     ? lean->option
                           : !least && best.cluster.count <= offered->cluster.count ? best
                                                                                    : *offered;
    const Accelerator& part = *fewest.cluster.accelerator;
    const int most = fewest.cluster.count;
    Holding held;
    if (architecture) {
        held = holding_of(knowledge_, document, *architecture, part, most);
    }
    if (held.count == 0) {
        held = held_by(most, fewest.estimate.memory);
    }
    const bool same = reply.choice->accelerator == part.id && reply.choice->count == most;
    if (same && !least && held.count == most && held.with_room == most) {
        return;  // said by the choice
    }
    if (!same) {
        // What is recommended is what was asked for, beside what the work costs least on.
        const std::string rent = report::rent_words(best);
        const std::string each = report::work_cost_words(best);
        const std::string cheapest =
            fmt::format(" By the cost of the work: {}{}, {}{}.", report::hardware_words(best),
                        rent.empty() ? "" : " at " + rent, report::rate_words(best),
                        each.empty() ? "" : ", " + each + report::work_unit_words(best));
        reply.headline =
            sentence_of(advice, fewest) + (least ? "" : cheapest) + joined_words(fewest);
        reply.runner_up =
            std::exchange(reply.choice, lean ? choice_of_option(query, fewest) : reply.smallest);
    }
    std::string number =
        number_words(held, part, most, least, is_bound_by_more_than_memory(query, reading_));
    if (reading_.in_nodes && most >= cards_of_node) {
        const int nodes = (most + cards_of_node - 1) / cards_of_node;
        number = fmt::format("{} node{} of {} x {}. ", nodes, nodes > 1 ? "s" : "", cards_of_node,
                             part.name) +
                 number;
    }
    if (lean) {
        number += fmt::format("That is with {}; the usual stack, {}, takes {}. ", lean->words,
                              offered->workload.framework, report::hardware_words(*offered));
        asked_.query.workload.framework = lean->document.framework;
        asked_.query.workload.loss = lean->document.loss;
        assume_first(reading_, "framework", lean->words, "it takes less than the usual stack");
        reading_.flags = flags_of(reading_, asked_.query);
        reply.smallest = reply.choice;
    }
    const double heard = fewest.estimate.time.samples_per_second * audio_window_s;
    if (architecture && architecture->reads_sound() && query.workload.task == Task::inference &&
        heard > 0) {
        number += fmt::format("It hears {} times real time{}. ", figure_words(heard),
                              heard < 1 ? ", too slowly" : "");
    }
    reply.headline = number + smallest_in_other_weights(query, fewest) + reply.headline;
}

std::string Router::smallest_in_other_weights(const Query& query, const Option& told) const {
    const WorkloadDocument& document = query.workload;
    const bool said =
        asked_.query.workload.quantization && assumed_of(reading_, "quantization") == nullptr;
    if (!asks(reading_, "smallest_part") || !query.accelerators.empty() || said ||
        document.task != Task::inference || document.compute || !runs_in_four_bits(document)) {
        return "";
    }
    Question other;
    other.query = query;
    const bool narrow = document.quantization.has_value();
    other.query.workload.quantization =
        narrow ? std::nullopt : std::optional<std::string>(files_of_four_bits);
    const auto advice = advice_on(other, world_, AdviceExtent::options);
    const Option* found = advice ? smallest_of(*advice) : nullptr;
    if (found == nullptr || !(narrow ? takes_less(told, *found) : takes_less(*found, told))) {
        return "";
    }
    return fmt::format("In {}: {} x {}, {}. ", narrow ? "16-bit weights" : files_of_four_bits,
                       found->cluster.count, sized_name(*found->cluster.accelerator),
                       held_words(held_by(found->cluster.count, found->estimate.memory)));
}

bool Router::smallest_served(Question other, Answer& second) const {
    const auto advice = advice_on(other, world_, AdviceExtent::options);
    const Option* found = advice ? smallest_of(*advice) : nullptr;
    if (found == nullptr) {
        return false;
    }
    const Cluster& cluster = found->cluster;
    const auto& type = other.query.workload.quantization;
    second.headline =
        fmt::format("The smallest that {}holds it{} is {} x {}: {}. {}{}",
                    barely_fits(found->estimate.memory) ? "barely " : "",
                    !type             ? " to serve"
                    : *type == "none" ? " to serve one in 16-bit weights"
                                      : " to serve one in " + *type,
                    cluster.count, sized_name(*cluster.accelerator),
                    held_words(held_by(cluster.count, found->estimate.memory)),
                    smallest_in_other_weights(other.query, *found), sentence_of(*advice, *found));
    second.choice = choice_of_option(other.query, *found);
    return true;
}

}  // namespace ridgeline::ask
