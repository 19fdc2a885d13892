// Memory of serving: weights, the cache at full concurrency, and the highest transient of a prefill
// or a decode step. Nothing is kept between layers, so the transient is that of one block.
#include "estimate/serving/serving_memory.h"

#include "estimate/families/transformer/parameters.h"
#include "estimate/memory/counters.h"
#include "estimate/serving/cache_room.h"
#include "estimate/serving/kv_cache.h"
#include "estimate/serving/served_weights.h"
#include "estimate/serving/serving_pass.h"
#include "estimate/stacks/stage.h"
#include "estimate/work/operator.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// What is served, without the hardware.
struct Served {
    const Architecture& architecture;
    const Workload& workload;
    const SoftwareProfile& software;
};

Component part(std::string_view name, double bytes, std::string_view formula,
               std::initializer_list<FormulaInput> inputs) {
    Component component;
    component.name = name;
    component.size = Bytes::of_base(bytes);
    component.formula = formula;
    std::size_t i = 0;
    for (const FormulaInput& value : inputs) {
        component.inputs[i++] = value;
    }
    return component;
}

double transient(const OperatorList& list) {
    double peak = 0;
    for (const Block& block : list) {
        peak = std::max(peak, passing_peak(block).base());
    }
    return peak;
}

Instant instant_of(std::string_view name, std::vector<Component> components) {
    Instant instant{.name = name, .total = {}, .components = std::move(components)};
    for (const Component& component : instant.components) {
        instant.total += component.size;
    }
    return instant;
}

/// Weights of one rank of the worst stage, in bytes and parameters.
struct Held {
    double plain = 0;
    double plain_count = 0;
    double quantized = 0;
    double quantized_count = 0;
    double largest = 0;  ///< quantised matrix, parameters
    double host = 0;     ///< that stay in host memory
    double sent = 0;     ///< largest of the layers' that stay there, which a prompt brings
};

Held held_weights(const Served& input, const OperatorList& list, const Stage& stage) {
    Held held;
    const ServedWeights stored(input.architecture, input.workload);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const double repeat = stage.repeats[i];
        for (Operator op : list[i].operators) {
            if (repeat == 0 || op.parameters == 0 || (op.tied && stage.first)) {
                continue;
            }
            op.quantized = op.quantized || (op.role == Role::head &&
                                            input.software.kernels.adapter.quantizes_head());
            const double bytes = repeat * stored.bytes(list[i], op);
            const double away = host_share(input.workload, input.architecture, list[i], op);
            const bool quantized = stored.quantized(op);
            held.host += away * bytes;
            if (away > 0 && list[i].position == Block::Position::layer) {
                held.sent = std::max(held.sent, stored.bytes(list[i], op));
            }
            (quantized ? held.quantized : held.plain) += (1 - away) * bytes;
            (quantized ? held.quantized_count : held.plain_count) +=
                (1 - away) * repeat * op.parameters;
            held.largest = std::max(held.largest, quantized ? op.rows * op.columns : 0);
        }
    }
    return held;
}

/// The stage that holds most: the first has the embedding, the last the head, and layers that do
/// not divide go to some. What lies on the host is the mean of all stages, so that all ranks
/// together have it once.
Held heaviest_stage(const Served& input, const OperatorList& list, int& index) {
    Held heaviest;
    double host = 0;
    const int stages = std::max(1, input.workload.plan.pipeline);
    for (int i = 0; i < stages; ++i) {
        const Held held =
            held_weights(input, list, stage_of(input.architecture, list, input.workload, i));
        host += held.host;
        if (i == 0 || held.plain + held.quantized > heaviest.plain + heaviest.quantized) {
            heaviest = held;
            index = i;
        }
    }
    heaviest.host = host / stages;
    return heaviest;
}

std::vector<Component> weights_of(const Held& held) {
    std::vector<Component> weights;
    weights.push_back(part("weights", held.plain, "stored bytes of the tensors kept whole",
                           {{"parameters", held.plain_count}}));
    if (held.quantized > 0) {
        weights.push_back(part("weights.quantized", held.quantized,
                               "stored bytes of the quantised tensors, with their scales",
                               {{"parameters", held.quantized_count},
                                {"bytes_each", held.quantized / held.quantized_count}}));
    }
    return weights;
}

/// Weights of a draft model, stored as those of the model and spread over its tensor ranks.
Component draft_weights(const Served& input, const Held& held) {
    const double parameters = input.workload.serving->draft_parameters;
    const double count = held.plain_count + held.quantized_count;
    const double each = count > 0 ? (held.plain + held.quantized) / count : 0;
    const double ranks = std::max(1, input.workload.plan.tensor);
    return part("draft model", parameters * each / ranks, "parameters bytes_each / ranks",
                {{"parameters", parameters}, {"bytes_each", each}, {"ranks", ranks}});
}

