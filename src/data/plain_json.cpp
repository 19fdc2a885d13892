#include "data/plain_json.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <version>

namespace ridgeline {
namespace {

using Builder = nlohmann::detail::json_sax_dom_parser<nlohmann::json>;

class PlainJson {
public:
    PlainJson(std::string_view text, int deepest, nlohmann::json& tree)
        : at_(text.data()), end_(text.data() + text.size()), left_(deepest), builder_(tree, false) {}

    bool read() {
        skip();
        if (!value()) {
            return false;
        }
        skip();
        return at_ == end_;
    }

private:
    void skip() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) {
            ++at_;
        }
    }
    [[nodiscard]] bool next_is(char letter) const { return at_ != end_ && *at_ == letter; }
    bool take(char letter) {
        const bool there = next_is(letter);
        at_ += there ? 1 : 0;
        return there;
    }
    bool take(std::string_view word) {
        const bool there = std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word);
        at_ += there ? word.size() : 0;
        return there;
    }

    bool value();
    bool object();
    bool array();
    bool text();
    bool number();

    const char* at_;
    const char* end_;
    int left_;  ///< levels that may still be opened
    Builder builder_;
    std::string text_;
};

bool PlainJson::value() {
    if (at_ == end_) {
        return false;
    }
    switch (*at_) {
        case '{':
            return object();
        case '[':
            return array();
        case '"':
            return text() && builder_.string(text_);
        case 't':
            return take("true") && builder_.boolean(true);
        case 'f':
            return take("false") && builder_.boolean(false);
        case 'n':
            return take("null") && builder_.null();
        default:
            return number();
    }
}

bool PlainJson::object() {
    ++at_;
    if (left_-- == 0 || !builder_.start_object(static_cast<std::size_t>(-1))) {
        return false;
    }
    skip();
    if (!next_is('}')) {
        do {
            skip();
            if (!next_is('"') || !text() || !builder_.key(text_)) {
                return false;
            }
            skip();
            if (!take(':')) {
                return false;
            }
            skip();
            if (!value()) {
                return false;
            }
            skip();
        } while (take(','));
    }
    ++left_;
    return take('}') && builder_.end_object();
}

bool PlainJson::array() {
    ++at_;
    if (left_-- == 0 || !builder_.start_array(static_cast<std::size_t>(-1))) {
        return false;
    }
    skip();
    if (!next_is(']')) {
        do {
            skip();
            if (!value()) {
                return false;
            }
            skip();
        } while (take(','));
    }
    ++left_;
    return take(']') && builder_.end_array();
}

/// The text from the quote that is next, into text_.
bool PlainJson::text() {
    text_.clear();
    for (++at_;;) {
        const char* begin = at_;
        while (at_ != end_ && *at_ != '"' && *at_ != '\\' && *at_ >= ' ') {
            ++at_;  // other bytes than those of ASCII are below zero
        }
        text_.append(begin, at_);
        if (at_ == end_ || (*at_ != '"' && *at_ != '\\')) {
            return false;
        }
        if (*at_++ == '"') {
            return true;
        }
        if (at_ == end_) {
            return false;
        }
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
        const std::size_t which = letters.find(*at_++);
        if (which == std::string_view::npos) {
            return false;
        }
        text_ += meant[which];
    }
}

/// A number with a point or an exponent, whose form was checked.
bool read_real(const char* begin, const char* end, double& into) {
#ifdef __cpp_lib_to_chars
    const auto [stop, problem] = std::from_chars(begin, end, into);
    return problem == std::errc{} && stop == end;
#else
    into = std::strtod(std::string(begin, end).c_str(), nullptr);
    return true;
#endif
}

bool PlainJson::number() {
    const char* begin = at_;
    const auto digits = [this] {
        const char* first = at_;
        while (at_ != end_ && *at_ >= '0' && *at_ <= '9') {
            ++at_;
        }
        return at_ != first;
    };
    const bool negative = take('-');
    if (!take('0') && !digits()) {
        return false;
    }
    bool whole = true;
    if (take('.')) {
        whole = false;
        if (!digits()) {
            return false;
        }
    }
    if (take('e') || take('E')) {
        whole = false;
        if (!take('+')) {
            take('-');
        }
        if (!digits()) {
            return false;
        }
    }
    const auto parsed = [&](auto& into) {
        const auto [stop, problem] = std::from_chars(begin, at_, into);
        return problem == std::errc{} && stop == at_;
    };
    if (!whole) {
        double real = 0;
        return read_real(begin, at_, real) && std::isfinite(real) && builder_.number_float(real, {});
    }
    if (negative) {
        std::int64_t below = 0;
        return parsed(below) && builder_.number_integer(below);
    }
    std::uint64_t count = 0;
    return parsed(count) && builder_.number_unsigned(count);
}

}  // namespace

bool read_plain_json(std::string_view text, int deepest, nlohmann::json& tree) {
    return PlainJson(text, deepest, tree).read();
}

}  // namespace ridgeline
