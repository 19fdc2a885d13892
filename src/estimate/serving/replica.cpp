#include "estimate/serving/replica.h"

#include "estimate/serving/scheduler.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Of the cache, that stays free when a request begins where the engine preempts (vLLM's
/// watermark).
constexpr double spare_share = 0.01;

}  // namespace

/// Replicas run the same few numbers of sequences again and again.
const DecodeStep& Replica::decode_step(double sequences) {
    const auto whole = static_cast<std::size_t>(sequences);
    if (static_cast<double>(whole) != sequences) {
        return uneven_ = times_.decode(sequences);
    }
    if (whole >= steps_.size()) {
        steps_.resize(whole + 1);
    }
    if (steps_[whole].sequences != sequences) {
        steps_[whole] = times_.decode(sequences);
    }
    return steps_[whole];
}

double Replica::step_time(const DecodeStep& step, double tokens) const {
    return step.over(tokens / rules_.stages) + rules_.drafts + rules_.hand_over + rules_.step_host;
}

/// Whether cache and limits let a request begin. One that is alone always begins.
bool Replica::admits(const WaitingRequest& request) const {
    if (request.admitted) {
        return true;
    }
    if (sequences() + begun_ == 0) {
        return true;
    }
    const double reserved = rules_.scheduler.reserved_output;
    const double spare =
        reserved < 1 && std::isfinite(rules_.cache_tokens) ? spare_share * rules_.cache_tokens : 0;
    const double wanted =
        spare + used() + request.tokens + reserved * (left_ + promised_ + request.left);
    return sequences() + begun_ + 1 <= rules_.sequences && wanted <= rules_.cache_tokens;
}

/// Whether prompts wait for more of them to fill an iteration.
bool Replica::holds_back() const {
    const SchedulerProfile& scheduler = rules_.scheduler;
    if (scheduler.prompt_wait_iterations <= 0 || running_.empty() ||
        waited_ >= scheduler.prompt_wait_iterations || waiting_.front().admitted) {
        return false;
    }
    double tokens = 0;
    for (const WaitingRequest& request : waiting_) {
        tokens += request.tokens - request.done;
    }
    return tokens < scheduler.prompt_wait_share * rules_.budget;
}

/// Tokens of an iteration. What preempts without end would run for minutes: beyond `most_passes`
/// the chunks are doubled again and again.
double Replica::chunk() const {
    constexpr double lots = 8;
    const double beyond = std::max(0.0, passes_ - rules_.most_passes);
    return rules_.budget * std::exp2(std::floor(lots * beyond / rules_.most_passes));
}

/// Prompt tokens of the next iteration, in the order in which requests came.
Replica::Prompts Replica::gather(double budget) {
    Prompts prompts;
    for (std::size_t i = 0; i < waiting_.size() && prompts.tokens < budget; ++i) {
        WaitingRequest& request = waiting_[i];
        if (!admits(request)) {
            break;
        }
        double added = request.tokens - request.done;
        if (added > budget - prompts.tokens) {
            if (!rules_.scheduler.chunks && prompts.tokens > 0) {
                break;
            }
            added = rules_.scheduler.chunks ? budget - prompts.tokens : added;
        }
        if (!request.admitted) {
            request.admitted = true;
            begun_ += 1;
            admitted_ += request.tokens;
            promised_ += request.left;
        }
        if (added > 0) {
            prompts.attention += times_.prompt_attention(added, request.done);
        }
        prompts.tokens += added;
        request.done += added;
        ended_ += request.done >= request.tokens - 0.5 ? 1 : 0;
    }
    return prompts;
}

void Replica::decode(double steps) {
    const double n = sequences();
    step_ += steps;
    context_ += n * steps * rules_.tokens_a_step;
    left_ = std::max(0.0, left_ - n * steps * rules_.tokens_a_step);
}

void Replica::write(double first, double steps, double tokens) {
    const double work = tokens * rules_.token_host;
    if (work <= 0) {
        written_ = clock_;
        return;
    }
    // Each waits for the one before and for its own iteration.
    written_ = std::max({*front_end_ + steps * work, first + steps * work, clock_ + work});
    *front_end_ = written_;
}

/// Sequences that came last give their cache back until a step fits, and run again from the start.
/// Whether any did.
bool Replica::make_room() {
    const std::size_t before = preemptions_;
    while (running_.size() > 1 &&
           used() + sequences() * rules_.tokens_a_step > rules_.cache_tokens) {
        const auto at = std::ranges::max_element(running_, {}, &RunningSequence::turn);
        const RunningSequence last = *at;
        running_.erase(at);
        const double made = (step_ - last.joined) * rules_.tokens_a_step;
        context_ -= last.context + made;
        left_ -= std::max(0.0, last.left - made);
        waiting_.push_front({.id = last.id,
                             .tokens = last.context + made,
                             .done = 0,
                             .left = std::max(1.0, last.left - made),
                             .admitted = false});
        ++preemptions_;
    }
    return preemptions_ > before;
}

