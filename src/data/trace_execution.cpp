#include "base/lists.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"
#include "data/json_fields.h"
#include "data/load_trace.h"
#include "data/torch_operators.h"
#include "data/traced_operator.h"
#include "data/traced_sparse.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

/// What a rehearsal writes among the calls of a step.
enum class Label { none, evaluation_begins, evaluation_ended, takes_tf32 };

/// A node of the trace: a call, and what it stands in.
struct Node {
    double id = 0;
    double above = -1;  ///< number of what it stands in
    std::size_t parent = 0;
    bool has_parent = false;
    bool backward = false;
    bool optimizer = false;
    bool exchanges = false;   ///< record_param_comms
    bool misshapen = false;   ///< sizes that are no shape
    bool known = true;        ///< that its bytes say what it computes
    bool ran = false;         ///< it or one below it runs a kernel
    bool multiplied = false;  ///< the same of a product
    Label label = Label::none;
    std::string name;  ///< where it is asked for
    std::optional<TracedOperator> kernel;
    SparseParts sparse;
    std::optional<TracedCollective> collective;
};

const Json* attribute(const Json& node, const char* name) {
    const auto list = node.find("attrs");
    if (list == node.end() || !list->is_array()) {
        return nullptr;
    }
    for (const Json& entry : *list) {
        if (entry.is_object() && text_at(entry, "name") == name && entry.contains("value")) {
            return &entry["value"];
        }
    }
    return nullptr;
}

double number_of(const Json* json, double otherwise) {
    if (json != nullptr && json->is_number()) {
        return json->get<double>();
    }
    if (json != nullptr && json->is_string()) {
        const auto number = leading_number(json->get_ref<const std::string&>());
        return number ? number->value : otherwise;
    }
    return otherwise;
}

/// "Tensor(c10::BFloat16)" to "c10::BFloat16"; empty for anything else.
std::string element_of(const std::string& type) {
    return type.rfind("Tensor(", 0) == 0 && type.back() == ')' ? type.substr(7, type.size() - 8)
                                                               : "";
}

/// Sizes, strides where the trace has them, type, and the value with the device as its last word.
bool tensor_of(const Json& sizes, const Json* strides, const std::string& type, const Json& value,
               TracedTensor& out) {
    if (!sizes.is_array()) {
        return false;
    }
    out.elements = 1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (!sizes[i].is_number()) {
            return false;
        }
        const double size = sizes[i].get<double>();
        if (!(size >= 0) || size > most_elements) {
            return false;
        }
        out.sizes.push_back(size);
        const bool repeated = strides != nullptr && strides->is_array() && i < strides->size() &&
                              (*strides)[i].is_number() && (*strides)[i].get<double>() == 0;
        out.elements *= repeated ? 1 : size;
    }
    out.type = type;
    if (value.is_array() && !value.empty() && value.back().is_string()) {
        const auto& device = value.back().get_ref<const std::string&>();
        out.on_card = device.rfind("cpu", 0) != 0;
        out.sparse = device.empty();
    }
    return out.elements <= most_elements;
}

const Json& at_or(const Json& list, std::size_t at, const Json& otherwise) {
    return list.is_array() && at < list.size() ? list[at] : otherwise;
}

/// "GenericList[Tensor(float),Tensor(float)]": the type of its first tensor.
std::string list_element(const std::string& type) {
    const std::size_t begin = type.find("Tensor(");
    const std::size_t end = type.find(')', begin == std::string::npos ? 0 : begin);
    // A complex type has brackets of its own kind, not round ones.
    return begin == std::string::npos || end == std::string::npos
               ? ""
               : type.substr(begin + 7, end - begin - 7);
}

bool arguments_of(const Json& node, const char* key, std::vector<TracedArgument>& out) {
    static const Json nothing;
    const auto part = node.find(key);
    if (part == node.end() || !part->is_object()) {
        return true;
    }
    const Json values = part->value("values", Json::array());
    const Json shapes = part->value("shapes", Json::array());
    const Json types = part->value("types", Json::array());
    const Json strides = part->value("strides", Json::array());
    for (std::size_t i = 0; i < values.size(); ++i) {
        TracedArgument argument;
        const std::string type =
            at_or(types, i, nothing).is_string() ? types[i].get<std::string>() : "";
        const Json& value = values[i];
        const Json& shape = at_or(shapes, i, nothing);
        const Json& stride = at_or(strides, i, nothing);
        if (const std::string element = element_of(type); !element.empty()) {
            TracedTensor tensor;
            if (!tensor_of(shape, &stride, element, value, tensor)) {
                return false;
            }
            argument.tensors.push_back(std::move(tensor));
        } else if (type.rfind("GenericList[", 0) == 0 && contains(type, "Tensor(")) {
            const std::string inner = list_element(type);
            for (std::size_t j = 0; shape.is_array() && j < shape.size(); ++j) {
                TracedTensor tensor;
                if (shape[j].is_array() && tensor_of(shape[j], &at_or(stride, j, nothing), inner,
                                                     at_or(value, j, nothing), tensor)) {
                    argument.tensors.push_back(std::move(tensor));
                }
            }
        } else if (value.is_boolean()) {
            argument.number = value.get<bool>() ? 1 : 0;
        } else if (value.is_number()) {
            argument.number = value.get<double>();
        }
        out.push_back(std::move(argument));
    }
    return true;
}

