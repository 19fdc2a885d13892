#include "advise/rules/rule.h"
#include "spec/graph.h"

#include <fmt/format.h>

namespace ridgeline {
namespace rule {

Found context_beyond_positions(const RuleContext& c) {
    const int trained = c.architecture.max_positions;
    const bool serves = c.workload.serving && c.workload.task == Task::inference;
    const Serving serving = c.workload.serving.value_or(Serving{});
    // The positions of an encoder-decoder model are those of its decoder.
    const bool encoded = c.architecture.kind == ModelKind::encoder_decoder;
    const double wanted = serves ? (encoded ? 0 : serving.input_tokens) + serving.output_tokens
                                 : c.workload.batch.sequence_length;
    if (trained <= 0 || wanted <= trained) {
        return {};
    }
    return finding(
        "context_beyond_positions", Severity::warning,
        fmt::format("{:.0f} tokens exceed the {} positions that the model was trained on", wanted,
                    trained),
        {{"tokens", wanted}, {"trained_positions", static_cast<double>(trained)}},
        c.architecture.source);
}

Found assumed_family(const RuleContext& c) {
    if (c.architecture.assumed_family.empty()) {
        return {};
    }
    return finding("assumed_family", Severity::warning,
                   fmt::format("model_type \"{}\" is not known: its configuration was read as that "
                               "of a {} decoder, and the range is wide",
                               c.architecture.model_type, c.architecture.assumed_family),
                   {}, c.architecture.source);
}

Found unknown_operators(const RuleContext& c) {
    const GraphNetwork* graph = c.architecture.graph.get();
    if (graph == nullptr || (graph->unknown.empty() && graph->uncounted.empty())) {
        return {};
    }
    const auto listed = [](const auto& operators) {
        std::string text;
        for (const auto& [type, times] : operators) {
            text += fmt::format("{}{}", text.empty() ? "" : ", ", type);
            text += times > 1 ? fmt::format(" ({} times)", times) : "";
        }
        return text;
    };
    std::string message;
    if (!graph->unknown.empty()) {
        message = fmt::format("not known, counted as passes over their inputs and outputs: {}",
                              listed(graph->unknown));
    }
    if (!graph->uncounted.empty()) {
        message += fmt::format("{}the body is not counted of: {}", message.empty() ? "" : "; ",
                               listed(graph->uncounted));
    }
    return finding("unknown_operators", Severity::warning, message + "; the range is wide",
                   {{"operators", static_cast<double>(graph->nodes.size())}},
                   c.architecture.source);
}

Found typical_architecture(const RuleContext& c) {
    if (!c.architecture.typical || c.architecture.stacks.empty()) {
        return {};
    }
    const TransformerStack& stack = c.architecture.text();
    return finding(
        "typical_architecture", Severity::info,
        fmt::format("a size names no model: a typical shape of {} layers of width {}, {} of "
                    "{} heads keyed, was taken",
                    stack.layers, stack.hidden, stack.kv_heads, stack.heads),
        {{"layers", static_cast<double>(stack.layers)},
         {"hidden", static_cast<double>(stack.hidden)}},
        c.architecture.source);
}

}  // namespace rule

std::vector<Finding> question_findings(const Query& query, const Architecture& architecture,
                                       const Advice& advice) {
    std::vector<Finding> findings;
    if (advice.options.empty()) {
        findings.push_back(
            rule::finding("nothing_fits", Severity::error,
                          fmt::format("none of {} combinations of accelerator and count can run it",
                                      advice.rejections.size()),
                          {{"rejected", static_cast<double>(advice.rejections.size())}}, ""));
    }
    const WorkloadDocument& work = query.workload;
    if (query.deadline_s && !work.duration_tokens && !work.duration_samples &&
        !work.duration_epochs) {
        findings.push_back(
            rule::finding("deadline_without_length", Severity::warning,
                          "a deadline needs the length of the run, in tokens, samples or epochs: "
                          "nothing was rejected by it",
                          {{"deadline_days", *query.deadline_s / 86400}}, ""));
    }
    if (architecture.typical && !architecture.stacks.empty()) {
        findings.push_back(rule::finding(
            "typical_architecture", Severity::info,
            fmt::format("a size names no model: {} layers of width {} were taken as typical",
                        architecture.text().layers, architecture.text().hidden),
            {{"layers", static_cast<double>(architecture.text().layers)}}, architecture.source));
    }
    return findings;
}

}  // namespace ridgeline
