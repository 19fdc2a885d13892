#pragma once

#include "probes/cuda/operands.h"
#include "probes/reporter.h"

#include <functional>
#include <string>
#include <vector>

namespace probes {

struct Device {
    int ordinal = 0;
    int capability = 0;  ///< 10 x major + minor
    int units = 0;
    double l2_bytes = 0;
    std::string pci_address;
};

/// One output element of a product and what it is when summed in fp64.
struct CheckedElement {
    double found = 0;
    double reference = 0;
};

/// A product that was timed. `algorithms` 0: the library has none for it.
struct ProductTiming {
    int algorithms = 0;
    Summary time;
    std::vector<CheckedElement> checked;
};

/// Sensors during a measurement. 0: unknown.
struct Reading {
    double power_w = 0;
    double clock_mhz = 0;
    double temperature_c = 0;
    bool throttled = false;  ///< by heat, power brake or hardware; not by the software power cap
};

/// What a run does to a device. `CudaBackend` does it; a test puts a made-up device in its place.
/// Every call may throw std::exception: the run then goes on without that point.
class Backend {
public:
    virtual ~Backend() = default;

    /// Seconds since the start of the run.
    virtual double now() = 0;
    virtual void rest(double seconds) = 0;
    virtual Reading reading() = 0;
    virtual std::string library() = 0;

    /// Makes room for operands; returns the bytes that each of the three may have.
    virtual double open_operands() = 0;
    /// Fills the operands with random data of a type.
    virtual void prepare(const OperandType& type, std::uint64_t seed) = 0;
    /// Times a product over `turns` copies of its weight, so that no cache holds it.
    ///
    /// candidates  algorithms of the library's list that are tried; the fastest counts
    virtual ProductTiming product(const OperandType& type,
                                  const Shape& shape,
                                  std::size_t turns,
                                  int candidates,
                                  double budget_s,
                                  const std::function<bool()>& cancelled) = 0;
    /// Seconds of one product out of a series of `count` that run back to back.
    virtual double series(const OperandType& type, const Shape& shape, int count) = 0;
    virtual void close_operands() = 0;

    /// Makes room for three arrays; returns the bytes of each.
    virtual double open_arrays(std::uint64_t seed) = 0;
    /// Times a pass over `bytes` of each array, at the best of several launch configurations.
    virtual Summary pass(Pass pass,
                         double bytes,
                         double budget_s,
                         const std::function<bool()>& cancelled) = 0;
    virtual void close_arrays() = 0;

    virtual void host_links(const Reporter& reporter, double budget_s, bool quick) = 0;
    virtual void peer_links(const Reporter& reporter, double budget_s, bool quick) = 0;
    virtual void launches(const Reporter& reporter, double budget_s) = 0;
};

}  // namespace probes
