#include "probes/cuda/run.h"

#include <algorithm>
#include <cmath>
#include <exception>

namespace probes {
namespace {

constexpr double largest_edge = 16384;
constexpr double scale_pool_bytes = 64.0 * 1024 * 1024;
constexpr double products_part = 0.6;  // of the time: the types share it
constexpr double streams_part = 0.1;
constexpr double links_part = 0.1;
constexpr double cooling_s = 5;
constexpr int square_candidates = 8;
const Shape long_run_shape{8192, 8192, 8192};

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ",") + word;
    }
    return text;
}

bool square(const Shape& shape) {
    return shape.m == shape.n && shape.n == shape.k;
}

int steps_of(const RidgelineProbeRequest& request, bool quick, const Device& device) {
    const auto asked = [&](int kind) { return (request.kinds & kind) != 0 ? 1 : 0; };
    int types = 0;
    for (const OperandType& type : operand_types()) {
        types += device.capability >= type.least_capability ? 1 : 0;
    }
    const int shapes = static_cast<int>(planned_shapes(quick, 0).size());
    return asked(RIDGELINE_PROBE_GEMM) * (types * shapes + 2) + asked(RIDGELINE_PROBE_COPY) +
           2 * asked(RIDGELINE_PROBE_LINK) + asked(RIDGELINE_PROBE_LAUNCH);
}

}  // namespace

std::vector<Shape> planned_shapes(bool quick, std::uint64_t seed) {
    std::vector<Shape> all = quick ? quick_shapes() : grid_shapes();
    for (const double edge : {4096.0, 8192.0, largest_edge}) {
        const bool known = std::any_of(all.begin(), all.end(), [=](const Shape& shape) {
            return square(shape) && shape.m == edge;
        });
        if (!known) {
            all.push_back({edge, edge, edge});
        }
    }
    std::vector<Shape> mixed_up;
    for (const std::size_t index : shuffled(all.size(), seed)) {
        mixed_up.push_back(all[index]);
    }
    return mixed_up;
}

double share_of_shape(const Shape& shape, double budget_s, std::size_t shapes, double rate) {
    const double even = budget_s / static_cast<double>(std::max<std::size_t>(1, shapes));
    // A quarter of a second of repetitions is enough for what a device does in microseconds.
    const double wanted = rate > 0 ? std::max(0.25, 20 * shape.flop() / rate) : 0.25;
    return std::min(even, wanted);
}

double worst_error(const OperandType& type,
                   const Shape& shape,
                   const std::vector<CheckedElement>& checked) {
    const double largest = type.element == Element::i8 ? 127 : 6;
    double worst = 0;
    for (const CheckedElement& element : checked) {
        const double allowed =
            tolerance(element.reference, shape.k, largest, type.eps_out, type.eps_sum);
        const double off = std::abs(element.found - element.reference);
        const double error = off == 0 ? 0 : off / std::max(allowed, 1e-300);
        worst = error <= 1e30 ? std::max(worst, error) : 1e30;  // NaN too
    }
    return worst;
}

CudaRun::CudaRun(const RidgelineProbeRequest& request,
                 const RidgelineProbeHost& host,
                 Device device,
                 Backend& backend)
    : request_(request),
      device_(std::move(device)),
      backend_(backend),
      quick_(request.budget_s < 30),
      reporter_(host, steps_of(request, quick_, device_), request.budget_s) {}

void CudaRun::run() {
    reporter_.fact("data", "normal(0, 1), seed " + std::to_string(request_.seed));
    if (has(RIDGELINE_PROBE_COPY)) {
        guarded("memory streams", [this] { measure_streams(); });
    }
    if (has(RIDGELINE_PROBE_LINK)) {
        guarded("host links",
                [this] { backend_.host_links(reporter_, share(links_part), quick_); });
        guarded("peer links",
                [this] { backend_.peer_links(reporter_, share(links_part), quick_); });
    }
    if (has(RIDGELINE_PROBE_LAUNCH)) {
        guarded("launches", [this] { backend_.launches(reporter_, share(links_part)); });
    }
    if (has(RIDGELINE_PROBE_GEMM)) {
        try_to("products", [this] { measure_products(); });
        guarded("drift", [this] { measure_drift(); });
        guarded("sustained run", [this] { measure_sustained(); });
    }
    if (hottest_ > 0) {
        reporter_.fact("temperature_max_c", std::to_string(hottest_));
    }
}

bool CudaRun::over() const {
    return reporter_.cancelled() || backend_.now() > request_.budget_s;
}

Reading CudaRun::read() {
    const Reading reading = backend_.reading();
    hottest_ = std::max(hottest_, reading.temperature_c);
    return reading;
}

