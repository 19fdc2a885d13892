#include "advise/question.h"

#include "advise/question_reader.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace ridgeline {

// The order is that of the answer's echo; README and `advise --help` print this table.
const std::vector<QuestionForm>& question_grammar() {
    static const std::vector<QuestionForm> forms = {
        {"model", "an id, its words, or a size", "llama-3.1-8b, mixtral 8x7b, 70B", "--model"},
        {"method", "fine-tune, full, lora, qlora, pretrain, train", "qlora", "--method"},
        {"use", "serve, inference, run, chat, host", "serve llama-3.3-70b", "--task inference"},
        {"hardware", "part names, a memory size, a count", "on 8 h100, on one 24GB card", "--on"},
        {"most", "up to N gpus, at most N", "up to 16 gpus", "--max-accelerators"},
        {"owned", "i have, my, our, own", "i have 2x 3090", "--owned"},
        {"budget",
         "under, budget, for $N; per hour",
         "under $5000, for $4 per hour",
         "--budget"},
        {"deadline",
         "in, within N hours, days, weeks; by a date",
         "in 30 days, by 2027-03-01",
         "--deadline"},
        {"length", "N tokens", "on 1T tokens", "--tokens"},
        {"sequence", "context, sequence length, seq N", "8k context", "--sequence"},
        {"batch", "batch, batch size, micro batch N", "batch 16", "--batch"},
        {"adapter", "rank N", "rank 64", "--rank"},
        {"users", "N users, concurrency N", "64 users", "--concurrency"},
        {"rate", "N requests per second, N rps", "10 rps", "--requests-per-s"},
        {"latency", "ttft N ms, tpot N ms", "ttft 500 ms", "--ttft"},
        {"precision", "4-bit, int8, fp8, nf4, gptq, awq, bf16", "4-bit", "--quantization"},
        {"framework", "a profile of profiles/software", "vllm, torchtune", "--framework"},
        {"vendor", "nvidia, amd, intel", "amd only", "--vendor"},
        {"provider", "a rental provider, spot, on-demand", "on aws, spot", "--provider"},
        {"objective", "cheapest, fastest, greenest, to buy", "cheapest way", "--objective"},
        {"must have", "ecc, nvlink, mig", "with ecc", "--require"},
        {"profile", "a profile of profiles/workloads", "scientific computing", "--profile"},
    };
    return forms;
}

namespace question {
namespace {

bool trims(char c) {
    return std::string_view("?!.,;:()[]{}\"'`").find(c) != std::string_view::npos;
}

// "50,000" is one number; any other comma ends a word.
std::string without_thousands_commas(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto digit = [&](std::size_t at) {
            return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
        };
        const bool inside = text[i] == ',' && i > 0 && digit(i - 1) && digit(i + 1) &&
                            digit(i + 2) && digit(i + 3) && !digit(i + 4);
        if (!inside) {
            result += text[i] == ',' || text[i] == ';' || text[i] == '?' ? ' ' : text[i];
        }
    }
    return result;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    const auto flush = [&] {
        while (!word.empty() && trims(word.back())) {
            word.pop_back();
        }
        while (!word.empty() && trims(word.front())) {
            word.erase(word.begin());
        }
        if (!word.empty()) {
            words.push_back(word);
        }
        word.clear();
    };
    for (const char c : without_thousands_commas(lower(text))) {
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            flush();
        } else {
            word += c;
        }
    }
    flush();
    return words;
}

void State::fail(std::string message, std::string hint) {
    if (!error) {
        error = Error{ErrorKind::input, "question", std::move(message), std::move(hint)};
    }
}

std::optional<double> number_in(std::string_view word) {
    static constexpr std::array<std::string_view, 17> names = {"zero",
                                                               "one",
                                                               "two",
                                                               "three",
                                                               "four",
                                                               "five",
                                                               "six",
                                                               "seven",
                                                               "eight",
                                                               "nine",
                                                               "ten",
                                                               "eleven",
                                                               "twelve",
                                                               "thirteen",
                                                               "fourteen",
                                                               "fifteen",
                                                               "sixteen"};
    if (word == "single") {
        return 1;
    }
    const auto at = std::find(names.begin(), names.end(), word);
    if (at != names.end()) {
        return static_cast<double>(at - names.begin());
    }
    return number_with_suffix(word);
}

