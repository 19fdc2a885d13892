#include "advise/hardware/fabric.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <algorithm>
#include <iterator>
#include <string_view>

// Whether a link is worth it: the same hardware with NVLink and without, on the network that was
// named and on another.

namespace ridgeline::reading {
namespace {

/// One kind of hardware, of which the accelerators in all and the nodes are told, where they are.
struct Kind {
    bool one = false;
    int count = 0;
    int nodes = 0;
};

Kind kind_of(const Sentence& sentence) {
    const auto& mentions = sentence.mentions;
    const bool one = !mentions.empty() && std::ranges::all_of(mentions, [&](const Mention& each) {
        return each.name == mentions.front().name && each.count == mentions.front().count;
    });
    Kind kind{one, 0, 0};
    if (one) {
        kind.count = mentions.front().count.value_or(sentence.loose_count.value_or(0));
        kind.nodes = mentions.front().nodes.value_or(sentence.reading.nodes.value_or(0));
    }
    return kind;
}

/// Words that ask what something is worth.
constexpr std::string_view weighing[] = {
    "help",      "helps",   "matter",  "matters",    "difference",   "benefit",
    "benefits",  "gain",    "gains",   "bad",        "lose",         "losing",
    "loss",      "hurt",    "hurts",   "slower",     "faster",       "slow",
    "worse",     "penalty", "impact",  "bottleneck", "bottlenecked", "speedup",
    "pointless", "boost",   "improve", "improves",   "overkill"};

bool is_weighing(std::string_view word) {
    return std::find(std::begin(weighing), std::end(weighing), word) != std::end(weighing);
}

bool weighs(const Sentence& sentence) {
    return sentence.asks("worth") || std::ranges::any_of(sentence.tokens, [](const Token& token) {
               return is_weighing(token.text);
           });
}

/// "do i need nvlink", "is 100gbe enough": a question about the thing at token `at` itself.
bool asks_about(const Sentence& sentence, std::size_t at, std::size_t end) {
    const bool needed = near_words(sentence, at - std::min<std::size_t>(at, 2), at, "need require");
    const std::size_t before =
        at > 0 && is_any(sentence.word(at - 1), "a one only just the") ? at - 1 : at;
    const bool subject =
        before > 0 && before <= 3 && is_any(sentence.word(before - 1), "is would will are");
    return needed ||
           (subject && near_words(sentence, end, end + 3,
                                  "enough ok okay fine sufficient viable needed necessary"));
}

/// "with nvlink vs without", "with and without nvlink", "nvlink vs none".
bool stands_beside_none(const Sentence& sentence, std::size_t at) {
    constexpr std::string_view none = "without no none w/o";
    const bool behind =
        is_any(sentence.word(at + 1), "or vs versus and") && is_any(sentence.word(at + 2), none);
    const bool before = at > 2 && is_any(sentence.word(at - 1), none) &&
                        is_any(sentence.word(at - 2), "or vs versus and") &&
                        sentence.word(at - 3) == "with";
    return behind || before;
}

/// "nvlink or pcie", either way round.
bool stands_beside_pcie(const Sentence& sentence, std::size_t at) {
    const auto or_pcie = [&](std::size_t joint, std::size_t other) {
        return is_any(sentence.word(joint), "or vs versus over") &&
               is_any(sentence.word(other), "pcie pci-e pci");
    };
    return or_pcie(at + 1, at + 2) || (at > 1 && or_pcie(at - 1, at - 2));
}

void weigh_link(Sentence& sentence, const Kind& kind, std::size_t at) {
    Reading& reading = sentence.reading;
    if (kind.count == 1 ||
        !(weighs(sentence) || sentence.asks("needs_nvlink") || asks_about(sentence, at, at + 1) ||
          stands_beside_pcie(sentence, at) || stands_beside_none(sentence, at))) {
        return;
    }
    if (kind.count == 0) {
        sentence.mentions.front().count = 2;
        sentence.assume("count", "2", "no number was said, and a link joins two");
    }
    // What cards of GeForce lack in NVIDIA's driver: copies from one to the other that pass the
    // host by.
    const bool peers = is_any(sentence.word(at), "p2p peer");
    std::erase(reading.require, "nvlink");
    reading.alternatives = {peers ? "pcie-p2p" : "nvlink", "pcie"};
    reading.alternatives_of = "link";
    sentence.weighs_links = true;
}

void weigh_network(Sentence& sentence, const Kind& kind) {
    Reading& reading = sentence.reading;
    const auto& [name, at] = sentence.networks.front();
    std::size_t end = at + 1;
    while (end < sentence.tokens.size() && end < at + 4 && !sentence.open(end) &&
           sentence.follows(end)) {
        ++end;
    }
    constexpr int usual_node = 8;
    if (reading.tokens || reading.samples || reading.steps || reading.epochs) {
        return;  // how long such a run takes is asked
    }
    const bool nodes = kind.nodes > 1 || kind.count > usual_node;
    const bool two = sentence.networks.size() == 2 && sentence.networks.back().first != name;
    // "ib-ndr x2 and ib-ndr x8" are two numbers of one kind; "infiniband and ethernet for
    // management" are two networks of one cluster.
    const bool alike =
        two && name.substr(0, name.find(':')) == sentence.networks.back().first.substr(
                                                     0, sentence.networks.back().first.find(':'));
    const bool either =
        two && (sentence.has(Means::versus) || sentence.has(Means::either) ||
                sentence.any_word("compared against") || (alike && sentence.any_word("and")));
    if (!nodes || (sentence.networks.size() > 1 && !two) ||
        !(either || weighs(sentence) || asks_about(sentence, at, at + 1) ||
          asks_about(sentence, at, end))) {
        return;
    }
    const bool infiniband = (name.starts_with(infiniband_of_slot) || name.starts_with("ib"));
    reading.network = name;
    reading.alternatives = {name, two          ? sentence.networks.back().first
                                  : infiniband ? "eth-100"
                                               : std::string(infiniband_of_slot)};
    reading.alternatives_of = "network";
    sentence.weighs_links = true;
    if (reading.task == Task::train && reading.method.empty() && !sentence.has(Means::tune)) {
        reading.method = "full";
        sentence.assume("method", "full",
                        "what is trained over a network trains all weights as a rule");
    }
}

/// "is nvlink needed for 70b on 2 gpus": of a card that it joins, as none was named.
void take_linked_card(Sentence& sentence) {
    constexpr std::string_view usual = "rtx-3090";
    const Accelerator* part = sentence.vocabulary.catalog.accelerator(std::string(usual));
    if (!sentence.mentions.empty() || !sentence.asks("needs_nvlink") || part == nullptr ||
        sentence.reading.model.empty()) {
        return;
    }
    Mention card;
    card.parts = {part};
    card.name = part->id;
    card.count = sentence.loose_count;
    sentence.mentions.push_back(std::move(card));
    sentence.assume("accelerators", std::string(usual),
                    "no card was named: the last for a desk that NVLink joins");
}

}  // namespace

void recognise_bus_versions(Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const std::string_view bus = sentence.word(i);
        const std::size_t number =
            past_words(sentence, i + 1, bus == "pcie" ? "gen generation" : "gen");
        const auto version = sentence.follows(number) && sentence.open(number)
                                 ? amount_in(sentence.word(number))
                                 : std::nullopt;
        constexpr double newest = 7;
        const std::size_t behind = number + 1;
        const std::string_view next =
            sentence.follows(behind) ? sentence.word(behind) : std::string_view();
        const bool lanes = next == "x" && sentence.follows(behind + 1) &&
                           sentence.tokens[behind + 1].gap == Gap::none &&
                           sentence.tokens[behind].gap != Gap::none &&
                           is_any(sentence.word(behind + 1), "1 2 4 8 16");
        // "a100 pcie 4 gpus", "h100 pcie 4x", "pcie 4 3090s" count cards.
        const bool counts =
            is_any(next,
                   "x gpu gpus card cards accelerators way nodes node slots "
                   "slot lanes lane") ||
            (bus == "pcie" && number == i + 1 && next.ends_with('s')) ||
            (bus == "pcie" && i > 0 && sentence.follows(i) && number == i + 1 &&
             sentence.names.parts_by_core.contains(std::string(sentence.word(i - 1))));
        if (!is_any(bus, "pcie thunderbolt usb usb4 oculink") || !version ||
            !version->unit.empty() || version->value < 1 || version->value >= newest ||
            (counts && !lanes)) {
            continue;
        }
        sentence.claim(number, lanes ? 3 : 1);
        if (all_digits(sentence.word(number)) && !lanes) {
            sentence.assume("bus", std::string(bus) + " " + std::string(sentence.word(number)),
                            "the number behind a bus is its version: \"4x\" counts cards");
        }
    }
}

