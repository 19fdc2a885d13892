#include "advise/reading/names.h"

#include <array>

namespace ridgeline {

std::string_view name_of(Intent intent) {
    static constexpr std::array<std::string_view, 11> names = {"hardware",
                                                               "fit",
                                                               "memory",
                                                               "compare",
                                                               "largest",
                                                               "duration",
                                                               "throughput",
                                                               "price",
                                                               "own",
                                                               "budget",
                                                               "describe"};
    return names[static_cast<std::size_t>(intent)];
}

// The order is that of docs/questions.md and of `advise --help`.
const std::vector<GrammarRule>& question_grammar() {
    static const std::vector<GrammarRule> rules = {
        {"model",
         "an id, its words, a hub name, or a size",
         "mixtral 8x7b, 70B llama, 13B",
         "model"},
        {"method",
         "full, lora, qlora, dpo, ppo, grpo, pretrain, fine-tune",
         "qlora llama-3.1-8b",
         "method"},
        {"use", "serve, run, host, deploy, inference; train, tune", "serve llama-3.3-70b", "task"},
        {"hardware",
         "parts, families with form and memory, machines, instances",
         "a100 80gb sxm, DGX H100, p5.48xlarge",
         "accelerators"},
        {"count",
         "8 x, x8, 8-gpu, dual, quad, a pair of, 2 nodes of 8",
         "8xh100, dual 3090",
         "count"},
        {"limit", "up to N, at most N, max N gpus", "on max 4 gpus", "max_count"},
        {"memory", "N GB of one card", "one 24GB card", "memory_gib"},
        {"owned", "my, our, i have, i own", "my 3090", "owned"},
        {"sides", "A vs B, A or B, each with its own count", "4x 5090 vs 1x h100", "sides"},
        {"budget",
         "$N, N dollars, euros, pounds; an hour, a month",
         "under $5000, $3/h",
         "budget_usd"},
        {"time",
         "in N hours, days, weeks; for N months; N hours a day",
         "in 30 days, for 6 months",
         "deadline_s"},
        {"length",
         "N tokens; N examples of N tokens, N epochs",
         "on 1T tokens, 50k examples, 3 epochs",
         "tokens"},
        {"context",
         "context, sequence, prompt, output N; 8k is 8192",
         "8k context, 4k prompt",
         "sequence"},
        {"batch", "batch, batch size, micro batch, bs N", "batch 16", "batch"},
        {"rank", "rank N, r=N", "rank 64", "rank"},
        {"users", "N users, N concurrent, concurrency N", "64 users", "concurrency"},
        {"rate", "N requests per second, minute, hour, day", "10 rps", "requests_per_s"},
        {"latency",
         "ttft N ms, N ms per token, N tok/s",
         "ttft of 200 ms, 50 ms per token",
         "ttft_s"},
        {"weights", "4-bit, int8, fp8, nf4, gptq, awq, q4_k_m, bf16", "awq", "quantization"},
        {"framework",
         "vllm, ollama, exllama, axolotl, unsloth, torchtune, ...",
         "with vllm",
         "framework"},
        {"vendor",
         "nvidia, amd, intel, apple, google; no N, not N",
         "amd only, no nvidia",
         "vendors"},
        {"provider",
         "aws, gcp, runpod, ...; not on N, except N",
         "on lambda, not on aws",
         "providers"},
        {"price", "spot, on demand, reserved, used, to buy", "spot", "price_kind"},
        {"objective", "cheapest, fastest, most energy efficient", "cheapest way", "objective"},
        {"must have", "ecc, nvlink, mig", "with ecc", "require"},
        {"kernel",
         "fft, dgemm, stream triad, spmv, hpl, hpcg, n-body, stencil, ns/day; sizes; fp64, ...",
         "fft 512^3 fp64 on mi300x",
         "kernel"},
        {"profile", "scientific computing, real-time vision, ...", "gpu for hpc", "profile"},
    };
    return rules;
}

namespace {

using namespace reading;

constexpr std::size_t most_words = 400;
constexpr std::size_t most_bytes = 8000;

/// "minus 2" is a number below zero; "pro Stunde" is "per hour", no part's variant.
void settle_words(std::vector<Token>& tokens) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        Token& next = tokens[i + 1];
        const bool number = is_digit(next.text.front()) && next.gap == Gap::space;
        next.negative = next.negative || (tokens[i].text == "minus" && number);
        for (const auto& [german, english] : {std::pair{"stunde", "hour"},
                                              std::pair{"monat", "month"},
                                              std::pair{"tag", "day"},
                                              std::pair{"jahr", "year"}}) {
            if (tokens[i].text == "pro" && next.text == german) {
                tokens[i].text = "per";
                next.text = english;
            }
        }
    }
}

constexpr Step steps[] = {
    recognise_kernels,        // "512^3", "1M atoms": before numbers are counts
    recognise_money,          // "$2,000": before numbers lose their sign
    recognise_weights,        // "q4_k_m": before "q4"
    recognise_hardware,       // "3090" is a number too
    recognise_processors,     // "epyc 9654": before its number is a size
    recognise_kernel_sizes,   // "a 16384 dgemm": after "4090"
    recognise_models,         // "llama 3.1 8b": before its numbers are amounts
    recognise_unknown_parts,  // in the form of a name
    recognise_amounts,        // "100M tokens" is no model of 100M parameters
    recognise_datasets,       // "imagenet": after "100k images"
    recognise_phrases,
    recognise_sizes,
    recognise_counts,
    recognise_spelling,
    recognise_alternatives,
    recognise_unknown_names,
    apply_marks,
    decide_intent,
    settle_kernel,
    settle,
};

}  // namespace

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
    settle_words(tokens.list);
    const Names names(vocabulary);
    Sentence sentence{.vocabulary = vocabulary,
                      .names = names,
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
