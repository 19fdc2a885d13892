#include "advise/validation/validate.h"

#include "advise/validation/ranking.h"
#include "ask/commands.h"
#include "base/lists.h"
#include "base/text.h"
#include "data/load.h"
#include "report/validation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace ridgeline::ask {
namespace {

struct Gate {
    std::string quantity;
    std::string statistic;  ///< "median", "p90", "max", "bias"; of the ranking "wrong"
    double most = 0;
};

Result<std::vector<Gate>> gates_of(const std::vector<std::string>& texts) {
    std::vector<Gate> gates;
    for (const std::string& text : texts) {
        const auto halves = split(text, '=');
        const auto refuse = [&] {
            return usage_error(
                "--fail-above",
                fmt::format("found \"{}\", expected QUANTITY=STATISTIC:NUMBER", text),
                "Example: --fail-above memory=median:0.06,p90:0.15.");
        };
        if (halves.size() != 2) {
            return refuse();
        }
        for (const std::string& part : split(halves[1], ',')) {
            const auto pair = split(part, ':');
            const double number = pair.size() == 2 ? number_with_suffix(pair[1]).value_or(-1) : -1;
            const bool known = halves[0] == "ranking" ? pair[0] == "wrong"
                                                      : pair[0] == "median" || pair[0] == "p90" ||
                                                            pair[0] == "max" || pair[0] == "bias";
            if (number < 0 || !known) {
                return refuse();
            }
            gates.push_back({halves[0], pair[0], number});
        }
    }
    return gates;
}

/// What a gate finds wrong with a summary; empty when it passes. It names a quantity, or a line of
/// the breakdown ("inference ttft_s").
std::string verdict(const Gate& gate, const report::ValidationAnswer& answer) {
    if (gate.quantity == "ranking") {
        const double wrong = answer.ranking ? 1 - answer.ranking->right_share : 1;
        return wrong <= gate.most
                   ? std::string()
                   : fmt::format("ranking: wrong {:.4f} is above {:.4f}", wrong, gate.most);
    }
    const auto line_in = [&gate](const std::vector<ErrorSummary>& lines) -> const ErrorSummary* {
        const auto found = std::ranges::find_if(
            lines, [&](const auto& line) { return line.quantity == gate.quantity; });
        return found == lines.end() ? nullptr : &*found;
    };
    const ErrorSummary* found = line_in(answer.summary);
    found = found != nullptr ? found : line_in(answer.breakdown);
    if (found == nullptr) {
        return fmt::format("{}: no row was compared", gate.quantity);
    }
    const double value = gate.statistic == "median" ? found->median_abs_error
                         : gate.statistic == "p90"  ? found->p90_abs_error
                         : gate.statistic == "max"  ? found->max_abs_error
                                                    : std::abs(found->bias);
    if (value <= gate.most) {
        return {};
    }
    return fmt::format("{}: {} {:.4f} is above {:.4f}", gate.quantity, gate.statistic, value,
                       gate.most);
}

/// What a row is about; a single kernel needs no model.
Result<Architecture> model_of(const WorkloadDocument& document, const World& world) {
    return document.task == Task::kernel ? document.architecture.value_or(Architecture{})
                                         : architecture_of(document, world);
}

class Comparison {
public:
    Comparison(const World& world, const Profiles& profiles) : world_(world), profiles_(profiles) {}

    void compare(const EvidenceRow& row) {
        if (!row.workload_error.empty()) {
            skip(row, row.workload_error);
            return;
        }
        const auto metrics = metrics_of(row.quantity, row.measured, row.workload, row.count);
        if (!metrics) {
            skip(row, metrics.error().text());
            return;
        }
        auto architecture = model_of(row.workload, world_);
        if (!architecture) {
            skip(row, architecture.error().text());
            return;
        }
        Measurement measurement{.id = row.id,
                                .quantity = row.quantity,
                                .group = row.group,
                                .quality = row.quality,
                                .workload = row.workload,
                                .architecture = std::move(*architecture),
                                .accelerator = row.accelerator,
                                .count = row.count,
                                .per_node = row.per_node,
                                .fabric = row.fabric,
                                .metric = {},
                                .counter = row.memory_counter,
                                .measured = 0};
        if (auto& framework = measurement.workload.framework; framework && !row.release.empty()) {
            *framework += "@" + row.release;
        }
        for (const Metric& metric : *metrics) {
            measurement.metric = metric.name;
            measurement.measured = metric.value;
            add(row, measurement);
        }
    }

