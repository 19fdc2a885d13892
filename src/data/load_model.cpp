// Models of profiles/models: found by file name, so that one model costs one small file. Other
// spellings go through model_aliases.json and a comparison of the folder's names.
#include "base/lists.h"
#include "base/text.h"
#include "data/load.h"
#include "data/reader.h"
#include "data/stored_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace ridgeline {
namespace {

/// Only such a name is ever joined to a folder.
bool is_plain_name(std::string_view name) {
    return !name.empty() && name.size() <= 128 && name.front() != '.' &&
           std::ranges::all_of(name, [](char c) {
               return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '_';
           });
}

bool has_file(const TreePath& folder, const std::string& name) {
    return is_plain_name(name) && (folder / (name + ".json")).is_file();
}

std::vector<std::string> model_ids(const TreePath& folder) {
    std::vector<std::string> ids = folder.json_names();
    for (std::string& id : ids) {
        id.erase(id.rfind('.'));
    }
    std::ranges::sort(ids);
    return ids;
}

std::string without_organisation(std::string_view name) { return std::string(last_part(name)); }

/// Endings that name a tuned or converted twin of the same shape; those of storage are
/// stored_name's.
std::string without_variant(std::string name) {
    static constexpr std::array endings = {"-instruct", "-chat", "-hf",  "-base",
                                           "-it",       "-pt",   "-bf16"};
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view ending : endings) {
            if (name.size() > ending.size() && name.ends_with(ending)) {
                name.erase(name.size() - ending.size());
                again = true;
            }
        }
    }
    for (const std::string_view maker : {"meta-", "timm-"}) {
        if (name.starts_with(maker)) {
            return name.substr(maker.size());
        }
    }
    return name;
}

/// The name without the words, versions and dates of releases of one shape, wherever they stand:
/// "mistral-7b-instruct-v0.3" -> "mistral-7b", "qwen3-30b-a3b-thinking-2507" -> "qwen3-30b-a3b".
std::string without_release(const std::string& name, bool versions) {
    static constexpr std::array words = {"instruct", "chat", "thinking", "base", "hf", "it", "pt"};
    std::string kept;
    for (const std::string& part : split(name, '-')) {
        const bool word = is_among(part, words);
        const bool digits = part.size() == 4 && all_digits(part);
        const bool version = part.size() > 1 && part[0] == 'v' && is_digit(part[1]);
        if (!word && !(versions && (digits || version))) {
            append(kept, "-", part);
        }
    }
    return kept;
}

/// Spelling without separators; a dot stays, since it tells 1.3B from 13B.
std::string squeezed(std::string name) {
    std::erase_if(name, [](char c) { return c == '-' || c == '_' || c == ' ' || c == ':'; });
    return name;
}

std::optional<std::string> from_aliases(const TreePath& profiles, const std::string& name) {
    const Result<Document> document = Document::read(profiles / "model_aliases.json");
    const JsonMember* found = document ? document->node().find(name) : nullptr;
    if (found == nullptr || !found->value.is(JsonNode::Kind::text)) {
        return std::nullopt;
    }
    return std::string(found->value.text());
}

/// The id meant by another spelling, or nothing.
std::optional<std::string> find_id(const TreePath& profiles, const std::string& name,
                                   const std::vector<std::string>& ids) {
    for (const std::string& spelling : {name, without_organisation(name)}) {
        if (const auto alias = from_aliases(profiles, spelling)) {
            return alias;
        }
    }
    // "facebook/bart-base" is no BART of another size.
    const std::string own = without_organisation(name);
    if (std::binary_search(ids.begin(), ids.end(), own)) {
        return own;
    }
    const std::string plain = without_variant(own);
    if (const auto alias = from_aliases(profiles, plain)) {
        return alias;
    }
    std::string dotted = plain;
    std::replace(dotted.begin(), dotted.end(), '_', '.');
    std::vector<std::string> without_separators(ids.size());
    std::transform(ids.begin(), ids.end(), without_separators.begin(), squeezed);
    for (const std::string& spelling :
         {squeezed(plain), squeezed(dotted), squeezed(without_release(plain, false)),
          squeezed(without_release(plain, true))}) {
        const auto found = std::ranges::find(without_separators, spelling);
        if (found != without_separators.end()) {
            return ids[static_cast<std::size_t>(found - without_separators.begin())];
        }
    }
    // "qwen3-30b" is the only one that goes on with "-...".
    const auto continues = [&](const std::string& id) { return id.starts_with(plain + "-"); };
    if (std::ranges::count_if(ids, continues) == 1) {
        return *std::ranges::find_if(ids, continues);
    }
    return std::nullopt;
}

std::string hint_for(const std::string& name, const std::vector<std::string>& ids) {
    const std::string plain = without_variant(without_organisation(name));
    std::vector<std::string> longer;
    for (const std::string& id : ids) {
        if (id.starts_with(plain + "-") && longer.size() < 4) {
            longer.push_back("\"" + id + "\"");
        }
    }
    if (longer.size() > 1) {
        return fmt::format("Did you mean {}?", fmt::join(longer, " or "));
    }
    const auto dot = name.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : name.substr(dot);
    if (is_among(ending, {".json", ".yaml", ".yml", ".gguf", ".onnx", ".safetensors"})) {
        return "A file is given with --from, a model's config.json with --hf-config";
    }
    const std::string near = did_you_mean(plain, ids);
    return near.empty() ? "See `ridgeline profiles list` for the models, or give a config.json "
                          "with --hf-config or --from"
                        : near;
}

Result<Architecture> read_model(const TreePath& file, const std::string& id) {
    auto architecture = load_hf_config(file);
    if (architecture && architecture->id.empty()) {
        architecture->id = id;
    }
    return architecture;
}

}  // namespace

std::vector<std::string> list_models(const TreePath& profiles_folder) {
    return model_ids(profiles_folder / "models");
}

Result<Architecture> load_model(const TreePath& profiles_folder, std::string_view id) {
    const bool known = has_file(profiles_folder / "models", lower(id));
    return load_model(profiles_folder, id,
                      known ? std::vector<std::string>() : list_models(profiles_folder));
}

Result<Architecture> load_model(const TreePath& profiles_folder, std::string_view id,
                                const std::vector<std::string>& ids) {
    const TreePath folder = profiles_folder / "models";
    const std::string name = lower(id);
    if (has_file(folder, name)) {
        return read_model(folder / (name + ".json"), name);
    }
    if (ids.empty()) {
        return input_error(folder.string(), "holds no models", "Check --profiles");
    }
    for (const std::string& spelling : {name, stored_name(name).model}) {
        if (const auto found = find_id(profiles_folder, spelling, ids);
            found && is_plain_name(*found)) {
            return read_model(folder / (*found + ".json"), *found);
        }
    }
    return input_error("model", fmt::format("\"{}\" is not known", printable(id)),
                       hint_for(stored_name(name).model, ids));
}

}  // namespace ridgeline
