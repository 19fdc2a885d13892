#include "advise/validation/validate.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/fabric_words.h"
#include "estimate/estimate.h"
#include "estimate/families/families.h"
#include "estimate/resolve/resolve.h"
#include "estimate/serving/inference.h"
#include "estimate/serving/served_load.h"
#include "estimate/serving/serving_memory.h"
#include "estimate/time/collective.h"
#include "estimate/time/kernel.h"
#include "estimate/uncertainty.h"
#include "spec/measurement.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

tl::unexpected<Error> not_expressed(const Measurement& row, std::string why) {
    return input_error(row.id, std::move(why));
}

Prediction of_time(double value, const Interval& band, std::string kind) {
    return {value, value * band.low, value * band.high, std::move(kind)};
}
Prediction of_rate(double value, const Interval& band, std::string kind) {
    return {value, value / band.high, value / band.low, std::move(kind)};
}

Result<Prediction> predict_kernel(const Measurement& row, const Catalog& catalog,
                                  const Accelerator& accelerator, const Profiles& profiles) {
    if (!row.workload.kernel) {
        return not_expressed(row, "no kernel is stated");
    }
    // Samples show how a kernel is written; nobody runs them for their speed.
    if (row.workload.framework == "cuda-samples") {
        return not_expressed(row, "a teaching sample, not a library's kernel");
    }
    Cluster cluster = make_cluster(catalog, accelerator, row.count, row.per_node);
    if (row.fabric) {
        apply_fabric(cluster, catalog, read_fabric(*row.fabric), row.per_node);
    }
    const DeviceModel device = device_model(accelerator, profiles.calibration);
    // A serving stack's operation quantises its activations; a library's product is given them.
    const SoftwareProfile* stack = row.workload.framework
                                       ? profiles.software_profile(*row.workload.framework)
                                       : profiles.unnamed_software();
    const bool bare = stack == nullptr || !stack->engine.fuses_products;
    const auto kernel = estimate_kernel(
        *row.workload.kernel, row.workload.compute.value_or(usual_type(*row.workload.kernel)),
        cluster, device, profiles.calibration, bare);
    if (!kernel) {
        return tl::unexpected(kernel.error());
    }
    const Interval band{kernel->low, kernel->high, 0, {}};
    if (row.metric == "time_us") {
        return of_time(kernel->time / microsecond, band, kernel->kind);
    }
    if (row.metric == "bandwidth_gb_per_s") {
        return of_rate(kernel->bandwidth / gigabyte_per_second, band, kernel->kind);
    }
    if (row.metric == "tflop_per_s" && kernel->work.unit == "GFLOP/s") {
        return of_rate(kernel->rate / 1e3, band, kernel->kind);
    }
    const bool rated = (row.metric == "mlups" && kernel->work.unit == "MLUP/s") ||
                       (row.metric == "ns_per_day" && kernel->work.unit == "ns/day");
    if (rated) {
        return of_rate(kernel->rate, band, kernel->kind);
    }
    return not_expressed(row, "a kernel has no " + row.metric);
}

Result<Prediction> memory_prediction(const Measurement& row, const MemoryEstimate& memory,
                                     const EstimateInput& input) {
    const auto banded = [&](Bytes size, const Interval& band, std::string_view counter) {
        return of_time(size / gibibyte, band, memory_kind(input, counter).text());
    };
    // A source that names no counter is taken to have read what the allocator reserves.
    if (row.counter == "process") {
        return banded(memory.process, memory.band, "process");
    }
    // "active" also counts blocks that wait for their last user: at the peak it is what is
    // allocated.
    if (row.counter == "allocated" || row.counter == "active") {
        return banded(memory.allocated, memory.band_allocated, "allocated");
    }
    return banded(memory.reserved, memory.band_reserved, "reserved");
}

Result<Prediction> time_prediction(const Measurement& row, const TimeEstimate& time,
                                   const EstimateInput& input) {
    const auto positive = [&](Seconds value, const PredictionKind& kind) -> Result<Prediction> {
        if (value <= Seconds{}) {
            return not_expressed(row, "the model gives no " + row.metric + " for this phase");
        }
        return of_time(value / second, band_for(input.calibration, kind), kind.text());
    };
    if (row.metric == "time_us") {
        const auto kind = network_kind(input);
        return of_time(time.step / microsecond, band_for(input.calibration, kind), kind.text());
    }
    if (row.metric == "step_time_s" && time.total > Seconds{} && input.architecture.reads_sound()) {
        // A recording, window by window.
        return of_time(time.total / second, time.band, serving_kind(input, "time").text());
    }
    if (row.metric == "step_time_s" && time.round) {
        return of_time(time.step / second, time.band, "rounds");
    }
    if (row.metric == "step_time_s") {
        return positive(time.step,
                        input.architecture.network ? network_kind(input) : training_kind(input));
    }
    if (row.metric == "denoise_step_s") {
        for (const TimeComponent& component : time.components) {
            if (component.name == "denoiser") {
                const double steps = std::max(1, input.workload.batch.steps);
                return positive(time.step / steps, network_kind(input));
            }
        }
        return not_expressed(row, "the model has no denoiser");
    }
    if (row.metric == "ttft_s") {
        return positive(time.ttft, serving_kind(input, "ttft"));
    }
    if (row.metric == "tpot_s") {
        return positive(time.tpot, serving_kind(input, "tpot"));
    }
    if (row.metric == "tokens_per_s" && time.tokens_per_second > 0) {
        return of_rate(time.tokens_per_second, time.band, serving_kind(input, "time").text());
    }
    return not_expressed(row, "the model gives no " + row.metric + " for this phase");
}

