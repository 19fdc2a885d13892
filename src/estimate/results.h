#pragma once

#include "base/quantity.h"
#include "spec/calibration.h"
#include "spec/offer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// What limits an operator or a step.
enum class Bound { compute, memory, overhead, communication, input };
std::string_view name_of(Bound bound);

/// One named input of a formula, in the unit that its name says.
struct FormulaInput {
    std::string_view name;
    double value = 0;
};

/// Where the caching allocator keeps a tensor: it has a pool for each stream, and what one pool has
/// freed no other can use (PyTorch CUDACachingAllocator), so that their peaks add up.
enum class MemoryPool {
    compute,
    gather,  ///< stream on which FSDP gathers parameters
    reduce,  ///< stream on which it reduces gradients
};
inline constexpr std::size_t memory_pools = 3;
using PoolBytes = std::array<double, memory_pools>;

/// What of a step allocates and frees a component, again and again: it fragments the allocator.
enum class Churn { none, layers, loss };

/// What the caching allocator holds beyond tensors that churn, as a share of them.
struct Fragmentation {
    double layers = 0;
    double loss = 0;
};

/// One part of a total with the formula and the inputs that a reader can redo by hand.
struct Component {
    std::string_view name;  ///< "weights", "gradients", "activations.layers", "logits", ...
    Bytes size;
    std::string_view formula;  ///< "n h g", symbols as in the README's memory section
    std::array<FormulaInput, 6> inputs{};
    std::string_view source;  ///< of the formula; empty: arithmetic
    Churn churn = Churn::none;
    MemoryPool pool = MemoryPool::compute;
};

/// One moment of a step at which memory may peak, with the components alive then.
struct Instant {
    std::string_view name;  ///< "load", "forward end", "loss", "backward", "optimizer step", ...
    Bytes total;            ///< sum of the components
    std::vector<Component> components;
    Bytes hole{};  ///< freed by now and too small for what the instant takes: reserved, not alive
};

struct Interval {
    double low = 0;
    double high = 0;
    int evidence_rows = 0;  ///< 0: no evidence of this kind, the width is assumed
    std::string_view kind;
};

/// "3.1 days (2.5 to 4 days)"; the ends of `band` are factors.
std::string duration_range(Seconds middle, Seconds low, Seconds high);
std::string duration_range(Seconds middle, const Interval& band);

/// Whether a run fits an accelerator (contract: step script).
enum class FitVerdict {
    yes,
    barely,  ///< in the middle of its range, and only just
    no,      ///< the tensors alone are too large, or what waits on the host is
};
std::string_view name_of(FitVerdict verdict);

/// Why a run fits barely, which says what frees memory.
enum class BarelyBy {
    none,
    fragments,  ///< the allocator would hold more than the card has: expandable segments, or less
                ///< in a micro-batch
    range,      ///< the high end of the range is above the card
};
/// Why, and what frees memory; empty for `none`.
std::string_view text_of(BarelyBy cause);

struct MemoryEstimate {
    std::vector<Instant> instants;
    std::size_t peak_instant = 0;  ///< index of the instant that sets `allocated`
    int peak_stage = 0;            ///< pipeline stage that sets it
    Bytes allocated;               ///< tensors alive at the peak
    Bytes reserved;                ///< what the caching allocator holds
    Bytes process;                 ///< what nvidia-smi shows: reserved + context + libraries
    Bytes context;                 ///< context, workspaces, communication buffers
    Bytes capacity;                ///< of one accelerator
    Interval band;                 ///< factors low and high on the process counter
    Interval band_allocated;
    Interval band_reserved;
    Bytes host;       ///< host memory of one node: what stays there or is offloaded
    Bytes streamed;   ///< of it, weights that each pass of a network reads from there
    Bytes unclaimed;  ///< inference: of the card, that the runtime's memory fraction leaves
    FitVerdict verdict = FitVerdict::no;
    BarelyBy barely_by = BarelyBy::none;
    bool fits = false;              ///< the verdict is yes or barely
    double kv_capacity_tokens = 0;  ///< inference: tokens of cache that fit beside the weights
    double sequences_held = 0;      ///< inference: those that the counted cache of a replica holds
    /// Of the card, so that the runtime's memory fraction leaves room for all of it.
    [[nodiscard]] Bytes needed() const { return process + unclaimed; }
    [[nodiscard]] Bytes headroom() const { return capacity - unclaimed - process; }
};

