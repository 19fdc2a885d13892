#include "advise/answers/part_figures.h"

#include "advise/figure_words.h"
#include "base/text.h"
#include "estimate/money/power.h"
#include "spec/matrix_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

PartFigure bandwidth(const Accelerator& part) {
    if (part.memory_bandwidth.base() <= 0) {
        return {"memory bandwidth not known", {}};
    }
    const double gb = part.memory_bandwidth / gigabyte_per_second;
    return {fmt::format("{} GB/s of memory bandwidth", grouped(gb)),
            AnswerValue{"bandwidth", gb, gb, gb, "GB/s", part.id}};
}

/// count  of the part, whose memories are added up
PartFigure memory(const Accelerator& part, int count) {
    if (part.marketed_gb <= 0) {
        return {"memory size not known", {}};
    }
    const double all = count * part.marketed_gb;
    std::string words =
        fmt::format("{} GB of {}", all >= 1000 ? grouped(all) : fmt::format("{:g}", all),
                    part.memory_type.empty() ? "memory" : part.memory_type);
    if (count > 1) {
        words += fmt::format(", {} x {:g} GB", count, part.marketed_gb);
    }
    if (part.visible_memory) {
        words += fmt::format(" ({:.1f} GiB visible{})", *part.visible_memory / gibibyte,
                             count > 1 ? " on each" : "");
    }
    return {words, AnswerValue{"memory", all, all, all, "GB", part.id}};
}

PartFigure power(const Reading& reading, const Accelerator& part, const Catalog& catalog) {
    if (part.tdp / watt <= 0) {
        return {"power not stated", {}};
    }
    const int count = reading.count.value_or(1);
    std::string words = fmt::format("{:.0f} W", part.tdp / watt);
    if (count > 1) {
        words += fmt::format(" each, {} W for {}", grouped(count * (part.tdp / watt)), count);
        for (const Machine& machine : catalog.machines) {
            const int machines =
                machine.accelerators > 1 && count % machine.accelerators == 0 &&
                        (count == machine.accelerators || reading.machine == machine.id ||
                         (reading.machine.empty() && reading.nodes &&
                          *reading.nodes * machine.accelerators == count))
                    ? count / machine.accelerators
                    : 0;
            if (machine.accelerator == part.id && machines > 0 && machine.power) {
                const double each = *machine.power / watt;
                words = fmt::format(
                    "{} W at most for {}{} ({}{} of accelerators)", grouped(machines * each),
                    machines > 1 ? fmt::format("{} x ", machines) : "the whole ", machine.name,
                    machines > 1 ? fmt::format("{} W each, ", grouped(each)) : "", words);
                return {words, AnswerValue{"power", {}, machines * each, {}, "W", machine.id}};
            }
        }
    }
    return {words, AnswerValue{"power", {}, count * (part.tdp / watt), {}, "W", part.id}};
}

/// What a room has to be cooled of: all that is drawn becomes heat.
PartFigure heat(const Reading& reading, const Accelerator& part, const Catalog& catalog) {
    const PartFigure drawn = power(reading, part, catalog);
    if (!drawn.value || !drawn.value->mid) {
        return drawn;
    }
    const double btu = *drawn.value->mid / 1000 * btu_per_hour_per_kw;
    return {
        fmt::format("{} BTU/h of heat, from {}", grouped(std::round(btu / 100) * 100), drawn.words),
        AnswerValue{"heat", {}, btu, {}, "BTU/h", part.id}};
}

/// Whether a word names a 4-bit type of floating point.
bool is_fp4(std::string_view word) { return word == "nvfp4" || word == "mxfp4" || word == "fp4"; }

/// The 4-bit type that is asked for, as far as the part computes in it: NVIDIA's units take both
/// (PTX ISA, block scaling of mma: kinds mxf4 and mxf4nvf4), AMD's mxfp4 alone (CDNA 4 ISA guide).
std::string fp4_words(const Reading& reading, const Accelerator& part) {
    const bool microscaled = reading.compute == "mxfp4" || reading.quantization == "mxfp4";
    return microscaled ? "mxfp4" : part.fp4_format;
}

