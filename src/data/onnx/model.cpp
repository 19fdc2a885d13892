// The parts of onnx.proto (onnx/onnx, Apache 2.0) that memory and time depend on, by field number.
#include "data/onnx/model.h"

#include "data/onnx/stored.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::onnx {
namespace {

constexpr std::size_t most_nodes = 50'000;
constexpr std::size_t most_names = 400'000;  // tensors of a graph
constexpr std::size_t most_edges = 4096;     // of one operator

class GraphReader {
public:
    explicit GraphReader(Model& model) : model_(model) {}

    [[nodiscard]] const std::optional<Refusal::Reason>& refused() const {
        return refusal_.reason();
    }

    void graph(Fields fields) {
        while (!refused() && fields.next()) {
            if (!fields.has_length()) {
                continue;
            }
            switch (fields.number()) {
                case 1:
                    add(model_.nodes, most_nodes, node(fields.inside()), "operators");
                    break;
                case 5:
                    add(model_.stored, most_names, read_tensor(fields.inside(), refusal_),
                        "tensors");
                    break;
                case 11:
                    add(model_.inputs, most_names, value(fields.inside()), "inputs");
                    break;
                case 12:
                    add(model_.outputs, most_names, value(fields.inside()), "outputs");
                    break;
                case 13:
                    add(model_.stated, most_names, value(fields.inside()), "tensors");
                    break;
                case 15:
                    add(model_.stored, most_names, read_sparse_tensor(fields.inside(), refusal_),
                        "tensors");
                    break;
                default:
                    break;
            }
        }
        refusal_.check(fields, "graph");
    }

private:
    template <typename T>
    void add(std::vector<T>& list, std::size_t most, T entry, const char* what) {
        if (list.size() >= most) {
            refusal_.refuse("graph", fmt::format("has more than {} {}", most, what));
            return;
        }
        list.push_back(std::move(entry));
    }

    Node node(Fields fields) {
        Node node;
        while (fields.next()) {
            switch (fields.number()) {
                case 1:
                case 2: {
                    auto& list = fields.number() == 1 ? node.inputs : node.outputs;
                    if (list.size() >= most_edges) {
                        refusal_.refuse(node.name,
                                        fmt::format("has more than {} tensors", most_edges));
                        return node;
                    }
                    list.push_back(fields.text());
                    break;
                }
                case 3:
                    node.name = fields.text();
                    break;
                case 4:
                    node.type = fields.text(256);
                    break;
                case 5:
                    if (node.attributes.size() < 256) {
                        node.attributes.push_back(attribute(fields.inside(), node));
                    }
                    break;
                case 7:
                    node.domain = fields.text(256);
                    break;
                default:
                    break;
            }
        }
        if (node.name.empty()) {
            node.name = node.outputs.empty() ? node.type : node.outputs.front();
        }
        refusal_.check(fields, fmt::format("operator \"{}\"", printable(node.name)));
        return node;
    }

    Attribute attribute(Fields fields, const Node& node) {
        Attribute out;
        while (fields.next()) {
            switch (fields.number()) {
                case 1:
                    out.name = fields.text(256);
                    break;
                case 2:
                    out.f = fields.float32();
                    break;
                case 3:
                    out.i = static_cast<double>(fields.integer());
                    break;
                case 4:
                    out.s = fields.text(256);
                    break;
                case 5:
                    out.tensor = read_tensor(fields.inside(), refusal_);
                    break;
                case 6:
                case 11:
                    out.graph = true;
                    break;
                case 7:
                    add_floats(fields, 4, out.ints);
                    break;
                case 8:
                    fields.integers(most_values - std::min(most_values, out.ints.size()),
                                    [&out](std::int64_t each) {
                                        out.ints.push_back(static_cast<double>(each));
                                    });
                    break;
                default:
                    break;
            }
        }
        refusal_.check(fields, fmt::format("attribute \"{}\" of \"{}\"", printable(out.name),
                                           printable(node.name)));
        return out;
    }

