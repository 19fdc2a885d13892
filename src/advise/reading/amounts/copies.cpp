#include "advise/hardware/desk.h"
#include "advise/reading/amounts/rates.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/numbers/count_words.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

// Several of the same at once on one hardware ("3 replicas", "4 finetunes in parallel"), and one
// more of what is there ("a third 3090").

namespace ridgeline::reading {

bool happen_together(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i),
                   "simultaneously concurrently parallel simultaneous concurrent") ||
            (sentence.word(i) == "at" && sentence.word(i + 1) == "once") ||
            (sentence.word(i) == "same" && is_any(sentence.word(i + 1), "time moment")) ||
            (sentence.word(i) == "side" && sentence.word(i + 1) == "by")) {
            return true;
        }
    }
    return false;
}

namespace {

bool is_copy(std::string_view word) { return is_any(word, "replicas replica copies duplicates"); }

/// "tp=2 or two replicas": copies that are weighed against one that is spread.
bool weighs_copies(const Sentence& sentence) {
    bool spread = false;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const bool glued = word == "tp" || (word.starts_with("tp") && word.size() <= 4 &&
                                            all_digits(word.substr(2)));
        spread =
            spread || glued || (word == "tensor" && sentence.word(i + 1).starts_with("parallel"));
    }
    return spread && sentence.any_word("or vs versus against than over");
}

bool is_run(std::string_view word) {
    return is_any(word, "trainings finetunes finetunings runs jobs experiments trials");
}

/// "3 different 7b models", "4 7b models loaded at once": served side by side on one hardware.
bool are_models_beside(const Sentence& sentence, std::size_t at, bool together) {
    if (sentence.word(at) != "models") {
        return false;
    }
    for (std::size_t i = at > 3 ? at - 3 : 0; i < sentence.tokens.size(); ++i) {
        together = together ||
                   (i < at && is_any(sentence.word(i), "different separate distinct")) ||
                   sentence.word(i) == "loaded" ||
                   (is_any(sentence.word(i), "one same single") &&
                    is_any(sentence.word(i + 1), "gpu card box machine server"));
    }
    return together;
}

/// "5 teams each running a finetune", "4 labs, each trains a 7b": as many runs, of those who are
/// counted by what they belong to; people by themselves are users.
bool match_runs_of_teams(Sentence& sentence, std::size_t at, bool together) {
    const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
    const std::size_t noun = at + (measure ? measure->length : 0);
    constexpr double most_teams = 64;
    const bool teams = measure && measure->unit.empty() && measure->value >= 2 &&
                       measure->value <= most_teams && sentence.follows(noun) &&
                       is_any(sentence.word(noun), "teams groups labs departments projects squads");
    const bool each = teams && near_words(sentence, noun + 1, noun + 4, "each every all own");
    const bool trains = sentence.any_word(
        "train trains training finetune finetunes finetuning finetuned tune tunes tuning lora "
        "qlora");
    if (!each || !together || !trains) {
        return false;
    }
    sentence.reading.copies = static_cast<int>(measure->value);
    sentence.marks.push_back({Means::train, "", at, 1});
    sentence.claim(at, noun + 1 - at);
    return true;
}

