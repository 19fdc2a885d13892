#include "advise/answer.h"
#include "advise/desk.h"
#include "advise/fit_remedies.h"
#include "advise/fit_words.h"
#include "advise/host_split.h"
#include "advise/lean_stacks.h"
#include "advise/memory_ways.h"
#include "advise/offers.h"
#include "advise/pace.h"
#include "advise/plans.h"
#include "advise/stored_weights.h"
#include "advise/waiting.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "estimate/serving/waiting.h"
#include "spec/chip_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ridgeline {

std::string verdict_of(const MemoryEstimate& memory) {
    const Bytes room = memory.capacity - memory.unclaimed;
    const double high = memory.band.high > 0 ? memory.band.high : 1;
    if (!memory.fits) {
        return "no";
    }
    return memory.process * high <= room ? "yes" : "barely";
}

namespace {

std::string hardware_words(const Cluster& cluster) {
    return fmt::format("{} x {}", cluster.count, cluster.accelerator->name);
}

std::string work_words(const Placement& placement) {
    const std::string model =
        placement.architecture.id.empty() ? placement.architecture.name : placement.architecture.id;
    if (placement.workload.task != Task::inference) {
        static constexpr const char* methods[] = {"full training", "LoRA", "QLoRA"};
        // What it takes goes with the batch, which most leave open.
        const bool maps = placement.architecture.network || placement.architecture.reads_images();
        return model + ", " + methods[static_cast<std::size_t>(placement.workload.method)] +
               fmt::format("{}{}", maps ? " in batches of " : " at micro-batch ",
                           placement.workload.batch.micro);
    }
    const std::string& weights = placement.workload.quantization.name;
    return model + " served in " +
           (weights.empty() || weights == "none" ? std::string(name_of(placement.workload.weights))
                                                 : weights);
}

/// What a round of generating answers and learning from them takes.
std::string round_words(const TimeEstimate& time) {
    if (!time.round) {
        return "";
    }
    const double seconds = time.step / second;
    return fmt::format(" A round of {:.0f} prompts x {:.0f} answers takes {} ({} to {}).",
                       time.round->prompts, time.round->answers, format_duration(seconds),
                       format_duration(seconds * time.band.low),
                       format_duration(seconds * time.band.high));
}

std::string waiting_words(const Placement& placement) {
    const double running = running_requests(placement.estimate.memory, placement.workload);
    const double all = placement.workload.serving ? placement.workload.serving->concurrency : 1;
    return running < all
               ? fmt::format(" {:.0f} of the {:.0f} requests run at once, the others wait.",
                             running, all)
               : "";
}

/// Of two answers the better: what fits before what does not, then what is as fast as was asked.
int order_of(std::string_view verdict, const Pace& pace) {
    const int speed = pace.middle ? 5 : pace.at_best ? 3 : 1;
    return verdict == "no" ? 0 : speed + (verdict == "yes" ? 1 : 0);
}
constexpr int best_order = 6;

Answer judged(const Placement& placement, const Query& query, bool sized) {
    const MemoryEstimate& memory = placement.estimate.memory;
    Answer reply;
    reply.verdict = verdict_of(memory);
    // Who asks for so many users is served, though not all at once; where each was told its context
    // it is no.
    const bool waits = reply.verdict != "no" && !waiting_words(placement).empty();
    if (waits) {
        reply.verdict = sized ? "no" : "barely";
    }
    const double gib = memory.process / gibibyte;
    reply.needs = AnswerNeeds{gib * memory.band.low, gib, gib * memory.band.high};
    reply.have_gib = (memory.capacity - memory.unclaimed) / gibibyte;
    AnswerChoice choice;
    choice.accelerator = placement.cluster.accelerator->id;
    choice.count = placement.cluster.count;
    choice.verdict = reply.verdict;
    reply.choice = choice;
    static constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"yes", "Yes"}, {"barely", "Barely"}, {"no", "No"}};
    const auto word = std::find_if(std::begin(words), std::end(words),
                                   [&](const auto& each) { return each.first == reply.verdict; });
    reply.headline = fmt::format(
        "{}{}: {} needs {} GiB ({} to {}) of {} GiB on each of {}.", word->second,
        waits && reply.verdict == "no" ? ", not at once" : "", work_words(placement),
        format_gib(gib).substr(0, format_gib(gib).find(' ')),
        format_gib(reply.needs->low).substr(0, format_gib(reply.needs->low).find(' ')),
        format_gib(reply.needs->high).substr(0, format_gib(reply.needs->high).find(' ')),
        format_gib(*reply.have_gib).substr(0, format_gib(*reply.have_gib).find(' ')),
        hardware_words(placement.cluster));
    if (memory.fits) {
        reply.headline += round_words(placement.estimate.time);
        reply.headline += waiting_words(placement);
        const Pace pace = pace_of(placement, query);
        // The verdict is that of memory; a pace that is missed is said right behind it.
        if (!pace.middle) {
            reply.headline.insert(reply.headline.find(':'),
                                  pace.at_best ? ", but perhaps too slow" : ", but too slow");
        }
        reply.headline += pace.words;
    }
    return reply;
}

