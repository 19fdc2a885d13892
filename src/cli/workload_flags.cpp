#include "cli/workload_flags.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "data/load.h"

namespace ridgeline::cli {
namespace {

constexpr std::array flag_table = {
    WorkloadFlag{"--model", "/model", FlagKind::text, "model id, or a size such as 70B"},
    WorkloadFlag{"--task", "/task", FlagKind::text, "train or inference"},
    WorkloadFlag{"--method", "/method", FlagKind::text, "full, lora or qlora"},
    WorkloadFlag{"--framework", "/software/framework", FlagKind::text, "software profile id"},
    WorkloadFlag{"--attention", "/software/attention", FlagKind::text, "flash, sdpa or eager"},
    WorkloadFlag{"--compile", "/software/compile", FlagKind::boolean, "true or false"},
    WorkloadFlag{"--loss", "/software/loss", FlagKind::text,
                 "eager, chunked, compiled, fused_linear or vocab_parallel"},
    WorkloadFlag{"--weights", "/precision/weights", FlagKind::text, "fp32, bf16, fp16 or fp8"},
    WorkloadFlag{"--compute", "/precision/compute", FlagKind::text,
                 "fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 or int8"},
    WorkloadFlag{"--gradients", "/precision/gradients", FlagKind::text, "as --weights"},
    WorkloadFlag{"--master-weights", "/precision/master_weights", FlagKind::text, "fp32 or none"},
    WorkloadFlag{"--quantization", "/precision/quantization", FlagKind::text,
                 "none, nf4, int8, int4, gptq-int4, awq-int4, fp8, mxfp4, nvfp4, q4_k_m, ..."},
    WorkloadFlag{"--kv-cache", "/precision/kv_cache", FlagKind::text, "bf16, fp16, fp8 or int8"},
    WorkloadFlag{"--optimizer", "/optimizer/name", FlagKind::text, "adamw, sgd, adafactor, ..."},
    WorkloadFlag{"--optimizer-state", "/optimizer/state", FlagKind::text,
                 "fp32, bf16, int8 or int4"},
    WorkloadFlag{"--rank", "/lora/rank", FlagKind::number, "rank of the LoRA adapters"},
    WorkloadFlag{"--targets", "/lora/targets", FlagKind::list,
                 "all-linear, or modules joined by commas"},
    WorkloadFlag{"--lora-variant", "/lora/variant", FlagKind::text, "lora, dora or rslora"},
    WorkloadFlag{"--micro-batch", "/batch/micro", FlagKind::number, "samples per rank and pass"},
    WorkloadFlag{"--batch", "/batch/global", FlagKind::number, "samples per optimizer step"},
    WorkloadFlag{"--sequence", "/batch/sequence_length", FlagKind::number, "tokens per sample"},
    WorkloadFlag{"--image-size", "/batch/image_size", FlagKind::number, "pixels of one side"},
    WorkloadFlag{"--frames", "/batch/frames", FlagKind::number, "frames of a clip"},
    WorkloadFlag{"--audio-seconds", "/batch/audio_seconds", FlagKind::number,
                 "mean length of an utterance"},
    WorkloadFlag{"--steps", "/batch/steps", FlagKind::number, "denoising steps"},
    WorkloadFlag{"--channels-last", "/software/channels_last", FlagKind::boolean,
                 "images pixel by pixel (NHWC): true or false"},
    WorkloadFlag{"--data", "/parallel/data", FlagKind::number, "data-parallel ranks"},
    WorkloadFlag{"--tensor", "/parallel/tensor", FlagKind::number, "tensor-parallel ranks"},
    WorkloadFlag{"--pipeline", "/parallel/pipeline", FlagKind::number, "pipeline stages"},
    WorkloadFlag{"--virtual-pipeline", "/parallel/virtual_pipeline", FlagKind::number,
                 "model chunks per pipeline stage"},
    WorkloadFlag{"--context", "/parallel/context", FlagKind::number, "context-parallel ranks"},
    WorkloadFlag{"--expert", "/parallel/expert", FlagKind::number, "expert-parallel ranks"},
    WorkloadFlag{"--sequence-parallel", "/parallel/sequence_parallel", FlagKind::boolean,
                 "true or false"},
    WorkloadFlag{"--sharding", "/parallel/sharding", FlagKind::text,
                 "none, ddp, zero1, zero2, zero3, fsdp or hsdp"},
    WorkloadFlag{"--shard-group", "/parallel/shard_group", FlagKind::number,
                 "ranks that share one copy (hsdp)"},
    WorkloadFlag{"--recompute", "/recompute", FlagKind::text, "none, selective or full"},
    WorkloadFlag{"--offload-optimizer", "/offload/optimizer", FlagKind::text, "none, cpu or nvme"},
    WorkloadFlag{"--offload-parameters", "/offload/parameters", FlagKind::text,
                 "none, cpu or nvme"},
    WorkloadFlag{"--offload-activations", "/offload/activations", FlagKind::text, "none or cpu"},
    WorkloadFlag{"--tokens", "/duration/tokens", FlagKind::number, "tokens of the run (1T, 500M)"},
    WorkloadFlag{"--samples", "/duration/samples", FlagKind::number,
                 "images, clips or utterances of the run (115M)"},
    WorkloadFlag{"--epochs", "/duration/epochs", FlagKind::number, "passes over the dataset"},
    WorkloadFlag{"--dataset-samples", "/dataset/samples", FlagKind::number,
                 "samples of one epoch (1.28M)"},
    WorkloadFlag{"--dataset-bytes", "/dataset/bytes", FlagKind::number,
                 "bytes of the dataset on storage"},
    WorkloadFlag{"--input-tokens", "/serving/input_tokens", FlagKind::number, "prompt tokens"},
    WorkloadFlag{"--output-tokens", "/serving/output_tokens", FlagKind::number,
                 "generated tokens"},
    WorkloadFlag{"--concurrency", "/serving/concurrency", FlagKind::number,
                 "requests in flight"},
    WorkloadFlag{"--draft-tokens", "/serving/draft_tokens", FlagKind::number,
                 "speculative decoding: tokens proposed a step"},
    WorkloadFlag{"--acceptance", "/serving/acceptance", FlagKind::number,
                 "share of proposed tokens that are right (0.7)"},
    WorkloadFlag{"--draft-parameters", "/serving/draft_parameters", FlagKind::number,
                 "of the draft model (1B); 0: n-gram look-up"},
    WorkloadFlag{"--gpu-layers", "/serving/gpu_layers", FlagKind::number,
                 "layers on the accelerator, the others on the host"},
    WorkloadFlag{"--storage", "/input/storage", FlagKind::text,
                 "where samples are read from: an id of catalog list storage"},
    WorkloadFlag{"--sample-bytes", "/input/bytes_per_sample", FlagKind::number,
                 "bytes of one sample on storage"},
    WorkloadFlag{"--decode-ms", "/input/decode_core_ms_per_sample", FlagKind::number,
                 "milliseconds of one host core to decode a sample"},
    WorkloadFlag{"--phase", "/serving/phase", FlagKind::text, "end_to_end, prefill or decode"},
};

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (code < 0x20) {
            out += fmt::format("\\u{:04x}", code);
        } else {
            out += c;
        }
    }
    return out + '"';
}