/// "3 replicas", "4 lora trainings at the same time": a number, up to two words, and what runs.
void match_copies(Sentence& sentence, std::size_t at, bool together) {
    constexpr double most = 64;
    const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
    if (!measure || !measure->unit.empty() || measure->value < 2 || measure->value > most ||
        measure->value != std::floor(measure->value)) {
        return;
    }
    constexpr int most_between = 3;  // words, beside the name of the model
    int words = 0;
    bool named = false;
    for (std::size_t i = at + 1; words < most_between && sentence.follows(i); ++i) {
        const bool sized = parameters_in(sentence.word(i)).has_value();
        if (sized || (i >= sentence.model_at && i < sentence.model_end)) {
            named = true;
            continue;
        }
        ++words;
        const bool tunes =
            sentence.word(i) == "fine" && is_any(sentence.word(i + 1), "tunes tunings");
        const bool training = sentence.word(i) == "training" && is_run(sentence.word(i + 1));
        const bool runs = together && (is_run(sentence.word(i)) || tunes || training);
        const bool instances = sentence.word(i) == "instances" && sentence.word(i + 1) == "of" &&
                               i + 2 == sentence.model_at;
        const bool models = named && are_models_beside(sentence, i, together);
        if (is_copy(sentence.word(i)) && weighs_copies(sentence)) {
            sentence.claim(at);
            sentence.claim(i);
            sentence.marks.push_back({Means::infer, "", i, 1});
            return;
        }
        if (is_copy(sentence.word(i)) || instances || runs || models) {
            sentence.reading.copies = static_cast<int>(measure->value);
            if (runs || models) {
                const bool trained =
                    runs || sentence.has(Means::train) || sentence.has(Means::tune);
                sentence.marks.push_back({trained ? Means::train : Means::infer, "", i, 1});
            }
            sentence.claim(at);
            return;
        }
        if (has_digit(sentence.word(i))) {
            return;
        }
    }
}

/// "how many 7b qlora jobs side by side", "how many sd 1.5 trainings in parallel": as many as the
/// hardware holds.
void match_open_copies(Sentence& sentence, std::size_t at, bool together) {
    const bool asked = at > 0 && ((sentence.word(at) == "many" && sentence.word(at - 1) == "how") ||
                                  (sentence.word(at) == "of" && sentence.word(at - 1) == "number"));
    constexpr std::size_t farthest = 7;
    for (std::size_t i = at + 1; asked && i < at + farthest && sentence.follows(i); ++i) {
        // "how many mig slices for 7b models", "how many 7b awq models fit on one h100"
        const auto sized = [&](std::size_t from, std::size_t to) {
            bool found = sentence.model_end > from && sentence.model_end <= to;
            for (std::size_t k = from; k < to; ++k) {
                found = found || parameters_in(sentence.word(k)).has_value();
            }
            return found;
        };
        const bool slices =
            is_any(sentence.word(i), "slices partitions") && sized(0, sentence.tokens.size());
        const bool models = sentence.word(i) == "models" && sized(at + 1, i);
        if (!sentence.mentions.empty() && (slices || models)) {
            sentence.marks.push_back({Means::ask, "largest_copies", i, 1});
            sentence.marks.push_back({Means::infer, "", i, 1});
            return;
        }
    }
    if (!asked || !together) {
        return;
    }
    bool trains = false;
    for (std::size_t i = at + 1; i < at + farthest && sentence.follows(i); ++i) {
        const bool tunes =
            sentence.word(i) == "fine" && is_any(sentence.word(i + 1), "tunes tunings");
        trains = trains ||
                 is_any(sentence.word(i), "lora qlora training finetuning finetune tuning full");
        if (is_any(sentence.word(i), "trainings finetunes finetunings") || tunes ||
            (trains && is_any(sentence.word(i), "jobs runs experiments trials processes"))) {
            sentence.marks.push_back({Means::ask, "largest_copies", i, 1});
            sentence.marks.push_back({Means::train, "", i, 1});
            sentence.claim(at - 1, 2);
            sentence.claim(i, tunes ? 2 : 1);
            return;
        }
    }
}

/// "third", "2nd": the place in a row; 0: none.
int ordinal_of(std::string_view word) {
    static constexpr std::pair<std::string_view, int> words[] = {
        {"second", 2}, {"2nd", 2}, {"third", 3}, {"3rd", 3}, {"fourth", 4}, {"4th", 4},
        {"fifth", 5},  {"5th", 5}, {"sixth", 6}, {"6th", 6}, {"eighth", 8}, {"8th", 8}};
    for (const auto& [name, place] : words) {
        if (name == word) {
            return place;
        }
    }
    return 0;
}

/// "per second", "tokens a second": a time, no place in a row.
bool is_period(const Sentence& sentence, std::size_t at) {
    for (const Mark& mark : sentence.marks) {
        if (mark.means == Means::ask && at >= mark.at && at < mark.at + mark.length) {
            return true;  // of a rate that is asked for
        }
    }
    const std::string_view before = at > 0 ? sentence.word(at - 1) : std::string_view();
    return is_any(before, "per each every") ||
           (is_any(before, "a in") && at > 1 && is_made(sentence.word(at - 2)));
}

