#include "data/formats/config_tree.h"

#ifdef __wasm__

#include "data/formats/yaml_text.h"

#include <nlohmann/json.hpp>

namespace ridgeline {

// yaml-cpp throws, which the core in a browser cannot.
Result<std::vector<nlohmann::json>> yaml_trees(std::string_view text, const std::string& where) {
    return read_yaml(text, where);
}

}  // namespace ridgeline

#else

#include "base/utf8.h"
#include "data/formats/yaml_scalar.h"
#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <exception>
#include <sstream>
#include <stdexcept>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace ridgeline {
namespace {

/// yaml-cpp finds one empty document after another, without end, where a comma starts a line.
constexpr int most_documents = 100;

struct Walk {
    int values = 0;
    std::string problem;
};

/// Counts the documents of a text before they are built.
class DocumentCount final : public YAML::EventHandler {
public:
    void OnDocumentStart(const YAML::Mark& /*mark*/) override {
        if (++documents_ > most_documents) {
            throw std::length_error(
                fmt::format("more than {} documents in one file", most_documents));
        }
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
    void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
    void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  const std::string& /*value*/) override {}
    void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                         YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/,
                    YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {}
    void OnMapEnd() override {}

private:
    int documents_ = 0;
};

void count_documents(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    DocumentCount count;
    while (parser.HandleNextDocument(count)) {
    }
}

nlohmann::json json_of(const YAML::Node& node, Walk& walk, int depth) {
    if (++walk.values > most_yaml_values || depth > deepest_yaml) {
        walk.problem = depth > deepest_yaml
                           ? fmt::format("nested deeper than {} levels", deepest_yaml)
                           : fmt::format("holds more than {} values once its aliases are followed",
                                         most_yaml_values);
        return nullptr;
    }
    if (node.IsScalar()) {
        return node.Tag() == "?" ? plain_scalar(node.Scalar()) : nlohmann::json(node.Scalar());
    }
    if (node.IsSequence()) {
        nlohmann::json list = nlohmann::json::array();
        for (const auto& each : node) {
            if (!walk.problem.empty()) {
                break;
            }
            list.push_back(json_of(each, walk, depth + 1));
        }
        return list;
    }
    if (!node.IsMap()) {
        return nullptr;
    }
    nlohmann::json map = nlohmann::json::object();
    for (const auto& each : node) {
        if (!walk.problem.empty()) {
            break;
        }
        if (!each.first.IsScalar()) {
            walk.problem = "has a key that is no word";
            break;
        }
        const std::string& key = each.first.Scalar();
        if (key == "<<" && each.second.IsMap()) {
            const nlohmann::json merged = json_of(each.second, walk, depth + 1);
            for (const auto& [name, value] : merged.items()) {
                map.emplace(name, value);
            }
            continue;
        }
        if (map.contains(key)) {
            walk.problem = fmt::format("states \"{}\" twice", printable(key));
            break;
        }
        map[key] = json_of(each.second, walk, depth + 1);
    }
    return map;
}

}  // namespace

Result<std::vector<nlohmann::json>> yaml_trees(std::string_view text, const std::string& where) {
    if (first_no_utf8(text) < text.size()) {
        return input_error(where, no_utf8(text));
    }
    std::vector<nlohmann::json> trees;
    try {
        const std::string whole(text);
        count_documents(whole);
        Walk walk;
        for (const YAML::Node& node : YAML::LoadAll(whole)) {
            nlohmann::json tree = json_of(node, walk, 0);
            if (!walk.problem.empty()) {
                return input_error(where, walk.problem);
            }
            if (!tree.is_null()) {
                trees.push_back(std::move(tree));
            }
        }
    } catch (const std::exception& problem) {
        return input_error(where, fmt::format("not YAML: {}", printable(problem.what(), 200)));
    }
    return trees;
}

}  // namespace ridgeline

#endif
