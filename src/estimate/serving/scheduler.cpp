#include "estimate/serving/scheduler.h"

#include "estimate/serving/replica.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

namespace ridgeline {
namespace {

/// Tokens of a run beyond which parted replicas take their steps apart from each other.
constexpr double most_tied_steps = 1e7;

struct Coming {
    double time = 0;
    WaitingRequest request;
    bool decodes = false;  ///< its prompt ran elsewhere
    bool operator>(const Coming& other) const {
        return time != other.time ? time > other.time : request.id > other.request.id;
    }
};

class Service {
public:
    Service(const PassTimes& times, const EngineRules& rules, const Fleet& fleet,
            const Arrivals& arrivals)
        : rules_(rules),
          fleet_(fleet),
          arrivals_(arrivals),
          written_(static_cast<std::size_t>(std::max(1, fleet.replicas))) {
        for (int i = 0; i < std::max(1, fleet.replicas); ++i) {
            replicas_.emplace_back(times, rules, i < fleet.prompt_replicas,
                                   written_[static_cast<std::size_t>(i)]);
        }
        run_.requests.resize(arrivals.requests.size());
        double steps = 0;
        for (const TracedRequest& request : arrivals.requests) {
            steps += request.output_tokens;
        }
        const bool loop = arrivals.in_flight > 0 && fleet.replicas > 1;
        tied_ = (fleet.prompt_replicas > 0 || loop) && steps < most_tied_steps;
        if (arrivals.in_flight > 0) {
            arrive(0, std::min(arrivals.requests.size(),
                               static_cast<std::size_t>(arrivals.in_flight)));
        }
    }

    ScheduledRun run() {
        std::vector<FinishedPart> finished;
        while (true) {
            Replica* soonest = nullptr;
            double second = never;
            for (Replica& replica : replicas_) {
                if (!replica.busy()) {
                    continue;
                }
                if (soonest == nullptr || replica.clock() < soonest->clock()) {
                    second = soonest == nullptr ? never : soonest->clock();
                    soonest = &replica;
                } else {
                    second = std::min(second, replica.clock());
                }
            }
            const double arrival = next_arrival();
            if (arrival < never &&
                arrival <= std::min(next_coming(), soonest == nullptr ? never : soonest->clock())) {
                arrive_together(arrival);
                continue;
            }
            if (!coming_.empty() &&
                (soonest == nullptr || coming_.top().time <= soonest->clock())) {
                route(coming_.top());
                coming_.pop();
                continue;
            }
            if (soonest == nullptr) {
                break;
            }
            finished.clear();
            // What another replica ends may send somebody here.
            const double others = tied_ ? second : never;
            soonest->advance(std::min({next_coming(), arrival, others}), finished);
            for (const FinishedPart& entry : finished) {
                note(entry);
            }
        }
        for (const Replica& replica : replicas_) {
            run_.preemptions += replica.preemptions();
            run_.iterations += replica.iterations();
            run_.fullest_cache = std::max(run_.fullest_cache, replica.fullest());
        }
        return std::move(run_);
    }

private:
    [[nodiscard]] double next_coming() const {
        return coming_.empty() ? never : coming_.top().time;
    }
    /// Of a load that comes at its own times.
    [[nodiscard]] double next_arrival() const {
        return arrivals_.in_flight > 0 || next_ >= arrivals_.requests.size()
                   ? never
                   : arrivals_.requests[next_].time;
    }
    void arrive_together(double time) {
        std::size_t last = next_ + 1;
        while (last < arrivals_.requests.size() && arrivals_.requests[last].time <= time) {
            ++last;
        }
        arrive(time, last);
    }
    /// All up to `last`, at one time.
    void arrive(double time, std::size_t last) {
        const double read = read_by_front_end(time, static_cast<double>(last - next_));
        for (; next_ < last; ++next_) {
            come(next_, time, read);
        }
    }

    /// When the front end, one process for all replicas, has read requests that come at one time:
    /// it takes turns among them, so that all are read at the end.
    double read_by_front_end(double time, double together) {
        double& free = written_.size() == 1 ? written_.front() : front_end_free_;
        free = std::max(free, time) + together * rules_.request_alone;
        return std::max(free, time + rules_.request_host);
    }

    void come(std::size_t id, double time, double read) {
        const TracedRequest& request = arrivals_.requests[id];
        const double input = std::max(1.0, request.input_tokens);
        run_.requests[id] = {
            .arrival = time, .first = 0, .end = 0, .output = request.output_tokens};
        const double found = std::max(request.cached_tokens, rules_.cached_share * input);
        const double cached = std::min(input - 1, std::floor(found));
        coming_.push({read,
                      {.id = id,
                       .tokens = input,
                       .done = cached,
                       .left = std::max(1.0, request.output_tokens),
                       .admitted = false},
                      false});
    }

    void route(const Coming& coming) {
        const int parted = fleet_.prompt_replicas;
        const int from = parted > 0 && coming.decodes ? parted : 0;
        const int to = parted > 0 && !coming.decodes ? parted : static_cast<int>(replicas_.size());
        const auto best =
            std::min_element(replicas_.begin() + from, replicas_.begin() + to,
                             [](const auto& a, const auto& b) { return a.load() < b.load(); });
        best->enter(coming.time, coming.request);
    }

    void note(const FinishedPart& entry) {
        RequestTimes& request = run_.requests[entry.id];
        run_.seconds = std::max(run_.seconds, entry.time);
        const bool sent = entry.first && fleet_.prompt_replicas > 0 && entry.last;
        if (entry.first && request.first <= 0) {
            request.first = entry.time + (sent ? entry.tokens * fleet_.transfer_per_token : 0);
        }
        if (sent && entry.left >= 0.5) {
            coming_.push({request.first,
                          {.id = entry.id,
                           .tokens = entry.tokens,
                           .done = entry.tokens,
                           .left = entry.left + 1,
                           .admitted = false},
                          true});
            return;
        }
        if (!entry.last) {
            return;
        }
        request.end = entry.time;
        if (arrivals_.in_flight > 0 && next_ < arrivals_.requests.size()) {
            come(next_++, entry.time, read_by_front_end(entry.time, 1));
        }
    }

    const EngineRules& rules_;
    const Fleet& fleet_;
    const Arrivals& arrivals_;
    std::vector<Replica> replicas_;
    std::priority_queue<Coming, std::vector<Coming>, std::greater<>> coming_;
    std::size_t next_ = 0;
    bool tied_ = false;            ///< no replica's clock runs ahead of another's
    std::vector<double> written_;  ///< until when each replica's front end is busy
    double front_end_free_ = 0;    ///< of several: the reading, which they share
    ScheduledRun run_;
};

}  // namespace

ScheduledRun run_requests(const PassTimes& times, const EngineRules& rules, const Fleet& fleet,
                          const Arrivals& arrivals) {
    return Service(times, rules, fleet, arrivals).run();
}

}  // namespace ridgeline
