#include "advise/hardware/desk.h"
#include "advise/ranking/standing.h"
#include "advise/stacks/stored_weights.h"
#include "ask/router.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// In which type weights are stored, where nobody said: what a server serves, what holds at home;
// ways of training that are held against each other.

namespace ridgeline::ask {

namespace {

/// The stack that makes pictures at home and streams weights from the host.
constexpr std::string_view program_at_home = "comfyui";

}  // namespace

void Router::settle_pictures_at_home() {
    WorkloadDocument& document = asked_.query.workload;
    const auto architecture = completed(document, world_);
    if (!architecture || architecture->kind != ModelKind::diffusion ||
        !buys_for_a_desk(asked_.query) || !leaves_weights_open(document, *architecture)) {
        return;
    }
    constexpr double worth_narrowing = 0.5;  // of the price
    const WorkloadDocument wide = document;
    std::optional<std::string> chosen;
    double price = 0;
    const auto one_card = [&](std::optional<std::string> type, const WorkloadDocument& stack) {
        Question trial = asked_;
        trial.query.workload = stack;
        trial.query.workload.quantization = type ? type : wide.quantization;
        const auto advice = advice_on(trial, world_, AdviceExtent::options);
        const Option* best =
            advice && !advice->options.empty() ? &advice->options.front() : nullptr;
        const bool card = best != nullptr && trial.query.buy && best->purchase_usd &&
                          off_the_path(trial.query, *best) == 0 &&
                          !barely_fits(best->estimate.memory) &&
                          stands_at_a_desk(*best->cluster.accelerator) &&
                          !is_one_computer(*best->cluster.accelerator) && best->cluster.count == 1;
        return card ? *best->purchase_usd : 0;
    };
    const double of_wide = one_card({}, wide);
    price = of_wide;
    for (const std::string_view type :
         weights_to_try(document, *architecture, {}, world_.profiles)) {
        const double narrower = one_card(std::string(type), wide);
        const bool by_price =
            asked_.query.objective == Objective::price && narrower < worth_narrowing * price;
        if (narrower > 0 && (price == 0 || by_price)) {
            chosen = std::string(type);
            price = narrower;
        }
    }
    // Programs for the home keep on the host what the card does not hold: where another stack wants
    // a card of more than twice the price, they are what people run.
    const SoftwareProfile* program = world_.profiles.software_profile(program_at_home);
    if (program != nullptr && !document.framework && reading_.home &&
        asked_.query.objective == Objective::price && price > 0) {
        std::vector<std::optional<std::string>> types{wide.quantization};
        for (const std::string_view type :
             weights_to_try(document, *architecture, {}, world_.profiles)) {
            types.emplace_back(type);
        }
        WorkloadDocument in_program = wide;
        in_program.framework = program->id;
        for (const auto& type : types) {
            const double streamed = one_card(type, in_program);
            if (streamed > 0 && streamed < worth_narrowing * price) {
                chosen = type;
                price = streamed;
                document.framework = program->id;
            }
        }
        if (document.framework) {
            assume_first(reading_, "framework", program->id,
                         "as people run it at home: what the card does not hold waits in the "
                         "host's memory; else a card of more than twice the price is wanted");
        }
    }
    if (chosen) {
        document.quantization = chosen;
        assume_first(reading_, "quantization", *chosen,
                     of_wide > 0 ? "weights of 16 bits want a card of more than twice the price"
                                 : "no one card that is sold holds weights of 16 bits with room");
        reading_.flags = flags_of(reading_, asked_.query);
    }
}

bool Router::take_weights_of_servers() {
    Query& query = asked_.query;
    const AssumedField* files = assumed_of(reading_, "quantization");
    if (query.buy || !query.tpot_s || files == nullptr || files->why != files_of_one_person) {
        return false;
    }
    query.workload.quantization.reset();
    std::vector<std::optional<std::string>> types{std::nullopt};
    for (const std::string_view type : weights_of_servers()) {
        types.emplace_back(type);
    }
    std::optional<std::pair<double, std::optional<std::string>>> cheapest;
    for (const auto& type : types) {
        Question trial = asked_;
        trial.query.workload.quantization = type;
        const auto advice = advice_on(trial, world_, AdviceExtent::options);
        const double usd = advice && !advice->options.empty()
                               ? advice->options.front().estimate.cost.usd_per_hour
                               : 0;
        if (usd > 0 && (!cheapest || usd < cheapest->first)) {
            cheapest = {usd, type};
        }
    }
    const bool found = cheapest.has_value();
    query.workload.quantization = found ? cheapest->second : files->value;
    if (found) {
        const std::string type = cheapest->second.value_or("none");
        forget_assumed(reading_, "quantization");
        assume_first(reading_, "quantization", type,
                     "files as one person runs them are too slow on one card, which several share "
                     "under a server's engine");
        reading_.flags = flags_of(reading_, query);
    }
    return found;
}

bool Router::narrow_weights() {
    WorkloadDocument& document = asked_.query.workload;
    const bool usual = asked_.query.buy && document.quantization == "q4_k_m" &&
                       std::any_of(reading_.assumed.begin(), reading_.assumed.end(),
                                   [](const auto& each) { return each.field == "quantization"; });
    if (document.task != Task::inference || (document.quantization && !usual) || document.compute ||
        !reading_.task) {
        return false;
    }
    const auto architecture = completed(document, world_);
    if (!architecture || !takes_narrow_weights(*architecture) ||
        (reading_.counts_samples && architecture->kind != ModelKind::diffusion)) {
        return false;
    }
    const WorkloadDocument wide = document;
    const auto parts = known_parts(asked_.query.accelerators, world_.catalog);
    const auto types = usual ? std::vector<std::string_view>{"q3_k_m", "q2_k"}
                             : weights_to_try(document, *architecture, parts, world_.profiles);
    const auto holds = [&](std::string_view type) {
        document.quantization = std::string(type);
        const auto advice = advice_on(asked_, world_);
        return advice && !advice->options.empty();
    };
    auto found = std::ranges::find_if(types, holds);
    // Of many long contexts the cache takes more than the weights, and halves with its type.
    const bool cached = found == types.end() && !usual && !document.kv_cache;
    if (cached) {
        document.kv_cache = DType::fp8;
        found = std::ranges::find_if(types, holds);
    }
    if (found == types.end()) {
        document = wide;
        return false;
    }
    if (cached) {
        assume_first(reading_, "kv_cache", "fp8", "nothing within the limits holds one of 16 bits");
    }
    forget_assumed(reading_, "quantization");
    assume_first(reading_, "quantization", std::string(*found),
                 "nothing within the limits holds wider weights");
    reading_.flags = flags_of(reading_, asked_.query);
    return true;
}

std::string Router::fits_of_other_methods() const {
    std::string words;
    const bool methods = reading_.alternatives_of == "method" && reading_.task == Task::train;
    for (std::size_t k = 1; methods && k < reading_.alternatives.size(); ++k) {
        Reading other = reading_;
        take_method(other, reading_.alternatives[k]);
        Query query = query_of(other);
        query.accelerators = asked_.query.accelerators;
        query.exact_accelerators = asked_.query.exact_accelerators;
        const auto reply = reply_fit(other, query, tools_);
        words += reply ? fmt::format(" {}: {}", reading_.alternatives[k], reply->headline) : "";
    }
    return words;
}

}  // namespace ridgeline::ask
