#include "spec/words.h"

#include <array>
#include <vector>

namespace ridgeline {
namespace {

template <typename E>
using Pair = std::pair<std::string_view, E>;

constexpr std::array tasks = {
    Pair<Task>{"train", Task::train},
    Pair<Task>{"inference", Task::inference},
    Pair<Task>{"kernel", Task::kernel},
};
constexpr std::array methods = {
    Pair<Method>{"full", Method::full},
    Pair<Method>{"lora", Method::lora},
    Pair<Method>{"qlora", Method::qlora},
};
constexpr std::array lora_variants = {
    Pair<LoraVariant>{"lora", LoraVariant::lora},
    Pair<LoraVariant>{"dora", LoraVariant::dora},
    Pair<LoraVariant>{"rslora", LoraVariant::rslora},
};
constexpr std::array upcasts = {
    Pair<Upcast>{"none", Upcast::none},
    Pair<Upcast>{"norms", Upcast::norms},
    Pair<Upcast>{"all", Upcast::rest},
};
constexpr std::array attentions = {
    Pair<AttentionKernel>{"flash", AttentionKernel::flash},
    Pair<AttentionKernel>{"sdpa", AttentionKernel::sdpa},
    Pair<AttentionKernel>{"eager", AttentionKernel::eager},
};
constexpr std::array losses = {
    Pair<LossMode>{"eager", LossMode::eager},
    Pair<LossMode>{"chunked", LossMode::chunked},
    Pair<LossMode>{"compiled", LossMode::compiled},
    Pair<LossMode>{"fused_linear", LossMode::fused_linear},
    Pair<LossMode>{"vocab_parallel", LossMode::vocab_parallel},
};
constexpr std::array shardings = {
    Pair<Sharding>{"none", Sharding::none},   Pair<Sharding>{"ddp", Sharding::ddp},
    Pair<Sharding>{"zero1", Sharding::zero1}, Pair<Sharding>{"zero2", Sharding::zero2},
    Pair<Sharding>{"zero3", Sharding::zero3}, Pair<Sharding>{"fsdp", Sharding::fsdp},
    Pair<Sharding>{"hsdp", Sharding::hsdp},
};
constexpr std::array recomputes = {
    Pair<RecomputeMode>{"none", RecomputeMode::none},
    Pair<RecomputeMode>{"selective", RecomputeMode::selective},
    Pair<RecomputeMode>{"full", RecomputeMode::full},
};
constexpr std::array implementations = {
    Pair<OptimizerImplementation>{"foreach", OptimizerImplementation::foreach},
    Pair<OptimizerImplementation>{"fused", OptimizerImplementation::fused},
    Pair<OptimizerImplementation>{"paged", OptimizerImplementation::paged},
};
constexpr std::array offloads = {
    Pair<OffloadTarget>{"none", OffloadTarget::none},
    Pair<OffloadTarget>{"cpu", OffloadTarget::cpu},
    Pair<OffloadTarget>{"nvme", OffloadTarget::nvme},
};
constexpr std::array phases = {
    Pair<ServingPhase>{"end_to_end", ServingPhase::end_to_end},
    Pair<ServingPhase>{"prefill", ServingPhase::prefill},
    Pair<ServingPhase>{"decode", ServingPhase::decode},
};
constexpr std::array algorithms = {
    Pair<PreferenceAlgorithm>{"dpo", PreferenceAlgorithm::dpo},
    Pair<PreferenceAlgorithm>{"orpo", PreferenceAlgorithm::orpo},
    Pair<PreferenceAlgorithm>{"simpo", PreferenceAlgorithm::simpo},
    Pair<PreferenceAlgorithm>{"kto", PreferenceAlgorithm::kto},
    Pair<PreferenceAlgorithm>{"ppo", PreferenceAlgorithm::ppo},
    Pair<PreferenceAlgorithm>{"grpo", PreferenceAlgorithm::grpo},
    Pair<PreferenceAlgorithm>{"rloo", PreferenceAlgorithm::rloo},
    Pair<PreferenceAlgorithm>{"dapo", PreferenceAlgorithm::dapo},
};
constexpr std::array placements = {
    Pair<RolloutPlacement>{"colocated", RolloutPlacement::colocated},
    Pair<RolloutPlacement>{"separate", RolloutPlacement::separate},
};
constexpr std::array price_kinds = {
    Pair<PriceKind>{"on_demand", PriceKind::on_demand},
    Pair<PriceKind>{"spot", PriceKind::spot},
    Pair<PriceKind>{"reserved", PriceKind::reserved},
    Pair<PriceKind>{"marketplace", PriceKind::marketplace},
};
constexpr std::array purchases = {
    Pair<PurchaseBasis>{"card", PurchaseBasis::card},
    Pair<PurchaseBasis>{"baseboard", PurchaseBasis::baseboard},
    Pair<PurchaseBasis>{"system", PurchaseBasis::system},
};
constexpr std::array tiers = {
    Pair<Tier>{"measured", Tier::measured},
    Pair<Tier>{"published", Tier::published},
    Pair<Tier>{"transferred", Tier::transferred},
    Pair<Tier>{"assumed", Tier::assumed},
};
constexpr std::array flash_generations_read = {
    Pair<FlashGeneration>{"flash1", FlashGeneration::flash1},
    Pair<FlashGeneration>{"flash2", FlashGeneration::flash2},
    Pair<FlashGeneration>{"flash3", FlashGeneration::flash3},
};
// Types of llama.cpp's files stand behind the others.
constexpr std::size_t first_of_files = 14;
constexpr std::array<std::string_view, 45> quantizations = {
    "none",    "nf4",     "fp4",    "int8",   "int4",      "gptq-int4", "awq-int4", "fp8",
    "mxfp8",   "mxfp4",   "nvfp4",  "f16",    "bf16",      "fp8-block", "q4_0",     "q4_1",
    "q5_0",    "q5_1",    "q8_0",   "q2_k",   "q2_k_s",    "q3_k",      "q3_k_s",   "q3_k_m",
    "q3_k_l",  "q4_k",    "q4_k_s", "q4_k_m", "q5_k",      "q5_k_s",    "q5_k_m",   "q6_k",
    "iq1_s",   "iq2_xxs", "iq2_xs", "iq2_s",  "iq3_s",     "iq4_nl",    "iq4_xs",   "iq1_m",
    "iq3_xxs", "iq2_m",   "iq3_xs", "iq3_m",  "mxfp4_moe",
};
constexpr std::array<std::string_view, 8> optimizers = {
    "adamw", "adam", "sgd", "adafactor", "lion", "muon", "adagrad", "novograd",
};

template <typename Table, typename E>
std::string_view name_in(const Table& table, E value) {
    for (const auto& [name, entry] : table) {
        if (entry == value) {
            return name;
        }
    }
    return "unknown";
}

constexpr std::array weight_types = {
    Pair<DType>{"fp32", DType::fp32},
    Pair<DType>{"bf16", DType::bf16},
    Pair<DType>{"fp16", DType::fp16},
    Pair<DType>{"fp8", DType::fp8},
};
constexpr std::array state_types = {
    Pair<DType>{"fp32", DType::fp32}, Pair<DType>{"bf16", DType::bf16},
    Pair<DType>{"fp16", DType::fp16}, Pair<DType>{"fp8", DType::fp8},
    Pair<DType>{"int8", DType::int8}, Pair<DType>{"int4", DType::int4},
};
constexpr std::array compute_types_read = {
    Pair<ComputeType>{"fp32", ComputeType::fp32}, Pair<ComputeType>{"tf32", ComputeType::tf32},
    Pair<ComputeType>{"fp16", ComputeType::fp16}, Pair<ComputeType>{"bf16", ComputeType::bf16},
    Pair<ComputeType>{"fp8", ComputeType::fp8},   Pair<ComputeType>{"mxfp8", ComputeType::mxfp8},
    Pair<ComputeType>{"nvfp4", ComputeType::fp4}, Pair<ComputeType>{"mxfp4", ComputeType::fp4},
    Pair<ComputeType>{"int8", ComputeType::int8}, Pair<ComputeType>{"fp64", ComputeType::fp64},
};
constexpr std::array master_weights = {Pair<bool>{"none", false}, Pair<bool>{"fp32", true}};

}  // namespace

Words<Task> task_words() { return tasks; }
Words<Method> method_words() { return methods; }
Words<LoraVariant> lora_variant_words() { return lora_variants; }
Words<Upcast> upcast_words() { return upcasts; }
Words<AttentionKernel> attention_words() { return attentions; }
Words<LossMode> loss_words() { return losses; }
Words<Sharding> sharding_words() { return shardings; }
Words<RecomputeMode> recompute_words() { return recomputes; }
Words<OptimizerImplementation> implementation_words() { return implementations; }
Words<OffloadTarget> offload_words() { return offloads; }
Words<ServingPhase> phase_words() { return phases; }
Words<PreferenceAlgorithm> algorithm_words() { return algorithms; }
Words<RolloutPlacement> placement_words() { return placements; }
Words<PriceKind> price_kind_words() { return price_kinds; }
Words<PurchaseBasis> purchase_words() { return purchases; }
Words<Tier> tier_words() { return tiers; }
Words<FlashGeneration> flash_words() { return flash_generations_read; }
std::optional<PreferenceAlgorithm> algorithm_named(std::string_view name) {
    for (const auto& [word, value] : algorithms) {
        if (word == name) {
            return value;
        }
    }
    return std::nullopt;
}

Words<DType> weight_type_words() { return weight_types; }
Words<DType> state_type_words() { return state_types; }
Words<ComputeType> compute_type_words() { return compute_types_read; }
Words<bool> master_weight_words() { return master_weights; }

std::string_view name_of(Task value) { return name_in(tasks, value); }
std::string_view name_of(Method value) { return name_in(methods, value); }
std::string_view name_of(LoraVariant value) { return name_in(lora_variants, value); }
std::string_view name_of(Upcast value) { return name_in(upcasts, value); }
std::string_view name_of(AttentionKernel value) { return name_in(attentions, value); }
std::string_view name_of(LossMode value) { return name_in(losses, value); }
std::string_view name_of(Sharding value) { return name_in(shardings, value); }
std::string_view name_of(RecomputeMode value) { return name_in(recomputes, value); }
std::string_view name_of(OptimizerImplementation value) { return name_in(implementations, value); }
std::string_view name_of(OffloadTarget value) { return name_in(offloads, value); }
std::string_view name_of(ServingPhase value) { return name_in(phases, value); }
std::string_view name_of(PreferenceAlgorithm value) { return name_in(algorithms, value); }
std::string_view name_of(RolloutPlacement value) { return name_in(placements, value); }
std::string_view name_of(PriceKind value) { return name_in(price_kinds, value); }
std::string_view name_of(PurchaseBasis value) { return name_in(purchases, value); }
std::string_view name_of(Tier value) { return name_in(tiers, value); }

std::span<const std::string_view> quantization_words() { return quantizations; }
bool names_file_type(std::string_view stored) {
    return std::find(quantizations.begin() + first_of_files, quantizations.end(), stored) !=
           quantizations.end();
}

std::string in_files(std::string_view stored) {
    const std::string file = std::string(stored) + "_moe";
    return names_file_type(file) ? file : std::string(stored);
}
std::span<const std::string_view> optimizer_words() { return optimizers; }
std::span<const std::string_view> kernel_words() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (const KernelKind& kind : kernel_kinds()) {
            all.push_back(kind.name);
        }
        return all;
    }();
    return names;
}

}  // namespace ridgeline
