#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "spec/operator_trace.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline {

/// Elements that a traced tensor may claim.
inline constexpr double most_elements = 1e15;

/// Reads the operators of one step from a file of torch's ExecutionTraceObserver (Chakra JSON), of
/// torch.profiler (with record_shapes=True), or from the answer of `rehearse --json`.
///
/// errors  none of the three, no operator with a shape in it, a number out of range
Result<OperatorTrace> load_trace(const TreePath& file);

/// The same from parsed text; `where` names the file in errors.
Result<OperatorTrace> execution_trace(const nlohmann::json& document, const std::string& where);
Result<OperatorTrace> profiler_trace(const nlohmann::json& document, const std::string& where);

/// Parses a file without keeping the nodes of an execution trace, which would take ten times the
/// size of their text: they go to `trace` one by one, which stays empty where there are none.
///
/// errors  those of `execution_trace`; text that is no JSON gives a discarded document
Result<nlohmann::json> without_nodes(const std::string& text, const std::string& where,
                                     std::optional<OperatorTrace>& trace);

/// Adds an operator to a trace: equal ones become one with a count.
void add_traced(OperatorTrace& trace, TracedOperator op);
void add_traced(OperatorTrace& trace, const TracedCollective& collective);

/// A collective by what torch calls it ("allreduce", "_allgather_base"), with the elements of a
/// rank's message going in and out. Nothing for barriers and what no rate is known of.
std::optional<TracedCollective> traced_collective(std::string_view name, double in_elements,
                                                  double out_elements, double width, int ranks);

}  // namespace ridgeline
