#include "base/order.h"
#include "report/table.h"
#include "report/validation_report.h"
#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace ridgeline::report {
namespace {

std::string summary_table(const std::vector<ErrorSummary>& summary, const Style& style) {
    Table table({"quantity", ">rows", ">median", ">p90", ">max", ">bias", ">inside band"});
    for (const ErrorSummary& line : summary) {
        table.add({line.quantity, fmt::format("{}", line.rows), percent(line.median_abs_error),
                   percent(line.p90_abs_error), percent(line.max_abs_error),
                   fmt::format("{:+.1f} %", 100 * line.bias),
                   fmt::format("{:.0f} %", 100 * line.coverage)});
    }
    return table.text(style);
}

/// Reasons with the numbers taken out, so that rows skipped alike are counted together.
std::string kind_of(const std::string& reason) { return cut(reason, 68); }

std::string skipped_table(const std::vector<SkippedRow>& skipped, const Style& style) {
    std::vector<std::pair<std::string, int>> reasons;
    for (const SkippedRow& row : skipped) {
        const std::string kind = kind_of(row.reason);
        const auto found = std::find_if(reasons.begin(), reasons.end(),
                                        [&](const auto& seen) { return seen.first == kind; });
        if (found == reasons.end()) {
            reasons.emplace_back(kind, 1);
        } else {
            ++found->second;
        }
    }
    stable_order(reasons.begin(), reasons.end(),
                 [](const auto& a, const auto& b) { return a.second > b.second; });
    Table table({">rows", "skipped because"});
    for (const auto& [reason, count] : reasons) {
        table.add({fmt::format("{}", count), reason});
    }
    return table.text(style);
}

/// Rows that the profiles rest on, by what rests on them.
std::string fitted_table(const std::vector<ValidatedRow>& rows, const Style& style) {
    std::map<std::string, std::vector<double>> errors;
    for (const ValidatedRow& row : rows) {
        if (!row.fitted_on.empty()) {
            errors[row.fitted_on].push_back(std::abs(row.relative_error));
        }
    }
    if (errors.empty()) {
        return {};
    }
    Table table({">figures not scored", ">median", "since this rests on them"});
    for (auto& [fitted_on, list] : errors) {
        std::sort(list.begin(), list.end());
        table.add({fmt::format("{}", list.size()), percent(list[list.size() / 2]), fitted_on});
    }
    return "\n" + table.text(style);
}

/// The rows that miss most, the worst first.
std::string worst_table(std::vector<ValidatedRow> rows, int worst, const Style& style) {
    stable_order(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::abs(a.relative_error) > std::abs(b.relative_error);
    });
    rows.resize(std::min(rows.size(), static_cast<std::size_t>(worst)));
    Table table({"row", "metric", ">measured", ">predicted", ">error"});
    for (const ValidatedRow& row : rows) {
        table.add({row.id, row.metric, fmt::format("{:.4g}", row.measured),
                   fmt::format("{:.4g}", row.predicted),
                   fmt::format("{:+.1f} %", 100 * row.relative_error)});
    }
    Style wide = style;
    wide.width = std::max(style.width, 120);
    return table.text(wide);
}

}  // namespace

std::string validation_text(const ValidationAnswer& answer, int worst, const Style& style) {
    std::string out = summary_table(answer.summary, style);
    if (!answer.uncalibrated.empty()) {
        out += "\nwithout the calibrations given, of the same rows:\n" +
               summary_table(answer.uncalibrated, style);
    }
    if (answer.ranking) {
        out += fmt::format(
            "ranking: of {} pairs of plans or machines on {} works that differ by over {:.0f} %,\n"
            "the faster one comes first in {} ({} when near-duplicates count once)\n",
            answer.ranking->pairs, answer.ranking->works, 100 * least_difference,
            percent(static_cast<double>(answer.ranking->right) / answer.ranking->pairs),
            percent(answer.ranking->right_share));
    }
    out += fitted_table(answer.rows, style);
    if (!answer.breakdown.empty()) {
        out += "\n" + summary_table(answer.breakdown, style);
    }
    if (worst > 0) {
        out += "\n" + worst_table(answer.rows, worst, style);
    }
    if (!answer.skipped.empty()) {
        out += "\n" + skipped_table(answer.skipped, style);
    }
    for (const std::string& gate : answer.failed_gates) {
        out += alarm("gate failed", style) + ": " + gate + "\n";
    }
    return out;
}

}  // namespace ridgeline::report
