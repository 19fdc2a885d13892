#include "advise/answers/answer.h"
#include "advise/answers/part_figures.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"
#include "estimate/money/power.h"
#include "spec/stand.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

// What a part is, and which parts have what was asked for.

namespace ridgeline {

std::string features_words(const Reading& reading) {
    std::string wanted;
    for (const std::string& attribute : reading.attributes) {
        if (attribute == "used") {
            continue;  // said of the price
        }
        wanted += (wanted.empty() ? "" : " and ") + attribute;
    }
    for (const std::string& type : reading.require) {
        wanted += is_selection(type) ? (wanted.empty() ? "" : " and ") + type : "";
    }
    if (reading.memory_gib) {
        wanted +=
            fmt::format("{}{:g} GB or more", wanted.empty() ? "" : " and ", *reading.memory_gib);
    }
    return wanted;
}

std::vector<const Accelerator*> parts_with(const Reading& reading, const Catalog& catalog) {
    std::vector<const Accelerator*> parts;
    for (const Accelerator& part : catalog.accelerators) {
        const bool all = std::all_of(
            reading.attributes.begin(), reading.attributes.end(),
            [&](const std::string& each) { return has_feature(part, each).value_or(true); });
        if (part.kind != "cpu" && suits(part, reading) && all) {
            parts.push_back(&part);
        }
    }
    return parts;
}

namespace {

/// Those of the parts that are sold for the sum or less, one of each, the cheapest first.
Answer parts_for_sum(const Reading& reading, const std::vector<const Accelerator*>& parts,
                     const Catalog& catalog) {
    std::vector<std::pair<PurchasePrice, const Accelerator*>> sold;
    for (const Accelerator* part : parts) {
        const auto price = purchase_price(catalog, *part, used_wanted(reading.require));
        if (price && price->current && price->usd_each <= *reading.budget_usd) {
            sold.emplace_back(*price, part);
        }
    }
    stable_order(sold.begin(), sold.end(),
                 [](const auto& a, const auto& b) { return a.first.usd_each < b.first.usd_each; });
    Answer reply;
    std::string words;
    for (const auto& [price, part] : sold) {
        words += fmt::format("{}{} {} ({:g} GB, {})", words.empty() ? "" : "; ", part->id,
                             format_usd(price.usd_each), part->marketed_gb, purchase_words(price));
        reply.values.push_back({"purchase", {}, price.usd_each, {}, "USD", part->id});
    }
    const std::string wanted = features_words(reading);
    reply.headline =
        fmt::format("{} parts{} are sold for {} or less, one of each: {}.", sold.size(),
                    wanted.empty() ? "" : " with " + wanted, format_usd(*reading.budget_usd),
                    sold.empty() ? "no others have a price of today" : words);
    return reply;
}

/// "Yes: NVIDIA T4: 130 TOP/s in int8": where all parts have one verdict, the answer starts by it.
std::string led_by_verdict(std::string headline,
                           const std::vector<std::pair<std::string, std::string>>& said) {
    constexpr std::pair<std::string_view, std::string_view> verdicts[] = {
        {"yes, ", "Yes: "}, {"no, ", "No: "}, {"no: ", "No: "}};
    for (const auto& [word, lead] : verdicts) {
        if (said.size() == 1 && said.front().second.starts_with(word)) {
            return fmt::format("{}{}: {}", lead, said.front().first,
                               said.front().second.substr(word.size()));
        }
    }
    return headline;
}

/// "12 gb gpu": those with just that memory, what is sold today first, the newest before older
/// ones, and how many have more.
Answer parts_of_one_memory(const Reading& reading, std::vector<const Accelerator*> parts,
                           const Catalog& catalog) {
    const std::size_t at_least = parts.size();
    std::erase_if(parts, [&](const Accelerator* part) {
        return std::abs(part->marketed_gb - *reading.memory_gib) >
               memory_tolerance * *reading.memory_gib;
    });
    std::vector<std::pair<std::optional<PurchasePrice>, const Accelerator*>> rows;
    for (const Accelerator* part : parts) {
        auto price = purchase_price(catalog, *part, used_wanted(reading.require));
        rows.emplace_back(price && price->current ? price : std::nullopt, part);
    }
    stable_order(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return std::pair(!a.first, -a.second->year) < std::pair(!b.first, -b.second->year);
    });
    Answer reply;
    std::string words;
    for (const auto& [price, part] : rows) {
        words += (words.empty() ? "" : ", ") + part->id;
        reply.values.push_back({"part", {}, 1, {}, "", part->id});
        if (price) {
            words += fmt::format(" ({}, {})", format_usd(price->usd_each), purchase_words(*price));
            reply.values.push_back({"purchase", {}, price->usd_each, {}, "USD", part->id});
        }
    }
    reply.headline = fmt::format(
        "{} parts have {:g} GB: {}. {} have more. What such a card runs: "
        "\"what can I run on {:g} GB\".",
        parts.size(), *reading.memory_gib, words, at_least - parts.size(), *reading.memory_gib);
    return reply;
}

/// Whether what a supply has beside the rest of the computer feeds the cards at their limits, and
/// to what each is to be held where it does not.
///
/// held  to which each is held already, watts; 0: to none
void lead_with_supply(double supply, double needed, int count, bool alike, double held,
                      Answer& reply) {
    constexpr double least_share =
        0.5;  // of its power, to which makers let a card be held (RTX 4090: a third)
    constexpr double supply_stretched = 0.9;  // cards seldom draw their limits at once
    const double left = supply - watts_around_cards;
    const bool lowered = held > 0 && held * count < needed;
    needed = lowered ? held * count : needed;
    const bool fed = left >= needed;
    reply.verdict = fed ? "yes" : left >= supply_stretched * needed ? "barely" : "no";
    reply.headline =
        fmt::format(
            "{}: the {} draw{} up to {:.0f} W ({}), and of {:.0f} W about {:.0f} are left beside "
            "the "
            "rest of the computer{}. ",
            fed                     ? "Yes"
            : reply.verdict == "no" ? (lowered ? "No" : "No, not at full power")
                                    : "Barely",
            count > 1 ? fmt::format("{} cards", count) : "card", count > 1 ? "" : "s", needed,
            lowered ? fmt::format("held to {:.0f} W each", held) : std::string("TDP"), supply,
            std::max(0.0, left),
            fed || left < least_share * needed || !alike
                ? ""
                : fmt::format(": held to {:.0f} W each (nvidia-smi -pl, or the maker's "
                              "tool) they can be fed",
                              std::floor(left / count / 5) * 5)) +
        reply.headline;
}

}  // namespace

