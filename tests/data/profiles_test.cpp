#include "base/text.h"
#include "data/load.h"
#include "data/profile_reader.h"
#include "tests/data/files.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;

namespace {

std::string error_of_calibration(const std::string& text) {
    const TemporaryFolder folder;
    Calibration calibration;
    const Result<void> read = load_calibration(folder.write("c.json", text), calibration);
    BOOST_TEST(calibration.kernels.empty());
    return read ? std::string() : read.error().text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(profiles)

BOOST_AUTO_TEST_CASE(the_bundled_ones_load_and_cover_the_contract) {
    const Result<Profiles> loaded = load_profiles(RIDGELINE_SOURCE_DIR "/profiles");
    BOOST_REQUIRE_MESSAGE(loaded.has_value(), message_of(loaded));
    for (const char* id : {"hf-trainer",
                           "torchtune",
                           "torchtitan",
                           "litgpt",
                           "megatron",
                           "nemo",
                           "llm-foundry",
                           "fsdp-qlora",
                           "ms-swift",
                           "unsloth",
                           "axolotl",
                           "deepspeed",
                           "fms-fsdp",
                           "internevo",
                           "automodel",
                           "trtllm",
                           "vllm",
                           "sglang",
                           "gpt-fast",
                           "llama.cpp",
                           "mlc-llm",
                           "exllama",
                           "exllamav2",
                           "timm",
                           "diffusers",
                           "deeplearning-examples",
                           "mlperf",
                           "nccl",
                           "rccl",
                           "generic",
                           "transformer-engine"}) {
        BOOST_TEST(loaded->software_profile(id) != nullptr, id);
    }
    BOOST_TEST(loaded->model_ids.size() > 150U);
    BOOST_TEST(!loaded->workloads.empty());
    BOOST_TEST(!loaded->calibration.kernels.empty());
}

// What was measured in May 2024 is compared with the products and kernels of then.
BOOST_AUTO_TEST_CASE(a_release_of_llama_cpp_has_the_kernels_of_its_day) {
    const Result<Profiles> loaded = load_profiles(RIDGELINE_SOURCE_DIR "/profiles");
    BOOST_REQUIRE_MESSAGE(loaded.has_value(), message_of(loaded));
    const SoftwareProfile* then = loaded->software_profile("llama.cpp@2024-05-12");
    const SoftwareProfile* now = loaded->software_profile("llama.cpp");
    BOOST_REQUIRE(then != nullptr);
    BOOST_REQUIRE(now != nullptr);
    BOOST_TEST(then->engine.integer_share == 0);
    BOOST_TEST(!then->engine.fuses_neighbours);
    BOOST_TEST(now->engine.integer_share > 0);
    BOOST_TEST(now->engine.fuses_neighbours);
    BOOST_TEST((then->engine.prompt_shares == now->engine.prompt_shares));
}

BOOST_AUTO_TEST_CASE(a_profile_inherits_what_it_does_not_say) {
    const TemporaryFolder folder;
    const auto parent = folder.write("base.json", R"({"schema": "ridgeline/software-profile/1",
        "id": "base", "name": "Base", "sources": ["x"],
        "chips": {"makers": ["NVIDIA"], "least": 7.0},
        "defaults": {"compiled": true, "weights": "fp32"},
        "allocator": {"fragmentation": 0.25}})");
    const auto child = folder.write("child.json", R"({"schema": "ridgeline/software-profile/1",
        "id": "child", "name": "Child", "inherits": "base", "sources": ["x"],
        "chips": {"least": 7.5, "least_of": {"fp8": 8.9}}, "defaults": {"weights": "bf16"}})");
    const auto read = read_software_profiles({child, parent});
    BOOST_REQUIRE_MESSAGE(read.has_value(), message_of(read));
    const SoftwareProfile& found = (*read)[1];
    BOOST_TEST(found.id == "child");
    BOOST_TEST(found.defaults.compiled);
    BOOST_TEST(found.allocator.fragmentation == 0.25);
    BOOST_TEST((found.chips ==
                ChipSupport{.makers = {"NVIDIA"}, .least = 7.5, .least_of = {{"fp8", 8.9}}}));
    BOOST_TEST((found.defaults.weights == DType::bf16));
}

