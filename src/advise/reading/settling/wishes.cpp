#include "advise/hardware/desk.h"
#include "advise/reading/hardware/settings.h"
#include "advise/reading/money/purchases.h"
#include "advise/reading/numbers/count_words.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/negation.h"
#include "base/text.h"

#include <algorithm>

// What hardware that is to be bought must be, beside what it does: used or new, a card or a laptop,
// quiet.

namespace ridgeline::reading {
namespace {

bool is_hardware_noun(std::string_view word) {
    return is_any(
        word,
        "gpu gpus card cards graphics hardware hw part parts gear kit stuff market one ones pc rig "
        "server workstation accelerator accelerators "
        "datacenter data enterprise tesla quadro geforce radeon nvidia amd intel machine");
}

/// Whether "used" at token i is said of hardware: "a used card", "used 24gb gpus", no "used 2 days
/// a week".
bool is_of_hardware(const Sentence& sentence, std::size_t i) {
    constexpr std::size_t farthest = 3;
    if (is_any(sentence.word(i + 1), "only") && !sentence.follows(i + 2)) {
        return true;  // "used only, 600 dollars"
    }
    if (sentence.reading.budget_usd && !sentence.follows(i + 1) &&
        (!sentence.follows(i) ||
         (i > 0 && (has_digit(sentence.word(i - 1)) ||
                    is_any(sentence.word(i - 1), "eur euro euros dollars usd pounds bucks"))))) {
        return true;  // "under 700 eur used, no amd", "a card for 500, used"
    }
    for (std::size_t k = i + 1; k <= i + farthest && sentence.follows(k); ++k) {
        if (is_hardware_noun(sentence.word(k))) {
            return true;
        }
        if (is_any(sentence.word(k), "for to by at on in only daily if is")) {
            break;
        }
    }
    return i > 0 && sentence.follows(i) &&
           is_any(sentence.word(i - 1), "buy bought get no not buying only all everything");
}

/// "used is fine", "refurbished ok": it may be, none must be.
bool is_only_allowed(const Sentence& sentence, std::size_t i) {
    constexpr std::size_t farthest = 4;
    for (std::size_t k = i + 1; k <= i + farthest && sentence.follows(k); ++k) {
        if (is_any(sentence.word(k),
                   "ok okay fine allowed possible welcome acceptable too works alright good or")) {
            return true;
        }
    }
    const std::string_view before = i > 1 ? sentence.word(i - 2) : std::string_view();
    return (i > 0 && is_any(sentence.word(i - 1), "or even also maybe mind")) ||
           (i > 1 &&
            ((sentence.word(i - 1) == "with" && is_any(before, "ok okay fine happy cool")) ||
             (sentence.word(i - 1) == "to" && before == "open")));
}

/// Tokens from i on that say "used" in other words, whatever stands around: "second hand",
/// "refurbished"; 0: they do not.
std::size_t second_hand_words(const Sentence& sentence, std::size_t i) {
    const std::string_view next = sentence.word(i + 1);
    return (is_any(sentence.word(i), "second 2nd") && next == "hand") ||
                   (sentence.word(i) == "pre" && next == "owned")
               ? 2
           : is_any(sentence.word(i), "secondhand refurbished refurb preowned") ? 1
                                                                                : 0;
}

/// Used ones alone, new ones alone; neither: nothing.
std::string_view condition_of(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t length = second_hand_words(sentence, i);
        const bool word = length > 0 || sentence.word(i) == "ebay";
        const bool used = word || (sentence.word(i) == "used" && is_of_hardware(sentence, i));
        const std::size_t last = i + std::max<std::size_t>(length, 1) - 1;
        if (used && is_ruled_out(sentence, i)) {
            return "new";
        }
        if (used && !is_only_allowed(sentence, last)) {
            return "used";
        }
        const bool only =
            is_any(sentence.word(i + 1), "only") || is_any(sentence.word(i + 2), "only") ||
            (i > 0 && is_any(sentence.word(i - 1), "brand only")) ||
            (sentence.reading.budget_usd && is_any(sentence.word(i + 1), "card cards graphics"));
        if (sentence.word(i) == "new" && only) {
            return "new";
        }
    }
    return {};
}

/// "used cards fine", "used is ok": who weighs used ones buys.
bool allows_used(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t length = second_hand_words(sentence, i);
        const std::size_t last = i + std::max<std::size_t>(length, 1) - 1;
        const bool begins = i == 0 || !sentence.follows(i) ||
                            is_any(sentence.word(i - 1), "and or but even also maybe");
        const bool alone =
            sentence.word(i) == "used" && begins && is_any(sentence.word(i + 1), "is are ok fine");
        const bool used =
            length > 0 || alone || (sentence.word(i) == "used" && is_of_hardware(sentence, i));
        if (used && !is_ruled_out(sentence, i) && is_only_allowed(sentence, last)) {
            return true;
        }
    }
    return false;
}

bool asks_for_a_laptop(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool there =
            i > 0 && is_any(sentence.word(i - 1), "my our his her this your old current");
        if (is_any(sentence.word(i), "laptop laptops notebook notebooks") && !there &&
            !is_ruled_out(sentence, i)) {
            return true;
        }
    }
    return false;
}