/// Tokens from `at` on that are a card or a part, after a word of kind or maker: 0: there is none.
bool card_follows(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = at; i < at + 2 && sentence.follows(i); ++i) {
        if (is_any(sentence.word(i), "gpu card one accelerator")) {
            return true;
        }
        if (is_any(sentence.word(i), "on with for of in at from")) {
            return false;
        }
        for (const Mention& mention : sentence.mentions) {
            if (mention.at == i) {
                return true;
            }
        }
    }
    return false;
}

constexpr std::string_view adding_words = "add adding added adds install";

/// How many more there would be: "another", "a third", "4 more"; 0: token `at` tells of none.
int added_at(Sentence& sentence, std::size_t at, int there) {
    const std::string_view word = sentence.word(at);
    if (is_any(word, "another additional extra") ||
        (word == "more" && at > 0 && sentence.word(at - 1) == "one")) {
        return 1;
    }
    if (word == "more" && at > 1 && is_any(sentence.word(at - 2), adding_words)) {
        const auto number = whole_at(sentence, at - 1);
        return number.value_or(0);
    }
    const bool doubled =
        is_any(word, "double doubling") && is_any(sentence.word(at + 1), "my our the them it up");
    if (doubled) {
        return there;
    }
    const int place = is_period(sentence, at) ? 0 : ordinal_of(word);
    return std::max(0, place - there);
}

/// "adding a third card to my 2x 3090", "another 4090", "a second or an a6000": what is there
/// beside more of it, or against the other part that is named, unless it is asked whether so many
/// suffice.
void match_addition(Sentence& sentence, std::size_t at) {
    constexpr std::size_t most_parts = 3;
    auto& mentions = sentence.mentions;
    if (mentions.empty() || mentions.size() > most_parts || sentence.reading.second_card) {
        return;
    }
    const std::string_view word = sentence.word(at);
    const int place = ordinal_of(word);
    const int there = mentions.front().count.value_or(std::max(1, place - 1));
    const int added = added_at(sentence, at, there);
    const bool said = is_any(word, "another additional extra more double doubling");
    const bool adds = said || sentence.any_word(
                                  "add adding added adds get getting grab buy buying plus install "
                                  "help helps");
    // "add a second or swap": of what is there.
    const bool ends = is_any(sentence.word(at + 1), "or vs") || !sentence.follows(at + 1);
    const bool elliptic = ends && at > 1 && is_any(sentence.word(at - 1), "a one") &&
                          is_any(sentence.word(at - 2), adding_words);
    const bool whole = elliptic || is_any(word, "double doubling") ||
                       (word == "more" && at > 1 && is_any(sentence.word(at - 2), adding_words));
    if (added == 0 || !adds || !(whole || card_follows(sentence, at + 1))) {
        return;
    }
    const std::string name = mentions.front().name;
    const bool mine = sentence.has(Means::owned) || mentions.front().count || place > 0 ||
                      sentence.any_word("my our have own");
    const bool others =
        std::ranges::any_of(mentions, [&](const Mention& each) { return each.name != name; });
    const bool choice = sentence.has(Means::either) || sentence.has(Means::versus);
    if (!mine || (others && !choice)) {
        return;
    }
    // "another 3090": what is named again is the one that is added.
    mentions.erase(std::remove_if(mentions.begin() + 1, mentions.end(),
                                  [&](const Mention& each) { return each.name == name; }),
                   mentions.end());
    sentence.claim(at);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), adding_words)) {
            sentence.claim(i);
        }
    }
    Mention& owned = mentions.front();
    const bool suffices = sentence.asks("strong_fit") || sentence.asks("hardware");
    if (others || suffices) {
        owned.count = there + added;
        sentence.assume("count", std::to_string(there + added),
                        fmt::format("those that are there and {} more", added));
    } else {
        owned.count = there;
        Mention more = owned;
        more.count = there + added;
        mentions.push_back(std::move(more));
    }
    if (others || !suffices) {
        sentence.marks.push_back({Means::versus, "", at, 1});
    }
}

