#include "ask/routes.h"

#include "advise/answer.h"
#include "advise/compare.h"
#include "advise/offers.h"
#include "advise/placement.h"
#include "advise/plans.h"
#include "ask/kernel_answer.h"
#include "base/text.h"
#include "data/load.h"
#include "estimate/families/families.h"
#include "report/answer_report.h"
#include "report/budget_report.h"
#include "report/catalog_report.h"
#include "report/option_words.h"
#include "report/ownership_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace ridgeline::ask {
namespace {

constexpr double model_context = 4096;
/// Of a job over a set of texts, where nobody said it.
constexpr int usual_batch_of_requests = 64;
/// Samples of a run of a network, where no set was named.
constexpr double usual_images = 10000;

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

/// A document, its text, and the reply that goes with it.
struct Routed {
    std::string json;
    std::string text;
    Answer reply;
    int exit_code = 0;
};

class Router {
public:
    Router(const Request& request, Question& asked, const World& world)
        : request_(request),
          asked_(asked),
          world_(world),
          reading_(*asked.reading),
          date_(today()),
          knowledge_{world.catalog, world.profiles, date_},
          tools_{knowledge_,
                 [&world](WorkloadDocument& document) { return completed(document, world); },
                 [this](const WorkloadDocument& document,
                        const Architecture& architecture,
                        const Cluster& cluster) {
                     return place(knowledge_, document, architecture, cluster, nullptr);
                 }} {}

    /// Networks without adapters train whole, where nobody said how.
    void settle_method() {
        WorkloadDocument& document = asked_.query.workload;
        if (!asked_.query.method_open || document.model_id.empty()) {
            return;
        }
        const auto architecture = architecture_of(document, world_);
        if (!architecture || !has_program(*architecture) ||
            architecture->kind == ModelKind::diffusion) {
            return;
        }
        document.method = Method::full;
        document.has_lora = false;
        asked_.query.method_open = false;
        std::erase_if(reading_.assumed,
                      [](const auto& assumed) { return assumed.field == "method"; });
        reading_.flags = flags_of(reading_, asked_.query);
    }

    Result<Routed> run() {
        if (asked_.query.workload.kernel) {
            return kernel();
        }
        settle_method();
        switch (reading_.intent) {
            case Intent::fit:
                return fit();
            case Intent::memory:
                return memory();
            case Intent::compare:
                return compare();
            case Intent::largest:
                return largest();
            case Intent::duration:
                return duration();
            case Intent::throughput:
                return throughput();
            case Intent::price:
                return price();
            case Intent::own:
                return own();
            case Intent::budget:
                return budget();
            case Intent::describe:
                return describe();
            case Intent::hardware:
                break;
        }
        return hardware();
    }

    /// A single kernel on the hardware that was named, else on the best of the catalog.
    Result<Routed> kernel() {
        const auto answer = kernel_asked(world_, asked_);
        if (!answer) {
            return tl::unexpected(answer.error());
        }
        Routed out;
        out.json = report::kernel_json(*answer, stamp());
        out.text = report::kernel_text(*answer, style(), true);
        out.reply.headline = report::kernel_sentence(*answer);
        for (const report::KernelOn& on : answer->places) {
            AnswerValue time;
            time.quantity = "time";
            time.unit = "s";
            time.of = on.cluster.accelerator->id;
            time.low = on.seconds() * on.estimate.low;
            time.mid = on.seconds();
            time.high = on.seconds() * on.estimate.high;
            out.reply.values.push_back(time);
        }
        const bool any =
            std::any_of(answer->places.begin(), answer->places.end(), [](const auto& on) {
                return on.estimate.fits;
            });
        out.exit_code = any ? 0 : 3;
        return out;
    }

    /// The reading alone, where no document answers.
    Routed alone(Answer reply) const {
        Routed out;
        out.json =
            fmt::format("{{\n  \"schema\": \"ridgeline/reading/1\",\n  \"version\": \"{}\"\n}}\n",
                        RIDGELINE_VERSION);
        out.reply = std::move(reply);
        return out;
    }

private:
    [[nodiscard]] report::Stamp stamp() const { return stamp_of(world_.catalog); }
    [[nodiscard]] report::Style style() const { return request_.style; }

    /// `reply` with the advice as its document.
    Result<Routed> with_advice(std::optional<Answer> reply) {
        auto advice = advice_on(asked_, world_);
        if (!advice) {
            if (reply) {
                return alone(std::move(*reply));
            }
            return tl::unexpected(advice.error());
        }
        Routed out;
        out.json = report::advice_json(*advice, stamp());
        report::Style page = style();
        page.answered = true;
        out.text = report::advice_text(*advice, page);
        const bool judged = reply.has_value();
        out.reply = judged ? std::move(*reply) : reply_of(*advice);
        if (!judged) {
            out.reply.headline = report::hardware_sentence(*advice);
        }
        out.exit_code = judged ? 0 : advice->options.empty() ? 3 : 0;
        return out;
    }

