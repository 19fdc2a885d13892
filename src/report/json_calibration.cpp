#include "report/calibration_report.h"
#include "report/json.h"

#include <fmt/format.h>

#include <string>

namespace ridgeline::report {

Json json_of(const DeviceRecord& device);

namespace {

/// Keeps a file free of digits that no measurement has.
double rounded(double value) { return value == 0 ? 0 : std::stod(fmt::format("{:.6g}", value)); }

void put_rounded(Json& json, const char* key, const std::optional<double>& value) {
    if (value) {
        json[key] = rounded(*value);
    }
}

Json calibration_part_json(const FitInterval& interval) {
    return Json::array({rounded(interval.low), rounded(interval.high)});
}

Json calibration_part_json(const RateReference& reference) {
    Json json{{"accelerator", reference.accelerator}};
    put(json, "source", reference.source);
    Json peaks = Json::object();
    for (std::size_t t = 0; t < reference.peak.size(); ++t) {
        if (reference.peak[t]) {
            peaks[std::string(name_of(static_cast<ComputeType>(t)))] =
                rounded(*reference.peak[t] / teraflop_per_second);
        }
    }
    json["peak_tflop_per_s"] = peaks;
    put_positive(json, "units", reference.units);
    if (reference.memory_bandwidth.base() > 0) {
        json["memory_bandwidth_gb_per_s"] =
            rounded(reference.memory_bandwidth / gigabyte_per_second);
    }
    return json;
}

Json calibration_part_json(const MeasuringSoftware& software) {
    Json json = Json::object();
    put(json, "driver", software.driver);
    put(json, "cuda_driver", software.cuda_driver);
    put(json, "cuda_runtime", software.cuda_runtime);
    put(json, "blas", software.blas);
    put(json, "collectives", software.collectives);
    put(json, "system", software.system);
    put(json, "cpu", software.cpu);
    return json;
}

Json calibration_part_json(const MeasuringConditions& conditions) {
    Json json = Json::object();
    put(json, "data", conditions.data);
    put(json, "clocks_locked", conditions.clocks_locked);
    put(json, "temperature_max_c", conditions.temperature_max_c);
    put(json, "other_processes", conditions.other_processes);
    put(json, "load_average", conditions.load_average);
    put_rounded(json, "disturbed_share", conditions.disturbed_share);
    put_rounded(json, "drift", conditions.drift);
    json["interrupted"] = conditions.interrupted;
    return json;
}

Json calibration_part_json(const MeasuredPoint& point) {
    Json json{{"kind", name_of(point.kind)}, {"name", point.name}};
    put_positive(json, "m", point.m);
    put_positive(json, "n", point.n);
    put_positive(json, "k", point.k);
    put_positive(json, "bytes", point.bytes);
    put_positive(json, "work_flop", point.work);
    if (point.ranks > 1) {
        json["ranks"] = point.ranks;
        json["nodes"] = point.nodes;
    }
    put_positive(json, "threads", point.threads);
    json["time_us"] = {{"median", rounded(point.time.median / microsecond)},
                       {"p10", rounded(point.time.p10 / microsecond)},
                       {"p90", rounded(point.time.p90 / microsecond)},
                       {"least", rounded(point.time.least / microsecond)},
                       {"samples", point.time.samples}};
    if (point.slowest_rank) {
        json["slowest_rank_us"] = rounded(*point.slowest_rank / microsecond);
    }
    put(json, "correct", point.correct);
    put_rounded(json, "error", point.error);
    put(json, "clock_mhz", point.clock_mhz);
    put(json, "power_w", point.power_w);
    put(json, "flags", point.flags);
    return json;
}

Json calibration_part_json(const FitErrors& errors) {
    return {{"median", rounded(errors.median)},
            {"p90", rounded(errors.p90)},
            {"holdout_median", rounded(errors.holdout_median)},
            {"holdout_p90", rounded(errors.holdout_p90)},
            {"points", errors.points},
            {"dropped", errors.dropped}};
}

Json calibration_part_json(const FittedProducts& fit) {
    Json json{{"compute", name_of(fit.compute)},
              {"compute_fraction", rounded(fit.compute_fraction)},
              {"bandwidth_fraction", rounded(fit.bandwidth_fraction)},
              {"overhead_us", rounded(fit.overhead / microsecond)},
              {"compute_fraction_95", calibration_part_json(fit.compute_interval)},
              {"bandwidth_fraction_95", calibration_part_json(fit.bandwidth_interval)},
              {"overhead_us_95", calibration_part_json(fit.overhead_interval_us)}};
    if (fit.wave_share > 0) {
        json["wave_share"] = rounded(fit.wave_share);
        json["wave_share_95"] = calibration_part_json(fit.wave_interval);
    }
    put_positive(json, "quantize_fraction", rounded(fit.quantize_fraction));
    put_rounded(json, "large_shape_fraction", fit.large_shape_fraction);
    json["errors"] = calibration_part_json(fit.errors);
    json["quality"] = fit.quality;
    return json;
}

Json calibration_part_json(const FittedCollective& fit) {
    return {{"operation", name_of(fit.operation)},
            {"ranks", fit.ranks},
            {"nodes", fit.nodes},
            {"alpha_us", rounded(fit.alpha / microsecond)},
            {"bus_bandwidth_gb_per_s", rounded(fit.bandwidth / gigabyte_per_second)},
            {"gamma_us_per_sqrt_mib", rounded(fit.gamma_us_per_sqrt_mib)},
            {"alpha_us_95", calibration_part_json(fit.alpha_interval_us)},
            {"bus_bandwidth_gb_per_s_95", calibration_part_json(fit.bandwidth_interval_gb_per_s)},
            {"largest_measured_gb_per_s", rounded(fit.largest_measured / gigabyte_per_second)},
            {"errors", calibration_part_json(fit.errors)}};
}

void put_origin(Json& json, Tier tier, const std::string& source, const std::string& date) {
    json["tier"] = name_of(tier);
    json["source"] = source;
    put(json, "date", date);
}

void put_scope(Json& json, const std::string& accelerator, const std::string& chip) {
    put(json, "accelerator", accelerator);
    put(json, "chip", chip);
}

Json calibration_part_json(const KernelCalibration& row) {
    Json json = Json::object();
    put_scope(json, row.accelerator, row.chip);
    if (row.compute) {
        json["compute"] = name_of(*row.compute);
    }
    json["operator_class"] = name_of(row.operator_class);
    json["compute_fraction"] = rounded(row.efficiency.compute_fraction);
    json["bandwidth_fraction"] = rounded(row.efficiency.bandwidth_fraction);
    json["overhead_us"] = rounded(row.efficiency.overhead / microsecond);
    put_positive(json, "wave_share", rounded(row.efficiency.wave_share));
    put_positive(json, "quantize_fraction", rounded(row.efficiency.quantize_fraction));
    put_origin(json, row.efficiency.tier, row.efficiency.source, row.efficiency.date);
    return json;
}

Json calibration_part_json(const CollectiveCalibration& row) {
    Json json = Json::object();
    put_scope(json, row.accelerator, "");
    json["operation"] = name_of(row.operation);
    json["ranks"] = row.ranks;
    json["nodes"] = row.nodes;
    json["alpha_us"] = rounded(row.alpha / microsecond);
    json["bus_bandwidth_gb_per_s"] = rounded(row.bus_bandwidth / gigabyte_per_second);
    json["gamma_us_per_sqrt_mib"] = rounded(row.gamma_us_per_sqrt_mib);
    put_origin(json, row.tier, row.source, row.date);
    return json;
}

Json calibration_part_json(const SustainedCalibration& row) {
    Json json = Json::object();
    put_scope(json, row.accelerator, row.chip);
    json["matrix_rate"] = rounded(row.matrix_rate);
    json["beside_collectives"] = rounded(row.beside_collectives);
    put_origin(json, row.tier, row.source, row.date);
    return json;
}

template <typename T>
Json parts_json(const std::vector<T>& values) {
    return list_of(values, [](const T& value) { return calibration_part_json(value); });
}

Json head_of(const MeasuredRun& measurement) {
    Json json = Json::object();
    put(json, "tool", measurement.tool);
    json["method"] = measurement.method;
    put(json, "created", measurement.created);
    json["duration_s"] = rounded(measurement.duration_s);
    json["backend"] = measurement.backend;
    put(json, "node", measurement.node);
    json["device_count"] = measurement.device_count;
    json["device"] = report::json_of(measurement.device);
    put(json, "matched_by", measurement.matched_by);
    json["reference"] = calibration_part_json(measurement.reference);
    json["software"] = calibration_part_json(measurement.software);
    json["conditions"] = calibration_part_json(measurement.conditions);
    json["warnings"] = measurement.warnings;
    put(json, "merged_from", measurement.merged_from);
    return json;
}

}  // namespace

std::string calibration_file_json(const CalibrationFile& file) {
    Json out{{"schema", "ridgeline/calibration/1"}};
    if (file.measurement) {
        out["measurement"] = head_of(*file.measurement);
        out["fits"] = {{"products", parts_json(file.measurement->products)},
                       {"collectives", parts_json(file.measurement->collectives)}};
    }
    out["kernels"] = parts_json(file.rows.kernels);
    out["collectives"] = parts_json(file.rows.collectives);
    out["sustained"] = parts_json(file.rows.sustained);
    if (file.measurement) {
        out["points"] = parts_json(file.measurement->points);
    }
    return text_of(out);
}

std::string calibration_json(const CalibrationAnswer& answer, const Stamp& stamp) {
    Json out = document("ridgeline/calibration-answer/1", stamp);
    put(out, "file", answer.written.empty() ? answer.file.path : answer.written);
    if (answer.file.measurement) {
        out["measurement"] = head_of(*answer.file.measurement);
        out["products"] = parts_json(answer.file.measurement->products);
        out["collectives"] = parts_json(answer.file.measurement->collectives);
        out["points"] = parts_json(answer.file.measurement->points);
    }
    out["rows"] = parts_json(answer.file.rows.kernels);
    out["refused"] = Json::array();
    for (const RefusedFit& refused : answer.refused) {
        out["refused"].push_back({{"what", refused.what}, {"reason", refused.reason}});
    }
    out["notes"] = answer.notes;
    if (!answer.known.empty()) {
        out["known"] = Json::array();
        for (const KnownFigure& line : answer.known) {
            out["known"].push_back({{"what", line.what},
                                    {"measured", rounded(line.measured)},
                                    {"known", rounded(line.known)},
                                    {"unit", line.unit},
                                    {"tier", line.tier}});
        }
    }
    if (!answer.against.empty()) {
        out["against"] = Json::array();
        for (const ProductTime& line : answer.against) {
            out["against"].push_back({{"device", line.device},
                                      {"compute", line.compute},
                                      {"time_s", rounded(line.time / second)},
                                      {"tflop_per_s", rounded(line.rate / teraflop_per_second)},
                                      {"tier", line.tier}});
        }
    }
    return text_of(out);
}

std::string calibration_comparison_json(const MeasurementComparison& comparison,
                                        const Stamp& stamp) {
    Json out = document("ridgeline/calibration-comparison/1", stamp);
    out["figures"] = Json::array();
    for (const ComparedFigure& figure : comparison.figures) {
        out["figures"].push_back({{"what", figure.what},
                                  {"speed", rounded(figure.speed)},
                                  {"speed_95", calibration_part_json(figure.interval)},
                                  {"points", figure.points},
                                  {"verdict", name_of(figure.verdict)}});
    }
    out["notes"] = comparison.notes;
    return text_of(out);
}

std::string calibrations_json(const std::vector<CalibrationAnswer>& kept,
                              const std::vector<std::string>& notes, const Stamp& stamp) {
    Json out = document("ridgeline/calibrations/1", stamp);
    out["files"] = Json::array();
    for (const CalibrationAnswer& each : kept) {
        const MeasuredRun& run = *each.file.measurement;
        out["files"].push_back({{"file", each.written},
                                {"accelerator", run.reference.accelerator},
                                {"created", run.created},
                                {"points", run.points.size()}});
    }
    out["notes"] = notes;
    return text_of(out);
}

std::string merge_json(const std::vector<NodeStanding>& nodes, const CalibrationAnswer& merged,
                       const Stamp& stamp) {
    Json out = document("ridgeline/merge/1", stamp);
    put(out, "file", merged.written);
    out["nodes"] = Json::array();
    for (const NodeStanding& node : nodes) {
        out["nodes"].push_back({{"node", node.node},
                                {"slowdown", rounded(node.slowdown)},
                                {"worst", node.worst},
                                {"worst_slowdown", rounded(node.worst_slowdown)},
                                {"points", node.points},
                                {"outlier", node.outlier}});
    }
    out["drain"] = slow_nodes(nodes);
    out["warnings"] =
        merged.file.measurement ? Json(merged.file.measurement->warnings) : Json::array();
    return text_of(out);
}

}  // namespace ridgeline::report
