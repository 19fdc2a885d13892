#include "advise/reading/part_words.h"
#include "base/text.h"

#include <algorithm>

// Forms of a part that stand apart from its name: "h100 pcie or sxm", "a100 40gb or 80gb".

namespace ridgeline::reading {
namespace {

/// A board alone after a part names another form of it: "h100 pcie or sxm".
void add_forms(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const std::string form = form_of(sentence.word(i));
        if (!sentence.open(i) || form.empty() || sentence.mentions.empty() ||
            !is_any(sentence.word(i - 1), {"or", "vs", "versus", "and", "than", "to"})) {
            continue;
        }
        const Mention* last = nullptr;
        for (const Mention& mention : sentence.mentions) {
            last = mention.end <= i && !mention.parts.empty() ? &mention : last;
        }
        if (last == nullptr) {
            continue;
        }
        const auto family = split(last->parts.front()->id, '-').front();
        const auto entries = sentence.names.parts_by_core.find(family);
        if (entries == sentence.names.parts_by_core.end()) {
            continue;
        }
        Candidates candidates = entries->second;
        if (!narrow(candidates, [&](const Names::Part* each) { return has_form(*each, form); })) {
            continue;
        }
        Said said;
        said.begin = i;
        said.end = i + 1;
        said.form = form;
        sentence.claim(i);
        sentence.mentions.push_back(mention_of(candidates, family, said));
    }
}

/// A memory alone after a part names another form of it: "a100 40gb or 80gb", "a100 40 vs 80".
void add_memories(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        if (!sentence.open(i) || sentence.mentions.empty() ||
            !is_any(sentence.word(i - 1), {"or", "vs", "versus", "than"})) {
            continue;
        }
        const Mention* last = nullptr;
        for (const Mention& mention : sentence.mentions) {
            last = mention.end == i - 1 && !mention.parts.empty() ? &mention : last;
        }
        if (last == nullptr) {
            continue;
        }
        const auto family = split(last->parts.front()->id, '-').front();
        const auto entries = sentence.names.parts_by_core.find(family);
        const auto [gb, length] = memory_at(sentence, i);
        const double size = gb > 0 ? gb : number_with_suffix(sentence.word(i)).value_or(0);
        if (entries == sentence.names.parts_by_core.end() || size <= 0 ||
            has_memory(*last->parts.front(), size)) {
            continue;
        }
        Candidates candidates = entries->second;
        if ((gb == 0 && !bare_memory(sentence, i, candidates)) ||
            !narrow(candidates,
                    [&](const Names::Part* each) { return has_memory(*each->part, size); })) {
            continue;
        }
        Said said;
        said.begin = i;
        said.end = i + (gb > 0 ? length : 1);
        said.memory = size;
        sentence.claim(i, said.end - i);
        sentence.mentions.push_back(mention_of(candidates, family, said));
    }
}

/// "how much faster is nvlink than pcie on 8 a100": the forms of the one part that is named.
void add_link_forms(Sentence& sentence) {
    std::size_t linked = 0;
    std::size_t slotted = 0;
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        linked = sentence.open(i) && is_any(sentence.word(i), {"nvlink", "sxm"}) ? i : linked;
        slotted = sentence.open(i) && sentence.word(i) == "pcie" ? i : slotted;
    }
    const std::size_t first = std::min(linked, slotted);
    const std::size_t last = std::max(linked, slotted);
    const bool compared = first > 0 && last - first == 2 && is_any(sentence.word(first + 1), {"than", "vs", "versus", "or", "over"});
    if (!compared || sentence.mentions.size() != 1 || sentence.mentions.front().parts.size() < 2) {
        return;
    }
    const Mention& named = sentence.mentions.front();
    const auto family = split(named.parts.front()->id, '-').front();
    const auto entries = sentence.names.parts_by_core.find(family);
    if (entries == sentence.names.parts_by_core.end()) {
        return;
    }
    std::vector<Mention> forms;
    for (const std::string_view form : {"sxm", "pcie"}) {
        Candidates candidates = entries->second;
        if (!narrow(candidates, [&](const Names::Part* each) { return has_form(*each, form); })) {
            return;
        }
        Said said;
        said.begin = named.at;
        said.end = named.end;
        said.form = form;
        forms.push_back(mention_of(candidates, family, said));
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
