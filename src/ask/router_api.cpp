#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "advise/hardware/ownership.h"
#include "ask/router.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// What one's own tokens cost beside an API's, or beside a price that is to be kept. An API is paid
// for what it reads and for what it writes; rent is paid by the hour, whatever is asked.

namespace ridgeline::ask {
namespace {

constexpr double hours_of_a_day = 24;
constexpr double seconds_of_a_day = 86400;

/// What a server makes in a day at full load, read and written, and costs.
struct FullDay {
    double tokens = 0;
    double usd = 0;
    double usd_per_million = 0;  ///< of all of them
    std::string_view to_run;     ///< "of rent"

    /// So many of it carry what is passed in a day.
    [[nodiscard]] double copies(double passed) const {
        return std::max(1.0, std::ceil(passed / tokens));
    }
    [[nodiscard]] double usd_of_month(double copies) const {
        return copies * usd / hours_of_a_day * hours_of_a_month;
    }
};

/// "by 3 of it", "in 15 % of its time": what carries the tokens of a day.
std::string share_words(const FullDay& day, double passed) {
    const double copies = day.copies(passed);
    return copies > 1 ? fmt::format("by {:g} of it", copies)
                      : fmt::format("in {} % of its time", figure_words(100 * passed / day.tokens));
}

/// What a month of one's own costs beside the bill of an API.
///
/// passed  tokens of a day that the bill is of; 0: not said, as many as are made
/// bought  buying was weighed before it
std::string against_bill(double bill, const FullDay& day, double passed, bool bought) {
    constexpr double days_of_month = 30;  // as volumes of a month are read
    const double own = day.usd_of_month(day.copies(passed));
    const std::string lead = bought ? "Rented, " : own < bill ? "Yes, " : "No, ";
    const double tokens = passed * days_of_month;
    if (passed > 0) {
        return fmt::format(
            "{}{} {} a month against {} for {} tokens at the API ({} a million read or written), "
            "which it carries {}: ",
            lead, format_usd(own), day.to_run, format_usd(bill), format_count(tokens),
            format_usd(bill / tokens * 1e6), share_words(day, passed));
    }
    return own >= bill ? fmt::format("{}it is {} {} a month, the API {}: ", lead, format_usd(own),
                                     day.to_run, format_usd(bill))
                       : fmt::format(
                             "{}where {} a month pay the API for up to {} tokens, which it "
                             "makes at full load for {} {}: ",
                             lead, format_usd(bill),
                             format_count(day.tokens / hours_of_a_day * hours_of_a_month),
                             format_usd(own), day.to_run);
}

/// What a day of one's own costs beside an API's price of a million tokens.
std::string against_price(double price, const FullDay& day, double passed,
                          const std::string& of_all) {
    if (passed > 0) {
        const double asked = passed / 1e6 * price;
        const double own = day.copies(passed) * day.usd;
        return fmt::format(
            "{} is the cheaper at {} tokens a day, read and written: {} {} a day, which carries "
            "them {}, against {} of the API at {} a million: ",
            own < asked ? "One's own" : "The API", format_count(passed), format_usd(own),
            day.to_run, share_words(day, passed), format_usd(asked), format_usd(price));
    }
    const double turns = day.usd / price * 1e6;
    return turns <= day.tokens
               ? fmt::format(
                     "One's own is cheaper than the API's {} a million tokens from {} a "
                     "day on, {:.0f} % of what it makes at full load ({}): ",
                     format_usd(price), format_count(turns), 100 * turns / day.tokens, of_all)
               : fmt::format(
                     "The API's {} a million tokens is cheaper at any volume: at full "
                     "load one's own makes {} a day ({}): ",
                     format_usd(price), format_count(day.tokens), of_all);
}

/// What the API asks for a million tokens of which so many are read and written.
double price_of_api(const Reading& reading, const Serving& serving) {
    const double read = reading.usd_per_million_read.value_or(0);
    const double written = reading.usd_per_million.value_or(read);
    return reading.usd_per_million_read
               ? (read * serving.input_tokens + written * serving.output_tokens) /
                     (serving.input_tokens + serving.output_tokens)
               : written;
}

}  // namespace

std::string Router::kept_price(const Workload& workload, const Estimate& estimate) const {
    const CostEstimate& cost = estimate.cost;
    const Serving serving = workload.serving.value_or(Serving{});
    const double written = serving.output_tokens;
    const double all = serving.input_tokens + written;
    const double usd = cost.usd_per_million_tokens;
    const bool api = asks(reading_, "api");
    const bool requests = assumed_of(reading_, "priced_requests") != nullptr;
    if (usd <= 0 || written <= 0 || !(reading_.usd_per_million || api || requests)) {
        return "";
    }
    const FullDay day{estimate.time.tokens_per_second * all / written * seconds_of_a_day,
                      hours_of_a_day * cost.usd_per_hour, usd * written / all,
                      cost.offer ? "of rent" : "of electricity"};
    const std::string of_all = fmt::format("{} a million read and written, {} of those written",
                                           format_usd(day.usd_per_million), format_usd(usd));
    const double passed = reading_.requests_per_s.value_or(0) * all * seconds_of_a_day;
    if (reading_.api_usd_per_month) {
        // Who has a sum for a card rents none: the purchase is what was asked.
        if (asked_.query.buy && reading_.budget_usd) {
            return "";
        }
        return against_bill(*reading_.api_usd_per_month, day, passed,
                            asks(reading_, "own_or_rent"));
    }
    if (const AssumedField* priced = assumed_of(reading_, "priced_requests")) {
        const double requests = number_with_suffix(priced->value).value_or(0);
        return fmt::format("{} for {:.0f} requests of {:g} tokens in and {:g} out: ",
                           format_usd(usd * written * requests / 1e6), requests,
                           serving.input_tokens, written);
    }
    const double price = price_of_api(reading_, serving);
    if (api && price <= 0) {
        return fmt::format(
            "One's own is the cheaper where the API asks more than {} a million tokens read and "
            "written, a price that was not said (\"at $0.50 per million\"): ",
            format_usd(passed > 0 ? day.copies(passed) * day.usd / passed * 1e6
                                  : day.usd_per_million));
    }
    return api ? against_price(price, day, passed, of_all)
               : fmt::format("{} the {} a million tokens asked ({}): ",
                             usd <= price ? "Below" : "Above", format_usd(price), of_all);
}

std::string Router::bought_beside_api(const Cluster& cluster, const Workload& workload,
                                      const Estimate& estimate) {
    const Serving serving = workload.serving.value_or(Serving{});
    const double all = serving.input_tokens + serving.output_tokens;
    const double passed = reading_.requests_per_s.value_or(0) * all * seconds_of_a_day;
    const double made = estimate.time.tokens_per_second * all /
                        std::max(1.0, static_cast<double>(serving.output_tokens)) *
                        seconds_of_a_day;
    const double month = reading_.api_usd_per_month.value_or(
        passed / 1e6 * price_of_api(reading_, serving) / hours_of_a_day * hours_of_a_month);
    if (!asks(reading_, "api") || !asks(reading_, "own_or_rent") || month <= 0 || made <= 0) {
        return "";
    }
    const auto owned = ridgeline::own(cluster, world_.catalog, figures_said(), asked_.query, date_);
    if (!owned) {
        return fmt::format("What {} x {} cost{} to buy is not known. ", cluster.count,
                           short_name(*cluster.accelerator), cluster.count > 1 ? "" : "s");
    }
    const double copies = std::max(1.0, std::ceil(passed / made));
    const double cards = copies * cluster.count;
    // Who pays a subscription uses it some hours a day: a server that is paid for runs at all.
    constexpr double most_of_one_person = 100;  // dollars a month
    constexpr double hours_of_one_person = 2;
    const double used = reading_.hours_per_day.value_or(
        reading_.home && month <= most_of_one_person ? hours_of_one_person : hours_of_a_day);
    const double share = used / hours_of_a_day;
    const std::string use =
        share < 1 ? fmt::format(" at {:g} hours of use a day", used) : std::string();
    const auto months = owned->cost.payback_months(month / hours_of_a_month / cards / share, share);
    const std::string price =
        fmt::format("{} x {} {} {} to buy{}", cards, short_name(*cluster.accelerator),
                    cards > 1 ? "are" : "is", format_usd(owned->cost.capex_usd * cards),
                    owned->inputs.server_cost_ratio > 1 ? " with the servers" : "");
    if (!months) {
        return fmt::format("No: {}, and running costs more than the {} a month of the API{}. ",
                           price, format_usd(month), use);
    }
    return fmt::format(
        "{}: {}, which the {} a month of the API pay back in {}{}, electricity taken off. ",
        *months <= 12 * owned->cost.years ? "Yes" : "No", price, format_usd(month),
        months_words(*months), use);
}

}  // namespace ridgeline::ask
