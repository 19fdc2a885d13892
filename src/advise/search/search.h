#pragma once

#include "advise/advice.h"
#include "advise/plans/plans.h"
#include "estimate/time/collective.h"
#include "estimate/time/device.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ridgeline {

class BlockCache;  // advise/plans/chunk.h

/// Calibration resolved once for each accelerator and cluster of one question, whatever the method.
class Models {
public:
    explicit Models(const Knowledge& knowledge) : knowledge_(knowledge) {}
    /// Valid as long as this object.
    const DeviceModel& device(const Accelerator& accelerator);
    const LinkModel& links(const Cluster& cluster);
    /// Bytes of tensors that a plan of a network was found to keep alive on some accelerator, by
    /// what decides them; 0: not counted yet.
    double& needed(const std::string& plan) { return needed_[plan]; }
    /// A profile of the world as it is searched in brief: the allocator is not replayed, which
    /// takes milliseconds a plan.
    const SoftwareProfile& in_brief(const SoftwareProfile& software);

private:
    Knowledge knowledge_;
    std::map<const Accelerator*, DeviceModel> devices_;
    std::map<std::pair<const Accelerator*, int>, LinkModel> links_;  // by part and count
    std::map<std::string, double> needed_;
    std::map<const SoftwareProfile*, SoftwareProfile> brief_;
};

/// What stays the same while one question is searched.
struct Search {
    const Query& query;
    const Architecture& architecture;
    Knowledge knowledge;                  ///< by value: it only refers
    WorkloadDocument document;            ///< the question's workload with advise's own defaults
    std::vector<FilledDefault> defaults;  ///< those defaults
    PlanFreedom freedom;
    double parameters = 0;       ///< of the model
    double flops_per_token = 0;  ///< forward
    bool brief = false;          ///< fewer plans: only what fits and about how fast
    /// On hardware that is named with its number, what an engine does not hold at once waits;
    /// hardware that is sought must hold all under some plan.
    bool requests_may_wait = false;
    std::shared_ptr<Models> models;
    std::shared_ptr<BlockCache> blocks;  ///< of the architecture
    std::shared_ptr<ReplayedSteps> replayed;
};

/// The question with its open points filled: method, sequence, batch, serving load.
Search make_search(const Query& query, const Architecture& architecture,
                   const Knowledge& knowledge);

/// An accelerator and the models of its question; both outlive the candidate.
struct Candidate {
    const Accelerator* accelerator = nullptr;
    Models& models;
    /// Its calibration resolved. Most candidates fail before that is asked for.
    [[nodiscard]] const DeviceModel& device() const { return models.device(*accelerator); }
};

/// Accelerators the question may be about; the others with a reason, in catalog order.
std::vector<const Accelerator*> candidates(const Search& search, std::vector<Rejection>& rejected);

/// Accelerators that a plan takes whose every size is stated; 0: the plan is open.
int stated_ranks(const WorkloadDocument& document);

/// Counts worth trying, ascending.
std::vector<int> counts_for(const Search& search, const Accelerator& accelerator);

/// The best plan on `count` accelerators, or why there is none.
struct Trial {
    std::variant<Rejection, Option> outcome;
    Searched searched;
};
Trial best_on(const Search& search, const Candidate& candidate, int count);
/// As above, on accelerators that are linked in a way of their own.
Trial best_on(const Search& search, const Candidate& candidate, const Cluster& cluster);

/// The question resolved for one stack on so many accelerators, before a plan is chosen.
Result<ResolvedWorkload> resolved_for(const Search& search, const Candidate& candidate,
                                      const SoftwareProfile& software, int count);

/// The cluster of a question: its nodes and network as stated.
Cluster cluster_of(const Search& search, const Candidate& candidate, int count);

/// Bytes of one rank that no plan of this workload avoids: weights (and, trained in full, their
/// states) spread evenly over all ranks, without activations. A bound, cheaper than an estimate.
Bytes least_resident(const Search& search, const Workload& workload, int count);

Rejection rejection(const Candidate& candidate, int count, std::string reason, std::string message,
                    double excess = 0);

/// What lacks memory. capacity  what the runtime may use of the accelerator
Rejection too_large(const Candidate& candidate, int count, Bytes needed, Bytes capacity,
                    std::string_view what);
Rejection too_large(const Candidate& candidate, int count, const MemoryEstimate& memory);

/// Fills in the cost of an option from its cheapest offer and its purchase price.
void price(const Search& search, const Candidate& candidate, Option& option);
/// The rejection by the budget, with an empty reason when it is kept. Precondition: priced.
Rejection money_limit(const Search& search, const Candidate& candidate, const Option& option);
/// Rent until a job of `requests_of_job` is done.
double usd_of_job(const Query& query, const Option& option);
/// The rejection by the power of a machine, with an empty reason when it is kept.
Rejection power_limit(const Search& search, const Candidate& candidate, const Cluster& cluster);

/// Stacks that suit method and scale, unless the question names one ("usual_for" of the profiles):
/// the best plan is looked for under each of them.
std::vector<const SoftwareProfile*> software_for(const Search& search, const Accelerator& part,
                                                 int count);

/// What the objective compares (see Option::value), and the unit it is in.
std::optional<double> objective_value(const Search& search, const Option& option);
std::string_view objective_unit(const Query& query, const Option& option);

}  // namespace ridgeline
