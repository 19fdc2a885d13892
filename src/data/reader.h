#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "data/json_tree.h"

#include <nlohmann/json_fwd.hpp>

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline {

/// Bounds of a number that a document may hold, both included. A finite upper bound is always kept
/// so that no sum or product of accepted numbers overflows a double.
struct Range {
    double least = 0;
    double most = 1e18;
};
inline constexpr Range any_size{0, 1e18};      ///< zero allowed
inline constexpr Range positive{1e-12, 1e18};  ///< zero refused
inline constexpr Range fraction{0, 1};
inline constexpr Range any_number{-1e18, 1e18};
inline constexpr Range count_from_one{1, 1e9};
inline constexpr Range count_from_zero{0, 1e9};

/// Text made safe to print inside an error: quotes and control characters replaced, cut short.
std::string printable(std::string_view text, std::size_t longest = 60);

class Errors;

/// A typed cursor on one JSON object. Each read names the key; what is wrong is collected in the
/// document (Document::result) and a harmless default (0, "", empty) is returned, so that several
/// errors of one file are reported together. A key that is `null` counts as missing.
/// A strict document ends each object with `reject_unknown()`; a lax one does not.
class Reader {
public:
    /// The object lies in the tree whose errors are collected.
    Reader(const JsonNode* object, Errors* errors);

    [[nodiscard]] bool has(std::string_view key);  ///< present and not null
    [[nodiscard]] bool is_text(std::string_view key);
    [[nodiscard]] bool is_number(std::string_view key);
    [[nodiscard]] bool is_object(std::string_view key);
    [[nodiscard]] bool is_array(std::string_view key);

    /// Required: a missing key is an error.
    double number(std::string_view key, Range range = any_size);
    int integer(std::string_view key, Range range = count_from_zero);
    std::string text(std::string_view key);
    bool boolean(std::string_view key);
    Reader object(std::string_view key);

    /// Optional: empty (or the default) when missing or null; a wrong value is still an error.
    std::optional<double> optional_number(std::string_view key, Range range = any_size);
    std::optional<int> optional_integer(std::string_view key, Range range = count_from_zero);
    std::optional<std::string> optional_text(std::string_view key);
    std::optional<bool> optional_boolean(std::string_view key);
    std::optional<Reader> optional_object(std::string_view key);
    double number_or(std::string_view key, double missing, Range range = any_size);
    int integer_or(std::string_view key, int missing, Range range = count_from_zero);
    std::string text_or(std::string_view key, std::string_view missing);
    bool boolean_or(std::string_view key, bool missing);

    /// Arrays; empty when missing. Elements of another type are errors.
    std::vector<Reader> objects(std::string_view key);
    std::vector<std::string> texts(std::string_view key);
    std::vector<double> numbers(std::string_view key, Range range);

    /// One of a closed list of words; another word is an error that names the nearest.
    template <typename E>
    std::optional<E> optional_choice(std::string_view key,
                                     std::span<const std::pair<std::string_view, E>> choices) {
        const auto word = text_at(key);
        if (!word) {
            return std::nullopt;
        }
        for (const auto& [name, value] : choices) {
            if (name == *word) {
                return value;
            }
        }
        std::vector<std::string> names;
        for (const auto& choice : choices) {
            names.emplace_back(choice.first);
        }
        fail_choice(key, *word, names);
        return std::nullopt;
    }
    template <typename E>
    std::optional<E> optional_choice(std::string_view key,
                                     std::initializer_list<std::pair<std::string_view, E>> list) {
        return optional_choice(
            key, std::span<const std::pair<std::string_view, E>>(list.begin(), list.size()));
    }
    std::optional<std::size_t> choice_index(std::string_view key,
                                            const std::vector<std::string>& names);

    /// All keys in alphabetical order.
    [[nodiscard]] std::vector<std::string> keys() const;
    /// Marks a key as known without reading it.
    void ignore(std::string_view key);
    /// Records an error for each key that was never asked for, naming the nearest known one.
    void reject_unknown();
    /// Records an error at `key` of this object ("" is the object itself).
    void fail(std::string_view key, std::string message, std::string hint = {});
    /// Path of this object inside the document: "/memory". It is searched for, since errors are
    /// few.
    [[nodiscard]] std::string path() const;
    /// The value of a key (null when missing), for forms the typed reads do not cover.
    [[nodiscard]] const JsonNode& node(std::string_view key);
    /// A copy of it.
    [[nodiscard]] nlohmann::json raw(std::string_view key);

private:
    const JsonNode* find(std::string_view key);
    const JsonNode* require(std::string_view key, std::string_view expected);
    /// Element `index` of the list at `key`, or the value itself when it is -1.
    std::optional<double> number_in(const JsonNode& value, std::string_view key, int index,
                                    Range range, bool whole);
    std::optional<std::string_view> text_at(std::string_view key);
    void fail_choice(std::string_view key, std::string_view word,
                     const std::vector<std::string>& names);

    const JsonNode* object_;
    Errors* errors_;
    std::vector<bool> asked_;  ///< by member of the object
    std::string missing_;      ///< asked for and absent, a line each
};

/// One parsed JSON file or text. Nesting deeper than 64 and texts that are no JSON are errors.
class Document {
public:
    static Result<Document> parse(std::string_view text, std::string where);
    static Result<Document> read(const TreePath& file);
    Document(Document&&) noexcept;
    Document& operator=(Document&&) noexcept;
    ~Document();

    /// The top object; an error is recorded when the document is not an object.
    Reader root();
    /// The top value, whatever its type.
    [[nodiscard]] const JsonNode& node() const { return tree_->root(); }
    /// The same as a value of nlohmann's, made when it is first asked for.
    [[nodiscard]] const nlohmann::json& value() const;
    /// The top array as objects ("/0", "/1", ...); an error is recorded when it is not an array.
    std::vector<Reader> root_objects();
    /// Nothing, or all errors recorded so far, one a line.
    [[nodiscard]] Result<void> result() const;

private:
    Document();
    static Result<Document> parse_owned(std::unique_ptr<const std::string> text, std::string where);
    /// Reads what the tree's own reader leaves, or says what is wrong.
    Result<void> read_any(const std::string& where);
    std::unique_ptr<const std::string> text_;  ///< what the tree's texts are parts of
    std::unique_ptr<JsonTree> tree_;
    std::unique_ptr<Errors> errors_;
    mutable std::unique_ptr<nlohmann::json> json_;
};

/// Reads one document with `read` and returns its errors.
template <typename Read>
Result<void> read_document(const TreePath& file, Read read) {
    Result<Document> document = Document::read(file);
    if (!document) {
        return tl::unexpected(document.error());
    }
    Reader root = document->root();
    read(root);
    return document->result();
}

/// Checks `"schema": "<id>"`; another schema is an error.
void check_schema(Reader& document, std::string_view id);

}  // namespace ridgeline
