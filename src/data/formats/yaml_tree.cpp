#include "data/formats/config_tree.h"

#ifdef __wasm__

#include <nlohmann/json.hpp>

namespace ridgeline {

// Debian's parser throws, which the core in a browser cannot: the page turns YAML into JSON first.
Result<std::vector<nlohmann::json>> yaml_trees(std::string_view, const std::string& where) {
    return input_error(where, "is YAML, expected JSON");
}

}  // namespace ridgeline

#else

#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <exception>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace ridgeline {
namespace {

/// Values walked of one file: aliases are walked each time they stand, so that a few nested ones
/// cannot make billions.
constexpr int most_values = 100'000;
constexpr int deepest_nesting = 64;
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
    void OnScalar(const YAML::Mark& /*mark*/,
                  const std::string& /*tag*/,
                  YAML::anchor_t /*anchor*/,
                  const std::string& /*value*/) override {}
    void OnSequenceStart(const YAML::Mark& /*mark*/,
                         const std::string& /*tag*/,
                         YAML::anchor_t /*anchor*/,
                         YAML::EmitterStyle::value /*style*/) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark& /*mark*/,
                    const std::string& /*tag*/,
                    YAML::anchor_t /*anchor*/,
                    YAML::EmitterStyle::value /*style*/) override {}
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

std::optional<double> number_of(const std::string& text) {
    double value = 0;
    const char* begin = text.data() + (text.front() == '+' ? 1 : 0);
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(begin, end, value);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

/// A plain scalar by the core schema; "1e-4" is a number as well, since every trainer reads it so.
nlohmann::json plain_scalar(const std::string& text) {
    static constexpr const char* yes[] = {"true", "True", "TRUE", "yes", "Yes", "on", "On"};
    static constexpr const char* no[] = {"false", "False", "FALSE", "no", "No", "off", "Off"};
    static constexpr const char* nothing[] = {"", "~", "null", "Null", "NULL"};
    for (const char* word : yes) {
        if (text == word) {
            return true;
        }
    }
    for (const char* word : no) {
        if (text == word) {
            return false;
        }
    }
    for (const char* word : nothing) {
        if (text == word) {
            return nullptr;
        }
    }
    const bool digits = text.find_first_not_of("0123456789+-._eE") == std::string::npos &&
                        text.find_first_of("0123456789") != std::string::npos;
    if (digits) {
        std::string bare;
        for (const char c : text) {
            if (c != '_') {
                bare += c;
            }
        }
        if (const auto number = number_of(bare)) {
            const bool whole = bare.find_first_of(".eE") == std::string::npos;
            return whole && std::abs(*number) < 9e15
                       ? nlohmann::json(static_cast<std::int64_t>(*number))
                       : nlohmann::json(*number);
        }
    }
    return text;
}

nlohmann::json json_of(const YAML::Node& node, Walk& walk, int depth) {
    if (++walk.values > most_values || depth > deepest_nesting) {
        walk.problem = depth > deepest_nesting
                           ? fmt::format("nested deeper than {} levels", deepest_nesting)
                           : fmt::format("holds more than {} values once its aliases are followed",
                                         most_values);
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
