#include "base/text.h"
#include "report/roofline.h"
#include "report/table.h"
#include "report/text_chart.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

std::string roofs_line(const OperatorProfile& profile) {
    std::string out;
    for (const Roof& roof : profile.roofs) {
        append(out, "; ",
               fmt::format("{}: {:.4g} TFLOP/s, {:.4g} GB/s, ridge point {:.4g} FLOP/byte",
                           name_of(roof.type), roof.peak / teraflop_per_second,
                           roof.bandwidth / gigabyte_per_second, roof.ridge_point()));
    }
    return out;
}

std::string shares_line(const OperatorProfile& profile) {
    std::string out;
    for (std::size_t i = 0; i < profile.bound_share.size(); ++i) {
        if (profile.bound_share[i] >= 0.005) {
            append(out, ", ",
                   fmt::format("{} {:.0f} %", name_of(static_cast<Bound>(i)),
                               100 * profile.bound_share[i]));
        }
    }
    return out;
}

std::string operators_table(const OperatorProfile& profile, std::size_t most, const Style& style) {
    Table table({"operator", "phase", ">FLOP/byte", ">TFLOP/s", ">GB/s", ">kernel time", "bound"});
    const double total = kernel_seconds(profile);
    const OperatorLog operators = merged_operators(profile);
    double shown = 0;
    for (std::size_t i = 0; i < operators.size() && i < most; ++i) {
        const TimedOperator& op = operators[i];
        const bool computes = op.flops > 0;
        shown += op.seconds;
        table.add({std::string(op.name), std::string(op.phase),
                   computes ? fmt::format("{:.4g}", op.intensity()) : "-",
                   computes ? fmt::format("{:.4g}", op.flops / op.seconds / 1e12) : "-",
                   fmt::format("{:.4g}", op.bytes / op.seconds / 1e9),
                   fmt::format("{:.1f} %", 100 * op.seconds / total),
                   std::string(name_of(op.bound))});
    }
    std::string out = table.text(style, 2);
    if (operators.size() > most && total > 0) {
        out +=
            paragraph("  ",
                      fmt::format("and {} more, {:.1f} % of the kernel time; --explain lists them",
                                  operators.size() - most, 100 * (1 - shown / total)),
                      style);
    }
    return out;
}

std::string machine_text(const RooflineAnswer& answer, const RooflineMachine& machine,
                         const Style& style) {
    std::string out = "\n" + strong(cluster_line(machine.cluster), style) + "\n";
    if (!machine.problem.empty()) {
        return out + "  " + wrap("cannot run: " + machine.problem, style.width - 2, 2) + "\n";
    }
    constexpr std::size_t alone = 12;
    constexpr std::size_t side_by_side = 5;
    const std::size_t most = style.explain                ? std::size_t{1} << 20
                             : answer.machines.size() > 1 ? side_by_side
                                                          : alone;
    const OperatorProfile& profile = machine.profile;
    const char* const step = machine.workload.task == Task::train ? "step" : "batch of requests";
    out += "  " + wrap(roofs_line(profile), style.width - 2, 2) + "\n";
    out += "  " +
           wrap(fmt::format("{} of {}, by bound: {}", step, format_duration(profile.step / second),
                            shares_line(profile)),
                style.width - 2, 2) +
           "\n";
    return out + operators_table(profile, most, style);
}

}  // namespace

std::string roofline_text(const RooflineAnswer& answer, const Style& style) {
    std::string out = plot_text(roofline_plot(answer), style);
    for (const RooflineMachine& machine : answer.machines) {
        out += machine_text(answer, machine, style);
    }
    return out;
}

}  // namespace ridgeline::report
