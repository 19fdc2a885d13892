#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::report {

enum class Scale { linear, logarithmic };

/// One direction of a plot. Without limits the axis takes in all points (and zero, when linear).
struct Axis {
    std::string label = {};  ///< with its unit: "TFLOP/s"
    Scale scale = Scale::linear;
    std::optional<double> low = {}, high = {};
    std::vector<double> ticks = {};  ///< where to write numbers; empty: round numbers
};

struct ChartPoint {
    double x = 0;
    double y = 0;
    std::optional<double> low = {},
                          high = {};  ///< range of y, drawn as a band (lines) or a bar (marks)
    std::string label = {};           ///< read out on hovering
};

/// Points of one colour, joined, marked or both. A point that is not finite, or not positive on a
/// logarithmic axis, breaks the line.
struct Series {
    std::string name = {};  ///< in the legend; empty: not listed
    std::vector<ChartPoint> points = {};
    bool line = true;
    bool marks = true;
    int color = -1;  ///< of the palette; -1: its place in the chart
};

/// A scatter or line chart.
struct Plot {
    std::string title = {};
    std::string description = {};  ///< what a reader who cannot see it should know
    Axis x = {}, y = {};
    std::vector<Series> series = {};
};

/// One bar: a value for each part of the chart, stacked.
struct Bar {
    std::string label = {};
    std::vector<double> values = {};
    std::optional<double> low = {}, high = {};  ///< range of the sum
    std::string note = {};                      ///< behind the bar; empty: the sum
};

/// Horizontal bars.
struct BarChart {
    std::string title = {};
    std::string description = {};
    std::string unit = {};                ///< "GiB", "US dollars"
    std::vector<std::string> parts = {};  ///< names of the stacked values; one: no legend
    std::vector<Bar> bars = {};
};

/// An axis with its limits and ticks settled, mapping values to 0..1.
class Ruler {
public:
    /// values  of all points along the axis; those it cannot show are ignored
    Ruler(const Axis& axis, const std::vector<double>& values);
    /// Where a value lies: 0 at the low end, 1 at the high end; nothing where it cannot be shown.
    [[nodiscard]] std::optional<double> place(double value) const;
    [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
    [[nodiscard]] double low() const { return low_; }
    [[nodiscard]] double high() const { return high_; }

private:
    void settle_limits(const Axis& axis, const std::vector<double>& values);
    void settle_ticks(const Axis& axis);

    Scale scale_ = Scale::linear;
    double low_ = 0;
    double high_ = 1;
    std::vector<double> ticks_;
};

/// Rulers over all points of a plot, ranges included.
Ruler x_ruler(const Plot& plot);
Ruler y_ruler(const Plot& plot);

/// "0.05", "12", "3k", "1.5M": a number as an axis writes it.
std::string tick_text(double value);

}  // namespace ridgeline::report
