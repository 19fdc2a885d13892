#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/text.h"
#include "report/budget_report.h"
#include "report/ownership_report.h"
#include "report/table.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

std::string hardware(const Purchasable& bought) {
    return fmt::format("{}{}", cards_words(bought.cluster), bought.bare ? " (card)" : "");
}

std::string can_words(const std::vector<Capability>& can) {
    std::string text;
    for (const Capability& each : can) {
        append(text, ", ",
               fmt::format("{} {}", each.work,
                           each.model.empty() ? "of nothing tried" : "up to " + each.model));
    }
    return text;
}

std::string hours_words(double hours) {
    constexpr double year = 365.0 * 24;
    // Nobody rents for longer, and no price holds for so long.
    return hours > 5 * year ? "over 5 years"
           : hours >= 48    ? fmt::format("{:.0f} days", hours / 24)
                            : fmt::format("{:.0f} h", hours);
}

/// "8 x H100 SXM5 80GB"
std::string rented_name(const Rentable& rented) {
    return fmt::format("{} x {}", rented.instances * rented.offer->count, short_name(*rented.part));
}

std::string purchases(const BudgetAnswer& answer, const Style& style) {
    Table table({"buy", ">price", ">GiB", ">TFLOP/s", ">price of", ">pays above"});
    for (const Purchasable& bought : answer.buy) {
        table.add(
            {hardware(bought), format_usd(bought.usd),
             grouped(bought.cluster.count * (bought.cluster.accelerator->capacity() / gibibyte)),
             grouped(bought.tflops), bought.date,
             bought.usd_per_accelerator_hour ? break_even_words(bought.break_even) : "no rent"});
    }
    return !answer.buy.empty()               ? table.text(style)
           : answer.recommendation == "rent" ? std::string()
                                             : "Nothing with a known price is within the sum.\n";
}

std::string rentals(const BudgetAnswer& answer, const Style& style) {
    Table table({"or rent", "from", ">$/h", ">for", ">price of"});
    for (const Rentable& rented : answer.rent) {
        table.add({rented_name(rented), rented.offer->provider,
                   hourly_usd(rented.offer->usd_per_hour * rented.instances),
                   hours_words(rented.hours), rented.offer->date});
    }
    return answer.rent.empty() ? "" : table.text(style);
}

/// What costs at most so much an hour, each for as long as one pays.
std::string hourly_rentals(const BudgetAnswer& answer, const Style& style) {
    Table table({"rent", "from", "kind", ">$/h", ">GiB", ">TFLOP/s", ">price of"});
    for (const Rentable& rented : answer.rent) {
        const int count = rented.instances * rented.offer->count;
        table.add({rented_name(rented), rented.offer->provider,
                   std::string(name_of(rented.offer->kind)),
                   hourly_usd(rented.offer->usd_per_hour * rented.instances),
                   grouped(count * (rented.part->capacity() / gibibyte)), grouped(rented.tflops),
                   rented.offer->date});
    }
    std::string out = table.text(style) + "\n";
    out += paragraph("Assumed  ",
                     fmt::format("at most {} an hour, no workload named; cards that no link joins "
                                 "are rented one by one",
                                 format_usd(answer.usd_per_hour)),
                     style);
    if (answer.oldest_rent_days) {
        out += fmt::format("Rents are up to {} days old.\n", *answer.oldest_rent_days);
    }
    return out;
}

/// What the prices hold beside the accelerators.
std::string_view price_words(const BudgetAnswer& answer) {
    const Cluster* first = answer.buy.empty() ? nullptr : &answer.buy.front().cluster;
    return first == nullptr || is_one_computer(*first->accelerator) ? ""
           : stands_at_a_desk(*first->accelerator) &&
                   (first->count <= cards_of_a_computer ||
                    (answer.count > 0 && is_home(*first->accelerator) &&
                     first->count <= cards_of_a_desk))
               ? "; prices of cards alone, for a computer that is there"
               : "; prices with server and network";
}

std::string headline(const BudgetAnswer& answer) {
    if (answer.recommendation == "rent") {
        return answer.rent.empty()
                   ? "Rent: no offer is listed"
                   : fmt::format("Rent {} from {} for {}", rented_name(answer.rent.front()),
                                 answer.rent.front().offer->provider,
                                 hours_words(answer.rent.front().hours));
    }
    const Purchasable& first = answer.buy.front();
    std::string text = fmt::format("Buy {} for {}", hardware(first), format_usd(first.usd));
    if (answer.beside) {
        text += fmt::format("; the rest rents {} from {} for {}", rented_name(*answer.beside),
                            answer.beside->offer->provider, hours_words(answer.beside->hours));
    }
    return text;
}

}  // namespace

std::string budget_text(const BudgetAnswer& answer, const Style& style) {
    if (answer.usd_per_hour > 0) {
        return answer.rent.empty() ? std::string() : hourly_rentals(answer, style);
    }
    std::string out = paragraph("", headline(answer), style);
    out.pop_back();
    out = strong(out, style) + "\n";
    for (const std::string& reason : answer.why) {
        out += paragraph("  ", reason, style);
    }
    const std::string sum =
        answer.count > 0
            ? fmt::format("{} accelerators; rent for as much as the first costs", answer.count)
            : format_usd(answer.usd);
    // What is rented is neither owned nor used by the day.
    const std::string habit = answer.by_month ? std::string("; all hours of a month")
                              : answer.buy.empty()
                                  ? std::string()
                                  : fmt::format("; in use {:g} hours a day for five years{}",
                                                answer.hours_per_day, price_words(answer));
    out += paragraph("Assumed  ", fmt::format("{}, no workload named{}", sum, habit), style);
    out += "\n" + (answer.by_month ? std::string() : purchases(answer, style) + "\n") +
           rentals(answer, style) + "\n";
    if (answer.oldest_rent_days) {
        out += fmt::format(
            "Rents are up to {} days old{}.\n", *answer.oldest_rent_days,
            *answer.oldest_rent_days > prices_stale_after_days ? ": stale, ask again" : "");
    }
    if (!answer.buy.empty()) {
        out += paragraph("It runs  ", can_words(answer.buy.front().can), style);
    }
    if (!answer.rented_can.empty()) {
        out += paragraph("8 rented ", can_words(answer.rented_can), style);
    }
    if (!answer.buy.empty() && answer.buy.front().bare) {
        out += "Note     a card alone is for a computer that is there already\n";
    }
    if (!answer.buy.empty() && answer.buy.front().kw > 10) {
        out += paragraph(
            "Power    ",
            fmt::format("{} kW at most: a data centre, not a room; `ridgeline own "
                        "{}:{}` shows racks, feeds and heat",
                        grouped(answer.buy.front().kw), answer.buy.front().cluster.accelerator->id,
                        answer.buy.front().cluster.count),
            style);
    }
    return out;
}

}  // namespace ridgeline::report
