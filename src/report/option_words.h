#pragma once

#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// "8 x H100 SXM5 80GB", "7 x A100 PCIe 40GB 1g.5gb": the vendor is clear from the name.
std::string hardware_words(const Option& option);

/// "12,300 tokens/s", "5.13 images/s" and the like of the whole job; empty where no rate is known.
std::string rate_words(const Option& option);
/// The same with its range: "12,300 tokens/s (9,800 to 15,400)".
std::string ranged_rate_words(const Option& option);
std::string ranged_rate_words(const TimeEstimate& time, const Workload& workload);
/// each  as the time of one, not as a rate
std::string ranged_rate_words(const TimeEstimate& time, const Workload& workload, bool each);

/// Three digits, and all of them from a thousand on: "5.13", "12,300".
std::string rate_figure(double rate);
/// "15.6 to 19.2": the ends of a range beside its middle, `format_gib(gib)`; with their unit where
/// that is told in TiB.
std::string gib_range(double gib, const Interval& band);

/// Rent of an hour: "$3.59/h", "$0.23/h on a marketplace", "$55.04/h (an instance of 8)"; empty
/// where no offer is known.
std::string rent_words(const Option& option);

/// Whether one waits for each sample, as for a video: then its time says more than a rate.
bool takes_long_each(const TimeEstimate& time);

/// What the work costs: "$620" of a run, "$0.48" of a million tokens or samples, "$0.17" of each
/// sample that takes long; empty: unknown.
std::string work_cost_words(const Option& option);
std::string work_cost_words(const Option& option, bool each);
/// Of what that is the cost: " the run", " each", " per million tokens".
std::string work_unit_words(const Option& option);
std::string work_unit_words(const Option& option, bool each);

/// A workload that serves a single user.
bool serves_one(const Workload& workload);

/// The reply to "what hardware" in one sentence: the choice, its price, its speed and their ranges.
std::string hardware_sentence(const Advice& advice);

/// "a round of 512 prompts x 8 answers takes 3 min (2 min to 5 min), 71 % of it rollout".
/// Precondition: the time has a round.
std::string round_phrase(const TimeEstimate& time);

/// The reply to "does it run there": whether it fits, how fast it is, what an hour costs.
std::string estimate_sentence(const EstimateAnswer& answer);

}  // namespace ridgeline::report