PartFigure rates(const Reading& reading, const Accelerator& part) {
    PartFigure figure;
    const auto wanted = [&](ComputeType type) {
        return reading.compute == name_of(type) || reading.quantization == name_of(type) ||
               (type == ComputeType::fp4 &&
                (is_fp4(reading.compute) || is_fp4(reading.quantization))) ||
               (reading.compute.empty() && reading.quantization.empty());
    };
    for (const ComputeType type :
         {ComputeType::fp32, ComputeType::tf32, ComputeType::bf16, ComputeType::fp16,
          ComputeType::fp8, ComputeType::int8, ComputeType::fp4}) {
        const auto peak = part.peak(type);
        if (!peak || !wanted(type)) {
            continue;
        }
        const double tera = *peak / teraflop_per_second;
        const std::string rate = tera < 1 ? figure_words(tera) : grouped(tera);
        const bool asked = !reading.compute.empty() || !reading.quantization.empty();
        const bool fp4 = type == ComputeType::fp4;
        const std::string shown = fp4 ? fp4_words(reading, part) : std::string(name_of(type));
        // "fp4" may have meant either type: no yes where the other one is missing.
        const bool other = fp4 && asked && shown == "mxfp4" && part.fp4_format == shown &&
                           reading.compute != shown && reading.quantization != shown;
        // "h100 tflops fp8" asks for a figure, "does the a100 have fp8" for a yes.
        const char* yes = other || asks(reading, "flops") ? "" : "yes, ";
        figure.words +=
            asked ? fmt::format("{}{} {} in {}, dense{}", figure.words.empty() ? yes : ", ", rate,
                                type == ComputeType::int8 ? "TOP/s" : "TFLOP/s", shown,
                                other ? " (none in nvfp4, which is NVIDIA's)" : "")
                  : fmt::format("{}{} {}", figure.words.empty() ? "dense TFLOP/s: " : ", ", shown,
                                rate);
        if (!figure.value || type == ComputeType::bf16) {
            figure.value = AnswerValue{"rate", tera, tera, tera, "TFLOP/s", part.id};
        }
    }
    if (figure.words.empty()) {
        figure.words =
            fmt::format("no: no matrix units for {} are stated",
                        reading.compute.empty() ? reading.quantization : reading.compute);
    }
    return figure;
}

/// Operations to a byte from which on a kernel is bound by its arithmetic: of the types that were
/// named, else of bf16, or fp16 where a part lacks it.
PartFigure ridge_point(const Reading& reading, const Accelerator& part) {
    const double bandwidth = part.memory_bandwidth / gigabyte_per_second;
    const bool said = !reading.compute.empty() || !reading.quantization.empty();
    PartFigure figure;
    for (const ComputeType type :
         {ComputeType::fp32, ComputeType::tf32, ComputeType::bf16, ComputeType::fp16,
          ComputeType::fp8, ComputeType::int8, ComputeType::fp4}) {
        const auto peak = part.peak(type);
        const bool usual =
            type == (part.peak(ComputeType::bf16) ? ComputeType::bf16 : ComputeType::fp16);
        const bool wanted = reading.compute == name_of(type) ||
                            reading.quantization == name_of(type) || (!said && usual);
        if (!peak || !wanted || bandwidth <= 0) {
            continue;
        }
        const double operations = *peak / teraflop_per_second * 1000 / bandwidth;
        figure.words +=
            fmt::format("{}{:.0f} {} a byte in {}", figure.words.empty() ? "" : ", ", operations,
                        type == ComputeType::int8 ? "operations" : "FLOP", name_of(type));
        if (!figure.value) {
            figure.value =
                AnswerValue{"ridge", operations, operations, operations, "FLOP/byte", part.id};
        }
    }
    figure.words = figure.words.empty() ? "ridge point not known"
                                        : fmt::format("ridge point {} (dense peak over {} GB/s)",
                                                      figure.words, grouped(bandwidth));
    return figure;
}

PartFigure nvlink(const Accelerator& part) {
    const ScaleUp& link = part.scale_up;
    const auto gb = [](const BytesPerSecond& rate) { return grouped(rate / gigabyte_per_second); };
    const std::string each = link.rate ? fmt::format(", {} GB/s each way", gb(*link.rate)) : "";
    const std::string pair =
        link.pair_rate ? fmt::format(", {} GB/s between two", gb(*link.pair_rate)) : "";
    return {part.has_nvlink()
                ? fmt::format("yes, {}{}{}", link.kind, each, pair)
                : fmt::format("no NVLink (its link to others: {}{}{})", link.kind, each, pair),
            part.has_nvlink() && link.rate
                ? std::optional(AnswerValue{std::string(nvlink_rate),
                                            {},
                                            *link.rate / gigabyte_per_second,
                                            {},
                                            "GB/s each way",
                                            part.id})
                : std::nullopt};
}

