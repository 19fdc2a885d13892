#include "estimate/money/long_run.h"

#include "estimate/families/families.h"
#include "estimate/families/transformer/parameters.h"
#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/stacks/sharding.h"
#include "estimate/time/device.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// The records that hold for the part; without any, a run meets no faults.
const RunCalibration& records_of(const EstimateInput& input) {
    static const RunCalibration none;
    const Accelerator& part = *input.device.accelerator;
    const RunCalibration* best = &none;
    int nearest = -1;
    for (const RunCalibration& row : input.calibration.runs) {
        int scope = 0;
        if (!row.accelerator.empty()) {
            scope = row.accelerator == part.id ? 2 : -1;
        } else if (!row.architecture.empty()) {
            scope = row.architecture == part.architecture ? 1 : -1;
        }
        if (scope >= nearest && scope >= 0) {
            nearest = scope;
            best = &row;
        }
    }
    return *best;
}

/// Mean time between interruptions of the whole cluster; 0: none are known.
Seconds between_interruptions(const EstimateInput& input, const RunCalibration& records,
                              Seconds of_one, bool spot) {
    double rate = of_one.base() > 0 ? input.cluster.count / of_one.base() : 0;
    if (spot && records.between_spot_interruptions.base() > 0) {
        rate += input.cluster.nodes() / records.between_spot_interruptions.base();
    }
    return Seconds::of_base(rate > 0 ? 1 / rate : 0);
}

/// A fault that strikes during the restart from another costs little more than its own restart, so
/// a run always ends; past this the formula would only print a number without meaning.
constexpr double most_slowdown = 100;

/// Least share of a run of weeks in which its steps advanced, of the published logs: OPT-175B's 33
/// days of steps on 1,024 A100 (992 in use) took the 56 days from 2021-11-11 to 2022-01-06
/// (facebookresearch/ metaseq, OPT chronicles, 10 % and final update). BLOOM-176B: 0.85 (8 x
/// 176.2e9 x 366e9 FLOP at its 156 TFLOP/s of 1,082,990 GPU-hours); Llama 3 405B: above 0.9 (its
/// paper, section 3.3).
constexpr double least_goodput = 33.0 / 56;
constexpr double parts_of_that_log = 992;

/// `work` in which so much is lost: beside faults days without spare machines, which go with the
/// number of parts, steps thrown away after the loss diverged, holidays, which do not; no log parts
/// them, so that the geometric mean of the two is taken. A run of less than a week is watched, and
/// loses less in proportion.
Seconds time_with_lost_days(Seconds work, int parts) {
    const Seconds week = 7 * 24 * hour;
    return work * (1 + (1 / least_goodput - 1) * std::min(1.0, work / week) *
                           std::sqrt(std::min(1.0, parts / parts_of_that_log)));
}

/// Numbers that an optimizer remembers something of; tables of rows learn by plain descent.
double trained_parameters(const EstimateInput& input) {
    double parameters = 0;
    if (has_program(input.architecture)) {
        const Program program = program_of(input.architecture, input.workload, input.software);
        for (const ProgramPass& pass : program.passes) {  // what reads or decodes beside is kept
            if (pass.kind == ProgramPass::Kind::update) {
                parameters += program.models[static_cast<std::size_t>(pass.model)].trained;
            }
        }
        return parameters;
    }
    if (input.workload.method == Method::full) {
        return static_cast<double>(count_parameters(input.architecture).total);
    }
    Workload whole = input.workload;
    whole.plan = Plan{};
    for (const Block& block : list_operators(input.architecture, whole, input.software,
                                             {.samples = 1, .tokens = 1, .context = 1})) {
        for (const Operator& op : block.operators) {
            parameters += op.role == Role::adapter ? op.parameters * block.repeat : 0;
        }
    }
    return parameters;
}

}  // namespace

Seconds best_checkpoint_interval(Seconds write, Seconds between_interruptions) {
    const double w = write.base();
    return Seconds::of_base(std::max(w, std::sqrt(2 * w * between_interruptions.base()) - w));
}

