#include "report/json.h"
#include "report/kernel_report.h"
#include "spec/words.h"

namespace ridgeline::report {
namespace {

Json kernel_part_json(const KernelPartTime& part) {
    Json json = {{"name", part.name},
                 {"seconds", part.time / second},
                 {"bound", name_of(part.bound)},
                 {"tier", name_of(part.tier)},
                 {"flops", part.flops.base()},
                 {"bytes", part.traffic.base()},
                 {"formula", part.formula},
                 {"source", part.source}};
    if (part.peak.base() > 0) {
        json["peak_tflop_per_s"] = part.peak / teraflop_per_second;
        json["compute_fraction"] = part.compute_fraction;
    }
    put_positive(json, "bandwidth_fraction", part.bandwidth_fraction);
    return json;
}

Json kernel_part_json(const KernelOn& on) {
    const KernelEstimate& estimate = on.estimate;
    Json json = {{"accelerator", on.cluster.accelerator->id},
                 {"count", on.cluster.count},
                 {"time_s", on.seconds()},
                 {"time_low_s", on.seconds() * estimate.low},
                 {"time_high_s", on.seconds() * estimate.high},
                 {"evidence_rows", estimate.evidence_rows},
                 {"rate", estimate.rate},
                 {"unit", estimate.work.unit},
                 {"bandwidth_gb_per_s", estimate.bandwidth / gigabyte_per_second},
                 {"bound", name_of(estimate.bound)},
                 {"tier", name_of(estimate.tier)},
                 {"copies_s", estimate.copies / second},
                 {"resident_gib", estimate.work.resident / gibibyte},
                 {"capacity_gib", estimate.capacity / gibibyte},
                 {"fits", estimate.fits},
                 {"peak_assumed", estimate.peak_assumed},
                 {"notes", estimate.work.notes},
                 {"parts", Json::array()}};
    for (const KernelPartTime& part : estimate.parts) {
        json["parts"].push_back(kernel_part_json(part));
    }
    if (on.usd_per_hour > 0) {
        json["usd_per_hour"] = on.usd_per_hour;
        json["usd_per_million_runs"] = on.usd_per_million();
        json["offer"] = on.offer->id;
    }
    put_positive(json, "usd_to_buy", on.usd_to_buy);
    return json;
}

}  // namespace

std::string kernel_json(const KernelAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/kernel/1", stamp);
    const KernelWork& work = answer.places.front().estimate.work;
    out["sentence"] = kernel_sentence(answer);
    out["kernel"] = {{"operation", answer.kernel.operation},
                     {"size", answer.kernel.size},
                     {"elements", answer.kernel.elements},
                     {"batch", answer.kernel.batch},
                     {"dtype", name_of(answer.type)}};
    if (answer.type == ComputeType::fp16_fp16_accumulate) {
        out["kernel"]["dtype"] = name_of(ComputeType::fp16);
        out["kernel"]["accumulate"] = name_of(ComputeType::fp16);
    }
    out["title"] = work.title;
    out["flops"] = work.flops.base();
    out["bytes"] = work.traffic.base();
    out["source"] = work.source;
    out["places"] =
        list_of(answer.places, [&](const KernelOn& on) { return kernel_part_json(on); });
    if (!answer.cpu_ways.empty()) {
        out["cpu"] = answer.cpu;
        for (const CpuWay& way : answer.cpu_ways) {
            out["cpu_ways"].push_back({{"how", way.words},
                                       {"time_s", way.seconds},
                                       {"against", way.against},
                                       {"against_with_copies", way.against_copied}});
        }
    }
    out["left_out"] = answer.left_out;
    return text_of(out);
}

}  // namespace ridgeline::report
