#include "report/svg.h"

#include "report/svg_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::report {
namespace {

constexpr double page_width = 720;
constexpr double margin = 16;
constexpr double right = page_width - 24;

struct Frame {
    double left = 0, top = 0, width = 0, height = 0;
    [[nodiscard]] double x(double share) const { return left + share * width; }
    [[nodiscard]] double y(double share) const { return top + (1 - share) * height; }
    [[nodiscard]] double bottom() const { return top + height; }
};

int color_of(const Series& series, std::size_t place) {
    return series.color >= 0 ? series.color : static_cast<int>(place) % SvgPage::colors;
}

void draw_x_axis(SvgPage& page, const Frame& frame, const Ruler& ruler, const std::string& label) {
    double written_to = -1e9;
    for (const double tick : ruler.ticks()) {
        const double x = frame.x(*ruler.place(tick));
        page.line(x, frame.top, x, frame.bottom(), "grid");
        const std::string words = tick_text(tick);
        const double half = text_width(words) / 2 + 3;
        if (x - half >= written_to) {
            page.text(x, frame.bottom() + 16, words, SvgPage::Anchor::middle, "faint");
            written_to = x + half;
        }
    }
    page.line(frame.left, frame.bottom(), frame.x(1), frame.bottom(), "axis");
    page.text(frame.x(0.5), frame.bottom() + 36, label, SvgPage::Anchor::middle);
}

void draw_y_axis(SvgPage& page, const Frame& frame, const Ruler& ruler, const std::string& label) {
    for (const double tick : ruler.ticks()) {
        const double y = frame.y(*ruler.place(tick));
        page.line(frame.left, y, frame.x(1), y, "grid");
        page.text(frame.left - 6, y + 4, tick_text(tick), SvgPage::Anchor::end, "faint");
    }
    page.line(frame.left, frame.top, frame.left, frame.bottom(), "axis");
    page.turned_text(margin, frame.y(0.5), label);
}

/// Runs of consecutive points that both axes can show.
struct Placed {
    double x = 0, y = 0, low = 0, high = 0;
    bool ranged = false;
    std::string tip;
};

std::vector<std::vector<Placed>> runs_of(const Series& series, const Frame& frame,
                                         const Ruler& along, const Ruler& up) {
    std::vector<std::vector<Placed>> runs(1);
    for (const ChartPoint& point : series.points) {
        const auto x = along.place(point.x);
        const auto y = up.place(point.y);
        if (!x || !y) {
            runs.emplace_back();
            continue;
        }
        Placed placed{.x = frame.x(*x), .y = frame.y(*y), .tip = point.label};
        placed.ranged = point.low && point.high;
        placed.low = frame.y(up.place(point.low.value_or(point.y)).value_or(0));
        placed.high = frame.y(up.place(point.high.value_or(point.y)).value_or(1));
        runs.back().push_back(placed);
    }
    return runs;
}

std::string band_path(const std::vector<Placed>& run) {
    std::string out;
    for (const Placed& point : run) {
        out += fmt::format("{}{:.1f} {:.1f}", out.empty() ? "M" : "L", point.x, point.high);
    }
    for (auto point = run.rbegin(); point != run.rend(); ++point) {
        out += fmt::format("L{:.1f} {:.1f}", point->x, point->low);
    }
    return out + "z";
}

void draw_series(SvgPage& page, const Series& series, int color, const std::vector<Placed>& run) {
    if (run.empty()) {
        return;
    }
    const bool ranged = std::ranges::all_of(run, [](const Placed& point) { return point.ranged; });
    if (series.line && run.size() > 1) {
        if (ranged) {
            page.path(band_path(run), fmt::format("band f{}", color));
        }
        std::string line;
        for (const Placed& point : run) {
            line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", point.x, point.y);
        }
        page.path(line, fmt::format("data l{}", color));
    }
    for (const Placed& point : run) {
        if (point.ranged && !series.line) {
            page.line(point.x, point.low, point.x, point.high, "range");
        }
        if (series.marks) {
            page.mark(point.x, point.y, color, point.tip);
        }
    }
}

double draw_title(SvgPage& page, const std::string& title) {
    page.text(margin, 26, title, SvgPage::Anchor::start, "title");
    return 50;
}

/// Text that would run over a width of the page is cut.
std::string fitted(const std::string& words, double width) {
    std::string out = words;
    while (out.size() > 4 && text_width(out) > width) {
        out.pop_back();
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0U) == 0x80U) {
            out.pop_back();
        }
        if (text_width(out) <= width) {
            out += "…";
            break;
        }
    }
    return out;
}

