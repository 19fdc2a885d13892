// Speed of the core: one estimate, many plans, a whole advice. Times are printed, never tested.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "advise/advise.h"
#include "advise/plans.h"
#include "advise/question.h"
#include "data/load.h"
#include "estimate/collective.h"
#include "estimate/estimate.h"
#include "estimate/quant_ladder.h"
#include "estimate/resolve.h"

namespace {

using namespace ridgeline;

const std::string source = RIDGELINE_SOURCE_DIR;

template <typename T>
T loaded(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().text().c_str());
        std::exit(1);
    }
    return std::move(*result);
}

const Catalog& catalog() {
    static const Catalog value = loaded(load_catalog(source + "/catalog"));
    return value;
}
const Profiles& profiles() {
    static const Profiles value = loaded(load_profiles(source + "/profiles"));
    return value;
}

/// A 70B model on 64 H100 with tensor and pipeline parallelism.
struct Case {
    Architecture architecture = loaded(load_model(source + "/profiles", "llama-3.1-70b"));
    const SoftwareProfile& software = *profiles().software_profile("megatron");
    Cluster cluster = make_cluster(catalog(), *catalog().accelerator("h100-sxm5-80gb"), 64);
    DeviceModel device = device_model(*cluster.accelerator, profiles().calibration);
    LinkModel links = link_model(cluster, profiles().calibration);
    Workload workload;

    Case() {
        WorkloadDocument document;
        document.method = Method::full;
        document.tensor = 4;
        document.pipeline = 4;
        document.micro_batch = 1;
        document.global_batch = 256;
        document.sequence_length = 4096;
        workload = loaded(resolve(document, architecture, software, 64)).workload;
    }
    [[nodiscard]] EstimateInput input() const {
        return {.architecture = architecture,
                .workload = workload,
                .cluster = cluster,
                .software = software,
                .device = device,
                .calibration = profiles().calibration,
                .links = &links};
    }
};

void one_memory(benchmark::State& state) {
    const Case one;
    const EstimateInput input = one.input();
    for (auto _ : state) {
        benchmark::DoNotOptimize(estimate_memory(input));
    }
}
BENCHMARK(one_memory)->Unit(benchmark::kMicrosecond);

void one_time(benchmark::State& state) {
    const Case one;
    const EstimateInput input = one.input();
    for (auto _ : state) {
        benchmark::DoNotOptimize(estimate_time(input));
    }
}
BENCHMARK(one_time)->Unit(benchmark::kMicrosecond);

void one_estimate(benchmark::State& state) {
    const Case one;
    const EstimateInput input = one.input();
    for (auto _ : state) {
        benchmark::DoNotOptimize(estimate(input, nullptr));
    }
    state.counters["plans_per_second"] =
        benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(one_estimate)->Unit(benchmark::kMicrosecond);

void advice_70b(benchmark::State& state) {
    const Reading reading =
        loaded(read_question("what GPU for a 70B fine-tune", Vocabulary{catalog(), profiles()}));
    const Architecture architecture = *typical_architecture("70b");
    std::size_t plans = 0;
    for (auto _ : state) {
        const auto advice =
            advise(reading.query, architecture, Knowledge{catalog(), profiles(), {}});
        plans += advice ? advice->plans : 0;
    }
    state.counters["plans_per_second"] =
        benchmark::Counter(static_cast<double>(plans), benchmark::Counter::kIsRate);
}
BENCHMARK(advice_70b)->Unit(benchmark::kMillisecond);

/// "Can my card run it" for every accelerator: twelve types of weights on each.
void ladder_of_all(benchmark::State& state) {
    const Architecture architecture = loaded(load_model(source + "/profiles", "llama-3.1-8b"));
    const SoftwareProfile& software = *profiles().software_profile("llama.cpp");
    WorkloadDocument document;
    document.task = Task::inference;
    document.serving = Serving{.input_tokens = 1024, .output_tokens = 512};
    const Workload workload = loaded(resolve(document, architecture, software, 1)).workload;
    std::vector<Cluster> clusters;
    std::vector<DeviceModel> devices;
    std::vector<LinkModel> links;
    for (const Accelerator& part : catalog().accelerators) {
        clusters.push_back(make_cluster(catalog(), part, 1));
        devices.push_back(device_model(part, profiles().calibration));
        links.push_back(link_model(clusters.back(), profiles().calibration));
    }
    for (auto _ : state) {
        const QuantLadder ladder(architecture, workload, software, ladder_types());
        for (std::size_t i = 0; i < clusters.size(); ++i) {
            benchmark::DoNotOptimize(
                ladder.on(clusters[i], devices[i], profiles().calibration, links[i]));
        }
    }
    state.counters["rungs"] = static_cast<double>(clusters.size() * ladder_types().size());
}
BENCHMARK(ladder_of_all)->Unit(benchmark::kMillisecond);

void load_all(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(load_catalog(source + "/catalog"));
        benchmark::DoNotOptimize(load_profiles(source + "/profiles"));
    }
}
BENCHMARK(load_all)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
