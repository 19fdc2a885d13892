#include "advise/reading/hardware/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <optional>
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

/// The token of a negation before the seat of a provider at token `seat`: "no us clouds", "can't
/// use any US cloud", "outside of american providers"; none: it is not ruled out.
std::optional<std::size_t> ruled_out_from(const Sentence& sentence, std::size_t seat) {
    const std::size_t at = first_of_words(
        sentence, seat,
        "use using any of the a an on with by from be go store put host allowed to our data");
    const bool ruled =
        at > 0 && sentence.follows(at) &&
        is_any(sentence.word(at - 1),
               "no non not without avoid avoiding never cant cannot dont wont mustnt shouldnt "
               "outside excluding except nothing forbidden");
    return ruled ? std::optional(at - 1) : std::nullopt;
}

/// Providers that name a company of the United States as their own in their terms of service; of
/// the others nothing is said here.
constexpr const char* american_providers[] = {"aws",   "azure",   "coreweave", "digitalocean",
                                              "gcp",   "lambda",  "modal",     "runpod",
                                              "salad", "vast-ai", "vultr"};

/// "no us providers", "can't use american clouds": those that are known are left out. The answer
/// tells what is left open.
bool match_seat_of_providers(Sentence& sentence, std::size_t i) {
    std::size_t end = i + 1;
    if (!is_any(sentence.word(i), "us usa american chinese european eu") || i == 0) {
        return false;
    }
    end += is_any(sentence.word(end), "owned based headquartered") && sentence.follows(end) ? 1 : 0;
    const bool owned = end > i + 1;
    const bool noun = is_any(sentence.word(end),
                             "provider providers cloud clouds company companies vendor vendors "
                             "hyperscaler hyperscalers hoster hosters host hosts");
    const auto from = noun || owned ? ruled_out_from(sentence, i) : std::nullopt;
    if (!from) {
        return false;
    }
    const bool american = is_any(sentence.word(i), "us usa american");
    if (american) {
        for (const char* const provider : american_providers) {
            add_once(sentence.reading.providers_excluded, provider);
        }
    }
    sentence.reading.unweighed.push_back(
        american ? "where the other providers have their seat (no list says; those known as "
                   "companies of the United States are left out)"
                 : "where providers have their seat (no list says)");
    sentence.claim(*from, end + (noun ? 1 : 0) - *from);
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
