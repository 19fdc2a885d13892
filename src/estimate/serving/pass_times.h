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
    /// Logarithm of the cost at the x of this logarithm. At least one point must be there.
    [[nodiscard]] double log_at(double log_x) const;
    [[nodiscard]] bool empty() const { return points_.empty(); }

private:
    struct Point {
        double x, y;       ///< logarithms
        double slope = 0;  ///< from the point before
    };
    std::vector<Point> points_;
};

/// Curves of several sizes, in rising order; between two by the logarithm of the size.
class CostCurves {
public:
    /// Of one size: a curve, or a place between two.
    struct OfSize {
        const CostCurve* below = nullptr;
        const CostCurve* above = nullptr;
        double part = 0;  ///< of the way from below to above
        [[nodiscard]] double at(double x) const;
    };
    void add(double size, CostCurve curve);
    /// Valid as long as the curves.
    [[nodiscard]] OfSize of(double size) const;

private:
    struct Sized {
        double size = 0;
        double step = 0;  ///< logarithm of the size by that of the one before
        CostCurve curve;
    };
    std::vector<Sized> list_;
};

/// What lengths and numbers the passes of a simulation reach, so that the table covers them.
struct PassReach {
    double sequences = 1;  ///< that decode together
    double prompt = 0;     ///< tokens of one prompt; 0: no prompts run
    double budget = 0;     ///< tokens of one pass
    double longest = 1;    ///< tokens of a sequence at its end
    bool decodes = true;
};

/// A decode step of so many sequences, over any cache. Seconds.
struct DecodeStep {
    double sequences = 0;
    double rest = 0;               ///< all but attention
    CostCurves::OfSize attention;  ///< a key and sequence, by context
    /// tokens  of the cache of all sequences together
    [[nodiscard]] double attention_over(double tokens) const {
        return sequences > 0 && tokens > 0 ? tokens * attention.at(tokens / sequences) : 0;
    }
    [[nodiscard]] double over(double tokens) const { return rest + attention_over(tokens); }
};

/// Time of an engine's iteration by what runs in it: prepared from a few dozen passes of the time
/// fold (serving_pass.h), then interpolated. Seconds.
class PassTimes {
public:
    PassTimes(const EstimateInput& input, const LinkModel& links, const PassReach& reach);
    /// Known costs, without attention: of a decode step by sequences, of a prompt pass by tokens.
    PassTimes(CostCurve step, CostCurve pass) : step_(std::move(step)), pass_(std::move(pass)) {}

    /// One step of `sequences` that decode. Valid as long as these times stay where they are.
    [[nodiscard]] DecodeStep decode(double sequences) const;
    /// Attention of `added` prompt tokens of one request behind `before` that ran already.
    [[nodiscard]] double prompt_attention(double added, double before) const;
    /// All of a pass over `added` prompt tokens in all but its attention; the sequences of `beside`
    /// decode in it over `tokens` of cache.
    [[nodiscard]] double prompts(double added, const DecodeStep& beside, double tokens) const;

private:
    CostCurve step_;               ///< a decode step without attention, by sequences
    CostCurve pass_;               ///< a prompt pass without attention, by tokens
    double draft_ = 1;             ///< tokens that a step checks for each sequence
    CostCurves decode_attention_;  ///< seconds a key and sequence by context; by sequences
    CostCurves prompt_attention_;  ///< seconds a pair by context; by tokens of a chunk
};

}  // namespace ridgeline
