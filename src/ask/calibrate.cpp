#include "ask/commands.h"
#include "ask/local_calibration.h"
#include "ask/measured_rows.h"
#include "base/text.h"
#include "calibrate/compare.h"
#include "calibrate/match.h"
#include "calibrate/merge.h"
#include "data/load.h"
#include "report/calibration_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::ask {
namespace {

using Files = std::vector<TreePath>;

/// The one accelerator that measured rows are of, or that was named.
Result<const Accelerator*> accelerator_of(const MeasuredRows& rows, const Catalog& catalog,
                                          const std::string& named) {
    if (!named.empty()) {
        return accelerator_named(catalog, named, "--accelerator");
    }
    if (const std::string& device = rows.run.device.name;
        rows.accelerators.empty() && !device.empty()) {
        return accelerator_named(catalog, device, "--accelerator");
    }
    if (rows.accelerators.size() != 1) {
        std::string all;
        for (const std::string& id : rows.accelerators) {
            append(all, ", ", id);
        }
        return usage_error(
            "--accelerator",
            fmt::format("the points are of {} accelerators", rows.accelerators.size()),
            all.empty() ? "Name one of `ridgeline catalog list`." : "Name one of: " + all + ".");
    }
    return accelerator_named(catalog, *rows.accelerators.begin(), "--accelerator");
}

Result<report::CalibrationAnswer> fitted(const World& world, const Request& request,
                                         const Files& files) {
    const auto layout = layout_of(request);
    if (!layout) {
        return tl::unexpected(layout.error());
    }
    auto rows = measured_rows(files, request.text("only"), *layout, world.profiles);
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    const auto accelerator = accelerator_of(*rows, world.catalog, request.text("accelerator"));
    if (!accelerator) {
        return tl::unexpected(accelerator.error());
    }
    MeasuredRun run = rows->run;
    if (const auto found = rows->points.find((*accelerator)->id); found != rows->points.end()) {
        run.points.insert(run.points.end(), found->second.begin(), found->second.end());
    }
    if (run.points.empty()) {
        return input_error("calibrate fit",
                           fmt::format("no point of {} that a fit uses", (*accelerator)->id),
                           "Points are matrix products, streams and collectives.");
    }
    if (run.reference.memory_bandwidth.base() <= 0) {
        run.reference = reference_of(**accelerator, world.catalog.version);
    }
    report::CalibrationAnswer answer;
    answer.notes = rows->notes;
    if (const DeviceMatch match = match_device(run.device, world.catalog.accelerators);
        match.accelerator != nullptr && match.accelerator != *accelerator &&
        match.accelerator->chip != (*accelerator)->chip) {
        answer.notes.push_back(
            fmt::format("the points name the device \"{}\", which is {} and not "
                        "{}: the fit is of another part's figures",
                        run.device.name, match.accelerator->id, (*accelerator)->id));
    }
    answer.refused = fit_run(run, rows->quantizes);
    answer.known = known_figures(world, run, answer.notes);
    answer.file.rows = rows_of(run, rows->tier, source_of(run));
    answer.file.measurement = std::move(run);
    return answer;
}

Result<Reply> fit(const World& world, const Request& request, const Files& files) {
    auto answer = fitted(world, request, files);
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    Reply out;
    out.files = stored(*answer, request.text("out"));
    out.body = request.json() ? report::calibration_json(*answer, stamp_of(world.catalog))
                              : report::calibration_text(*answer, request.style);
    out.exit_code = answer->file.rows == Calibration{} ? 3 : 0;
    return out;
}

/// The runs of files of the probe and of other tools; a run without a node is named by its file.
Result<std::vector<MeasuredRun>> runs_of(const Files& files, const RunLayout& layout) {
    std::vector<MeasuredRun> runs;
    std::vector<std::string> files_of_runs;
    for (const TreePath& path : files) {
        auto results = benchmark_results(path, layout);
        if (!results) {
            return tl::unexpected(results.error());
        }
        if (*results) {
            for (MeasuredRun& run : (*results)->runs) {
                runs.push_back(std::move(run));
                files_of_runs.push_back(path.stem());
            }
            continue;
        }
        auto file = load_calibration_file(path);
        if (!file) {
            return tl::unexpected(file.error());
        }
        if (!file->measurement) {
            return input_error(path.string(), "holds rows and no measured points",
                               "`ridgeline probe` writes files with points.");
        }
        runs.push_back(std::move(*file->measurement));
        files_of_runs.push_back(path.stem());
    }
    // Two devices of one host bear one hash: the file tells them apart. Other tools name the host.
    const std::vector<MeasuredRun> given = runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto same = [&](const MeasuredRun& run) {
            return run.node == given[i].node && run.tool == given[i].tool;
        };
        const bool hashed = given[i].tool != "nccl-tests";
        if (given[i].node.empty() ||
            (hashed && std::count_if(given.begin(), given.end(), same) > 1)) {
            runs[i].node = files_of_runs[i];
        }
    }
    return runs;
}

