#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/stacks/pipeline.h"
#include "estimate/time/block_work.h"
#include "estimate/work/operator.h"

#include <vector>

namespace ridgeline {

/// Time of one optimizer step of a training run, by folding the operator list: forward, backward
/// and recomputation on the slowest pipeline stage, collectives that stay exposed, the pipeline
/// bubble, the optimizer, and the host where it cannot keep up.
///
/// Precondition: check_plan passed and the task is train.
TimeEstimate training_time(const EstimateInput& input);

// The same in steps, so that a search shares what its plans have in common.

/// How many layers of each block the stages of a pipeline run; neighbours that are equal are one.
struct PipelineShape {
    struct Stages {
        std::vector<double> repeats;  ///< by block of the list
        int count = 0;
    };
    std::vector<Stages> stages;
    double layers = 1;  ///< of an average stage
};
PipelineShape pipeline_shape(const EstimateInput& input, const OperatorList& list);

/// Work of the blocks when `plan.full_recompute_layers` layers of a stage recompute fully and the
/// others not at all.
std::vector<Work> mixed_works(const EstimateInput& input, const OperatorList& list,
                              const std::vector<Work>& kept, const std::vector<Work>& full);

/// The passes of a step before sharding and offload are known.
struct PipelineWork {
    Work slowest;  ///< one micro-batch on the slowest stage
    double slowest_seconds = 0;
    double all_stages_seconds = 0;
    double slowest_layers = 1;
    double residual_bytes = 0;  ///< of the stream that passes between stages
    double model_flops = 0;     ///< one micro-batch, whole model, one rank's share
    Tier worst_tier = Tier::measured;
};
PipelineWork pipeline_work(const EstimateInput& input, const OperatorList& list,
                           const PipelineShape& shape, const std::vector<Work>& works);

TimeEstimate training_time(const EstimateInput& input, const LinkModel& links,
                           const PipelineWork& work);

/// The sums of a step without its components, seconds.
struct StepTotals {
    double step = 0;
    double waiting = 0;  ///< of them neither compute nor memory bound
};
/// The passes alone, which no sharding and no offload changes: a lower bound of the step.
StepTotals passes_totals(const EstimateInput& input, const LinkModel& links,
                         const PipelineWork& work);
/// The whole step. `passes` is passes_totals of the same work.
StepTotals step_totals(const EstimateInput& input, const LinkModel& links, const PipelineWork& work,
                       const StepTotals& passes);

/// Host seconds of one kernel launch that no graph replays.
double host_per_launch(const EstimateInput& input);

/// Streaming work keeps the memory busy and draws nearly as much power as matrix work; waiting for
/// links, hosts and empty pipeline slots does not.
bool waits(Bound bound);

}  // namespace ridgeline
