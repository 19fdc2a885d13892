#include "advise/reading/amounts/crowds.h"

#include "advise/reading/amounts/cameras.h"
#include "advise/reading/amounts/pictures.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/amounts/teams.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

// Loads that are told by the words around a number: "25 calls at once", "8 typing at the same
// moment", "40 users x 8k", "pp512/tg128".

namespace ridgeline::reading {

bool is_load(std::string_view word) {
    return is_any(
        word,
        "docs documents pages images pics pictures photos requests queries calls transcriptions "
        "embeddings inferences predictions "
        "prompts messages emails tickets completions generations summaries translations "
        "classifications videos clips files invoices "
        "descriptions reviews reports articles posts comments transactions letters forms contracts "
        "notes pdfs books chapters "
        "abstracts frames questions answers jobs searches records sentences tweets texts passages "
        "essays resumes cvs paragraphs captions headlines scans volumes slices chunks snippets");
}

std::pair<double, std::size_t> load_period_at(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return {0, 0};
    }
    const std::string_view word = sentence.word(at);
    if (word == "daily" || word == "hourly") {
        return {word == "daily" ? 86400.0 : 3600.0, 1};
    }
    if (sentence.tokens[at].gap == Gap::slash && seconds_of(word) > 0) {
        return {seconds_of(word), 1};
    }
    const bool article = is_any(word, "per a an each every by");
    const double seconds = article ? seconds_of(sentence.word(at + 1)) : 0;
    return {seconds, seconds > 0 ? 2U : 0U};
}

bool counts_no_load(const Sentence& sentence, std::size_t i) {
    return is_any(sentence.word(i),
                  "gpu gpus card cards nodes models loras epochs gb gib token tokens tok bit bits "
                  "x steps accelerators copies hours days word words "
                  "months weeks percent % layers how") ||
           seconds_of(sentence.word(i)) > 0;
}

namespace {

/// Tokens of a phrase from `at` on that says that things happen together; 0: there is none.
std::size_t together_length(const Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    if (is_any(word, "simultaneously concurrently")) {
        return 1;
    }
    if (word == "at" && sentence.word(at + 1) == "once") {
        return 2;
    }
    if (word == "in" && sentence.word(at + 1) == "parallel") {
        return 2;
    }
    const std::size_t noun = at + (sentence.word(at + 2) == "same" ? 3 : 2);
    return word == "at" && is_any(sentence.word(at + 1), "a the any one") &&
                   is_any(sentence.word(noun), "time moment instant")
               ? noun + 1 - at
               : 0;
}

/// "25 calls at once": a whole number, up to three words, and that they come together.
bool match_together(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty() || measure->value < 1 ||
        parameters_in(sentence.word(at)) || measure->value != std::floor(measure->value)) {
        return false;
    }
    const std::size_t first = at + measure->length;
    // "500 concurrent calls"
    if (is_any(sentence.word(first), "concurrent simultaneous parallel") &&
        sentence.follows(first) && sentence.follows(first + 1) && sentence.open(first + 1) &&
        is_load(sentence.word(first + 1)) && load_period_at(sentence, first + 2).first <= 0) {
        take(sentence, at, *measure, Field::users);
        sentence.together = true;
        sentence.claim(at, first + 2 - at);
        return true;
    }
    for (std::size_t i = first; i < first + 4 && sentence.follows(i); ++i) {
        if (const std::size_t length = together_length(sentence, i); length > 0) {
            take(sentence, at, *measure, Field::users);
            sentence.together = true;
            sentence.claim(at, i + length - at);
            return true;
        }
        if (!sentence.open(i) || has_digit(sentence.word(i)) || counts_no_load(sentence, i)) {
            return false;
        }
    }
    return false;
}

