#include "cli/world.h"

#include "advise/plans.h"
#include "base/text.h"
#include "cli/local_calibration.h"
#include "cli/local_devices.h"
#include "cli/prices.h"
#include "cli/named_parts.h"
#include "data/load.h"
#include "data/published_weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace ridgeline::cli {
namespace fs = std::filesystem;

Result<fs::path> find_folder(const std::string& option, std::string_view name) {
    std::error_code ignored;
    const std::string variable = name == "catalog" ? "RIDGELINE_CATALOG" : "RIDGELINE_PROFILES";
    const char* from_environment = std::getenv(variable.c_str());
    const std::string given = !option.empty()               ? option
                              : from_environment != nullptr ? from_environment
                                                            : "";
    if (!given.empty()) {
        const std::string where = !option.empty() ? fmt::format("--{}", name) : variable;
        if (!fs::is_directory(given, ignored)) {
            return tl::unexpected(Error{ErrorKind::input,
                                        where,
                                        fmt::format("\"{}\" is no folder", given),
                                        fmt::format("Name a folder laid out as {}/.", name)});
        }
        return fs::path(given);
    }
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    for (const fs::path& folder : {program.parent_path().parent_path() / "share/ridgeline" / name,
                                   fs::path(RIDGELINE_SOURCE_DIR) / name}) {
        if (fs::is_directory(folder, ignored)) {
            return folder;
        }
    }
    return tl::unexpected(Error{ErrorKind::internal,
                                std::string(name),
                                "was not found beside the program",
                                fmt::format("Give --{} or set {}.", name, variable)});
}

Result<Catalog> load_catalog_of(const CommonOptions& options) {
    const auto folder = find_folder(options.catalog, "catalog");
    if (!folder) {
        return tl::unexpected(folder.error());
    }
    auto catalog = load_catalog(*folder);
    if (catalog) {
        add_user_prices(*catalog);
    }
    for (std::size_t i = 0; catalog && i < options.prices.size(); ++i) {
        if (const auto added = load_prices(options.prices[i], *catalog); !added) {
            return tl::unexpected(added.error());
        }
    }
    return catalog;
}

Result<World> load_world(const CommonOptions& options) {
    World world;
    const auto catalog_folder = find_folder(options.catalog, "catalog");
    const auto profiles_folder = find_folder(options.profiles, "profiles");
    if (!catalog_folder) {
        return tl::unexpected(catalog_folder.error());
    }
    if (!profiles_folder) {
        return tl::unexpected(profiles_folder.error());
    }
    world.catalog_folder = *catalog_folder;
    world.profiles_folder = *profiles_folder;
    auto catalog = load_catalog_of(options);
    if (!catalog) {
        return tl::unexpected(catalog.error());
    }
    auto profiles = load_profiles(world.profiles_folder);
    if (!profiles) {
        return tl::unexpected(profiles.error());
    }
    world.catalog = std::move(*catalog);
    world.profiles = std::move(*profiles);
    if (const auto added = add_calibrations(world, options.calibrations); !added) {
        return tl::unexpected(added.error());
    }
    return world;
}

namespace {

/// A described model that says no longest sequence has that of the known model of its name and shape.
Architecture with_known_positions(Architecture described, const fs::path& profiles_folder) {
    if (described.network && !described.name.empty() &&
        described.network->word("backbone").empty()) {
        // A description that states a name and figures alone is the known network of that name.
        auto known = load_model(profiles_folder, described.name);
        if (known && !typical_architecture(described.name)) {
            known->name = described.name;
            return *known;
        }
    }
    if (described.max_positions > 0 || described.name.empty() || described.stacks.empty()) {
        return described;
    }
    const auto known = load_model(profiles_folder, described.name);
    if (known && known->stacks.size() == described.stacks.size() &&
        known->text().hidden == described.text().hidden &&
        known->text().layers == described.text().layers) {
        described.max_positions = known->max_positions;
    }
    return described;
}

}  // namespace

Result<Architecture> architecture_of(const WorkloadDocument& document,
                                     const fs::path& profiles_folder) {
    if (document.architecture) {
        return with_known_positions(*document.architecture, profiles_folder);
    }
    if (document.model_id.empty()) {
        return usage_error("--model",
                           "no model was given",
                           "Name one of `ridgeline profiles list`, or a size such as 70B.");
    }
    auto model = load_model(profiles_folder, document.model_id);
    if (!model) {
        if (auto typical = typical_architecture(document.model_id)) {
            return *typical;
        }
    }
    return model;
}

