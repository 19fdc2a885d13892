#include "ask/traced.h"

#include "advise/placement/placement.h"
#include "advise/validation/rehearsed_fit.h"
#include "ask/workload_on.h"
#include "base/order.h"
#include "data/load_rehearsal.h"
#include "data/load_trace.h"
#include "estimate/time/device.h"
#include "estimate/time/trace_time.h"
#include "report/trace_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline::ask {
namespace {

/// Cards told by `advise --rehearsed`; all with --explain.
constexpr std::size_t places_told = 12;

/// Host time of a kernel in the stack that says nothing else.
Seconds launch_time(const World& world) {
    const auto software = software_named(world.profiles, "pytorch");
    return software ? (*software)->runtime.options.launch_per_kernel : Seconds{};
}

/// Ratios of measured to predicted time; the id of the card goes to `answer`.
TraceRatios ratios_of(const World& world, report::TraceAnswer& answer) {
    TraceRatios ratios;
    if (answer.trace.device.empty()) {
        return ratios;
    }
    const auto part = accelerator_named(world.catalog, answer.trace.device, "");
    if (!part) {
        return ratios;
    }
    answer.measured_on = (*part)->id;
    return trace_ratios(answer.trace, device_model(**part, world.profiles.calibration));
}

report::TracedPlace place_of(const World& world, const report::TraceAnswer& answer,
                             const TraceRatios& ratios, const Cluster& cluster,
                             const std::string& price) {
    report::TracedPlace place;
    place.cluster = cluster;
    place.time = trace_time(answer.trace, cluster,
                            device_model(*cluster.accelerator, world.profiles.calibration),
                            world.profiles.calibration, ratios, launch_time(world));
    place.offer = offer_for(world.catalog, cluster, price);
    if (place.offer != nullptr) {
        place.usd_per_hour =
            std::ceil(double(cluster.count) / place.offer->count) * place.offer->usd_per_hour;
    }
    return place;
}

Result<report::TraceAnswer> trace_at(const Request& request, const std::string& option) {
    const auto path = request.file("--" + option, request.text(option));
    if (!path) {
        return tl::unexpected(path.error());
    }
    auto trace = load_trace(*path);
    if (!trace) {
        return tl::unexpected(trace.error());
    }
    report::TraceAnswer answer;
    answer.file = request.text(option);
    answer.trace = std::move(*trace);
    return answer;
}

Reply reply_of(const World& world, const Request& request, const report::TraceAnswer& answer) {
    Reply reply;
    reply.messages = notes_of(world);
    reply.body = request.json() ? report::trace_json(answer, stamp_of(world.catalog))
                                : report::trace_text(answer, request.style);
    return reply;
}

/// Whether a card holds what was rehearsed: the counters are those of the rehearsal, the context is
/// the card's own.
RehearsedFit fit_of(const RehearsedMemory& memory, Bytes context, Bytes capacity) {
    return memory.reserved + context <= capacity    ? RehearsedFit::yes
           : memory.allocated + context <= capacity ? RehearsedFit::barely
                                                    : RehearsedFit::no;
}

bool better(const report::TracedPlace& a, const report::TracedPlace& b) {
    const bool priced = a.usd_per_hour > 0, other = b.usd_per_hour > 0;
    if (priced != other) {
        return priced;
    }
    return priced ? a.usd_per_step() < b.usd_per_step() : a.time.step < b.time.step;
}

}  // namespace

TimeEstimate time_of_step(const World& world, const OperatorTrace& trace, const Cluster& cluster) {
    return trace_time(trace, cluster,
                      device_model(*cluster.accelerator, world.profiles.calibration),
                      world.profiles.calibration, TraceRatios{}, launch_time(world));
}

Result<Reply> answer_trace(const World& world, const Request& request) {
    auto answer = trace_at(request, "trace");
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    const auto cluster = cluster_of_request(world, request);
    if (!cluster) {
        return tl::unexpected(cluster.error());
    }
    const TraceRatios ratios = ratios_of(world, *answer);
    answer->places.push_back(place_of(world, *answer, ratios, *cluster, request.text("price")));
    return reply_of(world, request, *answer);
}

namespace {

Result<std::vector<std::string>> ids_named(const Catalog& catalog,
                                           const std::vector<std::string>& words) {
    std::vector<std::string> ids;
    for (const std::string& word : words) {
        const auto part = accelerator_named(catalog, word, "--on");
        if (!part) {
            return tl::unexpected(part.error());
        }
        ids.push_back((*part)->id);
    }
    return ids;
}

}  // namespace

Result<Reply> answer_rehearsed(const World& world, const Request& request) {
    auto answer = trace_at(request, "rehearsed");
    if (!answer) {
        return tl::unexpected(answer.error());
    }
    const auto memory =
        load_rehearsed_memory(*request.file("--rehearsed", request.text("rehearsed")));
    if (!memory) {
        return tl::unexpected(memory.error());
    }
    answer->rehearsed_on = memory->accelerator;
    const auto only = ids_named(world.catalog, request.texts("on"));
    if (!only) {
        return tl::unexpected(only.error());
    }
    for (const Accelerator& part : world.catalog.accelerators) {
        const bool asked = std::find(only->begin(), only->end(), part.id) != only->end();
        if (!part.compute_capability || (!only->empty() && !asked)) {
            continue;
        }
        const auto cluster = cluster_named(
            world.catalog, fmt::format("{}:{}", part.id, memory->count), request.on_command_line);
        if (!cluster) {
            continue;
        }
        const Bytes context = context_of(world.profiles.calibration, *cluster);
        const RehearsedFit fit = fit_of(*memory, context, part.capacity());
        if (fit == RehearsedFit::no && !asked) {
            ++answer->left_out;
            continue;
        }
        report::TracedPlace place =
            place_of(world, *answer, TraceRatios{}, *cluster, request.text("price"));
        place.needed = memory->reserved + context;
        place.fit = fit;
        answer->places.push_back(std::move(place));
    }
    stable_order(answer->places.begin(), answer->places.end(), better);
    const bool any = std::any_of(answer->places.begin(), answer->places.end(),
                                 [](const auto& place) { return place.fit != RehearsedFit::no; });
    if (!request.json() && !request.style.explain && answer->places.size() > places_told) {
        answer->places.resize(places_told);
    }
    Reply reply = reply_of(world, request, *answer);
    reply.exit_code = any ? 0 : 3;
    return reply;
}

}  // namespace ridgeline::ask
