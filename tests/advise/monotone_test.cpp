// What must hold of every part, framework and plan of the catalog, whatever the figures are.
#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "advise/search/search.h"
#include "estimate/estimate.h"
#include "estimate/resolve/legality.h"
#include "estimate/resolve/resolve.h"
#include "estimate/time/roofline.h"
#include "spec/words.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

using namespace ridgeline;

namespace {

using released::catalog;
using released::profiles;
using released::root;

/// A model of any family, every second one of three shapes that most others vary; at most six
/// layers of the last stack.
Architecture drawn_model() {
    static const std::vector<std::string> all = [] {
        std::vector<std::string> ids;
        for (const auto& file : std::filesystem::directory_iterator(root + "/profiles/models")) {
            ids.push_back(file.path().stem());
        }
        std::ranges::sort(ids);
        return ids;
    }();
    const auto shapes = rc::gen::element<std::string>("llama-3.1-8b", "qwen3-30b-a3b", "gpt2");
    Architecture model = released::model(*rc::gen::oneOf(shapes, rc::gen::elementOf(all)));
    if (!model.stacks.empty()) {
        model.stacks.back().layers = std::min(model.stacks.back().layers, 6);
    }
    return model;
}

/// A part of the catalog; one that computes in 16 bits, unless any will do.
Accelerator drawn_part(bool any = false) {
    static const std::vector<const Accelerator*> parts = [] {
        std::vector<const Accelerator*> gpus;
        for (const Accelerator& part : catalog().accelerators) {
            if (part.kind == "gpu") {
                gpus.push_back(&part);
            }
        }
        return gpus;
    }();
    return **rc::gen::suchThat(rc::gen::elementOf(parts), [any](const Accelerator* part) {
        return any || part->peak(ComputeType::bf16);
    });
}

std::string drawn_framework() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> ids;
        for (const SoftwareProfile& software : profiles().software) {
            ids.push_back(software.id);
        }
        return ids;
    }();
    return *rc::gen::elementOf(names);
}

/// A workload and where it runs, drawn at random.
struct Run {
    Architecture architecture = drawn_model();
    Accelerator part = drawn_part();
    int count = *rc::gen::element(1, 2, 4, 8);
    WorkloadDocument document;

    Run() {
        const bool network = architecture.stacks.empty();
        document.method =
            network ? Method::full : *rc::gen::element(Method::full, Method::lora, Method::qlora);
        document.framework = *rc::gen::element<std::string>("generic", "pytorch", "torchtune",
                                                            "torchtitan", "hf-trainer", "axolotl",
                                                            "llm-foundry", "deepspeed", "litgpt");
        document.recompute =
            *rc::gen::element(RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full);
        document.micro_batch = *rc::gen::inRange(1, 5);
        if (!network) {
            document.sequence_length = 64 * *rc::gen::inRange(1, 33);
        }
        if (document.method != Method::full) {
            document.has_lora = true;
            document.lora_rank = 4 * *rc::gen::inRange(1, 33);
        }
    }

    /// Requests to a server instead.
    void serves() {
        const int kept = *document.micro_batch;
        document = {};
        document.task = Task::inference;
        document.framework = *rc::gen::element<std::string>(
            "vllm", "sglang", "tgi", "trtllm", "llama.cpp", "transformers", "exllamav2", "mlc-llm",
            "gpt-fast", "deepspeed", "generic");
        Serving load;
        load.input_tokens = *rc::gen::inRange(1, 8192);
        load.output_tokens = *rc::gen::inRange(1, 2048);
        load.concurrency = kept == 1 ? 1 : *rc::gen::inRange(1, 512);
        document.serving = load;
        if (count > 1) {
            document.tensor = *rc::gen::element(1, count);
        }
    }

