#include "advise/comparisons/side_by_side.h"

#include "advise/figure_words.h"
#include "advise/fits/host_split.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/search/time_limits.h"
#include "advise/stacks/lean.h"
#include "advise/stacks/pretraining.h"
#include "advise/stacks/stored_weights.h"
#include "base/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

// Sides of a comparison: which weights and how many of each are judged, and which form stands for a
// side.

namespace ridgeline {
namespace {

constexpr int most_for_a_side = 64;   // accelerators that a side without a number may take
constexpr int most_for_a_run = 4096;  // and one whose run from scratch is to end

}  // namespace

WorkloadDocument SideBySide::judged_alike(const WorkloadDocument& document,
                                          const Architecture& architecture, const Query& query) {
    const bool counted = is_counted();
    const bool home = stands_a_home();
    const bool fewest = document.task == Task::inference && !home;
    std::vector<const Accelerator*> parts;
    for (const ComparedSide& side : sides_) {
        parts.push_back(side.part);
    }
    const auto types = weights_to_try(document, architecture, parts, tools_.knowledge.profiles);
    bool narrows = counted || home;
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
            narrows ? with_weights_that_fit(document, architecture, types, held) : document;
        held(stored);
        return stored;
    };
    WorkloadDocument chosen = with(&SideBySide::every_side_holds);
    // What no number of cards divides is compared in narrower weights, as fits are judged.
    if (fewest && !counted && !any_side_holds()) {
        narrows = true;
        chosen = with(&SideBySide::every_side_holds);
    }
    // At home one card that holds it answers: nobody there weighs two against two.
    const bool all_home =
        std::ranges::all_of(sides_, [](const ComparedSide& side) { return is_home(*side.part); });
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
    const bool crowd =
        document.task == Task::inference && document.serving && document.serving->concurrency > 1;
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

void SideBySide::hold_in_less_memory(const WorkloadDocument& document,
                                     const Architecture& architecture, const Query& query) {
    for (ComparedSide& side : sides_) {
        if (!is_counted() || side.score > 0) {
            continue;
        }
        for (const LeanWay& way :
             lean_ways(tools_.knowledge.profiles, document, architecture, side.count)) {
            ComparedSide trial = side;
            judge(trial, way.document, architecture, query, tools_);
            // As a fit judges: what fits with room before what barely does.
            if (trial.score > 0 &&
                (side.score <= 0 || (side.verdict != "yes" && trial.verdict == "yes"))) {
                trial.way = fmt::format("{} ({})", way.words, way.flags);
                side = std::move(trial);
            }
        }
    }
}

bool SideBySide::share_with_host(WorkloadDocument& document, const Architecture& architecture,
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

std::string SideBySide::put_on_as_many(const WorkloadDocument& document,
                                       const Architecture& architecture, const Query& query) {
    const auto fewer = [](const ComparedSide& a, const ComparedSide& b) {
        return a.count < b.count;
    };
    const auto [least, most] = std::minmax_element(sides_.begin(), sides_.end(), fewer);
    const bool held =
        std::ranges::all_of(sides_, [](const ComparedSide& side) { return side.score > 0; });
    if (is_counted() || !held || least->count == most->count || asks(reading_, "per_gpu")) {
        return "";
    }
    const int count = most->count;
    std::string words =
        fmt::format("{} hold{} {}, of {} it takes {}. With {} of each: ", words_of(*least),
                    least->count > 1 ? "" : "s", reading_.model, most->part->name, count, count);
    for (ComparedSide& side : sides_) {
        side.count = count;
        judge(side, document, architecture, query, tools_);
    }
    return words;
}

void SideBySide::keep_usual_forms() {
    std::vector<ComparedSide> kept;
    for (const ReadSide& read : reading_.sides) {
        const ComparedSide* usual = nullptr;
        const auto key = [&](const ComparedSide& side) {
            return std::tuple(side.score > 0, -side.count,
                              renters_of(tools_.knowledge.catalog, *side.part),
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

bool SideBySide::is_counted() const {
    return std::ranges::any_of(reading_.sides,
                               [](const ReadSide& side) { return side.count.has_value(); });
}

bool SideBySide::every_side_holds() const {
    return std::ranges::all_of(reading_.sides, [&](const auto& read) {
        return std::ranges::any_of(
            sides_, [&](const ComparedSide& side) { return side.side == &read && side.score > 0; });
    });
}

bool SideBySide::two_sides_hold() const {
    return std::ranges::count_if(sides_, [](const ComparedSide& side) { return side.score > 0; }) >
           1;
}

bool SideBySide::any_side_holds() const {
    return std::ranges::any_of(sides_, [](const ComparedSide& side) { return side.score > 0; });
}

bool SideBySide::stands_at_desks() const {
    return std::ranges::all_of(
        sides_, [](const ComparedSide& side) { return stands_at_a_desk(*side.part); });
}

bool SideBySide::stands_a_home() const {
    return std::ranges::any_of(sides_,
                               [](const ComparedSide& side) { return is_home(*side.part); });
}

std::string SideBySide::grown_for_the_run(const WorkloadDocument& document,
                                          const Architecture& architecture, const Query& query) {
    const bool modules = std::ranges::all_of(sides_, [](const ComparedSide& side) {
        return is_module(*side.part) && !stands_alone(*side.part);
    });
    const auto too_long = [&] {
        return std::ranges::any_of(sides_, [](const ComparedSide& side) {
            return side.score > 0 && side.run > longest_recommended_run;
        });
    };
    if (is_counted() || !modules || !is_pretraining(document) || !too_long()) {
        return "";
    }
    int count = sides_.front().count;
    while (count < most_for_a_run && too_long()) {
        count *= 2;
        for (ComparedSide& side : sides_) {
            side.count = count;
            judge(side, document, architecture, query, tools_);
        }
    }
    return fmt::format("With {} of each, as many as end the run within a year: ", count);
}

void SideBySide::run_alike(const WorkloadDocument& document, const Architecture& architecture,
                           const Query& query) {
    ComparedSide& best = sides_.front();
    ComparedSide& other = sides_[static_cast<std::size_t>(second() - sides_.data())];
    if (document.task != Task::train || document.recompute || best.score <= 0 || other.score <= 0 ||
        best.by_energy || best.count != other.count ||
        (best.recompute == other.recompute && best.micro_batch == other.micro_batch)) {
        return;
    }
    const bool less_room = best.part->capacity() < other.part->capacity();
    const ComparedSide& tight = less_room ? best : other;
    WorkloadDocument same = document;
    same.recompute = tight.recompute;
    same.micro_batch = tight.micro_batch;
    std::vector<double> rates;
    for (const ComparedSide* side : {&best, &other}) {
        ComparedSide copy = *side;
        judge(copy, same, architecture, query, tools_);
        rates.push_back(copy.score);
    }
    const bool both = rates[0] > 0 && rates[1] > 0;
    const double own = best.score / other.score;
    if (both && own > same_rate_within * (rates[0] / rates[1])) {
        best.alike = rates[0];
        other.alike = rates[1];
    }
}

double SideBySide::rate_of(const ComparedSide& side) const {
    return side.score / (asks(reading_, "per_gpu") ? side.count : 1);
}

std::string SideBySide::measure_of(const ComparedSide& side) const {
    return side.measure + (asks(reading_, "per_gpu") ? " per accelerator" : "");
}

void SideBySide::rank() {
    // What misses a time or rate that was asked wins over nothing that keeps it.
    const auto key = [this](const ComparedSide& side) {
        return std::pair(side.score > 0 && side.pace.middle, rate_of(side));
    };
    stable_order(sides_.begin(), sides_.end(),
                 [&](const ComparedSide& a, const ComparedSide& b) { return key(a) > key(b); });
}

const ComparedSide* SideBySide::second() const {
    const auto other = std::ranges::find_if(
        sides_, [&](const ComparedSide& side) { return side.side != sides_.front().side; });
    return other == sides_.end() ? &sides_.back() : &*other;
}

}  // namespace ridgeline