/// "40 users x 8k": what each of them has.
bool match_each(Sentence& sentence, std::size_t at) {
    const auto measure = sentence.word(at) == "x" && sentence.follows(at + 1)
                             ? measure_at(sentence, at + 1)
                             : std::nullopt;
    if (!measure || !measure->kilo || !measure->unit.empty() || at == 0 ||
        !is_any(sentence.word(at - 1), "users people requests sessions streams clients devs")) {
        return false;
    }
    take(sentence, at + 1, *measure, Field::sequence);
    sentence.claim(at, 1 + measure->length);
    return true;
}

/// "how many 16k chats", "parallel 32k sessions", "40 concurrent 4k users": so long is each; their
/// number is asked for or stands before.
bool match_long_requests(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const std::size_t noun = at + (measure ? measure->length : 0);
    if (!measure || !measure->kilo || !measure->unit.empty() || !sentence.follows(noun) ||
        load_period_at(sentence, noun + 1).first > 0 ||
        !is_any(sentence.word(noun),
                "chats chat sessions session conversations conversation requests request streams "
                "users agents prompts contexts slots")) {
        return false;
    }
    std::size_t i = at;
    while (i > 0 && sentence.follows(i) &&
           is_any(sentence.word(i - 1), "concurrent parallel simultaneous active full separate")) {
        --i;
    }
    const bool asked =
        i > 0 && (is_any(sentence.word(i - 1), "many max maximum most") ||
                  (i > 1 && sentence.word(i - 1) == "of" && sentence.word(i - 2) == "number"));
    const auto count = i > 0 && sentence.follows(i) && sentence.open(i - 1)
                           ? measure_at(sentence, i - 1)
                           : std::nullopt;
    if (count && count->unit.empty() && !count->scaled && count->value >= 1 &&
        count->value == std::floor(count->value)) {
        take(sentence, i - 1, *count, Field::users);
        take(sentence, at, *measure, Field::sequence);
        sentence.claim(i - 1, noun + 2 - i);
        return true;
    }
    if (!asked && !(i < at && sentence.any_word("many max maximum most"))) {
        return false;
    }
    take(sentence, at, *measure, Field::sequence);
    sentence.marks.push_back({Means::ask, "largest_users", noun, 1});
    sentence.claim(at, noun + 1 - at);
    return true;
}

/// "2k-prompt requests per second", "10 4k-token requests per second": so long is each; how many
/// there are stands before, or is asked for.
bool match_sized_requests(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const std::size_t of = at + (measure ? measure->length : 0);
    const bool sized =
        measure && measure->unit.empty() && measure->value >= 16 && sentence.follows(of) &&
        sentence.tokens[of].gap == Gap::joint &&
        is_any(sentence.word(of), "prompt prompts token tokens tok context ctx input");
    const std::size_t noun = of + 1;
    if (!sized || !sentence.follows(noun) || !is_load(sentence.word(noun)) ||
        load_period_at(sentence, noun + 1).first <= 0) {
        return false;
    }
    const bool prompt = is_any(sentence.word(of), "prompt prompts input");
    take(sentence, at, *measure, prompt ? Field::input : Field::sequence);
    sentence.claim(at, noun - at);
    const auto count = at > 0 && sentence.follows(at) && sentence.open(at - 1)
                           ? measure_at(sentence, at - 1)
                           : std::nullopt;
    if (count && count->unit.empty() && count->length == 1) {
        const auto [seconds, length] = load_period_at(sentence, noun + 1);
        Measure rate = *count;
        rate.value /= seconds;
        take(sentence, at - 1, rate, Field::per_second);
        sentence.claim(at - 1);
        sentence.claim(noun, 1 + length);
    } else if (sentence.any_word("max maximum most many")) {
        sentence.marks.push_back({Means::ask, "largest_users", noun, 1});
    }
    return true;
}

