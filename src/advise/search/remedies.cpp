#include "advise/search/remedies.h"

#include "advise/search/search.h"
#include "advise/search/thrifty.h"
#include "base/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ridgeline {
namespace {

struct Change {
    std::string text;
    std::string flags;
    Workload workload;
    [[nodiscard]] bool keeps_the_task(const Workload& base) const {
        return workload.method == base.method &&
               workload.batch.sequence_length == base.batch.sequence_length;
    }
};

class Changes {
public:
    Changes(const Architecture& architecture, const Workload& base, const Cluster& cluster)
        : architecture_(architecture), base_(base), cluster_(cluster) {}

    template <typename Edit>
    void add(std::string text, std::string flags, Edit edit) {
        Change change{std::move(text), std::move(flags), base_};
        edit(change.workload);
        if (!(change.workload == base_) && check_plan(architecture_, change.workload, cluster_)) {
            list_.push_back(std::move(change));
        }
    }
    std::vector<Change> take() { return std::move(list_); }

private:
    const Architecture& architecture_;
    const Workload& base_;
    const Cluster& cluster_;
    std::vector<Change> list_;
};

Lora default_lora() {
    Lora lora;
    lora.targets = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};
    return lora;
}

void add_method_changes(Changes& changes, const Workload& base, const SoftwareProfile& software) {
    const auto to_lora = [&software](Workload& w) {
        w.method = Method::lora;
        w.lora = w.lora ? w.lora : default_lora();
        w.lora->weights = software.defaults.lora_weights;
        w.gradients = w.lora->weights;
        w.weights = w.compute == ComputeType::fp16 ? DType::fp16 : DType::bf16;
        w.master_weights = false;
        w.optimizer_in_backward = false;
    };
    if (base.method == Method::full) {
        changes.add("train LoRA adapters instead of all weights", "--method lora", to_lora);
    }
    if (base.method == Method::qlora && base.quantization.name == "int8") {
        changes.add("4-bit weights", "--quantization nf4", [&](Workload& w) {
            w.quantization = {std::string(usual_qlora_format),
                              software.kernels.adapter.double_quantization()};
        });
    }
    if (base.method != Method::qlora) {
        changes.add("QLoRA: adapters over 4-bit weights", "--method qlora", [&](Workload& w) {
            if (w.method == Method::full) {
                to_lora(w);
            }
            w.method = Method::qlora;
            w.quantization = {std::string(usual_qlora_format),
                              software.kernels.adapter.double_quantization()};
        });
    }
}

void add_changes_of_types(Changes& changes, const Workload& base) {
    changes.add("8-bit optimizer states", "--optimizer-state int8",
                [](Workload& w) { w.optimizer_state = DType::int8; });
    changes.add("bf16 optimizer states", "--optimizer-state bf16", [](Workload& w) {
        w.optimizer_state =
            bytes_per_element(w.optimizer_state) > 2 ? DType::bf16 : w.optimizer_state;
    });
    changes.add("automatic mixed precision", "--compute bf16", [](Workload& w) {
        w.compute = w.compute == ComputeType::fp32 ? ComputeType::bf16 : w.compute;
    });
    if (base.method == Method::full) {
        changes.add("16-bit weights and gradients without an fp32 copy",
                    "--weights bf16 --gradients bf16 --master-weights none", [](Workload& w) {
                        w.weights = DType::bf16;
                        w.gradients = DType::bf16;
                        w.master_weights = false;
                    });
    }
    changes.add("a loss that never keeps all logits", "--loss fused_linear",
                [](Workload& w) { w.loss = LossMode::fused_linear; });
    changes.add("flash attention", "--attention flash",
                [](Workload& w) { w.attention = AttentionKernel::flash; });
    changes.add("compile the model", "--compile true", [](Workload& w) { w.compiled = true; });
}

