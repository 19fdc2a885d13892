#include "advise/reading/amounts/habits.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/amounts/teams.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/kernels/steps.h"
#include "advise/reading/models/few_steps.h"
#include "advise/reading/models/named_model.h"
#include "advise/reading/models/own_sizes.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/money/purchases.h"
#include "advise/reading/money/steps.h"
#include "advise/reading/money/sums.h"
#include "advise/reading/money/worth.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/settling/beyond.h"
#include "advise/reading/settling/bounds.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/foreign_words.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/shorthand.h"
#include "base/text.h"

#include <algorithm>
#include <bit>

namespace ridgeline {
namespace {

using namespace reading;

constexpr std::size_t most_words = 400;
constexpr std::size_t most_bytes = 8000;

/// "a grand" is 1 grand, "a couple of thousand" 2 thousand.
void settle_scales(std::vector<Token>& tokens) {
    constexpr std::string_view scales = "grand thousand hundred million billion k";
    const auto drop = [&tokens](std::size_t from, std::size_t to) {
        tokens[to].begin = tokens[from].begin;
        tokens[to].gap = tokens[from].gap;
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(from),
                     tokens.begin() + static_cast<std::ptrdiff_t>(to));
    };
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].text == "a" && tokens[i + 1].text == "grand" &&
            tokens[i + 1].gap == Gap::space) {
            // "a grand or two": two may be spent
            // "a grand or two 3090s" counts what follows.
            const bool counts =
                i + 4 < tokens.size() && tokens[i + 4].gap != Gap::stop &&
                (has_digit(tokens[i + 4].text) ||
                 is_any(tokens[i + 4].text, "rtx gtx gpus cards nvidia amd used tesla quadro"));
            const bool two = i + 3 < tokens.size() && tokens[i + 2].text == "or" &&
                             is_any(tokens[i + 3].text, "two so") && !counts;
            tokens[i].text = two && tokens[i + 3].text == "two" ? "2" : "1";
            if (two) {
                tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i + 2),
                             tokens.begin() + static_cast<std::ptrdiff_t>(i + 4));
            }
        }
        const std::size_t scale =
            i + 2 < tokens.size() && tokens[i + 1].text == "of" ? i + 2 : i + 1;
        if (tokens[i].text == "couple" && is_any(tokens[scale].text, scales) &&
            tokens[scale].gap == Gap::space) {
            tokens[i].text = "2";
            tokens[i].end = tokens[scale - 1].end;
            tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1),
                         tokens.begin() + static_cast<std::ptrdiff_t>(scale));
            if (i > 0 && tokens[i - 1].text == "a") {
                drop(i - 1, i);
            }
        }
    }
}

/// "2500 aussie dollars": the country's name and the word are one currency.
void settle_dollars(std::vector<Token>& tokens) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const std::string_view country = tokens[i].text;
        const char* const code = is_any(country, "australian aussie oz")    ? "aud"
                                 : is_any(country, "canadian canuck")       ? "cad"
                                 : is_any(country, "kiwi")                  ? "nzd"
                                 : is_any(country, "singapore singaporean") ? "sgd"
                                 : is_any(country, "american us")           ? "usd"
                                                                            : nullptr;
        if (code != nullptr && is_any(tokens[i + 1].text, "dollar dollars bucks") &&
            tokens[i + 1].gap != Gap::stop) {
            tokens[i].text = code;
            tokens[i].end = tokens[i + 1].end;
            tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1));
        }
    }
}

/// "tp4pp2", "pp2xtp4": the degrees of one plan stand glued together.
void part_degrees(std::vector<Token>& tokens) {
    const auto names_degree = [](std::string_view word) {
        return word.size() > 2 && is_any(word.substr(0, 2), "tp pp dp ep cp") && is_digit(word[2]);
    };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string whole = tokens[i].text;
        const auto past = std::find_if_not(
            whole.begin() + std::min<std::ptrdiff_t>(2, std::ssize(whole)), whole.end(), is_digit);
        const auto at = static_cast<std::size_t>(past - whole.begin());
        const std::size_t next = at + (whole.substr(at, 1) == "x" ? 1 : 0);
        if (!names_degree(whole) || !names_degree(std::string_view(whole).substr(next))) {
            continue;
        }
        Token rest = tokens[i];
        rest.text = whole.substr(next);
        rest.begin += next;
        rest.gap = Gap::none;
        tokens[i].text = whole.substr(0, at);
        tokens[i].end = rest.begin;
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1), std::move(rest));
    }
}

