#include "cli/style.h"

#include "base/text.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

namespace ridgeline::cli {

namespace {

/// Columns of the page: what COLUMNS says, else what the terminal has, else 80.
int columns_of(bool terminal) {
    constexpr int narrowest = 40;
    const char* said = std::getenv("COLUMNS");
    const auto columns = said != nullptr ? number_with_suffix(said) : std::nullopt;
    if (columns && *columns >= 1 && *columns < 1e4) {
        return std::max(narrowest, static_cast<int>(*columns));
    }
    winsize size{};
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return std::max(narrowest, static_cast<int>(size.ws_col));
    }
    return report::Style{}.width;
}

}  // namespace

report::Style style_of(std::string_view color) {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    const bool terminal = isatty(STDOUT_FILENO) == 1;
    report::Style style;
    style.width = columns_of(terminal);
    style.bars = terminal;
    style.color = color == "always" || (color != "never" && terminal && !set("NO_COLOR"));
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        if (set(name)) {
            const std::string locale = lower(std::getenv(name));
            style.unicode = terminal && (contains(locale, "utf-8") || contains(locale, "utf8"));
            break;
        }
    }
    return style;
}

}  // namespace ridgeline::cli
