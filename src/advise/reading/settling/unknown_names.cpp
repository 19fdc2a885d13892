#include "advise/reading/models/named_model.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/settling/steps.h"
#include "base/text.h"

#include <algorithm>
#include <array>

// Words that nothing has understood, and names of models and providers among them.

namespace ridgeline::reading {
namespace {

/// "h100 price at cloudzilla", "from gpubarn": who is asked for a rent, whatever nothing knows of
/// him.
bool names_a_provider(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    const std::string_view before =
        i > 0 && sentence.follows(i) ? sentence.word(i - 1) : std::string_view();
    const bool rents = sentence.asks("price price_of cost rent per_hour provider cloud") &&
                       !sentence.mentions.empty() && sentence.reading.model.empty();
    const bool sells = has_digit(word) || word.find("cloud") != word.npos ||
                       word.find("gpu") != word.npos || word.find("compute") != word.npos;
    return rents && word.size() > 3 && has_letter(word) && !sentence.tokens[i].foreign &&
           (is_any(before, "at by via provider") || (sells && is_any(before, "on with from")));
}

/// Whether what follows from token `i` on, but for versions, is "on" or "with" and hardware.
bool stands_before_hardware(const Sentence& sentence, std::size_t i) {
    while (sentence.open(i) && sentence.follows(i) &&
           (has_digit(sentence.word(i)) || sentence.tokens[i].gap == Gap::joint)) {
        ++i;
    }
    constexpr std::size_t near = 4;  // "on a single new a100"
    const bool on = i < sentence.tokens.size() && sentence.follows(i) &&
                    is_any(sentence.word(i), "on with using");
    return on &&
           std::any_of(sentence.mentions.begin(), sentence.mentions.end(),
                       [&](const Mention& each) { return each.at > i && each.at <= i + near; });
}

/// "training a cyclegan", "for wavenet vocoder training": the word stands where what is trained or
/// run is named.
bool names_the_work(const Sentence& sentence, std::size_t i) {
    const auto works = [&](std::size_t at) {
        return std::any_of(sentence.marks.begin(), sentence.marks.end(), [&](const Mark& mark) {
            const bool work = mark.means == Means::train || mark.means == Means::tune ||
                              mark.means == Means::infer;
            return work && at >= mark.at && at < mark.at + mark.length;
        });
    };
    const std::string_view next =
        sentence.follows(i + 1) ? sentence.word(i + 1) : std::string_view();
    const bool word =
        sentence.word(i).size() > 3 && !has_digit(sentence.word(i)) && !sentence.tokens[i].foreign;
    if (!word || is_any(next, "model models network networks one") ||
        names_usual_model(sentence, i)) {
        return false;
    }
    // "train graphcast on an a100", "kandinsky on a t4": between the work and the hardware.
    if ((i == 0 || (sentence.follows(i) && works(i - 1))) &&
        stands_before_hardware(sentence, i + 1)) {
        return true;
    }
    const bool object =
        i > 1 && sentence.follows(i) && is_any(sentence.word(i - 1), "a an") && works(i - 2);
    const bool before = i > 0 && sentence.word(i - 1) == "for" &&
                        (works(i + 1) || (sentence.open(i + 1) && works(i + 2))) &&
                        sentence.follows(i + 1);
    return object || before;
}

/// "notebooks", "multitasking": no name.
bool is_plural_or_verb(std::string_view word) {
    return word.ends_with("ing") ||
           (word.ends_with('s') && !word.ends_with("is") && !word.ends_with("ss"));
}

/// "can my 3090 run crysis": where the model stands, in a question that names none.
bool is_object_of_hardware(const Sentence& sentence, std::size_t i) {
    return i > 1 && sentence.follows(i) && is_any(sentence.word(i - 1), "run play handle") &&
           !sentence.mentions.empty() && sentence.reading.model.empty() &&
           sentence.word(i).size() > 2 && !sentence.has(Means::model_word) &&
           is_any(sentence.word(0), "can could will would") &&
           !is_plural_or_verb(sentence.word(i)) &&
           (!sentence.follows(i + 1) || is_digit(sentence.word(i + 1).front()) ||
            is_any(sentence.word(i + 1), "at in on with"));
}

/// Words between "on" or "my" and what runs a model.
bool leads_to_hardware(std::string_view word) {
    return is_any(word,
                  "a an the my our this that your his her their old new used own small single");
}

/// "p9.96xlarge": a family, a generation, a size.
bool is_named_as_instances(std::string_view word) {
    const auto dot = word.find('.');
    const std::string_view size = word.substr(std::min(dot, word.size()));
    return dot != std::string_view::npos && dot > 1 && is_letter(word.front()) &&
           has_digit(word.substr(0, dot)) && (size.ends_with("large") || size.ends_with("metal"));
}

/// "is z99 enough for llama": a name with a number where the hardware stands.
bool is_asked_to_be_enough(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    const bool behind =
        sentence.follows(i + 1) && is_any(sentence.word(i + 1), "enough sufficient adequate");
    const bool link = std::ranges::any_of(
        std::array<std::string_view, 7>{"pcie", "cuda", "wifi", "usb", "gen", "ddr", "nvlink"},
        [&](std::string_view each) { return word.starts_with(each); });
    return behind && has_letter(word) && has_digit(word) && !link && i > 0 && sentence.follows(i) &&
           (is_any(sentence.word(i - 1), "is are would will") ||
            leads_to_hardware(sentence.word(i - 1)));
}

/// "how fast is llama 8b on a flurbo", "can my zorble run it", "q4 on a kvikk npu": where the
/// hardware stands, in a question that names none and asks what it does.
bool names_the_hardware(const Sentence& sentence, std::size_t i) {
    const Reading& reading = sentence.reading;
    if (is_named_as_instances(sentence.word(i)) || is_asked_to_be_enough(sentence, i)) {
        return sentence.mentions.empty() && !reading.memory_gib;
    }
    const bool asked =
        sentence.asks("throughput weak_throughput ttft tpot latency how_fast fit strong_fit");
    const bool sought = sentence.has(Means::gpu) ||
                        sentence.asks("hardware weak_hardware buy rent price cost which what_can");
    const bool trains = sentence.has(Means::train) || sentence.has(Means::tune);
    if (!sentence.mentions.empty() || reading.memory_gib || reading.model.empty() ||
        !reading.model_known || !asked || sought || trains || sentence.tokens[i].foreign) {
        return false;
    }
    const std::string_view next =
        sentence.follows(i + 1) ? sentence.word(i + 1) : std::string_view();
    if (is_any(next, "npu npus tpu chip soc sbc phone tablet board accelerator")) {
        return true;
    }
    std::size_t at = i;
    bool owned = false;
    while (at > 0 && sentence.follows(at) && leads_to_hardware(sentence.word(at - 1))) {
        owned = owned || is_any(sentence.word(at - 1), "my our own");
        --at;
    }
    const bool on = at > 0 && sentence.follows(at) && sentence.word(at - 1) == "on" && at < i;
    // "our helpdesk" is who asks, "can my qx7700 run it" what runs.
    const bool runs = has_digit(sentence.word(i)) || is_any(next, "run runs handle handles hold");
    return has_letter(sentence.word(i)) && sentence.word(i).size() > 1 && (on || (owned && runs));
}

/// "On a 512^3 grid", "a stencil code": what a kernel's size is of; "n=16384": what it is called.
bool describes_kernel(const Sentence& sentence, std::size_t i) {
    const bool named = i + 1 < sentence.tokens.size() && sentence.follows(i + 1) &&
                       sentence.tokens[i + 1].claimed && is_digit(sentence.word(i + 1).front());
    return is_any(sentence.word(i), "grid grids mesh meshes lattice code codes points csr") ||
           (sentence.word(i).size() == 1 && is_letter(sentence.word(i).front()) && named);
}

/// "gpu 4 finetuning": a number that counts nothing is "for", but where it may be of a series
/// ("gaudi 4").
bool stands_for_a_word(const Sentence& sentence, std::size_t i) {
    return sentence.word(i) == "4" && sentence.follows(i + 1) &&
           std::none_of(sentence.mentions.begin(), sentence.mentions.end(),
                        [i](const Mention& each) { return each.end == i; });
}

/// Whether the first unknown name stands right behind what hardware does with a model: "run foo".
bool is_run_by_hardware(const Sentence& sentence) {
    const auto at = std::ranges::find(sentence.tokens,
                                      sentence.reading.unknown_names.empty()
                                          ? std::string()
                                          : sentence.reading.unknown_names.front(),
                                      &Token::text);
    return at != sentence.tokens.end() && at != sentence.tokens.begin() &&
           is_any(std::prev(at)->text, "run play handle host serve");
}

/// A name that nothing knows where a model is spoken of and none was found: "serve foo-7x" asks
/// about it.
void take_unknown_model(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool work =
        sentence.has(Means::train) || sentence.has(Means::tune) || sentence.has(Means::infer);
    const bool open = reading.model.empty() && reading.family_models.empty() && !reading.kernel &&
                      sentence.products.empty();
    // "an lstm speech recogniser (deepspeech2)": the word for a kind describes the model.
    if (is_named_by_kind(sentence) && !reading.unknown_names.empty() &&
        reading.unknown_parts.empty() && work) {
        reading.model = reading.unknown_names.front();
        reading.model_known = false;
        return;
    }
    const bool named_first = !reading.unknown_names.empty() &&
                             sentence.tokens.front().text == reading.unknown_names.front();
    // "can my 3090 run crysis"
    const bool object = !sentence.mentions.empty() && is_run_by_hardware(sentence);
    if (!open || !(work || named_first || object) || reading.unknown_names.empty() ||
        sentence.has(Means::model_word) || !reading.unknown_parts.empty()) {
        return;
    }
    reading.model = reading.unknown_names.front();
    reading.model_known = false;
}

}  // namespace

/// What is left.
void recognise_unknown_names(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const Token& token = sentence.tokens[i];
        const bool sign =
            token.text.size() == 1 && !is_letter(token.text[0]) && !is_digit(token.text[0]);
        if (token.claimed || sign || token.text.size() > 64) {
            if (!token.claimed && token.text.size() > 64) {
                sentence.reading.not_understood.push_back(token.text.substr(0, 24) + "...");
            }
            continue;
        }
        if (token.text == "0" && sentence.follows(i + 1) &&
            field_named_after(sentence.word(i + 1)) != Field::none) {
            sentence.fail(
                fmt::format("found \"0 {}\", expected a number above zero", sentence.word(i + 1)));
            return;
        }
        if (token.negative) {
            sentence.fail("found \"-" + token.text + "\", expected a number above zero",
                          "Example: \"serve llama-3.1-8b to 64 users\".");
            return;
        }
        // "in 2026": the year of asking; 2048 is none.
        if (token.text.size() == 4 && all_digits(token.text) &&
            (token.text.starts_with("202") || token.text.starts_with("203"))) {
            continue;
        }
        if (token.text == "one") {
            continue;  // "one machine": an article
        }
        if (sentence.reading.kernel && describes_kernel(sentence, i)) {
            continue;
        }
        if (stands_for_a_word(sentence, i)) {
            continue;
        }
        if (names_a_provider(sentence, i)) {
            sentence.marks.push_back({Means::provider, sentence.tokens[i].text, i, 1});
            continue;
        }
        if (names_the_hardware(sentence, i)) {
            Mention mention;
            mention.at = i;
            mention.end = i + 1;
            mention.name = token.text;
            sentence.mentions.push_back(std::move(mention));
            continue;
        }
        sentence.reading.not_understood.push_back(token.text);
        const bool name = has_digit(token.text) && has_letter(token.text) &&
                          token.text.size() >= 3 && !token.foreign;
        if (name || names_the_work(sentence, i) || is_object_of_hardware(sentence, i)) {
            sentence.reading.unknown_names.push_back(token.text);
        }
    }
    take_unknown_model(sentence);
}

}  // namespace ridgeline::reading
