// The workload document is strict: a word it does not know is an error that names the nearest.
#include "base/text.h"
#include "data/load.h"
#include "estimate/work/quantization.h"
#include "spec/words.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

using namespace ridgeline;

namespace {

const std::string full_document = R"({
  "schema": "ridgeline/workload/1", "name": "everything", "model": "llama-3.1-8b",
  "task": "train", "method": "lora",
  "software": {"framework": "torchtune", "attention": "sdpa", "compile": true, "loss": "chunked",
               "cuda_graphs": false},
  "precision": {"weights": "bf16", "compute": "bf16", "gradients": "fp32", "master_weights": "fp32",
                "quantization": "none", "double_quantization": false, "kv_cache": "fp8"},
  "optimizer": {"name": "adamw", "state": "int8", "implementation": "paged", "in_backward": true},
  "lora": {"rank": 8, "targets": ["q_proj", "v_proj"], "weights": "fp32", "dropout": 0.05},
  "batch": {"micro": 2, "global": 16, "sequence_length": 4096},
  "parallel": {"data": 4, "tensor": 2, "pipeline": 1, "virtual_pipeline": 1, "context": 1,
               "expert": 1, "sequence_parallel": true, "sharding": "hsdp", "shard_group": 2,
               "reshard_after_forward": false},
  "recompute": {"full_layers": 12},
  "offload": {"optimizer": "cpu", "parameters": "none", "activations": "nvme"},
  "duration": {"tokens": 1e9}, "serving": null})";

WorkloadDocument document_of(const std::string& text) {
    auto document = workload_from_json(text, "workload.json");
    BOOST_TEST_REQUIRE(document.has_value(), (document ? std::string() : document.error().text()));
    return *document;
}

std::string document_refusal(const std::string& text) {
    const auto document = workload_from_json(text, "workload.json");
    BOOST_TEST_REQUIRE(!document.has_value());
    return document.error().text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(workload)

BOOST_AUTO_TEST_CASE(every_key) {
    const WorkloadDocument document = document_of(full_document);
    BOOST_TEST(document.model_id == "llama-3.1-8b");
    BOOST_TEST((document.method == Method::lora));
    BOOST_TEST((document.attention == AttentionKernel::sdpa));
    BOOST_TEST(*document.compiled);
    BOOST_TEST((document.loss == LossMode::chunked));
    BOOST_TEST((document.gradients == DType::fp32));
    BOOST_TEST(*document.master_weights);
    BOOST_TEST((document.kv_cache == DType::fp8));
    BOOST_TEST((document.optimizer_state == DType::int8));
    BOOST_TEST((document.optimizer_implementation == OptimizerImplementation::paged));
    BOOST_TEST(*document.optimizer_in_backward);
    BOOST_TEST(*document.lora_rank == 8);
    BOOST_TEST(document.lora_targets->size() == 2U);
    BOOST_TEST(*document.global_batch == 16);
    BOOST_TEST((document.sharding == Sharding::hsdp));
    BOOST_TEST(*document.shard_group == 2);
    BOOST_TEST(!*document.reshard_after_forward);
    BOOST_TEST((document.recompute == RecomputeMode::full));
    BOOST_TEST(*document.full_recompute_layers == 12);
    BOOST_TEST((document.offload_activations == OffloadTarget::nvme));
    BOOST_TEST(*document.duration_tokens == 1e9);
    BOOST_TEST(!document.serving.has_value());
}

BOOST_AUTO_TEST_CASE(null_is_not_stated) {
    const WorkloadDocument document =
        document_of(R"({"model": "gpt2", "task": "train", "method": null,
        "lora": null, "optimizer": null, "recompute": null, "batch": {"micro": null},
        "precision": {"weights": null}})");
    BOOST_TEST(!document.method.has_value());
    BOOST_TEST(!document.has_lora);
    BOOST_TEST(!document.micro_batch.has_value());
    BOOST_TEST(!document.weights.has_value());
}

