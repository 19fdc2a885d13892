#include "advise/reading/hardware/possession.h"

#include "advise/hardware/desk.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Hardware that is there already, and what replaces it.

namespace ridgeline::reading {
namespace {

/// Words that end the reach of "my": what stands behind them is work, money, or another thing of
/// one's own.
bool ends_possession(const Token& token) {
    return is_any(token.text,
                  "$ to dollars dolares dollari budget usd eur k about been no "
                  // "should our startup purchase a dgx"
                  "purchase purchasing buy buying lease bill bills spend spending invoice order "
                  "country region area city town provider "
                  // "our own images on a rented a6000"
                  "rented images pictures photos documents data dataset how which what");
}

/// Whether "my" before token `from` reaches token `to`.
bool possession_reaches(const Sentence& sentence, std::size_t from, std::size_t to) {
    constexpr std::size_t farthest = 5;
    if (to < from || to - from > farthest) {
        return false;
    }
    const bool work = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
        const bool works = mark.means == Means::model_word || mark.means == Means::train ||
                           mark.means == Means::tune ||
                           (mark.means == Means::infer && mark.value.empty());
        return works && mark.at >= from && mark.at < to;
    });
    return !work &&
           std::none_of(sentence.tokens.begin() + static_cast<std::ptrdiff_t>(from),
                        sentence.tokens.begin() + static_cast<std::ptrdiff_t>(to), ends_possession);
}

/// "my 3090", "a 3090 that i bought": hardware by its name.
bool owns_named(const Sentence& sentence, const Mark& mark) {
    return std::ranges::any_of(sentence.mentions, [&](const Mention& mention) {
        return possession_reaches(sentence, mark.at + mark.length, mention.at) ||
               (mark.at >= mention.end && mark.at - mention.end <= 12 &&
                sentence.word(mark.at) == "bought");
    });
}

/// "my 24 gb", "our cluster": hardware without its name.
bool owns_unnamed(const Sentence& sentence, const Mark& mark) {
    const std::size_t end = mark.at + mark.length;
    for (std::size_t i = end; i < std::min(sentence.tokens.size(), end + 5); ++i) {
        const bool memory = sentence.reading.memory_gib && (memory_piece(sentence.word(i)) > 0 ||
                                                            is_any(sentence.word(i), "gb vram"));
        const bool gpu = is_any(sentence.word(i),
                                "gpu gpus card cards cluster rig workstation laptop mac macbook");
        if ((memory || gpu) && possession_reaches(sentence, end, i)) {
            return true;
        }
    }
    return false;
}

/// "3090s": a plural without a number.
bool is_plural_number(std::string_view word) {
    return word.ends_with('s') && word.size() > 4 && is_digit(word[word.size() - 2]);
}

/// "is my 1080 ti still good enough, or upgrade?" asks of what is there.
bool is_last_resort(const Sentence& sentence) {
    constexpr std::size_t most_between = 5;  // "or do i need to upgrade"
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const bool goes = is_any(sentence.word(i), "upgrade replace upgrading");
        for (std::size_t back = 1; goes && back <= std::min(i, most_between); ++back) {
            if (sentence.word(i - back) == "or") {
                return true;
            }
        }
    }
    return false;
}

/// "which card", "what should i buy", "the next step up" behind the part; "what can it run" asks of
/// the part itself.
bool seeks_another(const Sentence& sentence, std::size_t from) {
    const bool adds = sentence.any_word("add adding second additional another");
    for (std::size_t i = from; i + 1 < sentence.tokens.size() && !adds; ++i) {
        const std::string_view next = sentence.word(i + 1);
        if (is_any(sentence.word(i), "which what") &&
            (is_any(next, "card gpu cards gpus machine hardware laptop mac else next computer") ||
             (is_any(next, "should to do would") &&
              near_words(sentence, i + 2, i + 6, "buy get upgrade purchase pick take go rent")))) {
            return true;
        }
        if ((sentence.word(i) == "next" && is_any(next, "step card gpu one")) ||
            (sentence.word(i) == "looking" && next == "for") ||
            (sentence.word(i) == "too" && is_any(next, "small slow weak") &&
             sentence.any_word("cheapest best which what"))) {
            return true;
        }
    }
    return false;
}

/// "have a 4070, want flux to run without offloading, which card", "from a 6800 to what".
bool is_outgrown(const Sentence& sentence, const Mention& mention) {
    constexpr std::size_t reach = 3;
    const std::size_t first = mention.at - std::min(mention.at, reach);
    // "spend 1M on b200, what do I get": money goes there, nothing stands there yet.
    constexpr std::size_t phrase = 6;
    const bool spent = near_words(sentence, mention.at - std::min(mention.at, phrase), mention.at,
                                  "spend spending invest investing splurge budget");
    const bool there =
        near_words(sentence, first, mention.at,
                   spent ? "have got own my our ive weve currently using running old"
                         : "have got own my our ive weve currently using running on old") ||
        (sentence.follows(mention.end) && is_any(sentence.word(mention.end), "owner now"));
    const bool from = near_words(sentence, first, mention.at, "from") &&
                      sentence.word(mention.end) == "to" &&
                      is_any(sentence.word(mention.end + 1), "what which something");
    return from || (there && seeks_another(sentence, mention.end));
}

