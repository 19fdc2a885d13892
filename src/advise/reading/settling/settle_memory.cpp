#include "advise/reading/hardware/steps.h"
#include "advise/reading/models/model_words.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/negation.h"
#include "base/quantity.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Memory that was said: of a card, of a machine, of the host.

namespace ridgeline::reading {
namespace {

/// "dgx a100 640gb": the memory of a whole machine chooses among those of its name.
bool settle_machine_memory(const Sentence& sentence, Mention& mention, double gb) {
    if (mention.machine.empty()) {
        return false;
    }
    const Catalog& catalog = sentence.vocabulary.catalog;
    const std::string name = mention.machine.substr(0, mention.machine.rfind('-'));
    for (const Machine& machine : catalog.machines) {
        const Accelerator* part = catalog.accelerator(machine.accelerator);
        const bool named = machine.id == mention.machine || machine.id.starts_with(name + "-");
        if (part != nullptr && named && machine.accelerators > 1 &&
            std::abs(machine.accelerators * part->marketed_gb - gb) <= 0.06 * gb) {
            mention.machine = machine.id;
            mention.parts = {part};
            mention.name = part->id;
            return true;
        }
    }
    return false;
}

/// "32gb of ddr4-3600", "8 channels of ddr5": how fast the host's memory is, 8 bytes a transfer of
/// each channel.
void settle_host_rate(Sentence& sentence) {
    struct Kind {
        std::string_view word;
        double transfers;  ///< millions a second, of what is usually sold
    };
    static constexpr Kind kinds[] = {{"ddr3", 1600}, {"ddr4", 3200}, {"ddr5", 5600}};
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto* kind = std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& each) {
            return sentence.word(i) == each.word;
        });
        if (kind == std::end(kinds)) {
            continue;
        }
        const std::string_view next = sentence.follows(i + 1) ? sentence.word(i + 1) : "";
        const bool told = next.size() == 4 && all_digits(next);
        const double transfers = told ? amount_in(next)->value : kind->transfers;
        double channels = 2;
        for (std::size_t k = 1; k < sentence.tokens.size(); ++k) {
            const auto number = is_any(sentence.word(k), "channel channels")
                                    ? amount_in(sentence.word(k - 1))
                                    : std::nullopt;
            channels =
                number && number->value >= 1 && number->value <= 24 ? number->value : channels;
            channels =
                sentence.word(k) == "channel" && sentence.word(k - 1) == "quad" ? 4 : channels;
        }
        sentence.reading.host_memory_gb_per_s = channels * 8 * transfers / 1000;
        sentence.assume("host_memory_gb_per_s",
                        fmt::format("{:.1f}", *sentence.reading.host_memory_gb_per_s),
                        fmt::format("{:g} channels of {:g} million transfers of 8 bytes a second",
                                    channels, transfers));
        sentence.claim(i, told ? 2 : 1);
        return;
    }
}

/// "3090 + ddr4": who names the memory beside a card shares the model with it; of so much as holds
/// it, where no size is said.
void assume_host(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool cards = !sentence.mentions.empty() &&
                       std::ranges::all_of(sentence.mentions, [](const Mention& each) {
                           return !each.parts.empty() && each.parts.front()->kind == "gpu";
                       });
    const bool board = sentence.any_word("ddr3 ddr4 ddr5") && reading.intent != Intent::compare;
    if (!cards || !board || reading.host_memory_gib || reading.model.empty() ||
        reading.task == Task::train) {
        return;
    }
    const double file = usual_file_bytes(sentence);
    constexpr double beside = 16;  // the system and what else runs, GiB
    constexpr double most = 1024;
    double gib = 32;
    while (gib < most && gib - beside < file / gibibyte.base()) {
        gib *= 2;
    }
    reading.host_memory_gib = gib;
    sentence.assume("host_memory_gib", fmt::format("{:g}", gib),
                    "a size that holds the model: the kind of memory was said, no size");
}

/// "8x a100 but not 40GB": whether the memory that was said is ruled out.
bool is_memory_ruled_out(const Sentence& sentence, double gb) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const auto measure = measure_at(sentence, i);
        if (measure && measure->value == gb && is_ruled_out(sentence, i)) {
            return true;
        }
    }
    return false;
}

}  // namespace

void settle_host(Sentence& sentence) {
    Reading& reading = sentence.reading;
    assume_host(sentence);
    if (!reading.host_memory_gib) {
        return;
    }
    const bool processor = !sentence.mentions.empty() &&
                           std::ranges::all_of(sentence.mentions, [](const Mention& each) {
                               return !each.parts.empty() && each.parts.front()->kind == "cpu";
                           });
    // Chips that share the host's memory have no other.
    const bool shared =
        !sentence.mentions.empty() &&
        std::ranges::all_of(sentence.mentions, [](const Mention& each) {
            return !each.parts.empty() && (each.parts.front()->kind == "soc" ||
                                           each.parts.front()->id.starts_with("strix"));
        });
    if (processor || (shared && !reading.memory_gib)) {
        reading.memory_gib = reading.host_memory_gib;
    } else {
        settle_host_rate(sentence);
        for (Mention& each : sentence.mentions) {  // "an epyc 9654 with 768gb and a 3090"
            const bool cpu = !each.parts.empty() && each.parts.front()->kind == "cpu";
            each.memory_gb = cpu ? *reading.host_memory_gib : each.memory_gb;
        }
        sentence.assume("host_memory_gib", fmt::format("{:g}", *reading.host_memory_gib),
                        "memory of the host bounds what is shared with it");
    }
}

