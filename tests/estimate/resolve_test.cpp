// What is filled in where a document is silent, and what is refused as a contradiction.
#include "estimate/resolve/resolve.h"

#include "estimate/families/transformer/lora_targets.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

using namespace ridgeline;

namespace {

Architecture llama() {
    Architecture model;
    model.model_type = "llama";
    model.vocabulary = 32000;
    model.max_positions = 8192;
    TransformerStack stack;
    stack.layers = 4;
    stack.hidden = 512;
    stack.heads = 8;
    stack.kv_heads = 8;
    stack.head_dim = 64;
    stack.ffn = 1024;
    model.stacks.push_back(stack);
    return model;
}

SoftwareProfile trainer() {
    SoftwareProfile software;
    software.id = "trainer";
    software.defaults.weights = DType::fp32;
    software.defaults.sharding = Sharding::zero3;
    software.defaults.recompute = RecomputeMode::selective;
    software.defaults.lora_weights = DType::bf16;
    return software;
}

Workload resolved(const WorkloadDocument& document, int accelerators = 8) {
    const auto result = resolve(document, llama(), trainer(), accelerators);
    BOOST_TEST_REQUIRE(result.has_value(), (result ? std::string() : result.error().text()));
    return result->workload;
}

std::string refusal(const WorkloadDocument& document, int accelerators = 8) {
    const auto result = resolve(document, llama(), trainer(), accelerators);
    BOOST_TEST_REQUIRE(!result.has_value());
    return result.error().text();
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resolve_document)

BOOST_AUTO_TEST_CASE(an_empty_training_document) {
    const Workload workload = resolved({});
    BOOST_TEST((workload.method == Method::full));
    BOOST_TEST(workload.framework == "trainer");
    BOOST_TEST((workload.weights == DType::fp32));
    BOOST_TEST((workload.gradients == DType::fp32));        // as the weights that train
    BOOST_TEST((workload.optimizer_state == DType::fp32));  // likewise
    BOOST_TEST((workload.plan.sharding == Sharding::zero3));
    BOOST_TEST((workload.plan.recompute == RecomputeMode::selective));
    BOOST_TEST(workload.plan.data == 8);
    BOOST_TEST(workload.batch.global == 8);  // micro 1 x data 8
    BOOST_TEST(workload.batch.sequence_length == 4096);
    BOOST_TEST(!workload.lora.has_value());
}

BOOST_AUTO_TEST_CASE(every_default_is_listed_with_its_origin) {
    const auto result = resolve({}, llama(), trainer(), 8);
    const auto find = [&](const std::string& field) {
        const auto at = std::find_if(result->defaults.begin(), result->defaults.end(),
                                     [&](const FilledDefault& one) { return one.field == field; });
        BOOST_TEST_REQUIRE((at != result->defaults.end()), field);
        return *at;
    };
    BOOST_TEST(find("precision.weights").value == "fp32");
    BOOST_TEST(find("precision.weights").from == "software profile trainer");
    BOOST_TEST(find("batch.micro").from == "ridgeline");
    BOOST_TEST(find("recompute").value == "selective");
    WorkloadDocument stated;
    stated.weights = DType::bf16;
    const auto other = resolve(stated, llama(), trainer(), 8);
    BOOST_TEST(
        std::none_of(other->defaults.begin(), other->defaults.end(),
                     [](const FilledDefault& one) { return one.field == "precision.weights"; }));
    BOOST_TEST((other->workload.gradients == DType::bf16));
}

BOOST_AUTO_TEST_CASE(one_accelerator_shards_nothing) {
    BOOST_TEST((resolved({}, 1).plan.sharding == Sharding::none));
}

BOOST_AUTO_TEST_CASE(data_parallel_ranks_are_what_is_left) {
    WorkloadDocument document;
    document.tensor = 2;
    document.context = 2;
    const Workload workload = resolved(document, 16);
    BOOST_TEST(workload.plan.data == 4);
    BOOST_TEST(workload.plan.sequence_parallel);
    document.tensor = 3;
    BOOST_TEST(has(refusal(document, 16), "leaves no whole number"));
    document.tensor = 2;
    document.data = 8;
    BOOST_TEST(has(refusal(document, 16), "is 32 ranks on 16 accelerators"));
    document.data = 1000000;
    document.tensor = 1000000;
    document.context = 1000000;
    BOOST_TEST(has(refusal(document, 16), "on 16 accelerators"));
    document.data.reset();
    BOOST_TEST(has(refusal(document, 16), "leaves no whole number"));
}

BOOST_AUTO_TEST_CASE(adapters) {
    WorkloadDocument document;
    document.method = Method::lora;
    Workload workload = resolved(document);
    BOOST_TEST_REQUIRE(workload.lora.has_value());
    BOOST_TEST(workload.lora->rank == 16);
    BOOST_TEST(workload.lora->targets.size() == 7U);  // q, k, v, o, gate, up, down
    BOOST_TEST((workload.lora->weights == DType::bf16));
    BOOST_TEST((workload.weights == DType::bf16));    // frozen base in 16 bit
    BOOST_TEST((workload.gradients == DType::bf16));  // of the adapters
    BOOST_TEST(!workload.master_weights);
    document.method.reset();
    document.has_lora = true;
    BOOST_TEST((resolved(document).method == Method::lora));
    document.quantization = "nf4";
    BOOST_TEST((resolved(document).method == Method::qlora));
}

// axolotl turns its kernels for adapters on where they hold: without dropout, not for weights in
// int8, not where FSDP makes one flat parameter of a unit.
BOOST_AUTO_TEST_CASE(adapters_in_functions_of_their_own) {
    SoftwareProfile software = trainer();
    software.defaults.sharding = Sharding::ddp;
    software.kernels.adapter.fused = true;
    const auto fused = [&software](const WorkloadDocument& document) {
        const auto result = resolve(document, llama(), software, 2);
        BOOST_TEST_REQUIRE(result.has_value());
        return result->workload.lora->fused;
    };
    WorkloadDocument document;
    document.method = Method::lora;
    BOOST_TEST(fused(document));
    document.lora_fused = false;
    BOOST_TEST(!fused(document));
    document.lora_fused.reset();
    document.lora_dropout = 0.1;
    BOOST_TEST(!fused(document));
    document.lora_dropout.reset();
    document.method = Method::qlora;
    BOOST_TEST(fused(document));
    document.quantization = "int8";
    BOOST_TEST(!fused(document));
    document.quantization.reset();
    document.sharding = Sharding::fsdp;
    BOOST_TEST(!fused(document));
    software.runtime.options.shards_by_parameter = true;
    BOOST_TEST(fused(document));
    software.kernels.adapter.fused = false;
    BOOST_TEST(!fused(document));
}

BOOST_AUTO_TEST_CASE(qlora_has_a_format) {
    WorkloadDocument document;
    document.method = Method::qlora;
    const Workload workload = resolved(document);
    BOOST_TEST(workload.quantization.name == "nf4");
    BOOST_TEST(workload.quantization.double_quantization);
    document.quantization = "gptq-int4";
    BOOST_TEST(!resolved(document).quantization.double_quantization);
}

BOOST_AUTO_TEST_CASE(contradictions) {
    WorkloadDocument document;
    document.method = Method::qlora;
    document.quantization = "none";
    BOOST_TEST(has(refusal(document), "precision.quantization"));
    document.method = Method::full;
    document.quantization = "nf4";
    BOOST_TEST(has(refusal(document), "method \"full\""));
    document.method = Method::lora;
    BOOST_TEST(has(refusal(document), "method \"lora\""));
    document = {};
    document.method = Method::full;
    document.has_lora = true;
    BOOST_TEST(has(refusal(document), "lora: is stated with method \"full\""));
    document = {};
    document.task = Task::inference;
    document.method = Method::full;
    BOOST_TEST(has(refusal(document), "method"));
    document = {};
    document.serving = Serving{};
    BOOST_TEST(has(refusal(document), "serving"));
    document = {};
    document.double_quantization = true;
    document.method = Method::qlora;
    document.quantization = "int8";
    BOOST_TEST(has(refusal(document), "double_quantization"));
    document = {};
    document.sharding = Sharding::hsdp;
    document.shard_group = 3;
    BOOST_TEST(has(refusal(document), "parallel.shard_group"));
    BOOST_TEST(!resolve({}, llama(), trainer(), 0).has_value());
}

// bitsandbytes and torchao unpack, update and pack tensor by tensor: no list of all roots is made.
BOOST_AUTO_TEST_CASE(states_of_8_bits_are_updated_one_by_one) {
    WorkloadDocument document;
    document.method = Method::full;
    document.optimizer_state = DType::int8;
    BOOST_TEST((resolved(document, 1).optimizer_implementation == OptimizerImplementation::fused));
    document.optimizer_implementation = OptimizerImplementation::foreach;
    BOOST_TEST(
        (resolved(document, 1).optimizer_implementation == OptimizerImplementation::foreach));
}

BOOST_AUTO_TEST_CASE(serving_defaults) {
    WorkloadDocument document;
    document.task = Task::inference;
    document.compute = ComputeType::fp16;
    const Workload workload = resolved(document, 1);
    BOOST_TEST_REQUIRE(workload.serving.has_value());
    BOOST_TEST((workload.weights == DType::fp16));
    BOOST_TEST((workload.kv_cache == DType::fp16));
    BOOST_TEST((workload.plan.recompute == RecomputeMode::none));
    BOOST_TEST((workload.plan.sharding == Sharding::none));
    BOOST_TEST(workload.batch.sequence_length == 1024 + 512);
    // What was filled, said again, is the same request.
    WorkloadDocument again = document;
    again.serving = workload.serving;
    again.sequence_length = workload.batch.sequence_length;
    BOOST_TEST((resolved(again, 1).serving == workload.serving));
    document.serving = Serving{.input_tokens = 100, .output_tokens = 28, .concurrency = 20};
    const Workload eight = resolved(document, 8);
    BOOST_TEST(eight.batch.micro == 3);  // 20 requests over 8 replicas
    BOOST_TEST(eight.batch.sequence_length == 128);
}

// llama-quant.cpp, LLAMA_FTYPE_MOSTLY_MXFP4_MOE: experts in MXFP4, all else in Q8_0.
BOOST_AUTO_TEST_CASE(a_reader_of_gguf_files_has_its_own_mxfp4) {
    WorkloadDocument document;
    document.task = Task::inference;
    document.quantization = "mxfp4";
    SoftwareProfile software = trainer();
    BOOST_TEST(resolve(document, llama(), software, 1)->workload.quantization.name == "mxfp4");
    software.usual_for = {UsualFor{.task = Task::inference, .weights = "gguf"}};
    BOOST_TEST(resolve(document, llama(), software, 1)->workload.quantization.name == "mxfp4_moe");
}

BOOST_AUTO_TEST_CASE(an_encoder_serves_in_one_pass) {
    Architecture encoder = llama();
    encoder.kind = ModelKind::encoder;
    encoder.has_head = false;
    encoder.stacks.back().tokens = 197;
    WorkloadDocument document;
    document.task = Task::inference;
    document.micro_batch = 32;
    const auto result = resolve(document, encoder, trainer(), 2);
    BOOST_TEST_REQUIRE(result.has_value());
    const Serving& serving = *result->workload.serving;
    BOOST_TEST(serving.input_tokens == 197);
    BOOST_TEST(serving.output_tokens == 0);
    BOOST_TEST(serving.concurrency == 64);  // 32 on each of two replicas
    BOOST_TEST((serving.phase == ServingPhase::prefill));
}

BOOST_AUTO_TEST_CASE(a_request_fits_the_positions_of_the_model) {
    Architecture small = llama();
    small.max_positions = 300;
    WorkloadDocument document;
    document.task = Task::inference;
    const auto result = resolve(document, small, trainer(), 1);
    BOOST_TEST(result->workload.serving->input_tokens == 200);
    BOOST_TEST(result->workload.serving->output_tokens == 100);
}

BOOST_AUTO_TEST_CASE(relative_positions_need_the_scores) {
    Architecture t5 = llama();
    t5.stacks.back().relative_buckets = 32;
    BOOST_TEST((resolve({}, t5, trainer(), 1)->workload.attention == AttentionKernel::eager));
    WorkloadDocument stated;
    stated.attention = AttentionKernel::flash;
    BOOST_TEST((resolve(stated, t5, trainer(), 1)->workload.attention == AttentionKernel::flash));
}

BOOST_AUTO_TEST_CASE(kernels_need_nothing) {
    WorkloadDocument document;
    document.task = Task::kernel;
    document.kernel = Kernel{.operation = "gemm", .m = 1, .n = 2, .k = 3};
    const auto result = resolve(document, Architecture{}, trainer(), 1);
    BOOST_TEST_REQUIRE(result.has_value());
    BOOST_TEST(result->workload.kernel->n == 2);
}

BOOST_AUTO_TEST_CASE(target_names_of_other_families) {
    const auto expand = [](const std::vector<std::string>& names) {
        return expand_targets(llama(), names);
    };
    BOOST_TEST((*expand({"qkv_proj"}) == std::vector<std::string>{"q_proj", "k_proj", "v_proj"}));
    BOOST_TEST(
        (*expand({"linear_fc1", "up_proj"}) == std::vector<std::string>{"gate_proj", "up_proj"}));
    BOOST_TEST((*expand({"all-linear", "lm_head"})).size() == 8U);
    // The end of a module's path.
    BOOST_TEST((*expand({"self_attn.q_proj", "layers.3.mlp.up_proj"}) ==
                std::vector<std::string>{"q_proj", "up_proj"}));
    BOOST_TEST((*expand({"c_proj"}) == std::vector<std::string>{"o_proj", "down_proj"}));
    BOOST_TEST(!expand({"self_attn.q_prj"}).has_value());
    BOOST_TEST(!expand({"shared_expert.up_proj"}).has_value());  // none here
    Architecture sparse = llama();
    sparse.stacks.back().moe = MixtureOfExperts{.experts = 4, .shared_ffn = 64};
    BOOST_TEST((*expand_targets(sparse, {"mlp.shared_experts.up_proj"}) ==
                std::vector<std::string>{"shared.up_proj"}));
    // A path that names the module reaches what stands in it alone.
    BOOST_TEST((*expand({"mlp.q_proj", "self_attn.q_proj", "attn.c_proj"}) ==
                std::vector<std::string>{"q_proj", "o_proj"}));
    BOOST_TEST(!expand_targets(sparse, {"mlp.up_proj"}).has_value());  // experts within it
    sparse.stacks.back().moe->first_dense_layers = 1;
    BOOST_TEST(
        (*expand_targets(sparse, {"mlp.up_proj"}) == std::vector<std::string>{"mlp.up_proj"}));
    BOOST_TEST(has(expand({"q_prj"}).error().text(), "Did you mean \"q_proj\""));
    Architecture plain = llama();
    plain.stacks.back().gated = false;
    BOOST_TEST(expand_targets(plain, {"all-linear"})->size() == 6U);
    BOOST_TEST(expand_targets(plain, {"gate_proj", "up_proj"})->size() == 1U);
    BOOST_TEST(!expand_targets(plain, {"gate_proj"}).has_value());
    Architecture latent = llama();
    latent.stacks.back().mla = LatentAttention{.q_rank = 8, .kv_rank = 8};
    BOOST_TEST(linear_names(latent).size() == 8U);
}

BOOST_AUTO_TEST_SUITE_END()