/// "upgrade from a 3070", unless the part stands behind "to".
bool is_what_goes(const Sentence& sentence, const Mention& mention) {
    for (std::size_t i = mention.at - std::min<std::size_t>(mention.at, 3); i < mention.at; ++i) {
        if (is_any(sentence.word(i),
                   "from replace replaces replacing replacement successor swap swapping retire "
                   "retiring "
                   "phase out off leaving outgrown outgrew remplacer ersetzen "
                   "ersatz my our own have got currently using running old older aging ageing "
                   "dying dead than")) {
            return sentence.word(mention.at - 1) != "to" ||
                   is_any(sentence.word(i), "successor replacement");  // "the successor to a T4"
        }
    }
    return false;
}

/// "coming from a 1080 ti", "moving on from 2x T4", "currently on colab, what gpu": what is left
/// behind, unless where it goes to is named too.
bool is_left_behind(const Sentence& sentence, const Mention& mention) {
    std::size_t i = mention.at;
    const auto describes = [&](std::size_t at) {
        return is_any(sentence.word(at),
                      "a an x my our the old single pair of some aging two four") ||
               all_digits(sentence.word(at));
    };
    while (i > 0 && sentence.follows(i) && describes(i - 1)) {
        --i;
    }
    if (i >= 2 && sentence.word(i - 1) == "on" && sentence.word(i - 2) == "currently") {
        return sentence.asks("hardware") || sentence.has(Means::gpu);
    }
    // "moving off g4dn.xlarge"
    const bool off = i >= 2 && sentence.word(i - 1) == "off" &&
                     is_any(sentence.word(i - 2), "moving move migrating migrate getting get");
    if (off) {
        return !is_any(sentence.word(mention.end), "to vs versus or onto");
    }
    if (i < 2 || sentence.word(i - 1) != "from") {
        return false;
    }
    const std::size_t verb =
        is_any(sentence.word(i - 2), "on away over up") && i > 2 ? i - 3 : i - 2;
    return is_any(sentence.word(verb),
                  "coming come moving move migrating migrate switching switch "
                  "transitioning upgrading stepping graduating") &&
           !is_any(sentence.word(mention.end), "to vs versus or");
}

enum class Lack { none, speed, memory };

/// "is too slow", "not fast enough", "takes forever": speed; "too small", "not enough", "runs out
/// of memory": memory; said behind token i.
Lack lack_behind(const Sentence& sentence, std::size_t i) {
    constexpr std::size_t farthest = 4;
    for (const std::size_t end = i + farthest; i < end && sentence.follows(i); ++i) {
        const std::string_view word = sentence.word(i);
        const std::string_view next = sentence.word(i + 1);
        if ((word == "too" && is_any(next, "slow weak")) ||
            (is_any(next, "fast quick") && is_any(word, "not isnt arent") &&
             sentence.word(i + 2) == "enough") ||
            (is_any(word, "takes take") && is_any(next, "forever ages too")) ||
            (is_any(word, "cant cannot doesnt dont wont not") && next == "keep" &&
             sentence.word(i + 2) == "up") ||
            (is_any(word, "struggles struggle struggling lags lag")) ||
            (is_any(word, "falls fall falling") && next == "behind")) {
            return Lack::speed;
        }
        if ((word == "too" && is_any(next, "small little tight")) ||
            (is_any(word, "not isnt arent") && (next == "enough" || next == "cutting")) ||
            (is_any(word, "runs run ran running") && next == "out" &&
             is_any(sentence.word(i + 3), "memory vram")) ||
            is_any(word, "oom ooms ooming") ||
            (is_any(word, "go goes going went keeps") && is_any(next, "oom oomed ooming"))) {
            return Lack::memory;
        }
        if (!is_any(word,
                    "is are was vram memory of gpu card gb just really way seems feels much now")) {
            return Lack::none;
        }
    }
    return Lack::none;
}

/// "kaggle isnt enough anymore (2xT4)": what is said of a notebook is said of its cards, which
/// stand behind it.
Lack lack_of_notebook(const Sentence& sentence, const Mention& mention) {
    for (std::size_t i = 0; i < mention.at; ++i) {
        if (is_any(sentence.word(i), "kaggle colab")) {
            return lack_behind(sentence, i + 1);
        }
    }
    return Lack::none;
}