namespace {

/// "one 4090 and 768gb": cards are rebuilt with twice their memory, none with more than three
/// times: it is the computer's.
void leave_to_host(Sentence& sentence) {
    constexpr double most_rebuilt = 3;
    Reading& reading = sentence.reading;
    if (!reading.memory_gib || reading.host_memory_gib || reading.memory_at_least ||
        sentence.mentions.empty()) {
        return;
    }
    const bool beyond = std::ranges::all_of(sentence.mentions, [&](const Mention& each) {
        return !each.parts.empty() && each.machine.empty() && each.parts.front()->kind == "gpu" &&
               each.parts.front()->marketed_gb > 0 &&
               *reading.memory_gib >
                   most_rebuilt * each.count.value_or(1) * each.parts.front()->marketed_gb;
    });
    if (beyond) {
        reading.host_memory_gib = reading.memory_gib;
        reading.memory_gib.reset();
        forget_assumed(reading, "memory_gib");
    }
}

}  // namespace

void settle_memory(Sentence& sentence) {
    settle_memory_share(sentence);
    settle_memory_sum(sentence);
    leave_to_host(sentence);
    // "2x 3090 48gb": so much is that of all.
    for (Mention& mention : sentence.mentions) {
        const double of_all = mention.parts.empty()
                                  ? 0
                                  : mention.count.value_or(1) * mention.parts.front()->marketed_gb;
        mention.memory_gb = std::abs(mention.memory_gb - of_all) <= memory_tolerance * of_all &&
                                    !is_memory_of_each(sentence, mention)
                                ? 0
                                : mention.memory_gb;
        const double told = sentence.reading.memory_gib.value_or(0);
        if (mention.count.value_or(1) > 1 && sentence.mentions.size() > 1 &&
            std::abs(told - of_all) <= memory_tolerance * of_all) {
            sentence.reading.memory_gib.reset();
            forget_assumed(sentence.reading, "memory_gib");
        }
    }
    // "m4 max 64gb or 128gb": each side has its own.
    if (sentence.mentions.size() > 1 &&
        std::ranges::any_of(sentence.mentions,
                            [](const Mention& each) { return each.memory_gb > 0; })) {
        sentence.reading.memory_gib.reset();
        if (sentence.reading.intent != Intent::price) {
            forget_assumed(sentence.reading, "memory_gib");
        }
    }
    const auto gb = sentence.reading.memory_gib;
    bool narrowed = false;
    if (!gb) {
        return;
    }
    for (Mention& mention : sentence.mentions) {
        if (settle_machine_memory(sentence, mention, *gb)) {
            sentence.reading.memory_gib.reset();
            return;
        }
    }
    const bool without = is_memory_ruled_out(sentence, *gb);
    for (Mention& mention : sentence.mentions) {
        std::vector<const Accelerator*> left;
        for (const Accelerator* part : mention.parts) {
            if ((std::abs(part->marketed_gb - *gb) <= 0.06 * *gb) != without) {
                left.push_back(part);
            }
        }
        if (!left.empty() && left.size() < mention.parts.size()) {
            mention.name = left.size() == 1 ? left.front()->id
                           : without        ? mention.name
                                            : fmt::format("{}-{:g}gb", mention.name, *gb);
            mention.parts = std::move(left);
            narrowed = true;
        }
    }
    const auto has_it = [&](const Mention& mention) {
        return std::ranges::any_of(mention.parts, [&](const Accelerator* part) {
            return std::abs(part->marketed_gb - *gb) <= 0.06 * *gb;
        });
    };
    // Of several parts the one that has so much was meant; a laptop's is none of a part that is
    // named beside it.
    const bool of_one =
        sentence.mentions.size() > 1 && std::ranges::any_of(sentence.mentions, has_it);
    const bool card = std::ranges::any_of(sentence.mentions, [](const Mention& each) {
        return !each.parts.empty() && each.parts.front()->kind == "gpu";
    });
    const bool elsewhere = card && std::ranges::none_of(sentence.mentions, has_it) &&
                           sentence.any_word("laptop notebook macbook pc desktop");
    if (elsewhere) {
        sentence.assume("memory", fmt::format("{:g} GB", *gb),
                        "that of the computer that is there; what is named has its own");
    }
    if (narrowed || of_one || elsewhere) {
        sentence.reading.memory_gib.reset();
    }
}

}  // namespace ridgeline::reading
