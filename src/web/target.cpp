#include "web/target.h"

#include "base/text.h"

#include <optional>

namespace ridgeline::web {
namespace {

int digit_of(char letter) {
    if (is_digit(letter)) {
        return letter - '0';
    }
    const char lower = static_cast<char>(letter | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
            const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return std::nullopt;
            }
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += plus_is_blank && text[i] == '+' ? ' ' : text[i];
        }
    }
    return out.find('\0') == std::string::npos ? std::optional(out) : std::nullopt;
}

}  // namespace

Result<Target> target_of(std::string_view text) {
    const std::size_t mark = text.find('?');
    const auto path = decoded(text.substr(0, mark), false);
    if (!path || path->empty() || path->front() != '/') {
        return usage_error("path", "expected /... with whole %XX escapes");
    }
    Target target{*path, {}};
    std::string_view rest = mark == std::string_view::npos ? "" : text.substr(mark + 1);
    while (!rest.empty()) {
        const std::size_t end = rest.find('&');
        const std::string_view field = rest.substr(0, end);
        rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
        if (field.empty()) {
            continue;
        }
        const std::size_t equals = field.find('=');
        const auto name = decoded(field.substr(0, equals), true);
        const auto value =
            equals == std::string_view::npos ? "true" : decoded(field.substr(equals + 1), true);
        if (!name || !value || name->empty()) {
            return usage_error("query", "expected name=value with whole %XX escapes",
                               "Example: ?model=llama-3.1-8b&on=l40s.");
        }
        target.fields.emplace_back(*name, *value);
    }
    return target;
}

}  // namespace ridgeline::web
