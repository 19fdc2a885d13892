#include "advise/reading/numbers/count_words.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::reading {
namespace {

/// "4 pieces", "8 units of", "2 Stück": what is counted is the part beside them.
bool is_piece_word(std::string_view word) {
    return is_any(word, "piece pieces pcs unit units stück stuck stueck stk");
}

bool passes_over(const Sentence& sentence, std::size_t i) {
    return is_piece_word(sentence.word(i)) ||
           is_any(sentence.word(i),
                  "x of used new old refurbished secondhand nvidia amd intel google local "
                  "identical cheap rented gpu gpus our my spare brand the a idle "
                  "unused leftover older aging ageing");
}

}  // namespace

std::optional<int> number_word(std::string_view word) {
    struct Word {
        std::string_view word;
        int count;
    };
    static constexpr Word words[] = {
        {"single", 1}, {"dual", 2},    {"double", 2}, {"twin", 2},    {"pair", 2},
        {"couple", 2}, {"triple", 3},  {"tri", 3},    {"quad", 4},    {"octa", 8},
        {"octo", 8},   {"twenty", 20}, {"both", 2},   {"dozen", 12},  {"hundred", 100},
        {"due", 2},  // Italian and Spanish: words of English elsewhere
        {"dos", 2},    {"doppia", 2},  {"doble", 2},  {"thirty", 30}, {"sixty", 60}};
    for (const Word& each : words) {
        if (each.word == word) {
            return each.count;
        }
    }
    return std::nullopt;
}

std::optional<int> whole_at(Sentence& sentence, std::size_t i) {
    if (i >= sentence.tokens.size()) {
        return std::nullopt;
    }
    // "fft 512^3 double a100": the precision of a kernel, which it has claimed.
    const bool precision = sentence.word(i) == "double" && !sentence.open(i);
    const auto named = precision ? std::nullopt : number_word(sentence.word(i));
    if (named && !sentence.tokens[i].negative) {
        return named;
    }
    const auto amount = amount_in(sentence.word(i));
    const double scale = amount ? scale_of_word(amount->unit) : 0;
    if (!amount || (sentence.tokens[i].claimed && has_digit(sentence.word(i))) ||
        !(amount->unit.empty() || amount->unit == "k")) {
        return std::nullopt;
    }
    const double value = amount->value * (scale > 0 ? scale : 1);
    if (sentence.tokens[i].negative || value < 1 || value > 1e6 || value != std::floor(value)) {
        sentence.fail(fmt::format("found \"{}{}\" as a number of accelerators, expected a whole "
                                  "number from 1 to 1000000",
                                  sentence.tokens[i].negative ? "-" : "", sentence.word(i)),
                      "Example: \"lora 70b on 8 h100\".");
        return std::nullopt;
    }
    return static_cast<int>(value);
}

namespace {

/// "sdxl 1024 4090", "flux 20 steps 1024 4090": a round number behind a model that makes or reads
/// pictures is the side of one, where no word or sign counts; of one that makes them, wherever it
/// stands.
bool is_side_of_picture(const Sentence& sentence, std::size_t i, int value) {
    constexpr int least = 128;
    constexpr int step = 32;
    const bool bare =
        i > 0 && sentence.tokens[i].gap == Gap::space && sentence.tokens[i + 1].gap == Gap::space;
    if (!bare || value < least || value % step != 0) {
        return false;
    }
    const auto model = sentence.named_architecture();
    if (!model || i != sentence.model_end) {
        constexpr int usual = 256;
        return model && model->kind == ModelKind::diffusion && value >= usual;
    }
    return model->kind == ModelKind::diffusion || model->kind == ModelKind::image ||
           model->reads_images();
}

}  // namespace

std::optional<Count> count_before(Sentence& sentence, std::size_t at) {
    for (std::size_t back = 1; back <= 4 && back <= at; ++back) {
        const std::size_t i = at - back;
        if (sentence.tokens[i + 1].gap == Gap::stop) {
            return std::nullopt;
        }
        // "gpt2 124M on a single 4090": the article is none of the count.
        if (const auto value = whole_at(sentence, i)) {
            return is_side_of_picture(sentence, i, *value) ? std::nullopt
                                                           : std::optional(Count{*value, i});
        }
        if (sentence.error || !(passes_over(sentence, i) || sentence.tokens[i].foreign)) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<std::pair<int, std::size_t>> count_after(Sentence& sentence, std::size_t end) {
    if (!sentence.follows(end)) {
        return std::nullopt;
    }
    if (sentence.word(end) == "x" && sentence.follows(end + 1)) {
        if (const auto value = whole_at(sentence, end + 1)) {
            return std::pair{*value, end + 2};
        }
    }
    if (is_any(sentence.word(end), "pair duo twins")) {
        return std::pair{2, end + 1};
    }
    if (is_any(sentence.word(end), "single alone solo") &&
        (end + 1 >= sentence.tokens.size() || sentence.tokens[end + 1].gap == Gap::stop)) {
        return std::pair{1, end + 1};
    }
    // "h100 sxm 8-gpu node"
    if (is_any(sentence.word(end + 1), "gpu gpus card") && sentence.follows(end + 2) &&
        is_any(sentence.word(end + 2), "node server machine box system")) {
        if (const auto value = whole_at(sentence, end)) {
            return std::pair{*value, end + 3};
        }
    }
    if (is_piece_word(sentence.word(end + 1)) && sentence.follows(end + 1)) {
        if (const auto value = whole_at(sentence, end)) {
            return std::pair{*value, end + 2};
        }
    }
    // "MI300X 8x" before a model
    if (sentence.word(end + 1) == "x" && sentence.tokens[end + 1].gap == Gap::none) {
        if (const auto value = whole_at(sentence, end)) {
            return std::pair{*value, end + 2};
        }
    }
    if (sentence.tokens[end].gap == Gap::colon ||
        (sentence.tokens[end].gap == Gap::paren && sentence.word(end + 1) == "x")) {
        if (const auto value = whole_at(sentence, end)) {
            return std::pair{*value, end + (sentence.word(end + 1) == "x" ? 2U : 1U)};
        }
    }
    return std::nullopt;
}

bool is_node_word(std::string_view word) {
    return is_any(word,
                  "node nodes server servers machine machines host hosts box boxes instance "
                  "instances systems pcs computers desktops "
                  "workstations knoten nodi noeuds nodos maschinen macchine maquinas");
}

std::optional<std::pair<int, std::size_t>> nodes_before(Sentence& sentence, std::size_t at) {
    for (std::size_t back = 1; back <= 5 && back <= at; ++back) {
        const std::size_t i = at - back;
        if (is_node_word(sentence.word(i)) && i > 0) {
            std::size_t number = i - 1;
            const auto value = whole_at(sentence, number);
            return value ? std::optional(std::pair{*value, number}) : std::nullopt;
        }
        if (!is_any(sentence.word(i),
                    "of with each x having a times per containing de di da von mit je con avec com "
                    "a")) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

bool is_gpu_word(std::string_view word) {
    return is_any(
        word, "gpu gpus card cards accelerator accelerators devices device chips chip graphics");
}

bool is_board_of_eight(const Mention& mention) {
    return !mention.parts.empty() &&
           std::any_of(mention.parts.begin(), mention.parts.end(), [](const Accelerator* part) {
               return part->form_factor.find("SXM") != std::string::npos ||
                      part->form_factor.find("OAM") != std::string::npos;
           });
}

}  // namespace ridgeline::reading
