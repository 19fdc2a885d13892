#include "advise/reading/model_words.h"
#include "advise/reading/sentence.h"
#include "base/text.h"

// A model told by its size alone.

namespace ridgeline::reading {

/// Bare sizes: "70b", "7 billion parameters", "124M params".
void recognise_sizes(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.open(i)) {
            continue;
        }
        std::string_view word = sentence.word(i);
        std::string size;
        std::size_t length = 1;
        if (is_any(word, {"8x7b", "8x22b"})) {
            size = "mixtral-" + std::string(word);
            sentence.assume(
                "model", size, "\"" + std::string(word) + "\" is how Mixtral's sizes are written");
        } else if (is_size_piece(word)) {
            size = std::string(word);
            if (size.ends_with("bn")) {
                size.pop_back();
            }
        } else if (const auto measure = measure_at(sentence, i);
                   measure && measure->scaled && measure->unit.empty() && measure->value >= 1e6 &&
                   measure->value <= 1e14 && !measure->kilo) {
            const double billions = measure->value / 1e9;
            const bool small = billions < 1;
            const double shown = small ? billions * 1e3 : billions;
            std::string digits = std::to_string(shown);
            digits.erase(digits.find_last_not_of('0') + 1);
            if (digits.ends_with('.')) {
                digits.pop_back();
            }
            size = digits + (small ? "m" : "b");
            length = measure->length;
        }
        if (size.empty()) {
            continue;
        }
        if (sentence.tokens[i].negative) {
            sentence.fail("found \"-" + size + "\", expected a size above zero",
                          "Example: \"lora 8B on one 24GB card\".");
            return;
        }
        std::size_t end = i + length;
        if (is_any(sentence.word(end),
                   {"parameter", "parameters", "params", "param", "model", "models", "dense"}) &&
            sentence.follows(end)) {
            ++end;
        }
        sentence.claim(i, end - i);
        if (sentence.reading.model.empty()) {
            sentence.reading.model = size;
        }
    }
}

}  // namespace ridgeline::reading
