#include "advise/answers/answer.h"
#include "advise/fits/host_split.h"
#include "advise/fits/in_turn.h"
#include "advise/fits/judged.h"
#include "advise/fits/remedies.h"
#include "advise/fits/replies.h"
#include "advise/fits/states.h"
#include "advise/fits/words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/stacks/lean.h"
#include "advise/stacks/stored_weights.h"
#include "advise/stacks/usual.h"
#include "base/lists.h"
#include "base/text.h"
#include "spec/chip_support.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

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
        if (best.order == best_fit_order) {
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
    const auto open = std::ranges::any_of(fit.reading.assumed, [&](const AssumedField& each) {
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

/// One user's whole weights on a card of his own: a server of many keeps a share of the card free,
/// and who names none may run them as a file.
void try_whole_file(Judged& best, const FitCase& fit) {
    const bool one = fit.document.serving && fit.document.serving->concurrency <= 1 &&
                     fit.document.task == Task::inference && !fit.document.framework &&
                     fit.clusters.front().count == 1;
    const bool home = std::ranges::all_of(
        fit.clusters, [](const Cluster& cluster) { return is_home(*cluster.accelerator); });
    const bool whole = fit.document.quantization.value_or("none") == "none";
    if (!one || !home || !whole || best.order > 0 || !best.reply) {
        return;
    }
    WorkloadDocument file = fit.document;
    file.framework = "llama.cpp";
    Judged trial = judged_on_forms(fit, file);
    if (trial.reply && trial.order > best.order) {
        const double server = best.reply->have_gib.value_or(0);
        best = std::move(trial);
        best.reply->framework = *file.framework;
        best.reply->headline += fmt::format(
            " That is of llama.cpp; a server of many may take {} of the card "
            "alone, which is too little.",
            format_gib(server));
    }
}

/// Served to several on parts of data centres, without a number of them: the fewest that do it.
bool leaves_count_open(const FitCase& fit) {
    const auto& serving = fit.document.serving;
    const bool crowd = serving && serving->concurrency > 1 && fit.document.task == Task::inference;
    return crowd && !fit.reading.copies && !fit.reading.count && !fit.reading.max_count &&
           !fit.reading.owned && !fit.reading.nodes &&
           std::ranges::none_of(
               fit.clusters, [](const Cluster& cluster) { return is_home(*cluster.accelerator); });
}

/// The reply where `count` of them do it; empty: they do not.
std::optional<Answer> served_by(int count, const FitCase& fit) {
    std::vector<Cluster> more;
    for (const Cluster& cluster : fit.clusters) {
        more.push_back(
            make_cluster(fit.tools.knowledge.catalog, *cluster.accelerator, count, 0, nullptr));
    }
    const FitCase larger{fit.reading, fit.query, fit.document, fit.architecture, more, fit.tools};
    Judged judged = judged_on_forms(larger, fit.document);
    const bool serves =
        judged.reply && judged.reply->verdict != "no" && !judged.slow && !judged.waits;
    return serves ? std::move(judged.reply) : std::nullopt;
}

/// Of 2, 4 and whole servers of 8: doubled until some do it, then every server less is tried.
std::optional<Answer> fewest_that_serve(const FitCase& fit) {
    constexpr int most = 128;
    for (int count = 2; count <= most; count *= 2) {
        auto enough = served_by(count, fit);
        if (!enough) {
            continue;
        }
        int fewest = count;
        for (int less = count / 2 + cards_of_node; less < count; less += cards_of_node) {
            if (auto fewer = served_by(less, fit)) {
                enough = std::move(fewer);
                fewest = less;
                break;
            }
        }
        enough->headline += fmt::format(" {} are the fewest that do it{}.", fewest,
                                        fewest > cards_of_node ? ", in whole servers of 8" : "");
        return enough;
    }
    return std::nullopt;
}

/// Of many that were counted the fewest that keep the rate with room: the others do nothing for it.
std::string fewer_words(const FitCase& fit) {
    const Cluster& all = fit.clusters.front();
    const double rate = fit.query.requests_per_s.value_or(0);
    if (rate <= 0 || !fit.query.concurrency_follows || fit.document.task != Task::inference) {
        return "";
    }
    constexpr int node = 8;  // above it whole servers are counted
    Query waits = fit.query;
    waits.requests_per_s.reset();
    for (int count = 1; count < all.count; count += count < node ? 1 : node) {
        const Cluster fewer =
            make_cluster(fit.tools.knowledge.catalog, *all.accelerator, count, 0, nullptr);
        const auto placed = fit.placed(fit.document, fewer);
        if (placed && verdict_of(placed->estimate.memory) == "yes" && surely_keeps(*placed, rate) &&
            pace_of(*placed, waits).middle) {
            return fmt::format(" {} of the {} keep{} it with room, {} requests/s.{}", count,
                               all.count, count > 1 ? "" : "s",
                               figure_words(placed->estimate.time.samples_per_second),
                               asks(fit.reading, "api")
                                   ? " Whether an API costs less is not answered without its price."
                                   : "");
        }
    }
    return "";
}

/// What becomes of a no: layers on the host, more hardware, other ways to store or to train.
void remedy_no(Answer& reply, const FitCase& fit, const WorkloadDocument& accumulated, bool open,
               bool slow) {
    const auto judged = std::ranges::find_if(fit.clusters, [&](const Cluster& each) {
        return reply.choice && each.accelerator->id == reply.choice->accelerator;
    });
    const Cluster& first = judged != fit.clusters.end() ? *judged : fit.clusters.front();
    if (auto split = split_reply(fit.document, fit.architecture, first, fit.reading, fit.tools)) {
        if (split->verdict != "no") {
            reply = std::move(*split);
            return;
        }
        reply.headline += " " + split->headline;
    }
    // Weights that were named as whole or of 8 bits have narrower ones too.
    const bool wide = fit.document.task == Task::inference &&
                      takes_narrow_weights(fit.architecture) &&
                      is_among(fit.document.quantization.value_or(""), {"none", "fp8", "q8_0"}) &&
                      !fit.architecture.packs_experts_in(*fit.document.quantization);
    // A computer whose memory nobody adds to has files of fewer bits.
    const bool alone = fit.document.task == Task::inference &&
                       is_one_computer(*first.accelerator) &&
                       names_file_type(fit.document.quantization.value_or(""));
    if (reply.verdict == "no" && (open || wide || alone)) {
        add_narrow_weights(reply, fit.document, fit.architecture, first, fit.tools);
    }
    if (reply.verdict == "no" && fit.document.micro_batch != accumulated.micro_batch) {
        add_micro_batch(reply, accumulated, fit.architecture, first, fit.tools);
    }
    Query asked = fit.query;
    asked.workload = fit.document;
    add_changes(reply, asked, fit.architecture, first, slow, fit.tools);
    if (reply.verdict == "no" && first.count == 1) {
        add_wired_limit(reply, *first.accelerator);
    }
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
    reply.choice = AnswerChoice{.accelerator = clusters.front().accelerator->id,
                                .count = clusters.front().count,
                                .verdict = reply.verdict};
    reply.headline = "No: " + why + ".";
    return reply;
}

/// Memory is there, and more comes in than ever leaves: what is asked for is not done.
void refuse_load(Answer& reply) {
    reply.verdict = "no";
    if (reply.choice) {
        reply.choice->verdict = reply.verdict;
    }
    reply.headline.replace(0, reply.headline.find(':'), "No, too slow");
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
    const bool home = std::ranges::all_of(
        clusters, [](const Cluster& cluster) { return is_home(*cluster.accelerator); });
    // Nobody serves a published model of fewer bits in still fewer, but on a computer of his own.
    const bool narrows =
        unsaid && (published ? home && best.order <= 0 : best.order < best_fit_order);
    // What one holds with some requests waiting is told of the fewest that hold all.
    const bool open_count = (best.order <= 0 || best.waits) && best.reply && leaves_count_open(fit);
    if (narrows) {
        try_narrow_weights(best, fit);
    }
    try_other_four_bits(best, fit);
    try_lean_ways(best, fit);
    try_networks_in_turn(best, fit);
    try_whole_file(best, fit);
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
    tell_narrow_states(fit, best);
    if (best.reply->verdict != "no" && !best.slow) {
        best.reply->headline += fewer_words(fit);
    }
    if (!best.bears && best.reply->verdict != "no") {
        refuse_load(*best.reply);
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
    std::string word = reply.headline.substr(0, reply.headline.find_first_of(":,"));
    // A stack that brings networks from the host as they are needed keeps them all there.
    const bool waits = reply.headline.find(waiting_networks) != std::string::npos;
    if (reading.keeps_on_card && waits && (word == "Yes" || word == "Barely")) {
        reply.headline.replace(0, word.size(), "No");
        reply.verdict = "no";
        word = "No";
    }
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