/// Cache of a draft model over that of the model: layers and heads of one that is alike grow with
/// the cube root of its size (Llama 3.2 1B beside 3.1 70B: 0.07, and 0.10 by their configurations).
double draft_cache_share(const Served& input) {
    const Serving serving = input.workload.serving.value_or(Serving{});
    const auto whole = static_cast<double>(count_parameters(input.architecture).active);
    const bool drafts = serving.draft_tokens > 0 && whole > 0;
    return drafts ? std::pow(std::min(1.0, serving.draft_parameters / whole), 2.0 / 3) : 0;
}

/// While the weights are loaded: a matrix that is quantised on the device is there in both forms.
Instant loading_instant(std::vector<Component> list, const Held& held,
                        const SoftwareProfile& software) {
    const double copies = static_cast<double>(software.kernels.adapter.load_copies());
    if (held.quantized > 0 && copies > 0) {
        list.push_back(part("matrix being quantised", held.largest * 2 * copies,
                            "largest matrix, 2 bytes each, copies",
                            {{"parameters", held.largest}, {"copies", copies}}));
    }
    if (software.runtime.options.checkpoint_on_device) {
        list.push_back(part("checkpoint", held.plain_count * 2,
                            "the file's tensors on the card, 2 bytes each",
                            {{"parameters", held.plain_count}}));
    }
    return instant_of("load", std::move(list));
}

/// Bytes of the cache of a sequence: on all layers, and on those that the device holds.
struct CachedSequence {
    double whole = 0;
    double on_device = 0;
};

CachedSequence cached_sequence(const Served& input, double context) {
    const Serving serving = input.workload.serving.value_or(Serving{});
    const double layers = std::max(1, input.architecture.text().layers);
    const double kept = serving.gpu_layers ? std::min(1.0, *serving.gpu_layers / layers) : 1;
    const double whole =
        kv_cache_bytes(input.architecture, input.workload.plan,
                       bytes_per_element(input.workload.kv_cache), context, serving.input_tokens);
    return {whole, kept * whole};
}

/// What is there whatever pass runs.
struct Standing {
    std::vector<Component> components;
    const Held& held;
    bool expands = false;  ///< a weight at a time, for products of more than one row
};

Instant pass_instant(std::string_view name, const Standing& standing, const Pass& pass,
                     const OperatorList& operators) {
    const Held& held = standing.held;
    std::vector<Component> list = standing.components;
    if (standing.expands && pass.tokens * pass.samples > 1) {
        list.push_back(part("dequantised weight", held.largest * 2, "largest matrix, 2 bytes each",
                            {{"parameters", held.largest}}));
    }
    if (held.sent > 0 && pass.samples * pass.tokens >= least_sent_tokens) {
        list.push_back(
            part("weight of the host", held.sent, "largest tensor that a prompt brings", {}));
    }
    list.push_back(part("activations", transient(operators), "highest live tensors of one block",
                        {{"tokens", pass.samples * pass.tokens}}));
    return instant_of(name, std::move(list));
}

