#include "advise/reading/names.h"
#include "advise/reading/units.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// From marks to fields: vendors, providers and features with their negations, aims, ownership.

namespace ridgeline::reading {

bool is_ruled_out(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = at; i > 0 && sentence.follows(i); --i) {
        for (const Mark& mark : sentence.marks) {
            if (mark.means == Means::negation && mark.value != "instead" && mark.at + mark.length == i) {
                return true;
            }
        }
        if (!is_any(sentence.word(i - 1), {"any", "the", "a", "use", "using", "need", "want", "with", "for", "of"})) {
            return false;
        }
    }
    return false;
}

namespace {

bool is_bridge(const Sentence& sentence, std::size_t i) {
    return is_any(sentence.word(i),
                  {"on", "from", "any", "a",     "an",  "the",    "using", "use",    "with",
                   "of", "to",   "or",  "and",   "nor", "for",    "need",  "either", "have",
                   "in", "gpus", "gpu", "cards", "has", "google", "want", "chinese", "public", "shared", "community"});
}

/// Does a negation reach the word at token `at`?
bool is_negated(const Sentence& sentence, std::size_t at) {
    for (const Mark& mark : sentence.marks) {
        if (mark.means != Means::negation || mark.value == "instead" || mark.at >= at ||
            at - mark.at > 7) {
            continue;
        }
        bool reaches = true;
        for (std::size_t i = mark.at + mark.length; i < at; ++i) {
            const bool listed =
                std::any_of(sentence.marks.begin(), sentence.marks.end(), [&](const Mark& each) {
                    return (each.means == Means::vendor || each.means == Means::provider ||
                            each.means == Means::feature) &&
                           i >= each.at && i < each.at + each.length;
                });
            reaches = reaches && (listed || is_bridge(sentence, i));
        }
        if (reaches) {
            return true;
        }
    }
    return false;
}

/// "8 a100 on aws vs 8 a100 on gcp": each side with the provider that is said behind it.
void part_providers(Sentence& sentence) {
    std::vector<std::string> found;
    for (std::size_t k = 0; k < sentence.mentions.size(); ++k) {
        const std::size_t next = k + 1 < sentence.mentions.size() ? sentence.mentions[k + 1].at
                                                                  : sentence.tokens.size();
        for (const Mark& mark : sentence.marks) {
            if (mark.means == Means::provider && mark.at >= sentence.mentions[k].end &&
                mark.at < next && mark.at - sentence.mentions[k].end <= 3 && found.size() == k) {
                found.emplace_back(mark.value);
            }
        }
    }
    const bool compared = sentence.has(Means::versus) || sentence.has(Means::either);
    if (found.size() < 2 || found.size() != sentence.mentions.size() || !compared) {
        return;
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
        sentence.mentions[k].provider = found[k];
    }
}

/// Whether all hardware that is named is no TPU.
bool made_by_others(const Sentence& sentence) {
    return !sentence.mentions.empty() &&
           std::none_of(sentence.mentions.begin(), sentence.mentions.end(), [](const Mention& each) {
               return each.parts.empty() || each.parts.front()->vendor == "Google";
           });
}

/// "amd only", "nvidia or amd, both fine": vendors that are wanted. A vendor beside a part is said
/// with it.
void apply_names(Sentence& sentence) {
    Reading& reading = sentence.reading;
    for (const Mark& mark : sentence.marks) {
        const bool negated = is_negated(sentence, mark.at);
        // "not google, not aws" are clouds.
        if (mark.value == "google" && negated && sentence.has(Means::provider)) {
            add_once(reading.providers_excluded, "gcp");
        }
        // "an l4 at aws and at google": who does not make the part rents it out.
        if (mark.means == Means::vendor && mark.value == "google" && !negated && made_by_others(sentence)) {
            add_once(reading.providers, "gcp");
            continue;
        }
        // "amd ok?", "amd allowed": one may be, none must be.
        std::size_t behind = mark.at + mark.length;
        behind += sentence.follows(behind) && is_any(sentence.word(behind), {"is", "are", "cards", "gpus", "also", "too"}) ? 1 : 0;
        const bool allowed = mark.means == Means::vendor && sentence.follows(behind) &&
                             is_any(sentence.word(behind), {"ok", "okay", "allowed", "fine", "welcome", "possible", "works", "acceptable"});
        // "mac or pc": neither is a limit.
        const bool either = mark.means == Means::vendor && (sentence.has(Means::either) || sentence.has(Means::versus)) &&
                            sentence.any_word({"pc", "pcs", "windows", "linux"});
        if (allowed || either) {
            continue;
        }
        if (mark.means == Means::vendor) {
            add_once(negated ? reading.vendors_excluded : reading.vendors, mark.value);
        } else if (mark.means == Means::provider) {
            add_once(negated ? reading.providers_excluded : reading.providers, mark.value);
            if (sentence.names.providers.count(std::string(mark.value)) == 0) {
                add_once(reading.unknown_names, mark.value);
                add_once(reading.unpriced_providers, mark.value);
            }
        } else if (mark.means == Means::feature && !negated) {
            add_once(reading.require, mark.value);
        }
    }
    for (const Mention& mention : sentence.mentions) {
        // "azure nd h100 v5" is rented there.
        if (!mention.provider.empty() && mention.per_machine && reading.providers.empty() &&
            sentence.mentions.size() == 1 &&
            std::find(reading.providers_excluded.begin(),
                      reading.providers_excluded.end(),
                      mention.provider) == reading.providers_excluded.end()) {
            reading.providers.push_back(mention.provider);
        }
    }
    std::erase_if(reading.vendors, [&](const std::string& vendor) {
        return std::find(reading.vendors_excluded.begin(),
                         reading.vendors_excluded.end(),
                         vendor) != reading.vendors_excluded.end();
    });
}

/// "no spot", "cannot use marketplace providers": what is rented at a list price is left, and those who rent in no other way
/// are none of the providers.
void refuse_kind(Sentence& sentence, std::string_view kind) {
    Reading& reading = sentence.reading;
    if (kind == "purchase" || kind == "on_demand" || !reading.price_kind.empty()) {
        return;
    }
    reading.price_kind = "on_demand";
    sentence.assume("price_kind", "on_demand", fmt::format("{} is ruled out", kind));
    if (kind == "marketplace") {
        for (const std::string& each : sentence.names.marketplaces) {
            add_once(reading.providers_excluded, each);
        }
    }
}

void apply_settings(Sentence& sentence) {
    Reading& reading = sentence.reading;
    bool both_kinds = false;
    for (const Mark& mark : sentence.marks) {
        switch (mark.means) {
            case Means::price_kind:
                if (is_negated(sentence, mark.at)) {
                    refuse_kind(sentence, mark.value);
                    break;
                }
                // "on demand vs spot": both are shown.
                both_kinds = both_kinds || (!reading.price_kind.empty() && reading.price_kind != mark.value &&
                                            (sentence.has(Means::versus) || sentence.has(Means::either) || sentence.any_word({"difference", "between"})));
                reading.price_kind = mark.value;
                reading.buy = reading.buy || mark.value == "purchase";
                break;
            case Means::objective:
                if (!reading.objective && !is_negated(sentence, mark.at)) {
                    reading.objective = mark.value == "cost"     ? Objective::cost
                                        : mark.value == "time"   ? Objective::time
                                        : mark.value == "energy" ? Objective::energy
                                                                 : Objective::price;
                }
                break;
            case Means::profile:
                if (reading.profile.empty()) {
                    reading.profile = mark.value;
                }
                break;
            case Means::framework:
                if (reading.framework.empty() && !is_ruled_out(sentence, mark.at)) {
                    reading.framework = mark.value;
                }
                break;
            case Means::quantization:
                if (sentence.beside_cache(mark.at, mark.length)) {
                    reading.kv_cache = mark.value;
                } else if (reading.quantization.empty() && !is_ruled_out(sentence, mark.at)) {
                    reading.quantization = mark.value;
                }
                break;
            case Means::optimizer:
                reading.optimizer = mark.value;
                break;
            case Means::compute:
                if (sentence.beside_cache(mark.at, mark.length)) {
                    reading.kv_cache = mark.value;
                } else if (reading.compute.empty()) {
                    reading.compute = mark.value;
                }
                break;
            case Means::attribute:
                add_once(reading.attributes, mark.value);
                break;
            case Means::home:
                reading.home = true;
                break;
            case Means::offload:
                reading.offload = !is_negated(sentence, mark.at);
                break;
            case Means::ask: {
                // "no cloud", "on-prem": what is asked for is bought.
                const bool at_hand =
                    sentence.mentions.empty() &&
                    (mark.value == "on_prem" ||
                     (is_any(mark.value, {"cloud", "rent"}) && is_negated(sentence, mark.at)));
                reading.buy = reading.buy || at_hand || (mark.value == "buy" && !sentence.asks("rent"));
                break;
            }
            default:
                break;
        }
    }
    if (both_kinds) {
        reading.price_kind.clear();
        sentence.marks.push_back({Means::ask, "price_kinds", 0, 1});
    }
    reading.credits = sentence.any_word({"credit", "credits"}) && (reading.budget_usd || reading.usd_per_month);
    // "bitsandbytes 8bit": the library's other type.
    const bool eight = std::any_of(sentence.marks.begin(), sentence.marks.end(), [](const Mark& mark) {
        return mark.means == Means::quantization && mark.value == "int8";
    });
    if (reading.quantization == "nf4" && eight && sentence.any_word({"bitsandbytes", "bnb"})) {
        reading.quantization = "int8";
    }
    // "4bit awq" and "q4_k_m gguf" name one type.
    if (reading.quantization == "4bit") {
        for (const Mark& mark : sentence.marks) {
            if (mark.means == Means::quantization && mark.value != "4bit" && mark.value != "none" &&
                mark.value != "int8") {
                reading.quantization = mark.value;
            }
        }
    }
}

/// Owned is hardware that "my", "i have" and the like stand before.
void apply_ownership(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto blocks = [&](std::size_t from, std::size_t to) {
        return std::any_of(sentence.marks.begin(),
                           sentence.marks.end(),
                           [&](const Mark& mark) {
                               return mark.at >= from && mark.at < to &&
                                      (mark.means == Means::model_word ||
                                       mark.means == Means::train || mark.means == Means::tune ||
                                       (mark.means == Means::infer && mark.value.empty()));
                           }) ||
               std::any_of(sentence.tokens.begin() + static_cast<std::ptrdiff_t>(from),
                           sentence.tokens.begin() + static_cast<std::ptrdiff_t>(to),
                           [](const Token& token) {
                               return is_any(token.text,
                                             {"$",
                                              "to",
                                              "dollars",
                                              "budget",
                                              "usd",
                                              "eur",
                                              "k",
                                              "about",
                                              "been",
                                              "no",
                                              // "should our startup purchase a dgx"
                                              "purchase",
                                              "purchasing",
                                              "buy",
                                              "buying",
                                              "lease",
                                              "order",
                                              // "our own images on a rented a6000"
                                              "rented",
                                              "images",
                                              "pictures",
                                              "photos",
                                              "documents",
                                              "data",
                                              "dataset"});
                           });
    };
    for (const Mark& mark : sentence.marks) {
        if (mark.means != Means::owned) {
            continue;
        }
        const bool person =
            mark.at > 0 && is_any(sentence.word(mark.at - 1), {"i", "we", "already", "who", "now"});
        if (mark.value == "weak" && !person) {
            continue;
        }
        const std::size_t end = mark.at + mark.length;
        const auto reaches = [&](std::size_t at) {
            return at >= end && at - end <= 5 && !blocks(end, at);
        };
        for (const Mention& mention : sentence.mentions) {
            reading.owned = reading.owned || reaches(mention.at) ||
                            (mark.at >= mention.end && mark.at - mention.end <= 12 &&
                             is_any(sentence.word(mark.at), {"bought"}));
        }
        for (std::size_t i = end; i < std::min(sentence.tokens.size(), end + 5); ++i) {
            const bool memory = reading.memory_gib && (memory_piece(sentence.word(i)) > 0 ||
                                                       is_any(sentence.word(i), {"gb", "vram"}));
            const bool gpu = is_any(sentence.word(i),
                                    {"gpu",
                                     "gpus",
                                     "card",
                                     "cards",
                                     "cluster",
                                     "rig",
                                     "workstation",
                                     "laptop",
                                     "mac",
                                     "macbook"});
            reading.owned = reading.owned || ((memory || gpu) && reaches(i));
        }
    }
    if (reading.owned && sentence.mentions.size() == 1 && !sentence.mentions.front().count &&
        !sentence.loose_count) {
        Mention& mention = sentence.mentions.front();
        const std::string_view last = sentence.word(mention.end - 1);
        const std::string_view first = sentence.word(mention.at);
        const bool plural =
            (first.ends_with('s') && first.size() > 4 && is_digit(first[first.size() - 2])) ||
            (last.ends_with('s') && last.size() > 4 && is_digit(last[last.size() - 2]));
        if (!plural) {
            mention.count = 1;
        }
    }
}

/// "what should i upgrade my 3070 to", "upgrade from a 3070": the one part that is named is what goes,
/// unless it stands behind "to".
void apply_replacement(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool goes = sentence.any_word({"upgrade", "upgrading", "upgrades", "replace", "replacing",
                                         "replacement", "successor", "outgrown", "outgrew"});
    // "is my 1080 ti still good enough, or upgrade?" asks of what is there.
    bool last_resort = false;
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        constexpr std::size_t most_between = 5;  // "or do i need to upgrade"
        for (std::size_t back = 1; back <= std::min(i, most_between) && is_any(sentence.word(i), {"upgrade", "replace", "upgrading"}); ++back) {
            last_resort = last_resort || sentence.word(i - back) == "or";
        }
    }
    if (!goes || last_resort || sentence.mentions.size() != 1) {
        return;
    }
    const Mention& mention = sentence.mentions.front();
    const bool from = mention.at > 0 && [&] {
        for (std::size_t i = mention.at - std::min<std::size_t>(mention.at, 3); i < mention.at; ++i) {
            if (is_any(sentence.word(i), {"from", "replace", "replacing", "my", "our", "outgrown", "outgrew",
                                          "own", "have", "got", "currently", "using", "running"})) {
                return sentence.word(mention.at - 1) != "to";
            }
        }
        return false;
    }();
    if (!from) {
        return;
    }
    reading.replaced = mention.name;
    reading.owned = false;
    reading.home = reading.home || (!mention.parts.empty() && (mention.name.starts_with("rtx-") || mention.name.starts_with("gtx-") || mention.name.starts_with("rx-")));
    const double gb = mention.parts.empty() ? 0 : mention.parts.front()->marketed_gb;
    sentence.assume("replaced",
                    mention.name,
                    gb > 0 ? fmt::format("something with more than its {:g} GB and memory no slower than its {:.0f} GB/s is looked for",
                                         gb,
                                         mention.parts.front()->memory_bandwidth.base() / 1e9)
                           : "something better is looked for");
    if (gb > 0 && !reading.memory_gib) {
        reading.memory_gib = std::floor(gb / (1 - memory_tolerance)) + 1;  // so that its own size is none of them
        reading.memory_at_least = true;
    }
    reading.replaced_bytes_per_s =
        mention.parts.empty() ? 0 : mention.parts.front()->memory_bandwidth.base();
    std::erase(reading.unknown_names, mention.name);
    std::erase(reading.unknown_parts, mention.name);
    sentence.mentions.clear();
}

