#include "advise/reading/hardware/steps.h"
#include "advise/reading/models/model_words.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// Work without an accelerator: "on cpu", "epyc 9654", "a ryzen 7950x with ddr5". Memory channels
// decide what a processor reaches, so a name is taken for the entry with the same channels.

namespace ridgeline::reading {
namespace {

struct Processor {
    std::string_view row;     ///< "epyc"
    std::string_view digits;  ///< pattern of its number, `#` any digit, `*` the rest; empty: any
    std::string_view id;      ///< of the catalog
};
constexpr Processor processors[] = {
    {"epyc", "9575*", "cpu-2x-epyc-9575f"}, {"epyc", "9##5*", "cpu-2x-epyc-9575f"},
    {"epyc", "9##4*", "cpu-epyc-9654"},     {"epyc", "7*", "cpu-epyc-7763"},
    {"epyc", "", "cpu-epyc-9654"},          {"xeon", "8480*", "cpu-2x-xeon-8480c"},
    {"xeon", "", "cpu-2x-xeon-8480c"},      {"threadripper", "", "cpu-epyc-7763"},
    {"ryzen", "3*", "cpu-desktop-ddr4"},    {"ryzen", "5*", "cpu-desktop-ddr4"},
    {"ryzen", "", "cpu-desktop-ddr5"},      {"i5", "", "cpu-desktop-ddr5"},
    {"i7", "", "cpu-desktop-ddr5"},         {"i9", "", "cpu-desktop-ddr5"},
};

bool fits(std::string_view pattern, std::string_view number) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '*') {
            return true;
        }
        if (i >= number.size() || (pattern[i] != '#' && pattern[i] != number[i])) {
            return false;
        }
    }
    return pattern.empty() || pattern.size() == number.size();
}

void mention(Sentence& sentence, std::size_t at, std::size_t length, std::string_view id) {
    const Accelerator* part = sentence.vocabulary.catalog.accelerator(std::string(id));
    if (part == nullptr) {
        return;
    }
    Mention found;
    found.at = at;
    found.end = at + length;
    found.parts = {part};
    found.name = part->id;
    sentence.claim(at, length);
    sentence.mentions.push_back(std::move(found));
}

/// "epyc 9654", "ryzen 9 7950x", "core i9 14900k": tokens taken, 0 when it is none.
std::size_t match_named(Sentence& sentence, std::size_t at) {
    const std::string_view row = sentence.word(at);
    const bool known = std::any_of(std::begin(processors), std::end(processors),
                                   [&](const auto& p) { return p.row == row; });
    // "ryzen ai max 395", "a 395 max ryzen" is no desktop's processor.
    bool halo = is_any(sentence.word(at + 1), "ai");
    for (std::size_t i = at - std::min<std::size_t>(at, 3); i < at + 5; ++i) {
        halo = halo || sentence.word(i) == "395";
    }
    if (!known || halo) {
        return 0;
    }
    std::size_t end = at + 1;
    std::string_view number;
    for (; end < at + 4 && sentence.open(end) && sentence.follows(end); ++end) {
        const std::string_view word = sentence.word(end);
        if (has_digit(word) && word.size() >= 4 && is_digit(word[0])) {
            number = word;
            ++end;
            break;
        }
        if (!is_any(word, "3 5 7 9 gold platinum silver pro cpu")) {
            break;
        }
    }
    const auto chosen =
        std::find_if(std::begin(processors), std::end(processors), [&](const auto& p) {
            return p.row == row && (p.digits.empty() || fits(p.digits, number));
        });
    const std::string words = std::string(row) + (number.empty() ? "" : " " + std::string(number));
    mention(sentence, at, end - at, chosen->id);
    const bool same = !number.empty() && chosen->id.find(number) != std::string_view::npos;
    if (!same) {
        sentence.assume("accelerators", std::string(chosen->id),
                        "\"" + words + "\" was taken for the entry with as many memory channels");
    }
    return end - at;
}

/// "which card would you put in": who asks for an accelerator has none so far, and runs nothing
/// without.
bool wants_card(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool asks = is_any(sentence.word(i), "which what best cheapest");
        if (asks && sentence.follows(i + 1) &&
            is_any(sentence.word(i + 1), "gpu gpus card cards accelerator accelerators")) {
            return true;
        }
    }
    return false;
}

