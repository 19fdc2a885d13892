#include "estimate/stacks/plain.h"

#include "estimate/stacks/ddp.h"
#include "estimate/stacks/passes.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

class Plain : public Passes {
public:
    Plain(const Rank& rank, Bytes library) : Passes(rank, library) {
        // Autocast runs adapters in the compute type; else their inputs are cast to theirs.
        const SoftwareProfile& software = rank.software();
        const bool autocast = software.runtime.autocasts(rank.plan().sharding) &&
                              (!software.kernels.loss.holds_logits() || rank.weight > rank.compute);
        const bool keeps = rank.input.architecture.text().scales_norm_fp32;
        const double stream = widens_stream(rank.workload(), software, keeps) ? 4 : rank.compute;
        adapter_cast_ = (autocast ? rank.compute : rank.adapter) / stream;
    }

private:
    /// A tensor that trains.
    struct Trained {
        double parameters = 0;
        double moment = 4;  ///< bytes of one parameter's moment
    };

    void load() override;
    void before_step(bool first) override {
        if (!first && distributed_) {
            distributed_->rebuild(writer_);
        }
    }
    void before_loss(BlockEvents& head) override { head.casts_loss = true; }
    void after_loss(BlockEvents& head) override;
    [[nodiscard]] bool holds_adapters() const override { return true; }
    [[nodiscard]] BlockEvents events(std::size_t block) override;
    void after_backward(BlockEvents& block) override;
    void after_layers(const Rounds& rounds) override { add_rounds(gradients_, rounds); }
    void tables_back(std::size_t block, TensorId gradient) override;
    void step(bool first) override;
    void adafactor();
    void load_quantized(const Operator& op, const QuantFormat& format);
    void load_adapters(const std::vector<const Operator*>& operators);
    void wrap(const std::vector<const Operator*>& operators);

    std::vector<Trained> trained_;
    std::optional<DistributedGradients> distributed_;
    std::vector<TensorId> gradients_;
    TensorId outputs_ = nothing;  ///< logits that the loop holds
    TensorId of_head_ = nothing;  ///< gradient of a table that is the embedding's too
};

/// from_pretrained takes one block for all weights as they will be stored and gives it back, so
/// that they lie side by side; quantised matrices come in the model's type one by one (Transformers
/// modeling_utils.py, caching_allocator_warmup; core_model_loading.py). The k-bit preparation then
/// copies what is not quantised to fp32 (peft/utils/other.py).
void Plain::load() {
    std::vector<const Operator*> operators;
    for (const bool layers : {false, true}) {
        for (std::size_t i = 0; i < rank_.list.size(); ++i) {
            const Block& block = rank_.list[i];
            const bool layer = block.position == Block::Position::layer;
            for (double repeat = 0; layer == layers && repeat < rank_.stage.repeats[i]; ++repeat) {
                for (const Operator& op : block.operators) {
                    if (op.parameters > 0 && !(op.tied && rank_.stage.first)) {
                        operators.push_back(&op);
                    }
                }
            }
        }
    }
    const QuantFormat* format = quant_format(rank_.workload().quantization.name);
    double all = 0;
    for (const Operator* op : operators) {
        const bool packed = op->quantized && format != nullptr;
        all += op->role == Role::adapter
                   ? 0
                   : op->parameters * (packed ? format->bits / 8 : rank_.weight);
    }
    writer_.give(take(all, Category::weight));
    std::vector<std::pair<double, TensorId>> plain;  // parameters that are not quantised
    for (const Operator* op : operators) {
        if (op->quantized && format != nullptr) {
            load_quantized(*op, *format);
        } else if (op->role != Role::adapter) {
            plain.emplace_back(op->parameters,
                               take(op->parameters * rank_.weight, Category::weight));
            if (op->trains) {
                const bool wide = wide_states(rank_) > 0 && op->role == Role::embedding;
                trained_.push_back({op->parameters, wide ? 4 : rank_.state / 2});
            }
        }
    }
    if (upcasts_rest(rank_.workload(), rank_.software())) {
        for (const auto& [parameters, narrow] : plain) {
            const TensorId wide = take(4 * parameters, Category::weight);
            writer_.give(narrow);
            if (!upcasts_tables(rank_.workload(), rank_.software())) {
                take(parameters * rank_.weight, Category::weight);
                writer_.give(wide);
            }
        }
    }
    load_adapters(operators);
    if (rank_.dense_group > 1) {
        wrap(operators);
    }
}

/// DistributedDataParallel around the module.
void Plain::wrap(const std::vector<const Operator*>& operators) {
    const QuantFormat* format = quant_format(rank_.workload().quantization.name);
    const double kept = upcasts_tables(rank_.workload(), rank_.software()) ? 4 : rank_.weight;
    std::vector<double> plain;
    std::vector<double> packed;
    std::vector<double> adapters;
    for (const Operator* op : operators) {
        if (op->quantized && format != nullptr) {
            packed.push_back(op->rows * op->columns * op->matrices * format->bits / 8);
        } else if (op->role == Role::adapter) {
            const double a = op->rows * op->columns;
            adapters.push_back(a * rank_.adapter);
            adapters.push_back((op->parameters - a) * rank_.adapter);
        } else {
            plain.push_back(op->parameters * kept);
        }
    }
    const double each = rank_.workload().method == Method::full ? rank_.gradient : rank_.adapter;
    std::vector<double> gradients;  // from the last tensor to the first
    for (auto tensor = trained_.rbegin(); tensor != trained_.rend(); ++tensor) {
        gradients.push_back(tensor->parameters * each);
    }
    // The Trainer looks for them unless a model of Transformers is checkpointed (trainer.py).
    const bool trainer = !rank_.software().kernels.loss.holds_logits();
    const bool finds_unused = trainer && (rank_.workload().method != Method::full ||
                                          rank_.plan().recompute == RecomputeMode::none);
    distributed_.emplace(std::move(gradients), finds_unused)
        .wrap(writer_, {plain, packed, adapters});
}

