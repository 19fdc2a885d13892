// The sum over one pass of a serving engine: what `serving_pass.cpp` walks through and
// `pass_operators.cpp` prices.
#pragma once

#include "estimate/serving/module_work.h"
#include "estimate/serving/served_weights.h"
#include "estimate/serving/serving_pass.h"
#include "estimate/time/roofline.h"

#include <algorithm>

namespace ridgeline {

/// Rows up to which packed weights go through kernels that take a row at a time and pad none to a
/// tile (MMVQ_MAX_BATCH_SIZE of ggml).
inline constexpr double most_vector_rows = 8;

/// Products of weights; not attention, whose operands are activations.
inline bool is_product(Role role) {
    return role == Role::linear || role == Role::expert_linear || role == Role::head ||
           role == Role::router;
}

/// Sums the operators of one pass of a serving engine, block by block.
struct PassFold {
    const EstimateInput& input;
    const LinkModel& links;
    const Pass& pass;
    const ServedWeights stored;
    ServedPass result;
    const double* weights = nullptr;  ///< bytes of each operator of the block
    const Block* at = nullptr;        ///< the block that is summed
    double read_weights = 0;          ///< bytes, of the block
    bool decode = false;
    bool fused = false;
    OperatorLog* log = nullptr;

    [[nodiscard]] const TransformerStack& tower() const { return input.architecture.text(); }
    [[nodiscard]] ComputeType type_of(const Operator& op) const;
    [[nodiscard]] double tokens_on_rank() const { return pass.samples * pass.tokens; }
    /// Few rows, which kernels of rows and a matrix take: a decode step, and in ggml any pass of so
    /// few tokens.
    [[nodiscard]] bool few_rows() const {
        return decode ||
               (input.software.engine.half_accumulate && tokens_on_rank() <= most_vector_rows);
    }
    [[nodiscard]] double memory_share() const;
    /// The part has units for the type in which the quantised weights are meant to compute.
    [[nodiscard]] bool native_format() const {
        const QuantFormat* format = stored.format();
        return format && input.device.supported[static_cast<std::size_t>(format->compute)];
    }
    [[nodiscard]] OperatorClass kernels_of_experts(ComputeType type) const;
    [[nodiscard]] double reads_of_cache() const;
    [[nodiscard]] double cache_share() const;
    [[nodiscard]] double host_rate() const;
    [[nodiscard]] double prompt_share(Role role) const;
    /// Of the calibrated rate that products of weights with a scale a tile reach.
    [[nodiscard]] double tile_scaled_share(const Operator& op) const;
    [[nodiscard]] double around_product(const Operator& op, const GemmShape& shape,
                                        double weight_bytes) const;
    double stored_scores(const Operator& op, ComputeType type);

    /// Device time without the fixed part, which `gaps` counts.
    double work(const OperatorTime& time, ComputeType type, OperatorClass operator_class) {
        result.worst_tier = std::max(result.worst_tier, time.tier);
        const double fixed = input.device.terms_of(type, operator_class).overhead;
        const double seconds = std::max(0.0, time.time.base() - fixed);
        if (time.bound == Bound::compute) {
            result.compute_bound += seconds;
        }
        return seconds;
    }
    void run(const Operator& op, double n, double weight_bytes);
    [[nodiscard]] bool host_computes() const { return tokens_on_rank() < least_sent_tokens; }
    void leave_to_host(double away, double read, const ServedPass& before);
    /// Share of an operator that runs on the host; rows of a token table are read wherever they
    /// lie.
    [[nodiscard]] double share_away(const Block& block, const Operator& op) const {
        return block.position == Block::Position::first
                   ? 0
                   : host_share(input.workload, input.architecture, block, op);
    }
    /// The stack multiplies packed weights in 8 bits, activations are fp32, and the part has units.
    [[nodiscard]] bool integers() const {
        return input.software.engine.integer_share > 0 && integer_peak() > 0;
    }
    [[nodiscard]] double integer_peak() const;
    [[nodiscard]] bool by_dots() const;
    [[nodiscard]] bool in_integers(const Operator& op) const;
    OperatorTime integer_time(const Operator& op, GemmShape shape, double weight_bytes) const;
    [[nodiscard]] OperatorTime rows_time(const Operator& op, ComputeType type,
                                         const GemmShape& shape, double weight_bytes,
                                         double least_rows = 0) const;
    void note(const Operator& op, const Block& block, const ServedPass& before);
    double product(const Operator& op, double n, double weight_bytes);
    double experts(const Operator& op, double n, double weight_bytes);
    [[nodiscard]] CacheCopies copies_of(const Operator& op) const;
    double attention(const Operator& op);
    [[nodiscard]] double dispatch_share() const;
    double streaming(const Operator& op);
    [[nodiscard]] bool has_bias(const Operator& op) const;
    [[nodiscard]] bool in_epilogue(const Operator& op) const;
    [[nodiscard]] double casts_around(const Operator& op) const;
    [[nodiscard]] double kernels_of(const Operator& op, bool moe) const;
    [[nodiscard]] double kernel_pace() const;
    /// Kernels that a stack without graphs starts for an operator of a block.
    ///
    /// moe  the block has experts
    [[nodiscard]] double launches_of(const Operator& op, bool moe) const;
    [[nodiscard]] bool casts_weight(const Operator& op) const;
    [[nodiscard]] double cast_of_weight(const Operator& op, double weight_bytes) const;
    [[nodiscard]] bool starts_own_kernels() const;
    [[nodiscard]] bool quantizes_input(const Operator& op) const;
    [[nodiscard]] double own_launches(const Operator& op, bool moe) const;
    void block(const Block& block, double repeat);
    [[nodiscard]] double attention_of(const Block& block);
    void exchange(const Block& block, double repeat);
};

/// The attention of a pass (`ServedPass::attention`) alone, without its other operators.
double pass_attention(const EstimateInput& input, const LinkModel& links, const Pass& pass);

}  // namespace ridgeline
