#include "report/json.h"
#include "report/json_money.h"
#include "report/ownership_report.h"
#include "spec/words.h"

namespace ridgeline::report {
namespace {

Json purchases_json(const OwnershipAnswer& answer) {
    Json list = Json::array();
    for (const Purchase* purchase : answer.purchases) {
        list.push_back({{"usd_each", purchase->usd_each},
                        {"basis", name_of(purchase->basis)},
                        {"date", purchase->date},
                        {"source", purchase->source},
                        {"note", purchase->note}});
    }
    return list;
}

Json inputs_json(const OwnershipInputs& in) {
    return {{"accelerators", in.accelerators},
            {"price_usd", in.price_usd},
            {"server_cost_ratio", in.server_cost_ratio},
            {"network_share_ratio", in.network_share},
            {"life_years", in.years},
            {"residual_ratio", in.residual_share},
            {"financing_ratio_per_year", in.financing_rate},
            {"server_kw_per_accelerator", in.server_kw},
            {"load_ratio", in.load_factor},
            {"idle_ratio", in.idle_factor},
            {"pue_ratio", in.pue},
            {"usd_per_kwh", in.usd_per_kwh},
            {"colocation_usd_per_kw_month", in.colocation_usd_per_kw_month},
            {"spares_ratio_per_year", in.spares_share_per_year},
            {"staff_usd_per_year", in.staff_usd_per_year},
            {"support_usd_per_year", in.support_usd_per_year}};
}

Json cost_json(const OwnershipAnswer& answer) {
    const OwnershipCost& cost = answer.cost;
    Json out = {{"capex_usd_per_accelerator", cost.capex_usd},
                {"capex_usd", cost.capex_usd * answer.cluster.count},
                {"capital_usd_per_hour", cost.capital},
                {"financing_usd_per_hour", cost.financing},
                {"space_usd_per_hour", cost.space},
                {"spares_usd_per_hour", cost.spares},
                {"staff_and_support_usd_per_hour", cost.staff_and_support},
                {"busy_energy_usd_per_hour", cost.busy_energy},
                {"idle_energy_usd_per_hour", cost.idle_energy}};
    Json table = Json::array();
    for (const double share : shown_utilizations) {
        table.push_back(
            {{"utilization_ratio", share},
             {"usd_per_hour_of_work", cost.per_delivered_hour(share)},
             {"low_usd_per_hour_of_work",
              answer.low ? Json(answer.low->per_delivered_hour(share)) : Json(nullptr)},
             {"high_usd_per_hour_of_work",
              answer.high ? Json(answer.high->per_delivered_hour(share)) : Json(nullptr)},
             {"total_usd", cost.total_usd(share)}});
    }
    out["by_utilization"] = std::move(table);
    return out;
}

}  // namespace

Json json_of(const PowerPlan& power, const Site& site) {
    Json out = {{"nodes", power.nodes},
                {"node_kw", power.node_kw},
                {"it_kw", power.it_kw},
                {"average_kw", power.average_kw},
                {"facility_kw", power.facility_kw},
                {"pue_ratio", site.pue},
                {"load_ratio", site.load_factor},
                {"btu_per_hour", power.btu_per_hour},
                {"rack_kw", site.rack_kw},
                {"nodes_per_rack", power.nodes_per_rack},
                {"racks", power.racks},
                {"circuit_volts", site.circuit_volts},
                {"circuit_amperes", site.circuit_amperes},
                {"circuits_per_node", power.circuits_per_node},
                {"kwh_per_year", power.kwh_per_year}};
    out["grid_gco2_per_kwh"] = site.grid_gco2_per_kwh;
    out["co2_tonnes_per_year"] = power.tonnes_co2_per_year;
    put_positive(out, "peak_tflops_per_w", power.peak_tflops_per_watt);
    return out;
}

Json json_of(const PowerCap& cap) {
    Json out = {{"cap_w", cap.watts},
                {"time_ratio_at_worst", cap.time_factor},
                {"energy_ratio_at_worst", cap.energy_factor}};
    if (cap.measured != nullptr) {
        out["measured"] = {{"cap_w", cap.measured->cap_watts},
                           {"default_w", cap.measured->default_watts},
                           {"time_ratio", cap.time_factor_measured},
                           {"work", cap.measured->work},
                           {"date", cap.measured->date.empty() ? Json() : Json(cap.measured->date)},
                           {"source", cap.measured->source}};
    }
    return out;
}

Json json_of(const std::vector<UsedFigure>& figures) {
    Json list = Json::array();
    for (const UsedFigure& figure : figures) {
        list.push_back({{"id", figure.id},
                        {"meaning", figure.meaning},
                        {"value", figure.value},
                        {"unit", figure.unit},
                        {"given", figure.given},
                        {"source", figure.source},
                        {"date", figure.date}});
    }
    return list;
}

Json ownership_body(const OwnershipAnswer& answer) {
    Json out;
    out["hardware"] = json_of(answer.cluster);
    out["purchases"] = purchases_json(answer);
    out["inputs"] = inputs_json(answer.inputs);
    out["cost"] = cost_json(answer);
    out["break_even"] = Json::array();
    for (const RentedInstead& rented : answer.rented) {
        out["break_even"].push_back({{"offer", json_of(*rented.offer)},
                                     {"instances", rented.instances},
                                     {"usd_per_accelerator_hour", rented.usd_per_accelerator_hour},
                                     {"utilization_ratio", rented.break_even}});
    }
    out["power"] = json_of(answer.power, answer.site);
    if (answer.cap) {
        out["power_cap"] = json_of(*answer.cap);
    }
    if (answer.market != nullptr) {
        out["published"] = {{"usd_per_hour_hyperscaler", answer.market->usd_per_hour_hyperscaler},
                            {"usd_per_hour_neocloud", answer.market->usd_per_hour_neocloud},
                            {"usd_per_hour_rental", answer.market->usd_per_hour_rental},
                            {"date", answer.market->date},
                            {"source", answer.market->source}};
    }
    out["figures"] = json_of(answer.figures);
    out["left_out"] = Json::array();
    for (const OwnershipFigure* figure : answer.left_out) {
        out["left_out"].push_back(
            {{"id", figure->id}, {"meaning", figure->meaning}, {"why", figure->source}});
    }
    return out;
}

std::string ownership_json(const OwnershipAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/ownership/1", stamp);
    out.update(ownership_body(answer));
    return text_of(out);
}

}  // namespace ridgeline::report