/// The period behind what is counted at token i, in seconds, and its tokens; 0: there is none.
std::pair<double, std::size_t> period_behind(const Sentence& sentence, std::size_t i) {
    const auto period = load_period_at(sentence, i + 1);
    // "25 requests arrive per second": a word between, before an unmistakable period.
    const std::size_t verb = i + 1;
    if (period.first != 0 || !sentence.follows(verb) || !sentence.open(verb) ||
        has_digit(sentence.word(verb)) || sentence.word(verb).size() <= 3 ||
        !is_any(sentence.word(verb + 1), "per each every")) {
        return period;
    }
    const auto [seconds, length] = load_period_at(sentence, verb + 1);
    return {seconds, length + (length > 0 ? 1 : 0)};
}

/// Takes the load of which `measure` at token `at` counts what stands at token i.
bool take_load(Sentence& sentence, std::size_t at, const Measure& measure, std::size_t i) {
    const std::size_t first = at + measure.length;
    const std::size_t unit = unit_after_number(sentence, i, "").length;
    if (i == first && unit > 1) {
        return false;  // "50 images per minute": the table of units has it whole
    }
    const auto [seconds, length] = period_behind(sentence, i);
    constexpr double least_samples = 100;  // fewer have their noun beside them
    const bool counted =
        measure.value >= least_samples && !is_any(sentence.word(i), "requests queries");
    if (seconds == 0 && ((i == first && unit > 0) || !counted)) {
        return false;  // the table of units knows what stands right behind a number
    }
    if (seconds == 0 && sentence.word(i) == "frames") {
        sentence.reading.frames = frames_of(measure.value);  // of a clip, it may be
    }
    Measure rate = measure;
    rate.value /= seconds > 0 ? seconds : 1;
    take(sentence, at, rate, seconds > 0 ? Field::per_second : Field::samples);
    sentence.claim(at, measure.length);
    sentence.claim(i, 1 + length);
    return true;
}

/// "40k chats a month, 6 turns each": what comes in a time, each turn of it a request.
bool take_chats(Sentence& sentence, std::size_t at, const Measure& measure, std::size_t i) {
    constexpr std::size_t farthest = 4;
    const auto [seconds, length] = load_period_at(sentence, i + 1);
    const std::size_t end = i + 1 + length;
    Measure rate = measure;
    for (std::size_t k = end; k < end + farthest && k < sentence.tokens.size(); ++k) {
        const auto turns = measure_at(sentence, k);
        const std::size_t noun = turns ? k + turns->length : k;
        if (turns && turns->unit.empty() && turns->value >= 1 && sentence.follows(noun) &&
            is_any(sentence.word(noun), "turns messages exchanges replies answers questions")) {
            rate.value *= turns->value;
            sentence.assume("requests", fmt::format("{:g} of each", turns->value),
                            "each turn is read and answered by itself");
            sentence.claim(k, noun + 1 - k);
            sentence.claim(noun + 1, is_any(sentence.word(noun + 1), "each apiece") ? 1 : 0);
            break;
        }
    }
    rate.value /= seconds;
    take(sentence, at, rate, Field::per_second);
    sentence.claim(at, measure.length);
    sentence.claim(i, 1 + length);
    return true;
}

/// Whether token i may stand between a number and what it counts: an adjective, a model, "512x512".
bool describes_load(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    return !sentence.open(i) || is_sides(word) ||
           (!has_digit(word) && has_letter(word) && !counts_no_load(sentence, i) &&
            !is_any(word, "on in out with for to and or at from users than of"));
}

