#include "data/plain_json.h"
#include "data/reader.h"
#include "data/reader_errors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ridgeline {
namespace {

/// Deeper documents are refused before they are parsed: walking and destroying them recurses.
constexpr int deepest_nesting = 64;
constexpr std::size_t most_errors_printed = 20;

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

    template <typename Problem>
    bool parse_error(std::size_t, const std::string&, const Problem& problem) {
        problem_ = parse_problem(problem.what());
        return false;
    }
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    std::string problem_;
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

Result<Document> Document::parse(std::string_view text, std::string where) {
    Document document;
    document.json_ = std::make_unique<nlohmann::json>();
    if (read_plain_json(text, deepest_nesting, *document.json_)) {
        document.errors_ = std::make_unique<Errors>(std::move(where));
        return document;
    }
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        return input_error(std::move(where), "is empty, expected a JSON document");
    }
    if (const std::size_t at = too_deep_at(text); at != std::string_view::npos) {
        return input_error(
            std::move(where),
            fmt::format("nested deeper than {} levels at byte {}", deepest_nesting, at));
    }
    *document.json_ = nullptr;
    JsonBuilder builder(*document.json_);
    if (!nlohmann::json::sax_parse(text, &builder)) {
        return input_error(std::move(where), fmt::format("not JSON: {}", builder.problem()));
    }
    document.errors_ = std::make_unique<Errors>(std::move(where));
    return document;
}

Result<Document> Document::read(const TreePath& file) {
    Result<std::string> text = file.read();
    if (!text) {
        return tl::unexpected(text.error());
    }
    return parse(*text, file.string());
}

Reader Document::root() {
    static const nlohmann::json nothing = nlohmann::json::object();
    if (json_->is_object()) {
        return Reader(json_.get(), "", errors_.get());
    }
    errors_->add("/", fmt::format("found {}, expected an object", json_->type_name()));
    return Reader(&nothing, "", errors_->silent());
}

const nlohmann::json& Document::value() const {
    return *json_;
}

std::vector<Reader> Document::root_objects() {
    std::vector<Reader> elements;
    if (!json_->is_array()) {
        errors_->add("/", fmt::format("found {}, expected a list", json_->type_name()));
        return elements;
    }
    for (std::size_t i = 0; i < json_->size(); ++i) {
        if ((*json_)[i].is_object()) {
            elements.emplace_back(&(*json_)[i], fmt::format("/{}", i), errors_.get());
        } else {
            errors_->add(fmt::format("/{}", i), "expected an object");
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
        lines += (lines.empty() ? "" : "\n") + list[i].text();
    }
    if (list.size() > most_errors_printed) {
        lines += fmt::format(
            "\n{}: and {} more", errors_->document(), list.size() - most_errors_printed);
    }
    return tl::unexpected(Error{ErrorKind::input, "", std::move(lines), ""});
}

}  // namespace ridgeline