/// "what now", "which card instead", "what do i need", "what's faster": something in its place is
/// wanted.
bool seeks_instead(const Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const std::string_view next = sentence.word(i + 1);
        const bool asks =
            is_any(sentence.word(i), "what which") &&
            is_any(next, "now next else should do to card cards gpu gpus faster would hardware");
        if (asks ||
            (is_any(sentence.word(i), "whats what") &&
             near_words(sentence, i + 1, i + 3, "faster better next bigger")) ||
            (is_any(sentence.word(i), "which what") &&
             near_words(sentence, i + 1, i + 4, "next")) ||
            (sentence.word(i) == "next" && is_any(next, "option step one card gpu")) ||
            (is_any(sentence.word(i), "new another bigger faster") &&
             is_any(next, "card gpu one"))) {
            return true;
        }
    }
    return sentence.any_word("instead upgrade replacement");
}

/// More memory than the part has, no slower than its own.
void look_for_better(Sentence& sentence, const Mention& mention, Lack lack) {
    Reading& reading = sentence.reading;
    const Accelerator* part = mention.parts.empty() ? nullptr : mention.parts.front();
    const bool desk = part != nullptr && stands_at_a_desk(*part);
    reading.replaced = mention.name;
    reading.replaced_count = mention.count.value_or(1);
    reading.owned = false;
    if (part != nullptr && part->vendor == "Apple") {
        // "my macbook m1 cannot": nobody said that another Mac is wanted.
        std::erase(reading.vendors, "apple");
        std::erase_if(reading.require,
                      [](const std::string& each) { return each.starts_with("mac"); });
    }
    reading.home = reading.home || desk;
    reading.replaced_by_equal = part != nullptr && lack == Lack::none &&
                                sentence.any_word("same equal match matching equivalent") &&
                                sentence.any_word("throughput speed performance fast pace rate");
    if (reading.replaced_by_equal) {
        reading.replaced = part->id;
        sentence.assume("replaced", fmt::format("{} x {}", reading.replaced_count, part->id),
                        "what does the work as fast as all of it is looked for");
        return;
    }
    const double gb = part == nullptr ? 0 : part->marketed_gb;
    reading.replaced_bytes_per_s = part == nullptr ? 0 : part->memory_bandwidth.base();
    reading.replaced_is_slow = lack == Lack::speed;
    reading.replaced_gb =
        lack == Lack::none && reading.replaced_count > 1 ? reading.replaced_count * gb : 0;
    if (reading.replaced_is_slow) {
        reading.objective.reset();  // "not fast enough" asks for faster, not for the fastest
    }
    sentence.assume("replaced", mention.name,
                    lack == Lack::speed
                        ? "something at least half as fast again at this work is looked for"
                    : gb > 0 ? fmt::format("something with more than its {:g} GB and memory no "
                                           "slower than its {:.0f} GB/s is looked for",
                                           gb, reading.replaced_bytes_per_s / 1e9)
                             : "something better is looked for");
    const bool own_memory = reading.memory_gib && std::abs(*reading.memory_gib - gb) <=
                                                      memory_tolerance * gb;  // "a 4070 12gb"
    if (gb > 0 && (!reading.memory_gib || own_memory)) {
        // So that its own size is none of them, unless it is speed that lacks.
        reading.memory_gib = lack == Lack::speed ? gb : std::floor(gb) + 1;
        reading.memory_at_least = true;
    }
}

/// "8gb is not enough for it, which card": more than that.
void outgrow_memory(Sentence& sentence) {
    Reading& reading = sentence.reading;
    for (std::size_t i = 0; reading.memory_gib && !reading.memory_at_least &&
                            seeks_instead(sentence) && i < sentence.tokens.size();
         ++i) {
        const bool memory =
            memory_piece(sentence.word(i)) > 0 || is_any(sentence.word(i), "gb gig gigs vram");
        if (memory && lack_behind(sentence, i + 1) == Lack::memory) {
            reading.memory_gib = std::floor(*reading.memory_gib) + 1;
            reading.memory_at_least = true;
            reading.replaced = "a smaller card";
            constexpr double most_at_home_gb = 33;
            reading.home = reading.home || *reading.memory_gib < most_at_home_gb;
        }
    }
}

}  // namespace

