#include "base/utf8.h"
#include "data/formats/config_tree.h"
#include "data/formats/yaml_cursor.h"
#include "data/formats/yaml_scalar.h"
#include "data/reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

/// The place of a value: what stands left of `indent` belongs to its parent.
struct Place {
    int indent = 0;
    int depth = 0;
    bool flow = false;  ///< inside brackets
    bool block = true;  ///< a map or list in blocks may begin here

    [[nodiscard]] Place inside(int new_indent, bool may_begin_block) const {
        return {new_indent, depth + 1, flow, may_begin_block};
    }
};

class YamlReader {
public:
    YamlReader(std::string_view text, std::string where)
        : cursor_(text), where_(std::move(where)) {}

    Result<std::vector<Json>> documents() {
        std::vector<Json> trees;
        while (cursor_.next_document()) {
            Json tree = cursor_.ended() ? Json() : node({});
            cursor_.skip();
            if (cursor_.good() && !cursor_.ended()) {
                cursor_.fail("what follows belongs to nothing");
            }
            if (!problem_.empty()) {
                return input_error(where_, problem_);
            }
            if (!cursor_.good()) {
                return input_error(where_, "not YAML: " + cursor_.problem());
            }
            if (!tree.is_null()) {
                trees.push_back(std::move(tree));
            }
        }
        return trees;
    }

private:
    /// What makes the text no configuration, though it may be YAML.
    Json refuse(std::string problem) {
        if (cursor_.good()) {
            problem_ = std::move(problem);
            cursor_.fail("");
        }
        return nullptr;
    }

    bool count(int values, int depth) {
        values_ += values;
        if (depth > deepest_yaml) {
            refuse(fmt::format("nested deeper than {} levels", deepest_yaml));
        } else if (values_ > most_yaml_values) {
            refuse(fmt::format("holds more than {} values once its aliases are followed",
                               most_yaml_values));
        }
        return cursor_.good();
    }

    /// The value at the cursor, which stands at its first character.
    Json node(Place place) {
        if (!count(1, place.depth)) {
            return nullptr;
        }
        std::string anchor;
        bool tagged = false;
        while (cursor_.good() && (cursor_.peek() == '&' || cursor_.peek() == '!')) {
            const bool names = cursor_.peek() == '&';
            const std::string word = cursor_.word(place.flow);
            anchor = names ? word : anchor;
            tagged = tagged || !names;
            const bool new_line = cursor_.skip();
            place.block = new_line;
            if (cursor_.ended() || (new_line && cursor_.column() < place.indent)) {
                return keep(anchor, 1, tagged ? Json("") : Json());
            }
        }
        const int before = values_;
        Json value = bare_node(place, tagged);
        return keep(anchor, 1 + values_ - before, std::move(value));
    }

    Json keep(const std::string& anchor, int values, Json value) {
        if (!anchor.empty()) {
            anchors_[anchor.substr(1)] = {value, values};
        }
        return value;
    }

    Json bare_node(const Place& place, bool tagged) {
        const char first = cursor_.peek();
        if (first == '*') {
            return alias(place);
        }
        if (first == '[' || first == '{') {
            Json value = first == '[' ? flow_list(place) : flow_map(place);
            return cursor_.at_colon(place.flow) && !place.flow ? refuse("has a key that is no word")
                                                               : value;
        }
        if (place.flow) {
            const bool quoted = first == '"' || first == '\'';
            std::string text = quoted ? cursor_.quoted() : cursor_.plain(0, true);
            return quoted || tagged ? Json(std::move(text)) : plain_scalar(text);
        }
        if (first == '|' || first == '>') {
            return cursor_.block_text(place.indent);
        }
        if (cursor_.at_mark('?')) {
            return refuse("has a key that is no word");
        }
        if (cursor_.at_mark('-')) {
            return place.block ? list(place) : fail("a list begins where a value was expected");
        }
        return scalar_or_map(place, tagged);
    }

    Json fail(const char* problem) {
        cursor_.fail(problem);
        return nullptr;
    }

    Json scalar_or_map(const Place& place, bool tagged) {
        const int column = cursor_.column();
        const bool quoted = cursor_.peek() == '"' || cursor_.peek() == '\'';
        const std::size_t start = cursor_.place();
        std::string text = quoted ? cursor_.quoted() : cursor_.plain_line(false);
        if (cursor_.at_colon(false)) {
            return place.block ? map(column, std::move(text), place)
                               : fail("a map begins where a value was expected");
        }
        if (quoted) {
            return text;
        }
        cursor_.go_to(start);
        text = cursor_.plain(place.indent, false);
        if (cursor_.at_colon(false)) {
            return fail("a key follows on the lines of a text");
        }
        return tagged ? Json(std::move(text)) : plain_scalar(text);
    }

    Json alias(const Place& place) {
        const std::string name = cursor_.word(place.flow).substr(1);
        const auto found = anchors_.find(name);
        if (found == anchors_.end()) {
            return fail("an alias names no anchor");
        }
        return count(found->second.values, place.depth) ? found->second.value : Json();
    }