/// "minus 2" is a number below zero.
void settle_words(std::vector<Token>& tokens) {
    // Words too short for the step of spelling.
    for (Token& token : tokens) {
        for (const auto& [written, meant] :
             {std::pair{"wich", "which"}, std::pair{"whch", "which"}, std::pair{"waht", "what"},
              std::pair{"wat", "what"}, std::pair{"mnay", "many"}, std::pair{"serv", "serve"},
              std::pair{"num", "number"}, std::pair{"teh", "the"}, std::pair{"hwo", "how"},
              std::pair{"imgs", "images"}}) {
            if (token.text == written) {
                token.text = meant;
            }
        }
    }
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        // "b300 v b200"
        const bool apart = tokens[i].gap == Gap::space && tokens[i + 1].gap == Gap::space &&
                           tokens[i - 1].text != "titan";
        if (tokens[i].text == "v" && apart && has_letter(tokens[i + 1].text)) {
            tokens[i].text = "vs";
        }
        // "a 3090 ti n a 1080"
        const bool part =
            has_digit(tokens[i - 1].text) || is_any(tokens[i - 1].text, "ti super xt");
        if (tokens[i].text == "n" && part && tokens[i].gap == Gap::space &&
            is_any(tokens[i + 1].text, "a an my another one two")) {
            tokens[i].text = "and";
        }
    }
    settle_foreign_words(tokens);
    settle_scales(tokens);
    settle_dollars(tokens);
    part_degrees(tokens);
    for (Token& token : tokens) {
        if (token.gap == Gap::joint && is_any(token.text, "size sized scale")) {
            token.gap = Gap::space;  // "a sdxl-size network": no part of the name
        }
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool network = i + 1 < tokens.size() && tokens[i + 1].text == "net";  // "u-net"
        if (tokens[i].text == "u" && !network) {
            tokens[i].text = "you";
        }
    }
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        Token& next = tokens[i + 1];
        // "gbs 1024": the global batch, no gigabytes
        const auto said = i > 0 ? amount_in(tokens[i - 1].text) : std::nullopt;
        const auto behind = amount_in(next.text);
        const bool asked = i > 0 && is_any(tokens[i - 1].text, "many few vram memory");
        if (tokens[i].text == "gbs" && behind && behind->unit.empty() &&
            !(said && said->unit.empty()) && !asked) {
            tokens[i].text = "batch";
        }
        if (is_any(next.text, "gig gigs") && amount_in(tokens[i].text)) {
            next.text = "gb";
        }
        if (next.text == "then" &&
            is_any(tokens[i].text,
                   "better faster slower cheaper worse quicker more less bigger rather")) {
            next.text = "than";  // "better then a 4090"
        }
        // "how many euros per hour"
        if (tokens[i].text == "many" && i > 0 && tokens[i - 1].text == "how" &&
            (currency_of(next.text) != nullptr || is_any(next.text, "won rand"))) {
            tokens[i].text = "much";
        }
        const bool number = amount_in(next.text).has_value() && next.gap == Gap::space;
        next.negative = next.negative || (is_any(tokens[i].text, "minus negative") && number);
    }
    settle_foreign_periods(tokens);
}

/// "tokens / sec": blanks around the stroke change nothing where a period follows.
void join_periods(std::vector<Token>& tokens, std::string_view question) {
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        const std::size_t from = std::min(tokens[i - 1].end, tokens[i].begin);
        const std::string_view between = question.substr(from, tokens[i].begin - from);
        if (is_any(tokens[i].text, "s sec second min minute h hour day") &&
            between.find('/') != between.npos) {
            tokens[i].gap = Gap::slash;
        }
    }
}

bool names_engine(const Names& names, const std::string& word) {
    const auto rows = names.lexicon.find(word);
    return std::any_of(rows.begin(), rows.end(),
                       [](const Phrase* row) { return row->means == Means::framework; });
}

/// Bytes of the ending of a file's name: what stands before it is words as any other
/// ("qlora-fsdp-70b.yaml").
std::size_t file_ending(std::string_view word) {
    for (const std::string_view ending : {".yaml", ".yml", ".json", ".toml", ".py", ".sh", ".ipynb",
                                          ".safetensors", ".pt", ".cfg"}) {
        if (word.size() > ending.size() && word.ends_with(ending)) {
            return ending.size();
        }
    }
    return 0;
}

