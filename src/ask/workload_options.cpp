#include "ask/workload_options.h"

#include "ask/option_table.h"
#include "base/lists.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/load.h"
#include "data/load_onnx.h"
#include "data/load_requests.h"
#include "spec/workload_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace ridgeline::ask {
namespace {

Result<std::string> json_number(const WorkloadField& field, const std::string& text) {
    const auto number = field.is_length() ? length_with_suffix(text) : number_with_suffix(text);
    if (!number) {
        return usage_error("--" + std::string(field.option),
                           fmt::format("found \"{}\", expected a finite number", text),
                           "Examples: 8, 4096, 8k, 1.5T.");
    }
    if (std::abs(*number) < 1e15 && *number == std::floor(*number)) {
        return fmt::format("{:.0f}", *number);
    }
    return fmt::format("{}", *number);
}

/// A text of which the field lists words is one of them.
Result<std::string> json_word(const WorkloadField& field, const std::string& text) {
    const auto listed = field.words != nullptr ? field.words() : std::vector<std::string_view>();
    if (listed.empty() || is_among(text, listed)) {
        return json_string(text);
    }
    return usage_error(
        "--" + std::string(field.option),
        fmt::format("found \"{}\", expected one of {}", text, fmt::join(listed, ", ")),
        did_you_mean(text, std::vector<std::string>(listed.begin(), listed.end())));
}

Result<std::string> json_value(const WorkloadField& field, const std::vector<std::string>& texts) {
    const std::string& text = texts.front();
    switch (field.type) {
        case FieldType::whole:
        case FieldType::number:
            return json_number(field, text);
        case FieldType::boolean:
            if (text != "true" && text != "false") {
                return usage_error("--" + std::string(field.option),
                                   fmt::format("found \"{}\", expected true or false", text));
            }
            return text;
        case FieldType::names: {
            if (text == "all-linear" && texts.size() == 1) {
                return json_string(text);
            }
            std::string array = "[";
            for (const std::string& given : texts) {
                for (const std::string& piece : split(given, ',')) {
                    array += (array.size() > 1 ? "," : "") + json_string(piece);
                }
            }
            return array + "]";
        }
        case FieldType::word:  // by the reader of documents
            return json_string(text);
        case FieldType::text:
            return json_word(field, text);
    }
    return json_string(text);
}

/// The options as a workload document, so that one reader checks both.
Result<std::string> json_of(const Request& request, const WorkloadDocument& base) {
    std::map<std::string, std::string> sections;
    for (const char* key : {"model", "task"}) {
        if (request.given(key)) {
            sections[key] = json_string(request.text(key));
        }
    }
    std::vector<std::string_view> names;
    for (const auto& [name, texts] : request.options) {
        names.push_back(name);
    }
    const auto is_given = [&names](std::string_view option) { return is_among(option, names); };
    for (const WorkloadField& field : workload_fields()) {
        const std::vector<std::string>* texts =
            is_given(field.option) ? &request.texts(field.option) : nullptr;
        if (texts == nullptr || texts->empty()) {
            continue;
        }
        const auto value = json_value(field, *texts);
        if (!value) {
            return value;
        }
        if (field.section().empty()) {
            sections[std::string(field.key())] = *value;
            continue;
        }
        std::string& section = sections[std::string(field.section())];
        section += (section.empty() ? "{" : ",") + json_string(field.key()) + ":" + *value;
    }
    if (sections.count("lora") > 0 && sections.count("method") == 0 && !base.method) {
        sections["method"] = "\"lora\"";
    }
    std::string text = "{\"schema\":\"ridgeline/workload/1\"";
    for (const auto& [key, value] : sections) {
        text += "," + json_string(key) + ":" + value + (value.front() == '{' ? "}" : "");
    }
    return text + "}";
}

/// Says an error of the document in terms of the option that the value came from.
Error in_terms_of_options(Error error) {
    std::size_t longest = 0;
    std::string option;
    for (const OptionRow& row : options_of(Command::estimate)) {
        if (!row.path.empty() && row.path.size() > longest && contains(error.where, row.path)) {
            longest = row.path.size();
            option = "--" + std::string(row.name);
        }
    }
    if (!option.empty()) {
        error.where = option;
    }
    error.kind = ErrorKind::usage;
    return error;
}

/// The requests of --workload-trace, whose mean lengths stand for one of them.
Result<void> read_requests(const Request& request, const std::string& file,
                           WorkloadDocument& document) {
    for (const char* length :
         {"input-tokens", "output-tokens", "shortest-share", "longest-output", "burst"}) {
        if (request.given(length)) {
            return usage_error(std::string("--") + length,
                               "found beside --workload-trace, which says it");
        }
    }
    const auto path = request.file("--workload-trace", file);
    auto requests = path ? load_requests(*path) : tl::unexpected(path.error());
    if (!requests) {
        return tl::unexpected(requests.error());
    }
    if (!request.given("task") && request.text("workload").empty() && request.workload.empty()) {
        document.task = Task::inference;
    }
    Serving& serving = document.serving ? *document.serving : document.serving.emplace();
    serving.input_tokens = 0;
    serving.output_tokens = 0;
    const auto count = static_cast<double>(requests->size());
    for (const TracedRequest& each : *requests) {
        serving.input_tokens += each.input_tokens / count;
        serving.output_tokens += each.output_tokens / count;
    }
    serving.trace = std::make_shared<const std::vector<TracedRequest>>(std::move(*requests));
    return {};
}

}  // namespace

