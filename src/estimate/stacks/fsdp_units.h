#pragma once

#include "estimate/stacks/block_events.h"
#include "estimate/stacks/rank.h"
#include "estimate/work/script.h"

#include <cstddef>
#include <vector>

namespace ridgeline {

using Tensors = std::vector<TensorId>;

/// The units that FSDP2 shards: what a rank holds of them, gathers and reduces.
class FsdpUnits {
public:
    /// Both outlive it.
    FsdpUnits(const Rank& rank, ScriptWriter& writer) : rank_(rank), writer_(writer) {}

    /// The rank's shards of all parameters.
    void load();
    /// Gathers a unit and copies its parameters out into `held`.
    ///
    /// ahead  a forward pass: the unit before is still copied out
    void gather(std::size_t index, Tensors& held, bool ahead) {
        all_gather(unit_bytes(index), ahead);
        copy_out(index, held);
    }
    void all_gather(double bytes, bool ahead);
    void copy_out(std::size_t index, Tensors& held);
    void reshard(Tensors& held);
    /// Reduces `bytes` of gradients, which `tensors` made, to the rank's shard of them.
    void reduce(double bytes, BlockEvents* tensors);
    /// Bytes of a unit as gathered, and of its trained parameters as reduced.
    [[nodiscard]] double unit_bytes(std::size_t index) const;
    [[nodiscard]] double trained_bytes(std::size_t index) const;
    /// The sharded gradients of the rounds of a loop that has just been closed.
    void add_gradients(const Rounds& rounds);
    void give_gradients() { reshard(gradients_); }
    /// Bytes of each trained parameter's shard, of one moment.
    [[nodiscard]] const std::vector<double>& shards() const { return shards_; }

    bool accumulates = false;  ///< into the gradients of an earlier micro-batch

private:
    /// Bytes of an operator's parameters as gathered; 0 for a weight that another operator owns.
    [[nodiscard]] double gathered_bytes(std::size_t index, const Operator& op) const;
    TensorId widened(TensorId shard, double bytes);
    TensorId take(double bytes, Stream stream, Category category) {
        return writer_.take(Bytes::of_base(bytes), stream, category);
    }

    const Rank& rank_;
    ScriptWriter& writer_;
    std::vector<double> shards_;
    Tensors gradients_;  ///< sharded
    /// Shards live on the host: they are copied as they are gathered, and gradients as they arrive.
    const bool on_host_ = rank_.plan().offload_parameters != OffloadTarget::none;
    // Ids that hold what one unit hands to the next, or nothing.
    const TensorId reduced_ = writer_.place();  ///< input of the reduction that may still run
    const TensorId arrived_ = writer_.place();  ///< gathered unit that may still be copied out
};

}  // namespace ridgeline
