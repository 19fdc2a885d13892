#include "ask/question.h"

#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/reading/reading.h"
#include "ask/calendar.h"
#include "ask/deeds.h"
#include "ask/newcomers.h"
#include "ask/open_questions.h"
#include "ask/question_options.h"
#include "ask/workload_options.h"
#include "base/lists.h"
#include "base/text.h"
#include "data/load.h"
#include "spec/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline::ask {
namespace {

constexpr int many_accelerators = 64;
/// Bytes; a question may be longer than any name of a file.
constexpr std::size_t longest_file_name = 1024;

/// The days from today to a date become the deadline; an error when there are none.
std::optional<Error> set_deadline(Question& question, const std::string& told) {
    const std::string date = next_day(today(), told);
    const auto days = days_between(today(), date);
    if (!days || *days < 1) {
        return Error{ErrorKind::usage, "deadline",
                     fmt::format("found \"{}\", expected a day after {}", date, today()),
                     "Write it as 2027-03-01, or as a time: in 30 days."};
    }
    question.query.deadline_s = static_cast<double>(*days) * 86400;
    question.assumptions.push_back(fmt::format("until {} there are {} days", date, *days));
    return std::nullopt;
}

/// Above this a sum buys servers, whose price is that of the whole. USD.
constexpr double most_for_one_computer = 50000;

/// A computer that the sum pays for too is taken off it, half of it at most; what is left buys
/// cards, one of them where the sum pays for no computer that holds several.
void pay_for_computer(Reading& reading, Query& query, const Catalog& catalog) {
    const bool buys = query.buy || reading.intent == Intent::budget;
    if (!query.budget_usd && query.buy && asks(reading, "computer")) {
        query.computer_usd = computer_around(catalog, 1);  // prices are compared with it
        return;
    }
    if (!query.budget_usd || *query.budget_usd > most_for_one_computer || !buys ||
        !asks(reading, "computer")) {
        return;
    }
    const double sum = *query.budget_usd;
    const double of_several = computer_around(catalog, 2);
    const bool several = of_several > 0 && of_several <= sum / 2;
    const double usd = std::min(several ? of_several : computer_around(catalog, 1), sum / 2);
    query.budget_usd = std::round((sum - usd) * 100) / 100;
    query.computer_usd = usd;
    if (!query.exact_accelerators && !query.max_accelerators) {
        query.max_accelerators = several ? cards_of_a_computer : 1;
        assume_first(reading, "max_accelerators", fmt::format("{}", *query.max_accelerators),
                     several ? "as many as one computer at a desk holds; more: \"up to 4 cards\""
                             : "the sum pays for no computer of several cards");
    }
    assume_first(reading, "budget_usd", fmt::format("{:.0f}", *query.budget_usd),
                 fmt::format("of {} about {} go to the computer around {}", format_usd(sum),
                             format_usd(usd), several ? "the cards" : "one card"));
}

/// Of experts that are published packed no narrower copy is usual: what was assumed of their type
/// gives way to their own.
void keep_published(Reading& reading, Query& query, const std::string& published) {
    for (AssumedField& each : reading.assumed) {
        if (each.field == "quantization") {
            each.value = names_file_type(each.value) ? in_files(published) : published;
            each.why = "as it is published: other files keep its 4-bit floats";
            query.workload.quantization = reading.quantization = each.value;
        }
    }
}

/// What the model of a question settles. Returns the type of experts that are served as they were
/// published, else "".
std::string suit_to_model(Reading& reading, const World& world) {
    if (reading.model.empty() || (!reading.model_known && reading.stands_for.empty())) {
        return "";
    }
    WorkloadDocument document;
    document.task = Task::inference;
    document.model_id = reading.estimated_model();
    const auto architecture = completed(document, world);
    if (!architecture) {
        return "";
    }
    suit_to_network(reading, *architecture, world.profiles);
    if (reading.as_published && reading.quantization.empty()) {
        reading.quantization = document.quantization.value_or("none");
        assume(reading, "quantization", reading.quantization,
               "a command that names no type loads the weights as they are published");
    }
    const std::string published = document.quantization.value_or("");
    return architecture->packs_experts_in(published) ? published : "";
}

/// A part that the catalog lacks is understood as one, and told with the answer.
std::string not_understood_note(const Reading& reading) {
    std::vector<std::string> dropped = reading.not_understood;
    std::erase_if(dropped, [&](const std::string& word) {
        const auto among = [&](const std::vector<std::string>& list) {
            return is_among(word, list);
        };
        return among(reading.unknown_parts) || among(reading.unpriced_providers);
    });
    return dropped.empty()
               ? ""
               : fmt::format("note: not understood: {} (see `ridgeline advise --help`)\n",
                             joined(dropped, ", "));
}

/// A word for the model of a file, which none types.
constexpr const char* model_of_file = "modelofthefile";

/// The words, in which the model that options state is one where they name none: how it is tuned
/// or served, and what of it is asked, follows from its kind.
Result<Reading> read_with_model(const std::string& words, const Request& request,
                                const World& world) {
    auto reading = read_question(words, vocabulary_of(world));
    if ((reading && !reading->model.empty()) || !request.workload.empty() ||
        !states_workload(request)) {
        return reading;
    }
    const auto stated = with_workload_options(WorkloadDocument{}, request);
    if (!stated && !reading) {
        return tl::unexpected(stated.error());  // a file that is not there
    }
    if (stated && stated->architecture) {
        const auto known = vocabulary_with(world, model_of_file, *stated->architecture);
        return read_question(fmt::format("{}, {}", words, model_of_file), known);
    }
    return stated && !stated->model_id.empty()
               ? read_question(words + ", " + stated->model_id, vocabulary_of(world))
               : reading;
}

/// Words of a question whose work is understood that may remain.
constexpr std::size_t most_dropped = 12;

/// The words with what is usual for such a question where they leave open what an answer needs;
/// what is told around the answer goes to `question`.
Result<Reading> read_supplemented(const std::string& words, const Request& request,
                                  const World& world, Question& question) {
    auto reading = read_with_model(words, request, world);
    if (states_workload(request) || !request.workload.empty()) {
        return reading;
    }
    const Reading* const read = reading ? &*reading : nullptr;
    const std::size_t left = read != nullptr ? read->not_understood.size() : 0;
    // What is to be done is understood, whatever nouns stand beside it.
    const std::pair<std::optional<Supplement>, std::size_t> supplements[] = {
        {supplement_of_newcomer(words, read), most_dropped},
        {supplement_of_deed(words, read, true), most_dropped},
        {supplement_of(words, read), left},
        {supplement_of_deed(words, read, false), most_dropped}};
    for (const auto& [open, dropped] : supplements) {
        if (!open) {
            continue;
        }
        auto whole =
            read_question(open->alone ? open->words : words + open->words, vocabulary_of(world));
        if (!whole || (open->intent && whole->intent != *open->intent) ||
            whole->not_understood.size() > dropped) {
            continue;
        }
        if (!open->assumed.field.empty()) {
            assume_first(*whole, open->assumed.field, open->assumed.value, open->assumed.why);
        }
        question.lead = open->lead;
        question.beside = open->beside;
        return whole;
    }
    return reading;
}

/// What the words say, and the note on those that were not understood.
Result<Question> read_words(const std::string& words, const Request& request, const World& world) {
    Question question;
    auto reading = read_supplemented(words, request, world, question);
    if (!reading) {
        return tl::unexpected(reading.error());
    }
    const std::string packed = suit_to_model(*reading, world);
    question.query = query_of(*reading);
    if (!packed.empty()) {
        keep_published(*reading, question.query, packed);
    }
    pay_for_computer(*reading, question.query, world.catalog);
    reading->flags = flags_of(*reading, question.query);
    question.length_open = question.query.buy && !reading->buy;
    for (const AssumedField& field : reading->assumed) {
        question.assumptions.push_back(
            fmt::format("{} {}: {}", field.field, field.value, field.why));
    }
    if (!reading->deadline_date.empty()) {
        if (const auto late = set_deadline(question, reading->deadline_date)) {
            return tl::unexpected(*late);
        }
    }
    question.unknown = reading->not_understood;
    question.messages = not_understood_note(*reading);
    question.reading = std::move(*reading);
    return question;
}

/// Lays the workload options over what the question says of the workload.
Result<void> add_workload(Question& question, const Request& request, const std::string& file) {
    const bool worded = question.query.workload != WorkloadDocument{};
    if (worded && !request.workload.empty()) {
        return usage_error("workload", "found beside a question in words, expected one of the two");
    }
    auto base =
        worded ? Result<WorkloadDocument>(question.query.workload) : stated_workload(request, file);
    if (!base) {
        return tl::unexpected(base.error());
    }
    auto document = with_workload_options(std::move(*base), request);
    if (!document) {
        return tl::unexpected(document.error());
    }
    if (request.given("method") || document->method != question.query.workload.method) {
        question.query.method_open = false;
    }
    question.query.workload = std::move(*document);
    if (!question.query.workload.model_id.empty()) {
        question.query.model_text = question.query.workload.model_id;
    }
    for (const char* option : {"hf-config", "onnx"}) {
        if (question.reading && request.given(option)) {
            question.query.model_option = fmt::format("--{}", option);
            question.query.model_text = request.text(option);
            question.reading->model = question.query.workload.architecture->name;
        }
    }
    if (question.reading) {
        question.reading->flags = flags_of(*question.reading, question.query);
    }
    return {};
}

/// Whether a profile or an alias has a model of that name.
bool is_known(const std::string& name, const World& world) {
    WorkloadDocument document;
    document.task = Task::inference;
    document.model_id = name;
    return completed(document, world).has_value();
}

/// "does ./my/config.json fit on a 4090": the file is that of the model, as if an option named it.
///
/// "resnet50.onnx" that is no file here, of a model that is known: that model is spoken of.
void take_named_file(Request& asked, const World& world) {
    std::vector<std::string>& parts = asked.options["question"];
    for (std::string& part : parts) {
        for (const std::string& word : split(part, ' ')) {
            const std::string path = word.substr(0, word.find_last_not_of("?!,;:.\"')") + 1);
            const bool graph = path.ends_with(".onnx");
            const char* option = graph ? "onnx" : "hf-config";
            const bool config = path.ends_with("config.json") ||
                                (path.ends_with(".json") && path.find('/') != std::string::npos);
            // "Qwen/Qwen3-32B/config.json" may be of the hub.
            const bool here = path.starts_with('/') || path.starts_with('.') ||
                              path.find('/') == std::string::npos ||
                              (asked.on_command_line && TreePath(path).is_file());
            const std::string stem = path.substr(0, path.find('.'));
            if (graph && here && !stem.empty() && path.find('/') == std::string::npos &&
                !(asked.on_command_line && TreePath(path).is_file()) && is_known(stem, world)) {
                part.replace(part.find(path), path.size(), stem + " onnx");
                return;
            }
            if ((graph || config) && here && (word != part || parts.size() > 1) &&
                !asked.given(option)) {
                part.erase(part.find(path), path.size());
                asked.options[option] = {path};
                return;
            }
        }
    }
}

/// A model's file and nothing else, no workload document: what runs it is asked. One that is broken
/// says so itself.
bool is_model_alone(const std::string& file) {
    if (file.ends_with(".onnx")) {
        return true;
    }
    if (load_workload(file)) {
        return false;
    }
    const auto text = TreePath(file).read();
    const auto states = [&text](const char* key) { return text && text->find(key) != text->npos; };
    return (states("\"model_type\"") && !states("\"task\"")) || load_hf_config(file).has_value();
}

}  // namespace

