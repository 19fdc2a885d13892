#include "advise/search/ladder.h"

#include "advise/hardware/cluster.h"
#include "advise/search/thrifty.h"
#include "advise/stacks/usual.h"
#include "base/order.h"
#include "estimate/resolve/resolve.h"
#include "estimate/serving/served_weights.h"

#include <fmt/format.h>

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

/// Each type on several cards, shared as the best plan does; what does not fit tells what it lacks.
std::vector<QuantRung> rungs_on_several(const Search& search, const WorkloadDocument& document,
                                        const Workload& resolved, const Accelerator& part,
                                        int count) {
    std::vector<QuantRung> rungs;
    for (const std::string_view type : ladder_types()) {
        Query query;
        query.all = true;  // the hardware is chosen
        query.workload = document;
        query.workload.weights.reset();
        query.workload.quantization = std::string(type);
        Search one = make_search(query, search.architecture, search.knowledge);
        one.models = search.models;
        Workload stored = resolved;
        stored.quantization.name = type;
        QuantRung rung{.quantization = type,
                       .file = Bytes::of_base(weight_file_bytes(search.architecture, stored)),
                       .process = {},
                       .headroom = {},
                       .fits = false,
                       .tokens_per_second = 0,
                       .ttft = {}};
        const Candidate candidate{&part, *one.models};
        const Trial trial = best_on(one, candidate, count);
        if (const auto* option = std::get_if<Option>(&trial.outcome)) {
            const TimeEstimate& time = option->estimate.time;
            rung.process = option->estimate.memory.process;
            rung.headroom = option->estimate.memory.headroom();
            rung.fits = true;
            rung.tokens_per_second = time.tpot > Seconds{} ? second / time.tpot : 0;
            rung.ttft = time.ttft;
        } else {
            const Rejection miss = measured_rejection(one, std::get<Rejection>(trial.outcome));
            rung.headroom = -1.0 * miss.shortfall_gib * gibibyte;
            rung.process = part.capacity() + miss.shortfall_gib * gibibyte;
        }
        rungs.push_back(rung);
    }
    return rungs;
}

}  // namespace

std::vector<CardLadder> card_ladders(const Search& search) {
    std::vector<CardLadder> ladders;
    WorkloadDocument document = search.document;
    document.task = Task::inference;
    document.framework.reset();
    document.quantization = "q4_k_m";  // of the types of a ladder, the one that most people take
    std::vector<Rejection> unsuited;
    const auto parts = candidates(search, unsuited);
    const auto usual = parts.empty() ? std::vector<const SoftwareProfile*>{}
                                     : usual_software(search.knowledge.profiles, document,
                                                      search.architecture, *parts.front(), 1);
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
    const int count = search.query.exact_accelerators.value_or(1);
    for (const Accelerator* part : parts) {
        const Cluster one = make_cluster(search.knowledge.catalog, *part, 1);
        ladders.push_back(
            {.accelerator = part->id,
             .name = count > 1 ? fmt::format("{} x {}, each", count, part->name) : part->name,
             .model = search.architecture.name,
             .context = serving.input_tokens + serving.output_tokens,
             .rungs =
                 count > 1
                     ? rungs_on_several(search, document, resolved->workload, *part, count)
                     : types.on(one, search.models->device(*part),
                                search.knowledge.profiles.calibration, search.models->links(one))});
    }
    stable_order(ladders.begin(), ladders.end(), [](const CardLadder& a, const CardLadder& b) {
        return best_speed(a) > best_speed(b);
    });
    return ladders;
}

}  // namespace ridgeline
