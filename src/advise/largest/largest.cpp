#include "advise/answers/answer.h"
#include "advise/hardware/offers.h"
#include "advise/largest/amount.h"
#include "advise/largest/models_that_fit.h"
#include "advise/largest/named.h"
#include "advise/largest/pretrainable.h"
#include "advise/largest/replies.h"
#include "advise/largest/side_by_side.h"
#include "advise/search/time_limits.h"
#include "advise/stacks/stored_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

// Replies about the largest that fits.

namespace ridgeline {
namespace {

/// " With the cache in 16 bits it is 54,272 tokens.": what a narrower one adds; empty: not known.
std::string wide_cache_words(Reading reading, const Cluster& cluster, const AnswerTools& tools) {
    reading.kv_cache.clear();
    const auto wide = largest_amount(reading, query_of(reading, Task::inference), cluster, tools);
    const auto tokens = wide ? wide->values.front().mid : std::nullopt;
    return tokens ? fmt::format(" With the cache in 16 bits it is {:.0f} tokens.", *tokens)
                  : std::string();
}

/// Of the forms of a part the one that most offers list.
const Cluster& most_listed_of(const std::vector<Cluster>& clusters, const Catalog& catalog) {
    std::vector<const Accelerator*> forms;
    for (const Cluster& each : clusters) {
        forms.push_back(each.accelerator);
    }
    const Accelerator* usual = most_listed(catalog, forms);
    return *std::ranges::find(clusters, usual, &Cluster::accelerator);
}

/// The largest model of the family that was named, or of any.
Result<Answer> largest_model_held(const Reading& reading, const Cluster& cluster,
                                  const AnswerTools& tools) {
    if (!reading.family_models.empty() && reading.extreme == Extreme::model) {
        auto family = largest_of_family(reading, cluster, tools);
        if (family && reading.experts_only) {
            // Of experts the host's memory decides, where it was said.
            const std::string shared = shared_with_host(reading, cluster, tools);
            family->headline =
                shared.empty() ? family->headline : shared.substr(1) + " " + family->headline;
        }
        return family;
    }
    auto held = largest_models(reading, cluster, tools);
    if (held && reading.tokens_per_parameter && reading.method == "full") {
        // What memory holds from scratch may take years.
        Reading waited = reading;
        waited.deadline_s = longest_run_waited_for / second;
        const auto timed = largest_pretrained(waited, cluster, tools);
        held->headline += timed ? " " + timed->headline : "";
    }
    if (held) {
        held->headline += shared_with_host(reading, cluster, tools);
    }
    return held;
}

/// 16-bit weights leave no room: the answer with the widest type that does; `wide` where none does.
Result<Answer> amount_in_narrower(const Reading& reading, WorkloadDocument document,
                                  const Cluster& cluster, const AnswerTools& tools,
                                  Result<Answer> wide) {
    const auto architecture = tools.architecture(document);
    const Accelerator* const part = cluster.accelerator;
    const auto types = architecture ? weights_to_try(document, *architecture, std::span(&part, 1),
                                                     tools.knowledge.profiles)
                                    : std::vector<std::string_view>{};
    std::optional<Answer> tight;  // the widest that holds it in the middle of the range alone
    for (const std::string_view weights : types) {
        Reading one = reading;
        one.quantization = weights;
        auto narrower = largest_amount(one, query_of(one, Task::inference), cluster, tools);
        if (narrower && narrower->values.front().mid.value_or(0) > 0) {
            narrower->weights = weights;
            narrower->headline =
                fmt::format("In {} {} 16-bit weights do not fit.", weights, narrower->headline);
            if (narrower->values.front().low.value_or(0) > 0) {
                return narrower;
            }
            tight = tight ? tight : std::optional(*narrower);
        }
    }
    return tight ? Result<Answer>(*tight) : wide;
}

}  // namespace

Result<Answer> reply_largest(const Reading& reading, const Query& query, const AnswerTools& tools) {
    const auto clusters =
        known_clusters(reading, query, tools.knowledge.catalog, "largest model on one 24GB card");
    if (!clusters) {
        return tl::unexpected(clusters.error());
    }
    const Cluster& cluster = most_listed_of(*clusters, tools.knowledge.catalog);
    if (reading.model.empty() && reading.extreme == Extreme::model && reading.method == "full" &&
        reading.deadline_s) {
        return largest_pretrained(reading, cluster, tools);
    }
    if (reading.extreme == Extreme::model || reading.model.empty()) {
        return largest_model_held(reading, cluster, tools);
    }
    if (reading.extreme == Extreme::copies) {
        return largest_copies(reading, cluster, tools);
    }
    WorkloadDocument asked = query.workload;
    const auto network = tools.architecture(asked);
    const bool speech = network && network->reads_sound();
    if (reading.extreme == Extreme::users && (reading.counts_samples || speech) &&
        query.workload.serving) {
        return largest_streams(reading, query, cluster, tools);
    }
    auto answer = largest_amount(reading, query, cluster, tools);
    const auto cache = query.workload.kv_cache;
    if (answer && reading.extreme == Extreme::sequence && cache && bytes_per_element(*cache) < 2) {
        answer->headline += wide_cache_words(reading, cluster, tools);
    }
    const bool open_weights = query.workload.task == Task::inference &&
                              reading.quantization.empty() && reading.compute.empty();
    if (!answer || answer->values.front().mid.value_or(0) > 0 || !open_weights) {
        return answer;
    }
    return amount_in_narrower(reading, query.workload, cluster, tools, std::move(answer));
}

}  // namespace ridgeline