BOOST_AUTO_TEST_CASE(all_linear_is_a_word) {
    const WorkloadDocument document =
        document_of(R"({"model": "gpt2", "lora": {"rank": 4, "targets": "all-linear"}})");
    BOOST_TEST(document.lora_targets->front() == "all-linear");
    BOOST_TEST(contains(document_refusal(R"({"model": "gpt2", "lora": {"targets": "all-liner"}})"),
                        "Did you mean \"all-linear\""));
    BOOST_TEST(
        contains(document_refusal(R"({"model": "gpt2", "lora": {"targets": []}})"), "empty list"));
}

BOOST_AUTO_TEST_CASE(unknown_keys_name_the_nearest) {
    BOOST_TEST(contains(document_refusal(R"({"model": "gpt2", "metod": "full"})"),
                        "workload.json: /metod"));
    BOOST_TEST(contains(document_refusal(R"({"model": "gpt2", "metod": "full"})"), "\"method\""));
    BOOST_TEST(
        contains(document_refusal(R"({"model": "gpt2", "batch": {"mirco": 1}})"), "/batch/mirco"));
    BOOST_TEST(
        contains(document_refusal(R"({"model": "gpt2", "parallel": {"tensr": 1}})"), "\"tensor\""));
}

BOOST_AUTO_TEST_CASE(unknown_words_name_the_nearest) {
    BOOST_TEST(contains(document_refusal(R"({"model": "gpt2", "method": "qlroa"})"), "\"qlora\""));
    BOOST_TEST(contains(
        document_refusal(R"({"model": "gpt2", "precision": {"quantization": "nf5"}})"), "\"nf4\""));
    BOOST_TEST(contains(document_refusal(R"({"model": "gpt2", "parallel": {"sharding": "fsp"}})"),
                        "\"fsdp\""));
    BOOST_TEST(contains(document_refusal(R"({"model": "gpt2", "recompute": "ful"})"), "\"full\""));
}

BOOST_AUTO_TEST_CASE(wrong_values) {
    for (const char* batch : {"0", "-1", "1.5", "\"1\"", "1e12", "true", "[1]"}) {
        const std::string text =
            std::string(R"({"model": "gpt2", "batch": {"micro": )") + batch + "}}";
        BOOST_TEST(contains(document_refusal(text), "/batch/micro"), batch);
    }
    BOOST_TEST(contains(document_refusal(R"({"model": "gpt2", "schema": "ridgeline/workload/2"})"),
                        "/schema"));
    BOOST_TEST(document_of(R"({"task": "train"})").model_id.empty());  // flags may add one
    BOOST_TEST(contains(document_refusal(R"({"model": 3})"), "/model"));
    BOOST_TEST(contains(document_refusal("[]"), "workload.json"));
    BOOST_TEST(contains(document_refusal(""), "workload.json"));
}

BOOST_AUTO_TEST_CASE(inline_models) {
    const WorkloadDocument document = document_of(R"({"model": {"model_type": "llama",
        "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
        "something_else": {"ignored": true}}})");
    BOOST_TEST_REQUIRE(document.architecture.has_value());
    BOOST_TEST(document.architecture->text().hidden == 4096);
    BOOST_TEST(contains(document_refusal(R"({"model": {"model_type": "llama", "hidden_size": 0,
        "num_hidden_layers": 2}})"),
                        "workload.json: /model/hidden_size: found 0"));
    BOOST_TEST(contains(document_refusal(R"({"model": {"hf_config": "no/such/config.json"}})"),
                        "which only a document in a file may name"));
}

BOOST_AUTO_TEST_CASE(a_config_path_is_relative_to_the_document) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / "ridgeline_workload_test";
    std::filesystem::create_directories(folder / "model");
    std::ofstream(folder / "model" / "config.json") << R"({"model_type": "gpt2", "n_embd": 768,
        "n_layer": 12, "n_head": 12, "n_positions": 1024, "vocab_size": 50257})";
    std::ofstream(folder / "w.json") << R"({"model": {"hf_config": "model/config.json"}})";
    const auto document = load_workload(folder / "w.json");
    std::filesystem::remove_all(folder);
    BOOST_TEST_REQUIRE(document.has_value());
    BOOST_TEST(document->architecture->text().hidden == 768);
    BOOST_TEST(document->architecture->name == "model");  // the folder that holds config.json
}

