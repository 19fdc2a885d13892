#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/plans/chunk.h"
#include "advise/search/kept_parts.h"
#include "advise/search/search.h"
#include "advise/stacks/pretraining.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ridgeline {
namespace {

constexpr int tuning_batch = 16;
constexpr int usual_pictures = 256;  // of a step of a vision transformer, as of other networks
constexpr double usual_ttft_s = 1;
constexpr double usual_tpot_s = 0.05;  // 20 tokens a second: faster than people read

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

Rejection reject(const Accelerator& accelerator, std::string reason, std::string message) {
    Rejection rejection;
    rejection.accelerator = accelerator.id;
    rejection.count = 1;
    rejection.reason = std::move(reason);
    rejection.message = std::move(message);
    return rejection;
}

/// Whether one can be bought today, as it is listed.
bool is_sold(const Catalog& catalog, const Accelerator& part) {
    const auto price = purchase_price(catalog, part);
    return price && price->current;
}

/// A card without fans of its own that is sold used alone: what data centres cast off.
bool is_cast_off(const Catalog& catalog, const Accelerator& part) {
    const auto price = purchase_price(catalog, part);
    return stand_of(part) == Stand::server && price && price->used;
}

/// Why nobody should be told to buy it, or an empty code.
Rejection unfit_to_buy(const Accelerator& part) {
    if (is_part_of_a_server(part)) {
        return reject(part, "no_offer", "it is sold within whole servers alone, not as a card");
    }
    const std::string why = left_behind(part);
    return why.empty() ? Rejection{} : reject(part, "support_ended", why);
}

bool requires_feature(const Query& query, std::string_view feature) {
    return std::find(query.require.begin(), query.require.end(), feature) != query.require.end();
}

// The reason why a part of the right kind is out, or an empty code.
Rejection feature_missing(const Search& search, const Accelerator& accelerator) {
    const Query& query = search.query;
    if (requires_feature(query, "ecc") && !accelerator.ecc.available) {
        return reject(accelerator, "no_ecc",
                      accelerator.ecc.support.starts_with("not stated")
                          ? "no source says whether its memory has ECC"
                          : "0 of 1 needed: its memory has no ECC");
    }
    if (!is_of_lines(accelerator, query.require)) {
        return reject(accelerator, "other_line",
                      "it is of another line of products than was asked for");
    }
    for (const std::string& board : query.require) {
        if (is_board(board) && !is_on_board(accelerator, board)) {
            return reject(
                accelerator, "other_board",
                fmt::format("its form is {}, {} was asked for", accelerator.form_factor, board));
        }
    }
    for (const std::string& build : query.require) {
        if (is_build(build) && !is_built_as(accelerator, build)) {
            return reject(
                accelerator, "other_build",
                fmt::format("its form is {}, {} was asked for", accelerator.form_factor, build));
        }
    }
    for (const std::string& type : query.require) {
        if (is_memory_type(type) && !has_feature(accelerator, type).value_or(false)) {
            return reject(accelerator, "other_memory",
                          fmt::format("its memory is {}", accelerator.memory_type));
        }
        if (is_unit_type(type) && !has_feature(accelerator, type).value_or(false)) {
            return reject(accelerator, "no_units", "no units of it for " + type + " are known");
        }
    }
    if (const auto used = used_wanted(query);
        used && !purchase_price(search.knowledge.catalog, accelerator, used)) {
        return reject(accelerator, "no_offer",
                      fmt::format("no {} one is known to be sold", *used ? "used" : "new"));
    }
    if (requires_feature(query, "nvlink") && !accelerator.has_nvlink()) {
        return reject(accelerator, "no_nvlink",
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
        return reject(accelerator, "no_required_dtype",
                      "it has no matrix rate for " + std::string(name_of(*compute)));
    }
    const int ranks = stated_ranks(search.document);
    if (ranks > cards_of_a_server && !is_module(accelerator) && !query.exact_accelerators &&
        !query.owned) {
        return reject(accelerator, "no_nvlink",
                      fmt::format("a card: {} ranks are stated, and beyond {} in a server cards "
                                  "are joined by Ethernet",
                                  ranks, cards_of_a_server));
    }
    const bool no_rate = std::none_of(accelerator.peak_dense.begin(), accelerator.peak_dense.end(),
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
    const double usual = search.query.ttft_s.value_or(usual_ttft_s) +
                         serving.output_tokens * search.query.tpot_s.value_or(usual_tpot_s);
    const double seconds = search.query.answer_s.value_or(usual);
    const double rate = *search.query.requests_per_s;
    serving.concurrency = std::max(1.0, std::ceil(rate * seconds));
    std::erase_if(search.defaults, [](const FilledDefault& filled) {
        return filled.field == "serving.concurrency";
    });
    search.defaults.push_back(
        {"serving.concurrency", fmt::format("{:g}", serving.concurrency),
         fmt::format("{:g} requests/s x {:.1f} s each (Little's law)", rate, seconds)});
}

/// The method where nobody says one: networks are trained whole, models of text and diffusion by
/// adapters.
void choose_method(Search& search) {
    WorkloadDocument& document = search.document;
    const Architecture& architecture = search.architecture;
    const bool adapts = !has_program(architecture) || architecture.kind == ModelKind::diffusion;
    if (!adapts && search.query.method_open) {
        // Nobody said that adapters train, and these networks have none.
        document.method = Method::full;
        document.has_lora = false;
    }
    if (!document.method) {
        // So many tokens are those of a run from scratch.
        const bool whole = !adapts || architecture.reads_images() ||
                           document.duration_tokens.value_or(0) >= least_pretraining_tokens;
        const SoftwareProfile* stack =
            document.framework ? search.knowledge.profiles.software_profile(*document.framework)
                               : nullptr;
        // A stack of pretraining trains all weights, unless what is stated is of adapters.
        const bool pretrains = stack != nullptr && stack->usual_method == Method::full &&
                               !search.query.method_open && !document.has_lora &&
                               document.quantization.value_or("none") == "none";
        document.method = whole || pretrains ? Method::full : Method::lora;
        search.defaults.push_back(
            {"method", *document.method == Method::full ? "full" : "lora",
             pretrains && !whole ? "software profile " + stack->id : "ridgeline"});
    }
    document.has_lora = document.has_lora || *document.method != Method::full;
}

/// The length of a sample and the samples of a step where nobody says them.
void fill_batch(Search& search) {
    WorkloadDocument& document = search.document;
    const Architecture& architecture = search.architecture;
    const bool program = has_program(architecture);
    const bool pretraining = is_pretraining(document) && !program;
    const bool batch_open = !document.global_batch;
    const bool rounds = document.preference && document.preference->generates();
    const bool pictures = architecture.reads_images();
    if (!architecture.stacks.empty() && !rounds && !architecture.reads_images()) {
        const int usual =
            *document.method == Method::full ? usual_sequence_length : usual_tuning_sequence;
        fill(search, "batch.sequence_length", document.sequence_length,
             within_positions(architecture, usual));
    }
    fill(search, "batch.global", document.global_batch,
         rounds        ? static_cast<int>(document.preference->round_answers())
         : program     ? std::max(usual_batch(architecture), document.micro_batch.value_or(1))
         : pictures    ? std::max(usual_pictures, document.micro_batch.value_or(1))
         : pretraining ? pretraining_batch(document)
                       : std::max(tuning_batch, document.micro_batch.value_or(1)));
    if (pretraining && batch_open) {
        search.defaults.back().from = pretraining_batch_source;
    }
}

/// What is served at once where nobody says it.
void fill_load(Search& search) {
    WorkloadDocument& document = search.document;
    const Architecture& architecture = search.architecture;
    if (!document.serving && !has_program(architecture)) {
        document.serving = architecture.reads_sound() ? window_of_sound : Serving{};
        search.defaults.push_back({"serving.concurrency", "1", "ridgeline"});
    } else if (!document.serving && search.query.requests_per_s &&
               architecture.kind == ModelKind::image) {
        document.serving = Serving{};  // a batch that grows with the rate
    }
    follow_rate(search);
}

}  // namespace

Search make_search(const Query& query, const Architecture& architecture,
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
    search.requests_may_wait = !query.accelerators.empty() && query.exact_accelerators.has_value();
    search.freedom = freedom_of(search.document);
    if (search.document.task == Task::train) {
        choose_method(search);
        fill_batch(search);
    } else if (search.document.task == Task::inference) {
        fill_load(search);
    }
    search.models = std::make_shared<Models>(knowledge);
    search.blocks = std::make_shared<BlockCache>();
    search.replayed = std::make_shared<ReplayedSteps>(
        knowledge.kept != nullptr ? &knowledge.kept->replays() : nullptr, architecture,
        knowledge.profiles.software);
    search.parameters = has_program(architecture)
                            ? program_parameters(architecture)
                            : static_cast<double>(count_parameters(architecture).total);
    search.flops_per_token =
        forward_flops_per_token(architecture, search.document.sequence_length.value_or(1024));
    return search;
}

std::vector<const Accelerator*> candidates(const Search& search, std::vector<Rejection>& rejected) {
    const Query& query = search.query;
    std::vector<const Accelerator*> list;
    for (const Accelerator& accelerator : search.knowledge.catalog.accelerators) {
        const bool named = std::find(query.accelerators.begin(), query.accelerators.end(),
                                     accelerator.id) != query.accelerators.end();
        const std::string vendor = lower(accelerator.vendor);
        const bool excluding = query.vendor.starts_with('!');
        const bool allowed = allowed_by(lower(query.vendor), vendor);
        const bool vendor_named = !query.vendor.empty() && !excluding && allowed;
        const bool computer = buys_for_a_desk(query) && is_one_computer(accelerator) &&
                              is_sold(search.knowledge.catalog, accelerator);
        const bool usual =
            accelerator.kind == "gpu" || accelerator.kind == "apu" || computer ||
            (query.max_watts && accelerator.kind == "soc" && accelerator.vendor != "Apple");
        const bool embedded = is_embedded(accelerator) && !named && !query.max_watts &&
                              !requires_feature(query, "jetson");
        if (embedded || accelerator.kind == "system" || (!query.accelerators.empty() && !named) ||
            !allowed || is_excluded(query, accelerator) ||
            (!usual && !named && (!vendor_named || accelerator.kind == "cpu"))) {
            continue;
        }
        if (query.memory_per_accelerator_gib &&
            !matches_memory(accelerator.marketed_gb, *query.memory_per_accelerator_gib,
                            query.memory_at_least)) {
            continue;
        }
        if (accelerator.memory_bandwidth.base() < query.least_bytes_per_s) {
            continue;
        }
        Rejection missing = feature_missing(search, accelerator);
        if (query.max_watts && accelerator.tdp / watt > *query.max_watts) {
            missing = reject(accelerator, "power_exceeded",
                             fmt::format("it draws {:.0f} W, {:g} W are allowed",
                                         accelerator.tdp / watt, *query.max_watts));
        }
        if (!named && !may_be_cast_off(query) &&
            is_cast_off(search.knowledge.catalog, accelerator)) {
            missing = reject(accelerator, "no_offer",
                             "it is sold used alone and needs the fans of a server around it");
        }
        if (!named && query.buy && !query.owned && !query.all && missing.reason.empty()) {
            missing = unfit_to_buy(accelerator);
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

}  // namespace ridgeline
