#include "report/table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

std::string padded(const std::string& cell, int width, Align align) {
    const std::string space(static_cast<std::size_t>(std::max(0, width - width_of(cell))), ' ');
    return align == Align::left ? cell + space : space + cell;
}

std::string without_trailing_space(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

int width_of(std::string_view text) {
    int width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\033') {
            while (i < text.size() && text[i] != 'm') {
                ++i;
            }
        } else if (starts_character(text[i])) {
            ++width;
        }
    }
    return width;
}

std::string cut(std::string_view text, int width) {
    if (width_of(text) <= width) {
        return std::string(text);
    }
    std::string out;
    int used = 0;
    for (const char c : text) {
        used += starts_character(c) ? 1 : 0;
        if (used > width - 3) {
            break;
        }
        out += c;
    }
    return out + "...";
}

std::string wrap(std::string_view text, int width, int indent) {
    std::string out;
    std::string line;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        if (!line.empty() && width_of(line) + 1 + width_of(word) > width) {
            out += without_trailing_space(line) + "\n";
            line = std::string(static_cast<std::size_t>(indent), ' ') + std::string(word);
        } else {
            line += (begin == 0 ? "" : " ") + std::string(word);
        }
        begin = end + 1;
    }
    return out + without_trailing_space(line);
}

std::string bar(double share, int width, const Style& style) {
    const int filled = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
    std::string out;
    for (int i = 0; i < filled; ++i) {
        out += style.unicode ? "█" : "#";
    }
    return out;
}

std::string strong(std::string_view text, const Style& style) {
    return style.color ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

std::string alarm(std::string_view text, const Style& style) {
    return style.color ? fmt::format("\033[1;31m{}\033[0m", text) : std::string(text);
}

std::string grouped(double number) {
    std::string digits = fmt::format("{:.0f}", number);
    const std::size_t first = digits.front() == '-' ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3; i -= 3) {
        digits.insert(i - 3, ",");
    }
    return digits;
}

Table::Table(std::vector<std::pair<std::string, Align>> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
}

std::string Table::text(const Style& style, int indent) const {
    std::vector<int> widths;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        int width = width_of(columns_[c].first);
        for (const auto& row : rows_) {
            width = std::max(width, width_of(row[c]));
        }
        widths.push_back(width);
    }
    int total = indent + 2 * (static_cast<int>(columns_.size()) - 1);
    for (const int width : widths) {
        total += width;
    }
    // Text columns give way, the widest first; numbers never do.
    while (total > style.width) {
        int widest = -1;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (columns_[c].second == Align::left &&
                (widest < 0 || widths[c] > widths[static_cast<std::size_t>(widest)])) {
                widest = static_cast<int>(c);
            }
        }
        if (widest < 0 || widths[static_cast<std::size_t>(widest)] <= 8) {
            break;
        }
        --widths[static_cast<std::size_t>(widest)];
        --total;
    }
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string out = margin;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            out += (c > 0 ? "  " : "") + padded(cut(cells[c], widths[c]), widths[c],
                                                columns_[c].second);
        }
        return without_trailing_space(out) + "\n";
    };
    std::vector<std::string> heading;
    for (const auto& column : columns_) {
        heading.push_back(column.first);
    }
    std::string out = line(heading);
    out.pop_back();
    out = strong(out, style) + "\n";
    for (const auto& row : rows_) {
        out += line(row);
    }
    return out;
}

}  // namespace ridgeline::report
