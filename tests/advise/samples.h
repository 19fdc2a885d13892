#pragma once

// Small parts, models and profiles that the tests of advise share; figures are those of the
// catalog, rounded where the test does not depend on them.

#include "spec/catalog.h"

namespace samples {

inline ridgeline::Accelerator part(std::string id, std::string vendor, double gb, double bandwidth,
                                   double bf16_tflops) {
    using namespace ridgeline;
    Accelerator a;
    a.id = std::move(id);
    a.name = a.id;
    a.vendor = std::move(vendor);
    a.kind = "gpu";
    a.form_factor = "PCIe dual-slot";
    a.marketed_gb = gb;
    a.visible_memory = gb * gigabyte;
    a.memory_bandwidth = bandwidth * gigabyte_per_second;
    a.peak_dense[static_cast<std::size_t>(ComputeType::bf16)] = bf16_tflops * teraflop_per_second;
    a.peak_dense[static_cast<std::size_t>(ComputeType::fp16)] = bf16_tflops * teraflop_per_second;
    a.tdp = 300 * watt;
    a.scale_up.kind = "none";
    a.pcie_generation = 4;
    a.pcie_lanes = 16;
    a.pcie_rate = 31.5 * gigabyte_per_second;
    a.ecc.support = "on by default";
    a.ecc.available = true;
    a.ecc.on_by_default = true;
    return a;
}

inline ridgeline::Accelerator h100() {
    using namespace ridgeline;
    Accelerator a = part("h100-sxm5-80gb", "NVIDIA", 80, 3350, 989.5);
    a.name = "NVIDIA H100 SXM5 80GB";
    a.architecture = "Hopper";
    a.chip = "GH100";
    a.compute_capability = "9.0";
    a.form_factor = "SXM5";
    a.visible_memory = 81559 * mebibyte;
    a.peak_dense[static_cast<std::size_t>(ComputeType::fp8)] = 1979 * teraflop_per_second;
    a.peak_dense[static_cast<std::size_t>(ComputeType::fp64)] = 67 * teraflop_per_second;
    a.peak_dense[static_cast<std::size_t>(ComputeType::fp32)] = 67 * teraflop_per_second;
    a.sparsity_factor = 2;
    a.tdp = 700 * watt;
    a.scale_up = {.kind = "NVLink 4",
                  .rate = 450 * gigabyte_per_second,
                  .pair_rate = {},
                  .max_domain = 8,
                  .note = {}};
    a.pcie_generation = 5;
    a.mig_instances = 7;
    return a;
}

inline ridgeline::Accelerator rtx_4090() {
    using namespace ridgeline;
    Accelerator a = part("rtx-4090", "NVIDIA", 24, 1008, 165.2);
    a.name = "NVIDIA GeForce RTX 4090";
    a.architecture = "Ada Lovelace";
    a.compute_capability = "8.9";
    a.visible_memory = 24564 * mebibyte;
    a.peak_dense[static_cast<std::size_t>(ComputeType::fp16_fp16_accumulate)] =
        330.3 * teraflop_per_second;
    a.peak_dense[static_cast<std::size_t>(ComputeType::fp64)] = 1.3 * teraflop_per_second;
    a.peak_dense[static_cast<std::size_t>(ComputeType::fp32)] = 82.6 * teraflop_per_second;
    a.ecc = {.support = "optional soft ECC, off by default",
             .available = true,
             .on_by_default = false,
             .capacity_cost = {},
             .speed_cost = {}};
    a.tdp = 450 * watt;
    return a;
}

inline ridgeline::Accelerator v100() {
    using namespace ridgeline;
    Accelerator a = part("v100-pcie-16gb", "NVIDIA", 16, 900, 0);
    a.architecture = "Volta";
    a.compute_capability = "7.0";
    a.peak_dense[static_cast<std::size_t>(ComputeType::bf16)].reset();
    a.peak_dense[static_cast<std::size_t>(ComputeType::fp16)] = 112 * teraflop_per_second;
    a.pcie_generation = 3;
    a.pcie_rate = 15.75 * gigabyte_per_second;
    return a;
}

inline ridgeline::Accelerator mi300x() {
    using namespace ridgeline;
    Accelerator a = part("mi300x", "AMD", 192, 5300, 1307);
    a.architecture = "CDNA 3";
    a.gfx_arch = "gfx942";
    a.form_factor = "OAM";
    a.tdp = 750 * watt;
    a.scale_up = {.kind = "Infinity Fabric / xGMI",
                  .rate = 448 * gigabyte_per_second,
                  .pair_rate = 64 * gigabyte_per_second,
                  .max_domain = 8,
                  .note = {}};
    a.pcie_generation = 5;
    return a;
}

inline ridgeline::Offer offer(std::string id, std::string accelerator, int count, double usd,
                              std::string date = "2026-07-20") {
    ridgeline::Offer o;
    o.id = id;
    o.provider = "aws";
    o.instance_type = std::move(id);
    o.accelerator = std::move(accelerator);
    o.count = count;
    o.usd_per_hour = usd;
    o.date = std::move(date);
    o.source = "test";
    return o;
}

inline ridgeline::Link link(std::string id, double rate) {
    return {.id = std::move(id),
            .kind = "link",
            .rate = rate * ridgeline::gigabyte_per_second,
            .latency = {},
            .sources = {},
            .assumed = false};
}

inline ridgeline::Catalog catalog() {
    using namespace ridgeline;
    Catalog c;
    Accelerator pcie = h100();
    pcie.id = "h100-pcie-80gb";
    pcie.name = "NVIDIA H100 PCIe";
    pcie.form_factor = "PCIe dual-slot";
    pcie.scale_up.max_domain = 2;
    Accelerator a100 = part("a100-sxm4-80gb", "NVIDIA", 80, 2039, 312);
    a100.form_factor = "SXM4";
    a100.compute_capability = "8.0";
    a100.scale_up = {.kind = "NVLink 3",
                     .rate = 300 * gigabyte_per_second,
                     .pair_rate = {},
                     .max_domain = 8,
                     .note = {}};
    Accelerator small = a100;
    small.id = "a100-sxm4-40gb";
    small.marketed_gb = 40;
    small.visible_memory = 40 * gibibyte;
    Accelerator rtx_3090 = rtx_4090();
    rtx_3090.id = "rtx-3090";
    rtx_3090.name = "NVIDIA GeForce RTX 3090";
    rtx_3090.compute_capability = "8.6";
    c.accelerators = {small, a100, pcie, h100(), mi300x(), rtx_3090, rtx_4090(), v100()};
    c.offers = {offer("p5.48xlarge", "h100-sxm5-80gb", 8, 55.04),
                offer("p5.4xlarge", "h100-sxm5-80gb", 1, 6.88),
                offer("p4de", "a100-sxm4-80gb", 8, 27.45)};
    c.offers_date = "2026-07-20";
    c.links = {link("nvlink4", 450), link("nvlink3", 300),    link("ib-ndr", 50),
               link("ib-hdr", 25),   link("pcie4-x16", 31.5), link("pcie5-x16", 63),
               link("eth-100", 12.5)};
    return c;
}

inline ridgeline::Profiles profiles() {
    using namespace ridgeline;
    Profiles p;
    const auto stack = [&p](const char* id, const UsualFor& usual) {
        SoftwareProfile software;
        software.id = id;
        software.words = {id};
        software.usual_for = {usual};
        p.software.push_back(software);
    };
    stack("fsdp-qlora", {.task = Task::train, .method = Method::qlora, .at_least = 2});
    stack("generic", {});
    stack("hf-trainer", {.task = Task::train});
    stack("megatron", {.task = Task::train, .method = Method::full, .at_least = 65});
    stack("torchtitan", {.task = Task::train, .method = Method::full, .at_least = 2});
    stack("torchtune", {.task = Task::train, .method = Method::lora, .at_least = 2});
    stack("vllm", {.task = Task::inference});
    p.model_ids = {"gemma-2-9b",   "llama-2-70b",   "llama-3-70b",  "llama-3.1-70b",
                   "llama-3.1-8b", "llama-3.3-70b", "mixtral-8x7b", "qwen2.5-72b"};
    WorkloadProfile science;
    science.id = "scientific-computing";
    science.must_have = {"fp64", "ecc"};
    science.weights = {{"fp64_tflops", 0.6}, {"bandwidth_gb_per_s", 0.4}};
    p.workloads = {science};
    return p;
}

/// Llama 3.1 8B: 32 layers of 4096, 32 heads over 8, feed-forward 14336, 128256 tokens.
inline ridgeline::Architecture llama_8b() {
    using namespace ridgeline;
    Architecture a;
    a.id = "llama-3.1-8b";
    a.name = "Llama 3.1 8B";
    a.model_type = "llama";
    TransformerStack s;
    s.layers = 32;
    s.hidden = 4096;
    s.heads = 32;
    s.kv_heads = 8;
    s.head_dim = 128;
    s.ffn = 14336;
    a.stacks = {s};
    a.vocabulary = 128256;
    a.max_positions = 131072;
    return a;
}

}  // namespace samples