std::optional<TracedCollective> collective_of(const Json& node) {
    const Json* name = attribute(node, "collective_name");
    const Json* type = attribute(node, "dtype");
    const std::string kind = type != nullptr && type->is_string() ? type->get<std::string>() : "";
    const double in = number_of(attribute(node, "in_msg_nelems"), 0);
    const double out = number_of(attribute(node, "out_msg_nelems"), 0);
    const double ranks = number_of(attribute(node, "pg_size"), 0);
    const bool sane = in >= 0 && in <= most_elements && out >= 0 && out <= most_elements &&
                      ranks >= 0 && ranks <= 1e6;
    if (name == nullptr || !name->is_string() || !sane) {
        return {};
    }
    return traced_collective(name->get<std::string>(), in, out, bytes_of_collective(kind),
                             static_cast<int>(ranks));
}

/// Whether a tensor is copied to itself, as the sum of a dense and a sparse one ends: nothing
/// moves.
bool copies_to_itself(const Json& node, const std::string& name) {
    const auto inputs = node.find("inputs");
    if (name != "aten::copy_" || inputs == node.end() || !inputs->is_object()) {
        return false;
    }
    const Json values = inputs->value("values", Json::array());
    const Json types = inputs->value("types", Json::array());
    const bool of_tensors = types.is_array() && types.size() > 1 && types[0].is_string() &&
                            !element_of(types[0].get<std::string>()).empty();
    return of_tensors && values.is_array() && values.size() > 1 && values[0] == values[1];
}

/// What is kept of a node: a step of many micro-batches has hundreds of thousands.
Node node_of(const Json& json) {
    Node node;
    const auto parent = json.find("ctrl_deps");
    node.id = number_of(&json["id"], -1);
    node.above = parent != json.end() ? number_of(&*parent, -1) : -1;
    const std::string name = text_at(json, "name");
    node.backward = name.rfind("autograd::engine::evaluate", 0) == 0;
    node.optimizer = name.rfind("Optimizer.step", 0) == 0;
    node.exchanges = name == "record_param_comms";
    node.label = name == "ridgeline: evaluation begins"  ? Label::evaluation_begins
                 : name == "ridgeline: evaluation ended" ? Label::evaluation_ended
                 : name == "ridgeline: products in TF32" ? Label::takes_tf32
                                                         : Label::none;
    if (node.exchanges) {
        node.collective = collective_of(json);
    } else if (names_operator(name) && !copies_to_itself(json, name)) {
        TracedCall call;
        call.name = name;
        node.misshapen = !arguments_of(json, "inputs", call.inputs) ||
                         !arguments_of(json, "outputs", call.outputs);
        if (!node.misshapen) {
            node.kernel = traced_operator(call, node.known);
            node.sparse = sparse_parts(call);
        }
        if (node.misshapen || !node.known) {
            node.name = name;
        }
    }
    return node;
}

/// Puts the nodes in the order of their numbers, each after the one that it stands in: calls are
/// numbered when they begin and written when they end. What stands in a backward pass or in a step
/// of an optimizer is of it.
void put_in_order(std::vector<Node>& nodes) {
    stable_order(nodes.begin(), nodes.end(),
                 [](const Node& a, const Node& b) { return a.id < b.id; });
    std::unordered_map<double, std::size_t> places;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = nodes[i];
        if (const auto found = places.find(node.above); found != places.end()) {
            node.has_parent = true;
            node.parent = found->second;
            node.backward = node.backward || nodes[node.parent].backward;
            node.optimizer = node.optimizer || nodes[node.parent].optimizer;
        }
        if (node.kernel && (node.optimizer || node.backward)) {
            node.kernel->phase = node.optimizer ? TracedPhase::optimizer : TracedPhase::backward;
        }
        places.emplace(node.id, i);
    }
}

bool is_product(const TracedOperator& op) {
    switch (op.operator_class) {
        case OperatorClass::gemm:
        case OperatorClass::grouped_gemm:
        case OperatorClass::gemv:
        case OperatorClass::attention_forward:
        case OperatorClass::attention_backward:
        case OperatorClass::attention_decode:
        case OperatorClass::convolution:
        case OperatorClass::depthwise_convolution:
            return true;
        default:
            return false;
    }
}

