#include "data/onnx/stored.h"

#include "data/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>

namespace ridgeline::onnx {
namespace {

/// Key and value of one entry of external_data.
void read_external(Fields fields, Stored& out) {
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

void read_field(const Fields& fields, Stored& out) {
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
                add_floats(fields, 4, out.values);
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
            break;
        case 10:
            if (fields.length() <= 8 * 64) {
                add_floats(fields, 8, out.values);
            }
            break;
        case 13:
            read_external(fields.inside(), out);
            break;
        case 14:
            out.external = out.external || fields.value() == 1;
            break;
        default:
            break;
    }
}

std::string name_of(const Stored& tensor) {
    return tensor.name.empty() ? "a stored tensor"
                               : fmt::format("tensor \"{}\"", printable(tensor.name));
}

/// Of all sides; none where they are no sides of a tensor.
std::optional<double> elements_of(const Stored& tensor, Refusal& refusal) {
    constexpr double most_stored = 1e13;
    double elements = 1;
    for (const double side : tensor.sides) {
        if (side < 0) {
            refusal.refuse(name_of(tensor), fmt::format("has a side of {}", side));
            return std::nullopt;
        }
        elements *= side;
    }
    if (!(elements <= most_stored)) {
        refusal.refuse(name_of(tensor), fmt::format("has {:.3g} elements", elements));
        return std::nullopt;
    }
    return elements;
}

double element(Bytes& bytes, std::uint64_t place, int type) {
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
void check_external(const Stored& out, Refusal& refusal) {
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
        refusal.refuse(name_of(out), fmt::format("lies in \"{}\", outside of the model's folder",
                                                 printable(out.location)));
    }
}

/// Checks the size of a payload and takes the numbers of a small one.
void settle_payload(Stored& out, Bytes& bytes, std::uint64_t raw_place, Refusal& refusal) {
    const auto counted = elements_of(out, refusal);
    if (!counted) {
        return;
    }
    const double elements = *counted;
    const double width = bytes_of(out.type);
    if (out.external) {
        check_external(out, refusal);
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
        refusal.refuse(name_of(out),
                       fmt::format("states {:.0f} elements, which take {:.0f} bytes, and holds {}",
                                   elements, std::ceil(elements * width), out.raw_bytes));
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

}  // namespace

void add_floats(const Fields& fields, std::uint64_t width, std::vector<double>& out) {
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

Stored read_tensor(Fields fields, Refusal& refusal) {
    Stored out;
    std::uint64_t raw_place = 0;
    while (fields.next()) {
        read_field(fields, out);
        if (fields.number() == 9) {
            raw_place = fields.place();
        }
        if (out.sides.size() > most_sides) {
            refusal.refuse(name_of(out), fmt::format("has more than {} dimensions", most_sides));
            return out;
        }
    }
    refusal.check(fields, name_of(out));
    settle_payload(out, fields.bytes(), raw_place, refusal);
    return out;
}

/// SparseTensorProto: what is not zero, and the sides of the whole.
Stored read_sparse_tensor(Fields fields, Refusal& refusal) {
    Stored out;
    std::vector<double> sides;
    while (fields.next()) {
        if (fields.number() == 1 && fields.has_length()) {
            out = read_tensor(fields.inside(), refusal);
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

}  // namespace ridgeline::onnx
