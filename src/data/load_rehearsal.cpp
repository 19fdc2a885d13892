#include "data/load_rehearsal.h"

#include "base/lists.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace ridgeline {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

Bytes bytes_of(const Json& json, const char* key) { return Bytes::of_base(json.value(key, 0.0)); }

RehearsedDevice device_of(const Json& json, const std::string& process, int rank) {
    RehearsedDevice device;
    device.process = process;
    device.rank = rank;
    device.device = json.value("device", 0);
    device.allocated = bytes_of(json, "allocated");
    device.reserved = bytes_of(json, "reserved");
    device.phase = json.value("phase", "");
    device.step = json.value("step", 0);
    device.retries = json.value("retries", 0);
    device.ooms = json.value("ooms", 0);
    for (const Json& phase : json.value("phases", Json::array())) {
        device.phases.push_back({phase.value("phase", ""), phase.value("step", 0),
                                 bytes_of(phase, "allocated"), bytes_of(phase, "reserved")});
    }
    for (const Json& group : json.value("groups", Json::array())) {
        device.groups.push_back({group.value("kind", ""), group.value("line", ""),
                                 group.value("module", ""), bytes_of(group, "bytes"),
                                 group.value("blocks", 0)});
    }
    return device;
}

void add_process(RehearsedPass& pass, const Json& json) {
    const std::string process = json.value("key", "");
    const int rank = json.value("rank", 0);
    pass.torch = json.value("torch", pass.torch);
    pass.steps = std::max(pass.steps, json.value("steps", 0));
    for (const Json& device : json.value("devices", Json::array())) {
        pass.devices.push_back(device_of(device, process, rank));
    }
    for (const Json& text : json.value("left_out", Json::array())) {
        add_once(pass.left_out, text.get<std::string>());
    }
    for (const Json& read : json.value("read_at", Json::array())) {
        if (rank == 0) {
            pass.reads.push_back({read.value("at", ""), read.value("by", ""),
                                  read.value("reads", 0), read.value("assumed", 0)});
        }
    }
    const Json reads = json.value("reads", Json::object());
    pass.unlike_reads += reads.value("unlike", 0L);
    pass.large_reads += reads.value("large", 0L);
}

void add_problem(RehearsedPass& pass, const Json& json) {
    const std::string kind = json.value("kind", "");
    const std::string text = json.value("text", "");
    if (kind == "saved") {
        add_once(pass.saved, text);
    } else if (kind == "made") {
        add_once(pass.made, text);
    } else if (kind == "copied") {
        pass.made_before.swap(pass.made);
    } else if (kind == "network") {
        pass.unreached = text;
    } else if (kind == "error") {
        pass.error = text;
    } else if (kind == "stood in") {
        add_once(pass.stood_in, text);
    } else if (kind == "stood") {
        pass.stood = text;
    } else if (kind == "framework") {
        add_once(pass.frameworks, text);
    } else if (pass.problem.empty()) {
        pass.problem = text;
    }
}

/// "unknown<tab>name<tab>0": lines of the stand-in card itself.
void add_note(RehearsedPass& pass, const std::string& line) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
        return;
    }
    const std::string kind = line.substr(0, first);
    const std::string text = line.substr(first + 1, second - first - 1);
    if (kind == "unknown") {
        pass.unknown = text;
    } else if (kind == "refused" && pass.problem.empty()) {
        pass.problem = text;
    } else if (kind == "assumed") {
        add_once(pass.assumed, text);
    }
}

template <typename Take>
void for_lines(const fs::path& path, Take take) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        take(line);
    }
}

}  // namespace

Result<RehearsedPass> load_rehearsed_pass(const fs::path& folder) {
    RehearsedPass pass;
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().extension() == ".json" && entry.path().filename() != "settings.json") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    try {
        for (const fs::path& path : files) {
            add_process(pass, Json::parse(text_of(path)));
        }
        for_lines(folder / "problems.jsonl",
                  [&](const std::string& line) { add_problem(pass, Json::parse(line)); });
    } catch (const Json::exception& problem) {
        return tl::unexpected(
            Error{ErrorKind::internal, folder.string(),
                  fmt::format("a record of the rehearsal is damaged: {}", problem.what()),
                  "Rehearse again."});
    }
    if (std::ifstream waiting(folder / "waiting"); waiting) {
        waiting >> pass.copy;
    }
    for_lines(folder / "notes", [&](const std::string& line) { add_note(pass, line); });
    return pass;
}

Result<RehearsedMemory> load_rehearsed_memory(const TreePath& file) {
    const auto text = file.read();
    if (!text) {
        return tl::unexpected(text.error());
    }
    const Json document = Json::parse(*text, nullptr, false);
    const bool answer =
        document.is_object() && document.value("schema", Json()) == Json("ridgeline/rehearsal/1") &&
        document.contains("cards") && document["cards"].is_array() && !document["cards"].empty();
    if (!answer) {
        return input_error(file.string(), "found no answer of a rehearsal",
                           "Make it with `ridgeline rehearse --json -- COMMAND > run.json`.");
    }
    try {
        const Json& card = document["cards"][0];
        RehearsedMemory out;
        out.accelerator = card.at("accelerator").get<std::string>();
        out.count = card.at("count").get<int>();
        for (const Json& device : card.at("devices")) {
            const double reserved = device.at("reserved_gib").get<double>();
            const double allocated = device.at("allocated_gib").get<double>();
            constexpr double most_gib = 1e6;
            if (!(reserved >= 0 && reserved < most_gib && allocated >= 0 && allocated < most_gib)) {
                return input_error(file.string() + ": /cards/0/devices",
                                   "found memory out of range");
            }
            out.reserved = std::max(out.reserved, reserved * gibibyte);
            out.allocated = std::max(out.allocated, allocated * gibibyte);
        }
        if (out.count < 1 || out.count > 1024 || !(out.reserved > Bytes{})) {
            return input_error(file.string(), "found a rehearsal without figures");
        }
        return out;
    } catch (const Json::exception& problem) {
        return input_error(file.string(), fmt::format("damaged: {}", problem.what()));
    }
}

}  // namespace ridgeline