PartFigure flash_attention(const Accelerator& part) {
    if (!part.compute_capability) {
        // Its README: by Composable Kernel on MI200 and later, by Triton on RDNA too.
        const std::string& chip = part.architecture;
        const bool matrix = chip.starts_with("CDNA ");
        return {matrix || chip.starts_with("RDNA")
                    ? fmt::format("yes, FlashAttention 2 has a build for ROCm{}",
                                  matrix ? "" : ", whose Triton kernels run on RDNA")
                    : "FlashAttention 2: not stated for a part without CUDA",
                {}};
    }
    const bool runs = capability_of(part) >= flash_attention_capability;
    return {fmt::format("{}, FlashAttention 2 needs compute capability {:.1f} and it has {}{}",
                        runs ? "yes" : "no", flash_attention_capability, *part.compute_capability,
                        runs ? "" : "; PyTorch's own attention (sdpa) runs"),
            {}};
}

/// The kernels of version 3 are written for Hopper alone (its README).
PartFigure flash_attention_3(const Accelerator& part) {
    constexpr double hopper = 9.0;
    const bool runs = capability_of(part) == hopper;
    return {runs ? "yes, FlashAttention 3 is written for Hopper"
                 : fmt::format(
                       "no, FlashAttention 3 is written for Hopper (compute capability 9.0)"
                       "{}",
                       capability_of(part) >= flash_attention_capability ? "; version 2 runs" : ""),
            {}};
}

PartFigure mig(const Accelerator& part) {
    const int instances = part.mig_instances.value_or(0);
    if (instances <= 1) {
        return {"no MIG", {}};
    }
    std::string sizes;
    for (const MigProfile& profile : part.mig_profiles) {
        sizes += fmt::format("{}{} x {}", sizes.empty() ? ": " : " or ", profile.instances,
                             profile.name);
    }
    return {fmt::format("yes, MIG with up to {} instances{}", instances, sizes), {}};
}

PartFigure ecc(const Accelerator& part) {
    const std::string& support = part.ecc.support;
    return {part.ecc.available ? "yes, ECC " + support
                               : "ECC: " + (support.empty() ? "not stated" : support),
            {}};
}

/// Fp32 lanes of a multiprocessor, by compute capability (CUDA C++ Programming Guide, arithmetic
/// instructions); 0: no CUDA part.
int lanes_of(const Accelerator& part) {
    static constexpr std::pair<std::string_view, int> lanes[] = {
        {"3.7", 192}, {"6.0", 64}, {"6.1", 128}, {"7.0", 64}, {"7.5", 64}, {"8.0", 64}};
    if (!part.compute_capability) {
        return 0;
    }
    for (const auto& [capability, count] : lanes) {
        if (*part.compute_capability == capability) {
            return count;
        }
    }
    return 128;
}

PartFigure cores(const Accelerator& part) {
    const int lanes = lanes_of(part);
    return {!part.units ? "number of cores not known"
            : lanes > 0 ? fmt::format("{} CUDA cores ({} multiprocessors of {})",
                                      grouped(*part.units * lanes), *part.units, lanes)
                        : fmt::format("{} multiprocessors or compute units", *part.units),
            {}};
}

/// Matrix units came with compute capability 7.0 (CUDA C++ Programming Guide), but for the chips of
/// GeForce 16 (TU116, TU117), whose fp16 runs at twice the rate of fp32 by vector units; others
/// state a rate of matrix products above that of their vector units.
PartFigure tensor_cores(const Accelerator& part) {
    const double capability = capability_of(part);
    const auto half = part.peak(ComputeType::fp16);
    const bool vectors = half && part.peak_vector_fp32 && !part.peak(ComputeType::bf16) &&
                         *half < 2.1 * *part.peak_vector_fp32;
    if ((capability < 7.0 || vectors) && (capability > 0 || !part.peak(ComputeType::bf16))) {
        return {"no tensor cores (matrix units)", {}};
    }
    const std::string units =
        part.units ? fmt::format(", {} multiprocessors or compute units", *part.units) : "";
    return {fmt::format("yes, {} of architecture {}{}",
                        capability > 0 ? "tensor cores" : "matrix units", part.architecture, units),
            {}};
}

PartFigure fp64(const Accelerator& part) {
    if (!part.peak_vector_fp64) {
        return {"fp64 rate not known", {}};
    }
    const double tera = *part.peak_vector_fp64 / teraflop_per_second;
    const auto units = part.peak(ComputeType::fp64);
    const double by_units = units ? *units / teraflop_per_second : 0;
    const std::string products =
        by_units > tera ? fmt::format(" on its vector units, {:.3g} in matrix products", by_units)
                        : "";
    return {fmt::format("{:.3g} TFLOP/s in fp64{}", tera, products),
            AnswerValue{"fp64 rate", tera, tera, std::max(tera, by_units), "TFLOP/s", part.id}};
}

