#include "ask/routes.h"

#include "advise/answers/beyond_sense.h"
#include "advise/answers/power.h"
#include "advise/hardware/cluster.h"
#include "ask/explained.h"
#include "ask/router.h"
#include "base/lists.h"
#include "base/text.h"
#include "report/answer_report.h"
#include "spec/chip_support.h"
#include "spec/matrix_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ridgeline::ask {
namespace {

/// Names that nothing knows, where the rest of the question has no answer without them.
std::string missing_names(const Reading& reading) {
    const bool parts = !reading.unknown_parts.empty() &&
                       (reading.unknown_parts.size() == reading.accelerators.size() ||
                        reading.intent == Intent::compare);
    const bool model =
        !reading.model_known && reading.intent != Intent::price && reading.intent != Intent::own;
    const bool providers =
        reading.intent == Intent::price && !reading.providers.empty() &&
        std::all_of(reading.providers.begin(), reading.providers.end(),
                    [&](const std::string& each) { return is_among(each, reading.unknown_names); });
    if (!parts && !model && !providers) {
        return "";
    }
    const std::string names = joined(reading.unknown_names, ", ");
    return names;
}

/// "groq lpu vs h100 for llama 70b": what is known of what was to be compared is told by itself.
std::string known_half(const Request& request, const Question& asked, const World& world) {
    Question half = asked;
    Reading& reading = *half.reading;
    const auto unknown = [&](const std::string& id) {
        return is_among(id, asked.reading->unknown_parts);
    };
    std::erase_if(reading.accelerators, unknown);
    std::erase_if(half.query.accelerators, unknown);
    std::erase_if(reading.sides, [&](const ReadSide& side) {
        return side.ids.empty() || std::ranges::any_of(side.ids, unknown);
    });
    reading.unknown_parts.clear();
    if (reading.intent != Intent::compare || reading.model.empty() || !reading.model_known ||
        reading.accelerators.empty()) {
        return "";
    }
    if (reading.sides.size() < 2) {
        reading.sides.clear();
        reading.intent = Intent::throughput;
    }
    Router router(request, half, world);
    const auto known = router.run();
    return known ? " " + known->reply.headline : std::string();
}

/// "price per hour, and can it serve a 27b": what hardware costs, beside whether it does.
std::string price_beside(const Request& request, const Question& asked, const World& world) {
    if (asked.reading->intent != Intent::fit || !asks(*asked.reading, "rent")) {
        return "";
    }
    Question priced = asked;
    priced.reading->intent = Intent::price;
    priced.reading->model.clear();
    priced.reading->task.reset();
    const auto price = Router(request, priced, world).run();
    return price ? " " + price->reply.headline : std::string();
}

/// "chatgpt at home": the question of the open model that the refusal names in its place.
std::string open_instead(const Request& request, const Reading& reading, const World& world) {
    // What it takes to make such a model from nothing is told by one whose makers told its run.
    const bool made = reading.intent == Intent::duration && reading.method == "full";
    const std::string_view open = made ? "deepseek-v3" : "gpt-oss-20b";
    std::string words = lower(joined(request.texts("question"), " "));
    const std::size_t at = words.find(reading.model);
    if (reading.neighbour.find(open) == std::string::npos || reading.model.empty() ||
        at == std::string::npos) {
        return "";
    }
    Request other = request;
    other.options["question"] = {words.replace(at, reading.model.size(), open)};
    auto asked = question_of(other, world);
    if (!asked || !asked->reading || !asked->reading->unknown_names.empty()) {
        return "";
    }
    const auto routed = Router(other, *asked, world).run();
    return routed ? fmt::format(" For {}: {}", open, routed->reply.headline) : "";
}

/// Models that were named and that the answer is not of, a sentence; empty: there are none.
std::string left_out_models(const Request& request, const Reading& reading, const World& world) {
    constexpr std::size_t shortest_family = 3;
    constexpr double least_size = 1e6;  // "8b" is a model of that size
    const std::string asked = lower(joined(request.texts("question"), " "));
    std::string names;
    for (const std::string& word : reading.not_understood) {
        const std::string family = word.substr(0, word.find_first_of("0123456789-. "));
        WorkloadDocument document;
        document.model_id = word;
        const bool typed = (family.size() >= shortest_family ||
                            number_with_suffix(word).value_or(0) >= least_size) &&
                           asked.find(family) != std::string::npos;
        if (typed && word != reading.model && !reading.model.empty() &&
            architecture_of(document, world)) {
            append(names, ", ", word);
        }
    }
    return names.empty() ? "" : " Not answered: " + names + "; ask it alone.";
}

/// A reply fills one screen: what is longer ends at its last gap before, or at the screen's end,
/// with a line that says how to see all.
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

/// What a question whether a GPU is needed gets from the answer for a processor: no where that
/// keeps what was asked, or writes as fast as a person reads where nothing was.
std::string needs_gpu_words(const Answer& reply) {
    constexpr double read_along = 5;  // tokens a second: 225 words a minute
    const std::string_view headline = reply.headline;
    const auto led_by = [&](std::string_view word) { return headline.starts_with(word); };
    const std::string said = !reply.verdict.empty() && headline.find(": ") != std::string_view::npos
                                 ? reply.headline.substr(reply.headline.find(": ") + 2)
                                 : reply.headline;
    if (led_by("No: ") || led_by("Yes, but too slow: ") || led_by("Barely: ")) {
        return "Yes, a GPU is needed: " + said;
    }
    const auto written = std::ranges::find(reply.values, "decode", &AnswerValue::quantity);
    const auto heard = std::ranges::find(reply.values, "real_time_factor", &AnswerValue::quantity);
    const auto lasts = std::ranges::find(reply.values, "time", &AnswerValue::quantity);
    constexpr double days_waited_for = 1;
    if (lasts != reply.values.end()) {
        const double mid = lasts->mid.value_or(0);
        const double days = lasts->unit == "h" ? mid / 24 : lasts->unit == "days" ? mid : 0;
        return (days > days_waited_for ? "Yes, for its speed; without a GPU: "
                                       : "No GPU is needed: ") +
               said;
    }
    const bool slow = heard != reply.values.end()
                          ? heard->mid.value_or(1) < 1
                          : written != reply.values.end() && written->mid.value_or(0) < read_along;
    return (slow ? "Yes, for its speed; without a GPU: " : "No GPU is needed: ") + said;
}

}  // namespace