/// "ddr5 desktop": the memory of a board by its kind; "64 gb of ddr5" is an amount of it.
bool names_board(const Sentence& sentence, std::size_t i) {
    const std::string_view before = i > 0 ? sentence.word(i - 1) : std::string_view();
    const bool amount = is_any(before, "gb gib gigs of") ||
                        (!before.empty() && is_digit(before.front()) && before.ends_with("b"));
    return is_any(sentence.word(i), "ddr3 ddr4 ddr5") && !amount;
}

/// Words of accelerators: who says one of them has or wants one.
bool asks_for_accelerator(const Sentence& sentence) {
    return wants_card(sentence) ||
           sentence.any_word("gpu gpus card cards vram accelerator accelerators egpu");
}

bool is_host(const Mention& each) {
    return !each.parts.empty() && each.parts.front()->kind == "cpu";
}

/// "a 4090 with 512gb ram epyc": a processor behind `before` mentions is that of the computer which
/// the card stands in.
void drop_host_of_cards(Sentence& sentence, std::size_t before) {
    const bool weighed = sentence.any_word("vs versus or than compare compared against instead");
    if (before > 0 && sentence.mentions.size() > before && !weighed &&
        std::none_of(sentence.mentions.begin(),
                     sentence.mentions.begin() + static_cast<std::ptrdiff_t>(before), is_host)) {
        sentence.mentions.resize(before);
        std::erase_if(sentence.reading.assumed,
                      [](const AssumedField& each) { return each.value.starts_with("cpu-"); });
    }
}

/// "her laptop has 16gb of memory and no graphics card", where something is to be bought: what is
/// lacking there, and the memory of it, tell nothing of what is sought.
bool lacks_what_is_bought(Sentence& sentence, std::size_t at, std::size_t length) {
    constexpr std::size_t farthest = 10;
    const bool bought = sentence.reading.budget_usd || sentence.any_word("buy upgrade purchase");
    const bool sought = sentence.any_word("what which should need recommend get want");
    const bool judged = sentence.any_word("run runs handle enough");
    const std::size_t from = clause_start(sentence, at, farthest);
    std::size_t computer = at;
    for (std::size_t i = from; i + 1 < at; ++i) {
        const bool own = is_any(sentence.word(i), "my our his her their");
        const std::size_t noun = i + (is_any(sentence.word(i + 1), "old current little") ? 2 : 1);
        computer = own && is_any(sentence.word(noun), "laptop notebook pc computer desktop")
                       ? noun
                       : computer;
    }
    if (!bought || !sought || judged || computer == at) {
        return false;
    }
    for (std::size_t i = computer + 1; i < at; ++i) {
        const auto memory = measure_at(sentence, i);
        const bool glued = memory && memory->unit == "gb";
        const std::size_t unit = i + (memory ? memory->length : 1) + (glued ? 0 : 1);
        if (sentence.open(i) && memory && (glued || sentence.word(unit - 1) == "gb")) {
            const std::size_t end = past_words(sentence, unit, "of memory ram");
            sentence.claim(i, std::min(end, at) - i);
        }
    }
    sentence.claim(at, length);
    return true;
}

/// Tokens of "gpu", "graphics card", "placa de video", "Grafikkarte" from `at` on; 0: there are
/// none.
std::size_t words_for_gpu_at(const Sentence& sentence, std::size_t at) {
    if (is_any(sentence.word(at), "gpu igpu gpus grafikkarte grafikkarten videokarte")) {
        return 1;
    }
    for (const std::string_view words :
         {"graphics card", "graphic card", "video card", "carte graphique", "placa de video",
          "placa grafica", "scheda video", "scheda grafica", "tarjeta grafica",
          "tarjeta de video"}) {
        if (const std::size_t length = sentence.tokens_of(words, at, true); length > 0) {
            return length;
        }
    }
    return 0;
}