struct Judged {
    std::optional<Answer> reply;
    int order = -1;
    bool slow = false;   ///< it fits and is slower than was asked
    bool waits = false;  ///< it fits with some of the requests waiting
    std::optional<Error> error;
};

/// sized  how long a request is was said
void keep_better(Judged& best, Result<Placement> placed, const Query& query, bool sized) {
    if (!placed) {
        best.error = best.error ? best.error : std::optional(placed.error());
        return;
    }
    Answer reply = judged(*placed, query, sized);
    const Pace pace = placed->estimate.memory.fits ? pace_of(*placed, query) : Pace{};
    if (const int order = order_of(reply.verdict, pace); order > best.order) {
        best.reply = std::move(reply);
        best.order = order;
        best.slow = !pace.middle;
        best.waits = !waiting_words(*placed).empty();
    }
}

/// One task of a question of fit, on all forms of its hardware.
struct FitCase {
    const Reading& reading;
    const Query& query;
    const WorkloadDocument& document;
    const Architecture& architecture;
    const std::vector<Cluster>& clusters;
    const AnswerTools& tools;

    /// Whether the least that a step needs is judged, as of the memory alone: nobody said how large
    /// a batch is or how fast it has to be.
    [[nodiscard]] bool judges_least() const {
        return document.task == Task::train && !document.preference && !reading.batch &&
               !reading.micro_batch && !query.deadline_s && !has_program(architecture) &&
               !architecture.reads_images();
    }

    [[nodiscard]] Result<Placement> placed(const WorkloadDocument& trial, const Cluster& on) const {
        WorkloadDocument least = trial;
        if (judges_least()) {
            train_on_one_sample(least, reading.keep_activations);
        }
        auto placement = tools.place(least, architecture, on);
        if (placement) {
            // What the cache does not hold waits, where the engine lets it.
            let_requests_wait(tools.knowledge, trial, on, nullptr, *placement);
            bound_by_host(*placement, reading);
        }
        return placement;
    }
};

/// The better of the forms; `best` gets a word on a form with more room.
Judged judged_on_forms(const FitCase& fit, const WorkloadDocument& document) {
    Judged best;
    std::string roomier;  // another form of the same part, where the usual one only just holds it
    for (const Cluster& cluster : fit.clusters) {
        auto placed = fit.placed(document, cluster);
        const bool usual = best.reply && best.reply->verdict == "barely" && !best.waits &&
                           same_family(*fit.clusters.front().accelerator, *cluster.accelerator);
        if (usual) {
            const bool roomy = placed && verdict_of(placed->estimate.memory) == "yes" &&
                               waiting_words(*placed).empty();
            roomier = roomy && roomier.empty() ? hardware_words(cluster) : roomier;
            continue;
        }
        keep_better(best, std::move(placed), fit.query,
                    fit.reading.sequence || fit.reading.input_tokens);
    }
    if (!roomier.empty()) {
        best.reply->headline += fmt::format(" {} has the room.", roomier);
    }
    return best;
}

/// Types of stored weights for a question of fit: on one's own hardware down to three bits.
std::vector<std::string_view> types_of_fit(const FitCase& fit) {
    std::vector<const Accelerator*> parts;
    for (const Cluster& cluster : fit.clusters) {
        parts.push_back(cluster.accelerator);
    }
    auto types =
        weights_to_try(fit.document, fit.architecture, parts, fit.tools.knowledge.profiles);
    add_types_below_usual(types, fit.architecture);
    return types;
}