/// One failing part is a warning, the others go on.
template <typename Work>
void CudaRun::try_to(const std::string& what, const Work& work) {
    if (reporter_.cancelled()) {
        return;
    }
    try {
        work();
    } catch (const std::exception& problem) {
        reporter_.warn(what + ": " + problem.what());
    }
}

template <typename Work>
void CudaRun::guarded(const std::string& what, const Work& work) {
    if (reporter_.cancelled()) {
        return;
    }
    try_to(what, work);
    read();
    reporter_.step(what, backend_.now());
}

void CudaRun::measure_products() {
    operand_bytes_ = backend_.open_operands();
    reporter_.fact("blas", backend_.library());
    int left = 0;
    for (const OperandType& type : operand_types()) {
        left += device_.capability >= type.least_capability ? 1 : 0;
    }
    const double end = std::min(backend_.now() + share(products_part), request_.budget_s);
    for (const OperandType& type : operand_types()) {
        if (device_.capability >= type.least_capability && !over()) {
            // What a type leaves of its time goes to those after it.
            measure_type(type, backend_.now() + std::max(0.0, end - backend_.now()) / left);
            --left;
        }
    }
}

void CudaRun::measure_type(const OperandType& type, double until_s) {
    const std::string what = std::string("products in ") + type.name;
    bool ready = false;
    try_to(what, [&] {
        backend_.prepare(type, request_.seed);
        ready = true;
    });
    double rate = 0;  // the best so far, so that a shape that would take too long is left out
    const std::vector<Shape> shapes = planned_shapes(quick_, request_.seed);
    int left_out = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Shape& shape = shapes[i];
        const double left_s = until_s - backend_.now();
        const bool slow = rate > 0 && 4 * shape.flop() / rate > left_s;
        if (!ready || over() || left_s <= 0 || slow || !fits(type, shape)) {
            ++left_out;
            reporter_.step(what, backend_.now());
            continue;
        }
        guarded(what, [&] {
            const double budget = share_of_shape(shape, left_s, shapes.size() - i, rate);
            rate = std::max(rate, measure_product(type, shape, budget));
        });
    }
    if (left_out > 0 && ready && !reporter_.cancelled()) {
        reporter_.warn(what + ": " + std::to_string(left_out) +
                       " shapes were left out for want of time or memory");
    }
}

bool CudaRun::fits(const OperandType& type, const Shape& shape) const {
    return shape.n * shape.k * type.operand_bytes <= operand_bytes_ &&
           shape.m * shape.k * type.operand_bytes <= operand_bytes_ &&
           shape.m * shape.n * type.result_bytes <= operand_bytes_ &&
           (type.element != Element::e2m1 ||
            (std::max(shape.n, shape.m) + 128) * (shape.k / 16 + 4) <= scale_pool_bytes);
}

/// A measurement that heat or a power brake slowed says nothing of the device: cool down and try
/// again, once within the time.
ProductTiming CudaRun::cool_product(const OperandType& type,
                                    const Shape& shape,
                                    std::size_t turns,
                                    double budget_s,
                                    Reading& reading) {
    const auto measured = [&] {
        // What a framework gets without tuning is the first; the squares show the library's best.
        ProductTiming timing = backend_.product(
            type, shape, turns, square(shape) ? square_candidates : 1, budget_s, [this] {
                return reporter_.cancelled();
            });
        reading = read();
        return timing;
    };
    ProductTiming timing = measured();
    if (reading.throttled && !quick_ && !over() &&
        backend_.now() + cooling_s + budget_s < request_.budget_s) {
        backend_.rest(cooling_s);
        timing = measured();
    }
    return timing;
}

/// Returns FLOP/s; 0 when the library has no algorithm for it.
double CudaRun::measure_product(const OperandType& type, const Shape& shape, double budget_s) {
    const double weight_bytes = shape.n * shape.k * type.operand_bytes;
    const std::size_t turns = rotating_copies(weight_bytes, device_.l2_bytes, operand_bytes_);
    Reading reading;
    const ProductTiming timing = cool_product(type, shape, turns, budget_s, reading);
    if (timing.algorithms == 0 || timing.time.samples == 0) {
        return 0;
    }
    const double error = worst_error(type, shape, timing.checked);
    RidgelinePoint point{};
    point.kind = "gemm";
    point.name = type.name;
    point.m = shape.m;
    point.n = shape.n;
    point.k = shape.k;
    point.checked = timing.checked.empty() ? 0 : 1;
    point.correct = error <= 1 ? 1 : 0;
    point.error = error;
    point.clock_mhz = reading.clock_mhz;
    point.power_w = reading.power_w;
    std::vector<std::string> flags;
    if (timing.time.noisy()) {
        flags.emplace_back("noisy");
    }
    if (reading.throttled) {
        flags.emplace_back("throttled");
    }
    if (static_cast<double>(turns) * weight_bytes < 2 * device_.l2_bytes) {
        flags.emplace_back("resident");
    }
    reporter_.point(point, timing.time, joined(flags));
    return timing.time.median > 0 ? shape.flop() / timing.time.median : 0;
}

