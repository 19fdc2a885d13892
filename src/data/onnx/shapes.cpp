#include "data/onnx/shapes.h"

#include "base/text.h"
#include "data/onnx/input_shapes.h"
#include "data/onnx/rules.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ridgeline::onnx {
namespace {

std::string named(const Node& node) {
    return fmt::format("operator \"{}\" ({})", printable(node.name), printable(node.type));
}

void count(std::vector<std::pair<std::string, int>>& list, const std::string& type) {
    for (auto& [name, times] : list) {
        if (name == type) {
            ++times;
            return;
        }
    }
    list.emplace_back(type, 1);
}

/// Operators whose `waits` are over, one after the other, as far as a cycle leaves any; the order
/// of the file where it is one.
std::vector<std::size_t> execution_order(const std::vector<std::vector<std::size_t>>& readers,
                                         std::vector<int>& waits) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (waits[i] == 0) {
            order.push_back(i);
        }
    }
    for (std::size_t next = 0; next < order.size(); ++next) {
        for (const std::size_t reader : readers[order[next]]) {
            if (--waits[reader] == 0) {
                order.push_back(reader);
            }
        }
    }
    const bool sorted = std::ranges::all_of(order, [&](std::size_t at) {
        return std::ranges::all_of(readers[at], [at](std::size_t reader) { return reader > at; });
    });
    if (sorted) {
        std::ranges::sort(order);
    }
    return order;
}

class Shaper {
public:
    Shaper(const Model& model, const std::vector<GivenShape>& given, const std::string& where)
        : model_(model), where_(where), shapes_(model, given, where) {}

    Result<GraphNetwork> run() {
        if (auto done = name_tensors(); !done) {
            return tl::unexpected(done.error());
        }
        if (auto done = bind_inputs(); !done) {
            return tl::unexpected(done.error());
        }
        const auto order = ordered();
        if (!order) {
            return tl::unexpected(order.error());
        }
        for (const std::size_t at : *order) {
            if (auto done = infer(model_.nodes[at]); !done) {
                return tl::unexpected(done.error());
            }
        }
        finish();
        return std::move(graph_);
    }

private:
    tl::unexpected<Error> refuse(const std::string& who, std::string why,
                                 std::string hint = {}) const {
        return input_error(where_ + ": " + who, std::move(why), std::move(hint));
    }

    int index_of(const std::string& name) {
        const auto [at, fresh] = names_.try_emplace(name, static_cast<int>(known_.size()));
        if (fresh) {
            known_.emplace_back();
            maker_.push_back(-1);
            titles_.push_back(name);
        }
        return at->second;
    }

