#include "advise/reading/money/worth.h"

#include <string_view>

// A figure of a part for its price: "most vram per dollar", "price per gb", "GB/s per euro".

namespace ridgeline::reading {
namespace {

/// Of the words of such a figure, among the marks.
constexpr std::string_view worth_mark = "for the money";

/// A figure at token i and the tokens that say it.
struct Figure {
    std::string_view name{};  ///< as `Reading::attributes` has it
    std::size_t length = 0;
};

bool is_second(const Sentence& sentence, std::size_t i) {
    return i < sentence.tokens.size() && sentence.tokens[i].gap == Gap::slash &&
           is_any(sentence.word(i), "s sec second");
}

Figure figure_at(const Sentence& sentence, std::size_t i) {
    constexpr std::string_view memory = "memory";
    constexpr std::string_view bandwidth = "bandwidth";
    const std::string_view word = sentence.word(i);
    const std::string_view next = sentence.follows(i + 1) ? sentence.word(i + 1) : "";
    if (is_any(word, "memory mem vram") && next == "bandwidth") {
        return {bandwidth, 2};
    }
    if (is_any(word, "bandwidth gbps")) {
        return {bandwidth, 1};
    }
    if (is_any(word, "gb gib gigabyte gigabytes gig gigs")) {
        if (is_second(sentence, i + 1)) {
            return {bandwidth, 2};
        }
        const bool of = next == "of" && is_any(sentence.word(i + 2), "vram memory ram");
        return {memory, of ? 3U : is_any(next, "vram memory ram") ? 2U : 1U};
    }
    if (is_any(word, "vram memory ram hbm")) {
        return {memory, 1};
    }
    return is_any(word, "tflops tflop teraflops flops") ? Figure{"flops", 1} : Figure{};
}

/// "per", "/", "for each" at token i: its tokens; a stroke is none, as it is a gap.
std::optional<std::size_t> per_at(const Sentence& sentence, std::size_t i) {
    if (!sentence.follows(i)) {
        return std::nullopt;
    }
    const std::string_view word = sentence.word(i);
    if (is_any(word, "per pro par") || word == "/") {
        return 1;
    }
    if (word == "for" && is_any(sentence.word(i + 1), "each every your")) {
        return 2;
    }
    return sentence.tokens[i].gap == Gap::slash ? std::optional<std::size_t>(0) : std::nullopt;
}

bool is_money(std::string_view word) {
    return is_any(word,
                  "$ dollar dollars usd buck bucks money euro euros eur \u20ac pound pounds gbp "
                  "\u00a3 \u00a5");
}

/// "vram per dollar" at token i; 0: it is none.
std::size_t figure_for_money(const Sentence& sentence, std::size_t i, Figure& figure) {
    figure = figure_at(sentence, i);
    const auto per = figure.length > 0 ? per_at(sentence, i + figure.length) : std::nullopt;
    return per && is_money(sentence.word(i + figure.length + *per)) ? figure.length + *per + 1 : 0;
}

/// "dollars per gb", "$/gb", "price per gb of vram", "cheapest per gb".
std::size_t money_for_figure(const Sentence& sentence, std::size_t i, Figure& figure) {
    const std::string_view word = sentence.word(i);
    std::size_t at = i + 1;
    const bool money = is_money(word) || is_any(word, "price cost costs priced");
    const bool cheap = is_any(word, "cheapest cheap cheaper lowest least best");
    while (cheap && at < i + 4 && sentence.follows(at) &&
           is_any(sentence.word(at), "gpu gpus card cards price cost")) {
        ++at;
    }
    const auto per = money || cheap ? per_at(sentence, at) : std::nullopt;
    if (!per || (cheap && *per == 0)) {
        return 0;
    }
    figure = figure_at(sentence, at + *per);
    return figure.length > 0 ? at + *per + figure.length - i : 0;
}

}  // namespace

namespace {

/// "most vram", "as much gpu memory as", "the maximum of memory" at token i; 0: none of it.
std::size_t most_memory(const Sentence& sentence, std::size_t i) {
    if (!is_any(sentence.word(i), "most max maximum highest biggest largest much")) {
        return 0;
    }
    std::size_t at = i + 1;
    while (at < i + 3 && sentence.follows(at) &&
           is_any(sentence.word(at), "gpu video graphics of total combined")) {
        ++at;
    }
    return sentence.follows(at) && is_any(sentence.word(at), "vram memory ram hbm") ? at + 1 - i
                                                                                    : 0;
}

/// A sum, and the most memory that it buys or rents.
bool asks_most_memory(Sentence& sentence) {
    const Reading& reading = sentence.reading;
    if (!reading.budget_usd && !reading.usd_per_hour && !reading.usd_per_month) {
        return false;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        std::size_t length = most_memory(sentence, i);
        const std::size_t end = i + length;
        if (length == 0 || is_any(sentence.word(end), "bandwidth per")) {
            continue;
        }
        length += sentence.word(end) == "for" ? 1 : 0;
        sentence.reading.objective = Objective::memory;
        sentence.marks.push_back({Means::gpu, "most memory", i, length});
        sentence.claim(i, length);
        return true;
    }
    return false;
}

}  // namespace

void recognise_worth(Sentence& sentence) {
    if (asks_most_memory(sentence)) {
        return;
    }
    const bool stored = sentence.any_word(
        "storage disk ssd nvme egress transfer traffic checkpoint checkpoints bucket month");
    if (!sentence.reading.model.empty() || stored) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        Figure figure;
        std::size_t length = figure_for_money(sentence, i, figure);
        length = length > 0 ? length : money_for_figure(sentence, i, figure);
        if (length > 0) {
            sentence.reading.attributes = {"value", std::string(figure.name)};
            sentence.marks.push_back({Means::gpu, worth_mark, i, length});
            sentence.claim(i, length);
            return;
        }
    }
}

void settle_worth(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const std::vector<std::string>& asked = reading.attributes;
    if (asked.size() < 2 || asked[0] != "value" || !sentence.has(Means::gpu, worth_mark)) {
        return;
    }
    reading.attributes.resize(2);
    reading.intent = sentence.mentions.size() > 1 ? Intent::compare : Intent::hardware;
    reading.because = "parts by what a sum of them has";
    reading.buy = !sentence.asks("rent cloud per_hour") && reading.providers.empty();
    reading.objective = Objective::cost;
}

}  // namespace ridgeline::reading