    Result<Routed> hardware() {
        if (reading_.model.empty()) {
            return kind_of_work();
        }
        auto routed = with_advice({});
        if (routed && !reading_.task) {
            add_other_task(routed->reply);
        }
        return routed;
    }

    /// Neither task was said: serving is answered beside training.
    void add_other_task(Answer& reply) {
        Reading serving = reading_;
        serving.task = Task::inference;
        Question other;
        other.query = query_of(serving);
        auto advice = advice_on(other, world_);
        if (!advice) {
            return;
        }
        Answer second = reply_of(*advice);
        Answer first = reply;
        reply.headline = "Training: " + first.headline + " Serving: " + second.headline;
        reply.answers = {{"training", std::move(first)}, {"inference", std::move(second)}};
    }

    /// No model: parts ranked for the kind of work.
    Result<Routed> kind_of_work() {
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
        std::vector<const Accelerator*> parts;
        for (const Accelerator& part : world_.catalog.accelerators) {
            const bool vendor =
                (reading_.vendors.empty() ||
                 std::find(reading_.vendors.begin(), reading_.vendors.end(), lower(part.vendor)) !=
                     reading_.vendors.end()) &&
                std::find(reading_.vendors_excluded.begin(),
                          reading_.vendors_excluded.end(),
                          lower(part.vendor)) == reading_.vendors_excluded.end();
            const bool rented = std::any_of(world_.catalog.offers.begin(),
                                            world_.catalog.offers.end(),
                                            [&](const Offer& offer) {
                                                return offer.accelerator == part.id &&
                                                       offer.kind != PriceKind::spot;
                                            });
            const bool needed =
                missing_features(*profile, part).empty() &&
                (std::find(reading_.require.begin(), reading_.require.end(), "ecc") ==
                     reading_.require.end() ||
                 part.ecc.available);
            if (part.kind == "gpu" && vendor && rented && needed) {
                parts.push_back(&part);
            }
        }
        const bool by_cost = reading_.objective == Objective::cost;
        const auto rank = [&](const Accelerator& part) {
            const double score = profile_score(*profile, part, world_.catalog);
            return by_cost ? score / cheapest_hour(part) : score;
        };
        std::stable_sort(
            parts.begin(), parts.end(), [&](const Accelerator* a, const Accelerator* b) {
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
            "{} suits {} best{} ({} weighs most; from {}/h), then {} (from {}/h). Name a {} for {}.",
            parts[0]->name,
            lower(profile->name.substr(0, 1)) + profile->name.substr(1),
            by_cost ? " for its rent" : "",
            metric_words(profile->critical_metric),
            format_usd(cheapest_hour(*parts[0])),
            parts[1]->name,
            format_usd(cheapest_hour(*parts[1])),
            doubles ? "kernel (fft, dgemm, stream triad, spmv)" : "model",
            doubles ? "its time and rate" : "memory, time and cost");
        return out;
    }

    /// Dollars of an hour of one accelerator where it is rented cheapest.
    [[nodiscard]] double cheapest_hour(const Accelerator& part) const {
        double least = std::numeric_limits<double>::max();
        for (const Offer& offer : world_.catalog.offers) {
            if (offer.accelerator == part.id && offer.kind != PriceKind::spot) {
                least = std::min(least, offer.usd_per_accelerator_hour());
            }
        }
        return least;
    }

    Result<Routed> fit() {
        auto reply = reply_fit(reading_, asked_.query, tools_);
        if (!reply) {
            return tl::unexpected(reply.error());
        }
        const bool no = reply->verdict == "no";
        auto routed = with_advice(std::move(*reply));
        if (routed) {
            routed->exit_code = no ? 3 : 0;
        }
        return routed;
    }

    Result<Routed> memory() {
        auto reply = reply_memory(reading_, asked_.query, tools_);
        return reply ? with_advice(std::move(*reply)) : tl::unexpected(reply.error());
    }

    Result<Routed> compare() {
        if (reading_.sides.size() < 2) {
            auto reply = reply_compare(reading_, asked_.query, tools_);
            return reply ? Result<Routed>(alone(std::move(*reply))) : tl::unexpected(reply.error());
        }
        std::vector<const Accelerator*> parts;
        for (const ReadSide& side : reading_.sides) {
            for (const std::string& id : side.ids) {
                const Accelerator* part = world_.catalog.accelerator(id);
                if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
                    parts.push_back(part);
                }
            }
        }
        auto reply = reply_compare(reading_, asked_.query, tools_);
        if (!reply) {
            return tl::unexpected(reply.error());
        }
        const Comparison comparison =
            ridgeline::compare(parts, world_.catalog, nullptr, world_.profiles.workloads);
        Routed out;
        out.json = report::comparison_json(comparison, "", stamp());
        out.text = report::comparison_text(comparison, "", style());
        out.reply = std::move(*reply);
        return out;
    }