/// "model-q4_k_m.gguf": the end of a file's name is a word of its own; "24go" is French for 24 GB.
void settle_endings(std::vector<Token>& tokens, const Names& names) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        std::string& text = tokens[i].text;
        if (text.size() > 5 && text.ends_with(".gguf")) {
            Token ending = tokens[i];
            ending.text = "gguf";
            ending.begin = tokens[i].end - 4;
            ending.gap = Gap::joint;
            text.resize(text.size() - 5);
            tokens[i].end = ending.begin - 1;
            tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1), std::move(ending));
            ++i;
        } else if (const std::size_t ending = file_ending(text); ending > 0) {
            text.resize(text.size() - ending);
            tokens[i].end -= ending;
        } else if (text.size() > 2 && text.ends_with("go") &&
                   all_digits(std::string_view(text).substr(0, text.size() - 2))) {
            text.replace(text.size() - 2, 2, "gb");
        } else if (const std::string tool = text.substr(0, text.find('.'));
                   tool.size() < text.size() && names_engine(names, tool) &&
                   !names_engine(names, text)) {
            text = tool;  // "sglang.launch_server"
        } else if (text.starts_with("ml.") && text.size() > 6) {
            text.erase(0, 3);  // "ml.p4de.24xlarge"
        } else if (text == "go" && i > 0 && all_digits(tokens[i - 1].text) &&
                   i + 1 < tokens.size() && is_any(tokens[i + 1].text, "de vram ram")) {
            text = "gb";
        }
    }
}

/// "kaggle's T4s": a genitive; "what's" is a word of its own.
void settle_genitives(std::vector<Token>& tokens, std::string_view question, const Names& names) {
    for (Token& token : tokens) {
        const std::string_view written = question.substr(token.begin, token.end - token.begin);
        if (!written.ends_with("'s") || token.text.size() < 3) {
            continue;
        }
        if (has_digit(token.text)) {
            // "two 32gb's"
            if (token.text.ends_with("gbs")) {
                token.text.pop_back();
            }
            continue;
        }
        if (!names.lexicon.knows(token.text)) {
            token.text.pop_back();
        }
    }
}

/// Where a number begins that is glued to its name: 2 of "bs16", 3 of "ctx8k"; 0: there is none.
std::size_t glued_number(std::string_view word) {
    const auto digit = std::find_if(word.begin(), word.end(), is_digit);
    const auto at = static_cast<std::size_t>(digit - word.begin());
    const std::string_view name = word.substr(0, at);
    const auto amount = at > 0 ? amount_in(word.substr(at)) : std::nullopt;
    if (!amount || !(amount->unit.empty() || amount->unit == "k")) {
        return 0;
    }
    // "r16" is a rank, "r1" a model.
    const bool rank = name == "r" && amount->value >= 8 &&
                      std::has_single_bit(static_cast<unsigned>(amount->value));
    return rank || (name.size() > 1 && names_number(name)) ? at : 0;
}

void part_named_numbers(std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::size_t at = tokens[i].foreign ? 0 : glued_number(tokens[i].text);
        if (at == 0) {
            continue;
        }
        Token number = tokens[i];
        number.text.erase(0, at);
        number.begin = std::min(number.begin + at, number.end);
        number.gap = Gap::none;
        tokens[i].text.resize(at);
        tokens[i].end = number.begin;
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1), std::move(number));
        ++i;
    }
}

/// What people end a question with: it hides that a sum or a name was the last word.
void drop_thanks(std::vector<Token>& tokens) {
    // clang-format off
    static constexpr std::string_view ends[] = {
        "please", "pls", "plz", "thanks", "thank you", "many thanks", "thanks in advance", "thx",
        "cheers", "any advice", "any suggestions", "any recommendations", "any ideas", "any tips",
        "any thoughts"
    };
    // clang-format on
    constexpr std::size_t least_left = 2;
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view end : ends) {
            const std::vector<std::string> words = split(end, ' ');
            if (tokens.size() < words.size() + least_left) {
                continue;
            }
            const std::size_t from = tokens.size() - words.size();
            const bool there = std::equal(
                words.begin(), words.end(), tokens.begin() + static_cast<std::ptrdiff_t>(from),
                [](const std::string& word, const Token& token) { return token.text == word; });
            if (there) {
                tokens.resize(from);
                again = true;
            }
        }
    }
}

