#pragma once

#include "advise/advice.h"
#include "advise/hardware/offers.h"
#include "advise/hardware/ownership.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ridgeline {

/// The largest model that hardware runs in one way.
struct Capability {
    std::string work;   ///< "QLoRA", "LoRA", "full training", "serving"
    std::string model;  ///< "70B"; empty: not even the smallest
    double tokens_per_s = 0;
};

/// Hardware that the money buys.
struct Purchasable {
    Cluster cluster;
    double usd = 0;     ///< with server and network, unless `bare`
    std::string date;   ///< of the price; empty: unknown
    bool bare = false;  ///< one card for a computer that is there already
    double tflops = 0;  ///< bf16 (else fp16) dense, fp64 for scientific computing; all together
    double kw = 0;      ///< at most
    std::vector<Capability> can;
    std::optional<double> usd_per_accelerator_hour;  ///< cheapest rent of the same part
    std::optional<double> break_even;                ///< utilisation above which buying is cheaper
};

/// Hardware that the money rents, and for how long.
struct Rentable {
    const Offer* offer = nullptr;
    const Accelerator* part = nullptr;
    int instances = 1;  ///< at once
    double hours = 0;
    double tflops = 0;       ///< as of what is bought
    double pflop_hours = 0;  ///< of them that the money pays for
};

/// What a sum of money, or a number of accelerators, is good for when no workload is named.
struct BudgetAnswer {
    double usd = 0;                        ///< the budget; of the purchase when a number was asked
    int count = 0;                         ///< accelerators asked for; 0: by money
    double hours_per_day = 8;              ///< of use, assumed
    std::vector<Purchasable> buy;          ///< best first
    std::vector<Rentable> rent;            ///< most work first
    std::optional<long> oldest_rent_days;  ///< age of the oldest of them
    bool in_doubles = false;               ///< rates are those of double precision
    bool rents_faster =
        false;  ///< of them the first that is rented has more than the first that is bought
    bool by_month = false;    ///< what is paid each month: nothing is bought
    double usd_per_hour = 0;  ///< the most that an hour of `rent` costs; 0: no such limit
    std::optional<Rentable> taken_away;  ///< as spot within that limit, faster than all of `rent`
    const Accelerator* sold_before = nullptr;   ///< nothing is bought: what the sum once bought
    std::optional<PurchasePrice> price_before;  ///< of it
    bool by_memory = false;      ///< the most memory is sought, of each kind of hardware
    std::string recommendation;  ///< "buy", "rent" or "hybrid"
    std::vector<std::string> why;
    std::optional<Rentable> beside;      ///< hybrid: what the rest rents
    std::vector<Capability> rented_can;  ///< what eight of the first rented part run
};

/// Sizes that capabilities are tried on, smallest first.
struct SizedModel {
    std::string name;  ///< "70B"
    Architecture architecture;
};

/// Of hardware that is rented by the hour within a limit, where no workload is named.
BudgetAnswer hourly_answer(const Query& query, const Knowledge& knowledge, double usd_per_hour);

/// NVIDIA's with bf16 units, for a desk: what most stacks are written for.
bool is_usual_for_stacks(const Purchasable& bought);

/// Answers for `query.budget_usd`, or for `query.exact_accelerators` when no sum is given.
BudgetAnswer budget_answer(const Query& query, const Knowledge& knowledge,
                           std::span<const SizedModel> sizes);

}  // namespace ridgeline
