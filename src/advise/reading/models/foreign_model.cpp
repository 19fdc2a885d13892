#include "advise/reading/models/foreign_model.h"

#include "advise/reading/models/model_words.h"
#include "advise/reading/models/named_model.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/lexicon.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <algorithm>

// Models of families that no profile has: "claude", "wan 2.1 14b".

namespace ridgeline::reading {
namespace {

/// One past the words of `model` at token `at`; 0: it is not named there.
std::size_t end_of_name(const Sentence& sentence, std::size_t at, const Foreign& model,
                        const std::vector<std::string>& own) {
    const std::string_view front = model.words.substr(0, model.words.find(' '));
    const std::string_view rest =
        model.words.substr(std::min(front.size() + 1, model.words.size()));
    const bool first = own.front() == front || sentence.word(at) == front;
    const std::size_t behind =
        first && sentence.follows(at + 1) ? sentence.tokens_of(rest, at + 1) : 0;
    if (!first || (!rest.empty() && (behind == 0 || own.size() > 1))) {
        return 0;
    }
    // Words of English that name a model with a version alone.
    const bool plain = is_any(model.words, "step wan bark solar arctic glm aya");
    if (model.words == "step" && at > 0 && all_digits(sentence.word(at - 1))) {
        return 0;  // "1 step 512px"
    }
    if (plain && own.size() < 2 &&
        !(sentence.follows(at + 1) &&
          (is_size_piece(sentence.word(at + 1)) || is_version_piece(sentence.word(at + 1))))) {
        return 0;
    }
    return at + 1 + behind;
}

/// Whether token i goes on with a model's name: a version, a size, a kind.
bool goes_on(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    const Gap gap = sentence.tokens[i].gap;
    const bool letter = is_any(word, "x l s m n");
    if (letter && gap == Gap::space) {
        return false;
    }
    const bool joint = gap == Gap::joint && has_letter(word) &&
                       sentence.names.lexicon.find(std::string(word)).empty();
    return joint || letter ||
           (is_size_piece(word) &&
            (unit_after_number(sentence, i + 1, "").field == Field::none ||
             (counts_work(sentence.word(i + 1)) && !is_work(word, sentence.word(i + 1))))) ||
           (is_version_piece(word) && !counts_something(sentence, i)) ||
           is_any(word,
                  "large small medium base tiny xl turbo dev schnell mini nano coder vl super "
                  "ultra lite pro opus sonnet haiku flash");
}

/// "a private chatgpt on llama 70b" is an assistant that runs another model.
bool is_product(std::string_view words) { return is_any(words, "chatgpt claude gemini gpt4 gpt5"); }

void take_foreign(Sentence& sentence, std::size_t at, std::size_t end, const Foreign& model,
                  const std::string& id) {
    // What the profiles have under the plain name is what is meant.
    for (const std::string& known : sentence.vocabulary.profiles.model_ids) {
        if (known == id || known.starts_with(id + "-")) {
            take_model(sentence, at, end, known, true);
            return;
        }
    }
    if (is_product(model.words)) {
        sentence.products.push_back(id);
        sentence.claim(at, end - at);
        sentence.marks.push_back({Means::infer, "weak", at, end - at});
        return;
    }
    take_model(sentence, at, end, id, false);
}

}  // namespace

bool match_foreign(Sentence& sentence, std::size_t at) {
    const auto own = model_pieces(sentence.word(at));
    for (const Foreign& model : foreign_models()) {
        std::size_t end = end_of_name(sentence, at, model, own);
        if (end == 0) {
            continue;
        }
        std::vector<std::string> pieces{std::string(model.id)};
        if (own.size() > 1 && sentence.word(at) != model.words.substr(0, model.words.find(' '))) {
            pieces.insert(pieces.end(), own.begin() + 1, own.end());
        }
        for (;
             sentence.open(end) && sentence.follows(end) && end < at + 6 && goes_on(sentence, end);
             ++end) {
            pieces.emplace_back(sentence.word(end));
        }
        std::string id = pieces.front();
        for (std::size_t k = 1; k < pieces.size(); ++k) {
            id += (model.glue && k == 1 ? "" : "-") + pieces[k];
        }
        take_foreign(sentence, at, end, model, id);
        return true;
    }
    return false;
}

}  // namespace ridgeline::reading
