#include "base/text.h"
#include "data/measurement_reader.h"

#include <fmt/format.h>

namespace ridgeline {
namespace {

constexpr Range measured_microseconds{0, 1e12};
constexpr Range fractions{0, 10};
constexpr Range shape{0, 1e9};
constexpr Range measured_watts{0, 1e6};

template <typename T, typename From>
void set(std::optional<T>& target, const std::optional<From>& value, T unit) {
    if (value) {
        target = *value * unit;
    }
}

FitInterval read_interval(Reader& row, std::string_view key) {
    const std::vector<double> values = row.numbers(key, any_number);
    if (values.empty()) {
        return {};
    }
    if (values.size() != 2 || values[0] > values[1]) {
        row.fail(key, "expected two numbers, the lower first");
        return {};
    }
    return {values[0], values[1]};
}

DeviceRecord read_device(Reader& row) {
    DeviceRecord device;
    device.vendor = row.text_or("vendor", "");
    device.name = row.text_or("name", "");
    device.kind = row.text_or("kind", "gpu");
    device.pci_id = lower(row.text_or("pci_id", ""));
    device.pci_subsystem = lower(row.text_or("pci_subsystem", ""));
    device.hash = row.text_or("hash", "");
    device.compute_capability = row.optional_text("compute_capability");
    device.units = row.optional_integer("units");
    set(device.memory, row.optional_number("memory_gib"), gibibyte);
    set(device.l2_cache, row.optional_number("l2_cache_mib"), mebibyte);
    device.bus_bits = row.optional_integer("bus_bits");
    device.clock_max_mhz = row.optional_number("clock_max_mhz");
    device.memory_clock_max_mhz = row.optional_number("memory_clock_max_mhz");
    device.ecc = row.optional_boolean("ecc");
    device.mig = row.optional_boolean("mig");
    device.mig_profile = row.text_or("mig_profile", "");
    device.virtualized = row.optional_boolean("virtualized");
    device.power_limit_w = row.optional_number("power_limit_w", measured_watts);
    device.power_default_w = row.optional_number("power_default_w", measured_watts);
    device.pcie_generation = row.optional_integer("pcie_generation");
    device.pcie_generation_max = row.optional_integer("pcie_generation_max");
    device.pcie_lanes = row.optional_integer("pcie_lanes");
    device.pcie_lanes_max = row.optional_integer("pcie_lanes_max");
    device.nvlink_links = row.optional_integer("nvlink_links");
    return device;
}

RateReference read_reference(Reader& row) {
    RateReference reference;
    reference.accelerator = row.text("accelerator");
    reference.source = row.text_or("source", "");
    if (std::optional<Reader> peaks = row.optional_object("peak_tflop_per_s")) {
        for (const std::string& key : peaks->keys()) {
            const auto type = compute_type_named(key);
            const double peak = peaks->number(key, positive);
            if (!type) {
                peaks->fail(key, "is no operand type");
                continue;
            }
            reference.peak[static_cast<std::size_t>(*type)] = peak * teraflop_per_second;
        }
    }
    reference.units = row.integer_or("units", 0, Range{0, 1e6});
    reference.memory_bandwidth =
        row.number_or("memory_bandwidth_gb_per_s", 0, Range{0, 1e9}) * gigabyte_per_second;
    return reference;
}

MeasuringSoftware read_software(Reader& row) {
    MeasuringSoftware software;
    software.driver = row.text_or("driver", "");
    software.cuda_driver = row.text_or("cuda_driver", "");
    software.cuda_runtime = row.text_or("cuda_runtime", "");
    software.blas = row.text_or("blas", "");
    software.collectives = row.text_or("collectives", "");
    software.system = row.text_or("system", "");
    software.cpu = row.text_or("cpu", "");
    return software;
}

MeasuringConditions read_conditions(Reader& row) {
    MeasuringConditions conditions;
    conditions.data = row.text_or("data", "");
    conditions.clocks_locked = row.optional_boolean("clocks_locked");
    conditions.temperature_max_c = row.optional_number("temperature_max_c", any_number);
    conditions.other_processes = row.optional_integer("other_processes");
    conditions.load_average = row.optional_number("load_average");
    conditions.disturbed_share = row.optional_number("disturbed_share", Range{0, 1});
    conditions.drift = row.optional_number("drift", any_number);
    conditions.interrupted = row.boolean_or("interrupted", false);
    return conditions;
}

MeasuredPoint read_point(Reader& row) {
    MeasuredPoint point;
    const std::string kind = row.text("kind");
    if (const auto known = point_kind_named(kind)) {
        point.kind = *known;
    } else {
        row.fail("kind", fmt::format("found \"{}\", expected gemm, stream, ...", printable(kind)));
    }
    point.name = row.text("name");
    point.m = row.number_or("m", 0, shape);
    point.n = row.number_or("n", 0, shape);
    point.k = row.number_or("k", 0, shape);
    point.bytes = row.number_or("bytes", 0);
    point.work = row.number_or("work_flop", 0, Range{0, 1e24});
    point.ranks = row.integer_or("ranks", 1, Range{1, 1e6});
    point.nodes = row.integer_or("nodes", 1, Range{1, 1e6});
    point.threads = row.integer_or("threads", 0, Range{0, 1e6});
    Reader time = row.object("time_us");
    point.time.median = time.number("median", Range{1e-6, 1e12}) * microsecond;
    const double median = point.time.median / microsecond;
    point.time.p10 = time.number_or("p10", median, measured_microseconds) * microsecond;
    point.time.p90 = time.number_or("p90", median, measured_microseconds) * microsecond;
    point.time.least = time.number_or("least", median, measured_microseconds) * microsecond;
    point.time.samples = time.integer_or("samples", 1);
    set(point.slowest_rank, row.optional_number("slowest_rank_us", positive), microsecond);
    point.correct = row.optional_boolean("correct");
    point.error = row.optional_number("error");
    point.clock_mhz = row.optional_number("clock_mhz");
    point.power_w = row.optional_number("power_w", measured_watts);
    point.flags = row.texts("flags");
    return point;
}

FitErrors read_errors(Reader& row) {
    return {.median = row.number_or("median", 0, fractions),
            .p90 = row.number_or("p90", 0, Range{0, 1e6}),
            .holdout_median = row.number_or("holdout_median", 0, Range{0, 1e6}),
            .holdout_p90 = row.number_or("holdout_p90", 0, Range{0, 1e6}),
            .points = row.integer_or("points", 0),
            .dropped = row.integer_or("dropped", 0)};
}

FittedProducts read_products(Reader& row) {
    FittedProducts fit;
    const std::string compute = row.text("compute");
    if (const auto type = compute_type_named(compute)) {
        fit.compute = *type;
    } else {
        row.fail("compute", "is no operand type");
    }
    fit.compute_fraction = row.number("compute_fraction", fractions);
    fit.bandwidth_fraction = row.number("bandwidth_fraction", fractions);
    fit.overhead = row.number_or("overhead_us", 0, measured_microseconds) * microsecond;
    fit.quantize_fraction = row.number_or("quantize_fraction", 0, fractions);
    fit.wave_share = row.number_or("wave_share", 0, Range{0, 1});
    fit.wave_interval = read_interval(row, "wave_share_95");
    fit.compute_interval = read_interval(row, "compute_fraction_95");
    fit.bandwidth_interval = read_interval(row, "bandwidth_fraction_95");
    fit.overhead_interval_us = read_interval(row, "overhead_us_95");
    fit.large_shape_fraction = row.optional_number("large_shape_fraction", fractions);
    if (std::optional<Reader> errors = row.optional_object("errors")) {
        fit.errors = read_errors(*errors);
    }
    fit.quality = row.text_or("quality", "");
    return fit;
}

FittedCollective read_collective_fit(Reader& row) {
    FittedCollective fit;
    const std::string operation = row.text("operation");
    if (const auto known = collective_named(operation)) {
        fit.operation = *known;
    } else {
        row.fail("operation", "expected all_reduce, all_gather, ...");
    }
    fit.ranks = row.integer("ranks", Range{1, 1e6});
    fit.nodes = row.integer_or("nodes", 1, Range{1, 1e6});
    fit.alpha = row.number("alpha_us", measured_microseconds) * microsecond;
    fit.bandwidth = row.number("bus_bandwidth_gb_per_s", positive) * gigabyte_per_second;
    fit.gamma_us_per_sqrt_mib = row.number_or("gamma_us_per_sqrt_mib", 0, measured_microseconds);
    fit.alpha_interval_us = read_interval(row, "alpha_us_95");
    fit.bandwidth_interval_gb_per_s = read_interval(row, "bus_bandwidth_gb_per_s_95");
    fit.largest_measured =
        row.number_or("largest_measured_gb_per_s", 0, Range{0, 1e9}) * gigabyte_per_second;
    if (std::optional<Reader> errors = row.optional_object("errors")) {
        fit.errors = read_errors(*errors);
    }
    return fit;
}

void read_head(Reader& head, MeasuredRun& measurement) {
    measurement.tool = head.text_or("tool", "");
    measurement.method = head.integer("method", Range{1, 1e6});
    measurement.created = head.text_or("created", "");
    measurement.duration_s = head.number_or("duration_s", 0);
    measurement.backend = head.text_or("backend", "");
    measurement.node = head.text_or("node", "");
    measurement.device_count = head.integer_or("device_count", 1, Range{1, 1e6});
    measurement.matched_by = head.text_or("matched_by", "");
    if (std::optional<Reader> device = head.optional_object("device")) {
        measurement.device = read_device(*device);
    }
    if (std::optional<Reader> reference = head.optional_object("reference")) {
        measurement.reference = read_reference(*reference);
    }
    if (std::optional<Reader> software = head.optional_object("software")) {
        measurement.software = read_software(*software);
    }
    if (std::optional<Reader> conditions = head.optional_object("conditions")) {
        measurement.conditions = read_conditions(*conditions);
    }
    measurement.warnings = head.texts("warnings");
    measurement.merged_from = head.texts("merged_from");
}

}  // namespace

std::optional<MeasuredRun> read_measurement(Reader& document) {
    if (!document.has("measurement")) {
        if (document.has("points") || document.has("fits")) {
            document.fail("measurement", "missing, expected how the points were measured");
        }
        return std::nullopt;
    }
    MeasuredRun measurement;
    Reader head = document.object("measurement");
    read_head(head, measurement);
    for (Reader& row : document.objects("points")) {
        measurement.points.push_back(read_point(row));
    }
    if (std::optional<Reader> fits = document.optional_object("fits")) {
        for (Reader& row : fits->objects("products")) {
            measurement.products.push_back(read_products(row));
        }
        for (Reader& row : fits->objects("collectives")) {
            measurement.collectives.push_back(read_collective_fit(row));
        }
    }
    return measurement;
}

}  // namespace ridgeline
