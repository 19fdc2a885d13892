#include "advise/hardware/desk.h"
#include "advise/reading/hardware/settings.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/models/model_words.h"
#include "advise/reading/money/purchases.h"
#include "advise/reading/numbers/count_words.h"

#include <algorithm>

// Where hardware is to stand: at a desk, in a computer or server that is there, behind a fuse. What
// goes there is bought.

namespace ridgeline::reading {
namespace {

bool rents(const Sentence& sentence) {
    // What is rented alone: "what instance would you pick".
    return sentence.asks("rent") || sentence.asks("cloud") || sentence.has(Means::provider) ||
           sentence.reading.usd_per_hour || sentence.any_word("instance instances vm vms sku skus");
}

/// "a free slot", "two bays", "pcie slots": where a card goes.
bool is_slot(std::string_view word) { return is_any(word, "slot slots bay bays"); }

/// "32 slots", "4 parallel slots": those of a serving engine, which hold requests.
bool holds_requests(const Sentence& sentence, std::size_t slot) {
    constexpr int most_of_a_board = 8;
    const std::size_t before = slot > 0 && sentence.follows(slot) ? slot - 1 : slot;
    if (is_any(sentence.word(slot + 1), "chassis server board motherboard backplane case rack")) {
        return false;
    }
    return is_any(sentence.word(before), "parallel concurrent decode server") ||
           number_with_suffix(sentence.word(before)).value_or(0) > most_of_a_board;
}

/// "2 dual-slot bays", "two free pcie slots", "my last slot": as many cards as may be bought at
/// most; 0: no number stands there.
int cards_of_slots(Sentence& sentence, std::size_t slot) {
    constexpr std::size_t reach = 4;
    for (std::size_t back = 1; back <= std::min(reach, slot); ++back) {
        const std::size_t i = slot - back;
        // "dual" is what a bay is before it is a number.
        if (is_any(sentence.word(i),
                   "free empty spare open unused dual double full height length width wide pcie "
                   "gpu card x16 gen3 gen4 gen5 slot dual-slot "
                   "single-slot double-slot full-height full-length low-profile")) {
            continue;
        }
        if (const auto number = number_word(sentence.word(i)) ? number_word(sentence.word(i))
                                                              : whole_at(sentence, i)) {
            sentence.claim(i);
            return *number;
        }
        return is_any(sentence.word(i), "last only single remaining a one") &&
                       !sentence.word(slot).ends_with("s")
                   ? 1
                   : 0;
    }
    return 0;
}

/// A server or a computer by its maker or line, which the catalog does not hold.
bool is_chassis(std::string_view word) {
    return is_any(word,
                  "dell hp hpe lenovo supermicro poweredge proliant thinkstation r720 r730 r730xd "
                  "r740 r740xd r750 r760 r7525 "
                  "t640 z440 z640 z840 z8 dl380 ml350 p520 p620 p920 1u 2u 3u 4u");
}

bool takes_cards(Sentence& sentence) {
    if (!sentence.mentions.empty()) {
        return false;  // "my pc with a 3090" is what is there
    }
    bool takes = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const std::string_view before = i > 0 && sentence.follows(i)
                                            ? std::string_view(sentence.word(i - 1))
                                            : std::string_view();
        const bool slot = is_slot(word) && !is_any(before, "dual single double two triple") &&
                          !holds_requests(sentence, i);
        const bool inside =
            is_any(word,
                   "case chassis nas itx matx sff psu wiring circuit breaker outlet socket") ||
            (word == "homelab" && sentence.any_word("card cards gpu gpus")) || is_chassis(word);
        bool own = is_any(word, "pc pcs desktop tower workstation server box") &&
                   is_any(before, "my our his her office existing old own family gaming");
        // "2 cards in one workstation"
        const bool shared = is_any(word, "pc desktop tower workstation") && i > 1 &&
                            is_any(before, "a one the single same") &&
                            is_any(sentence.word(i - 2), "in into inside") &&
                            sentence.any_word("card cards gpus");
        own = own || shared;
        if (!slot && !inside && !own) {
            continue;
        }
        takes = true;
        if (const int most = slot ? cards_of_slots(sentence, i) : 0;
            most > 0 && !sentence.reading.max_count) {
            sentence.reading.max_count = most;
        }
        sentence.claim(is_any(before, "mini small") ? i - 1 : i,
                       is_any(before, "mini small") ? 2 : 1);
    }
    return takes;
}

/// "no aux", "no power connector", "slot powered": the slot alone feeds the card. Returns whether
/// that was said.
bool is_fed_by_slot(Sentence& sentence) {
    bool fed = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const std::string_view before = i > 0 ? sentence.word(i - 1) : std::string_view();
        const bool denied = is_any(before, "no without not lacks zero");
        const bool slot = is_any(word, "powered power") && is_any(before, "slot bus") &&
                          !sentence.any_word("psu");
        const bool plug =
            denied && (is_any(word, "aux auxiliary") ||
                       (is_any(word, "power extra external pcie 6pin 8pin") &&
                        is_any(sentence.word(i + 1), "connector connectors cable cables plug")));
        if (slot || plug) {
            std::erase(sentence.reading.not_understood, std::string(word));
            const bool aux = is_any(word, "aux auxiliary");
            sentence.claim(slot ? i - 1 : i, aux ? 1 : 2);
            sentence.tokens[i].text = "plug";  // no figure of power is asked for
            fed = true;
        }
    }
    return fed;
}