/// Lengths in thousands are powers of two as in a question: "8k" is 8192, "10k" ten thousand.
std::optional<double> number_of_flag(const WorkloadFlag& flag, const std::string& text) {
    const auto number = number_with_suffix(text);
    const bool length = flag.name == "--sequence" || flag.name == "--input-tokens" ||
                        flag.name == "--output-tokens";
    const bool thousands = length && number && (text.ends_with('k') || text.ends_with('K'));
    return thousands && std::fmod(*number, 5000) != 0 ? *number * 1.024 : number;
}

Result<std::string> json_value(const WorkloadFlag& flag, const std::string& given) {
    // "LoRA" is a method, "BF16" a type; names of models and modules keep their case.
    const bool own_case = flag.name == "--model" || flag.kind == FlagKind::list;
    const std::string text = own_case ? given : lower(given);
    if (flag.kind == FlagKind::number) {
        const auto number = number_of_flag(flag, given);
        if (!number) {
            return usage_error(std::string(flag.name),
                               fmt::format("found \"{}\", expected a finite number", text),
                               "Examples: 8, 4096, 8k, 1.5T.");
        }
        if (std::abs(*number) < 1e15 && *number == std::floor(*number)) {
            return fmt::format("{:.0f}", *number);
        }
        return fmt::format("{}", *number);
    }
    if (flag.kind == FlagKind::boolean) {
        if (text != "true" && text != "false") {
            return usage_error(std::string(flag.name),
                               fmt::format("found \"{}\", expected true or false", text));
        }
        return text;
    }
    if (flag.kind == FlagKind::list && text != "all-linear") {
        std::string array = "[";
        for (const std::string& piece : split(text, ',')) {
            array += (array.size() > 1 ? "," : "") + json_text(piece);
        }
        return array + "]";
    }
    return json_text(text);
}

