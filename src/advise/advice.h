#pragma once

#include "advise/finding.h"
#include "advise/query.h"
#include "advise/searched.h"
#include "estimate/estimate.h"
#include "estimate/resolve/resolve.h"
#include "estimate/serving/quant_ladder.h"
#include "spec/catalog.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// One way to run the workload: hardware, plan and what it gives.
struct Option {
    int rank = 0;  ///< 1 is best by the objective
    Cluster cluster;
    Workload workload;  ///< resolved, with the chosen plan
    std::vector<FilledDefault> defaults;
    Estimate estimate;
    std::vector<Finding> findings;
    std::vector<std::string> why;        ///< reasons, sentences without full stop
    std::vector<std::string> labels;     ///< "smallest", "cheapest", "fastest"
    bool pareto = false;                 ///< nothing is better in time, cost, headroom and energy
    std::optional<double> purchase_usd;  ///< where it is current
    bool in_servers = false;             ///< that with the servers and their network
    std::string bought;                  ///< how and when: "used, 2026-08"
    int renters = 0;                     ///< providers that rent the part out
    bool scarce = false;       ///< so few do, of what is rented, that it may not be had on the day
    std::string unobtainable;  ///< why it is no recommendation: "no offer known"; empty: it is one
    std::optional<double> value;  ///< what the objective compares, lower is better; empty: unknown
};

/// Hardware that cannot run it, with a number and a stable reason code.
struct Rejection {
    std::string accelerator;
    int count = 0;
    std::string reason;   ///< memory_exceeded, heads_not_divisible, no_required_dtype, no_ecc,
                          ///< no_mig, no_nvlink, no_offer, over_budget, over_power, too_slow,
                          ///< not_available_region, unknown_price, unknown_spec, unsupported_chip
    std::string message;  ///< one sentence with the number
    double shortfall_gib = 0;
    double excess = 0;   ///< by what share the limit is missed: needed / allowed - 1
    bool bound = false;  ///< memory that no plan avoids, not that of a plan
    std::vector<std::string> would_fit_if;
};

/// What another method of fine-tuning needs, when the question left the method open.
struct MethodAnswer {
    Method method = Method::full;
    std::optional<Option> smallest;  ///< fewest accelerators that fit; nothing when none does
    std::optional<Option> cheapest;  ///< by the objective, of the accelerators' smallest clusters
};

/// A model in the usual types of weights on one card, one request at a time.
struct CardLadder {
    std::string accelerator;
    std::string name;
    std::string model;
    double context = 0;  ///< tokens
    std::vector<QuantRung> rungs;
};

struct Advice {
    Query query;
    Architecture architecture;
    std::vector<Option> options;  ///< ranked
    std::vector<Rejection> rejections;
    std::vector<Rejection> near_misses;  ///< the closest of them, nearest first
    std::vector<std::string> outranked;  ///< accelerators that do the work too, below the options
    std::optional<Option>
        unobtainable;  ///< the best that fits, where nobody is known to sell or rent any
    std::string unobtainable_why;             ///< what is known of its price
    bool none_is_priced = false;              ///< nor is any other part known to be sold or rented
    Searched searched;                        ///< of all clusters and stacks
    std::vector<Finding> findings;            ///< about the question as a whole
    std::vector<MethodAnswer> other_methods;  ///< when query.method_open
    std::vector<CardLadder> ladders;          ///< when query.ladder: the fastest cards first
    std::vector<std::string> assumptions;     ///< what was assumed about the question, sentences
};

/// The verdict of memory is "barely": the middle of the range fits, its high end or what the
/// allocator would hold does not.
inline bool barely_fits(const MemoryEstimate& memory) {
    return memory.verdict == FitVerdict::barely;
}

/// Whether a device lacks comfortable room: weights that are read from the host in each pass take
/// none, and are no reason to choose it.
inline bool lacks_room(const MemoryEstimate& memory) {
    return barely_fits(memory) || memory.streamed > Bytes{};
}

class KeptParts;  // advise/search/kept_parts.h

/// Catalog and profiles that advice is made from.
struct Knowledge {
    const Catalog& catalog;
    const Profiles& profiles;
    std::string_view today = {};      ///< YYYY-MM-DD for the age of prices; empty: not judged
    const KeptParts* kept = nullptr;  ///< of this catalog and these profiles; null: nothing is kept
};

}  // namespace ridgeline
