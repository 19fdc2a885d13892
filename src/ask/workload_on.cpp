#include "ask/workload_on.h"

#include "ask/workload_options.h"

#include <utility>

namespace ridgeline::ask {
namespace {

tl::unexpected<Error> without_hardware() {
    return usage_error("--on", "no hardware was given", "Example: --on h100-sxm5-80gb:8.");
}

}  // namespace

Result<WorkloadDocument> model_workload_of(const Request& request) {
    return model_workload(workload_of(request), request);
}

Result<WorkloadDocument> of_a_model(Result<WorkloadDocument> document) {
    if (document && document->task == Task::kernel) {
        return input_error("task", "found \"kernel\", expected train or inference",
                           "Kernels are answered by `estimate` and `advise`.");
    }
    return document;
}

Result<WorkloadDocument> model_workload(Result<WorkloadDocument> document, const Request& request) {
    document = of_a_model(std::move(document));
    if (!document) {
        return document;
    }
    if (!request.given("on")) {
        return without_hardware();
    }
    return document;
}

Result<Cluster> cluster_of_request(const World& world, const Request& request) {
    return request.given("on")
               ? cluster_named(world.catalog, request.text("on"), request.on_command_line)
               : without_hardware();
}

Result<WorkloadOn> workload_on(const World& world, const Request& request) {
    auto document = model_workload_of(request);
    if (!document) {
        return tl::unexpected(document.error());
    }
    auto architecture = completed(*document, world);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    auto cluster = cluster_named(world.catalog, request.text("on"), request.on_command_line);
    if (!cluster) {
        return tl::unexpected(cluster.error());
    }
    return WorkloadOn{std::move(*document), std::move(*architecture), std::move(*cluster)};
}

}  // namespace ridgeline::ask