/// "llama 3.1 70 billion" is "llama 3.1 70b": behind the name of a model, where nothing is counted
/// by it.
void join_billions(std::vector<Token>& tokens, const Names& names) {
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        const std::size_t name = i > 1 && !has_letter(tokens[i - 1].text) ? i - 2 : i - 1;
        // "qwen3", "oss" of "gpt-oss"
        const std::string& whole = tokens[name].text;
        const std::string word = whole.substr(0, whole.find_first_of("0123456789"));
        const bool model = has_letter(word) &&
                           (names.model_words.contains(word) || names.model_words.contains(whole));
        const bool counts = i + 2 < tokens.size() && tokens[i + 2].gap != Gap::stop &&
                            counts_work(tokens[i + 2].text);
        if (model && !counts && amount_in(tokens[i].text) &&
            is_any(tokens[i + 1].text, "billion billions bn")) {
            tokens[i].text += "b";
            tokens[i].end = tokens[i + 1].end;
            tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1));
        }
    }
}

/// "40 000 EUR", "3.000 euros": thousands apart or behind a point, beside a currency. Rents have
/// three decimals: "$1.125 per hour".
void join_thousands(std::vector<Token>& tokens) {
    const auto money = [](std::string_view word) {
        return is_any(
            word,
            "$ usd dollars dollar dolares dollari eur euro euros \u20ac gbp pounds \u00a3 \u00a5 "
            "chf sek nok dkk pln czk");
    };
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        std::string& text = tokens[i].text;
        const std::size_t point = text.find('.');
        const bool pointed = point != text.npos && point >= 1 && point <= 3 && text[0] != '0' &&
                             text.size() == point + 4 && all_digits(text.substr(0, point)) &&
                             all_digits(text.substr(point + 1));
        const bool rent = i + 2 < tokens.size() && (tokens[i + 2].gap == Gap::slash ||
                                                    is_any(tokens[i + 2].text, "per an a hourly"));
        if (pointed && money(tokens[i + 1].text) && !rent) {
            text.erase(point, 1);
        }
        std::size_t end = i + 1;
        while (end < tokens.size() && tokens[end].gap == Gap::space &&
               tokens[end].text.size() == 3 && all_digits(tokens[end].text)) {
            ++end;
        }
        const bool sum = (end < tokens.size() && money(tokens[end].text)) ||
                         (i > 0 && money(tokens[i - 1].text));
        if (end == i + 1 || !sum || !all_digits(tokens[i].text) || tokens[i].text.size() > 3) {
            continue;
        }
        for (std::size_t k = i + 1; k < end; ++k) {
            tokens[i].text += tokens[k].text;
        }
        tokens[i].end = tokens[end - 1].end;
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1),
                     tokens.begin() + static_cast<std::ptrdiff_t>(end));
    }
}