namespace {

/// Devices that software sees in each card of all these; 1 where they differ.
int devices_of(const std::vector<std::string>& ids, const Catalog& catalog) {
    int devices = 0;
    for (const std::string& id : ids) {
        const Accelerator* part = catalog.accelerator(id);
        const int seen = part != nullptr ? part->devices_seen : 1;
        devices = devices == 0 || devices == seen ? seen : 1;
    }
    return std::max(1, devices);
}

/// Cards of two dies are counted as they are bought; what is estimated are the devices that
/// software sees.
void count_devices(Reading& reading, Query& query, const Catalog& catalog) {
    const Intent intent = reading.intent;
    const bool judged = intent == Intent::fit || intent == Intent::largest ||
                        intent == Intent::throughput || intent == Intent::duration ||
                        (intent == Intent::budget && reading.count && !reading.budget_usd);
    if (!reading.machine.empty() || !reading.instances.empty()) {
        return;
    }
    // One kernel runs on one device, unless cards are counted.
    const bool one_device = reading.kernel.has_value();
    for (ReadSide& side : reading.sides) {
        if (const int devices = devices_of(side.ids, catalog);
            devices > 1 && side.instance.empty() && (side.count || !one_device)) {
            side.count = side.count.value_or(1) * devices;
        }
    }
    const int devices = devices_of(reading.accelerators, catalog);
    if (devices < 2 || !judged || !reading.sides.empty() || reading.max_count ||
        (one_device && !reading.count)) {
        return;
    }
    const int cards = reading.count.value_or(1);
    reading.count = cards * devices;
    query.exact_accelerators = reading.count;
    assume_first(
        reading, "devices", std::to_string(cards * devices),
        fmt::format("{} of {} each, as software sees them", counted_noun(cards, "card"), devices));
}

/// Of cards of several dies, that the devices are counted which software sees: an answer would be
/// taken for that many cards.
std::string device_words(const Reading& reading, const Answer& reply, const Catalog& catalog) {
    const Accelerator* part =
        reply.choice ? catalog.accelerator(reply.choice->accelerator) : nullptr;
    part = part == nullptr && reading.accelerators.size() == 1
               ? catalog.accelerator(reading.accelerators.front())
               : part;
    const ReadSide* counted = nullptr;  // of a comparison each side that is counted in devices
    for (const ReadSide& side : reading.sides) {
        const Accelerator* of = side.ids.empty() ? nullptr : catalog.accelerator(side.ids.front());
        if (reading.intent == Intent::compare && of != nullptr && of->devices_seen > 1) {
            counted = &side;
            part = of;
        }
    }
    if (part == nullptr || part->devices_seen < 2 || reading.intent == Intent::describe ||
        reading.intent == Intent::price ||
        reply.headline.find(" card of ") != std::string::npos) {  // figures of whole cards
        return "";
    }
    const int devices = counted != nullptr ? counted->count.value_or(part->devices_seen)
                        : reply.choice && reply.choice->count > 0
                            ? reply.choice->count
                            : reading.count.value_or(part->devices_seen);
    const int cards = (devices + part->devices_seen - 1) / part->devices_seen;
    return devices == 1
               ? fmt::format(" One of the {} devices (of {:g} GB) of a card of {} is counted here.",
                             part->devices_seen, part->marketed_gb, part->name)
               : fmt::format(" {} of {} {} {} devices of {:g} GB, which are counted here.",
                             counted_noun(cards, "card"), part->name, cards > 1 ? "are" : "is",
                             devices, part->marketed_gb);
}

/// Of training on a part that the releases of PyTorch leave out, why and what is left.
std::string old_stack_words(const Reading& reading, const Accelerator& part) {
    const bool weighed = reading.intent == Intent::fit || reading.intent == Intent::largest ||
                         reading.intent == Intent::duration;
    constexpr double cuda_12 = 5.0;
    const double capability = capability_of(part);
    if (!weighed || reading.task != Task::train) {
        return "";
    }
    if (lacks_rocm(part)) {
        return fmt::format(
            " ROCm has no build for {}: PyTorch runs on it by DirectML on Windows alone.",
            part.name);
    }
    return capability > 0 && capability < cuda_12
               ? fmt::format(
                     " {} has compute capability {:.1f}: {} is the last that compiles for "
                     "it, and no release of PyTorch of these years has a build for it.",
                     part.name, capability, last_toolkit(part))
               : "";
}

/// What hardware that was named lacks of what was said of it: bf16 before Ampere, a link between
/// modules that are machines of one each.
std::string caution_words(const Reading& reading, const Answer& reply, const Catalog& catalog) {
    const std::string id = reply.choice                    ? reply.choice->accelerator
                           : !reading.accelerators.empty() ? reading.accelerators.front()
                                                           : std::string();
    const Accelerator* part = catalog.accelerator(id);
    const bool works = reading.intent != Intent::describe && reading.intent != Intent::price &&
                       reading.intent != Intent::compare && !reading.model.empty();
    if (part == nullptr) {
        return "";
    }
    std::string words = old_stack_words(reading, *part);
    if (!works) {
        return words;
    }
    if (reading.compute == "bf16" && !part->peak(ComputeType::bf16) &&
        part->peak(ComputeType::fp16)) {
        words += fmt::format(
            " {} has no bf16: PyTorch emulates it in fp32, at a fraction of the rate of fp16 "
            "(--compute fp16).",
            part->name);
    }
    const int count = reply.choice ? reply.choice->count : reading.count.value_or(1);
    if (count > 1 && stands_alone(*part) && reading.machine.empty()) {
        words += fmt::format(" {} are {} machines of one each, joined by a network alone.",
                             part->name, count);
    }
    return words;
}

/// How large the model is, where that was asked beside another thing; empty: it was not.
std::string size_beside(const Reading& reading, const World& world) {
    WorkloadDocument document;
    document.model_id = reading.estimated_model();
    if (reading.intent == Intent::describe || reading.model.empty() ||
        !asks(reading, "parameters")) {
        return {};
    }
    const auto architecture = architecture_of(document, world);
    Reading figures;
    ask_for(figures, "parameters");
    return architecture ? " " + reply_model(figures, *architecture).headline : std::string();
}

/// What a lowered limit of power leaves: before a time or a rate, behind what it does not change.
void tell_cap(const Reading& reading, const Catalog& catalog, Answer& reply) {
    const Accelerator* part =
        reading.accelerators.empty() ? nullptr : catalog.accelerator(reading.accelerators.front());
    const std::string words = part != nullptr && reading.power_cap_w
                                  ? cap_words(*reading.power_cap_w, *part, catalog)
                                  : std::string();
    if (words.empty()) {
        return;
    }
    const bool held = reading.intent == Intent::fit || reading.intent == Intent::own ||
                      reading.intent == Intent::largest || reading.intent == Intent::memory ||
                      reading.supply_w;
    reply.headline = held ? reply.headline + " " + words : words + " " + reply.headline;
}

/// ": 2 machines of 8 x NVIDIA H100, $51.20/h": what is recommended and one machine in reserve;
/// empty: nothing is.
std::string spare_words(const Answer& reply, const Catalog& catalog) {
    const Accelerator* part =
        reply.choice ? catalog.accelerator(reply.choice->accelerator) : nullptr;
    if (part == nullptr || reply.choice->count < 1) {
        return "";
    }
    const Cluster cluster = make_cluster(catalog, *part, reply.choice->count);
    const int machines = cluster.nodes();
    const double usd = reply.choice->usd_per_hour.value_or(0) * (machines + 1) / machines;
    return fmt::format(": {} machines of {} x {}{}", machines + 1, cluster.count / machines,
                       part->name, usd > 0 ? fmt::format(", {}/h", format_usd(usd)) : "");
}

/// What was asked and no data tells, before what may otherwise be taken to weigh it.
void tell_unweighed(const Reading& reading, const Catalog& catalog, Answer& reply) {
    constexpr std::string_view spare = "n+1 takes one machine more";
    std::string words;
    for (const std::string& each : reading.unweighed) {
        words += (words.empty() ? "Without regard to " : ", ") + each;
    }
    const std::size_t at = words.find(spare);
    if (at != std::string::npos && reading.intent == Intent::hardware) {
        words.insert(at + spare.size(), spare_words(reply, catalog));
    }
    reply.headline = words.empty() ? reply.headline : words + ": " + reply.headline;
    if (reading.step_limit_s) {
        reply.headline = fmt::format("For 1000 steps of at most {} each: {}",
                                     format_duration(*reading.step_limit_s), reply.headline);
    }
}

}  // namespace