namespace {

/// "get my own a6000 or cloud", "own an a6000 vs cloud", "should i own one": what is thought of is
/// not there yet.
bool is_wish_to_own(const Sentence& sentence, const Mark& mark) {
    std::size_t own = mark.at;
    while (own < mark.at + 2 && sentence.word(own) != "own") {
        ++own;
    }
    if (sentence.word(own) != "own") {
        return false;
    }
    const std::size_t before = first_of_words(sentence, own, "my our your a an");
    const std::string_view verb = before > 0 ? sentence.word(before - 1) : std::string_view();
    const bool got = is_any(verb, "get getting buy buying build building purchase purchasing");
    const bool asked = verb == "i" && before > 1 &&
                       is_any(sentence.word(before - 2), "should can could would do if when");
    const bool weighed = sentence.any_word("vs versus or rent cloud");
    const bool bare =
        before == own && ((own == 0 && weighed) || is_any(verb, "to or vs versus than"));
    return got || asked || bare;
}

}  // namespace

namespace {

/// "never owned a gpu", "dont have a 3090", "sold my 4090", "my first gpu": it is not there.
bool is_denied_possession(const Sentence& sentence, const Mark& mark) {
    const std::size_t behind = mark.at + mark.length;
    if (is_any(sentence.word(behind), "first next future nonexistent")) {
        return true;
    }
    std::size_t i = mark.at;
    while (i > 0 && sentence.follows(i) &&
           is_any(sentence.word(i - 1), "ever yet really currently actually even have i we")) {
        --i;
    }
    return i > 0 && sentence.follows(i) &&
           is_any(sentence.word(i - 1),
                  "never not dont doesnt didnt havent hasnt hadnt cant without nor no neither sold "
                  "selling lost");
}

}  // namespace

void take_owned(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (sentence.takes_cards) {
        return;  // "my pc's gpu": the computer is there, and a card is wanted
    }
    for (const Mark& mark : sentence.marks) {
        // "have 4 gtx 1070": who begins so speaks of himself.
        const bool person =
            mark.at == 0 || is_any(sentence.word(mark.at - 1), "i we already who now");
        // "we pay 9k a month, payback of own 8xA100": what would be one's own is not there yet.
        const bool wished = sentence.word(mark.at) == "own" && reading.usd_per_month &&
                            !(mark.at > 0 && is_any(sentence.word(mark.at - 1), "i we my our"));
        if (mark.means == Means::owned && (mark.value != "weak" || person) && !wished &&
            !is_wish_to_own(sentence, mark) && !is_denied_possession(sentence, mark)) {
            reading.owned =
                reading.owned || owns_named(sentence, mark) || owns_unnamed(sentence, mark);
        }
    }
    if (!reading.owned || sentence.mentions.size() != 1 || sentence.loose_count) {
        return;
    }
    Mention& mention = sentence.mentions.front();
    const bool plural = is_plural_number(sentence.word(mention.at)) ||
                        is_plural_number(sentence.word(mention.end - 1));
    if (!mention.count && !plural) {
        mention.count = 1;
    }
}

/// "have a 3080, 4080 super or used 3090?": what is there is neither of the two that are weighed.
static void leave_out_what_is_there(Sentence& sentence) {
    if (sentence.mentions.size() != 3 ||
        sentence.any_word("add adding second another both together alongside")) {
        return;
    }
    const auto between = [&](std::size_t first) {
        const Mention& one = sentence.mentions[first];
        return near_words(sentence, one.end, sentence.mentions[first + 1].at, "or vs versus");
    };
    const Mention& there = sentence.mentions.front();
    const bool owned = near_words(sentence, there.at - std::min<std::size_t>(there.at, 3), there.at,
                                  "have got own ive weve current currently my");
    if (owned && !between(0) && between(1)) {
        sentence.assume("there", there.name, "what is there already: the other two are weighed");
        sentence.mentions.erase(sentence.mentions.begin());
    }
}

void take_replacement(Sentence& sentence) {
    leave_out_what_is_there(sentence);
    const bool goes = sentence.any_word(
        "upgrade upgrading upgrades replace replaces replacing replacement successor outgrown "
        "outgrew newer "
        "retire retiring swap swapping migrate migrating migration decommission decommissioning "
        "phase dead dying remplacer ersetzen ersatz");
    if (sentence.mentions.empty()) {
        return outgrow_memory(sentence);
    }
    if (is_last_resort(sentence) || sentence.mentions.size() != 1 || sentence.reading.second_card) {
        return;
    }
    const Mention& mention = sentence.mentions.front();
    Lack lack = Lack::none;
    if (seeks_instead(sentence)) {
        lack = lack_behind(sentence, mention.end);
        lack = lack == Lack::none ? lack_of_notebook(sentence, mention) : lack;
    }
    if (!(goes && is_what_goes(sentence, mention)) && !is_outgrown(sentence, mention) &&
        !is_left_behind(sentence, mention) && lack == Lack::none) {
        return;
    }
    look_for_better(sentence, mention, lack);
    std::erase(sentence.reading.unknown_names, mention.name);
    std::erase(sentence.reading.unknown_parts, mention.name);
    sentence.mentions.clear();
}

}  // namespace ridgeline::reading
