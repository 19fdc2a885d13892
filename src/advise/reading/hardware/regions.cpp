#include "advise/reading/hardware/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <string>

// Regions of providers as their lists call them: "us-east-1", "europe-west4", "eastus".

namespace ridgeline::reading {
namespace {

/// "us-gov-east", "eu central": what the regions of all providers begin and go on with.
bool begins_region(std::string_view word) {
    return is_any(word, "us eu ap ca sa me af europe asia northamerica southamerica australia");
}

bool goes_on(std::string_view word) {
    const std::string_view letters = word.substr(0, word.find_first_of("0123456789"));
    return is_any(letters,
                  "east west north south central northeast southeast northwest southwest gov");
}

/// "no us providers", "non-american clouds": where a provider sits no list says.
bool match_seat_of_providers(Sentence& sentence, std::size_t i) {
    const std::size_t end = i + 3;
    if (!is_any(sentence.word(i), "no non not without") ||
        !is_any(sentence.word(i + 1), "us usa american chinese european eu") ||
        !is_any(sentence.word(i + 2),
                "provider providers cloud clouds company companies vendors "
                "hyperscaler hyperscalers owned based")) {
        return false;
    }
    sentence.reading.not_understood.push_back("no " + std::string(sentence.word(i + 1)) + " " +
                                              std::string(sentence.word(i + 2)));
    sentence.claim(i, end - i);
    return true;
}

}  // namespace

bool names_region(std::string_view name) {
    const auto pieces = split(name, '-');
    return pieces.size() >= 2 && begins_region(pieces[0]) && goes_on(pieces[1]);
}

void recognise_regions(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (match_seat_of_providers(sentence, i)) {
            i += 2;
            continue;
        }
        std::string name(sentence.word(i));
        std::size_t end = i + 1;
        std::size_t known = sentence.names.regions.contains(name) ? end : 0;
        std::string region = known > 0 ? name : "";
        bool shaped = false;
        for (;
             end < sentence.tokens.size() && end < i + 4 && sentence.tokens[end].gap == Gap::joint;
             ++end) {
            name += "-" + std::string(sentence.word(end));
            shaped = shaped || (begins_region(sentence.word(i)) && goes_on(sentence.word(end)));
            if (sentence.names.regions.contains(name)) {
                known = end + 1;
                region = name;
            }
        }
        // "in europe", "eu region": wherever there; "3000 eu" is money.
        const bool misspelt = name.size() >= 5 && name.starts_with("eu") &&
                              edit_distance(name, "europe") <= 1 && !is_any(name, "euros");
        const bool continent = known == 0 && !shaped && (misspelt || is_any(name, "eu european")) &&
                               (i == 0 || !is_digit(sentence.word(i - 1).back()));
        if (continent) {
            sentence.reading.region = "eu";
            sentence.claim(
                i,
                is_any(sentence.word(end), "region regions datacenter datacenters union") ? 2 : 1);
        } else if (known > 0) {
            sentence.reading.region = region;
            sentence.claim(i, known - i);
        } else if (shaped) {
            // "us-east": all that a list has there.
            const auto first = sentence.names.regions.lower_bound(name);
            if (first != sentence.names.regions.end() && first->starts_with(name)) {
                sentence.reading.region = name;
            } else {
                sentence.reading.not_understood.push_back(name);
            }
            sentence.claim(i, end - i);
        }
    }
}

}  // namespace ridgeline::reading