/// The scales of blocks are fp32 until they are quantised in turn (bitsandbytes functional.py,
/// quantize_4bit); int8 has one scale a row.
void Plain::load_quantized(const Operator& op, const QuantFormat& format) {
    const double elements = op.rows * op.columns * op.matrices;
    const double scales = format.block > 0 ? elements / format.block : op.rows * op.matrices;
    const bool twice = rank_.workload().quantization.double_quantization && format.second_block > 0;
    const TensorId weight = take(elements * rank_.weight, Category::weight);
    const TensorId first = take(4 * scales, Category::weight);
    take(elements * format.bits / 8, Category::weight);
    if (twice) {
        const TensorId centred = take(4 * scales, Category::weight);
        take(4 * scales / format.second_block, Category::weight);
        take(scales, Category::weight);
        writer_.give(centred);
        writer_.give(first);
    }
    writer_.give(weight);
}

/// Adapters are made in the model's type, then cast one by one (peft/tuners/tuners_utils.py).
void Plain::load_adapters(const std::vector<const Operator*>& operators) {
    std::vector<TensorId> narrow;
    const std::size_t before = trained_.size();
    for (const Operator* op : operators) {
        if (op->role == Role::adapter) {
            const double a = op->rows * op->columns;
            for (const double parameters : {a, op->parameters - a}) {
                trained_.push_back({parameters, rank_.state / 2});
                narrow.push_back(
                    take(parameters * std::min(rank_.weight, rank_.adapter), Category::weight));
            }
        }
    }
    for (std::size_t i = 0; rank_.adapter > rank_.weight && i < narrow.size(); ++i) {
        take(trained_[before + i].parameters * rank_.adapter, Category::weight);
        writer_.give(narrow[i]);
    }
}

BlockEvents Plain::events(std::size_t block) {
    BlockEvents made = Passes::events(block);
    made.written_out = true;
    made.product_workspace = torch_workspaces(rank_.input.cluster.accelerator) / 2;
    return made;
}

/// A plain loop holds the outputs of a step until the next ones are returned; the Trainer drops
/// them.
void Plain::after_loss(BlockEvents& head) {
    if (rank_.software().kernels.loss.holds_logits()) {
        writer_.give(std::exchange(outputs_, head.release_named("logits")));
    }
}

void Plain::after_backward(BlockEvents& block) {
    std::vector<TensorId> made = block.release_weights();
    if (block.last() && rank_.parameters.shared_table > 0 && !made.empty()) {
        // The head runs back first; its gradient waits for that of the embedding.
        of_head_ = made.front();
        made.erase(made.begin());
    }
    for (const TensorId gradient : made) {
        if (accumulates_) {
            writer_.give(gradient);  // added to the one that is there
        } else {
            gradients_.push_back(gradient);
        }
    }
}

void Plain::tables_back(std::size_t block, TensorId gradient) {
    BlockEvents table = events(block);
    table.forward = false;
    table.gradient_at(rank_.list[block].output) = gradient;
    walk_backward(rank_.list[block], live(block), false, table);
    if (of_head_ != nothing) {
        TensorId sum = std::exchange(of_head_, nothing);
        if (sums_tied_apart(rank_)) {
            const TensorId head = sum;
            sum = take(rank_.parameters.shared_table * rank_.gradient, Category::gradient);
            writer_.give(head);
        }
        table.give_weights();
        accumulates_ ? writer_.give(sum) : gradients_.push_back(sum);
    }
    after_backward(table);
    table.release_all();
    table.release_gradients();
}

/// Adafactor goes through the tensors one by one; the names of its function hold the fp32 gradient,
/// weight and update of one until those of the next are made (Transformers optimization.py).
void Plain::adafactor() {
    std::vector<TensorId> before;
    for (const Trained& tensor : trained_) {
        std::vector<TensorId> held;
        for (int each = 0; each < 3; ++each) {
            held.push_back(take(4 * tensor.parameters, Category::transient));
            if (!before.empty()) {
                writer_.give(before.front());
                before.erase(before.begin());
            }
        }
        writer_.give(take(4 * tensor.parameters, Category::transient));  // the negated update
        before = std::move(held);
    }
    for (const TensorId tensor : before) {
        writer_.give(tensor);
    }
}

void Plain::step(bool first) {
    const Workload& workload = rank_.workload();
    const bool on_host = workload.plan.offload_optimizer != OffloadTarget::none ||
                         workload.optimizer_implementation == OptimizerImplementation::paged;
    const bool factors = workload.optimizer == "adafactor";
    const bool keeps = !factors && !plain_sgd(workload, rank_.software());
    for (const Trained& tensor : trained_) {
        for (int each = 0; first && !on_host && each < (keeps ? 2 : 0); ++each) {
            take(tensor.parameters * tensor.moment, Category::state);
        }
    }
    if (factors) {
        adafactor();
    }
    std::vector<TensorId> roots;
    for (const Trained& tensor : trained_) {
        if (keeps && workload.optimizer_implementation == OptimizerImplementation::foreach) {
            roots.push_back(take(tensor.parameters * tensor.moment, Category::transient));
        }
    }
    for (const TensorId root : roots) {
        writer_.give(root);
    }
    for (const TensorId gradient : gradients_) {
        writer_.give(gradient);
    }
    gradients_.clear();
}

}  // namespace

Script plain_script(const Rank& rank, Bytes library) { return Plain(rank, library).write(); }

}  // namespace ridgeline