    [[nodiscard]] std::string words() const {
        if (document.serving) {
            return fmt::format("{} on {} x {} by {}, tensor {}, {} requests of {} and {} tokens\n",
                               architecture.id, count, part.id, *document.framework,
                               document.tensor.value_or(0), document.serving->concurrency,
                               document.serving->input_tokens, document.serving->output_tokens);
        }
        return fmt::format(
            "{} of {} on {} x {} by {}, micro-batch {}, sequence {}, rank {}, recompute {}\n",
            name_of(*document.method), architecture.id, count, part.id, *document.framework,
            *document.micro_batch, document.sequence_length.value_or(0),
            document.lora_rank.value_or(0), name_of(*document.recompute));
    }
    /// What the document comes to on the part; nothing where it contradicts itself.
    template <typename Answer>
    [[nodiscard]] std::optional<Answer> asked(Answer (*fold)(const EstimateInput&)) const {
        const SoftwareProfile& software = *profiles().software_profile(*document.framework);
        const auto resolved = resolve(document, architecture, software, count);
        const Cluster cluster = make_cluster(catalog(), part, count);
        if (!resolved || !check_plan(architecture, resolved->workload, cluster)) {
            return std::nullopt;
        }
        const DeviceModel device = device_model(part, profiles().calibration);
        return fold({.architecture = architecture,
                     .workload = resolved->workload,
                     .cluster = cluster,
                     .software = software,
                     .device = device,
                     .calibration = profiles().calibration});
    }
    [[nodiscard]] std::optional<MemoryEstimate> memory() const { return asked(&estimate_memory); }
    [[nodiscard]] std::optional<TimeEstimate> time() const { return asked(&estimate_time); }
};

