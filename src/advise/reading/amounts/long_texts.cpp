#include "advise/reading/amounts/long_texts.h"

#include "advise/reading/amounts/crowds.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/units.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Texts that are told in books and pages: "2000 books", "30 contracts of 80 pages".

namespace ridgeline::reading {
namespace {

constexpr int tokens_of_page = 600;
constexpr double tokens_of_book = 130'000;  // a novel of 100,000 words
constexpr double longest_text = 100'000;    // what most models read at once

bool learns_from_words(const Sentence& sentence) {
    return sentence.has(Means::train) || sentence.has(Means::tune) ||
           sentence.any_word(
               "train training trained pretrain pretraining pretrained finetune "
               "finetuning tune tuning lora qlora");
}

}  // namespace

bool match_words(Sentence& sentence, std::size_t at) {
    constexpr double tokens_of_a_word = 4.0 / 3;
    constexpr double longest = 2e5;
    auto measure = measure_at(sentence, at);
    const std::size_t end = at + (measure ? measure->length : 0);
    if (!measure || !measure->unit.empty() || measure->negative || measure->value < 2 ||
        !sentence.follows(end) ||
        !is_any(sentence.word(end), "words word worter woorden palabras mots parole palavras") ||
        load_period_at(sentence, end + 1).first > 0) {
        return false;
    }
    const double words = measure->value;
    const bool learnt = words > longest && learns_from_words(sentence);
    if (sentence.reading.model.empty() && !learnt) {
        return false;
    }
    measure->value = std::round(words * tokens_of_a_word);
    const bool writes = sentence.any_word(
        "write writing writes generate generating generates output outputs produce answer answers "
        "reply replies response responses completion completions until draft drafting");
    // "pretrained on 3.3B words": no text of one request, where none is written of that length
    if (learnt || (words > longest && !writes)) {
        sentence.reading.tokens = measure->value;
        sentence.assume("tokens", fmt::format("{:g}", measure->value),
                        fmt::format("{:g} words, of which three are four tokens", words));
        sentence.claim(at, end + 1 - at);
        return true;
    }
    measure->kilo = false;
    const bool reads = sentence.any_word(
        "summarize summarise summarizing summarising classify classifying embed embedding read "
        "translate extract");
    take(sentence, at, *measure, writes && !reads ? Field::output : Field::input);
    sentence.assume(writes && !reads ? "output_tokens" : "input_tokens",
                    fmt::format("{:g}", measure->value),
                    fmt::format("{:g} words, of which three are four tokens", words));
    sentence.claim(at, end + 1 - at);
    return true;
}

void settle_long_texts(Sentence& sentence) {
    Reading& reading = sentence.reading;
    double each = sentence.any_word("book books novel novels") ? tokens_of_book : 0;
    if (reading.task != Task::inference || reading.tokens || reading.embeds) {
        return;
    }
    bool paged = false;
    // "30 contracts of 80 pages", "80-page contracts"
    for (std::size_t i = 1; i < sentence.tokens.size() && !paged; ++i) {
        const double pages = number_with_suffix(sentence.word(i - 1)).value_or(0);
        const bool behind =
            i > 2 && is_any(sentence.word(i - 2), "of with x") && is_load(sentence.word(i - 3));
        const bool before = sentence.follows(i + 1) && is_load(sentence.word(i + 1));
        if (pages < 1 || !is_any(sentence.word(i), "page pages") || !(behind || before)) {
            continue;
        }
        paged = true;
        each = pages * tokens_of_page;
        const std::size_t count = behind ? i - 4 : i - 2;  // beyond the first token: none
        reading.samples = number_with_suffix(sentence.word(count));
        for (const std::size_t at : {count, i - 1, i}) {
            std::erase(reading.not_understood, std::string(sentence.word(at)));
        }
    }
    if (each > 0 && reading.samples && reading.intent == Intent::duration) {
        reading.tokens = *reading.samples * each;
        sentence.assume(
            "tokens", format_count(*reading.tokens),
            fmt::format("{} texts of {} tokens, read in pieces{}", format_count(*reading.samples),
                        format_count(each), paged ? "" : ", as a book of 100,000 words has"));
        reading.samples.reset();
    } else if (paged && each <= longest_text && !reading.samples && !reading.input_tokens &&
               !reading.sequence) {
        reading.input_tokens = static_cast<int>(each);
        sentence.assume("input_tokens", std::to_string(*reading.input_tokens),
                        fmt::format("a page is about {} tokens", tokens_of_page));
    }
}

}  // namespace ridgeline::reading