BOOST_AUTO_TEST_CASE(releases_apply_forward_in_time) {
    const TemporaryFolder folder;
    const auto file = folder.write("stack.json", R"({"schema": "ridgeline/software-profile/1",
        "id": "stack", "name": "Stack", "sources": ["x"], "defaults": {"weights": "fp32"},
        "usual_for": [{"task": "train", "method": "lora", "at_least": 2}],
        "releases": [{"from": "2024-01-01"},
            {"from": "2024-06-12", "sources": ["y"], "defaults": {"weights": "bf16"}},
            {"from": "2025-04-01", "sources": ["z"], "allocator": {"fragmentation": 0.5}}]})");
    const auto read = read_software_profiles({file});
    BOOST_REQUIRE_MESSAGE(read.has_value(), message_of(read));
    const SoftwareProfile& newest = read->front();
    BOOST_TEST(newest.id == "stack");
    BOOST_TEST((newest.defaults.weights == DType::bf16));
    BOOST_TEST(newest.allocator.fragmentation == 0.5);
    BOOST_TEST(newest.sources.size() == 3);
    BOOST_TEST((newest.usual_for.front() ==
                UsualFor{.task = Task::train, .method = Method::lora, .at_least = 2}));
    BOOST_REQUIRE(newest.older.size() == 2);
    BOOST_TEST(newest.older[0].id == "stack@2024-01-01");
    BOOST_TEST((newest.older[0].defaults.weights == DType::fp32));
    BOOST_TEST((newest.older[1].defaults.weights == DType::bf16));
    BOOST_TEST(newest.older[1].allocator.fragmentation == 0);
    const auto late = folder.write("late.json", R"({"schema": "ridgeline/software-profile/1",
        "id": "late", "name": "Late", "sources": ["x"],
        "releases": [{"from": "2024-06-12"}, {"from": "2024-01-01", "sources": ["y"]}]})");
    const auto wrong = read_software_profiles({late});
    BOOST_TEST_REQUIRE(!wrong.has_value());
    BOOST_TEST(contains(wrong.error().text(), "oldest first"));
}

// What a release of llama.cpp changed on a day is none of MLX's: its prompts' attention became one
// kernel in March 2025.
BOOST_AUTO_TEST_CASE(code_of_its_own_follows_no_releases_of_what_it_inherits) {
    const Result<Profiles> loaded = load_profiles(RIDGELINE_SOURCE_DIR "/profiles");
    BOOST_REQUIRE_MESSAGE(loaded.has_value(), message_of(loaded));
    const SoftwareProfile* before = loaded->software_profile("mlx@2025-02-11");
    const SoftwareProfile* after = loaded->software_profile("mlx@2025-04-01");
    BOOST_REQUIRE(before != nullptr);
    BOOST_REQUIRE(after != nullptr);
    BOOST_TEST((before->kernels.attention.kernel == AttentionKernel::eager));
    BOOST_TEST((after->kernels.attention.kernel == AttentionKernel::flash));
    BOOST_TEST(before->engine.prefill_chunk_tokens() == 512);
    BOOST_TEST(before->engine.attention_share == 1);
}

