// A document as text. Half of an answer of the server was the library's own writer, which looks at each
// letter of each text on its own.
#include "report/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
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
    void write_text(const std::string& letters);
    void write_number(double value);
    template <typename Whole>
    void write_whole(Whole value);
    void begin_line(std::size_t indent) {
        text += '\n';
        text.append(indent, ' ');
    }
};

/// Path of the first figure that is an infinity or NaN.
[[maybe_unused]] std::string no_number_in(const Json& json) {
    if (json.is_structured()) {
        for (const auto& [key, value] : json.items()) {
            if (const std::string path = no_number_in(value); !path.empty()) {
                return "/" + (json.is_array() ? "*" : key) + path;
            }
        }
    }
    return json.is_number_float() && !std::isfinite(json.get<double>()) ? " " : "";
}

/// It would be printed as null, which means unknown: a defect is said instead.
[[noreturn]] void refuse([[maybe_unused]] const Json& json) {
#ifdef __cpp_exceptions
    throw std::logic_error("the figure " + no_number_in(json) + "is no number");
#else
    std::abort();
#endif
}

bool stands_as_it_is(char letter) {
    return static_cast<unsigned char>(letter - 0x20) < 0x60 && letter != '"' && letter != '\\';
}

void Writer::write_text(const std::string& letters) {
    if (std::all_of(letters.begin(), letters.end(), stands_as_it_is)) {
        text += '"';
        text += letters;
        text += '"';
    } else {
        text += Json(letters).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
}

void Writer::write_number(double value) {
    if (!std::isfinite(value)) {
        all_numbers = false;
        return;
    }
    std::array<char, 64> room{};
    text.append(room.data(),
                nlohmann::detail::to_chars(room.data(), room.data() + room.size(), value));
}

template <typename Whole>
void Writer::write_whole(Whole value) {
    std::array<char, 24> room{};
    text.append(room.data(), std::to_chars(room.data(), room.data() + room.size(), value).ptr);
}

void Writer::write(const Json& json, std::size_t indent) {
    switch (json.type()) {
        case Json::value_t::object: {
            text += '{';
            bool first = true;
            for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
                text += first ? "" : ",";
                first = false;
                begin_line(indent + step);
                write_text(key);
                text += ": ";
                write(value, indent + step);
            }
            if (!first) {
                begin_line(indent);
            }
            text += '}';
            return;
        }
        case Json::value_t::array: {
            text += '[';
            bool first = true;
            for (const Json& value : json.get_ref<const Json::array_t&>()) {
                text += first ? "" : ",";
                first = false;
                begin_line(indent + step);
                write(value, indent + step);
            }
            if (!first) {
                begin_line(indent);
            }
            text += ']';
            return;
        }
        case Json::value_t::string:
            write_text(json.get_ref<const std::string&>());
            return;
        case Json::value_t::number_float:
            write_number(json.get<double>());
            return;
        case Json::value_t::number_integer:
            write_whole(json.get<std::int64_t>());
            return;
        case Json::value_t::number_unsigned:
            write_whole(json.get<std::uint64_t>());
            return;
        case Json::value_t::boolean:
            text += json.get<bool>() ? "true" : "false";
            return;
        default:
            text += "null";
    }
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