/// Runs a property on so many draws. Draws that contradict themselves count towards none.
void holds(const char* name, const std::function<void(Run&)>& property) {
    BOOST_TEST(rc::check(name, [&property] {
        Run run;
        RC_LOG() << run.words();
        property(run);
    }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(monotone)

// Of every model by every stack on every part, those too of which little is known.
BOOST_AUTO_TEST_CASE(every_figure_is_a_number) {
    holds("numbers", [](Run& run) {
        run.part = drawn_part(true);
        run.document.framework = drawn_framework();
        if (*rc::gen::arbitrary<bool>() && !run.architecture.stacks.empty()) {
            run.serves();
            run.document.framework = drawn_framework();
            run.document.quantization = *rc::gen::element<std::string>(
                "none", "awq-int4", "gptq-int4", "int8", "fp8", "mxfp4", "q4_k_m", "q8_0");
        }
        const auto memory = run.memory();
        RC_PRE(memory.has_value());
        const auto time = run.time();
        for (const double figure :
             {memory->allocated.base(), memory->reserved.base(), memory->process.base(),
              memory->host.base(), memory->band.low, memory->band.high, time->step.base(),
              time->ttft.base(), time->tpot.base(), time->samples_per_second,
              time->tokens_per_second, time->mfu, time->band.low, time->band.high}) {
            RC_ASSERT(std::isfinite(figure));
            RC_ASSERT(figure >= 0);
        }
        RC_ASSERT(time->step > Seconds{});
        RC_ASSERT(memory->reserved <= memory->process);
    });
}

BOOST_AUTO_TEST_CASE(more_memory_never_makes_a_fit_fail) {
    holds("memory", [](Run& run) {
        const Bytes shown = run.part.capacity();
        const auto before = run.memory();
        RC_PRE(before.has_value() && before->fits);
        run.part.visible_memory = shown * (1 + 0.01 * *rc::gen::inRange(1, 300));
        RC_ASSERT(run.memory()->fits);
    });
}

// What tensors take. What the allocator cannot give back beside them may happen to be less.
BOOST_AUTO_TEST_CASE(a_larger_batch_or_sequence_or_rank_never_needs_less) {
    holds("work", [](Run& run) {
        const auto before = run.memory();
        RC_PRE(before.has_value());
        switch (*rc::gen::inRange(0, run.document.has_lora ? 3 : 2)) {
            case 0:
                *run.document.micro_batch += *rc::gen::inRange(1, 4);
                break;
            case 1:
                RC_PRE(run.document.sequence_length.has_value());
                *run.document.sequence_length += 64 * *rc::gen::inRange(1, 17);
                break;
            default:
                *run.document.lora_rank += 4 * *rc::gen::inRange(1, 17);
        }
        const auto after = run.memory();
        RC_PRE(after.has_value());
        RC_LOG() << run.words()
                 << fmt::format("{} to {} bytes\n", before->allocated.base(),
                                after->allocated.base());
        RC_ASSERT(after->allocated >= before->allocated);
    });
}

// What a server is asked to hold at once; pools of a fixed size stay as they are.
BOOST_AUTO_TEST_CASE(a_larger_load_never_needs_less) {
    holds("load", [](Run& run) {
        run.serves();
        const auto before = run.memory();
        RC_PRE(before.has_value());
        Serving& serving = *run.document.serving;
        double& grown =
            **rc::gen::element(&serving.concurrency, &serving.input_tokens, &serving.output_tokens);
        grown += *rc::gen::inRange(1, 2000);
        const auto after = run.memory();
        RC_PRE(after.has_value());
        RC_LOG() << run.words()
                 << fmt::format("{} to {} bytes, {} to {} of the process\n",
                                before->allocated.base(), after->allocated.base(),
                                before->process.base(), after->process.base());
        RC_ASSERT(after->allocated >= before->allocated);
        RC_ASSERT(after->process >= before->process);
        RC_ASSERT(before->fits || !after->fits);
    });
}

// Of wide products. Casting the m k activations moves some 6 bytes each, twice that where the cast
// reaches half of the bandwidth W, and saves m n k / P at a 16-bit rate of P, so that it pays from
// n = 12 P / W on: 4,600 columns on an RTX 6000 Ada, 3,800 on a GB300. A step of a model with 4,096
// is not always faster, and we say so.
BOOST_AUTO_TEST_CASE(fp8_is_never_slower_than_bf16) {
    holds("fp8", [](Run& run) {
        RC_PRE(run.part.peak(ComputeType::fp8).has_value());
        const GemmShape shape{.m = 64.0 * *rc::gen::inRange(128, 512),
                              .n = 64.0 * *rc::gen::inRange(128, 512),
                              .k = 64.0 * *rc::gen::inRange(128, 512)};
        const DeviceModel device = device_model(run.part, profiles().calibration);
        RC_LOG() << fmt::format("{} x {} x {}\n", shape.m, shape.n, shape.k);
        RC_ASSERT(gemm_time(device, ComputeType::fp8, shape).time <=
                  gemm_time(device, ComputeType::bf16, shape).time);
    });
    holds("fp8 step", [](Run& run) {
        RC_PRE(run.part.peak(ComputeType::fp8).has_value());
        run.architecture = *load_model(root + "/profiles", "llama-3.1-405b");
        run.architecture.stacks.back().layers = 2;
        run.document.method = Method::full;
        run.document.has_lora = false;
        run.document.lora_rank.reset();
        run.document.micro_batch = *rc::gen::inRange(4, 9);
        run.document.sequence_length = 2048;
        run.document.compute = ComputeType::bf16;
        const auto wide = run.time();
        run.document.compute = ComputeType::fp8;
        const auto narrow = run.time();
        RC_PRE(wide.has_value() && narrow.has_value());
        RC_LOG() << run.words()
                 << fmt::format("{} to {} s\n", wide->step.base(), narrow->step.base());
        RC_ASSERT(narrow->step <= wide->step * (1 + 1e-9));
    });
}

// ggml changes from kernels of a row to tiles above eight sequences, and widens its tiles by eight
// columns: what the last tile leaves empty may cost a tenth, no more (matrix units; vector units
// multiply whole tiles so slowly that nine rows cost thrice what eight do on gfx906).
BOOST_AUTO_TEST_CASE(more_sequences_never_decode_slower) {
    struct Case {
        const char* model;
        const char* weights;
    };
    for (const Case& each : {Case{"gpt-oss-20b", "mxfp4"}, Case{"qwen3-30b-a3b", "q4_k_m"},
                             Case{"mixtral-8x7b", "q4_k_m"}, Case{"llama-3.1-8b", "q8_0"}}) {
        for (const char* part : {"gb10", "rtx-3090", "rtx-4090", "h100-sxm5-80gb"}) {
            const SoftwareProfile& software = *profiles().software_profile("llama.cpp");
            const Architecture architecture = *load_model(root + "/profiles", each.model);
            const Accelerator& accelerator = *catalog().accelerator(part);
            const Cluster cluster = make_cluster(catalog(), accelerator, 1);
            const DeviceModel device = device_model(accelerator, profiles().calibration);
            double fewer = 0;
            for (const double sequences : {1, 2, 4, 7, 8, 9, 12, 16, 17, 24, 32, 33, 48, 64}) {
                WorkloadDocument document;
                document.task = Task::inference;
                document.framework = "llama.cpp";
                document.quantization = each.weights;
                document.serving = Serving{};
                document.serving->input_tokens = 512;
                document.serving->output_tokens = 32;
                document.serving->concurrency = sequences;
                document.serving->phase = ServingPhase::decode;
                const auto resolved = resolve(document, architecture, software, 1);
                BOOST_REQUIRE(resolved.has_value());
                const double rate = estimate_time({.architecture = architecture,
                                                   .workload = resolved->workload,
                                                   .cluster = cluster,
                                                   .software = software,
                                                   .device = device,
                                                   .calibration = profiles().calibration})
                                        .tokens_per_second;
                BOOST_TEST(rate >= 0.9 * fewer,
                           each.model << " on " << part << ", " << sequences << " sequences");
                fewer = std::max(fewer, rate);
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