/// most  prompt tokens of one pass; 0: the whole prompt
InferencePeak tensors_of(const Served& input, double most) {
    const auto& [architecture, workload, software] = input;
    const Serving serving = workload.serving.value_or(Serving{});
    const double replicas = std::max(1, workload.plan.data);
    const double concurrency = std::max(1.0, serving.concurrency / replicas);
    const bool encoded = architecture.kind == ModelKind::encoder_decoder;
    const double context = encoded ? std::max(2.0, serving.output_tokens)
                                   : serving.input_tokens + serving.output_tokens;
    const double chunk = most > 0 ? std::min(serving.input_tokens, most) : serving.input_tokens;

    const Pass decode{.samples = concurrency, .tokens = 1, .context = context, .training = false};
    const bool together = passes_whole_batch(architecture, software, most);
    const Pass prefill{.samples = together ? concurrency : 1,
                       .tokens = std::max(1.0, chunk),
                       .context = serving.input_tokens,
                       .training = false};
    const OperatorList list = list_operators(architecture, workload, software, decode);
    InferencePeak peak;
    const Held held = heaviest_stage(input, list, peak.stage);
    const CachedSequence cached = cached_sequence(input, context);
    // bitsandbytes expands one weight at a time for products of more than one row.
    const QuantFormat* format = quant_format(workload.quantization.name);
    Standing standing{.components = weights_of(held),
                      .held = held,
                      .expands = format != nullptr && format->second_block > 0};

    if (serving.draft_tokens > 0 && serving.draft_parameters > 0) {
        standing.components.push_back(draft_weights(input, held));
    }

    peak.host = Bytes::of_base(held.host + (cached.whole - cached.on_device) * concurrency);
    peak.weights = instant_of("load", standing.components).total;
    peak.instants.push_back(loading_instant(standing.components, held, software));
    standing.components.push_back(part("kv cache", cached.on_device * concurrency,
                                       "bytes_per_sequence sequences",
                                       {{"bytes_per_sequence", cached.on_device},
                                        {"sequences", concurrency},
                                        {"tokens_each", context}}));
    peak.cache = standing.components.back().size;
    const double drafted = cached.on_device * draft_cache_share(input);
    if (drafted > 0) {
        standing.components.push_back(part("draft cache", drafted * concurrency,
                                           "bytes_per_sequence sequences",
                                           {{"bytes_per_sequence", drafted},
                                            {"sequences", concurrency},
                                            {"tokens_each", context}}));
        peak.cache += standing.components.back().size;
    }
    peak.instants.push_back(pass_instant(
        "prefill", standing, prefill, list_operators(architecture, workload, software, prefill)));
    if (serving.phase != ServingPhase::prefill) {
        peak.instants.push_back(pass_instant(decode_instant, standing, decode, list));
    }
    for (std::size_t i = 0; i < peak.instants.size(); ++i) {
        if (peak.instants[i].total > peak.total) {
            peak.total = peak.instants[i].total;
            peak.index = i;
        }
    }
    peak.sequences_held = concurrency;
    peak.cache_of_a_sequence = Bytes::of_base(cached.on_device + drafted);
    return peak;
}

}  // namespace

bool requests_may_wait(const EstimateInput& input) {
    return input.workload.task == Task::inference && input.workload.serving &&
           input.software.engine.lets_requests_wait() && !input.architecture.stacks.empty() &&
           input.architecture.text().causal;
}

InferencePeak serving_tensors(const Architecture& architecture, const Workload& workload,
                              const SoftwareProfile& software) {
    return tensors_of({architecture, workload, software}, most_prompt_tokens(workload, software));
}

InferencePeak inference_peak(const EstimateInput& input) {
    const Served served{input.architecture, input.workload, input.software};
    InferencePeak peak = tensors_of(served, most_prompt_tokens(input));
    const Serving serving = input.workload.serving.value_or(Serving{});
    const double context = serving.input_tokens + serving.output_tokens;
    const CacheRoom room = room_of_cache(input, peak);
    peak.cache_room = Bytes::of_base(room.cache);
    peak.unclaimed = Bytes::of_base(room.unclaimed);
    const double each = peak.cache_of_a_sequence.base();
    peak.kv_capacity_tokens = each > 0 ? std::max(0.0, room.cache / each * context) : 0;
    return peak;
}

namespace {

/// What barely fits by its range is held for certain where an engine lets requests wait and one
/// alone fits: the cache takes what is left, so that an error moves how many run at once, not the
/// peak.
void let_cache_give(const EstimateInput& input, MemoryEstimate& memory) {
    const double alone = std::max(1, input.workload.plan.data);
    if (memory.barely_by != BarelyBy::range || !requests_may_wait(input) ||
        input.workload.serving->concurrency <= alone) {
        return;
    }
    Workload one = input.workload;
    one.serving->concurrency = alone;
    if (estimate_serving_memory(input.with(one)).verdict != FitVerdict::yes) {
        return;
    }
    memory.verdict = FitVerdict::yes;
    memory.barely_by = BarelyBy::none;
    memory.band.high = std::max(1.0, (memory.capacity - memory.unclaimed) / memory.process);
}

}  // namespace

MemoryEstimate estimate_serving_memory(const EstimateInput& input) {
    MemoryEstimate memory;
    InferencePeak peak = inference_peak(input);
    memory.instants = std::move(peak.instants);
    memory.peak_instant = peak.index;
    memory.peak_stage = peak.stage;
    memory.allocated = peak.total;
    memory.kv_capacity_tokens = peak.kv_capacity_tokens;
    memory.sequences_held = peak.sequences_held;
    memory.unclaimed = peak.unclaimed;
    memory.host = peak.host;
    memory = counted(std::move(memory), input);
    let_cache_give(input, memory);
    return memory;
}

}  // namespace ridgeline
