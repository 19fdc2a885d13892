#pragma once

#include "estimate/work/operator.h"

#include <string_view>
#include <vector>

namespace ridgeline {

/// One operator of a forward pass as its backward pass sees it: which maps it reads and makes, by
/// storage, and what it keeps.
struct FlowStep {
    int output = no_tensor;
    int first_input = 0;  ///< into SubModel::flow_inputs
    int inputs = 0;
    bool passes = false;  ///< its inputs get the gradient of its output itself (sums, views)
    int first_kept = 0;   ///< into SubModel::flow_kept
    int kept = 0;
    double passing = 0;   ///< bytes between its kernels, in a pass that keeps nothing
    double matching = 0;  ///< bytes beside its kernels in training: what boxes are matched by
};

/// What an operator keeps for its backward pass: a map as it is, or bytes of its own (indices,
/// masks, statistics, a map in another type).
struct KeptBytes {
    int map = no_tensor;
    double bytes = 0;
};

/// A part of a model with parameters of its own: the whole of a language model; generator and
/// discriminator; text encoder, denoiser and decoder; policy, reference and reward.
struct SubModel {
    std::string_view name;  ///< "denoiser"
    OperatorList blocks;    ///< in the order in which a forward pass runs them
    bool trains = true;     ///< its weights get gradients

    double parameters = 0;  ///< of all blocks, without adapters; tied weights once
    double buffers = 0;     ///< elements stored beside them that never train (running statistics)
    double trained = 0;     ///< parameters with gradients: all, adapters, what is not frozen
    double sparse = 0;      ///< of `parameters`, in tables of which a step touches few rows
    double inputs = 0;      ///< elements of the batch that it reads
    std::vector<FlowStep> flow{};    ///< one an operator, in the order of the blocks
    std::vector<int> flow_inputs{};  ///< storages
    std::vector<KeptBytes> flow_kept{};
    std::vector<double> maps{};         ///< bytes of each storage
    std::vector<char> gradient_maps{};  ///< whether a gradient of it is made
    std::vector<char> kept_maps{};      ///< whether it is kept for the backward pass
    Bytes exchanged{};  ///< vectors of tables that lie on other ranks, of one forward pass
};

/// One pass over a sub-model.
struct ProgramPass {
    enum class Kind {
        forward,   ///< keeps what its backward pass will read, when one follows for it
        backward,  ///< of the last forward pass over this sub-model that still waits for one
        update,    ///< its optimizer steps, and its gradients are gone
    };
    int model = 0;  ///< index into Program::models
    Kind kind = Kind::forward;
    bool keeps = true;      ///< forward: something is kept for a backward pass
    bool weights = true;    ///< backward: gradients of the weights are made, not of inputs alone
    double repeat = 1;      ///< equal rounds: denoising steps, time steps, decode steps
    double serial = 0;      ///< steps within a round at which the host waits for the device
    std::string_view name;  ///< "real batch", for people; empty: the kind says it
};

/// What one step of a workload does, whatever the model is: a short list of passes. A training step
/// of a language model is forward, backward, update of one sub-model; an answer is a forward pass
/// for the prompt and one, repeated, for the tokens.
struct Program {
    std::vector<SubModel> models;
    std::vector<ProgramPass> passes;
    std::size_t main = 0;  ///< the part that the model is named after
    std::string_view unit = "samples";
    std::string_view problem{};  ///< block whose sizes leave no output; empty: none
};

}  // namespace ridgeline
