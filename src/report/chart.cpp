#include "report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::report {
namespace {

/// The round number (1, 2 or 5 times a power of ten) that is at least `value`.
double round_step(double value) {
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double digit : {1.0, 2.0, 5.0}) {
        if (value <= digit * power * (1 + 1e-9)) {
            return digit * power;
        }
    }
    return 10 * power;
}

std::vector<double> linear_ticks(double low, double high) {
    constexpr double wanted = 6;
    const double step = round_step((high - low) / wanted);
    std::vector<double> ticks;
    for (double k = std::ceil(low / step - 1e-9) + 0.0; k * step <= high + 1e-9 * step; ++k) {
        ticks.push_back(k * step);
    }
    return ticks;
}

/// Powers of ten; between them 2 and 5 where the axis spans few.
std::vector<double> logarithmic_ticks(double low, double high) {
    const double decades = std::log10(high / low);
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / 8)));
    std::vector<double> ticks;
    for (int k = static_cast<int>(std::floor(std::log10(low))); std::pow(10, k) <= high;
         k += stride) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double tick = digit * std::pow(10, k);
            const bool wanted = digit == 1 || decades < 2.5;
            if (wanted && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) {
                ticks.push_back(tick);
            }
        }
    }
    return ticks;
}

std::vector<double> values_of(const Plot& plot, bool along_x) {
    std::vector<double> values;
    for (const Series& series : plot.series) {
        for (const ChartPoint& point : series.points) {
            values.push_back(along_x ? point.x : point.y);
            if (!along_x) {
                values.push_back(point.low.value_or(point.y));
                values.push_back(point.high.value_or(point.y));
            }
        }
    }
    return values;
}

}  // namespace

Ruler::Ruler(const Axis& axis, const std::vector<double>& values) : scale_(axis.scale) {
    settle_limits(axis, values);
    settle_ticks(axis);
}

void Ruler::settle_limits(const Axis& axis, const std::vector<double>& values) {
    bool any = false;
    const bool logarithmic = scale_ == Scale::logarithmic;
    for (const double value : values) {
        if (!std::isfinite(value) || (logarithmic && value <= 0)) {
            continue;
        }
        low_ = any ? std::min(low_, value) : value;
        high_ = any ? std::max(high_, value) : value;
        any = true;
    }
    if (!any) {
        low_ = logarithmic ? 1 : 0;
        high_ = logarithmic ? 10 : 1;
    }
    if (logarithmic) {
        low_ = axis.low.value_or(low_ / 1.15);
        high_ = axis.high.value_or(high_ * 1.15);
        high_ = std::max(high_, low_ * 1.5);
        return;
    }
    low_ = axis.low.value_or(std::min(0.0, low_));
    high_ = axis.high.value_or(std::max(0.0, high_));
    if (high_ <= low_) {
        high_ = low_ + 1;
    }
    if (!axis.high) {
        const double step = round_step((high_ - low_) / 6);
        high_ = std::ceil(high_ / step - 1e-9) * step;
    }
}

void Ruler::settle_ticks(const Axis& axis) {
    if (axis.ticks.empty()) {
        ticks_ = scale_ == Scale::logarithmic ? logarithmic_ticks(low_, high_)
                                              : linear_ticks(low_, high_);
        return;
    }
    for (const double tick : axis.ticks) {
        if (place(tick)) {
            ticks_.push_back(tick);
        }
    }
}

std::optional<double> Ruler::place(double value) const {
    if (!std::isfinite(value) || (scale_ == Scale::logarithmic && value <= 0)) {
        return std::nullopt;
    }
    const double share = scale_ == Scale::logarithmic
                             ? std::log(value / low_) / std::log(high_ / low_)
                             : (value - low_) / (high_ - low_);
    constexpr double rounding = 1e-9;
    if (share < -rounding || share > 1 + rounding) {
        return std::nullopt;
    }
    return std::clamp(share, 0.0, 1.0);
}

Ruler x_ruler(const Plot& plot) { return {plot.x, values_of(plot, true)}; }

Ruler y_ruler(const Plot& plot) { return {plot.y, values_of(plot, false)}; }

std::string tick_text(double value) {
    struct Suffix {
        double size;
        const char* name;
    };
    static constexpr Suffix suffixes[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}};
    for (const Suffix& suffix : suffixes) {
        // Up to 99,999 is easier read whole.
        if (std::abs(value) >= std::max(suffix.size, 1e5) * (1 - 1e-12)) {
            return fmt::format("{:.4g}{}", value / suffix.size, suffix.name);
        }
    }
    const bool whole = std::abs(value) >= 1 && value == std::floor(value);
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

}  // namespace ridgeline::report
