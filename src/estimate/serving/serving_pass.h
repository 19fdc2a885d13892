#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/time/collective.h"
#include "estimate/time/operator_log.h"
#include "estimate/work/operator.h"
#include "spec/software_profile.h"

namespace ridgeline {

/// Time of one forward pass of a served model over all its layers, on one rank. Seconds.
struct ServedPass {
    double products = 0;  ///< projections, experts and head
    double attention = 0;
    double streaming = 0;      ///< norms, activations, rotary embedding
    double gaps = 0;           ///< fixed time of the kernels in the stream
    double host = 0;           ///< layers that stay on the host: read there, or sent for a prompt
    double communication = 0;  ///< tensor- and expert-parallel exchanges
    double compute_bound = 0;  ///< part of the first three that the matrix units bound
    double flops = 0;          ///< of the products and attention
    double bytes = 0;          ///< read and written by the kernels
    double launches = 0;       ///< kernels that a stack without graphs starts one by one
    Tier worst_tier = Tier::measured;
    [[nodiscard]] double total() const {
        return products + attention + streaming + gaps + host + communication;
    }
};

/// Share of an operator's weights that stay in host memory: the token table of stacks that keep it
/// there, layers beyond Serving::gpu_layers, with the output table after the last of them, and the
/// routed experts of the first Serving::host_expert_layers.
double host_share(const Workload& workload, const Architecture& architecture, const Block& block,
                  const Operator& op);

/// Most prompt tokens of one pass; 0: the whole prompt.
inline double most_prompt_tokens(const Workload& workload, const SoftwareProfile& software) {
    const double own = software.engine.prefill_chunk_tokens();
    return workload.serving ? workload.serving->iteration_tokens.value_or(own) : own;
}

/// The same on the card that runs it.
double most_prompt_tokens(const EstimateInput& input);

/// Whether the prompts of all that run go through one pass: a loop outside an engine passes its
/// whole batch, and nothing cuts what an encoder reads.
inline bool passes_whole_batch(const Architecture& architecture, const SoftwareProfile& software,
                               double most) {
    return most <= 0 &&
           (architecture.kind == ModelKind::encoder || software.runtime.kind == RuntimeKind::plain);
}

/// Sequences that an engine runs at once where nobody says how many (vLLM's max_num_seqs).
double most_sequences(const EstimateInput& input);

/// Seconds that the process in front of an engine spends, on one thing at a time.
struct FrontEnd {
    double request = 0;  ///< reading one: its text, template and tokens
    double token = 0;    ///< writing one to its reader
};
FrontEnd front_end(const EstimateInput& input);

/// Tokens of a pass from which on weights of the host are sent to the accelerator, not multiplied
/// where they are (ggml-cuda.cu, op_offload_min_batch_size).
inline constexpr double least_sent_tokens = 32;

/// A pass whose operators are listed and whose weights are counted: the same on every accelerator.
struct PreparedPass {
    Pass pass;
    OperatorList list;
    std::vector<double> weights;  ///< bytes of each operator, block after block
};
/// pass  one token a sample: decode; more: a prompt (or a chunk of one)
PreparedPass prepare_pass(const Architecture& architecture, const Workload& workload,
                          const SoftwareProfile& software, const Pass& pass);

/// log   takes a line for each operator; null: none
ServedPass serve_pass(const EstimateInput& input, const LinkModel& links,
                      const PreparedPass& prepared, OperatorLog* log = nullptr);
/// The same of a pass that is prepared for this call alone.
ServedPass serve_pass(const EstimateInput& input, const LinkModel& links, const Pass& pass,
                      OperatorLog* log = nullptr);

/// Seconds of the messages with the residual stream of so many tokens between pipeline stages, one
/// after another.
double hand_over(const EstimateInput& input, const LinkModel& links, double tokens, double stages);

}  // namespace ridgeline