/// The stack that a row names. Without one any could have run, but products in fp8 need one that
/// has them.
const SoftwareProfile* software_of(const Measurement& row, const Profiles& profiles) {
    if (row.workload.framework) {
        return profiles.software_profile(*row.workload.framework);
    }
    const auto low = [](ComputeType type) {
        return type == ComputeType::fp8 || type == ComputeType::mxfp8 || type == ComputeType::fp4;
    };
    const ComputeType compute = row.workload.compute.value_or(ComputeType::bf16);
    if (row.workload.task == Task::train && low(compute)) {
        const auto found =
            std::ranges::find_if(profiles.software, [&](const SoftwareProfile& profile) {
                return low(profile.defaults.compute) && !profile.usual_for.empty();
            });
        if (found != profiles.software.end()) {
            return &*found;
        }
    }
    return profiles.unnamed_software();
}

/// The stack as it ran: who measured more requests at once than its usual share of the card holds
/// had raised the share, where the card holds them.
SoftwareProfile as_it_ran(const EstimateInput& input) {
    SoftwareProfile ran = input.software;
    if (!requests_may_wait(input)) {
        return ran;
    }
    const double each = input.workload.serving->concurrency / std::max(1, input.workload.plan.data);
    if (running_together(input) < each) {
        ran.engine.memory_fraction = 1;
        const EstimateInput raised{input.architecture, input.workload,   input.cluster, ran,
                                   input.device,       input.calibration};
        ran.engine.memory_fraction = running_together(raised) < each
                                         ? input.software.engine.memory_fraction
                                         : ran.engine.memory_fraction;
    }
    return ran;
}

Result<Prediction> predict_run(const Measurement& row, const Catalog& catalog,
                               const Accelerator& accelerator, const Profiles& profiles) {
    const SoftwareProfile* software = software_of(row, profiles);
    if (software == nullptr) {
        return not_expressed(row,
                             "no software profile \"" + row.workload.framework.value_or("") + "\"");
    }
    const auto resolved = resolve(row.workload, row.architecture, *software, row.count);
    if (!resolved) {
        return tl::unexpected(resolved.error());
    }
    Cluster cluster = make_cluster(catalog, accelerator, row.count, row.per_node);
    if (row.fabric) {
        apply_fabric(cluster, catalog, read_fabric(*row.fabric), row.per_node);
    }
    const auto legal = check_plan(row.architecture, resolved->workload, cluster);
    if (!legal) {
        return tl::unexpected(legal.error());
    }
    const DeviceModel device = device_model(accelerator, profiles.calibration);
    const EstimateInput input{row.architecture, resolved->workload,  cluster, *software,
                              device,           profiles.calibration};
    if (row.metric == "peak_memory_gib") {
        return memory_prediction(row, estimate_memory(input), input);
    }
    const SoftwareProfile ran = as_it_ran(input);
    const EstimateInput measured{row.architecture, resolved->workload,  cluster, ran,
                                 device,           profiles.calibration};
    TimeEstimate time = estimate_time(measured);
    add_load(time, measured);
    return time_prediction(row, time, measured);
}

}  // namespace

namespace {

/// Samples of the rate that a source prints for one item of the batch: those who synthesise sound
/// count its samples or frames, translators count tokens of source and target.
double counted_in(const WorkloadDocument& workload) {
    const std::string name =
        workload.architecture ? workload.architecture->name : workload.model_id;
    const auto is = [&name](std::string_view part) { return name.find(part) != std::string::npos; };
    constexpr double sampling_rate = 22'050;
    constexpr double frame = 256;  // samples
    if (workload.audio_seconds && is("waveglow")) {
        return *workload.audio_seconds * sampling_rate;
    }
    if (workload.audio_seconds && is("hifi-gan")) {
        return *workload.audio_seconds * sampling_rate / frame;
    }
    // Sentences of LJ Speech last 6.6 s on average.
    constexpr double sentence_frames = 566;
    return is("tacotron") || is("fastpitch") ? sentence_frames : 1;
}

/// Metrics of a row: what was not measured, or is no positive number, is left out.
class Metrics {
public:
    void add(const char* name, const std::optional<double>& value) {
        if (value && std::isfinite(*value) && *value > 0) {
            list.push_back({name, *value});
        }
    }
    /// Time of a step, or of a denoising step, from the figure that the source prints.
    void add_step(const Measured& measured, const WorkloadDocument& workload, int accelerators,
                  bool network);

