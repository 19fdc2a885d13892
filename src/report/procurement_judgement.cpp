#include "report/procurement_sections.h"
#include "spec/words.h"

#include <fmt/format.h>

// Sections on risks, sensitivity, assumptions, evidence and approval.

namespace ridgeline::report {
namespace {

PageSection risks(const Procurement& report) {
    PageSection section{"Risks and findings", {}};
    Grid grid{.caption = "Risks",
              .columns = {"kind", "risk", "likelihood", "effect", "mitigation"}};
    for (const Risk& risk : report.risks) {
        grid.rows.push_back({risk.kind, risk.risk, risk.likelihood, risk.effect, risk.mitigation});
    }
    section.blocks.emplace_back(std::move(grid));
    static constexpr const char* severities[] = {"note", "warning", "error"};
    Grid findings{.caption = "Findings of the rules", .columns = {"severity", "rule", "finding"}};
    const auto add = [&](const std::vector<Finding>& list) {
        for (const Finding& finding : list) {
            findings.rows.push_back(
                {severities[static_cast<int>(finding.severity)], finding.rule, finding.message});
        }
    };
    add(report.advice.findings);
    add(report.advice.options.front().findings);
    if (!findings.rows.empty()) {
        section.blocks.emplace_back(std::move(findings));
    }
    return section;
}

PageSection sensitivity(const Procurement& report) {
    PageSection section{"Sensitivity: what changes the answer", {}};
    Grid grid{.caption = "One assumption changed at a time",
              .columns = {"assumption", "change", "effect"}};
    for (const Sensitivity& each : report.sensitivities) {
        grid.rows.push_back({each.assumption, each.change, each.effect});
    }
    section.blocks.emplace_back(std::move(grid));
    return section;
}

std::string number(double value) { return fmt::format("{:.6g}", value); }

PageSection assumptions(const Procurement& report) {
    PageSection section{"Assumptions", {}};
    if (!report.advice.assumptions.empty()) {
        section.blocks.emplace_back(Bullets{report.advice.assumptions});
    }
    Grid defaults{.caption = "Filled in, as nobody stated it",
                  .columns = {"field", "value", "from"}};
    if (!report.advice.options.empty()) {
        for (const FilledDefault& each : report.advice.options.front().defaults) {
            defaults.rows.push_back({each.field, each.value, each.from});
        }
    }
    if (!defaults.rows.empty()) {
        section.blocks.emplace_back(std::move(defaults));
    }
    Grid money{.caption = "Money and site",
               .columns = {"figure", ">value", "unit", "source", "date"}};
    const auto& figures = report.owned ? report.owned->figures : report.site_figures;
    for (const UsedFigure& figure : figures) {
        money.rows.push_back(
            {figure.meaning, number(figure.value), figure.unit, figure.source, figure.date});
    }
    if (!money.rows.empty()) {
        section.blocks.emplace_back(std::move(money));
    }
    if (report.owned && !report.owned->left_out.empty()) {
        Bullets asked;
        for (const OwnershipFigure* figure : report.owned->left_out) {
            asked.items.push_back(fmt::format("{}: {}", figure->meaning, figure->source));
        }
        section.blocks.emplace_back(Paragraph{"Not in the sums, because nobody states it:"});
        section.blocks.emplace_back(std::move(asked));
    }
    return section;
}

PageSection evidence(const Procurement& report) {
    PageSection section{"Evidence: where the figures come from", {}};
    Grid grid{.caption = "Provenance of every figure",
              .columns = {"figure", "value", "tier", "source", "date"}};
    for (const Provenance& each : report.provenance) {
        grid.rows.push_back(
            {each.figure, each.value, std::string(name_of(each.tier)), each.source, each.date});
    }
    if (!grid.rows.empty()) {
        section.blocks.emplace_back(std::move(grid));
    }
    section.blocks.emplace_back(Paragraph{
        "Tiers: measured on this very device, published for this accelerator, transferred from its "
        "relatives, assumed. Ranges hold nine measured values in ten of the kind; "
        "`ridgeline validate` compares the model with published measurements."});
    return section;
}

}  // namespace

void add_judgement_sections(const Procurement& report, Page& page) {
    page.sections.push_back(risks(report));
    page.sections.push_back(sensitivity(report));
}

void add_closing_sections(const Procurement& report, const Stamp& stamp, Page& page) {
    page.sections.push_back(assumptions(report));
    if (!report.advice.options.empty()) {
        page.sections.push_back(evidence(report));
    }
    PageSection again{"How to reproduce this report", {}};
    again.blocks.emplace_back(CodeBlock{report.command});
    again.blocks.emplace_back(
        Paragraph{fmt::format("ridgeline {}, catalog {}, prices of {}. The same input gives the "
                              "same bytes; SOURCE_DATE_EPOCH fixes the day.",
                              stamp.version, stamp.catalog_version, stamp.prices_date)});
    page.sections.push_back(std::move(again));
    page.sections.push_back({"Approval",
                             {Grid{.caption = "Left for people",
                                   .columns = {"reviewer", "decision", "date"},
                                   .rows = {{" ", " ", " "}, {" ", " ", " "}}}}});
}

}  // namespace ridgeline::report
