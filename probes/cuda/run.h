#pragma once

#include "probes/cuda/backend.h"

#include <memory>
#include <string>
#include <vector>

namespace probes {

/// Shapes of one operand type: the grid and three large squares, in an order of their own for each
/// seed, so that drift of the clock does not fall on one kind.
std::vector<Shape> planned_shapes(bool quick, std::uint64_t seed);

/// Share of one shape of a type in the time for products, by what its arithmetic takes: half is
/// split evenly, half by the time of one product at `rate` FLOP/s (0: not known yet).
double share_of_shape(const Shape& shape, double budget_s, std::size_t shapes, double rate);

/// The largest difference to the reference, of what rounding allows; NaN counts as 1e30.
double worst_error(const OperandType& type,
                   const Shape& shape,
                   const std::vector<CheckedElement>& checked);

/// Measures what was asked for on a device and reports it: products, streams, links, launches, a
/// long run. Keeps to the budget, ends when it is told to and leaves out what fails.
class CudaRun {
public:
    CudaRun(const RidgelineProbeRequest& request,
            const RidgelineProbeHost& host,
            Device device,
            Backend& backend);
    void run();

private:
    [[nodiscard]] bool has(int kind) const { return (request_.kinds & kind) != 0; }
    [[nodiscard]] double share(double part) const { return part * request_.budget_s; }
    [[nodiscard]] bool over() const;
    template <typename Work>
    void guarded(const std::string& what, const Work& work);
    template <typename Work>
    void try_to(const std::string& what, const Work& work);

    void measure_products();
    void measure_type(const OperandType& type, double until_s);
    double measure_product(const OperandType& type, const Shape& shape, double budget_s);
    ProductTiming cool_product(const OperandType& type,
                               const Shape& shape,
                               std::size_t turns,
                               double budget_s,
                               Reading& reading);
    [[nodiscard]] bool fits(const OperandType& type, const Shape& shape) const;
    [[nodiscard]] const OperandType* long_run_type() const;
    void measure_drift();
    void measure_streams();
    void measure_pass(Pass pass, const char* name, double bytes, double budget_s);
    void measure_sustained();
    void sustain(const OperandType& type, double span_s);
    Reading read();

    const RidgelineProbeRequest& request_;
    Device device_;
    Backend& backend_;
    bool quick_;
    Reporter reporter_;
    double operand_bytes_ = 0;
    double hottest_ = 0;
};

}  // namespace probes
