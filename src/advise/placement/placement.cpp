#include "advise/placement/placement.h"

#include "advise/hardware/fabric.h"
#include "advise/hardware/offers.h"
#include "advise/placement/setting.h"
#include "advise/placement/waiting.h"
#include "advise/plans/plan_search.h"
#include "advise/plans/plans.h"
#include "base/text.h"
#include "estimate/completed.h"
#include "estimate/estimate.h"
#include "estimate/resolve/legality.h"
#include "estimate/resolve/resolve.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ridgeline {

Result<const SoftwareProfile*> software_named(const Profiles& profiles, std::string_view id) {
    if (const SoftwareProfile* found = profiles.software_profile(id)) {
        return found;
    }
    std::vector<std::string> ids;
    for (const SoftwareProfile& profile : profiles.software) {
        ids.push_back(profile.id);
    }
    const std::string_view bare = id.substr(0, id.find('@'));
    if (profiles.software_profile(bare) != nullptr) {
        return input_error(
            "--framework",
            fmt::format("found \"{}\" after the @, expected a day of release such as "
                        "2024-12-26 or 2024-12",
                        id.substr(bare.size() + 1)));
    }
    const std::string hint = did_you_mean(bare, ids);
    return input_error(
        "--framework", fmt::format("no software profile \"{}\"", id),
        hint.empty() ? "`ridgeline profiles list --kind software` shows all." : hint);
}

std::vector<Provenance> cited(const Catalog& catalog, std::vector<Provenance> provenance) {
    for (Provenance& entry : provenance) {
        const auto note = catalog.sources.find(entry.source);
        if (note != catalog.sources.end()) {
            entry.source = note->second.where.empty() ? note->second.what : note->second.where;
        }
    }
    return provenance;
}

namespace {

/// The fastest plan per sample that fits, else the one that needs the least memory; nothing when no
/// plan is legal. For serving, whose plans are few.
std::optional<Workload> best_serving_plan(const Setting& setting,
                                          const std::vector<Workload>& plans) {
    std::optional<Workload> fastest;
    std::optional<Workload> leanest;
    double best_time = 0;
    Bytes best_memory;
    for (const Workload& plan : plans) {
        if (!check_plan(setting.architecture, plan, setting.cluster)) {
            continue;
        }
        const EstimateInput input = setting.input(plan);
        const MemoryEstimate memory = estimate_memory(input);
        if (!leanest || memory.needed() < best_memory) {
            leanest = plan;
            best_memory = memory.needed();
        }
        if (memory.fits) {
            const double time = estimate_time(input).step / second / plan.batch.global;
            if (!fastest || time < best_time) {
                fastest = plan;
                best_time = time;
            }
        }
    }
    return fastest ? fastest : leanest;
}

/// Every legal plan of a training run, or the usual ones.
PlanSearch search_training(const Setting& setting, const Workload& workload,
                           const PlanFreedom& free, bool whole, const SearchDetail& detail) {
    SearchControl control{.comfortable = share_left_free(setting.input(workload)),
                          .front = detail.front};
    const std::shared_ptr<void> watch = detail.watch ? detail.watch(control) : nullptr;
    const PlanSpace space =
        whole
            ? whole_space(workload, setting.architecture, setting.software, setting.cluster, free)
            : usual_space(workload, setting.architecture, setting.software, setting.cluster, free);
    return search_plans(setting.input(workload), space, control);
}

/// A question about one machine, with the same open points filled as `advise` fills them.
struct MachineQuestion {
    Query query;
    Search search;
    Candidate candidate;

