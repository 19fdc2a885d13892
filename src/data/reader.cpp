#include "data/reader.h"

#include "base/lists.h"
#include "base/text.h"
#include "data/reader_errors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using Kind = JsonNode::Kind;

const JsonNode& empty_object() {
    static const JsonNode value{std::span<const JsonMember>()};
    return value;
}

const JsonNode& null_value() {
    static const JsonNode value{};
    return value;
}

}  // namespace

Reader::Reader(const JsonNode* object, Errors* errors)
    : object_(object), errors_(errors), asked_(object->members().size()) {}

std::string Reader::path() const { return errors_->path_of(*object_); }

void Reader::fail(std::string_view key, std::string message, std::string hint) {
    const std::string own = path();
    errors_->add(key.empty() ? (own.empty() ? "/" : own) : fmt::format("{}/{}", own, key),
                 std::move(message), std::move(hint));
}

void Reader::ignore(std::string_view key) { find(key); }

const JsonNode* Reader::find(std::string_view key) {
    const JsonMember* member = object_->find(key);
    if (member == nullptr) {
        missing_.append(key) += '\n';
        return nullptr;
    }
    asked_[static_cast<std::size_t>(member - object_->members().data())] = true;
    return member->value.is(Kind::null) ? nullptr : &member->value;
}

const JsonNode* Reader::require(std::string_view key, std::string_view expected) {
    const JsonNode* value = find(key);
    if (value == nullptr) {
        fail(key, fmt::format("missing, expected {}", expected));
    }
    return value;
}

bool Reader::has(std::string_view key) { return find(key) != nullptr; }
bool Reader::is_text(std::string_view key) { return node(key).is(Kind::text); }
bool Reader::is_number(std::string_view key) { return node(key).is_number(); }
bool Reader::is_object(std::string_view key) { return node(key).is(Kind::object); }
bool Reader::is_array(std::string_view key) { return node(key).is(Kind::list); }

const JsonNode& Reader::node(std::string_view key) {
    const JsonNode* value = find(key);
    return value == nullptr ? null_value() : *value;
}

nlohmann::json Reader::raw(std::string_view key) { return node(key).copy(); }

