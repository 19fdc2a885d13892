#include "advise/answers/answer.h"
#include "ask/kernel_answer.h"
#include "base/text.h"
#include "estimate/time/kernel.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

// The largest product, transform or array that the memory of the hardware holds.

namespace ridgeline::ask {
namespace {

/// The largest whole multiple of `unit` for which `fits` holds, within a thousandth; 0: none.
template <typename Fits>
double largest_multiple(double unit, Fits fits) {
    constexpr double most = 1e12;
    double low = 0;
    double high = unit;
    while (high < most && fits(high)) {
        low = high;
        high *= 2;
    }
    while (high - low > unit && high - low > low / 1000) {
        const double middle = std::floor((low + high) / 2 / unit) * unit;
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

}  // namespace

std::string enlarge_kernel(const World& world, Question& question) {
    Query& query = question.query;
    std::vector<Cluster> clusters = clusters_of(*question.reading, query, world.catalog);
    const KernelKind* kind = kernel_kind_named(query.workload.kernel->operation);
    const bool grows = kind != nullptr && kind->size != KernelSize::sparse;
    if (clusters.empty() || !grows) {
        return {};
    }
    clusters.resize(1);  // the usual form of what was named
    const bool sides = kind->size == KernelSize::product || kind->size == KernelSize::sides;
    const bool line = kind->size == KernelSize::sides && kind->sides == 1;
    const Kernel asked = *query.workload.kernel;
    const auto placed = [&](double size) {
        WorkloadDocument document = query.workload;
        document.kernel = kernel_of_size(asked, size);
        return kernel_on(world, document, clusters, query.price_kind);
    };
    const bool qubits = kind->size == KernelSize::qubits;
    const double found = largest_multiple(sides    ? 64
                                          : qubits ? 1
                                                   : 1e6,
                                          [&](double size) {
                                              const auto answer = placed(size);
                                              return answer && answer->places.front().estimate.fits;
                                          });
    if (found <= 0) {
        return {};
    }
    query.workload.kernel = kernel_of_size(asked, found);
    query.accelerators = {clusters.front().accelerator->id};
    const auto answer = placed(found);
    const KernelEstimate& estimate = answer->places.front().estimate;
    return fmt::format("The largest that fits has {}: its arrays and work areas take {} of {}{}.",
                       asked.operation == "hpl" ? fmt::format("{0:.0f} x {0:.0f} numbers", found)
                       : line                   ? fmt::format("{:.0f} points", found)
                       : sides                  ? fmt::format("sides of {:.0f}", found)
                       : qubits                 ? fmt::format("{:.0f} qubits", found)
                                                : fmt::format("{} elements", format_count(found)),
                       format_gib(estimate.work.resident / gibibyte),
                       format_gib(estimate.capacity / gibibyte),
                       clusters.front().count > 1 ? " on each" : "");
}

}  // namespace ridgeline::ask
