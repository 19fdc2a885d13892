#include "advise/reading/amounts.h"
#include "advise/reading/names.h"
#include "advise/reading/units.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>

// Parts, families, machines and instances as people write them: "8xh100 sxm", "rtx 4090s",
// "80GB A100", "DGX H100", "p5.48xlarge", "nd h100 v5".

namespace ridgeline::reading {
namespace {

std::string singular(std::string_view word) {
    const bool plural = word.size() > 2 && word.back() == 's' && word != "l40s" &&
                        (word.size() > 3 || has_letter(word.substr(0, 1))) &&
                        (is_digit(word[word.size() - 2]) ||
                         is_any(word, {"l40ss", "mi300xs", "mi325xs", "mi355xs", "mi250xs"}));
    return std::string(word.substr(0, word.size() - (plural ? 1 : 0)));
}

/// "80gb" or "80 gb" at token i as a size and its tokens.
std::pair<double, std::size_t> memory_at(const Sentence& sentence, std::size_t i) {
    if (const double one = memory_piece(sentence.word(i)); one > 0) {
        return {one, 1};
    }
    const bool two = all_digits(sentence.word(i)) && sentence.word(i).size() <= 4 &&
                     sentence.follows(i + 1) &&
                     is_any(sentence.word(i + 1), {"gb", "gib", "gig", "gigs"});
    return two ? std::pair{number_with_suffix(sentence.word(i)).value_or(0), std::size_t{2}}
               : std::pair{0.0, std::size_t{0}};
}

bool has_memory(const Accelerator& part, double gb) {
    return std::abs(part.marketed_gb - gb) <= 0.06 * gb;
}

bool has_form(const Names::Part& entry, std::string_view form) {
    return std::any_of(entry.pieces.begin(), entry.pieces.end(), [&](const std::string& piece) {
        return piece.starts_with(form);
    });
}

std::string form_of(std::string_view word) {
    if (word.starts_with("sxm")) {
        return "sxm";
    }
    return is_any(word, {"pcie", "nvl", "oam"}) ? std::string(word) : "";
}

bool is_laptop_word(std::string_view word) {
    return is_any(word, {"laptop", "laptops", "notebook", "notebooks", "mobile"});
}

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

/// Brands, variants and memory before the name.
void look_back(const Sentence& sentence, std::size_t at, Said& said) {
    said.begin = at;
    while (said.begin > 0 && sentence.open(said.begin - 1) && sentence.follows(said.begin)) {
        const std::size_t i = said.begin - 1;
        const std::string_view word = sentence.word(i);
        if (is_brand(word)) {
            said.brands.emplace_back(word);
        } else if (is_any(word, {"pro", "mini"}) && i > 0 && sentence.follows(i) &&
                   is_any(sentence.word(i - 1), {"rtx", "radeon", "macbook", "mac", "arc"})) {
            // "MacBook Pro M3" is a computer, "RTX PRO 6000" a part.
            if (is_any(sentence.word(i - 1), {"rtx", "radeon", "arc"})) {
                said.variants.emplace_back(word);
            }
        } else if (is_any(word, {"orin", "thor", "xavier"})) {
            said.others.emplace_back(word);
        } else if (const auto [gb, length] = memory_at(sentence, i);
                   gb > 0 && length == 1 && said.memory == 0) {
            said.memory = gb;
        } else if (is_any(word, {"gb", "gib"}) && i > 0 && sentence.open(i - 1) &&
                   said.memory == 0 && memory_at(sentence, i - 1).first > 0) {
            said.memory = memory_at(sentence, i - 1).first;
            --said.begin;
        } else {
            break;
        }
        --said.begin;
    }
}

/// "4 a100 80": a memory of the family without its unit, before nothing that it could count.
bool bare_memory(const Sentence& sentence,
                 std::size_t i,
                 const std::vector<const Names::Part*>& candidates) {
    const std::string_view word = sentence.word(i);
    const bool slice = sentence.tokens[i].gap == Gap::joint &&
                       candidates.front()->part->id.starts_with("tpu");  // "v5e-16"
    if (!all_digits(word) || word.size() < 2 || word.size() > 3 || slice) {
        return false;
    }
    const double gb = number_with_suffix(word).value_or(0);
    const bool known = std::any_of(candidates.begin(), candidates.end(), [&](const auto* each) {
        return each->part->marketed_gb == gb && gb >= 16;
    });
    const bool counts = sentence.follows(i + 1) &&
                        (unit_after_number(sentence, i + 1, "").field != Field::none ||
                         is_any(sentence.word(i + 1), {"x", "gpu", "gpus", "card", "cards", "%"}));
    return known && !counts;
}

/// Variants, boards, memory and further words after the name.
void look_ahead(const Sentence& sentence,
                std::size_t at,
                const std::vector<const Names::Part*>& candidates,
                Said& said) {
    said.end = at;
    while (sentence.open(said.end) && sentence.follows(said.end)) {
        const std::size_t i = said.end;
        const std::string word = singular(sentence.word(i));
        const auto [gb, length] = memory_at(sentence, i);
        if (gb > 0 && said.memory == 0) {
            said.memory = gb;
            said.end += length;
            if (is_any(sentence.word(said.end), {"vram"})) {
                ++said.end;
            }
            continue;
        }
        if (said.memory == 0 && bare_memory(sentence, i, candidates)) {
            said.memory = number_with_suffix(word).value_or(0);
            ++said.end;
            continue;
        }
        if (!form_of(word).empty() && said.form.empty()) {
            said.form = form_of(word);
        } else if (word == "mini" && candidates.front()->part->vendor == "Apple") {
            said.brands.emplace_back("mac");  // a computer, no other chip
        } else if (is_laptop_word(word)) {
            said.variants.push_back(word);
        } else if (is_variant(word) && (candidates.front()->part->vendor == "Apple" ||
                                        !is_any(word, {"max", "ultra"}))) {
            // "h100 max throughput" names no part.
            said.variants.push_back(word);
        } else if (is_any(word,
                          {"blackwell",
                           "server",
                           "workstation",
                           "ws",
                           "hbm2e",
                           "hbm3",
                           "hbm3e",
                           "hbm2",
                           "edition",
                           "generation",
                           "founders",
                           "fe",
                           "trillium",
                           "lite",
                           "gpu",
                           "gpus",
                           "superchip",
                           "hopper",
                           "ampere"}) ||
                   std::any_of(candidates.begin(), candidates.end(), [&](const Names::Part* each) {
                       return each->pieces.size() > 1 && word.size() > 2 && has_letter(word) &&
                              memory_piece(word) == 0 &&
                              std::find(each->pieces.begin(), each->pieces.end(), word) !=
                                  each->pieces.end();
                   })) {
            if (is_any(word, {"gpu", "gpus"}) && said.end == at) {
                break;
            }
            said.others.push_back(word);
        } else {
            break;
        }
        ++said.end;
    }
}

std::vector<std::string> variants_of(const std::vector<std::string>& pieces) {
    std::vector<std::string> found;
    for (const std::string& piece : pieces) {
        if (is_variant(piece)) {
            found.push_back(piece);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

bool holds_word(const std::vector<std::string>& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

using Candidates = std::vector<const Names::Part*>;

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

/// A family as one name: what all of its parts have in common, with the memory that was said.
std::string family_name(const Candidates& candidates, std::string_view core, double memory) {
    if (candidates.size() == 1) {
        return candidates.front()->part->id;
    }
    std::string name;
    for (const std::string& piece : split(candidates.front()->part->id, '-')) {
        const bool shared =
            std::all_of(candidates.begin(), candidates.end(), [&](const auto* each) {
                const auto own = split(each->part->id, '-');
                return std::find(own.begin(), own.end(), piece) != own.end();
            });
        if (shared && memory_piece(piece) == 0) {
            name += (name.empty() ? "" : "-") + piece;
        }
    }
    if (name.empty()) {
        name = std::string(core);
    }
    return memory > 0 ? name + "-" + std::to_string(static_cast<int>(memory)) + "gb" : name;
}

Mention mention_of(const Candidates& candidates, std::string_view core, const Said& said) {
    Mention mention;
    mention.at = said.begin;
    mention.end = said.end;
    mention.form = said.form;
    for (const Names::Part* each : candidates) {
        mention.parts.push_back(each->part);
    }
    const bool sizes = said.memory > 0 && has_memory(*candidates.front()->part, said.memory);
    mention.name = family_name(candidates, core, sizes ? said.memory : 0);
    return mention;
}

/// A memory that no form of the part has stays a fact of its own.
void keep_memory(Sentence& sentence, const Candidates& candidates, double memory) {
    const bool known = std::any_of(candidates.begin(), candidates.end(), [&](const auto* each) {
        return has_memory(*each->part, memory);
    });
    if (memory > 0 && !known) {
        sentence.reading.memory_gib = memory;
    }
}

/// Names that parts of other makers share with versions, rows and model pieces need their brand.
bool needs_brand(std::string_view core) {
    return (core.size() == 2 && core[0] == 'v' && is_digit(core[1])) ||
           (all_digits(core) &&
            !(core.size() == 4 && core[1] == '0' && core[2] != '0' && core[3] == '0'));
}

/// "4090 vs 5090 tokens per watt", "3090 tokens/s llama 3 8b": what follows is a rate or the number stands
/// beside another card, so that it counts nothing.
bool stands_as_card(const Sentence& sentence, std::size_t at, std::string_view core) {
    if (needs_brand(core)) {
        return false;
    }
    const bool rate = is_made(sentence.word(at + 1)) && sentence.follows(at + 2) &&
                      (sentence.word(at + 2) == "per" || sentence.tokens[at + 2].gap == Gap::slash);
    const bool beside = at > 0 && is_any(sentence.word(at - 1), {"vs", "versus", "or", "than", "against"}) &&
                        std::any_of(sentence.mentions.begin(), sentence.mentions.end(), [&](const Mention& each) {
                            return each.end + 1 == at;
                        });
    return rate || beside;
}

/// "4070 laptop", "laptop 4070": the part of a laptop, which has the name of a card; of parts that no
/// laptop's other form has, the word tells nothing.
void settle_laptop(const Sentence& sentence, std::size_t at, const std::vector<const Names::Part*>& candidates, Said& said) {
    const auto word = std::find_if(said.variants.begin(), said.variants.end(), is_laptop_word);
    const bool geforce = std::any_of(candidates.begin(), candidates.end(), [](const Names::Part* each) {
        return each->part->vendor == "NVIDIA";
    });
    if (word != said.variants.end()) {
        std::erase_if(said.variants, is_laptop_word);
        if (geforce) {
            said.variants.emplace_back("laptop");
        }
        return;
    }
    const bool before = said.begin > 0 && said.begin <= at && sentence.follows(said.begin) && sentence.open(said.begin - 1) &&
                        is_laptop_word(sentence.word(said.begin - 1));
    if (before && geforce) {
        said.variants.emplace_back("laptop");
        --said.begin;
    }
}

bool match_part(Sentence& sentence, std::size_t at) {
    const std::string word = singular(sentence.word(at));
    auto pieces = part_pieces(word);
    Said said;
    std::string core;
    for (const std::string& piece : pieces) {
        if (sentence.names.parts_by_core.count(piece) > 0) {
            core = piece;
        } else if (is_variant(piece)) {
            said.variants.push_back(piece);
        } else if (is_brand(piece)) {
            said.brands.push_back(piece);
        }
    }
    std::size_t length = 1;
    if (core.empty() && sentence.open(at + 1) && sentence.follows(at + 1) && word != "a") {
        // "mi 300x", "h 100"
        const std::string two = word + singular(sentence.word(at + 1));
        if (word.size() <= 2 && has_letter(word) && sentence.names.parts_by_core.count(two) > 0) {
            core = two;
            length = 2;
        }
    }
    if (core.empty()) {
        return false;
    }
    // "2000 images", "2000 hours" are no RTX 2000.
    if (all_digits(word) && sentence.follows(at + 1) && !stands_as_card(sentence, at, core) &&
        (unit_after_number(sentence, at + 1, "").field != Field::none ||
         (seconds_of(sentence.word(at + 1)) > 0 &&
          sentence.tokens[at + 1].begin == sentence.tokens[at].end + 1))) {
        return false;
    }
    // "a6000 ada" is what people call the RTX 6000 Ada.
    const std::string ada = core.size() == 5 && core.front() == 'a' ? core.substr(1) : "";
    if (!ada.empty() && sentence.follows(at + length) && sentence.word(at + length) == "ada" &&
        sentence.names.parts_by_core.count(ada) > 0) {
        core = ada;
    }
    Candidates candidates = sentence.names.parts_by_core.at(core);
    look_back(sentence, at, said);
    look_ahead(sentence, at + length, candidates, said);
    settle_laptop(sentence, at, candidates, said);
    if (needs_brand(core) && said.brands.empty() && said.variants.empty()) {
        return false;
    }
    // "bge-m3" is a model: two letters after a hyphen are the end of another name.
    const bool tail = core.size() == 2 && said.begin == at && at > 0 && sentence.open(at - 1) &&
                      sentence.tokens[at].gap == Gap::joint && has_letter(sentence.word(at - 1)) &&
                      Lexicon::shared().find(std::string(sentence.word(at - 1))).empty();
    if (tail) {
        return false;
    }
    std::sort(said.variants.begin(), said.variants.end());
    said.variants.erase(std::unique(said.variants.begin(), said.variants.end()),
                        said.variants.end());
    const bool same = narrow(candidates, [&](const Names::Part* each) {
        return variants_of(split(each->part->id, '-')) == said.variants;
    });
    // "RTX 3080 Ti" is no RTX 3080; "Max" after an Apple chip tells its size.
    if (!same && !said.variants.empty()) {
        return false;
    }
    if (holds_word(said.brands, "quadro") || holds_word(said.brands, "tpu")) {
        narrow(candidates, [&](const Names::Part* each) {
            return holds_word(each->pieces, holds_word(said.brands, "tpu") ? "tpu" : "quadro");
        });
    }
    for (const std::string& other : said.others) {
        narrow(candidates, [&](const Names::Part* each) { return holds_word(each->pieces, other); });
    }
    if (said.memory > 0) {
        narrow(candidates,
               [&](const Names::Part* each) { return has_memory(*each->part, said.memory); });
        keep_memory(sentence, candidates, said.memory);
    }
    if (!said.form.empty()) {
        narrow(candidates, [&](const Names::Part* each) { return has_form(*each, said.form); });
    }
    const std::string_view last = sentence.word(said.end - 1);
    sentence.reading.several = sentence.reading.several || singular(last).size() < last.size();
    sentence.claim(said.begin, said.end - said.begin);
    sentence.mentions.push_back(mention_of(candidates, core, said));
    return true;
}

Mention mention_of(const Names::Machine& machine, std::size_t at, std::size_t length) {
    Mention mention;
    mention.at = at;
    mention.end = at + length;
    if (machine.part != nullptr) {
        mention.parts = {machine.part};
        mention.name = machine.part->id;
    }
    mention.machine = machine.id;
    mention.per_machine = machine.count;
    mention.provider = machine.provider;
    return mention;
}

/// Names whose joined words are those of a machine, an instance or a part: "p5.48xlarge",
/// "a3-highgpu-8g", "DGX H100".
bool match_whole_name(Sentence& sentence, std::size_t at) {
    std::string key;
    const Names::Machine* machine = nullptr;
    const Accelerator* part = nullptr;
    std::size_t machine_length = 0;
    std::size_t part_length = 0;
    const bool article = is_any(sentence.word(at), {"a", "an", "x", "v"});
    for (std::size_t n = 0; n < 7 && sentence.open(at + n) && (n == 0 || sentence.follows(at + n));
         ++n) {
        if (n == 1 && article && sentence.tokens[at + 1].gap == Gap::space) {
            break;
        }
        key += n == 0 ? std::string(sentence.word(at)) : singular(sentence.word(at + n));
        if (const auto found = sentence.names.machines_by_key.find(key);
            found != sentence.names.machines_by_key.end()) {
            machine = &found->second;
            machine_length = n + 1;
        }
        if (const auto found = sentence.names.parts_by_key.find(key);
            found != sentence.names.parts_by_key.end() && n > 0) {
            part = found->second;
            part_length = n + 1;
        }
    }
    if (machine != nullptr && machine_length >= part_length) {
        sentence.claim(at, machine_length);
        sentence.mentions.push_back(mention_of(*machine, at, machine_length));
        return true;
    }
    if (part == nullptr || part_length < 2) {
        return false;
    }
    Said said;
    look_back(sentence, at, said);
    said.end = at + part_length;
    const Names::Part only{part, {}};
    // A whole name is one part, unless words after it still tell another one.
    if (is_variant(sentence.word(said.end)) && sentence.follows(said.end)) {
        return false;
    }
    if (said.memory > 0 && !has_memory(*part, said.memory)) {
        return false;
    }
    sentence.claim(said.begin, said.end - said.begin);
    sentence.mentions.push_back(mention_of({&only}, part->id, said));
    return true;
}

/// "nd h100 v5", "dgx a100": pieces of a machine's name in order, each perhaps cut short.
bool match_machine_pieces(Sentence& sentence, std::size_t at) {
    if (!is_any(
            sentence.word(at),
            {"dgx", "hgx", "nd", "nc", "nd96", "a2", "a3", "p4", "p5", "p6", "gb200", "gb300"})) {
        return false;
    }
    for (const auto& [pieces, machine] : sentence.names.machine_pieces) {
        std::size_t taken = 0;
        for (std::size_t k = 0; k < pieces.size() && sentence.open(at + taken) &&
                                (taken == 0 || sentence.follows(at + taken));
             ++k) {
            const std::string word = singular(sentence.word(at + taken));
            if (pieces[k].starts_with(word) && (pieces[k].size() == word.size() ||
                                                is_digit(pieces[k][word.size()]) || taken == 0)) {
                ++taken;
            } else if (taken == 0) {
                break;
            }
        }
        // Two pieces name a machine, where one of them is its part.
        if (taken >= 2) {
            std::size_t end = at + taken;
            const auto [gb, length] = memory_at(sentence, end);
            if (gb > 0 && sentence.follows(end) && machine.part != nullptr &&
                has_memory(*machine.part, gb)) {
                end += length;
            } else if (gb > 0 && sentence.follows(end)) {
                continue;
            }
            sentence.claim(at, end - at);
            sentence.mentions.push_back(mention_of(machine, at, end - at));
            return true;
        }
    }
    return false;
}

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

}  // namespace

void recognise_hardware(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.open(i) || sentence.tokens[i].foreign) {
            continue;
        }
        if (!match_machine_pieces(sentence, i) && !match_whole_name(sentence, i)) {
            match_part(sentence, i);
        }
    }
    add_forms(sentence);
    add_memories(sentence);
    add_slices(sentence);
    std::sort(sentence.mentions.begin(),
              sentence.mentions.end(),
              [](const Mention& a, const Mention& b) { return a.at < b.at; });
}

}  // namespace ridgeline::reading
