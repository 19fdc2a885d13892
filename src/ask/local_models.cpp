#include "ask/local_models.h"

#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "base/lists.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

// Hardware for language models at home, where no model is named: the size that one has in mind
// decides what to buy.

namespace ridgeline::ask {
namespace {

/// Sizes in which open models for one's own computer are published.
constexpr std::array classes{8, 14, 32, 70};
constexpr int most_of_one_card = 32;

std::string name_of_class(int billions) { return fmt::format("{}b", billions); }

/// Whether what is looked for stands at home: said, or by who runs there.
bool is_for_home(const Reading& reading) {
    const bool computer = std::ranges::any_of(
        reading.require, [](const std::string& each) { return is_build(each); });
    const bool mac = reading.vendors.size() == 1 && reading.vendors.front() == "apple";
    return reading.home || computer || mac || reading.framework == "llama.cpp";
}

}  // namespace

std::string local_class(const Reading& reading) {
    const bool named = !reading.model.empty() || !reading.family_models.empty() ||
                       !reading.profile.empty() || reading.kernel || !reading.accelerators.empty();
    const bool loaded = reading.concurrency.value_or(1) > 1 || reading.requests_per_s;
    if (reading.intent != Intent::hardware || named || loaded || reading.usd_per_hour ||
        reading.task == Task::train || !reading.method.empty() || !is_for_home(reading)) {
        return {};
    }
    constexpr double gb_of_a_billion = 0.6;  // in q4_k_m
    int most = most_of_one_card;
    if (reading.memory_gib) {
        const auto holds = [&](int size) {
            return gb_of_a_billion * size <= 0.9 * *reading.memory_gib;
        };
        const auto found = std::find_if(classes.rbegin(), classes.rend(), holds);
        most = found == classes.rend() ? classes.front() : *found;
    }
    return name_of_class(most);
}

void lead_with_class(const Question& question, const World& world, Answer& reply) {
    std::string words;
    for (const int size : classes) {
        const std::string name = name_of_class(size);
        Question other = question;
        other.query.workload.model_id = other.query.model_text = name;
        if (name == question.query.workload.model_id) {
            reply.headline = fmt::format("For models of {}B: {}", size, reply.headline);
            continue;
        }
        const auto advice = advice_on(other, world, AdviceExtent::options);
        if (!advice || advice->options.empty()) {
            continue;
        }
        const Option& best = advice->options.front();
        const std::string price = best.purchase_usd
                                      ? "about " + format_usd(*best.purchase_usd)
                                      : format_usd(best.estimate.cost.usd_per_hour) + "/h";
        words += fmt::format("{} {}B {} x {} ({}, {} tokens/s)", words.empty() ? " For" : ", for",
                             size, best.cluster.count, short_name(*best.cluster.accelerator), price,
                             figure_words(best.estimate.time.tokens_per_second));
    }
    reply.headline += words.empty() ? words : words + ".";
}

}  // namespace ridgeline::ask