/// A run whose length is told by the size of its model: "chinchilla optimal", "100 tokens per param".
void settle_ratio(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool optimal = sentence.asks("chinchilla");
    reading.tokens_per_parameter = sentence.tokens_per_parameter;
    if (reading.tokens || (!optimal && !sentence.tokens_per_parameter)) {
        return;
    }
    for (const std::string& piece : split(reading.model, '-')) {
        if (const auto size = parameters_in(piece); size && !reading.tokens) {
            const double ratio = sentence.tokens_per_parameter.value_or(chinchilla_tokens);
            reading.tokens = ratio * *size;
            sentence.assume("tokens",
                            format_count(*reading.tokens),
                            fmt::format("{:g} tokens for each parameter{}",
                                        ratio,
                                        sentence.tokens_per_parameter ? "" : " (Chinchilla)"));
        }
    }
}

/// "serve 3 loras on one base": adapters that are served are not trained.
void drop_served_adapters(Sentence& sentence) {
    const auto trains = [&](const Mark& mark) {
        return mark.means == Means::tune || (mark.means == Means::train && !is_any(sentence.word(mark.at), {"loras", "adapters"}));
    };
    if (sentence.has(Means::serves_many) && std::none_of(sentence.marks.begin(), sentence.marks.end(), trains)) {
        std::erase_if(sentence.marks, [](const Mark& mark) { return mark.means == Means::train; });
    }
}

}  // namespace

void apply_marks(Sentence& sentence) {
    drop_served_adapters(sentence);
    settle_usual_model(sentence);
    settle_ratio(sentence);
    apply_settings(sentence);
    part_providers(sentence);
    apply_names(sentence);
    apply_ownership(sentence);
    apply_replacement(sentence);
    settle_task(sentence);
    recognise_beside(sentence);
    weigh_links(sentence);
}

}  // namespace ridgeline::reading