    MachineQuestion(const Knowledge& knowledge, const WorkloadDocument& document,
                    const Architecture& architecture, const Cluster& cluster,
                    bool requests_may_wait = false)
        : query(query_of(document)),
          search(make_search(query, architecture, knowledge)),
          candidate{cluster.accelerator, *search.models} {
        search.requests_may_wait = requests_may_wait;
    }
    MachineQuestion(const MachineQuestion&) = delete;
    MachineQuestion& operator=(const MachineQuestion&) = delete;

private:
    static Query query_of(const WorkloadDocument& document) {
        Query query;
        query.workload = document;
        query.all = true;  // what is named is answered, whoever sells it
        return query;
    }
};

/// Of each default the value that the chosen plan has.
void restate(std::vector<FilledDefault>& defaults, const Workload& workload) {
    const Plan& plan = workload.plan;
    const std::pair<std::string_view, std::string> chosen[] = {
        {"batch.micro", std::to_string(workload.batch.micro)},
        {"batch.global", std::to_string(workload.batch.global)},
        {"parallel.data", std::to_string(plan.data)},
        {"parallel.sharding", std::string(name_of(plan.sharding))},
        {"parallel.sequence_parallel", plan.sequence_parallel ? "true" : "false"},
        {"recompute", std::string(name_of(plan.recompute))},
    };
    for (FilledDefault& filled : defaults) {
        for (const auto& [field, value] : chosen) {
            if (filled.field == field && filled.value != value) {
                filled.value = value;
                filled.from = "the best plan";
            }
        }
    }
}

/// The best plan found in the whole space or among the usual plans, the leanest when none fits.
Result<Placement> best_found(const Knowledge& knowledge, const WorkloadDocument& document,
                             const Architecture& architecture, const Cluster& cluster,
                             const Offer* offer, bool whole, const SearchDetail& detail) {
    const MachineQuestion question(knowledge, document, architecture, cluster);
    auto software = software_of(knowledge, question.search.document, architecture,
                                *cluster.accelerator, cluster.count);
    if (!software) {
        return tl::unexpected(software.error());
    }
    if (whole && !document.framework) {
        // Of several usual stacks the one that the usual plans are best under.
        const Trial usual = best_on(question.search, question.candidate, cluster);
        if (const auto* option = std::get_if<Option>(&usual.outcome)) {
            software = software_named(knowledge.profiles, option->workload.framework);
        }
    }
    if (const auto runs = check_chip(question.search.document, **software, cluster); !runs) {
        return tl::unexpected(runs.error());
    }
    if (const auto legal = check_stated_sizes(architecture, document); !legal) {
        return tl::unexpected(legal.error());
    }
    auto resolved = resolved_for(question.search, question.candidate, **software, cluster.count);
    if (!resolved) {
        return tl::unexpected(resolved.error());
    }
    if (const auto done = check_task(resolved->workload, cluster); !done) {
        return tl::unexpected(done.error());
    }
    const Setting setting =
        setting_of(knowledge, architecture, cluster, **software, question.search.models);
    const PlanFreedom& free = question.search.freedom;
    std::optional<PlanSearch> search;
    std::optional<Workload> best;
    if (resolved->workload.task == Task::train && !architecture.stacks.empty()) {
        search = search_training(setting, resolved->workload, free, whole, detail);
        if (const auto& found = search->best ? search->best : search->leanest) {
            best = with_plan(resolved->workload, *found);
        }
    } else {
        auto plans = enumerate_plans(resolved->workload, architecture, cluster, free);
        leave_out_unsupported(plans, (*software)->support, free);
        best = best_serving_plan(setting, plans);
    }
    const auto legal = check_plan(architecture, resolved->workload, cluster);
    if (!best && legal && architecture.stacks.empty()) {
        best = resolved->workload;  // a network: each card answers a batch of its own
    }
    if (!best) {
        return !legal ? Result<Placement>(tl::unexpected(legal.error()))
                      : input_error("--plan",
                                    fmt::format("no legal plan on {} accelerators", cluster.count),
                                    "Give another count, or state the parallel sizes.");
    }
    resolved->workload = *best;
    restate(resolved->defaults, resolved->workload);
    Placement answer =
        answer_of(knowledge, setting, *resolved, estimate(setting.input(*best), offer));
    if (search && whole) {
        answer.searched = search->searched;
        answer.front = std::move(search->front);
    }
    return answer;
}

/// With the plan that the framework takes when nobody asks for another.
Result<Placement> planned_by_framework(const Knowledge& knowledge, const WorkloadDocument& document,
                                       const Architecture& architecture, const Cluster& cluster,
                                       const Offer* offer) {
    const auto software =
        software_of(knowledge, document, architecture, *cluster.accelerator, cluster.count);
    if (!software) {
        return tl::unexpected(software.error());
    }
    if (const auto runs = check_chip(document, **software, cluster); !runs) {
        return tl::unexpected(runs.error());
    }
    WorkloadDocument planned = document;
    const bool open = !planned.pipeline && !planned.tensor && !planned.data;
    if (planned.task == Task::inference && open && (*software)->engine.splits_layers) {
        planned.pipeline = cluster.count;  // llama.cpp parts the layers among all cards it sees
    }
    const auto resolved = resolve(planned, architecture, **software, cluster.count);
    if (!resolved) {
        return tl::unexpected(resolved.error());
    }
    if (const auto legal = check_plan(architecture, resolved->workload, cluster); !legal) {
        return tl::unexpected(legal.error());
    }
    const Setting setting = setting_of(knowledge, architecture, cluster, **software);
    return answer_of(knowledge, setting, *resolved,
                     estimate(setting.input(resolved->workload), offer));
}

/// What the search found for one machine, with everything that an answer shows.
Result<Placement> placed_option(const MachineQuestion& question, Option option,
                                const Cluster& cluster, const Offer* offer) {
    const Knowledge& knowledge = question.search.knowledge;
    const Architecture& architecture = question.search.architecture;
    if (const auto done = check_task(option.workload, cluster); !done) {
        return tl::unexpected(done.error());
    }
    const auto software = software_named(knowledge.profiles, option.workload.framework);
    if (!software) {
        return tl::unexpected(software.error());
    }
    ResolvedWorkload resolved{std::move(option.workload), std::move(option.defaults)};
    restate(resolved.defaults, resolved.workload);
    Setting setting =
        setting_of(knowledge, architecture, cluster, **software, question.search.models);
    setting.replayed = question.search.replayed.get();
    return answer_of(
        knowledge, setting, resolved,
        completed_estimate(setting.input(resolved.workload), offer,
                           std::move(option.estimate.memory), std::move(option.estimate.time)));
}

}  // namespace

