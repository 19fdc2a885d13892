#include "estimate/time/listing.h"

#include "estimate/work/operator.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace ridgeline {
namespace {

std::string_view name_of(Collective kind) {
    switch (kind) {
        case Collective::all_reduce:
            return "all-reduce";
        case Collective::all_gather:
            return "all-gather";
        case Collective::reduce_scatter:
            return "reduce-scatter";
        case Collective::all_to_all:
            return "all-to-all";
        default:
            return "send and receive";
    }
}

std::string_view name_of(Place place) {
    constexpr std::array<std::string_view, 3> names = {"device", "host", "storage"};
    return names[static_cast<std::size_t>(place)];
}

std::string what_of(const Script& script, const Event& event) {
    const auto item = static_cast<std::size_t>(event.item);
    switch (event.kind) {
        case Event::Kind::run: {
            const Run& run = script.runs[item];
            return fmt::format("{} {}", run.op->name, name_of(run.phase));
        }
        case Event::Kind::collective: {
            const GroupExchange& exchange = script.exchanges[item];
            return fmt::format("{} of {} ranks", name_of(exchange.kind), exchange.ranks);
        }
        case Event::Kind::copy:
            return fmt::format(
                "{} to {}", name_of(script.copies[item].from), name_of(script.copies[item].to));
        case Event::Kind::wait:
            return fmt::format("waits for {}", name_of(event.other));
        case Event::Kind::loop:
            return fmt::format("{} equal rounds", script.loops[item].own.count);
        case Event::Kind::take: {
            const std::string_view name = script.name_of(event);
            return std::string(name.empty() ? name_of(event.category) : name);
        }
        default:
            return std::string(script.name_of(event));
    }
}

struct Sizes {
    const Script& script;
    std::vector<Bytes> bytes;
    std::vector<std::string> names;
    Bytes alive;

    /// What the event does to the tensors alive; returns the bytes that it is about.
    Bytes follow(const Event& event, std::string& what) {
        const auto tensor = static_cast<std::size_t>(event.tensor);
        if (event.kind == Event::Kind::take) {
            bytes[tensor] = event.bytes;
            names[tensor] = what;
            alive += event.bytes;
        } else if (event.kind == Event::Kind::give) {
            what = names[tensor];
            alive -= bytes[tensor];
            return bytes[tensor];
        } else if (event.kind == Event::Kind::carry && event.tensor != nothing) {
            bytes[static_cast<std::size_t>(event.item)] = bytes[tensor];
            names[static_cast<std::size_t>(event.item)] = names[tensor];
        }
        return event.bytes;
    }
};

}  // namespace

std::vector<ListedEvent> listing(const Script& script, const Timeline* time) {
    std::vector<ListedEvent> rows;
    const auto tensors = static_cast<std::size_t>(script.tensors);
    Sizes sizes{script, std::vector<Bytes>(tensors), std::vector<std::string>(tensors), {}};
    std::vector<const Span*> spans(script.events.size(), nullptr);
    if (time != nullptr) {
        for (const Span& span : time->spans) {
            const Span*& first = spans[span.event];
            first = first == nullptr ? &span : first;
        }
    }
    std::vector<Bytes> before;  // each loop that is open
    for (std::size_t i = 0; i < script.events.size(); ++i) {
        const Event& event = script.events[i];
        if (event.kind == Event::Kind::end) {
            // The rounds that are not listed leave as much behind as the first.
            const double more = script.loops[static_cast<std::size_t>(event.item)].own.count - 1;
            sizes.alive += (sizes.alive - before.back()) * more;
            before.pop_back();
            continue;
        }
        ListedEvent row;
        row.kind = event.kind;
        row.stream = event.stream;
        row.depth = static_cast<int>(before.size());
        row.what = what_of(script, event);
        row.bytes = sizes.follow(event, row.what);
        row.alive = sizes.alive;
        if (const Span* span = spans[i]) {
            row.begin = span->begin;
            row.seconds = span->end - span->begin;
        }
        if (event.kind == Event::Kind::loop) {
            before.push_back(sizes.alive);
            row.rounds = script.loops[static_cast<std::size_t>(event.item)].own.count;
        }
        if (event.kind != Event::Kind::carry) {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

}  // namespace ridgeline
