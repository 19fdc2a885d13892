#include "advise/reading/hardware/makers.h"

#include "advise/hardware/desk.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/negation.h"

#include <algorithm>
#include <iterator>

namespace ridgeline::reading {
namespace {

/// "8 a100 on aws vs 8 a100 on gcp": each side with the provider that is said behind it.
void part_providers(Sentence& sentence) {
    std::vector<std::string> found;
    for (std::size_t k = 0; k < sentence.mentions.size(); ++k) {
        const std::size_t next =
            k + 1 < sentence.mentions.size() ? sentence.mentions[k + 1].at : sentence.tokens.size();
        for (const Mark& mark : sentence.marks) {
            if (mark.means == Means::provider && mark.at >= sentence.mentions[k].end &&
                mark.at < next && mark.at - sentence.mentions[k].end <= 3 && found.size() == k) {
                found.emplace_back(mark.value);
            }
        }
    }
    const bool compared = sentence.has(Means::versus) || sentence.has(Means::either);
    if (found.size() < 2 || found.size() != sentence.mentions.size() || !compared) {
        return;
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
        sentence.mentions[k].provider = found[k];
    }
}

/// Whether all hardware that is named is no TPU.
bool made_by_others(const Sentence& sentence) {
    return !sentence.mentions.empty() &&
           std::ranges::none_of(sentence.mentions, [](const Mention& each) {
               return each.parts.empty() || each.parts.front()->vendor == "Google";
           });
}

/// "amd ok?", "amd allowed", "mac or pc": such a maker may be, none must be.
bool is_no_limit(const Sentence& sentence, const Mark& mark) {
    if (mark.means != Means::vendor) {
        return false;
    }
    std::size_t behind = mark.at + mark.length;
    behind +=
        sentence.follows(behind) && is_any(sentence.word(behind), "is are cards gpus also too") ? 1
                                                                                                : 0;
    const bool allowed =
        sentence.follows(behind) &&
        is_any(sentence.word(behind), "ok okay allowed fine welcome possible works acceptable");
    const bool either = (sentence.has(Means::either) || sentence.has(Means::versus)) &&
                        sentence.any_word("pc pcs windows linux");
    // "i never said nvidia": neither asked for nor ruled out.
    const bool unsaid = mark.at > 1 &&
                        is_any(sentence.word(mark.at - 1), "said say asked mentioned specified") &&
                        is_any(sentence.word(mark.at - 2), "never didnt not dont");
    return allowed || either || unsaid;
}

/// "nvidia or amd", "do i need nvidia or is amd ok", "macbook or pc with nvidia": makers that are
/// weighed, none of which is a limit.
bool weighs_makers(const Sentence& sentence) {
    const auto first = std::ranges::find(sentence.marks, Means::vendor, &Mark::means);
    return sentence.mentions.empty() &&
           std::any_of(first, sentence.marks.end(), [&](const Mark& last) {
               return last.means == Means::vendor && last.value != first->value &&
                      !is_negated(sentence, last.at) && !is_negated(sentence, first->at) &&
                      std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
                          const bool joins =
                              mark.means == Means::either || mark.means == Means::versus;
                          return joins && (mark.at > first->at) != (mark.at > last.at);
                      });
           });
}

/// "over pcie 4.0 x8", "pcie bandwidth", beside NVLink: how cards are linked, no wish for their
/// form.
bool is_of_a_link(const Sentence& sentence, const Mark& mark) {
    const std::size_t behind = mark.at + mark.length;
    const std::string_view next =
        sentence.follows(behind) ? sentence.word(behind) : std::string_view();
    const bool lanes = (next == "x" || (!next.empty() && is_digit(next.front()))) &&
                       !is_any(sentence.word(behind + (next == "x" ? 2 : 1)), "slot slots");
    return mark.value == "pcie" &&
           (lanes || is_any(next, "gen lanes lane bandwidth speed link bus riser switch instead") ||
            sentence.weighs_links ||
            (mark.at > 0 && is_any(sentence.word(mark.at - 1), "over via through")) ||
            sentence.has(Means::feature, "nvlink"));
}

