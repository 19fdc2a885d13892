#include "advise/reading/settling/steps.h"
#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <string>
#include <string_view>

// What people who buy for a company ask beside the work and no data here tells: the answer says so
// before all else, so that nothing is taken for weighed that was not.

namespace ridgeline::reading {
namespace {

struct Unweighed {
    std::string_view words;   ///< phrases, "|" between
    std::string_view reason;  ///< what was not weighed, and why
};

// clang-format off
constexpr Unweighed unweighed[] = {
    {"export control|export restriction|export rule|export ban|export license|export licence|export compliant|export compliance|"
     "sanctions|sanctioned|embargo|legally ship|legally export|legally sell|legally buy|legally deploy|legal to ship|legal to export|"
     "legal to sell|legal to buy|allowed to ship|allowed to export|allowed to sell",
     "export rules (none are listed here)"},
    {"n plus 1|redundancy|redundant|failover|fail over|high availability|highly available|hot spare|hot standby|fault tolerant|fault tolerance|"
     "uptime|single point of failure|five nines|four nines|three nines|ausfallsicher|ausfallsicherheit|redundanz|redundante|redundanten|"
     "haute disponibilite|alta disponibilidad|alta disponibilidade",
     "redundancy (n+1 takes one machine more)"},
    {"multi region|multiregion|active active|two regions|2 regions|three regions|3 regions|both regions|per region|each region|in every region|"
     "two availability zones|2 availability zones|three availability zones|3 availability zones|per zone|two data centers|two datacenters|two data centres|"
     "disaster recovery",
     "regions (the answer is for one of them; each takes as many machines of its own, for its share of the load, or for all of it where it must take over)"},
    {"lead time|delivery time|waitlist|waiting list|wait list|availability right now|availability now|availability today|"
     "current availability|card availability|gpu availability|available now|available right now|available today|"
     "in stock|stock level",
     "lead times and stock (prices are those of their day)"},
    {"12vhpwr|8 pin|6 pin",
     "power connectors (they are not in the catalog)"},
    {"air cooled|air cooling|and cooling|cooling requirements|aircooled|liquid cooled|liquid cooling|water cooled|watercooled|immersion cooled|direct liquid",
     "cooling (it is not in the catalog)"},
    {"vendor lock in|vendor lockin|lockin|hate lock in|no lock in|avoid lock in|without lock in",
     "lock-in to a maker"},
    {"vendor risk|riskier bet|risky bet|safer bet|safe bet|better bet|vendor bet|long term bet|platform risk|risk of betting|should we bet on|"
     "bet on|riskier|riskiest|future proof|futureproof",
     "what becomes of a maker (no data tells the future)"},
    {"spot interruption|spot interrupt every|spot interrupt|interrupt every|interrupts every|interrupted every|gets interrupted|"
     "preemptions|preempted every|evicted every|evictions",
     "interruptions (each costs what was done since the last checkpoint, and the start anew)"},
    {"ref model in memory|reference model in memory|separate reference model|separate ref model|ref model loaded|reference model loaded|full reference model|"
     "own reference model|w ref model|with ref model|with a reference model|with reference model|with the reference model",
     "a reference model beside it (LoRA takes its own frozen base as that; a second copy adds the weights once more)"},
    {"pd disaggregation|prefill decode disaggregation|disaggregated serving|disaggregated prefill|disaggregation|disaggregated|disagg|pd disagg",
     "prompts and answers on servers of their own (the answer is for servers that do both)"},
    {"license of|licence of|license terms|licence terms|license for|licence for|license|licence|licensing|licensed under",
     "licences (none are kept here)"},
    {"who made|who makes|who trained|who created|who developed|who released|who published|who built|developer of|creator of|maker of",
     "who makes a model (it is not kept here)"},
};
// clang-format on

/// "license of llama 3.1 70b", "who made mixtral": what a model is was asked, no hardware for it.
bool tells_of_model(const Sentence& sentence, const Unweighed& row) {
    return sentence.mentions.empty() && !sentence.reading.model.empty() &&
           (row.reason.starts_with("licences") || row.reason.starts_with("who makes"));
}

/// Tokens of the first of the phrases that stands from token `at` on; 0: none does.
std::size_t phrase_at(const Sentence& sentence, std::size_t at, std::string_view phrases) {
    while (!phrases.empty()) {
        const std::string_view phrase = phrases.substr(0, phrases.find('|'));
        phrases.remove_prefix(std::min(phrases.size(), phrase.size() + 1));
        if (const std::size_t length = sentence.tokens_of(phrase, at, true); length > 0) {
            return length;
        }
    }
    return 0;
}

/// "n+1": the sign is a word of its own.
std::size_t spare_at(const Sentence& sentence, std::size_t at) {
    const std::size_t number = at + (sentence.word(at + 1) == "+" ? 2 : 1);
    const bool spare = sentence.word(at) == "n" && number > at + 1 && sentence.follows(number) &&
                       is_any(sentence.word(number), "1 2");
    return spare ? number + 1 - at : 0;
}

/// "if one node dies", "when a server goes down", "survive the loss of a machine", "a node
/// failure": something fails and the work goes on.
std::size_t failure_at(const Sentence& sentence, std::size_t at) {
    constexpr std::string_view things =
        "node nodes machine machines server servers host box gpu card instance rack";
    constexpr std::string_view articles = "one a an any another single 1 the of";
    const bool losing = is_any(sentence.word(at),
                               "lose losing loses lost loss survive survives "
                               "survives tolerate tolerates tolerating");
    std::size_t noun = at + (losing ? 1 : 0);
    std::size_t before = 0;
    while (sentence.follows(noun) &&
           is_any(sentence.word(noun),
                  losing ? "one a an any another single 1 the of loss losing" : articles)) {
        ++noun;
        ++before;
    }
    if (!sentence.follows(noun) || !is_any(sentence.word(noun), things)) {
        return 0;
    }
    const std::string_view behind = sentence.follows(noun + 1) ? sentence.word(noun + 1) : "";
    const bool breaks = is_any(behind,
                               "dies die died dying fails fail failed failing crashes crash "
                               "crashed breaks failure failures outage outages") &&
                        sentence.word(noun + 2) != "to";  // "fails to load": what it does not do
    const bool may = is_any(behind, "may can might could") &&
                     is_any(sentence.word(noun + 2), "die fail crash break");
    const bool falls = is_any(behind, "goes is going drops falls") &&
                       is_any(sentence.word(noun + 2), "down out lost dead offline off away");
    const bool gone = losing && before > 0 && sentence.word(at) != "lost" &&
                      !is_any(behind, "memory vram ram bandwidth speed performance power slot");
    return breaks ? noun + 2 - at : falls || may ? noun + 3 - at : gone ? noun + 1 - at : 0;
}

/// A node that fails stops a run of training, however many stand by.
bool says_training(const Sentence& sentence) {
    return sentence.any_word(
        "train training trained pretrain pretraining pretrained finetune finetuning tune tuning "
        "lora qlora sft");
}

/// "to china", "in russia" beside export rules: where to.
void claim_countries(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i),
                   "china chinese russia russian iran korea cuba syria belarus venezuela uae saudi "
                   "arabia hong kong taiwan india vietnam")) {
            sentence.claim(i);
        }
    }
}

}  // namespace