    report::ValidationAnswer answer() const {
        report::ValidationAnswer out;
        out.rows = rows_;
        out.skipped = skipped_;
        std::vector<std::string> quantities;
        for (const RelativeError& error : errors_) {
            if (!is_among(error.quantity, quantities)) {
                quantities.push_back(error.quantity);
            }
        }
        for (const std::string& quantity : quantities) {
            std::vector<RelativeError> of_quantity;
            for (const RelativeError& error : errors_) {
                if (error.quantity == quantity) {
                    of_quantity.push_back(error);
                }
            }
            out.summary.push_back(summarize(quantity, of_quantity));
        }
        if (const RankingSummary ranking = ranking_of(runs_); ranking.pairs > 0) {
            out.ranking = ranking;
        }
        for (const ErrorSummary& line : breakdown(errors_)) {
            if (line.quantity.find(' ') != std::string::npos) {
                out.breakdown.push_back(line);
            }
        }
        return out;
    }

private:
    void skip(const EvidenceRow& row, const std::string& reason) {
        skipped_.push_back({row.id, reason});
    }

    void add(const EvidenceRow& row, const Measurement& measurement) {
        const auto prediction = predict(measurement, world_.catalog, profiles_);
        if (!prediction) {
            skip(row, prediction.error().text());
            return;
        }
        if (!(measurement.measured > 0)) {
            skip(row, "the measured value is not positive");
            return;
        }
        const double error = prediction->predicted / measurement.measured - 1;
        const bool inside =
            prediction->low <= measurement.measured && measurement.measured <= prediction->high;
        rows_.push_back({prediction->kind, row.id, row.quantity, measurement.metric,
                         measurement.measured, prediction->predicted, prediction->low,
                         prediction->high, error, inside, row.fitted_on});
        if (!row.fitted_on.empty()) {
            return;
        }
        errors_.push_back({row.group, error, inside, row.quantity,
                           row.workload.framework.value_or("no framework"), row.quality,
                           measurement.metric});
        if (row.quantity == "train_time") {
            runs_.push_back({measurement, prediction->predicted});
        }
    }

    const World& world_;
    const Profiles& profiles_;
    std::vector<report::ValidatedRow> rows_;
    std::vector<report::SkippedRow> skipped_;
    std::vector<RelativeError> errors_;
    std::vector<RankedRun> runs_;
};

/// A row that something rests on takes its near-duplicates out of the score.
void mark_groups(std::vector<EvidenceRow>& rows) {
    std::map<std::string, std::string> fitted;
    for (const EvidenceRow& row : rows) {
        if (!row.fitted_on.empty()) {
            fitted.emplace(row.group, row.fitted_on);
        }
    }
    for (EvidenceRow& row : rows) {
        const auto found = fitted.find(row.group);
        if (row.fitted_on.empty() && found != fitted.end()) {
            row.fitted_on = found->second;
        }
    }
}

Result<std::vector<EvidenceRow>> rows_of(const Request& request) {
    std::vector<EvidenceRow> wanted;
    for (const std::string& file : request.texts("evidence")) {
        const auto path = request.file("validate", file);
        if (!path) {
            return tl::unexpected(path.error());
        }
        auto rows = load_evidence(*path);
        if (!rows) {
            return rows;
        }
        mark_groups(*rows);
        for (EvidenceRow& row : *rows) {
            if (row.id.find(request.text("only")) != std::string::npos) {
                wanted.push_back(std::move(row));
            }
        }
    }
    return wanted;
}

report::ValidationAnswer compared(const std::vector<EvidenceRow>& rows, const World& world,
                                  const Profiles& profiles) {
    Comparison comparison(world, profiles);
    for (const EvidenceRow& row : rows) {
        comparison.compare(row);
    }
    return comparison.answer();
}

}  // namespace

Result<Reply> answer_validate(const World& world, const Request& request) {
    const auto gates = gates_of(request.texts("fail-above"));
    if (!gates) {
        return tl::unexpected(gates.error());
    }
    int worst = 0;
    if (request.given("worst")) {
        const auto number = number_of("--worst", request.text("worst"), 1, 1e6);
        if (!number) {
            return tl::unexpected(number.error());
        }
        worst = static_cast<int>(*number);
    }
    const auto rows = rows_of(request);
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    report::ValidationAnswer answer = compared(*rows, world, world.profiles);
    if (world.shipped) {
        Profiles shipped = world.profiles;
        shipped.calibration = *world.shipped;
        answer.uncalibrated = compared(*rows, world, shipped).summary;
    }
    for (const Gate& gate : *gates) {
        if (const std::string found = verdict(gate, answer); !found.empty()) {
            answer.failed_gates.push_back(found);
        }
    }
    const report::Style style = request.style;
    Reply out;
    out.body = request.json() ? report::validation_json(answer, stamp_of(world.catalog))
                              : report::validation_text(answer, worst, style);
    out.exit_code = answer.failed_gates.empty() ? 0 : 3;
    return out;
}

}  // namespace ridgeline::ask