/// Finds which calls are kernels: those whose inner calls only make views and room, and products
/// whose inner calls do something beside them (the sum of a bias) but no product.
Result<bool> find_kernels(std::vector<Node>& nodes, const std::string& where) {
    for (std::size_t i = nodes.size(); i-- > 0;) {
        Node& node = nodes[i];
        if (node.misshapen && !node.ran) {
            return input_error(
                where, fmt::format("node {} ({}) has sizes that are no shape", node.id, node.name));
        }
        const bool product = node.kernel && is_product(*node.kernel);
        if (node.ran && (node.multiplied || !product)) {
            node.kernel.reset();  // its inner calls are the kernels
        }
        if (node.kernel) {
            touch_entries(node.sparse, *node.kernel);
        }
        node.multiplied = node.multiplied || product;
        node.ran = node.ran || node.exchanges || node.kernel.has_value();
        if (node.has_parent) {
            Node& around = nodes[node.parent];
            hand_up(node.sparse, around.sparse);
            around.ran = around.ran || node.ran;
            around.multiplied = around.multiplied || node.multiplied;
        }
    }
    return true;
}

/// Leaves out what a script computed in an evaluation between two steps: rehearsals write labels
/// around it (rehearsal/python/ridgeline_rehearsal/stretches.py). One that has no end is none.
void leave_out_evaluations(std::vector<Node>& nodes) {
    std::size_t begin = nodes.size();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].label == Label::evaluation_begins) {
            begin = i;
        } else if (nodes[i].label == Label::evaluation_ended) {
            for (; begin < i; ++begin) {
                nodes[begin].kernel.reset();
                nodes[begin].collective.reset();
            }
        }
    }
}

/// Products of 32-bit floats run in TF32 where the script allowed it, which no operator tells:
/// rehearsals write a label (rehearsal/python/ridgeline_rehearsal/process.py). Attention and
/// products with a vector have kernels of their own that do not ask.
void take_tf32(std::vector<Node>& nodes) {
    if (std::none_of(nodes.begin(), nodes.end(),
                     [](const Node& node) { return node.label == Label::takes_tf32; })) {
        return;
    }
    for (Node& node : nodes) {
        if (node.kernel && node.kernel->type == ComputeType::fp32 &&
            (node.kernel->operator_class == OperatorClass::gemm ||
             node.kernel->operator_class == OperatorClass::grouped_gemm)) {
            node.kernel->type = ComputeType::tf32;
        }
    }
}

void add_unknown(OperatorTrace& trace, const std::string& name) {
    trace.unknown += 1;
    auto& names = trace.unknown_names;
    if (!is_among(name, names)) {
        names.push_back(name);
    }
}

Result<OperatorTrace> trace_of(std::vector<Node>& nodes, const std::string& where) {
    OperatorTrace trace;
    trace.form = "execution trace";
    put_in_order(nodes);
    if (auto found = find_kernels(nodes, where); !found) {
        return tl::unexpected(found.error());
    }
    leave_out_evaluations(nodes);
    take_tf32(nodes);
    for (Node& node : nodes) {
        if (node.kernel) {
            if (!node.known) {
                add_unknown(trace, node.name);
            }
            add_traced(trace, std::move(*node.kernel));
        } else if (node.collective) {
            add_traced(trace, *node.collective);
        }
    }
    return trace;
}

}  // namespace

Result<OperatorTrace> execution_trace(const Json& document, const std::string& where) {
    const auto list = document.find("nodes");
    if (list == document.end() || !list->is_array()) {
        return input_error(where, "found no nodes, expected an execution trace");
    }
    std::vector<Node> nodes;
    for (const Json& json : *list) {
        if (json.is_object() && json.contains("id")) {
            nodes.push_back(node_of(json));
        }
    }
    return trace_of(nodes, where);
}

Result<Json> without_nodes(const std::string& text, const std::string& where,
                           std::optional<OperatorTrace>& trace) {
    std::vector<Node> nodes;
    bool within = false, any = false;
    const auto hear = [&](int depth, Json::parse_event_t event, Json& parsed) {
        if (depth == 1 && event == Json::parse_event_t::key) {
            within = parsed == "nodes";
            any = any || within;
        }
        if (!within || depth != 2 || event != Json::parse_event_t::object_end) {
            return true;
        }
        if (parsed.contains("id")) {
            nodes.push_back(node_of(parsed));
        }
        return false;
    };
    Json document = Json::parse(text, hear, false);
    if (document.is_object() && any) {
        auto found = trace_of(nodes, where);
        if (!found) {
            return tl::unexpected(found.error());
        }
        trace = std::move(*found);
    }
    return document;
}

}  // namespace ridgeline
