#pragma once

#include "estimate/estimate.h"
#include "estimate/time/collective.h"
#include "estimate/time/training.h"

#include <string>

namespace ridgeline::test {

/// A small dense decoder on a made-up part that runs at its peaks, so that a time can be redone by
/// hand: 100 TFLOP/s, 1 TB/s, links of 100 GB/s inside and 10 GB/s between nodes of eight.
struct Fixture {
    Architecture architecture;
    Workload workload;
    Accelerator part;
    Cluster cluster;
    SoftwareProfile software;
    Calibration calibration;
    DeviceModel device;
    LinkModel links;

    Fixture() {
        TransformerStack stack;
        stack.layers = 24;
        stack.hidden = 2048;
        stack.heads = 16;
        stack.kv_heads = 8;
        stack.head_dim = 128;
        stack.ffn = 8192;
        architecture.id = "small";
        architecture.stacks = {stack};
        architecture.vocabulary = 32000;

        part.id = "part";
        part.name = "Part";
        part.architecture = "Test";
        for (const ComputeType type :
             {ComputeType::bf16, ComputeType::fp16, ComputeType::fp32, ComputeType::tf32}) {
            part.peak_dense[static_cast<std::size_t>(type)] = 100.0 * teraflop_per_second;
        }
        part.peak_dense[static_cast<std::size_t>(ComputeType::fp8)] = 200.0 * teraflop_per_second;
        part.marketed_gb = 80;
        part.memory_bandwidth = 1000.0 * gigabyte_per_second;
        part.tdp = 500.0 * watt;
        part.pcie_rate = 32.0 * gigabyte_per_second;

        for (const auto operation :
             {Collective::all_reduce, Collective::all_gather, Collective::reduce_scatter,
              Collective::all_to_all, Collective::point_to_point}) {
            calibration.collectives.push_back(row(operation, "inside", 8, 1, 5, 100));
            calibration.collectives.push_back(row(operation, "between", 16, 2, 20, 10));
        }
        workload.batch = {.micro = 1, .global = 1, .sequence_length = 2048};
        workload.compiled = true;
        workload.loss = LossMode::compiled;
        workload.plan.sharding = Sharding::none;
        software.kernels.norm = NormKernel::fused;
        software.kernels.activation = ActivationKernel::fused;
        place(1, 8);
    }

    static CollectiveCalibration row(Collective operation, std::string link, int ranks, int nodes,
                                     double alpha_us, double gb_per_s) {
        CollectiveCalibration result;
        result.link = std::move(link);
        result.operation = operation;
        result.ranks = ranks;
        result.nodes = nodes;
        result.alpha = alpha_us * microsecond;
        result.bus_bandwidth = gb_per_s * gigabyte_per_second;
        result.link_rate = gb_per_s * gigabyte_per_second;
        result.tier = Tier::published;
        return result;
    }

    /// Puts the workload on `count` parts and resolves device and links again.
    void place(int count, int per_node) {
        cluster.accelerator = &part;
        cluster.count = count;
        cluster.per_node = per_node;
        cluster.intra = {.id = "inside",
                         .kind = "test",
                         .rate = 100.0 * gigabyte_per_second,
                         .latency = {},
                         .sources = {}};
        cluster.inter = {.id = "between",
                         .kind = "test",
                         .rate = 10.0 * gigabyte_per_second,
                         .latency = {},
                         .sources = {}};
        part.scale_up = {.kind = "test",
                         .rate = 100.0 * gigabyte_per_second,
                         .pair_rate = {},
                         .max_domain = per_node,
                         .note = {}};
        device = device_model(part, calibration);
        links = link_model(cluster, calibration);
    }

    [[nodiscard]] EstimateInput input() const {
        return {architecture, workload, cluster, software, device, calibration, &links};
    }
    [[nodiscard]] TimeEstimate time() const { return training_time(input()); }
    [[nodiscard]] double step() const { return time().step / second; }
    [[nodiscard]] double component(std::string_view name) const {
        double sum = 0;
        for (const TimeComponent& part_of_step : time().components) {
            sum += part_of_step.name == name ? part_of_step.time / second : 0;
        }
        return sum;
    }
};

}  // namespace ridgeline::test