/// "mini pc", "nuc": a small computer as it is sold, into which no card goes.
bool asks_for_a_mini(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool two = is_any(sentence.word(i), "mini") &&
                         is_any(sentence.word(i + 1), "pc pcs computer computers");
        if (two || is_any(sentence.word(i), "minipc minipcs nuc nucs")) {
            return true;
        }
    }
    return false;
}

/// "to learn pytorch", "for a deep learning course": the material is written for CUDA, and so are
/// its exercises.
bool learns(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool field =
            i > 0 && is_any(sentence.word(i - 1), "deep machine reinforcement transfer");
        if (is_any(sentence.word(i),
                   "learn learns beginner beginners student students course courses tutorials "
                   "lernen apprendre aprender imparare newbie") ||
            (sentence.word(i) == "learning" && !field)) {
            return true;
        }
    }
    return false;
}

/// Whether a card is asked for as such. "max 4 cards" counts hardware of any kind, unless it is
/// bought.
bool names_cards(const Sentence& sentence) {
    const bool buys = sentence.reading.buy || sentence.reading.budget_usd;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        // "how many 80GB cards": accelerators, in whatever form.
        const std::size_t before = i > 0 && memory_piece(sentence.word(i - 1)) > 0 ? i - 1
                                   : i > 1 && is_any(sentence.word(i - 1), "gb gib gig gigs")
                                       ? i - 2
                                       : i;
        const bool asked =
            before > 1 && sentence.word(before - 1) == "many" && sentence.word(before - 2) == "how";
        const bool counted =
            !buys && word == "cards" && i > 0 && sentence.follows(i) &&
            (asked || all_digits(sentence.word(i - 1)) || number_word(sentence.word(i - 1)));
        if (!counted &&
            is_any(word, "card cards grafikkarte grafikkarten karte tarjeta carte videokaart")) {
            return true;
        }
    }
    return false;
}

/// "not datacenter prices", "no data center cards": those that people buy.
bool shuns_data_centers(const Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const std::size_t at = i + (is_any(sentence.word(i + 1), "a the any") ? 2 : 1);
        const bool center =
            is_any(sentence.word(at), "datacenter datacentre") ||
            (sentence.word(at) == "data" && is_any(sentence.word(at + 1), "center centre"));
        const std::size_t behind = at + (sentence.word(at) == "data" ? 2 : 1);
        if (is_any(sentence.word(i), "no not non without") && center &&
            !is_any(sentence.word(behind), "company business team operator customer")) {
            return true;
        }
    }
    return false;
}

/// "which consumer card", "consumer-grade hardware": whatever computer is spoken of.
bool names_consumer_cards(const Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const std::size_t noun =
            is_any(sentence.word(i + 1), "grade class level nvidia amd") ? 2 : 1;
        if (is_any(sentence.word(i), "consumer hobbyist gaming") && sentence.follows(i + 1) &&
            is_any(sentence.word(i + noun), "card cards gpu gpus hardware")) {
            return true;
        }
    }
    return false;
}

/// What is meant beside what is said of a question with an intent of its own.
void weigh_words(Sentence& sentence, bool chooses, bool rents) {
    Reading& reading = sentence.reading;
    // "a laptop with 24gb for 32b": what has so much is a laptop's, whatever is asked of it.
    if (reading.intent == Intent::fit && reading.memory_gib && reading.accelerators.empty() &&
        asks_for_a_laptop(sentence) && !sentence.any_word("desktop or")) {
        add_once(reading.require, "laptop");
    }
    if (reading.intent == Intent::compare && !rents &&
        (says_second_hand(sentence) ||
         sentence.any_word("used buy bought buying purchase home homelab"))) {
        reading.home = true;  // what is bought is weighed by its price, not by rents
    }
    // "best gpu under $2 an hour": as of a sum, the fastest within it.
    if (reading.intent == Intent::hardware && reading.usd_per_hour && !reading.objective &&
        chooses && !reading.concurrency && !reading.requests_per_s && !reading.model.empty() &&
        sentence.any_word("best")) {
        reading.objective = Objective::time;
        sentence.assume("objective", "time", "the best within a rent is the fastest");
    }
    // Their GPU code is for CUDA alone (VASP wiki, OpenACC port; MathWorks, GPU computing
    // requirements; COMSOL 6.3 release notes, cuDSS).
    if (chooses && reading.vendors.empty() && reading.vendors_excluded.empty() &&
        sentence.any_word("vasp matlab comsol")) {
        reading.vendors.emplace_back("nvidia");
        sentence.assume("vendor", "nvidia", "the code that is named runs on CUDA alone");
    }
}

/// Who learns or trains code of any kind at home means CUDA.
void assume_maker(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool open_model = reading.model.empty() && reading.vendors.empty() &&
                            reading.vendors_excluded.empty() && reading.require.empty();
    if (!open_model || !(reading.home || reading.budget_usd) || reading.task == Task::inference ||
        !(learns(sentence) || reading.profile == "llm-training")) {
        return;
    }
    reading.vendors.emplace_back("nvidia");
    sentence.assume("vendor", "nvidia",
                    learns(sentence) ? "one learns on CUDA, for which courses are written: "
                                       "name another maker for its cards"
                                     : "code of any kind is written for CUDA first: name "
                                       "another maker for its cards");
}

