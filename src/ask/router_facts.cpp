#include "ask/router.h"

#include "advise/desk.h"
#include "advise/answer_own.h"
#include "advise/compare.h"
#include "advise/offers.h"
#include "advise/stored_weights.h"
#include "base/order.h"
#include "base/text.h"
#include "report/answer_report.h"
#include "report/budget_report.h"
#include "report/catalog_report.h"
#include "report/ownership_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace ridgeline::ask {
namespace {

constexpr double model_context = 4096;

/// A measure of a kind of work in words.
std::string metric_words(std::string_view metric) {
    static constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"bandwidth_gb_per_s", "memory bandwidth"},
        {"fp64_tflops", "fp64 rate"},
        {"bf16_tflops", "bf16 rate"},
        {"memory_gib", "memory"}};
    for (const auto& [id, plain] : words) {
        if (id == metric) {
            return std::string(plain);
        }
    }
    std::string text(metric);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

/// Of several forms the one that is rented at all, is sold today and has the most rents to compare with.
std::tuple<bool, bool, std::size_t> comparable(const OwnershipAnswer& owned, const Catalog& catalog) {
    const auto price = purchase_price(catalog, *owned.cluster.accelerator);
    return {!owned.rented.empty(), price && price->current, owned.rented.size()};
}

}  // namespace

Result<Routed> Router::kind_of_work() {
    const bool trains = reading_.task == Task::train;
    const std::string id = !reading_.profile.empty()          ? reading_.profile
                           : reading_.task == Task::inference ? "inference-at-scale"
                           : trains && reading_.method.empty() && !asked_.query.method_open
                               ? "llm-training"
                           : trains ? "fine-tuning"
                                    : "";
    const WorkloadProfile* profile = world_.profiles.workload_profile(id);
    if (profile == nullptr) {
        return input_error("question",
                           "no model was named",
                           "Example: ridgeline advise \"what GPU for a 70B fine-tune\".");
    }
    // Who works at home or owns buys a card that is sold today.
    const bool buys = reading_.buy || reading_.home;
    const auto price_of = [&](const Accelerator& part) {
        const auto price = purchase_price(world_.catalog, part);
        return price && price->current && price->basis == PurchaseBasis::card ? price->usd_each : 0;
    };
    std::vector<const Accelerator*> parts;
    for (const Accelerator& part : world_.catalog.accelerators) {
        const bool vendor =
            (reading_.vendors.empty() ||
             std::find(reading_.vendors.begin(), reading_.vendors.end(), lower(part.vendor)) !=
                 reading_.vendors.end()) &&
            std::find(reading_.vendors_excluded.begin(),
                      reading_.vendors_excluded.end(),
                      lower(part.vendor)) == reading_.vendors_excluded.end();
        const bool rented = std::any_of(
            world_.catalog.offers.begin(), world_.catalog.offers.end(), [&](const Offer& offer) {
                return offer.accelerator == part.id && offer.kind != PriceKind::spot;
            });
        const bool needed = missing_features(*profile, part).empty() &&
                            (std::find(reading_.require.begin(), reading_.require.end(), "ecc") ==
                                 reading_.require.end() ||
                             part.ecc.available);
        if (part.kind == "gpu" && vendor && (buys ? price_of(part) > 0 : rented) && needed) {
            parts.push_back(&part);
        }
    }
    const bool by_cost = reading_.objective == Objective::cost;
    const auto rank = [&](const Accelerator& part) {
        const double score = profile_score(*profile, part, world_.catalog);
        return buys ? score / price_of(part) : by_cost ? score / cheapest_hour(part) : score;
    };
    const auto cost_words = [&](const Accelerator& part) {
        return buys ? format_usd(price_of(part)) + " to buy"
                    : "from " + format_usd(cheapest_hour(part)) + "/h";
    };
    stable_order(parts.begin(), parts.end(), [&](const Accelerator* a, const Accelerator* b) {
        return rank(*a) > rank(*b);
    });
    parts.resize(std::min<std::size_t>(parts.size(), 4));
    if (parts.size() < 2) {
        return input_error(
            "question", "no accelerator has all that " + profile->name + " must have", "");
    }
    const Comparison comparison = ridgeline::compare(parts, world_.catalog, profile, {});
    Routed out;
    out.json = report::comparison_json(comparison, profile->id, stamp());
    out.text = report::comparison_text(comparison, profile->id, style());
    for (std::size_t i = 0; i < 2; ++i) {
        AnswerChoice choice;
        choice.accelerator = parts[i]->id;
        choice.why = fmt::format("{:.0f} of 100 for {}", comparison.scores[i], profile->name);
        (i == 0 ? out.reply.choice : out.reply.runner_up) = choice;
    }
    // Whose measure is double precision runs kernels, no models.
    const bool doubles = profile->critical_metric == "fp64_tflops";
    out.reply.headline = fmt::format(
        "{} suits {} best{} ({} weighs most; {}), then {} ({}). Name a {} for {}.",
        parts[0]->name,
        lower(profile->name.substr(0, 1)) + profile->name.substr(1),
        buys ? " for its price" : by_cost ? " for its rent" : "",
        metric_words(profile->critical_metric),
        cost_words(*parts[0]),
        parts[1]->name,
        cost_words(*parts[1]),
        doubles ? "kernel (fft, dgemm, stream triad, spmv)" : "model",
        doubles ? "its time and rate" : "memory, time and cost");
    return out;
}

