#include "advise/hardware/offers.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/negation.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

// Hardware that is named because it is not to be had: "h100s are sold out, what else",
// "alternatives to an a100".

namespace ridgeline::reading {
namespace {

/// Whether one of the words asks for something in the place of what is named.
bool seeks_others(const Sentence& sentence) {
    return sentence.any_word(
        "else other others alternative alternatives instead substitute substitutes fallback option "
        "options what which recommend "
        "suggest suggestion suggestions then now next");
}

/// "are sold out", "is way too expensive", "not available anywhere": the token behind what is said
/// so of the part before token i; 0: it is not.
std::size_t end_of_lack(const Sentence& sentence, std::size_t i) {
    constexpr std::size_t farthest = 6;
    for (const std::size_t end = i + farthest; i < end && sentence.follows(i); ++i) {
        const std::string_view word = sentence.word(i);
        const std::string_view next =
            sentence.follows(i + 1) ? sentence.word(i + 1) : std::string_view();
        const std::string_view third = sentence.word(i + 2);
        if (is_any(word,
                   "unaffordable overpriced unavailable unobtainable backordered soldout allocated "
                   "excluded banned forbidden disallowed") ||
            // "is it overkill" asks whether it is.
            (is_any(word, "overkill wasteful") && i > 0 &&
             is_any(sentence.word(i - 1), "is are seems seem feels looks"))) {
            return i + 1;
        }
        const bool two =
            (word == "too" &&
             is_any(next, "expensive pricey costly dear much rich steep rare scarce")) ||
            (is_any(word, "sold booked") && is_any(next, "out up")) ||
            (is_any(word, "not isnt arent never") &&
             is_any(next,
                    "available obtainable affordable offered sold allowed wanted permitted "
                    "acceptable possible"));
        if (two) {
            return i + 2;
        }
        const bool three = (word == "out" && next == "of" &&
                            is_any(third, "stock reach budget question supply the")) ||
                           (is_any(word, "hard impossible") && next == "to" &&
                            is_any(third, "get find buy rent come source obtain")) ||
                           (is_any(word, "not isnt arent") && is_any(next, "in an") &&
                            is_any(third, "stock supply option"));
        if (three) {
            return i + 3;
        }
        if (!is_any(word,
                    "is are was were s a bit seems feels looks all everywhere currently right now "
                    "remain still totally "
                    "completely just simply way far both seem really always "
                    "here anywhere gpus cards at our my the provider cloud region prices price")) {
            return 0;
        }
    }
    return 0;
}

/// "cannot get any", "alternatives to", "something other than", "sold out of": said of the part at
/// token `at`.
bool is_ruled_out_before(const Sentence& sentence, std::size_t at) {
    std::size_t i = at;
    constexpr std::string_view verbs =
        "get find afford buy rent source obtain hold recommend suggest offer propose pick choose "
        "give show";
    bool gets = false;
    while (i > 0 && sentence.follows(i) &&
           (is_any(sentence.word(i - 1), verbs) ||
            is_any(sentence.word(i - 1),
                   "any the a an of our more nvidia amd to for on in with me us again instance "
                   "instances machine machines node nodes family"))) {
        gets = gets || is_any(sentence.word(i - 1), verbs);
        --i;
    }
    if (i == 0 || !sentence.follows(i)) {
        return false;
    }
    const std::string_view word = sentence.word(i - 1);
    const bool alone =
        sentence.mentions.size() == 1;  // "an a100 instead of an h100" weighs the two
    const bool other =
        (alone &&
         is_any(word, "alternative alternatives substitute substitutes instead besides")) ||
        word == "unavailable" ||
        (word == "out" && i > 1 && is_any(sentence.word(i - 2), "sold ran run"));
    const bool denied = gets && is_any(word, "cant cannot couldnt unable not dont wont never");
    return other || denied || is_ruled_out(sentence, i) || is_ruled_out(sentence, at);
}

bool is_left_out(Sentence& sentence, const Mention& mention) {
    const bool alone = sentence.mentions.size() == 1;
    const bool else_wanted =
        alone && sentence.follows(mention.end) &&
        is_any(sentence.word(mention.end), "alternative alternatives substitute substitutes");
    if (const std::size_t end = end_of_lack(sentence, mention.end); end > 0) {
        sentence.claim(mention.end, end - mention.end);
        std::erase_if(sentence.marks, [&](const Mark& mark) {  // "expensive" asks for no cost
            return mark.means == Means::ask && mark.at >= mention.end && mark.at < end;
        });
        return true;
    }
    // "cannot get a 4090 to run it" is a fault of the one that is there.
    const bool to_work = sentence.word(mention.end) == "to" && !seeks_others(sentence);
    return else_wanted || (is_ruled_out_before(sentence, mention.at) && !to_work);
}

/// Whether nothing but "and" stands between two parts: what is said of one is said of both.
bool listed_together(const Sentence& sentence, const Mention& first, const Mention& second) {
    std::size_t i = first.end;
    while (i < second.at && is_any(sentence.word(i), "and or nor & the a an any")) {
        ++i;
    }
    return first.end <= second.at && i == second.at && second.at - first.end <= 2;
}

bool is_rented_as(const Sentence& sentence, std::string_view name) {
    const auto& catalog = sentence.vocabulary.catalog;
    return std::any_of(catalog.offers.begin(), catalog.offers.end(),
                       [&](const Offer& offer) { return is_of_instance(catalog, offer, name); });
}

/// What goes with a name that is left out: of an instance, or its family, itself alone, since its
/// cards may stand elsewhere too; else the parts. Its name is returned.
std::string leave_out(Sentence& sentence, const Mention& mention) {
    Reading& reading = sentence.reading;
    std::string typed;
    for (std::size_t i = mention.at; i < mention.end; ++i) {
        typed += sentence.word(i);
    }
    if (mention.instance.empty()) {
        for (const Accelerator* part : mention.parts) {
            add_once(reading.accelerators_excluded, part->id);
        }
        // "not the rtx 30 series"
        for (const Accelerator& part : sentence.vocabulary.catalog.accelerators) {
            if (mention.parts.empty() && part.id.size() > mention.name.size() &&
                part.id.starts_with(mention.name) && is_digit(part.id[mention.name.size()])) {
                add_once(reading.accelerators_excluded, part.id);
            }
        }
        return mention.name;
    }
    const std::string& name = is_rented_as(sentence, typed) ? typed : mention.instance;
    if (is_rented_as(sentence, name)) {
        add_once(reading.instances_excluded, name);
    }
    return name;
}

/// "not a3": a family of instances that no part or machine is called alone.
void leave_out_families(Sentence& sentence, std::vector<std::string>& names) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        if (sentence.open(i) && has_digit(word) && has_letter(word) &&
            is_ruled_out_before(sentence, i) && is_rented_as(sentence, word)) {
            add_once(sentence.reading.instances_excluded, word);
            names.emplace_back(word);
            sentence.claim(i);
        }
    }
}

}  // namespace

