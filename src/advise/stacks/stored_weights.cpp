#include "advise/stacks/stored_weights.h"

#include "advise/hardware/desk.h"
#include "base/text.h"
#include "spec/chip_support.h"

#include <algorithm>
#include <iterator>

// Weights that answers assume where none were said.

namespace ridgeline {

bool runs_files_alone(const Accelerator& part) {
    // Servers of models have kernels from Volta on (compute capability 7.0); ROCm's builds of them
    // have none for Vega (docs.vllm.ai, installation, "AMD ROCm": from gfx90a on, and gfx11).
    const double capability = number_with_suffix(part.compute_capability.value_or("")).value_or(7);
    const std::string vega = part.gfx_arch.value_or("");
    return part.vendor == "Apple" || part.kind == "cpu" || vega == "gfx900" || vega == "gfx906" ||
           (part.vendor == "NVIDIA" && capability < 7) || lacks_rocm(part);
}

namespace {

/// The profile that usually runs models of text, from files of quantised weights or as a server.
const SoftwareProfile* runner_of(const Profiles& profiles, bool files) {
    const auto runs = [&](const SoftwareProfile& profile) {
        return std::ranges::any_of(profile.usual_for, [&](const UsualFor& usual) {
            return usual.task == Task::inference && (usual.weights == "gguf") == files &&
                   usual.network.empty();
        });
    };
    const auto found = std::ranges::find_if(profiles.software, runs);
    return found == profiles.software.end() ? nullptr : &*found;
}

}  // namespace

const SoftwareProfile* runner_of_files(const Profiles& profiles) {
    return runner_of(profiles, true);
}

namespace {

constexpr std::string_view files_of_weights[] = {"q8_0", "q6_k", "q5_k_m", "q4_k_m"};
constexpr std::string_view below_usual[] = {"q4_k_s", "iq4_xs", "q3_k_m", "iq3_m", "iq3_xxs"};
constexpr std::string_view of_four_bits[] = {"q4_k_s", "iq4_xs"};
constexpr std::string_view wide_of_servers = "fp8";
constexpr std::string_view narrow_of_servers = "awq-int4";
// Those in which diffusion models are handed on.
constexpr std::string_view weights_of_pictures[] = {"fp8", "q4_k_m"};

/// Whether a server has kernels for weights of that type on the part.
bool serves(const SoftwareProfile* server, const Accelerator& part, std::string_view type) {
    // Floats of 8 bits are computed in, or widened, which is known of NVIDIA's parts alone.
    const bool widened = part.compute_capability || part.peak(ComputeType::fp8);
    return (type != wide_of_servers || widened) &&
           (server == nullptr || weights_conflict(*server, part, type).empty());
}

}  // namespace

std::vector<std::string_view> weights_to_try(const WorkloadDocument& document,
                                             const Architecture& architecture,
                                             std::span<const Accelerator* const> parts,
                                             const Profiles& profiles) {
    if (architecture.kind == ModelKind::diffusion) {
        return {std::begin(weights_of_pictures), std::end(weights_of_pictures)};
    }
    const auto all = [&](auto holds) {
        return std::ranges::all_of(parts, [&](const Accelerator* part) { return holds(*part); });
    };
    const SoftwareProfile* files = runner_of_files(profiles);
    const bool named = document.framework.has_value();
    const bool files_named = named && files != nullptr && *document.framework == files->id;
    const bool alone = !document.serving || document.serving->concurrency <= 1;
    const bool own =
        all([](const Accelerator& part) { return is_home(part) || stands_at_a_desk(part); });
    const bool files_alone = !parts.empty() && all(runs_files_alone);
    std::vector<std::string_view> types;
    if (!files_named && !files_alone && (named || !alone || !own)) {
        const SoftwareProfile* server =
            named ? profiles.software_profile(*document.framework) : runner_of(profiles, false);
        for (const std::string_view type : {wide_of_servers, narrow_of_servers}) {
            if (all([&](const Accelerator& part) { return serves(server, part, type); })) {
                types.push_back(type);
            }
        }
    }
    const bool too_old = types.empty() && !parts.empty();  // for what servers read
    if (files_named || (!named && (files_alone || too_old || (own && (alone || !parts.empty()))))) {
        types.insert(types.end(), std::begin(files_of_weights), std::end(files_of_weights));
    }
    return types;
}

std::array<std::string_view, 2> weights_of_servers() {
    return {wide_of_servers, narrow_of_servers};
}

void add_types_below_usual(std::vector<std::string_view>& types, const Architecture& architecture) {
    if (!types.empty() && types.back() == "q4_k_m" && architecture.kind != ModelKind::diffusion) {
        types.insert(types.end(), std::begin(below_usual), std::end(below_usual));
    }
}

std::span<const std::string_view> other_files_of_four_bits() { return of_four_bits; }

bool is_below_usual(std::string_view type) {
    return std::find(std::begin(below_usual), std::end(below_usual), type) != std::end(below_usual);
}

bool is_tried_type(std::string_view type) {
    return is_below_usual(type) || type == wide_of_servers || type == narrow_of_servers ||
           std::find(std::begin(files_of_weights), std::end(files_of_weights), type) !=
               std::end(files_of_weights);
}

bool takes_narrow_weights(const Architecture& architecture) {
    return !architecture.stacks.empty() || architecture.kind == ModelKind::diffusion;
}

bool leaves_weights_open(const WorkloadDocument& document, const Architecture& architecture) {
    return document.task == Task::inference && !document.quantization && !document.compute &&
           takes_narrow_weights(architecture);
}

WorkloadDocument with_weights_that_fit(const WorkloadDocument& document,
                                       const Architecture& architecture,
                                       std::span<const std::string_view> types,
                                       const std::function<bool(const WorkloadDocument&)>& fits) {
    if (!leaves_weights_open(document, architecture) || fits(document)) {
        return document;
    }
    for (const std::string_view type : types) {
        WorkloadDocument narrower = document;
        narrower.quantization = std::string(type);
        if (fits(narrower)) {
            return narrower;
        }
    }
    return document;
}

}  // namespace ridgeline