/// "500 docs/s", "5000 flux dev images a day", "4M product descriptions": a number, up to three
/// words or a model, and what is counted, as a rate where a period follows.
bool match_load(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty() || measure->value < 1 ||
        is_pixel_word(sentence.word(at + measure->length)) ||
        (sentence.word(at).ends_with('b') && measure->length == 1)) {
        return false;  // "1024 px pictures": their side; "7b jobs": a size
    }
    const std::size_t first = at + measure->length;
    // "400 streams live captions": those who are served are counted, whatever they get; "1000
    // sessions per day" is a rate.
    if (is_any(sentence.word(first), "streams users people callers sessions") &&
        load_period_at(sentence, first + 1).first <= 0) {
        return false;
    }
    for (std::size_t i = first; i < first + 5 && sentence.follows(i); ++i) {
        if (is_load(sentence.word(i)) && sentence.open(i)) {
            return take_load(sentence, at, *measure, i);
        }
        if (is_any(sentence.word(i), "chats conversations sessions dialogues") &&
            sentence.open(i) && load_period_at(sentence, i + 1).first > 0) {
            return take_chats(sentence, at, *measure, i);
        }
        if (sentence.word(i) == "x" && sentence.word(i + 1) == "ray") {
            ++i;  // "x-ray images"
            continue;
        }
        // "60k of our own images"
        const bool own = i == first && sentence.word(i) == "of" &&
                         is_any(sentence.word(i + 1), "our my the these those");
        const bool part =
            i == first && std::ranges::any_of(sentence.mentions, [&](const Mention& each) {
                return each.at == i;  // "2 a6000 images per second": a number of cards
            });
        if (!own && (part || !describes_load(sentence, i))) {
            return false;
        }
    }
    return false;
}

/// A word that may describe what is counted: "internal", "domain"; none that the grammar knows.
bool describes(const Sentence& sentence, std::size_t i) {
    const std::string word(sentence.word(i));
    const auto phrases = sentence.names.lexicon.find(word);
    const bool plain = std::ranges::all_of(
        phrases, [](const Phrase* phrase) { return phrase->means == Means::filler; });
    return sentence.open(i) && (word.size() > 2 || is_any(word, "ml ai it qa")) &&
           !has_digit(word) && has_letter(word) && plain && !counts_no_load(sentence, i) &&
           unit_after_number(sentence, i, "").field == Field::none &&
           !is_any(word,
                   "and the for from per with than each that who into over but our your total max "
                   "min about how what which many much monthly weekly yearly registered");
}

/// A word that may stand before users, whatever it says elsewhere: "chat", "streaming".
bool describes_users(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    return sentence.open(i) && (word.size() > 2 || is_any(word, "ml ai it qa")) &&
           !has_digit(word) && has_letter(word) && !counts_no_load(sentence, i) &&
           !is_any(word,
                   "and the for from per with than each that who into over but our your total max "
                   "min about how what which many much are can "
                   "use run runs serve serving not until least most more monthly weekly daily "
                   "yearly annual registered total");
}

/// "120 internal devs", "40 chat users", "25B domain tokens": up to three words between a number
/// and what it counts.
bool match_described(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || !measure->unit.empty() || measure->value < 2 ||
        measure->value != std::floor(measure->value) || sentence.tokens[at].gap == Gap::joint ||
        is_pixel_word(sentence.word(at + measure->length))) {
        return false;
    }
    const std::size_t first = at + measure->length;
    std::optional<Measure> length;  // of each: "5 million 300-token chunks"
    std::size_t length_at = 0;
    bool plain = true;
    for (std::size_t i = first; i < first + 4 && sentence.follows(i); ++i) {
        if (i == sentence.model_at && sentence.model_end > i) {
            i = sentence.model_end;  // "12 live whisper streams"
        }
        const auto each = !length ? measure_at(sentence, i) : std::nullopt;
        if (each && each->unit.empty() && sentence.follows(i + each->length) &&
            is_any(sentence.word(i + each->length), "token tokens tok") &&
            sentence.follows(i + each->length + 1)) {
            length = each;
            length_at = i;
            i += each->length;
            continue;
        }
        const Match unit = i > first ? unit_after_number(sentence, i, "") : Match{};
        const bool sized = !length && parameters_in(sentence.word(at)).has_value();
        const bool counted = (unit.field == Field::users && !sized) ||
                             (plain && ((unit.field == Field::samples && !sized) ||
                                        (unit.field == Field::tokens && measure->value >= 1e6)));
        if (counted) {
            take(sentence, at, *measure, unit.field);
            if (length) {
                take(sentence, length_at, *length, Field::sequence);
            }
            sentence.claim(
                at, plain ? i - at : measure->length);  // what else a word says is still to be read
            sentence.claim(i, unit.length);
            return true;
        }
        plain = plain && describes(sentence, i);
        if (!plain && !describes_users(sentence, i)) {
            return false;
        }
    }
    return false;
}