Result<Reply> compare_files(const World& world, const Request& request, const Files& files) {
    if (files.size() != 2) {
        return usage_error("calibrate compare",
                           fmt::format("found {} files, expected two", files.size()),
                           "Example: ridgeline calibrate compare before.json after.json.");
    }
    const auto runs = runs_of(files, {});
    if (!runs) {
        return tl::unexpected(runs.error());
    }
    const auto comparison = compare_measurements(runs->at(0), runs->at(1));
    if (!comparison) {
        return tl::unexpected(comparison.error());
    }
    Reply out;
    out.body = request.json()
                   ? report::calibration_comparison_json(*comparison, stamp_of(world.catalog))
                   : report::calibration_comparison_text(*comparison, request.style);
    return out;
}

Result<Reply> merge(const World& world, const Request& request, const Files& files) {
    const auto layout = layout_of(request);
    if (!layout) {
        return tl::unexpected(layout.error());
    }
    const auto runs = runs_of(files, *layout);
    if (!runs) {
        return tl::unexpected(runs.error());
    }
    auto merged =
        merge_measurements(*runs, request.text("pace") == "slowest" ? Pace::slowest : Pace::median);
    if (!merged) {
        return tl::unexpected(merged.error());
    }
    report::CalibrationAnswer answer;
    answer.refused = fit_run(merged->measurement, false);
    answer.file.rows = rows_of(merged->measurement, Tier::measured, source_of(merged->measurement));
    answer.file.measurement = std::move(merged->measurement);
    Reply out;
    out.files = stored(answer, request.text("out"));
    const report::Style style = request.style;
    out.exit_code = report::slow_nodes(merged->nodes).empty() ? 0 : 3;
    out.body = request.json() ? report::merge_json(merged->nodes, answer, stamp_of(world.catalog))
                              : report::merge_text(merged->nodes, style) + "\n" +
                                    report::calibration_text(answer, style);
    return out;
}

/// Files in effect: those of the user's folder and of --calibration.
Result<Reply> show_folder(const World& world, const Request& request) {
    std::vector<report::CalibrationAnswer> kept;
    for (const auto& path : world.own_folder.empty() ? Files() : world.own_folder.json_files()) {
        auto file = load_calibration_file(path);
        if (file && file->measurement) {
            report::CalibrationAnswer& answer = kept.emplace_back();
            answer.written = path.filename();
            answer.file = std::move(*file);
        }
    }
    Reply out;
    if (request.json()) {
        out.body = report::calibrations_json(kept, world.notes, stamp_of(world.catalog));
        return out;
    }
    for (const report::CalibrationAnswer& each : kept) {
        const MeasuredRun& run = *each.file.measurement;
        out.body += fmt::format("{}  {}  {}  {} points\n", each.written, run.reference.accelerator,
                                run.created.substr(0, 10), run.points.size());
    }
    if (kept.empty()) {
        out.body = fmt::format("no calibration of yours in {}\n", world.own_folder.string());
    }
    for (const std::string& note : world.notes) {
        out.body += "note: " + note + "\n";
    }
    return out;
}

Result<Reply> show(const World& loaded, const Request& request, const Files& files) {
    if (files.empty()) {
        return show_folder(loaded, request);
    }
    World world = loaded;
    if (const auto added = add_calibration(world, files.front()); !added) {
        return tl::unexpected(added.error());
    }
    auto file = load_calibration_file(files.front());
    if (!file) {
        return tl::unexpected(file.error());
    }
    report::CalibrationAnswer answer;
    answer.notes = world.notes;
    if (const auto lines = product_times(world, *file, request.texts("against")); lines) {
        answer.against = *lines;
    } else {
        return tl::unexpected(lines.error());
    }
    answer.file = std::move(*file);
    Reply out;
    out.body = request.json() ? report::calibration_json(answer, stamp_of(world.catalog))
                              : report::calibration_text(answer, request.style);
    return out;
}

}  // namespace

Result<Reply> answer_calibrate(const World& world, const Request& request) {
    const std::string& verb = request.text("verb");
    Files files;
    for (const std::string& path : request.texts("files")) {
        const auto file = request.file("calibrate " + verb, path);
        if (!file) {
            return tl::unexpected(file.error());
        }
        files.push_back(*file);
    }
    if (verb == "show") {
        return show(world, request, files);
    }
    if (files.empty()) {
        return usage_error(
            "calibrate " + verb, "no file was given",
            "Files of `ridgeline probe`, of nccl-tests and the like, or evidence files (fit).");
    }
    if (verb == "fit") {
        return fit(world, request, files);
    }
    return verb == "compare" ? compare_files(world, request, files) : merge(world, request, files);
}

}  // namespace ridgeline::ask