struct BarMeasure {
    double sum = 0;
    double most = 0;  ///< with the range
};

BarMeasure measure_of(const Bar& bar) {
    BarMeasure out;
    for (const double value : bar.values) {
        out.sum += std::isfinite(value) ? std::max(0.0, value) : 0;
    }
    out.most = std::max(out.sum, bar.high.value_or(0));
    return out;
}

void draw_bar(SvgPage& page, const BarChart& chart, const Bar& bar, const Frame& frame,
              const Ruler& ruler, double y) {
    constexpr double thickness = 18;
    double from = 0;
    for (std::size_t i = 0; i < bar.values.size(); ++i) {
        const double value = std::isfinite(bar.values[i]) ? std::max(0.0, bar.values[i]) : 0;
        const double x1 = frame.x(ruler.place(from).value_or(1));
        const double x2 = frame.x(ruler.place(from + value).value_or(1));
        const std::string part = i < chart.parts.size() ? chart.parts[i] + ": " : "";
        if (value > 0) {
            page.box(x1, y, std::max(0.5, x2 - x1), thickness,
                     fmt::format("f{}", i % SvgPage::colors),
                     fmt::format("{}{} {}", part, tick_text(value), chart.unit));
        }
        from += value;
    }
    double end = frame.x(ruler.place(from).value_or(1));
    if (bar.low && bar.high) {
        const double low = frame.x(ruler.place(*bar.low).value_or(0));
        const double high = frame.x(ruler.place(*bar.high).value_or(1));
        const double middle = y + thickness / 2;
        page.line(low, middle, high, middle, "range");
        page.line(low, middle - 4, low, middle + 4, "range");
        page.line(high, middle - 4, high, middle + 4, "range");
        end = std::max(end, high);
    }
    const std::string note = bar.note.empty() ? tick_text(from) : bar.note;
    page.text(end + 6, y + 13, note, SvgPage::Anchor::start);
    page.text(frame.left - 8, y + 13, fitted(bar.label, frame.left - margin - 8),
              SvgPage::Anchor::end);
}

}  // namespace

std::string svg_of(const Plot& plot) {
    constexpr double plot_height = 330;
    SvgPage page(plot.title, plot.description);
    std::vector<SvgPage::LegendEntry> entries;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        if (!series.name.empty()) {
            entries.push_back({series.name, color_of(series, i), series.line, series.marks});
        }
    }
    const double top = page.legend(margin, draw_title(page, plot.title), right - margin, entries);
    const Ruler along = x_ruler(plot);
    const Ruler up = y_ruler(plot);
    double widest = 0;
    for (const double tick : up.ticks()) {
        widest = std::max(widest, text_width(tick_text(tick)));
    }
    const double left = margin + 22 + widest;
    const Frame frame{.left = left, .top = top, .width = right - left, .height = plot_height};
    draw_x_axis(page, frame, along, plot.x.label);
    draw_y_axis(page, frame, up, plot.y.label);
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const Series& series = plot.series[i];
        for (const auto& run : runs_of(series, frame, along, up)) {
            draw_series(page, series, color_of(series, i), run);
        }
    }
    return page.whole(page_width, frame.bottom() + 50);
}

std::string svg_of(const BarChart& chart) {
    constexpr double pitch = 26;
    constexpr double widest_label = 220;
    SvgPage page(chart.title, chart.description);
    std::vector<SvgPage::LegendEntry> entries;
    for (std::size_t i = 0; i < chart.parts.size() && chart.parts.size() > 1; ++i) {
        entries.push_back({chart.parts[i], static_cast<int>(i)});
    }
    const double top = page.legend(margin, draw_title(page, chart.title), right - margin, entries);
    double labels = 40;
    double notes = 50;
    std::vector<double> ends;
    for (const Bar& bar : chart.bars) {
        const BarMeasure measure = measure_of(bar);
        labels = std::max(labels, std::min(widest_label, text_width(bar.label)));
        notes = std::max(notes, 12 + text_width(bar.note));
        ends.push_back(measure.most);
    }
    const double left = margin + labels + 8;
    const Frame frame{.left = left,
                      .top = top,
                      .width = std::max(120.0, right - left - notes),
                      .height = pitch * static_cast<double>(chart.bars.size())};
    const Ruler ruler(Axis{.label = chart.unit}, ends);
    draw_x_axis(page, frame, ruler, chart.unit);
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
        draw_bar(page, chart, chart.bars[i], frame, ruler,
                 frame.top + pitch * static_cast<double>(i) + 4);
    }
    return page.whole(page_width, frame.bottom() + 50);
}

}  // namespace ridgeline::report
