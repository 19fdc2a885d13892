#include "base/text.h"
#include "data/reader.h"
#include "data/reader_errors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ridgeline {
namespace {

/// Deeper documents are refused before they are parsed: walking and destroying them recurses.
constexpr int deepest_nesting = 64;

/// Position where nesting first exceeds the limit, or npos.
std::size_t too_deep_at(std::string_view text) {
    int depth = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (in_text) {
            if (letter == '\\') {
                ++i;
            } else if (letter == '"') {
                in_text = false;
            }
        } else if (letter == '"') {
            in_text = true;
        } else if (letter == '{' || letter == '[') {
            if (++depth > deepest_nesting) {
                return i;
            }
        } else if (letter == '}' || letter == ']') {
            --depth;
        }
    }
    return std::string_view::npos;
}

/// The parser's own words without its error number; other people's bytes made printable.
std::string parse_problem(std::string_view words) {
    if (const std::size_t end = words.find("] "); end != std::string_view::npos) {
        words.remove_prefix(end + 2);
    }
    return printable(words, 200);
}

/// Builds the tree and keeps what was wrong, without an exception.
class JsonBuilder : public nlohmann::detail::json_sax_dom_parser<nlohmann::json> {
public:
    explicit JsonBuilder(nlohmann::json& tree) : json_sax_dom_parser(tree, false) {}

    bool key(std::string& name) {
        key_ = name;
        return json_sax_dom_parser::key(name);
    }
    /// A number that no double holds comes without its line: the key says where it stands.
    template <typename Problem>
    bool parse_error(std::size_t, const std::string&, const Problem& problem) {
        problem_ = parse_problem(problem.what());
        if (!key_.empty() && !contains(problem_, "line ")) {
            problem_ += " at '" + printable(key_, 60) + "'";
        }
        return false;
    }
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    std::string problem_;
    std::string key_;
};

}  // namespace

std::string printable(std::string_view text, std::size_t longest) {
    std::string safe;
    for (std::size_t i = 0; i < text.size() && safe.size() < longest; ++i) {
        const auto letter = static_cast<unsigned char>(text[i]);
        if (letter == '"') {
            safe += '\'';
        } else {
            safe += letter < 0x20 || letter >= 0x7f ? '?' : text[i];
        }
    }
    return text.size() > longest ? safe + "..." : safe;
}

Document::Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Result<Document> Document::parse_owned(std::unique_ptr<const std::string> text, std::string where) {
    Document document;
    document.tree_ = std::make_unique<JsonTree>();
    document.text_ = std::move(text);
    if (!document.tree_->read(*document.text_, deepest_nesting)) {
        const auto read = document.read_any(where);
        if (!read) {
            return tl::unexpected(read.error());
        }
    } else if (const std::string_view twice = document.tree_->repeated(); !twice.empty()) {
        return input_error(std::move(where), fmt::format("states \"{}\" twice", twice),
                           "Which one is meant is not known: remove the other.");
    }
    document.errors_ = std::make_unique<Errors>(std::move(where), &document.tree_->root());
    return document;
}

Result<void> Document::read_any(const std::string& where) {
    const std::string& text = *text_;
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        return input_error(where, "is empty, expected a JSON document");
    }
    if (const std::size_t at = too_deep_at(text); at != std::string_view::npos) {
        return input_error(
            where, fmt::format("nested deeper than {} levels at byte {}", deepest_nesting, at));
    }
    json_ = std::make_unique<nlohmann::json>();
    JsonBuilder builder(*json_);
    if (!nlohmann::json::sax_parse(text, &builder)) {
        return input_error(where, fmt::format("not JSON: {}", builder.problem()));
    }
    tree_->copy(*json_);
    return {};
}

Result<Document> Document::parse(std::string_view text, std::string where) {
    return parse_owned(std::make_unique<const std::string>(text), std::move(where));
}

Result<Document> Document::read(const TreePath& file) {
    Result<std::string> text = file.read();
    if (!text) {
        return tl::unexpected(text.error());
    }
    return parse_owned(std::make_unique<const std::string>(std::move(*text)), file.string());
}

Reader Document::root() {
    static const JsonNode nothing{std::span<const JsonMember>()};
    if (node().is(JsonNode::Kind::object)) {
        return Reader(&node(), errors_.get());
    }
    errors_->add("/", fmt::format("found {}, expected an object", node().type_name()));
    return Reader(&nothing, errors_->silent());
}

const nlohmann::json& Document::value() const {
    if (!json_) {
        json_ = std::make_unique<nlohmann::json>(node().copy());
    }
    return *json_;
}

std::vector<Reader> Document::root_objects() {
    std::vector<Reader> elements;
    if (!node().is(JsonNode::Kind::list)) {
        errors_->add("/", fmt::format("found {}, expected a list", node().type_name()));
        return elements;
    }
    for (const JsonNode& each : node().elements()) {
        if (each.is(JsonNode::Kind::object)) {
            elements.emplace_back(&each, errors_.get());
        } else {
            errors_->add(errors_->path_of(each), "expected an object");
        }
    }
    return elements;
}

Result<void> Document::result() const {
    const std::vector<Error>& list = errors_->list();
    if (list.empty()) {
        return {};
    }
    if (list.size() == 1) {
        return tl::unexpected(list.front());
    }
    std::string lines;
    for (std::size_t i = 0; i < std::min(list.size(), most_errors_printed); ++i) {
        append(lines, "\n", list[i].text());
    }
    if (list.size() > most_errors_printed) {
        lines += fmt::format("\n{}: and {} more", errors_->document(),
                             list.size() - most_errors_printed);
    }
    return tl::unexpected(Error{ErrorKind::input, "", std::move(lines), ""});
}

}  // namespace ridgeline
