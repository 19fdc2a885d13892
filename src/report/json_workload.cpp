#include "report/json.h"
#include "spec/words.h"

// A resolved workload and its hardware in the vocabulary of the workload document, so that it can
// be read back.

namespace ridgeline::report {
namespace {

Json batch_json(const Batch& batch) {
    Json out = {{"micro", batch.micro}, {"global", batch.global}};
    put_positive(out, "sequence_length", batch.sequence_length);
    if (batch.image_depth > 0) {
        out["image_size"] = {batch.image_depth, batch.image_height, batch.image_size};
    } else if (batch.image_height > 0) {
        out["image_size"] = {batch.image_height, batch.image_size};
    } else if (batch.image_size > 0) {
        out["image_size"] = batch.image_size;
    }
    put_positive(out, "latent_size", batch.latent_size);
    put_positive(out, "steps", batch.steps);
    if (batch.steps > 0) {
        out["guidance_passes"] = batch.guidance_passes;
    }
    put_positive(out, "frames", batch.frames);
    put_positive(out, "encoder_steps", batch.encoder_steps);
    put_positive(out, "decoder_steps", batch.decoder_steps);
    put_positive(out, "audio_seconds", batch.audio_seconds);
    if (batch.beam > 1) {
        out["beam"] = batch.beam;
    }
    put(out, "phase", batch.phase);
    return out;
}

/// What is stated of a load beside lengths and requests in flight.
void add_load_fields(const Serving& serving, Json& out) {
    put(out, "gpu_layers", serving.gpu_layers);
    put_positive(out, "host_expert_layers", serving.host_expert_layers);
    put_positive(out, "host_memory_gb_per_s", serving.host_memory_rate);
    put_positive(out, "request_rate", serving.request_rate);
    put_true(out, "burst", serving.burst);
    put(out, "shortest_share", serving.shortest_share);
    put(out, "longest_output_tokens", serving.longest_output);
    put_positive(out, "cached_share", serving.cached_share);
    put_positive(out, "prompt_replicas", serving.prompt_replicas);
    put(out, "iteration_tokens", serving.iteration_tokens);
    put(out, "prompt_wait_iterations", serving.prompt_wait_iterations);
    if (serving.draft_tokens > 0) {
        out["draft_tokens"] = serving.draft_tokens;
        out["draft_parameters"] = serving.draft_parameters;
        out["acceptance"] = serving.acceptance;
    }
}

Json precision_json(const Workload& workload) {
    Json out = {{"weights", name_of(workload.weights)}, {"compute", name_of(workload.compute)}};
    out["quantization"] = workload.quantization.name;
    if (workload.task == Task::train) {
        out["gradients"] = name_of(workload.gradients);
        out["master_weights"] = workload.master_weights ? "fp32" : "none";
        out["double_quantization"] = workload.quantization.double_quantization;
    } else {
        out["kv_cache"] = name_of(workload.kv_cache);
    }
    return out;
}

Json input_json(const InputPipeline& input) {
    Json out = {{"bytes_per_sample", input.bytes_per_sample},
                {"reads_per_sample", input.reads_per_sample},
                {"decoded_bytes_per_sample", input.decoded_bytes_per_sample},
                {"decode_core_ms_per_sample", 1e3 * input.decode_core_seconds},
                {"gpudirect", input.direct}};
    put(out, "cores_per_accelerator", input.cores_per_accelerator);
    put(out, "storage", input.storage);
    if (input.storage_bytes_per_s) {
        out["storage_gb_per_s"] = *input.storage_bytes_per_s / 1e9;
    }
    put(out, "storage_reads_per_s", input.storage_reads_per_s);
    return out;
}

Json serving_json(const Serving& serving) {
    Json out = {{"input_tokens", serving.input_tokens},
                {"output_tokens", serving.output_tokens},
                {"concurrency", serving.concurrency},
                {"phase", name_of(serving.phase)}};
    add_load_fields(serving, out);
    return out;
}

Json preference_json(const PreferenceTuning& tuning) {
    Json out = {{"algorithm", name_of(tuning.algorithm)}};
    put_positive(out, "prompts_per_step", tuning.prompts);
    put_positive(out, "rollouts_per_prompt", tuning.group);
    put_positive(out, "rollouts_per_step", tuning.answers);
    put_positive(out, "prompt_tokens", tuning.prompt_tokens);
    put_positive(out, "answer_tokens", tuning.answer_tokens);
    put_positive(out, "mean_sequence_length", tuning.mean_tokens);
    put_positive(out, "max_sequence_length", tuning.longest_tokens);
    put(out, "reference", tuning.reference);
    put(out, "engine", tuning.engine);
    put(out, "engine_sleeps", tuning.engine_sleeps);
    put(out, "reference_on_host", tuning.reference_on_host);
    put(out, "packed", tuning.packed);
    put(out, "critic", tuning.critic);
    put(out, "reward_model", tuning.reward_model);
    if (tuning.placement) {
        out["placement"] = name_of(*tuning.placement);
    }
    put_positive(out, "trainer_accelerators", tuning.trainer_accelerators);
    put_positive(out, "rollout_accelerators", tuning.rollout_accelerators);
    if (tuning.rollout_tensor > 0 || tuning.rollout_fp8) {
        Json& engine = out["generation"] = Json::object();
        put_positive(engine, "tensor", tuning.rollout_tensor);
        engine["precision"] = tuning.rollout_fp8 ? "fp8" : "bf16";
    }
    if (tuning.staleness >= 0) {
        out["policy_staleness_steps"] = tuning.staleness;
    }
    put_positive(out, "epochs", tuning.epochs);
    put(out, "phase", tuning.phase);
    return out;
}

/// What only training has: its optimizer and adapters.
void add_training(const Workload& workload, Json& out) {
    if (workload.task == Task::train) {
        out["optimizer"] = {{"name", workload.optimizer},
                            {"state", name_of(workload.optimizer_state)},
                            {"implementation", name_of(workload.optimizer_implementation)},
                            {"in_backward", workload.optimizer_in_backward}};
    }
    if (workload.lora) {
        out["lora"] = {{"rank", workload.lora->rank},
                       {"variant", name_of(workload.lora->variant)},
                       {"targets", workload.lora->targets},
                       {"weights", name_of(workload.lora->weights)},
                       {"dropout", workload.lora->dropout}};
        if (workload.lora->fused) {
            out["lora"]["fused"] = true;
        }
    }
}

}  // namespace

Json plan_json(const Workload& workload) {
    const Plan& plan = workload.plan;
    return {{"data", plan.data},
            {"tensor", plan.tensor},
            {"pipeline", plan.pipeline},
            {"virtual_pipeline", plan.virtual_pipeline},
            {"context", plan.context},
            {"expert", plan.expert},
            {"sequence_parallel", plan.sequence_parallel},
            {"sharding", name_of(plan.sharding)},
            {"shard_group", plan.shard_group > 0 ? Json(plan.shard_group) : Json(nullptr)},
            {"reshard_after_forward", plan.reshard_after_forward},
            {"reduce_each_micro_batch", plan.reduce_each_micro_batch}};
}

Json json_of(const Workload& workload, const Architecture& architecture) {
    Json out = {{"name", workload.name},
                {"model", architecture.id.empty() ? architecture.name : architecture.id},
                {"task", name_of(workload.task)}};
    if (workload.task == Task::train) {
        out["method"] = name_of(workload.method);
    }
    out["software"] = {{"framework", workload.framework},
                       {"attention", name_of(workload.attention)},
                       {"compile", workload.compiled},
                       {"loss", name_of(workload.loss)},
                       {"cuda_graphs", workload.cuda_graphs}};
    out["precision"] = precision_json(workload);
    add_training(workload, out);
    out["batch"] = batch_json(workload.batch);
    out["parallel"] = plan_json(workload);
    if (workload.plan.full_recompute_layers >= 0) {
        out["recompute"] = {{"full_layers", workload.plan.full_recompute_layers}};
    } else {
        out["recompute"] = name_of(workload.plan.recompute);
    }
    out["offload"] = {{"optimizer", name_of(workload.plan.offload_optimizer)},
                      {"parameters", name_of(workload.plan.offload_parameters)},
                      {"activations", name_of(workload.plan.offload_activations)}};
    if (workload.duration_tokens) {
        out["duration"] = {{"tokens", *workload.duration_tokens}};
    } else if (workload.duration_samples) {
        out["duration"] = {{"samples", *workload.duration_samples}};
    }
    if (workload.input) {
        out["input"] = input_json(*workload.input);
    }
    if (workload.serving) {
        out["serving"] = serving_json(*workload.serving);
    }
    if (workload.preference) {
        out["rl"] = preference_json(*workload.preference);
    }
    return out;
}

std::string workload_json(const Workload& workload, const Architecture& architecture) {
    return text_of(json_of(workload, architecture));
}

Json json_of(const Cluster& cluster) {
    Json out = {{"accelerator", cluster.accelerator->id},
                {"count", cluster.count},
                {"per_node", cluster.per_node},
                {"nodes", cluster.nodes()}};
    if (cluster.machine != nullptr) {
        out["machine"] = cluster.machine->id;
    }
    if (cluster.count > 1) {
        out["intra_node_link"] = cluster.intra.id;
    }
    if (cluster.nodes() > 1) {
        out["inter_node_link"] = cluster.inter.id;
        out["inter_node_link_assumed"] = cluster.inter.assumed;
    }
    return out;
}

}  // namespace ridgeline::report
