// The parts of onnx.proto (onnx/onnx, Apache 2.0) that memory and time depend on, by field number.
#include "data/onnx/model.h"

#include "base/text.h"
#include "data/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace ridgeline::onnx {
namespace {

constexpr std::size_t most_nodes = 50'000;
constexpr std::size_t most_names = 400'000;  // tensors of a graph
constexpr std::size_t most_sides = 64;
constexpr std::size_t most_edges = 4096;  // of one operator

/// Why a model is refused, with the operator or tensor that it is about.
struct Refused {
    std::string where;
    std::string why;
    std::string hint;
};

class GraphReader {
public:
    explicit GraphReader(Model& model) : model_(model) {}

    [[nodiscard]] const std::optional<Refused>& refused() const { return refused_; }

    void graph(Fields fields) {
        while (!refused_ && fields.next()) {
            if (!fields.has_length()) {
                continue;
            }
            switch (fields.number()) {
                case 1:
                    add(model_.nodes, most_nodes, node(fields.inside()), "operators");
                    break;
                case 5:
                    add(model_.stored, most_names, tensor(fields.inside()), "tensors");
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
                    add(model_.stored, most_names, sparse(fields.inside()), "tensors");
                    break;
                default:
                    break;
            }
        }
        check(fields, "graph");
    }

private:
    template <typename T>
    void add(std::vector<T>& list, std::size_t most, T entry, const char* what) {
        if (list.size() >= most) {
            refuse("graph", fmt::format("has more than {} {}", most, what));
            return;
        }
        list.push_back(std::move(entry));
    }

    void refuse(std::string where, std::string why, std::string hint = {}) {
        if (!refused_) {
            refused_ = Refused{std::move(where), std::move(why), std::move(hint)};
        }
    }

    void check(const Fields& fields, const std::string& where) {
        if (fields.damaged()) {
            refuse(where, "damaged or cut off");
        }
    }

