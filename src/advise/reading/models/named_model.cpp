#include "advise/reading/models/named_model.h"

#include "advise/reading/models/model_words.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <algorithm>
#include <utility>

namespace ridgeline::reading {
namespace {

void claim_owner(Sentence& sentence, std::size_t at) {
    // "google's gemma 3", "meta llama": who made it, neither a cloud nor a maker of chips.
    if (at > 0 && sentence.follows(at) && sentence.open(at - 1) &&
        is_any(sentence.word(at - 1),
               "google meta microsoft openai alibaba ibm tencent zhipu moonshot xai bytedance")) {
        sentence.claim(at - 1);
        std::erase_if(sentence.marks, [at](const Mark& mark) {
            return mark.at == at - 1 &&
                   (mark.means == Means::provider || mark.means == Means::vendor);
        });
    }
    // "meta-llama/Llama-3.1-8B"
    if (at > 0 && sentence.tokens[at].gap == Gap::joint && at + 1 < sentence.tokens.size() &&
        sentence.tokens[at + 1].gap == Gap::slash) {
        sentence.claim(at - 1);
    }
    if (sentence.tokens[at].gap != Gap::slash) {
        return;
    }
    std::size_t i = at;
    while (i > 0) {
        --i;
        sentence.claim(i);
        if (sentence.tokens[i].gap != Gap::joint) {
            return;
        }
    }
}

/// "qwen2.5-math-7b" is answered as the model of that shape: a kind that its id does not name is
/// told.
void tell_other_kind(Sentence& sentence, std::size_t at, std::size_t end, const std::string& id) {
    std::string written;
    bool other = false;
    for (std::size_t i = at; i < end; ++i) {
        written += (i == at ? "" : "-") + std::string(sentence.word(i));
        for (const std::string& piece : model_pieces(sentence.word(i))) {
            const bool kind = is_kind_word(piece) || piece == "r1";
            // "phi 3.5 mini" is no "phi-3-mini".
            const bool version = piece.find('.') != std::string::npos && has_digit(piece);
            const std::string_view name =
                std::string_view(piece).substr(version && piece.front() == 'v' ? 1 : 0);
            other = other || ((kind || version) && id.find(name) == std::string::npos);
        }
    }
    if (other) {
        forget_assumed(sentence.reading, "model");
        sentence.assume("model", id,
                        "\"" + written + "\" has its shape; the context that it knows may differ");
    }
}

}  // namespace

bool counts_something(const Sentence& sentence, std::size_t i) {
    if (i >= sentence.tokens.size() || sentence.tokens[i].gap == Gap::joint ||
        sentence.tokens[i].gap == Gap::none) {
        return false;
    }
    const std::string_view next = sentence.word(i + 1);
    const bool mention = std::any_of(sentence.mentions.begin(), sentence.mentions.end(),
                                     [&](const Mention& each) { return each.at == i + 1; });
    return mention || counts_things(next) ||
           is_any(next, "user bit bits concurrent requests streams k");
}

bool counts_work(std::string_view word) {
    return is_any(word,
                  "tokens token examples samples steps step iterations iters updates images pairs "
                  "sentences documents docs records articles rows clips frames photos pictures "
                  "utterances dialogues conversations molecules compounds proteins cells dofs dof "
                  "unknowns particles voxels vertices bodies atoms");
}

bool is_work(std::string_view number, std::string_view unit) {
    constexpr double least_parameters = 1e9;
    const bool tokens = is_any(unit, "tokens token");
    return counts_work(unit) && (tokens || parameters_in(number).value_or(0) < least_parameters);
}

bool is_release_date(std::string_view word) {
    if (word.size() != 4 || !all_digits(word) || word == "1024") {
        return false;
    }
    const auto two = [&](std::size_t at) { return 10 * (word[at] - '0') + (word[at + 1] - '0'); };
    const bool month = two(0) >= 23 && two(0) <= 29 && two(2) >= 1 && two(2) <= 12;
    return month || (two(0) >= 1 && two(0) <= 12 && two(2) >= 1 && two(2) <= 31);
}

std::size_t size_in_path(const Sentence& sentence, std::size_t end) {
    for (std::size_t i = end; i < sentence.tokens.size() && (sentence.tokens[i].gap == Gap::joint ||
                                                             sentence.tokens[i].gap == Gap::slash);
         ++i) {
        if (sentence.open(i) && is_size_piece(sentence.word(i))) {
            return i;
        }
    }
    return 0;
}

std::optional<std::size_t> size_before(const Sentence& sentence, std::size_t at) {
    const bool size = at > 0 && sentence.follows(at) && sentence.open(at - 1) &&
                      is_size_piece(sentence.word(at - 1));
    return size ? std::optional(at - 1) : std::nullopt;
}

bool is_named_by_kind(const Sentence& sentence) {
    return sentence.model_end == sentence.model_at + 1 &&
           is_any(sentence.word(sentence.model_at), "lstm lstms gru rnn rnns gan gans vae");
}

void take_model(Sentence& sentence, std::size_t at, std::size_t end, std::string id, bool known) {
    claim_owner(sentence, at);
    sentence.claim(at, end - at);
    if (!sentence.reading.model.empty() && is_named_by_kind(sentence)) {
        sentence.reading.model.clear();  // "gan training stylegan3": the kind describes the model
        sentence.reading.model_known = true;
    }
    if (!sentence.reading.model.empty()) {
        // The first model is the one that is asked about, others are what it is compared with.
        if (known && id != sentence.reading.model) {
            sentence.other_models.push_back({id, at});
        } else if (!known && id != sentence.reading.model) {
            add_once(sentence.reading.unknown_names, id);  // told, though the first is answered
        }
        return;
    }
    if (known) {
        tell_other_kind(sentence, at, end, id);
    }
    sentence.model_at = at;
    sentence.model_end = end;
    sentence.reading.model = std::move(id);
    sentence.reading.model_known = known;
    if (!known) {
        sentence.reading.unknown_names.push_back(sentence.reading.model);
    }
}

}  // namespace ridgeline::reading
