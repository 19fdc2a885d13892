#include "advise/reading/amounts/long_texts.h"

#include "advise/reading/amounts/crowds.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// Texts that are told in books and pages: "2000 books", "30 contracts of 80 pages".

namespace ridgeline::reading {
namespace {

constexpr int tokens_of_page = 600;
constexpr double tokens_of_book = 130'000;  // a novel of 100,000 words
constexpr double longest_text = 100'000;    // what most models read at once

}  // namespace

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