/// Tokens that ask for an ordinary computer of today: "on cpu", "cpu only", "no gpu", "ddr5
/// desktop"; 0: none do.
std::size_t computer_words_at(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    const std::string_view back = i > 0 ? sentence.word(i - 1) : std::string_view();
    const std::string_view next = sentence.follows(i + 1) ? sentence.word(i + 1) : "";
    if (is_any(word, "no without ohne keine sans senza sem sin") && !wants_card(sentence)) {
        const std::size_t article = is_any(next, "a any dedicated discrete une una uma") ? 1 : 0;
        const std::size_t noun = i + 1 + article;
        if (const std::size_t length = words_for_gpu_at(sentence, noun); length > 0) {
            return noun + length - i;
        }
    }
    // "intel integrated graphics": what a processor brings with it computes as slowly.
    if (word == "integrated" && is_any(next, "graphics gpu")) {
        return 2;
    }
    const bool cpu = is_any(word, "cpu cpus processor") &&
                     (is_any(back, "on a pure my plain the by with") ||
                      is_any(next, "only inference alone based")) &&
                     !is_any(next, "offload offloading ram memory") && back != "to";
    // "how long to train it on a normal laptop": of such a computer no card is told.
    const bool plain =
        is_any(word, "laptop notebook pc computer") &&
        is_any(back, "normal ordinary regular average basic standard old office cheap my") &&
        sentence.any_word("long") && sentence.any_word("train training teach finetune learn") &&
        !asks_for_accelerator(sentence) && !sentence.any_word("gaming nvidia cuda rtx geforce");
    // "ddr5 desktop, llama 8b q4": memory of the board, where no accelerator is spoken of.
    return cpu || plain || (names_board(sentence, i) && !asks_for_accelerator(sentence)) ? 1 : 0;
}

/// "do i even need a gpu", "is a gpu necessary": what a processor does is asked; tokens of it, 0:
/// it is not. "what gpu do i need" asks for one.
std::size_t doubts_gpu_at(const Sentence& sentence, std::size_t i) {
    // Of a crowd, or of something else instead, hardware is sought.
    if (sentence.any_word("users tpu api each every upgrade upgrading faster bottleneck limits "
                          "limited memory ram vram more") ||
        (sentence.any_word("or") && !sentence.any_word("cpu processor"))) {
        return 0;
    }
    // "on cpu or gpu"
    if (is_any(sentence.word(i), "cpu gpu") && sentence.word(i + 1) == "or") {
        const std::size_t other = i + 2 + (is_any(sentence.word(i + 2), "a the my") ? 1 : 0);
        if (is_any(sentence.word(other), "cpu gpu") && sentence.word(other) != sentence.word(i)) {
            return other + 1 - i;
        }
    }
    /// Where "a gpu", "a dedicated graphics card" ends; 0: there is none.
    const auto past_gpu = [&](std::size_t at) {
        std::size_t noun = at + 1;
        noun += is_any(sentence.word(noun), "dedicated discrete separate proper") ? 1 : 0;
        noun += is_any(sentence.word(noun), "graphics graphic video") ? 1 : 0;
        return is_any(sentence.word(at), "a any") &&
                       is_any(sentence.word(noun), "gpu card accelerator")
                   ? noun + 1
                   : 0;
    };
    if (is_any(sentence.word(i), "do would will") && is_any(sentence.word(i + 1), "i we you one")) {
        std::size_t at = i + 2;
        at += is_any(sentence.word(at), "even really actually still") ? 1 : 0;
        const std::size_t end = sentence.word(at) == "need" ? past_gpu(at + 1) : 0;
        return end > 0 && !is_any(sentence.word(end),
                                  "with of that bigger cluster server node farm per")
                   ? end - i
                   : 0;
    }
    std::size_t at = sentence.word(i) == "is" ? past_gpu(i + 1) : 0;
    if (at == 0) {
        return 0;
    }
    at += is_any(sentence.word(at), "even really actually still") ? 1 : 0;
    return is_any(sentence.word(at), "needed necessary required mandatory") ? at + 1 - i : 0;
}

void take_usual_computer(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t doubt = doubts_gpu_at(sentence, i);
        if (doubt > 0) {
            ask_for(sentence.reading, "needs_gpu");
            const bool trains = sentence.any_word(
                "train training finetune finetuning fine tune tuning lora qlora pretrain");
            sentence.marks.push_back({Means::ask, trains ? "duration" : "throughput", i, doubt});
        }
        if (const std::size_t length = doubt > 0 ? doubt : computer_words_at(sentence, i)) {
            if (doubt == 0 && lacks_what_is_bought(sentence, i, length)) {
                continue;
            }
            const bool server = sentence.any_word("server servers rack datacenter");
            const char* part = server                      ? "cpu-epyc-9654"
                               : sentence.any_word("ddr4") ? "cpu-desktop-ddr4"
                                                           : "cpu-desktop-ddr5";
            mention(sentence, i, length, part);
            const bool own = is_any(sentence.word(i), "laptop notebook pc computer");
            sentence.assume("accelerators", part,
                            server ? "a server of one processor, as none was named"
                            : own  ? "the processor of such a computer, as no card in it was "
                                     "named: say which, as in \"on a 4060 laptop\""
                                   : "a computer with two channels of memory, as none was named");
            return;
        }
    }
}

