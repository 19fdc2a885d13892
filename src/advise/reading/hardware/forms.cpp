#include "advise/reading/hardware/part_words.h"
#include "base/text.h"

#include <algorithm>
#include <optional>
#include <utility>

// Forms of a part that stand apart from its name: "h100 pcie or sxm", "a100 40gb or 80gb".

namespace ridgeline::reading {
namespace {

/// The parts of the family of `named` that have the form or the memory that was said; nothing: it
/// has none.
///
/// bare  the memory is a number without a unit
std::optional<Mention> other_form(const Sentence& sentence, const Mention& named, const Said& said,
                                  bool bare = false) {
    const std::string family(split(named.parts.front()->id, '-').front());
    const auto entries = sentence.names.parts_by_core.find(family);
    if (entries == sentence.names.parts_by_core.end()) {
        return std::nullopt;
    }
    Candidates candidates = entries->second;
    const bool known = (!bare || bare_memory(sentence, said.begin, candidates)) &&
                       narrow(candidates, [&said](const Names::Part* each) {
                           return said.form.empty() ? has_memory(*each->part, said.memory)
                                                    : has_form(*each, said.form);
                       });
    return known ? std::optional(mention_of(candidates, family, said)) : std::nullopt;
}

/// A board alone after a part names another form of it: "h100 pcie or sxm".
void add_forms(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const std::string form = form_of(sentence.word(i));
        if (!sentence.open(i) || form.empty() || sentence.mentions.empty() ||
            !is_any(sentence.word(i - 1), "or vs versus and than to")) {
            continue;
        }
        const Mention* last = nullptr;
        for (const Mention& mention : sentence.mentions) {
            last = mention.end <= i && !mention.parts.empty() ? &mention : last;
        }
        if (last == nullptr) {
            continue;
        }
        Said said;
        said.begin = i;
        said.end = i + 1;
        said.form = form;
        if (auto mention = other_form(sentence, *last, said)) {
            sentence.claim(i);
            sentence.mentions.push_back(std::move(*mention));
        }
    }
}

/// A memory alone after a part names another form of it: "a100 40gb or 80gb", "a100 40 vs 80".
void add_memories(Sentence& sentence) {
    // "difference between a100 40gb and 80gb"
    const bool apart = sentence.any_word("difference differences between compare differ");
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const bool joined = is_any(sentence.word(i - 1), "or vs versus than") ||
                            (apart && is_any(sentence.word(i - 1), "and to"));
        if (!sentence.open(i) || sentence.mentions.empty() || !joined) {
            continue;
        }
        const Mention* last = nullptr;
        for (const Mention& mention : sentence.mentions) {
            last = mention.end == i - 1 && !mention.parts.empty() ? &mention : last;
        }
        if (last == nullptr) {
            continue;
        }
        const auto [gb, length] = memory_at(sentence, i);
        const double size = gb > 0 ? gb : number_with_suffix(sentence.word(i)).value_or(0);
        if (size <= 0 || has_memory(*last->parts.front(), size)) {
            continue;
        }
        Said said;
        said.begin = i;
        said.end = i + (gb > 0 ? length : 1);
        said.memory = size;
        if (auto mention = other_form(sentence, *last, said, gb == 0)) {
            sentence.claim(i, said.end - i);
            sentence.mentions.push_back(std::move(*mention));
        }
    }
}

/// "how much faster is nvlink than pcie on 8 a100": the forms of the one part that is named.
void add_link_forms(Sentence& sentence) {
    std::size_t linked = 0;
    std::size_t slotted = 0;
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        linked = sentence.open(i) && is_any(sentence.word(i), "nvlink sxm") ? i : linked;
        slotted = sentence.open(i) && sentence.word(i) == "pcie" ? i : slotted;
    }
    const std::size_t first = std::min(linked, slotted);
    const std::size_t last = std::max(linked, slotted);
    const bool compared = first > 0 && last - first == 2 &&
                          is_any(sentence.word(first + 1), "than vs versus or over");
    if (!compared || sentence.mentions.size() != 1 || sentence.mentions.front().parts.size() < 2) {
        return;
    }
    const Mention& named = sentence.mentions.front();
    std::vector<Mention> forms;
    for (const char* form : {"sxm", "pcie"}) {
        Said said;
        said.begin = named.at;
        said.end = named.end;
        said.form = form;
        auto mention = other_form(sentence, named, said);
        if (!mention) {
            return;
        }
        forms.push_back(std::move(*mention));
    }
    sentence.claim(linked);
    sentence.claim(slotted);
    sentence.mentions = std::move(forms);
}

}  // namespace

void add_other_forms(Sentence& sentence) {
    add_forms(sentence);
    add_memories(sentence);
    add_link_forms(sentence);
}

}  // namespace ridgeline::reading