namespace {

Result<std::vector<GivenShape>> given_shapes(const Request& request) {
    std::vector<GivenShape> shapes;
    for (const std::string& text : request.texts("shape")) {
        auto shape = shape_from_text(text);
        if (!shape) {
            return tl::unexpected(shape.error());
        }
        shapes.push_back(std::move(*shape));
    }
    return shapes;
}

/// Inference in the types of a file, where the user says no other.
void serve_in_types_of(std::string_view type, WorkloadDocument& document) {
    // Products of fp32 files run in TF32 (ONNX Runtime, use_tf32 = 1), where a card has it.
    document.compute = document.compute.value_or(type == "fp16"   ? ComputeType::fp16
                                                 : type == "bf16" ? ComputeType::bf16
                                                 : type == "int8" ? ComputeType::int8
                                                                  : ComputeType::tf32);
    document.weights = document.weights.value_or(type == "fp16"   ? DType::fp16
                                                 : type == "bf16" ? DType::bf16
                                                 : type == "int8" ? DType::int8
                                                                  : DType::fp32);
    document.framework = document.framework.value_or("onnxruntime");
}

/// The graph of --onnx as the model of a document: inference in the file's own types, unless the
/// user says otherwise.
Result<void> take_graph(WorkloadDocument& document, const Request& request) {
    const auto shapes = given_shapes(request);
    if (!shapes) {
        return tl::unexpected(shapes.error());
    }
    if (!request.given("onnx")) {
        return shapes->empty() ? Result<void>()
                               : usage_error("--shape", "found without --onnx",
                                             "It states the sides of an input of a graph.");
    }
    for (const char* other : {"model", "hf-config"}) {
        if (request.given(other)) {
            return usage_error("--onnx", fmt::format("found beside --{}", other),
                               "Both say what the model is: remove one.");
        }
    }
    const auto path = request.file("--onnx", request.text("onnx"));
    auto architecture = path ? load_onnx(*path, *shapes) : tl::unexpected(path.error());
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    const NetworkSizes& sizes = *architecture->network;
    const bool trains = request.given("task") ? request.text("task") == "train"
                                              : request.given("method") || request.given("epochs");
    document.task = trains ? Task::train : Task::inference;
    if (!trains) {
        serve_in_types_of(sizes.word("type"), document);
    }
    const double samples = sizes.number("samples", 1);
    if (!document.micro_batch && samples > 1 && samples <= 1e6) {
        document.micro_batch = static_cast<int>(samples);
    }
    document.architecture = std::move(*architecture);
    document.model_id.clear();
    return {};
}

}  // namespace

