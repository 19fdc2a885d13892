#include "base/text.h"
#include "report/report.h"
#include "report/table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::report {
namespace {

/// Right-aligned with figures, whose star takes two columns.
std::string missing(const AcceleratorMetric& metric, const Accelerator& part) {
    return metric.lacks != nullptr && metric.lacks(part) ? "none  " : "unknown  ";
}

std::string figure(double value, bool best) {
    const double size = std::abs(value);
    const std::string text = size >= 1000 ? grouped(value)
                             : size >= 100 || value == std::floor(value)
                                 ? fmt::format("{:.0f}", value)
                             : size >= 1 ? fmt::format("{:.1f}", value)
                                         : fmt::format("{:.3g}", value);
    return best ? text + " *" : text + "  ";
}

/// The figures and features of the parts from `first` to before `end`.
std::string side_by_side(const Comparison& comparison, std::string_view profile, std::size_t first,
                         std::size_t end, const Style& style) {
    std::vector<std::string> columns{""};
    std::vector<std::string> words{""};
    for (std::size_t i = first; i < end; ++i) {
        const int count = comparison.counts[i];
        const std::string& id = comparison.accelerators[i]->id;
        columns.emplace_back(">" + (count > 1 ? fmt::format("{} x {}", count, id) : id));
        words.emplace_back(id);
    }
    const auto row_of = [&](std::string name, const auto& cell) {
        std::vector<std::string> cells{std::move(name)};
        for (std::size_t i = first; i < end; ++i) {
            cells.push_back(cell(i));
        }
        return cells;
    };
    Table table(columns);
    for (const ComparisonRow& row : comparison.rows) {
        table.add(row_of(std::string(row.name), [&](std::size_t i) {
            return row.values[i] ? figure(*row.values[i], row.best == static_cast<int>(i))
                                 : missing(*row.metric, *comparison.accelerators[i]);
        }));
    }
    if (!comparison.scores.empty()) {
        table.add(row_of(fmt::format("score for {}", profile), [&](std::size_t i) {
            return fmt::format("{:.0f}  ", comparison.scores[i]);
        }));
    }
    for (const ComparisonFit& fit : comparison.fits) {
        table.add(row_of("suits " + fit.profile->id, [&](std::size_t i) {
            return fmt::format("{:.0f}{}", fit.scores[i], fit.missing[i].empty() ? "  " : " !");
        }));
    }
    Table features(words);
    for (const ComparisonFeature& feature : comparison.features) {
        features.add(row_of(feature.name, [&](std::size_t i) { return feature.values[i]; }));
    }
    return table.text(style) + "* best of the row\n" +
           (comparison.features.empty() ? std::string() : "\n" + features.text(style) + "\n");
}

}  // namespace

std::string comparison_text(const Comparison& comparison, std::string_view profile,
                            const Style& style) {
    // As many parts beside each other as the width holds, the rest below.
    constexpr int name_width = 20;
    constexpr int part_width = 12;
    const std::size_t parts = comparison.accelerators.size();
    const auto beside =
        static_cast<std::size_t>(std::max(2, (style.width - name_width) / part_width));
    std::string out;
    for (std::size_t first = 0; first < parts; first += beside) {
        out += side_by_side(comparison, profile, first, std::min(parts, first + beside), style);
    }
    for (const ComparisonFit& fit : comparison.fits) {
        for (std::size_t i = 0; i < fit.missing.size(); ++i) {
            if (!fit.missing[i].empty()) {
                out += paragraph(
                    "! ",
                    fmt::format("{} lacks {} that {} needs", comparison.accelerators[i]->id,
                                fit.missing[i], fit.profile->id),
                    style);
            }
        }
    }
    for (std::size_t i = 0; i < comparison.missing.size(); ++i) {
        if (!comparison.missing[i].empty()) {
            out += paragraph("",
                             fmt::format("{} lacks {} for this kind of work",
                                         comparison.accelerators[i]->id, comparison.missing[i]),
                             style);
        }
    }
    for (const std::string& note : comparison.notes) {
        out += paragraph("note: ", note, style);
    }
    return out;
}

}  // namespace ridgeline::report
