#include "advise/figure_words.h"
#include "advise/fits/memory_ways.h"
#include "advise/hardware/cluster.h"
#include "advise/placement/waiting.h"
#include "advise/reading/hardware/settings.h"
#include "advise/search/search.h"
#include "advise/stacks/stored_weights.h"
#include "ask/open_questions.h"
#include "ask/router.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// What to take for the work, and what is settled first so that anything holds it.

namespace ridgeline::ask {
namespace {

/// Windows of speech at once: batch_size of faster-whisper's BatchedInferencePipeline as its README
/// calls it.
constexpr int usual_windows = 16;
/// What a text of a job counts in tokens: read and, where answers are written, written.
double tokens_of_request(const Reading& reading, const Serving& each) {
    const bool silent = reading.answers_at_once && !reading.output_tokens;
    return std::max(
        1.0, (reading.writes_tokens ? 0 : each.input_tokens) + (silent ? 0 : each.output_tokens));
}

/// Dollars of what an option makes in a second, by rent, or by its price where it is bought.
double usd_of_rate(const Option& option, bool buys) {
    const double usd =
        buys ? option.purchase_usd.value_or(0) : option.estimate.cost.usd_per_hour / 3600 * 1e6;
    const double rate = option.estimate.time.work_per_second();
    return usd > 0 && rate > 0 ? usd / rate : std::numeric_limits<double>::infinity();
}

/// "amd or nvidia, which": what of each maker that was named and has not made `chosen` does most
/// for the same kind of money; the maker that is chosen leads where none does more for it.
void tell_makers(const Reading& reading, const Question& asked, const World& world, Answer& reply) {
    const AnswerChoice chosen = *reply.choice;
    const Accelerator* first = world.catalog.accelerator(chosen.accelerator);
    if (first == nullptr || reading.vendors.size() < 2) {
        return;
    }
    const bool buys = asked.query.buy || !chosen.usd_per_hour;
    Question together = asked;
    const auto all = advice_on(together, world, AdviceExtent::options);
    double mine = std::numeric_limits<double>::infinity();
    bool least = true;
    std::string words;
    for (const Option& each : all ? all->options : std::vector<Option>()) {
        mine = each.cluster.accelerator == first && each.cluster.count == chosen.count
                   ? usd_of_rate(each, buys)
                   : mine;
    }
    for (const std::string& maker : reading.vendors) {
        if (lower(first->vendor) == maker) {
            continue;
        }
        Question one = asked;
        one.query.vendor = maker;
        const auto advice = advice_on(one, world, AdviceExtent::options);
        if (!advice || advice->options.empty()) {
            words += fmt::format(" Of {}'s nothing within the limits holds it.", maker);
            continue;
        }
        const Option& best = *std::ranges::min_element(
            advice->options, {}, [&](const Option& each) { return usd_of_rate(each, buys); });
        const double theirs = usd_of_rate(best, buys);
        least = least && mine <= theirs;
        const bool tokens = best.estimate.time.tokens_per_second > 0;
        const std::string unit = fmt::format("{}{}", buys ? "for each of the " : "a million ",
                                             tokens ? "tokens" : "samples");
        const std::string price = std::isinf(theirs) && !best.purchase_usd
                                      ? ", no price of which is known"
                                  : std::isinf(theirs) || buys
                                      ? " for about " + format_usd(*best.purchase_usd)
                                      : " at " + format_usd(best.estimate.cost.usd_per_hour) + "/h";
        words += fmt::format(" Of {}'s it is {} x {}{}, {} {}/s", best.cluster.accelerator->vendor,
                             best.cluster.count, best.cluster.accelerator->name, price,
                             figure_words(best.estimate.time.work_per_second()),
                             tokens ? "tokens" : "samples");
        words += std::isinf(theirs) || std::isinf(mine)
                     ? "."
                     : fmt::format(": {} {}{} against {} of {}'s.", format_usd(theirs), unit,
                                   buys ? " a second" : "", format_usd(mine), first->vendor);
    }
    reply.headline =
        (least && !std::isinf(mine) ? first->vendor + ": " : "") + reply.headline + words;
}

}  // namespace

Result<Routed> Router::held_otherwise(Routed refused) {
    const AssumedField* watts = assumed_of(reading_, "watts");
    if (watts != nullptr && watts->why == reading::low_power_card) {
        asked_.query.max_watts.reset();
        forget_assumed(reading_, "watts");
        reading_.flags = flags_of(reading_, asked_.query);
        auto fed = with_advice({});
        if (fed && fed->exit_code == 0) {
            fed->reply.headline =
                "No card that a slot feeds (75 W) is known to be sold for it; by the energy of the "
                "work: " +
                fed->reply.headline;
        }
        return fed;
    }
    Result<Routed> routed = take_weights_of_servers() || narrow_weights()
                                ? with_advice({})
                                : Result<Routed>(std::move(refused));
    if (routed && routed->exit_code == 3 && take_rate_of_all()) {
        const std::string alone = fmt::format(
            " That is of several users together: no single stream reaches {:g} "
            "tokens/s.",
            *reading_.open_tokens_per_s);
        routed = with_advice({});
        if (routed) {
            routed->reply.headline += alone;
        }
    }
    return routed;
}

void Router::lead_with_job(Answer& reply) {
    // On what is recommended, with its plan: the same work at another would take another time.
    const auto advice = advice_on(asked_, world_, AdviceExtent::options);
    const auto architecture = completed(asked_.query.workload, world_);
    if (!advice || advice->options.empty() || !architecture) {
        return;
    }
    const Option& best = advice->options.front();
    Placement placement;
    placement.architecture = *architecture;
    placement.workload = best.workload;
    placement.cluster = best.cluster;
    placement.estimate = best.estimate;
    if (!placement.workload.serving) {
        return;
    }
    const Answer job = reply_duration(reading_, placement, reading_.usd_per_kwh.value_or(0));
    reply.headline = job.headline + " " + reply.headline;
    reply.values = job.values;
}

Result<Routed> Router::without_kind(Routed refused) {
    if (asked_.query.price_kind.empty() || asked_.query.buy) {
        return refused;
    }
    const std::string kind = asked_.query.price_kind;
    asked_.query.price_kind.clear();
    auto routed = with_advice({});
    if (!routed || routed->exit_code != 0) {
        asked_.query.price_kind = kind;
        return refused;
    }
    routed->reply.headline =
        fmt::format("No {} offer{} that does it is listed; of other kinds: {}", kind,
                    reading_.providers.empty() ? "" : " by " + reading_.providers.front(),
                    routed->reply.headline);
    return routed;
}

Result<Routed> Router::only_a_rack() {
    Answer fed;
    fed.headline = keep_to_rack();
    if (fed.headline.empty()) {
        return kind_of_work();
    }
    const double count = asked_.query.max_accelerators.value_or(0);
    fed.values.push_back({"count", {}, count, {}, "accelerators", ""});
    return alone(std::move(fed));
}

bool Router::take_pile() {
    constexpr double least_texts = 1000;
    constexpr double least_tokens = 1e6;
    const bool loaded = reading_.concurrency || reading_.requests_per_s;
    const bool counted = (reading_.deadline_s && (reading_.samples || reading_.tokens)) ||
                         (!loaded && (reading_.samples.value_or(0) >= least_texts ||
                                      reading_.tokens.value_or(0) >= least_tokens));
    if ((reading_.audio_s || counted) && reading_.task == Task::inference) {
        serve_in_bulk();
        reading_.flags = flags_of(reading_, asked_.query);
        return true;
    }
    auto& serving = asked_.query.workload.serving;
    if (reading_.full_load && !loaded && serving && !reading_.counts_samples) {
        // What makes most of all users together is measured with as many as a machine's copies
        // take.
        const bool most = asked_.query.objective == Objective::time;
        serving->concurrency = most_of_an_engine * (most ? cards_of_node : 1);
        forget_assumed(reading_, "concurrency");
        assume_first(reading_, "concurrency", fmt::format("{:g}", serving->concurrency),
                     "at full load");
        reading_.flags = flags_of(reading_, asked_.query);
    }
    return false;
}

void Router::take_enough_or_tell_nearest(const Query& limits, Routed& refused) {
    auto enough = enough_of_part();
    enough = enough ? enough : enough_by_scaling();
    if (enough) {
        refused.reply = std::move(*enough);
        refused.exit_code = 0;
    } else {
        tell_nearest(limits, refused.reply);
    }
}

void Router::lead_with_purchase(Answer& reply) {
    const auto advice = advice_on(asked_, world_, AdviceExtent::options);
    if (!advice || advice->options.empty()) {
        return;
    }
    const Option& best = advice->options.front();
    // Of what is ranked the first whose price is known.
    const auto sold = std::ranges::find_if(advice->options, [&](const Option& each) {
        return purchase_price(world_.catalog, *each.cluster.accelerator).has_value();
    });
    const Option& bought = sold == advice->options.end() ? best : *sold;
    reply.headline = bought_beside_api(bought.cluster, bought.workload, bought.estimate) +
                     kept_price(best.workload, best.estimate) + reply.headline;
}

void Router::tell_choice(Answer& reply) {
    if (reply.choice) {
        reply.headline += in_machines(reply.choice->count);
    }
    if (reading_.usd_per_million || asks(reading_, "api")) {
        lead_with_purchase(reply);
    }
    add_served_adapters(reading_, tools_, reply);
    reply.headline += kinds_of_choice(reply);
}

Result<Routed> Router::hardware() {
    if (reading_.model.empty()) {
        // "how many h100 fit in a 15 kW rack"
        return only_a_rack();
    }
    const bool pile = take_pile();
    const std::string fed = keep_to_rack();
    serve_for_a_price();
    settle_pictures_at_home();
    const std::string wide = settle_adapters_at_home();
    const bool one_person = take_files_of_one_person();
    const std::string replaced = outdo_replaced();
    const std::string together = hold_together();
    const std::string undercut = undercut_named();
    const Query limits = asked_.query;
    auto routed = with_advice({});
    const std::string leaner =
        routed && routed->exit_code == 0 ? take_leaner_on_fewer(routed->reply) : "";
    routed = leaner.empty() ? std::move(routed) : with_advice({});
    if (routed) {
        routed->reply.headline += leaner + undercut + wide + replaced;
    }
    const bool one_card = asks(reading_, "one_card") && routed && routed->reply.choice &&
                          routed->reply.choice->count == 1;
    if ((one_person || one_card) && routed && routed->exit_code == 0) {
        routed->reply.headline += bought_for_one();
    }
    if (routed && routed->exit_code == 0 && routed->reply.choice) {
        tell_makers(reading_, asked_, world_, routed->reply);
    }
    if (routed && routed->exit_code == 3) {
        routed = held_otherwise(std::move(*routed));
    }
    if (routed && routed->exit_code == 3) {
        routed = without_kind(std::move(*routed));
    }
    if (!routed) {
        return routed;
    }
    Answer& reply = routed->reply;
    if (routed->exit_code == 0) {
        reply.headline += in_narrow_weights(reply);
        lead_with_class(reading_, asked_, world_, reply);
    } else {
        take_enough_or_tell_nearest(limits, *routed);
    }
    if (routed->exit_code == 0) {
        tell_choice(reply);
    } else if (reply.choice) {
        reply.headline += in_machines(reply.choice->count);
    }
    reply.headline = within_sum(routed->exit_code) + reply.headline;
    if (routed->exit_code == 0) {
        reply.headline += hours_of_sum(reply);
    }
    if (!reading_.task) {
        add_other_task(reply);
    }
    const bool shared = !together.empty() && !reading_.beside.empty() && !reading_.in_turn;
    const std::string sized =
        shared ? fmt::format("Sized by the memory of all {} and the load of {} alone: ",
                             reading_.beside.size() + 1, reading_.model)
               : std::string();
    reply.headline = fed + sized + reply.headline + together;
    if (pile && reply.choice && routed->exit_code == 0) {
        lead_with_job(reply);
    }
    return routed;
}

bool Router::take_rate_of_all() {
    Query& query = asked_.query;
    const bool open = reading_.open_tokens_per_s && !reading_.concurrency &&
                      !reading_.requests_per_s && query.tpot_s && !query.requests_per_s &&
                      query.workload.task == Task::inference && query.workload.serving;
    if (!open) {
        return false;
    }
    const double each = query.workload.serving->output_tokens;
    // One person's pace under limits of money or power is missed by some, which is told instead.
    constexpr double fastest_read = 100;
    const bool limited = query.budget_usd || query.budget_usd_per_hour || query.max_watts ||
                         query.rack_kw || query.max_accelerators || query.exact_accelerators;
    if (limited && *reading_.open_tokens_per_s <= fastest_read) {
        return false;
    }
    query.tpot_s.reset();
    reading_.tpot_s.reset();
    reading_.requests_per_s = *reading_.open_tokens_per_s / each;
    query.requests_per_s = reading_.requests_per_s;
    forget_assumed(reading_, "tpot_s");
    forget_assumed(reading_, "concurrency");
    assume_first(reading_, "requests_per_s", fmt::format("{:.3g}", *reading_.requests_per_s),
                 fmt::format("{:g} tokens a second of all users, in answers of {:g}: no one of "
                             "them is so fast alone",
                             *reading_.open_tokens_per_s, each));
    fill_request_rate(reading_, query);
    reading_.flags = flags_of(reading_, query);
    return true;
}

std::optional<Answer> Router::enough_of_part() {
    Query& query = asked_.query;
    const auto clusters = clusters_of(reading_, query, world_.catalog);
    const bool limited = query.exact_accelerators || query.max_accelerators || query.budget_usd ||
                         query.budget_usd_per_hour || query.deadline_s || query.ttft_s ||
                         query.tpot_s || query.answer_s || query.requests_per_s;
    WorkloadDocument document = query.workload;
    const auto architecture = completed(document, world_);
    if (clusters.empty() || limited || query.accelerators.empty() || !architecture) {
        return std::nullopt;
    }
    for (const int count : {2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64, 96, 128}) {
        const Cluster cluster =
            make_cluster(world_.catalog, *clusters.front().accelerator, count, 0, nullptr);
        const auto placed = place(knowledge_, document, *architecture, cluster, nullptr);
        if (!placed || !placed->estimate.memory.fits) {
            continue;
        }
        Answer reply;
        reply.choice = AnswerChoice{};
        reply.choice->accelerator = cluster.accelerator->id;
        reply.choice->count = count;
        reply.headline = fmt::format(
            "{} x {} hold it, {:.1f} of {:.1f} GiB on each; no offer of so many in one place is "
            "known.",
            count, cluster.accelerator->name, placed->estimate.memory.process / gibibyte,
            placed->estimate.memory.capacity / gibibyte);
        return reply;
    }
    return std::nullopt;
}

std::optional<Answer> Router::enough_by_scaling() {
    constexpr int largest = 16384;  // that is estimated
    const Query& query = asked_.query;
    const auto clusters = clusters_of(reading_, query, world_.catalog);
    const bool open = query.deadline_s && !query.accelerators.empty() &&
                      !query.exact_accelerators && !query.max_accelerators && !query.budget_usd;
    WorkloadDocument document = query.workload;
    const auto architecture = completed(document, world_);
    if (!open || clusters.empty() || !architecture || query.workload.task != Task::train) {
        return std::nullopt;
    }
    const Cluster cluster =
        make_cluster(world_.catalog, *clusters.front().accelerator, largest, 0, nullptr);
    const auto placed = place(knowledge_, document, *architecture, cluster, nullptr);
    if (!placed || !placed->estimate.memory.fits) {
        return std::nullopt;
    }
    const TimeEstimate& time = placed->estimate.time;
    const double times = time.total / second / *query.deadline_s;
    constexpr double whole = 72;  // a multiple of all racks and servers
    const auto enough = [&](double share) {
        return std::ceil(largest * times * share / whole) * whole;
    };
    constexpr double most = 1e6;  // more than anybody has joined
    if (enough(time.band.high) > most) {
        return std::nullopt;
    }
    Answer reply;
    reply.choice = AnswerChoice{};
    reply.choice->accelerator = cluster.accelerator->id;
    reply.choice->count = static_cast<int>(enough(1));
    reply.headline = fmt::format(
        "About {} x {} ({} to {}), if the run goes on scaling beyond the {} that are estimated: "
        "there it takes {}, {} of peak.",
        figure_words(enough(1)), cluster.accelerator->name, figure_words(enough(time.band.low)),
        figure_words(enough(time.band.high)), largest, format_duration(time.total / second),
        fmt::format("{:.0f} %", 100 * time.mfu));
    return reply;
}

std::string Router::within_sum(int exit_code) const {
    if (!asks(reading_, "sum_enough") || !asked_.query.budget_usd) {
        return "";
    }
    if (exit_code != 0) {
        return "No: ";
    }
    const auto advice = advice_on(asked_, world_, AdviceExtent::options);
    const bool known = advice && !advice->options.empty();
    const Option* best = known ? &advice->options.front() : nullptr;
    const double most = best == nullptr ? 0
                        : asked_.query.requests_of_job > 0
                            ? usd_of_job(asked_.query, *best) * best->estimate.time.band.high
                            : best->estimate.cost.usd_total_high;
    return most > *asked_.query.budget_usd ? "Barely: " : "Yes: ";
}

std::string Router::in_machines(int count) const {
    if (reading_.in_nodes && count >= cards_of_node) {
        const int nodes = (count + cards_of_node - 1) / cards_of_node;
        return fmt::format(" That is {} node{} of 8.", figure_words(nodes), nodes > 1 ? "s" : "");
    }
    const Machine* machine = world_.catalog.machine(reading_.machine);
    if (machine == nullptr || machine->accelerators <= 1 || reading_.count ||
        count < machine->accelerators) {
        return "";
    }
    const int machines = (count + machine->accelerators - 1) / machine->accelerators;
    return fmt::format(" That is {} x {}.", figure_words(machines), machine->name);
}

void Router::serve_in_bulk() {
    Query& query = asked_.query;
    WorkloadDocument& document = query.workload;
    const Serving usual;
    const Serving& each = document.serving ? *document.serving : usual;
    // Windows, texts or images of the job: so many a second end in time.
    const double requests =
        reading_.audio_s   ? reading_.heard_s.value_or(*reading_.audio_s) / audio_window_s
        : reading_.samples ? *reading_.samples
                           : reading_.tokens.value_or(0) / tokens_of_request(reading_, each);
    if (requests > 0 && query.deadline_s && !query.requests_per_s) {
        query.requests_per_s = requests / *query.deadline_s;
        query.deadline_s.reset();
        // Texts that nobody waits for run as many at once as do for a rate; what is answered in one
        // pass is gathered in batches.
        query.concurrency_follows =
            !reading_.concurrency && (reading_.audio_s || reading_.answers_at_once ||
                                      reading_.in_batches || reading_.counts_samples);
    }
    const bool one =
        reading_.counts_samples && !reading_.samples && !reading_.audio_s && !reading_.tokens;
    if (reading_.concurrency || !document.serving || one) {
        return;
    }
    // What is heard or read in one pass runs in a copy on each card, with windows of its own.
    const bool copies = reading_.audio_s || reading_.answered_in_one_pass;
    int batch = (reading_.audio_s ? usual_windows : usual_batch_of_requests) *
                (copies ? std::max(1, reading_.count.value_or(1)) : 1);
    const bool few = reading_.audio_s && requests < batch;
    query.requests_of_job = query.requests_per_s || query.buy ? 0 : requests;
    if (copies && !reading_.count && !query.concurrency_follows && !few) {
        query.concurrency_each = batch;
    }
    batch = few ? std::max(1, static_cast<int>(std::ceil(requests))) : batch;
    document.serving->concurrency = batch;
    forget_assumed(reading_, "concurrency");
    if (query.concurrency_follows && reading_.intent == Intent::hardware) {
        assume_first(reading_, "concurrency", "as few as keep the rate",
                     "on each part, as nobody said how many run at once");
        return;
    }
    assume_first(reading_, "concurrency", std::to_string(batch),
                 few ? "all windows of 30 s of what is heard at once"
                 : reading_.audio_s
                     ? fmt::format("{} windows of 30 s at once on each, as faster-whisper's "
                                   "example has it",
                                   usual_windows)
                     : "requests at once of a job that nobody waits for");
}

void Router::add_other_task(Answer& reply) {
    Reading serving = reading_;
    serving.task = Task::inference;
    Question other;
    other.query = query_of(serving);
    const bool least = asks(reading_, "smallest_part") && reading_.accelerators.empty();
    const bool one = least || (asks(reading_, "one_person") && !other.query.buy);
    const bool four_bits = one && !other.query.workload.quantization &&
                           !other.query.workload.compute && runs_in_four_bits(other.query.workload);
    if (four_bits) {
        other.query.workload.quantization = files_of_four_bits;
    }
    auto advice = advice_on(other, world_);
    if (!advice) {
        return;
    }
    Answer second = reply_of(*advice);
    second.task = "inference";
    Answer first = reply;
    first.task = "training";
    const bool smallest = least && smallest_served(other, second);
    const std::string_view serves = smallest    ? ""
                                    : four_bits ? "Serving one in q4_k_m: "
                                                : "Serving: ";
    const auto architecture = completed(asked_.query.workload, world_);
    // Models of language and speech are run by more people than train them; networks are trained.
    if (architecture && !architecture->stacks.empty()) {
        const std::string choice =
            smallest ? second.headline : second.headline.substr(0, second.headline.find("; "));
        reply.headline = fmt::format("{}{}{} Training, in the table: {}", serves, choice,
                                     choice.ends_with('.') ? "" : ".", first.headline);
    } else {
        reply.headline = fmt::format("Training: {} {}{}", first.headline, serves, second.headline);
    }
    reply.answers = {std::move(first), std::move(second)};
}

}  // namespace ridgeline::ask
