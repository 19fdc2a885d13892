#include "advise/reading/makers.h"

#include "advise/desk.h"
#include "advise/reading/names.h"
#include "advise/reading/negation.h"

#include <algorithm>

namespace ridgeline::reading {
namespace {

/// "8 a100 on aws vs 8 a100 on gcp": each side with the provider that is said behind it.
void part_providers(Sentence& sentence) {
    std::vector<std::string> found;
    for (std::size_t k = 0; k < sentence.mentions.size(); ++k) {
        const std::size_t next = k + 1 < sentence.mentions.size() ? sentence.mentions[k + 1].at
                                                                  : sentence.tokens.size();
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
           std::none_of(sentence.mentions.begin(), sentence.mentions.end(), [](const Mention& each) {
               return each.parts.empty() || each.parts.front()->vendor == "Google";
           });
}

/// "amd ok?", "amd allowed", "mac or pc": such a maker may be, none must be.
bool is_no_limit(const Sentence& sentence, const Mark& mark) {
    if (mark.means != Means::vendor) {
        return false;
    }
    std::size_t behind = mark.at + mark.length;
    behind += sentence.follows(behind) && is_any(sentence.word(behind), "is are cards gpus also too") ? 1 : 0;
    const bool allowed = sentence.follows(behind) &&
                         is_any(sentence.word(behind), "ok okay allowed fine welcome possible works acceptable");
    const bool either = (sentence.has(Means::either) || sentence.has(Means::versus)) &&
                        sentence.any_word("pc pcs windows linux");
    return allowed || either;
}

void take_maker(Sentence& sentence, const Mark& mark) {
    Reading& reading = sentence.reading;
    const bool negated = is_negated(sentence, mark.at);
    // "not google, not aws" are clouds.
    if (mark.value == "google" && negated && sentence.has(Means::provider)) {
        add_once(reading.providers_excluded, "gcp");
    }
    // "an l4 at aws and at google": who does not make the part rents it out.
    if (mark.means == Means::vendor && mark.value == "google" && !negated && made_by_others(sentence)) {
        add_once(reading.providers, "gcp");
        return;
    }
    if (is_no_limit(sentence, mark)) {
        return;
    }
    if (mark.means == Means::vendor) {
        add_once(negated ? reading.vendors_excluded : reading.vendors, mark.value);
    } else if (mark.means == Means::provider) {
        add_once(negated ? reading.providers_excluded : reading.providers, mark.value);
        if (sentence.names.providers.count(std::string(mark.value)) == 0) {
            add_once(reading.unknown_names, mark.value);
            add_once(reading.unpriced_providers, mark.value);
        }
    } else if (mark.means == Means::feature && !negated && !(is_product_line(mark.value) && !sentence.mentions.empty())) {
        add_once(reading.require, mark.value);
    }
}

bool holds_name(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// "azure nd h100 v5" is rented there.
void rent_where_it_stands(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (sentence.mentions.size() != 1 || !reading.providers.empty()) {
        return;
    }
    const Mention& mention = sentence.mentions.front();
    if (!mention.provider.empty() && mention.per_machine && !holds_name(reading.providers_excluded, mention.provider)) {
        reading.providers.push_back(mention.provider);
    }
}

}  // namespace

void take_makers(Sentence& sentence) {
    part_providers(sentence);
    for (const Mark& mark : sentence.marks) {
        take_maker(sentence, mark);
    }
    rent_where_it_stands(sentence);
    std::erase_if(sentence.reading.vendors, [&](const std::string& vendor) {
        return holds_name(sentence.reading.vendors_excluded, vendor);
    });
}

}  // namespace ridgeline::reading
