#include "ask/router.h"

#include "advise/stored_weights.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

// Two pieces of work on one hardware at the same time: memory of both adds up.

namespace ridgeline::ask {
namespace {

/// One of both, with the types of weights that it may be stored in and what each comes to.
struct Half {
    Reading reading;
    std::vector<std::string> types{""};  ///< empty: as its own verdict has it
    std::vector<std::optional<Answer>> judged{};
    std::optional<Error> problem{};  ///< of the last type that has no verdict

    /// Suits the question to its model, and lists the types that are open. errors  the model is not known
    Result<void> prepare(const World& world) {
        WorkloadDocument document;
        document.task = Task::inference;
        document.model_id = reading.model;
        const auto architecture = completed(document, world);
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        suit_to_network(reading, *architecture, world.profiles);
        if (reading.task == Task::inference && reading.quantization.empty() && reading.compute.empty()) {
            const auto parts = known_parts(reading.accelerators, world.catalog);
            document = query_of(reading).workload;
            for (const std::string_view type : weights_to_try(document, *architecture, parts, world.profiles)) {
                types.emplace_back(type);
            }
        }
        judged.resize(types.size());
        return {};
    }
    const std::optional<Answer>& judge(std::size_t type, const AnswerTools& tools) {
        if (!judged[type]) {
            Reading one = reading;
            one.quantization = types[type].empty() ? one.quantization : types[type];
            if (auto answer = reply_fit(one, query_of(one), tools)) {
                judged[type] = std::move(*answer);
            } else {
                problem = answer.error();
            }
        }
        return judged[type];
    }
    [[nodiscard]] std::string words(std::size_t type) const {
        const Answer& answer = *judged[type];
        const std::string& weights = types[type].empty() ? answer.weights.empty() ? reading.quantization : answer.weights : types[type];
        static constexpr std::pair<std::string_view, std::string_view> shown[] = {{"lora", "LoRA"}, {"qlora", "QLoRA"}, {"full", "full training"}};
        const auto method = std::find_if(std::begin(shown), std::end(shown), [&](const auto& each) { return each.first == reading.method; });
        const std::string deed(method == std::end(shown) ? reading.method.empty() ? "LoRA" : std::string_view(reading.method) : method->second);
        return reading.task == Task::inference
                   ? fmt::format("{} served{}", reading.model, weights.empty() || weights == "none" ? "" : " in " + weights)
                   : fmt::format("{} of {}", deed, reading.model);
    }
};

/// The question about the other work alone, with nothing of what was read of the first.
Reading read_beside(const Reading& reading) {
    Reading other = reading;
    const WorkBeside& work = *reading.beside;
    other.beside.reset();
    other.model = work.model;
    other.task = work.task;
    other.method = work.method;
    other.algorithm.clear();
    other.counts_samples = other.answers_at_once = false;
    other.batch.reset();
    other.rank.reset();
    other.samples.reset();
    other.tokens.reset();
    other.epochs.reset();
    for (const AssumedField& field : reading.assumed) {
        if (field.field == "output_tokens") {
            other.output_tokens.reset();
            other.input_tokens.reset();
        }
    }
    if (work.task != Task::inference || reading.task == Task::inference) {
        other.quantization = work.task == Task::inference ? work.quantization.value_or(reading.quantization) : "";
    }
    other.copies.reset();
    return other;
}

/// How far both together are from what the hardware has: those that fit, with room before barely.
int order_of_sum(const Answer& one, const Answer& two) {
    const double have = std::min(one.have_gib.value_or(0), two.have_gib.value_or(0));
    if (!one.needs || !two.needs || one.verdict == "no" || two.verdict == "no" || one.needs->mid + two.needs->mid > have) {
        return 0;
    }
    return one.needs->high + two.needs->high <= have ? 2 : 1;
}

/// The types of both that are stored side by side: places in their lists.
struct StoredPair {
    std::size_t first = 0;
    std::size_t second = 0;
    int order = 0;  ///< as `order_of_sum`
};

/// The widest weights of both that leave room for the other; the narrowest of each where none do.
StoredPair widest_pair(Half& first, Half& second, const AnswerTools& tools) {
    StoredPair best{first.types.size() - 1, second.types.size() - 1, 0};
    for (std::size_t sum = 0; sum < first.types.size() + second.types.size() - 1 && best.order < 2; ++sum) {
        for (std::size_t a = 0; a <= sum && a < first.types.size() && best.order < 2; ++a) {
            if (sum - a >= second.types.size()) {
                continue;
            }
            const auto& one = first.judge(a, tools);
            const auto& two = second.judge(sum - a, tools);
            const int order = one && two ? order_of_sum(*one, *two) : 0;
            if (order > best.order) {
                best = {a, sum - a, order};
            }
        }
    }
    return best;
}

std::string_view words_alone(const Answer& answer) {
    return answer.verdict == "no" ? "not even alone" : answer.verdict == "barely" ? "barely alone" : "alone";
}

}  // namespace

Result<Answer> Router::memory_of_both() const {
    Reading first = reading_;
    first.beside.reset();
    first.copies.reset();
    Reading second = read_beside(reading_);
    Answer reply;
    double low = 0;
    double mid = 0;
    double high = 0;
    std::vector<std::string> words;
    for (Reading* half : {&first, &second}) {
        WorkloadDocument document;
        document.task = Task::inference;
        document.model_id = half->model;
        const auto architecture = completed(document, world_);
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        suit_to_network(*half, *architecture, world_.profiles);
        if (half->task == Task::inference && half->quantization.empty() && half->compute.empty()) {
            half->quantization = "none";
        }
        auto one = reply_memory(*half, tools_);
        if (!one || !one->needs) {
            return one;
        }
        const int copies = half == &first ? reading_.copies.value_or(1) : 1;
        low += copies * one->needs->low;
        mid += copies * one->needs->mid;
        high += copies * one->needs->high;
        words.push_back(fmt::format("{}{} {}", copies > 1 ? fmt::format("{} x ", copies) : "", half->model, format_gib(copies * one->needs->mid)));
        reply.values.push_back({"memory", copies * one->needs->low, copies * one->needs->mid, copies * one->needs->high, "GiB", half->model});
    }
    reply.needs = AnswerNeeds{low, mid, high};
    reply.values.insert(reply.values.begin(), {"memory", low, mid, high, "GiB", "both"});
    reply.headline = fmt::format("Both together need {} ({:.3g} to {:.3g}): {} and {}.", format_gib(mid), low, high, words[0], words[1]);
    return reply;
}

Result<Answer> Router::fit_of_both() const {
    Half first{.reading = reading_};
    first.reading.beside.reset();
    Half second{.reading = read_beside(reading_)};
    for (Half* half : {&first, &second}) {
        if (const auto known = half->prepare(world_); !known) {
            return tl::unexpected(known.error());
        }
    }
    const StoredPair pair = widest_pair(first, second, tools_);
    const auto& one = first.judge(pair.first, tools_);
    const auto& two = second.judge(pair.second, tools_);
    if (!one || !two || !one->needs || !two->needs) {
        const auto& problem = second.problem ? second.problem : first.problem;
        return problem ? Result<Answer>(tl::unexpected(*problem)) : Result<Answer>(*one);
    }
    static constexpr std::string_view verdicts[] = {"no", "barely", "yes"};
    static constexpr std::string_view spoken[] = {"No", "Barely", "Yes"};
    Answer reply;
    reply.verdict = verdicts[pair.order];
    reply.needs = AnswerNeeds{one->needs->low + two->needs->low, one->needs->mid + two->needs->mid, one->needs->high + two->needs->high};
    reply.have_gib = std::min(one->have_gib.value_or(0), two->have_gib.value_or(0));
    reply.choice = one->choice;
    if (reply.choice) {
        reply.choice->verdict = reply.verdict;
    }
    const Accelerator* part = reply.choice ? world_.catalog.accelerator(reply.choice->accelerator) : nullptr;
    reply.headline = fmt::format(
        "{}: both together need {:.1f} GiB ({:.1f} to {:.1f}) of {:.1f} GiB on each of {} x {}: {} {:.1f}, {} {:.1f}; they share its time.",
        spoken[pair.order],
        reply.needs->mid,
        reply.needs->low,
        reply.needs->high,
        *reply.have_gib,
        reply.choice ? reply.choice->count : 1,
        part != nullptr ? part->name : "it",
        first.words(pair.first),
        one->needs->mid,
        second.words(pair.second),
        two->needs->mid);
    if (pair.order == 0) {
        reply.headline += fmt::format(" The first fits {}, the second {}.", words_alone(*one), words_alone(*two));
    }
    return reply;
}

}  // namespace ridgeline::ask