void add_changes_of_plan(Changes& changes, const Plan& plan) {
    if (plan.data > 1) {
        changes.add("shard weights, gradients and states over the ranks (FSDP)", "--sharding fsdp",
                    [](Workload& w) {
                        w.plan.sharding = Sharding::fsdp;
                        w.plan.shard_group = 0;
                        w.plan.reshard_after_forward = true;
                    });
    }
    const bool shards = plan.sharding == Sharding::fsdp || plan.sharding == Sharding::hsdp;
    if (shards && !plan.reduce_each_micro_batch) {
        changes.add("reduce gradients after each micro-batch", "--reduce-each-micro-batch true",
                    [](Workload& w) { w.plan.reduce_each_micro_batch = true; });
    }
    for (const int size : {2, 4, 8}) {
        if (plan.data % size == 0 && plan.tensor == 1) {
            changes.add(fmt::format("tensor parallel {}", size),
                        fmt::format("--tensor {} --data {} --sequence-parallel true", size,
                                    plan.data / size),
                        [size](Workload& w) {
                            w.plan.tensor = size;
                            w.plan.data /= size;
                            w.plan.sequence_parallel = true;
                            w.plan.sharding = w.plan.data == 1 ? Sharding::none : w.plan.sharding;
                        });
        }
    }
    changes.add("optimizer states in host memory", "--offload-optimizer cpu",
                [](Workload& w) { w.plan.offload_optimizer = OffloadTarget::cpu; });
    changes.add("kept activations in host memory", "--offload-activations cpu",
                [](Workload& w) { w.plan.offload_activations = OffloadTarget::cpu; });
}

void add_training_changes(Changes& changes, const Workload& base) {
    const Plan& plan = base.plan;
    const auto recompute = [](RecomputeMode mode) {
        return [mode](Workload& w) {
            w.plan.recompute = mode;
            w.plan.full_recompute_layers = -1;
        };
    };
    changes.add("recompute all activations in the backward pass", "--recompute full",
                recompute(RecomputeMode::full));
    if (plan.recompute == RecomputeMode::none) {
        changes.add("recompute the cheap activations", "--recompute selective",
                    recompute(RecomputeMode::selective));
    } else {
        changes.add("keep all activations", "--recompute none", recompute(RecomputeMode::none));
    }
    const int passes = base.batch.global / std::max(1, plan.data);
    changes.add(fmt::format("one sample a pass, accumulated over {} passes", passes),
                "--micro-batch 1", [](Workload& w) { w.batch.micro = 1; });
    changes.add("twice the samples a pass", fmt::format("--micro-batch {}", base.batch.micro * 2),
                [](Workload& w) { w.batch.micro *= 2; });
    add_changes_of_types(changes, base);
    add_changes_of_plan(changes, plan);
    const int half = base.batch.sequence_length / 2;
    if (half >= 128) {
        changes.add(fmt::format("sequences of {} tokens", half), fmt::format("--sequence {}", half),
                    [half](Workload& w) { w.batch.sequence_length = half; });
    }
}

void add_serving_changes(Changes& changes, const Workload& base, const Cluster& cluster) {
    if (!base.quantization.any()) {
        changes.add("4-bit weights (AWQ)", "--quantization awq-int4", [](Workload& w) {
            w.quantization = {"awq-int4", false};
        });
        changes.add("8-bit weights", "--quantization fp8", [](Workload& w) {
            w.quantization = {"fp8", false};
        });
    }
    changes.add("an 8-bit cache", "--kv-cache fp8", [](Workload& w) {
        w.kv_cache = bytes_per_element(w.kv_cache) > 1 ? DType::fp8 : w.kv_cache;
    });
    if (base.serving && base.serving->concurrency >= 2) {
        const double half = std::floor(base.serving->concurrency / 2);
        changes.add(fmt::format("{} requests at a time", half),
                    fmt::format("--concurrency {}", half),
                    [half](Workload& w) { w.serving->concurrency = half; });
    }
    if (base.plan.tensor != cluster.count) {
        changes.add(fmt::format("tensor parallel {}", cluster.count),
                    fmt::format("--tensor {} --data 1 --pipeline 1", cluster.count),
                    [&cluster](Workload& w) {
                        w.plan.tensor = cluster.count;
                        w.plan.data = 1;
                        w.plan.pipeline = 1;
                    });
    }
}

