// The workload document (contract: workload.md), strict: what the document does not know is an
// error that names the nearest word, so that a typo never silently means "default".
#include "data/load.h"

#include "base/text.h"
#include "data/import_huggingface.h"
#include "data/reader.h"
#include "data/reader_errors.h"
#include "data/workload_fields_reader.h"
#include "data/workload_reader.h"
#include "data/workload_sections.h"
#include "spec/words.h"
#include "spec/workload_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace ridgeline {
namespace {

/// A section that is there exists, even where it is empty.
void open_section(std::string_view name, WorkloadDocument& document) {
    document.has_lora = document.has_lora || name == "lora";
    if (name == "serving" && !document.serving) {
        document.serving.emplace();
    }
    if (name == "input" && !document.input) {
        document.input.emplace();
    }
}

void read_fields(Reader& top, WorkloadDocument& document) {
    std::map<std::string_view, std::optional<Reader>> sections;
    auto last = sections.end();  // fields of a section stand together
    for (const WorkloadField& field : workload_fields()) {
        const std::string_view key = field.key();
        const std::string_view name = field.section();
        if (key == "recompute" && top.is_object("recompute")) {
            read_recompute(top, document);
            continue;
        }
        if (name == "kernel") {
            continue;  // read_kernel
        }
        Reader* section = &top;
        if (!name.empty()) {
            if (last == sections.end() || last->first != name) {
                const auto [at, fresh] = sections.try_emplace(name);
                last = at;
                if (fresh) {
                    at->second = top.optional_object(name);
                    if (at->second) {
                        open_section(name, document);
                    }
                }
            }
            section = last->second ? &*last->second : nullptr;
        }
        if (section == nullptr) {
            continue;
        }
        const bool state = name == "optimizer" && key == "state";
        if (state && section->text_or("state", "") == "none") {
            continue;  // plain SGD has none
        }
        if (key == "image_size" && section->is_array("image_size")) {
            read_image_sides(*section, document);
            continue;
        }
        if (const auto value = read_field(*section, field)) {
            field.set(document, *value);
        }
    }
    for (auto& [name, section] : sections) {
        if (section) {
            read_other_words(name, *section, document);
            section->reject_unknown();
        }
    }
}

/// The error of an inline model keeps its path: "<document>: /model/hidden_size".
Result<Architecture> inline_model(const nlohmann::json& value, const std::string& where,
                                  const std::optional<TreePath>& folder) {
    if (const auto path = value.find("hf_config"); path != value.end()) {
        if (!path->is_string() || path->get_ref<const std::string&>().empty()) {
            return input_error(where + ": /model/hf_config", "expected the path of a config.json");
        }
        if (!folder) {
            return input_error(where + ": /model/hf_config",
                               "found a path, which only a document in a file may name",
                               "Give the keys of the config.json here instead.");
        }
        return load_hf_config(*folder / path->get<std::string>());
    }
    auto architecture = architecture_from_json(value, where);
    if (!architecture) {
        Error error = architecture.error();
        if (error.where.starts_with(where + ": /")) {
            error.where.insert(where.size() + 2, "/model");
        }
        return tl::unexpected(error);
    }
    return architecture;
}

Result<void> read_model(Reader& top, const std::string& where,
                        const std::optional<TreePath>& folder, WorkloadDocument& document) {
    if (!top.has("model")) {
        return {};
    }
    if (!top.is_object("model")) {
        document.model_id = top.text("model");
        document.architecture.reset();
        if (top.is_text("model") && document.model_id.empty()) {
            top.fail("model", "is empty, expected a model id");
        }
        return {};
    }
    auto architecture = inline_model(top.raw("model"), where, folder);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    document.architecture = *architecture;
    document.model_id.clear();
    return {};
}

Task read_task(Reader& top, Task otherwise) {
    if (const auto task = top.optional_choice("task", task_words())) {
        return *task;
    }
    if (top.has("kernel")) {
        return Task::kernel;
    }
    return top.has("serving") ? Task::inference : otherwise;
}

void read_top(Reader& top, WorkloadDocument& document, const std::string& where) {
    constexpr std::string_view schema = "ridgeline/workload/1";
    const std::string stated = top.text_or("schema", schema);
    if (stated != schema && top.is_text("schema")) {
        top.fail("schema", fmt::format("found \"{}\", expected \"{}\"", printable(stated), schema));
    }
    document.name = top.text_or("name", document.name);
    document.task = read_task(top, document.task);
    read_fields(top, document);
    read_kernel(top, document, where);
}

}  // namespace

Result<WorkloadDocument> workload_from_value(const JsonNode& value, const std::string& where,
                                             const std::optional<TreePath>& folder,
                                             WorkloadDocument document) {
    if (!value.is(JsonNode::Kind::object)) {
        return input_error(where,
                           fmt::format("found {}, expected a workload object", value.type_name()));
    }
    Errors errors(where, &value);
    Reader top(&value, &errors);
    read_top(top, document, where);
    const Result<void> model = read_model(top, where, folder, document);
    top.reject_unknown();
    std::vector<Error> all = errors.list();
    if (!model) {
        all.push_back(model.error());
    }
    if (all.size() == 1) {
        return tl::unexpected(all.front());
    }
    if (!all.empty()) {
        std::string lines;
        for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 20); ++i) {
            append(lines, "\n", all[i].text());
        }
        return tl::unexpected(Error{ErrorKind::input, "", lines, ""});
    }
    return document;
}

Result<WorkloadDocument> workload_from_json(std::string_view json_text, const std::string& where,
                                            WorkloadDocument base) {
    const Result<Document> document = Document::parse(json_text, where);
    if (!document) {
        return tl::unexpected(document.error());
    }
    return workload_from_value(document->node(), where, std::nullopt, std::move(base));
}

Result<WorkloadDocument> load_workload(const TreePath& file) {
    const Result<Document> document = Document::read(file);
    if (!document) {
        return tl::unexpected(document.error());
    }
    return workload_from_value(document->node(), file.string(), file.parent_path(), {});
}

}  // namespace ridgeline
