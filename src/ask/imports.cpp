#include "ask/imports.h"

#include "ask/option_table.h"
#include "base/lists.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/formats/key_values.h"
#include "data/formats/weight_header.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::ask {
namespace {

bool takes(const Request& request, std::string_view option) {
    const CommandRow* command = command_named(request.command);
    const auto& rows = options_of(command->command);
    return std::ranges::any_of(rows, [&](const OptionRow& row) { return row.name == option; });
}

/// "h100:8", "h100:8x2" of what a file says beside the name of the part.
std::string with_count(const std::string& part, const ImportedHardware& hardware) {
    if (part.find(':') != std::string::npos || !hardware.accelerators) {
        return part;
    }
    const int nodes = hardware.nodes.value_or(1);
    return nodes > 1 && hardware.per_node ? fmt::format("{}:{}x{}", part, *hardware.per_node, nodes)
                                          : fmt::format("{}:{}", part, *hardware.accelerators);
}

/// The hardware of a file, then each other that would do as well.
std::vector<ImportedHardware> alternatives_of(const ImportedHardware& hardware) {
    std::vector<ImportedHardware> all{hardware};
    for (const ImportedParts& parts : hardware.alternatives) {
        ImportedHardware& other = all.emplace_back(hardware);
        other.accelerator = parts.accelerator;
        if (const auto count = number_with_suffix(parts.count); count && *count >= 1) {
            other.per_node = static_cast<int>(std::min(*count, 1e6));
            other.accelerators = *other.per_node * std::max(1, hardware.nodes.value_or(1));
        }
    }
    return all;
}

void place_hardware(const World& world, const ImportedHardware& hardware, ImportedRequest& out) {
    Request& request = out.request;
    if (request.command == "advise" || request.command == "report") {
        if (hardware.accelerators && !request.given("accelerators") && !request.given("on")) {
            request.options["accelerators"] = {std::to_string(*hardware.accelerators)};
        }
        return;
    }
    if (!takes(request, "on")) {
        return;
    }
    if (request.given("on")) {
        for (std::string& part : request.options["on"]) {
            part = with_count(part, hardware);
        }
        return;
    }
    if (!hardware.on.empty()) {
        request.options["on"] = {hardware.on};
        return;
    }
    for (const ImportedHardware& each : alternatives_of(hardware)) {
        const std::string part = lower(each.accelerator);
        if (part.empty()) {
            continue;
        }
        if (cluster_named(world.catalog, part, false)) {
            const std::string place = with_count(part, each);
            if (!is_among(place, out.places)) {  // of several clouds
                out.places.push_back(place);
            }
        } else {
            out.open.push_back(fmt::format("the accelerator \"{}\": say --on", each.accelerator));
        }
    }
    if (!out.places.empty()) {
        request.options["on"] = {out.places.front()};
    }
    for (std::size_t at = 1; at < out.places.size(); ++at) {
        out.open.push_back(
            fmt::format("the accelerators, of which the first are taken: --on {} "
                        "would do too",
                        out.places[at]));
    }
}

/// Ranks that one copy of the model occupies.
double model_ranks(const Request& request) {
    double ranks = 1;
    for (const char* option : {"tensor", "pipeline", "context"}) {
        ranks *= number_with_suffix(request.text(option)).value_or(1);
    }
    return ranks;
}

/// Micro-batches a step become the global batch once the accelerators are known.
void place_batch(const World& world, const ImportedHardware& hardware, ImportedRequest& out) {
    Request& request = out.request;
    if (!hardware.accumulation || request.given("batch")) {
        return;
    }
    double accelerators = hardware.accelerators.value_or(0);
    const bool open_count = request.command == "advise" || request.command == "report";
    if (open_count) {
        // The parts that may be taken say no number of them.
        accelerators = number_with_suffix(request.text("accelerators")).value_or(accelerators);
    } else if (takes(request, "on") && request.texts("on").size() == 1) {
        const auto cluster =
            cluster_named(world.catalog, request.text("on"), request.on_command_line);
        accelerators = cluster ? cluster->count : accelerators;
    }
    const auto micro = number_with_suffix(request.text("micro-batch"));
    if (accelerators < 1 || !micro) {
        if (*hardware.accumulation > 1) {
            out.open.push_back(fmt::format(
                "{} micro-batches a step: the global batch follows from the accelerators",
                *hardware.accumulation));
        }
        return;
    }
    const double data = std::max(1.0, accelerators / model_ranks(request));
    request.options["batch"] = {fmt::format("{:.0f}", *micro * *hardware.accumulation * data)};
}

/// "all": a server that spreads its layers over every card that it sees.
void place_stages(const World& world, ImportedRequest& out) {
    Request& request = out.request;
    for (const char* option : {"pipeline", "tensor"}) {
        if (request.text(option) != "all") {
            continue;
        }
        const bool other = request.given("data") || number_with_suffix(request.text("tensor")) > 1;
        const bool one = !other && takes(request, "on") && request.texts("on").size() == 1;
        const auto cluster =
            cluster_named(world.catalog, one ? request.text("on") : "", request.on_command_line);
        if (one && cluster) {
            request.options[option] = {std::to_string(cluster->count)};
        } else {
            request.options.erase(option);
        }
    }
}

/// One accelerator has nobody to share gradients or weights with.
void place_sharding(const World& world, const Request& asked, ImportedRequest& out) {
    Request& request = out.request;
    const std::string& sharding = request.text("sharding");
    if (asked.given("sharding") || (sharding != "ddp" && sharding != "fsdp") ||
        !takes(request, "on") || request.texts("on").size() != 1) {
        return;
    }
    const auto cluster = cluster_named(world.catalog, request.text("on"), request.on_command_line);
    if (cluster && cluster->count == 1) {
        request.options.erase("sharding");
    }
}

/// What `check` asks of a file and no option says.
void take_facts(const Imported& imported, ImportedRequest& out) {
    if (!imported.server.longest.empty()) {
        out.request.options[std::string(longest_request_fact)] = {imported.server.longest};
        out.request.options[std::string(length_key_fact)] = {imported.server.length_key};
    }
    std::vector<std::string> uncounted;
    for (const ImportedFile& file : imported.files) {
        if (file.needs_less) {
            out.request.options[std::string(needs_less_fact)] = {"true"};
        }
        for (const ImportNote& note : file.uncounted) {
            uncounted.push_back(fmt::format("{} {}: {}", note.key, note.value, note.meaning));
        }
    }
    if (!uncounted.empty()) {
        out.request.options[std::string(uncounted_fact)] = std::move(uncounted);
    }
}

/// A server's type of activations says nothing of a checkpoint that is stored in a type of its own
/// (vLLM's --dtype: what no quantisation covers).
bool leaves_storage(const World& world, const Imported& imported) {
    const auto says = [&](const char* option) {
        const auto found = imported.options.find(option);
        return found == imported.options.end() ? std::string() : found->second;
    };
    const std::string weights = says("weights");
    if (says("task") != "inference" || !says("quantization").empty() ||
        (weights != "bf16" && weights != "fp16")) {
        return false;
    }
    WorkloadDocument document;
    document.model_id = says("model");
    const auto architecture = architecture_of(document, world);
    return architecture && !architecture->published.type.empty();
}

/// What is published in a type of its own is that in a repository too, where nobody names another.
bool keeps_published(const World& world, const Imported& imported) {
    const auto model = imported.options.find("model");
    if (!imported.usual_type || model == imported.options.end()) {
        return false;
    }
    WorkloadDocument document;
    document.model_id = model->second;
    const auto architecture = architecture_of(document, world);
    return architecture && !architecture->published.type.empty();
}

/// What a file says of adapters holds no more where the request asks for a full tuning.
bool is_of_adapters(const std::string& option) {
    static constexpr const char* options[] = {
        "rank", "targets", "lora-variant", "lora-dropout", "quantization", "double-quantization"};
    return is_among(option, options);
}

/// No other way of training stands for one that is not estimated.
Result<void> method_is_known(const Request& request, const Imported& imported) {
    for (const ImportedFile& file : imported.files) {
        for (const ImportNote& note : file.unknown) {
            if (note.meaning == unread_method && !request.given("method")) {
                return input_error(file.where + ": " + note.key,
                                   fmt::format("\"{}\" {}", note.value, note.meaning),
                                   "--method says what to estimate in its place.");
            }
        }
    }
    return {};
}

/// Copies of a server beyond the one that its file starts.
void note_copies(const World& world, const Imported& imported, ImportedRequest& out) {
    const Request& request = out.request;
    const auto task = imported.options.find("task");
    if (task == imported.options.end() || task->second != "inference" || request.given("data") ||
        !takes(request, "on") || request.texts("on").size() != 1) {
        return;
    }
    const auto cluster = cluster_named(world.catalog, request.text("on"), request.on_command_line);
    const double ranks = model_ranks(request);
    if (cluster && ranks >= 1 && cluster->count > ranks && request.given("tensor")) {
        out.open.push_back(fmt::format(
            "the number of servers: the file starts one on {:.0f} of {} accelerators, and copies "
            "of it on the others share the requests here; --on with {:.0f} asks of one alone",
            ranks, cluster->count, ranks));
    }
}

std::string named(const std::vector<ImportNote>& notes) {
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(notes.size(), most); ++i) {
        const ImportNote& note = notes[i];
        std::string key = note.key.empty() ? note.meaning : note.key;
        key += note.meaning.starts_with("Did you mean") ? " (" + note.meaning + ")" : "";
        append(text, ", ", key);
    }
    return notes.size() > most ? fmt::format("{} and {} more", text, notes.size() - most) : text;
}