constexpr Step steps[] = {
    recognise_launchers,  // "--nodes=4": before all other numbers
    recognise_rows,
    recognise_regions,         // "us-east-1": before its number is a count
    recognise_kernels,         // "512^3", "1M atoms": before numbers are counts
    recognise_sites,           // "380 g/kWh": before it is a memory
    recognise_money,           // "$2,000": before numbers lose their sign
    recognise_early_settings,  // "--cpu-offload-gb 10": before "gb 10" is a part
    recognise_weights,         // "q4_k_m": before "q4"
    recognise_bus_versions,    // "thunderbolt 4 3090": before its version counts cards
    recognise_networks,        // "400G roce": before it is the memory of a part
    recognise_hardware,        // "3090" is a number too
    recognise_computers,       // "mac studio 512gb": after "mac studio m3 ultra"
    recognise_notebooks,       // "colab": where no part is named beside it
    recognise_processors,      // "epyc 9654": before its number is a size
    recognise_kernel_sizes,    // "a 16384 dgemm": after "4090"
    recognise_speech_stacks,   // "faster-whisper" is no model
    recognise_model_spelling,
    recognise_models,           // "llama 3.1 8b": before its numbers are amounts
    recognise_sized_diffusion,  // "2b video diffusion": before its size is a language model
    recognise_drafts,           // "a 1b draft": before it is a model of its own
    recognise_own_sizes,        // "lstm hidden 1500": before its numbers are amounts
    recognise_few_steps,        // "sdxl turbo 1 step": before "lora" of "lcm lora" is a method
    recognise_operations,       // "1e24 flops": before its number is a size
    recognise_unknown_parts,    // in the form of a name
    recognise_plan_words,       // "zero 3", "tp8", "p95": before their numbers are counts
    recognise_unit_spelling,
    recognise_places,              // "two free slots": before their number is a count
    recognise_growth_periods,      // "20% a month", before it is a share of the day
    recognise_copies,              // "2 finetunes at once" are no users
    recognise_environments,        // "ppo on atari": after models, of which none is meant
    recognise_rounds,              // "512 prompts x 8 answers": before prompts are samples
    recognise_sizes_before_rates,  // "70b tokens per second": before 70b is a rate
    recognise_volumes,             // "60M input tokens a day": before they are lengths
    recognise_active_share,        // "15 % at once": before it is a share of the day
    recognise_crowds,              // "25 calls at once": before their numbers are amounts
    recognise_amounts,             // "100M tokens" is no model of 100M parameters
    recognise_step_limit,          // "a step under 10 min": after times are limits
    recognise_reading_pace,        // "faster than i read": before "faster" is an aim
    recognise_datasets,            // "imagenet": after "100k images"
    recognise_unweighed,           // "n+1", "lead time": before phrases
    recognise_going_prices,        // "sell for": before "sell" is not understood
    recognise_worth,               // "vram per dollar": before "per dollar" is a wish
    recognise_phrases,
    recognise_served_adapters,  // "30 loras in vllm": before adapters are a piece
    recognise_memory_parts,
    recognise_rates,   // what no phrase has of "docs each minute"
    recognise_growth,  // before "twice" counts cards
    recognise_sizes,
    recognise_counts,
    recognise_additions,
    recognise_replicas,
    recognise_bare_sizes,
    recognise_spelling,
    recognise_equals,
    recognise_classes,
    recognise_hourly_limit,
    recognise_cheaper,
    recognise_left_out,
    recognise_observed,
    recognise_extremes,
    recognise_levers,
    recognise_asked_batch,
    recognise_purposes,
    recognise_alternatives,
    recognise_asked_plans,
    recognise_quoted_counts,
    settle_working_set,
    recognise_required_types,  // before a type is what is run in
    recognise_beyond,          // after all that claims words
    tell_scale,
    recognise_unknown_names,
    apply_marks,
    decide_intent,
    settle_run_share,  // after what is asked is known
    settle_worth,
    settle_kernel,
    settle,
    settle_batch_of_each,
    check_bounds,
    tell_typed_words,
};

}  // namespace

std::shared_ptr<const Names> names_of(const Vocabulary& vocabulary) {
    return std::make_shared<const Names>(vocabulary);
}

Result<Reading> read_question(std::string_view question, const Vocabulary& vocabulary) {
    constexpr std::string_view example =
        "Example: ridgeline advise \"what GPU for a 70B fine-tune\".";
    if (question.size() > most_bytes) {
        return input_error("question",
                           "found " + std::to_string(question.size()) +
                               " bytes, expected at most " + std::to_string(most_bytes),
                           std::string(example));
    }
    Tokens tokens = tokens_of(question);
    if (tokens.list.size() > most_words) {
        return input_error(
            "question",
            "found " + std::to_string(tokens.list.size()) + " words, expected at most 400",
            std::string(example));
    }
    if (!tokens.decimal_comma.empty()) {
        std::string dotted = tokens.decimal_comma;
        dotted.replace(dotted.find(','), 1, ".");
        return input_error("question",
                           "found \"" + tokens.decimal_comma + "\", expected a decimal point",
                           "Write " + dotted + ", or part two numbers by a space.");
    }
    const auto names = vocabulary.names ? vocabulary.names : names_of(vocabulary);
    settle_words(tokens.list);
    drop_thanks(tokens.list);
    join_periods(tokens.list, question);
    settle_endings(tokens.list, *names);
    settle_genitives(tokens.list, question, *names);
    join_billions(tokens.list, *names);
    settle_shorthand(tokens.list, *names);
    join_thousands(tokens.list);
    join_overnight(tokens.list);
    part_named_numbers(tokens.list);
    Sentence sentence{.vocabulary = vocabulary,
                      .names = *names,
                      .text = std::string(question),
                      .tokens = std::move(tokens.list)};
    for (const Step step : steps) {
        step(sentence);
        if (sentence.error) {
            return tl::unexpected(*sentence.error);
        }
    }
    return std::move(sentence.reading);
}

}  // namespace ridgeline
