#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// A figure with its range; what is unknown is empty.
struct AnswerValue {
    std::string quantity;  ///< "memory", "decode", "rent", "bandwidth", ...
    std::optional<double> low, mid, high;
    std::string unit;  ///< "GiB", "tokens/s", "USD/h", "days", "parameters", ...
    std::string of;    ///< whose figure, where there are several: an id, a method
};

/// Hardware that an answer names.
struct AnswerChoice {
    std::string accelerator;  ///< id
    int count = 1;
    std::optional<double> usd_per_hour;
    std::string why;
    std::string verdict;  ///< of a side or a method that was judged for fit: "yes", "barely", "no"
};

/// A change that would turn a no into a yes.
struct AnswerChange {
    std::string flag;
    std::string effect;
};

/// GiB of one accelerator.
struct AnswerNeeds {
    double low = 0, mid = 0, high = 0;
};

/// The reply to a question in one breath.
struct Answer {
    std::string headline;  ///< one sentence, without the hardware's marks
    std::string verdict;   ///< "yes", "barely", "no"; empty: no question of fit
    std::optional<AnswerNeeds> needs;
    std::optional<double> have_gib;
    std::optional<AnswerChoice> choice, runner_up, smallest, cheapest, fastest;
    std::vector<AnswerValue> values;
    std::vector<AnswerChange> change;
    /// Where neither task was said, the answer for each: "training", "inference".
    std::vector<std::pair<std::string, Answer>> answers;
};

}  // namespace ridgeline
