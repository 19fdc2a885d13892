#pragma once

#include "estimate/serving/scheduler.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <vector>

namespace ridgeline {

/// A request that has tokens to run before it decodes: its prompt, or all it had when it was
/// preempted.
struct WaitingRequest {
    std::size_t id = 0;
    double tokens = 0;  ///< to be in the cache
    double done = 0;    ///< that are
    double left = 0;    ///< tokens to generate
    bool admitted = false;
};

/// A sequence that decodes. Its context grows with the steps of its replica.
struct RunningSequence {
    std::size_t id = 0;
    double context = 0;    ///< tokens when it joined
    double joined = 0;     ///< step
    double ends = 0;       ///< step
    double left = 0;       ///< tokens to generate when it joined
    std::size_t turn = 0;  ///< in which it joined
};

struct FinishedPart {
    std::size_t id = 0;
    double time = 0;
    bool first = false;  ///< its prompt is done: a first token
    bool last = false;
    double tokens = 0;  ///< in the cache
    double left = 0;
};

/// One copy of the model with its queue, its cache and its clock (scheduler.h). Seconds.
class Replica {
public:
    /// front_end  when the process in front has done what it was given
    Replica(const PassTimes& times, const EngineRules& rules, bool prompts_alone, double& front_end)
        : times_(times), rules_(rules), prompts_alone_(prompts_alone), front_end_(&front_end) {}

    [[nodiscard]] double clock() const { return clock_; }
    [[nodiscard]] bool busy() const { return !waiting_.empty() || !running_.empty(); }
    [[nodiscard]] std::size_t load() const { return waiting_.size() + running_.size(); }
    [[nodiscard]] std::size_t preemptions() const { return preemptions_; }
    [[nodiscard]] std::size_t iterations() const { return iterations_; }
    /// Most tokens that were in the cache at once.
    [[nodiscard]] double fullest() const { return fullest_; }

    void enter(double time, const WaitingRequest& request) {
        clock_ = busy() ? clock_ : std::max(clock_, time);
        waiting_.push_back(request);
    }
    /// One iteration, or several in which nobody joins or leaves, that begin before `horizon`.
    void advance(double horizon, std::vector<FinishedPart>& finished);

private:
    struct Prompts {
        double tokens = 0;
        double attention = 0;
    };
    [[nodiscard]] double sequences() const { return static_cast<double>(running_.size()); }
    const DecodeStep& decode_step(double sequences);
    [[nodiscard]] double step_time(const DecodeStep& step, double tokens) const;
    [[nodiscard]] double used() const { return context_ + admitted_; }
    [[nodiscard]] bool admits(const WaitingRequest& request) const;
    [[nodiscard]] bool holds_back() const;
    [[nodiscard]] double chunk() const;
    Prompts gather(double budget);
    /// An iteration with prompts; `beside` sequences decode in it.
    void run_prompts(const Prompts& prompts, double beside, std::vector<FinishedPart>& finished);
    /// Iterations without prompts. `crowded`: the cache is full; `held`: prompts wait for their
    /// turn.
    void run_decodes(double horizon, bool crowded, bool held, std::vector<FinishedPart>& finished);
    void decode(double steps);
    /// `steps` iterations of `tokens` each, the first of which ended at `first`, go to the front
    /// end, which writes them one after another.
    void write(double first, double steps, double tokens);
    bool make_room();
    void end_prompts(std::vector<FinishedPart>& finished);
    void end_sequences(std::vector<FinishedPart>& finished);

    const PassTimes& times_;
    std::vector<DecodeStep> steps_;  ///< by sequences, once they were asked for
    DecodeStep uneven_;              ///< the last of a number that is not whole
    const EngineRules& rules_;
    bool prompts_alone_;
    double* front_end_;
    double written_ = 0;  ///< when the last tokens were
    double clock_ = 0;
    double step_ = 0;
    double context_ = 0;   ///< tokens in the cache of those that decode
    double left_ = 0;      ///< tokens that they will still make
    double begun_ = 0;     ///< prompts that are partly run
    double admitted_ = 0;  ///< tokens of the cache for prompts that have begun
    double promised_ = 0;  ///< tokens that those will make
    double passes_ = 0;    ///< of prompts
    double waited_ = 0;    ///< iterations that prompts were held back
    std::deque<WaitingRequest> waiting_;
    std::size_t ended_ = 0;  ///< of the first that wait, whose prompts end with the iteration
    std::vector<RunningSequence> running_;  ///< who ends last comes first
    std::size_t turns_ = 0;
    std::size_t preemptions_ = 0;
    std::size_t iterations_ = 0;
    double fullest_ = 0;
};

}  // namespace ridgeline
