#include "advise/reading/amounts/steps.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"

#include <cmath>
#include <string>
#include <string_view>

// What a question tells of a site: what its grid emits ("380 gCO2/kWh", read before the grams are
// taken for the memory of a part), and how many racks it has.

namespace ridgeline::reading {
namespace {

/// Grams that a word of mass stands for; 0: it is none.
double grams_of(std::string_view unit) {
    return is_any(unit, "g gco2 gco2e gco2eq gram grams gramm gr")                 ? 1
           : is_any(unit, "kg kgco2 kgco2e kgco2eq kilo kilos kilogram kilograms") ? 1000
                                                                                   : 0;
}

/// One past "/kWh", "per kWh", "of CO2 per kWh" from token `at` on; 0: no energy is told.
std::size_t past_energy(const Sentence& sentence, std::size_t at) {
    std::size_t i =
        past_words(sentence, at, "of co2 co2e co2eq carbon dioxide emissions e eq equivalent");
    i = past_words(sentence, i, "per a an each every pro por par /");
    return sentence.follows(i) && is_any(sentence.word(i), "kwh kwhr kilowatthour kilowatthours")
               ? i + 1
               : 0;
}

/// "380 gCO2/kWh", "0.38 kg of CO2 per kWh".
void take_grid(Sentence& sentence) {
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
        if (!measure || measure->negative) {
            continue;
        }
        std::size_t end = at + measure->length;
        double grams = grams_of(measure->unit);
        if (measure->unit.empty() && sentence.follows(end)) {
            grams = grams_of(sentence.word(end));
            ++end;
        }
        end = grams > 0 ? past_energy(sentence, end) : 0;
        if (end > 0) {
            sentence.reading.grid_gco2_per_kwh = measure->value * grams;
            sentence.claim(at, end - at);
            // "a grid at", "grid intensity of"
            std::size_t from = first_of_words(
                sentence, at,
                "at of is with a an the our electricity power carbon grid mix intensity");
            for (; from < at; ++from) {
                if (is_any(sentence.word(from), "grid mix intensity")) {
                    sentence.claim(from);
                }
            }
            return;
        }
    }
}

/// Whether the kilowatts at token `at` are of all racks together: "60 kW in total", "sharing 60
/// kW".
bool are_of_all(const Sentence& sentence, std::size_t at) {
    constexpr std::string_view all =
        "total together shared altogether combined overall all share sharing";
    const std::size_t before = clause_start(sentence, at, 3);
    return !near_words(sentence, at + 1, at + 4, "each per every") &&
           (near_words(sentence, at + 1, at + 3, all) ||
            near_words(sentence, before, at, "total share sharing combined"));
}

/// "three racks of 40 kW", "40 kW per rack, 3 racks": behind "racks of" hardware ("of 8 h100")
/// those are machines.
void take_racks(Sentence& sentence) {
    const auto watts = [&](std::size_t i) {
        const std::string_view word = sentence.word(i);
        return is_any(word, "kw kilowatt kilowatts") ||
               (word.size() > 2 && word.ends_with("kw") && amount_in(word));
    };
    bool powered = false;
    bool together = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        powered = powered || watts(i);
        together = together || (watts(i) && are_of_all(sentence, i));
    }
    for (std::size_t i = 1; powered && i < sentence.tokens.size(); ++i) {
        const auto amount = amount_in(sentence.word(i - 1));
        const bool machines =
            is_any(sentence.word(i + 1), "of with holding") && !watts(i + 2) && !watts(i + 3);
        constexpr double most = 1000;
        if (sentence.follows(i) && is_any(sentence.word(i), "rack racks cabinet cabinets") &&
            amount && amount->unit.empty() && amount->value >= 1 && amount->value <= most &&
            amount->value == std::floor(amount->value) && sentence.open(i - 1) && !machines) {
            sentence.claim(i - 1);
            if (together) {
                sentence.assume("racks", std::string(sentence.word(i - 1)),
                                "the power that was told is that of all of them");
            } else {
                sentence.reading.racks = static_cast<int>(amount->value);
            }
            return;
        }
    }
}

}  // namespace

void settle_racks(Sentence& sentence) {
    Reading& reading = sentence.reading;
    // A machine keeps to the power of one rack; how many racks there are bounds a named part alone.
    if (reading.racks && reading.accelerators.empty()) {
        reading.not_understood.push_back(std::to_string(*reading.racks) + " racks");
        reading.racks.reset();
    }
}

void recognise_sites(Sentence& sentence) {
    take_grid(sentence);
    take_racks(sentence);
}

}  // namespace ridgeline::reading
