#include "ask/kernel_answer.h"

#include "advise/answers/answer.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/ranking/compare.h"
#include "ask/idle_fields.h"
#include "base/lists.h"
#include "base/order.h"
#include "base/text.h"
#include "estimate/time/kernel.h"
#include "spec/workload_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

ComputeType type_of(const WorkloadDocument& document) {
    return document.compute.value_or(usual_type(*document.kernel));
}

Result<KernelEstimate> estimate_on(const World& world, Kernel kernel, ComputeType type,
                                   const Cluster& cluster) {
    if (kernel.ranks <= 1) {
        kernel.ranks = cluster.count;
    }
    kernel.graph = false;
    const DeviceModel device = device_model(*cluster.accelerator, world.profiles.calibration);
    return estimate_kernel(kernel, type, cluster, device, world.profiles.calibration, true);
}

/// The cluster as it is, or with as many devices as the arrays need where none said how many: each
/// time twice as many, up to `most`.
Cluster holding(const World& world, const Kernel& kernel, ComputeType type, const Cluster& cluster,
                int most) {
    for (int count = cluster.count; count <= most; count *= 2) {
        const int together = std::max(1, cluster.accelerator->scale_up.max_domain);
        Cluster larger = count == cluster.count
                             ? cluster
                             : make_cluster(world.catalog, *cluster.accelerator, count,
                                            together > 1 ? std::min(count, together) : 0);
        const auto estimate = estimate_on(world, kernel, type, larger);
        if (!estimate || estimate->fits) {
            return estimate ? larger : cluster;
        }
    }
    return cluster;
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
    const auto with_copies = estimate_on(world, copied, type, gpu->cluster);
    Kernel bare = kernel;
    bare.copies = false;
    const auto without = estimate_on(world, bare, type, gpu->cluster);
    if (!with_copies || !without) {
        return;
    }
    const Cluster host = make_cluster(world.catalog, *cpu, 1, 1);
    answer.cpu = cpu->name;
    for (const CpuUse& way : cpu_uses) {
        Kernel there = bare;
        there.cores = way.cores;
        there.library = way.library;
        if (const auto time = estimate_on(world, there, type, host)) {
            answer.cpu_ways.push_back({way.words, time->time / second, time->time / without->time,
                                       time->time / with_copies->time});
        }
    }
}

void add_price(const World& world, const std::string& price, report::KernelOn& on) {
    const auto sold = purchase_price(world.catalog, *on.cluster.accelerator);
    if (sold && sold->current && !is_part_of_a_server(*on.cluster.accelerator)) {
        on.usd_to_buy = on.cluster.count * sold->usd_each;
        on.bought = (sold->used ? "used, " : "new, ") + sold->date;
    }
    on.offer = offer_for(world.catalog, on.cluster, price);
    if (on.offer != nullptr) {
        on.usd_per_hour =
            std::ceil(double(on.cluster.count) / on.offer->count) * on.offer->usd_per_hour;
    }
}

bool allowed(const Query& query, const Accelerator& part) {
    const std::string vendor = lower(part.vendor);
    if (!allowed_by(lower(query.vendor), vendor)) {
        return false;
    }
    const bool named = is_among(part.id, query.accelerators);
    if ((!query.accelerators.empty() && !named) || is_excluded(query, part)) {
        return false;
    }
    // Boards and builds are forms of a part, no features of its chip.
    WorkloadProfile needs;
    for (const std::string& each : query.require) {
        if ((is_board(each) && !is_on_board(part, each)) ||
            (is_build(each) && !is_built_as(part, each))) {
            return false;
        }
        if (!is_board(each) && !is_build(each)) {
            needs.must_have.push_back(each);
        }
    }
    return part.kind != "asic" && part.kind != "tpu" &&
           (needs.must_have.empty() || missing_features(needs, part).empty());
}

/// What a ranking leaves out, and why.
struct LeftOut {
    int small = 0;
    int without_units = 0;
    int dear = 0;
    int unsold = 0;
    std::optional<Error> problem;  ///< of the first that has no estimate

