#include "advise/advise.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/ranking/finalists.h"
#include "advise/ranking/rank.h"
#include "advise/rules/rules.h"
#include "advise/search/ladder.h"
#include "advise/search/remedies.h"
#include "advise/search/search.h"
#include "advise/search/slices.h"
#include "advise/search/thrifty.h"
#include "advise/stacks/lean.h"
#include "base/beside.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace ridgeline {
namespace {

constexpr std::size_t most_near_misses = 3;
constexpr int counts_past_the_first = 2;  // doublings tried beyond the smallest cluster that fits
constexpr int always_tried = 8;

Result<void> check_query(const Query& query, const Knowledge& knowledge) {
    for (const std::string& id : query.accelerators) {
        if (knowledge.catalog.accelerator(id) == nullptr) {
            return input_error("--on", "no accelerator \"" + id + "\" in the catalog");
        }
    }
    for (const std::string& feature : query.require) {
        const std::vector<std::string> known = {"ecc",        "nvlink", "mig",
                                                "datacenter", "new",    "used"};
        if (std::ranges::find(known, feature) == known.end() && !is_product_line(feature) &&
            !is_board(feature) && !is_build(feature) && !is_unit_type(feature) &&
            !is_memory_type(feature)) {
            const std::string hint = did_you_mean(feature, known);
            return usage_error(
                "--require",
                "\"" + feature +
                    "\" is none of ecc, nvlink, mig, datacenter, new, used, pcie, "
                    "sxm, oam, module, card, consumer, laptop, single-slot, low-profile, no type "
                    "of "
                    "numbers (fp8, nvfp4, bf16, ...), no memory (hbm3e, gddr7, ...) and no line of "
                    "products (geforce, quadro, radeon, ...)",
                hint);
        }
    }
    if (!query.profile.empty() && knowledge.profiles.workload_profile(query.profile) == nullptr) {
        std::vector<std::string> ids;
        for (const WorkloadProfile& profile : knowledge.profiles.workloads) {
            ids.push_back(profile.id);
        }
        return input_error("--profile", "no workload profile \"" + query.profile + "\"",
                           did_you_mean(query.profile, ids));
    }
    const bool bad_count = query.exact_accelerators.value_or(1) < 1 ||
                           query.max_accelerators.value_or(1) < 1 ||
                           query.exact_accelerators.value_or(1) > 1'000'000;
    if (bad_count) {
        return usage_error("--count", "expected 1 to 1000000 accelerators");
    }
    const int least = query.min_accelerators.value_or(1);
    if (least < 1 ||
        least > query.exact_accelerators.value_or(query.max_accelerators.value_or(1'000'000))) {
        return usage_error("--min-accelerators",
                           fmt::format("found {}, expected 1 to the most that may be", least));
    }
    if (query.workload.task == Task::kernel) {
        return input_error("task", "\"kernel\" needs a machine: use `ridgeline estimate`");
    }
    return {};
}

/// Whether each of several users waits longer for a word than it takes to read it: more
/// accelerators may mend that.
bool keeps_users_waiting(const Search& search, const Option& option) {
    const auto& serving = search.document.serving;
    return serving && serving->concurrency > 1 &&
           slower_than_read(search.query, option.workload, option.estimate.time);
}

/// Between a count that is too slow and its double that is not: the smallest of whole machines that
/// is in time, to a sixteenth of the larger.
void search_between(const Search& search, const Candidate& candidate, int enough, Advice& advice) {
    const int machine =
        make_cluster(search.knowledge.catalog, *candidate.accelerator, enough).per_node;
    const int step = std::max(machine, enough / 16);
    int low = enough / 2;
    int high = enough;
    std::optional<Option> best;
    while (high - low > step) {
        const int middle = low + std::max(1, (high - low) / step / 2) * step;
        Trial trial = best_on(search, candidate, middle);
        advice.searched += trial.searched;
        auto* option = std::get_if<Option>(&trial.outcome);
        if (option != nullptr && !keeps_users_waiting(search, *option)) {
            best = std::move(*option);
            high = middle;
        } else {
            low = middle;
        }
    }
    if (best) {
        advice.options.push_back(std::move(*best));
    }
}

// A sum that buys a cluster for runs of all weights is to be used: more modules are as much an
// answer as the fewest that hold it.
bool spends_a_sum(const Search& search, const Accelerator& accelerator) {
    const Query& query = search.query;
    return query.buy && query.budget_usd && query.objective == Objective::time &&
           search.document.task == Task::train && search.document.method == Method::full &&
           is_module(accelerator);
}

// What one accelerator gives at its counts, smallest first.
void search_accelerator(const Search& search, const Accelerator& accelerator, Advice& advice) {
    const Candidate candidate{&accelerator, *search.models};
    int first = 0;
    bool slow = false;         // the count before
    bool comfortable = false;  // a count before holds it with room to spare
    const bool spends = spends_a_sum(search, accelerator);
    for (const int count : counts_for(search, accelerator)) {
        const int enough = std::max(always_tried, first * counts_past_the_first);
        if (first > 0 && count > enough && !search.query.max_accelerators && !spends) {
            break;
        }
        if (comfortable && !spends && !std::has_single_bit(static_cast<unsigned>(count))) {
            continue;  // between powers of two only the least that holds it is of interest
        }
        if (search.brief && first > 0) {
            break;
        }
        Trial trial = best_on(search, candidate, count);
        advice.searched += trial.searched;
        if (auto* option = std::get_if<Option>(&trial.outcome)) {
            const bool waits = keeps_users_waiting(search, *option);
            if (first == 0 && slow && !waits && !search.brief) {
                search_between(search, candidate, count, advice);
            }
            slow = waits;
            comfortable = comfortable || (!waits && !barely_fits(option->estimate.memory));
            first = first == 0 && !waits ? count : first;
            advice.options.push_back(std::move(*option));
        } else {
            slow = std::get<Rejection>(trial.outcome).reason == "too_slow";
            advice.rejections.push_back(std::move(std::get<Rejection>(trial.outcome)));
        }
    }
}

bool fits_somewhere(const Advice& advice, const Rejection& rejection) {
    return std::ranges::any_of(advice.options, [&](const Option& option) {
        return option.cluster.accelerator->id == rejection.accelerator &&
               option.cluster.count == rejection.count;
    });
}

// What runs and costs too much comes before what runs too slowly, and that before what does not
// run, of which no rate was judged; of each the least excess.
std::tuple<int, double, int> nearness(const Rejection& miss) {
    const int runs = miss.reason == "over_budget" ? 0 : miss.reason == "memory_exceeded" ? 2 : 1;
    return {runs, miss.excess, miss.count};
}

// Whether the card's ladder has a type of weights that fits: its answer is yes then.
bool fits_narrower(const Advice& advice, const Rejection& rejection) {
    const bool memory = rejection.reason == "memory_exceeded";
    return memory && std::ranges::any_of(advice.ladders, [&](const CardLadder& ladder) {
               return ladder.accelerator == rejection.accelerator &&
                      std::ranges::any_of(ladder.rungs,
                                          [](const QuantRung& rung) { return rung.fits; });
           });
}

// What may be a near miss: of what lacks memory the largest cluster of each accelerator.
std::vector<Rejection> possible_misses(const Advice& advice) {
    std::map<std::string, Rejection> memory;
    std::vector<Rejection> misses;
    for (const Rejection& rejection : advice.rejections) {
        if (fits_somewhere(advice, rejection) || fits_narrower(advice, rejection)) {
            continue;
        }
        if (rejection.reason == "memory_exceeded") {
            const auto [at, inserted] = memory.emplace(rejection.accelerator, rejection);
            if (!inserted && rejection.count > at->second.count) {
                at->second = rejection;
            }
        } else if (rejection.reason == "over_power" || rejection.reason == "too_slow" ||
                   rejection.reason == "over_budget") {
            misses.push_back(rejection);
            // The supply is asked first, as it is quick to tell: what cannot hold the work misses
            // by its memory.
            misses.back().bound = rejection.reason == "over_power";
        }
    }
    for (auto& [accelerator, rejection] : memory) {
        misses.push_back(std::move(rejection));
    }
    return misses;
}

Rejection settled_miss(const Search& search, const Rejection& miss) {
    Rejection measured = measured_rejection(search, miss);
    const bool lacks_memory = measured.reason == "memory_exceeded";
    measured = lacks_memory ? std::move(measured) : miss;
    measured.bound = false;
    return measured;
}

// Of each accelerator the rejection that misses its limit by the smallest share, nearest first.
// What only a bound rejects may miss by more: of those that lead by it a plan is estimated, and of
// no others, as each takes a millisecond.
std::vector<Rejection> nearest_misses(const Search& search, const Advice& advice,
                                      std::size_t most) {
    const auto nearer = [](const Rejection& a, const Rejection& b) {
        return std::tuple(nearness(a), a.accelerator) < std::tuple(nearness(b), b.accelerator);
    };
    std::vector<Rejection> open = possible_misses(advice);
    std::vector<Rejection> nearest;
    while (!open.empty() && nearest.size() < most) {
        const auto first = std::ranges::min_element(open, nearer);
        if (first->bound) {
            *first = settled_miss(search, *first);
            continue;
        }
        nearest.push_back(*first);
        std::erase_if(open, [part = nearest.back().accelerator](const Rejection& other) {
            return other.accelerator == part;
        });
    }
    return nearest;
}

void choose_near_misses(const Search& search, AdviceExtent extent, Advice& advice) {
    const std::size_t most = extent == AdviceExtent::whole ? most_near_misses : 1;
    advice.near_misses = nearest_misses(search, advice, most);
    for (Rejection& miss : advice.near_misses) {
        const bool first_alone = extent != AdviceExtent::whole && !advice.options.empty();
        miss.would_fit_if = would_fit_if(search, miss, first_alone);
    }
}

void shorten(Advice& advice) {
    std::vector<Option>& options = advice.options;
    const std::vector<bool> keep = shown_options(advice);
    std::vector<Option> result;
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (keep[i]) {
            result.push_back(std::move(options[i]));
        }
    }
    options = std::move(result);
    for (std::size_t i = 0; i < options.size(); ++i) {
        options[i].rank = static_cast<int>(i) + 1;  // without the holes of what was left out
    }
}

