#include "web/data_bundle.h"

#include "data/bundle.h"

#include <filesystem>
#include <map>
#include <span>

namespace ridgeline::web {
namespace {

/// Members of the files of a folder that their reader ignores: they are there for who edits the
/// file.
std::span<const std::string_view> unread_in(std::string_view path) {
    struct Unread {
        std::string_view folder, name;
    };
    static constexpr Unread members[] = {{"catalog/accelerators/", "ecc.note"},
                                         {"catalog/links.json", "availability"},
                                         {"catalog/sources.json", "quality"},
                                         {"profiles/calibration/", "note"},
                                         {"profiles/formats/", "sources"}};
    for (const Unread& member : members) {
        if (path.starts_with(member.folder)) {
            return std::span(&member.name, 1);
        }
    }
    return {};
}

Result<void> add_folder(const std::filesystem::path& folder, const std::string& name,
                        std::map<std::string, std::string>& texts) {
    for (const std::string& each : disk()->names(folder)) {
        const std::filesystem::path path = folder / each;
        const std::string shown = name + "/" + each;
        if (disk()->is_folder(path)) {
            if (path.filename() != "schema") {
                if (auto added = add_folder(path, shown, texts); !added) {
                    return added;
                }
            }
        } else if (path.extension() == ".json") {
            const auto text = TreePath(path).read();
            if (!text) {
                return tl::unexpected(text.error());
            }
            // No answer shows where the habits of a framework come from: `profiles show` alone
            // does.
            texts.emplace(shown, shortened_document(*text, shown.starts_with("profiles/software/"),
                                                    unread_in(shown)));
        }
    }
    return {};
}

}  // namespace

Result<std::string> data_bundle(const TreePath& catalog, const TreePath& profiles) {
    std::map<std::string, std::string> texts;
    for (const auto& [folder, name] : {std::pair(catalog, "catalog"), {profiles, "profiles"}}) {
        if (auto added = add_folder(folder.string(), name, texts); !added) {
            return tl::unexpected(added.error());
        }
    }
    texts.erase(
        "catalog/price_claims.json");  // shown by `catalog list claims` alone, which no page asks
    return bundle_text(texts);
}

}  // namespace ridgeline::web
