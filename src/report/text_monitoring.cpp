#include "base/text.h"
#include "report/monitoring.h"

#include <fmt/format.h>

namespace ridgeline::report {

namespace {

/// Rows of figures that the estimate predicts.
std::string predicted_rows(const EstimateAnswer& answer) {
    const MemoryEstimate& memory = answer.estimate.memory;
    const TimeEstimate& time = answer.estimate.time;
    const double mib = memory.process / gibibyte * 1024;
    const bool serving = answer.workload.task == Task::inference;
    const double step = (serving ? time.tpot : time.step) / second;
    const Interval& band = serving ? answer.tpot_band : time.band;
    std::string text;
    text += fmt::format(
        "| memory.used, DCGM_FI_DEV_FB_USED (252) | {:.0f} MiB after the third step "
        "| it settles outside {:.0f} to {:.0f} MiB |\n",
        mib, mib * memory.band.low, mib * memory.band.high);
    if (step > 0) {
        text +=
            fmt::format("| {} | {} | it stays outside {} to {} |\n",
                        serving ? "time per output token" : "time of a step", format_duration(step),
                        format_duration(step * band.low), format_duration(step * band.high));
    }
    const std::string_view bound = name_of(time.bound);
    text += fmt::format(
        "| DCGM_FI_PROF_PIPE_TENSOR_ACTIVE (1004), DRAM_ACTIVE (1005) | bound by {} "
        "| {} |\n",
        bound,
        time.bound == Bound::compute ? "DRAM_ACTIVE is near 1 and the tensor pipe well below a half"
                                     : "the tensor pipe is busier than the memory");
    if (time.mfu > 0) {
        text += fmt::format(
            "| model FLOP utilisation | {:.0f} % | it is below half of that: look at "
            "the input pipeline and the clocks |\n",
            time.mfu * 100);
    }
    return text;
}

}  // namespace

std::string watch_text(const EstimateAnswer& answer) {
    std::string text = "# " + cluster_line(answer.cluster) + ": what to watch\n\n";
    text +=
        "    nvidia-smi dmon -s pumct -d 5\n"
        "    nvidia-smi --query-gpu=index,memory.used,power.draw,clocks.sm,temperature.gpu "
        "--format=csv,nounits -l 5\n"
        "    dcgmi dmon -e 252,155,1002,1004,1005,1009,1011\n\n";
    text += "| figure | predicted | the prediction is wrong when |\n| --- | --- | --- |\n";
    text += predicted_rows(answer);
    text +=
        "| power.draw, clocks.sm | near the limit of the card under load | the clock falls: heat "
        "or "
        "a power cap |\n"
        "| utilization.gpu | says only that a kernel runs | never judge by it |\n";
    if (answer.cluster.count > 1) {
        text +=
            "| PCIE_TX_BYTES (1009), NVLINK_TX_BYTES (1011) | alike on all ranks | one rank "
            "differs: "
            "a slow link or a wrong placement |\n";
    }
    return text;
}

std::string ddp_checklist(const EstimateAnswer& answer) {
    const Batch& batch = answer.workload.batch;
    const int data = answer.workload.plan.data;
    const int accumulation = std::max(1, batch.global / std::max(1, batch.micro * data));
    return fmt::format(
        "# {} data-parallel ranks: what the script must do\n\n"
        "- [ ] one process an accelerator: "
        "`torch.cuda.set_device(int(os.environ[\"LOCAL_RANK\"]))` "
        "before anything is allocated\n"
        "- [ ] `DistributedSampler(dataset, shuffle=True)` and no `shuffle` of the loader: without "
        "it "
        "every rank sees the same samples\n"
        "- [ ] `sampler.set_epoch(epoch)` at the start of each epoch: without it the order "
        "repeats\n"
        "- [ ] {} samples a rank x {} micro-batches x {} ranks = {} a step; the learning rate is "
        "meant "
        "for {}\n"
        "- [ ] `no_sync()` on all but the last of {} micro-batches\n"
        "- [ ] checkpoints, logs and downloads on rank 0 alone, with a barrier behind them\n"
        "- [ ] a loss that is printed is reduced over the ranks first\n"
        "- [ ] a seed that differs by rank for dropout and augmentation, equal for the weights\n"
        "- [ ] the last, shorter batch is dropped or padded: ranks that stop early hang the "
        "others\n"
        "- [ ] `find_unused_parameters` only where a branch is skipped: it costs a walk a step\n"
        "- [ ] `NCCL_DEBUG=WARN` and a time limit of the process group, so that a hang is seen\n",
        data, batch.micro, accumulation, data, batch.global, batch.global, accumulation);
}

}  // namespace ridgeline::report
