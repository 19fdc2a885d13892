#include "advise/reading/amounts/rates.h"
#include "advise/reading/hardware/part_words.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/names.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// Parts, families, machines and instances as people write them: "8xh100 sxm", "rtx 4090s",
// "80GB A100", "DGX H100", "p5.48xlarge", "nd h100 v5".

namespace ridgeline::reading {
namespace {

/// "6000" of "pro 6000s".
bool is_number_of_pro(std::string_view word) {
    const std::string one = singular(word);
    return one.size() == 4 && all_digits(one) && one.ends_with("000");
}

}  // namespace

bool heads_laptops(const Sentence& sentence) {
    return sentence.tokens.size() > 1 &&
           is_any(sentence.word(0), "laptop laptops notebook notebooks") &&
           parted_by_colon(sentence, 1) && !sentence.any_word("desktop");
}

void look_back(const Sentence& sentence, std::size_t at, Said& said) {
    said.begin = at;
    while (said.begin > 0 && sentence.open(said.begin - 1) && sentence.follows(said.begin)) {
        const std::size_t i = said.begin - 1;
        const std::string_view word = sentence.word(i);
        if (is_brand(word)) {
            said.brands.emplace_back(word);
        } else if (is_any(word, "pro mini") && i > 0 && sentence.follows(i) &&
                   is_any(sentence.word(i - 1), "rtx radeon macbook mac arc")) {
            // "MacBook Pro M3" is a computer, "RTX PRO 6000" a part.
            if (is_any(sentence.word(i - 1), "rtx radeon arc")) {
                said.variants.emplace_back(word);
            }
        } else if (word == "pro" && i + 1 == at && is_number_of_pro(sentence.word(at))) {
            said.brands.emplace_back("rtx");  // "a pro 6000", whose other words all leave out
            said.variants.emplace_back(word);
        } else if (!form_of(word).empty() && said.form.empty() &&
                   !(i > 0 && is_any(sentence.word(i - 1), "or vs versus than over via and"))) {
            said.form = form_of(word);  // "2 pcie a100s"
        } else if (is_any(word, "orin thor xavier")) {
            said.others.emplace_back(word);
        } else if (const auto [gb, length] = memory_at(sentence, i);
                   gb > 0 && length == 1 && said.memory == 0) {
            said.memory = gb;
        } else if (is_any(word, "gb gib") && i > 0 && sentence.open(i - 1) && said.memory == 0 &&
                   memory_at(sentence, i - 1).first > 0) {
            said.memory = memory_at(sentence, i - 1).first;
            --said.begin;
        } else {
            break;
        }
        --said.begin;
    }
}

namespace {

bool is_laptop_word(std::string_view word) {
    return is_any(word, "laptop laptops notebook notebooks mobile");
}

/// "2x 4090 128gb ram": memory of the computer, of which no form of the part has so much.
bool is_of_host(const Sentence& sentence, std::size_t behind, double gb,
                const Candidates& candidates) {
    const std::size_t noun = behind + (is_any(sentence.word(behind), "of") ? 1 : 0);
    const std::string_view word = sentence.word(noun);
    const bool host =
        is_any(word, "ram dram ddr3 ddr4 ddr5") ||
        (is_any(word, "system host cpu main") && is_any(sentence.word(noun + 1), "ram memory"));
    return host && sentence.follows(behind) &&
           std::ranges::none_of(candidates, [&](const Names::Part* each) {
               return each->part->kind != "gpu" || has_memory(*each->part, gb);
           });
}

/// Tokens of a memory that stands at token i behind a name, which is taken; 0: none stands there.
std::size_t take_memory(const Sentence& sentence, std::size_t i, const Candidates& candidates,
                        Said& said) {
    if (said.memory != 0) {
        return 0;
    }
    if (const auto [gb, length] = memory_at(sentence, i); gb > 0) {
        if (is_of_host(sentence, i + length, gb, candidates)) {
            return 0;
        }
        said.memory = gb;
        return length + (sentence.word(i + length) == "vram" ? 1 : 0);
    }
    if (bare_memory(sentence, i, candidates)) {
        said.memory = number_with_suffix(singular(sentence.word(i))).value_or(0);
        return 1;
    }
    return 0;
}

/// Words that people set behind the names of parts, and pieces of these parts' own names.
bool goes_with_parts(const std::string& word, const Candidates& candidates) {
    return is_any(word,
                  "blackwell server workstation ws hbm2e hbm3 hbm3e hbm2 edition generation "
                  "founders fe trillium lite gpu gpus "
                  "superchip hopper ampere") ||
           std::ranges::any_of(candidates, [&](const Names::Part* each) {
               return each->pieces.size() > 1 && word.size() > 2 && has_letter(word) &&
                      memory_piece(word) == 0 &&
                      std::ranges::find(each->pieces, word) != each->pieces.end();
           });
}

/// "Max-Q" names a form, of the same chip at less power, as a board does.
bool is_max_q(const Names::Part* part) {
    return std::ranges::find(part->pieces, "q") != part->pieces.end();
}

/// Takes a word behind a name; false: the name ends before it.
bool take_word(const std::string& word, const Candidates& candidates, bool first, Said& said) {
    const bool apple = candidates.front()->part->vendor == "Apple";
    if (word == "maxq") {
        // A form of a card, else that of laptops.
        const bool form = std::ranges::any_of(candidates, is_max_q);
        (form ? said.others : said.variants).emplace_back(form ? "q" : "laptop");
    } else if (!form_of(word).empty() &&
               (said.form.empty() || (said.form == "pcie" && form_of(word) == "nvl"))) {
        said.form = form_of(word);  // an NVL board is one for a slot of PCIe
    } else if (apple && is_any(word, "mini studio air imac macbook")) {
        said.brands.emplace_back("mac");  // a computer, no other chip
    } else if (is_laptop_word(word) ||
               (is_variant(word) && (apple || !is_any(word, "max ultra")))) {
        said.variants.push_back(word);  // "h100 max throughput" names no part
    } else if (goes_with_parts(word, candidates) && !(first && is_any(word, "gpu gpus"))) {
        said.others.push_back(word == "workstation" ? "ws" : word);
    } else {
        return false;
    }
    return true;
}

/// Variants, boards, memory and further words after the name.
void look_ahead(const Sentence& sentence, std::size_t at, const Candidates& candidates,
                Said& said) {
    said.end = at;
    while (sentence.open(said.end) && sentence.follows(said.end)) {
        if (const std::size_t length = take_memory(sentence, said.end, candidates, said)) {
            said.end += length;
        } else if (take_word(singular(sentence.word(said.end)), candidates, said.end == at, said)) {
            ++said.end;
        } else {
            return;
        }
    }
}

std::vector<std::string> variants_of(const std::vector<std::string>& pieces) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const bool max_q = pieces[i] == "max" && i + 1 < pieces.size() && pieces[i + 1] == "q";
        if (is_variant(pieces[i]) && !max_q) {
            found.push_back(pieces[i]);
        }
    }
    std::ranges::sort(found);
    return found;
}

