#include "advise/hardware/fabric.h"
#include "ask/workload_options.h"
#include "ask/world.h"
#include "base/text.h"
#include "data/load.h"
#include "data/stored_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

// A workload document with what is known of its model, storage and network.

namespace ridgeline::ask {

namespace {

/// Sizes that a description states win over those of the known network of its name.
template <typename Values>
void overlay(Values& known, const Values& stated) {
    for (const auto& entry : stated) {
        const auto at = std::find_if(known.begin(), known.end(),
                                     [&](const auto& own) { return own.first == entry.first; });
        if (at == known.end()) {
            known.push_back(entry);
        } else {
            at->second = entry.second;
        }
    }
}

/// A described model that says no longest sequence has that of the known model of its name and
/// shape.
Architecture with_known_positions(Architecture described, const World& world) {
    if (described.network && !described.name.empty() &&
        described.network->word("backbone").empty()) {
        // A description that states a name and figures is the known network of that name with them.
        auto known = model_named(world, described.name);
        if (known && !typical_architecture(described.name)) {
            known->name = described.name;
            if (known->network) {
                overlay(known->network->numbers, described.network->numbers);
            }
            return *known;
        }
    }
    if (described.max_positions > 0 || described.name.empty() || described.stacks.empty()) {
        return described;
    }
    const auto known = model_named(world, described.name);
    if (known && known->stacks.size() == described.stacks.size() &&
        known->text().hidden == described.text().hidden &&
        known->text().layers == described.text().layers) {
        described.max_positions = known->max_positions;
    }
    return described;
}

Result<Architecture> as_published(const WorkloadDocument& document, const World& world) {
    if (document.architecture) {
        return with_known_positions(*document.architecture, world);
    }
    if (document.model_id.empty()) {
        return usage_error("--model", "no model was given",
                           "Name one of `ridgeline profiles list`, or a size such as 70B.");
    }
    auto model = model_named(world, document.model_id);
    if (!model) {
        if (auto typical = typical_architecture(document.model_id)) {
            return *typical;
        }
    }
    return model;
}

}  // namespace

Result<Architecture> architecture_of(const WorkloadDocument& document, const World& world) {
    auto model = as_published(document, world);
    if (!model || !model->reads_images() || !document.image_size) {
        return model;
    }
    const int patch = model->stacks.front().patch;
    if (*document.image_size < patch) {
        return usage_error("batch.image_size",
                           fmt::format("found {}, expected a patch of {} pixels or more",
                                       *document.image_size, patch),
                           fmt::format("The model is made for {}.", model->stacks.front().image));
    }
    return model->at_image_size(*document.image_size);
}

namespace {

void serve_as_published(WorkloadDocument& document, const Architecture& architecture) {
    if (document.task != Task::inference || document.quantization) {
        return;
    }
    // A hub's name says how it is stored; the bundled model of that very name is as it was
    // published.
    const StoredName stored = stored_name(document.model_id);
    if (!stored.quantization.empty() && lower(document.model_id) != architecture.id) {
        document.quantization = stored.quantization;
        return;
    }
    if (document.weights) {
        return;
    }
    if (!architecture.published.type.empty()) {
        document.quantization = architecture.published.type;
    }
}

Result<void> read_from_storage(InputPipeline& input, const Catalog& catalog) {
    if (input.storage.empty()) {
        return {};
    }
    std::vector<std::string> ids;
    for (const Storage& storage : catalog.storage) {
        ids.push_back(storage.id);
        if (storage.id != input.storage) {
            continue;
        }
        if (storage.read && !input.storage_bytes_per_s) {
            input.storage_bytes_per_s = storage.read->base();
        }
        if (storage.write) {
            input.storage_writes_bytes_per_s = storage.write->base();
        }
        if (storage.read_iops && !input.storage_reads_per_s) {
            input.storage_reads_per_s = storage.read_iops;
        }
        return {};
    }
    const std::string hint = did_you_mean(input.storage, ids);
    return usage_error("input.storage",
                       fmt::format("no storage \"{}\" in the catalog", input.storage),
                       hint.empty() ? "`ridgeline catalog list storage` shows all." : hint);
}

}  // namespace

Result<Architecture> completed(WorkloadDocument& document, const World& world) {
    auto architecture = architecture_of(document, world);
    if (!architecture) {
        return architecture;
    }
    serve_as_published(document, *architecture);
    if (const auto has = check_part(document, *architecture); !has) {
        return tl::unexpected(has.error());
    }
    if (document.input) {
        if (const auto known = read_from_storage(*document.input, world.catalog); !known) {
            return tl::unexpected(known.error());
        }
    }
    if (document.network) {
        if (const auto known = check_network(world.catalog, *document.network); !known) {
            return tl::unexpected(known.error());
        }
    }
    return architecture;
}

}  // namespace ridgeline::ask
