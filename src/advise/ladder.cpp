#include "advise/ladder.h"

#include "base/order.h"
#include "estimate/resolve/resolve.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// The highest speed of a type that fits; 0 when none does.
double best_speed(const CardLadder& ladder) {
    double best = 0;
    for (const QuantRung& rung : ladder.rungs) {
        best = rung.fits ? std::max(best, rung.tokens_per_second) : best;
    }
    return best;
}

}  // namespace

std::vector<CardLadder> card_ladders(const Search& search) {
    std::vector<CardLadder> ladders;
    WorkloadDocument document = search.document;
    document.task = Task::inference;
    document.framework.reset();
    document.quantization = "q4_k_m";  // of the types of a ladder, the one that most people take
    const auto usual = usual_software(
        search.knowledge.profiles, document, search.architecture, Accelerator{}, 1);
    const SoftwareProfile* software = usual.empty() ? nullptr : usual.front();
    const bool decoder = search.architecture.kind == ModelKind::decoder;
    if (software == nullptr || !decoder || search.architecture.stacks.empty()) {
        return ladders;
    }
    document.framework = software->id;
    document.quantization.reset();
    document.weights = DType::fp16;
    Serving serving = document.serving.value_or(Serving{});
    serving.concurrency = 1;
    document.serving = serving;
    const auto resolved = resolve(document, search.architecture, *software, 1);
    if (!resolved) {
        return ladders;
    }
    const QuantLadder types(search.architecture, resolved->workload, *software, ladder_types());
    std::vector<Rejection> unsuited;
    for (const Accelerator* part : candidates(search, unsuited)) {
        const Cluster one = make_cluster(search.knowledge.catalog, *part, 1);
        ladders.push_back({.accelerator = part->id,
                           .name = part->name,
                           .model = search.architecture.name,
                           .context = serving.input_tokens + serving.output_tokens,
                           .rungs = types.on(one,
                                             search.models->device(*part),
                                             search.knowledge.profiles.calibration,
                                             search.models->links(one))});
    }
    stable_order(ladders.begin(), ladders.end(), [](const CardLadder& a, const CardLadder& b) {
        return best_speed(a) > best_speed(b);
    });
    return ladders;
}

}  // namespace ridgeline
