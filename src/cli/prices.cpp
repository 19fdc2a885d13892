#include "cli/prices.h"

#include "base/text.h"
#include "cli/folders.h"
#include "data/load.h"
#include "report/catalog_report.h"

#include <fmt/format.h>

#include <algorithm>
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
        return tl::unexpected(Error{ErrorKind::internal, "prices",
                                    "neither XDG_DATA_HOME nor HOME is set",
                                    "Set one, or give --prices FILE to each command."});
    }
    return path;
}

/// A name for the file of what was imported: letters, digits and hyphens.
std::string file_name(const std::string& provider, const fs::path& file) {
    std::string name;
    for (const char letter : lower(provider.empty() ? file.stem().string() : provider)) {
        const bool plain = is_letter(letter) || is_digit(letter);
        name += plain ? letter : '-';
    }
    return name + ".json";
}

/// The offers of a file. `catalog` has it read beside the bundled offers, which settle what a name
/// leaves open.
std::vector<Offer> offers_alone(const std::string& subject, const Catalog& catalog) {
    std::vector<Offer> offers;
    for (const Offer& offer : catalog.offers) {
        if (offer.source == subject) {
            offers.push_back(offer);
        }
    }
    if (offers.empty()) {
        // A file of our own form names its sources itself.
        Catalog alone;
        alone.accelerators = catalog.accelerators;
        if (const auto own = load_prices(subject, alone); own) {
            offers = alone.offers;
        }
    }
    for (Offer& offer : offers) {
        if (offer.source == subject) {
            offer.source = fs::path(subject).filename().string();
        }
    }
    return offers;
}

Result<ask::Reply> import(const ask::World& world, const ask::Request& request) {
    Catalog catalog = world.catalog;
    const std::string& subject = request.text("subject");
    const std::string& named = request.text("provider");
    const auto into = folder();
    if (!into) {
        return tl::unexpected(into.error());
    }
    const auto read = load_prices(subject, catalog, lower(named));
    if (!read) {
        return tl::unexpected(read.error());
    }
    const std::vector<Offer> offers = offers_alone(subject, catalog);
    if (offers.empty()) {
        return input_error(subject, "holds no price of a part of the catalog",
                           "`ridgeline prices sources` names tables that do.");
    }
    const std::string& provider = named.empty() ? offers.front().provider : named;
    const fs::path file = *into / file_name(provider, subject);
    if (const auto saved = save_prices(file, offers); !saved) {
        return tl::unexpected(saved.error());
    }
    ask::Reply answer;
    answer.body =
        fmt::format("{} offers of {} kept in {}\n", offers.size(), provider, file.string());
    for (const std::string& note : catalog.notes) {
        answer.body += "note: " + note + "\n";
    }
    return answer;
}

Result<ask::Reply> list(const ask::World& world, const ask::Request& request) {
    ask::Reply answer;
    std::vector<report::PriceFile> files;
    for (const fs::path& path : user_price_files()) {
        Catalog alone;
        alone.accelerators = world.catalog.accelerators;
        const auto read = load_prices(path, alone);
        files.push_back({.name = path.stem().string(),
                         .offers = alone.offers.size(),
                         .date = alone.offers_date,
                         .problem = read ? "" : read.error().text()});
    }
    answer.body = request.json() ? report::price_files_json(files, ask::stamp_of(world.catalog))
                                 : report::price_files_text(files, world.catalog, request.style);
    return answer;
}

Result<ask::Reply> remove(const std::string& subject) {
    std::vector<std::string> names;
    for (const fs::path& path : user_price_files()) {
        names.push_back(path.stem().string());
        if (names.back() != subject) {
            continue;
        }
        std::error_code problem;
        fs::remove(path, problem);
        if (problem) {
            return tl::unexpected(Error{ErrorKind::internal, path.string(), problem.message(), ""});
        }
        ask::Reply answer;
        answer.body = fmt::format("{} removed\n", path.string());
        return answer;
    }
    return usage_error("prices remove", fmt::format("no imported prices \"{}\"", subject),
                       did_you_mean(subject, names));
}

}  // namespace

fs::path user_price_folder() {
    const fs::path folder = user_folder("XDG_DATA_HOME", ".local/share");
    return folder.empty() ? folder : folder / "prices";
}

Result<ask::Reply> prices(const ask::World& world, const ask::Request& request) {
    const std::string& verb = request.text("verb");
    const std::string& subject = request.text("subject");
    const bool needs = verb == "import" || verb == "remove";
    if (needs && subject.empty()) {
        return usage_error("prices " + verb,
                           verb == "import" ? "no file was given" : "no name was given",
                           "`ridgeline prices list` and `prices sources` name what there is.");
    }
    if (verb == "import") {
        return import(world, request);
    }
    if (verb == "remove") {
        return remove(subject);
    }
    if (verb == "list") {
        return list(world, request);
    }
    ask::Reply answer;
    answer.body = request.json() ? report::price_sources_json({RIDGELINE_VERSION, "", ""})
                                 : report::price_sources_text(request.style);
    return answer;
}

}  // namespace ridgeline::cli