std::string notes_json(const std::vector<ImportNote>& notes) {
    std::string text = "[";
    for (const ImportNote& note : notes) {
        text +=
            fmt::format("{}{{\"key\":{},\"value\":{},\"meaning\":{}}}", text.size() > 1 ? "," : "",
                        json_string(note.key), json_string(note.value), json_string(note.meaning));
    }
    return text + "]";
}

}  // namespace

Result<GivenFile> given_file(const Request& request, const std::string& stated) {
    if (!request.on_command_line) {
        return GivenFile{"from", stated};
    }
    const auto weights = weight_header_of(stated);
    if (!weights) {
        return tl::unexpected(weights.error());
    }
    if (*weights) {
        return GivenFile{stated, (*weights)->dump()};
    }
    auto text = TreePath(stated).read();
    if (!text) {
        return tl::unexpected(text.error());
    }
    return GivenFile{stated, std::move(*text)};
}

Result<std::vector<GivenFile>> given_files(const Request& request) {
    std::vector<GivenFile> files;
    for (const std::string& each : request.texts("from")) {
        auto file = given_file(request, each);
        if (!file) {
            return tl::unexpected(file.error());
        }
        files.push_back(std::move(*file));
    }
    return files;
}

bool is_own_document(const std::string& text) { return contains(text, "\"ridgeline/workload/1\""); }