bool holds_word(const std::vector<std::string>& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

/// A memory that no form of the part has stays a fact of its own.
void keep_memory(Sentence& sentence, const Candidates& candidates, double memory) {
    const bool known = std::ranges::any_of(
        candidates, [&](const auto* each) { return has_memory(*each->part, memory); });
    if (memory > 0 && !known) {
        sentence.reading.memory_gib = memory;
        sentence.reading.memory_unlisted = true;
        std::string sizes;
        for (const Names::Part* each : candidates) {
            const std::string size = fmt::format("{:g}", each->part->marketed_gb);
            sizes += sizes.find(size) == sizes.npos ? (sizes.empty() ? "" : ", ") + size : "";
        }
        sentence.assume("memory_gib", fmt::format("{:g}", memory),
                        fmt::format("no {} with {:g} GB is known, but with {} GB",
                                    candidates.front()->part->name, memory, sizes));
    }
}

/// Names that parts of other makers share with versions, rows and model pieces need their brand.
bool needs_brand(std::string_view core) {
    return (core.size() == 2 && core[0] == 'v' && is_digit(core[1])) ||
           core == "p4" ||  // an instance of AWS otherwise
           (all_digits(core) &&
            !(core.size() == 4 && core[1] == '0' && core[2] != '0' && core[3] == '0'));
}

/// "4090 vs 5090 tokens per watt", "3090 tokens/s llama 3 8b": what follows is a rate or the number
/// stands beside another card, so that it counts nothing.
bool stands_as_card(const Sentence& sentence, std::size_t at, std::string_view core) {
    if (needs_brand(core)) {
        return false;
    }
    const bool rate = is_made(sentence.word(at + 1)) && sentence.follows(at + 2) &&
                      (sentence.word(at + 2) == "per" || sentence.tokens[at + 2].gap == Gap::slash);
    const bool beside = at > 0 && is_any(sentence.word(at - 1), "vs versus or than against") &&
                        std::ranges::any_of(sentence.mentions, [&](const Mention& each) {
                            return each.end + 1 == at;
                        });
    // "4x3090 days?", "on a 4090 hours": the time is asked for behind a card.
    const bool counted = at > 1 && sentence.word(at - 1) == "x" && amount_in(sentence.word(at - 2));
    const bool ends =
        core.size() == 4 && seconds_of(sentence.word(at + 1)) >= 60 &&
        (at + 2 >= sentence.tokens.size() || sentence.tokens[at + 2].gap == Gap::stop) &&
        !(at > 0 && is_any(sentence.word(at - 1), "in within under for of"));
    return rate || beside || (counted && core.size() == 4) || ends;
}

/// "4070 laptop", "laptop 4070": the part of a laptop, which has the name of a card; of parts that
/// no laptop's other form has, the word tells nothing.
void settle_laptop(const Sentence& sentence, std::size_t at, const Candidates& candidates,
                   Said& said) {
    const auto word = std::ranges::find_if(said.variants, is_laptop_word);
    const bool geforce = std::ranges::any_of(
        candidates, [](const Names::Part* each) { return each->part->vendor == "NVIDIA"; });
    if (word != said.variants.end()) {
        std::erase_if(said.variants, is_laptop_word);
        if (geforce) {
            said.variants.emplace_back("laptop");
        }
        return;
    }
    if (heads_laptops(sentence) && geforce) {
        said.variants.emplace_back("laptop");
        return;
    }
    const bool before = said.begin > 0 && said.begin <= at && sentence.follows(said.begin) &&
                        sentence.open(said.begin - 1) &&
                        is_laptop_word(sentence.word(said.begin - 1));
    if (before && geforce) {
        said.variants.emplace_back("laptop");
        --said.begin;
    }
}

/// The core of a part's name at token `at` ("4090" of "rtx4090"), with what is glued to it, and its
/// tokens; 0: there is none.
std::size_t take_core(const Sentence& sentence, std::size_t at, std::string& core, Said& said) {
    const std::string word = singular(sentence.word(at));
    for (const std::string& piece : part_pieces(word)) {
        if (sentence.names.parts_by_core.count(piece) > 0) {
            core = piece;
        } else if (is_variant(piece)) {
            said.variants.push_back(piece);
        } else if (is_brand(piece)) {
            said.brands.push_back(piece);
        }
    }
    if (!core.empty()) {
        return 1;
    }
    if (sentence.open(at + 1) && sentence.follows(at + 1) && word != "a" && word.size() <= 2 &&
        has_letter(word)) {
        // "mi 300x", "h 100"
        const std::string two = word + singular(sentence.word(at + 1));
        if (sentence.names.parts_by_core.count(two) > 0) {
            core = two;
            return 2;
        }
    }
    return 0;
}

/// "2000 images", "2000 hours" are no RTX 2000.
bool is_an_amount(const Sentence& sentence, std::size_t at, const std::string& core) {
    if (!all_digits(singular(sentence.word(at))) || !sentence.follows(at + 1) ||
        stands_as_card(sentence, at, core)) {
        return false;
    }
    const bool time = seconds_of(sentence.word(at + 1)) > 0 &&
                      sentence.tokens[at + 1].begin == sentence.tokens[at].end + 1;
    return time || unit_after_number(sentence, at + 1, "").field != Field::none;
}

/// "bge-m3" is a model: two letters after a hyphen are the end of another name, and so is what
/// ends a model's whole name behind a blank ("minimax m2").
bool ends_another_name(const Sentence& sentence, std::size_t at, const std::string& core,
                       const Said& said) {
    const bool behind = said.begin == at && at > 0 && sentence.open(at - 1) && sentence.follows(at);
    const std::string before(behind ? sentence.word(at - 1) : std::string_view());
    if (behind && sentence.names.models_by_family.contains(before) &&
        sentence.names.models_by_key.contains(bare(before) + bare(sentence.word(at)))) {
        return true;
    }
    return core.size() == 2 && said.begin == at && at > 0 && sentence.open(at - 1) &&
           sentence.tokens[at].gap == Gap::joint && has_letter(sentence.word(at - 1)) &&
           sentence.names.lexicon.find(std::string(sentence.word(at - 1))).empty();
}

/// The candidates of the variants that were said; false: "RTX 3080 Ti" is no RTX 3080.
bool narrow_to_variants(Candidates& candidates, Said& said) {
    std::ranges::sort(said.variants);
    said.variants.erase(std::unique(said.variants.begin(), said.variants.end()),
                        said.variants.end());
    const bool same = narrow(candidates, [&](const Names::Part* each) {
        return variants_of(split(each->part->id, '-')) == said.variants;
    });
    return same || said.variants.empty();
}

/// "m4 max": the whole chip, unless a memory was said with which a smaller one is sold.
void keep_whole_chip(Candidates& candidates, double memory) {
    const auto larger = [](const Names::Part* a, const Names::Part* b) {
        return a->part->marketed_gb < b->part->marketed_gb;
    };
    const Accelerator* const whole = (*std::ranges::max_element(candidates, larger))->part;
    const bool one_chip =
        whole->vendor == "Apple" && std::ranges::all_of(candidates, [&](const Names::Part* each) {
            return each->part->chip == whole->chip;
        });
    if (one_chip && std::ranges::none_of(candidates, [&](const Names::Part* each) {
            return has_memory(*each->part, memory);
        })) {
        narrow(candidates, [&](const Names::Part* each) { return each->part == whole; });
    }
}

/// The candidates of the series, the words, the memory and the board that were said.
void narrow_to_said(Sentence& sentence, Candidates& candidates, const Said& said) {
    const bool tpu = holds_word(said.brands, "tpu");
    if (tpu || holds_word(said.brands, "quadro")) {
        narrow(candidates, [&](const Names::Part* each) {
            return holds_word(each->pieces, tpu ? "tpu" : "quadro");
        });
    }
    const bool max_q = holds_word(said.others, "q");
    // A card is the full one unless its Max-Q form is named.
    narrow(candidates, [&](const Names::Part* each) { return is_max_q(each) == max_q; });
    for (const std::string& other : said.others) {
        narrow(candidates,
               [&](const Names::Part* each) { return holds_word(each->pieces, other); });
    }
    keep_whole_chip(candidates, said.memory);
    if (said.memory > 0) {
        narrow(candidates,
               [&](const Names::Part* each) { return has_memory(*each->part, said.memory); });
        keep_memory(sentence, candidates, said.memory);
    }
    if (!said.form.empty()) {
        narrow(candidates, [&](const Names::Part* each) { return has_form(*each, said.form); });
    }
}

/// "a100 x4 80": the memory behind the number of them.
void take_memory_behind_count(Sentence& sentence, const Candidates& candidates, Said& said) {
    const std::string_view times = sentence.follows(said.end) ? sentence.word(said.end) : "";
    const bool joint = times.size() > 1 && times.front() == 'x' && all_digits(times.substr(1));
    const bool apart = times == "x" && all_digits(sentence.word(said.end + 1));
    const std::size_t at = said.end + (joint ? 1 : 2);
    if (said.memory == 0 && (joint || apart) && sentence.follows(at) && sentence.open(at) &&
        bare_memory(sentence, at, candidates)) {
        said.memory = number_with_suffix(sentence.word(at)).value_or(0);
        sentence.claim(at);
    }
}

bool match_part(Sentence& sentence, std::size_t at) {
    Said said;
    std::string core;
    const std::size_t length = take_core(sentence, at, core, said);
    if (length == 0 || is_an_amount(sentence, at, core)) {
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
    take_memory_behind_count(sentence, candidates, said);
    settle_laptop(sentence, at, candidates, said);
    const bool bare = needs_brand(core) && said.brands.empty() && said.variants.empty();
    if (bare || ends_another_name(sentence, at, core, said) ||
        !narrow_to_variants(candidates, said)) {
        return false;
    }
    narrow_to_said(sentence, candidates, said);
    const std::string_view last = sentence.word(said.end - 1);
    sentence.reading.several = sentence.reading.several || singular(last).size() < last.size();
    sentence.claim(said.begin, said.end - said.begin);
    sentence.mentions.push_back(mention_of(candidates, core, said));
    Mention& mention = sentence.mentions.back();
    const bool may_differ =
        !mention.parts.empty() && (mention.parts.front()->vendor == "Apple" ||
                                   is_resoldered(*mention.parts.front(), said.memory));
    mention.memory_gb =
        said.memory > 0 && may_differ && !has_memory(*mention.parts.front(), said.memory)
            ? said.memory
            : 0;
    return true;
}

}  // namespace

void recognise_hardware(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.open(i) || sentence.tokens[i].foreign) {
            continue;
        }
        if (!match_machine(sentence, i)) {
            match_part(sentence, i);
        }
    }
    add_other_forms(sentence);
    add_rented_card(sentence);
    add_slices(sentence);
    stable_order(sentence.mentions.begin(), sentence.mentions.end(),
                 [](const Mention& a, const Mention& b) { return a.at < b.at; });
}

}  // namespace ridgeline::reading