void recognise_unweighed(Sentence& sentence) {
    for (const Unweighed& each : unweighed) {
        bool said = false;
        bool in_training = false;
        for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
            std::size_t length = sentence.open(i) ? phrase_at(sentence, i, each.words) : 0;
            if (length == 0 && each.reason.starts_with("redundancy")) {
                const std::size_t fails = failure_at(sentence, i);
                length = std::max(spare_at(sentence, i), fails);
                in_training = in_training || (fails > 0 && says_training(sentence));
            }
            // "not in stock" leaves out what is named.
            const bool other = i > 0 && is_any(sentence.word(i - 1), "not isnt arent");
            const bool of_part = each.reason.starts_with("who makes") && !sentence.mentions.empty();
            if (length > 0 && !other && !of_part) {
                sentence.claim(i, length);
                said = true;
            }
        }
        if (said && each.reason.starts_with("a reference model") &&
            sentence.any_word("dpo ipo kto") &&
            !sentence.any_word("lora qlora peft adapter adapters")) {
            // The training of all weights holds such a copy, and its estimate counts it.
            if (!sentence.any_word("full")) {
                sentence.marks.push_back({Means::train, "full", 0, 0});
                sentence.assume("method", "full",
                                "a reference model of its own is held by who trains all weights: "
                                "adapters take their frozen base as that");
            }
            continue;
        }
        if (said) {
            sentence.reading.unweighed.emplace_back(
                in_training ? "failures (what a run loses to restarts is not counted)"
                            : each.reason);
        }
        if (said && each.reason.starts_with("export")) {
            claim_countries(sentence);
        }
        if (said && tells_of_model(sentence, each)) {
            sentence.marks.push_back({Means::ask, "describe", 0, 0});
        }
        if (said && each.reason.starts_with("lead")) {
            sentence.marks.push_back({Means::ask, "provider", 0, 0});
        }
    }
}

}  // namespace ridgeline::reading
