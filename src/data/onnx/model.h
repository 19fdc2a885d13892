#pragma once

#include "base/result.h"
#include "data/onnx/wire.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ridgeline::onnx {

/// Numbers of a tensor that shapes may depend on are kept up to so many.
inline constexpr std::size_t most_values = 4096;

/// Types of elements by their number in onnx.proto.
enum class Element : int {
    none = 0,
    float32 = 1,
    uint8 = 2,
    int8 = 3,
    uint16 = 4,
    int16 = 5,
    int32 = 6,
    int64 = 7,
    text = 8,
    boolean = 9,
    float16 = 10,
    float64 = 11,
    uint32 = 12,
    uint64 = 13,
    bfloat16 = 16,
    float8_first = 17,
    float8_last = 20,
    uint4 = 21,
    int4 = 22,
    float4 = 23,
};
/// Bytes of an element; 0 for one of no fixed size.
double bytes_of(int type);
/// Whether a type is what networks compute in (float, half, fp8), not an index or a mask.
bool is_floating(int type);

/// A stored tensor: what it is, never its payload, unless a few whole numbers.
struct Stored {
    std::string name;
    int type = 0;
    std::vector<double> sides;
    std::vector<double> values;  ///< of whole and single numbers; empty: not kept
    std::uint64_t raw_bytes = 0;
    bool has_raw = false;
    std::string location;  ///< of a file beside the model; empty: none
    bool external = false;
};

struct Attribute {
    std::string name;
    double f = 0;
    double i = 0;
    std::string s;
    std::vector<double> ints;
    Stored tensor;
    bool graph = false;  ///< it holds a body
};

struct Node {
    std::string name;
    std::string type;
    std::string domain;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<Attribute> attributes;

    [[nodiscard]] const Attribute* attribute(std::string_view name) const;
    [[nodiscard]] double number(std::string_view name, double otherwise) const;
};

/// A stated side: a number, or a name that whoever runs it binds.
struct Side {
    double value = -1;  ///< -1: open
    std::string name;
};

struct Value {
    std::string name;
    int type = 0;
    bool has_shape = false;
    std::vector<Side> sides;
};

struct Model {
    std::vector<Node> nodes;
    std::vector<Stored> stored;
    std::vector<Value> inputs;
    std::vector<Value> outputs;
    std::vector<Value> stated;  ///< value_info: shapes that the exporter knew
};

/// Reads the graph of a ModelProto (onnx.proto). Payloads of weights are skipped and files beside
/// it are never opened.
///
/// errors  no ONNX model, damaged or cut off, a tensor whose payload is not of its size, more
///         operators than anybody's network has, an external path out of the model's folder
Result<Model> read_model(Bytes& bytes, const std::string& where);

}  // namespace ridgeline::onnx
