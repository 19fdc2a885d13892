#pragma once

#include "advise/advice.h"
#include "advise/hardware/ownership.h"
#include "advise/placement/placement.h"
#include "advise/purchase/budget.h"
#include "advise/reading/reading.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// A figure with its range; what is unknown is empty.
struct AnswerValue {
    std::string quantity;  ///< "memory", "decode", "rent", "bandwidth", ...
    std::optional<double> low, mid, high;
    std::string unit;  ///< "GiB", "tokens/s", "USD/h", "days", "parameters", ...
    std::string of;    ///< whose figure, where there are several: an id, a method
};

/// Hardware that an answer names.
struct AnswerChoice {
    std::string accelerator{};  ///< id
    int count = 1;
    std::optional<double> usd_per_hour{};
    std::string why{};
    std::string
        verdict{};  ///< of a side or a method that was judged for fit: "yes", "barely", "no"
};

/// A change that would turn a no into a yes.
struct AnswerChange {
    std::string flag;
    std::string effect;
};

/// GiB of one accelerator.
struct AnswerNeeds {
    double low = 0, mid = 0, high = 0;
};

/// The reply to a question in one breath.
struct Answer {
    std::string headline;  ///< one sentence, without the hardware's marks
    std::string verdict;   ///< "yes", "barely", "no"; empty: no question of fit
    std::optional<AnswerNeeds> needs;
    std::optional<double> have_gib;
    std::optional<AnswerChoice> choice, runner_up, smallest, cheapest, fastest;
    std::vector<AnswerValue> values;
    std::vector<AnswerChange> change;
    std::vector<Answer> answers;  ///< where neither task was said, the answer for each
    std::string task;             ///< "training", "inference": of one of those
    std::string weights;  ///< of a fit: the type of stored weights that was chosen; empty: as asked
    /// Of a fit: the stack and the loss that were taken as the usual ones lack room; empty: as
    /// asked.
    std::string framework;
    std::optional<LossMode> loss;
};

/// What answers are made with: the data, and those steps that read files.
struct AnswerTools {
    const Knowledge& knowledge;
    /// The architecture that a document names; fills what catalog and profiles know of it.
    std::function<Result<Architecture>(WorkloadDocument&)> architecture;
    /// The best plan of a document on a cluster.
    std::function<Result<Placement>(const WorkloadDocument&, const Architecture&, const Cluster&)>
        place;

    /// The best plan of a document that is taken as it is. errors  those of both
    [[nodiscard]] Result<Placement> placed(WorkloadDocument document,
                                           const Cluster& cluster) const {
        const auto model = architecture(document);
        return model ? place(document, *model, cluster) : tl::unexpected(model.error());
    }
};

/// "yes" when the high end of what is needed fits, "barely" when the middle does, else "no".
std::string verdict_of(const MemoryEstimate& memory);

/// The recommended choice and others for another taste.
Answer reply_of(const Advice& advice);
/// Rates or times of a placed workload.
Answer reply_throughput(const Reading& reading, const Placement& placement);
/// Beside the rate of batches, what one image or text takes by itself.
void add_one_at_a_time(const Placement& alone, Answer& reply);
/// `usd_per_kwh`: of its electricity, where that is asked for; 0: not known.
Answer reply_duration(const Reading& reading, const Placement& placement, double usd_per_kwh);
/// Says first that a placed workload lacks memory, where it does.
void lead_with_lack(const Placement& placement, Answer& reply);
/// Whether the rent of a run stays within the sum that was told, before all else.
void lead_with_sum(const Reading& reading, Answer& reply);
/// One figure of each side of a comparison ("h100 vs a100 fp64"), and the factor between them.
/// Error: fewer than two sides are known.
Result<Answer> reply_figures(const Reading& reading, const AnswerTools& tools);
/// The cheapest machines whose cards have `memory_of_all_gib` together: rent of an hour, or the
/// price of the cards where they are bought.
Answer reply_cheapest_machines(const Reading& reading, const Query& query,
                               const AnswerTools& tools);
/// Rent by provider and count, purchase with its date; of each side where numbers differ.
Answer reply_price(const Reading& reading, const AnswerTools& tools);
/// Whether the rent or the price that was said is a good one: beside those that are listed
/// (`offers`, else what one costs to buy).
Answer reply_good_price(const Reading& reading, std::span<const Offer* const> offers,
                        const Catalog& catalog);
Answer reply_own(const Reading& reading, const OwnershipAnswer& owned);
Answer reply_budget(const Reading& reading, const BudgetAnswer& budget);
/// The parts of the catalog with the features, types and memory that were asked for.
Answer reply_parts_with(const Reading& reading, const AnswerTools& tools);
/// Whether a part has at least the memory that was said, and a vendor that was named or not
/// excluded.
bool suits(const Accelerator& part, const Reading& reading);
/// Dollars of a kWh that the question tells, else what a household or a data centre pays.
double usd_of_kwh(const Reading& reading, const Catalog& catalog, bool home);
/// The GPUs that suit.
std::vector<std::string> parts_of_memory(const Reading& reading, const Catalog& catalog);
/// Those that have every feature and type of number that was asked for, and the memory.
std::vector<const Accelerator*> parts_with(const Reading& reading, const Catalog& catalog);
/// What they were asked to have: "fp8 and 24 GB or more".
std::string features_words(const Reading& reading);
/// The cheapest of such parts (`reading.accelerators`) to rent and to buy.
Answer reply_cheapest_with(const Reading& reading, const AnswerTools& tools);
/// Whether electricity is asked for: kWh or what they cost, not the limit of one part.
bool asks_for_energy(const Reading& reading);
/// "10.7 kg of CO2, at the world's mean of 473 g a kWh [assumed]".
std::string carbon_words(const Reading& reading, double kwh);
/// kWh of hardware with its machine and cooling over the time that was said, a month without one,
/// and their price. Low end: the accelerators alone at their limit; high end: the machine at its
/// maximum.
Answer reply_energy(const Reading& reading, const Cluster& cluster, const Catalog& catalog);
/// The figures of a part or a model that were asked for.
Answer reply_part(const Reading& reading, const AnswerTools& tools);
Answer reply_model(const Reading& reading, const Architecture& architecture);

/// A part as its owner has it, where another memory than the catalog's was said: computers with
/// unified memory and processors come in many sizes, and cards are rebuilt.
const Accelerator& with_memory(const Accelerator& part, double gb);
/// The part with the memory that the question tells of it, or with the share of it.
const Accelerator& with_memory_read(const Accelerator& part, const Reading& reading);

/// Clusters of the hardware that a question names: each form with the count, 1 where none was said.
std::vector<Cluster> clusters_of(const Reading& reading, const Query& query,
                                 const Catalog& catalog);
/// The same where an answer needs one. Error: none is known; `example` is a question that names
/// one.
Result<std::vector<Cluster>> known_clusters(const Reading& reading, const Query& query,
                                            const Catalog& catalog, std::string_view example);
/// Offers of the parts, providers and kind that a question names, cheapest accelerator hour first.
std::vector<const Offer*> offers_of(const Reading& reading, const Catalog& catalog);

}  // namespace ridgeline
