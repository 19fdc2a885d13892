#include "report/budget_report.h"
#include "report/json.h"
#include "report/json_money.h"

namespace ridgeline::report {
namespace {

Json runs_json(const std::vector<Capability>& can) {
    Json list = Json::array();
    for (const Capability& each : can) {
        Json entry = {{"work", each.work}};
        entry["largest_model"] = each.model.empty() ? Json(nullptr) : Json(each.model);
        entry["tokens_per_s"] = each.tokens_per_s;
        list.push_back(std::move(entry));
    }
    return list;
}

Json rentable_json(const Rentable& rented) {
    return {{"offer", json_of(*rented.offer)},
            {"instances", rented.instances},
            {"hours", rented.hours},
            {"peak_pflop_hours", rented.pflop_hours}};
}

}  // namespace

std::string budget_json(const BudgetAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/budget/1", stamp);
    out["usd"] = answer.usd;
    put_positive(out, "count", answer.count);
    out["hours_per_day"] = answer.hours_per_day;
    out["recommendation"] = answer.recommendation;
    out["why"] = answer.why;
    out["buy"] = Json::array();
    for (const Purchasable& bought : answer.buy) {
        Json each = {{"accelerator", bought.cluster.accelerator->id},
                     {"count", bought.cluster.count},
                     {"usd", bought.usd},
                     {"price_date", bought.date},
                     {"card_only", bought.bare},
                     {"peak_tflops", bought.tflops},
                     {"power_kw", bought.kw},
                     {"runs", runs_json(bought.can)}};
        each["break_even_utilization_ratio"] = bought.break_even;
        out["buy"].push_back(std::move(each));
    }
    out["rent"] = list_of(answer.rent, rentable_json);
    if (answer.beside) {
        out["rent_beside"] = rentable_json(*answer.beside);
    }
    out["eight_rented_run"] = runs_json(answer.rented_can);
    return text_of(out);
}

}  // namespace ridgeline::report