Answer reply_parts_with(const Reading& reading, const AnswerTools& tools) {
    std::vector<const Accelerator*> parts = parts_with(reading, tools.knowledge.catalog);
    if (reading.budget_usd) {
        return parts_for_sum(reading, parts, tools.knowledge.catalog);
    }
    const bool of_memory = reading.memory_gib && !reading.memory_at_least &&
                           reading.attributes.empty() && reading.require.empty() &&
                           reading.quantization.empty() && reading.compute.empty();
    if (of_memory && std::ranges::any_of(parts, [&](const Accelerator* part) {
            return std::abs(part->marketed_gb - *reading.memory_gib) <=
                   memory_tolerance * *reading.memory_gib;
        })) {
        return parts_of_one_memory(reading, std::move(parts), tools.knowledge.catalog);
    }
    const std::string wanted = features_words(reading);
    stable_order(parts.begin(), parts.end(), [](const Accelerator* a, const Accelerator* b) {
        return std::pair(a->architecture, -a->year) < std::pair(b->architecture, -b->year);
    });
    Answer reply;
    std::string words;
    // One screen: of many parts the newest of each architecture stand for it.
    constexpr std::size_t most_named = 32;
    constexpr int most_of_each = 3;
    const bool many = parts.size() > most_named;
    for (std::size_t i = 0; i < parts.size();) {
        const std::string& architecture = parts[i]->architecture;
        words += (words.empty() ? "" : "; ") + architecture + ":";
        int named = 0;
        int left = 0;
        for (; i < parts.size() && parts[i]->architecture == architecture; ++i) {
            reply.values.push_back({"part", {}, 1, {}, "", parts[i]->id});
            if (many && named == most_of_each) {
                ++left;
            } else {
                words += (named++ == 0 ? " " : ", ") + parts[i]->id;
            }
        }
        words += left > 0 ? fmt::format(" and {} more", left) : "";
    }
    reply.headline = parts.empty()
                         ? "No part of the catalog has " + wanted + "."
                         : fmt::format("{} parts have {}: {}.", parts.size(), wanted, words);
    return reply;
}

