#include "advise/search/remedies.h"
#include "report/report.h"
#include "report/table.h"
#include "report/validation_report.h"

#include <boost/test/unit_test.hpp>

#include <sstream>
#include <string>
#include <utility>

using namespace ridgeline;
using namespace ridgeline::report;

namespace {

Accelerator a_card() {
    Accelerator card;
    card.id = "card-80gb";
    card.name = "Card 80GB";
    card.marketed_gb = 80;
    return card;
}

/// 40 GiB of weights and 35 GiB of activations on a card of 70 GiB.
EstimateAnswer an_answer(const Accelerator& card) {
    EstimateAnswer answer;
    answer.architecture.id = "model-7b";
    answer.workload.framework = "generic";
    answer.workload.batch = Batch{.micro = 2, .global = 16, .sequence_length = 4096};
    answer.cluster.accelerator = &card;
    answer.cluster.count = 1;
    MemoryEstimate& memory = answer.estimate.memory;
    Component weights{
        .name = "weights", .size = 40 * gibibyte, .formula = "parameters bytes", .source = {}};
    weights.inputs[0] = {"parameters", 21474836480.0};
    weights.inputs[1] = {"bytes", 2};
    const Component activations{.name = "activations.layers",
                                .size = 35 * gibibyte,
                                .formula = "layers kept_per_layer",
                                .source = {}};
    memory.instants = {
        Instant{.name = "load", .total = 40 * gibibyte, .components = {weights}},
        Instant{.name = "loss", .total = 75 * gibibyte, .components = {weights, activations}}};
    memory.peak_instant = 1;
    memory.allocated = memory.reserved = memory.process = 75 * gibibyte;
    memory.capacity = 70 * gibibyte;
    memory.band = Interval{.low = 0.9, .high = 1.2, .kind = {}};
    answer.estimate.time.step = 2 * second;
    answer.estimate.time.band = Interval{.low = 0.5, .high = 2, .kind = {}};
    answer.estimate.time.components = {TimeComponent{.name = "forward", .time = 2 * second}};
    return answer;
}

void check_width(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        BOOST_TEST(width_of(line) <= 80, line);
        BOOST_TEST((line.empty() || line.back() != ' '), line);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(text_of_an_estimate)

BOOST_AUTO_TEST_CASE(says_by_how_much_it_does_not_fit) {
    const Accelerator card = a_card();
    const std::string text = estimate_text(an_answer(card), Style{});
    BOOST_TEST(text.find("does not fit, short by 5.00 GiB") != std::string::npos, text);
    // 75 x 0.9 = 67.5 and 75 x 1.2 = 90
    BOOST_TEST(text.find("(67.5 to 90)") != std::string::npos, text);
    check_width(text);
}

BOOST_AUTO_TEST_CASE(explains_each_part_with_inputs_and_each_instant) {
    const Accelerator card = a_card();
    const std::string text = estimate_text(an_answer(card), Style{.explain = true});
    BOOST_TEST(text.find("parameters = 21474836480, bytes = 2") != std::string::npos, text);
    BOOST_TEST(text.find("load") != std::string::npos);
    check_width(text);
}

BOOST_AUTO_TEST_CASE(remedies_print_their_flags_whole) {
    const Accelerator card = a_card();
    const EstimateAnswer before = an_answer(card);
    Remedy remedy;
    remedy.change = "kept activations in host memory";
    remedy.flags = "--offload-activations cpu";
    remedy.before = before.estimate;
    remedy.after = before.estimate;
    remedy.after.memory.process = 45 * gibibyte;
    remedy.fits = true;
    const std::string text = remedies_text(before, {remedy}, Style{});
    BOOST_TEST(text.find("--offload-activations cpu") != std::string::npos, text);
    BOOST_TEST(text.find("30.0 GiB") != std::string::npos, text);
    check_width(text);
}

BOOST_AUTO_TEST_CASE(validation_lists_the_worst_rows_first) {
    ValidationAnswer answer;
    ValidatedRow near;
    near.id = "near";
    near.relative_error = 0.1;
    ValidatedRow far;
    far.id = "far";
    far.relative_error = -0.5;
    answer.rows = {near, far};
    answer.skipped = {{"left-out", "no such counter"}};
    const std::string text = validation_text(answer, 1, Style{});
    BOOST_TEST(text.find("far") != std::string::npos);
    BOOST_TEST(text.find("near") == std::string::npos);
    BOOST_TEST(text.find("no such counter") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_slice_keeps_its_name_in_the_table) {
    Accelerator slice = a_card();
    slice.id = "card-80gb/1g.10gb";
    Advice advice;
    Option option;
    option.rank = 1;
    option.cluster.accelerator = &slice;
    option.cluster.count = 7;
    option.workload.task = Task::inference;
    advice.options = {option};
    const std::pair<const char*, const char*> names[] = {
        {"NVIDIA Card 80GB 1g.10gb", "7 x Card 80GB 1g.10gb "},  // no cut into ambiguity
        {"NVIDIA Card (one of two) 1g.10gb", "7 x Card 1g.10gb "},
        {"NVIDIA Card 1g.10gb", "7 x Card 1g.10gb "},
    };
    for (const auto& [name, shown] : names) {
        slice.name = name;
        const std::string text = advice_text(advice, Style{});
        BOOST_TEST(text.find(shown) != std::string::npos, text);
        check_width(text);
    }
}

BOOST_AUTO_TEST_CASE(names_and_plans_are_whole_at_every_width) {
    Accelerator sxm = a_card();
    sxm.name = "NVIDIA A100 SXM4 40GB";
    Accelerator larger = a_card();
    larger.name = "NVIDIA A100 SXM4 80GB";
    Advice advice;
    for (const Accelerator* part : {&sxm, &larger}) {
        Option option;
        option.rank = static_cast<int>(advice.options.size()) + 1;
        option.cluster.accelerator = part;
        option.cluster.count = 1;
        option.workload.task = Task::train;
        option.workload.plan.recompute = RecomputeMode::full;
        option.estimate.time.tokens_per_second = 1234;
        option.estimate.memory.capacity = 80 * gibibyte;
        option.purchase_usd = 15000;
        advice.options.push_back(option);
    }
    for (const int width : {60, 80, 120, 200}) {
        const std::string text = advice_text(advice, Style{.width = width});
        BOOST_TEST(text.find("...") == std::string::npos, text);
        BOOST_TEST(text.find("40GB") != std::string::npos, text);
        BOOST_TEST(text.find("80GB") != std::string::npos, text);
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            BOOST_TEST(width_of(line) <= width, line);
        }
    }
}
