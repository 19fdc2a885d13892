#include "advise/figure_words.h"
#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/largest/in_time.h"
#include "advise/largest/models_that_fit.h"
#include "advise/largest/named.h"
#include "advise/placement/largest.h"
#include "advise/reading/models/best_model.h"
#include "advise/reading/models/model_words.h"
#include "base/order.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

// Of a family of models, or of those for one purpose, the largest that fits.

namespace ridgeline {
namespace {

/// "deepseek 32b, of the shape of qwen2.5-32b": a member that was made from a model of another
/// name.
std::string named_in(const std::string& family, const std::string& id) {
    const std::string first = family.substr(0, family.find_first_of(" -.0123456789"));
    const auto pieces = reading::model_pieces(id);
    const auto size = std::ranges::find_if(pieces, reading::is_size_piece);
    const bool kind = family.find("model") != family.npos || family.starts_with("mixture");
    return kind || id.find(first) != id.npos || size == pieces.end()
               ? id
               : fmt::format("{} {}, of the shape of {},", family, *size, id);
}

/// A model of the family, or of the kind, that is asked about.
struct Member {
    std::string id;
    double parameters;
    double release;
    bool current;  ///< has a context as today's models have
};

/// The members that can be judged, the largest first; of several families those of today before.
std::vector<Member> members_of(const Reading& reading, const AnswerTools& tools,
                               bool& several_families) {
    std::vector<Member> members;
    std::set<std::string> names;
    for (const std::string& id : reading.family_models) {
        WorkloadDocument document;
        document.model_id = id;
        const auto architecture = tools.architecture(document);
        const bool kind =
            architecture && !(reading.experts_only && count_parameters(*architecture).active >=
                                                          count_parameters(*architecture).total);
        if (kind && (!architecture->stacks.empty() || architecture->network)) {
            members.push_back({id, static_cast<double>(count_parameters(*architecture).total),
                               ridgeline::reading::version_of(ridgeline::reading::model_pieces(id)),
                               architecture->max_positions >= current_positions});
            names.insert(reading::model_pieces(id).front());
        }
    }
    // Of models of one purpose today's are run; of one family the size alone counts.
    several_families = names.size() > 1;
    stable_order(members.begin(), members.end(), [&](const Member& a, const Member& b) {
        return std::pair(several_families && a.current, a.parameters) >
               std::pair(several_families && b.current, b.parameters);
    });
    return members;
}

/// Whether a sample is answered as a whole, with no first token: by networks of pictures and by
/// what denoises.
bool answers_whole(const Placement& placed) {
    return placed.workload.task == Task::inference &&
           (placed.architecture.kind == ModelKind::diffusion ||
            placed.architecture.kind == ModelKind::image || placed.architecture.reads_images());
}

/// Whether the times and rates that were asked for are kept: by what learns, its tokens a second;
/// by what answers as a whole, the time and the rate of its batches; real time by what hears.
bool keeps_pace(const Reading& reading, const Query& wanted, const Placement& placed) {
    const TimeEstimate& time = placed.estimate.time;
    if (placed.workload.task == Task::train) {
        return !wanted.tpot_s || time.tokens_per_second * *wanted.tpot_s >= 1;
    }
    const bool sound = placed.architecture.reads_sound();
    const bool whole = answers_whole(placed);
    if ((whole || sound) && reading.requests_per_s &&
        time.samples_per_second < *reading.requests_per_s) {
        return false;
    }
    const auto most = wanted.ttft_s ? wanted.ttft_s : wanted.answer_s;
    return whole ? !most || time.step / second <= *most
                 : soon_enough(wanted, placed.workload, time, 1, 1);
}

/// What was asked for, of a family that answers as a whole; empty: nothing.
std::string whole_target_words(const Reading& reading, const Query& wanted, bool sound) {
    const auto most = wanted.ttft_s ? wanted.ttft_s : wanted.answer_s;
    std::string words = most ? " with each within " + format_duration(*most) : std::string();
    if (reading.requests_per_s) {
        words += words.empty() ? "" : " and";
        words += sound ? fmt::format(" at {:g} times real time or more",
                                     *reading.requests_per_s * audio_window_s)
                       : fmt::format(" at {:g} a second or more", *reading.requests_per_s);
    }
    return words;
}

/// The member placed so that it fits; where a rate is missed one by one, in batches.
Result<Placement> placed_in_time(const Reading& reading, const Query& wanted,
                                 WorkloadDocument document, const Architecture& architecture,
                                 const Cluster& cluster, const AnswerTools& tools,
                                 std::string& with) {
    auto placed = placed_to_fit(document, architecture, cluster, tools, with);
    if (!placed || !reading.requests_per_s || reading.concurrency || !document.serving ||
        !answers_whole(*placed) || keeps_pace(reading, wanted, *placed)) {
        return placed;
    }
    document.serving->concurrency = usual_batch_of_requests;
    return placed_to_fit(document, architecture, cluster, tools, with);
}

/// ", 65 tokens/s": the member's own pace, of the kind that was asked for; empty: none is told.
std::string pace_words(const Reading& reading, const Query& wanted, const Placement& placed) {
    const TimeEstimate& time = placed.estimate.time;
    if (placed.workload.task == Task::train) {
        return wanted.tpot_s ? fmt::format(", {} tokens/s", figure_words(time.tokens_per_second))
                             : std::string();
    }
    if (placed.architecture.reads_sound() && reading.requests_per_s) {
        return fmt::format(", {} times real time",
                           figure_words(time.samples_per_second * audio_window_s));
    }
    if (answers_whole(placed) && (reading.requests_per_s || wanted.ttft_s || wanted.answer_s)) {
        return fmt::format(", {} for {}, {} a second", format_duration(time.step / second),
                           placed.workload.batch.micro, figure_words(time.samples_per_second));
    }
    const double pace = time.tpot / second;
    return pace > 0 ? fmt::format(", {} tokens/s", figure_words(1 / pace)) : std::string();
}

/// What a member takes in this use, in words; nothing: it does not fit, or is too slow.
std::optional<std::string> member_held(const Reading& reading, const Use& way, const Member& member,
                                       const Query& wanted, const Cluster& cluster,
                                       const AnswerTools& tools) {
    Reading one = reading;
    one.task = way.task;
    one.method = way.method;
    one.model = member.id;
    one.quantization = way.weights.empty() ? reading.quantization : way.weights;
    WorkloadDocument document = query_of(one).workload;
    want_least(document, one, member.parameters);
    const auto architecture = tools.architecture(document);
    std::string with;
    const auto placed =
        architecture ? placed_in_time(one, wanted, document, *architecture, cluster, tools, with)
                     : Result<Placement>(tl::unexpected(architecture.error()));
    if (!placed || !placed->estimate.memory.fits || !keeps_pace(one, wanted, *placed)) {
        return std::nullopt;
    }
    const MemoryEstimate& memory = placed->estimate.memory;
    return fmt::format("{}{}{:.1f} of {:.1f} GiB{}", with.empty() ? "" : with.substr(1) + ": ",
                       verdict_of(memory) == "barely" ? "barely: " : "", memory.process / gibibyte,
                       (memory.capacity - memory.unclaimed) / gibibyte,
                       pace_words(one, wanted, *placed));
}

}  // namespace

Result<Answer> largest_of_family(const Reading& reading, const Cluster& cluster,
                                 const AnswerTools& tools) {
    bool several_families = false;
    const std::vector<Member> members = members_of(reading, tools, several_families);
    const Query wanted = pace_wanted(reading);
    Answer reply;
    reply.choice = AnswerChoice{.accelerator = cluster.accelerator->id, .count = cluster.count};
    std::string words;
    for (const Use& way : uses_of(reading)) {
        constexpr double nearly = 0.9;  // of the parameters
        const Member* best = nullptr;
        std::string memory;
        for (const Member& member : members) {
            if (best != nullptr && (member.parameters < nearly * best->parameters ||
                                    (several_families && best->current && !member.current) ||
                                    member.release <= best->release)) {
                continue;
            }
            if (const auto held = member_held(reading, way, member, wanted, cluster, tools)) {
                best = &member;
                memory = *held;
            }
        }
        words += words.empty() ? " " : ", ";
        words += best != nullptr ? fmt::format("{} for {} ({})", named_in(reading.family, best->id),
                                               way.words, memory)
                                 : fmt::format("none for {}", way.words);
        reply.values.push_back({"model",
                                {},
                                best != nullptr ? best->parameters : 0,
                                {},
                                "parameters",
                                best != nullptr ? best->id : way.words});
    }
    Query told = wanted;
    if (uses_of(reading).front().task == Task::train) {
        told.ttft_s.reset();
        told.answer_s.reset();
    }
    const auto are = [&](const auto& kind) {
        return std::ranges::all_of(reading.family_models, [&](const std::string& id) {
            WorkloadDocument document;
            document.model_id = id;
            const auto architecture = tools.architecture(document);
            return architecture && kind(*architecture);
        });
    };
    const bool sound = are([](const Architecture& each) { return each.reads_sound(); });
    const bool whole = reading.family_of_networks || are([](const Architecture& each) {
                           return each.kind == ModelKind::diffusion;
                       });
    reply.headline =
        fmt::format("The largest {} that {} hold{}{}:{}.", reading.family, cards_words(cluster),
                    cluster.count == 1 ? "s" : "",
                    whole ? whole_target_words(reading, told, sound) : target_words(told), words);
    return reply;
}

}  // namespace ridgeline
