#include "estimate/stacks/fsdp_units.h"

#include "estimate/stacks/passes.h"

namespace ridgeline {

void FsdpUnits::load() {
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        for (double repeat = 0; repeat < rank_.stage.repeats[i]; ++repeat) {
            for (const Operator& op : rank_.list[i].operators) {
                if (op.parameters == 0 || (op.tied && rank_.stage.first)) {
                    continue;
                }
                const double stored = op.role == Role::adapter ? rank_.adapter : rank_.weight;
                // accelerate sends each parameter whole.
                const bool sent = rank_.software().runtime.kind == RuntimeKind::plain;
                const TensorId whole =
                    sent ? take(op.parameters * stored, Stream::compute, Category::weight)
                         : nothing;
                if (!on_host_) {
                    take(op.parameters * stored / rank_.dense_group, Stream::compute,
                         Category::weight);
                }
                writer_.give(whole);
                if (op.trains && !on_host_) {
                    shards_.push_back(op.parameters * rank_.state / 2 / rank_.dense_group);
                }
            }
        }
    }
}

double FsdpUnits::gathered_bytes(std::size_t index, const Operator& op) const {
    const bool layer = rank_.list[index].position == Block::Position::layer;
    const bool float8 = layer && op.role == Role::linear && gathers_float8(rank_);
    return op.tied && rank_.stage.first ? 0 : op.parameters * (float8 ? 1 : rank_.compute);
}

double FsdpUnits::unit_bytes(std::size_t index) const {
    double bytes = 0;
    for (const Operator& op : rank_.list[index].operators) {
        bytes += gathered_bytes(index, op);
    }
    return bytes;
}

/// The unit that was gathered before stays until this one has arrived.
void FsdpUnits::all_gather(double bytes, bool ahead) {
    const TensorId shard = take(bytes / rank_.dense_group, Stream::gather, Category::gathered);
    const TensorId whole = take(bytes, Stream::gather, Category::gathered);
    const int ranks = static_cast<int>(rank_.dense_group);
    writer_.collective(Collective::all_gather, Bytes::of_base(bytes), ranks, Stream::gather);
    writer_.wait(Stream::compute, Stream::gather);
    writer_.give(shard);
    writer_.give(arrived_);
    writer_.carry(ahead ? whole : nothing, arrived_);
    if (!ahead) {
        writer_.give(whole);
    }
}

void FsdpUnits::copy_out(std::size_t index, Tensors& held) {
    for (const Operator& op : rank_.list[index].operators) {
        if (const double bytes = gathered_bytes(index, op); bytes > 0) {
            held.push_back(take(bytes, Stream::compute, Category::gathered));
        }
    }
    // The next unit is gathered when this one has been copied out, beside its kernels.
    writer_.wait(Stream::gather, Stream::compute);
}

void FsdpUnits::reshard(Tensors& held) {
    for (const TensorId handle : held) {
        writer_.give(handle);
    }
    held.clear();
}

double FsdpUnits::trained_bytes(std::size_t index) const {
    const double each = bytes_per_element(rank_.software().runtime.options.reduce);
    double bytes = 0;
    for (const Operator& op : rank_.list[index].operators) {
        bytes += op.trains && !(op.tied && rank_.stage.first) ? op.parameters * each : 0;
    }
    return bytes;
}

/// The input of a unit's reduction lives until the next unit's is made; the gradients are copied
/// into it.
void FsdpUnits::reduce(double bytes, BlockEvents* tensors) {
    writer_.give(reduced_);
    const bool apart = rank_.software().runtime.reduces_apart();
    TensorId input = nothing;
    if (bytes > 0) {
        input = take(bytes, apart ? Stream::reduce : Stream::compute, Category::reduced);
        const TensorId shard = take(bytes / rank_.dense_group, Stream::reduce, Category::gradient);
        const int ranks = static_cast<int>(rank_.dense_group);
        writer_.wait(Stream::reduce, Stream::compute);
        writer_.collective(Collective::reduce_scatter, Bytes::of_base(bytes), ranks,
                           Stream::reduce);
        if (accumulates || on_host_) {
            writer_.give(shard);
        } else {
            gradients_.push_back(widened(shard, bytes));
        }
    }
    writer_.carry(apart ? nothing : input, reduced_);
    writer_.give(apart ? input : nothing);
    if (tensors != nullptr) {
        tensors->give_weights();
    }
}

/// A reduced gradient in the type of the parameter.
TensorId FsdpUnits::widened(TensorId shard, double bytes) {
    const double reduced = bytes_per_element(rank_.software().runtime.options.reduce);
    const bool adapters = rank_.workload().method != Method::full;
    const double stored = adapters ? rank_.adapter : rank_.weight;
    if (stored <= reduced) {
        return shard;
    }
    const TensorId wide =
        take(bytes / rank_.dense_group * stored / reduced, Stream::reduce, Category::gradient);
    writer_.give(shard);
    return wide;
}

void FsdpUnits::add_gradients(const Rounds& rounds) { add_rounds(gradients_, rounds); }

}  // namespace ridgeline