/// Narrower weights, where those of the model do not fit, barely fit or are too slow.
void try_narrow_weights(Judged& best, const FitCase& fit) {
    const Judged wide = best;
    const std::string verdict = wide.reply ? wide.reply->verdict : "no";
    const std::string published = fit.document.quantization.value_or("none");
    const std::string whole =
        published == "none" ? "16-bit weights" : published + " weights, as published,";
    std::string_view tight;  // the widest that fits and leaves no room
    std::string_view chosen;
    for (const std::string_view type : types_of_fit(fit)) {
        WorkloadDocument narrower = fit.document;
        narrower.quantization = std::string(type);
        Judged trial = judged_on_forms(fit, narrower);
        if (trial.reply && trial.reply->verdict == "barely" && tight.empty()) {
            tight = type;
        }
        if (trial.reply && trial.order > best.order) {
            best = std::move(trial);
            chosen = type;
        }
        if (best.order == best_order) {
            break;
        }
    }
    if (chosen.empty()) {
        return;
    }
    best.reply->weights = std::string(chosen);
    if (fit.architecture.packs_experts_in(published)) {
        best.reply->headline +=
            fmt::format(" Its experts stay in {}, as published; only a server's copy {}.",
                        published, verdict == "barely" ? "fits barely" : "does not fit");
        return;
    }
    const bool below = is_below_usual(chosen) && (tight.empty() || is_below_usual(tight));
    best.reply->headline +=
        fmt::format(" {} {}{}.", whole.substr(0, 1) == "1" ? whole : "Its " + whole,
                    wide.slow             ? "are slower"
                    : verdict == "barely" ? "fit barely"
                                          : "do not fit",
                    below ? ", nor does q4_k_m" : "");
    if (!tight.empty() && tight != chosen) {
        best.reply->headline += fmt::format(" {} fits barely.", tight);
    }
}

/// "In 4 bits": where the usual file of 4 bits does not fit, a smaller one may.
void try_other_four_bits(Judged& best, const FitCase& fit) {
    const auto open = std::any_of(
        fit.reading.assumed.begin(), fit.reading.assumed.end(), [&](const AssumedField& each) {
            return each.field == "quantization" && each.value == "q4_k_m" &&
                   fit.document.quantization == each.value;
        });
    if (!open || best.order > 0 || fit.document.task != Task::inference) {
        return;
    }
    for (const std::string_view type : other_files_of_four_bits()) {
        WorkloadDocument narrower = fit.document;
        narrower.quantization = std::string(type);
        Judged trial = judged_on_forms(fit, narrower);
        if (trial.reply && trial.order > best.order) {
            best = std::move(trial);
            best.reply->weights = std::string(type);
            best.reply->headline += " q4_k_m, the usual file of 4 bits, does not fit.";
        }
    }
}

/// The same training in less memory, where the usual stack has no room for it: yes, with that.
void try_lean_ways(Judged& best, const FitCase& fit) {
    // Whether a run fails is asked of the run as it stands.
    if (!best.reply || best.order > 0 || asks(fit.reading, "failure")) {
        return;
    }
    const Judged usual = best;
    for (const LeanWay& way : lean_ways(fit.tools.knowledge.profiles, fit.document,
                                        fit.architecture, fit.clusters.front().count)) {
        Judged trial = judged_on_forms(fit, way.document);
        if (!trial.reply || trial.order <= best.order) {
            continue;
        }
        best = std::move(trial);
        Answer& reply = *best.reply;
        reply.framework = fit.document.framework ? "" : way.document.framework.value_or("");
        reply.loss = way.document.loss;
        reply.change = {{way.flags, "fits with " + way.words}};
        reply.headline.insert(reply.headline.find_first_of(",:"), " with " + way.words);
        reply.headline += fmt::format(" Without it {} are needed ({}).",
                                      format_gib(usual.reply->needs->mid), way.flags);
    }
}

