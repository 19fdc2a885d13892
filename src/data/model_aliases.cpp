#include "data/model_aliases.h"

#include "data/reader.h"

#include <nlohmann/json.hpp>

namespace ridgeline {

std::map<std::string, std::string> model_aliases(const TreePath& profiles_folder) {
    std::map<std::string, std::string> aliases;
    const Result<Document> document = Document::read(profiles_folder / "model_aliases.json");
    if (!document || !document->value().is_object()) {
        return aliases;
    }
    for (const auto& [alias, id] : document->value().items()) {
        if (id.is_string()) {
            aliases.emplace(alias, id.get<std::string>());
        }
    }
    return aliases;
}

}  // namespace ridgeline