    Value value(Fields fields) {
        Value out;
        while (fields.next()) {
            if (fields.number() == 1) {
                out.name = fields.text();
            } else if (fields.number() == 2 && fields.has_length()) {
                Fields type = fields.inside();
                while (type.next()) {
                    if (type.number() == 1 && type.has_length()) {
                        tensor_type(type.inside(), out);
                    }
                }
            }
        }
        refusal_.check(fields, fmt::format("value \"{}\"", printable(out.name)));
        return out;
    }

    static Side side_of(Fields parts) {
        Side side;
        while (parts.next()) {
            if (parts.number() == 1) {
                side.value = static_cast<double>(parts.integer());
            } else if (parts.number() == 2) {
                side.name = parts.text(256);
            }
        }
        return side;
    }

    void tensor_type(Fields fields, Value& out) {
        while (fields.next()) {
            if (fields.number() == 1) {
                out.type = static_cast<int>(std::clamp<std::int64_t>(fields.integer(), 0, 999));
            } else if (fields.number() == 2 && fields.has_length()) {
                out.has_shape = true;
                Fields shape = fields.inside();
                while (shape.next()) {
                    if (shape.number() != 1 || !shape.has_length()) {
                        continue;
                    }
                    if (out.sides.size() >= most_sides) {
                        refusal_.refuse(fmt::format("value \"{}\"", printable(out.name)),
                                        fmt::format("has more than {} dimensions", most_sides));
                        return;
                    }
                    out.sides.push_back(side_of(shape.inside()));
                }
            }
        }
    }

    Model& model_;
    Refusal refusal_;
};

}  // namespace

double bytes_of(int type) {
    switch (static_cast<Element>(type)) {
        case Element::float32:
        case Element::int32:
        case Element::uint32:
            return 4;
        case Element::int64:
        case Element::uint64:
        case Element::float64:
            return 8;
        case Element::uint16:
        case Element::int16:
        case Element::float16:
        case Element::bfloat16:
            return 2;
        case Element::uint8:
        case Element::int8:
        case Element::boolean:
            return 1;
        case Element::uint4:
        case Element::int4:
        case Element::float4:
            return 0.5;
        default:
            return type >= static_cast<int>(Element::float8_first) &&
                           type <= static_cast<int>(Element::float8_last)
                       ? 1
                       : 0;
    }
}

bool is_floating(int type) {
    switch (static_cast<Element>(type)) {
        case Element::none:
        case Element::float32:
        case Element::float16:
        case Element::float64:
        case Element::bfloat16:
        case Element::float4:
            return true;
        default:
            return type >= static_cast<int>(Element::float8_first) &&
                   type <= static_cast<int>(Element::float8_last);
    }
}

const Attribute* Node::attribute(std::string_view wanted) const {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [wanted](const auto& each) { return each.name == wanted; });
    return found == attributes.end() ? nullptr : &*found;
}

double Node::number(std::string_view wanted, double otherwise) const {
    const Attribute* found = attribute(wanted);
    return found == nullptr ? otherwise : found->i;
}

Result<Model> read_model(Bytes& bytes, const std::string& where) {
    Model model;
    GraphReader reader(model);
    bool graph = false;
    bool version = false;
    Fields fields(bytes);
    while (!reader.refused() && fields.next()) {
        version = version || fields.number() == 1;
        if (fields.number() == 7 && fields.has_length()) {
            graph = true;
            reader.graph(fields.inside());
        }
    }
    if (reader.refused()) {
        return input_error(fmt::format("{}: {}", where, reader.refused()->where),
                           reader.refused()->why);
    }
    if (!graph || !version) {
        return input_error(where,
                           fields.damaged() ? "found no ONNX model, or one that is cut off"
                                            : "found no ONNX model",
                           "Expected a file that torch.onnx.export or another exporter wrote.");
    }
    if (fields.damaged()) {
        return input_error(where, "damaged or cut off");
    }
    return model;
}

}  // namespace ridgeline::onnx
