#include "ask/two_works.h"

#include "advise/reading/reading.h"
#include "base/lists.h"
#include "base/text.h"
#include "report/option_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

namespace ridgeline::ask {
namespace {

constexpr std::array<std::string_view, 8> connectors = {
    " and also ", " as well as ", " plus ", " and then ", " and to ", " and ", ", also ", " + "};
/// What parts a work from the limits before it.
constexpr std::array<std::string_view, 9> openings = {
    ", ", "; ", ": ", " for ", " that ", " that can ", " must ", " should ", " to "};

/// Where the clause that ends at `end` may begin, the nearest first.
std::vector<std::size_t> clause_starts(std::string_view text, std::size_t end) {
    std::vector<std::size_t> starts;
    for (const std::string_view opening : openings) {
        for (std::size_t at = text.find(opening); at < end; at = text.find(opening, at + 1)) {
            starts.push_back(at + opening.size());
        }
    }
    std::erase_if(starts, [end](std::size_t start) { return start >= end; });
    std::sort(starts.rbegin(), starts.rend());
    return starts;
}

std::size_t clause_to(std::string_view text, std::size_t from) {
    std::size_t to = text.size();
    for (const std::string_view stop : {", ", "; ", ". ", "? "}) {
        to = std::min(to, text.find(stop, from));
    }
    return to;
}

bool does_something(const std::string& word) {
    static const std::vector<std::string> verbs = {
        "also",       "classify",    "create", "embed", "embeds", "finetune", "finetunes",
        "generate",   "generates",   "host",   "hosts", "make",   "makes",    "render",
        "renders",    "run",         "runs",   "serve", "serves", "train",    "trains",
        "transcribe", "transcribes", "tune",   "tunes"};
    return is_among(word, verbs);
}

/// Whether words by themselves name a model and what is done with it.
std::optional<Reading> work_in(const std::string& words, const World& world) {
    auto reading = read_question(words, vocabulary_of(world));
    const bool verb = reading && (reading->task || !reading->method.empty() ||
                                  does_something(words.substr(0, words.find(' '))));
    const bool work = verb && reading->model_known && !reading->model.empty() &&
                      reading->beside.empty() && reading->sides.empty() &&
                      reading->accelerators.empty();
    return work ? std::optional(std::move(*reading)) : std::nullopt;
}

/// "a, b and c side by side": memory of all adds up, which the reading of the whole tells.
bool serves_together(const Reading& whole) {
    return !whole.beside.empty() && !whole.in_turn && whole.task == Task::inference &&
           std::ranges::all_of(whole.beside,
                               [](const WorkBeside& work) { return work.task == Task::inference; });
}

bool seeks_hardware(const std::string& words, const World& world) {
    const auto reading = read_question(words, vocabulary_of(world));
    return reading && reading->model_known && !reading->model.empty() &&
           (reading->intent == Intent::hardware || reading->intent == Intent::budget) &&
           reading->accelerators.empty() && !reading->owned;
}

/// Memory of the smallest that does it; infinite: nothing does.
double least_memory(const Advice& advice) {
    double least = std::numeric_limits<double>::infinity();
    for (const Option& option : advice.options) {
        least = std::min(least, option.cluster.count * option.cluster.accelerator->marketed_gb);
    }
    return least;
}

const Option* same_hardware(const Advice& advice, const Option& option) {
    const auto same = std::ranges::find_if(advice.options, [&](const Option& each) {
        return each.cluster.accelerator->id == option.cluster.accelerator->id &&
               each.cluster.count == option.cluster.count;
    });
    return same == advice.options.end() ? nullptr : &*same;
}

}  // namespace

std::optional<TwoWorks> two_works_of(const std::string& words, const World& world) {
    const auto whole = read_question(words, vocabulary_of(world));
    if (whole && serves_together(*whole)) {
        return std::nullopt;
    }
    for (const std::string_view connector : connectors) {
        for (std::size_t at = words.find(connector); at != std::string::npos;
             at = words.find(connector, at + 1)) {
            const std::size_t behind = at + connector.size();
            const std::size_t to = clause_to(words, behind);
            TwoWorks works;
            works.second_words = words.substr(behind, to - behind);
            const auto second = work_in(works.second_words, world);
            for (const std::size_t from :
                 second ? clause_starts(words, at) : std::vector<std::size_t>()) {
                works.first_words = words.substr(from, at - from);
                const auto first = work_in(works.first_words, world);
                if (!first) {
                    continue;
                }
                works.first = words.substr(0, at) + words.substr(to);
                works.second = words.substr(0, from) + words.substr(behind);
                if ((first->model != second->model || first->task != second->task) &&
                    seeks_hardware(works.first, world) && seeks_hardware(works.second, world)) {
                    return works;
                }
                break;
            }
        }
    }
    return std::nullopt;
}

Result<Question> question_of_both(const TwoWorks& works, const Request& request,
                                  const World& world) {
    constexpr int all = 200;
    std::array<std::string, 2> words = {works.first_words, works.second_words};
    std::vector<Question> questions;
    std::vector<Advice> advice;
    for (const std::string& each : {works.first, works.second}) {
        Request one = request;
        one.options["question"] = {each};
        auto question = question_of(one, world);
        if (!question) {
            return question;
        }
        Question trial = *question;
        trial.query.top = all;
        auto found = advice_on(trial, world, AdviceExtent::options);
        if (!found) {
            return tl::unexpected(found.error());
        }
        questions.push_back(std::move(*question));
        advice.push_back(std::move(*found));
    }
    const std::size_t harder = least_memory(advice[0]) >= least_memory(advice[1]) ? 0 : 1;
    Question& asked = questions[harder];
    const Advice& other = advice[1 - harder];
    assume_first(*asked.reading, "work", words[harder],
                 "of two the one that takes more chooses the hardware");
    const Option* beside = nullptr;
    std::vector<std::string> parts;
    for (const Option& option : advice[harder].options) {
        const Option* same = same_hardware(other, option);
        if (same != nullptr) {
            beside = beside == nullptr ? same : beside;
            add_once(parts, option.cluster.accelerator->id);
        }
    }
    if (beside == nullptr) {
        asked.also = fmt::format(
            " Not answered: \"{}\", for which nothing of that was found; ask "
            "it alone.",
            words[1 - harder]);
        return std::move(asked);
    }
    if (same_hardware(other, advice[harder].options.front()) == nullptr) {
        asked.query.accelerators = parts;
    }
    asked.also = fmt::format(
        " In turn with \"{}\": on {} {}, {:.1f} of {:.1f} GiB taken.", words[1 - harder],
        report::hardware_words(*beside), report::rate_words(*beside),
        beside->estimate.memory.process / gibibyte,
        (beside->estimate.memory.capacity - beside->estimate.memory.unclaimed) / gibibyte);
    return std::move(asked);
}

}  // namespace ridgeline::ask
