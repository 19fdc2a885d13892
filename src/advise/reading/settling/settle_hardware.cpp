#include "advise/hardware/configurations.h"
#include "advise/hardware/desk.h"
#include "advise/reading/hardware/laptop_cards.h"
#include "advise/reading/hardware/part_words.h"
#include "advise/reading/hardware/settings.h"
#include "advise/reading/money/purchases.h"
#include "advise/reading/numbers/count_words.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/names.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

// The last step for hardware: parts, counts and sides of the reading.

namespace ridgeline::reading {
namespace {

/// "which jetson": modules and whole chips, which are weighed where they are named alone, are all
/// of the lines asked for.
void add_modules_of_line(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!reading.accelerators.empty()) {
        return;
    }
    const bool built_in = sentence.mentions.empty() && reading.vendors.empty() &&
                          reading.require.empty() && reading.intent == Intent::hardware &&
                          reading.task == Task::inference && is_built_in(sentence);
    if (built_in) {
        reading.require.emplace_back("jetson");
    }
    for (const Accelerator& part : sentence.vocabulary.catalog.accelerators) {
        if (part.kind == "soc" && part.vendor != "Apple" &&
            std::ranges::any_of(reading.require, [&](const std::string& line) {
                return is_product_line(line) && is_of_line(part, line) &&
                       lower(part.name).find(line) != std::string::npos;
            })) {
            add_once(reading.accelerators, part.id);
        }
    }
    if (reading.accelerators.empty()) {
        return;
    }
    std::erase_if(reading.require, is_product_line);
    sentence.assume("accelerators", fmt::format("{}", fmt::join(reading.accelerators, ", ")),
                    built_in ? "modules to be built in: what carries them has no slot for a card"
                             : "all modules of that line");
}

void add_parts(Sentence& sentence) {
    Reading& reading = sentence.reading;
    for (const Mention& mention : sentence.mentions) {
        for (const Accelerator* part : mention.parts) {
            add_once(reading.accelerators, part->id);
        }
        if (mention.parts.empty()) {
            add_once(reading.accelerators, mention.name);
            add_once(reading.unknown_parts, mention.name);
            add_once(reading.unknown_names, mention.name);
            // "gtx 1060 6gb": what it holds follows from its memory alone.
            const double gb = memory_piece(split(mention.name, '-').back());
            if (gb > 0 && sentence.mentions.size() == 1 && !reading.memory_gib) {
                reading.memory_gib = gb;
            }
        }
        if (mention.parts.size() > 1 || !mention.why.empty()) {
            std::string list;
            for (const Accelerator* part : mention.parts) {
                list += (list.empty() ? "" : ", ") + part->id;
            }
            const bool told = std::ranges::any_of(reading.assumed, [&](const AssumedField& each) {
                return each.field == "accelerators" && each.value == list;
            });
            if (!told) {  // "from 4 to 8 h100"
                sentence.assume("accelerators", list,
                                mention.why.empty() ? "all forms of \"" + mention.name + "\""
                                                    : std::string(mention.why));
            }
        }
        if (reading.machine.empty()) {
            reading.machine = mention.machine;
        }
        if (!mention.instance.empty()) {
            add_once(reading.instances, mention.instance);
        }
    }
}

/// "8x h100 at $16/h vs 8x a100 at $9/h": what was told of the hardware before it, all cards
/// together.
std::optional<double> rent_told_of(const Sentence& sentence, const Mention& mention) {
    for (const RentTold& rent : sentence.rents_told) {
        const bool behind = rent.at >= mention.end &&
                            std::ranges::none_of(sentence.mentions, [&](const Mention& other) {
                                return other.at >= mention.end && other.at < rent.at;
                            });
        if (behind && sentence.reading.intent == Intent::compare &&
            sentence.rents_told.size() == sentence.mentions.size()) {
            return rent.usd * (rent.of_one ? mention.count.value_or(1) : 1);
        }
    }
    return std::nullopt;
}

/// "4 h100 reserved or 8 a100 on demand": the kind of rent that stands behind a side, else right
/// before it.
std::string price_kind_of(const Sentence& sentence, const Mention& mention) {
    const auto& mentions = sentence.mentions;
    const auto next = std::ranges::find_if(
        mentions, [&](const Mention& other) { return other.at >= mention.end; });
    const std::size_t end = next == mentions.end() ? sentence.tokens.size() : next->at;
    std::string before;
    for (const Mark& mark : sentence.marks) {
        const bool rent = mark.means == Means::price_kind && mark.value != "purchase";
        if (rent && mark.at >= mention.end && mark.at < end) {
            return std::string(mark.value);
        }
        const std::size_t past = mark.at + mark.length;
        if (rent && (past == mention.at || (mention.count && past + 1 == mention.at))) {
            before = mark.value;
        }
    }
    return before;
}

/// Kinds of rent that differ between the sides are theirs, not the question's.
void part_price_kinds(Sentence& sentence) {
    Reading& reading = sentence.reading;
    std::vector<std::string> kinds;
    for (const Mention& mention : sentence.mentions) {
        kinds.push_back(price_kind_of(sentence, mention));
    }
    const bool differ = std::ranges::any_of(
        kinds, [&](const std::string& kind) { return !kind.empty() && kind != kinds.front(); });
    if (reading.alternatives_of != "price_kind" || !differ) {
        return;
    }
    for (ReadSide& side : reading.sides) {
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const Mention& mention = sentence.mentions[i];
            side.price_kind = mention.name == side.accelerator && mention.count == side.count
                                  ? kinds[i]
                                  : side.price_kind;
        }
    }
    reading.price_kind.clear();
    reading.alternatives_of.clear();
    reading.alternatives.clear();
    std::erase(reading.attributes, "price_kinds");
}