/// The flags as a workload document, so that one reader checks both.
Result<std::string> json_of(const WorkloadFlags& flags) {
    std::map<std::string, std::string> sections;
    const auto add = [&](std::string_view path, const std::string& value) {
        const std::vector<std::string> keys = split(path.substr(1), '/');
        std::string& section = sections[keys[0]];
        if (keys.size() == 1) {
            section = value;
        } else {
            section += (section.empty() ? "" : ",") + json_text(keys[1]) + ":" + value;
        }
    };
    for (std::size_t i = 0; i < flags.values.size(); ++i) {
        if (flags.values[i]) {
            const auto value = json_value(flag_table[i], *flags.values[i]);
            if (!value) {
                return tl::unexpected(value.error());
            }
            add(flag_table[i].path, *value);
        }
    }
    if (sections.count("serving") > 0 && sections.count("task") == 0 && flags.file.empty()) {
        sections["task"] = "\"inference\"";
    }
    if (sections.count("lora") > 0 && sections.count("method") == 0 && flags.file.empty()) {
        sections["method"] = "\"lora\"";
    }
    std::string text = "{\"schema\":\"ridgeline/workload/1\"";
    for (const auto& [key, value] : sections) {
        const bool object = key != "model" && key != "task" && key != "method" && key != "recompute";
        text += "," + json_text(key) + ":" + (object ? "{" + value + "}" : value);
    }
    return text + "}";
}

/// Says an error of the document in terms of the flag that the value came from.
Error in_terms_of_flags(Error error) {
    const WorkloadFlag* cause = nullptr;
    for (const WorkloadFlag& flag : flag_table) {
        if (error.where.find(flag.path) != std::string::npos &&
            (cause == nullptr || flag.path.size() > cause->path.size())) {
            cause = &flag;
        }
    }
    if (cause != nullptr) {
        error.where = cause->name;
    }
    error.kind = ErrorKind::usage;
    return error;
}

}  // namespace

std::span<const WorkloadFlag> workload_flag_table() { return flag_table; }

Result<WorkloadDocument> workload_of(const WorkloadFlags& flags) {
    WorkloadDocument document;
    if (!flags.file.empty()) {
        auto loaded = load_workload(flags.file);
        if (!loaded) {
            return loaded;
        }
        document = std::move(*loaded);
    }
    const auto text = json_of(flags);
    if (!text) {
        return tl::unexpected(text.error());
    }
    auto from_flags = workload_from_json(*text, "command line");
    if (!from_flags) {
        return tl::unexpected(in_terms_of_flags(from_flags.error()));
    }
    const bool states_task = [&] {
        for (std::size_t i = 0; i < flags.values.size(); ++i) {
            if (flags.values[i] && (flag_table[i].path == "/task" ||
                                    flag_table[i].path.substr(0, 9) == "/serving/")) {
                return true;
            }
        }
        return false;
    }();
    const Task task = document.task;
    document = overlaid(std::move(document), *from_flags);
    if (!flags.file.empty() && !states_task) {
        document.task = task;
    }
    if (!flags.hf_config.empty()) {
        auto architecture = load_hf_config(flags.hf_config);
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        document.architecture = std::move(*architecture);
        document.model_id.clear();
    }
    return document;
}

