#pragma once

#include "report/report.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::report {

/// Columns of text, two spaces apart, each as wide as its widest cell. Nothing is cut: where the
/// width does not suffice, columns that may be left out go first, then text columns fill further
/// lines of their row by whole words, then columns stand one space apart, and only then words part.
///
/// A column is given by its heading; ">" before it makes it one of numbers, which stand at the
/// right.
class Table {
public:
    explicit Table(const std::vector<std::string>& headings);
    void add(std::vector<std::string> cells);
    /// The column is left out where the width is short, those named first before others; one in
    /// which no row has anything to say is left out at any width.
    void may_leave_out(std::size_t column);
    /// Lines with a heading row, each indented.
    [[nodiscard]] std::string text(const Style& style, int indent = 0) const;

private:
    struct Column {
        std::string heading;
        bool right = false;
    };
    struct Layout {
        std::vector<int> widths;  ///< of each column, 0 for those left out
        int gap = 2;              ///< between columns
        [[nodiscard]] int total() const;
    };
    [[nodiscard]] Layout layout_of(int room) const;
    /// Text columns give way down to `least`, the widest first; numbers never do.
    void shrink_text(Layout& layout, int room, const std::vector<int>& least) const;
    [[nodiscard]] int widest_cell(std::size_t column) const;
    [[nodiscard]] int longest_piece(std::size_t column) const;
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
    std::vector<std::size_t> optional_;
};

/// Columns that a text takes on the terminal.
int width_of(std::string_view text);
/// `text` cut to `width` columns, with "..." where something is lost.
std::string cut(std::string_view text, int width);
/// Words filled into lines of at most `width` columns; lines after the first start with `indent`.
std::string wrap(std::string_view text, int width, int indent);
/// "label  text", the text filled to the width and hung under its first word; prose is never wider
/// than people read with ease.
std::string paragraph(std::string_view label, std::string_view text, const Style& style);
/// A bar of share x width characters, "####" or blocks.
std::string bar(double share, int width, const Style& style);
/// Bold where colour is on.
std::string strong(std::string_view text, const Style& style);
/// Red, yellow where colour is on.
std::string alarm(std::string_view text, const Style& style);

}  // namespace ridgeline::report