const OperandType* CudaRun::long_run_type() const {
    for (const OperandType& type : operand_types()) {
        if (device_.capability >= type.least_capability &&
            (type.element == Element::bf16 || type.element == Element::f16)) {
            return &type;
        }
    }
    return nullptr;
}

/// One product early and late in a series: how far the clock moves under load.
void CudaRun::measure_drift() {
    const OperandType* type = long_run_type();
    if (type == nullptr || over() || !fits(*type, long_run_shape)) {
        return;
    }
    backend_.prepare(*type, request_.seed);
    backend_.series(*type, long_run_shape, 1);  // warm
    const double early = backend_.series(*type, long_run_shape, 1);
    if (early > 0 && 20 * early < request_.budget_s - backend_.now()) {
        backend_.series(*type, long_run_shape, 18);
        const double late = backend_.series(*type, long_run_shape, 1);
        reporter_.fact("drift", std::to_string(late / early - 1));
    }
}

void CudaRun::measure_streams() {
    const double most = backend_.open_arrays(request_.seed);
    const double least = quick_ ? most : 1024.0 * 1024;
    const double sizes = std::floor(std::log(most / least) / std::log(4.0)) + 1;
    const double each = share(streams_part) / (4 * sizes);
    for (double bytes = most; bytes >= least && !over(); bytes /= 4) {
        const double whole = std::floor(bytes / 256) * 256;
        measure_pass(Pass::copy, "copy", whole, each);
        measure_pass(Pass::triad, "triad", whole, each);
        measure_pass(Pass::read, "read", whole, each);
        measure_pass(Pass::fill, "fill", whole, each);
    }
    backend_.close_arrays();
}

void CudaRun::measure_pass(Pass pass, const char* name, double bytes, double budget_s) {
    if (reporter_.cancelled()) {
        return;
    }
    const Summary time =
        backend_.pass(pass, bytes, budget_s, [this] { return reporter_.cancelled(); });
    const Reading reading = read();
    const double arrays = pass == Pass::triad ? 3 : pass == Pass::copy ? 2 : 1;
    RidgelinePoint point{};
    point.kind = "stream";
    point.name = name;
    point.bytes = arrays * bytes;  // as STREAM counts them
    point.clock_mhz = reading.clock_mhz;
    point.power_w = reading.power_w;
    std::vector<std::string> flags;
    if (time.noisy()) {
        flags.emplace_back("noisy");
    }
    if (reading.throttled) {
        flags.emplace_back("throttled");
    }
    if (point.bytes < 4 * device_.l2_bytes) {
        flags.emplace_back("resident");
    }
    reporter_.point(point, time, joined(flags));
}

void CudaRun::measure_sustained() {
    const double left = request_.budget_s - backend_.now();
    const double span_s = std::min(left, quick_ ? 3.0 : 15.0);
    const OperandType* type = long_run_type();
    if (type == nullptr || span_s < 1 || !fits(*type, long_run_shape)) {
        reporter_.warn("no time or memory was left for the sustained run");
        return;
    }
    backend_.prepare(*type, request_.seed);
    sustain(*type, span_s);
}

/// The last half of a series without a pause: heat and the power limit have set in by then.
void CudaRun::sustain(const OperandType& type, double span_s) {
    std::vector<double> seconds;
    double power = 0;
    double clock = 0;
    bool throttled = false;
    const double begin = backend_.now();
    double passed = 0;
    int count = 1;  // as many as take a fifth of a second
    do {
        const double each = backend_.series(type, long_run_shape, count);
        count = launches_for(each, 0.2, 200);
        passed = backend_.now() - begin;
        if (passed > span_s / 2) {
            const Reading reading = read();
            seconds.push_back(each);
            power += reading.power_w;
            clock += reading.clock_mhz;
            throttled = throttled || reading.throttled;
        }
    } while (passed < span_s && !reporter_.cancelled());
    if (seconds.empty()) {
        return;
    }
    RidgelinePoint point{};
    point.kind = "sustained";
    point.name = type.name;
    point.m = long_run_shape.m;
    point.n = long_run_shape.n;
    point.k = long_run_shape.k;
    point.power_w = power / static_cast<double>(seconds.size());
    point.clock_mhz = clock / static_cast<double>(seconds.size());
    reporter_.point(point, summary_of(seconds), throttled ? "throttled" : "");
}

}  // namespace probes
