#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::report {

/// The sheet that a chart is drawn on: elements in pixels, collected as text.
class SvgPage {
public:
    SvgPage(std::string_view title, std::string_view description);

    enum class Anchor { start, middle, end };
    void text(double x, double y, std::string_view words, Anchor anchor,
              std::string_view style = "");
    void turned_text(double x, double y, std::string_view words);
    void line(double x1, double y1, double x2, double y2, std::string_view style);
    /// tip  read out on hovering; empty: none
    void box(double x, double y, double width, double height, std::string_view style,
             std::string_view tip);
    void path(std::string_view commands, std::string_view style);
    /// A circle, square, triangle or diamond: a shape for each color.
    void mark(double x, double y, int color, std::string_view tip);
    /// Names with a sample of their color each, wrapped; returns the y below.
    struct LegendEntry {
        std::string name;
        int color = 0;
        bool line = false;
        bool mark = false;  ///< neither: a filled box
    };
    double legend(double x, double y, double width, const std::vector<LegendEntry>& entries);
    [[nodiscard]] std::string whole(double width, double height) const;

    static constexpr int colors = 8;

private:
    std::string title_;
    std::string description_;
    std::string body_;
};

/// Pixels that words take in the chart's type, roughly.
double text_width(std::string_view words);

}  // namespace ridgeline::report
