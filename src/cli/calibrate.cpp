#include "base/text.h"
#include "calibrate/compare.h"
#include "calibrate/merge.h"
#include "calibrate/reach.h"
#include "cli/commands.h"
#include "cli/local_calibration.h"
#include "cli/measured.h"
#include "data/load.h"
#include "report/calibration_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::cli {
namespace {

/// The one accelerator that measured rows are of, or that was named.
Result<const Accelerator*> accelerator_of(const MeasuredRows& rows,
                                          const Catalog& catalog,
                                          const std::string& named) {
    if (!named.empty()) {
        return accelerator_named(catalog, named, "--accelerator");
    }
    if (rows.accelerators.size() != 1) {
        std::string all;
        for (const std::string& id : rows.accelerators) {
            all += (all.empty() ? "" : ", ") + id;
        }
        return usage_error(
            "--accelerator",
            fmt::format("the points are of {} accelerators", rows.accelerators.size()),
            all.empty() ? "Name one of `ridgeline catalog list`." : "Name one of: " + all + ".");
    }
    return accelerator_named(catalog, *rows.accelerators.begin(), "--accelerator");
}

Result<report::CalibrationAnswer> fitted(const World& world, const CalibrateOptions& options) {
    auto rows = measured_rows(options.files, options.only, world.profiles);
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    const auto accelerator = accelerator_of(*rows, world.catalog, options.accelerator);
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
    answer.refused = fit_run(run, rows->quantizes);
    answer.known = known_figures(world, run, answer.notes);
    answer.file.rows = rows_of(run, rows->tier, source_of(run));
    answer.file.measurement = std::move(run);
    return answer;
}

Result<Answer> fit(const CommonOptions& common, const CalibrateOptions& options) {
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    auto answer = fitted(*world, options);
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    if (const auto stored = store(*answer, options.out); !stored) {
        return tl::unexpected(stored.error());
    }
    Answer out;
    out.out = common.json ? report::calibration_json(*answer, stamp_of(world->catalog))
                          : report::calibration_text(*answer, style_of(common));
    out.exit_code = answer->file.rows == Calibration{} ? 3 : 0;
    return out;
}

Result<std::vector<MeasuredRun>> runs_of(const std::vector<std::string>& files) {
    std::vector<MeasuredRun> runs;
    for (const std::string& path : files) {
        auto file = load_calibration_file(path);
        if (!file) {
            return tl::unexpected(file.error());
        }
        if (!file->measurement) {
            return input_error(path,
                               "holds rows and no measured points",
                               "`ridgeline probe` writes files with points.");
        }
        runs.push_back(std::move(*file->measurement));
    }
    return runs;
}

Result<Answer> compare(const CommonOptions& common, const CalibrateOptions& options) {
    if (options.files.size() != 2) {
        return usage_error("calibrate compare",
                           fmt::format("found {} files, expected two", options.files.size()),
                           "Example: ridgeline calibrate compare before.json after.json.");
    }
    const auto catalog = load_catalog_of(common);
    if (!catalog) {
        return tl::unexpected(catalog.error());
    }
    const auto runs = runs_of(options.files);
    if (!runs) {
        return tl::unexpected(runs.error());
    }
    const auto comparison = compare_measurements(runs->at(0), runs->at(1));
    if (!comparison) {
        return tl::unexpected(comparison.error());
    }
    Answer out;
    out.out = common.json ? report::calibration_comparison_json(*comparison, stamp_of(*catalog))
                          : report::calibration_comparison_text(*comparison, style_of(common));
    return out;
}

Result<Answer> merge(const CommonOptions& common, const CalibrateOptions& options) {
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    auto runs = runs_of(options.files);
    if (!runs) {
        return tl::unexpected(runs.error());
    }
    for (std::size_t i = 0; i < runs->size(); ++i) {
        // Two devices of one host bear one hash: the file tells them apart.
        std::string& node = (*runs)[i].node;
        const auto same = [&](const MeasuredRun& run) { return run.node == node; };
        if (node.empty() || std::count_if(runs->begin(), runs->end(), same) > 1) {
            node = std::filesystem::path(options.files[i]).stem().string();
        }
    }
    auto merged =
        merge_measurements(*runs, options.pace == "slowest" ? Pace::slowest : Pace::median);
    if (!merged) {
        return tl::unexpected(merged.error());
    }
    report::CalibrationAnswer answer;
    answer.refused = fit_run(merged->measurement, false);
    answer.file.rows = rows_of(merged->measurement, Tier::measured, source_of(merged->measurement));
    answer.file.measurement = std::move(merged->measurement);
    if (const auto stored = store(answer, options.out); !stored) {
        return tl::unexpected(stored.error());
    }
    Answer out;
    const report::Style style = style_of(common);
    out.out = common.json ? report::merge_json(merged->nodes, answer, stamp_of(world->catalog))
                          : report::merge_text(merged->nodes, style) + "\n" +
                                report::calibration_text(answer, style);
    return out;
}

/// Files in effect: those of the user's folder and of --calibration.
Result<Answer> show_folder(const CommonOptions& common) {
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    Answer out;
    int files = 0;
    for (const auto& path : user_calibration_files()) {
        const auto file = load_calibration_file(path);
        if (file && file->measurement) {
            const MeasuredRun& run = *file->measurement;
            out.out += fmt::format("{}  {}  {}  {} points\n",
                                   path.filename().string(),
                                   run.reference.accelerator,
                                   run.created.substr(0, 10),
                                   run.points.size());
            ++files;
        }
    }
    if (files == 0) {
        out.out =
            fmt::format("no calibration of yours in {}\n", user_calibration_folder().string());
    }
    for (const std::string& note : world->notes) {
        out.out += "note: " + note + "\n";
    }
    return out;
}

Result<Answer> show(const CommonOptions& common, const CalibrateOptions& options) {
    if (options.files.empty()) {
        return show_folder(common);
    }
    CommonOptions with_file = common;
    with_file.calibrations.push_back(options.files.front());
    const auto world = load_world(with_file);
    if (!world) {
        return tl::unexpected(world.error());
    }
    auto file = load_calibration_file(options.files.front());
    if (!file) {
        return tl::unexpected(file.error());
    }
    report::CalibrationAnswer answer;
    answer.notes = world->notes;
    if (const auto lines = product_times(*world, *file, options.against); lines) {
        answer.against = *lines;
    } else {
        return tl::unexpected(lines.error());
    }
    answer.file = std::move(*file);
    Answer out;
    out.out = common.json ? report::calibration_json(answer, stamp_of(world->catalog))
                          : report::calibration_text(answer, style_of(common));
    return out;
}

}  // namespace

Result<Answer> run(const CommonOptions& common, const CalibrateOptions& options) {
    if (options.verb == "show") {
        return show(common, options);
    }
    if (options.files.empty()) {
        return usage_error("calibrate " + options.verb,
                           "no file was given",
                           "Files of `ridgeline probe`, or evidence files (fit).");
    }
    if (options.verb == "fit") {
        return fit(common, options);
    }
    return options.verb == "compare" ? compare(common, options) : merge(common, options);
}

}  // namespace ridgeline::cli
