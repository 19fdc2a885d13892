// A run with FSDP1 as a step script (tests/oracle/fsdp_qlora_flow.py runs the real one).
#include "estimate/stacks/fsdp1.h"

#include "estimate/stacks/ddp.h"
#include "estimate/stacks/passes.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace ridgeline {
namespace {

class Fsdp1 : public Passes {
public:
    Fsdp1(const Rank& rank, Bytes library) : Passes(rank, library) {}

private:
    void load() override;
    void after_backward(BlockEvents& layer) override;
    void step(bool first) override;
    void wrap(const std::vector<double>& parameters, bool on_host, double table = 0);
    void broadcast(const std::vector<double>& tensors, std::vector<TensorId>& held);
    void hold_scales();
    void hold_scales_of(const Operator& op, const QuantFormat& format);
    [[nodiscard]] double group() const {
        return shards_weights(rank_.plan().sharding) ? rank_.dense_group : 1;
    }

    std::vector<double> trained_;  ///< bytes of each trained unit's shard
};

void Fsdp1::broadcast(const std::vector<double>& tensors, std::vector<TensorId>& held) {
    for (const double bytes : broadcast_copies(tensors)) {
        held.push_back(take(bytes, Category::buffer));
    }
}

/// FSDP1 wraps a unit: its parameters move to the device one by one, are sent to the other ranks in
/// buckets after the unit's buffers, copied into one flat parameter, and the shard of that is
/// copied out. The buckets are still in use by the communication stream when the shard is made.
void Fsdp1::wrap(const std::vector<double>& parameters, bool on_host, double table) {
    std::vector<TensorId> held;
    for (const double bytes : parameters) {
        held.push_back(take(bytes, Category::weight));
    }
    std::vector<double> sent;
    if (table > 0) {
        take(table / 2, Category::weight);
        take(table / 2, Category::weight);
        sent.assign(2, table / 2);
    }
    if (rank_.parameters.quantized > 0) {
        broadcast(sent, held);  // in fp32, the parameters are not
        sent.clear();
    }
    sent.insert(sent.end(), parameters.begin(), parameters.end());
    broadcast(sent, held);
    const double whole = std::accumulate(parameters.begin(), parameters.end(), 0.0);
    const TensorId flat = take(whole, Category::weight);
    if (group() > 1) {
        const TensorId shard = take(whole / group(), Category::weight);
        writer_.give(flat);
        if (on_host) {
            held.push_back(shard);
        }
    }
    for (const TensorId handle : held) {
        writer_.give(handle);
    }
}

/// Scales are made when the weights are quantised, before anything is wrapped.
void Fsdp1::hold_scales() {
    const QuantFormat* format = quant_format(rank_.workload().quantization.name);
    for (std::size_t i = 0; format != nullptr && i < rank_.list.size(); ++i) {
        for (double repeat = 0; repeat < rank_.stage.repeats[i]; ++repeat) {
            for (const Operator& op : rank_.list[i].operators) {
                if (op.quantized) {
                    hold_scales_of(op, *format);
                }
            }
        }
    }
}

void Fsdp1::hold_scales_of(const Operator& op, const QuantFormat& format) {
    const double bytes = quantized_bytes(format, op.rows, op.columns,
                                         rank_.workload().quantization.double_quantization);
    take((bytes - op.rows * op.columns * format.bits / 8) * op.matrices, Category::weight);
}

void Fsdp1::load() {
    const bool on_host = rank_.plan().offload_parameters != OffloadTarget::none;
    const QuantFormat* format = quant_format(rank_.workload().quantization.name);
    hold_scales();
    std::vector<double> root;
    for (std::size_t i = 0; i < rank_.list.size(); ++i) {
        const Block& block = rank_.list[i];
        const bool layer = block.position == Block::Position::layer;
        for (double repeat = 0; repeat < rank_.stage.repeats[i]; ++repeat) {
            std::vector<double> unit;
            std::vector<double> norms;  // the last of a layer's modules
            for (const Operator& op : block.operators) {
                if (op.parameters == 0 || (op.tied && rank_.stage.first)) {
                    continue;
                }
                if (op.role == Role::adapter) {
                    const double a = op.rows * op.columns;
                    for (const double part : {a, op.parameters - a}) {
                        wrap({part * rank_.adapter}, on_host);
                        trained_.push_back(part * rank_.adapter / group());
                    }
                    continue;
                }
                const double bytes = op.quantized && format != nullptr
                                         ? op.rows * op.columns * op.matrices * format->bits / 8
                                         : op.parameters * rank_.weight;
                (layer && op.role == Role::norm ? norms : unit).push_back(bytes);
            }
            unit.insert(unit.end(), norms.begin(), norms.end());
            if (layer) {
                wrap(unit, on_host, rotary_table_bytes(rank_));
            } else {
                root.insert(root.end(), unit.begin(), unit.end());
            }
        }
    }
    wrap(root, on_host);
    if (rank_.workload().method == Method::full) {
        const double bytes = rank_.trained_bytes(rank_.weight, rank_.weight, true);
        trained_.assign(1, bytes);
    }
}

void Fsdp1::after_backward(BlockEvents& layer) {
    layer.reduce(rank_.software().runtime.flattens(),
                 rank_.parameters.layer_trained * rank_.gradient);
}

void Fsdp1::step(bool first) {
    if (rank_.plan().offload_optimizer != OffloadTarget::none) {
        return;
    }
    const bool foreach =
        rank_.workload().optimizer_implementation == OptimizerImplementation::foreach;
    const double share =
        rank_.state /
        std::max(1.0, rank_.workload().method == Method::full ? rank_.weight : rank_.adapter);
    std::vector<TensorId> roots;
    for (const double bytes : trained_) {
        for (int moment = 0; first && moment < 2; ++moment) {
            take(bytes * share / 2, Category::state);
        }
    }
    for (const double bytes : trained_) {
        if (foreach) {
            roots.push_back(take(bytes * share / 2, Category::transient));
        }
    }
    for (const TensorId root : roots) {
        writer_.give(root);
    }
}

}  // namespace

Script fsdp1_script(const Rank& rank, Bytes library) { return Fsdp1(rank, library).write(); }

}  // namespace ridgeline
