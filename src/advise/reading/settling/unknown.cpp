#include "advise/reading/settling/steps.h"
#include "advise/reading/words/names.h"
#include "base/order.h"
#include "base/text.h"

#include <algorithm>

// Names of hardware that the catalog lacks, by their form: they are named in the style of its ids
// and never dropped. Words that nothing has understood.

namespace ridgeline::reading {
namespace {

bool is_geforce_number(std::string_view word) {
    if (word.size() > 4 && word.ends_with('s')) {
        word.remove_suffix(1);
    }
    const bool rows = word.size() == 4 && all_digits(word) && word[0] >= '1' && word[0] <= '6' &&
                      word[3] == '0' && (word[1] == '0' || word[1] == '6') && word[2] >= '3';
    return rows;
}

/// "h20", "p40", "mi250x", "gh200": letters of a data-center row with its number.
bool is_data_center_name(std::string_view word) {
    if (word.size() > 3 && word.ends_with('s') && is_digit(word[word.size() - 2])) {
        word.remove_suffix(1);
    }
    std::size_t letters = 0;
    while (letters < word.size() && is_letter(word[letters])) {
        ++letters;
    }
    std::size_t digits = letters;
    while (digits < word.size() && is_digit(word[digits])) {
        ++digits;
    }
    const std::string_view row = word.substr(0, letters);
    const std::size_t count = digits - letters;
    const std::string_view tail = word.substr(digits);
    const bool rest = tail.empty() || is_any(tail, "x s a g e");
    if (is_any(word, "p50 p90 p95 p99 w4a16 w8a8 h264 h265 b16 b32 l14 a11 a22")) {
        return false;
    }
    return rest && ((count >= 2 && count <= 4 && is_any(row, "a h b l p k m v t w gh gb mi max")) ||
                    (count == 1 && row == "gaudi"));
}

struct NamedThing {
    std::string id;
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::size_t take_variants(const Sentence& sentence, std::size_t at, std::string& id) {
    while (sentence.open(at) && sentence.follows(at) &&
           ((is_variant(sentence.word(at)) &&
             (id.starts_with("apple") || !is_any(sentence.word(at), "max ultra"))) ||
            memory_piece(sentence.word(at)) > 0 ||
            (all_digits(sentence.word(at)) && is_any(sentence.word(at + 1), "gb gib")))) {
        if (is_variant(sentence.word(at))) {
            id += "-" + std::string(sentence.word(at));
            ++at;
        } else {
            const bool two = memory_piece(sentence.word(at)) == 0;
            const std::string gb(sentence.word(at));
            id += "-" + (two ? gb + "gb" : gb.ends_with("gb") ? gb : gb + "b");
            at += two ? 2 : 1;
        }
    }
    return at;
}

/// A part that nothing knows, as it is called: its core ("5095"), brand and variant.
struct SaidPart {
    std::string core;
    std::string brand;
    std::string variant;
};

SaidPart said_part(std::string_view word) {
    const auto pieces = part_pieces(word);
    SaidPart said{pieces.back(), {}, {}};
    for (const std::string& piece : pieces) {
        (is_brand(piece) ? said.brand : is_variant(piece) ? said.variant : said.core) = piece;
    }
    return said;
}

/// A plural's s behind a number: "5095s", no "l40s".
bool is_plural_core(const std::string& core) {
    return core.size() > 3 && core != "l40s" && core.ends_with('s') &&
           is_digit(core[core.size() - 2]);
}

/// The first token of brands before token `at`; the farthest that says whose series it is becomes
/// the part's.
std::size_t take_brands_before(const Sentence& sentence, std::size_t at, SaidPart& said) {
    while (at > 0 && sentence.open(at - 1) && sentence.follows(at) &&
           (is_brand(sentence.word(at - 1)) || is_any(sentence.word(at - 1), "pro mini ai"))) {
        --at;
        if (is_any(sentence.word(at),
                   "rtx gtx rx arc tesla quadro titan jetson tpu apple mac macbook studio radeon "
                   "gaudi ryzen")) {
            said.brand = std::string(sentence.word(at));
        }
    }
    return at;
}

/// "m6 max", "macbook m6": a chip of Apple's.
bool is_apple_chip(const Sentence& sentence, std::size_t at, const SaidPart& said) {
    const std::string& core = said.core;
    return core.size() == 2 && core[0] == 'm' && core[1] >= '1' && core[1] <= '6' &&
           (is_any(sentence.word(at + 1), "max ultra pro") ||
            is_any(said.brand, "apple mac macbook studio"));
}

/// An id in the style of the catalog's; empty: it is no name of hardware.
std::string id_in_style(const Sentence& sentence, std::size_t at, const SaidPart& said) {
    const auto& [core, brand, variant] = said;
    const std::string tail = variant.empty() ? "" : "-" + variant;
    if (is_any(brand, "rtx gtx arc quadro titan") && has_digit(core)) {
        return brand + "-" + core + tail;
    }
    if ((is_any(brand, "rx radeon") || is_any(variant, "xt xtx gre")) && has_digit(core)) {
        return (core.front() == 'w' ? "radeon-pro-" : "rx-") + core + tail;
    }
    if (all_digits(core) && core.size() >= 3 && core.size() <= 4 && is_geforce_number(core)) {
        return (core[0] == '1' ? "gtx-" : "rtx-") + core + tail;
    }
    if (is_apple_chip(sentence, at, said)) {
        return "apple-" + core;
    }
    if (brand == "tpu" && core.size() <= 4 && core[0] == 'v' && has_digit(core)) {
        return "tpu-" + core;
    }
    if (is_data_center_name(core) || (brand == "tesla" && has_digit(core))) {
        return is_plural_core(core) ? core.substr(0, core.size() - 1) : core;
    }
    return brand == "jetson" || is_any(sentence.word(at), "orin xavier") ? "jetson-" + core : "";
}

NamedThing named_at(const Sentence& sentence, std::size_t at) {
    SaidPart said = said_part(sentence.word(at));
    NamedThing named;
    named.begin = take_brands_before(sentence, at, said);
    if (is_plural_core(said.core) && is_geforce_number(said.core)) {
        said.core.pop_back();
    }
    named.id = id_in_style(sentence, at, said);
    if (named.id.empty()) {
        return {};
    }
    named.end = take_variants(sentence, at + 1, named.id);
    return named;
}

/// Names of more than one word.
struct UnknownWords {
    std::string_view words;
    std::string_view id;
};
constexpr UnknownWords phrases[] = {
    {"dgx spark", "dgx-spark"},
    {"strix halo", "strix-halo"},
    {"ai max 395", "strix-halo"},
    {"ai max+ 395", "strix-halo"},
    {"max 395", "strix-halo"},
    {"max + 395", "strix-halo"},
    {"395 max", "strix-halo"},
    {"ryzen 395", "strix-halo"},
    {"max+ 395", "strix-halo"},
    {"dgx station", "dgx-station"},
    {"titan rtx", "titan-rtx"},
    {"titan v", "titan-v"},
    {"titan xp", "titan-xp"},
    {"jetson orin nano", "jetson-orin-nano"},
    {"jetson orin nx", "jetson-orin-nx"},
    {"jetson agx orin", "jetson-agx-orin"},
    {"agx orin", "jetson-agx-orin"},
    {"orin agx", "jetson-agx-orin"},
    {"jetson orin agx", "jetson-agx-orin"},
    {"orin nano", "jetson-orin-nano"},
    {"orin nx", "jetson-orin-nx"},
    {"jetson thor", "jetson-thor"},
    {"jetson nano", "jetson-nano"},
    {"jetson agx xavier", "jetson-agx-xavier"},
    {"agx xavier", "jetson-agx-xavier"},
    {"xavier agx", "jetson-agx-xavier"},
    {"jetson xavier nx", "jetson-xavier-nx"},
    {"xavier nx", "jetson-xavier-nx"},
    {"jetson xavier", "jetson-xavier"},
    {"xavier", "jetson-xavier"},
    {"google coral", "coral"},
    {"coral tpu", "coral"},
    {"coral edge tpu", "coral"},
    {"edge tpu", "coral"},
    {"coral usb", "coral"},
    {"snapdragon x elite", "snapdragon-x-elite"},
    {"snapdragon x plus", "snapdragon-x-plus"},
    {"snapdragon x", "snapdragon-x"},
    {"snapdragon", "snapdragon"},
    {"dimensity", "dimensity"},
    {"hailo", "hailo"},
    {"rockchip rk3588", "rk3588"},
    {"rockchip", "rockchip"},
    {"rk3588", "rk3588"},
    {"orange pi", "orange-pi"},
    {"intel npu", "intel-npu"},
    {"amd npu", "amd-npu"},
    {"ryzen ai npu", "amd-npu"},
    {"apple neural engine", "apple-neural-engine"},
    {"neural engine", "apple-neural-engine"},
    {"movidius", "movidius"},
    {"axelera", "axelera"},
    {"kneron", "kneron"},
    {"graphcore", "graphcore-ipu"},
    {"sambanova", "sambanova"},
    {"qualcomm cloud ai 100", "qualcomm-cloud-ai-100"},
    {"cloud ai 100", "qualcomm-cloud-ai-100"},
    {"moore threads", "moore-threads"},
    {"cambricon", "cambricon"},
    {"biren", "biren"},
    {"kunlun", "kunlun"},
    {"fpga", "fpga"},
    {"alveo", "alveo-fpga"},
    {"iphone", "iphone"},
    {"ipad", "ipad"},
    {"raspberry pi 3", "raspberry-pi-3"},
    {"raspberry pi 4", "raspberry-pi-4"},
    {"rpi 3", "raspberry-pi-3"},
    {"rpi 4", "raspberry-pi-4"},
    {"raspberry pi", "raspberry-pi"},
    {"rpi", "raspberry-pi"},
    {"pi 4", "raspberry-pi-4"},
    {"pi 5", "raspberry-pi-5"},
    {"cerebras", "cerebras-wse-3"},
    {"groq", "groq-lpu"},
    {"tenstorrent", "tenstorrent"},
    {"ascend 910b", "ascend-910b"},
    {"ascend", "ascend"},
    {"steam deck", "steam-deck"},
    {"framework desktop", "strix-halo"},
    {"trainium3", "trainium3"},
    {"trainium 2", "trainium2"},
    {"trainium 3", "trainium3"},
    {"inferentia 2", "inferentia2"},
    {"gaudi 3", "gaudi3"},
    {"gaudi 2", "gaudi2"},
};

/// Parts of that name that differ in their memory: "jetson-orin-nx-8gb", "jetson-orin-nx-16gb".
std::vector<const Accelerator*> forms_of(const Catalog& catalog, std::string_view name) {
    std::vector<const Accelerator*> forms;
    for (const Accelerator& part : catalog.accelerators) {
        const std::string_view id = part.id;
        if (id.starts_with(name) && id.size() > name.size() && id[name.size()] == '-' &&
            memory_piece(id.substr(name.size() + 1)) > 0) {
            forms.push_back(&part);
        }
    }
    return forms;
}

/// "hailo-10h", "iphone 15 pro npu": the number of a series that nothing knows, and what kind of
/// chip it is.
void take_series(const Sentence& sentence, Mention& mention) {
    const std::size_t at = mention.end;
    if (!mention.parts.empty()) {
        return;
    }
    if (!has_digit(mention.name) && sentence.open(at) && sentence.follows(at) &&
        is_digit(sentence.word(at).front()) &&
        (sentence.tokens[at].gap == Gap::joint ||
         is_any(mention.name, "iphone raspberry-pi orange-pi"))) {
        mention.name += "-" + std::string(sentence.word(at));
        ++mention.end;
    }
    while (sentence.open(mention.end) && sentence.follows(mention.end) &&
           is_any(sentence.word(mention.end),
                  "npu npus tpu tpus chip chips soc sbc board ipu ipus lpu lpus wafer wafers")) {
        ++mention.end;
    }
}

bool match_phrase(Sentence& sentence, std::size_t at) {
    for (const UnknownWords& phrase : phrases) {
        const std::size_t length = sentence.tokens_of(phrase.words, at);
        if (length == 0) {
            continue;
        }
        // "groq-like 500 tok/s": what it is likened to is none of it.
        const std::size_t behind = at + length;
        if (behind < sentence.tokens.size() && sentence.tokens[behind].gap == Gap::joint &&
            is_any(sentence.word(behind), "like style class level")) {
            sentence.claim(at, length + 1);
            return true;
        }
        Mention mention;
        mention.at = at;
        mention.end = at + length;
        mention.name = phrase.id;
        if (const Accelerator* part = sentence.vocabulary.catalog.accelerator(phrase.id)) {
            mention.parts = {part};
        } else {
            mention.parts = forms_of(sentence.vocabulary.catalog, phrase.id);
        }
        take_series(sentence, mention);
        sentence.claim(at, mention.end - at);
        sentence.mentions.push_back(std::move(mention));
        return true;
    }
    return false;
}

/// "the zephyrtron x900 accelerator": a word that nothing knows at token `at`, with its number and
/// what kind of thing it is behind it. A small number counts cards, "gigabyte x8 gpu", but behind
/// an article: "the quibblix x2 accelerator".
bool is_unknown_maker(const Sentence& sentence, std::size_t at) {
    const std::string word(sentence.word(at));
    const std::size_t kind = at + 3;
    const bool unknown =
        sentence.open(at) && !sentence.tokens[at].foreign && word.size() > 3 &&
        std::ranges::all_of(word, is_letter) && !sentence.names.lexicon.knows(word) &&
        !sentence.names.model_words.contains(word) && !sentence.names.providers.contains(word);
    const bool named = at > 0 && sentence.word(at - 1) == "the";
    return unknown && sentence.follows(kind) && (named || sentence.word(at + 2).size() > 2) &&
           is_any(sentence.word(kind), "accelerator card gpu chip processor npu tpu") &&
           !is_any(sentence.word(kind + 1),
                   "server servers node nodes machine machines box system");
}

/// "nvidia x900": written as one word behind a maker, so large a number is no count of its parts.
bool match_series_x(Sentence& sentence, std::size_t at) {
    const bool glued = at > 0 && sentence.word(at) == "x" && sentence.open(at + 1) &&
                       sentence.tokens[at].end == sentence.tokens[at + 1].begin &&
                       all_digits(sentence.word(at + 1));
    const bool known = glued && sentence.word(at + 1).size() >= 3 &&
                       is_any(sentence.word(at - 1), "nvidia amd intel");
    const bool unknown = glued && !known && is_unknown_maker(sentence, at - 1);
    if (!known && !unknown) {
        return false;
    }
    Mention mention;
    mention.at = unknown ? at - 1 : at;
    mention.end = at + 2;
    mention.name = (unknown ? std::string(sentence.word(at - 1)) + "-x" : "x") +
                   std::string(sentence.word(at + 1));
    sentence.claim(mention.at, mention.end - mention.at);
    sentence.mentions.push_back(std::move(mention));
    return true;
}

/// Numbers with a unit are no names.
bool counts_a_quantity(const Sentence& sentence, std::size_t at) {
    return is_any(sentence.word(at + 1),
                  "tokens token users examples samples dollars usd eur images requests context "
                  "clips steps rows hours days gpus cards x k prompts "
                  "people ctx gb");
}

}  // namespace

/// Hardware in the form of a name that the catalog lacks.
void recognise_unknown_parts(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.open(i) || sentence.tokens[i].foreign || match_phrase(sentence, i) ||
            match_series_x(sentence, i)) {
            continue;
        }
        if (!has_digit(sentence.word(i)) || sentence.tokens[i].negative ||
            counts_a_quantity(sentence, i)) {
            continue;
        }
        const NamedThing named = named_at(sentence, i);
        if (named.id.empty()) {
            continue;
        }
        Mention mention;
        mention.at = named.begin;
        mention.end = named.end;
        mention.name = named.id;
        if (const Accelerator* part = sentence.vocabulary.catalog.accelerator(named.id)) {
            mention.parts = {part};
        }
        sentence.claim(named.begin, named.end - named.begin);
        sentence.mentions.push_back(std::move(mention));
    }
    stable_order(sentence.mentions.begin(), sentence.mentions.end(),
                 [](const Mention& a, const Mention& b) { return a.at < b.at; });
}

}  // namespace ridgeline::reading