BOOST_AUTO_TEST_CASE(cycles_unknown_parents_and_unknown_keys_are_errors) {
    const TemporaryFolder folder;
    const auto profile = [&](const std::string& id, const std::string& rest) {
        return folder.write(id + ".json", R"({"schema": "ridgeline/software-profile/1", "id": ")" +
                                              id + R"(", "name": "x", "sources": ["x"])" + rest +
                                              "}");
    };
    const auto message = [](const std::vector<TreePath>& files) {
        const auto read = read_software_profiles(files);
        return read ? std::string() : read.error().text();
    };
    BOOST_TEST(contains(
        message({profile("a", R"(, "inherits": "b")"), profile("b", R"(, "inherits": "a")")}),
        "inherits from itself"));
    BOOST_TEST(
        contains(message({profile("c", R"(, "inherits": "megatorn")"), profile("megatron", "")}),
                 "Did you mean \"megatron\"?"));
    BOOST_TEST(contains(message({profile("d", R"(, "defaults": {"compield": true})")}),
                        "Did you mean \"compiled\"?"));
    BOOST_TEST(contains(message({profile("e", R"(, "defaults": {"weights": "bf17"})")}),
                        "Did you mean \"bf16\"?"));
    BOOST_TEST(contains(message({profile("f", R"(, "engine": {"memory_fraction": 1.5})")}),
                        "/engine/memory_fraction"));
}

BOOST_AUTO_TEST_CASE(a_folder_without_profiles_is_an_error) {
    const TemporaryFolder folder;
    BOOST_TEST(!load_profiles(folder.path()).has_value());
    BOOST_TEST(!load_profiles(folder.path() / "none").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(calibration_files)

BOOST_AUTO_TEST_CASE(a_measured_file_is_appended) {
    const TemporaryFolder folder;
    Calibration calibration;
    const Result<void> read = load_calibration(folder.write("c.json", R"({
        "schema": "ridgeline/calibration/1",
        "kernels": [{"accelerator": "l4", "compute": "bf16", "operator_class": "gemm",
          "compute_fraction": 0.7, "bandwidth_fraction": 0.8, "overhead_us": 4, "exponent": 3,
          "tier": "measured", "source": "here", "date": "2026-11-20"}],
        "collectives": [{"link": "nvlink4", "operation": "all_reduce", "ranks": 8, "nodes": 1,
          "alpha_us": 12, "bus_bandwidth_gb_per_s": 480, "tier": "published", "source": "x"}],
        "contexts": [{"vendor": "NVIDIA", "context_mib": 500, "tier": "published", "source": "x"}],
        "residuals": [{"quantity": "memory", "low": 0.9, "high": 1.1, "rows": 10, "source": "x"}]})"),
                                               calibration);
    BOOST_REQUIRE_MESSAGE(read.has_value(), message_of(read));
    BOOST_REQUIRE(calibration.kernels.size() == 1U);
    BOOST_TEST((calibration.kernels[0].efficiency.overhead / microsecond) == 4.0,
               boost::test_tools::tolerance(1e-12));
    BOOST_TEST((calibration.kernels[0].efficiency.tier == Tier::measured));
    BOOST_TEST((calibration.collectives[0].bus_bandwidth / gigabyte_per_second) == 480.0);
    BOOST_TEST(calibration.contexts.size() == 1U);
    BOOST_TEST(calibration.residuals.size() == 1U);
}

BOOST_AUTO_TEST_CASE(impossible_figures_are_refused) {
    const std::string start = R"({"schema": "ridgeline/calibration/1", "kernels": [{
        "operator_class": "gemm", "bandwidth_fraction": 0.8, "tier": "measured", "source": "x")";
    BOOST_TEST(contains(error_of_calibration(start + R"(, "compute_fraction": 0}]})"),
                        "/kernels/0/compute_fraction: found 0"));
    BOOST_TEST(contains(error_of_calibration(start + R"(, "compute_fraction": 70}]})"),
                        "/kernels/0/compute_fraction: found 70"));
    BOOST_TEST(
        contains(error_of_calibration(start + R"(, "compute_fraction": 0.7, "compute": "bf15"}]})"),
                 "/kernels/0/compute"));
    BOOST_TEST(
        contains(error_of_calibration(R"({"schema": "ridgeline/calibration/1", "kernel": []})"),
                 "Did you mean \"kernels\"?"));
    BOOST_TEST(contains(error_of_calibration(R"({"schema": "ridgeline/calibration/1", "residuals":
        [{"quantity": "memory", "low": 2, "high": 1, "source": "x"}]})"),
                        "no more than high"));
}

BOOST_AUTO_TEST_SUITE_END()