/// The card that one buys, of whose devices the catalog holds one.
Accelerator whole_card(Accelerator part) {
    const double devices = part.devices_seen;
    part.marketed_gb *= devices;
    part.tdp = part.tdp * devices;
    part.memory_bandwidth = part.memory_bandwidth * devices;
    for (auto& peak : part.peak_dense) {
        peak = peak ? std::optional(*peak * devices) : peak;
    }
    for (auto* rate : {&part.peak_vector_fp32, &part.peak_vector_fp64}) {
        *rate = *rate ? std::optional(**rate * devices) : *rate;
    }
    part.visible_memory =
        part.visible_memory ? std::optional(*part.visible_memory * devices) : part.visible_memory;
    part.units = part.units ? std::optional(*part.units * part.devices_seen) : part.units;
    if (part.devices_seen > 1) {
        part.name += fmt::format(", a card of {} dies that software sees as {} devices",
                                 part.devices_seen, part.devices_seen);
    }
    return part;
}

namespace {

/// What the machines that are named draw, one by one.
struct MachinesDrawn {
    double each_kw = 0;  ///< 0: not known
    int count = 1;
    bool cards = false;  ///< no machine is named: what the accelerators draw
};

/// A machine draws what its maker states, else what servers of such parts draw as a rule.
MachinesDrawn machines_drawn(const Reading& reading, const Machine* machine, const Catalog& catalog,
                             const Answer& reply) {
    constexpr double kilowatt = 1000;
    const int cards = reading.count.value_or(1);
    if (machine != nullptr) {
        const Accelerator* part = catalog.accelerator(machine->accelerator);
        const int held = std::max(1, machine->accelerators);
        const double each = machine->power ? *machine->power / watt
                            : part == nullptr
                                ? 0
                                : node_power_of(make_cluster(catalog, *part, held, held)) / watt;
        return {each / kilowatt, std::max(1, std::max(reading.nodes.value_or(1), cards / held))};
    }
    const auto drawn = std::ranges::find(reply.values, "power", &AnswerValue::quantity);
    const double all = drawn != reply.values.end() ? drawn->mid.value_or(0) : 0;
    const Accelerator* part =
        reading.accelerators.empty() ? nullptr : catalog.accelerator(reading.accelerators.front());
    if (part != nullptr && is_module(*part) && cards >= cards_of_node && !is_embedded(*part)) {
        const Cluster servers = make_cluster(catalog, *part, cards);
        return {node_power_of(servers) / watt / kilowatt, servers.nodes()};
    }
    return {all / kilowatt, 1, true};
}

/// "No: 2 of them draw up to 20.4 kW (10.2 kW each), 17 kW are there: enough for 1": whether a rack
/// feeds all that is named.
void tell_rack(const Reading& reading, const Machine* machine, const Catalog& catalog,
               Answer& reply) {
    const MachinesDrawn drawn = machines_drawn(reading, machine, catalog, reply);
    if (drawn.each_kw <= 0 || !reading.rack_kw) {
        return;
    }
    const double needed = drawn.each_kw * drawn.count;
    const int room = static_cast<int>(*reading.rack_kw / drawn.each_kw);
    const bool fits = room >= drawn.count;
    reply.verdict = fits ? "yes" : "no";
    const std::string_view what = machine != nullptr ? "machines" : "servers";
    const std::string who = drawn.cards          ? "they draw"
                            : drawn.count > 1    ? fmt::format("{} {} draw", drawn.count, what)
                            : machine != nullptr ? "it draws"
                                                 : "their server draws";
    const bool told = room > 0 && (fits ? room > drawn.count : true);
    reply.headline =
        fmt::format(
            "{}: {} up to {:.3g} kW{}, {:g} kW are there{}. ", fits ? "Yes" : "No", who, needed,
            drawn.count > 1 ? fmt::format(" ({:.3g} kW each)", drawn.each_kw) : std::string(),
            *reading.rack_kw,
            told ? fmt::format(": enough for {}{}", room, fits ? " such" : " of them")
                 : std::string()) +
        reply.headline;
}

/// Cards of all kinds that stand together, and watts that they draw at most; 0 W: not known of one.
std::pair<int, double> drawn_by_all(const Reading& reading, const Catalog& catalog) {
    std::pair<int, double> all{0, 0};
    for (const ReadSide& side : reading.joined) {
        const Accelerator* part =
            side.ids.empty() ? nullptr : catalog.accelerator(side.ids.front());
        if (part == nullptr || part->tdp <= Watts{}) {
            return {0, 0};
        }
        all.first += side.count.value_or(1);
        all.second += side.count.value_or(1) * (part->tdp / watt);
    }
    return all;
}

}  // namespace