    Result<void> name_tensors() {
        for (const Stored& stored : model_.stored) {
            Known& known = known_[static_cast<std::size_t>(index_of(stored.name))];
            known.sides = stored.sides;
            known.shaped = true;
            known.type = stored.type;
            known.weight = true;
            // Whole numbers of more than a byte are shapes and indices.
            const double width = bytes_of(stored.type);
            const bool counts = is_floating(stored.type) ||
                                (width <= 1 && stored.type != static_cast<int>(Element::boolean) &&
                                 stored.type != static_cast<int>(Element::text));
            known.parameters = counts ? known.elements() : 0;
            if (!stored.values.empty() || known.elements() == 0) {
                known.values = stored.values;
            }
        }
        for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
            const Node& node = model_.nodes[i];
            for (const std::string& output : node.outputs) {
                if (output.empty()) {
                    continue;
                }
                const int at = index_of(output);
                if (maker_[static_cast<std::size_t>(at)] >= 0 ||
                    known_[static_cast<std::size_t>(at)].weight) {
                    return refuse(named(node), fmt::format("makes \"{}\", which is made already",
                                                           printable(output)));
                }
                maker_[static_cast<std::size_t>(at)] = static_cast<int>(i);
            }
        }
        return {};
    }

    Result<void> bind_inputs() {
        std::vector<std::string> inputs;
        for (const Value& input : model_.inputs) {
            const int at = index_of(input.name);
            if (known_[static_cast<std::size_t>(at)].weight) {
                continue;  // older exporters list weights as inputs too
            }
            inputs.push_back(input.name);
            if (auto bound = shapes_.bind(input, known_[static_cast<std::size_t>(at)]); !bound) {
                return bound;
            }
            graph_inputs_.push_back(at);
        }
        if (auto done = shapes_.check_given(inputs); !done) {
            return done;
        }
        return inputs.empty() ? Result<void>(refuse("graph", "has no input")) : Result<void>();
    }

    /// For each operator those that read what it makes.
    Result<std::vector<std::vector<std::size_t>>> readers() const {
        std::vector<std::vector<std::size_t>> readers(model_.nodes.size());
        for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
            for (const std::string& input : model_.nodes[i].inputs) {
                if (input.empty()) {
                    continue;
                }
                const auto at = names_.find(input);
                const bool there = at != names_.end();
                const int maker = there ? maker_[static_cast<std::size_t>(at->second)] : -1;
                if (maker < 0 && (!there || !known_[static_cast<std::size_t>(at->second)].shaped)) {
                    return refuse(
                        named(model_.nodes[i]),
                        fmt::format("reads \"{}\", which nothing makes", printable(input)));
                }
                if (maker >= 0) {
                    readers[static_cast<std::size_t>(maker)].push_back(i);
                }
            }
        }
        return readers;
    }

    /// Operators after what they read; files state them so, and a cycle has no such order.
    Result<std::vector<std::size_t>> ordered() const {
        const auto reads = readers();
        if (!reads) {
            return tl::unexpected(reads.error());
        }
        std::vector<int> waits(reads->size(), 0);
        for (const auto& each : *reads) {
            for (const std::size_t reader : each) {
                ++waits[reader];
            }
        }
        const std::vector<std::size_t> order = execution_order(*reads, waits);
        if (order.size() < reads->size()) {
            const auto stuck = std::ranges::find_if(waits, [](int left) { return left > 0; });
            return refuse(named(model_.nodes[static_cast<std::size_t>(stuck - waits.begin())]),
                          "waits for its own output: the graph has a cycle");
        }
        return order;
    }

    Result<void> infer(const Node& node) {
        Call call{node, {}, std::vector<Known>(node.outputs.size()), {}, {}};
        bool constant = true;
        double behind = 0;
        for (const std::string& input : node.inputs) {
            const Known* known =
                input.empty() ? nullptr : &known_[static_cast<std::size_t>(names_.at(input))];
            call.in.push_back(known);
            constant = constant && (known == nullptr || known->weight);
            behind += known != nullptr ? known->parameters : 0;
        }
        while (!call.in.empty() && call.in.back() == nullptr) {
            call.in.pop_back();
        }
        const bool foreign =
            !node.domain.empty() && node.domain != "ai.onnx" && node.domain != "com.microsoft";
        const RuleOfType* rule = foreign ? nullptr : rule_named(node.type);
        call.made.work = rule != nullptr ? rule->work : GraphWork::unknown;
        if (rule != nullptr && rule->rule != nullptr && !call.out.empty()) {
            rule->rule(call);
            fold_values(call);
        }
        if (auto done = settle(call, rule); !done) {
            return done;
        }
        const bool body = call.made.work == GraphWork::subgraph;
        // Numbers that are known need no operator on the device.
        const bool worked_out = !call.out.empty() && call.out[0].values.has_value();
        constant = constant && !body && (rule != nullptr && !node.outputs.empty());
        for (std::size_t i = 0; i < call.out.size(); ++i) {
            Known& known = call.out[i];
            if (constant && !known.weight) {
                known.weight = true;
                known.parameters =
                    i == 0 ? std::max(known.parameters, std::min(behind, known.elements())) : 0;
            }
            if (!node.outputs[i].empty()) {
                known_[static_cast<std::size_t>(names_.at(node.outputs[i]))] = std::move(known);
            }
        }
        if (!constant && !worked_out) {
            keep(node, std::move(call), rule);
        }
        return {};
    }

    /// Gives every output sides: those of the rule, those stated, or for an operator that nobody
    /// knows those of its first input.
    Result<void> settle(Call& call, const RuleOfType* rule) const {
        for (std::size_t i = 0; i < call.out.size(); ++i) {
            Known& known = call.out[i];
            const std::string& name = call.node.outputs[i];
            if ((known.shaped && call.problem.empty()) || name.empty()) {
                known.shaped = true;
                continue;
            }
            const bool open = contains(call.problem, "values decide");
            if ((rule == nullptr || rule->rule == nullptr || call.problem.empty() || open) &&
                shapes_.stated(name, known)) {
                continue;
            }
            if (!call.problem.empty()) {
                return refuse(
                    named(call.node), call.problem,
                    open ? "Export it with fixed shapes, or run ONNX shape inference over it."
                         : "");
            }
            const bool guessed = rule == nullptr || rule->rule == nullptr;
            if (guessed && call.has(0)) {
                known.sides = call.in[0]->sides;
                known.type = call.in[0]->type;
                known.shaped = true;
                continue;
            }
            return refuse(named(call.node),
                          fmt::format("leaves the shape of \"{}\" open", printable(name)));
        }
        for (const Known& known : call.out) {
            const bool whole = std::ranges::all_of(
                known.sides, [](double side) { return side >= 0 && side == std::floor(side); });
            if (!whole || !(known.elements() <= most_elements)) {
                return refuse(named(call.node),
                              fmt::format("makes a tensor of [{}]", fmt::join(known.sides, ", ")));
            }
        }
        return {};
    }

    void keep(const Node& node, Call call, const RuleOfType* rule) {
        GraphNode made = std::move(call.made);
        made.name = printable(node.name);
        made.type = printable(node.type);
        if (rule == nullptr) {
            count(graph_.unknown, made.type);
        } else if (made.work == GraphWork::subgraph) {
            count(graph_.uncounted, made.type);
        }
        for (const std::string& input : node.inputs) {
            if (!input.empty()) {
                made.inputs.push_back(names_.at(input));
            }
        }
        for (const std::string& output : node.outputs) {
            if (!output.empty()) {
                made.outputs.push_back(names_.at(output));
            }
        }
        graph_.nodes.push_back(std::move(made));
    }

    void finish() {
        graph_.inputs = graph_inputs_;
        for (const Value& output : model_.outputs) {
            if (const auto at = names_.find(output.name); at != names_.end()) {
                graph_.outputs.push_back(at->second);
            }
        }
        for (std::size_t i = 0; i < known_.size(); ++i) {
            GraphTensor tensor;
            tensor.name = printable(titles_[i]);
            tensor.sides = known_[i].sides;
            tensor.elements = known_[i].elements();
            tensor.weight = known_[i].weight;
            tensor.parameters = known_[i].parameters;
            tensor.bytes = is_floating(known_[i].type) ? 0 : bytes_of(known_[i].type);
            graph_.tensors.push_back(std::move(tensor));
        }
        const GraphTensor& first = graph_.tensors[static_cast<std::size_t>(graph_.inputs.front())];
        graph_.samples = first.sides.empty() ? 1 : std::max(1.0, first.sides.front());
        std::vector<char> seen(graph_.tensors.size(), 0);
        for (const GraphNode& node : graph_.nodes) {
            for (const int input : node.inputs) {
                const auto at = static_cast<std::size_t>(input);
                if (graph_.tensors[at].weight && seen[at] == 0) {
                    seen[at] = 1;
                    graph_.parameters += graph_.tensors[at].parameters;
                }
            }
        }
    }

    const Model& model_;
    const std::string& where_;
    InputShapes shapes_;
    GraphNetwork graph_;
    std::unordered_map<std::string, int> names_;
    std::vector<Known> known_;
    std::vector<int> maker_;  ///< operator that makes a tensor; -1: none
    std::vector<std::string> titles_;
    std::vector<int> graph_inputs_;
};

}  // namespace

Result<GraphNetwork> shaped(const Model& model, const std::vector<GivenShape>& given,
                            const std::string& where) {
    return Shaper(model, given, where).run();
}

}  // namespace ridgeline::onnx