void weigh_links(Sentence& sentence) {
    Reading& reading = sentence.reading;
    take_linked_card(sentence);
    const Kind kind = kind_of(sentence);
    const bool tunes = reading.task == Task::train && is_any(reading.method, "lora qlora") &&
                       sentence.any_word("p2p") && !sentence.any_word("nccl allreduce");
    const bool work = !reading.model.empty() || tunes;
    // "16 l40s or 8 a100, nvlink matters?": the sides have it or not, none is asked to.
    if (!kind.one && sentence.mentions.size() > 1 &&
        (weighs(sentence) || sentence.asks("needs_nvlink"))) {
        std::erase(reading.require, "nvlink");
    }
    // "do i need nvlink for two 3090": of a model that both hold together.
    const bool bare = !work && kind.one && kind.count > 1 && sentence.asks("needs_nvlink") &&
                      !reading.kernel && reading.family.empty() && !reading.memory_gib &&
                      reading.not_understood.empty();  // "to play two games"
    if (bare) {
        reading.model = "32b";
        reading.model_known = true;
        sentence.assume("model", reading.model,
                        "no model was named: one that is larger than a card");
    }
    if (!kind.one || !(work || bare) || !reading.alternatives.empty()) {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size() && !sentence.weighs_links; ++i) {
        const bool peers = sentence.word(i) == "p2p" || sentence.tokens_of("peer to peer", i) > 0;
        if (sentence.word(i) == "nvlink" || peers) {
            weigh_link(sentence, kind, i);
        }
        if (sentence.weighs_links && peers) {
            sentence.claim(i, sentence.word(i) == "p2p" ? 1 : 3);
            std::erase(reading.not_understood, "p2p");
            if (reading.model.empty()) {
                reading.model = "8b";
                sentence.assume("model", "8b", "none was named: adapters of this size are usual");
            }
        }
    }
    if (!sentence.weighs_links && !sentence.networks.empty()) {
        weigh_network(sentence, kind);
    }
    if (sentence.weighs_links) {
        std::erase_if(reading.not_understood,
                      [](const std::string& word) { return is_weighing(word); });
    }
}

}  // namespace ridgeline::reading