    Result<Routed> largest() {
        auto reply = reply_largest(reading_, asked_.query, tools_);
        if (!reply) {
            return tl::unexpected(reply.error());
        }
        return reading_.model.empty() ? alone(std::move(*reply)) : with_advice(std::move(*reply));
    }

    /// The estimate on the hardware that was named, else on what is recommended.
    Result<Placement> placed() {
        WorkloadDocument document = asked_.query.workload;
        const auto architecture = completed(document, world_);
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
        if (clusters.empty()) {
            asked_.query.workload = document;
            auto advice = advice_on(asked_, world_);
            if (!advice) {
                return tl::unexpected(advice.error());
            }
            if (advice->options.empty()) {
                return input_error("question",
                                   "no hardware was named and none holds it",
                                   "Name some: \"on 8 h100\".");
            }
            clusters.push_back(advice->options.front().cluster);
        }
        document =
            with_weights_that_fit(document, *architecture, [&](const WorkloadDocument& trial) {
                return std::any_of(clusters.begin(), clusters.end(), [&](const Cluster& cluster) {
                    const auto placed = place(knowledge_, trial, *architecture, cluster, nullptr);
                    return placed && placed->estimate.memory.fits;
                });
            });
        std::optional<Placement> best;
        std::optional<Error> problem;
        for (const Cluster& cluster : clusters) {
            const Offer* offer = offer_for(world_.catalog, cluster, asked_.query.price_kind);
            auto one = place(knowledge_, document, *architecture, cluster, offer);
            if (!one) {
                problem = problem ? problem : std::optional(one.error());
                continue;
            }
            const auto faster = [](const Placement& a, const Placement& b) {
                return std::pair(
                           a.estimate.memory.fits,
                           a.estimate.time.samples_per_second + a.estimate.time.tokens_per_second) >
                       std::pair(
                           b.estimate.memory.fits,
                           b.estimate.time.samples_per_second + b.estimate.time.tokens_per_second);
            };
            if (!best || faster(*one, *best)) {
                best = std::move(*one);
            }
        }
        // "with h100s": as many as hold it, where one does not and nobody said how many.
        const bool open = !asked_.query.exact_accelerators && document.task == Task::train;
        if (open && (!best || !best->estimate.memory.fits || reading_.several)) {
            auto advice = advice_on(asked_, world_);
            if (advice && !advice->options.empty()) {
                const Option& option = advice->options.front();
                auto more =
                    place(knowledge_,
                          document,
                          *architecture,
                          option.cluster,
                          offer_for(world_.catalog, option.cluster, asked_.query.price_kind));
                if (more) {
                    reading_.assumed.insert(reading_.assumed.begin(),
                                            {"count",
                                             std::to_string(option.cluster.count),
                                             "no number of accelerators was said"});
                    return *more;
                }
            }
        }
        if (!best) {
            return tl::unexpected(*problem);
        }
        return *best;
    }

    template <typename Replying>
    Result<Routed> estimated(Replying reply) {
        auto answer = placed();
        if (!answer) {
            return tl::unexpected(answer.error());
        }
        Routed out;
        out.json = report::estimate_json(*answer, stamp());
        out.text = report::estimate_text(*answer, style());
        out.reply = reply(*answer);
        out.exit_code = answer->estimate.memory.fits ? 0 : 3;
        return out;
    }

