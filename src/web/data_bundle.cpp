#include "web/data_bundle.h"

#include "data/bundle.h"
#include "data/model_families.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace ridgeline::web {
namespace {

/// Members of the files of a folder that their reader ignores, as they are there for who edits the
/// file, or that `catalog show` and `profiles show` alone tell.
std::span<const std::string_view> unread_in(std::string_view path, std::string_view text) {
    // Findings tell where a language model comes from; of other networks nothing does.
    static constexpr std::string_view of_networks[] = {"source", "note"};
    if (path.starts_with("profiles/models/") && text.find("num_hidden_layers") == text.npos) {
        return of_networks;
    }
    static constexpr std::string_view of_parts[] = {"ecc.note", "assumptions", "disagreements"};
    if (path.starts_with("catalog/accelerators/")) {
        return of_parts;
    }
    // Hundreds of keys that no row reads: the page tells that it does not know them.
    static constexpr std::string_view of_formats[] = {"sources", "keys"};
    static constexpr std::string_view long_lists[] = {
        "accelerate",       "accelerate-launch", "automodel",    "deepspeed",
        "deepspeed-launch", "gpt-neox",          "llamafactory", "megatron",
        "ms-swift",         "openrlhf",          "peft",         "sglang",
        "swift-megatron",   "torchtitan",        "trl"};
    const auto is_file = [&](std::string_view name) {
        return path == "profiles/formats/" + std::string(name) + ".json";
    };
    if (std::ranges::any_of(long_lists, is_file)) {
        return of_formats;
    }
    struct Unread {
        std::string_view folder, name;
    };
    static constexpr Unread members[] = {{"catalog/links.json", "availability"},
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
                                                    unread_in(shown, *text)));
        }
    }
    return {};
}

/// Leaves out models that `leaves` names by the text of their profile, and the names that lead to
/// them.
template <typename Leaves>
void leave_out_models(std::map<std::string, std::string>& texts, Leaves leaves) {
    std::string& aliases = texts["profiles/model_aliases.json"];
    std::erase_if(texts, [&](const auto& file) {
        const std::filesystem::path path = file.first;
        const bool left = path.parent_path() == "profiles/models" && leaves(file.second);
        const std::string target = ":\"" + path.stem().string() + "\"";
        for (std::size_t at = 0; left && (at = aliases.find(target)) != std::string::npos;) {
            const std::size_t name = aliases.rfind('"', at - 2);
            aliases.erase(name, at + target.size() + 1 - name);
        }
        return left;
    });
}

/// Models of layers with states, adversarial ones, detectors, recommenders and networks that are
/// written out as lists, whose readers a page leaves out (src/wasm/CMakeLists.txt).
void leave_out_models(std::map<std::string, std::string>& texts) {
    auto types = state_model_types();
    types.insert(types.end(), {"gan", "dcgan", "hifigan", "pix2pix", "cyclegan", "recommender",
                               "jasper", "waveglow", "fastpitch", "tft", "detection"});
    leave_out_models(texts, [&types](const std::string& text) {
        return text.find("listing\":") != text.npos ||
               std::any_of(types.begin(), types.end(), [&text](const std::string& type) {
                   return text.find("\"model_type\":\"" + type + "\"") != text.npos;
               });
    });
}

/// What a compressor finds like beside like: models by their type.
std::vector<std::pair<std::string, std::string>> alike_beside(
    std::map<std::string, std::string> texts) {
    std::vector<std::pair<std::string, std::string>> files(std::make_move_iterator(texts.begin()),
                                                           std::make_move_iterator(texts.end()));
    const auto kind = [](const auto& file) {
        const std::size_t at = file.second.find("\"model_type\":");
        return at == std::string::npos ? "" : file.second.substr(at, 40);
    };
    const auto models = [](const auto& file) { return file.first.starts_with("profiles/models/"); };
    const auto first = std::ranges::find_if(files, models);
    const auto last = std::find_if_not(first, files.end(), models);
    std::stable_sort(first, last, [&](const auto& a, const auto& b) { return kind(a) < kind(b); });
    return files;
}

}  // namespace

Result<std::string> data_bundle(const TreePath& catalog, const TreePath& profiles) {
    std::map<std::string, std::string> texts;
    for (const auto& [folder, name] : {std::pair(catalog, "catalog"), {profiles, "profiles"}}) {
        if (auto added = add_folder(folder.string(), name, texts); !added) {
            return tl::unexpected(added.error());
        }
    }
    leave_out_models(texts);
    // Shown by `catalog list claims` alone, which no page asks; of single kernels, which it
    // refuses.
    for (const char* unasked :
         {"catalog/price_claims.json", "profiles/calibration/residuals-kernels.json",
          "profiles/calibration/residuals-science.json"}) {
        texts.erase(unasked);
    }
    return bundle_text(alike_beside(std::move(texts)));
}

}  // namespace ridgeline::web
