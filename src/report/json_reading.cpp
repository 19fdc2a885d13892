#include "report/answer_report.h"
#include "report/json.h"

namespace ridgeline::report {
namespace {

void put_sides(Json& json, const Reading& reading) {
    for (const ReadSide& side : reading.sides) {
        Json one{{"accelerator", side.accelerator}};
        put(one, "count", side.count);
        put(one, "form", side.form);
        put_true(one, "rented", side.rented);
        put(one, "usd_per_hour", side.usd_per_hour);
        put(one, "price_kind", side.price_kind);
        put(one, "quantization", side.quantization);
        put(one, "compute", side.compute);
        put(one, "framework", side.framework);
        put(one, "method", side.method);
        json["sides"].push_back(std::move(one));
    }
}

const char* task_word(Task task) {
    return task == Task::inference ? "inference" : task == Task::kernel ? "kernel" : "training";
}

void put_work(Json& json, const Reading& reading) {
    if (reading.kernel) {
        json["task"] = "kernel";
    } else if (reading.task) {
        json["task"] = task_word(*reading.task);
    }
    put(json, "method", reading.method);
    put(json, "algorithm", reading.algorithm);
    put(json, "model", reading.model);
}

void put_hardware(Json& json, const Reading& reading) {
    put_sides(json, reading);
    put(json, "accelerators", reading.accelerators);
    put(json, "accelerators_excluded", reading.accelerators_excluded);
    put(json, "instances_excluded", reading.instances_excluded);
    put(json, "machine", reading.machine);
    put(json, "count", reading.count);
    put(json, "min_count", reading.min_count);
    put(json, "max_count", reading.max_count);
    put(json, "nodes", reading.nodes);
    put_true(json, "owned", reading.owned);
    put(json, "memory_gib", reading.memory_gib);
}

void put_stack(Json& json, const Reading& reading) {
    put(json, "framework", reading.framework);
    put(json, "quantization", reading.quantization);
    put(json, "compute", reading.compute);
    put(json, "optimizer", reading.optimizer);
    put(json, "network", reading.network);
    put(json, "sharding", reading.sharding);
    put(json, "tensor", reading.tensor);
    put(json, "pipeline", reading.pipeline);
    put(json, "expert", reading.expert_parallel);
    put_true(json, "recompute", reading.recompute);
    put(json, "attention", reading.attention);
    put(json, "weight_bits", reading.weight_bits);
    put(json, "host_memory_gib", reading.host_memory_gib);
    put(json, "alternatives", reading.alternatives);
}

void put_sizes(Json& json, const Reading& reading) {
    put(json, "sequence", reading.sequence);
    put(json, "input_tokens", reading.input_tokens);
    put(json, "output_tokens", reading.output_tokens);
    put(json, "batch", reading.batch);
    put(json, "micro_batch", reading.micro_batch);
    put(json, "rank", reading.rank);
    put(json, "lora_targets", reading.lora_targets);
    put(json, "kv_cache", reading.kv_cache);
    put(json, "copies", reading.copies);
    put(json, "served_adapters", reading.served_adapters);
    put(json, "draft_parameters", reading.draft_parameters);
    for (const WorkBeside& work : reading.beside) {
        Json one{{"model", work.model}, {"task", task_word(work.task)}};
        put(one, "method", work.method);
        put(one, "concurrency", work.concurrency);
        json["beside"].push_back(std::move(one));
    }
    put(json, "group", reading.group);
}

/// What is told of hardware that is there, and of pictures.
void put_setting(Json& json, const Reading& reading) {
    put(json, "max_watts", reading.max_watts);
    put(json, "power_cap_w", reading.power_cap_w);
    put(json, "seen_tokens_per_s", reading.seen_tokens_per_s);
    put(json, "seen_mfu", reading.seen_mfu);
    put(json, "given_mfu", reading.given_mfu);
    put(json, "seen_per_s", reading.seen_per_s);
    put(json, "seen_step_s", reading.seen_step_s);
    put(json, "seen_ttft_s", reading.seen_ttft_s);
    put(json, "seen_time_s", reading.seen_time_s);
    put(json, "checkpoints", reading.checkpoints);
    put(json, "replaced", reading.replaced);
    put_positive(json, "replaced_bytes_per_s", reading.replaced_bytes_per_s);
    put(json, "image_size", reading.image_size);
    put(json, "image_height", reading.image_height);
    put(json, "frames", reading.frames);
}

void put_load(Json& json, const Reading& reading) {
    put(json, "concurrency", reading.concurrency);
    put(json, "requests_per_s", reading.requests_per_s);
    put(json, "ttft_s", reading.ttft_s);
    put(json, "tpot_s", reading.tpot_s);
    put(json, "answer_s", reading.answer_s);
    put(json, "tokens", reading.tokens);
    put(json, "samples", reading.samples);
    put(json, "epochs", reading.epochs);
    put(json, "steps", reading.steps);
    put(json, "audio_s", reading.audio_s);
}

void put_money(Json& json, const Reading& reading) {
    put(json, "usd_per_kwh", reading.usd_per_kwh);
    put(json, "grid_gco2_per_kwh", reading.grid_gco2_per_kwh);
    put(json, "racks", reading.racks);
    put(json, "usd_per_million", reading.usd_per_million);
    put(json, "usd_per_million_read", reading.usd_per_million_read);
    put(json, "api_usd_per_month", reading.api_usd_per_month);
    put(json, "resale_usd", reading.resale_usd);
    put(json, "environment", reading.environment);
    put(json, "price_kind",
        reading.price_kind.empty() && reading.buy ? std::string("purchase") : reading.price_kind);
    put(json, "budget_usd", reading.budget_usd);
    put(json, "usd_per_hour", reading.usd_per_hour);
    put(json, "usd_per_month", reading.usd_per_month);
    put(json, "deadline_s", reading.deadline_s);
    put(json, "months", reading.months);
    put(json, "hours_per_day", reading.hours_per_day);
}

void put_wishes(Json& json, const Reading& reading) {
    put(json, "vendors", reading.vendors);
    put(json, "vendors_excluded", reading.vendors_excluded);
    put(json, "providers", reading.providers);
    put(json, "providers_excluded", reading.providers_excluded);
    put(json, "require", reading.require);
    if (reading.objective) {
        json["objective"] = name_of(*reading.objective);
    }
    put(json, "profile", reading.profile);
    put(json, "attributes", reading.attributes);
}

Json reading_part_json(const Reading& reading) {
    Json json{{"intent", name_of(reading.intent)}};
    put(json, "because", std::string(reading.because));
    put_work(json, reading);
    put_hardware(json, reading);
    put_stack(json, reading);
    put_sizes(json, reading);
    put_setting(json, reading);
    put_load(json, reading);
    put_money(json, reading);
    put_wishes(json, reading);
    put(json, "flags", reading.flags);
    json["assumed"] = Json::array();
    for (const AssumedField& field : reading.assumed) {
        json["assumed"].push_back(
            {{"field", field.field}, {"value", field.value}, {"why", field.why}});
    }
    json["not_understood"] = reading.not_understood;
    return json;
}

Json reading_part_json(const AnswerChoice& choice) {
    Json json{{"accelerator", choice.accelerator}, {"count", choice.count}};
    put(json, "usd_per_hour", choice.usd_per_hour);
    put(json, "verdict", choice.verdict);
    put(json, "why", choice.why);
    return json;
}

void put_choice(Json& json, const char* key, const std::optional<AnswerChoice>& choice) {
    if (choice) {
        json[key] = reading_part_json(*choice);
    }
}

Json reading_part_json(const AnswerValue& value) {
    Json json{{"quantity", value.quantity}};
    put(json, "of", value.of);
    put(json, "low", value.low);
    put(json, "mid", value.mid);
    put(json, "high", value.high);
    json["unit"] = value.unit;
    return json;
}

Json reading_part_json(const Answer& answer) {
    Json json{{"headline", answer.headline}};
    put(json, "verdict", answer.verdict);
    if (answer.needs) {
        json["needs_gib"] = {
            {"low", answer.needs->low}, {"mid", answer.needs->mid}, {"high", answer.needs->high}};
    }
    put(json, "have_gib", answer.have_gib);
    put_choice(json, "choice", answer.choice);
    put_choice(json, "runner_up", answer.runner_up);
    put_choice(json, "smallest", answer.smallest);
    put_choice(json, "cheapest", answer.cheapest);
    put_choice(json, "fastest", answer.fastest);
    if (answer.values.size() == 1) {
        json["value"] = reading_part_json(answer.values.front());
    } else if (!answer.values.empty()) {
        for (const AnswerValue& value : answer.values) {
            json["value"].push_back(reading_part_json(value));
        }
    }
    for (const AnswerChange& change : answer.change) {
        json["change"].push_back({{"flag", change.flag}, {"effect", change.effect}});
    }
    for (const Answer& each : answer.answers) {
        json["answers"][each.task] = reading_part_json(each);
    }
    return json;
}

}  // namespace

std::string with_answer(std::string document, const Reading& reading, const Answer& answer) {
    const auto end = document.rfind('}');
    if (end == std::string::npos) {
        return document;
    }
    // Documents are printed whole elsewhere; their last brace is where two keys more belong.
    const auto last = document.find_last_not_of(" \n\t", end - 1);
    const bool empty = last == std::string::npos || document[last] == '{';
    const std::string tail = text_of(
        Json{{"reading", reading_part_json(reading)}, {"answer", reading_part_json(answer)}});
    return document.substr(0, last + 1) + (empty ? "" : ",") + tail.substr(1);
}

}  // namespace ridgeline::report
