#pragma once

#include "advise/answers/answer.h"
#include "advise/fits/memory_ways.h"
#include "spec/workload_document.h"

#include <optional>
#include <vector>

namespace ridgeline {

/// The best answer so far to a question of fit.
struct Judged {
    std::optional<Answer> reply;
    int order = -1;
    bool slow = false;   ///< it fits and is slower than was asked
    bool bears = true;   ///< false: more comes in than it ever gets through
    bool waits = false;  ///< it fits with some of the requests waiting
    std::optional<Error> error;
};

/// What begins the words of networks that come to the card in turn.
inline constexpr const char* waiting_networks = "Its networks wait in the host's memory";

/// Order of what fits with room, as fast as was asked: no answer is better.
inline constexpr int best_fit_order = 6;

/// One task of a question of fit, on all forms of its hardware.
struct FitCase {
    const Reading& reading;
    const Query& query;
    const WorkloadDocument& document;
    const Architecture& architecture;
    const std::vector<Cluster>& clusters;
    const AnswerTools& tools;

    /// On one of the forms; requests that the cache does not hold wait, where the engine lets them.
    [[nodiscard]] Result<Placement> placed(const WorkloadDocument& trial, const Cluster& on) const;
};

/// Whether a rate that was asked is kept at the slow end of its range.
bool surely_keeps(const Placement& placement, double rate);

/// Where a rate alone was told, what comes in is gathered: more at once, as long as that serves
/// more, memory holds them, no wait that was asked is missed, and the rate is not kept.
///
/// document, on  those of the placement, which is replaced by a better one
void gather_for_rate(const Query& query, const AnswerTools& tools, const WorkloadDocument& document,
                     const Cluster& on, Placement& best);

/// The better of the forms, with a word on a form with more room.
Judged judged_on_forms(const FitCase& fit, const WorkloadDocument& document);

}  // namespace ridgeline