double Router::cheapest_hour(const Accelerator& part) const {
    double least = std::numeric_limits<double>::max();
    for (const Offer& offer : world_.catalog.offers) {
        if (offer.accelerator == part.id && offer.kind != PriceKind::spot) {
            least = std::min(least, offer.usd_per_accelerator_hour());
        }
    }
    return least;
}

Result<Routed> Router::price() {
    const bool by_memory = reading_.accelerators.empty() && reading_.memory_gib;
    if (by_memory) {
        reading_.accelerators = parts_of_memory(reading_, world_.catalog);
    }
    Catalog shown;  // the offers that the question is about, as one list
    for (const Offer* offer : offers_of(reading_, world_.catalog)) {
        shown.offers.push_back(*offer);
    }
    shown.offers_date = world_.catalog.offers_date;
    Routed out;
    out.json = report::catalog_list_json(shown, "offers", stamp());
    if (!by_memory || !(reading_.buy || reading_.price_kind == "purchase")) {
        out.text = report::catalog_list_text(shown, "offers", style());
    }
    out.reply = by_memory ? reply_cheapest_with(reading_, tools_) : reply_price(reading_, tools_);
    if (by_memory) {
        reading_.accelerators.clear();  // none was named
    }
    if (!reading_.model.empty() && !reading_.accelerators.empty()) {
        // What is rented must hold what it is rented for.
        if (auto held = reply_fit(reading_, asked_.query, tools_)) {
            out.reply.headline += " " + held->headline;
            out.reply.verdict = held->verdict;
        }
    }
    return out;
}

/// The cluster of a side: the form that is rented most, with the side's own count.
std::optional<Cluster> Router::cluster_of(const ReadSide& side) const {
    Reading one = reading_;
    one.accelerators = side.ids;
    one.count = side.count.value_or(1);
    Query query = asked_.query;
    query.accelerators = side.ids;
    query.exact_accelerators = one.count;
    auto clusters = clusters_of(one, query, world_.catalog);
    return clusters.empty() ? std::nullopt : std::optional(std::move(clusters.front()));
}

