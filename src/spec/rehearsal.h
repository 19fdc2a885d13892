#pragma once

#include "base/quantity.h"
#include "spec/operator_trace.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// Highest sums of one phase of a rehearsed process: loading, a step, evaluation, after the last
/// step.
struct RehearsedPhase {
    std::string phase;
    int step = 0;     ///< from 1; 0 before the first
    Bytes allocated;  ///< as tensors asked for it, without what blocks are rounded up by
    Bytes reserved;
};

/// Tensors alive at the peak that one line of the script made.
struct RehearsedGroup {
    std::string kind;    ///< "parameters", "gradients", "optimizer states", "activations", ...
    std::string line;    ///< "train.py:42", the user's own; empty: of torch's backward pass
    std::string module;  ///< "torch/nn/modules/conv.py:565", whose forward pass made them
    Bytes bytes;
    int blocks = 0;
};

/// What torch's allocator held on one card of one process.
struct RehearsedDevice {
    std::string process;  ///< "main", "rank0", ...
    int rank = 0;
    int device = 0;
    Bytes allocated;
    Bytes reserved;
    std::string phase;  ///< of the peak
    int step = 0;
    int retries = 0;  ///< times that unused blocks were given back to make room
    int ooms = 0;
    std::vector<RehearsedPhase> phases;
    std::vector<RehearsedGroup> groups;  ///< largest first
};

/// A line of the script that read from the card, and how often what it read was assumed.
struct RehearsedRead {
    std::string at;
    std::string by;  ///< operator: "_local_scalar_dense" is .item()
    int reads = 0;
    int assumed = 0;
};

/// What one run of the script on the stand-in card left.
struct RehearsedPass {
    int exit_code = 0;
    bool out_of_time = false;
    double seconds = 0;
    double processor_seconds = 0;  ///< of the command and what it started and waited for
    int steps = 0;
    std::string torch;
    std::vector<RehearsedDevice> devices;
    std::vector<RehearsedRead> reads;
    std::vector<std::string> left_out;  ///< "steps after the first 2"
    std::vector<std::string>
        assumed;                     ///< sizes that no formula gives: "the workspace of cuFFT ..."
    std::vector<std::string> saved;  ///< files that the script would have written
    std::vector<std::string> made;   ///< folders and files that it made where none were
    std::vector<std::string> made_before;  ///< those made before a copy of it was made
    int copy = 0;                         ///< process that waits to go on as the next pass; 0: none
    std::vector<std::string> frameworks;  ///< "jax" where the script imports it
    std::string unreached;                ///< what it asked the network for in vain, when it failed
    std::string error;                    ///< kind of the error that ended it: "TypeError"
    std::vector<std::string> stood_in;    ///< what was made up for it, when it failed
    std::string stood;                    ///< where it was at the limit of time: "at train.py:41"
    std::string problem;                  ///< why it cannot be rehearsed; empty: it can
    std::string unknown;                  ///< function that the stand-in card does not know
    long unlike_reads = 0;                ///< reads that the first pass did not make
    long large_reads = 0;                 ///< reads too long to be answered

    [[nodiscard]] bool rehearsed() const { return !devices.empty(); }
    /// The card that held most.
    [[nodiscard]] const RehearsedDevice* fullest() const {
        const RehearsedDevice* most = nullptr;
        for (const RehearsedDevice& device : devices) {
            if (most == nullptr || device.reserved > most->reserved) {
                most = &device;
            }
        }
        return most;
    }
    [[nodiscard]] bool refused_memory() const {
        for (const RehearsedDevice& device : devices) {
            if (device.ooms > 0 && exit_code != 0) {
                return true;
            }
        }
        return false;
    }
};

enum class RehearsedFit { yes, barely, no };

/// A script on one kind of card.
struct Rehearsal {
    std::string accelerator;  ///< id of the catalog
    std::string name;
    int count = 1;
    Bytes capacity;  ///< what the driver shows
    Bytes context;   ///< of those, beside the allocator: context, and NCCL's with several cards
    RehearsedPass values;
    RehearsedPass limited;                    ///< on a card with that memory
    std::optional<RehearsedPass> unlimited;   ///< where that was refused: what it would take
    std::optional<RehearsedPass> expandable;  ///< and with expandable segments
    RehearsedFit fit = RehearsedFit::no;
    std::optional<OperatorTrace> trace;  ///< of one step of the first rank
    double seconds = 0;

    /// The run whose figures are told.
    [[nodiscard]] const RehearsedPass& told() const { return unlimited ? *unlimited : limited; }
};

/// The script with one change, rehearsed on the same card.
struct TriedChange {
    std::string change;  ///< "--batch 4", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
    RehearsedFit fit = RehearsedFit::no;
    Bytes allocated;
    Bytes reserved;
    std::string ended;  ///< why it says nothing: "the script ended with code 2"; empty: it does
};

/// One kind of tensors at the peak, rehearsed and by the formulas.
struct KindOfTensors {
    std::string
        kind;  ///< "parameters", "gradients", "optimizer states", "activations and the rest"
    Bytes rehearsed;
    Bytes estimated;
};

/// What the formulas of `estimate` say of a workload that the user names, beside the rehearsal.
struct FormulaDifference {
    Bytes allocated;  ///< by the formulas
    Bytes reserved;
    std::vector<KindOfTensors> kinds;
    [[nodiscard]] const KindOfTensors* largest() const {
        const KindOfTensors* found = nullptr;
        for (const KindOfTensors& kind : kinds) {
            if (found == nullptr || gap(kind) > gap(*found)) {
                found = &kind;
            }
        }
        return found;
    }
    static double gap(const KindOfTensors& kind) {
        const double bytes = (kind.rehearsed - kind.estimated).base();
        return bytes < 0 ? -bytes : bytes;
    }
};

/// What the fullest card of a rehearsal held, of a kept answer.
struct RehearsedMemory {
    std::string accelerator;  ///< id of the card that it was rehearsed on
    int count = 1;
    Bytes allocated;
    Bytes reserved;
};

/// The largest value of a flag that fits on a card.
struct LargestValue {
    std::string name;  ///< "batch"
    std::string flag;  ///< "--batch"
    std::optional<long> largest;
    std::optional<long> refused;  ///< the smallest that was tried and did not fit
    std::string ended;            ///< why no larger one was tried, where that was not memory
};

}  // namespace ridgeline
