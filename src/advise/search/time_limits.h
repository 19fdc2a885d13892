#pragma once

#include "advise/search/search.h"

#include <optional>
#include <string>

namespace ridgeline {

/// Nobody plans a longer run: the hardware is replaced before it ends.
inline constexpr Seconds longest_recommended_run = 365 * day;
/// What takes longer goes behind what does not, where neither a time nor hardware was said.
inline constexpr Seconds longest_run_waited_for = 60 * day;
/// Whether a run of training takes months that nobody said they have.
bool takes_months(const Query& query, const Workload& workload, const TimeEstimate& time);

/// How long a run takes at the slow end of its range.
Seconds slow_end(const TimeEstimate& time);
/// Whether a deadline is kept by the middle of the range and not by its slow end.
bool barely_in_time(const Query& query, const TimeEstimate& time);

/// Requests a second at the slow end of the range, where the middle alone keeps the rate that is
/// asked; empty: both do, or none is asked.
std::optional<double> rate_barely_kept(const Query& query, const TimeEstimate& time);

/// Whether the middle of the range keeps a time or a rate that is asked and its slow end does not.
bool barely_keeps(const Query& query, const std::optional<Serving>& serving,
                  const TimeEstimate& time);

/// From a request to the last token of its answer; zero: it writes none.
Seconds whole_answer(const TimeEstimate& time, const std::optional<Serving>& serving);

/// Whether nothing of an answer is there before all of it is: a picture, a clip.
bool comes_whole(Task task, const Architecture& architecture, const TimeEstimate& time);

/// The rejection by what one waits for: a first token, each further one, a whole answer; an empty
/// reason when all come in time.
Rejection waiting_limit(const Search& search, const Candidate& candidate, int count,
                        const TimeEstimate& time);

/// The rejection by a deadline, by targets of a service, or by a run so long that nobody plans it;
/// an empty reason when all of them hold.
Rejection time_limit(const Search& search, const Candidate& candidate, int count,
                     const TimeEstimate& time);

/// "the run takes 25.3 h, 24 h are allowed". Units: seconds.
std::string late_words(double takes_s, double allowed_s);

/// Whether the operations alone take too long at the dense peak, which no plan beats.
///
/// days  how long they take then
bool certainly_late(const Search& search, const Candidate& candidate, const Workload& workload,
                    int count, double& days);

}  // namespace ridgeline
