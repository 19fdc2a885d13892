#include "report/text_chart.h"

#include "base/text.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ridgeline::report {
namespace {

constexpr std::string_view marks = "oxv*+#@%";
constexpr std::array<std::string_view, 8> round_marks{"●", "■", "▲", "◆", "○", "□", "△", "◇"};

/// Characters of the plot; cell (0, 0) is the lower left.
class Canvas {
public:
    Canvas(int width, int height)
        : width_(width),
          height_(height),
          cells_(static_cast<std::size_t>(width * height), std::string(" ")) {}
    void put(double x, double y, std::string_view mark, bool over) {
        const int column =
            std::clamp(static_cast<int>(std::lround(x * (width_ - 1))), 0, width_ - 1);
        const int row =
            std::clamp(static_cast<int>(std::lround(y * (height_ - 1))), 0, height_ - 1);
        std::string& cell = cells_[static_cast<std::size_t>(row * width_ + column)];
        if (over || cell == " ") {
            cell = mark;
        }
    }
    [[nodiscard]] std::string row(int y) const {
        std::string out;
        for (int x = 0; x < width_; ++x) {
            out += cells_[static_cast<std::size_t>(y * width_ + x)];
        }
        return out;
    }
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }

private:
    int width_;
    int height_;
    std::vector<std::string> cells_;
};

std::string mark_of(std::size_t series, const Style& style) {
    const std::size_t place = series % marks.size();
    return style.unicode ? std::string(round_marks[place]) : std::string(1, marks[place]);
}

void draw_line(Canvas& canvas, const Series& series, const Ruler& along, const Ruler& up,
               std::string_view dot) {
    for (std::size_t i = 1; i < series.points.size(); ++i) {
        const ChartPoint& from = series.points[i - 1];
        const ChartPoint& to = series.points[i];
        const auto x1 = along.place(from.x);
        const auto y1 = up.place(from.y);
        const auto x2 = along.place(to.x);
        const auto y2 = up.place(to.y);
        if (!x1 || !y1 || !x2 || !y2) {
            continue;
        }
        const int steps = std::max(canvas.width(), canvas.height());
        for (int k = 0; k <= steps; ++k) {
            const double share = static_cast<double>(k) / steps;
            canvas.put(*x1 + share * (*x2 - *x1), *y1 + share * (*y2 - *y1), dot, false);
        }
    }
}

Canvas draw(const Plot& plot, const Ruler& along, const Ruler& up, int width, int height,
            const Style& style) {
    Canvas canvas(width, height);
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        if (!series.marks) {
            draw_line(canvas, series, along, up, mark_of(i, style));
            continue;
        }
        for (const ChartPoint& point : series.points) {
            const auto x = along.place(point.x);
            const auto y = up.place(point.y);
            if (x && y) {
                canvas.put(*x, *y, mark_of(i, style), true);
            }
        }
    }
    for (const Series& series : plot.series) {
        if (series.marks && series.line) {
            draw_line(canvas, series, along, up, style.unicode ? "·" : ".");
        }
    }
    return canvas;
}

/// Numbers below the axis, each centred under its tick where there is room.
std::string tick_line(const Ruler& ruler, int width) {
    std::string out(static_cast<std::size_t>(width), ' ');
    int written_to = -1;
    for (const double tick : ruler.ticks()) {
        const std::string words = tick_text(tick);
        const int length = static_cast<int>(words.size());
        const int at = static_cast<int>(std::lround(*ruler.place(tick) * (width - 1)));
        const int begin = std::clamp(at - length / 2, 0, std::max(0, width - length));
        if (begin > written_to && begin + length <= width) {
            out.replace(static_cast<std::size_t>(begin), words.size(), words);
            written_to = begin + length;
        }
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
}

std::string legend_text(const Plot& plot, const Style& style) {
    std::string out;
    std::string line;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        if (plot.series[i].name.empty()) {
            continue;
        }
        const std::string entry =
            cut(mark_of(i, style) + " " + plot.series[i].name, style.width - 2);
        if (!line.empty() && width_of(line) + 3 + width_of(entry) > style.width - 2) {
            out += "  " + line + "\n";
            line.clear();
        }
        append(line, "   ", entry);
    }
    return line.empty() ? out : out + "  " + line + "\n";
}

}  // namespace

std::string plot_text(const Plot& plot, const Style& style, int height) {
    const Ruler along = x_ruler(plot);
    const Ruler up = y_ruler(plot);
    std::vector<std::string> numbers(static_cast<std::size_t>(height));
    int widest = 1;
    for (const double tick : up.ticks()) {
        const auto row = static_cast<std::size_t>(std::lround(*up.place(tick) * (height - 1)));
        numbers[row] = tick_text(tick);
        widest = std::max(widest, width_of(numbers[row]));
    }
    const int width = std::max(8, style.width - widest - 4);
    const Canvas canvas = draw(plot, along, up, width, height, style);
    const std::string edge = style.unicode ? "│" : "|";
    const std::string floor = style.unicode ? "─" : "-";
    const std::string corner = style.unicode ? "└" : "+";
    std::string out = strong(cut(plot.title, style.width), style) + "\n";
    out += "  " + plot.y.label + "\n";
    for (int row = height - 1; row >= 0; --row) {
        std::string line = fmt::format(" {:>{}} {}{}", numbers[static_cast<std::size_t>(row)],
                                       widest, edge, canvas.row(row));
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    const std::string indent(static_cast<std::size_t>(widest + 2), ' ');
    out += indent + corner;
    for (int i = 0; i < width; ++i) {
        out += floor;
    }
    out += "\n" + indent + " " + tick_line(along, width) + "\n";
    const int space = std::max(0, (style.width - width_of(plot.x.label)) / 2);
    out += std::string(static_cast<std::size_t>(space), ' ') + plot.x.label + "\n";
    return out + legend_text(plot, style);
}

}  // namespace ridgeline::report