ReadSide side_of(const Mention& mention) {
    ReadSide side;
    side.accelerator = mention.name;
    side.form = mention.form;
    for (const Accelerator* part : mention.parts) {
        side.ids.push_back(part->id);
    }
    side.count = mention.count;
    side.provider = mention.provider;
    side.instance = mention.instance;
    side.memory_gb = mention.memory_gb;
    side.quantization = mention.quantization;
    side.framework = mention.framework;
    side.method = mention.method;
    return side;
}

/// What each side has of its own is none of the question's; of training types of weights are types
/// of products.
void settle_own_settings(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool files = std::ranges::any_of(reading.sides, [](const ReadSide& side) {
        return side.framework == "llama.cpp" ||
               (side.quantization.starts_with("q") && side.quantization != "qlora");
    });
    const bool home = std::ranges::all_of(sentence.mentions, [](const Mention& mention) {
        return std::ranges::all_of(mention.parts,
                                   [](const Accelerator* part) { return is_home(*part); });
    });
    std::string own;
    for (ReadSide& side : reading.sides) {
        std::string& type = side.quantization;
        if (type == "4bit") {
            type = files || home ? "q4_k_m" : "awq-int4";
        } else if (type == "int8" && files) {
            type = "q8_0";
        } else if (type == "gguf") {
            type = "q4_k_m";
        }
        if (reading.task == Task::train && is_any(type, "none fp8")) {
            side.compute = type == "none" ? "bf16" : type;
            type.clear();
        }
        for (const std::string* said :
             {&side.quantization, &side.compute, &side.framework, &side.method}) {
            own += (own.empty() || said->empty() ? "" : ", ") + *said;
        }
    }
    const auto clear = [&](std::string ReadSide::*of_side, std::string Reading::*of_all) {
        if (!(reading.sides.front().*of_side).empty()) {
            (reading.*of_all).clear();
        }
    };
    clear(&ReadSide::quantization, &Reading::quantization);
    clear(&ReadSide::compute, &Reading::compute);
    clear(&ReadSide::quantization, &Reading::compute);  // "bf16" of one of them
    clear(&ReadSide::compute, &Reading::quantization);
    clear(&ReadSide::framework, &Reading::framework);
    if (!own.empty()) {
        forget_assumed(reading, "quantization");
        assume_first(reading, "sides", own, "each side as it was said: --flags have one for all");
    }
}

void add_sides(Sentence& sentence) {
    for (const Mention& mention : sentence.mentions) {
        ReadSide side = side_of(mention);
        side.usd_per_hour = rent_told_of(sentence, mention);
        if (side.usd_per_hour) {
            sentence.reading.usd_per_hour.reset();  // a price, no limit
        }
        auto& sides = sentence.reading.sides;
        if (std::ranges::find(sides, side) == sides.end()) {
            sides.push_back(std::move(side));
        }
    }
    part_price_kinds(sentence);
    settle_own_settings(sentence);
}

