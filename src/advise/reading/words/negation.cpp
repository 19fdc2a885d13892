#include "advise/reading/words/negation.h"

#include <algorithm>
#include <initializer_list>

// What is ruled out: by a word before it ("no", "other than"), a clause that says so ("that isnt
// vast", "anyone but aws"), a word behind it ("sxm is out"), or what one leaves ("moving off aws").

namespace ridgeline::reading {
namespace {

bool is_bridge(std::string_view word) {
    return is_any(
        word,
        "on from any a an the using use with of to or and nor for need either have in "
        "gpus gpu cards has google want chinese public "
        "shared community going go paying relying at by made via be been come comes coming big "
        "clouds cloud like "
        "ones form card that is are one companies providers take accept suggest recommend "
        "propose show give offer include me us anything something things");
}

/// Whether token i ends a name of hardware that is ruled out and stands in a list with what
/// follows: "no h100 or anything from aws".
bool is_listed_part(const Sentence& sentence, std::size_t i) {
    return is_any(sentence.word(i + 1), "or nor and") &&
           std::ranges::any_of(sentence.left_out,
                               [i](const Mention& each) { return i >= each.at && i < each.end; });
}

/// Whether token i names a maker, a provider or a feature: what a list has.
bool is_listed(const Sentence& sentence, std::size_t i) {
    return std::ranges::any_of(sentence.marks, [&](const Mark& each) {
        const bool named = each.means == Means::vendor || each.means == Means::provider ||
                           each.means == Means::feature;
        return named && i >= each.at && i < each.at + each.length;
    });
}

/// Whether one of the `most` tokens before token i is one of `words`, or begins with one of
/// `beginnings`.
bool stands_before(const Sentence& sentence, std::size_t i, std::size_t most,
                   std::string_view words,
                   std::initializer_list<std::string_view> beginnings = {}) {
    for (std::size_t back = 1; back <= most && back <= i && sentence.follows(i - back + 1);
         ++back) {
        const std::string_view word = sentence.word(i - back);
        const bool begins = std::ranges::any_of(
            beginnings, [&](std::string_view each) { return word.starts_with(each); });
        if (begins || is_any(word, words)) {
            return true;
        }
    }
    return false;
}

/// Whether what rules out ends at token i: a phrase of the lexicon, "that isnt", "anyone but",
/// "other clouds than".
bool ends_negation(const Sentence& sentence, std::size_t i) {
    const bool phrase = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
        return mark.means == Means::negation && mark.value != "instead" &&
               mark.at + mark.length == i + 1;
    });
    const std::string_view word = sentence.word(i);
    const bool clause = is_any(word, "isnt arent wont doesnt dont aint wasnt") &&
                        stands_before(sentence, i, 2, "that which who where what its thats",
                                      {"whatever", "wherever", "whoever"});
    const bool all_but =
        is_any(word, "but except") && stands_before(sentence, i, 2, "all none", {"any", "every"});
    const bool other = word == "than" && stands_before(sentence, i, 2, "other");
    // "why not a 4090", "an h100, if not two a100": both are thought of. "No gpu except a 3060" is
    // that one alone.
    const bool thought_of = i > 0 && sentence.follows(i) && is_any(sentence.word(i - 1), "why if");
    const bool alone = (is_any(word, "except besides") || (word == "than" && other)) &&
                       stands_before(sentence, i, 4, "no nothing none dont");
    if ((word == "not" && thought_of) || alone) {
        return false;
    }
    return phrase || is_any(word, "cant cannot") || clause || all_but || other;
}

/// "vast is out", "sxm not possible", "vast doesnt count".
bool is_denied_behind(const Sentence& sentence, std::size_t at) {
    std::size_t i = at + 1;
    while (sentence.follows(i) &&
           (is_any(sentence.word(i), "is are cards gpus ai cloud clouds modules a an no") ||
            is_listed(sentence, i))) {
        ++i;
    }
    if (!sentence.follows(i)) {
        return false;
    }
    const bool denied = is_any(sentence.word(i), "not isnt arent doesnt dont cannot cant");
    const bool out = is_any(sentence.word(i), "out excluded banned forbidden disallowed blocked") &&
                     !is_any(sentence.word(i + 1), "of");
    // "aws is off the table", "azure is a no go", "leave gcp out"
    const bool off = (sentence.word(i) == "off" && is_any(sentence.word(i + 1), "the limits") &&
                      (sentence.word(i + 1) == "limits" || sentence.word(i + 2) == "table")) ||
                     sentence.word(i) == "nogo" ||
                     (sentence.word(i) == "go" && sentence.word(i - 1) == "no");
    return out || off ||
           (denied && sentence.follows(i + 1) &&
            is_any(
                sentence.word(i + 1),
                "an possible allowed ok okay wanted acceptable permitted count fit option work"));
}

/// "dont need low", "no need for", "not after": a verb of wishing that is denied ends at token i.
bool ends_denied_wish(const Sentence& sentence, std::size_t i) {
    constexpr std::string_view denials = "dont doesnt didnt not no neednt without never nor wont";
    return is_any(sentence.word(i), "no not without neednt nor never") ||
           (is_any(sentence.word(i), "need needs require requires care want wants after") &&
            i > 0 && is_any(sentence.word(i - 1), denials));
}