std::vector<Finding> findings_of(const Search& search, const Option& option) {
    const SoftwareProfile* software =
        search.knowledge.profiles.software_profile(option.workload.framework);
    return apply_rules({.architecture = search.architecture,
                        .workload = option.workload,
                        .cluster = option.cluster,
                        .estimate = option.estimate,
                        .catalog = search.knowledge.catalog,
                        .software = software,
                        .query = &search.query,
                        .today = search.knowledge.today});
}

/// framework  nothing: a usual one
MethodAnswer answer_for(const Search& main, Method method, const SoftwareProfile* framework,
                        Searched& searched) {
    Query other = main.query;
    if (framework != nullptr) {
        other.workload.framework = framework->id;
    }
    other.method_open = false;
    other.workload.method = method;
    other.workload.has_lora = method != Method::full;
    if (method == Method::full) {
        other.workload.lora_rank.reset();
        other.workload.lora_targets.reset();
    }
    Search search = make_search(other, main.architecture, main.knowledge);
    search.brief = true;
    Advice advice;
    for (const Accelerator* accelerator : candidates(search, advice.rejections)) {
        search_accelerator(search, *accelerator, advice);
    }
    rank(search, advice.options);
    MethodAnswer answer{.method = method, .smallest = {}, .cheapest = {}};
    for (Option& option : advice.options) {
        const auto labelled = [&option](std::string_view name) {
            return std::ranges::find(option.labels, name) != option.labels.end();
        };
        if (labelled("smallest")) {
            answer.smallest = option;
        }
        if (option.rank == 1) {
            answer.cheapest = option;
        }
    }
    searched += advice.searched;
    return answer;
}

