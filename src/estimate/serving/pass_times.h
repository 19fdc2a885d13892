#pragma once

#include "estimate/input.h"
#include "estimate/serving/serving_pass.h"

#include <utility>
#include <vector>

namespace ridgeline {

/// A curve through points of falling or rising cost, straight between the logarithms of both.
/// Beyond its ends it goes on as its last two points do.
class CostCurve {
public:
    void add(double x, double y);
    [[nodiscard]] double at(double x) const;
    [[nodiscard]] bool empty() const { return points_.empty(); }

private:
    struct Point {
        double x, y;  ///< logarithms
    };
    std::vector<Point> points_;
};

/// What lengths and numbers the passes of a simulation reach, so that the table covers them.
struct PassReach {
    double sequences = 1;  ///< that decode together
    double prompt = 0;     ///< tokens of one prompt; 0: no prompts run
    double budget = 0;     ///< tokens of one pass
    double longest = 1;    ///< tokens of a sequence at its end
    bool decodes = true;
};

/// Time of an engine's iteration by what runs in it: prepared from a few dozen passes of the time
/// fold (serving_pass.h), then interpolated. Seconds.
class PassTimes {
public:
    PassTimes(const EstimateInput& input, const LinkModel& links, const PassReach& reach);
    /// Known costs, without attention: of a decode step by sequences, of a prompt pass by tokens.
    PassTimes(CostCurve step, CostCurve pass) : step_(std::move(step)), pass_(std::move(pass)) {}

    /// One step of `sequences` that decode, over `tokens` of cache in all.
    [[nodiscard]] double decode(double sequences, double tokens) const;
    /// Attention of `added` prompt tokens of one request behind `before` that ran already.
    [[nodiscard]] double prompt_attention(double added, double before) const;
    /// All of a pass over `added` prompt tokens in all but its attention; beside it `sequences`
    /// decode over `tokens` of cache.
    [[nodiscard]] double prompts(double added, double sequences, double tokens) const;

private:
    [[nodiscard]] double decode_attention(double sequences, double tokens) const;

    CostCurve step_;    ///< a decode step without attention, by sequences
    CostCurve pass_;    ///< a prompt pass without attention, by tokens
    double draft_ = 1;  ///< tokens that a step checks for each sequence
    struct Attention {
        double at = 0;   ///< sequences, or tokens of a chunk
        CostCurve each;  ///< seconds a key and sequence, or a pair, by context
    };
    std::vector<Attention> decode_attention_;
    std::vector<Attention> prompt_attention_;
};

}  // namespace ridgeline