Result<Placement> place(const Knowledge& knowledge, const WorkloadDocument& document,
                        const Architecture& architecture, const Cluster& given,
                        const Offer* offer) {
    const Cluster cluster = joined_as_stated(given, knowledge.catalog, document);
    const MachineQuestion question(knowledge, document, architecture, cluster);
    Trial trial = best_on(question.search, question.candidate, cluster);
    if (auto* option = std::get_if<Option>(&trial.outcome)) {
        return placed_option(question, std::move(*option), cluster, offer);
    }
    return best_found(knowledge, document, architecture, cluster, offer, false, {});
}

namespace {

/// Where not one request has room, it is one that does not fit, not all of a load that would wait:
/// what is missing is told of it.
void need_of_one(const Knowledge& knowledge, const WorkloadDocument& document,
                 const Cluster& cluster, Placement& placed) {
    const double copies = std::max(1, placed.workload.plan.data);
    const auto software = software_named(knowledge.profiles, placed.workload.framework);
    if (!software || !(*software)->engine.lets_requests_wait() || !placed.workload.serving ||
        placed.workload.serving->concurrency <= copies) {
        return;
    }
    const double all = placed.workload.serving->concurrency;
    WorkloadDocument one = document;
    one.serving = *placed.workload.serving;
    one.serving->concurrency = copies;
    one.serving->request_rate = 0;
    one.micro_batch.reset();
    one.global_batch.reset();
    const auto alone = place(knowledge, one, placed.architecture, cluster, nullptr);
    if (alone && !alone->estimate.memory.fits) {
        placed.estimate.memory = alone->estimate.memory;
        placed.note += fmt::format("{}That is with one request: not one of the {:.0f} has room.",
                                   placed.note.empty() ? "" : " ", all);
    }
}

}  // namespace