/// What feeds the accelerators faster; nothing where the workload says nothing of its input.
void add_input_changes(Changes& changes, const Workload& base) {
    if (!base.input) {
        return;
    }
    const InputPipeline& stated = *base.input;
    if (stated.cores_per_accelerator && stated.decode_core_seconds > 0) {
        const double cores = 2 * *stated.cores_per_accelerator;
        changes.add(fmt::format("{:g} host cores for each accelerator", cores),
                    fmt::format("\"input\": {{\"cores_per_accelerator\": {:g}}}", cores),
                    [cores](Workload& w) { w.input->cores_per_accelerator = cores; });
    }
    if (stated.decode_core_seconds > 0) {
        const double half = stated.decode_core_seconds / 2;
        changes.add("samples that decode in half the time",
                    fmt::format("--decode-ms {:g}", half * 1000),
                    [half](Workload& w) { w.input->decode_core_seconds = half; });
    }
    if (stated.bytes_per_sample > 0) {
        const double half = stated.bytes_per_sample / 2;
        changes.add("samples of half the size", fmt::format("--sample-bytes {:g}", half),
                    [half](Workload& w) { w.input->bytes_per_sample = half; });
    }
}

std::vector<Change> changes_of(const EstimateInput& input) {
    Changes changes(input.architecture, input.workload, input.cluster);
    add_input_changes(changes, input.workload);
    if (input.workload.task == Task::train) {
        add_training_changes(changes, input.workload);
        add_method_changes(changes, input.workload, input.software);
    } else if (input.workload.task == Task::inference) {
        add_serving_changes(changes, input.workload, input.cluster);
    }
    return changes.take();
}

// A change is worth a line when it frees memory or saves time.
bool helps(const Remedy& remedy) {
    const Bytes freed = remedy.before.memory.process - remedy.after.memory.process;
    const bool faster =
        remedy.after.time.work_per_second() > remedy.before.time.work_per_second() * 1.02;
    if (!remedy.before.memory.fits) {
        return freed > 0.05 * gibibyte;
    }
    // What waits for its input gains nothing from memory.
    const bool starved = remedy.before.time.bound == Bound::input;
    return remedy.fits && (faster || (!starved && freed > 0.05 * gibibyte));
}

/// The change that fits and is fastest; where none fits, the one that needs least.
std::optional<Remedy> best_change(const EstimateInput& input, const Estimate& before,
                                  bool keeps_the_task, Workload& changed) {
    std::optional<Remedy> best;
    for (Change& change : changes_of(input)) {
        if (keeps_the_task && !change.keeps_the_task(input.workload)) {
            continue;
        }
        const Estimate after = estimate(input.with(change.workload), nullptr);
        const bool fits = after.memory.fits;
        const bool better =
            !best || (fits != best->fits ? fits
                      : fits ? after.time.work_per_second() > best->after.time.work_per_second()
                             : after.memory.process < best->after.memory.process);
        if (better) {
            best = Remedy{std::move(change.text), std::move(change.flags), before, after, fits};
            changed = change.workload;
        }
    }
    return best;
}

/// The name of the option that a change sets first.
std::string_view option_of(std::string_view flags) { return flags.substr(0, flags.find(' ')); }

/// Changes that fit together where none does alone: each step takes the one that frees most, the
/// last the fastest that fits. Nothing when six do not suffice.
std::optional<Remedy> combination(const EstimateInput& input, const Estimate& before,
                                  bool keeps_the_task, const Reestimate& changed_to) {
    constexpr std::size_t most_changes = 6;
    Workload workload = input.workload;
    std::vector<Remedy> steps;
    Bytes needed = before.memory.process;
    for (bool fits = false; !fits;) {
        Workload changed = workload;
        auto step = best_change(input.with(workload), before, keeps_the_task, changed);
        if (!step || step->after.memory.process >= needed || steps.size() == most_changes) {
            return std::nullopt;
        }
        fits = step->fits;
        needed = step->after.memory.process;
        workload = changed;
        // The same option once more takes the place of the first.
        std::erase_if(steps, [&](const Remedy& earlier) {
            return option_of(earlier.flags) == option_of(step->flags);
        });
        steps.push_back(std::move(*step));
    }
    Remedy together{.change = "", .flags = "", .before = before, .after = before, .fits = false};
    for (const Remedy& step : steps) {
        together.change += fmt::format("{}{}", together.change.empty() ? "" : "; ", step.change);
        together.flags += fmt::format("{}{}", together.flags.empty() ? "" : " ", step.flags);
    }
    together.changes = static_cast<int>(steps.size());
    const auto after = changed_to(workload, together.flags);
    if (!after || !after->memory.fits) {
        return std::nullopt;
    }
    together.after = *after;
    together.fits = true;
    return together;
}

bool leaves_room(const MemoryEstimate& memory) {
    return memory.fits && memory.headroom() >= memory.capacity * 0.05;
}

