#include "advise/reading/amounts/crowds.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

// Tokens that all requests of a period read and write: "60M input and 12M output tokens per day",
// "daily: 100M in, 20M out". None of them is the length of one answer.

namespace ridgeline::reading {
namespace {

enum class Way { open, in, out, both };

struct Volume {
    double tokens = 0;
    Way way = Way::open;
    double period_s = 0;  ///< 0: none stands beside it
    bool named = false;   ///< "tokens" was said
    std::size_t at = 0;
    std::size_t end = 0;
};

Way way_of(std::string_view word) {
    if (is_any(word, "in input inputs prompt prompts read reads reading ingest prefill")) {
        return Way::in;
    }
    return is_any(word,
                  "out output outputs completion completions generated generate generates "
                  "generating generation answer answers response responses "
                  "write writes written produce produces replies decode")
               ? Way::out
               : Way::open;
}

bool is_token(std::string_view word) { return is_any(word, "token tokens tok toks"); }

/// "in a week", "in 30 days": until when, no way.
bool is_until(const Sentence& sentence, std::size_t at) {
    const std::string_view next = sentence.word(at + 1);
    return sentence.word(at) == "in" &&
           (is_any(next, "a an one the under about less") ||
            (!next.empty() && is_digit(next.front()) && seconds_of(sentence.word(at + 2)) > 0));
}

/// "in total", "input and output", "through the model": words that tell of what is read and written
/// together; 0: there are none.
std::size_t words_of_both(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const std::string_view next = sentence.follows(at + 1) ? sentence.word(at + 1) : "";
    if (word == "in" && is_any(next, "total all")) {
        return 2;
    }
    const Way first = way_of(word);
    const Way second = sentence.follows(at + 2) ? way_of(sentence.word(at + 2)) : Way::open;
    if (first != Way::open && second != Way::open && first != second &&
        is_any(next, "and plus + &")) {
        return 3;
    }
    return is_any(word, "total combined altogether through") ? 1 : 0;
}

/// Takes the words from the volume's end on that say what it is: "input tokens", "tokens per day
/// out".
void take_words_behind(const Sentence& sentence, Volume& volume) {
    constexpr double shortest_s = 60;  // what a second has is a speed
    while (sentence.follows(volume.end) && sentence.open(volume.end)) {
        const std::string_view word = sentence.word(volume.end);
        const auto [seconds, length] = load_period_at(sentence, volume.end);
        if (volume.period_s == 0 && seconds >= shortest_s) {
            volume.period_s = seconds;
            volume.end += length;
        } else if (word == "tpm") {
            volume.period_s = 60;
            volume.named = true;
            ++volume.end;
        } else if (const std::size_t both = words_of_both(sentence, volume.end);
                   both > 0 && volume.way == Way::open) {
            volume.way = Way::both;
            volume.end += both;
        } else if (is_until(sentence, volume.end)) {
            return;
        } else if (is_any(word, "words word") && !volume.named) {
            constexpr double tokens_of_a_word = 4.0 / 3;
            volume.tokens *= tokens_of_a_word;
            volume.named = true;
            ++volume.end;
        } else if (is_token(word) || way_of(word) != Way::open ||
                   is_any(word, "of go goes come comes coming going each")) {
            volume.named = volume.named || is_token(word);
            volume.way = volume.way == Way::open ? way_of(word) : volume.way;
            ++volume.end;
        } else {
            return;
        }
    }
}

/// "generate 20M", "input 40M", "answers total 1M": a word before the number.
void take_words_before(const Sentence& sentence, Volume& volume) {
    std::size_t i = volume.at;
    while (i > 0 && volume.at - i < 2 && sentence.follows(i) &&
           is_any(sentence.word(i - 1), "total about around of some ~ of")) {
        --i;
    }
    if (volume.way == Way::open && i > 0 && sentence.follows(i) && sentence.open(i - 1)) {
        if (is_any(sentence.word(i - 1), "process processes processing handle handles handling")) {
            volume.way = Way::both;
            return;
        }
        volume.way = way_of(sentence.word(i - 1));
        volume.at = volume.way == Way::open ? volume.at : i - 1;
    }
}

/// "60M/12M input/output tokens per day": two numbers before the words of both.
bool add_pair(const Sentence& sentence, std::size_t at, std::size_t behind,
              std::vector<Volume>& volumes) {
    const bool slashed =
        behind < sentence.tokens.size() && sentence.tokens[behind].gap == Gap::slash;
    const auto second =
        slashed && sentence.open(behind) ? measure_at(sentence, behind) : std::nullopt;
    if (!second || !second->unit.empty()) {
        return false;
    }
    Volume out{.tokens = second->value, .at = behind, .end = behind + second->length};
    Volume in{.tokens = measure_at(sentence, at)->value, .way = Way::in, .at = at, .end = behind};
    take_words_behind(sentence, out);
    if (out.way != Way::in) {
        return false;  // "in/out" is their order
    }
    out.way = Way::out;
    volumes.push_back(in);
    volumes.push_back(out);
    return true;
}

std::vector<Volume> volumes_of(const Sentence& sentence) {
    constexpr double fewest = 1000;
    std::vector<Volume> volumes;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto measure = sentence.open(i) ? measure_at(sentence, i) : std::nullopt;
        if (!measure || !measure->unit.empty() || measure->negative || measure->value < fewest) {
            continue;
        }
        if (add_pair(sentence, i, i + measure->length, volumes)) {
            i = volumes.back().end - 1;
            continue;
        }
        Volume volume{.tokens = measure->value, .at = i, .end = i + measure->length};
        take_words_behind(sentence, volume);
        take_words_before(sentence, volume);
        if (volume.named || volume.way != Way::open) {
            volumes.push_back(volume);
        }
        i = volume.end > i + 1 ? volume.end - 1 : i;
    }
    return volumes;
}

/// "per day 8M tokens input", "daily: 100M in", "a day we read 45M tokens": a period before the
/// first, and its tokens.
double period_before_first(Sentence& sentence, std::size_t first) {
    constexpr std::size_t farthest = 6;
    for (std::size_t i = first - std::min(first, farthest); i < first; ++i) {
        if (!sentence.open(i)) {
            continue;  // "under 3 dollars per hour" has its own
        }
        const std::string_view word = sentence.word(i);
        const double seconds = is_any(word, "daily") ? 86400
                               : word == "hourly"    ? 3600
                               : word == "weekly"    ? 7 * 86400
                               : word == "monthly"   ? 30 * 86400
                                                     : 0;
        if (seconds > 0) {
            sentence.claim(i);
            return seconds;
        }
        // "pages per hour, 1500 tokens in": so often that is done.
        const bool of_load = i > 0 && sentence.follows(i) && is_load(sentence.word(i - 1));
        const bool article = !of_load && is_any(word, "per a an each every");
        const double spelt = article ? seconds_of(sentence.word(i + 1)) : 0;
        if (spelt >= 60) {
            sentence.claim(i, 2);
            return spelt;
        }
    }
    return 0;
}

/// Requests of the usual lengths that read and write so much a second together.
void take_total_rate(Sentence& sentence, double all) {
    Reading& reading = sentence.reading;
    const Serving usual;
    const double in = reading.input_tokens.value_or(usual.input_tokens);
    const double out = reading.output_tokens.value_or(usual.output_tokens);
    reading.requests_per_s = all / (in + out);
    sentence.assume("requests_per_s", fmt::format("{:.3g}", *reading.requests_per_s),
                    fmt::format("{:.3g} tokens a second in requests that read {:g} and write {:g}",
                                all, in, out));
}

/// Requests of the usual answer that read and write so much a second.
void take_rates(Sentence& sentence, double in, double out) {
    Reading& reading = sentence.reading;
    const Serving usual;
    const double answer = reading.output_tokens.value_or(usual.output_tokens);
    const double rate = out > 0 ? out / answer : in / usual.input_tokens;
    reading.requests_per_s = rate;
    if (in > 0) {
        reading.input_tokens = std::max(1, static_cast<int>(std::llround(in / rate)));
        sentence.assume("input_tokens", std::to_string(*reading.input_tokens),
                        "so much is read for each answer");
    }
    sentence.assume(
        "requests_per_s", fmt::format("{:.3g}", rate),
        in > 0 && out > 0
            ? fmt::format("{:.3g} tokens a second are read, {:.3g} are written in answers of {:g}",
                          in, out, answer)
        : in > 0 ? fmt::format("{:.3g} tokens a second are read in prompts of {:g}", in,
                               usual.input_tokens)
                 : fmt::format("{:.3g} tokens a second in answers of {:g}", out, answer));
}

/// "2 billion input tokens and 400 million output": of a pile of work what is read for each usual
/// answer; what is written is its length.
void take_pile(Sentence& sentence, const std::vector<Volume>& volumes) {
    constexpr double least_pile = 1e6;
    const auto goes = [&](Way way) { return std::ranges::count(volumes, way, &Volume::way) == 1; };
    if (volumes.size() != 2 || !goes(Way::in) || !goes(Way::out)) {
        return;
    }
    const Volume& in = volumes[volumes[0].way == Way::in ? 0 : 1];
    const Volume& out = volumes[volumes[0].way == Way::in ? 1 : 0];
    if (in.tokens < least_pile || out.tokens < least_pile) {
        return;
    }
    Reading& reading = sentence.reading;
    const double answer = reading.output_tokens.value_or(Serving{}.output_tokens);
    const double each = std::max(1.0, std::round(in.tokens / (out.tokens / answer)));
    reading.input_tokens = static_cast<int>(std::min(each, 1e6));
    reading.tokens = out.tokens;
    reading.writes_tokens = true;
    sentence.assume("input_tokens", std::to_string(*reading.input_tokens),
                    fmt::format("{:.3g} tokens are read for each that is written, in answers of "
                                "{:g}",
                                in.tokens / out.tokens, answer));
    sentence.marks.push_back({Means::infer, "", in.at, 1});
    sentence.claim(in.at, in.end - in.at);
    sentence.claim(out.at, out.end - out.at);
}

/// "(80% input)", "20 percent output": the share of all tokens that is read; 0: none was said.
double share_read(Sentence& sentence) {
    double read = 0;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto share = sentence.open(i) ? measure_at(sentence, i) : std::nullopt;
        if (!share || share->value <= 0 || share->value >= 100) {
            continue;
        }
        const std::size_t end = i + share->length;
        const bool apart = is_any(sentence.word(end), "% percent");
        const std::size_t noun = end + (apart ? 1 : 0);
        const Way way = way_of(sentence.word(noun));
        if ((apart || is_any(share->unit, "% percent")) && way != Way::open) {
            read = way == Way::in ? share->value / 100 : 1 - share->value / 100;
            sentence.claim(i, noun + 1 - i);
        }
    }
    return read;
}

}  // namespace