bool is_named(const Sentence& sentence, std::size_t at) {
    return std::ranges::any_of(
        sentence.mentions, [at](const Mention& each) { return at >= each.at && at < each.end; });
}

/// The card that goes beside what is there, from token `at` on: "second gpu", "another used card";
/// 0: what stands there is none, it is there already ("my second gpu"), or its name is told.
std::size_t further_card_at(const Sentence& sentence, std::size_t at) {
    const bool mine = at > 0 && is_any(sentence.word(at - 1), "my our his her their has have");
    if (!is_any(sentence.word(at), "another additional extra second 2nd third") || mine) {
        return 0;
    }
    const std::size_t noun = past_words(
        sentence, at + 1, "used cheap new good decent graphics video bigger smaller nvidia amd");
    const bool card = sentence.follows(noun) && !is_named(sentence, noun) &&
                      (is_any(sentence.word(noun), "gpu card cards accelerator") ||
                       is_any(sentence.word(noun - 1), "graphics video"));
    return card ? noun + 1 - at : 0;
}

/// "gpu to pair with my 3090", "card can i add to my 4090": a card that is to be joined to the one
/// that is named.
std::size_t paired_card_at(const Sentence& sentence, std::size_t at) {
    if (!is_any(sentence.word(at), "gpu card")) {
        return 0;
    }
    const std::size_t verb =
        past_words(sentence, at + 1, "can could should would do does will to i we you best well");
    if (!is_any(sentence.word(verb), "pair pairs add put go goes combine combines")) {
        return 0;
    }
    const std::size_t behind = past_words(sentence, verb + 1,
                                          "well best it with to beside alongside next in beside "
                                          "my our the a an one single existing current");
    const bool joined = behind > verb + 1 &&
                        (is_named(sentence, behind) || is_any(sentence.word(verb + 1), "it with"));
    return joined ? behind - at : 0;
}

/// "what second card for my 3090", "best gpu to pair with a 3090", "$600 for another card": what
/// goes beside the one that is there is sought, no more of the same and no word on whether to.
void match_partner(Sentence& sentence) {
    const auto& mentions = sentence.mentions;
    const bool named = mentions.size() == 1 && !mentions.front().parts.empty() &&
                       stands_at_a_desk(*mentions.front().parts.front()) &&
                       is_built_as(*mentions.front().parts.front(), "card");
    const bool mine = sentence.has(Means::owned) || sentence.any_word("my our have own got");
    // llama.cpp alone shares unlike cards well: text for one user.
    const auto model = sentence.named_architecture();
    const bool shared =
        !sentence.has(Means::train) && !sentence.has(Means::tune) &&
        (!sentence.has(Means::framework) || sentence.has(Means::framework, "llama.cpp")) &&
        sentence.reading.concurrency.value_or(1) == 1 && (!model || !model->stacks.empty());
    // Whether it helps, how much faster it gets, what runs then or what it draws is asked of more
    // of the same; what a card of another memory would do, of that one.
    const bool other_memory =
        named && sentence.reading.memory_gib &&
        *sentence.reading.memory_gib != mentions.front().parts.front()->marketed_gb;
    const bool weighed =
        sentence.has(Means::either) || sentence.has(Means::versus) || other_memory ||
        sentence.asks("what_can what_can_do largest_model throughput duration") ||
        sentence.any_word(
            "help helps worth faster difference gain speed speedup scale change "
            "instead replace swap benefit buys happens sell not dont tokens psu comfyui gaming "
            "watts lanes");
    if (!named || !mine || !shared || weighed) {
        return;
    }
    constexpr std::size_t farthest = 4;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t further = further_card_at(sentence, i);
        const std::size_t length = further > 0 ? further : paired_card_at(sentence, i);
        bool asked = sentence.reading.budget_usd || i <= 1;
        for (std::size_t k = i - std::min(i, farthest); k < sentence.tokens.size(); ++k) {
            asked =
                asked || is_any(sentence.word(k),
                                k < i ? "what which best recommend suggest find" : "what which");
        }
        if (length > 0 && asked) {
            sentence.reading.second_card = true;
            sentence.claim(i, length);
            for (std::size_t k = 0; k < i; ++k) {
                if (is_any(sentence.word(k), adding_words)) {
                    sentence.claim(k);
                }
            }
            return;
        }
    }
}

