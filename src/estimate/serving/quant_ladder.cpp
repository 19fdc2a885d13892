#include "estimate/serving/quant_ladder.h"

#include "estimate/memory/counters.h"
#include "estimate/serving/inference.h"
#include "estimate/serving/served_weights.h"
#include "estimate/serving/serving_memory.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

constexpr std::array<std::string_view, 12> usual_types{"iq2_m",  "q2_k",   "iq3_m",  "q3_k_m",
                                                       "iq4_xs", "q4_k_s", "q4_k_m", "q5_k_s",
                                                       "q5_k_m", "q6_k",   "q8_0",   "f16"};

/// The passes of one request, as inference_time asks for them.
std::vector<PreparedPass> passes_of(const Architecture& architecture, const Workload& workload,
                                    const SoftwareProfile& software) {
    const Serving serving = workload.serving.value_or(Serving{});
    std::vector<PreparedPass> passes;
    const double context = serving.input_tokens + serving.output_tokens / 2;
    passes.push_back(prepare_pass(
        architecture, workload, software,
        {.samples = 1, .tokens = 1, .context = std::max(1.0, context), .training = false}));
    const double most = software.engine.prefill_chunk_tokens();
    const double chunks = most > 0 ? std::ceil(serving.input_tokens / most) : 1;
    if (chunks > 0) {
        const double tokens = serving.input_tokens / chunks;
        passes.push_back(prepare_pass(architecture, workload, software,
                                      {.samples = 1,
                                       .tokens = std::max(2.0, tokens),
                                       .context = std::max(2.0, tokens * (chunks + 1) / 2),
                                       .training = false}));
    }
    return passes;
}

}  // namespace

std::span<const std::string_view> ladder_types() { return usual_types; }

QuantLadder::QuantLadder(const Architecture& architecture, const Workload& workload,
                         const SoftwareProfile& software, std::span<const std::string_view> types)
    : architecture_(architecture), software_(software) {
    for (const std::string_view name : types) {
        Type type{.workload = workload, .name = name, .file = {}, .tensors = {}, .passes = {}};
        type.workload.quantization.name = name;
        type.file = Bytes::of_base(weight_file_bytes(architecture, type.workload));
        type.tensors = serving_tensors(architecture, type.workload, software).total;
        type.passes = passes_of(architecture, type.workload, software);
        types_.push_back(std::move(type));
    }
}

std::vector<QuantRung> QuantLadder::on(const Cluster& cluster, const DeviceModel& device,
                                       const Calibration& calibration,
                                       const LinkModel& links) const {
    std::vector<QuantRung> rungs;
    rungs.reserve(types_.size());
    for (const Type& type : types_) {
        const EstimateInput input{architecture_, type.workload, cluster, software_,
                                  device,        calibration,   &links};
        const OutsideTensors outside = outside_tensors(input);
        const double process = type.tensors.base() + outside.library + outside.context;
        const TimeEstimate time = inference_time(input, type.passes);
        QuantRung rung{.quantization = type.name,
                       .file = type.file,
                       .process = Bytes::of_base(process),
                       .headroom = Bytes::of_base(outside.capacity - process),
                       .fits = process <= outside.capacity,
                       .tokens_per_second = time.tpot > Seconds{} ? 1 / time.tpot.base() : 0,
                       .ttft = time.ttft};
        rungs.push_back(rung);
    }
    return rungs;
}

}  // namespace ridgeline