namespace {

void serve_as_published(WorkloadDocument& document,
                        const Architecture& architecture,
                        const fs::path& profiles_folder) {
    if (document.task != Task::inference || document.quantization || document.weights) {
        return;
    }
    const std::string published = published_quantization(profiles_folder, architecture.id);
    if (!published.empty()) {
        document.quantization = published;
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
    auto architecture = architecture_of(document, world.profiles_folder);
    if (!architecture) {
        return architecture;
    }
    serve_as_published(document, *architecture, world.profiles_folder);
    if (document.input) {
        if (const auto known = read_from_storage(*document.input, world.catalog); !known) {
            return tl::unexpected(known.error());
        }
    }
    return architecture;
}

Result<const Accelerator*> accelerator_named(const Catalog& catalog,
                                             std::string_view word,
                                             const std::string& where) {
    if (const Accelerator* found = catalog.accelerator(word)) {
        return found;
    }
    std::vector<std::string> ids;
    for (const Accelerator& accelerator : catalog.accelerators) {
        ids.push_back(accelerator.id);
        ids.insert(ids.end(), accelerator.aliases.begin(), accelerator.aliases.end());
    }
    if (word.find('/') != std::string_view::npos) {
        for (const Accelerator& slice : catalog.slices) {
            ids.push_back(slice.id);
        }
    }
    const std::string hint = did_you_mean(word, ids);
    return usage_error(where,
                       fmt::format("no accelerator \"{}\" in the catalog", word),
                       hint.empty() ? "`ridgeline catalog list` shows all." : hint);
}

Result<std::string> kind_to_list(std::string_view command,
                                 const std::string& word,
                                 const std::string& flag,
                                 const std::vector<std::string>& kinds) {
    const std::string& kind = word.empty() ? flag : word;
    if (kind.empty()) {
        return kinds.front();
    }
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
        return kind;
    }
    return usage_error(std::string(command) + " list",
                       fmt::format("found \"{}\", expected {}", kind, fmt::join(kinds, ", ")),
                       did_you_mean(kind, kinds));
}

Result<const SoftwareProfile*> software_named(const Profiles& profiles, std::string_view id) {
    if (const SoftwareProfile* found = profiles.software_profile(id)) {
        return found;
    }
    std::vector<std::string> ids;
    for (const SoftwareProfile& profile : profiles.software) {
        ids.push_back(profile.id);
    }
    const std::string hint = did_you_mean(id, ids);
    return input_error(
        "--framework",
        fmt::format("no software profile \"{}\"", id),
        hint.empty() ? "`ridgeline profiles list --kind software` shows all." : hint);
}

Result<double> number_of(std::string_view flag, std::string_view text, double least, double most) {
    const auto number = number_with_suffix(text);
    if (!number || *number < least || *number > most) {
        return usage_error(
            std::string(flag),
            fmt::format("found \"{}\", expected a number from {:g} to {:g}", text, least, most));
    }
    return *number;
}

Result<Cluster> cluster_named(const Catalog& catalog, std::string_view typed) {
    const std::string spelt = with_count_behind(typed);
    const std::string_view text = spelt;
    const std::string where = "--on";
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    const Machine* machine = catalog.machine(word);
    const Result<LocalParts> local = word == "local" ? local_parts(catalog) : LocalParts{};
    if (!local) {
        return tl::unexpected(local.error());
    }
    const Accelerator* form = machine == nullptr ? usual_form(catalog, word) : nullptr;
    const auto accelerator =
        local->accelerator != nullptr ? Result<const Accelerator*>(local->accelerator)
        : form != nullptr             ? Result<const Accelerator*>(form)
            : accelerator_named(catalog,
                                machine != nullptr ? std::string_view(machine->accelerator) : word,
                                where);
    if (!accelerator) {
        return tl::unexpected(accelerator.error());
    }
    int count = machine != nullptr ? machine->accelerators : std::max(1, local->count);
    int per_node = 0;
    if (colon != std::string_view::npos) {
        const std::vector<std::string> parts = split(text.substr(colon + 1), 'x');
        std::vector<int> numbers;
        for (const std::string& part : parts) {
            const auto number = number_of(where, part, 1, 1e6);
            if (!number || *number != std::floor(*number)) {
                numbers.clear();
                break;
            }
            numbers.push_back(static_cast<int>(*number));
        }
        if (numbers.empty() || numbers.size() > 2 ||
            numbers.front() * (numbers.size() > 1 ? static_cast<double>(numbers.back()) : 1.0) >
                1e6) {
            return usage_error(where,
                               fmt::format("found \"{}\", expected ACCELERATOR:COUNT or "
                                           "ACCELERATOR:COUNTxNODES with at most 1e6 in all",
                                           text),
                               "Example: --on h100-sxm5-80gb:8x4 (4 nodes of 8).");
        }
        per_node = numbers.size() == 2 ? numbers[0] : 0;
        count = numbers.size() == 2 ? numbers[0] * numbers[1] : numbers[0];
    }
    return make_cluster(catalog, **accelerator, count, per_node, machine);
}

std::string today() {
    std::time_t now = std::time(nullptr);
    if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH")) {
        if (const auto value = number_with_suffix(fixed); value && *value >= 0 && *value < 4e9) {
            now = static_cast<std::time_t>(*value);
        }
    }
    std::tm parts{};
    gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
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

namespace {

/// Columns of the page: what COLUMNS says, else what the terminal has, else 80.
int columns_of(bool terminal) {
    constexpr int narrowest = 40;
    const char* said = std::getenv("COLUMNS");
    const auto columns = said != nullptr ? number_with_suffix(said) : std::nullopt;
    if (columns && *columns >= 1 && *columns < 1e4) {
        return std::max(narrowest, static_cast<int>(*columns));
    }
    winsize size{};
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return std::max(narrowest, static_cast<int>(size.ws_col));
    }
    return report::Style{}.width;
}

}  // namespace

report::Style style_of(const CommonOptions& options) {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    const bool terminal = isatty(STDOUT_FILENO) == 1;
    report::Style style;
    style.width = columns_of(terminal);
    style.bars = terminal;
    style.explain = options.explain;
    style.color =
        options.color == "always" || (options.color == "auto" && terminal && !set("NO_COLOR"));
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        if (set(name)) {
            const std::string locale = lower(std::getenv(name));
            style.unicode = terminal && (locale.find("utf-8") != std::string::npos ||
                                         locale.find("utf8") != std::string::npos);
            break;
        }
    }
    return style;
}

}  // namespace ridgeline::cli
