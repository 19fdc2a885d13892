#include "advise/stacks/usual.h"

#include "advise/stacks/pretraining.h"
#include "advise/stacks/stored_weights.h"
#include "base/order.h"
#include "estimate/serving/gguf.h"
#include "spec/chip_support.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>

// Which stacks are usual for a question, by "usual_for" of their profiles.

namespace ridgeline {
namespace {

/// The kind of a network as "usual_for" names it; empty: a transformer of text.
std::string_view network_word(const Architecture& architecture, const WorkloadDocument& document) {
    const bool tuned = architecture.kind == ModelKind::encoder || architecture.reads_sound();
    if (document.task == Task::train && tuned && !architecture.reads_images() &&
        !is_pretraining(document)) {
        return "encoder";  // as it was published, on many cards too
    }
    if (document.task == Task::inference && architecture.reads_sound()) {
        return "speech";
    }
    if (!architecture.network) {
        return architecture.reads_images() ? "image" : "";
    }
    switch (architecture.kind) {
        case ModelKind::diffusion:
            return "diffusion";
        case ModelKind::recurrent:
            return "recurrent";
        case ModelKind::gan:
            return "adversarial";
        default:
            return "image";
    }
}

/// How closely an entry names a question: by the kind of its network, the form of its weights, the
/// type of its products, its method, its task, its size. Empty where it is another question.
using Closeness = std::tuple<bool, int, bool, bool, bool, bool, int>;

bool in_eight_bits_or_less(ComputeType type) {
    return type == ComputeType::fp8 || type == ComputeType::mxfp8 || type == ComputeType::fp4;
}

std::optional<Closeness> closeness(const UsualFor& usual, bool low_precision,
                                   const WorkloadDocument& document, std::string_view network,
                                   bool gguf, int count) {
    const bool other =
        (usual.task && *usual.task != document.task) ||
        (usual.method && *usual.method != document.method.value_or(Method::full)) ||
        (!usual.weights.empty() &&
         usual.weights != (gguf ? "gguf" : document.quantization.value_or(""))) ||
        usual.at_least > count || (!usual.network.empty() && network.empty()) ||
        (!usual.network.empty() && usual.network != "any" && usual.network != network) ||
        (usual.rollouts &&
         (!document.preference || *usual.rollouts != document.preference->generates()));
    if (other) {
        return std::nullopt;
    }
    const int names_network = usual.network.empty() ? 0 : usual.network == "any" ? 1 : 2;
    return Closeness{
        usual.rollouts.has_value(), names_network,          !usual.weights.empty(), low_precision,
        usual.method.has_value(),   usual.task.has_value(), usual.at_least};
}

std::optional<Closeness> closeness(const SoftwareProfile& profile, const WorkloadDocument& document,
                                   std::string_view network, bool gguf, int count) {
    // A stack of fp8 recipes is for questions that ask for such products.
    const bool low = in_eight_bits_or_less(profile.defaults.compute);
    // A run from scratch is left to a stack of such runs, which keeps an fp32 copy, on one card
    // too.
    constexpr int several = 2;
    count = is_pretraining(document) ? std::max(count, several) : count;
    if (low && !in_eight_bits_or_less(document.compute.value_or(ComputeType::bf16))) {
        return std::nullopt;
    }
    std::optional<Closeness> closest;
    for (const UsualFor& usual : profile.usual_for) {
        closest = std::max(closest, closeness(usual, low, document, network, gguf, count));
    }
    return closest;
}

}  // namespace

std::vector<const SoftwareProfile*> usual_software(const Profiles& profiles,
                                                   const WorkloadDocument& document,
                                                   const Architecture& architecture,
                                                   const Accelerator& part, int count) {
    if (document.framework) {
        const SoftwareProfile* profile = profiles.software_profile(*document.framework);
        return profile == nullptr ? std::vector<const SoftwareProfile*>{}
                                  : std::vector<const SoftwareProfile*>{profile};
    }
    const std::string stored = document.quantization.value_or("none");
    const bool text = architecture.kind == ModelKind::decoder && !architecture.stacks.empty();
    // Files hold weights as they were published too.
    const bool whole = document.task == Task::inference && text &&
                       (stored == "none" || architecture.packs_experts_in(stored));
    const auto closest_of = [&](bool gguf, bool all) {
        std::optional<Closeness> closest;
        std::vector<const SoftwareProfile*> usual;
        for (const SoftwareProfile& profile : profiles.software) {
            const auto fits =
                closeness(profile, document, network_word(architecture, document), gguf, count);
            if (!fits || fits < closest || !is_made_for(profile, part)) {
                continue;
            }
            if (fits > closest) {
                usual.clear();
            }
            closest = fits;
            if (all || weights_conflict(profile, part, stored).empty()) {
                usual.push_back(&profile);
            }
        }
        return usual;
    };
    // Layers wait on the host in the stacks of files alone.
    const bool split = document.serving &&
                       (document.serving->gpu_layers || document.serving->host_expert_layers > 0);
    auto usual =
        closest_of(gguf_file(stored) || (whole && (split || runs_files_alone(part))), false);
    if (usual.empty()) {  // no server has kernels for such weights on so old a chip
        usual = closest_of(whole, !whole);
    }
    // Of stacks that are as usual as each other, the one that is usual for less comes first.
    stable_order(usual.begin(), usual.end(), [](const auto* a, const auto* b) {
        return a->usual_for.front().at_least < b->usual_for.front().at_least;
    });
    return usual;
}

}  // namespace ridgeline
