#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::report {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

std::string padded(const std::string& cell, int width, bool right) {
    const std::string space(static_cast<std::size_t>(std::max(0, width - width_of(cell))), ' ');
    return right ? space + cell : cell + space;
}

std::string without_trailing_space(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

constexpr int least_text_width = 8;
constexpr int widest_prose = 100;

/// A word wider than the column is parted after a hyphen, a comma or a slash, else anywhere.
void part_word(std::string_view word, int width, std::vector<std::string>& lines) {
    while (width_of(word) > width) {
        std::size_t bytes = 0;
        std::size_t fine = 0;
        for (int used = 0; bytes < word.size(); ++bytes) {
            used += starts_character(word[bytes]) ? 1 : 0;
            if (used > width) {
                break;
            }
            if (std::string_view("-,/:").find(word[bytes]) != std::string_view::npos) {
                fine = bytes + 1;
            }
        }
        const std::size_t end = fine > 0 ? fine : bytes;
        lines.emplace_back(word.substr(0, end));
        word.remove_prefix(end);
    }
    lines.emplace_back(word);
}

/// The text in lines of at most `width` columns; leading blanks of the first stay.
std::vector<std::string> pieces(std::string_view text, int width) {
    std::vector<std::string> lines;
    if (width_of(text) <= width) {
        lines.emplace_back(text);
        return lines;
    }
    // What is indented stays so where it goes on.
    const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
    if (indent > 0 && static_cast<int>(indent) < width / 2) {
        lines = pieces(text.substr(indent), width - static_cast<int>(indent));
        for (std::string& line : lines) {
            line.insert(0, indent, ' ');
        }
        return lines;
    }
    lines.emplace_back();
    bool blank = true;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        std::string& line = lines.back();
        if (!blank && width_of(line) + 1 + width_of(word) <= width) {
            line += " " + std::string(word);
        } else if (blank && width_of(word) <= width) {
            line += word;
        } else {
            if (line.empty()) {
                lines.pop_back();
            }
            part_word(word, width, lines);
        }
        blank = false;
    }
    return lines;
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

std::string paragraph(std::string_view label, std::string_view text, const Style& style) {
    const int hang = width_of(label);
    const int width = std::min(style.width, widest_prose);
    std::string out(label);
    for (std::size_t i = 0; const std::string& line : pieces(text, std::max(8, width - hang))) {
        out += (i++ > 0 ? "\n" + std::string(static_cast<std::size_t>(hang), ' ') : "") + line;
    }
    return out + "\n";
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

Table::Table(const std::vector<std::string>& headings) {
    for (const std::string& heading : headings) {
        const bool right = heading.starts_with('>');
        columns_.push_back({heading.substr(right ? 1 : 0), right});
    }
}

void Table::add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
}

void Table::may_leave_out(std::size_t column) { optional_.push_back(column); }

int Table::widest_cell(std::size_t column) const {
    int width = 0;
    for (const auto& row : rows_) {
        width = std::max(width, width_of(row[column]));
    }
    return width;
}

/// What a column needs so that words part only where part_word() likes to.
int Table::longest_piece(std::size_t column) const {
    constexpr int most = 16;
    int longest = least_text_width;
    const auto see = [&longest](std::string_view text) {
        int length = 0;
        for (const char c : text) {
            length = c == ' ' ? 0 : length + (starts_character(c) ? 1 : 0);
            longest = std::max(longest, length);
            length = std::string_view("-,/:").find(c) != std::string_view::npos ? 0 : length;
        }
    };
    see(columns_[column].heading);
    for (const auto& row : rows_) {
        see(row[column]);
    }
    return std::min(longest, most);
}

int Table::Layout::total() const {
    int sum = -gap;
    for (const int width : widths) {
        sum += width > 0 ? width + gap : 0;
    }
    return sum;
}

void Table::shrink_text(Layout& layout, int room, const std::vector<int>& least) const {
    while (layout.total() > room) {
        std::size_t widest = columns_.size();
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            const bool may = !columns_[c].right && layout.widths[c] > least[c];
            if (may && (widest == columns_.size() || layout.widths[c] > layout.widths[widest])) {
                widest = c;
            }
        }
        if (widest == columns_.size()) {
            return;
        }
        --layout.widths[widest];
    }
}

Table::Layout Table::layout_of(int room) const {
    Layout layout;
    std::vector<int>& widths = layout.widths;
    std::vector<int> figures;  // without the heading, which may fill several lines
    std::vector<int> words;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const int cell = widest_cell(c);
        words.push_back(longest_piece(c));
        figures.push_back(std::max(cell, columns_[c].right ? least_text_width : words.back()));
        widths.push_back(std::max(cell, width_of(columns_[c].heading)));
    }
    const auto silent = [this](std::size_t column) {
        return std::all_of(rows_.begin(), rows_.end(), [column](const auto& row) {
            return row[column].empty() || row[column] == "-" || row[column] == "?";
        });
    };
    for (const std::size_t column : optional_) {
        widths[column] = silent(column) ? 0 : widths[column];
    }
    for (std::size_t i = 0; i < optional_.size() && layout.total() > room; ++i) {
        widths[optional_[i]] = 0;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const int less = std::min(layout.total() - room, widths[c] - figures[c]);
        widths[c] -= std::max(0, less);
    }
    shrink_text(layout, room, words);
    if (layout.total() > room) {
        layout.gap = 1;
        shrink_text(layout, room, std::vector<int>(columns_.size(), least_text_width));
    }
    return layout;
}

std::string Table::text(const Style& style, int indent) const {
    const Layout layout = layout_of(style.width - indent);
    const std::vector<int>& widths = layout.widths;
    const std::string gap(static_cast<std::size_t>(layout.gap), ' ');
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    const auto lines = [&](const std::vector<std::string>& cells) {
        std::vector<std::vector<std::string>> filled;
        std::size_t most = 1;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            filled.push_back(pieces(cells[c], std::max(1, widths[c])));
            most = widths[c] > 0 ? std::max(most, filled.back().size()) : most;
        }
        std::string out;
        for (std::size_t i = 0; i < most; ++i) {
            std::string line;
            for (std::size_t c = 0; c < cells.size(); ++c) {
                if (widths[c] > 0) {
                    line +=
                        (line.empty() ? "" : gap) + padded(i < filled[c].size() ? filled[c][i] : "",
                                                           widths[c], columns_[c].right);
                }
            }
            out += without_trailing_space(margin + line) + "\n";
        }
        return out;
    };
    std::vector<std::string> heading;
    for (const Column& column : columns_) {
        heading.push_back(column.heading);
    }
    std::string out = lines(heading);
    out.pop_back();
    out = strong(out, style) + "\n";
    for (const auto& row : rows_) {
        out += lines(row);
    }
    return out;
}

}  // namespace ridgeline::report
