#include "spec/workload_fields.h"

#include "base/text.h"
#include "spec/words.h"
#include "spec/workload_row.h"

#include <array>

namespace ridgeline {
namespace {

constexpr double most_ranks = 1e6;
constexpr double most_samples = 1e9;

using namespace rows;
using Document = WorkloadDocument;

constexpr unsigned texts = work::text_training | work::text_serving;
constexpr unsigned all_models = texts | work::network;

/// A field whose reader stores it (data/load_workload.cpp).
void ignored(WorkloadDocument&, const FieldValue&) {}

std::span<const std::string_view> sparse_formats() {
    static constexpr std::array<std::string_view, 2> words = {"csr", "ell"};
    return words;
}
/// Parts of a pipeline that are asked for alone: of pictures, then of speech.
std::span<const std::string_view> part_words() {
    static constexpr std::array<std::string_view, 5> words = {"pipeline", "denoise", "step",
                                                              "encode", "decode"};
    return words;
}
std::span<const std::string_view> round_words() {
    static constexpr std::array<std::string_view, 1> words = {"weight_sync"};
    return words;
}
std::span<const std::string_view> unit_words() {
    static constexpr std::array<std::string_view, 2> words = {"vector", "matrix"};
    return words;
}
std::span<const std::string_view> library_words() {
    static constexpr std::array<std::string_view, 2> words = {"tuned", "plain"};
    return words;
}

constexpr std::array fields = {
    telling(work::text_training,
            word<&Document::method, &method_words>("/method", "method", "full, lora or qlora")),

    telling(all_models, field<&Document::framework>("/software/framework", "framework",
                                                    FieldType::text, "software profile id")),
    word<&Document::attention, &attention_words>("/software/attention", "attention",
                                                 "flash, sdpa or eager"),
    boolean<&Document::compiled>("/software/compile", "compile", "true or false"),
    word<&Document::loss, &loss_words>("/software/loss", "loss",
                                       "eager, chunked, compiled, fused_linear or vocab_parallel"),
    boolean<&Document::cuda_graphs>("/software/cuda_graphs", "cuda-graphs", "true or false"),
    boolean<&Document::channels_last>("/software/channels_last", "channels-last",
                                      "images pixel by pixel (NHWC): true or false"),
    boolean<&Document::fp16_accumulate>("/software/fp16_accumulate", "fp16-accumulate",
                                        "true or false"),
    boolean<&Document::cached_conditions>("/software/precomputed_conditions",
                                          "precomputed-conditions",
                                          "latents and texts were encoded before: true or false"),

    telling(texts, word<&Document::weights, &weight_type_words>("/precision/weights", "weights",
                                                                "fp32, bf16, fp16 or fp8")),
    telling(work::text_training, word<&Document::compute, &compute_type_words>(
                                     "/precision/compute", "compute",
                                     "fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 or int8")),
    word<&Document::gradients, &weight_type_words>("/precision/gradients", "gradients",
                                                   "as --weights"),
    word<&Document::master_weights, &master_weight_words>("/precision/master_weights",
                                                          "master-weights", "fp32 or none"),
    telling(texts,
            listed_word<&Document::quantization, &quantization_words>(
                "/precision/quantization", "quantization",
                "none, nf4, int8, int4, gptq-int4, awq-int4, fp8, mxfp4, nvfp4, q4_k_m, ...")),
    boolean<&Document::double_quantization>("/precision/double_quantization", "double-quantization",
                                            "true or false"),

    word<&Document::kv_cache, &state_type_words>("/precision/kv_cache", "kv-cache",
                                                 "bf16, fp16, fp8 or int8"),

    telling(work::text_training, listed_word<&Document::optimizer, &optimizer_words>(
                                     "/optimizer/name", "optimizer", "adamw, sgd, adafactor, ...")),

    word<&Document::optimizer_state, &state_type_words>("/optimizer/state", "optimizer-state",
                                                        "fp32, bf16, int8 or int4"),
    word<&Document::optimizer_implementation, &implementation_words>(
        "/optimizer/implementation", "optimizer-implementation", "foreach, fused or paged"),
    boolean<&Document::optimizer_in_backward>("/optimizer/in_backward", "optimizer-in-backward",
                                              "true or false"),

    telling(work::text_training, number<&Document::lora_rank>("/lora/rank", "rank", 1, 65'536, "",
                                                              "rank of the LoRA adapters")),
    telling(work::text_training,
            field<&Document::lora_targets>("/lora/targets", "targets", FieldType::names,
                                           "all-linear, or modules joined by commas")),
    word<&Document::lora_variant, &lora_variant_words>("/lora/variant", "lora-variant",
                                                       "lora, dora or rslora"),
    word<&Document::lora_weights, &weight_type_words>("/lora/weights", "lora-weights",
                                                      "type of the adapters"),
    number<&Document::lora_dropout>("/lora/dropout", "lora-dropout", 0, 1, "share", "of adapters"),
    boolean<&Document::lora_fused>("/lora/fused", "lora-fused",
                                   "adapters in kernels that keep what they read alone (Unsloth, "
                                   "axolotl's lora_*_kernel): true or false"),
    word<&Document::kbit_preparation, &upcast_words>(
        "/lora/kbit_preparation", "kbit-preparation",
        "what it makes fp32 beside quantised weights: none, norms or all"),

    telling(work::text_training | work::network,
            number<&Document::micro_batch>("/batch/micro", "micro-batch", 1, most_samples,
                                           "samples", "samples per rank and pass")),
    telling(work::text_training | work::network,
            number<&Document::global_batch>("/batch/global", "batch", 1, most_samples, "samples",
                                            "samples per optimizer step")),
    telling(work::text_training,
            number<&Document::sequence_length>("/batch/sequence_length", "sequence", 1,
                                               most_samples, "tokens", "tokens per sample")),
    telling(work::network, number<&Document::image_size>("/batch/image_size", "image-size", 1,
                                                         65'536, "pixels", "pixels of one side")),
    number<&Document::image_height>("/batch/image_height", "image-height", 1, 65'536, "pixels",
                                    "pixels of the height, where it is another"),
    number<&Document::frames>("/batch/frames", "frames", 1, 1e6, "frames", "frames of a clip"),
    number<&Document::audio_seconds>("/batch/audio_seconds", "audio-seconds", 1e-3, 1e6, "s",
                                     "mean length of an utterance"),
    number<&Document::encoder_steps>("/batch/encoder_steps", "encoder-steps", 1, 1e6, "",
                                     "recurrent networks: source steps"),
    number<&Document::decoder_steps>("/batch/decoder_steps", "decoder-steps", 1, 1e6, "",
                                     "recurrent networks: target steps"),
    number<&Document::beam>("/batch/beam", "beam", 1, 1000, "", "hypotheses of a decoder"),
    label<&Document::phase, &part_words>(
        "/batch/phase", "part",
        "the one part that is wanted: denoise or step of a picture, encode or decode of speech"),
    number<&Document::latent_size>("/batch/latent_size", "latent-size", 1, 65'536, "pixels",
                                   "pixels of one latent side"),
    number<&Document::steps>("/batch/steps", "steps", 1, 1e6, "", "denoising steps"),
    number<&Document::guidance_passes>("/batch/guidance_passes", "guidance-passes", 1, 1000, "",
                                       "passes a denoising step"),

    telling(texts, number<&Document::data>("/parallel/data", "data", 1, most_ranks, "ranks",
                                           "data-parallel ranks")),
    telling(texts, number<&Document::tensor>("/parallel/tensor", "tensor", 1, most_ranks, "ranks",
                                             "tensor-parallel ranks")),
    telling(texts, number<&Document::pipeline>("/parallel/pipeline", "pipeline", 1, most_ranks,
                                               "ranks", "pipeline stages")),
    number<&Document::virtual_pipeline>("/parallel/virtual_pipeline", "virtual-pipeline", 1,
                                        most_ranks, "", "model chunks per pipeline stage"),
    number<&Document::context>("/parallel/context", "context", 1, most_ranks, "ranks",
                               "context-parallel ranks"),
    number<&Document::expert>("/parallel/expert", "expert", 1, most_ranks, "ranks",
                              "expert-parallel ranks"),
    boolean<&Document::sequence_parallel>("/parallel/sequence_parallel", "sequence-parallel",
                                          "true or false"),
    word<&Document::sharding, &sharding_words>("/parallel/sharding", "sharding",
                                               "none, ddp, zero1, zero2, zero3, fsdp or hsdp"),
    number<&Document::shard_group>("/parallel/shard_group", "shard-group", 1, most_ranks, "ranks",
                                   "ranks that share one copy (hsdp)"),
    boolean<&Document::reshard_after_forward>("/parallel/reshard_after_forward",
                                              "reshard-after-forward", "true or false"),
    boolean<&Document::reduce_each_micro_batch>("/parallel/reduce_each_micro_batch",
                                                "reduce-each-micro-batch", "true or false"),
    telling(work::text_training, word<&Document::recompute, &recompute_words>(
                                     "/recompute", "recompute", "none, selective or full")),

    word<&Document::offload_optimizer, &offload_words>("/offload/optimizer", "offload-optimizer",
                                                       "none, cpu or nvme"),
    word<&Document::offload_parameters, &offload_words>("/offload/parameters", "offload-parameters",
                                                        "none, cpu or nvme"),
    word<&Document::offload_activations, &offload_words>("/offload/activations",
                                                         "offload-activations", "none or cpu"),

    number<&Document::duration_tokens>("/duration/tokens", "tokens", 1, 1e18, "tokens",
                                       "tokens of the run (1T, 500M)"),
    number<&Document::duration_samples>("/duration/samples", "samples", 1, 1e18, "samples",
                                        "images, clips or utterances of the run (115M)"),
    number<&Document::duration_epochs>("/duration/epochs", "epochs", 1e-6, 1e9, "",
                                       "passes over the dataset"),
    number<&Document::dataset_samples>("/dataset/samples", "dataset-samples", 1, 1e15, "samples",
                                       "samples of one epoch (1.28M)"),
    number<&Document::dataset_bytes>("/dataset/bytes", "dataset-bytes", 1, 1e18, "bytes",
                                     "bytes of the dataset on storage"),

    telling(work::text_serving,
            number<&Serving::input_tokens>("/serving/input_tokens", "input-tokens", 0, 1e9,
                                           "tokens", "prompt tokens")),
    telling(work::text_serving,
            number<&Serving::output_tokens>("/serving/output_tokens", "output-tokens", 0, 1e9,
                                            "tokens", "generated tokens")),
    telling(work::text_serving,
            number<&Serving::concurrency>("/serving/concurrency", "concurrency", 1, most_samples,
                                          "requests", "requests in flight")),
    word<&Serving::phase, &phase_words>("/serving/phase", "phase", "end_to_end, prefill or decode"),
    number<&Serving::draft_tokens>("/serving/draft_tokens", "draft-tokens", 0, 64, "",
                                   "speculative decoding: tokens proposed a step"),
    number<&Serving::acceptance>("/serving/acceptance", "acceptance", 0, 1, "share",
                                 "share of proposed tokens that are right (0.7)"),
    number<&Serving::draft_parameters>("/serving/draft_parameters", "draft-parameters", 0, 1e13, "",
                                       "of the draft model (1B); 0: n-gram look-up"),
    number<&Serving::gpu_layers>("/serving/gpu_layers", "gpu-layers", 0, 100'000, "layers",
                                 "layers on the accelerator, the others on the host"),
    number<&Serving::host_expert_layers>("/serving/host_expert_layers", "host-expert-layers", 0,
                                         100'000, "layers",
                                         "first layers whose routed experts stay on the host"),
    number<&Serving::host_memory_rate>(
        "/serving/host_memory_gb_per_s", "host-memory-gb-per-s", 0, 100'000, "GB/s",
        "of the host's memory for what stays there: channels x 8 bytes x MT/s (two of DDR5-5600)"),
    number<&Serving::request_rate>("/serving/request_rate", "request-rate", 0, 1e6, "requests/s",
                                   "requests a second that come at random times"),
    boolean<&Serving::burst>("/serving/burst", "burst",
                             "all requests (--concurrency) come at once: true or false"),
    number<&Serving::shortest_share>(
        "/serving/shortest_share", "shortest-share", 0, 1, "share",
        "lengths are drawn evenly from this share of the stated ones on"),
    number<&Serving::longest_output>("/serving/longest_output_tokens", "longest-output", 1, 1e9,
                                     "tokens",
                                     "longest answer; lengths are spread as those of chats"),
    number<&Serving::cached_share>("/serving/cached_share", "cached-share", 0, 1, "share",
                                   "of each prompt, found in the prefix cache"),
    number<&Serving::prompt_replicas>("/serving/prompt_replicas", "prompt-replicas", 0, most_ranks,
                                      "", "replicas that run prompts alone, for the others"),
    number<&Serving::iteration_tokens>(
        "/serving/iteration_tokens", "iteration-tokens", 1, 1e9, "tokens",
        "most tokens of one pass (max_num_batched_tokens, ubatch-size)"),
    number<&Serving::prompt_wait_iterations>("/serving/prompt_wait_iterations", "prompt-wait", 0,
                                             1e6, "steps",
                                             "decode steps that prompts wait for company"),

    number<&InputPipeline::bytes_per_sample>("/input/bytes_per_sample", "sample-bytes", 0, 1e13,
                                             "bytes", "bytes of one sample on storage"),
    number<&InputPipeline::reads_per_sample>("/input/reads_per_sample", "sample-reads", 0, 1e9, "",
                                             "random reads a sample"),
    number<&InputPipeline::decoded_bytes_per_sample>("/input/decoded_bytes_per_sample",
                                                     "decoded-bytes", 0, 1e13, "bytes",
                                                     "bytes of one sample once decoded"),
    with(number<&InputPipeline::decode_core_seconds>(
             "/input/decode_core_ms_per_sample", "decode-ms", 0, 1e9, "ms",
             "milliseconds of one host core to decode a sample"),
         &put_scaled<&InputPipeline::decode_core_seconds, 1>),
    number<&InputPipeline::cores_per_accelerator>("/input/cores_per_accelerator",
                                                  "cores-per-accelerator", 1e-3, 1e6, "cores",
                                                  "host cores that decode for one accelerator"),
    field<&InputPipeline::storage>("/input/storage", "storage", FieldType::text,
                                   "where samples are read from: an id of catalog list storage"),
    with(number<&InputPipeline::storage_bytes_per_s>("/input/storage_gb_per_s", "storage-gb-per-s",
                                                     1e-9, 1e9, "GB/s",
                                                     "read rate of the storage for one node"),
         &put_gigabytes<&InputPipeline::storage_bytes_per_s>),
    number<&InputPipeline::storage_reads_per_s>("/input/storage_reads_per_s", "storage-reads-per-s",
                                                1e-3, 1e15, "1/s",
                                                "random reads a second for one node"),
    boolean<&InputPipeline::direct>("/input/gpudirect", "gpudirect", "true or false"),
    field<&Document::network>(
        "/network", "network", FieldType::text,
        "between nodes: ib-ndr, roce-400, eth-100:2 (two ports a node), ... of catalog list links; "
        "between the cards of a machine: nvlink (their bridge), pcie; both: nvlink+ib-ndr"),

    listed_word<&Kernel::operation, &kernel_words>(
        "/kernel/operation", "kernel",
        "a single kernel: gemm, fft3d, triad, spmv, hpl, nbody, ..."),
    field<&Kernel::size>("/kernel/size", "size", FieldType::text,
                         "sides of a matrix, grid or transform: 4096, 512x512x512", &ignored),
    word<&Document::compute, &compute_type_words>(
        "/kernel/compute", "dtype",
        "number type of a kernel: fp64, fp32, tf32, fp16, bf16, fp8, int8"),
    number<&Kernel::elements>("/kernel/elements", "elements", 1, 1e15, "",
                              "length of an array; bodies, atoms, keys, cells a device (1M)"),
    number<&Kernel::batch>("/kernel/batch", "kernel-batch", 1, 1e12, "",
                           "independent products or transforms"),
    number<&Kernel::nonzeros>("/kernel/nonzeros", "nonzeros", 1, 1e15, "",
                              "stored elements of a sparse matrix"),
    listed_word<&Kernel::format, &sparse_formats>("/kernel/format", "sparse-format", "csr or ell"),
    boolean<&Kernel::real>("/kernel/real", "real", "a transform of real numbers: true or false"),
    listed_word<&Kernel::method, &force_words>(
        "/kernel/method", "forces",
        "molecular dynamics: pme, rf, lj-pme, implicit, amoeba, lj or eam"),
    number<&Kernel::time_step_fs>("/kernel/time_step_fs", "time-step-fs", 0.01, 100, "fs",
                                  "molecular dynamics: time step"),
    number<&Kernel::launches>("/kernel/launches", "launches", 1, 1e12, "",
                              "runs one after another on the same data, which may stay in cache"),
    listed_word<&Kernel::units, &unit_words>("/kernel/units", "units",
                                             "vector: not on the matrix units"),
    listed_word<&Kernel::library, &library_words>("/kernel/library", "library",
                                                  "tuned, or plain: a loop as written, on a CPU"),
    number<&Kernel::cores>("/kernel/cores", "cores", 1, 1e6, "cores", "cores of a CPU that work"),
    boolean<&Kernel::copies>("/kernel/copies", "copies",
                             "count the copies from and to host memory: true or false"),
    word<&PreferenceTuning::algorithm, &algorithm_words>(
        "/rl/algorithm", "algorithm",
        "tuning by preferences or rewards: dpo, orpo, simpo, kto, ppo, grpo, rloo or dapo"),
    number<&PreferenceTuning::prompts>("/rl/prompts_per_step", "prompts-per-round", 1, 1e9,
                                       "prompts", "prompts of a round"),
    number<&PreferenceTuning::group>("/rl/rollouts_per_prompt", "group-size", 1, 1e6, "answers",
                                     "answers to each prompt"),
    number<&PreferenceTuning::answers>("/rl/rollouts_per_step", "answers-per-round", 1, 1e9,
                                       "answers", "answers of a round"),
    number<&PreferenceTuning::prompt_tokens>("/rl/prompt_tokens", "prompt-tokens", 0, 1e8, "tokens",
                                             "of a prompt, on average"),
    number<&PreferenceTuning::answer_tokens>("/rl/answer_tokens", "response-tokens", 1, 1e8,
                                             "tokens", "of a generated answer, on average"),
    number<&PreferenceTuning::mean_tokens>("/rl/mean_sequence_length", "mean-tokens", 1, 1e8,
                                           "tokens", "prompt and answer together, on average"),
    number<&PreferenceTuning::longest_tokens>("/rl/max_sequence_length", "longest-tokens", 1, 1e8,
                                              "tokens", "the most that prompt and answer may have"),
    word<&PreferenceTuning::placement, &placement_words>("/rl/placement", "rollout-placement",
                                                         "colocated or separate"),
    number<&PreferenceTuning::trainer_accelerators>("/rl/trainer_accelerators", "trainer-cards", 1,
                                                    most_ranks, "", "accelerators that update"),
    number<&PreferenceTuning::rollout_accelerators>("/rl/rollout_accelerators", "rollout-cards", 1,
                                                    most_ranks, "accelerators",
                                                    "that generate answers beside the update"),
    number<&PreferenceTuning::rollout_tensor>("/rl/rollout_tensor", "rollout-tensor", 1, most_ranks,
                                              "ranks", "tensor-parallel ranks of one engine"),
    field<&PreferenceTuning::reward_model>("/rl/reward_model", "reward-model", FieldType::text,
                                           "none, rule, same size or a size such as 1B"),
    field<&PreferenceTuning::critic>("/rl/critic", "critic", FieldType::text,
                                     "none, same size or a size such as 1B"),
    boolean<&PreferenceTuning::reference>(
        "/rl/reference", "reference",
        "a frozen copy of the policy scores the answers: true or false"),
    boolean<&PreferenceTuning::engine>(
        "/rl/engine", "rollout-engine",
        "an engine writes the answers, not the trainer itself: true or false"),
    boolean<&PreferenceTuning::engine_sleeps>(
        "/rl/engine_sleeps", "rollout-sleeps",
        "that engine gives its memory back meanwhile: true or false"),
    boolean<&PreferenceTuning::reference_on_host>(
        "/rl/reference_on_host", "reference-on-host",
        "the reference waits there between its passes: true or false"),
    boolean<&PreferenceTuning::packed>("/rl/packed", "packed",
                                       "sequences pass without padding: true or false"),
    number<&PreferenceTuning::staleness>("/rl/policy_staleness_steps", "staleness", 0, 1e6,
                                         "rounds", "that the generating policy may be behind"),
    number<&PreferenceTuning::epochs>("/rl/epochs", "update-epochs", 0.01, 1000, "",
                                      "passes of the update over a round's answers"),
    label<&PreferenceTuning::phase, &round_words>("/rl/phase", "round-phase",
                                                  "the one part wanted: weight_sync"),
};

}  // namespace

std::span<const std::string_view> force_words() {
    static constexpr std::array<std::string_view, 7> words = {"pme",    "rf", "lj-pme", "implicit",
                                                              "amoeba", "lj", "eam"};
    return words;
}

std::string_view WorkloadField::section() const {
    const std::size_t slash = path.rfind('/');
    return slash == 0 ? std::string_view() : path.substr(1, slash - 1);
}

std::string_view WorkloadField::key() const { return last_part(path); }

std::span<const WorkloadField> workload_fields() { return fields; }

const WorkloadField* field_of_option(std::string_view option) {
    for (const WorkloadField& row : fields) {
        if (!option.empty() && row.option == option) {
            return &row;
        }
    }
    return nullptr;
}

}  // namespace ridgeline
