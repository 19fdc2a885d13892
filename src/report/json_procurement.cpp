#include "report/json.h"
#include "report/json_money.h"
#include "report/procurement_report.h"
#include "report/procurement_sections.h"

namespace ridgeline::report {
namespace {

Json numbers_json(const std::vector<std::pair<std::string, double>>& numbers) {
    Json out = Json::object();
    for (const auto& [key, value] : numbers) {
        out[key] = value;
    }
    return out;
}

Json ways_json(const Procurement& report) {
    Json list = Json::array();
    for (const WayToPay& way : report.ways) {
        Json each = {{"way", way.name}, {"usd_per_hour", way.usd_per_hour}};
        if (way.offer != nullptr) {
            each["offer"] = json_of(*way.offer);
            each["break_even_utilization_ratio"] = way.break_even;
        } else {
            each["utilization_ratio"] = way.utilization;
        }
        if (way.usd_run) {
            each["usd_run"] = *way.usd_run;
            each["low_usd_run"] = way.usd_run_low;
            each["high_usd_run"] = way.usd_run_high;
        }
        list.push_back(std::move(each));
    }
    return list;
}

Json scaling_json(const Procurement& report) {
    Json list = Json::array();
    for (const CountPoint& point : report.scaling) {
        list.push_back({{"count", point.count},
                        {"work_per_s", point.work_per_s},
                        {"total_s", point.total_s},
                        {"usd", point.usd}});
    }
    return list;
}

Json rejections_json(const Procurement& report) {
    Json list = Json::array();
    for (const Rejection& each : nearest_rejections(report.advice)) {
        list.push_back({{"accelerator", each.accelerator},
                        {"count", each.count},
                        {"reason", each.reason},
                        {"message", each.message},
                        {"would_fit_if", each.would_fit_if}});
    }
    return list;
}

void add_judgements(const Procurement& report, Json& out) {
    out["risks"] = Json::array();
    for (const Risk& risk : report.risks) {
        out["risks"].push_back({{"kind", risk.kind},
                                {"risk", risk.risk},
                                {"likelihood", risk.likelihood},
                                {"effect", risk.effect},
                                {"mitigation", risk.mitigation}});
    }
    out["sensitivity"] = Json::array();
    for (const Sensitivity& each : report.sensitivities) {
        out["sensitivity"].push_back({{"assumption", each.assumption},
                                      {"change", each.change},
                                      {"effect", each.effect},
                                      {"numbers", numbers_json(each.numbers)}});
    }
    out["findings"] = findings_json(report.advice.findings);
    out["assumptions"] = report.advice.assumptions;
    out["figures"] = json_of(report.owned ? report.owned->figures : report.site_figures);
    out["provenance"] = provenance_json(report.provenance);
}

}  // namespace

std::string procurement_json(const Procurement& report, const Stamp& stamp) {
    Json out = document("ridgeline/report/1", stamp);
    out["title"] = report.title;
    out["author"] = report.author;
    out["date"] = report.date;
    out["command"] = report.command;
    out["query"] = query_json(report.advice);
    out["recommendation"] = nullptr;
    out["alternatives"] = Json::array();
    for (const Option& option : report.advice.options) {
        Json each = option_json(option, report.advice.architecture);
        if (&option == &report.advice.options.front()) {
            out["recommendation"] = std::move(each);
        } else {
            out["alternatives"].push_back(std::move(each));
        }
    }
    out["rejected"] = rejections_json(report);
    if (!report.advice.options.empty()) {
        out["ways_to_pay"] = ways_json(report);
        out["ownership"] = report.owned ? ownership_body(*report.owned) : Json(nullptr);
        out["extras"] = {{"storage_usd", report.extras.storage_usd},
                         {"egress_usd", report.extras.egress_usd},
                         {"lead_time_weeks", report.extras.lead_time_weeks}};
        out["power"] = json_of(report.power, report.site);
        out["power"]["run_kwh"] = report.run_kwh;
        out["power"]["run_co2_kg"] = report.run_co2_kg;
        out["power"]["run_energy_usd"] = report.run_energy_usd;
        out["power"]["work_per_kwh"] = report.work_per_kwh;
        out["scaling"] = scaling_json(report);
    }
    add_judgements(report, out);
    return text_of(out);
}

}  // namespace ridgeline::report
