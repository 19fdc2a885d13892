#include "advise/fits/states.h"

#include "base/dtype.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Of what type the states of whole training are, where the verdict turns with it.

namespace ridgeline {

void tell_narrow_states(const FitCase& fit, Judged& best) {
    const WorkloadDocument& document = fit.document;
    const bool open = document.task == Task::train && document.method == Method::full &&
                      !document.master_weights && !document.optimizer_state && !document.weights;
    if (!open || !best.reply || best.reply->verdict == "no" || !best.reply->choice ||
        !best.reply->needs) {
        return;
    }
    const auto on = std::ranges::find_if(fit.clusters, [&](const Cluster& each) {
        return each.accelerator->id == best.reply->choice->accelerator &&
               each.count == best.reply->choice->count;
    });
    const auto usual = on == fit.clusters.end() ? Result<Placement>(tl::unexpected(Error{}))
                                                : fit.placed(document, *on);
    if (!usual || usual->workload.master_weights || usual->workload.optimizer != "adamw" ||
        usual->workload.optimizer_state == DType::fp32) {
        return;
    }
    constexpr double same = 0.01;  // else a way of less memory was judged, which names itself
    const double narrow = usual->estimate.memory.process / gibibyte;
    if (std::abs(narrow - best.reply->needs->mid) > same * narrow) {
        return;
    }
    WorkloadDocument mixed = document;
    mixed.master_weights = true;
    mixed.optimizer_state = DType::fp32;
    const auto wide = fit.placed(mixed, *on);
    if (!wide || wide->estimate.memory.fits) {
        return;
    }
    std::string& headline = best.reply->headline;
    const std::size_t end = headline.find(". ");
    headline.insert(end == std::string::npos ? headline.size() - 1 : end,
                    fmt::format("; {} in mixed precision (fp32 states) do not fit",
                                format_gib(wide->estimate.memory.process / gibibyte)));
    if (const std::size_t verdict = headline.find(':'); verdict != std::string::npos) {
        headline.insert(verdict, ", with 16-bit states");
    }
}

}  // namespace ridgeline