WorkloadDocument overlaid(WorkloadDocument base, const WorkloadDocument& over) {
    const auto take = [](auto& to, const auto& from) {
        if (from) {
            to = from;
        }
    };
    if (!over.name.empty()) {
        base.name = over.name;
    }
    if (!over.model_id.empty() || over.architecture) {
        base.model_id = over.model_id;
        base.architecture = over.architecture;
    }
    base.task = over.task;
    take(base.method, over.method);
    take(base.framework, over.framework);
    take(base.attention, over.attention);
    take(base.compiled, over.compiled);
    take(base.loss, over.loss);
    take(base.cuda_graphs, over.cuda_graphs);
    take(base.channels_last, over.channels_last);
    take(base.fp16_accumulate, over.fp16_accumulate);
    take(base.cached_conditions, over.cached_conditions);
    take(base.weights, over.weights);
    take(base.compute, over.compute);
    take(base.gradients, over.gradients);
    take(base.master_weights, over.master_weights);
    take(base.quantization, over.quantization);
    take(base.double_quantization, over.double_quantization);
    take(base.kv_cache, over.kv_cache);
    take(base.optimizer, over.optimizer);
    take(base.optimizer_state, over.optimizer_state);
    take(base.optimizer_implementation, over.optimizer_implementation);
    take(base.optimizer_in_backward, over.optimizer_in_backward);
    base.has_lora = base.has_lora || over.has_lora;
    take(base.lora_rank, over.lora_rank);
    take(base.lora_variant, over.lora_variant);
    take(base.lora_targets, over.lora_targets);
    take(base.lora_weights, over.lora_weights);
    take(base.lora_dropout, over.lora_dropout);
    take(base.micro_batch, over.micro_batch);
    take(base.global_batch, over.global_batch);
    take(base.sequence_length, over.sequence_length);
    take(base.image_size, over.image_size);
    take(base.image_height, over.image_height);
    take(base.image_depth, over.image_depth);
    take(base.frames, over.frames);
    take(base.audio_seconds, over.audio_seconds);
    take(base.encoder_steps, over.encoder_steps);
    take(base.decoder_steps, over.decoder_steps);
    take(base.beam, over.beam);
    take(base.phase, over.phase);
    take(base.latent_size, over.latent_size);
    take(base.steps, over.steps);
    take(base.guidance_passes, over.guidance_passes);
    take(base.data, over.data);
    take(base.tensor, over.tensor);
    take(base.pipeline, over.pipeline);
    take(base.virtual_pipeline, over.virtual_pipeline);
    take(base.context, over.context);
    take(base.expert, over.expert);
    take(base.sequence_parallel, over.sequence_parallel);
    take(base.sharding, over.sharding);
    take(base.shard_group, over.shard_group);
    take(base.reshard_after_forward, over.reshard_after_forward);
    take(base.recompute, over.recompute);
    take(base.full_recompute_layers, over.full_recompute_layers);
    take(base.offload_optimizer, over.offload_optimizer);
    take(base.offload_parameters, over.offload_parameters);
    take(base.offload_activations, over.offload_activations);
    take(base.duration_tokens, over.duration_tokens);
    take(base.duration_samples, over.duration_samples);
    take(base.duration_epochs, over.duration_epochs);
    take(base.dataset_samples, over.dataset_samples);
    take(base.dataset_bytes, over.dataset_bytes);
    take(base.serving, over.serving);
    take(base.input, over.input);
    take(base.kernel, over.kernel);
    return base;
}

}  // namespace ridgeline::cli
