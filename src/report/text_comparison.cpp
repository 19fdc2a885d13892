#include "report/report.h"
#include "report/table.h"

#include <fmt/core.h>

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

}  // namespace

std::string comparison_text(const Comparison& comparison,
                            std::string_view profile,
                            const Style& style) {
    std::vector<std::pair<std::string, Align>> columns{{"", Align::left}};
    std::vector<std::pair<std::string, Align>> words{{"", Align::left}};
    for (const Accelerator* part : comparison.accelerators) {
        columns.emplace_back(part->id, Align::right);
        words.emplace_back(part->id, Align::left);
    }
    Table table(columns);
    for (const ComparisonRow& row : comparison.rows) {
        std::vector<std::string> cells{std::string(row.metric->name)};
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            cells.push_back(row.values[i] ? figure(*row.values[i], row.best == static_cast<int>(i))
                                          : missing(*row.metric, *comparison.accelerators[i]));
        }
        table.add(std::move(cells));
    }
    if (!comparison.scores.empty()) {
        std::vector<std::string> cells{fmt::format("score for {}", profile)};
        for (const double score : comparison.scores) {
            cells.push_back(fmt::format("{:.0f}  ", score));
        }
        table.add(std::move(cells));
    }
    Table features(words);
    for (const ComparisonFeature& feature : comparison.features) {
        std::vector<std::string> cells{feature.name};
        cells.insert(cells.end(), feature.values.begin(), feature.values.end());
        features.add(std::move(cells));
    }
    for (const ComparisonFit& fit : comparison.fits) {
        std::vector<std::string> cells{"suits " + fit.profile->id};
        for (std::size_t i = 0; i < fit.scores.size(); ++i) {
            cells.push_back(
                fmt::format("{:.0f}{}", fit.scores[i], fit.missing[i].empty() ? "  " : " !"));
        }
        table.add(std::move(cells));
    }
    std::string out = table.text(style) + "* best of the row\n\n" + features.text(style) + "\n";
    for (const ComparisonFit& fit : comparison.fits) {
        for (std::size_t i = 0; i < fit.missing.size(); ++i) {
            if (!fit.missing[i].empty()) {
                out += paragraph("! ",
                                 fmt::format("{} lacks {} that {} needs",
                                             comparison.accelerators[i]->id,
                                             fit.missing[i],
                                             fit.profile->id),
                                 style);
            }
        }
    }
    for (std::size_t i = 0; i < comparison.missing.size(); ++i) {
        if (!comparison.missing[i].empty()) {
            out += paragraph("",
                             fmt::format("{} lacks {} for this kind of work",
                                         comparison.accelerators[i]->id,
                                         comparison.missing[i]),
                             style);
        }
    }
    for (const std::string& note : comparison.notes) {
        out += paragraph("note: ", note, style);
    }
    return out;
}

}  // namespace ridgeline::report
