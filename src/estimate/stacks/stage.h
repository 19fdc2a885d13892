#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/work/operator.h"

#include <vector>

namespace ridgeline {

/// Parameters that one rank of a pipeline stage holds before any sharding, by how they are treated.
struct StageParameters {
    double trained_dense = 0;   ///< get gradients, spread over the data-parallel ranks
    double trained_expert = 0;  ///< get gradients, spread over the expert-data-parallel ranks
    double adapters = 0;
    double frozen_plain = 0;   ///< frozen, stored as workload.weights
    double frozen_tables = 0;  ///< of them embedding, head and norms (upcast by k-bit preparation)
    double quantized = 0;      ///< parameters stored in a quantised format
    double quantized_storage = 0;  ///< their bytes, scales included
    double largest_quantized = 0;  ///< parameters of the largest quantised matrix
    double largest_matrix = 0;     ///< parameters of the largest matrix that trains
    double distinct_shapes = 0;    ///< parameters summed over the distinct matrix shapes that train
    double tables = 0;             ///< embedding, head and what lies outside the layers
    double head_tables = 0;        ///< of them the final norm and the head
    double head_trained = 0;   ///< of the head block, those that train (its gradients come first)
    double table_trained = 0;  ///< of the tables before the layers (their gradients come last)
    double shared_table = 0;   ///< of a head whose weight is the embedding's on the same rank
    double layer = 0;          ///< of one layer (the largest kind): an FSDP unit
    double layer_storage = 0;  ///< bytes of one layer as stored
    double layer_trained = 0;  ///< trained parameters of one layer
};

/// One pipeline stage: how many layers of each block it runs, and whether it has the ends.
struct Stage {
    int index = 0;
    bool first = true;
    bool last = true;
    std::vector<double> repeats;  ///< for each block of the list, layers of it in this stage
    double layers = 0;
    double in_flight = 1;  ///< micro-batches whose activations the stage holds
};

/// Stage `index` of the plan's pipeline; layers are split evenly, the first stages take the rest.
Stage stage_of(const Architecture& architecture, const OperatorList& list, const Workload& workload,
               int index);

StageParameters parameters_of(const OperatorList& list, const Stage& stage,
                              const Workload& workload, const SoftwareProfile& software);

}  // namespace ridgeline