/// Whether what is compared is no hardware: values of a setting, engines, models of one machine.
bool in_place_of_sides(const Reading& reading) {
    return !reading.alternatives.empty() && reading.alternatives_of != "models" &&
           reading.alternatives_of != "price_kind";
}

/// "at least 4 gpus", "2 to 4 4090s": which number is best, is searched within the limits; where a
/// number is judged it is the one that stands there.
void keep_within(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (sentence.least_count && !reading.count && reading.max_count &&
        *sentence.least_count <= *reading.max_count) {
        reading.min_count = sentence.least_count;  // "at least 4 but at most 8"
    }
    if (!sentence.least_count || !reading.count) {
        return;
    }
    if (reading.intent != Intent::hardware) {
        if (sentence.between_counts) {
            sentence.assume("count", std::to_string(*reading.count),
                            fmt::format("of {} to {} the most are judged", *sentence.least_count,
                                        *reading.count));
        }
        return;
    }
    reading.min_count = sentence.least_count;
    if (sentence.between_counts) {
        reading.max_count = reading.count;
    }
    reading.count.reset();
}

void add_counts(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (reading.intent == Intent::compare && !in_place_of_sides(reading)) {
        // Each side keeps its own, else all have what was said of none: "h100 or h200, 8 of each".
        const bool none = std::ranges::none_of(
            sentence.mentions, [](const Mention& each) { return each.count.has_value(); });
        for (Mention& mention : sentence.mentions) {
            mention.count = none ? sentence.loose_count : mention.count;
        }
        return;
    }
    for (const Mention& mention : sentence.mentions) {
        if (mention.count && !reading.count) {
            reading.count = mention.count;
            reading.nodes = mention.nodes ? mention.nodes : reading.nodes;
        }
    }
    if (!reading.count && sentence.loose_count) {
        reading.count = sentence.loose_count;
        if (reading.nodes && *reading.nodes > 1 && *reading.count <= 16 &&
            sentence.any_word("each of with per x")) {
            reading.count = *reading.count * *reading.nodes;
        }
    }
    if (reading.count && reading.max_count && *reading.count == *reading.max_count) {
        reading.count.reset();
    }
    keep_within(sentence);
    if (sentence.one_machine && reading.intent == Intent::hardware && !reading.count &&
        !reading.nodes) {
        reading.nodes = 1;
    }
}

/// "3090 + 3060", "a 4090 with a 3090": whether words between all parts put them together.
bool are_joined(const Sentence& sentence) {
    const auto& mentions = sentence.mentions;
    for (std::size_t k = 1; k < mentions.size(); ++k) {
        bool joins = false;
        for (std::size_t i = mentions[k - 1].end; i < mentions[k].at; ++i) {
            joins = joins || is_any(sentence.word(i), "and with plus und et y n + &");
        }
        if (!joins || mentions[k].parts.empty()) {
            return false;
        }
    }
    return true;
}

/// "2 t4 and 1 l4": one model is served over cards of different speed by layers, and trained on
/// each kind alone, as no stack that is known shares it well.
void tell_mixture(Sentence& sentence) {
    const auto& mentions = sentence.mentions;
    const Intent intent = sentence.reading.intent;
    const bool judged = intent == Intent::fit || intent == Intent::largest ||
                        intent == Intent::throughput ||
                        (intent == Intent::duration && sentence.reading.seen_side < 0) ||
                        (intent == Intent::describe && sentence.reading.supply_w) ||
                        (intent == Intent::budget && !sentence.reading.budget_usd &&
                         sentence.reading.model.empty());
    const bool mixed = std::ranges::any_of(
        mentions, [&](const Mention& each) { return each.name != mentions.front().name; });
    if (judged && mixed && !sentence.has(Means::versus) && !sentence.has(Means::either)) {
        // A processor beside a card is that of the computer which the card stands in.
        const auto is_host = [](const Mention& each) {
            return !each.parts.empty() && each.parts.front()->kind == "cpu";
        };
        const bool hosted =
            std::ranges::any_of(mentions, is_host) && !std::ranges::all_of(mentions, is_host);
        if (hosted || are_joined(sentence)) {
            for (const Mention& mention : mentions) {
                sentence.reading.joined.push_back(side_of(mention));
            }
            sentence.reading.joined_surely =
                hosted ||
                sentence.any_word(
                    "+ plus with together combined combine combining mix mixed mixing pair "
                    "pairing alongside both");
        }
        if (sentence.reading.supply_w) {
            return;  // what all of them draw is judged
        }
        sentence.assume("hardware", "each kind alone",
                        "kinds of hardware are judged one by one, not joined");
    }
}