/// "latency is not important", "speed doesnt matter", "latency can be high" from token i on.
bool ends_in_indifference(const Sentence& sentence, std::size_t i) {
    bool denied = false;
    for (const std::size_t end = i + 6; i < end && sentence.follows(i); ++i) {
        const std::string_view word = sentence.word(i);
        if (is_any(word, "irrelevant unimportant secondary") ||
            (denied && is_any(word,
                              "matter matters important critical crucial needed required priority "
                              "issue concern relevant problem object key factor")) ||
            (word == "can" && sentence.word(i + 1) == "be" &&
             is_any(sentence.word(i + 2), "high bad slow low whatever poor"))) {
            return true;
        }
        denied = denied || is_any(word, "not isnt doesnt dont arent no wont never");
        if (!denied && !is_any(word, "is are does do was to us me really all at here time")) {
            return false;
        }
    }
    return false;
}

/// Whether the provider ends at token `i` as what is left: "i left lambda running", "dropping aws
/// prices" and "leaving aws as the only option" go on about what is not.
bool is_all_that_is_left(const Sentence& sentence, std::size_t i) {
    return !sentence.follows(i) ||
           is_any(sentence.word(i),
                  "for to and because after since this next soon now entirely completely behind "
                  "with what whats which where how");
}

/// "off" or "from" at token `from` behind a verb of leaving: "moving our jobs off". To want, to get
/// or to go are none, but "get us off" is.
bool leaves_behind(const Sentence& sentence, std::size_t from) {
    constexpr std::size_t farthest = 6;
    bool direct = true;
    for (std::size_t i = from; i > 0 && from - i < farthest; --i) {
        const std::string_view word = sentence.word(i - 1);
        if (is_any(word,
                   "away move moving moved migrate migrating migrated migration switch switching "
                   "switched wean weaning transition transitioning")) {
            return true;
        }
        if (direct && is_any(word, "get getting") && is_any(sentence.word(from), "off of")) {
            return true;
        }
        // "moving to 8 h100 from lambda": where they come from
        if (is_any(word, "rent renting rents buy buying price prices offer offers % percent") ||
            (word == "to" && has_digit(sentence.word(i)))) {
            return false;
        }
        direct = direct && is_any(word, "us me everything out all our stuff");
    }
    return false;
}

/// "leaving aws", "moving our jobs off runpod", "switching from lambda to ...": the provider at
/// token `at` is where the work is now. Where the two are weighed it is asked about.
bool is_left_behind(const Sentence& sentence, std::size_t at) {
    const auto provider = std::ranges::find_if(sentence.marks, [at](const Mark& mark) {
        return mark.means == Means::provider && mark.at == at;
    });
    if (provider == sentence.marks.end() || sentence.has(Means::versus) ||
        sentence.any_word("or save saves saved saving savings difference worth")) {
        return false;
    }
    const std::size_t from =
        first_of_words(sentence, at, "the our my these its a expensive pricey costly");
    if (from == 0 || !sentence.follows(from)) {
        return false;
    }
    const std::string_view verb = sentence.word(from - 1);
    const bool left =
        verb == "left" && from > 1 && is_any(sentence.word(from - 2), "we i weve ive have just");
    if (left || is_any(verb,
                       "leave leaving leaves ditch ditching quit quitting dump dumping abandon "
                       "abandoning exit exiting drop dropping replace replacing")) {
        return is_all_that_is_left(sentence, at + provider->length);
    }
    const bool away = is_any(verb, "from off") ||
                      (verb == "of" && from > 1 && is_any(sentence.word(from - 2), "out off"));
    return away && leaves_behind(sentence, from - 1);
}

}  // namespace

bool is_unwanted_aim(const Sentence& sentence, std::size_t at, std::size_t length) {
    constexpr std::size_t farthest = 5;
    for (std::size_t i = at; i > 0 && at - i < farthest && sentence.follows(i); --i) {
        if (ends_denied_wish(sentence, i - 1)) {
            return true;
        }
        if (!is_any(sentence.word(i - 1),
                    "a the any about for of it to be really very particularly especially have "
                    "low high fast super ultra")) {
            break;
        }
    }
    return ends_in_indifference(sentence, at + length);
}

bool is_ruled_out(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = at; i > 0 && sentence.follows(i); --i) {
        if (ends_negation(sentence, i - 1)) {
            return true;
        }
        if (!is_any(
                sentence.word(i - 1),
                "any the a an our use using need want with for of considering counting instance "
                "instances going go to paying relying on")) {
            return false;
        }
    }
    return false;
}

bool is_negated(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t farthest = 9;
    for (std::size_t i = at; i > 0 && at - i < farthest; --i) {
        if (ends_negation(sentence, i - 1)) {
            return true;
        }
        // "not on aws: cheapest ..." says how it is to be behind the colon, "none from: aws" not.
        const bool listed = is_listed(sentence, i - 1);
        if ((listed && parted_by_colon(sentence, i)) ||
            (!listed && !is_bridge(sentence.word(i - 1)) && !is_listed_part(sentence, i - 1))) {
            break;
        }
    }
    return is_denied_behind(sentence, at) || is_left_behind(sentence, at);
}

}  // namespace ridgeline::reading
