#include "cli/probe_module.h"

#include "base/text.h"
#include "probes/record.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace ridgeline::cli {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

/// What the callbacks of one run work on.
struct Run {
    ProbeResult result;
    const std::function<void(const char*, double, double)>* progress = nullptr;
    const std::atomic<bool>* stop = nullptr;
    Clock::time_point begin = Clock::now();
};

Run& run_of(void* context) { return *static_cast<Run*>(context); }

void take_point(void* context, const RidgelinePoint* given) {
    Run& run = run_of(context);
    const auto kind = point_kind_named(given->kind);
    if (!kind || !(given->median_us > 0) || !std::isfinite(given->median_us)) {
        run.result.warnings.push_back(
            fmt::format("a point of kind {} without a time was left out", given->kind));
        return;
    }
    MeasuredPoint point;
    point.kind = *kind;
    point.name = given->name;
    point.m = given->m;
    point.n = given->n;
    point.k = given->k;
    point.bytes = given->bytes;
    point.work = given->work_flop;
    point.threads = given->threads;
    point.time = {given->median_us * microsecond, given->p10_us * microsecond,
                  given->p90_us * microsecond, given->least_us * microsecond, given->samples};
    if (given->checked != 0) {
        point.correct = given->correct != 0;
        point.error = given->error;
    }
    if (given->clock_mhz > 0) {
        point.clock_mhz = given->clock_mhz;
    }
    if (given->power_w > 0) {
        point.power_w = given->power_w;
    }
    if (given->flags != nullptr && *given->flags != '\0') {
        point.flags = split(given->flags, ',');
    }
    if (run.result.points.empty()) {
        run.result.first_point_s = std::chrono::duration<double>(Clock::now() - run.begin).count();
    }
    run.result.points.push_back(std::move(point));
}

void take_fact(void* context, const RidgelineFact* fact) {
    run_of(context).result.facts[fact->key] = fact->value;
}

void take_warning(void* context, const char* text) {
    run_of(context).result.warnings.emplace_back(text);
}

void take_progress(void* context, const char* what, double done, double left_s) {
    (*run_of(context).progress)(what, done, left_s);
}

int is_cancelled(void* context) { return *run_of(context).stop ? 1 : 0; }

/// The plug-in's entry, or why it cannot be had.
Result<RidgelineProbeEntry> entry_of(const std::string& backend) {
    const std::string file = fmt::format("ridgeline_probe_{}.so", backend);
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    std::vector<fs::path> folders{program, program.parent_path() / "lib/ridgeline",
                                  program.parent_path() / RIDGELINE_LIBDIR / "ridgeline"};
    if (const char* given = std::getenv("RIDGELINE_PROBES")) {
        folders = {given};
    }
    const auto absent = [&](std::string message, std::string hint) {
        return tl::unexpected(Error{ErrorKind::device_absent, fmt::format("--backend {}", backend),
                                    std::move(message), std::move(hint)});
    };
    for (const fs::path& folder : folders) {
        if (!fs::exists(folder / file, ignored)) {
            continue;
        }
        void* library = dlopen((folder / file).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            return absent(fmt::format("the probe could not be opened: {}", dlerror()),
                          "Install the libraries that it names.");
        }
        if (void* symbol = dlsym(library, "ridgeline_probe")) {
            return reinterpret_cast<RidgelineProbeEntry>(symbol);
        }
        return absent(fmt::format("{} is no probe", file), "");
    }
    return absent(fmt::format("{} was not built with this program", file),
                  backend == "cuda" ? "Build where the CUDA toolkit (nvcc, cuBLASLt) is installed."
                                    : "Build the program with its probes.");
}

}  // namespace

Result<ProbeResult> run_probe(const ProbeRequest& request,
                              const std::function<void(const char*, double, double)>& progress,
                              const std::atomic<bool>& stop) {
    const auto entry = entry_of(request.backend);
    if (!entry) {
        return tl::unexpected(entry.error());
    }
    Run run;
    run.progress = &progress;
    run.stop = &stop;
    const RidgelineProbeHost host{RIDGELINE_PROBE_INTERFACE,
                                  &run,
                                  &take_point,
                                  &take_fact,
                                  &take_warning,
                                  &take_progress,
                                  &is_cancelled};
    const RidgelineProbeRequest wanted{request.kinds, request.budget_s, request.device,
                                       request.seed, request.folder.c_str()};
    std::string message(1000, '\0');
    const int status = (*entry)(&wanted, &host, message.data(), message.size());
    message.resize(message.find('\0') == std::string::npos ? message.size() : message.find('\0'));
    if (status == RIDGELINE_PROBE_ABSENT) {
        return tl::unexpected(Error{ErrorKind::device_absent,
                                    fmt::format("--backend {}", request.backend), message, ""});
    }
    if (status != RIDGELINE_PROBE_OK && run.result.points.empty()) {
        return tl::unexpected(
            Error{ErrorKind::internal, fmt::format("--backend {}", request.backend), message, ""});
    }
    if (status != RIDGELINE_PROBE_OK) {
        run.result.warnings.push_back("the probe ended early: " + message);
    }
    run.result.interrupted = stop;
    return std::move(run.result);
}

}  // namespace ridgeline::cli
