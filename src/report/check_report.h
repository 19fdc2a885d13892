#pragma once

#include "advise/advice.h"
#include "advise/search/remedies.h"
#include "report/report.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ridgeline::report {

enum class CheckVerdict {
    fits,          ///< the high end of the range is below what is free
    may_not_fit,   ///< what is free lies inside the range
    not_judged,    ///< something that moves memory is not in the figures
    does_not_fit,  ///< even the low end is above it
};
std::string_view name_of(CheckVerdict verdict);

/// One step of a run against the memory of its accelerator, GiB.
struct CheckedStep {
    std::string step;  ///< "training step", "longest sample", "evaluation step"
    std::string what;  ///< "samples of 4096 tokens, 2 a rank"
    CheckVerdict verdict = CheckVerdict::fits;
    bool counts = true;  ///< false: nobody asked for it, so that it decides nothing
    double low_gib = 0;
    double peak_gib = 0;
    double high_gib = 0;
    double free_gib = 0;
    /// Of a load: requests that run at once and those that come; 0: no load of them was asked.
    double running = 0, requests = 0;
    /// Requests a second that are served, of those that come; 0: all that come.
    double served_per_s = 0, requests_per_s = 0;
    /// Whether the load that was asked is more than runs or is served.
    [[nodiscard]] bool waits() const {
        return counts && (running < requests || served_per_s < requests_per_s);
    }
};

struct CheckAnswer {
    std::string subject;                        ///< "axolotl.yaml", "llama-3.1-8b"
    std::string hardware;                       ///< "8 x NVIDIA H100 SXM5 80GB (1 node)"
    CheckVerdict verdict = CheckVerdict::fits;  ///< the worst of the steps
    bool strict = false;
    std::vector<CheckedStep> steps;
    std::vector<Remedy> remedies;        ///< where it does not fit: the best two
    std::vector<std::string> open;       ///< what was not known, so that it was not checked
    std::vector<std::string> uncounted;  ///< what moves memory and no figure holds
    [[nodiscard]] bool waits() const { return std::ranges::any_of(steps, &CheckedStep::waits); }
};

/// A Markdown table, which also reads well in a terminal.
std::string check_text(const CheckAnswer& answer);
std::string check_json(const CheckAnswer& answer, const Stamp& stamp);

}  // namespace ridgeline::report