/// One part owned against another one rented.
Result<Routed> Router::own_or_rent_other(const SiteFigures& figures) {
    const bool first_rented = reading_.sides.front().rented;
    const ReadSide& owned_side = first_rented ? reading_.sides.back() : reading_.sides.front();
    const auto other = cluster_of(first_rented ? reading_.sides.front() : reading_.sides.back());
    std::optional<OwnershipAnswer> owned;
    Error problem{ErrorKind::input, "question", "no hardware of the question is known", ""};
    for (const std::string& id : owned_side.ids) {
        ReadSide form = owned_side;
        form.ids = {id};
        const auto cluster = cluster_of(form);
        auto answer = cluster ? ridgeline::own(*cluster, world_.catalog, figures, asked_.query, date_)
                              : Result<OwnershipAnswer>(tl::unexpected(problem));
        if (!answer) {
            problem = answer.error();
        } else if (!owned || comparable(*answer, world_.catalog) > comparable(*owned, world_.catalog)) {
            owned = std::move(*answer);
        }
    }
    if (!owned || !other) {
        return tl::unexpected(problem);
    }
    owned->rented = rented_other(*owned, *other, world_.catalog, asked_.query);
    Routed out;
    out.json = report::ownership_json(*owned, stamp());
    out.text = report::ownership_text(*owned, style());
    out.reply = reply_own_or_rent(reading_, *owned, *other);
    return out;
}

Result<Routed> Router::own() {
    auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
    SiteFigures figures;
    if (reading_.months) {
        figures.given["life_years"] = *reading_.months / 12;
    }
    if (reading_.usd_per_kwh) {
        figures.given["usd_per_kwh"] = *reading_.usd_per_kwh;
    }
    if (reading_.hours_per_day) {
        figures.given["utilization"] = *reading_.hours_per_day / 24;
    }
    // "bought 4 a6000 in 2022": what was paid is paid, whatever comes.
    if (reading_.owned && !reading_.budget_usd && reading_.sides.size() == 2) {
        figures.given["card_price_usd"] = 1;
        reading_.assumed.push_back({"card_price_usd", "1", "it is there: what it cost is paid either way"});
    }
    if (reading_.budget_usd) {
        figures.given["card_price_usd"] = *reading_.budget_usd;
        std::erase_if(reading_.assumed, [](const AssumedField& each) { return each.field == "buy"; });
        reading_.assumed.push_back({"card_price_usd",
                                    fmt::format("{:g}", *reading_.budget_usd),
                                    "the sum was taken as the price of one card"});
    }
    std::optional<Error> problem;
    std::optional<OwnershipAnswer> chosen;
    bool elsewhere = false;  // the provider that was named lists no rent of it
    if (reading_.sides.size() == 2) {
        auto other = own_or_rent_other(figures);
        if (other) {
            return other;
        }
        problem = other.error();
        clusters.clear();
        const ReadSide& rented = reading_.sides.front().rented ? reading_.sides.front() : reading_.sides.back();
        reading_.count = rented.count;
        reading_.accelerators = rented.ids;
    }
    for (const Cluster& cluster : clusters) {
        auto owned = ridgeline::own(cluster, world_.catalog, figures, asked_.query, date_);
        if (!owned) {
            problem = problem ? problem : std::optional(owned.error());
            continue;
        }
        const bool alike = chosen && same_family(*cluster.accelerator, *chosen->cluster.accelerator);
        if (!chosen || (alike && comparable(*owned, world_.catalog) > comparable(*chosen, world_.catalog))) {
            chosen = std::move(*owned);
        }
    }
    if (chosen && chosen->rented.empty() && !asked_.query.provider.empty()) {
        // That one provider does not list it is no reason to weigh nothing: others do.
        Query anywhere = asked_.query;
        anywhere.provider.clear();
        if (auto wider = ridgeline::own(chosen->cluster, world_.catalog, figures, anywhere, date_)) {
            chosen = std::move(*wider);
            elsewhere = true;
        }
    }
    if (!chosen && problem && !offers_of(reading_, world_.catalog).empty()) {
        // What is known of one side is told, and what the other lacks.
        reading_.attributes.emplace_back("per_month");
        auto rent = price();
        reading_.attributes.pop_back();
        if (rent) {
            rent->reply.headline =
                fmt::format("Only renting can be told, {} ({}): {}",
                            problem->message,
                            "--card-price or --system-price weighs both",
                            rent->reply.headline);
        }
        return rent;
    }
    if (!chosen) {
        return tl::unexpected(problem.value_or(
            Error{ErrorKind::input, "question", "no hardware of the question is known", ""}));
    }
    Routed out;
    if (chosen->at_a_desk && chosen->inputs.server_cost_ratio == 1 && !is_one_computer(*chosen->cluster.accelerator)) {
        reading_.assumed.push_back({"server_ratio",
                                    "1",
                                    "the card alone is paid: the computer around it is there, and off while nothing runs"});
    }
    out.json = report::ownership_json(*chosen, stamp());
    out.text = report::ownership_text(*chosen, style());
    out.reply = reply_own(reading_, *chosen);
    if (elsewhere) {
        out.reply.headline = fmt::format("No rent of it from {} is listed. {}", asked_.query.provider, out.reply.headline);
    }
    return out;
}

