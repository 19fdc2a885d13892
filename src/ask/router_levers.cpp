#include "advise/placement/placement.h"
#include "ask/remedies.h"
#include "ask/router.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

// What to change where memory ran out: each change by itself, with the memory that it leaves.

namespace ridgeline::ask {
namespace {

/// Of transformers' TrainingArguments (per_device_train_batch_size), where nobody said another.
constexpr int batch_of_scripts = 8;
constexpr std::size_t most_levers = 4;

bool says_batch(const WorkloadDocument& document) {
    return document.micro_batch || document.global_batch;
}

}  // namespace

std::string Router::lever_words(Answer& reply) {
    if (!asks(reading_, "levers")) {
        return "";
    }
    WorkloadDocument document = asked_.query.workload;
    const auto architecture = tools_.architecture(document);
    const auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
    if (!architecture || clusters.empty()) {
        return "";
    }
    const bool script = document.task == Task::train && !says_batch(document) &&
                        !architecture->stacks.empty() && !document.preference;
    if (script) {
        document.micro_batch = batch_of_scripts;
    }
    // The form and the number of what the verdict is about.
    const auto judged = std::ranges::find_if(clusters, [&](const Cluster& each) {
        return reply.choice && each.accelerator->id == reply.choice->accelerator &&
               each.count == reply.choice->count;
    });
    const Cluster& cluster = judged == clusters.end() ? clusters.front() : *judged;
    auto before = place_with(PlanChoice::framework, knowledge_of(world_), document, *architecture,
                             cluster, nullptr);
    if (!before) {
        return "";
    }
    auto found = remedies_of(world_, document, *before);
    if (!found) {
        return "";
    }
    const auto peak = [](const Estimate& each) { return each.memory.process / gibibyte; };
    const double whole = peak(before->estimate);
    std::erase_if(*found, [&](const Remedy& each) { return peak(each.after) >= 0.97 * whole; });
    // Another method is another training: it goes behind what leaves that as it is.
    std::ranges::stable_sort(*found, {}, [&](const Remedy& each) {
        return std::tuple(!each.fits, each.flags.starts_with("--method"), peak(each.after));
    });
    const MemoryEstimate& memory = before->estimate.memory;
    std::string first;
    std::string further;
    for (std::size_t i = 0; i < std::min(found->size(), most_levers); ++i) {
        const Remedy& each = (*found)[i];
        const std::string taken = format_gib(peak(each.after));
        if (i == 0) {
            first = fmt::format("{} ({}) takes {} of {}", each.flags, each.change, taken,
                                format_gib(memory.capacity / gibibyte));
        } else {
            further += fmt::format("{}{} takes {} ({})", further.empty() ? "" : ", ", each.flags,
                                   taken, each.change);
        }
        reply.change.push_back({each.flags, each.change});
        reply.values.push_back({"memory", {}, peak(each.after), {}, "GiB", each.flags});
    }
    const bool enough = !found->empty() && found->front().fits;
    // The change goes first, what it changes behind it.
    return fmt::format("{}; as it is it takes {} ({} by default{}){}. {}",
                       first.empty() ? "Nothing of what is known takes less"
                       : enough      ? "Change this: " + first
                                     : "Nothing by itself is enough: " + first,
                       format_gib(whole), before->workload.framework,
                       script ? fmt::format(", {} samples a pass", batch_of_scripts) : "",
                       memory.fits ? ", which fits: something else holds memory too" : "",
                       further.empty() ? "" : "Less, too, by itself: " + further + ". ");
}

}  // namespace ridgeline::ask