    std::vector<Metric> list;
};

void Metrics::add_step(const Measured& measured, const WorkloadDocument& workload, int accelerators,
                       bool network) {
    const double micro = workload.micro_batch.value_or(1);
    const double samples =
        workload.global_batch ? *workload.global_batch : micro * workload.data.value_or(1);
    const double rate = measured.tokens_per_s_per_accelerator.value_or(0) * accelerators;
    if (measured.step_time_s) {
        // Time of one token of several texts that are decoded together.
        const double texts = workload.serving && network ? workload.serving->concurrency : 1;
        add("step_time_s", *measured.step_time_s * texts);
    } else if (measured.samples_per_s) {
        add("step_time_s", samples * counted_in(workload) / *measured.samples_per_s);
    } else if (rate > 0 && network && !workload.sequence_length) {
        // Tokens of source and target, of the length that recurrent networks take as usual.
        add("step_time_s", samples * 2 * usual_recurrent_steps / rate);
    } else if (rate > 0) {
        add("step_time_s", samples * workload.sequence_length.value_or(1) / rate);
    } else if (measured.denoise_step_s) {
        add("denoise_step_s", measured.denoise_step_s);
    } else if (measured.iterations_per_s) {
        add("denoise_step_s", 1 / *measured.iterations_per_s);
    } else if (network) {
        add("time_us", measured.time_us);
    }
}

}  // namespace

Result<std::vector<Metric>> metrics_of(std::string_view quantity, const Measured& measured,
                                       const WorkloadDocument& workload, int accelerators) {
    Metrics metrics;
    const bool networks = quantity == "vision" || quantity == "diffusion" ||
                          quantity == "recurrent" || quantity == "recommender";
    if (quantity == "memory") {
        metrics.add("peak_memory_gib", measured.peak_memory_gib);
    } else if (quantity == "train_time" || networks) {
        metrics.add_step(measured, workload, accelerators, networks);
        if (networks && workload.task == Task::train) {
            metrics.add("peak_memory_gib", measured.peak_memory_gib);
        }
    } else if (quantity == "rl") {
        metrics.add("peak_memory_gib", measured.peak_memory_gib);
        const PreferenceTuning tuning = workload.preference.value_or(PreferenceTuning{});
        if (!tuning.generates() || tuning.answer_tokens > 0 || tuning.mean_tokens > 0) {
            metrics.add("step_time_s", measured.step_time_s);
        } else if (measured.step_time_s) {
            return input_error("measured",
                               "a round lasts as long as its answers, of which the source states "
                               "only the most that they may have");
        }
    } else if (quantity == "inference") {
        metrics.add("ttft_s", measured.ttft_s);
        metrics.add("tpot_s", measured.tpot_s);
        metrics.add("tokens_per_s", measured.tokens_per_s);
    } else if (quantity == "hpc") {
        metrics.add("mlups", measured.mlups);
        metrics.add("ns_per_day", measured.ns_per_day);
        metrics.add("time_us", measured.time_us);
        if (metrics.list.empty()) {
            metrics.add("tflop_per_s", measured.tflop_per_s);
        }
        if (metrics.list.empty()) {
            metrics.add("bandwidth_gb_per_s", measured.bandwidth_gb_per_s);
        }
    } else if (quantity == "bandwidth") {
        metrics.add("bandwidth_gb_per_s", measured.bandwidth_gb_per_s);
    } else if (quantity == "gemm" || (quantity == "collective" && measured.time_us)) {
        metrics.add("time_us", measured.time_us);
    } else if (quantity == "collective" && measured.bus_bandwidth_gb_per_s && workload.kernel) {
        const Kernel& kernel = *workload.kernel;
        // nccl-tests: bus bandwidth = factor S / t; 1 of what every rank receives whole.
        const auto known = collective_named(kernel.operation);
        const double factor = known ? bus_factor(*known, kernel.ranks) : 1;
        metrics.add("time_us", factor * kernel.bytes / (*measured.bus_bandwidth_gb_per_s * 1e3));
    }
    if (metrics.list.empty()) {
        return input_error("measured", "no figure of quantity \"" + std::string(quantity) +
                                           "\" that can be compared (a time to train alone "
                                           "includes evaluation and restarts)");
    }
    return std::move(metrics.list);
}

Result<Prediction> predict(const Measurement& measurement, const Catalog& catalog,
                           const Profiles& profiles) {
    const Accelerator* accelerator = catalog.accelerator(measurement.accelerator);
    if (accelerator == nullptr) {
        return not_expressed(measurement,
                             "no accelerator \"" + measurement.accelerator + "\" in the catalog");
    }
    auto prediction = measurement.workload.task == Task::kernel
                          ? predict_kernel(measurement, catalog, *accelerator, profiles)
                          : predict_run(measurement, catalog, *accelerator, profiles);
    if (prediction && !(std::isfinite(prediction->predicted) && prediction->predicted > 0)) {
        return not_expressed(measurement, "the model gives no finite figure");
    }
    return prediction;
}

}  // namespace ridgeline
