#include "advise/search/slices.h"

#include "advise/search/option_values.h"

#include "spec/mig.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace ridgeline {
namespace {

double worth(const Option& option) {
    return option.value.value_or(std::numeric_limits<double>::infinity());
}

bool asks_for_slices(const Query& query) {
    return std::ranges::find(query.require, "mig") != query.require.end();
}

/// Copies in the slices of one kind on as few cards as meet the question; nothing when none does.
std::optional<Option> copies_in(const Search& search, const Accelerator& card,
                                const Accelerator& slice, double requests, Advice& advice) {
    // What cannot hold the weights needs no calibration resolved.
    Workload rough;
    rough.task = Task::inference;
    rough.weights = search.document.weights.value_or(DType::bf16);
    rough.quantization.name = search.document.quantization.value_or("none");
    if (least_resident(search, rough, 1) > slice.capacity()) {
        return std::nullopt;
    }
    const Candidate candidate{&slice, *search.models};
    for (const int cards : counts_for(search, card)) {
        // A slice without a request of its own serves nobody.
        const double most = std::min(1.0 * cards * slices_of_card(slice), requests);
        const int count = static_cast<int>(std::max(1.0, most));
        Trial trial = best_on(search, candidate, count);
        advice.searched += trial.searched;
        if (auto* option = std::get_if<Option>(&trial.outcome)) {
            return std::move(*option);
        }
        if (most < cards * slices_of_card(slice)) {
            break;
        }
    }
    return std::nullopt;
}

}  // namespace

void add_slices(const Search& search, const Accelerator& card, Advice& advice) {
    if (search.document.task != Task::inference || !asks_for_slices(search.query)) {
        return;
    }
    const double requests = search.document.serving.value_or(Serving{}).concurrency;
    std::optional<Option> best;
    for (const Accelerator& slice : search.knowledge.catalog.slices) {
        if (card_of(slice.id) != card.id || slices_of_card(slice) < 2) {
            continue;
        }
        auto option = copies_in(search, card, slice, requests, advice);
        if (option && (!best || worth(*option) < worth(*best) ||
                       (worth(*option) == worth(*best) &&
                        or_last(time_value(*option)) < or_last(time_value(*best))))) {
            best = std::move(option);
        }
    }
    if (best) {
        const int cards = cards_of(*best->cluster.accelerator, best->cluster.count);
        best->why.push_back(fmt::format("{} copies of the model in the MIG slices of {} card{}",
                                        best->cluster.count, cards, cards > 1 ? "s" : ""));
        advice.options.push_back(std::move(*best));
    }
}

}  // namespace ridgeline