    void tell(const Query& query, report::KernelAnswer& answer) const {
        if (dear > 0) {
            answer.left_out.push_back(fmt::format(
                "{} cost more than {} or have no known price", dear,
                format_usd(query.budget_usd.value_or(query.budget_usd_per_hour.value_or(0)))));
        }
        if (small > 0) {
            answer.left_out.push_back(fmt::format("{} kinds of hardware hold less memory", small));
        }
        if (unsold > 0) {
            answer.left_out.push_back(
                fmt::format("{} are not known to be sold or rented (--all)", unsold));
        }
        if (without_units > 0) {
            answer.left_out.push_back(
                fmt::format("{} have no known rate of {}", without_units, name_of(answer.type)));
        }
    }
};

void try_part(const World& world, const Query& query, const Accelerator& part,
              report::KernelAnswer& answer, LeftOut& left_out) {
    const int count = query.exact_accelerators.value_or(1);
    Cluster cluster = make_cluster(world.catalog, part, count,
                                   std::min(count, std::max(1, part.scale_up.max_domain)));
    // Only what can be had is recommended; a processor is there.
    Query had = query;
    had.buy = answer.buys;
    if (query.accelerators.empty() && !query.all && part.kind != "cpu" &&
        !unobtainable(world.catalog, had, part, count, cluster.per_node).empty()) {
        ++left_out.unsold;
        return;
    }
    if (!query.exact_accelerators && part.kind != "cpu") {
        constexpr int one_machine = 8;
        cluster = holding(world, answer.kernel, answer.type, cluster, one_machine);
    }
    auto estimate = estimate_on(world, answer.kernel, answer.type, cluster);
    if (!estimate) {
        left_out.problem = left_out.problem ? left_out.problem : std::optional(estimate.error());
        ++left_out.without_units;
        return;
    }
    if (!estimate->fits) {
        ++left_out.small;
        return;
    }
    report::KernelOn on{.cluster = cluster, .estimate = std::move(*estimate)};
    add_price(world, query.price_kind, on);
    const double most = query.budget_usd.value_or(query.budget_usd_per_hour.value_or(0));
    const double usd = query.budget_usd ? on.usd_to_buy : on.usd_per_hour;
    if (most > 0 && (usd <= 0 || usd > most)) {
        ++left_out.dear;
    } else if (answer.buys && on.usd_to_buy <= 0 && part.kind != "cpu") {
        ++left_out.unsold;
    } else {
        answer.places.push_back(std::move(on));
    }
}

/// Who asks for hardware for double precision has more of it to do than one kernel: parts without
/// units for it go behind those that have them, whatever their memory moves.
bool lacks_units(const report::KernelOn& on, ComputeType type) {
    return type == ComputeType::fp64 && on.cluster.accelerator->kind != "cpu" &&
           !has_feature(*on.cluster.accelerator, "fp64").value_or(false);
}

/// The fastest first; by money what does most for it, and what has no known price last.
void order_places(report::KernelAnswer& answer, bool by_money) {
    const auto usd = [&](const report::KernelOn& on) {
        return answer.buys ? on.usd_for_speed() : on.usd_per_million();
    };
    stable_order(answer.places.begin(), answer.places.end(), [&](const auto& a, const auto& b) {
        if (lacks_units(a, answer.type) != lacks_units(b, answer.type)) {
            return lacks_units(b, answer.type);
        }
        const bool priced = usd(a) > 0, other = usd(b) > 0;
        if (by_money && priced != other) {
            return priced;
        }
        return by_money && priced ? usd(a) < usd(b) : a.seconds() < b.seconds();
    });
}

/// What is sold and does most for its price, beside a ranking by rent.
void add_sold(report::KernelAnswer& answer) {
    for (const report::KernelOn& on : answer.places) {
        const bool sold = on.usd_to_buy > 0 && !is_module(*on.cluster.accelerator) &&
                          !lacks_units(on, answer.type);
        if (sold && (!answer.to_buy || on.usd_for_speed() < answer.to_buy->usd_for_speed())) {
            answer.to_buy = on;
        }
    }
}