/// Whether a model orders texts for a query: by its name, or as what it does.
bool ranks_texts(const Sentence& sentence) {
    return sentence.reading.model.find("rerank") != std::string::npos ||
           sentence.any_word("rerank reranker rerankers reranking rank ranking");
}

/// "100 passages per query", "a query of 50 docs": so many are read for each answer of a model that
/// ranks them.
bool match_per_query(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const auto architecture = measure && measure->unit.empty() && measure->value >= 2
                                  ? sentence.named_architecture()
                                  : std::nullopt;
    const std::size_t thing = at + (measure ? measure->length : 0);
    if (!architecture || (architecture->kind != ModelKind::encoder && !ranks_texts(sentence)) ||
        !sentence.follows(thing) ||
        !(is_load(sentence.word(thing)) ||
          is_any(sentence.word(thing), "candidates chunks pairs hits results"))) {
        return false;
    }
    const auto asks = [&](std::size_t i) {
        return is_any(sentence.word(i), "query queries request search question");
    };
    const std::size_t per = thing + 1 + (sentence.word(thing + 1) == "for" ? 1 : 0);
    const bool behind = sentence.follows(per) &&
                        ((is_any(sentence.word(per), "per a each every") && asks(per + 1)) ||
                         (sentence.tokens[per].gap == Gap::slash && asks(per)));
    const bool ahead = at > 1 && is_any(sentence.word(at - 1), "of with has over") && asks(at - 2);
    constexpr double most_of_a_query = 256;  // more are a job
    // "latency for 100 passages", "rerank 50 documents": those of one query, whose time is asked.
    const bool one = ranks_texts(sentence) && load_period_at(sentence, thing + 1).first == 0 &&
                     measure->value <= most_of_a_query;
    if ((!behind && !ahead && !one) ||
        !in_range(sentence, at, *measure, 2, 1e6, "a number of texts for each query")) {
        return false;
    }
    sentence.read_for_each = measure->value;
    sentence.claim(at, (behind ? per + (asks(per) ? 1 : 2) : thing + 1) - at);
    return true;
}

/// The names that llama-bench gives its runs: "pp512" reads a prompt, "tg128" writes an answer.
bool match_bench_run(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const bool run = word.size() > 3 && (word.starts_with("pp") || word.starts_with("tg")) &&
                     all_digits(word.substr(2));
    if (!run) {
        return false;
    }
    Measure measure;
    measure.value = number_with_suffix(word.substr(2)).value_or(0);
    take(sentence, at, measure, word.starts_with("pp") ? Field::input : Field::output);
    sentence.marks.push_back({Means::ask, "throughput", at, 1});
    if (word.starts_with("pp")) {
        sentence.marks.push_back({Means::ask, "prefill", at, 1});
    }
    sentence.claim(at);
    return true;
}

}  // namespace

void recognise_crowds(Sentence& sentence) {
    read_film_width(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size() && !sentence.error; ++i) {
        if (sentence.open(i) && !match_sized_requests(sentence, i) && !match_frames(sentence, i) &&
            !match_long_requests(sentence, i) && !match_lines(sentence, i) &&
            !match_team(sentence, i) && !match_cameras(sentence, i) &&
            !match_asked_streams(sentence, i) && !match_together(sentence, i) &&
            !match_each(sentence, i) && !match_per_query(sentence, i) && !match_load(sentence, i) &&
            !match_described(sentence, i)) {
            match_bench_run(sentence, i);
        }
    }
}

}  // namespace ridgeline::reading
