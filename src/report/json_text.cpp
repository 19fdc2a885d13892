// A document as text. Half of an answer of the server was the library's own writer, which looks at
// each letter of each text on its own.
#include "report/json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace ridgeline::report {
namespace {

constexpr std::size_t step = 2;

class Writer {
public:
    /// Appends `json`, whose lines begin with `indent` blanks.
    void write(const Json& json, std::size_t indent);
    std::string text;
    bool all_numbers = true;

private:
    void write_value(const Json::Object& object, std::size_t indent);
    void write_value(const Json::Array& array, std::size_t indent);
    void write_value(double value, std::size_t indent);
    void write_value(const std::string& letters, std::size_t /*indent*/) { write_text(letters); }
    void write_value(std::int64_t value, std::size_t /*indent*/) { write_whole(value); }
    void write_value(std::uint64_t value, std::size_t /*indent*/) { write_whole(value); }
    void write_value(std::same_as<bool> auto value, std::size_t /*indent*/) {
        text += value ? "true" : "false";
    }
    void write_value(std::nullptr_t /*value*/, std::size_t /*indent*/) { text += "null"; }
    void write_text(const std::string& letters);
    template <typename Whole>
    void write_whole(Whole value);
    void begin_line(std::size_t indent) {
        text += '\n';
        text.append(indent, ' ');
    }
};

/// Path of the first figure that is an infinity or NaN.
[[maybe_unused]] std::string no_number_in(const Json& json) {
    const auto within = [](const std::string& key, const Json& value) {
        const std::string path = no_number_in(value);
        return path.empty() ? path : "/" + key + path;
    };
    std::string path;
    if (const auto* object = std::get_if<Json::Object>(&json.value())) {
        for (std::size_t i = 0; path.empty() && i < object->size(); ++i) {
            path = within((*object)[i].key, (*object)[i].value);
        }
    } else if (const auto* array = std::get_if<Json::Array>(&json.value())) {
        for (std::size_t i = 0; path.empty() && i < array->size(); ++i) {
            path = within("*", (*array)[i]);
        }
    } else if (const auto* number = std::get_if<double>(&json.value())) {
        path = std::isfinite(*number) ? "" : " ";
    }
    return path;
}

/// It would be printed as null, which means unknown: a defect is said instead.
[[noreturn]] void refuse([[maybe_unused]] const Json& json) {
#ifdef __cpp_exceptions
    throw std::logic_error("the figure " + no_number_in(json) + "is no number");
#else
    std::abort();
#endif
}

/// Letters that stand in a text as they are.
constexpr std::array<bool, 256> plain_letters = [] {
    std::array<bool, 256> plain{};
    for (std::size_t letter = 0x20; letter < 0x80; ++letter) {
        plain[letter] = letter != '"' && letter != '\\';
    }
    return plain;
}();

bool stands_as_it_is(const std::string& letters) {
    bool plain = true;
    for (const char letter : letters) {
        plain &= plain_letters[static_cast<unsigned char>(letter)];
    }
    return plain;
}

void Writer::write_text(const std::string& letters) {
    if (stands_as_it_is(letters)) {
        text += '"';
        text += letters;
        text += '"';
    } else {
        text +=
            nlohmann::json(letters).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
}

template <typename Whole>
void Writer::write_whole(Whole value) {
    std::array<char, 24> room{};
    text.append(room.data(), std::to_chars(room.data(), room.data() + room.size(), value).ptr);
}

void Writer::write(const Json& json, std::size_t indent) {
    std::visit([&](const auto& value) { write_value(value, indent); }, json.value());
}

void Writer::write_value(const Json::Object& object, std::size_t indent) {
    text += '{';
    bool first = true;
    for (const Json::Member& member : object) {
        text += first ? "" : ",";
        first = false;
        begin_line(indent + step);
        write_text(member.key);
        text += ": ";
        write(member.value, indent + step);
    }
    if (!first) {
        begin_line(indent);
    }
    text += '}';
}

void Writer::write_value(const Json::Array& array, std::size_t indent) {
    text += '[';
    bool first = true;
    for (const Json& value : array) {
        text += first ? "" : ",";
        first = false;
        begin_line(indent + step);
        write(value, indent + step);
    }
    if (!first) {
        begin_line(indent);
    }
    text += ']';
}

void Writer::write_value(double value, std::size_t /*indent*/) {
    if (!std::isfinite(value)) {
        all_numbers = false;
        return;
    }
    std::array<char, 64> room{};
    text.append(room.data(),
                nlohmann::detail::to_chars(room.data(), room.data() + room.size(), value));
}

}  // namespace

std::string text_of(const Json& json) {
    Writer writer;
    writer.text.reserve(std::size_t{1} << 14U);
    writer.write(json, 0);
    if (!writer.all_numbers) {
        refuse(json);
    }
    writer.text += '\n';
    return std::move(writer.text);
}

}  // namespace ridgeline::report