Result<Routed> Router::budget() {
    if (!reading_.model.empty() && (reading_.budget_usd || reading_.usd_per_hour)) {
        settle_pictures_at_home();
        const std::string users = asks(reading_, "users_for_money") ? serve_most_users() : std::string();
        auto routed = with_weights_that_fit_limits();
        if (routed && routed->exit_code == 0) {
            lead_with_users(users, routed->reply);
        }
        return routed;
    }
    const bool by_period = reading_.usd_per_hour && !asked_.query.budget_usd;
    if (by_period) {
        asked_.query.budget_usd = *reading_.usd_per_hour * hours_of_a_month;
    }
    if (!asked_.query.budget_usd && !asked_.query.exact_accelerators) {
        asked_.query.exact_accelerators = 1;
    }
    BudgetAnswer answer = budget_answer_on(asked_, world_);
    // Credits of a cloud, or a sum to be spent at one, buy no cards.
    const bool rented = reading_.credits || (asked_.query.budget_usd && !reading_.providers.empty() && !reading_.buy);
    if (rented && !by_period) {
        answer.buy.clear();
        answer.recommendation = "rent";
        constexpr double hours_of_a_year = 8760;
        const auto spent = std::find_if(answer.rent.begin(), answer.rent.end(), [](const Rentable& each) {
            return each.hours <= hours_of_a_year;
        });
        if (spent != answer.rent.end()) {
            std::rotate(answer.rent.begin(), spent, spent + 1);
        }
    }
    if (by_period) {
        answer.buy.clear();
        answer.recommendation = "rent";
        // What serves has to stand there all month: the most work that is paid for so long.
        const auto lasting = std::find_if(
            answer.rent.begin(), answer.rent.end(), [](const Rentable& each) {
                return each.hours >= hours_of_a_month;
            });
        if (lasting != answer.rent.end()) {
            std::rotate(answer.rent.begin(), lasting, lasting + 1);
        }
    }
    if (answer.buy.empty() && !reading_.accelerators.empty() && !asked_.query.budget_usd) {
        return held_by_each();  // hardware that is no longer sold is there all the same
    }
    if (!answer.buy.empty() && asked_.query.budget_usd) {
        assume_price(answer.buy.front().cluster);
    }
    // What is there is neither bought nor rented.
    const bool there = reading_.owned && !reading_.accelerators.empty() && !asked_.query.budget_usd && !answer.buy.empty();
    if (there) {
        answer.rent.clear();
        answer.beside.reset();
        for (Purchasable& each : answer.buy) {
            each.usd = 0;
        }
    }
    Routed out;
    out.json = report::budget_json(answer, stamp());
    out.text = there ? std::string() : report::budget_text(answer, style());
    out.reply = reply_budget(reading_, answer);
    if (there && out.reply.choice) {
        out.reply.choice->why = "owned";
        out.reply.values.clear();
    }
    if ((by_period || rented) && !answer.rent.empty()) {
        // What it can do is asked, not only what it is.
        const Rentable& rent = answer.rent.front();
        Reading one = reading_;
        one.accelerators = {rent.offer->accelerator};
        one.count = rent.instances * rent.offer->count;
        one.usd_per_hour.reset();
        one.budget_usd.reset();
        if (const auto held = reply_largest(one, query_of(one), tools_)) {
            out.reply.headline += " " + held->headline;
        }
        if (rented) {
            // A sum that is spent is so many hours, which bound a run from scratch before memory does.
            one.deadline_s = rent.hours * 3600;
            one.method = "full";
            if (const auto trained = reply_largest(one, query_of(one), tools_)) {
                out.reply.headline += " " + trained->headline;
            }
        }
    }
    out.exit_code = answer.buy.empty() && answer.rent.empty() ? 3 : 0;
    return out;
}