/// Served to several on parts of data centres, without a number of them: the fewest that do it.
bool leaves_count_open(const FitCase& fit) {
    const auto& serving = fit.document.serving;
    const bool crowd = serving && serving->concurrency > 1 && fit.document.task == Task::inference;
    return crowd && !fit.reading.copies && !fit.reading.count && !fit.reading.max_count &&
           !fit.reading.owned && !fit.reading.nodes &&
           std::none_of(fit.clusters.begin(), fit.clusters.end(),
                        [](const Cluster& cluster) { return is_home(*cluster.accelerator); });
}

std::optional<Answer> fewest_that_serve(const FitCase& fit) {
    constexpr int most = 128;
    for (int count = 2; count <= most; count *= 2) {
        std::vector<Cluster> more;
        for (const Cluster& cluster : fit.clusters) {
            more.push_back(
                make_cluster(fit.tools.knowledge.catalog, *cluster.accelerator, count, 0, nullptr));
        }
        const FitCase larger{fit.reading,      fit.query, fit.document,
                             fit.architecture, more,      fit.tools};
        Judged judged = judged_on_forms(larger, fit.document);
        if (judged.reply && judged.reply->verdict != "no" && !judged.slow && !judged.waits) {
            judged.reply->headline += fmt::format(" {} are the fewest that do it.", count);
            return judged.reply;
        }
    }
    return std::nullopt;
}

/// What becomes of a no: layers on the host, more hardware, other ways to store or to train.
void remedy_no(Answer& reply, const FitCase& fit, const WorkloadDocument& accumulated, bool open,
               bool slow) {
    const Cluster& first = fit.clusters.front();
    if (auto split = split_reply(fit.document, fit.architecture, first, fit.reading, fit.tools)) {
        if (split->verdict != "no") {
            reply = std::move(*split);
            return;
        }
        reply.headline += " " + split->headline;
    }
    if (reply.verdict == "no" && open) {
        add_narrow_weights(reply, fit.document, fit.architecture, first, fit.tools);
    }
    if (reply.verdict == "no" && fit.document.micro_batch != accumulated.micro_batch) {
        add_micro_batch(reply, accumulated, fit.architecture, first, fit.tools);
    }
    Query asked = fit.query;
    asked.workload = fit.document;
    add_changes(reply, asked, fit.architecture, first, slow, fit.tools);
}

/// "No", where no part runs what is asked under the stack that was named or is usual.
std::optional<Answer> without_a_build(const WorkloadDocument& document,
                                      const Architecture& architecture,
                                      const std::vector<Cluster>& clusters,
                                      const AnswerTools& tools) {
    std::string why;
    for (const Cluster& cluster : clusters) {
        const Accelerator& part = *cluster.accelerator;
        const auto usual =
            usual_software(tools.knowledge.profiles, document, architecture, part, cluster.count);
        if (usual.empty()) {
            return std::nullopt;
        }
        const std::string conflict = chip_conflict(document, *usual.front(), part).why;
        if (conflict.empty()) {
            return std::nullopt;
        }
        why = why.empty() ? conflict : why;
    }
    Answer reply;
    reply.verdict = "no";
    AnswerChoice choice;
    choice.accelerator = clusters.front().accelerator->id;
    choice.count = clusters.front().count;
    choice.verdict = reply.verdict;
    reply.choice = choice;
    reply.headline = "No: " + why + ".";
    return reply;
}