/// What another method needs; where no usual stack has room on what is there, under one that takes
/// less.
MethodAnswer answer_for(const Search& main, Method method, Searched& searched) {
    MethodAnswer answer = answer_for(main, method, nullptr, searched);
    WorkloadDocument other = main.document;
    other.method = method;
    for (const SoftwareProfile* stack : lean_stacks(main.knowledge.profiles, other)) {
        if (answer.smallest) {
            break;
        }
        answer = answer_for(main, method, stack, searched);
    }
    return answer;
}

/// What the methods need that nobody said.
struct MethodAnswers {
    std::vector<MethodAnswer> answers;
    Searched searched;
};
MethodAnswers other_methods(const Search& search, AdviceExtent extent) {
    MethodAnswers others;
    const bool open = search.query.method_open && search.document.method != Method::full;
    for (const Method method : {Method::qlora, Method::full}) {
        if (open && extent != AdviceExtent::options && method != search.document.method) {
            others.answers.push_back(answer_for(search, method, others.searched));
        }
    }
    return others;
}

}  // namespace

namespace {

std::set<std::string> parts_of(const std::vector<Option>& options) {
    std::set<std::string> parts;
    for (const Option& option : options) {
        parts.insert(option.cluster.accelerator->id);
    }
    return parts;
}

}  // namespace

Result<Advice> advise(const Query& query, const Architecture& architecture,
                      const Knowledge& knowledge) {
    return advise(query, architecture, knowledge, AdviceExtent::whole);
}

Result<Advice> advise(const Query& query, const Architecture& architecture,
                      const Knowledge& knowledge, AdviceExtent extent) {
    if (const auto valid = check_query(query, knowledge); !valid) {
        return tl::unexpected(valid.error());
    }
    const Search search = make_search(query, architecture, knowledge);
    Advice advice;
    advice.query = query;
    advice.architecture = architecture;
    const auto parts = candidates(search, advice.rejections);
    if (parts.empty() && advice.rejections.empty()) {
        return input_error("hardware", "no accelerator of the catalog matches the question");
    }
    Beside others([&search, extent] { return other_methods(search, extent); });
    for (const Accelerator* accelerator : parts) {
        search_accelerator(search, *accelerator, advice);
        add_slices(search, *accelerator, advice);
    }
    std::erase_if(advice.options, [&](const Option& option) {
        return option.estimate.time.work_per_second() < query.least_rate ||
               option.cluster.count * option.cluster.accelerator->marketed_gb <=
                   query.least_memory_gb;
    });
    rank(search, advice.options);
    simulate_finalists(search, advice);
    if (query.ladder) {
        advice.ladders = card_ladders(search);
    }
    if (extent != AdviceExtent::options) {
        choose_near_misses(search, extent, advice);
    }
    const std::set<std::string> fitting = parts_of(advice.options);
    shorten(advice);
    std::ranges::set_difference(fitting, parts_of(advice.options),
                                std::back_inserter(advice.outranked));
    for (Option& option : advice.options) {
        option.findings = findings_of(search, option);
    }
    advice.findings = question_findings(query, architecture, advice);
    MethodAnswers methods = others.get();
    advice.other_methods = std::move(methods.answers);
    advice.searched += methods.searched;
    return advice;
}

}  // namespace ridgeline
