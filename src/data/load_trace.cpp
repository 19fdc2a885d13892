#include "data/load_trace.h"

#include "spec/measurement.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

constexpr double most = 1e18;
constexpr std::size_t most_text = std::size_t{2} << 30;

bool equal(const TracedOperator& a, const TracedOperator& b) {
    return a.name == b.name && a.phase == b.phase && a.type == b.type &&
           a.operator_class == b.operator_class && a.flops == b.flops && a.traffic == b.traffic &&
           a.m == b.m && a.n == b.n && a.k == b.k && a.products == b.products &&
           a.kernels == b.kernels;
}

std::optional<double> number_in(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end()) {
        return 0;
    }
    if (!found->is_number() || !(found->get<double>() >= 0) || found->get<double>() > most) {
        return {};
    }
    return found->get<double>();
}

/// An operator of `rehearse --json`.
Result<TracedOperator> rehearsed_operator(const Json& row, const std::string& where) {
    if (!row.is_object() || !row.contains("name") || !row["name"].is_string()) {
        return input_error(where + ": /operators", "found an entry that is no operator");
    }
    TracedOperator op;
    op.name = row["name"].get<std::string>();
    double flops = 0;
    double bytes = 0;
    for (const auto& [key, target] :
         {std::pair("flops", &flops), std::pair("bytes", &bytes), std::pair("m", &op.m),
          std::pair("n", &op.n), std::pair("k", &op.k), std::pair("products", &op.products),
          std::pair("kernels", &op.kernels), std::pair("count", &op.count)}) {
        const auto value = number_in(row, key);
        if (!value) {
            return input_error(fmt::format("{}: /operators ({})", where, op.name),
                               fmt::format("{} is no number from 0 on", key));
        }
        *target = *value;
    }
    op.flops = Flops::of_base(flops);
    op.traffic = Bytes::of_base(bytes);
    op.products = std::max(1.0, op.products);
    const auto kind = operator_class_named(row.value("class", ""));
    const auto type = compute_type_named(row.value("type", ""));
    if (!kind || !type) {
        return input_error(fmt::format("{}: /operators ({})", where, op.name),
                           "found an unknown class or type");
    }
    op.operator_class = *kind;
    op.type = *type;
    const std::string phase = row.value("phase", "forward");
    op.phase = phase == "backward"    ? TracedPhase::backward
               : phase == "optimizer" ? TracedPhase::optimizer
                                      : TracedPhase::forward;
    return op;
}

/// The operators of `rehearse --json`, as report/json_rehearsal.cpp writes them.
Result<OperatorTrace> rehearsed_trace(const Json& document, const std::string& where) {
    const auto step = document.find("operators");
    if (step == document.end() || !step->is_array() || step->empty()) {
        return input_error(where, "found a rehearsal without operators",
                           "Rehearse the script again with this version.");
    }
    OperatorTrace trace;
    trace.form = "rehearsal";
    for (const Json& row : *step) {
        auto op = rehearsed_operator(row, where);
        if (!op) {
            return tl::unexpected(op.error());
        }
        trace.operators.push_back(std::move(*op));
    }
    for (const Json& row : document.value("collectives", Json::array())) {
        const auto size = number_in(row, "bytes");
        const auto ranks = number_in(row, "ranks");
        const auto count = number_in(row, "count");
        const auto operation = collective_named(row.value("operation", ""));
        if (size && ranks && count && operation) {
            trace.collectives.push_back({*operation, Bytes::of_base(*size),
                                         static_cast<int>(std::min(*ranks, 1e6)), *count});
        }
    }
    return trace;
}

/// The trace of a document that has no nodes.
Result<OperatorTrace> other_trace(const Json& document, const std::string& where) {
    if (!document.is_object()) {
        return input_error(where,
                           "found no JSON object, expected an execution trace or a profiler trace "
                           "of PyTorch, or the answer of `ridgeline rehearse --json`");
    }
    if (document.contains("traceEvents")) {
        return profiler_trace(document, where);
    }
    if (document.value("schema", "") == "ridgeline/rehearsal/1") {
        return rehearsed_trace(document, where);
    }
    return input_error(where,
                       "found neither nodes nor traceEvents, expected an execution trace or a "
                       "profiler trace of PyTorch");
}

}  // namespace

void add_traced(OperatorTrace& trace, TracedOperator op) {
    // Equal calls stand near each other: layers repeat.
    constexpr std::size_t near = 400;
    const std::size_t first = trace.operators.size() > near ? trace.operators.size() - near : 0;
    for (std::size_t i = trace.operators.size(); i > first; --i) {
        TracedOperator& known = trace.operators[i - 1];
        if (equal(known, op)) {
            known.measured = Seconds::of_base(
                (known.measured.base() * known.count + op.measured.base()) / (known.count + 1));
            known.count += 1;
            return;
        }
    }
    trace.operators.push_back(std::move(op));
}

void add_traced(OperatorTrace& trace, const TracedCollective& collective) {
    for (TracedCollective& known : trace.collectives) {
        if (known.operation == collective.operation && known.size == collective.size &&
            known.ranks == collective.ranks) {
            known.count += collective.count;
            return;
        }
    }
    trace.collectives.push_back(collective);
}

std::optional<TracedCollective> traced_collective(std::string_view name, double in_elements,
                                                  double out_elements, double width, int ranks) {
    std::string bare;
    for (const char c : name) {
        if (c != '_') {
            bare += c;
        }
    }
    TracedCollective out;
    out.ranks = ranks;
    const auto starts = [&bare](std::string_view word) { return bare.rfind(word, 0) == 0; };
    if (starts("allreduce") || starts("broadcast") || starts("reduce")) {
        out.operation =
            starts("reducescatter") ? Collective::reduce_scatter : Collective::all_reduce;
        out.size = Bytes::of_base(std::max(in_elements, out_elements) * width);
    } else if (starts("allgather") || starts("gather")) {
        out.operation = Collective::all_gather;
        out.size = Bytes::of_base(std::max(in_elements, out_elements) * width);
    } else if (starts("alltoall")) {
        out.operation = Collective::all_to_all;
        out.size = Bytes::of_base(std::max(in_elements, out_elements) * width);
    } else if (starts("send") || starts("recv")) {
        out.operation = Collective::point_to_point;
        out.size = Bytes::of_base(std::max(in_elements, out_elements) * width);
    } else {
        return {};
    }
    return out.size > Bytes{} ? std::optional(out) : std::nullopt;
}

Result<OperatorTrace> load_trace(const TreePath& file) {
    // A step of sixteen micro-batches of a large model writes half a gigabyte.
    const auto text = file.read(most_text);
    if (!text) {
        return tl::unexpected(text.error());
    }
    try {
        std::optional<OperatorTrace> nodes;
        const auto document = without_nodes(*text, file.string(), nodes);
        if (!document) {
            return tl::unexpected(document.error());
        }
        auto trace = nodes ? Result<OperatorTrace>(std::move(*nodes))
                           : other_trace(*document, file.string());
        if (trace && trace->operators.empty()) {
            return input_error(file.string(), "found no operator of a card in this trace");
        }
        return trace;
    } catch (const Json::exception& problem) {
        return input_error(file.string(), fmt::format("damaged: {}", problem.what()));
    }
}

}  // namespace ridgeline