Result<Routed> Router::held_by_each() {
    const bool forms =
        std::any_of(reading_.assumed.begin(), reading_.assumed.end(), [](const AssumedField& each) {
            return each.field == "accelerators";
        });
    Answer all;
    for (const std::string& id : reading_.accelerators) {
        Reading one = reading_;
        Query query = asked_.query;
        if (!forms) {
            one.accelerators = {id};
            query.accelerators = {id};
        }
        auto reply = reply_largest(one, query, tools_);
        if (!reply) {
            return tl::unexpected(reply.error());
        }
        all.headline += (all.headline.empty() ? "" : " ") + reply->headline;
        all.choice = all.choice ? all.choice : reply->choice;
        all.values.insert(all.values.end(), reply->values.begin(), reply->values.end());
        if (forms) {
            break;
        }
    }
    return alone(std::move(all));
}

Result<Routed> Router::describe() {
    Routed out;
    if (reading_.accelerators.empty() && reading_.model.empty()) {
        const bool cheapest = reading_.objective == Objective::cost || reading_.objective == Objective::price;
        if (cheapest && !reading_.attributes.empty()) {
            Reading of_parts = reading_;
            for (const Accelerator* part : parts_with(reading_, world_.catalog)) {
                of_parts.accelerators.push_back(part->id);
            }
            return alone(reply_cheapest_with(of_parts, tools_));
        }
        return alone(reply_parts_with(reading_, tools_));
    }
    if (reading_.accelerators.empty()) {
        WorkloadDocument document;
        document.model_id = reading_.model;
        const auto architecture = architecture_of(document, world_);
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        report::ModelAnswer model;
        model.parameters = count_parameters(*architecture);
        model.kv_bytes_per_token = kv_bytes_per_token(*architecture, 2);
        model.context = model_context;
        model.forward_flops_per_token = forward_flops_per_token(*architecture, model_context);
        model.architecture = *architecture;
        out.json = report::model_json(model, stamp());
        out.text = report::model_text(model, style());
        out.reply = reply_model(reading_, *architecture);
        return out;
    }
    const Machine* machine =
        reading_.machine.empty() ? nullptr : world_.catalog.machine(reading_.machine);
    const Accelerator* part = world_.catalog.accelerator(reading_.accelerators.front());
    if (part == nullptr) {
        return input_error(
            "question",
            "no accelerator \"" + reading_.accelerators.front() + "\" in the catalog",
            reading_.neighbour);
    }
    out.json = machine != nullptr ? report::machine_json(*machine, stamp())
                                  : report::accelerator_json(*part, world_.catalog, stamp());
    out.text = machine != nullptr ? report::machine_text(*machine, world_.catalog, style())
                                  : report::accelerator_text(*part, world_.catalog, style());
    const auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
    out.reply = asks_for_energy(reading_) && !clusters.empty()
                    ? reply_energy(reading_, clusters.front(), world_.catalog)
                    : reply_part(reading_, tools_);
    return out;
}

}  // namespace ridgeline::ask
