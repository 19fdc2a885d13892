#include "advise/reading/hardware/part_words.h"
#include "advise/reading/numbers/units.h"
#include "base/text.h"

#include <algorithm>

// Machines and instances as people write them: "DGX H100", "p5.48xlarge", "nd h100 v5".

namespace ridgeline::reading {
namespace {

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
    mention.instance = machine.provider.empty() ? ""
                       : machine.id.empty()     ? machine.instance
                                                : machine.id;
    return mention;
}

/// "raspberry pi 4": behind the bare name of a part of a fifth generation stands an earlier one.
bool is_of_older_generation(const Sentence& sentence, std::size_t last, const Accelerator& part) {
    const auto digit = [](std::string_view word) { return word.size() == 1 && all_digits(word); };
    const std::size_t dash = part.id.rfind('-');
    const std::string_view own = std::string_view(part.id).substr(dash + 1);
    const std::string_view said = sentence.word(last + 1);
    return dash != std::string::npos && digit(own) && sentence.word(last) != own &&
           sentence.follows(last + 1) && digit(said) && said.front() > '0' &&
           said.front() < own.front() &&
           unit_after_number(sentence, last + 2, "").field == Field::none &&
           !is_any(sentence.word(last + 2), "gb gib x");
}

/// Names whose joined words are those of a machine, an instance or a part: "p5.48xlarge",
/// "a3-highgpu-8g", "DGX H100".
bool match_whole_name(Sentence& sentence, std::size_t at) {
    std::string key;
    const Names::Machine* machine = nullptr;
    const Accelerator* part = nullptr;
    std::size_t machine_length = 0;
    std::size_t part_length = 0;
    const bool article = is_any(sentence.word(at), "a an x v");
    // "memory per gpu 8xa100" counts parts; "gpu_8x_a100" and "lambda gpu 8x a100" are an instance.
    const bool noun =
        is_any(sentence.word(at), "gpu gpus") &&
        !(at > 0 && sentence.names.providers.contains(std::string(sentence.word(at - 1))));
    // One word is a name where nothing in it is one, or where it is glued: "gtx1660s", "5060ti".
    const auto pieces = part_pieces(singular(sentence.word(at)));
    const bool alone =
        is_variant(pieces.back()) || std::ranges::none_of(pieces, [&](const std::string& piece) {
            return sentence.names.parts_by_core.contains(piece);
        });
    for (std::size_t n = 0; n < 7 && sentence.open(at + n) && (n == 0 || sentence.follows(at + n));
         ++n) {
        if (n == 1 && (article || noun) && sentence.tokens[at + 1].gap == Gap::space) {
            break;
        }
        key += n == 0 ? std::string(sentence.word(at)) : singular(sentence.word(at + n));
        if (const auto found = sentence.names.machines_by_key.find(key);
            found != sentence.names.machines_by_key.end()) {
            machine = &found->second;
            machine_length = n + 1;
        }
        if (const auto found = sentence.names.parts_by_key.find(key);
            found != sentence.names.parts_by_key.end() && (n > 0 || alone) &&
            !is_of_older_generation(sentence, at + n, *found->second)) {
            part = found->second;
            part_length = n + 1;
        }
    }
    if (machine != nullptr && machine_length >= part_length) {
        sentence.claim(at, machine_length);
        sentence.mentions.push_back(mention_of(*machine, at, machine_length));
        return true;
    }
    if (part == nullptr) {
        return false;
    }
    // "resnet-50 90 epochs" holds no RTX 5090.
    const bool numbers =
        part_length == 2 && all_digits(sentence.word(at)) && all_digits(sentence.word(at + 1));
    if (numbers && (sentence.tokens[at].gap == Gap::joint ||
                    unit_after_number(sentence, at + part_length, "").field != Field::none)) {
        return false;
    }
    Said said;
    look_back(sentence, at, said);
    said.end = at + part_length;
    const Names::Part only{part, {}};
    // A whole name is one part, unless words after it still tell another one.
    if ((is_variant(sentence.word(said.end)) && sentence.follows(said.end)) ||
        (part->vendor == "NVIDIA" && heads_laptops(sentence))) {
        return false;
    }
    const bool resoldered =
        sentence.follows(said.end) && is_resoldered(*part, memory_at(sentence, said.end).first);
    // "h100 pcie 94gb", "h100 pcie nvl": another form of the same chip has what stands behind.
    const double behind = sentence.follows(said.end) ? memory_at(sentence, said.end).first : 0;
    const std::string form =
        sentence.follows(said.end) ? form_of(sentence.word(said.end)) : std::string();
    const auto family = sentence.names.parts_by_core.find(split(part->id, '-').front());
    const bool other =
        family != sentence.names.parts_by_core.end() &&
        std::ranges::any_of(family->second, [&](const Names::Part* each) {
            return (behind > 0 && !has_memory(*part, behind) && has_memory(*each->part, behind)) ||
                   (form == "nvl" && has_form(*each, form));
        });
    if ((said.memory > 0 && !has_memory(*part, said.memory)) || resoldered || other) {
        return false;
    }
    sentence.claim(said.begin, said.end - said.begin);
    sentence.mentions.push_back(mention_of({&only}, part->id, said));
    return true;
}

/// "nd h100 v5", "dgx a100": pieces of a machine's name in order, each perhaps cut short.
bool match_machine_pieces(Sentence& sentence, std::size_t at) {
    if (!is_any(sentence.word(at), "dgx hgx nd nc nd96 a2 a3 p4 p5 p6 gb200 gb300")) {
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
        // Two pieces name a machine, where one of them is its part: "dgx station" names none.
        bool numbered = false;
        for (std::size_t i = at; i < at + taken; ++i) {
            numbered = numbered || has_digit(sentence.word(i));
        }
        if (taken >= 2 && numbered) {
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

}  // namespace

bool match_machine(Sentence& sentence, std::size_t at) {
    return match_machine_pieces(sentence, at) || match_whole_name(sentence, at);
}

}  // namespace ridgeline::reading