/// "own a 5090 or rent an h100": one part is owned, the other one rented; where that is not said of
/// two, one part is weighed, owned against rented.
void settle_owned_and_rented(Sentence& sentence) {
    const auto& mentions = sentence.mentions;
    const bool mixed = std::ranges::any_of(
        mentions, [&](const Mention& each) { return each.name != mentions.front().name; });
    if (sentence.reading.intent != Intent::own || !mixed) {
        return;
    }
    const auto first = is_rented(sentence, 0);
    const auto second = mentions.size() == 2 ? is_rented(sentence, 1) : std::nullopt;
    if (mentions.size() == 2 && (first || second) &&
        first.value_or(!second.value_or(false)) != second.value_or(!first.value_or(false))) {
        add_sides(sentence);
        sentence.reading.sides.front().rented = first.value_or(!second.value_or(false));
        sentence.reading.sides.back().rented = !sentence.reading.sides.front().rented;
        return;
    }
    sentence.assume("hardware", "one part",
                    "one part is weighed, owned against rented; ask of each other part by itself");
    std::string others;
    for (const Mention& each : mentions) {
        const bool said =
            each.name == mentions.front().name || others.find(each.name) != others.npos;
        others += said ? "" : (others.empty() ? "" : ", ") + each.name;
    }
    sentence.reading.unweighed.push_back(others +
                                         " (one kind of hardware is weighed: ask of it by itself)");
}

/// "i have a 3060, will it do or should i save for a 3090?": what is there is judged first, then
/// the other. Who would save for the other or buy it thinks of the first as there.
bool judges_own_first(const Sentence& sentence) {
    const auto& mentions = sentence.mentions;
    const bool two = sentence.reading.intent == Intent::fit && mentions.size() == 2 &&
                     mentions.front().name != mentions.back().name &&
                     !mentions.front().parts.empty() && !mentions.back().parts.empty();
    // "6 l40s and 3 a100: where does a 13b lora go": the number of one is none of the other.
    const bool counted = two && mentions.front().count && mentions.back().count &&
                         mentions.front().count != mentions.back().count;
    if (counted &&
        (sentence.reading.task == Task::train || !sentence.other_models.empty() ||
         sentence.any_word("where")) &&
        !sentence.any_word("together combine combined mix mixed both plus")) {
        return true;
    }
    bool other = false;
    bool bought = false;
    for (std::size_t i = two ? mentions.front().end : sentence.tokens.size();
         i < sentence.tokens.size() && i < mentions.back().at; ++i) {
        other = other || sentence.word(i) == "or";
        bought =
            bought || (other && (is_any(sentence.word(i), "save buy upgrade wait") ||
                                 (sentence.reading.owned &&
                                  is_any(sentence.word(i), "get need spend go grab should time"))));
    }
    return bought;
}

/// "a 4090", "an used h100": one, where it is asked what it does.
void settle_article(Sentence& sentence) {
    if (sentence.mentions.size() != 1) {
        return;
    }
    Mention& part = sentence.mentions.front();
    std::size_t at = part.at;
    while (at > 0 && sentence.follows(at) &&
           is_any(sentence.word(at - 1),
                  "used new nvidia amd intel google local cheap rented spare")) {
        --at;
    }
    const bool several = sentence.follows(part.end) &&
                         (is_node_word(sentence.word(part.end)) ||
                          is_any(sentence.word(part.end), "cluster pod rack rig farm"));
    sentence.reading.single =
        at > 0 && is_any(sentence.word(at - 1), "a an my this single") && !several;
    const Intent intent = sentence.reading.intent;
    const bool judged = intent == Intent::fit || intent == Intent::duration ||
                        intent == Intent::throughput || intent == Intent::largest;
    if (sentence.reading.single && !sentence.reading.several && judged && !part.count &&
        !sentence.loose_count && !sentence.reading.max_count) {
        part.count = 1;
    }
}

