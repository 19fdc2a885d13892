#pragma once

#include "base/quantity.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// What a serving stack's memory fraction is a share of.
enum class MemoryShare {
    card,                ///< weights, activations and cache within this share of the card (vLLM)
    weights_and_cache,   ///< weights and cache; activations beyond it (SGLang)
    free_after_weights,  ///< the cache's share of what weights and activations leave (TensorRT-LLM)
};

/// A share of a rate on one architecture; on any other where `architecture` is empty.
struct ArchitectureShare {
    std::string architecture;
    double share = 1;
    friend bool operator==(const ArchitectureShare&, const ArchitectureShare&) = default;
};

/// Which prompts run while others decode.
enum class PromptPolicy {
    mixed,          ///< every sequence decodes one token, prompts fill the rest of the iteration
    prompts_first,  ///< iterations of prompts alone, as long as there are any that may begin
};

/// How an engine's scheduler composes one iteration, and who may join.
struct SchedulerProfile {
    PromptPolicy prompts = PromptPolicy::mixed;
    bool chunks = true;          ///< a prompt may be cut where the iteration is full
    double reserved_output = 0;  ///< share of the output for which the cache must have room before
                                 ///< a request begins; below 1, sequences may be preempted
    double prompt_wait_iterations = 0;  ///< decode steps that prompts wait for others to join them
    double prompt_wait_share = 1;       ///< of an iteration's tokens at which they wait no longer
    friend bool operator==(const SchedulerProfile&, const SchedulerProfile&) = default;
};

/// What an engine takes at once on cards of a size.
struct CardSizes {
    double below_gib = 0;            ///< cards of less memory; 0: all
    std::vector<std::string> chips;  ///< and those with these chips, whatever their memory
    double iteration_tokens = 0;     ///< most prompt tokens of one pass; 0: the whole prompt
    double sequences = 0;            ///< most of them at once; 0: any number
    friend bool operator==(const CardSizes&, const CardSizes&) = default;
};

/// How a framework serves.
struct EngineProfile {
    std::vector<CardSizes> card_sizes;  ///< the first that holds for a card; none: no limits
    /// Most prompt tokens of one pass on its largest cards; 0: the whole prompt.
    [[nodiscard]] double prefill_chunk_tokens() const {
        return card_sizes.empty() ? 0 : card_sizes.back().iteration_tokens;
    }
    std::optional<double> memory_fraction;  ///< see memory_fraction_of; empty: all that is free
    MemoryShare memory_fraction_of = MemoryShare::card;
    /// An engine whose cache is what its memory fraction leaves beside the weights (vLLM, SGLang,
    /// TensorRT-LLM) starts as soon as one request has room, and queues the rest.
    [[nodiscard]] bool lets_requests_wait() const { return memory_fraction.has_value(); }
    Seconds kernel_gap;            ///< fixed device time of one kernel in the stream, at 1970 MHz
    Seconds request_overhead;      ///< host time of a request before its first token
    Seconds front_end;             ///< in which the one process that writes every token to its
                                   ///< reader reads a request; 0: nothing waits for it
    bool prompt_graphs = true;     ///< graphs hold prompts too, not steps of decode alone
    bool splits_layers = false;    ///< among all cards; they or their experts may stay on the host
    Seconds step_overhead;         ///< host and scheduler time of one decode step
    Seconds all_reduce_latency;    ///< of its own all-reduce of two ranks; 0: the library's
    bool fuses_products = false;   ///< products that read one tensor run as one
    bool quantized_cache = false;  ///< its fp8 checkpoints (Model Optimizer) ask for an fp8 cache
    bool half_accumulate = false;  ///< prompts run through a library's 16-bit products, which
                                   ///< accumulate in 16 bits where that is faster: activations of
                                   ///< fp32 are cast, quantised weights expanded for it
    bool absorbs_prompts = false;  ///< latent attention of prompts runs over the latent vectors
                                   ///< themselves, one key for all heads, as that of decode does
    bool sorts_experts = false;    ///< a prompt's tokens are sorted by expert, and the experts of a
                                   ///< layer multiplied at the rate of its other products
    double integer_share = 0;      ///< prompts multiply packed weights in 8 bits, all experts of a
                                   ///< layer at once, at this share of what integer matrix units
                                   ///< and the fp32 units that scale their sums allow; 0: never
    bool fuses_epilogues = false;  ///< a product applies the activation that follows it
    bool fuses_neighbours = false;  ///< small kernels run within the product or norm beside them
    std::vector<ArchitectureShare> prompt_shares;  ///< of the calibrated product rate that its
                                                   ///< prompts reach, at most 1
    double attention_share = 1;            ///< of the calibrated rates that its attention reaches
    double stacked_memory_share = 1;       ///< of the calibrated bandwidth that decode reaches on
                                           ///< stacked memory
    std::vector<int> shared_query_groups;  ///< query heads of a key head for which its decode
                                           ///< kernel reads the cache once; others read it once a
                                           ///< query head; empty: any
    std::vector<ArchitectureShare> narrow_cache_shares;  ///< of the rate at which decode reads keys
                                                         ///< and values of 16 bits that it reaches
                                                         ///< on those of 8
    SchedulerProfile scheduler;
    double pipeline_overlap = 1;  ///< share of a prompt's chunks that pipeline stages overlap
    friend bool operator==(const EngineProfile&, const EngineProfile&) = default;
};

}  // namespace ridgeline