Result<std::vector<FormatTable>> formats_of(const World& world) {
    return load_formats(world.profiles_folder / "formats");
}

Result<ImportedRequest> with_imports(const World& world, const Request& request,
                                     const std::vector<FormatTable>& formats) {
    ImportedRequest out{request, {}, {}, {}};
    auto files = given_files(request);
    if (!files) {
        return tl::unexpected(files.error());
    }
    const auto own = std::find_if(files->begin(), files->end(),
                                  [](const GivenFile& file) { return is_own_document(file.text); });
    if (own != files->end()) {
        out.request.workload = own->text;
        files->erase(own);
    }
    auto imported = import_files(*files, formats);
    if (!imported) {
        return tl::unexpected(imported.error());
    }
    if (const auto known = method_is_known(request, *imported); !known) {
        return tl::unexpected(known.error());
    }
    if (leaves_storage(world, *imported)) {
        imported->options.erase("weights");
    }
    if (keeps_published(world, *imported)) {
        imported->options.erase("quantization");
    }
    for (const auto& [option, value] : imported->options) {
        // What is emitted runs on the software of its own format.
        const bool replaced = (request.command == "emit" && option == "framework") ||
                              (request.text("method") == "full" && is_of_adapters(option));
        if (!request.given(option) && takes(request, option) && !replaced) {
            out.request.options[option] = {value};
        }
    }
    if (!imported->model_config.empty()) {
        if (!request.given("model")) {
            out.request.options.erase("model");
            out.request.workload =
                "{\"schema\":\"ridgeline/workload/1\",\"model\":" + imported->model_config + "}";
        }
    }
    const std::string& evaluation = imported->hardware.evaluation_batch;
    if (!evaluation.empty() && takes(request, "evaluation-batch") &&
        !request.given("evaluation-batch")) {
        out.request.options["evaluation-batch"] = {evaluation};
    }
    take_facts(*imported, out);
    out.files = std::move(imported->files);
    place_hardware(world, imported->hardware, out);
    place_stages(world, out);
    place_batch(world, imported->hardware, out);
    place_sharding(world, request, out);
    note_copies(world, *imported, out);
    return out;
}

std::string unknown_of(const ImportedRequest& imported) {
    std::vector<ImportNote> unknown;
    for (const ImportedFile& file : imported.files) {
        unknown.insert(unknown.end(), file.unknown.begin(), file.unknown.end());
    }
    return named(unknown);
}

std::string notes_of(const ImportedRequest& imported) {
    std::string text;
    for (const ImportedFile& file : imported.files) {
        text += fmt::format("note: {} is {}{}\n", file.where, file.name,
                            file.version.empty() ? "" : " (as of " + file.version + ")");
        std::string read;
        for (const ImportNote& note : file.read) {
            if (!note.meaning.empty()) {
                append(read, " ", note.meaning);
            }
        }
        const std::pair<const char*, std::string> lines[] = {
            {"read", read},
            {"defaulted", named(file.defaulted)},
            {"ignored", named(file.ignored)},
            {"unknown", named(file.unknown)},
            {"not counted", named(file.uncounted)}};
        for (const auto& [what, words] : lines) {
            text += words.empty() ? "" : fmt::format("note:   {}: {}\n", what, words);
        }
    }
    for (const std::string& open : imported.open) {
        text += "note:   open: " + open + "\n";
    }
    return text;
}

std::string imports_json(const ImportedRequest& imported) {
    std::string text = "[";
    for (const ImportedFile& file : imported.files) {
        text += fmt::format(
            "{}{{\"file\":{},\"kind\":{},\"version\":{},\"read\":{},\"defaulted\":{},"
            "\"ignored\":{},\"unknown\":{},\"uncounted\":{}}}",
            text.size() > 1 ? "," : "", json_string(file.where), json_string(file.kind),
            json_string(file.version), notes_json(file.read), notes_json(file.defaulted),
            notes_json(file.ignored), notes_json(file.unknown), notes_json(file.uncounted));
    }
    return text + "]";
}

}  // namespace ridgeline::ask
