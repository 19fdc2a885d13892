// Memory of serving: weights, the cache at full concurrency, and the highest transient of a prefill
// or a decode step. Nothing is kept between layers, so the transient is that of one block.
#include <algorithm>

#include "estimate/kv_cache.h"
#include "estimate/memory.h"
#include "estimate/operator.h"
#include "estimate/quantization.h"
#include "estimate/stage.h"

namespace ridgeline {
namespace {

Component part(std::string_view name,
               double bytes,
               std::string_view formula,
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

double transient(const EstimateInput& input, const Pass& pass) {
    const OperatorList list = list_operators(input.architecture, input.workload, input.software, pass);
    double peak = 0;
    for (const Block& block : list) {
        peak = std::max(peak, memory_of(block, input.workload, input.software).inference_peak.base());
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

}  // namespace

InferencePeak inference_peak(const EstimateInput& input) {
    const Workload& workload = input.workload;
    const Serving serving = workload.serving.value_or(Serving{});
    const double replicas = std::max(1, workload.plan.data);
    const double concurrency = std::max(1.0, serving.concurrency / replicas);
    const double context = serving.input_tokens + serving.output_tokens;
    const double chunk = input.software.prefill_chunk_tokens > 0
                             ? std::min(serving.input_tokens, input.software.prefill_chunk_tokens)
                             : serving.input_tokens;

    const Pass decode{.samples = concurrency, .tokens = 1, .context = context, .training = false};
    const OperatorList list =
        list_operators(input.architecture, workload, input.software, decode);
    const Stage stage = stage_of(input.architecture, list, workload, 0);
    const StageParameters p = parameters_of(list, stage, workload, input.software);
    const double plain = bytes_per_element(workload.weights);
    const double unquantized = p.trained_dense + p.trained_expert + p.frozen_plain + p.frozen_tables;

    std::vector<Component> weights;
    weights.push_back(part("weights",
                           unquantized * plain,
                           "parameters bytes",
                           {{"parameters", unquantized}, {"bytes", plain}}));
    if (p.quantized > 0) {
        weights.push_back(part("weights.quantized",
                               p.quantized_storage,
                               "parameters (bits / 8 + scales)",
                               {{"parameters", p.quantized},
                                {"bytes_each", p.quantized_storage / p.quantized}}));
    }
    // bitsandbytes expands one weight at a time for products of more than one row.
    const QuantFormat* format = quant_format(workload.quantization.name);
    const bool expands = format != nullptr && format->second_block > 0;
    const double cache_type = bytes_per_element(workload.kv_cache);
    const double per_sequence =
        kv_cache_bytes(input.architecture, workload.plan, cache_type, context);
    const Component cache = part("kv cache",
                                 per_sequence * concurrency,
                                 "bytes_per_sequence sequences",
                                 {{"bytes_per_sequence", per_sequence},
                                  {"sequences", concurrency},
                                  {"tokens_each", context}});

    InferencePeak peak;
    peak.instants.push_back(instant_of("load", weights));
    const auto step = [&](std::string_view name, const Pass& pass) {
        std::vector<Component> list_of = weights;
        list_of.push_back(cache);
        if (expands && pass.tokens * pass.samples > 1) {
            list_of.push_back(part("dequantised weight",
                                   p.largest_quantized * 2,
                                   "largest matrix, 2 bytes each",
                                   {{"parameters", p.largest_quantized}}));
        }
        list_of.push_back(part("activations",
                               transient(input, pass),
                               "highest live tensors of one block",
                               {{"tokens", pass.samples * pass.tokens}}));
        peak.instants.push_back(instant_of(name, std::move(list_of)));
    };
    step("prefill",
         {.samples = 1, .tokens = std::max(1.0, chunk), .context = serving.input_tokens, .training = false});
    if (serving.phase != ServingPhase::prefill) {
        step("decode", decode);
    }
    for (std::size_t i = 0; i < peak.instants.size(); ++i) {
        if (peak.instants[i].total > peak.total) {
            peak.total = peak.instants[i].total;
            peak.index = i;
        }
    }
    const double others = peak.total.base() - per_sequence * concurrency;
    const double free = input.cluster.accelerator->capacity().base() - others;
    peak.kv_capacity_tokens =
        per_sequence > 0 ? std::max(0.0, free / per_sequence * context) : 0;
    return peak;
}

}  // namespace ridgeline