    Node node(Fields fields) {
        Node node;
        while (fields.next()) {
            switch (fields.number()) {
                case 1:
                case 2: {
                    auto& list = fields.number() == 1 ? node.inputs : node.outputs;
                    if (list.size() >= most_edges) {
                        refuse(node.name, fmt::format("has more than {} tensors", most_edges));
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
        check(fields, fmt::format("operator \"{}\"", printable(node.name)));
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
                    out.tensor = tensor(fields.inside());
                    break;
                case 6:
                case 11:
                    out.graph = true;
                    break;
                case 7:
                    floats(fields, 4, out.ints);
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
        check(fields,
              fmt::format("attribute \"{}\" of \"{}\"", printable(out.name), printable(node.name)));
        return out;
    }

    /// Packed or single numbers of four or eight bytes.
    static void floats(const Fields& fields, std::uint64_t width, std::vector<double>& out) {
        if (!fields.has_length()) {
            out.push_back(width == 4 ? fields.float32() : std::bit_cast<double>(fields.value()));
            return;
        }
        for (std::uint64_t at = 0; at + width <= fields.length() && out.size() < most_values;
             at += width) {
            std::uint64_t bits = 0;
            for (std::uint64_t i = 0; i < width; ++i) {
                bits |= std::uint64_t{fields.bytes().at(fields.place() + at + i)} << (8 * i);
            }
            out.push_back(width == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                                     : std::bit_cast<double>(bits));
        }
    }

    /// Key and value of one entry of external_data.
    static void external(Fields fields, Stored& out) {
        std::string key;
        std::string text;
        while (fields.next()) {
            (fields.number() == 1 ? key : text) = fields.text();
        }
        if (key == "location") {
            out.location = text;
            out.external = true;
        }
    }

    Stored tensor(Fields fields) {
        Stored out;
        std::uint64_t raw_place = 0;
        while (fields.next()) {
            const auto take = [&out](std::int64_t each) {
                if (out.values.size() < most_values) {
                    out.values.push_back(static_cast<double>(each));
                }
            };
            switch (fields.number()) {
                case 1:
                    fields.integers(most_sides + 1, [&out](std::int64_t each) {
                        out.sides.push_back(static_cast<double>(each));
                    });
                    break;
                case 2:
                    out.type = static_cast<int>(std::clamp<std::int64_t>(fields.integer(), 0, 999));
                    break;
                case 4:
                    if (fields.length() <= 4 * 64) {
                        floats(fields, 4, out.values);
                    }
                    break;
                case 5:
                case 7:
                case 11:
                    fields.integers(most_values, take);
                    break;
                case 8:
                    out.name = fields.text();
                    break;
                case 9:
                    out.has_raw = true;
                    out.raw_bytes = fields.length();
                    raw_place = fields.place();
                    break;
                case 10:
                    if (fields.length() <= 8 * 64) {
                        floats(fields, 8, out.values);
                    }
                    break;
                case 13:
                    external(fields.inside(), out);
                    break;
                case 14:
                    out.external = out.external || fields.value() == 1;
                    break;
                default:
                    break;
            }
            if (out.sides.size() > most_sides) {
                refuse(name_of(out), fmt::format("has more than {} dimensions", most_sides));
                return out;
            }
        }
        check(fields, name_of(out));
        settle(out, fields.bytes(), raw_place);
        return out;
    }

    static std::string name_of(const Stored& tensor) {
        return tensor.name.empty() ? "a stored tensor"
                                   : fmt::format("tensor \"{}\"", printable(tensor.name));
    }

    /// Checks the size of a payload and takes the numbers of a small one.
    void settle(Stored& out, Bytes& bytes, std::uint64_t raw_place) {
        double elements = 1;
        for (const double side : out.sides) {
            if (side < 0) {
                refuse(name_of(out), fmt::format("has a side of {}", side));
                return;
            }
            elements *= side;
        }
        constexpr double most_elements = 1e13;
        if (!(elements <= most_elements)) {
            refuse(name_of(out), fmt::format("has {:.3g} elements", elements));
            return;
        }
        const double width = bytes_of(out.type);
        if (out.external) {
            check_external(out);
            return;
        }
        if (!out.has_raw) {
            // Numbers in fields of their own: as many as elements, or the list is not complete.
            if (static_cast<double>(out.values.size()) != elements) {
                out.values.clear();
            }
            return;
        }
        if (width > 0 && static_cast<double>(out.raw_bytes) != std::ceil(elements * width)) {
            refuse(name_of(out),
                   fmt::format("states {:.0f} elements, which take {:.0f} bytes, and holds {}",
                               elements,
                               std::ceil(elements * width),
                               out.raw_bytes));
            return;
        }
        const bool whole = out.type == static_cast<int>(Element::int64) ||
                           out.type == static_cast<int>(Element::int32);
        const bool single = elements <= 64 && (out.type == static_cast<int>(Element::float32) ||
                                               out.type == static_cast<int>(Element::boolean) ||
                                               out.type == static_cast<int>(Element::float64));
        out.values.clear();
        if ((whole && elements <= most_values) || single) {
            for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(elements); ++i) {
                out.values.push_back(
                    element(bytes, raw_place + i * static_cast<std::uint64_t>(width), out.type));
            }
        }
    }

    static double element(Bytes& bytes, std::uint64_t place, int type) {
        std::uint64_t bits = 0;
        const auto width = static_cast<std::uint64_t>(bytes_of(type));
        for (std::uint64_t i = 0; i < width; ++i) {
            bits |= std::uint64_t{bytes.at(place + i)} << (8 * i);
        }
        switch (static_cast<Element>(type)) {
            case Element::float32:
                return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
            case Element::float64:
                return std::bit_cast<double>(bits);
            case Element::int32:
                return static_cast<std::int32_t>(bits);
            case Element::boolean:
                return bits != 0 ? 1 : 0;
            default:
                return static_cast<double>(static_cast<std::int64_t>(bits));
        }
    }

    /// Nobody opens the file; a path that leaves the folder marks a file made to be opened.
    void check_external(const Stored& out) {
        const bool absolute = out.location.starts_with('/') || out.location.starts_with('\\') ||
                              out.location.find(':') != std::string::npos;
        bool climbs = false;
        std::string piece;
        for (const char c : out.location + "/") {
            if (c == '/' || c == '\\') {
                climbs = climbs || piece == "..";
                piece.clear();
            } else {
                piece += c;
            }
        }
        if (absolute || climbs) {
            refuse(name_of(out),
                   fmt::format("lies in \"{}\", outside of the model's folder",
                               printable(out.location)));
        }
    }

    /// SparseTensorProto: what is not zero, and the sides of the whole.
    Stored sparse(Fields fields) {
        Stored out;
        std::vector<double> sides;
        while (fields.next()) {
            if (fields.number() == 1 && fields.has_length()) {
                out = tensor(fields.inside());
            } else if (fields.number() == 3) {
                fields.integers(most_sides, [&sides](std::int64_t each) {
                    sides.push_back(static_cast<double>(std::max<std::int64_t>(each, 0)));
                });
            }
        }
        out.sides = sides;
        out.values.clear();
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
        check(fields, fmt::format("value \"{}\"", printable(out.name)));
        return out;
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
                    Side side;
                    Fields parts = shape.inside();
                    while (parts.next()) {
                        if (parts.number() == 1) {
                            side.value = static_cast<double>(parts.integer());
                        } else if (parts.number() == 2) {
                            side.name = parts.text(256);
                        }
                    }
                    if (out.sides.size() >= most_sides) {
                        refuse(fmt::format("value \"{}\"", printable(out.name)),
                               fmt::format("has more than {} dimensions", most_sides));
                        return;
                    }
                    out.sides.push_back(std::move(side));
                }
            }
        }
    }

    Model& model_;
    std::optional<Refused> refused_;
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
    const auto found = std::find_if(attributes.begin(),
                                    attributes.end(),
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
                           reader.refused()->why,
                           reader.refused()->hint);
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