/// The first `top`; the best CPU stays in sight beside the accelerators.
void keep_top(std::vector<report::KernelOn>& places, std::size_t top) {
    top = std::min(places.size(), top);
    const auto is_cpu = [](const auto& on) { return on.cluster.accelerator->kind == "cpu"; };
    const auto cpu = std::ranges::find_if(places, is_cpu);
    if (cpu != places.end() && cpu - places.begin() >= static_cast<long>(top)) {
        std::swap(places[top - (top > 1 ? 1 : 0)], *cpu);
        places.resize(top + (top > 1 ? 0 : 1));
    } else {
        places.resize(top);
    }
}

/// The first option of a request that says something of a model; empty: none does.
std::string option_of_models(const Request& request) {
    for (const WorkloadField& field : workload_fields()) {
        const bool shared = field.path == "/precision/compute";
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
    answer.type = type_of(document);
    std::optional<Error> problem;
    bool cpu = beside_cpu;
    bool gpu = false;
    for (const Cluster& cluster : clusters) {
        auto estimate = estimate_on(world, answer.kernel, answer.type, cluster);
        if (!estimate) {
            problem = problem ? problem : std::optional(estimate.error());
            answer.left_out.push_back(cluster.accelerator->id + ": " + estimate.error().message);
            continue;
        }
        cpu = cpu || cluster.accelerator->kind == "cpu";
        gpu = gpu || cluster.accelerator->kind != "cpu";
        report::KernelOn on{.cluster = cluster, .estimate = std::move(*estimate)};
        add_price(world, price, on);
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

Result<report::KernelAnswer> kernel_ranked(const World& world, const Query& query) {
    report::KernelAnswer answer;
    answer.kernel = *query.workload.kernel;
    answer.type = type_of(query.workload);
    answer.ranked = true;
    answer.buys = query.buy || query.budget_usd;
    LeftOut left_out;
    for (const Accelerator& part : world.catalog.accelerators) {
        if (allowed(query, part) && part.memory_bandwidth.base() > 0) {
            try_part(world, query, part, answer, left_out);
        }
    }
    if (answer.places.empty() && left_out.unsold > 0) {
        Query any = query;
        any.all = true;
        return kernel_ranked(world, any);
    }
    if (answer.places.empty()) {
        return tl::unexpected(left_out.problem.value_or(
            Error{ErrorKind::input, "kernel", "no hardware of the catalog holds it", ""}));
    }
    const bool money = query.objective == Objective::cost || query.objective == Objective::price;
    order_places(answer, money);
    const report::KernelOn& first = answer.places.front();
    answer.by_cost = money && (answer.buys ? first.usd_to_buy : first.usd_per_hour) > 0;
    if (!answer.buys && query.accelerators.empty() && !query.exact_accelerators) {
        add_sold(answer);
    }
    keep_top(answer.places, static_cast<std::size_t>(std::max(1, query.top)));
    left_out.tell(query, answer);
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
    if (const std::string other = option_of_models(request); !other.empty()) {
        return usage_error("--" + other, "found beside a kernel, which has none of it",
                           "Ask for a model, or leave it out.");
    }
    if (!request.given("on")) {
        return usage_error("--on", "no hardware was given", "Example: --on h100-sxm5-80gb.");
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
        auto answer = kernel_ranked(world, query);
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
            clusters.push_back(make_cluster(world.catalog, *usual, count, 0));
        }
    }
    if (clusters.empty()) {
        clusters = clusters_of(*question.reading, query, world.catalog);
    }
    if (!query.exact_accelerators && question.reading->intent == Intent::hardware) {
        for (Cluster& cluster : clusters) {
            cluster = holding(world, *query.workload.kernel, type_of(query.workload), cluster,
                              largest_cluster);
        }
    }
    return kernel_on(world, query.workload, clusters, query.price_kind,
                     question.reading->beside_cpu);
}

int enough_for_kernel(const World& world, const report::KernelAnswer& answer,
                      const Cluster& cluster) {
    return holding(world, answer.kernel, answer.type, cluster, largest_cluster).count;
}

}  // namespace ridgeline::ask