std::string line_of(const Change& change, const MemoryEstimate& memory) {
    return fmt::format("{} ({}): {:.1f} GiB", change.text, change.flags, memory.process / gibibyte);
}

/// The first change that leaves room. Most are refused by their tensors, which the allocator never
/// holds less than: replaying it takes milliseconds.
std::optional<std::string> first_roomy(const EstimateInput& input,
                                       const std::vector<Change>& changes) {
    SoftwareProfile unplayed = input.software;
    unplayed.allocator.replays = false;
    for (const Change& change : changes) {
        const EstimateInput changed = input.with(change.workload);
        if (input.software.allocator.replays) {
            MemoryEstimate least =
                estimate_memory({changed.architecture, changed.workload, changed.cluster, unplayed,
                                 changed.device, changed.calibration});
            least.process = least.allocated + least.context;
            least.fits = true;
            if (!leaves_room(least)) {
                continue;
            }
        }
        if (const MemoryEstimate memory = estimate_memory(changed); leaves_room(memory)) {
            return line_of(change, memory);
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<Remedy> remedies(const EstimateInput& input) {
    return remedies(input, estimate(input, nullptr),
                    [&input](const Workload& changed, const std::string& /*flags*/) {
                        return std::optional(estimate(input.with(changed), nullptr));
                    });
}

std::vector<Remedy> remedies(const EstimateInput& input, const Estimate& before,
                             const Reestimate& changed) {
    std::vector<Remedy> list;
    for (Change& change : changes_of(input)) {
        const auto after = changed(change.workload, change.flags);
        if (!after) {
            continue;
        }
        Remedy remedy{std::move(change.text), std::move(change.flags), before, *after,
                      after->memory.fits};
        if (helps(remedy)) {
            list.push_back(std::move(remedy));
        }
    }
    // What makes it fit, fastest first; then by what is freed.
    stable_order(list.begin(), list.end(), [](const Remedy& a, const Remedy& b) {
        if (a.fits != b.fits) {
            return a.fits;
        }
        return a.fits ? a.after.time.work_per_second() > b.after.time.work_per_second()
                      : a.after.memory.process < b.after.memory.process;
    });
    if (!before.memory.fits && (list.empty() || !list.front().fits)) {
        auto together = combination(input, before, true, changed);
        together = together ? together : combination(input, before, false, changed);
        if (together) {
            list.insert(list.begin(), *together);
        }
    }
    return list;
}

std::vector<std::string> would_fit_if(const Search& search, const Rejection& rejection,
                                      bool first_alone) {
    std::vector<std::string> list;
    const Accelerator* accelerator = search.knowledge.catalog.accelerator(rejection.accelerator);
    if (accelerator == nullptr || rejection.reason != "memory_exceeded") {
        return list;
    }
    const Calibration& calibration = search.knowledge.profiles.calibration;
    const Candidate candidate{accelerator, *search.models};
    const auto thrifty = thrifty_plan(search, candidate, rejection.count);
    if (!thrifty) {
        return list;
    }
    const EstimateInput input{search.architecture, thrifty->workload,  thrifty->cluster,
                              *thrifty->software,  candidate.device(), calibration};
    const std::vector<Change> changes = changes_of(input);
    if (first_alone) {
        if (auto roomy = first_roomy(input, changes)) {
            return {std::move(*roomy)};
        }
    }
    // What leaves room comes first: a fit to the last byte is hardly one.
    std::vector<std::string> tight;
    for (const Change& change : changes) {
        const MemoryEstimate memory = estimate_memory(input.with(change.workload));
        if (memory.fits) {
            (leaves_room(memory) ? list : tight).push_back(line_of(change, memory));
        }
    }
    const auto doubled = thrifty_plan(search, candidate, rejection.count * 2);
    if (doubled) {
        const EstimateInput more{search.architecture, doubled->workload,  doubled->cluster,
                                 *doubled->software,  candidate.device(), calibration};
        const MemoryEstimate memory = estimate_memory(more);
        if (memory.fits) {
            list.push_back(fmt::format("{} of them: {:.1f} GiB on each", rejection.count * 2,
                                       memory.process / gibibyte));
        }
    }
    list.insert(list.end(), tight.begin(), tight.end());
    return list;
}

}  // namespace ridgeline