/// "ddr5 6000", "12 channel" beside a processor say nothing that its entry does not; beside a card
/// it is the host's.
void claim_board(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool channels = i > 0 && is_any(sentence.word(i), "channel channels") &&
                              sentence.open(i - 1) && all_digits(sentence.word(i - 1));
        if (channels) {
            sentence.claim(i - 1, 2);
        }
        if (sentence.open(i) && names_board(sentence, i)) {
            const bool rate = sentence.open(i + 1) && sentence.follows(i + 1) &&
                              all_digits(sentence.word(i + 1)) && sentence.word(i + 1).size() == 4;
            sentence.claim(i, rate ? 2 : 1);
        }
    }
}

}  // namespace

void recognise_processors(Sentence& sentence) {
    const std::size_t before = sentence.mentions.size();
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (sentence.open(i)) {
            match_named(sentence, i);
        }
    }
    drop_host_of_cards(sentence, before);
    if (sentence.mentions.empty()) {
        take_usual_computer(sentence);
    }
    if (!sentence.mentions.empty()) {
        claim_board(sentence);
    }
    if (sentence.mentions.size() > before) {
        stable_order(sentence.mentions.begin(), sentence.mentions.end(),
                     [](const Mention& a, const Mention& b) { return a.at < b.at; });
    }
}

namespace {

/// GB that servers are built with: twelve modules of 16 to 128 GB, or eight of 32 to 256.
constexpr double memory_of_servers[] = {192, 256, 384, 512, 768, 1024, 1536, 2048};

}  // namespace

void settle_processor(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (sentence.mentions.size() == 1 && is_host(sentence.mentions.front()) &&
        !reading.host_memory_gib && !reading.memory_gib) {
        const Accelerator& host = *sentence.mentions.front().parts.front();
        constexpr double usable = 0.93;  // beside the system, the cache and work areas
        const double needed = reading.model.empty() ? 0 : usual_file_bytes(sentence) / usable / 1e9;
        // A memory that nobody said is no reason that a model does not fit.
        const auto built = std::ranges::find_if(
            memory_of_servers, [&](double gb) { return gb > host.marketed_gb && gb >= needed; });
        const bool larger = needed > host.marketed_gb && built != std::end(memory_of_servers) &&
                            host.marketed_gb >= memory_of_servers[0];
        if (larger) {
            reading.memory_gib = *built;
        }
        sentence.assume("memory", fmt::format("{:g} GB", larger ? *built : host.marketed_gb),
                        larger ? "the host's, the least that holds the model, as none was said"
                               : "the host's, as none was said (\"128 GB RAM\")");
    }
    const auto assumed = std::ranges::find_if(reading.assumed, [](const AssumedField& each) {
        return each.field == "accelerators" && each.value.starts_with("cpu-desktop");
    });
    if (assumed == reading.assumed.end() || sentence.mentions.size() != 1 ||
        reading.model.empty() || sentence.any_word("my desktop laptop pc")) {
        return;
    }
    const double file = usual_file_bytes(sentence);
    const auto holds = [&](const Accelerator* part) {
        return part != nullptr && file < part->capacity().base();
    };
    Mention& mention = sentence.mentions.front();
    for (const char* server : {"cpu-epyc-9654", "cpu-2x-epyc-9575f"}) {
        const Accelerator* part = sentence.vocabulary.catalog.accelerator(server);
        if (!holds(mention.parts.front()) && part != nullptr) {
            mention.parts = {part};
            mention.name = part->id;
            assumed->value = part->id;
            assumed->why =
                "a server with its memory, as a desktop's does not hold the model in 4 bits";
        }
    }
    if (!reading.max_count && !mention.count) {
        mention.count = 1;  // nobody joins computers by their network to run one model
    }
}

}  // namespace ridgeline::reading
