#include "advise/query.h"

#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ridgeline {
namespace {

// Shortest form that reads back: 5000, 0.5, 1e+12.
std::string number(double value) { return fmt::format("{}", value); }

std::string span(double seconds) {
    for (const auto& [size, unit] : {std::pair{86400.0, 'd'}, std::pair{3600.0, 'h'}}) {
        if (seconds >= size &&
            seconds / size * 2 == static_cast<double>(static_cast<long long>(seconds / size * 2))) {
            return number(seconds / size) + unit;
        }
    }
    // 700 ms times 1e-3 has a seventeenth digit that nobody said.
    return fmt::format("{:.15g}s", seconds);
}

struct Flags {
    std::string text;
    void add(std::string_view flag, std::string_view value) {
        if (!value.empty()) {
            text += (text.empty() ? "" : " ") + std::string(flag) + " " + std::string(value);
        }
    }
    template <typename T>
    void add_number(std::string_view flag, const std::optional<T>& value) {
        if (value) {
            add(flag, number(static_cast<double>(*value)));
        }
    }
    template <typename T>
    void add_name(std::string_view flag, const std::optional<T>& value) {
        if (value) {
            add(flag, name_of(*value));
        }
    }
    void add_above_zero(std::string_view flag, double value) {
        if (value > 0) {
            add(flag, number(value));
        }
    }
    // A pace of so many tokens a second has no end of digits as seconds of one, nor has a rate of
    // requests.
    void add_seconds(std::string_view flag, const std::optional<double>& value) {
        if (value) {
            add(flag, fmt::format("{:.4g}", *value));
        }
    }
};

void add_kernel(Flags& flags, const Kernel& kernel) {
    flags.add("--kernel", kernel.operation);
    std::string sides;
    for (const double side : kernel.size) {
        sides += (sides.empty() ? "" : "x") + number(side);
    }
    flags.add("--size", sides);
    const auto add = [&](std::string_view flag, double value, double open) {
        if (value != open) {
            flags.add(flag, number(value));
        }
    };
    add("--elements", kernel.elements, 0);
    add("--nonzeros", kernel.nonzeros, 0);
    add("--kernel-batch", kernel.batch, 1);
    flags.add("--forces", kernel.method);
    add("--time-step-fs", kernel.time_step_fs, 0);
    flags.add("--real", kernel.real ? "true" : "");
    flags.add("--copies", kernel.copies ? "true" : "");
}

void add_preference(Flags& flags, const PreferenceTuning& preference) {
    flags.add("--algorithm", name_of(preference.algorithm));
    flags.add_above_zero("--prompts-per-round", preference.prompts);
    flags.add_above_zero("--group-size", preference.group);
    flags.add_above_zero("--prompt-tokens", preference.prompt_tokens);
    flags.add_above_zero("--response-tokens", preference.answer_tokens);
}

/// follows  the number of requests at once follows from their rate: 1 is no limit
/// length   of a sequence was said, which a prompt's follows from
void add_serving(Flags& flags, const Serving& serving, bool follows, bool length) {
    if (serving.input_tokens != Serving{}.input_tokens && !length) {
        flags.add("--input-tokens", number(serving.input_tokens));
    }
    if (serving.output_tokens != Serving{}.output_tokens) {
        flags.add("--output-tokens", number(serving.output_tokens));
    }
    if (!follows || serving.concurrency > 1) {
        flags.add("--concurrency", number(serving.concurrency));
    }
    flags.add_above_zero("--request-rate", serving.request_rate);
    flags.add("--burst", serving.burst ? "true" : "");
    flags.add_above_zero("--cached-share", serving.cached_share);
}

void add_stack(Flags& flags, const WorkloadDocument& workload) {
    flags.add("--framework", workload.framework.value_or(""));
    flags.add("--quantization", workload.quantization.value_or(""));
    flags.add_name("--kv-cache", workload.kv_cache);
    flags.add_name("--compute", workload.compute);
    flags.add_name("--loss", workload.loss);
}

void add_batch(Flags& flags, const WorkloadDocument& workload) {
    flags.add_number("--sequence", workload.sequence_length);
    flags.add_number("--micro-batch", workload.micro_batch);
    flags.add_number("--batch", workload.global_batch);
    flags.add_number("--image-size", workload.image_size);
    flags.add_number("--image-height", workload.image_height);
    flags.add_number("--frames", workload.frames);
    flags.add_number("--audio-seconds", workload.audio_seconds);
    flags.add_number("--steps", workload.steps);
    flags.add_number("--guidance-passes", workload.guidance_passes);
}

void add_plan(Flags& flags, const WorkloadDocument& workload) {
    flags.add("--optimizer", workload.optimizer.value_or(""));
    flags.add_name("--optimizer-state", workload.optimizer_state);
    flags.add("--optimizer-in-backward", workload.optimizer_in_backward == true ? "true" : "");
    flags.add_number("--rank", workload.lora_rank);
    flags.add_name("--sharding", workload.sharding);
    flags.add_number("--tensor", workload.tensor);
    flags.add_number("--pipeline", workload.pipeline);
    flags.add_number("--virtual-pipeline", workload.virtual_pipeline);
    flags.add_number("--context", workload.context);
    flags.add_number("--data", workload.data);
    flags.add_number("--expert", workload.expert);
    flags.add_name("--recompute", workload.recompute);
    flags.add_name("--attention", workload.attention);
    for (const auto& [flag, target] : {std::pair("--offload-optimizer", workload.offload_optimizer),
                                       {"--offload-parameters", workload.offload_parameters}}) {
        flags.add(flag, target == OffloadTarget::cpu ? "cpu" : "");
    }
    flags.add("--network", workload.network.value_or(""));
}

void add_workload(Flags& flags, const WorkloadDocument& workload, bool follows) {
    if (workload.kernel) {
        add_kernel(flags, *workload.kernel);
        flags.add_name("--dtype", workload.compute);
        flags.add("--fp16-accumulate", workload.fp16_accumulate.value_or(false) ? "true" : "");
        return;
    }
    static constexpr std::string_view methods[] = {"full", "lora", "qlora"};
    if (workload.task == Task::inference) {
        flags.add("--task", "inference");
    } else if (workload.method) {
        flags.add("--method", methods[static_cast<std::size_t>(*workload.method)]);
    }
    add_stack(flags, workload);
    add_batch(flags, workload);
    add_plan(flags, workload);
    flags.add_number("--tokens", workload.duration_tokens);
    if (workload.preference) {
        add_preference(flags, *workload.preference);
    }
    flags.add_number("--samples", workload.duration_samples);
    flags.add_number("--epochs", workload.duration_epochs);
    flags.add_number("--dataset-samples", workload.dataset_samples);
    if (workload.serving) {
        add_serving(flags, *workload.serving, follows, workload.sequence_length.has_value());
    }
}

}  // namespace