BOOST_AUTO_TEST_CASE(kernels_need_no_model) {
    const WorkloadDocument gemm =
        document_of(R"({"task": "kernel", "precision": {"compute": "bf16"},
        "kernel": {"operation": "gemm", "m": 16, "n": 2560, "k": 4096}})");
    BOOST_TEST(gemm.kernel->n == 2560);
    const WorkloadDocument reduce = document_of(R"({"task": "kernel",
        "kernel": {"operation": "all_reduce", "bytes": 1024, "ranks": 8}})");
    BOOST_TEST(reduce.kernel->ranks == 8);
    BOOST_TEST(contains(document_refusal(R"({"task": "kernel"})"), "/kernel: missing"));
    BOOST_TEST(contains(document_refusal(R"({"task": "kernel", "kernel": {"operation": "gem"}})"),
                        "\"gemm\""));
    BOOST_TEST(
        contains(document_refusal(R"({"task": "kernel", "kernel": {"operation": "gemm", "m": 4}})"),
                 "/kernel/n: missing"));
}

BOOST_AUTO_TEST_CASE(kernels_say_their_size_and_type_in_several_ways) {
    const auto kernel_of = [](const std::string& keys) {
        return *document_of(R"({"kernel": {"operation": )" + keys + "}}").kernel;
    };
    BOOST_TEST((kernel_of(R"("fft3d", "size": 512)").size == std::vector<double>{512}));
    BOOST_TEST((kernel_of(R"("fft", "size": "512x256")").size == std::vector<double>{512, 256}));
    BOOST_TEST((kernel_of(R"("fft", "dims": [8, 4])").size == std::vector<double>{8, 4}));
    // Lengths are powers of two.
    BOOST_TEST((kernel_of(R"("gemm", "size": "16k")").size == std::vector<double>{16384}));
    BOOST_TEST(kernel_of(R"("molecular_dynamics", "atoms": 1000)").elements == 1000);
    BOOST_TEST(kernel_of(R"("spmv", "rows": 10, "nonzeros": 30)").size.back() == 10);
    BOOST_TEST(kernel_of(R"("fft", "size": 8, "kind": "r2c")").real);
    const WorkloadDocument dgemm = document_of(R"({"kernel": {"operation": "dgemm", "size": 64}})");
    BOOST_TEST(dgemm.kernel->operation == "gemm");
    BOOST_TEST((dgemm.compute == ComputeType::fp64));
    BOOST_TEST((dgemm.task == Task::kernel));
    BOOST_TEST(contains(document_refusal(R"({"kernel": {"operation": "fft", "size": "8x"}})"),
                        "/kernel/size"));
    BOOST_TEST(contains(document_refusal(R"({"kernel": {"operation": "fft", "size": [0]}})"),
                        "/kernel/size"));
    BOOST_TEST(
        contains(document_refusal(R"({"kernel": {"operation": "fft", "sise": 8}})"), "\"size\""));
    BOOST_TEST(contains(document_refusal(R"({"kernel": {"operation": "fft", "kind": "c2r"}})"),
                        "/kernel/kind"));
}

BOOST_AUTO_TEST_CASE(every_format_word_has_a_layout) {
    for (const std::string_view word : quantization_words()) {
        const QuantFormat* format = quant_format(word);
        BOOST_TEST(((format != nullptr && format->name == word) || word == "none"),
                   std::string(word));
    }
}

BOOST_AUTO_TEST_CASE(ranks_of_a_denoising_step) {
    const auto spread = [](const std::string& words) {
        return R"({"schema": "ridgeline/workload/1", "model": "flux.1-dev-transformer", "task": "inference",
                   "parallel": {"sequence": ")" +
               words + R"("}})";
    };
    const WorkloadDocument document = document_of(spread("ulysses2 ring3 cfg2 pipefusion2"));
    BOOST_TEST(*document.context == 24);
    BOOST_TEST(document.split.guidance == 2);
    BOOST_TEST(document.split.ring == 3);
    BOOST_TEST(document.split.patches == 2);
    BOOST_TEST(!document_of(spread("none")).context.has_value());
    BOOST_TEST(contains(document_refusal(spread("rings2")), "ulysses2 cfg2"));
}

BOOST_AUTO_TEST_SUITE_END()
