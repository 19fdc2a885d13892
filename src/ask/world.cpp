#include "ask/world.h"

#include "advise/hardware/cluster.h"
#include "ask/local_calibration.h"
#include "ask/local_devices.h"
#include "ask/named_parts.h"
#include "ask/own_figures.h"
#include "base/date.h"
#include "base/text.h"
#include "data/load.h"
#include "data/model_aliases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <map>
#include <utility>
#include <vector>

namespace ridgeline::ask {
/// Models by the word that named them, each read when first asked for.
class ModelShelf {
public:
    Result<Architecture> model(const World& world, const std::string& id) {
        const std::lock_guard lock(mutex_);
        const auto found = models_.find(id);
        if (found != models_.end()) {
            return found->second;
        }
        const auto& ids = world.profiles.model_ids;
        auto read = ids.empty() ? load_model(world.profiles_folder, id)
                                : load_model(world.profiles_folder, id, ids);
        if (models_.size() < most_models) {
            models_.emplace(id, read);
        }
        return read;
    }

private:
    static constexpr std::size_t most_models = 4096;  ///< spellings are the asker's, memory is ours

    SharedMutex mutex_;
    std::map<std::string, Result<Architecture>> models_;  ///< "70B" is asked for and none of them
};

/// Names of the catalog and the models taken to pieces, when the first question is read.
class QuestionWords {
public:
    Vocabulary of(const World& world) {
        const std::lock_guard lock(mutex_);
        const Accelerator* const parts = world.catalog.accelerators.data();
        if (!names_ || parts_ != parts) {  // a copy of the world has parts of its own
            const auto aliases = model_aliases(world.profiles_folder);
            names_ = names_of({world.catalog, world.profiles, &aliases});
            parts_ = parts;
        }
        return {world.catalog, world.profiles, nullptr, names_, nullptr};
    }

private:
    SharedMutex mutex_;
    const Accelerator* parts_ = nullptr;
    std::shared_ptr<const reading::Names> names_;
};

Knowledge knowledge_of(const World& world, std::string_view today) {
    return {world.catalog, world.profiles, today, &world.kept};
}

Result<World> load_catalog_world(const WorldPlaces& places) {
    World world;
    auto catalog = load_catalog(places.catalog);
    for (const TreePath& file : catalog && !places.own_prices.empty()
                                    ? places.own_prices.json_files()
                                    : std::vector<TreePath>()) {
        if (const auto added = load_prices(file, *catalog); !added) {
            catalog->notes.push_back("left out prices of yours: " + added.error().text());
        }
    }
    for (std::size_t i = 0; catalog && i < places.prices.size(); ++i) {
        if (const auto added = load_prices(places.prices[i], *catalog); !added) {
            return tl::unexpected(added.error());
        }
    }
    if (!catalog) {
        return tl::unexpected(catalog.error());
    }
    world.catalog = std::move(*catalog);
    world.profiles_folder = places.profiles;
    world.own_folder = places.own_folder;
    world.models = std::make_shared<ModelShelf>();
    world.words = std::make_shared<QuestionWords>();
    return world;
}

Result<World> load_world(const WorldPlaces& places) {
    auto world = load_catalog_world(places);
    if (!world) {
        return world;
    }
    auto profiles = load_profiles(places.profiles);
    if (!profiles) {
        return tl::unexpected(profiles.error());
    }
    world->profiles = std::move(*profiles);
    if (const auto added = add_calibrations(*world, places.own_folder, places.calibrations);
        !added) {
        return tl::unexpected(added.error());
    }
    return world;
}

Result<Architecture> model_named(const World& world, const std::string& id) {
    const std::size_t mark = id.find(figures_mark);
    auto model = world.models->model(world, id.substr(0, mark));
    return model && model->network && mark != std::string::npos
               ? with_own_figures(std::move(*model), std::string_view(id).substr(mark + 1))
               : world.models->model(world, id);
}

Vocabulary vocabulary_of(const World& world) {
    Vocabulary vocabulary = world.words->of(world);
    vocabulary.architecture = [&world](const std::string& id) {
        auto model = model_named(world, id);
        return model ? std::optional(std::move(*model)) : std::nullopt;
    };
    return vocabulary;
}

Vocabulary vocabulary_with(const World& world, const std::string& word, Architecture model) {
    Vocabulary vocabulary = vocabulary_of(world);
    auto aliases = model_aliases(world.profiles_folder);
    aliases.insert_or_assign(word, word);
    vocabulary.names = names_of({world.catalog, world.profiles, &aliases});
    vocabulary.architecture = [word, model = std::move(model),
                               known = std::move(vocabulary.architecture)](const std::string& id) {
        return id == word ? std::optional(model) : known(id);
    };
    return vocabulary;
}

Result<const Accelerator*> accelerator_named(const Catalog& catalog, std::string_view word,
                                             const std::string& where) {
    if (const Accelerator* found = catalog.accelerator(word)) {
        return found;
    }
    std::vector<std::string> ids;
    for (const Accelerator& accelerator : catalog.accelerators) {
        ids.push_back(accelerator.id);
        ids.insert(ids.end(), accelerator.aliases.begin(), accelerator.aliases.end());
        // The first word of an id that has a number in it names all forms: "h100".
        const std::string family = accelerator.id.substr(0, accelerator.id.find('-'));
        if (has_digit(family)) {
            ids.push_back(family);
        }
    }
    if (word.find('/') != std::string_view::npos) {
        for (const Accelerator& slice : catalog.slices) {
            ids.push_back(slice.id);
        }
    }
    const std::string hint = contains(word, ",") ? "One at a time: `compare` takes several words."
                                                 : did_you_mean(word, ids);
    return usage_error(where, fmt::format("no accelerator \"{}\" in the catalog", word),
                       hint.empty() ? "`ridgeline catalog list` shows all." : hint);
}

namespace {

/// Of "8" or "8x4", four nodes of 8.
struct StatedCount {
    int count = 1;
    int per_node = 0;  ///< 0: nobody said
};

Result<StatedCount> count_stated(std::string_view text, const std::string& numbers_text) {
    std::vector<int> numbers;
    for (const std::string& part : split(numbers_text, 'x')) {
        const auto number = number_of("--on", part, 1, 1e6);
        if (!number || *number != std::floor(*number)) {
            numbers.clear();
            break;
        }
        numbers.push_back(static_cast<int>(*number));
    }
    if (numbers.empty() || numbers.size() > 2 ||
        numbers.front() * (numbers.size() > 1 ? static_cast<double>(numbers.back()) : 1.0) > 1e6) {
        return usage_error("--on",
                           fmt::format("found \"{}\", expected ACCELERATOR:COUNT or "
                                       "ACCELERATOR:COUNTxNODES with at most 1e6 in all",
                                       text),
                           "Example: --on h100-sxm5-80gb:8x4 (4 nodes of 8).");
    }
    return numbers.size() == 2 ? StatedCount{numbers[0] * numbers[1], numbers[0]}
                               : StatedCount{numbers[0], 0};
}

}  // namespace

Result<Cluster> cluster_named(const Catalog& catalog, std::string_view typed, bool local_allowed) {
    // An id is what it is: words are read where none stands.
    const Accelerator* exact = catalog.accelerator(typed.substr(0, typed.find(':')));
    if (exact != nullptr && exact->id != typed.substr(0, typed.find(':'))) {
        exact = nullptr;
    }
    const std::string text = exact != nullptr ? std::string(typed) : with_count_behind(typed);
    const std::size_t colon = text.find(':');
    const std::string word = text.substr(0, colon);
    const Machine* machine = catalog.machine(word);
    const Result<LocalParts> local =
        word == "local" && local_allowed ? local_parts(catalog) : LocalParts{};
    if (!local) {
        return tl::unexpected(local.error());
    }
    const Accelerator* form =
        machine == nullptr && exact == nullptr ? usual_form(catalog, word) : exact;
    const auto accelerator =
        local->accelerator != nullptr ? Result<const Accelerator*>(local->accelerator)
        : form != nullptr
            ? Result<const Accelerator*>(form)
            : accelerator_named(catalog, machine != nullptr ? machine->accelerator : word, "--on");
    if (!accelerator) {
        return tl::unexpected(accelerator.error());
    }
    StatedCount stated{machine != nullptr ? machine->accelerators : std::max(1, local->count), 0};
    if (colon != std::string::npos) {
        const auto said = count_stated(text, text.substr(colon + 1));
        if (!said) {
            return tl::unexpected(said.error());
        }
        stated = *said;
    }
    return make_cluster(catalog, **accelerator, stated.count, stated.per_node, machine);
}

std::string today() {
    std::time_t now = std::time(nullptr);
    if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) {
        if (const auto value = number_with_suffix(fixed); value && *value >= 0 && *value < 4e9) {
            now = static_cast<std::time_t>(*value);
        }
    }
    return date_text(
        std::chrono::floor<std::chrono::days>(std::chrono::system_clock::from_time_t(now)));
}

std::string notes_of(const World& world) {
    std::string text;
    for (const std::string& note : world.notes) {
        text += "note: " + note + "\n";
    }
    return text;
}

report::Stamp stamp_of(const Catalog& catalog) {
    return {RIDGELINE_VERSION, catalog.version, catalog.offers_date};
}

}  // namespace ridgeline::ask