/// "no sxm", "pcie cards only": how a part is mounted; of parts that are named those that are
/// mounted so are left, where some are.
void take_board(Sentence& sentence, const Mark& mark, bool negated) {
    const std::string_view board = !negated ? mark.value : mark.value == "pcie" ? "module" : "pcie";
    if (is_of_a_link(sentence, mark)) {
        return;
    }
    if (sentence.mentions.empty()) {
        add_once(sentence.reading.require, board);
        return;
    }
    const std::size_t behind = mark.at + mark.length;
    const bool only =
        negated || near_words(sentence, clause_start(sentence, mark.at, 2),
                              std::min(behind + 3, sentence.tokens.size()), "only must");
    for (Mention& mention : sentence.mentions) {
        std::vector<const Accelerator*> left;
        std::copy_if(mention.parts.begin(), mention.parts.end(), std::back_inserter(left),
                     [&](const Accelerator* part) { return is_on_board(*part, board); });
        if (only && !left.empty() && left.size() < mention.parts.size()) {
            mention.parts = std::move(left);
        }
    }
}

constexpr std::string_view generations[] = {"pascal", "volta",  "turing",   "ampere",
                                            "ada",    "hopper", "blackwell"};

/// Whether "minimum" beside a generation is of it: behind both, at token `at`, stands nothing that
/// it could bound: "ampere minimum for sdxl", not "ampere minimum 24GB", "ampere: minimum cost".
bool bounds_nothing_at(const Sentence& sentence, std::size_t at) {
    return !sentence.follows(at) || sentence.tokens[at].gap == Gap::paren ||
           is_any(sentence.word(at), "for to and or on in with without please if but that which");
}

std::size_t past_kind(const Sentence& sentence, std::size_t at) {
    const bool kind = sentence.follows(at) &&
                      is_any(sentence.word(at), "gen generation architecture card cards gpu gpus");
    return at + (kind ? 1 : 0);
}

/// How many tokens before a generation make it the oldest that is wanted: "at least", "nothing
/// older than", "minimum"; 0: none do.
///
/// behind  one past the generation
std::size_t words_of_least(const Sentence& sentence, std::size_t at, std::size_t behind) {
    if (at > 0 && sentence.word(at - 1) == "minimum" &&
        bounds_nothing_at(sentence, past_kind(sentence, behind))) {
        return 1;
    }
    if (at > 1 && sentence.word(at - 2) == "at" && sentence.word(at - 1) == "least") {
        return 2;
    }
    const bool older = at > 2 && sentence.word(at - 1) == "than" &&
                       is_any(sentence.word(at - 2), "older below before") &&
                       is_any(sentence.word(at - 3), "not nothing no none never");
    return older ? 3 : 0;
}

/// As before it, behind a generation: "or newer", "and up", "+", "generation minimum".
std::size_t words_of_least_behind(const Sentence& sentence, std::size_t behind) {
    const std::size_t i = past_kind(sentence, behind);
    if (!sentence.follows(i)) {
        return 0;
    }
    const bool minimum = sentence.word(i) == "minimum" && !parted_by_colon(sentence, i) &&
                         bounds_nothing_at(sentence, i + 1);
    if (minimum || is_any(sentence.word(i), "+ onwards onward upwards")) {
        return i + 1 - behind;
    }
    const bool newer = is_any(sentence.word(i), "or and") &&
                       is_any(sentence.word(i + 1), "newer later better above up higher");
    return newer ? i + 2 - behind : 0;
}

/// Generations that are named in one breath, "ampere or ada": their tokens, and the oldest of them.
struct Generations {
    std::size_t at = 0;
    std::size_t end = 0;
    const std::string_view* least = std::end(generations);
};

Generations generations_around(const Sentence& sentence, const Mark& mark) {
    const auto place = [](const Mark& each) {
        return each.means == Means::feature
                   ? std::find(std::begin(generations), std::end(generations), each.value)
                   : std::end(generations);
    };
    Generations found{mark.at, mark.at + mark.length, place(mark)};
    bool more = found.least != std::end(generations);
    while (more) {
        more = false;
        for (const Mark& each : sentence.marks) {
            const std::size_t end = each.at + each.length;
            const bool before = end + 1 == found.at && is_any(sentence.word(end), "or and");
            const bool after =
                each.at == found.end + 1 && is_any(sentence.word(found.end), "or and");
            if ((before || after) && place(each) != std::end(generations)) {
                found = {std::min(found.at, each.at), std::max(found.end, end),
                         std::min(found.least, place(each))};
                more = true;
            }
        }
    }
    return found;
}

