#include "ask/imports.h"

#include "ask/imported_hardware.h"
#include "ask/option_table.h"
#include "ask/workload_options.h"
#include "base/lists.h"
#include "base/text.h"
#include "base/utf8.h"
#include "data/formats/key_values.h"
#include "data/formats/weight_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::ask {
namespace {

bool states_lengths(const Request& request) {
    return request.given("input-tokens") || request.given("output-tokens");
}

/// Memory of all cards of a request, GiB; 0: they are not known.
double memory_of_cards(const World& world, const Request& request) {
    if (request.texts("on").size() != 1) {
        return 0;
    }
    const auto cluster = cluster_named(world.catalog, request.text("on"), request.on_command_line);
    return cluster ? cluster->count * (cluster->accelerator->capacity() / gibibyte) : 0;
}

/// "4096 23:32768 47:262144": the first, and from so many GiB another.
double length_by_memory(const std::string& steps, double gib) {
    double length = 0;
    for (const std::string& step : split(steps, ' ')) {
        const std::size_t colon = step.find(':');
        const double from =
            colon == std::string::npos ? 0 : number_with_suffix(step.substr(0, colon)).value_or(0);
        const std::string tokens = colon == std::string::npos ? step : step.substr(colon + 1);
        length = gib >= from ? number_with_suffix(tokens).value_or(length) : length;
    }
    return length;
}

/// A longest request that no file states, as its server takes it: tokens, and why.
struct UsualLength {
    double tokens = 0;
    std::string why;
};

UsualLength usual_length(const ImportedServer& server, double positions, double gib) {
    const std::string& rule = server.longest;
    if (rule == "model") {
        return {std::floor(positions / server.shared_by), "the longest request of the model"};
    }
    if (rule.starts_with(room_rule)) {
        return {number_with_suffix(rule.substr(room_rule.size())).value_or(0),
                "no longest request is stated, and it admits what its cache holds"};
    }
    return {length_by_memory(rule, gib), gib > 0
                                             ? fmt::format("what it takes beside {:.0f} GiB", gib)
                                             : "what it takes beside the smallest cards"};
}

/// What a server is asked where its file states no longest request: that which its tool takes then.
/// What the request says of lengths wins.
void take_longest(const World& world, const Request& asked, const Imported& imported,
                  double positions, ImportedRequest& out) {
    if (states_lengths(out.request) || states_lengths(asked) ||
        !takes_option(out.request, "input-tokens")) {
        return;
    }
    UsualLength usual =
        usual_length(imported.server, positions, memory_of_cards(world, out.request));
    usual.tokens = std::min(usual.tokens, positions);
    if (usual.tokens < 2) {
        return;
    }
    const RequestLengths lengths = longest_lengths(usual.tokens);
    const std::string input = fmt::format("{:.0f}", lengths.input);
    const std::string output = fmt::format("{:.0f}", lengths.output);
    out.request.options["input-tokens"] = {input};
    out.request.options["output-tokens"] = {output};
    out.files.back().defaulted.push_back(
        {"", input,
         fmt::format("--input-tokens {} --output-tokens {}: {}", input, output, usual.why)});
}

/// A length beyond the positions of the model, with which some servers do not start, and which
/// others cut.
void hold_to_positions(const Request& asked, const Imported& imported, double positions,
                       ImportedRequest& out) {
    const ImportedServer& server = imported.server;
    const double stated = length_with_suffix(server.longest).value_or(0);
    if (states_lengths(asked) || stated <= positions) {
        return;
    }
    ImportedFile& file = out.files.back();
    if (server.refuses_longer) {
        file.uncounted.push_back(
            {server.length_key, server.longest,
             fmt::format("is more than the {:.0f} positions of the model, with which it does not "
                         "start unless the config.json of its weights says more",
                         positions)});
    } else if (server.caps_longer) {
        const RequestLengths lengths = longest_lengths(positions);
        out.request.options["input-tokens"] = {fmt::format("{:.0f}", lengths.input)};
        out.request.options["output-tokens"] = {fmt::format("{:.0f}", lengths.output)};
        out.open.push_back(fmt::format("{} {} is cut to the {:.0f} positions of the model",
                                       server.length_key, server.longest, positions));
    }
}

/// Positions of the model of a request; 0: not known.
double positions_of(const World& world, const Request& request) {
    const auto document = workload_of(request);
    const auto architecture = document ? architecture_of(*document, world)
                                       : Result<Architecture>(tl::unexpected(document.error()));
    return architecture ? architecture->max_positions : 0;
}

/// The longest request of a server, as its file states it or its tool takes it.
void settle_requests(const World& world, const Request& asked, Imported& imported,
                     ImportedRequest& out) {
    const auto task = imported.options.find("task");
    if (task == imported.options.end() || task->second != "inference" || out.files.empty()) {
        return;
    }
    if (imported.server.longest.empty() && !imported.options.contains("input-tokens")) {
        imported.server.longest = fmt::format("{}1536", room_rule);  // nothing says more
    }
    const double positions = positions_of(world, out.request);
    if (positions >= 2) {
        take_longest(world, asked, imported, positions, out);
        hold_to_positions(asked, imported, positions, out);
    }
}

/// What `check` asks of a file and no option says.
void take_facts(const Request& asked, const Imported& imported, ImportedRequest& out) {
    if (!imported.server.longest.empty() && !states_lengths(asked)) {
        out.request.options[std::string(longest_request_fact)] = {imported.server.longest};
        out.request.options[std::string(length_key_fact)] = {imported.server.length_key};
    }
    if (asked.command == "emit" && !imported.kept.empty()) {
        std::vector<std::string>& kept = out.request.options[std::string(kept_fact)];
        for (const KeptSetting& each : imported.kept) {
            kept.push_back(
                fmt::format("{}\t{}\t{}\t{}", each.format, each.key, each.word, each.value));
        }
    }
    if (!imported.weights.empty() && !asked.given("model")) {
        out.request.options[std::string(weights_fact)] = {imported.weights};
    }
    std::vector<std::string> uncounted;
    for (const ImportedFile& file : out.files) {
        if (file.needs_less) {
            out.request.options[std::string(needs_less_fact)] = {"true"};
        }
        for (const ImportNote& note : file.uncounted) {
            uncounted.push_back(fmt::format("{}{}{}: {}", note.key, note.value.empty() ? "" : " ",
                                            note.value, note.meaning));
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
        "rank",       "targets",      "lora-variant",       "lora-dropout",
        "lora-fused", "quantization", "double-quantization"};
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

std::string named(const std::vector<ImportNote>& notes) {
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(notes.size(), most); ++i) {
        const ImportNote& note = notes[i];
        std::string key = note.key.empty() ? note.meaning : note.key;
        const bool helps = note.meaning.starts_with("Did you mean") ||
                           note.meaning.starts_with("overruled") ||
                           note.meaning.starts_with("a file of its own");
        key += helps ? " (" + note.meaning + ")" : "";
        append(text, ", ", key);
    }
    return notes.size() > most ? fmt::format("{} and {} more", text, notes.size() - most) : text;
}

/// What was read as options, each once: a later key may say another value.
std::string read_words(const ImportedFile& file) {
    std::vector<std::pair<std::string, std::string>> words;
    const auto take = [&](const std::string& name, const std::string& word) {
        const auto same =
            std::ranges::find(words, name, &std::pair<std::string, std::string>::first);
        if (same == words.end()) {
            words.emplace_back(name, word);
        } else {
            same->second = word;
        }
    };
    for (const ImportNote& note : file.read) {
        if (note.meaning.rfind("--", 0) != 0) {
            take(note.key, note.key + " " + note.value);
            continue;
        }
        for (std::size_t at = 0; at < note.meaning.size();) {
            const std::size_t next = std::min(note.meaning.find(" --", at), note.meaning.size());
            const std::string word = note.meaning.substr(at, next - at);
            take(word.substr(0, word.find(' ')), word);
            at = next + 1;
        }
    }
    std::string text;
    for (const auto& [name, word] : words) {
        append(text, " ", word);
    }
    return text;
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

/// What a translation keeps, or tells of as lost, is not ignored.
std::vector<ImportNote> left_aside(const std::vector<ImportNote>& notes, const Request& request) {
    std::vector<ImportNote> aside;
    for (const ImportNote& note : notes) {
        const bool kept =
            std::ranges::any_of(request.texts(kept_fact), [&](const std::string& line) {
                const std::vector<std::string> parts = split(line, '\t');
                return parts.size() > 1 && parts[1] == note.key;
            });
        if (!kept) {
            aside.push_back(note);
        }
    }
    return aside;
}

/// Which run and machine of a file are meant; nothing: the usual ones.
ImportChoice choice_of(const Request& request) {
    const std::vector<std::string> parts = split(request.text(choice_fact), ',');
    if (parts.size() != 2) {
        return {};
    }
    ImportChoice choice;
    if (const auto run = number_with_suffix(parts[0])) {
        choice.run = static_cast<std::size_t>(*run);
    }
    choice.parts = static_cast<std::size_t>(number_with_suffix(parts[1]).value_or(0));
    return choice;
}

}  // namespace

Result<GivenFile> given_file(const Request& request, const std::string& stated) {
    if (!request.on_command_line) {
        return GivenFile{"from", stated};
    }
    const std::vector<std::string>& piped = request.texts(piped_fact);
    for (std::size_t at = 0; at + 1 < piped.size(); at += 2) {
        if (piped[at] == stated) {
            return GivenFile{stated, piped[at + 1]};
        }
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

Request with_pipes_read(const Request& request) {
    Request read = request;
    for (const std::string& each : request.texts("from")) {
        const TreePath path(each == "-" ? "/dev/stdin" : each);
        if (!request.on_command_line || (each != "-" && path.is_file()) || path.is_folder()) {
            continue;
        }
        if (auto text = path.read()) {
            std::vector<std::string>& piped = read.options[std::string(piped_fact)];
            piped.push_back(each);
            piped.push_back(std::move(*text));
        }
    }
    return read;
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
    ImportedRequest out{request, {}, {}, {}, {}};
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
    auto imported = import_files(*files, formats, choice_of(request));
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
        if (!request.given(option) && takes_option(request, option) && !replaced) {
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
    if (!evaluation.empty() && takes_option(request, "evaluation-batch") &&
        !request.given("evaluation-batch")) {
        out.request.options["evaluation-batch"] = {evaluation};
    }
    out.files = std::move(imported->files);
    if (const auto placed = place_imports(world, request, *imported, out); !placed) {
        return tl::unexpected(placed.error());
    }
    settle_requests(world, request, *imported, out);
    take_facts(request, *imported, out);
    out.runs = imported->runs;
    if (imported->runs.size() > 1) {
        out.request.options[std::string(run_fact)] = {imported->runs[imported->run].name};
    }
    const bool unknown_first = !request.given(choice_fact) && !out.places.empty() &&
                               imported->hardware.alternatives.size() > 1 &&
                               out.places.front().parts != imported->hardware.chosen;
    if (unknown_first) {  // what the file says of the machine is said of one that the catalog has
        Request other = request;
        other.options[std::string(choice_fact)] = {fmt::format(",{}", out.places.front().parts)};
        return with_imports(world, other, formats);
    }
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
        const std::pair<const char*, std::string> lines[] = {
            {"read", read_words(file)},
            {"defaulted", named(file.defaulted)},
            {"ignored", named(left_aside(file.ignored, imported.request))},
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
