#pragma once

#include "spec/calibration.h"
#include "spec/offer.h"
#include "spec/ownership.h"
#include "spec/workload.h"

#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace ridgeline {

/// The words of the workload document for one enumeration, in the order of the contract. Readers
/// look a value up in it, reports print with `name_of`.
template <typename E>
using Words = std::span<const std::pair<std::string_view, E>>;

Words<Task> task_words();
Words<Method> method_words();
Words<LoraVariant> lora_variant_words();
Words<Upcast> upcast_words();
Words<AttentionKernel> attention_words();
Words<LossMode> loss_words();
Words<Sharding> sharding_words();
Words<RecomputeMode> recompute_words();
Words<OptimizerImplementation> implementation_words();
Words<OffloadTarget> offload_words();
Words<ServingPhase> phase_words();
Words<PreferenceAlgorithm> algorithm_words();
Words<RolloutPlacement> placement_words();
Words<PriceKind> price_kind_words();
Words<PurchaseBasis> purchase_words();
Words<Tier> tier_words();
Words<FlashGeneration> flash_words();
/// Types that weights and gradients are kept in; states and caches may be smaller.
Words<DType> weight_type_words();
Words<DType> state_type_words();
Words<ComputeType> compute_type_words();
/// Of `precision.master_weights`: whether there is a copy in fp32.
Words<bool> master_weight_words();

/// The algorithm of that name; none for other words.
std::optional<PreferenceAlgorithm> algorithm_named(std::string_view name);

std::string_view name_of(Task value);
std::string_view name_of(Method value);
std::string_view name_of(LoraVariant value);
std::string_view name_of(Upcast value);
std::string_view name_of(AttentionKernel value);
std::string_view name_of(LossMode value);
std::string_view name_of(Sharding value);
std::string_view name_of(RecomputeMode value);
std::string_view name_of(OptimizerImplementation value);
std::string_view name_of(OffloadTarget value);
std::string_view name_of(ServingPhase value);
std::string_view name_of(PreferenceAlgorithm value);
std::string_view name_of(RolloutPlacement value);
std::string_view name_of(PriceKind value);
std::string_view name_of(PurchaseBasis value);
std::string_view name_of(Tier value);

/// Words of `precision.quantization`: "none", the formats, and GGUF types.
std::span<const std::string_view> quantization_words();
/// Whether it is a type of llama.cpp's files that no other stack stores ("q4_k_m", "mxfp4_moe").
bool names_file_type(std::string_view stored);
/// As llama.cpp's files name it, which have experts of that type in them and all else in 8 bits:
/// "mxfp4" -> "mxfp4_moe"; itself where they do not.
std::string in_files(std::string_view stored);
/// Words of `optimizer.name`.
std::span<const std::string_view> optimizer_words();
/// Words of `kernel.operation`: the names of `kernel_kinds`.
std::span<const std::string_view> kernel_words();
/// Forces of molecular dynamics.
std::span<const std::string_view> force_words();

}  // namespace ridgeline