/// "ampere or newer", "nothing older than turing", "at least ampere or ada": the generations of its
/// maker before the oldest that is named are none of them.
bool take_least_generation(Sentence& sentence, const Mark& mark) {
    const auto [at, end, least] = generations_around(sentence, mark);
    if (least == std::end(generations)) {
        return false;
    }
    const std::size_t before = words_of_least(sentence, at, end);
    const std::size_t after = words_of_least_behind(sentence, end);
    if (before == 0 && after == 0) {
        return false;
    }
    sentence.claim(at - before, before);
    sentence.claim(end, after);
    add_once(sentence.reading.vendors, "nvidia");
    for (const auto* older = std::begin(generations); older != least; ++older) {
        add_once(sentence.reading.require, "!" + std::string(*older));
    }
    return true;
}

/// "single slot if possible", "ideally with nvlink": a wish, no condition.
bool is_a_wish(const Sentence& sentence, const Mark& mark) {
    const std::size_t end = mark.at + mark.length;
    const auto softens = [&](std::size_t i) {
        return is_any(sentence.word(i), "ideally preferably preferred") ||
               (sentence.word(i) == "possible" && sentence.word(i - 1) == "if") ||
               (sentence.word(i) == "nice" && is_any(sentence.word(i - 1), "be if"));
    };
    for (std::size_t i = end; i < end + 4 && sentence.follows(i); ++i) {
        if (softens(i)) {
            return true;
        }
    }
    const std::size_t before = mark.at > 0 ? mark.at - 1 : 0;
    return is_any(sentence.word(before), "ideally preferably with a") &&
           (softens(before) || (before > 0 && softens(before - 1)));
}

/// "cheaper than aws", "we pay aws 30000 a month, where is it cheaper": the others are asked for.
bool is_undercut_provider(const Sentence& sentence, const Mark& mark) {
    const auto provider = [](const Mark& each) { return each.means == Means::provider; };
    const bool cheaper = sentence.any_word("cheaper less lower");
    const bool than = mark.at > 0 && sentence.word(mark.at - 1) == "than";
    const bool paid = (sentence.reading.usd_per_hour || sentence.reading.usd_per_month) &&
                      sentence.any_word("pay pays paying paid spend spends spending bill billed");
    return mark.means == Means::provider && cheaper && (than || paid) &&
           // "my 3090 idles, is it cheaper than runpod": what is there is weighed against it.
           !sentence.any_word("buy buying own owning purchase") && !asks_when_cheaper(sentence) &&
           !(sentence.any_word("my our") &&
             sentence.any_word("home idle idles idling electricity power kwh")) &&
           std::ranges::count_if(sentence.marks, provider) == 1;
}

void take_maker(Sentence& sentence, const Mark& mark) {
    Reading& reading = sentence.reading;
    if (mark.means == Means::feature && take_least_generation(sentence, mark)) {
        return;
    }
    if (mark.means == Means::feature && is_a_wish(sentence, mark)) {
        sentence.assume("require", std::string(mark.value) + " open",
                        "a wish: what lacks it is ranked too");
        return;
    }
    const bool negated = is_negated(sentence, mark.at) || is_undercut_provider(sentence, mark);
    // "not google, not aws" are clouds.
    if (mark.value == "google" && negated && sentence.has(Means::provider)) {
        add_once(reading.providers_excluded, "gcp");
    }
    // "an l4 at aws and at google": who does not make the part rents it out.
    if (mark.means == Means::vendor && mark.value == "google" && !negated &&
        (made_by_others(sentence) || sentence.any_word("credit credits"))) {
        add_once(reading.providers, "gcp");
        return;
    }
    // "not the mac studio" rules out a line, not its maker.
    const auto line = [&](const Mark& other) {
        return other.means == Means::feature && other.at == mark.at && is_product_line(other.value);
    };
    const bool weighed = mark.means == Means::vendor && weighs_makers(sentence);
    if ((is_no_limit(sentence, mark) && !weighed) ||
        (negated && mark.means == Means::vendor && std::ranges::any_of(sentence.marks, line))) {
        return;
    }
    // "96 GB of unified memory": a Mac, where nothing else that has one is named.
    if (mark.means == Means::vendor && sentence.word(mark.at) == "unified") {
        if (!sentence.mentions.empty() || !reading.memory_gib || negated) {
            return;
        }
        sentence.assume("vendor", std::string(mark.value),
                        "most computers of unified memory are Macs; a DGX Spark or Strix Halo has "
                        "to be named");
    }
    if (mark.means == Means::vendor) {
        add_once(negated ? reading.vendors_excluded : reading.vendors, mark.value);
    } else if (mark.means == Means::provider && mark.value == "hyperscaler") {
        for (const std::string_view each : {"aws", "azure", "gcp", "oracle"}) {
            add_once(negated ? reading.providers_excluded : reading.providers, each);
        }
    } else if (mark.means == Means::provider) {
        add_once(negated ? reading.providers_excluded : reading.providers, mark.value);
        if (sentence.names.providers.count(std::string(mark.value)) == 0) {
            add_once(reading.unknown_names, mark.value);
            add_once(reading.unpriced_providers, mark.value);
        }
    } else if (mark.means == Means::feature && is_board(mark.value)) {
        take_board(sentence, mark, negated);
    } else if (mark.value == "nvlink" && negated && !sentence.mentions.empty() &&
               !sentence.weighs_links) {
        take_board(sentence, mark, negated);  // of "a100" the cards, not the modules
    } else if (mark.means == Means::feature && negated && is_product_line(mark.value)) {
        add_once(reading.require, "!" + std::string(mark.value));
    } else if (mark.means == Means::feature && mark.value.starts_with("mac") &&
               weighs_makers(sentence)) {
        return;  // "macbook or pc with nvidia"
    } else if (mark.means == Means::feature && !negated &&
               !(is_product_line(mark.value) && !sentence.mentions.empty())) {
        add_once(reading.require, mark.value);
    }
}

