#include "advise/reading/hardware/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"

// Notebooks that lend a card nobody chooses: "colab", "free colab", "kaggle".

namespace ridgeline::reading {
namespace {

/// What a notebook's machines have (the price pages and questions answered by Colab and Kaggle).
struct Notebook {
    std::string_view word;
    std::string_view tier;  ///< a word beside it that tells what is paid; empty: the usual
    std::initializer_list<std::string_view> parts;
    int count = 1;
    std::string_view why;
};

std::span<const Notebook> notebooks() {
    static const Notebook list[] = {
        {"colab", "free", {"t4"}, 1, "Colab lends a T4 where nothing is paid"},
        {"colab",
         "",
         {"t4", "l4", "a100-sxm4-40gb"},
         1,
         "Colab lends a T4 where nothing is paid, an L4 or an A100 40GB for units"},
        {"kaggle", "", {"t4"}, 2, "Kaggle lends two T4"},
    };
    return list;
}

}  // namespace

void recognise_notebooks(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        for (const Notebook& notebook : notebooks()) {
            const bool named = sentence.open(i) && sentence.word(i) == notebook.word &&
                               (notebook.tier.empty() || sentence.any_word(notebook.tier));
            if (!named) {
                continue;
            }
            std::size_t begin = i;
            std::size_t end = i + 1;
            if (i > 0 && is_any(sentence.word(i - 1), "google free") && sentence.open(i - 1)) {
                --begin;
            }
            while (is_any(sentence.word(end), "pro plus pro+ free tier notebook notebooks") &&
                   sentence.open(end)) {
                ++end;
            }
            sentence.claim(begin, end - begin);
            // "for a kaggle comp": where the data comes from, not where it runs.
            const bool place = !is_any(sentence.word(end),
                                       "comp comps competition competitions dataset challenge");
            if (sentence.mentions.empty() && place) {
                Mention mention;
                mention.at = begin;
                mention.end = end;
                mention.name = std::string(notebook.word);
                mention.why = notebook.why;
                mention.per_machine = notebook.count;
                for (const std::string_view id : notebook.parts) {
                    if (const Accelerator* part = sentence.vocabulary.catalog.accelerator(id)) {
                        mention.parts.push_back(part);
                    }
                }
                if (mention.parts.size() == 1) {
                    mention.name = mention.parts.front()->id;
                }
                sentence.mentions.push_back(std::move(mention));
            }
            break;
        }
    }
}

}  // namespace ridgeline::reading
