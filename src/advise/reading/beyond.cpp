#include "advise/reading/beyond.h"

#include "advise/reading/count_words.h"
#include "advise/reading/names.h"
#include "base/text.h"

#include <algorithm>

// What is none of this program's matter though hardware is named: faults, and work that it does not
// know.

namespace ridgeline::reading {
namespace {

constexpr const char* example = "Example: \"what GPU for a 70B fine-tune\".";

/// "my 4090 crashes with CUDA error 700, why", "loss becomes nan on h100"; what does not fit into
/// memory is answered.
bool tells_a_fault(const Sentence& sentence) {
    if (sentence.any_word("oom memory vram fit fits enough expensive cheaper costs needs")) {
        return false;
    }
    const bool fault = sentence.any_word(
        "overheat overheats overheating nan nans freezes freezing crashes crashed crashing "
        "segfault segfaults artifacting");
    // "will this crash" asks whether it fits, "why only 6 tok/s" how fast it should be.
    const bool judged = sentence.any_word("will would rate bars margin slow fast only") ||
                        !sentence.reading.model.empty();
    const bool questioned =
        sentence.any_word("why error errors crash bug broken fails failing") && !judged;
    const bool seen =
        sentence.any_word(
            "see sees detect detects detected recognize recognise recognized recognised") &&
        sentence.any_word("not doesnt cannot cant wont isnt");
    const bool sought = sentence.asks("hardware what_can what_can_do largest_model which own");
    return fault || seen || (questioned && !sought && !sentence.has(Means::versus));
}

/// "best gpu for elden ring at 4k": all that is said of the work is a name that nothing knows.
std::string unknown_work(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool work =
        sentence.has(Means::train) || sentence.has(Means::tune) || sentence.has(Means::infer) ||
        reading.kernel || !reading.model.empty() || !reading.family_models.empty() ||
        !reading.profile.empty() || !reading.framework.empty() || reading.tokens ||
        reading.samples || reading.audio_s || reading.concurrency || reading.requests_per_s ||
        reading.memory_gib || !sentence.mentions.empty() || !reading.environment.empty() ||
        sentence.has(Means::attribute) || sentence.has(Means::compute) ||
        sentence.has(Means::quantization) || sentence.any_word("double precision fp64");
    const bool sought =
        sentence.asks("hardware weak_hardware") ||
        (sentence.has(Means::gpu) && sentence.any_word("best good right cheapest decent which"));
    if (work || !sought) {
        return {};
    }
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        if (!is_any(sentence.word(i), "for play playing run")) {
            continue;
        }
        std::size_t at = i + 1;
        while (at + 1 < sentence.tokens.size() &&
               is_any(sentence.word(at), "a an the my our playing")) {
            ++at;
        }
        if (sentence.follows(at) && !sentence.tokens[at].claimed &&
            !names_usual_model(sentence, at) && !is_digit(sentence.word(at).front()) &&
            !is_gpu_word(sentence.word(at))) {
            return std::string(sentence.word(at));
        }
    }
    return {};
}

/// "cztery 4090": a word right before a card that nothing knows, of a question that has more of
/// them, may be its number.
std::string perhaps_a_count(const Sentence& sentence) {
    const auto unknown = [&](std::size_t i) {
        const Token& token = sentence.tokens[i];
        return !token.claimed && !token.foreign &&
               std::all_of(token.text.begin(), token.text.end(), is_letter) &&
               !sentence.names.lexicon.knows(token.text) && !token.text.ends_with("est");
    };
    std::size_t words = 0;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        words += unknown(i) ? 1 : 0;
    }
    for (const Mention& mention : sentence.mentions) {
        if (words > 1 && !mention.count && mention.at > 0 && sentence.follows(mention.at) &&
            unknown(mention.at - 1)) {
            return std::string(sentence.word(mention.at - 1));
        }
    }
    return {};
}

/// "playing cyberpunk at 4k", "4k ray tracing games": pictures that a game draws, no model's work.
bool tells_a_game(const Sentence& sentence) {
    // As written: "tracing" is near enough to "training" to be taken for it.
    const auto written = [&](std::size_t i) {
        const Token& token = sentence.tokens[i];
        return lower(sentence.text.substr(token.begin, token.end - token.begin));
    };
    bool traces = false;
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        traces = traces || (is_any(written(i), "ray path") && written(i + 1) == "tracing");
    }
    const bool plays = sentence.any_word("game games gaming play playing esports gamer") || traces;
    // "4k" alone is taken for a context, which speaks of no work beside a game.
    const bool said =
        std::any_of(sentence.marks.begin(), sentence.marks.end(), [&](const Mark& mark) {
            const bool work = mark.means == Means::train || mark.means == Means::tune ||
                              mark.means == Means::infer;
            return work && !has_digit(sentence.word(mark.at)) && written(mark.at) != "tracing" &&
                   !is_any(sentence.word(mark.at), "run playing play");
        });
    const bool works = said || sentence.has(Means::model_word) || !sentence.reading.model.empty() ||
                       !sentence.reading.framework.empty() ||
                       !sentence.reading.environment.empty() || sentence.reading.kernel ||
                       !sentence.mentions.empty() || !sentence.reading.profile.empty() ||
                       sentence.any_word("ai llm llms ml learning local agent agents models pc");
    return plays && !works;
}

}  // namespace

void recognise_beyond(Sentence& sentence) {
    if (!sentence.mentions.empty() && tells_a_fault(sentence)) {
        sentence.fail(
            "a fault of a machine is told; asked can be what hardware does, costs and holds",
            example);
        return;
    }
    if (const std::string word = perhaps_a_count(sentence); !word.empty()) {
        sentence.fail("\"" + word + "\" before a card may be their number, which is not understood",
                      "Write it in digits: \"4 x 4090\".");
        return;
    }
    if (tells_a_game(sentence)) {
        sentence.fail(
            "games are no work that is known here: asked can be models, networks and "
            "kernels",
            example);
        return;
    }
    if (const std::string word = unknown_work(sentence); !word.empty()) {
        sentence.fail("\"" + word + "\" is no work that is known here", example);
    }
}

}  // namespace ridgeline::reading