/// What a run of stated length takes beyond its steps.
struct LongRun {
    Seconds steps;  ///< training steps alone
    Seconds evaluation;
    Seconds checkpoints;  ///< writes that hold the steps up
    Seconds restarts;     ///< faults found, nodes replaced, work done again
    Seconds total;        ///< all four
    Seconds low, high;    ///< range of the total
    Bytes checkpoint;     ///< size of one
    Seconds checkpoint_write;
    Seconds checkpoint_interval;    ///< the one that loses least (Young 1974, Daly 2006)
    Seconds between_interruptions;  ///< of the whole cluster, on average
    double interruptions = 0;       ///< expected in the run
    double goodput = 1;             ///< share of the total in which steps advance
    bool spot = false;              ///< on instances that may be taken away
    Tier tier = Tier::assumed;
    std::string_view source;  ///< into the Calibration
};

struct TimeComponent {
    std::string_view
        name;  ///< "forward", "backward", "recompute", "optimizer", "tensor parallel", ...
    Seconds time;
    Bound bound = Bound::compute;
};

/// Mean and quantiles of what requests saw, in seconds.
struct LoadSpread {
    double mean = 0;
    double p50 = 0;
    double p90 = 0;
    double p99 = 0;
};

/// What requests under load see, by a simulation of the engine's scheduler.
struct ServedLoad {
    LoadSpread ttft;
    LoadSpread tpot;  ///< of requests, each its mean after the first token
    LoadSpread end_to_end;
    int requests = 0;
    int preemptions = 0;                 ///< that gave their cache back and ran again
    double requests_per_second = 0;      ///< ended, from the first arrival to the last token
    double tokens_per_second = 0;        ///< output
    double fullest_cache = 0;            ///< tokens in the cache of the fullest replica, at most
    std::optional<double> sustained;     ///< requests a second that end while more come: the queue
                                         ///< grows as long as they do
    std::optional<double> goodput;       ///< requests a second within the targets, where stated
    std::optional<double> largest_rate;  ///< requests a second at random times of which nine in ten
                                         ///< stay within the targets
};

/// One round of tuning with generated answers; each part as long as it takes alone.
struct TuningRound {
    double prompts = 0;
    double answers = 0;  ///< to each prompt
    Seconds rollout;
    Seconds scoring;  ///< log-probabilities, reference and reward passes
    Seconds update;
    Seconds sync;             ///< new weights to the engine
    bool overlapped = false;  ///< rollout runs beside the rest, on accelerators of its own
};

struct TimeEstimate {
    Seconds step;  ///< one optimizer step (train) or one request batch (inference)
    std::vector<TimeComponent> components;
    double tokens_per_second = 0;   ///< whole job
    double samples_per_second = 0;  ///< whole job
    double mfu = 0;  ///< model FLOPs (causal attention half, no recompute) / dense peak
    Bound bound = Bound::compute;
    Seconds total;                     ///< of the run, when the workload states tokens; else 0
    std::optional<LongRun> run;        ///< what `total` of a training run is made of
    std::optional<TuningRound> round;  ///< preference tuning with rollouts
    Seconds ttft;                      ///< inference: time to first token
    Seconds tpot;                      ///< inference: time per output token
    Seconds tpot_floor;  ///< inference: no token comes sooner, by the memory's rate on paper
    double requests_per_second = 0;
    std::optional<ServedLoad> load;  ///< inference of whole requests
    double compute_bound_share = 0;  ///< of the device time, by operator
    Interval band;                   ///< factors low and high on every time
    Tier worst_tier = Tier::measured;
    /// No range of a time per token reaches below its floor.
    [[nodiscard]] Interval above_floor(Interval of_tokens) const {
        if (tpot > Seconds{}) {
            of_tokens.low = std::max(of_tokens.low, std::min(1.0, tpot_floor / tpot));
        }
        return of_tokens;
    }
    /// Tokens a second, of what has none samples.
    [[nodiscard]] double work_per_second() const {
        return tokens_per_second > 0 ? tokens_per_second : samples_per_second;
    }
};

struct CostEstimate {
    std::optional<Offer> offer;  ///< the price used
    double usd_per_hour = 0;     ///< whole cluster, as rented (whole instances)
    int instances = 0;
    int idle_accelerators = 0;  ///< paid for and unused
    double usd_total = 0;
    double usd_total_low = 0;  ///< with the low and high end of the time
    double usd_total_high = 0;
    double usd_per_million_tokens = 0;
    double usd_per_sample = 0;  ///< one sequence, image or request
    double kwh = 0;             ///< of the run (of an hour when the run has no length)
    double watts = 0;
};

/// A figure that the answer rests on, for the provenance list.
struct Provenance {
    std::string figure;
    std::string value;
    Tier tier = Tier::assumed;
    std::string source;
    std::string date;
};

struct Estimate {
    MemoryEstimate memory;
    TimeEstimate time;
    CostEstimate cost;
};

}  // namespace ridgeline