std::optional<int> count_in(State& state, std::string_view word) {
    const auto number = number_in(word);
    if (!number) {
        return std::nullopt;
    }
    if (*number < 1 || *number > 1e8 || *number != std::floor(*number)) {
        state.fail("found \"" + std::string(word) + "\", expected a whole number from 1 to 1e8");
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

bool is_filler(std::string_view word) {
    // clang-format off
    static constexpr std::string_view words[] = {
        "a", "about", "accelerator", "accelerators", "advise", "all", "am", "an", "and", "any", "are", "around", "as",
        "at", "be", "best", "better", "big", "by", "can", "card", "cards", "choose", "cluster", "could",
        "do", "does", "enough", "fit", "fits", "for", "from", "get", "gpu", "gpus", "graphics", "good", "hardware", "have",
        "how", "i", "if", "in", "is", "it", "job", "kind", "language", "large", "least", "like", "llm", "machine", "machines", "many", "me",
        "model", "models", "most", "much", "must", "my", "need", "needed", "needs", "node", "nodes", "of", "on", "option",
        "options", "or", "our", "parameter", "parameters", "params", "please", "possible", "recommend",
        "require", "required", "requires", "run", "runs", "server", "servers", "setup", "should", "show", "size", "sized", "smallest",
        "so", "some", "suggest", "that", "the", "then", "there", "thing", "this", "to", "type", "use", "used", "using", "want",
        "way", "we", "what", "what's", "whats", "which", "will", "with", "work", "workload", "would", "x", "you",
        "i'd", "i'm", "i've", "let", "us", "vs", "give", "only", "each", "per", "tell", "workstation", "data", "dataset", "its", "new",
    };
    // clang-format on
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

namespace {

void settle_method(State& state) {
    Query& query = state.query();
    WorkloadDocument& workload = state.workload();
    auto& assumptions = state.reading.assumptions;
    if (workload.task == Task::inference) {
        if (state.four_bits && !workload.quantization) {
            workload.quantization = "awq-int4";
            assumptions.emplace_back("4-bit weights were taken as AWQ");
        }
        if (!workload.serving) {
            Serving serving;
            serving.concurrency = state.serves_many ? 16 : 1;
            workload.serving = serving;
            assumptions.push_back(state.serves_many
                                      ? "16 requests at a time were assumed (say \"64 users\")"
                                      : "one request at a time was assumed (say \"64 users\")");
        }
        return;
    }
    if (state.four_bits && (!workload.method || *workload.method == Method::lora)) {
        workload.method = Method::qlora;
    }
    if (!workload.method) {
        const bool tune = state.says_fine_tune || (!state.pretrains && !workload.duration_tokens &&
                                                     !workload.duration_epochs);
        workload.method = tune ? Method::lora : Method::full;
        query.method_open = tune;
        if (tune) {
            assumptions.push_back(
                "the method was not said: LoRA is answered, full and QLoRA are compared");
        }
    }
    workload.has_lora = *workload.method != Method::full;
}

void settle(State& state) {
    Query& query = state.query();
    settle_method(state);
    if (state.count > 0 && !query.exact_accelerators) {
        query.exact_accelerators = state.count;
    }
    if (state.one_owned && !query.exact_accelerators && !query.max_accelerators) {
        query.exact_accelerators = 1;
    }
    const bool open_run = !query.workload.duration_tokens && query.budget_usd;
    if (open_run && !query.buy && query.workload.task == Task::train) {
        query.buy = true;
        state.reading.length_open = true;
        state.reading.assumptions.push_back(
            "the run has no length, so the budget was taken as the price of the hardware");
    }
    const bool one_card = !query.accelerators.empty() || query.memory_per_accelerator_gib;
    if (query.ladder && one_card && !query.exact_accelerators && !query.max_accelerators) {
        query.max_accelerators = 1;
    }
    if (query.owned && query.accelerators.empty() && !query.memory_per_accelerator_gib) {
        query.owned = false;  // "my model" owns no hardware
    }
}

}  // namespace
}  // namespace question

Result<Reading> read_question(std::string_view text, const Vocabulary& vocabulary) {
    using namespace question;
    constexpr std::size_t most_words = 400;
    State state{.vocabulary = vocabulary, .words = words_of(text), .reading = {}, .error = {}};
    if (state.words.size() > most_words) {
        return input_error(
            "question",
            "found " + std::to_string(state.words.size()) + " words, expected at most 400");
    }
    // Amounts before models: "100M tokens" is no model of 100M parameters. Hardware before money
    // and time, since "3090" is a number too.
    static constexpr Matcher matchers[] = {
        match_amount, match_constraint, match_method, match_setting, match_model, match_hardware};
    for (std::size_t at = 0; at < state.words.size() && !state.error;) {
        std::size_t taken = 0;
        for (const Matcher matcher : matchers) {
            taken = matcher(state, at);
            if (taken > 0 || state.error) {
                break;
            }
        }
        if (taken == 0 && !state.error) {
            if (!is_filler(state.word(at))) {
                state.reading.unknown.push_back(state.words[at]);
            }
            taken = 1;
        }
        at += taken;
    }
    if (state.error) {
        return tl::unexpected(*state.error);
    }
    settle(state);
    state.reading.flags = flags_of(state.query());
    return std::move(state.reading);
}

}  // namespace ridgeline
