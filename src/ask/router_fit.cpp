#include "advise/answers/cheaper_provider.h"
#include "advise/answers/rate_words.h"
#include "advise/answers/rents.h"
#include "advise/comparisons/replies.h"
#include "advise/figure_words.h"
#include "advise/fits/host_split.h"
#include "advise/fits/memory_ways.h"
#include "advise/fits/replies.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/largest/replies.h"
#include "advise/ranking/compare.h"
#include "ask/open_questions.h"
#include "ask/router.h"
#include "base/lists.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

// Whether work fits, what memory it needs, which of several parts is better, the largest that is
// held.

namespace ridgeline::ask {
namespace {

/// The figures that time, room and money of a workload rest on.
Comparison briefly(Comparison comparison) {
    std::erase_if(comparison.rows, [](const ComparisonRow& row) {
        static constexpr std::string_view told[] = {"memory_gib",   "bandwidth_gb_per_s",
                                                    "bf16_tflops",  "tdp_w",
                                                    "usd_purchase", "usd_per_hour"};
        return std::ranges::find(told, row.metric->id) == std::end(told);
    });
    comparison.features.clear();
    comparison.fits.clear();
    return comparison;
}

/// "how much ram for deepseek with a 4090": what the card leaves to the host, of one user's model.
std::optional<Answer> ram_beside(const Reading& reading, const Query& query,
                                 const AnswerTools& tools) {
    const bool trains = reading.task == Task::train || !reading.sharding.empty() ||
                        !reading.optimizer.empty() || reading.framework == "deepspeed";
    if (!asks(reading, "host_ram") || trains || reading.model.empty()) {
        return std::nullopt;
    }
    const auto clusters = clusters_of(reading, query, tools.knowledge.catalog);
    Reading one = reading;
    one.task = Task::inference;
    one.method.clear();
    one.quantization = reading.quantization.empty() ? "q4_k_m" : reading.quantization;
    WorkloadDocument document = query_of(one, Task::inference).workload;
    const auto architecture = tools.architecture(document);
    return clusters.empty() || !architecture
               ? std::nullopt
               : ram_beside_card(document, *architecture, clusters.front(), one, tools);
}

}  // namespace

void Router::show_as_judged(const Answer& reply) {
    Query& query = asked_.query;
    AssumedField* type = assumed_of(reading_, "quantization");
    const bool of_bits = type != nullptr && query.workload.quantization &&
                         *query.workload.quantization == type->value;
    if (!reply.weights.empty() && (of_bits || !query.workload.quantization)) {
        query.workload.quantization = reply.weights;
    }
    if (of_bits && !reply.weights.empty() && reply.weights != type->value) {
        type->value = reply.weights;
        type->why = "a file of 4 bits that fits";
        reading_.flags = flags_of(reading_, query);
    }
    if (!reply.framework.empty() || reply.loss) {
        WorkloadDocument& work = query.workload;
        work.framework = reply.framework.empty() ? work.framework : std::optional(reply.framework);
        work.loss = reply.loss;
        reading_.flags = flags_of(reading_, query);
    }
    AssumedField* count = assumed_of(reading_, "count");
    const bool counted = reply.choice && count != nullptr && !reading_.count &&
                         reply.choice->count != query.exact_accelerators.value_or(1);
    if (counted) {
        query.exact_accelerators = reply.choice->count;
        count->value = std::to_string(reply.choice->count);
        count->why = "no number of cards was said: the fewest that hold it";
        reading_.flags = flags_of(reading_, query);
    }
    if (AssumedField* host = assumed_of(reading_, "host_memory_gib")) {
        host->why = "what it and the system leave bounds what may lie on the host";
    }
}

Result<Answer> Router::fit_of_side(const ReadSide& side) const {
    Reading one = reading_;
    one.accelerators = side.ids;
    one.count = side.count.value_or(1);
    one.sides.clear();
    Query query = asked_.query;  // with the options that were laid over the question
    query.accelerators = side.ids;
    query.exact_accelerators = one.count;
    return reply_fit(one, query, tools_);
}

std::string Router::without_offer() const {
    const std::string& kind = reading_.price_kind;
    const bool rents = !kind.empty() && kind != "purchase";
    return rents && offers_of(reading_, world_.catalog).empty()
               ? fmt::format(" No {} offer of it{} is listed.", kind,
                             reading_.providers.empty() ? "" : " by " + reading_.providers.front())
               : std::string();
}

std::string Router::least_memory() {
    if (!reading_.less_memory_gib || !reading_.memory_gib) {
        return "";
    }
    const double less = *reading_.less_memory_gib, more = *reading_.memory_gib;
    const auto judged = [&](double gb) {
        reading_.memory_gib = gb;
        asked_.query.memory_per_accelerator_gib = gb;
        reading_.flags = flags_of(reading_, asked_.query);
        const auto reply = reply_fit(reading_, asked_.query, tools_);
        if (!reply) {
            return std::string("no");
        }
        // Where no task was said, what serves it is asked first.
        return reply->answers.empty() ? reply->verdict : reply->answers.front().verdict;
    };
    const std::string small = judged(less);
    if (small == "yes") {
        return fmt::format("{:g} GB are enough. ", less);
    }
    const std::string large = judged(more);
    return large == "no" ? fmt::format("Neither {:g} nor {:g} GB are enough. ", less, more)
                         : fmt::format("{:g} GB are {}. ", less,
                                       small == "barely" ? "barely enough" : "too little");
}

std::string Router::told_price() {
    const Accelerator* part = reading_.accelerators.empty()
                                  ? nullptr
                                  : world_.catalog.accelerator(reading_.accelerators.front());
    const bool unlisted =
        part != nullptr && reading_.memory_gib && &with_memory_read(*part, reading_) != part;
    if (!reading_.budget_usd || part == nullptr || hours_of_period(reading_) > 0) {
        return "";
    }
    asked_.query.budget_usd.reset();
    reading_.flags = flags_of(reading_, asked_.query);
    if (unlisted) {
        return fmt::format(
            " Whether {} is a good price for it is not known: none is listed with "
            "{:g} GB.",
            money_words(reading_, *reading_.budget_usd), *reading_.memory_gib);
    }
    return " " + reply_good_price(reading_, {}, world_.catalog).headline;
}

std::string Router::beyond_sum() const {
    const double hours = hours_of_period(reading_);
    const double sum = reading_.budget_usd.value_or(0);
    const auto offers = hours > 0 && sum > 0 && !reading_.owned
                            ? offers_of(reading_, world_.catalog)
                            : std::vector<const Offer*>();
    const auto least = std::ranges::find_if(
        offers, [](const Offer* offer) { return offer->kind != PriceKind::spot; });
    const double hour = least == offers.end() ? 0 : hour_of(reading_, **least);
    return hour * hours <= sum
               ? std::string()
               : fmt::format("No: it costs {} {} at the least ({}, {}, {}/h), {} pay for {}. ",
                             money_words(reading_, hour * hours), period_words(reading_, hours),
                             (*least)->provider, name_of((*least)->kind), format_usd(hour),
                             money_words(reading_, sum), format_duration(sum / hour * 3600));
}

std::string Router::rented_beside_own() const {
    if (!asks(reading_, "own_or_rent")) {
        return "";
    }
    Question other = asked_;
    other.query.accelerators.clear();
    other.query.exact_accelerators.reset();
    other.query.memory_per_accelerator_gib.reset();
    other.query.owned = other.query.ladder = other.query.buy = false;
    const auto advice = advice_on(other, world_, AdviceExtent::options);
    if (!advice || advice->options.empty() || !advice->options.front().estimate.cost.offer) {
        return " Nothing that is rented out does it.";
    }
    const Option& best = advice->options.front();
    const TimeEstimate& time = best.estimate.time;
    return fmt::format(" Rented, {} at {}/h ({}) does it at {} {}.", cards_words(best.cluster),
                       format_usd(best.estimate.cost.usd_per_hour),
                       best.estimate.cost.offer->provider, figure_words(time.work_per_second()),
                       time.tokens_per_second > 0 ? "tokens/s" : "samples/s");
}

std::string Router::held_of_family(const Answer& reply) const {
    const AssumedField* model = assumed_of(reading_, "model");
    const std::size_t from = model == nullptr ? 0 : model->why.find('"') + 1;
    if (from == 0 || !reply.choice || reading_.task == Task::train) {
        return "";
    }
    // The name as it was typed, which leaves the size open.
    const std::string name = model->why.substr(from, model->why.find('"', from) - from);
    const auto sizes = read_question(fmt::format("biggest {} on {} x {}, inference", name,
                                                 reply.choice->count, reply.choice->accelerator),
                                     vocabulary_of(world_));
    const auto held =
        sizes && !sizes->family_models.empty()
            ? reply_largest(*sizes, query_of(Reading(*sizes), Task::inference), tools_)
            : Result<Answer>(tl::unexpected(Error{}));
    return held ? " " + held->headline : "";
}

Result<Routed> Router::fit() {
    if (!reading_.beside.empty()) {
        auto both = fit_of_both();
        if (!both) {
            return tl::unexpected(both.error());
        }
        const bool held = both->verdict != "no";
        auto routed = with_advice(std::move(*both));
        if (routed) {
            routed->exit_code = held ? 0 : 3;
        }
        return routed;
    }
    if (compares_settings(reading_)) {
        auto each = reply_settings(reading_, tools_);
        if (!each) {
            return tl::unexpected(each.error());
        }
        const bool none = each->verdict == "no";
        auto routed = alone(std::move(*each));
        routed.exit_code = none ? 3 : 0;
        return routed;
    }
    const std::string memory = least_memory();
    auto reply = reading_.sides.size() == 2 ? fit_of_side(reading_.sides.front())
                                            : reply_fit(reading_, asked_.query, tools_);
    const auto other =
        reading_.sides.size() == 2 ? fit_of_side(reading_.sides.back()) : Result<Answer>(Answer{});
    if (!reply || !other) {
        return tl::unexpected(reply ? other.error() : reply.error());
    }
    const std::string dear = beyond_sum();
    if (!dear.empty()) {
        for (const auto& [judged, told] :
             {std::pair<std::string_view, const char*>{"Yes: ", "The memory would do: "},
              {"Barely: ", "The memory would barely do: "}}) {
            if (reply->headline.starts_with(judged)) {
                reply->headline.replace(0, judged.size(), told);
            }
        }
        reply->verdict = "no";
    }
    const bool no = reply->verdict == "no";
    const std::string levers = lever_words(*reply);
    if (const std::string others = fits_of_other_methods(); !others.empty()) {
        reply->headline = reading_.alternatives.front() + ": " + reply->headline + others;
    }
    reply->headline = dear + levers + memory + type_first(*reply) + reply->headline +
                      rent_beside(*reply) + without_offer();
    show_as_judged(*reply);
    if (no) {
        reply->headline += held_of_family(*reply);
    }
    if (!other->headline.empty()) {
        reply->headline += " The other: " + other->headline;
    }
    reply->headline += told_price() + rented_beside_own();
    auto routed = with_advice(std::move(*reply));
    if (routed) {
        routed->exit_code = no ? 3 : 0;
    }
    return routed;
}

std::string Router::type_first(const Answer& reply) const {
    if (!asks(reading_, "which_type") || reading_.task != Task::inference || !reply.choice) {
        return "";
    }
    if (reply.verdict != "no" && reply.headline.find(" served in ") != std::string::npos) {
        const std::size_t from = reply.headline.find(" served in ") + 11;
        return fmt::format("{} is the widest that fits. ",
                           reply.headline.substr(from, reply.headline.find(' ', from) - from));
    }
    WorkloadDocument document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    const Accelerator* part = world_.catalog.accelerator(reply.choice->accelerator);
    std::string narrowest;
    for (const char* type : {"q3_k_m", "iq3_m", "q2_k", "iq2_m"}) {
        document.quantization = type;
        const auto placed =
            architecture && part != nullptr
                ? place(knowledge_, document, *architecture,
                        make_cluster(world_.catalog, *part, reply.choice->count, 0, nullptr),
                        nullptr)
                : Result<Placement>(tl::unexpected(Error{}));
        if (placed && placed->estimate.memory.fits) {
            return fmt::format("{} is the widest that fits alone. ", type);
        }
        narrowest = placed ? fmt::format(": {}, the narrowest, needs {} on each of {}", type,
                                         format_gib(placed->estimate.memory.process / gibibyte),
                                         counted_noun(reply.choice->count, "card"))
                           : narrowest;
    }
    return fmt::format("None fits alone{}. ", narrowest);
}

std::string Router::rent_beside(const Answer& reply) const {
    if (!asks(reading_, "per_month") || !reply.choice || reading_.owned) {
        return "";
    }
    const Accelerator* part = world_.catalog.accelerator(reply.choice->accelerator);
    if (part == nullptr) {
        return "";
    }
    const Cluster cluster = make_cluster(world_.catalog, *part, reply.choice->count, 0, nullptr);
    // By the provider that was named, while it rents it out.
    const Offer* offer =
        cheapest_offer(world_.catalog, asked_.query, *part, cluster.count, cluster.per_node);
    offer = offer != nullptr ? offer : offer_for(world_.catalog, cluster, asked_.query.price_kind);
    if (offer == nullptr) {
        return " No rent of it is listed.";
    }
    const double hour = rent_of(*offer, cluster.count);
    const double day = reading_.hours_per_day.value_or(24);
    return fmt::format(" Rented, {} x {} are {}/h, {} a month of {:.3g} hours a day ({}, {}).",
                       cluster.count, part->name, format_usd(hour),
                       format_usd(hour * hours_of_a_month * day / 24), day, offer->provider,
                       offer->date);
}

Result<Answer> Router::fit_by_memory() const {
    Reading card = reading_;
    card.accelerators.clear();
    card.unknown_parts.clear();
    if (reading_.intent == Intent::largest) {
        return reply_largest(card, query_of(card), tools_);
    }
    return reply_fit(card, query_of(card), tools_);
}

Result<Answer> Router::needed_memory() const {
    Reading any = reading_;
    any.accelerators.clear();
    any.unknown_parts.clear();
    return reply_memory(any, tools_);
}

Result<Routed> Router::memory() {
    if (auto shared = ram_beside(reading_, asked_.query, tools_)) {
        return alone(std::move(*shared));
    }
    // The card holds all of it: what a run that trains keeps on the host is no answer.
    if (asks(reading_, "host_ram") && !reading_.offload && reading_.task != Task::train &&
        !reading_.accelerators.empty()) {
        std::erase(reading_.attributes, "host_ram");
    }
    auto reply =
        !reading_.beside.empty() ? memory_of_both(reading_) : reply_memory(reading_, tools_);
    if (reply) {
        lead_with_memory_of_classes(reading_, tools_, *reply);
        const SoftwareProfile* software = world_.profiles.software_profile(reading_.framework);
        if (software != nullptr && asks(reading_, "reserved") && software->engine.memory_fraction) {
            reply->headline = fmt::format(
                "{} reserves {:.0f} % of what a card has for its cache, whatever the model takes: "
                "{}",
                software->name, 100 * *software->engine.memory_fraction, reply->headline);
        }
    }
    const bool piece = asks(reading_, "part_adapters") || asks(reading_, "part_checkpoint") ||
                       asks(reading_, "part_embedding") || asks(reading_, "part_logits") ||
                       asks(reading_, "per_layer");
    return !reply  ? tl::unexpected(reply.error())
           : piece ? Result<Routed>(alone(std::move(*reply)))
                   : with_advice(std::move(*reply));
}

Result<Answer> Router::compare_sides() {
    const bool open = reading_.task == Task::inference && !reading_.model.empty() &&
                      !reading_.home && !reading_.concurrency && !reading_.requests_per_s &&
                      !reading_.full_load && !reading_.in_batches && !reading_.answers_at_once &&
                      !reading_.hears && !reading_.counts_samples && !reading_.ttft_s &&
                      !reading_.tpot_s && !reading_.answer_s && !asks(reading_, "per_gpu") &&
                      !asks(reading_, "one_person") && !asks(reading_, "latency") &&
                      !asks(reading_, "ttft") && !asks(reading_, "one_at_a_time");
    bool machines = true;
    int most = 1;
    for (const ReadSide& side : reading_.sides) {
        most = std::max(most, side.count.value_or(1));
        for (const Accelerator* part : known_parts(side.ids, world_.catalog)) {
            machines = machines && !is_home(*part) && !stands_at_a_desk(*part);
        }
    }
    auto single = reply_compare(reading_, asked_.query, tools_);
    // What a token takes of energy falls to a tenth where many share the weights that are read.
    const bool energy = reading_.objective == Objective::energy;
    if (!open || !machines || (most == 1 && !energy) || !single) {
        return single;
    }
    const Reading one = reading_;
    reading_.concurrency = usual_batch_of_requests;
    forget_assumed(reading_, "concurrency");
    assume_first(reading_, "concurrency", std::to_string(usual_batch_of_requests),
                 energy ? "what is weighed by its energy is kept busy"
                        : "machines of several cards serve more than one user");
    auto busy = reply_compare(reading_, asked_.query, tools_);
    if (!busy || busy->values.size() < 2 || single->values.size() < 2) {
        reading_ = one;
        return single;
    }
    // Rates of one request in the order of the others.
    std::string rates;
    std::size_t told = 0;
    for (const AnswerValue& value : busy->values) {
        for (const AnswerValue& one_value : single->values) {
            if (one_value.of == value.of && one_value.quantity == value.quantity && one_value.mid) {
                rates += (told++ > 0 ? " against " : "") + figure_words(*one_value.mid);
            }
        }
    }
    if (told == busy->values.size()) {
        busy->headline +=
            fmt::format(" One request alone: {} {}.", rates, busy->values.front().unit);
    }
    asked_.query.workload.serving->concurrency = usual_batch_of_requests;
    reading_.flags = flags_of(reading_, asked_.query);
    return busy;
}

void Router::compare_in_four_bits(Answer& reply) {
    const AssumedField* method = assumed_of(reading_, "method");
    constexpr std::string_view alone = "Only ";
    if (method == nullptr || method->value != "lora" || reading_.task != Task::train ||
        !reply.headline.starts_with(alone) || reading_.alternatives_of == "method" ||
        !reading_.compute.empty() || !reading_.quantization.empty() || reading_.weight_bits) {
        return;
    }
    Reading narrow = reading_;
    narrow.method = "qlora";
    forget_assumed(narrow, "method");
    assume_first(narrow, "method", "qlora",
                 "the method was not said, and one side alone holds the weights in 16 bits");
    Query query = asked_.query;
    query.workload.method = Method::qlora;
    auto both = reply_compare(narrow, query, tools_);
    if (!both || both->headline.starts_with(alone) || both->values.size() < 2) {
        return;
    }
    both->headline = "With the weights in 4 bits (QLoRA): " + both->headline +
                     " In 16 bits (LoRA): " + reply.headline;
    reply = std::move(*both);
    asked_.query = std::move(query);
    reading_ = std::move(narrow);
    reading_.flags = flags_of(reading_, asked_.query);
}

std::string Router::yes_or_no(const Answer& reply) const {
    const bool slower = asks(reading_, "is_slower");
    if (reading_.sides.size() != 2 || !(slower || asks(reading_, "is_faster"))) {
        return "";
    }
    std::optional<double> rates[2];
    for (const AnswerValue& value : reply.values) {
        for (std::size_t side = 0; side < 2 && value.quantity == "speed"; ++side) {
            for (const std::string& id : reading_.sides[side].ids) {
                rates[side] = value.of.ends_with(" x " + id) ? value.mid : rates[side];
            }
        }
    }
    if (!rates[0] || !rates[1]) {
        return "";
    }
    const bool alike =
        std::max(*rates[0], *rates[1]) < same_rate_within * std::min(*rates[0], *rates[1]);
    return alike ? "Hardly: " : (*rates[0] < *rates[1]) == slower ? "Yes: " : "No: ";
}

Result<Routed> Router::compare() {
    const bool models = reading_.alternatives_of == "models";
    if (models && reading_.sides.size() < 2) {
        reading_.alternatives_of = "model";
    }
    if (reading_.sides.size() < 2) {
        auto reply = reply_compare(reading_, asked_.query, tools_);
        return reply ? Result<Routed>(alone(std::move(*reply))) : tl::unexpected(reply.error());
    }
    std::vector<const Accelerator*> parts;
    std::vector<int> counts;
    for (const ReadSide& side : reading_.sides) {
        for (const std::string& id : side.ids) {
            const Accelerator* part = world_.catalog.accelerator(id);
            const int count = side.count.value_or(1);
            std::size_t at = 0;
            while (at < parts.size() && (parts[at] != part || counts[at] != count)) {
                ++at;
            }
            if (at == parts.size()) {
                parts.push_back(part);
                counts.push_back(count);
            }
        }
    }
    // Double precision is a figure of the part, whatever the work.
    const bool figure = asks(reading_, "fp64") || (!reading_.task && !reading_.attributes.empty());
    const bool one_figure = reading_.model.empty() && figure && !asks(reading_, "rent") &&
                            !asks(reading_, "value") && !asks(reading_, "matches");
    auto reply = models       ? compare_for_each()
                 : one_figure ? reply_figures(reading_, tools_)
                              : compare_sides();
    if (!reply) {
        return tl::unexpected(reply.error());
    }
    compare_in_four_bits(*reply);
    const auto rents = rents_of_instances(reading_.sides, parts, counts, world_.catalog);
    const Comparison comparison = ridgeline::compare(parts, world_.catalog, nullptr,
                                                     world_.profiles.workloads, counts, rents);
    const std::string verdict = yes_or_no(*reply);
    if (!verdict.empty() && reply->headline.starts_with("With ")) {
        reply->headline.front() = 'w';  // it goes on behind the verdict
    }
    reply->headline = owned_sides() + verdict + reply->headline;
    Routed out = alone(std::move(*reply));
    out.json = report::comparison_json(comparison, "", stamp());
    const bool brief = !reading_.model.empty() && !request_.flag("explain");
    out.text = report::comparison_text(brief ? briefly(comparison) : comparison, "", style()) +
               (brief ? "All figures: --explain\n" : "");
    return out;
}

}  // namespace ridgeline::ask