Seconds time_with_interruptions(Seconds work, Seconds interval, Seconds write, Seconds restart,
                                Seconds between_interruptions) {
    const double mean = between_interruptions.base();
    const double segment = interval.base();
    if (segment <= 0) {
        return work;
    }
    const double undisturbed = work.base() * (1 + write.base() / segment);
    if (mean <= 0) {
        return Seconds::of_base(undisturbed);
    }
    const double each =
        mean * std::exp(restart.base() / mean) * std::expm1((segment + write.base()) / mean);
    return Seconds::of_base(std::min(work.base() / segment * each, most_slowdown * undisturbed));
}

Bytes checkpoint_size(const EstimateInput& input) {
    const Workload& workload = input.workload;
    const bool whole = workload.method == Method::full;
    const double trained = trained_parameters(input);
    const double saved = whole && has_program(input.architecture)
                             ? std::max(trained, program_parameters(input.architecture))
                             : trained;
    const DType stored = whole || !workload.lora ? workload.weights : workload.lora->weights;
    const double states = state_bytes(workload, input.software) + (workload.master_weights ? 4 : 0);
    return Bytes::of_base(saved * bytes_per_element(stored) + trained * states);
}

LongRun long_run(const EstimateInput& input, const TimeEstimate& time, Seconds steps, bool spot) {
    const RunCalibration& records = records_of(input);
    LongRun run;
    run.steps = steps;
    run.spot = spot;
    run.tier = records.tier;
    run.source = records.source;
    run.checkpoint = checkpoint_size(input);
    const double rate = std::max(records.checkpoint_write.base() * input.cluster.count,
                                 records.checkpoint_write_least.base());
    run.checkpoint_write = Seconds::of_base(rate > 0 ? run.checkpoint.base() / rate : 0);
    run.evaluation = steps * records.evaluation_share;
    run.between_interruptions =
        between_interruptions(input, records, records.between_failures, spot);
    const Seconds work = steps + run.evaluation;
    const bool faults = run.between_interruptions.base() > 0;
    // Of all weights on several parts, as those of the logs.
    const bool shared = input.workload.method == Method::full && input.cluster.count > 1;
    // A run that ends before the best interval still writes its result once.
    run.checkpoint_interval =
        faults ? std::min(work,
                          best_checkpoint_interval(run.checkpoint_write, run.between_interruptions))
               : work;
    const auto total = [&](double step_factor, double evaluation, Seconds of_one) {
        return time_with_interruptions(
            step_factor * steps * (1 + evaluation), run.checkpoint_interval, run.checkpoint_write,
            records.restart, between_interruptions(input, records, of_one, spot));
    };
    run.total = total(1, records.evaluation_share, records.between_failures);
    run.low = total(time.band.low, 0, records.between_failures_high);
    run.high =
        std::max(total(time.band.high, records.evaluation_share_high, records.between_failures_low),
                 faults && shared ? time_with_lost_days(time.band.high * steps, input.cluster.count)
                                  : Seconds{});
    run.checkpoints = run.checkpoint_interval.base() > 0
                          ? work * (run.checkpoint_write / run.checkpoint_interval)
                          : Seconds{};
    run.restarts = std::max(Seconds{}, run.total - work - run.checkpoints);
    run.interruptions = faults ? run.total / run.between_interruptions : 0;
    run.goodput = run.total.base() > 0 ? steps / run.total : 1;
    return run;
}

void add_long_run(const EstimateInput& input, bool spot, TimeEstimate& time) {
    if (input.workload.task != Task::train ||
        (!input.workload.duration_tokens && !input.workload.duration_samples)) {
        return;
    }
    const Seconds steps = time.run ? time.run->steps : time.total;
    if (steps <= Seconds{}) {
        return;
    }
    time.run = long_run(input, time, steps, spot);
    time.total = time.run->total;
}

}  // namespace ridgeline
