#include "web/data_bundle.h"

#include "data/bundle.h"

#include <filesystem>
#include <map>

namespace ridgeline::web {
namespace {

Result<void> add_folder(const std::filesystem::path& folder,
                        const std::string& name,
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
            const std::string known = without_origins(without_unknowns(without_blanks(*text)));
            // No answer shows where the habits of a framework come from: `profiles show` alone does.
            texts.emplace(shown, shown.starts_with("profiles/software/") ? with_sources_elsewhere(known) : known);
        }
    }
    return {};
}

}  // namespace

std::string without_blanks(std::string_view json) {
    std::string out;
    bool in_text = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char letter = json[i];
        if (in_text && letter == '\\' && i + 1 < json.size()) {
            out += letter;
            out += json[++i];
            continue;
        }
        in_text = in_text != (letter == '"');
        const bool blank = letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';
        if (in_text || !blank) {
            out += letter;
        }
    }
    return out;
}

std::string without_unknowns(std::string_view json) {
    constexpr std::string_view unknown = ":null";
    std::string out;
    bool in_text = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char letter = json[i];
        if (in_text && letter == '\\' && i + 1 < json.size()) {
            out += letter;
            out += json[++i];
            continue;
        }
        in_text = in_text != (letter == '"');
        const bool ends = !in_text && json.compare(i, unknown.size(), unknown) == 0 && out.size() > 1;
        const std::size_t name = ends ? out.rfind('"', out.size() - 2) : std::string::npos;
        if (name == std::string::npos) {
            out += letter;
            continue;
        }
        // The name before it goes too, and the comma on one of its sides.
        out.erase(name);
        i += unknown.size() - 1;
        if (i + 1 < json.size() && json[i + 1] == ',') {
            ++i;
        } else if (out.ends_with(',')) {
            out.pop_back();
        }
    }
    return out;
}

std::string without_origins(std::string_view json) {
    std::string out(json);
    for (const std::string_view member : {R"(,"parameters_source":")", R"(,"training_tokens_source":")"}) {
        for (std::size_t begin = out.find(member); begin != std::string::npos; begin = out.find(member, begin)) {
            std::size_t end = begin + member.size();
            while (end < out.size() && out[end] != '"') {
                end += out[end] == '\\' ? 2 : 1;
            }
            out.erase(begin, end + 1 - begin);
        }
    }
    return out;
}

std::string with_sources_elsewhere(std::string_view json) {
    constexpr std::string_view opening = "\"sources\":[";
    constexpr std::string_view elsewhere = "\"profiles/software of the program\"";
    std::string out;
    std::size_t done = 0;
    for (std::size_t begin = json.find(opening); begin != std::string_view::npos; begin = json.find(opening, done)) {
        std::size_t end = begin + opening.size();
        for (bool in_text = false; end < json.size() && (in_text || json[end] != ']'); ++end) {
            in_text = in_text != (json[end] == '"');
            end += in_text && json[end] == '\\' ? 1 : 0;
        }
        out.append(json.substr(done, begin + opening.size() - done)).append(elsewhere);
        done = end;
    }
    return out.append(json.substr(done));
}

Result<std::string> data_bundle(const TreePath& catalog, const TreePath& profiles) {
    std::map<std::string, std::string> texts;
    for (const auto& [folder, name] : {std::pair(catalog, "catalog"), {profiles, "profiles"}}) {
        if (auto added = add_folder(folder.string(), name, texts); !added) {
            return tl::unexpected(added.error());
        }
    }
    texts.erase("catalog/price_claims.json");  // shown by `catalog list claims` alone, which no page asks
    return bundle_text(texts);
}

}  // namespace ridgeline::web
