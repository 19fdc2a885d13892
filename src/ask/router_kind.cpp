#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/listings.h"
#include "advise/hardware/offers.h"
#include "advise/ranking/compare.h"
#include "ask/router.h"
#include "base/lists.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

// A kind of work without a model: parts ranked for it.

namespace ridgeline::ask {
namespace {

/// A measure of a kind of work in words.
std::string metric_words(std::string_view metric) {
    static constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"bandwidth_gb_per_s", "memory bandwidth"},
        {"fp64_tflops", "fp64 rate"},
        {"fp32_tflops", "fp32 rate"},
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

bool is_listed(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// The parts that suit a kind of work, and what one of them costs.
class KindRanking {
public:
    KindRanking(const Reading& reading, const Catalog& catalog, const WorkloadProfile& profile)
        : reading_(reading),
          catalog_(catalog),
          profile_(profile),
          buys_(reading.buy || reading.home) {}

    /// At most four, the best first.
    [[nodiscard]] std::vector<const Accelerator*> best() const {
        std::vector<const Accelerator*> parts;
        for (const Accelerator& part : catalog_.accelerators) {
            if (part.kind == "gpu" && suits(part)) {
                parts.push_back(&part);
            }
        }
        stable_order(parts.begin(), parts.end(), [&](const Accelerator* a, const Accelerator* b) {
            return worth(*a) > worth(*b);
        });
        parts.resize(std::min<std::size_t>(parts.size(), 4));
        return parts;
    }
    /// What does more for its price than `first` and is left out because the newest toolkit of its
    /// maker does not run on it; empty: nothing does.
    [[nodiscard]] std::string left_out_words(const Accelerator& first) const {
        const Accelerator* best = nullptr;
        for (const Accelerator& part : catalog_.accelerators) {
            const bool older = buys_ && part.kind == "gpu" && !left_behind(part).empty() &&
                               fits_wishes(part) && price_of(part) > 0;
            if (older && worth(part) > worth(best == nullptr ? first : *best)) {
                best = &part;
            }
        }
        return best == nullptr
                   ? ""
                   : fmt::format(" {} ({}) does more for its price and is left out: {}.",
                                 best->name, cost_words(*best), left_behind(*best));
    }
    [[nodiscard]] std::string cost_words(const Accelerator& part) const {
        return buys_ ? format_usd(price_of(part)) + " to buy"
                     : "from " + format_usd(cheapest_hour(part)) + "/h";
    }
    [[nodiscard]] std::string_view measured_by() const {
        return buys_ ? " for its price" : by_cost() ? " for its rent" : "";
    }

private:
    [[nodiscard]] bool by_cost() const { return reading_.objective == Objective::cost; }
    /// Who works at home or owns buys a card that is sold today; 0: it is not.
    [[nodiscard]] double price_of(const Accelerator& part) const {
        const auto price = purchase_price(catalog_, part);
        return price && price->current && price->basis == PurchaseBasis::card ? price->usd_each : 0;
    }
    /// Dollars of an hour of one accelerator where it is rented cheapest, by the kind of offer that
    /// other commands take: on demand before marketplaces, what is stale last.
    [[nodiscard]] double cheapest_hour(const Accelerator& part) const {
        const std::string current = current_since(catalog_);
        std::tuple best{true, true, std::numeric_limits<double>::max()};
        for (const Offer& offer : catalog_.offers) {
            const bool market = offer.kind == PriceKind::marketplace;
            if (offer.accelerator == part.id && (market || offer.kind == PriceKind::on_demand)) {
                best = std::min(best, std::tuple(market, offer.date < current,
                                                 offer.usd_per_accelerator_hour()));
            }
        }
        return std::get<2>(best);
    }
    [[nodiscard]] bool suits(const Accelerator& part) const {
        const bool obtainable = buys_ ? price_of(part) > 0 && left_behind(part).empty()
                                      : cheapest_hour(part) < std::numeric_limits<double>::max();
        return obtainable && fits_wishes(part);
    }
    [[nodiscard]] bool fits_wishes(const Accelerator& part) const {
        const std::string vendor = lower(part.vendor);
        const bool wanted = (reading_.vendors.empty() || is_listed(reading_.vendors, vendor)) &&
                            !is_listed(reading_.vendors_excluded, vendor) &&
                            !is_listed(reading_.accelerators_excluded, part.id);
        const bool holds =
            !reading_.memory_gib || part.marketed_gb >= *reading_.memory_gib;  // or more
        const bool fed = draws_at_most(part, reading_.max_watts);
        return wanted && holds && fed && is_as_required(part, reading_.require) &&
               missing_features(profile_, part).empty() &&
               (!is_listed(reading_.require, "ecc") || part.ecc.available);
    }
    [[nodiscard]] double worth(const Accelerator& part) const {
        const double score = profile_score(profile_, part, catalog_);
        return buys_ ? score / price_of(part) : by_cost() ? score / cheapest_hour(part) : score;
    }

    const Reading& reading_;
    const Catalog& catalog_;
    const WorkloadProfile& profile_;
    bool buys_;
};

/// The kind of work of a question that names no model; empty: none was said.
std::string kind_named(const Reading& reading, const Query& query) {
    if (!reading.profile.empty()) {
        return reading.profile;
    }
    if (reading.task == Task::inference) {
        return "inference-at-scale";
    }
    if (reading.task != Task::train) {
        return "";
    }
    return reading.method.empty() && !query.method_open ? "llm-training" : "fine-tuning";
}

/// What decided: the measure that weighs most, and where another part leads in it what made up for
/// that. `best` is the first of the comparison.
std::string decided_by(const Comparison& comparison, const WorkloadProfile& profile) {
    const auto words = metric_words(profile.critical_metric);
    const auto critical = std::find_if(
        comparison.rows.begin(), comparison.rows.end(),
        [&](const ComparisonRow& row) { return row.metric->id == profile.critical_metric; });
    if (critical == comparison.rows.end() || critical->best <= 0) {
        return fmt::format("{} weighs most", words);
    }
    const auto leader = static_cast<std::size_t>(critical->best);
    const ComparisonRow* made_up = nullptr;
    double most = 0;
    for (const ComparisonRow& row : comparison.rows) {
        const double lead =
            row.weight > 0 && !row.metric->less_is_better && row.values[0] && row.values[leader]
                ? row.weight * (1 - *row.values[leader] / *row.values[0])
                : 0;
        if (lead > most) {
            most = lead;
            made_up = &row;
        }
    }
    return fmt::format(
        "{} weighs most and is highest in {}{}", words, comparison.accelerators[leader]->name,
        made_up == nullptr
            ? std::string()
            : fmt::format(", {} makes up for it", metric_words(made_up->metric->id)));
}

/// "an accelerator or more epyc cores": both by the bandwidth of their memory, which bounds codes
/// of grids and sparse matrices; empty: no processor is named.
std::string beside_processor(const Reading& reading, const Accelerator& part,
                             const Catalog& catalog) {
    const Accelerator* cpu =
        reading.accelerators.empty() ? nullptr : catalog.accelerator(reading.accelerators.front());
    if (cpu == nullptr || cpu->kind != "cpu" || cpu->memory_bandwidth.base() <= 0) {
        return "";
    }
    return fmt::format(
        "{} reads its memory {:.2g} times as fast as {} ({:.0f} against {:.0f} GB/s), where a code "
        "runs on it whole; more cores add nothing once memory bounds it. ",
        part.name, part.memory_bandwidth / cpu->memory_bandwidth, cpu->name,
        part.memory_bandwidth / gigabyte_per_second, cpu->memory_bandwidth / gigabyte_per_second);
}

/// "replacing 64 old K80s, fp64 work": how many of the part have the rate in double precision of
/// all that are there; empty: no number was told, or the work is another.
std::string as_many_as_replaced(const Reading& reading, const Accelerator& part,
                                const WorkloadProfile& profile, const Catalog& catalog) {
    const auto there = std::ranges::find_if(catalog.accelerators, [&](const Accelerator& each) {
        return each.id == reading.replaced || is_among(reading.replaced, each.families);
    });
    if (reading.replaced_count < 2 || !profile.in_doubles() ||
        there == catalog.accelerators.end()) {
        return "";
    }
    const auto vector_rate = [](const Accelerator& each) {
        const auto rate =
            each.peak_vector_fp64 ? each.peak_vector_fp64 : each.peak(ComputeType::fp64);
        return rate ? *rate / teraflop_per_second * each.devices_seen : 0;
    };
    const auto matrix = part.peak(ComputeType::fp64);
    const double all = reading.replaced_count * vector_rate(*there);
    const double each = vector_rate(part);
    if (all <= 0 || each <= 0 || !matrix) {
        return "";
    }
    const double on_vectors = std::ceil(all / each);
    const double in_products = std::ceil(all / (*matrix / teraflop_per_second * part.devices_seen));
    return fmt::format(
        "{:.0f} x {} have the {} TFLOP/s in fp64 of {} x {}{}. ", on_vectors, part.name,
        figure_words(all), reading.replaced_count, there->name,
        in_products < on_vectors
            ? fmt::format(" on their vector units, {:.0f} do in matrix products", in_products)
            : std::string());
}

/// Nothing is known of the work: what was understood beside it, the words that were not, and a
/// question near to it that has an answer.
Result<Routed> open_work(const Reading& reading) {
    std::string flags = reading.flags;
    const std::string_view aim = "--objective cost";  // that of every question
    if (const auto at = flags.find(aim); at != flags.npos) {
        flags.erase(at, aim.size());
    }
    while (flags.ends_with(' ')) {
        flags.pop_back();
    }
    std::vector<std::string> words = reading.not_understood;
    std::erase_if(words,
                  [](const std::string& word) { return word.size() < 3 || is_digit(word[0]); });
    const std::string unknown =
        words.empty()
            ? std::string("no model and no kind of work was named")
            : fmt::format(
                  "\"{}\" {} no work that is known here: asked can be models, networks and "
                  "kernels",
                  fmt::join(words, "\", \""), words.size() == 1 ? "is" : "are");
    const std::string example =
        reading.memory_gib ? fmt::format("what can i run with {:g} GB", *reading.memory_gib)
        : !reading.accelerators.empty() ? "what can i run on a " + reading.accelerators.front()
        : reading.budget_usd ? fmt::format("what can i do with ${:.0f}", *reading.budget_usd)
        : reading.task == Task::train || !reading.method.empty() ? "what gpu to train a small model"
                                                                 : "what gpu for an 8b at home";
    return input_error("question",
                       unknown + (flags.empty() ? "" : fmt::format("; understood: {}", flags)),
                       fmt::format("Example: ridgeline advise \"{}\".", example));
}

}  // namespace

Result<Routed> Router::kind_of_work() {
    // "upscaling with topaz": of such work nothing is known, which a rank of parts would hide.
    if (reading_.profile.empty() && reading_.method.empty() && !reading_.not_understood.empty()) {
        return open_work(reading_);
    }
    const WorkloadProfile* profile =
        world_.profiles.workload_profile(kind_named(reading_, asked_.query));
    if (profile == nullptr) {
        return open_work(reading_);
    }
    const KindRanking ranking(reading_, world_.catalog, *profile);
    const auto parts = ranking.best();
    if (parts.empty()) {
        return input_error("question",
                           "no accelerator has all that " + profile->name + " must have", "");
    }
    const Comparison comparison = ridgeline::compare(parts, world_.catalog, profile, {});
    Routed out;
    out.json = report::comparison_json(comparison, profile->id, stamp());
    out.text = report::comparison_text(comparison, profile->id, style());
    for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 2); ++i) {
        AnswerChoice choice;
        choice.accelerator = parts[i]->id;
        choice.why = fmt::format("{:.0f} of 100 for {}", comparison.scores[i], profile->name);
        (i == 0 ? out.reply.choice : out.reply.runner_up) = choice;
    }
    const std::string second = parts.size() < 2 ? std::string("; no other that can be had does")
                                                : fmt::format(", then {} ({})", parts[1]->name,
                                                              ranking.cost_words(*parts[1]));
    out.reply.headline =
        fmt::format("{} suits {} best{} ({}; {}){}.{} Name a {} for {}.", parts[0]->name,
                    lower(profile->name.substr(0, 1)) + profile->name.substr(1),
                    ranking.measured_by(), decided_by(comparison, *profile),
                    ranking.cost_words(*parts[0]), second, ranking.left_out_words(*parts[0]),
                    profile->of_kernels() ? "kernel (fft, dgemm, stream triad, spmv)" : "model",
                    profile->of_kernels() ? "its time and rate" : "memory, time and cost");
    out.reply.headline = as_many_as_replaced(reading_, *parts[0], *profile, world_.catalog) +
                         beside_processor(reading_, *parts[0], world_.catalog) + out.reply.headline;
    return out;
}

}  // namespace ridgeline::ask