    Result<Routed> duration() {
        WorkloadDocument& document = asked_.query.workload;
        if (document.task == Task::inference) {
            if (!reading_.concurrency && document.serving) {
                document.serving->concurrency = usual_batch_of_requests;
                reading_.assumed.insert(reading_.assumed.begin(),
                                        {"concurrency",
                                         std::to_string(usual_batch_of_requests),
                                         "requests at once of a job that nobody waits for"});
            }
            return estimated(
                [this](const Placement& placement) { return reply_duration(reading_, placement); });
        }
        if (reading_.counts_samples && !document.dataset_samples) {
            document.dataset_samples = usual_images;
            document.duration_epochs = document.duration_epochs.value_or(1);
            reading_.assumed.insert(
                reading_.assumed.begin(),
                {"samples", format_count(usual_images), "no number of samples was said"});
        }
        if (!document.duration_tokens && !document.duration_epochs) {
            auto architecture = completed(document, world_);
            if (!architecture) {
                return tl::unexpected(architecture.error());
            }
            const bool scratch = document.method == Method::full && reading_.method == "full";
            document.duration_tokens =
                scratch
                    ? chinchilla_tokens * static_cast<double>(count_parameters(*architecture).total)
                    : usual_tuning_tokens;
            reading_.assumed.insert(reading_.assumed.begin(),
                                    {"tokens",
                                     format_count(*document.duration_tokens),
                                     scratch ? "20 tokens for each parameter, as no length was said"
                                             : "a usual fine-tuning set, as no length was said"});
        }
        return estimated(
            [this](const Placement& placement) { return reply_duration(reading_, placement); });
    }

    Result<Routed> throughput() {
        WorkloadDocument& document = asked_.query.workload;
        if (asks(reading_, "per_million") && !reading_.concurrency && document.serving) {
            document.serving->concurrency = usual_batch_of_requests;
            reading_.assumed.insert(reading_.assumed.begin(),
                                    {"concurrency",
                                     std::to_string(usual_batch_of_requests),
                                     "a server that is paid for is kept busy"});
        }
        return estimated(
            [this](const Placement& placement) { return reply_throughput(reading_, placement); });
    }

    Result<Routed> price() {
        Catalog shown;  // the offers that the question is about, as one list
        for (const Offer* offer : offers_of(reading_, world_.catalog)) {
            shown.offers.push_back(*offer);
        }
        shown.offers_date = world_.catalog.offers_date;
        Routed out;
        out.json = report::catalog_list_json(shown, "offers", stamp());
        out.text = report::catalog_list_text(shown, "offers", style());
        out.reply = reply_price(reading_, tools_);
        return out;
    }

    Result<Routed> own() {
        auto clusters = clusters_of(reading_, asked_.query, world_.catalog);
        SiteFigures figures;
        if (reading_.months) {
            figures.given["life_years"] = *reading_.months / 12;
        }
        if (reading_.hours_per_day) {
            figures.given["utilization"] = *reading_.hours_per_day / 24;
        }
        std::optional<Error> problem;
        std::optional<OwnershipAnswer> chosen;
        for (const Cluster& cluster : clusters) {
            auto owned = ridgeline::own(cluster, world_.catalog, figures, asked_.query, date_);
            if (!owned) {
                problem = problem ? problem : std::optional(owned.error());
            } else if (!chosen || (same_kind(cluster, chosen->cluster) &&
                                   comparable(*owned) > comparable(*chosen))) {
                chosen = std::move(*owned);
            }
        }
        if (!chosen) {
            return tl::unexpected(problem.value_or(
                Error{ErrorKind::input, "question", "no hardware of the question is known", ""}));
        }
        Routed out;
        out.json = report::ownership_json(*chosen, stamp());
        out.text = report::ownership_text(*chosen, style());
        out.reply = reply_own(reading_, *chosen);
        return out;
    }

    Result<Routed> budget() {
        if (!reading_.model.empty() && (reading_.budget_usd || reading_.usd_per_hour)) {
            return with_advice({});
        }
        constexpr double hours_of_a_month = 730;
        const bool by_period = reading_.usd_per_hour && !asked_.query.budget_usd;
        if (by_period) {
            asked_.query.budget_usd = *reading_.usd_per_hour * hours_of_a_month;
        }
        if (!asked_.query.budget_usd && !asked_.query.exact_accelerators) {
            asked_.query.exact_accelerators = 1;
        }
        BudgetAnswer answer = budget_answer_on(asked_, world_);
        if (by_period) {
            answer.buy.clear();
            answer.recommendation = "rent";
        }
        if (answer.buy.empty() && !reading_.accelerators.empty() && !asked_.query.budget_usd) {
            return held_by_each();  // hardware that is no longer sold is there all the same
        }
        Routed out;
        out.json = report::budget_json(answer, stamp());
        out.text = report::budget_text(answer, style());
        out.reply = reply_budget(reading_, answer);
        out.exit_code = answer.buy.empty() && answer.rent.empty() ? 3 : 0;
        return out;
    }

    /// Of several forms the one that is sold today and has the most rents to compare with.
    [[nodiscard]] std::pair<bool, std::size_t> comparable(const OwnershipAnswer& owned) const {
        const auto price = purchase_price(world_.catalog, *owned.cluster.accelerator);
        return {price && price->current, owned.rented.size()};
    }