Result<Reply> route(const Request& request, Question& asked, const World& world) {
    Router router(request, asked, world);
    Reading& reading = *asked.reading;
    const std::string messages = notes_of(world) + asked.messages;
    const std::string missing = missing_names(reading);
    if (!missing.empty()) {
        Answer reply;
        reply.headline = fmt::format("{} is not in the catalog or the profiles; {}.", missing,
                                     reading.neighbour);
        const bool speed = reading.intent == Intent::throughput ||
                           reading.intent == Intent::duration;  // memory tells neither
        const bool sought = !reading.model.empty() || reading.intent == Intent::largest;
        if (reading.memory_gib && !reading.unknown_parts.empty() && sought && !speed) {
            if (const auto held = router.fit_by_memory()) {
                reply.headline +=
                    fmt::format(" By its {:g} GB: {}", *reading.memory_gib, held->headline);
            }
        } else if (!reading.unknown_parts.empty() && !reading.model.empty() &&
                   reading.model_known && reading.intent == Intent::fit) {
            if (const auto needed = router.needed_memory()) {
                reply.headline += fmt::format(
                    " {} Say what the card has for a verdict: --memory 8GB.", needed->headline);
            }
        }
        reply.headline += known_half(request, asked, world) + open_instead(request, reading, world);
        Routed routed = router.alone(std::move(reply));
        routed.exit_code = 4;
        return printed(
            request, reading, std::move(routed),
            messages + fmt::format("error: not known: {}; {}\n", missing, reading.neighbour));
    }
    const auto cards = reading.count;
    const auto sides = reading.sides;
    count_devices(reading, asked.query, world.catalog);
    auto routed = router.run();
    if (routed) {
        routed->reply.headline += price_beside(request, asked, world) + asked.also +
                                  left_out_models(request, reading, world);
        explain(request, asked, world, routed->reply);
        if (!beyond_sense(routed->reply).empty()) {
            routed = router.alone(refusal_of(routed->reply));
            routed->exit_code = 3;
        } else {
            // Sides are compared and parts are sold as they are listed.
            const AssumedField* memory = assumed_of(reading, "memory_gib");
            const bool as_listed =
                reading.intent == Intent::compare || reading.intent == Intent::price;
            if (as_listed && reading.memory_unlisted && memory != nullptr &&
                !routed->reply.headline.starts_with("No price of it with")) {
                routed->reply.headline =
                    fmt::format("N{}. {}", memory->why.substr(1), routed->reply.headline);
            }
            if (asks(reading, "needs_gpu") && !reading.model.empty()) {
                routed->reply.headline = needs_gpu_words(routed->reply);
            }
            tell_cap(reading, world.catalog, routed->reply);
            tell_unweighed(reading, world.catalog, routed->reply);
            routed->reply.headline += size_beside(reading, world);
            const std::string devices = device_words(reading, routed->reply, world.catalog);
            routed->reply.headline +=
                devices + caution_words(reading, routed->reply, world.catalog);
            while (routed->reply.headline.ends_with(' ')) {
                routed->reply.headline.pop_back();
            }
        }
        reading.count = cards;
        reading.sides = sides;
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
    return printed(request, reading, std::move(read),
                   messages + "error: " + routed.error().text() + "\n");
}

}  // namespace ridgeline::ask