    Json list(const Place& place) {
        const int column = cursor_.block_column();
        Json out = Json::array();
        while (cursor_.good()) {
            cursor_.step();
            const bool new_line = cursor_.skip();
            const bool empty = cursor_.ended() || (new_line && cursor_.column() <= column);
            out.push_back(empty ? Json() : node(place.inside(column + 1, true)));
            cursor_.skip();
            if (cursor_.ended() || cursor_.column() < column ||
                (cursor_.column() == column && !cursor_.at_mark('-'))) {
                break;
            }
            if (cursor_.column() > column) {
                return fail("a line stands deeper than its list");
            }
        }
        return out;
    }

    Json map(int column, std::string key, const Place& place) {
        cursor_.block_column();
        Json out = Json::object();
        while (cursor_.good()) {
            cursor_.step();  // over the colon
            const bool new_line = cursor_.skip();
            const bool list_below = new_line && cursor_.at_mark('-') && cursor_.column() == column;
            const bool empty =
                cursor_.ended() || (new_line && cursor_.column() <= column && !list_below);
            Json value =
                empty ? Json() : node(place.inside(list_below ? column : column + 1, new_line));
            if (!put(out, key, std::move(value))) {
                return nullptr;
            }
            cursor_.skip();
            if (cursor_.ended() || cursor_.column() < column) {
                break;
            }
            if (cursor_.block_column() > column) {
                return fail("a line stands deeper than its map");
            }
            if (!read_key(key, false)) {
                return nullptr;
            }
        }
        return out;
    }

    /// A key up to its colon.
    bool read_key(std::string& key, bool flow) {
        const char first = cursor_.peek();
        if (first == '[' || first == '{' || first == '&' || first == '*' || first == '!' ||
            cursor_.at_mark('?')) {
            refuse("has a key that is no word");
            return false;
        }
        key = first == '"' || first == '\'' ? cursor_.quoted() : cursor_.plain_line(flow);
        if (!cursor_.at_colon(flow)) {
            if (flow) {
                return cursor_.good();
            }
            cursor_.fail("a key without \":\"");
        }
        return cursor_.good();
    }

    bool put(Json& map, const std::string& key, Json value) {
        if (key == "<<" && value.is_object()) {
            for (const auto& [name, each] : value.items()) {
                map.emplace(name, each);
            }
        } else if (map.contains(key)) {
            refuse(fmt::format("states \"{}\" twice", printable(key)));
        } else {
            map[key] = std::move(value);
        }
        return cursor_.good();
    }

    Json flow_list(const Place& place) {
        Json out = Json::array();
        cursor_.step();
        while (cursor_.good()) {
            cursor_.skip();
            if (cursor_.peek() == ']') {
                cursor_.step();
                return out;
            }
            const Place inside{0, place.depth + 1, true, false};
            Json value = node(inside);
            if (value.is_string() && cursor_.at_colon(true)) {  // a map of one pair: [a: b]
                cursor_.step();
                cursor_.skip();
                const bool empty = cursor_.peek() == ',' || cursor_.peek() == ']';
                value = Json::object({{value.get<std::string>(), empty ? Json() : node(inside)}});
            }
            out.push_back(std::move(value));
            if (!end_of_item(']')) {
                return nullptr;
            }
        }
        return nullptr;
    }

    Json flow_map(const Place& place) {
        Json out = Json::object();
        cursor_.step();
        while (cursor_.good()) {
            cursor_.skip();
            if (cursor_.peek() == '}') {
                cursor_.step();
                return out;
            }
            std::string key;
            if (!read_key(key, true)) {
                return nullptr;
            }
            Json value;
            if (cursor_.at_colon(true)) {
                cursor_.step();
                cursor_.skip();
                if (cursor_.peek() != ',' && cursor_.peek() != '}') {
                    value = node({0, place.depth + 1, true, false});
                }
            }
            if (!put(out, key, std::move(value)) || !end_of_item('}')) {
                return nullptr;
            }
        }
        return nullptr;
    }

    /// Over the comma; the closing bracket stays.
    bool end_of_item(char close) {
        cursor_.skip();
        if (cursor_.peek() == ',') {
            cursor_.step();
        } else if (cursor_.peek() != close) {
            cursor_.fail("a bracket is not closed");
        }
        return cursor_.good();
    }

    struct Anchored {
        Json value;
        int values = 0;
    };
    YamlCursor cursor_;
    std::string where_, problem_;
    std::map<std::string, Anchored> anchors_;
    int values_ = 0;
};

}  // namespace

Result<std::vector<Json>> yaml_trees(std::string_view text, const std::string& where) {
    if (first_no_utf8(text) < text.size()) {
        return input_error(where, no_utf8(text));
    }
    return YamlReader(text, where).documents();
}

}  // namespace ridgeline
