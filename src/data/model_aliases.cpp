#include "data/model_aliases.h"

#include "data/reader.h"

namespace ridgeline {

std::map<std::string, std::string> model_aliases(const TreePath& profiles_folder) {
    std::map<std::string, std::string> aliases;
    const Result<Document> document = Document::read(profiles_folder / "model_aliases.json");
    if (!document) {
        return aliases;
    }
    for (const auto& [alias, id] : document->node().members()) {
        if (id.is(JsonNode::Kind::text)) {
            aliases.emplace(alias, id.text());
        }
    }
    return aliases;
}

}  // namespace ridgeline
