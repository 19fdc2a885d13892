#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace ridgeline::report {

enum class Align { left, right };

/// Columns of text, two spaces apart, each as wide as its widest cell.
class Table {
public:
    explicit Table(std::vector<std::pair<std::string, Align>> columns);
    void add(std::vector<std::string> cells);
    /// Lines with a heading row, each indented; the last left-aligned column is cut to the width.
    [[nodiscard]] std::string text(const Style& style, int indent = 0) const;

private:
    std::vector<std::pair<std::string, Align>> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// Columns that a text takes on the terminal.
int width_of(std::string_view text);
/// `text` cut to `width` columns, with "..." where something is lost.
std::string cut(std::string_view text, int width);
/// Words filled into lines of at most `width` columns; lines after the first start with `indent`.
std::string wrap(std::string_view text, int width, int indent);
/// A bar of share x width characters, "####" or blocks.
std::string bar(double share, int width, const Style& style);
/// Bold where colour is on.
std::string strong(std::string_view text, const Style& style);
/// Red, yellow where colour is on.
std::string alarm(std::string_view text, const Style& style);
/// 1234567 -> "1,234,567".
std::string grouped(double number);

}  // namespace ridgeline::report
