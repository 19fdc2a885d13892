#include "estimate/time/timeline.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

using Clocks = std::array<Seconds, streams>;

class Play {
public:
    Play(const Script& script, const EventSeconds& seconds, bool keep_spans)
        : script_(script), seconds_(seconds), keep_spans_(keep_spans) {}

    Timeline run() {
        walk(0, script_.events.size());
        result_.total = *std::ranges::max_element(clocks_);
        Seconds others;
        for (std::size_t i = 1; i < streams; ++i) {
            others += result_.busy[i];
        }
        const Seconds exposed = result_.total - result_.busy[0];
        result_.overlapped = std::max(Seconds{}, others - exposed);
        return std::move(result_);
    }

private:
    void walk(std::size_t begin, std::size_t end);
    void work(std::size_t at);
    void wait(const Event& event);
    void loop(const Loop& loop, std::size_t begin);

    const Script& script_;
    const EventSeconds& seconds_;
    bool keep_spans_;
    Clocks clocks_{};
    Timeline result_;
};

void Play::work(std::size_t at) {
    const Event& event = script_.events[at];
    const auto stream = static_cast<std::size_t>(event.stream);
    const Seconds time = seconds_(script_, event);
    if (keep_spans_) {
        result_.spans.push_back({at, clocks_[stream], clocks_[stream] + time});
    }
    clocks_[stream] += time;
    result_.busy[stream] += time;
}

void Play::wait(const Event& event) {
    const auto stream = static_cast<std::size_t>(event.stream);
    const auto other = static_cast<std::size_t>(event.other);
    const Seconds late = clocks_[other] - clocks_[stream];
    if (late > Seconds{}) {
        clocks_[stream] = clocks_[other];
        if (event.stream == Stream::compute) {
            result_.waited[other] += late;
        }
    }
}

void Play::walk(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const Event& event = script_.events[i];
        switch (event.kind) {
            case Event::Kind::run:
            case Event::Kind::collective:
            case Event::Kind::copy:
                work(i);
                break;
            case Event::Kind::wait:
                wait(event);
                break;
            case Event::Kind::loop: {
                const Loop& rounds = script_.loops[static_cast<std::size_t>(event.item)];
                loop(rounds, i + 1);
                i = rounds.end;
                break;
            }
            default:
                break;
        }
    }
}

/// Whether a round moved all streams on by the same time, to a billionth, but for those that it
/// does not use and that lie behind, which hold up nobody.
bool alike(const Clocks& from, const Clocks& to) {
    const Seconds longest = *std::ranges::max_element(to) - *std::ranges::max_element(from);
    for (std::size_t i = 0; i < streams; ++i) {
        const Seconds moved = to[i] - from[i];
        const bool idle = moved == Seconds{} && to[i] <= from[0];
        if (!idle && std::abs((moved - longest).base()) > 1e-9 * longest.base()) {
            return false;
        }
    }
    return true;
}

void Play::loop(const Loop& loop, std::size_t begin) {
    for (int turn = 0; turn < loop.own.count; ++turn) {
        const Clocks before = clocks_;
        const auto busy = result_.busy;
        const auto waited = result_.waited;
        walk(begin, loop.end);
        const double left = loop.own.count - 1 - turn;
        if (left < 1 || !alike(before, clocks_)) {
            continue;
        }
        for (std::size_t i = 0; i < streams; ++i) {
            clocks_[i] += (clocks_[i] - before[i]) * left;
            result_.busy[i] += (result_.busy[i] - busy[i]) * left;
            result_.waited[i] += (result_.waited[i] - waited[i]) * left;
        }
        return;
    }
}

}  // namespace

Timeline timeline(const Script& script, const EventSeconds& seconds, bool keep_spans) {
    return Play(script, seconds, keep_spans).run();
}

}  // namespace ridgeline
