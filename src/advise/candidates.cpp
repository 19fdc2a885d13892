#include "advise/kept_parts.h"
#include "advise/plan_chunk.h"
#include "advise/search.h"
#include "advise/stored_weights.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "estimate/families/transformer/parameters.h"
#include "estimate/memory/replayed_steps.h"
#include "estimate/resolve/resolve.h"
#include "estimate/serving/gguf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

namespace ridgeline {
namespace {

// Tokens of an optimizer step in published pretraining runs of 7B to 70B models: about 4 M.
constexpr double pretraining_step_tokens = 4e6;
constexpr int tuning_batch = 16;
constexpr double usual_ttft_s = 1;
constexpr double usual_tpot_s = 0.05;  // 20 tokens a second: faster than people read
constexpr int usual_most = 64;
constexpr int full_training_most = 1024;
constexpr int pretraining_most = 16384;
// A well-run H100 sustains about this much, for the size of cluster worth looking at.
constexpr double sustained_flops = 4e14;

bool is_pretraining(const Search& search) {
    return search.document.task == Task::train && search.document.method == Method::full &&
           search.document.duration_tokens.value_or(0) >= 5e9;
}

void fill(Search& search, std::string field, std::optional<int>& target, int value) {
    if (!target) {
        target = value;
        search.defaults.push_back({std::move(field), std::to_string(value), "ridgeline"});
    }
}

// The context that a model was trained on is the most it can be tuned at.
int within_positions(const Architecture& architecture, int sequence) {
    return architecture.max_positions > 0 ? std::min(sequence, architecture.max_positions)
                                          : sequence;
}

bool matches_memory(const Accelerator& accelerator, double gb, bool at_least) {
    return std::abs(accelerator.marketed_gb - gb) <= memory_tolerance * gb ||
           (at_least && accelerator.marketed_gb > gb);
}

Rejection reject(const Accelerator& accelerator, std::string reason, std::string message) {
    Rejection rejection;
    rejection.accelerator = accelerator.id;
    rejection.count = 1;
    rejection.reason = std::move(reason);
    rejection.message = std::move(message);
    return rejection;
}
bool requires_feature(const Query& query, std::string_view feature) {
    return std::find(query.require.begin(), query.require.end(), feature) != query.require.end();
}

// The reason why a part of the right kind is out, or an empty code.
Rejection feature_missing(const Search& search, const Accelerator& accelerator) {
    const Query& query = search.query;
    if (requires_feature(query, "ecc") && !accelerator.ecc.available) {
        return reject(accelerator,
                      "no_ecc",
                      accelerator.ecc.support.starts_with("not stated")
                          ? "no source says whether its memory has ECC"
                          : "0 of 1 needed: its memory has no ECC");
    }
    if (requires_feature(query, "nvlink") && !accelerator.has_nvlink()) {
        return reject(accelerator,
                      "no_nvlink",
                      "its scale-up link is " + accelerator.scale_up.kind + ", not NVLink");
    }
    if (requires_feature(query, "mig") && accelerator.mig_instances.value_or(0) < 2) {
        return reject(accelerator, "no_mig", "it cannot be divided: 0 MIG instances");
    }
    if (requires_feature(query, "datacenter") &&
        (is_consumer(accelerator) || accelerator.vendor == "Apple" || accelerator.kind == "soc")) {
        return reject(accelerator, "consumer_part", "it is a part for desktops, none were wanted");
    }
    const auto compute = search.document.compute;
    if (compute && !accelerator.peak(*compute)) {
        return reject(accelerator,
                      "no_required_dtype",
                      "it has no matrix rate for " + std::string(name_of(*compute)));
    }
    const bool no_rate = std::none_of(accelerator.peak_dense.begin(),
                                      accelerator.peak_dense.end(),
                                      [](const auto& peak) { return peak.has_value(); });
    if (no_rate || accelerator.memory_bandwidth.base() <= 0 || accelerator.capacity().base() <= 0) {
        return reject(accelerator, "unknown_spec", "its peak rate or bandwidth is not known");
    }
    return {};
}

// Requests in flight are the rate times the time that each takes (Little 1961): what the targets
// allow, else a first token within a second and tokens as fast as people read.
void follow_rate(Search& search) {
    Serving& serving = *search.document.serving;
    const bool tokens = !search.architecture.stacks.empty() && !search.architecture.reads_images();
    if (!search.query.requests_per_s || serving.concurrency > 1 || !tokens) {
        return;
    }
    const double seconds = search.query.ttft_s.value_or(usual_ttft_s) +
                           serving.output_tokens * search.query.tpot_s.value_or(usual_tpot_s);
    const double rate = *search.query.requests_per_s;
    serving.concurrency = std::max(1.0, std::ceil(rate * seconds));
    std::erase_if(search.defaults, [](const FilledDefault& filled) {
        return filled.field == "serving.concurrency";
    });
    search.defaults.push_back(
        {"serving.concurrency",
         fmt::format("{:g}", serving.concurrency),
         fmt::format("{:g} requests/s x {:.1f} s each (Little's law)", rate, seconds)});
}

}  // namespace

Search make_search(const Query& query,
                   const Architecture& architecture,
                   const Knowledge& knowledge) {
    Search search{.query = query,
                  .architecture = architecture,
                  .knowledge = knowledge,
                  .document = query.workload,
                  .defaults = {},
                  .freedom = {},
                  .models = nullptr,
                  .blocks = nullptr,
                  .replayed = nullptr};
    WorkloadDocument& document = search.document;
    search.freedom = freedom_of(document);
    if (document.task == Task::train) {
        const bool program = has_program(architecture);
        const bool adapts = !program || architecture.kind == ModelKind::diffusion;
        if (!adapts && query.method_open) {
            // Nobody said that adapters train, and these networks have none.
            document.method = Method::full;
            document.has_lora = false;
        }
        if (!document.method) {
            const bool whole = program && architecture.kind != ModelKind::diffusion;
            document.method = whole ? Method::full : Method::lora;
            search.defaults.push_back({"method", whole ? "full" : "lora", "ridgeline"});
        }
        document.has_lora = document.has_lora || *document.method != Method::full;
        const bool pretraining = is_pretraining(search);
        const bool rounds = document.preference && document.preference->generates();
        if (!architecture.stacks.empty() && !rounds) {
            fill(search,
                 "batch.sequence_length",
                 document.sequence_length,
                 within_positions(architecture,
                                  *document.method == Method::full ? usual_sequence_length
                                                                   : usual_tuning_sequence));
        }
        const double step = pretraining_step_tokens / document.sequence_length.value_or(1);
        fill(search,
             "batch.global",
             document.global_batch,
             rounds        ? static_cast<int>(document.preference->round_answers())
             : program     ? std::max(usual_batch(architecture), document.micro_batch.value_or(1))
             : pretraining ? std::max(1, static_cast<int>(std::exp2(std::round(std::log2(step)))))
                           : std::max(tuning_batch, document.micro_batch.value_or(1)));
    } else if (document.task == Task::inference && !document.serving &&
               !has_program(architecture)) {
        document.serving = Serving{};
        search.defaults.push_back({"serving.concurrency", "1", "ridgeline"});
    }
    if (document.task == Task::inference) {
        follow_rate(search);
    }
    search.models = std::make_shared<Models>(knowledge);
    search.blocks = std::make_shared<BlockCache>();
    search.replayed = std::make_shared<ReplayedSteps>(
        knowledge.kept != nullptr ? &knowledge.kept->replays() : nullptr,
        architecture,
        knowledge.profiles.software);
    search.parameters = has_program(architecture)
                            ? program_parameters(architecture)
                            : static_cast<double>(count_parameters(architecture).total);
    search.flops_per_token =
        forward_flops_per_token(architecture, document.sequence_length.value_or(1024));
    return search;
}

std::vector<const Accelerator*> candidates(const Search& search, std::vector<Rejection>& rejected) {
    const Query& query = search.query;
    std::vector<const Accelerator*> list;
    for (const Accelerator& accelerator : search.knowledge.catalog.accelerators) {
        const bool named =
            std::find(query.accelerators.begin(), query.accelerators.end(), accelerator.id) !=
            query.accelerators.end();
        const std::string vendor = lower(accelerator.vendor);
        const bool excluding = query.vendor.starts_with('!');
        const bool allowed = allowed_by(lower(query.vendor), vendor);
        const bool vendor_named = !query.vendor.empty() && !excluding && allowed;
        const bool usual = accelerator.kind == "gpu" || accelerator.kind == "apu" ||
                           (query.max_watts && accelerator.kind == "soc" && accelerator.vendor != "Apple");
        if (accelerator.kind == "system" || (!query.accelerators.empty() && !named) ||
            !allowed ||
            (!usual && !named && (!vendor_named || accelerator.kind == "cpu"))) {
            continue;
        }
        if (query.memory_per_accelerator_gib &&
            !matches_memory(
                accelerator, *query.memory_per_accelerator_gib, query.memory_at_least)) {
            continue;
        }
        if (accelerator.memory_bandwidth.base() < query.least_bytes_per_s) {
            continue;
        }
        Rejection missing = feature_missing(search, accelerator);
        if (query.max_watts && accelerator.tdp / watt > *query.max_watts) {
            missing = reject(accelerator, "power_exceeded",
                             fmt::format("it draws {:.0f} W, {:g} W are allowed", accelerator.tdp / watt, *query.max_watts));
        }
        if (!missing.reason.empty()) {
            missing.count = query.exact_accelerators.value_or(1);
            rejected.push_back(std::move(missing));
            continue;
        }
        list.push_back(&accelerator);
    }
    return list;
}

namespace {

// Eight times what the run needs of current accelerators to meet its deadline; without one, what
// holds the states of the largest models.
int largest_cluster(const Search& search) {
    const WorkloadDocument& document = search.document;
    if (document.task != Task::train || document.method != Method::full) {
        return usual_most;
    }
    if (!search.query.deadline_s || !document.duration_tokens) {
        return full_training_most;
    }
    const double work = 3 * search.flops_per_token * *document.duration_tokens;
    const double needed = 8 * work / (*search.query.deadline_s * sustained_flops);
    return static_cast<int>(std::clamp(needed, 1.0 * usual_most, 1.0 * pretraining_most));
}

}  // namespace

std::vector<int> counts_for(const Search& search, const Accelerator& accelerator) {
    const Query& query = search.query;
    if (query.exact_accelerators) {
        return {*query.exact_accelerators};
    }
    if (query.owned && !query.max_accelerators) {
        return {1};  // one card that somebody owns stays one
    }
    // A computer has one chip; nobody who did not ask for it joins several to run one model.
    const bool computer = accelerator.form_factor == "SoC" && accelerator.scale_up.max_domain <= 1;
    if (computer && !query.max_accelerators && !query.requests_per_s) {
        return {1};
    }
    int most = largest_cluster(search);
    const bool copies = search.document.task == Task::inference && query.requests_per_s;
    if (!is_module(accelerator) && !copies) {
        // Cards beyond one server are joined by Ethernet: of the plans only copies survive that.
        most = 8;
    }
    most = query.max_accelerators ? std::min(most, *query.max_accelerators) : most;
    std::vector<int> counts;
    for (int count = 1; count <= most; count *= 2) {
        counts.push_back(count);
        // Copies are added server by server: three are as good as two or four.
        if (copies && count >= 16 && count + count / 2 <= most) {
            counts.push_back(count + count / 2);
        }
    }
    return counts;
}

Bytes least_resident(const Search& search, const Workload& workload, int count) {
    double bytes = bytes_per_element(workload.weights);
    const bool four_bits = workload.task == Task::train && workload.method == Method::qlora;
    if (workload.quantization.any() || four_bits) {
        // No known format is smaller than two bits a weight.
        bytes = four_bits && !workload.quantization.any() ? 0.5 : 0.25;
    } else if (workload.task == Task::train && workload.method == Method::full) {
        bytes += workload.optimizer_in_backward ? 0 : bytes_per_element(workload.gradients);
        bytes += workload.master_weights ? 4 : 0;
        const bool two = workload.optimizer == "adamw" || workload.optimizer == "adam";
        const bool offloaded = workload.plan.offload_optimizer != OffloadTarget::none;
        bytes += two && !offloaded ? 2 * bytes_per_element(workload.optimizer_state) : 0;
    }
    if (workload.plan.offload_parameters != OffloadTarget::none) {
        bytes = 0;
    }
    return Bytes::of_base(search.parameters * bytes / std::max(1, count));
}

namespace {

/// The kind of a network as "usual_for" names it; empty: a transformer of text.
std::string_view network_word(const Architecture& architecture) {
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

/// How closely an entry names a question: by the kind of its network, the form of its weights, the type of its products, its
/// method, its task, its size. Empty where it is another question.
using Closeness = std::tuple<bool, int, bool, bool, bool, bool, int>;

bool in_eight_bits_or_less(ComputeType type) {
    return type == ComputeType::fp8 || type == ComputeType::mxfp8 || type == ComputeType::fp4;
}

std::optional<Closeness> closeness(const UsualFor& usual,
                                   bool low_precision,
                                   const WorkloadDocument& document,
                                   std::string_view network,
                                   bool gguf,
                                   int count) {
    const bool other = (usual.task && *usual.task != document.task) ||
                       (usual.method && *usual.method != document.method.value_or(Method::full)) ||
                       (usual.gguf && !gguf) || usual.at_least > count ||
                       (!usual.network.empty() && network.empty()) ||
                       (!usual.network.empty() && usual.network != "any" &&
                        usual.network != network) ||
                       (usual.rollouts && (!document.preference ||
                                           *usual.rollouts != document.preference->generates()));
    if (other) {
        return std::nullopt;
    }
    const int names_network = usual.network.empty() ? 0 : usual.network == "any" ? 1 : 2;
    return Closeness{usual.rollouts.has_value(),
                     names_network,
                     usual.gguf,
                     low_precision,
                     usual.method.has_value(),
                     usual.task.has_value(),
                     usual.at_least};
}

std::optional<Closeness> closeness(const SoftwareProfile& profile,
                                   const WorkloadDocument& document,
                                   std::string_view network,
                                   bool gguf,
                                   int count) {
    // A stack of fp8 recipes is for questions that ask for such products.
    const bool low = in_eight_bits_or_less(profile.defaults.compute);
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

std::vector<const SoftwareProfile*> software_for(const Search& search, const Accelerator& part, int count) {
    return usual_software(
        search.knowledge.profiles, search.document, search.architecture, part, count);
}

std::vector<const SoftwareProfile*> usual_software(const Profiles& profiles,
                                                   const WorkloadDocument& document,
                                                   const Architecture& architecture,
                                                   const Accelerator& part,
                                                   int count) {
    if (document.framework) {
        const SoftwareProfile* profile = profiles.software_profile(*document.framework);
        return profile == nullptr ? std::vector<const SoftwareProfile*>{}
                                  : std::vector<const SoftwareProfile*>{profile};
    }
    std::optional<Closeness> closest;
    std::vector<const SoftwareProfile*> usual;
    const std::string stored = document.quantization.value_or("none");
    // What no server of models runs on takes whole weights from a file too.
    const bool whole = stored == "none" && document.task == Task::inference && runs_files_alone(part) &&
                       architecture.kind == ModelKind::decoder && !architecture.stacks.empty();
    const bool gguf = whole || gguf_file(stored).has_value();
    for (const SoftwareProfile& profile : profiles.software) {
        const auto fits = closeness(profile, document, network_word(architecture), gguf, count);
        if (fits && fits > closest) {
            usual.clear();
        }
        if (fits && fits >= closest) {
            closest = fits;
            usual.push_back(&profile);
        }
    }
    // Of stacks that are as usual as each other, the one that is usual for less comes first.
    std::stable_sort(usual.begin(), usual.end(), [](const auto* a, const auto* b) {
        return a->usual_for.front().at_least < b->usual_for.front().at_least;
    });
    return usual;
}

}  // namespace ridgeline
