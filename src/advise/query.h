#pragma once

#include "spec/accelerator.h"
#include "spec/workload_document.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline {

/// Share by which the memory of a card may differ from what was asked for: 79.6 GB is sold as 80.
inline constexpr double memory_tolerance = 0.06;
/// Whether a card that is sold with `sold` GB is one of `gb`, whose names round; where at least so
/// much is asked it has no less.
inline bool matches_memory(double sold, double gb, bool at_least) {
    return at_least ? sold >= gb
                    : sold >= gb * (1 - memory_tolerance) && sold <= gb * (1 + memory_tolerance);
}

/// What ranks: cost of the work, its time, its energy, the price to buy, the rent of an hour, all
/// memory (most first).
enum class Objective { cost, time, energy, price, rent, memory };
inline constexpr std::array<std::pair<const char*, Objective>, 6> objectives{
    {{"cost", Objective::cost},
     {"time", Objective::time},
     {"energy", Objective::energy},
     {"price", Objective::price},
     {"rent", Objective::rent},
     {"memory", Objective::memory}}};

/// What a user asks `advise`: a workload whose hardware and plan are open, and the constraints.
struct Query {
    WorkloadDocument workload;
    std::string model_text;  ///< as asked: "70b", "llama-3.1-8b", or the path of its file
    std::string model_option = "--model";  ///< that says so, or "--hf-config", "--onnx"
    bool method_open = false;  ///< "fine-tune": lora is answered, full and qlora compared
    Objective objective = Objective::cost;
    std::optional<double> budget_usd;           ///< for the whole run (or the purchase, see buy)
    std::optional<double> budget_usd_per_hour;  ///< most rent of an hour
    std::optional<double> deadline_s;           ///< the run must end within
    std::optional<int> min_accelerators, max_accelerators;
    std::optional<int> exact_accelerators;  ///< "on one card", "on 8 x h100"
    std::optional<int> nodes;  ///< that share exactly so many evenly; 1: any number in one
    std::optional<double> memory_per_accelerator_gib;  ///< "24GB card"
    std::vector<std::string> accelerators;             ///< catalog ids asked for; empty: all
    std::vector<std::string> accelerators_excluded;    ///< ids that may not be
    std::vector<std::string> instances_excluded;       ///< of providers, or families: "p5"
    std::string vendor;                                ///< "", "nvidia", "amd", ...
    std::string provider;                              ///< rental provider
    std::string region;                                ///< rental region
    std::optional<double> max_watts;                   ///< most that one accelerator may draw
    std::optional<double> rack_kw;                     ///< most that a machine may draw
    bool owned = false;   ///< the named accelerators are owned: no rent
    bool all = false;     ///< what nobody is known to sell or rent is ranked too
    bool ladder = false;  ///< "can my card run it": each usual type of weights
    bool buy = false;     ///< the budget is for the purchase, not for a run
    double computer_usd =
        0;  ///< taken off the sum for a computer around cards, which whole computers do without
    std::vector<std::string> require;  ///< "ecc", "nvlink", "mig", "datacenter", boards ("pcie"),
                                       ///< lines of products ("geforce"): any of these
    std::string profile;               ///< workload profile id for the ranking
    std::optional<double> ttft_s;      ///< serving targets
    std::optional<double> tpot_s;
    std::optional<double> answer_s;  ///< to the last token of an answer
    bool memory_at_least = false;    ///< accelerators with more memory will do
    double least_bytes_per_s =
        0;  ///< bandwidth of one accelerator: what replaces another is no slower
    double least_memory_gb = 0;  ///< of all together: what replaces several cards has more
    double least_rate =
        0;  ///< tokens or samples a second: what replaces a part that is too slow is faster
    std::optional<double> requests_per_s;
    bool concurrency_follows = false;  ///< of the rate: nobody said how many requests run at once
    bool rented_only = false;  ///< what no offer is known of is left out
    int concurrency_each = 0;  ///< requests at once on each accelerator of a job that nobody waits
                               ///< for, however many there are; 0: as the workload says
    double requests_of_job = 0;  ///< that a job has in all, whose end nobody set; 0: no such job
    bool by_hour =
        false;  ///< of a server for so many users the rent of an hour decides, not that of a token
    std::string price_kind;  ///< "", "on_demand", "spot", ...
    std::string more_flags;  ///< what was stated beyond the fields above, as flags
    int top = 10;            ///< options in the answer
    friend bool operator==(const Query&, const Query&) = default;
};

std::string_view name_of(Objective objective);
/// "cost", ...; nothing: no objective is called so.
std::optional<Objective> objective_named(std::string_view name);

/// Whether a vendor or provider is one of those wanted ("lambda,runpod"), or none of those that are
/// not
/// ("!aws,!gcp"); an empty list allows all. Names in lower case.
bool allowed_by(std::string_view list, const std::string& name);

/// Whether a part is among those that may not be.
bool is_excluded(const Query& query, const Accelerator& part);

/// The query as the flags of `ridgeline advise` that ask the same ("--model 70b --method lora").
std::string flags_of(const Query& query);

}  // namespace ridgeline