    /// Forms of one family: the same architecture and the first piece of their ids.
    static bool same_kind(const Cluster& a, const Cluster& b) {
        const std::string& one = a.accelerator->id;
        const std::string& other = b.accelerator->id;
        return a.accelerator->architecture == b.accelerator->architecture &&
               one.substr(0, one.find('-')) == other.substr(0, other.find('-'));
    }

    /// What each of the parts that were named holds.
    Result<Routed> held_by_each() {
        const bool forms = std::any_of(
            reading_.assumed.begin(), reading_.assumed.end(), [](const AssumedField& each) {
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

    Result<Routed> describe() {
        Routed out;
        if (reading_.accelerators.empty() && reading_.model.empty()) {
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
        out.reply = reply_part(reading_, tools_);
        return out;
    }

    const Request& request_;
    Question& asked_;
    const World& world_;
    Reading& reading_;
    std::string date_;
    Knowledge knowledge_;
    AnswerTools tools_;
};

/// Names that nothing knows, where the rest of the question has no answer without them.
std::string missing_names(const Reading& reading) {
    const bool parts = !reading.unknown_parts.empty() &&
                       (reading.unknown_parts.size() == reading.accelerators.size() ||
                        reading.intent == Intent::compare);
    const bool model =
        !reading.model_known && reading.intent != Intent::price && reading.intent != Intent::own;
    const bool providers =
        reading.intent == Intent::price && !reading.providers.empty() &&
        std::all_of(
            reading.providers.begin(), reading.providers.end(), [&](const std::string& each) {
                return std::find(reading.unknown_names.begin(),
                                 reading.unknown_names.end(),
                                 each) != reading.unknown_names.end();
            });
    if (!parts && !model && !providers) {
        return "";
    }
    std::string names;
    for (const std::string& name : reading.unknown_names) {
        names += (names.empty() ? "" : ", ") + name;
    }
    return names;
}

/// A reply fills one screen: what is longer ends at its last gap before, or at the screen's end, with
/// a line that says how to see all.
std::string one_screen(std::string text) {
    constexpr std::size_t most = 30;
    std::vector<std::size_t> ends;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') {
            ends.push_back(i + 1);
        }
    }
    if (ends.size() <= most) {
        return text;
    }
    std::size_t kept = most - 1;
    const auto empty = [&](std::size_t line) { return ends[line] == ends[line - 1] + 1; };
    for (std::size_t line = most - 2; line > most / 2; --line) {
        if (empty(line)) {
            kept = line;
            break;
        }
    }
    text.resize(ends[kept - 1]);
    return text + fmt::format("({} more lines: --explain)\n", ends.size() - kept);
}

Reply printed(const Request& request, const Reading& reading, Routed routed, std::string messages) {
    Reply answer;
    answer.messages = std::move(messages);
    if (request.json()) {
        answer.body = report::with_answer(std::move(routed.json), reading, routed.reply);
    } else {
        answer.body = report::answer_text(reading, routed.reply, request.style) +
                      (routed.text.empty() ? "" : "\n" + routed.text);
        if (!request.flag("explain")) {
            answer.body = one_screen(std::move(answer.body));
        }
    }
    answer.exit_code = routed.exit_code;
    return answer;
}

}  // namespace

Result<Reply> route(const Request& request, Question& asked, const World& world) {
    Router router(request, asked, world);
    Reading& reading = *asked.reading;
    const std::string messages = notes_of(world) + asked.messages;
    const std::string missing = missing_names(reading);
    if (!missing.empty()) {
        Answer reply;
        reply.headline = fmt::format(
            "{} is not in the catalog or the profiles; {}.", missing, reading.neighbour);
        Routed routed = router.alone(std::move(reply));
        routed.exit_code = 4;
        return printed(
            request,
            reading,
            std::move(routed),
            messages + fmt::format("error: not known: {}; {}\n", missing, reading.neighbour));
    }
    auto routed = router.run();
    if (routed) {
        return printed(request, reading, std::move(*routed), messages);
    }
    if (!request.json()) {
        return tl::unexpected(routed.error());
    }
    // What was understood is printed also where no answer follows from it.
    Answer reply;
    reply.headline = "Read, but not answered: " + routed.error().text();
    Routed read = router.alone(std::move(reply));
    read.exit_code = routed.error().kind == ErrorKind::internal ? 1 : 4;
    return printed(
        request, reading, std::move(read), messages + "error: " + routed.error().text() + "\n");
}

}  // namespace ridgeline::ask