/// A computer for one is bought; a server may be rented.
bool means_a_computer(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    return !reading.budget_usd && !reading.owned && !sentence.any_word("server servers") &&
           buys_a_computer(sentence) && !reading.concurrency && !reading.requests_per_s &&
           reading.task != Task::train;
}

/// What is asked for, by what it is: a laptop, a card, a consumer's card, a computer.
void settle_build(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool mini = asks_for_a_mini(sentence);
    if (mini) {
        add_once(reading.require, "computer");
    }
    const bool laptop = asks_for_a_laptop(sentence);
    if (laptop) {
        add_once(reading.require, "laptop");
    }
    if (laptop && reading.budget_usd && reading.vendors.empty()) {
        reading.unweighed.emplace_back(
            "laptops with a GeForce (no price of one is listed, only those of Macs)");
    }
    const bool computers = laptop || mini ||
                           std::find(reading.vendors.begin(), reading.vendors.end(), "apple") !=
                               reading.vendors.end() ||
                           sentence.any_word(
                               "mac macs mini box pc computer workstation jetson spark machine "
                               "server rig setup tower desktop system");
    if (!computers && names_cards(sentence) &&
        std::none_of(reading.require.begin(), reading.require.end(), is_board)) {
        add_once(reading.require, "card");
    }
    const bool consumer = !laptop &&
                          (names_consumer_cards(sentence) || shuns_data_centers(sentence) ||
                           (!computers && sentence.any_word("consumer hobbyist gaming"))) &&
                          std::ranges::find(reading.require, "datacenter") == reading.require.end();
    if (consumer) {
        add_once(reading.require, "consumer");
    }
    const bool computer = means_a_computer(sentence);
    if (computer) {
        ask_for(reading, "computer");
    }
    const bool mac = reading.vendors.size() == 1 && reading.vendors.front() == "apple";
    reading.home = reading.home || laptop || mac || computer;
}

/// Where a card is put: a slot that is there is filled with what is bought, and a server blows air
/// through cards without fans of their own.
void settle_slot(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool slot =
        std::any_of(reading.require.begin(), reading.require.end(),
                    [](const std::string& each) { return is_build(each) && each != "card"; });
    const bool cards = slot || sentence.takes_cards || sentence.any_word("passive passively");
    if (cards && stands_in_a_server(sentence)) {
        add_once(reading.require, "server");
        reading.buy = true;
    }
    reading.home = reading.home || slot;
    if (sentence.any_word("quiet quieter quietest silent silently fanless noise noiseless noisy "
                          "loud inaudible")) {
        ask_for(reading, "noise");
    }
}

}  // namespace

void take_maker_of_stack(Sentence& sentence, const std::string& framework) {
    Reading& reading = sentence.reading;
    const SoftwareProfile* stack = sentence.vocabulary.profiles.software_profile(framework);
    const bool open = reading.accelerators.empty() && reading.vendors.empty() &&
                      reading.vendors_excluded.empty() && reading.unknown_names.empty();
    if (stack == nullptr || !open || stack->chips.makers.size() != 1) {
        return;
    }
    reading.vendors.push_back(lower(stack->chips.makers.front()));
    sentence.assume("vendor", reading.vendors.front(),
                    stack->shown_name() + " has builds for no other maker's parts");
}

bool says_second_hand(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (second_hand_words(sentence, i) > 0 && !is_ruled_out(sentence, i)) {
            return true;
        }
    }
    return false;
}

void settle_wishes(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool chooses = (reading.intent == Intent::hardware || reading.intent == Intent::budget) &&
                         reading.accelerators.empty();
    const bool rents = !reading.providers.empty() || sentence.asks("rent cloud") ||
                       reading.usd_per_hour || reading.usd_per_month;
    weigh_words(sentence, chooses, rents);
    take_maker_of_stack(sentence, reading.framework);
    if (reading.alternatives_of == "framework") {
        for (const std::string& each : reading.alternatives) {
            take_maker_of_stack(sentence, each);  // where both run
        }
    }
    const bool used_part = std::ranges::any_of(sentence.mentions, [&](const Mention& each) {
        return each.at > 0 && sentence.word(each.at - 1) == "used";
    });
    if (reading.intent == Intent::own && used_part) {
        add_once(reading.require, "used");  // what is owned is bought so
    }
    if (!chooses || rents) {
        return;
    }
    if (const std::string_view condition = condition_of(sentence); !condition.empty()) {
        add_once(reading.require, condition);
        reading.buy = true;
    } else if (allows_used(sentence) && !reading.buy) {
        reading.buy = true;
        sentence.assume("buy", "true", "used ones are bought: nobody rents them as such");
    }
    assume_maker(sentence);
    settle_build(sentence);
    settle_slot(sentence);
}

}  // namespace ridgeline::reading