std::vector<std::string> Reader::keys() const {
    std::vector<std::string> names;
    for (const JsonMember& member : object_->members()) {
        names.emplace_back(member.name);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::optional<double> Reader::number_in(const JsonNode& value, std::string_view key, int index,
                                        Range range, bool whole) {
    const auto refuse = [&](std::string message, std::string hint = {}) {
        fail(index < 0 ? std::string(key) : fmt::format("{}/{}", key, index), std::move(message),
             std::move(hint));
        return std::nullopt;
    };
    if (!value.is_number()) {
        return refuse(
            fmt::format("found {}, expected {}", found_in(value), number_wanted(key, whole)),
            value.is(Kind::text) ? converted(value.text(), key) : std::string());
    }
    const double number = value.number();
    if (!std::isfinite(number) || number < range.least || number > range.most) {
        const bool above_zero = range.least > 0 && range.least < 1e-6;
        return refuse(above_zero ? fmt::format("found {}, expected a number above 0 and at most {}",
                                               number, range.most)
                                 : fmt::format("found {}, expected a number from {} to {}", number,
                                               range.least, range.most));
    }
    if (whole && number != std::floor(number)) {
        return refuse(fmt::format("found {}, expected a whole number", number));
    }
    return number;
}

std::optional<double> Reader::optional_number(std::string_view key, Range range) {
    const JsonNode* value = find(key);
    return value == nullptr ? std::nullopt : number_in(*value, key, -1, range, false);
}

std::optional<int> Reader::optional_integer(std::string_view key, Range range) {
    const JsonNode* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    range.least = std::max(range.least, -2147483648.0);
    range.most = std::min(range.most, 2147483647.0);
    const std::optional<double> number = number_in(*value, key, -1, range, true);
    return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

std::optional<std::string_view> Reader::text_at(std::string_view key) {
    const JsonNode* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is(Kind::text)) {
        fail(key, fmt::format("found {}, expected text", found_in(*value)));
        return std::nullopt;
    }
    return value->text();
}

std::optional<std::string> Reader::optional_text(std::string_view key) {
    const auto text = text_at(key);
    return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<bool> Reader::optional_boolean(std::string_view key) {
    const JsonNode* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is(Kind::boolean)) {
        fail(key, fmt::format("found {}, expected true or false", found_in(*value)));
        return std::nullopt;
    }
    return value->boolean();
}

std::optional<Reader> Reader::optional_object(std::string_view key) {
    const JsonNode* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is(Kind::object)) {
        fail(key, fmt::format("found {}, expected an object", found_in(*value)));
        return std::nullopt;
    }
    return Reader(value, errors_);
}

double Reader::number(std::string_view key, Range range) {
    const JsonNode* value = require(key, "a number");
    return value == nullptr ? 0 : number_in(*value, key, -1, range, false).value_or(0);
}

int Reader::integer(std::string_view key, Range range) {
    return require(key, "a whole number") == nullptr ? 0 : optional_integer(key, range).value_or(0);
}

std::string Reader::text(std::string_view key) {
    return require(key, "text") == nullptr ? std::string() : text_or(key, "");
}

bool Reader::boolean(std::string_view key) {
    return require(key, "true or false") != nullptr && optional_boolean(key).value_or(false);
}

Reader Reader::object(std::string_view key) {
    if (require(key, "an object") != nullptr) {
        if (std::optional<Reader> inner = optional_object(key)) {
            return std::move(*inner);
        }
    }
    // Its own errors would repeat the one above, so they go to a list that nobody prints.
    return Reader(&empty_object(), errors_->silent());
}

double Reader::number_or(std::string_view key, double missing, Range range) {
    return optional_number(key, range).value_or(missing);
}
int Reader::integer_or(std::string_view key, int missing, Range range) {
    return optional_integer(key, range).value_or(missing);
}
std::string Reader::text_or(std::string_view key, std::string_view missing) {
    return std::string(text_at(key).value_or(missing));
}
bool Reader::boolean_or(std::string_view key, bool missing) {
    return optional_boolean(key).value_or(missing);
}

std::vector<Reader> Reader::objects(std::string_view key) {
    std::vector<Reader> elements;
    const JsonNode* value = find(key);
    if (value == nullptr) {
        return elements;
    }
    if (!value->is(Kind::list)) {
        fail(key, fmt::format("found {}, expected a list of objects", found_in(*value)));
        return elements;
    }
    elements.reserve(value->elements().size());
    for (const JsonNode& each : value->elements()) {
        if (each.is(Kind::object)) {
            elements.emplace_back(&each, errors_);
        } else {
            errors_->add(errors_->path_of(each),
                         fmt::format("found {}, expected an object", found_in(each)));
        }
    }
    return elements;
}

std::vector<std::string> Reader::texts(std::string_view key) {
    std::vector<std::string> elements;
    const JsonNode* value = find(key);
    if (value == nullptr) {
        return elements;
    }
    if (!value->is(Kind::list)) {
        fail(key, fmt::format("found {}, expected a list of texts", found_in(*value)));
        return elements;
    }
    elements.reserve(value->elements().size());
    for (const JsonNode& each : value->elements()) {
        if (each.is(Kind::text)) {
            elements.emplace_back(each.text());
        } else {
            errors_->add(errors_->path_of(each),
                         fmt::format("found {}, expected text", found_in(each)));
        }
    }
    return elements;
}

std::vector<double> Reader::numbers(std::string_view key, Range range) {
    std::vector<double> elements;
    const JsonNode* value = find(key);
    if (value == nullptr) {
        return elements;
    }
    if (!value->is(Kind::list)) {
        fail(key, fmt::format("found {}, expected a list of numbers", found_in(*value)));
        return elements;
    }
    for (std::size_t i = 0; i < value->elements().size(); ++i) {
        const JsonNode& each = value->elements()[i];
        if (const auto number = number_in(each, key, static_cast<int>(i), range, false)) {
            elements.push_back(*number);
        }
    }
    return elements;
}

std::optional<std::size_t> Reader::choice_index(std::string_view key,
                                                const std::vector<std::string>& names) {
    const auto word = text_at(key);
    if (!word) {
        return std::nullopt;
    }
    auto at = std::find(names.begin(), names.end(), *word);
    if (at == names.end()) {  // "LoRA"
        at = std::find_if(names.begin(), names.end(),
                          [&](const std::string& name) { return lower(name) == lower(*word); });
    }
    if (at != names.end()) {
        return static_cast<std::size_t>(at - names.begin());
    }
    fail_choice(key, *word, names);
    return std::nullopt;
}

void Reader::fail_choice(std::string_view key, std::string_view word,
                         const std::vector<std::string>& names) {
    const std::string list = joined(names, ", ");
    fail(key, fmt::format("found \"{}\", expected one of: {}", printable(word), list),
         did_you_mean(word, names));
}

void Reader::reject_unknown() {
    if (!is_among(false, asked_)) {
        return;
    }
    std::vector<std::string> found;
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        if (asked_[i]) {
            found.emplace_back(object_->members()[i].name);
        }
    }
    // What was asked for and is absent comes first: the unknown key is likely a slip of it.
    std::vector<std::string> known = split(missing_, '\n');
    std::erase(known, "");
    std::sort(known.begin(), known.end());
    known.insert(known.end(), found.begin(), found.end());
    for (const std::string& name : keys()) {
        if (is_among(name, found)) {
            continue;  // also a key given twice, of which the last value was read
        }
        const std::string key = printable(name);
        fail(key, fmt::format("unknown key \"{}\"", key), did_you_mean(name, known));
    }
}

}  // namespace ridgeline