void recognise_left_out(Sentence& sentence) {
    Reading& reading = sentence.reading;
    auto& mentions = sentence.mentions;
    const bool open = seeks_others(sentence) || sentence.has(Means::train) ||
                      sentence.has(Means::tune) || sentence.has(Means::infer) ||
                      !reading.model.empty();
    // "is 4k/month for 2 A100 too much, buy instead": its rent is too much, and not it.
    const bool weighs_rent = reading.usd_per_month && sentence.any_word("buy buying own owning");
    if (weighs_rent) {
        return;
    }
    // "a 4090 vs a 3090": what else is said of one may be why it is compared.
    const bool in_words = open && !sentence.has(Means::versus);
    std::vector<bool> out;
    for (const Mention& mention : mentions) {
        out.push_back(in_words ? is_left_out(sentence, mention)
                               : mentions.size() > 1 && is_ruled_out(sentence, mention.at));
    }
    for (std::size_t pass = 0; pass < mentions.size(); ++pass) {
        for (std::size_t k = 1; k < mentions.size(); ++k) {
            const bool both =
                (out[k - 1] || out[k]) && (mentions[k - 1].name == mentions[k].name ||
                                           listed_together(sentence, mentions[k - 1], mentions[k]));
            out[k - 1] = out[k - 1] || both;
            out[k] = out[k] || both;
        }
    }
    std::vector<std::string> names;
    for (std::size_t k = mentions.size(); k > 0; --k) {
        if (out[k - 1]) {
            names.push_back(leave_out(sentence, mentions[k - 1]));
            sentence.left_out.push_back(mentions[k - 1]);
            mentions.erase(mentions.begin() + static_cast<std::ptrdiff_t>(k - 1));
        }
    }
    leave_out_families(sentence, names);
    if (!names.empty()) {
        sentence.assume("without", fmt::format("{}", fmt::join(names, ", ")),
                        "said not to be had or not wanted: others are ranked for the same work");
    }
}

}  // namespace ridgeline::reading