/// "we spend $3k a month on A100s, would buying 2 A100 80GB make sense": the family and one of its
/// forms are the same hardware, where owning is weighed or hours are counted ("184320 a100 hours,
/// what do 1024 a100 80gb take").
void keep_said_form(Sentence& sentence) {
    auto& mentions = sentence.mentions;
    const bool hours = std::ranges::any_of(mentions, [&](const Mention& each) {
        return sentence.follows(each.end) && is_any(sentence.word(each.end), "hours hour hrs");
    });
    if ((sentence.reading.intent != Intent::own && !hours) || mentions.size() != 2 ||
        sentence.has(Means::versus)) {
        return;
    }
    for (std::size_t k = 0; k < 2; ++k) {
        const Mention& family = mentions[k];
        const Mention& form = mentions[1 - k];
        const bool covers = !family.count && family.parts.size() > form.parts.size() &&
                            !form.parts.empty() &&
                            std::ranges::all_of(form.parts, [&](const Accelerator* part) {
                                return std::ranges::find(family.parts, part) != family.parts.end();
                            });
        if (covers) {
            mentions.erase(mentions.begin() + static_cast<std::ptrdiff_t>(k));
            return;
        }
    }
}

/// "price of 4x 5090 and 2x h100": each has a number of its own.
bool are_priced_apart(const Sentence& sentence) {
    const auto& mentions = sentence.mentions;
    return sentence.reading.intent == Intent::price &&
           std::ranges::any_of(mentions, [&](const Mention& each) {
               return each.name != mentions.front().name && each.count != mentions.front().count;
           });
}

/// "what does an m3 ultra cost": the price of a computer is that of its memory, which nobody said.
void open_memories(Sentence& sentence) {
    Reading& reading = sentence.reading;
    for (const Mention& mention : sentence.mentions) {
        if (reading.intent != Intent::price || reading.memory_gib || mention.parts.size() != 1) {
            continue;
        }
        bool said = false;
        for (std::size_t i = mention.at; i < mention.end; ++i) {
            said = said || memory_at(sentence, i).first > 0;
        }
        std::string sizes;
        const auto sold = configurations(sentence.vocabulary.catalog, *mention.parts.front());
        for (const Accelerator* each : sold) {
            sizes += fmt::format("{}{:g}", sizes.empty() ? "" : ", ", each->marketed_gb);
        }
        if (!said && sold.size() > 1) {
            sentence.assume("memory_gib", sizes, "no memory was said: each has its price");
        }
    }
}

}  // namespace

void settle_parts(Sentence& sentence) {
    drop_billed_instance(sentence);
    count_what_is_owned(sentence);
    add_modules_of_line(sentence);
    keep_said_form(sentence);
    // Two forms of one name have its count: "nvlink or pcie on 8 a100".
    for (std::size_t k = 1; k < sentence.mentions.size(); ++k) {
        Mention& form = sentence.mentions[k];
        const Mention& first = sentence.mentions[k - 1];
        if (form.at == first.at && !form.count) {
            form.count = first.count;
            form.nodes = first.nodes;
        }
    }
    settle_laptop_card(sentence);
    settle_article(sentence);
    add_parts(sentence);
    open_memories(sentence);
    add_counts(sentence);
    tell_mixture(sentence);
    settle_owned_and_rented(sentence);
    tell_laptop_power(sentence);
    if (sentence.asks("needs_nvlink")) {
        sentence.assume("require", "none",
                        "parts with and without NVLink are ranked by what they do");
    }
    const bool own_first = judges_own_first(sentence);
    const bool priced_apart = are_priced_apart(sentence);
    const bool timed =
        sentence.reading.seen_side >= 0 && sentence.reading.intent == Intent::duration;
    if ((sentence.reading.intent == Intent::compare && !in_place_of_sides(sentence.reading)) ||
        own_first || priced_apart || timed) {
        add_sides(sentence);
    }
    if (priced_apart || timed) {
        sentence.reading.count.reset();
    }
    if (own_first) {
        sentence.reading.accelerators = sentence.reading.sides.front().ids;
        sentence.reading.count = sentence.reading.sides.front().count.value_or(1);
    }
}

}  // namespace ridgeline::reading