void Replica::end_prompts(std::vector<FinishedPart>& finished) {
    for (std::size_t i = 0; i < ended_; ++i) {
        const WaitingRequest& request = waiting_[i];
        begun_ -= 1;
        admitted_ -= request.tokens;
        promised_ -= request.left;
        const double left = request.left - 1;
        const bool last = left < 0.5 || prompts_alone_;
        finished.push_back({request.id, written_, true, last, request.tokens + 1, left});
        if (!last) {
            const RunningSequence sequence{
                .id = request.id,
                .context = request.tokens + 1,
                .joined = step_,
                .ends = step_ + std::ceil(left / rules_.tokens_a_step - 1e-9),
                .left = left,
                .turn = turns_++};
            const auto later = [&](const RunningSequence& other) {
                return other.ends > sequence.ends;
            };
            running_.insert(std::ranges::partition_point(running_, later), sequence);
            context_ += request.tokens + 1;
            left_ += left;
        }
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(ended_));
}

void Replica::end_sequences(std::vector<FinishedPart>& finished) {
    while (!running_.empty() && running_.back().ends <= step_ + 0.5) {
        const RunningSequence& sequence = running_.back();
        const double made = (step_ - sequence.joined) * rules_.tokens_a_step;
        context_ -= sequence.context + made;
        left_ -= std::max(0.0, sequence.left - made);
        finished.push_back({.id = sequence.id, .time = written_, .first = false, .last = true});
        running_.pop_back();
    }
    context_ = running_.empty() ? 0 : context_;
    left_ = running_.empty() ? 0 : std::max(0.0, left_);
}

void Replica::run_prompts(const Prompts& prompts, double beside,
                          std::vector<FinishedPart>& finished) {
    waited_ = 0;
    const bool more = waiting_.size() > ended_;
    const double staged = more ? rules_.overlap / rules_.stages + (1 - rules_.overlap) : 1;
    const bool first = rules_.scheduler.prompts == PromptPolicy::prompts_first;
    clock_ += staged * (times_.prompts(prompts.tokens, decode_step(beside), first ? 0 : context_) +
                        prompts.attention + rules_.hand_over) +
              rules_.step_host;
    ++iterations_;
    ++passes_;
    write(clock_, 1, beside + static_cast<double>(ended_));
    if (beside > 0) {
        decode(1);
        end_sequences(finished);
    }
    end_prompts(finished);
}

void Replica::run_decodes(double horizon, bool crowded, bool held,
                          std::vector<FinishedPart>& finished) {
    // Nobody joins before the next ends or comes.
    double steps = running_.empty() ? 1 : running_.back().ends - step_;
    const double grows = sequences() * rules_.tokens_a_step;
    if (std::isfinite(rules_.cache_tokens) && running_.size() > 1) {
        steps = std::min(steps, std::floor((rules_.cache_tokens - used()) / grows));
    }
    if (crowded) {
        steps = 1;
    } else if (held) {
        steps = std::min(steps, rules_.scheduler.prompt_wait_iterations - waited_);
    }
    const DecodeStep& step = decode_step(sequences() / rules_.stages);
    const double now = step_time(step, context_);
    if (horizon < never) {
        const double until = std::max(0.0, horizon - clock_);
        const double later = step_time(step, context_ + grows * std::ceil(until / now));
        steps = std::min(steps, std::ceil(until / std::max(now, later)));
    }
    steps = std::max(1.0, steps);
    const double began = clock_;
    clock_ += steps * (now + step_time(step, context_ + grows * (steps - 1))) / 2;
    write(began + now, steps, grows);
    waited_ += held && !crowded ? steps : 0;
    iterations_ += static_cast<std::size_t>(steps);
    decode(steps);
    end_sequences(finished);
}

void Replica::advance(double horizon, std::vector<FinishedPart>& finished) {
    fullest_ = std::max(fullest_, used());
    const bool crowded = make_room();
    const bool first = rules_.scheduler.prompts == PromptPolicy::prompts_first;
    const double beside = first ? 0 : sequences();
    Prompts prompts;
    const bool held = !waiting_.empty() && (crowded || holds_back());
    ended_ = 0;
    if (!waiting_.empty() && !held) {
        prompts = gather(std::max(1.0, chunk() - beside));
    }
    if (prompts.tokens > 0) {
        run_prompts(prompts, beside, finished);
    } else if (ended_ > 0) {
        written_ = clock_;
        end_prompts(finished);  // their cache came from elsewhere
    } else {
        run_decodes(horizon, crowded, held, finished);
    }
}

}  // namespace ridgeline