PartFigure said(std::string words) { return {std::move(words), {}}; }

/// What people ask of a part by one word.
struct PartAttribute {
    std::string_view name;
    PartFigure (*of)(const Accelerator& part);
};
constexpr PartAttribute attributes[] = {
    {"cores", cores},
    {"tensor_cores", tensor_cores},
    {"fp64", fp64},
    {"nvlink", nvlink},
    {"flash_attention", flash_attention},
    {"flash_attention_3", flash_attention_3},
    {"mig", mig},
    {"ecc", ecc},
    {"domain",
     [](const Accelerator& part) {
         return said(fmt::format("up to {} reach each other by {}", part.scale_up.max_domain,
                                 part.scale_up.kind));
     }},
    {"clock",
     [](const Accelerator& part) {
         return said(part.boost_clock_mhz
                         ? fmt::format("{:.0f} MHz boost clock", *part.boost_clock_mhz)
                         : "clock not known");
     }},
    {"cache",
     [](const Accelerator& part) {
         return said(part.l2_cache
                         ? fmt::format("{:.0f} MiB of L2 cache", *part.l2_cache / mebibyte)
                         : "L2 size not known");
     }},
    {"bus",
     [](const Accelerator& part) {
         return said(part.bus_bits ? fmt::format("{} bits of memory bus", *part.bus_bits)
                                   : "bus width not known");
     }},
    {"capability",
     [](const Accelerator& part) {
         return said(part.compute_capability ? "compute capability " + *part.compute_capability
                                             : part.gfx_arch.value_or("no CUDA part"));
     }},
    {"year",
     [](const Accelerator& part) {
         return said(part.year > 0 ? fmt::format("of {}", part.year) : "year not known");
     }},
    {"form", [](const Accelerator& part) { return said(part.form_factor); }},
    {"architecture",
     [](const Accelerator& part) { return said(part.architecture + " architecture"); }},
    {"memory_type", [](const Accelerator& part) { return said(part.memory_type); }},
    {"pcie",
     [](const Accelerator& part) {
         return said(fmt::format("PCIe {} x{}", part.pcie_generation, part.pcie_lanes));
     }},
    {"weight", [](const Accelerator&) { return said("the catalog has no weight"); }},
    {"dimensions", [](const Accelerator&) { return said("the catalog has no dimensions"); }},
    {"noise", [](const Accelerator&) { return said("the catalog has no noise"); }},
};

/// Empty words: it is no attribute of a part.
PartFigure by_name(const Accelerator& part, std::string_view name) {
    for (const PartAttribute& attribute : attributes) {
        if (attribute.name == name) {
            return attribute.of(part);
        }
    }
    return {};
}

}  // namespace

std::vector<PartFigure> figures_of(const Reading& reading, const Accelerator& part,
                                   const Catalog& catalog) {
    const int count = reading.count.value_or(1);
    std::vector<PartFigure> figures;
    for (const std::string& attribute : reading.attributes) {
        if (attribute == "flops" && asks(reading, "fp64")) {
            continue;  // "fp64 flops" are one figure
        }
        PartFigure figure = attribute == "bandwidth" ? bandwidth(part)
                            : attribute == "memory"  ? memory(part, count)
                            : attribute == "power"   ? power(reading, part, catalog)
                            : attribute == "heat"    ? heat(reading, part, catalog)
                            : attribute == "flops"   ? rates(reading, part)
                            : attribute == "ridge"   ? ridge_point(reading, part)
                                                     : by_name(part, attribute);
        if (!figure.words.empty()) {
            figures.push_back(std::move(figure));
        }
    }
    const bool rated = asks(reading, "flops") || asks(reading, "ridge");
    if (!rated && (!reading.compute.empty() || !reading.quantization.empty())) {
        PartFigure figure = rates(reading, part);
        constexpr std::string_view yes = "yes, ";
        if (!figures.empty() && figure.words.starts_with(yes)) {
            figure.words.erase(0, yes.size());  // beside others it answers no question of its own
        }
        figures.push_back(std::move(figure));
    }
    if (figures.empty()) {
        figures = {memory(part, count), bandwidth(part), rates(reading, part),
                   power(reading, part, catalog)};
    }
    return figures;
}

}  // namespace ridgeline
