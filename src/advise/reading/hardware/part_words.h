#pragma once

#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What parts, machines and forms of parts share: words around a part's name, and the parts that
// they leave.

namespace ridgeline::reading {

using Candidates = std::vector<const Names::Part*>;

/// What was said around a part's own name.
struct Said {
    std::vector<std::string> brands;
    std::vector<std::string> variants;
    std::vector<std::string> others;  ///< further pieces of the part: "blackwell", "server"
    double memory = 0;
    std::string form;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// "4090s" -> "4090"; "l40s" stays.
std::string singular(std::string_view word);
/// "80gb" or "80 gb" at token i as a size and its tokens.
std::pair<double, std::size_t> memory_at(const Sentence& sentence, std::size_t i);
/// Whether a part is sold with about so much memory.
/// "4090 48gb", "3080 20gb": cards that are sold with twice the memory, on chips that others
/// soldered.
bool is_resoldered(const Accelerator& part, double gb);
bool has_memory(const Accelerator& part, double gb);
bool has_form(const Names::Part& entry, std::string_view form);
/// "sxm5" -> "sxm"; "pcie", "nvl", "oam"; empty: the word is no board.
std::string form_of(std::string_view word);
/// "4 a100 80": a memory of the family without its unit, before nothing that it could count.
bool bare_memory(const Sentence& sentence, std::size_t i, const Candidates& candidates);
/// The parts that are left, by the name that they share.
Mention mention_of(const Candidates& candidates, std::string_view core, const Said& said);

/// Those for which the predicate holds, unless that leaves none.
template <typename Predicate>
bool narrow(Candidates& candidates, Predicate keep) {
    Candidates left;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(left), keep);
    if (left.empty()) {
        return false;
    }
    candidates = std::move(left);
    return true;
}

/// "laptop: 4060 8gb or 4070 8gb": all cards that follow are those of laptops.
bool heads_laptops(const Sentence& sentence);

/// Names whose joined words are those of a machine, an instance or a part ("p5.48xlarge"), and
/// pieces of a machine's name in order ("nd h100 v5"): whether one stands at token `at`, which is
/// claimed then.
bool match_machine(Sentence& sentence, std::size_t at);
/// Variants, boards and memory before a whole name.
void look_back(const Sentence& sentence, std::size_t at, Said& said);
/// A board, a memory or a link alone, which names another form of a part: "h100 pcie or sxm".
void add_other_forms(Sentence& sentence);

}  // namespace ridgeline::reading
