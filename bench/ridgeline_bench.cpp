// Speed of the core: one estimate, many plans, a whole advice. Times are printed, never tested.
#include "advise/advise.h"
#include "advise/hardware/cluster.h"
#include "advise/plans/plan_search.h"
#include "advise/plans/plans.h"
#include "advise/reading/reading.h"
#include "data/load.h"
#include "estimate/estimate.h"
#include "estimate/resolve/resolve.h"
#include "estimate/serving/quant_ladder.h"
#include "estimate/serving/served_load.h"
#include "estimate/time/collective.h"
#include "spec/graph.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <string>

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

/// A run on H100 whose plan is open.
struct OpenPlan {
    Architecture architecture;
    const SoftwareProfile& software;
    Cluster cluster;
    DeviceModel device;
    LinkModel links;
    Workload workload;
    PlanSpace space;

    OpenPlan(Architecture model,
             const char* stack,
             const char* part,
             int count,
             int global,
             int sequence)
        : architecture(std::move(model)),
          software(*profiles().software_profile(stack)),
          cluster(make_cluster(catalog(), *catalog().accelerator(part), count)),
          device(device_model(*cluster.accelerator, profiles().calibration)),
          links(link_model(cluster, profiles().calibration)) {
        WorkloadDocument document;
        document.method = Method::full;
        document.global_batch = global;
        document.sequence_length = sequence;
        workload = loaded(resolve(document, architecture, software, count)).workload;
        space = whole_space(workload, architecture, software, cluster, freedom_of(document));
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

/// The 22B model of Korthikanti et al. 2022 (48 layers, 6144 wide, 64 heads, sequence 2048), which
/// Calculon searches.
Architecture megatron_22b() {
    Architecture model = loaded(load_model(source + "/profiles", "gpt-3-175b"));
    TransformerStack& stack = model.stacks.back();
    stack.layers = 48;
    stack.hidden = 6144;
    stack.heads = 64;
    stack.kv_heads = 64;
    stack.head_dim = 96;
    stack.ffn = 4 * 6144;
    return model;
}

/// `plans_per_second` counts the plans that were evaluated, memory and time both;
/// `space_per_second` all that the answer is about.
void report(benchmark::State& state, const PlanSearch& search) {
    using benchmark::Counter;
    const auto whole = static_cast<double>(search.searched.plans);
    const auto evaluated = static_cast<double>(search.searched.evaluated);
    state.counters["plans"] = whole;
    state.counters["evaluated"] = evaluated;
    state.counters["plans_per_second"] = Counter(evaluated, Counter::kIsIterationInvariantRate);
    state.counters["space_per_second"] = Counter(whole, Counter::kIsIterationInvariantRate);
    if (search.best) {
        state.counters["best_step_s"] = search.best->step;
    }
}

void search(benchmark::State& state, const OpenPlan& open, const SearchControl& control) {
    PlanSearch found;
    const EstimateInput input = open.input();
    for (auto _ : state) {
        found = search_plans(input, open.space, control);
    }
    report(state, found);
}

/// Our whole space for 22B on 8 accelerators: every tensor, pipeline, virtual-pipeline, context and
/// data size, micro-batch, sharding, offload of optimizer and parameters, recomputation by mode and
/// by layer count. Calculon's own for the same question has 290,624 executions (its dimensions: t,
/// p, d, micro-batch, interleaving, three recomputations, sharding, overlaps, offloads).
void search_22b(benchmark::State& state) {
    static const OpenPlan open(megatron_22b(), "generic", "a100-sxm4-80gb", 8, 256, 2048);
    search(state, open, {});
}
BENCHMARK(search_22b)->Unit(benchmark::kMillisecond);

void every_plan_22b(benchmark::State& state) {
    static const OpenPlan open(megatron_22b(), "generic", "a100-sxm4-80gb", 8, 256, 2048);
    search(state, open, {.prune = false});
}
BENCHMARK(every_plan_22b)->Unit(benchmark::kMillisecond)->Iterations(1);

/// Llama 3 405B as published: 16M tokens a step at 8192, 16,384 H100.
void search_405b(benchmark::State& state) {
    static const OpenPlan open(loaded(load_model(source + "/profiles", "llama-3.1-405b")),
                               "megatron",
                               "h100-sxm5-80gb",
                               16384,
                               2048,
                               8192);
    search(state, open, {.threads = static_cast<int>(state.range(0))});
}
BENCHMARK(search_405b)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void front_405b(benchmark::State& state) {
    static const OpenPlan open(loaded(load_model(source + "/profiles", "llama-3.1-405b")),
                               "megatron",
                               "h100-sxm5-80gb",
                               16384,
                               2048,
                               8192);
    search(state, open, {.front = true, .threads = 2});
}
BENCHMARK(front_405b)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);

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

/// 70B with FSDP2, its allocator played through two steps.
void one_replay(benchmark::State& state) {
    const OpenPlan one(loaded(load_model(source + "/profiles", "llama-3.1-70b")),
                       "torchtitan", "h100-sxm5-80gb", 64, 128, 4096);
    const EstimateInput input = one.input();
    for (auto _ : state) {
        benchmark::DoNotOptimize(estimate_memory(input));
    }
}
BENCHMARK(one_replay)->Unit(benchmark::kMicrosecond);

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

/// A graph of 2,000 operators: convolutions of 64 channels and their activations.
Architecture graph_of_2000() {
    auto graph = std::make_shared<GraphNetwork>();
    const auto tensor = [&graph](std::vector<double> sides, bool weight) {
        GraphTensor made{};
        made.sides = std::move(sides);
        for (const double side : made.sides) {
            made.elements *= side;
        }
        made.weight = weight;
        made.parameters = weight ? made.elements : 0;
        graph->tensors.push_back(made);
        return static_cast<int>(graph->tensors.size()) - 1;
    };
    int at = tensor({1, 64, 56, 56}, false);
    graph->inputs = {at};
    for (int i = 0; i < 1000; ++i) {
        GraphNode product;
        product.name = "convolution";
        product.work = GraphWork::convolution;
        product.inputs = {at, tensor({64, 64, 3, 3}, true)};
        product.outputs = {tensor({1, 64, 56, 56}, false)};
        product.kernel = {3, 3};
        product.strides = product.dilations = {1, 1};
        GraphNode activation;
        activation.name = "activation";
        activation.work = GraphWork::relu;
        activation.inputs = product.outputs;
        at = tensor({1, 64, 56, 56}, false);
        activation.outputs = {at};
        graph->nodes.push_back(std::move(product));
        graph->nodes.push_back(std::move(activation));
    }
    graph->outputs = {at};
    Architecture architecture;
    architecture.kind = ModelKind::image;
    architecture.network.emplace().type = "onnx";
    architecture.graph = std::move(graph);
    return architecture;
}

/// One estimate on one L4, again and again.
void estimate_on_l4(benchmark::State& state,
                    const Architecture& architecture,
                    std::string_view framework,
                    const WorkloadDocument& document) {
    const SoftwareProfile& software = *profiles().software_profile(framework);
    const Cluster cluster = make_cluster(catalog(), *catalog().accelerator("l4"), 1);
    const DeviceModel device = device_model(*cluster.accelerator, profiles().calibration);
    const LinkModel links = link_model(cluster, profiles().calibration);
    const Workload workload = loaded(resolve(document, architecture, software, 1)).workload;
    const EstimateInput input{.architecture = architecture,
                              .workload = workload,
                              .cluster = cluster,
                              .software = software,
                              .device = device,
                              .calibration = profiles().calibration,
                              .links = &links};
    for (auto _ : state) {
        benchmark::DoNotOptimize(estimate(input, nullptr));
    }
}

void one_graph(benchmark::State& state) {
    WorkloadDocument document;
    document.task = Task::inference;
    estimate_on_l4(state, graph_of_2000(), "onnxruntime", document);
}
BENCHMARK(one_graph)->Unit(benchmark::kMicrosecond);

void train_resnet_50(benchmark::State& state) {
    WorkloadDocument document;
    document.micro_batch = 64;
    estimate_on_l4(
        state, loaded(load_model(source + "/profiles", "resnet-50")), "pytorch", document);
}
BENCHMARK(train_resnet_50)->Unit(benchmark::kMicrosecond);

void read_a_question(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            read_question("how many users can one l40s serve with llama 3.1 8b",
                          Vocabulary{catalog(), profiles()}));
    }
}
BENCHMARK(read_a_question)->Unit(benchmark::kMicrosecond);

