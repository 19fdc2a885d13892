#pragma once

#include "estimate/results.h"
#include "report/json_value.h"
#include "report/report.h"
#include "spec/operator_trace.h"
#include "spec/rehearsal.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::report {

/// A step that ran, on one kind of card.
struct TracedPlace {
    Cluster cluster;
    TimeEstimate time;
    const Offer* offer = nullptr;
    double usd_per_hour = 0;      ///< of all instances; 0: no price is known
    std::optional<Bytes> needed;  ///< of one card, as rehearsed, context included
    std::optional<RehearsedFit> fit;

    [[nodiscard]] double usd_per_step() const { return usd_per_hour * (time.step / second) / 3600; }
};

/// The operators of a step and what they take on each of several cards.
struct TraceAnswer {
    std::string file;
    std::string rehearsed_on;  ///< id of the card whose memory was rehearsed; empty: none was
    std::string measured_on;   ///< id of the card whose durations scale the times; empty: none
    OperatorTrace trace;
    std::vector<TracedPlace> places;  ///< best first where they were chosen by price
    std::size_t left_out = 0;         ///< cards that do not fit, where only those that do are told
};

std::string trace_text(const TraceAnswer& answer, const Style& style);
std::string trace_json(const TraceAnswer& answer, const Stamp& stamp);

/// {"operators": [...], "collectives": [...]} of a trace, which data/load_trace.cpp reads again.
Json operators_json(const OperatorTrace& trace);
Json collectives_json(const OperatorTrace& trace);
/// {"step_s", "step_low_s", "step_high_s", "bound", "components"}.
Json step_json(const TimeEstimate& time);

}  // namespace ridgeline::report