bool states_workload(const Request& request) {
    if (!request.workload.empty()) {
        return true;
    }
    for (const OptionRow& row : options_of(Command::estimate)) {
        if ((!row.path.empty() || row.name == "hf-config" || row.name == "onnx") &&
            request.given(row.name)) {
            return true;
        }
    }
    return false;
}

Result<WorkloadDocument> stated_workload(const Request& request, const std::string& file) {
    if (!request.workload.empty()) {
        if (!file.empty()) {
            return usage_error("workload", "found a document and the path of another");
        }
        return workload_from_json(request.workload, "workload");
    }
    if (file.empty()) {
        return WorkloadDocument{};
    }
    const auto path = request.file("workload", file);
    return path ? load_workload(*path) : tl::unexpected(path.error());
}

Result<void> check_engine_share(const WorkloadDocument& document, const Request& request) {
    const bool imported = request.given("from");  // files of trainers state it in passing
    const bool trains = document.task == Task::train && !document.preference;
    return request.given("memory-fraction") && !imported && trains
               ? usage_error("--memory-fraction",
                             "is the share of a serving engine, and this trains without one",
                             "Remove it, or set --task inference; --algorithm grpo has an engine "
                             "beside it.")
               : Result<void>();
}

/// Tokens that are proposed come from somewhere: a draft model has a size, a look-up of n-grams has
/// none. What a file says of it is told by its keys.
Result<void> check_draft(const WorkloadDocument& document, const Request& request) {
    const bool proposes = document.serving && document.serving->draft_tokens > 0;
    const bool sized = request.given("draft-parameters") ||
                       (document.serving && document.serving->draft_parameters > 0);
    if (!proposes || sized || !request.given("draft-tokens") || request.given("from")) {
        return {};
    }
    return usage_error("--draft-tokens",
                       fmt::format("found {} without --draft-parameters, the draft that proposes "
                                   "them",
                                   request.text("draft-tokens")),
                       "Say the size of the draft model (--draft-parameters 1B), or 0 for a "
                       "look-up of n-grams.");
}

Result<void> check_part(const WorkloadDocument& document, const Architecture& architecture) {
    const bool parted = document.serving || architecture.kind == ModelKind::diffusion;
    return document.phase.value_or("").empty() || parted
               ? Result<void>()
               : usage_error("--part",
                             fmt::format("found \"{}\", which is no part of {}", *document.phase,
                                         architecture.name),
                             "Networks that make pictures and that hear speech have parts.");
}

Result<WorkloadDocument> with_workload_options(WorkloadDocument base, const Request& request) {
    const auto text = json_of(request, base);
    if (!text) {
        return tl::unexpected(text.error());
    }
    auto document = workload_from_json(*text, "command line", std::move(base));
    if (!document) {
        return tl::unexpected(in_terms_of_options(document.error()));
    }
    if (const std::string& trace = request.text("workload-trace"); !trace.empty()) {
        if (const auto read = read_requests(request, trace, *document); !read) {
            return tl::unexpected(read.error());
        }
    }
    if (const std::string& config = request.text("hf-config"); !config.empty()) {
        const auto path = request.file("--hf-config", config);
        if (path && request.given("model")) {
            return usage_error("--hf-config", "found beside --model",
                               "Both say what the model is: remove one.");
        }
        auto architecture = path ? load_hf_config(*path) : tl::unexpected(path.error());
        if (!architecture) {
            return tl::unexpected(architecture.error());
        }
        document->architecture = std::move(*architecture);
        document->model_id.clear();
    }
    if (const auto taken = take_graph(*document, request); !taken) {
        return tl::unexpected(taken.error());
    }
    if (const auto served = check_engine_share(*document, request); !served) {
        return tl::unexpected(served.error());
    }
    if (const auto drafted = check_draft(*document, request); !drafted) {
        return tl::unexpected(drafted.error());
    }
    return document;
}

Result<WorkloadDocument> workload_of(const Request& request) {
    return workload_of(request, request.text("workload"));
}

Result<WorkloadDocument> workload_of(const Request& request, const std::string& file) {
    auto base = stated_workload(request, file);
    return base ? with_workload_options(std::move(*base), request) : base;
}

}  // namespace ridgeline::ask