Result<Question> question_of(const Request& request, const World& world) {
    Request asked = request;
    take_named_file(asked, world);
    std::vector<std::string>& parts = asked.options["question"];
    if (request.flag("owned") && !parts.empty() && parts.front() == "local") {
        parts.erase(parts.begin());  // --owned local "question": the devices of this machine
        asked.options["on"].emplace_back("local");
    }
    std::string words;
    for (const std::string& part : parts) {
        append(words, " ", part);
    }
    bool file = request.on_command_line && parts.size() == 1 &&
                ((words.ends_with(".json") && words.find(' ') == std::string::npos) ||
                 (words.size() < longest_file_name && TreePath(words).is_file()));
    if (file && !states_workload(asked) && is_model_alone(words)) {
        asked.options[words.ends_with(".onnx") ? "onnx" : "hf-config"] = {words};
        words = "what gpu to run it";
        file = false;
    }
    Question question;
    if (!file && !words.empty()) {
        auto read = read_words(words, asked, world);
        if (!read) {
            return read;
        }
        question = std::move(*read);
    } else if (!file && !states_workload(asked)) {
        return usage_error(
            asked.command, "nothing was asked",
            fmt::format("Example: ridgeline {} \"what GPU for a 70B fine-tune\".", asked.command));
    }
    if (file || states_workload(asked)) {
        if (const auto added = add_workload(question, asked, file ? words : ""); !added) {
            return tl::unexpected(added.error());
        }
    }
    if (question.reading && question.reading->task == Task::train) {
        if (const auto served = check_engine_share(question.query.workload, request); !served) {
            return tl::unexpected(served.error());
        }
    }
    const std::string date = request.text("deadline");
    const bool dated = days_between(date, date).has_value();
    if (dated) {
        asked.options.erase("deadline");
    }
    auto query = with_flags(std::move(question.query), asked, world.catalog);
    if (!query) {
        return tl::unexpected(query.error());
    }
    question.query = std::move(*query);
    if (dated) {
        if (const auto late = set_deadline(question, date)) {
            return tl::unexpected(*late);
        }
    }
    return question;
}

bool asks_about_money_alone(const Query& query) {
    return query.workload.model_id.empty() && !query.workload.architecture &&
           (query.budget_usd || query.exact_accelerators.value_or(0) >= many_accelerators);
}

BudgetAnswer budget_answer_on(const Question& question, const World& world) {
    std::vector<SizedModel> sizes;
    for (const char* size : {"1B", "3B", "7B", "8B", "14B", "24B", "32B", "70B", "123B", "405B"}) {
        if (auto model = typical_architecture(size)) {
            sizes.push_back({size, std::move(*model)});
        }
    }
    const std::string date = today();
    return budget_answer(question.query, knowledge_of(world, date), sizes);
}

}  // namespace ridgeline::ask