void recognise_volumes(Sentence& sentence) {
    std::vector<Volume> volumes = volumes_of(sentence);
    if (volumes.empty() ||
        sentence.any_word("train training pretrain pretraining finetune finetuning")) {
        return;  // what a run learns from a day is no load
    }
    const auto own = std::find_if(volumes.rbegin(), volumes.rend(),
                                  [](const Volume& each) { return each.period_s > 0; });
    const bool named = std::any_of(volumes.begin(), volumes.end(),
                                   [](const Volume& each) { return each.named; }) ||
                       volumes.size() > 1;
    constexpr double month_s = 30 * 86400.0;
    double period_s = !named                  ? 0
                      : own != volumes.rend() ? own->period_s
                                              : period_before_first(sentence, volumes.front().at);
    // "$4k a month to an API for 300M tokens in and 60M out": what the bill of a month is of.
    if (named && period_s <= 0 && sentence.reading.api_usd_per_month) {
        period_s = month_s;
    }
    if (period_s <= 0) {
        return take_pile(sentence, volumes);
    }
    // What is translated is written as long as it is read.
    const bool twice = sentence.any_word("translate translates translating translation");
    double in = 0;
    double out = 0;
    double both = 0;
    for (const Volume& volume : volumes) {
        if (volume.period_s == 0 && volume.way == Way::open && volumes.size() > 1) {
            continue;  // a length of something else
        }
        // Tokens of no side are all of them: an API bills what it reads as well.
        const double rate = volume.tokens / (volume.period_s > 0 ? volume.period_s : period_s);
        const bool translated = twice && volume.way == Way::open;
        in += volume.way == Way::in || translated ? rate : 0;
        out += volume.way == Way::out || translated ? rate : 0;
        both += volume.way == Way::both || (volume.way == Way::open && !translated) ? rate : 0;
        sentence.claim(volume.at, volume.end - volume.at);
    }
    sentence.marks.push_back({Means::infer, "", volumes.front().at, 1});
    const double read = both > 0 && in + out == 0 ? share_read(sentence) : 0;
    if (read > 0) {
        take_rates(sentence, read * both, (1 - read) * both);
    } else if (both > 0 && in + out == 0) {
        take_total_rate(sentence, both);
    } else {
        take_rates(sentence, in, out + both);
    }
}

}  // namespace ridgeline::reading
