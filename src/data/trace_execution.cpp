#include "data/load_trace.h"
#include "data/torch_operators.h"
#include "data/traced_operator.h"
#include "data/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

/// A node of the trace: a call, and what it stands in.
struct Node {
    const Json* json = nullptr;
    double id = 0;
    std::size_t parent = 0;
    bool has_parent = false;
    bool backward = false;
    bool optimizer = false;
    bool ran = false;  ///< it or one below it runs a kernel
    std::optional<TracedOperator> kernel;
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
        char* end = nullptr;
        const std::string& text = json->get_ref<const std::string&>();
        const double value = std::strtod(text.c_str(), &end);
        return end != text.c_str() ? value : otherwise;
    }
    return otherwise;
}

/// "Tensor(c10::BFloat16)" to "c10::BFloat16"; empty for anything else.
std::string element_of(const std::string& type) {
    return type.rfind("Tensor(", 0) == 0 && type.back() == ')' ? type.substr(7, type.size() - 8)
                                                               : "";
}

/// Sizes, strides where the trace has them, type, and the value with the device as its last word.
bool tensor_of(const Json& sizes,
               const Json* strides,
               const std::string& type,
               const Json& value,
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
        out.on_card = value.back().get_ref<const std::string&>().rfind("cpu", 0) != 0;
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
        } else if (type.rfind("GenericList[", 0) == 0 &&
                   type.find("Tensor(") != std::string::npos) {
            const std::string inner = list_element(type);
            for (std::size_t j = 0; shape.is_array() && j < shape.size(); ++j) {
                TracedTensor tensor;
                if (shape[j].is_array() && tensor_of(shape[j],
                                                     &at_or(stride, j, nothing),
                                                     inner,
                                                     at_or(value, j, nothing),
                                                     tensor)) {
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

/// Bytes of an element by the name that collectives have for it.
double bytes_of_collective(const std::string& type) {
    constexpr std::array<std::pair<std::string_view, double>, 8> rows = {{{"BFloat16", 2},
                                                                          {"Half", 2},
                                                                          {"Double", 8},
                                                                          {"Long", 8},
                                                                          {"Byte", 1},
                                                                          {"Bool", 1},
                                                                          {"Char", 1},
                                                                          {"Float", 4}}};
    for (const auto& [name, bytes] : rows) {
        if (type == name) {
            return bytes;
        }
    }
    return 4;
}

void add_collective(OperatorTrace& trace, const Json& node) {
    const Json* name = attribute(node, "collective_name");
    const Json* type = attribute(node, "dtype");
    const std::string kind = type != nullptr && type->is_string() ? type->get<std::string>() : "";
    const double in = number_of(attribute(node, "in_msg_nelems"), 0);
    const double out = number_of(attribute(node, "out_msg_nelems"), 0);
    const double ranks = number_of(attribute(node, "pg_size"), 0);
    const bool sane = in >= 0 && in <= most_elements && out >= 0 && out <= most_elements &&
                      ranks >= 0 && ranks <= 1e6;
    if (name == nullptr || !name->is_string() || !sane) {
        return;
    }
    if (const auto found = traced_collective(name->get<std::string>(),
                                             in,
                                             out,
                                             bytes_of_collective(kind),
                                             static_cast<int>(ranks))) {
        add_traced(trace, *found);
    }
}

/// The nodes by their number, each after the one that it stands in: calls are numbered when they
/// begin and written when they end.
std::vector<Node> nodes_of(const Json& list) {
    std::vector<Node> nodes;
    nodes.reserve(list.size());
    for (const Json& json : list) {
        if (json.is_object() && json.contains("id")) {
            Node node;
            node.json = &json;
            node.id = number_of(&json["id"], -1);
            nodes.push_back(std::move(node));
        }
    }
    std::stable_sort(
        nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.id < b.id; });
    std::unordered_map<double, std::size_t> places;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = nodes[i];
        const auto parent = node.json->find("ctrl_deps");
        const auto found = places.find(parent != node.json->end() ? number_of(&*parent, -1) : -1);
        if (found != places.end()) {
            node.has_parent = true;
            node.parent = found->second;
            node.backward = nodes[node.parent].backward;
            node.optimizer = nodes[node.parent].optimizer;
        }
        const std::string name = text_at(*node.json, "name");
        node.backward = node.backward || name.rfind("autograd::engine::evaluate", 0) == 0;
        node.optimizer = node.optimizer || name.rfind("Optimizer.step", 0) == 0;
        places.emplace(node.id, i);
    }
    return nodes;
}

/// The kernel of a call, nothing where it has none.
Result<std::optional<TracedOperator>> kernel_of(const Node& node,
                                                const std::string& where,
                                                OperatorTrace& trace) {
    TracedCall call;
    call.name = text_at(*node.json, "name");
    call.backward = node.backward;
    call.optimizer = node.optimizer;
    if (!names_operator(call.name)) {
        return std::optional<TracedOperator>();
    }
    if (!arguments_of(*node.json, "inputs", call.inputs) ||
        !arguments_of(*node.json, "outputs", call.outputs)) {
        return input_error(
            where, fmt::format("node {} ({}) has sizes that are no shape", node.id, call.name));
    }
    bool known = true;
    auto op = traced_operator(call, known);
    if (op && !known) {
        trace.unknown += 1;
        auto& names = trace.unknown_names;
        if (std::find(names.begin(), names.end(), call.name) == names.end()) {
            names.push_back(call.name);
        }
    }
    return op;
}

}  // namespace

Result<OperatorTrace> execution_trace(const Json& document, const std::string& where) {
    const auto nodes = document.find("nodes");
    if (nodes == document.end() || !nodes->is_array()) {
        return input_error(where, "found no nodes, expected an execution trace");
    }
    OperatorTrace trace;
    trace.form = "execution trace";
    std::vector<Node> calls = nodes_of(*nodes);
    // A call whose inner calls only make views and room is the kernel; else they are.
    for (std::size_t i = calls.size(); i-- > 0;) {
        Node& node = calls[i];
        if (text_at(*node.json, "name") == "record_param_comms") {
            node.ran = true;
        } else if (!node.ran) {
            auto kernel = kernel_of(node, where, trace);
            if (!kernel) {
                return tl::unexpected(kernel.error());
            }
            node.kernel = std::move(*kernel);
            node.ran = node.kernel.has_value();
        }
        if (node.has_parent && node.ran) {
            calls[node.parent].ran = true;
        }
    }
    for (Node& node : calls) {
        if (node.kernel) {
            add_traced(trace, std::move(*node.kernel));
        } else if (text_at(*node.json, "name") == "record_param_comms") {
            add_collective(trace, *node.json);
        }
    }
    return trace;
}

}  // namespace ridgeline
