#include "base/text.h"
#include "report/sharing_report.h"
#include "report/table.h"
#include "spec/mig.h"
#include "spec/words.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

/// Time a token, of an answer or of a step; "stretch" times as long.
std::string pace(const Workload& workload, const TimeEstimate& time, double stretch) {
    const bool token = workload.task == Task::inference && time.tpot > Seconds{};
    const bool answer = workload.task == Task::inference && !token;
    const Seconds one = token ? time.tpot : answer ? time.ttft : time.step;
    return fmt::format("{}/{}", format_duration(stretch * (one / second)),
                       token    ? "token"
                       : answer ? "answer"
                                : "step");
}

std::string slice_of(const SharedWorkload& each) {
    return each.slice == nullptr ? "none"
                                 : each.slice->id.substr(card_of(each.slice->id).size() + 1);
}

/// "llama-3.1-8b", "llama-3.1-8b qlora".
std::string name_of(const SharedWorkload& each) {
    const Architecture& model = each.architecture;
    const std::string name = model.id.empty() ? model.name : model.id;
    return each.workload.task == Task::train
               ? fmt::format("{} {}", name, ridgeline::name_of(each.workload.method))
               : name;
}

std::string table_of(const SharedCard& card, const Style& style) {
    Table table({"workload", ">needs", ">share", ">alone", ">together", ">slice", ">in it"});
    for (const SharedWorkload& each : card.workloads) {
        const TimeEstimate& time = each.alone.time;
        table.add({name_of(each), fmt::format("{:.1f} GiB", each.needs / gibibyte),
                   each.claim > 0 ? fmt::format("{:.2f}", each.claim) : "-",
                   pace(each.workload, time, 1), pace(each.workload, time, card.stretch()),
                   slice_of(each), each.sliced ? pace(each.workload, each.sliced->time, 1) : "-"});
    }
    return table.text(style);
}

}  // namespace

std::string sharing_text(const SharedCard& card, const Style& style) {
    std::string out =
        fmt::format("{} workloads on {}\n\n", card.workloads.size(), cluster_line(card.cluster));
    const double spare = (card.capacity - card.needed) / gibibyte;
    out += fmt::format("{}  {:.1f} GiB of {:.1f} GiB, {} {:.1f} GiB\n", strong("Memory", style),
                       card.needed / gibibyte, card.capacity / gibibyte,
                       card.fits ? "they fit together and leave" : "they do not fit, short by",
                       card.fits ? spare : -spare);
    out +=
        wrap(fmt::format("{}    they keep the device busy {:.2f} times over: {}",
                         strong("Time", style), card.demand,
                         card.demand > 1 ? fmt::format("each takes {:.2f} times as long as alone "
                                                       "while all are busy",
                                                       card.stretch())
                                         : std::string("none waits for another")),
             style.width, 8) +
        "\n\n" + table_of(card, style) + "\n";
    bool claims = false;
    for (const SharedWorkload& each : card.workloads) {
        claims = claims || each.claim > 0;
    }
    if (claims) {
        out +=
            wrap(
                "share is the part of the card to give each runtime (--gpu-memory-utilization and "
                "the like): the usual one would take the card for itself",
                style.width, 2) +
            "\n";
    }
    if (card.cluster.accelerator->mig_instances.value_or(0) > 1) {
        out += card.slices_fit
                   ? "One MIG slice each, as in the last columns, fits the card.\n"
                   : "One MIG slice each, large enough for it, does not fit the card.\n";
    }
    return out;
}

}  // namespace ridgeline::report