bool holds_name(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

/// Who makes the cards of a line, in the catalog's words; empty: none of it is known.
std::string maker_of(const Sentence& sentence, std::string_view line) {
    for (const Accelerator& part : sentence.vocabulary.catalog.accelerators) {
        if (is_of_line(part, line)) {
            return lower(part.vendor);
        }
    }
    return {};
}

bool is_of_any_line(const Accelerator& part, const std::vector<std::string>& lines) {
    return std::ranges::any_of(lines, [&](const std::string& each) {
        return is_product_line(each) && !each.starts_with('!') && is_of_line(part, each);
    });
}

/// "radeon or arc", "arc or amd": of each maker that is named, not of one alone. A line beside
/// another maker's name stands for its own maker.
void join_lines_and_makers(Sentence& sentence) {
    Reading& reading = sentence.reading;
    std::vector<std::string> makers;
    for (const std::string& each : reading.require) {
        const std::string maker = is_product_line(each) && !each.starts_with('!')
                                      ? maker_of(sentence, each)
                                      : std::string();
        if (!maker.empty()) {
            add_once(makers, maker);
        }
    }
    if (makers.empty() || reading.vendors.empty()) {
        return;
    }
    const bool alone = std::ranges::any_of(
        reading.vendors, [&](const std::string& vendor) { return !holds_name(makers, vendor); });
    if (alone) {
        // "arc or amd": what the other maker has for the same place.
        const bool cards = std::ranges::all_of(
            sentence.vocabulary.catalog.accelerators, [&](const Accelerator& part) {
                return stands_at_a_desk(part) || !is_of_any_line(part, reading.require);
            });
        if (cards) {
            add_once(reading.require, "card");
        }
        std::erase_if(reading.require, [](const std::string& each) {
            return is_product_line(each) && !each.starts_with('!');
        });
    }
    for (const std::string& maker : makers) {
        add_once(reading.vendors, maker);
    }
}

/// "azure nd h100 v5" is rented there.
void rent_where_it_stands(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (sentence.mentions.size() != 1 || !reading.providers.empty()) {
        return;
    }
    const Mention& mention = sentence.mentions.front();
    if (!mention.provider.empty() && mention.per_machine &&
        !holds_name(reading.providers_excluded, mention.provider)) {
        reading.providers.push_back(mention.provider);
    }
}

}  // namespace

bool asks_when_cheaper(const Sentence& sentence) {
    bool asked = sentence.any_word("until till");
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const bool how = sentence.word(i) == "how";
        asked = asked || (how && is_any(sentence.word(i + 1), "long soon quickly")) ||
                (how && sentence.word(i + 1) == "many" &&
                 is_any(sentence.word(i + 2), "months years weeks days hours")) ||
                (sentence.word(i) == "when" && is_any(sentence.word(i + 1), "is does will do"));
    }
    return asked && sentence.any_word("cheaper less");
}

void take_makers(Sentence& sentence) {
    part_providers(sentence);
    for (const Mark& mark : sentence.marks) {
        take_maker(sentence, mark);
    }
    rent_where_it_stands(sentence);
    join_lines_and_makers(sentence);
    std::erase_if(sentence.reading.vendors, [&](const std::string& vendor) {
        return holds_name(sentence.reading.vendors_excluded, vendor);
    });
}

}  // namespace ridgeline::reading
