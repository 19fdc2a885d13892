#include "cli/prices.h"

#include "base/text.h"
#include "cli/commands.h"
#include "data/load.h"
#include "report/catalog_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

// `ridgeline prices`: price tables that the user fetched are checked and kept in a folder of the
// user's. Nothing here opens a connection.

namespace ridgeline::cli {
namespace fs = std::filesystem;
namespace {

std::vector<fs::path> user_price_files() {
    std::vector<fs::path> files;
    std::error_code problem;
    for (fs::directory_iterator entry(user_price_folder(), problem), end; !problem && entry != end;
         entry.increment(problem)) {
        if (entry->path().extension() == ".json") {
            files.push_back(entry->path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<fs::path> folder() {
    const fs::path path = user_price_folder();
    if (path.empty()) {
        return tl::unexpected(Error{ErrorKind::internal,
                                    "prices",
                                    "neither XDG_DATA_HOME nor HOME is set",
                                    "Set one, or give --prices FILE to each command."});
    }
    return path;
}

/// A name for the file of what was imported: letters, digits and hyphens.
std::string file_name(const std::string& provider, const fs::path& file) {
    std::string name;
    for (const char letter : lower(provider.empty() ? file.stem().string() : provider)) {
        const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
        name += plain ? letter : '-';
    }
    return name + ".json";
}

Result<Answer> import(const CommonOptions& common, const PricesOptions& options) {
    auto catalog = load_catalog_of(common);
    const auto into = folder();
    if (!catalog || !into) {
        return tl::unexpected(catalog ? into.error() : catalog.error());
    }
    // Read beside the bundled offers, which settle what a name leaves open, and kept apart.
    const auto read = load_prices(options.subject, *catalog, lower(options.provider));
    if (!read) {
        return tl::unexpected(read.error());
    }
    Catalog alone;
    alone.accelerators = catalog->accelerators;
    std::vector<Offer> offers;
    for (const Offer& offer : catalog->offers) {
        if (offer.source == options.subject) {
            offers.push_back(offer);
        }
    }
    if (offers.empty()) {
        // A file of our own form names its sources itself.
        if (const auto own = load_prices(options.subject, alone); own) {
            offers = alone.offers;
        }
    }
    if (offers.empty()) {
        return input_error(options.subject,
                           "holds no price of a part of the catalog",
                           "`ridgeline prices sources` names tables that do.");
    }
    for (Offer& offer : offers) {
        if (offer.source == options.subject) {
            offer.source = fs::path(options.subject).filename().string();
        }
    }
    const std::string& provider =
        options.provider.empty() ? offers.front().provider : options.provider;
    const fs::path file = *into / file_name(provider, options.subject);
    if (const auto saved = save_prices(file, offers); !saved) {
        return tl::unexpected(saved.error());
    }
    Answer answer;
    answer.out =
        fmt::format("{} offers of {} kept in {}\n", offers.size(), provider, file.string());
    for (const std::string& note : catalog->notes) {
        answer.out += "note: " + note + "\n";
    }
    return answer;
}

Result<Answer> list(const CommonOptions& common) {
    Answer answer;
    std::vector<report::PriceFile> files;
    const auto catalog = load_catalog_of(common);
    if (!catalog) {
        return tl::unexpected(catalog.error());
    }
    for (const fs::path& path : user_price_files()) {
        Catalog alone;
        alone.accelerators = catalog->accelerators;
        const auto read = load_prices(path, alone);
        files.push_back({.name = path.stem().string(),
                         .offers = alone.offers.size(),
                         .date = alone.offers_date,
                         .problem = read ? "" : read.error().text()});
    }
    answer.out = common.json ? report::price_files_json(files, stamp_of(*catalog))
                             : report::price_files_text(files, *catalog, style_of(common));
    return answer;
}

Result<Answer> remove(const PricesOptions& options) {
    std::vector<std::string> names;
    for (const fs::path& path : user_price_files()) {
        names.push_back(path.stem().string());
        if (names.back() != options.subject) {
            continue;
        }
        std::error_code problem;
        fs::remove(path, problem);
        if (problem) {
            return tl::unexpected(Error{ErrorKind::internal, path.string(), problem.message(), ""});
        }
        Answer answer;
        answer.out = fmt::format("{} removed\n", path.string());
        return answer;
    }
    return usage_error("prices remove",
                       fmt::format("no imported prices \"{}\"", options.subject),
                       did_you_mean(options.subject, names));
}

}  // namespace

fs::path user_price_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return fs::path(value != nullptr ? value : "");
    };
    if (const fs::path data = variable("XDG_DATA_HOME"); !data.empty()) {
        return data / "ridgeline" / "prices";
    }
    const fs::path home = variable("HOME");
    return home.empty() ? fs::path() : home / ".local" / "share" / "ridgeline" / "prices";
}

void add_user_prices(Catalog& catalog) {
    for (const fs::path& path : user_price_files()) {
        if (const auto added = load_prices(path, catalog); !added) {
            catalog.notes.push_back("left out prices of yours: " + added.error().text());
        }
    }
}

Result<Answer> run(const CommonOptions& common, const PricesOptions& options) {
    const bool needs = options.verb == "import" || options.verb == "remove";
    if (needs && options.subject.empty()) {
        return usage_error("prices " + options.verb,
                           options.verb == "import" ? "no file was given" : "no name was given",
                           "`ridgeline prices list` and `prices sources` name what there is.");
    }
    if (options.verb == "import") {
        return import(common, options);
    }
    if (options.verb == "remove") {
        return remove(options);
    }
    if (options.verb == "list") {
        return list(common);
    }
    Answer answer;
    answer.out = common.json ? report::price_sources_json({RIDGELINE_VERSION, "", ""})
                             : report::price_sources_text(style_of(common));
    return answer;
}

}  // namespace ridgeline::cli