Answer reply_part(const Reading& reading, const AnswerTools& tools) {
    Answer reply;
    const Machine* machine =
        reading.machine.empty() ? nullptr : tools.knowledge.catalog.machine(reading.machine);
    if (machine != nullptr) {
        reply.headline =
            fmt::format("{}: {} x {}", machine->name, machine->accelerators, machine->accelerator);
    }
    std::vector<std::pair<std::string, std::string>>
        said;  // what is the same of several is said once
    for (const std::string& id : reading.accelerators) {
        const Accelerator* known = tools.knowledge.catalog.accelerator(id);
        if (known == nullptr) {
            continue;
        }
        const Accelerator card = whole_card(with_memory_read(*known, reading));
        const Accelerator* part = &card;
        std::string words;
        for (const PartFigure& figure : figures_of(reading, *part, tools.knowledge.catalog)) {
            words += (words.empty() ? "" : ", ") + figure.words;
            if (figure.value) {
                reply.values.push_back(*figure.value);
            }
        }
        const auto same = std::find_if(said.begin(), said.end(),
                                       [&](const auto& each) { return each.second == words; });
        if (same == said.end()) {
            said.emplace_back(part->name, words);
        } else {
            same->first += ", " + part->name;
        }
    }
    for (const auto& [parts, words] : said) {
        reply.headline += fmt::format("{}{}: {}", reply.headline.empty() ? "" : "; ", parts, words);
    }
    reply.headline = led_by_verdict(reply.headline, said) + ".";
    const auto drawn = std::ranges::find(reply.values, "power", &AnswerValue::quantity);
    double needed_w = machine != nullptr && machine->power ? *machine->power / watt
                      : drawn != reply.values.end()        ? drawn->mid.value_or(0)
                                                           : 0;
    int cards = reading.count.value_or(1);
    if (reading.supply_w && !reading.joined.empty()) {
        std::tie(cards, needed_w) = drawn_by_all(reading, tools.knowledge.catalog);
    }
    if (needed_w > 0 && reading.supply_w) {
        lead_with_supply(*reading.supply_w, needed_w, cards, reading.joined.empty(),
                         reading.power_cap_w.value_or(0), reply);
    }
    tell_rack(reading, machine, tools.knowledge.catalog, reply);
    return reply;
}

}  // namespace ridgeline