void advice_70b(benchmark::State& state) {
    Reading reading =
        loaded(read_question("what GPU for a 70B fine-tune", Vocabulary{catalog(), profiles()}));
    const Query query = query_of(reading);
    const Architecture architecture = *typical_architecture("70b");
    std::size_t plans = 0;
    for (auto _ : state) {
        const auto advice = advise(query, architecture, Knowledge{catalog(), profiles(), {}});
        plans += advice ? advice->searched.plans : 0;
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

/// A thousand requests of a 70B model on eight H100, at random times; with targets, fifteen times.
void a_thousand_requests(benchmark::State& state) {
    const Architecture architecture = loaded(load_model(source + "/profiles", "llama-3.1-70b"));
    const SoftwareProfile& software = *profiles().software_profile("vllm");
    WorkloadDocument document;
    document.task = Task::inference;
    document.tensor = 8;
    document.serving = Serving{.input_tokens = 1024, .output_tokens = 512};
    document.serving->request_rate = 5;
    const Workload workload = loaded(resolve(document, architecture, software, 8)).workload;
    const Cluster cluster = make_cluster(catalog(), *catalog().accelerator("h100-sxm5-80gb"), 8);
    const DeviceModel device = device_model(*cluster.accelerator, profiles().calibration);
    const LinkModel links = link_model(cluster, profiles().calibration);
    const EstimateInput input{
        architecture, workload, cluster, software, device, profiles().calibration, &links};
    LoadTargets targets;
    if (state.range(0) == 1) {
        targets.ttft = 0.5 * second;
    }
    for (auto _ : state) {
        benchmark::DoNotOptimize(served_load(input, targets));
    }
}
BENCHMARK(a_thousand_requests)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void load_all(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(load_catalog(source + "/catalog"));
        benchmark::DoNotOptimize(load_profiles(source + "/profiles"));
    }
}
BENCHMARK(load_all)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