// "for local 30b models": of a disk, a batch or a rank nobody says how many parameters it has.
bool runs_a_local_size(const Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const std::string_view size = sentence.word(i + 1);
        if (sentence.word(i) == "local" && !size.empty() && size.front() >= '1' &&
            size.front() <= '9' && size.back() == 'b') {
            return true;
        }
    }
    return false;
}

}  // namespace

bool stands_in_a_server(const Sentence& sentence) {
    return !rents(sentence) && sentence.mentions.empty() &&
           sentence.any_word(
               "server servers rack rackmount rackmounted 1u 2u 3u 4u poweredge "
               "proliant r720 r730 r730xd r740 r740xd r750 r760 r7525 dl380");
}

bool is_built_in(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const std::string_view before = i > 0 ? sentence.word(i - 1) : std::string_view();
        const std::string_view next =
            sentence.follows(i + 1) ? sentence.word(i + 1) : std::string_view();
        const bool carrier = is_any(word,
                                    "robot robots drone drones uav uavs quadcopter quadcopters "
                                    "rover rovers") &&
                             !is_any(next,
                                     "simulation simulator policy policies learning data "
                                     "dataset images footage");
        const bool edge =
            word == "edge" && !is_any(before, "cutting leading bleeding") &&
            is_any(next, "device devices box boxes ai inference deployment module modules compute");
        const bool embedded = word == "embedded" &&
                              is_any(next, "device devices board boards system module platform");
        if (carrier || edge || embedded || (word == "battery" && is_any(next, "powered"))) {
            return !rents(sentence);
        }
    }
    return false;
}

namespace {

/// What a slot of PCI Express feeds without a plug.
constexpr double slot_w = 75;

/// "a low power gpu": a card that one buys, drawing little before its energy is compared.
bool names_low_power_card(const Sentence& sentence) {
    constexpr std::size_t farthest = 3;
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const bool low = (sentence.word(i) == "low" &&
                          is_any(sentence.word(i + 1),
                                 "power powered wattage watt watts tdp consumption energy")) ||
                         is_any(sentence.word(i), "low-power low-wattage low-tdp");
        for (std::size_t k = i + 1; low && k <= i + farthest && sentence.follows(k); ++k) {
            if (is_any(sentence.word(k), "gpu gpus card cards")) {
                return true;
            }
        }
    }
    return false;
}

/// "best budget gpu", "a cheap card", "entry level gpu": one that is bought for little.
bool names_budget_card(const Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const bool level =
            sentence.word(i) == "level" && i > 0 && is_any(sentence.word(i - 1), "entry beginner");
        const bool little = is_any(sentence.word(i), "budget affordable inexpensive cheap");
        const std::size_t next =
            is_any(sentence.word(i + 1), "nvidia amd graphics") ? i + 2 : i + 1;
        if ((level || little) && sentence.follows(next) &&
            is_any(sentence.word(next), "gpu gpus card cards") &&
            !is_any(sentence.word(next + 1),
                    "server servers cloud instance instances vps hosting")) {
            return true;
        }
    }
    return false;
}

}  // namespace

void recognise_places(Sentence& sentence) {
    sentence.takes_cards = takes_cards(sentence);
    if (is_fed_by_slot(sentence)) {
        sentence.reading.max_watts = slot_w;
        sentence.assume("watts", "75",
                        "without a plug a slot of PCI Express feeds a card with so much");
    }
}

void take_place(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (rents(sentence)) {
        return;
    }
    const bool quiet = sentence.any_word(
        "quiet quietest silent silently noise noiseless bedroom closet apartment desk");
    const bool open = sentence.mentions.empty() && !reading.max_watts && !reading.concurrency &&
                      !reading.requests_per_s && !is_built_in(sentence);
    if (open && names_low_power_card(sentence)) {
        reading.max_watts = slot_w;
        reading.home = true;
        add_once(reading.require, "card");
        sentence.assume("watts", "75", std::string(low_power_card));
    }
    const bool little = sentence.mentions.empty() && names_budget_card(sentence);
    const bool pictures = sentence.mentions.empty() && sentence.any_word(picture_programs);
    reading.home = reading.home || quiet || sentence.takes_cards || runs_a_local_size(sentence) ||
                   little || pictures;
    // The supply of a computer that is yet to be bought bars no whole computer.
    const bool bought =
        sentence.any_word("psu wiring circuit breaker outlet socket") && buys_a_computer(sentence);
    if (sentence.takes_cards && !bought && std::ranges::none_of(reading.require, is_board)) {
        reading.require.emplace_back("pcie");
    }
}

}  // namespace ridgeline::reading