/// One task on all forms of the hardware.
Result<Answer> fit_of(const Reading& reading, const Query& query,
                      const std::vector<Cluster>& clusters, const AnswerTools& tools) {
    WorkloadDocument document = query.workload;
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    if (auto none = without_a_build(document, *architecture, clusters, tools)) {
        return *none;
    }
    const WorkloadDocument accumulated = document;
    if (architecture->kind == ModelKind::diffusion) {
        take_named_batch(document, reading, *architecture, clusters.front().count);
    }
    train_as_networks_do(document, *architecture, clusters.front().count);
    const FitCase fit{reading, query, document, *architecture, clusters, tools};
    Judged best = judged_on_forms(fit, document);
    const bool unsaid = document.task == Task::inference && !query.workload.quantization &&
                        !query.workload.compute && takes_narrow_weights(*architecture);
    const bool published = document.quantization && *document.quantization != "none";
    const bool home = std::all_of(clusters.begin(), clusters.end(), [](const Cluster& cluster) {
        return is_home(*cluster.accelerator);
    });
    // Nobody serves a published model of fewer bits in still fewer, but on a computer of his own.
    const bool narrows = unsaid && (published ? home && best.order <= 0 : best.order < best_order);
    // What one holds with some requests waiting is told of the fewest that hold all.
    const bool open_count = (best.order <= 0 || best.waits) && best.reply && leaves_count_open(fit);
    if (narrows) {
        try_narrow_weights(best, fit);
    }
    try_other_four_bits(best, fit);
    try_lean_ways(best, fit);
    if (open_count) {
        if (auto enough = fewest_that_serve(fit)) {
            const bool lacks = best.order <= 0 || best.waits;
            if (lacks && !reading.single) {
                return *enough;
            }
            best.reply->headline +=
                lacks ? std::string()
                      : fmt::format(" Whole weights take {} of them.", enough->choice->count);
        }
    }
    if (!best.reply) {
        return tl::unexpected(best.error.value_or(
            Error{ErrorKind::input, "hardware", "no hardware of the question is known", ""}));
    }
    if (best.waits && best.reply->verdict == "no") {
        if (auto enough = reading.copies ? std::nullopt : fewest_that_serve(fit)) {
            best.reply->headline +=
                fmt::format(" {} x {} hold them all.", enough->choice->count,
                            tools.knowledge.catalog.accelerator(enough->choice->accelerator)->name);
        }
    } else if (best.reply->verdict == "no" || best.slow) {
        remedy_no(*best.reply, fit, accumulated, (unsaid || reading.as_published) && !published,
                  best.slow);
    }
    return *best.reply;
}

/// Of training and serving each, where the question leaves open which is meant.
Result<Answer> fit_of_both(const Reading& reading, const Query& query,
                           const std::vector<Cluster>& clusters, const AnswerTools& tools) {
    Answer both;
    for (const Task task : {Task::inference, Task::train}) {
        auto one = fit_of(reading, query_of(reading, task), clusters, tools);
        if (!one) {
            continue;
        }
        *one = reading.copies ? of_copies(std::move(*one), reading) : *one;
        *one = asks(reading, "overkill") ? judged_as_too_much(std::move(*one)) : *one;
        *one = asks(reading, "failure") ? without_yes_and_no(std::move(*one)) : *one;
        both.headline += (both.headline.empty() ? "" : " ") + one->headline;
        both.choice = both.choice ? both.choice : one->choice;
        both.have_gib = one->have_gib;
        one->task = task == Task::train ? "training" : "inference";
        both.answers.push_back(std::move(*one));
    }
    if (both.answers.empty()) {
        return fit_of(reading, query, clusters, tools);
    }
    const std::string& verdict = both.answers.front().verdict;
    if (both.answers.back().verdict == verdict) {
        both.verdict = verdict;
    }
    return both;
}

/// Whether it is asked or told that nothing may lie on the host: the verdict is of that.
void tell_kept_on_card(const Reading& reading, Answer& reply) {
    const std::string word = reply.headline.substr(0, reply.headline.find_first_of(":,"));
    if (reading.keeps_on_card && (word == "Yes" || word == "Barely" || word == "No")) {
        reply.headline.insert(word.size(),
                              word == "No" ? ", not without offload" : ", without offload");
    }
}

}  // namespace

Result<Answer> reply_fit(const Reading& reading, const Query& query, const AnswerTools& tools) {
    const auto known =
        known_clusters(reading, query, tools.knowledge.catalog, "can my rtx 4090 run llama-3.1-8b");
    if (!known) {
        return tl::unexpected(known.error());
    }
    const std::vector<Cluster>& clusters = *known;
    if (reading.task) {
        auto one = fit_of(reading, query, clusters, tools);
        if (one && reading.copies) {
            *one = of_copies(std::move(*one), reading);
        }
        if (one) {
            add_served_adapters(reading, tools, *one);
        }
        if (one) {
            tell_kept_on_card(reading, *one);
        }
        if (one && asks(reading, "overkill")) {
            *one = judged_as_too_much(std::move(*one));
        }
        if (one && asks(reading, "failure")) {
            *one = without_yes_and_no(std::move(*one));
        }
        return one;
    }
    return fit_of_both(reading, query, clusters, tools);
}

}  // namespace ridgeline
