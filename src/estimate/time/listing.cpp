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
            return fmt::format("{} to {}", name_of(script.copies[item].from),
                               name_of(script.copies[item].to));
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
        } else if (event.kind == Event::Kind::carry) {
            const auto to = static_cast<std::size_t>(event.item);
            bytes[to] = event.tensor == nothing ? Bytes{} : bytes[tensor];
            names[to] = event.tensor == nothing ? std::string() : names[tensor];
        }
        return event.bytes;
    }

    /// Follows the rounds that are not listed: the second, which all others are like (the first may
    /// give back what came before the loop), stands for them.
    void repeat(std::size_t begin, const Loop& loop) {
        const Rounds& rounds = loop.own;
        if (rounds.count < 2) {
            return;
        }
        const Bytes before = alive;
        for (std::size_t i = begin; i < loop.end; ++i) {
            const Event& event = script.events[i];
            const bool makes = event.kind == Event::Kind::take;
            std::string what = makes ? names[static_cast<std::size_t>(event.tensor)] : "";
            follow(event, what);
        }
        alive += (alive - before) * static_cast<double>(rounds.count - 2);
        const auto first = static_cast<std::size_t>(rounds.first);
        const auto width = static_cast<std::size_t>(rounds.width);
        for (std::size_t i = width; i < width * static_cast<std::size_t>(rounds.count); ++i) {
            bytes[first + i] = bytes[first + i % width];
            names[first + i] = names[first + i % width];
        }
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
    std::vector<std::size_t> begins;  // first event of each loop that is open
    for (std::size_t i = 0; i < script.events.size(); ++i) {
        const Event& event = script.events[i];
        if (event.kind == Event::Kind::end) {
            sizes.repeat(begins.back(), script.loops[static_cast<std::size_t>(event.item)]);
            begins.pop_back();
            continue;
        }
        ListedEvent row;
        row.kind = event.kind;
        row.stream = event.stream;
        row.depth = static_cast<int>(begins.size());
        row.what = what_of(script, event);
        row.bytes = sizes.follow(event, row.what);
        row.alive = sizes.alive;
        if (const Span* span = spans[i]) {
            row.begin = span->begin;
            row.seconds = span->end - span->begin;
        }
        if (event.kind == Event::Kind::loop) {
            begins.push_back(i + 1);
            row.rounds = script.loops[static_cast<std::size_t>(event.item)].own.count;
        }
        if (event.kind != Event::Kind::carry) {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

}  // namespace ridgeline
