#include "cli/probe.h"

#include "ask/local_devices.h"
#include "ask/measured_rows.h"
#include "base/text.h"
#include "calibrate/match.h"
#include "cli/folders.h"
#include "cli/probe_module.h"
#include "probes/record.h"
#include "report/calibration_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <random>
#include <unistd.h>

namespace ridgeline::cli {

using namespace ask;

namespace {

constexpr double full_budget_s = 90;
constexpr double quick_budget_s = 15;
constexpr double alarm_below = 0.75;  // of the rates that answers rested on so far: a sick card

std::atomic<bool> stop_asked{false};

/// Ctrl-C ends the probe after its present point; a second one ends the program.
class StopOnInterrupt {
public:
    StopOnInterrupt() {
        stop_asked = false;
        struct sigaction action {};
        action.sa_handler = [](int) { stop_asked = true; };
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
        sigaction(SIGINT, &action, &before_);
    }
    StopOnInterrupt(const StopOnInterrupt&) = delete;
    StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;
    ~StopOnInterrupt() { sigaction(SIGINT, &before_, nullptr); }

private:
    struct sigaction before_ {};
};

/// One line that is written over, on a terminal alone.
void draw_progress(const char* what, double done, double left_s) {
    constexpr int width = 30;
    const int filled = static_cast<int>(done * width);
    const std::string line = fmt::format("\r[{:#<{}}{:.<{}}] {:3.0f} %  {:<24} {:>4.0f} s left", "",
                                         filled, "", width - filled, 100 * done, what, left_s);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

void clear_progress() {
    const std::string blank = "\r" + std::string(78, ' ') + "\r";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, blank.data(), blank.size());
}

Result<int> kinds_of(const std::vector<std::string>& words) {
    static const std::vector<std::pair<std::string, int>> known = {
        {"gemm", RIDGELINE_PROBE_GEMM},
        {"copy", RIDGELINE_PROBE_COPY},
        {"link", RIDGELINE_PROBE_LINK},
        {"launch", RIDGELINE_PROBE_LAUNCH},
        {"storage", RIDGELINE_PROBE_STORAGE}};
    int kinds = words.empty() ? RIDGELINE_PROBE_ALL : 0;
    for (const std::string& word : words) {
        int bit = 0;
        std::vector<std::string> names;
        for (const auto& [name, value] : known) {
            bit = name == word ? value : bit;
            names.push_back(name);
        }
        if (bit == 0) {
            return usage_error("--kinds",
                               fmt::format("found \"{}\", expected gemm, copy, link, launch or "
                                           "storage; collectives: start ridgeline-fabric by mpirun",
                                           word),
                               did_you_mean(word, names));
        }
        kinds |= bit;
    }
    return kinds;
}

std::string fact(const ProbeResult& result, const char* key) {
    const auto found = result.facts.find(key);
    return found == result.facts.end() ? "" : found->second;
}

std::optional<double> number_fact(const ProbeResult& result, const char* key) {
    return number_with_suffix(fact(result, key));
}

/// The CPU is its own reference: the best multiply-add loop and the best stream.
void refer_to_cpu(MeasuredRun& run) {
    run.reference.accelerator = "local-cpu";
    run.reference.source = "measured: multiply-adds in registers, memory streams";
    for (const MeasuredPoint& point : run.points) {
        const Seconds least = point.time.least.base() > 0 ? point.time.least : point.time.median;
        if (point.kind == PointKind::stream) {
            run.reference.memory_bandwidth =
                std::max(run.reference.memory_bandwidth, point.bytes * byte / least);
        }
        const auto type = compute_type_named(point.name);
        if (point.kind == PointKind::vector && type) {
            auto& peak = run.reference.peak[static_cast<std::size_t>(*type)];
            peak = std::max(peak.value_or(FlopsPerSecond{}), work_of(point) / least);
        }
    }
}

/// The record of the device that the plug-in used: by its PCI address among those that are seen.
void set_device(MeasuredRun& run, const ProbeResult& result, const Catalog& catalog) {
    const report::DetectAnswer found = detected(catalog);
    const std::string address = lower(fact(result, "pci_address"));
    for (const report::DetectedDevice& device : found.devices) {
        if (!address.empty() && device.record.pci_address == address) {
            run.device = device.record;
        }
    }
    if (run.device.name.empty()) {
        run.device.vendor = "NVIDIA";
        run.device.name = fact(result, "name");
        if (const auto memory = number_fact(result, "memory_bytes")) {
            run.device.memory = *memory * byte;
        }
    }
    if (const auto units = number_fact(result, "units")) {
        run.device.units = static_cast<int>(*units);
    }
    if (const auto cache = number_fact(result, "l2_bytes")) {
        run.device.l2_cache = *cache * byte;
    }
    run.software.driver = found.machine.driver;
    run.software.cuda_driver = found.machine.cuda_driver;
    run.conditions.other_processes = run.device.processes;
    const auto alike = [&](const DeviceRecord& record) { return record.name == run.device.name; };
    run.device_count = static_cast<int>(std::max<std::ptrdiff_t>(
        1, std::count_if(found.machine.devices.begin(), found.machine.devices.end(), alike)));
    const DeviceMatch match = match_device(run.device, catalog.accelerators);
    if (match.accelerator != nullptr) {
        run.reference = reference_of(*match.accelerator, catalog.version);
        run.matched_by = match.how;
    } else {
        run.warnings.push_back(
            fmt::format("the catalog does not know \"{}\": nothing was fitted", run.device.name));
    }
    run.device.pci_address.clear();
}

std::string utc_now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

MeasuredRun run_from(ProbeResult& result, const std::string& backend, const Catalog& catalog) {
    MeasuredRun run;
    run.tool = RIDGELINE_VERSION;
    run.created = utc_now();
    run.backend = backend;
    run.node = local_node();
    run.software.blas = fact(result, "blas");
    run.software.cuda_runtime = fact(result, "cuda_runtime");
    run.software.system = local_system();
    run.software.cpu = local_cpu(local_places()).name;
    run.conditions.data = fact(result, "data");
    run.conditions.interrupted = result.interrupted;
    run.conditions.disturbed_share = number_fact(result, "disturbed_share");
    run.conditions.drift = number_fact(result, "drift");
    run.conditions.temperature_max_c = number_fact(result, "temperature_max_c");
    run.points = std::move(result.points);
    run.warnings = std::move(result.warnings);
    if (backend == "cpu") {
        run.device = local_cpu(local_places());
        refer_to_cpu(run);
    } else {
        set_device(run, result, catalog);
    }
    return run;
}

void add_warnings(MeasuredRun& run, const World& world, double load) {
    if (run.conditions.interrupted) {
        run.warnings.emplace_back("it was interrupted: what was measured until then is kept");
    }
    const auto disturbed = [](const MeasuredPoint& point) { return point.flagged("disturbed"); };
    const auto count = std::count_if(run.points.begin(), run.points.end(), disturbed);
    if (3 * count > static_cast<std::ptrdiff_t>(run.points.size())) {
        run.warnings.push_back(fmt::format(
            "other processes disturbed {} of {} points (load {:.1f}): repeat it on a quiet machine",
            count, run.points.size(), load));
    }
    const Accelerator* entry = world.catalog.accelerator(run.reference.accelerator);
    for (const FittedProducts& fit : run.products) {
        const double known = entry == nullptr || run.backend == "cpu"
                                 ? 0
                                 : known_fraction(world, *entry, fit.compute);
        if (fit.compute_fraction < alarm_below * known) {
            run.warnings.push_back(fmt::format(
                "{} products reach {:.2f} of the peak where {:.2f} is known of this part: is the "
                "card throttled, capped or shared?",
                name_of(fit.compute), fit.compute_fraction, known));
        }
    }
}

/// Beside the other calibrations of the user, named by part and node.
std::string place_of(const MeasuredRun& run, const Request& request) {
    if (const std::string& out = request.text("out"); !out.empty()) {
        return out;
    }
    const auto folder = user_calibration_folder();
    const std::string part =
        run.reference.accelerator.empty() ? "unknown" : run.reference.accelerator;
    const std::string mark = run.device.hash.empty() ? run.node : run.device.hash;
    return folder.empty() ? part + ".json"
                          : (folder / fmt::format("{}-{}.json", part, mark.substr(0, 8))).string();
}

std::string backend_of(const Request& request) {
    return request.given("backend") ? request.text("backend") : "cpu";
}

Result<ProbeResult> measured(const Request& asked) {
    const auto kinds = kinds_of(asked.texts("kinds"));
    if (!kinds) {
        return tl::unexpected(kinds.error());
    }
    ProbeRequest request;
    request.backend = backend_of(asked);
    request.kinds = *kinds;
    request.budget_s = asked.flag("quick") ? quick_budget_s : full_budget_s;
    request.seed = std::random_device{}();
    request.folder = std::filesystem::temp_directory_path().string();
    if (asked.given("device")) {
        const auto device = number_of("--device", asked.text("device"), 0, 1023);
        if (!device) {
            return tl::unexpected(device.error());
        }
        request.device = static_cast<int>(*device);
    }
    if (asked.given("folder")) {
        request.folder = asked.text("folder");
    }
    const bool draws = !asked.flag("quiet") && isatty(STDERR_FILENO) == 1;
    const StopOnInterrupt guard;
    auto result = run_probe(
        request,
        [&](const char* what, double done, double left) {
            if (draws) {
                draw_progress(what, done, left);
            }
        },
        stop_asked);
    if (draws) {
        clear_progress();
    }
    if (result && result->points.empty()) {
        return tl::unexpected(Error{ErrorKind::internal, "probe", "nothing was measured",
                                    "Try other --kinds, or let it run longer."});
    }
    return result;
}

}  // namespace

Result<Reply> probe(const World& world, const Request& request) {
    double load[1] = {0};
    getloadavg(load, 1);
    const auto begin = std::chrono::steady_clock::now();
    auto result = measured(request);
    if (!result) {
        return tl::unexpected(result.error());
    }
    const double first_s =
        number_fact(*result, "first_repetition_s").value_or(result->first_point_s);
    MeasuredRun run = run_from(*result, backend_of(request), world.catalog);
    run.conditions.load_average = load[0];
    run.duration_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report::CalibrationAnswer answer;
    answer.refused = fit_run(run, false);
    add_warnings(run, world, load[0]);
    answer.known = known_figures(world, run, answer.notes);
    answer.file.rows = rows_of(run, Tier::measured, source_of(run));
    answer.file.measurement = std::move(run);
    answer.notes.push_back(
        fmt::format("the first measurement came after {}", format_duration(first_s)));
    Reply out;
    out.files = stored(answer, place_of(*answer.file.measurement, request));
    out.body = request.json() ? report::calibration_json(answer, stamp_of(world.catalog))
                              : report::calibration_text(answer, request.style);
    return out;
}

}  // namespace ridgeline::cli
