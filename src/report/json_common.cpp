#include "report/json.h"
#include "report/json_money.h"
#include "spec/words.h"

#include <string>

// The vocabulary is that of the workload document, so that a resolved workload can be read back.

namespace ridgeline::report {
namespace {

Json batch_json(const Batch& batch) {
    Json out = {{"micro", batch.micro}, {"global", batch.global}};
    if (batch.sequence_length > 0) {
        out["sequence_length"] = batch.sequence_length;
    }
    if (batch.image_depth > 0) {
        out["image_size"] = {batch.image_depth, batch.image_height, batch.image_size};
    } else if (batch.image_height > 0) {
        out["image_size"] = {batch.image_height, batch.image_size};
    } else if (batch.image_size > 0) {
        out["image_size"] = batch.image_size;
    }
    const auto add_count = [&out](const char* key, int value) {
        if (value > 0) {
            out[key] = value;
        }
    };
    add_count("latent_size", batch.latent_size);
    add_count("steps", batch.steps);
    if (batch.steps > 0) {
        out["guidance_passes"] = batch.guidance_passes;
    }
    add_count("frames", batch.frames);
    add_count("encoder_steps", batch.encoder_steps);
    add_count("decoder_steps", batch.decoder_steps);
    if (batch.audio_seconds > 0) {
        out["audio_seconds"] = batch.audio_seconds;
    }
    if (batch.beam > 1) {
        out["beam"] = batch.beam;
    }
    if (!batch.phase.empty()) {
        out["phase"] = batch.phase;
    }
    return out;
}

}  // namespace

Json document(const std::string& schema, const Stamp& stamp) {
    return {{"schema", schema},
            {"version", stamp.version},
            {"catalog", {{"version", stamp.catalog_version}, {"prices_date", stamp.prices_date}}}};
}

Json number_or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

void put(Json& json, const char* key, const std::string& text) {
    if (!text.empty()) {
        json[key] = text;
    }
}

void put(Json& json, const char* key, const std::vector<std::string>& texts) {
    if (!texts.empty()) {
        json[key] = texts;
    }
}

Json json_of(const Finding& finding) {
    static constexpr const char* severities[] = {"info", "warning", "error"};
    Json numbers = Json::object();
    for (const auto& [key, value] : finding.numbers) {
        numbers[key] = value;
    }
    return {{"rule", finding.rule},
            {"severity", severities[static_cast<int>(finding.severity)]},
            {"message", finding.message},
            {"numbers", numbers},
            {"source", finding.source}};
}

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

namespace {

/// What is stated of a load beside lengths and requests in flight.
void add_load_fields(const Serving& serving, Json& out) {
    if (serving.gpu_layers) {
        out["gpu_layers"] = *serving.gpu_layers;
    }
    if (serving.host_expert_layers > 0) {
        out["host_expert_layers"] = serving.host_expert_layers;
    }
    if (serving.host_memory_rate > 0) {
        out["host_memory_gb_per_s"] = serving.host_memory_rate;
    }
    if (serving.request_rate > 0) {
        out["request_rate"] = serving.request_rate;
    }
    if (serving.burst) {
        out["burst"] = true;
    }
    if (serving.shortest_share) {
        out["shortest_share"] = *serving.shortest_share;
    }
    if (serving.cached_share > 0) {
        out["cached_share"] = serving.cached_share;
    }
    if (serving.prompt_replicas > 0) {
        out["prompt_replicas"] = serving.prompt_replicas;
    }
    if (serving.iteration_tokens) {
        out["iteration_tokens"] = *serving.iteration_tokens;
    }
    if (serving.prompt_wait_iterations) {
        out["prompt_wait_iterations"] = *serving.prompt_wait_iterations;
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
    if (input.cores_per_accelerator) {
        out["cores_per_accelerator"] = *input.cores_per_accelerator;
    }
    if (!input.storage.empty()) {
        out["storage"] = input.storage;
    }
    if (input.storage_bytes_per_s) {
        out["storage_gb_per_s"] = *input.storage_bytes_per_s / 1e9;
    }
    if (input.storage_reads_per_s) {
        out["storage_reads_per_s"] = *input.storage_reads_per_s;
    }
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
    }
}

}  // namespace

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
    return out;
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

Json json_of(const MemoryEstimate& memory) {
    const auto gib = [](Bytes size) { return size / gibibyte; };
    Json out = {{"fits", memory.fits},
                {"verdict", name_of(memory.verdict)},
                {"capacity_gib", gib(memory.capacity)},
                {"peak_gib", gib(memory.process)},
                {"low_gib", gib(memory.process) * memory.band.low},
                {"high_gib", gib(memory.process) * memory.band.high},
                {"headroom_gib", gib(memory.headroom())}};
    if (const std::string_view cause = text_of(memory.barely_by); !cause.empty()) {
        out["verdict_cause"] = cause;
    }
    if (memory.host > Bytes{}) {
        out["host_gib_per_node"] = gib(memory.host);
    }
    out["components"] = Json::array();
    out["instants"] = Json::array();
    if (memory.peak_instant < memory.instants.size()) {
        const Instant& peak = memory.instants[memory.peak_instant];
        out["peak_instant"] = peak.name;
        for (const Component& component : peak.components) {
            Json inputs = Json::object();
            for (const FormulaInput& input : component.inputs) {
                if (!input.name.empty()) {
                    inputs[std::string(input.name)] = input.value;
                }
            }
            Json entry = {{"name", component.name},
                          {"gib", gib(component.size)},
                          {"formula", component.formula},
                          {"inputs", inputs}};
            if (!component.source.empty()) {
                entry["source"] = component.source;
            }
            out["components"].push_back(entry);
        }
    }
    out["peak_stage"] = memory.peak_stage;
    out["counters"] = {{"allocated_gib", gib(memory.allocated)},
                       {"reserved_gib", gib(memory.reserved)},
                       {"process_gib", gib(memory.process)}};
    for (const Instant& instant : memory.instants) {
        out["instants"].push_back({{"name", instant.name}, {"gib", gib(instant.total)}});
    }
    if (memory.kv_capacity_tokens > 0) {
        out["kv_capacity_tokens"] = memory.kv_capacity_tokens;
    }
    return out;
}

Json json_of(const LongRun& run) {
    return {{"steps_s", run.steps / second},
            {"evaluation_s", run.evaluation / second},
            {"checkpoints_s", run.checkpoints / second},
            {"restarts_s", run.restarts / second},
            {"low_s", run.low / second},
            {"high_s", run.high / second},
            {"goodput_ratio", run.goodput},
            {"interruptions", run.interruptions},
            {"between_interruptions_s", run.between_interruptions / second},
            {"checkpoint_gib", run.checkpoint / gibibyte},
            {"checkpoint_write_s", run.checkpoint_write / second},
            {"checkpoint_interval_s", run.checkpoint_interval / second},
            {"spot", run.spot},
            {"tier", word_of(run.tier)},
            {"source", run.source}};
}

Json json_of(const ServedLoad& load) {
    const auto spread = [](const LoadSpread& of) {
        return Json{{"mean_s", of.mean}, {"p50_s", of.p50}, {"p90_s", of.p90}, {"p99_s", of.p99}};
    };
    Json out{{"requests", load.requests},
             {"ttft", spread(load.ttft)},
             {"tpot", spread(load.tpot)},
             {"end_to_end", spread(load.end_to_end)},
             {"requests_per_s", load.requests_per_second},
             {"tokens_per_s", load.tokens_per_second},
             {"preemptions", load.preemptions}};
    if (load.goodput) {
        out["goodput_requests_per_s"] = *load.goodput;
    }
    if (load.largest_rate) {
        out["largest_requests_per_s"] = *load.largest_rate;
    }
    return out;
}

Json json_of(const TimeEstimate& time, const Workload& workload, const Cluster& cluster) {
    const double tokens = time.tokens_per_second;  // none where samples are counted
    Json out = {{"step_s", time.step / second},
                {"low_s", time.step / second * time.band.low},
                {"high_s", time.step / second * time.band.high},
                {"tokens_per_s", tokens > 0 ? Json(tokens) : Json()},
                {"tokens_per_s_per_accelerator",
                 tokens > 0 ? Json(tokens / cluster.count) : Json()},
                {"samples_per_s", time.samples_per_second},
                {"mfu", time.mfu},
                {"bound", name_of(time.bound)}};
    if (time.total / second > 0) {
        out["total_s"] = time.total / second;
    }
    if (time.run) {
        out["run"] = json_of(*time.run);
    }
    if (time.round) {
        const TuningRound& round = *time.round;
        out["round"] = {{"prompts", round.prompts},
                        {"answers_per_prompt", round.answers},
                        {"rollout_s", round.rollout / second},
                        {"scoring_s", round.scoring / second},
                        {"update_s", round.update / second},
                        {"sync_s", round.sync / second},
                        {"overlapped", round.overlapped}};
    }
    out["components"] = Json::array();
    for (const TimeComponent& component : time.components) {
        out["components"].push_back({{"name", component.name},
                                     {"s", component.time / second},
                                     {"bound", name_of(component.bound)}});
    }
    if (workload.task == Task::inference && workload.serving) {
        out["ttft_s"] = time.ttft / second;
        out["tpot_s"] = time.tpot / second;
        out["requests_per_s"] = time.requests_per_second;
        if (time.load) {
            out["load"] = json_of(*time.load);
        }
    }
    return out;
}

Json json_of(const Offer& offer) {
    Json out{{"id", offer.id},
             {"provider", offer.provider},
             {"instance_type", offer.instance_type},
             {"accelerator", offer.accelerator},
             {"count", offer.count},
             {"region", offer.region},
             {"kind", word_of(offer.kind)},
             {"usd_per_hour", offer.usd_per_hour},
             {"date", offer.date},
             {"source", offer.source}};
    if (!offer.caveats.empty()) {
        out["caveats"] = offer.caveats;
    }
    return out;
}

Json json_of(const CostEstimate& cost) {
    Json out = Json::object();
    if (cost.offer) {
        out["usd_per_hour"] = cost.usd_per_hour;
        if (cost.usd_total > 0) {
            out["usd_total"] = cost.usd_total;
            out["low_usd"] = cost.usd_total_low;
            out["high_usd"] = cost.usd_total_high;
        }
        if (cost.usd_per_million_tokens > 0) {
            out["usd_per_million_tokens"] = cost.usd_per_million_tokens;
        }
        if (cost.usd_per_sample > 0) {
            out["usd_per_sample"] = cost.usd_per_sample;
        }
    }
    out["kwh"] = cost.kwh;
    out["power_w"] = cost.watts;
    if (cost.offer) {
        out["instances"] = cost.instances;
        out["idle_accelerators"] = cost.idle_accelerators;
        out["offer"] = json_of(*cost.offer);
    }
    return out;
}

}  // namespace ridgeline::report