/// "from 4 to 8 a100, how much faster", "h100 8x vs 16x", "8 vs 16 h100": one part in two numbers.
void match_two_counts(Sentence& sentence) {
    if (sentence.mentions.size() != 1 || !sentence.mentions.front().count) {
        return;
    }
    Mention& part = sentence.mentions.front();
    std::optional<int> other;
    const bool grows = sentence.any_word(
        "double doubling faster quicker slower speedup gain scale scaling going go growing upgrade "
        "upgrading expand expanding difference times");
    if (sentence.between_counts && sentence.least_count && grows) {
        other = sentence.least_count;
        sentence.least_count.reset();
        sentence.between_counts = false;
    }
    const auto is_against = [&](std::size_t i) {
        return is_any(sentence.word(i), "vs versus against");
    };
    if (!other && is_against(part.end) && sentence.open(part.end + 1)) {
        const std::size_t behind = part.end + 2;
        const bool counts = behind >= sentence.tokens.size() || !sentence.follows(behind) ||
                            is_any(sentence.word(behind), "x of for gpus cards on to");
        other = counts ? whole_at(sentence, part.end + 1) : std::nullopt;
        if (other) {
            sentence.claim(part.end, sentence.word(behind) == "x" ? 3 : 2);
        }
    }
    constexpr std::size_t most_between = 4;  // "8 vs 16 x h100"
    for (std::size_t i = part.at; !other && i > 1 && part.at - i < most_between; --i) {
        const std::size_t number = sentence.word(i - 2) == "x" && i > 2 ? i - 3 : i - 2;
        if (is_against(i - 1) && sentence.open(number)) {
            other = whole_at(sentence, number);
            if (other) {
                sentence.claim(number, i - number);
            }
        }
    }
    if (!other || *other == *part.count) {
        return;
    }
    Mention second = part;
    second.count = std::max(*other, *part.count);
    part.count = std::min(*other, *part.count);
    sentence.marks.push_back({Means::versus, "", part.at, 1});
    sentence.mentions.push_back(std::move(second));
}

/// "how many 4090s equal one h100": one of each is compared.
void match_equivalents(Sentence& sentence) {
    auto& mentions = sentence.mentions;
    if (mentions.size() != 2 || mentions[0].name == mentions[1].name || mentions[0].count ||
        mentions[1].count.value_or(1) != 1) {
        return;
    }
    const Mention& first = mentions[0].at < mentions[1].at ? mentions[0] : mentions[1];
    const Mention& second = mentions[0].at < mentions[1].at ? mentions[1] : mentions[0];
    bool asked = false;
    for (std::size_t i = 2; i <= first.at; ++i) {
        asked = asked || (sentence.word(i - 1) == "many" && sentence.word(i - 2) == "how" &&
                          first.at - i < 2);
    }
    for (std::size_t i = first.end; asked && i < second.at; ++i) {
        if (is_any(sentence.word(i),
                   "equal equals match matches matching replace replaces equivalent beat beats "
                   "substitute")) {
            mentions[0].count = mentions[1].count = 1;
            sentence.marks.push_back({Means::versus, "", i, 1});
            sentence.claim(i);
            return;
        }
    }
}

}  // namespace

void recognise_copies(Sentence& sentence) {
    const bool together = happen_together(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.reading.copies) {
            if (match_runs_of_teams(sentence, i, together)) {
                continue;
            }
            match_copies(sentence, i, together);
            match_open_copies(sentence, i, together);
        }
    }
}

void recognise_additions(Sentence& sentence) {
    match_partner(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        match_addition(sentence, i);
    }
    match_two_counts(sentence);
    match_equivalents(sentence);
}

}  // namespace ridgeline::reading
