#include "ask/kernel_answer.h"

#include "advise/answers/answer.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/fabric.h"
#include "advise/hardware/offers.h"
#include "ask/idle_fields.h"
#include "ask/kernel_place.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/workload_fields.h"

#include <algorithm>

namespace ridgeline::ask {
namespace {

/// The server CPU that stands for "a CPU" where none is named.
constexpr std::string_view usual_cpu = "cpu-2x-xeon-8480c";

/// An error of the kernel in terms of the option that states the size.
Error in_terms_of_options(Error error, bool command_line) {
    for (const WorkloadField& field : workload_fields()) {
        const bool same = !field.option.empty() && field.path.substr(1) == error.where;
        if (command_line &&
            (same || (field.key() == "elements" && error.where == "kernel/atoms"))) {
            error.where = "--" + std::string(field.option);
        }
    }
    return error;
}

constexpr int largest_cluster = 1024;

struct CpuUse {
    const char* words;
    double cores;  ///< 0: all
    const char* library;
};
constexpr CpuUse cpu_uses[] = {{"one core, a plain loop", 1, "plain"},
                               {"all cores, plain loops", 0, "plain"},
                               {"one core, a tuned library", 1, ""},
                               {"all cores, a tuned library", 0, ""}};

/// The same product on one core and on all, as a loop and as a library.
void add_cpu_ways(const World& world, const Kernel& kernel, ComputeType type,
                  report::KernelAnswer& answer) {
    const auto gpu = std::ranges::min_element(answer.places, [](const auto& a, const auto& b) {
        const bool ours = a.cluster.accelerator->kind == "cpu";
        const bool theirs = b.cluster.accelerator->kind == "cpu";
        return ours != theirs ? theirs : a.seconds() < b.seconds();
    });
    const auto named = std::ranges::find_if(
        answer.places, [](const auto& on) { return on.cluster.accelerator->kind == "cpu"; });
    const Accelerator* cpu = named != answer.places.end()
                                 ? named->cluster.accelerator
                                 : world.catalog.accelerator(std::string(usual_cpu));
    if (cpu == nullptr || gpu->cluster.accelerator->kind == "cpu") {
        return;
    }
    Kernel copied = kernel;
    copied.copies = true;
    const auto with_copies = kernel_estimate_on(world, copied, type, gpu->cluster);
    Kernel bare = kernel;
    bare.copies = false;
    const auto without = kernel_estimate_on(world, bare, type, gpu->cluster);
    if (!with_copies || !without) {
        return;
    }
    const Cluster host = make_cluster(world.catalog, *cpu, 1, 1);
    answer.cpu = cpu->name;
    for (const CpuUse& way : cpu_uses) {
        Kernel there = bare;
        there.cores = way.cores;
        there.library = way.library;
        if (const auto time = kernel_estimate_on(world, there, type, host)) {
            answer.cpu_ways.push_back({way.words, time->time / second, time->time / without->time,
                                       time->time / with_copies->time});
        }
    }
}

/// The first option of a request that says something of a model; empty: none does.
std::string option_of_models(const Request& request) {
    for (const WorkloadField& field : workload_fields()) {
        const bool shared = field.path == "/precision/compute" || field.path == "/network" ||
                            field.path == "/software/fp16_accumulate";
        if (!field.option.empty() && field.section() != "kernel" && !shared &&
            request.given(field.option)) {
            return std::string(field.option);
        }
    }
    for (const char* other : {"model", "workload-trace", "hf-config", "onnx"}) {
        if (request.given(other)) {
            return other;
        }
    }
    return "";
}

}  // namespace

Result<report::KernelAnswer> kernel_on(const World& world, const WorkloadDocument& document,
                                       const std::vector<Cluster>& clusters,
                                       const std::string& price, bool beside_cpu) {
    report::KernelAnswer answer;
    answer.kernel = *document.kernel;
    answer.type = kernel_type(document);
    std::optional<Error> problem;
    bool cpu = beside_cpu;
    bool gpu = false;
    for (const Cluster& given : clusters) {
        const Cluster cluster = joined_as_stated(given, world.catalog, document);
        auto estimate = kernel_estimate_on(world, answer.kernel, answer.type, cluster);
        if (!estimate) {
            problem = problem ? problem : std::optional(estimate.error());
            answer.left_out.push_back(cluster.accelerator->id + ": " + estimate.error().message);
            continue;
        }
        cpu = cpu || cluster.accelerator->kind == "cpu";
        gpu = gpu || cluster.accelerator->kind != "cpu";
        report::KernelOn on{.cluster = cluster, .estimate = std::move(*estimate)};
        if (const std::string links = assumed_links(cluster); !links.empty()) {
            on.estimate.work.notes.push_back(links);
        }
        add_kernel_price(world, price, on);
        answer.places.push_back(std::move(on));
    }
    if (answer.places.empty()) {
        return tl::unexpected(
            problem.value_or(Error{ErrorKind::input, "--on", "no hardware was given", ""}));
    }
    if (cpu && gpu && answer.kernel.operation == "gemm") {
        add_cpu_ways(world, answer.kernel, answer.type, answer);
    }
    return answer;
}

Reply kernel_reply(const World& world, const Request& request, const report::KernelAnswer& answer) {
    Reply reply;
    reply.messages = notes_of(world);
    reply.body = request.json() ? report::kernel_json(answer, stamp_of(world.catalog))
                                : report::kernel_text(answer, request.style);
    const bool any =
        std::ranges::any_of(answer.places, [](const auto& on) { return on.estimate.fits; });
    reply.exit_code = any ? 0 : 3;
    return reply;
}

Result<Reply> answer_kernel_estimate(const World& world, const Request& request,
                                     const WorkloadDocument& document) {
    for (const char* other : {"max", "sweep", "svg", "beside", "plan", "ttft", "tpot"}) {
        if (request.given(other)) {
            return usage_error(std::string("--") + other,
                               "found beside a kernel, which has none of it",
                               "Ask for a model, or leave it out.");
        }
    }
    if (request.given("fp16-accumulate") &&
        (document.kernel->operation != "gemm" || document.compute != ComputeType::fp16)) {
        return usage_error("--fp16-accumulate", "is of matrix products in fp16 alone",
                           "Ask with --kernel gemm --dtype fp16, or leave it out.");
    }
    if (const std::string other = option_of_models(request); !other.empty()) {
        return usage_error("--" + other, "found beside a kernel, which has none of it",
                           "Ask for a model, or leave it out.");
    }
    if (!request.given("on")) {
        return usage_error("--on", "no hardware was given", "Example: --on h100-sxm5-80gb.");
    }
    if (document.network) {
        if (const auto known = check_network(world.catalog, *document.network); !known) {
            return tl::unexpected(known.error());
        }
    }
    std::vector<Cluster> clusters;
    for (const std::string& word : split(request.text("on"), ',')) {
        auto cluster = cluster_named(world.catalog, word, request.on_command_line);
        if (!cluster) {
            return tl::unexpected(cluster.error());
        }
        clusters.push_back(std::move(*cluster));
    }
    auto answer = kernel_on(world, document, clusters, request.text("price"));
    if (answer) {
        tell_idle_fields(world, document, clusters, *answer);
    }
    return answer ? Result<Reply>(kernel_reply(world, request, *answer))
                  : tl::unexpected(in_terms_of_options(answer.error(), request.on_command_line));
}

Result<report::KernelAnswer> kernel_asked(const World& world, const Question& question) {
    const Query& query = question.query;
    if (!question.reading || query.accelerators.empty()) {
        Query ranked = query;
        if (question.reading && question.reading->intent == Intent::fit) {
            ranked.exact_accelerators = query.exact_accelerators.value_or(1);
        }
        auto answer = kernel_ranked(world, ranked);
        const bool cpu = question.reading && question.reading->beside_cpu;
        if (answer && cpu && answer->kernel.operation == "gemm") {
            add_cpu_ways(world, answer->kernel, answer->type, *answer);
        }
        return answer;
    }
    std::vector<Cluster> clusters;
    for (const ReadSide& side : question.reading->sides) {
        const int count = side.count.value_or(query.exact_accelerators.value_or(1));
        std::vector<const Accelerator*> forms;
        for (const std::string& id : side.ids) {
            if (const Accelerator* part = world.catalog.accelerator(id)) {
                forms.push_back(part);
            }
        }
        // A family stands for its usual form.
        if (const Accelerator* usual = most_listed(world.catalog, forms)) {
            clusters.push_back(linked_as_required(make_cluster(world.catalog, *usual, count, 0),
                                                  world.catalog, query.require));
        }
    }
    if (clusters.empty()) {
        clusters = clusters_of(*question.reading, query, world.catalog);
    }
    if (!query.exact_accelerators && question.reading->intent == Intent::hardware) {
        for (Cluster& cluster : clusters) {
            cluster = cluster_holding(world, *query.workload.kernel, kernel_type(query.workload),
                                      cluster, largest_cluster);
        }
    }
    return kernel_on(world, query.workload, clusters, query.price_kind,
                     question.reading->beside_cpu);
}

int enough_for_kernel(const World& world, const report::KernelAnswer& answer,
                      const Cluster& cluster) {
    return cluster_holding(world, answer.kernel, answer.type, cluster, largest_cluster).count;
}

}  // namespace ridgeline::ask