void let_requests_wait(const Knowledge& knowledge, const WorkloadDocument& document,
                       const Cluster& given, const Offer* offer, Placement& placed) {
    if (placed.workload.task != Task::inference || placed.architecture.stacks.empty() ||
        placed.estimate.memory.fits) {
        return;
    }
    WorkloadDocument served = document;
    served.framework = placed.workload.framework;
    const Cluster cluster = joined_as_stated(given, knowledge.catalog, served);
    const MachineQuestion question(knowledge, served, placed.architecture, cluster, true);
    Trial trial = best_on(question.search, question.candidate, cluster);
    if (auto* option = std::get_if<Option>(&trial.outcome)) {
        if (auto waiting = placed_option(question, std::move(*option), cluster, offer)) {
            placed = *std::move(waiting);
        }
    } else {
        need_of_one(knowledge, document, given, placed);
    }
}

Result<Placement> place_with(PlanChoice choice, const Knowledge& knowledge,
                             const WorkloadDocument& document, const Architecture& architecture,
                             const Cluster& cluster, const Offer* offer,
                             const SearchDetail& detail) {
    const Cluster joined = joined_as_stated(cluster, knowledge.catalog, document);
    auto placed = choice == PlanChoice::all
                      ? best_found(knowledge, document, architecture, joined, offer, true, detail)
                  : choice == PlanChoice::framework
                      ? planned_by_framework(knowledge, document, architecture, joined, offer)
                      : place(knowledge, document, architecture, cluster, offer);
    if (!placed || placed->workload.task != Task::inference) {
        return placed;
    }
    WorkloadDocument stated = document;
    if (choice == PlanChoice::framework) {
        const Plan& own = placed->workload.plan;  // and no other
        stated.tensor = own.tensor;
        stated.pipeline = own.pipeline;
        stated.data = own.data;
    }
    let_requests_wait(knowledge, stated, cluster, offer, *placed);
    return placed;
}

Result<bool> fits_on(const Knowledge& knowledge, const WorkloadDocument& document,
                     const Architecture& architecture, const Cluster& given) {
    const Cluster cluster = joined_as_stated(given, knowledge.catalog, document);
    const MachineQuestion question(knowledge, document, architecture, cluster);
    const Trial trial = best_on(question.search, question.candidate, cluster);
    if (std::holds_alternative<Option>(trial.outcome)) {
        return true;
    }
    if (std::get<Rejection>(trial.outcome).reason == "memory_exceeded") {
        return false;
    }
    const auto placed = best_found(knowledge, document, architecture, cluster, nullptr, false, {});
    return placed ? Result<bool>(placed->estimate.memory.fits) : tl::unexpected(placed.error());
}

OperatorProfile profile_of(const Knowledge& knowledge, const Placement& answer) {
    const auto software = software_named(knowledge.profiles, answer.workload.framework);
    if (!software) {
        return {};
    }
    const Setting setting = setting_of(knowledge, answer.architecture, answer.cluster, **software);
    return operator_profile(setting.input(answer.workload), answer.estimate.time);
}

void list_step(const Knowledge& knowledge, Placement& answer) {
    if (const auto software = software_named(knowledge.profiles, answer.workload.framework)) {
        const Setting setting =
            setting_of(knowledge, answer.architecture, answer.cluster, **software);
        answer.step = step_listing(setting.input(answer.workload));
    }
}

void simulate_load(const Knowledge& knowledge, const LoadTargets& targets, Placement& answer) {
    const auto software = software_named(knowledge.profiles, answer.workload.framework);
    if (!software) {
        return;
    }
    const Setting setting = setting_of(knowledge, answer.architecture, answer.cluster, **software);
    add_load(answer.estimate.time, setting.input(answer.workload), targets);
}

const Offer* offer_for(const Catalog& catalog, const Cluster& cluster, std::string_view kind) {
    Query query;
    query.price_kind = kind;
    return cheapest_offer(catalog, query, *cluster.accelerator, cluster.count, cluster.per_node,
                          cluster.machine);
}

}  // namespace ridgeline