std::string_view name_of(Objective objective) {
    for (const auto& [name, each] : objectives) {
        if (each == objective) {
            return name;
        }
    }
    return "cost";
}

std::optional<Objective> objective_named(std::string_view name) {
    for (const auto& [each, objective] : objectives) {
        if (each == name) {
            return objective;
        }
    }
    return std::nullopt;
}

bool allowed_by(std::string_view list, const std::string& name) {
    if (list.empty()) {
        return true;
    }
    const auto names = split(list, ',');
    const bool excludes = list.starts_with('!');
    const bool listed = std::ranges::find(names, (excludes ? "!" : "") + name) != names.end();
    return listed != excludes;
}

bool is_excluded(const Query& query, const Accelerator& part) {
    const auto& ids = query.accelerators_excluded;
    return std::ranges::find(ids, part.id) != ids.end();
}

std::string flags_of(const Query& query) {
    Flags flags;
    flags.add(query.model_option, query.model_text);
    add_workload(flags, query.workload, query.concurrency_follows || query.concurrency_each > 0);
    flags.add("--on", fmt::format("{}", fmt::join(query.accelerators, ",")));
    std::vector<std::string> without = query.accelerators_excluded;
    without.insert(without.end(), query.instances_excluded.begin(), query.instances_excluded.end());
    flags.add("--without", fmt::format("{}", fmt::join(without, ",")));
    flags.add_number("--accelerators", query.exact_accelerators);
    flags.add_number("--nodes", query.nodes);
    flags.add_number("--min-accelerators", query.min_accelerators);
    flags.add_number("--max-accelerators", query.max_accelerators);
    if (query.memory_per_accelerator_gib) {
        flags.add("--memory", number(*query.memory_per_accelerator_gib) + "GB" +
                                  (query.memory_at_least ? "+" : ""));
    }
    if (query.ladder) {
        flags.text += " --ladder";
    }
    if (query.owned) {
        flags.text += " --owned";
    }
    if (query.all) {
        flags.text += " --all";
    }
    flags.add_number("--budget", query.budget_usd);
    if (query.budget_usd_per_hour) {
        flags.add("--budget", number(*query.budget_usd_per_hour) + "/h");
    }
    if (query.buy) {
        flags.text += " --buy";
    }
    if (query.deadline_s) {
        flags.add("--deadline", span(*query.deadline_s));
    }
    if (query.ttft_s) {
        flags.add("--ttft", span(*query.ttft_s));
    }
    if (query.tpot_s) {
        flags.add("--tpot", span(*query.tpot_s));
    }
    if (query.answer_s) {
        flags.add("--answer", span(*query.answer_s));
    }
    flags.add_seconds("--requests-per-s", query.requests_per_s);
    flags.add("--vendor", query.vendor);
    flags.add("--provider", query.provider);
    flags.add("--region", query.region);
    flags.add_number("--rack-kw", query.rack_kw);
    flags.add("--price", query.price_kind);
    flags.add("--objective", name_of(query.objective));
    flags.add("--require", fmt::format("{}", fmt::join(query.require, ",")));
    flags.add("--profile", query.profile);
    append(flags.text, query.more_flags.empty() ? "" : " ", query.more_flags);
    return flags.text;
}

}  // namespace ridgeline
