#include "data/load_onnx.h"

#include "base/text.h"
#include "data/onnx/model.h"
#include "data/onnx/shapes.h"
#include "data/reader.h"
#include "spec/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace ridgeline {
namespace {

/// The type that most stored numbers have: what the graph computes in unless told otherwise.
std::string_view type_of(const onnx::Model& model) {
    std::map<int, double> elements;
    for (const onnx::Stored& stored : model.stored) {
        double count = 1;
        for (const double side : stored.sides) {
            count *= side;
        }
        elements[stored.type] += count;
    }
    // Indices and shapes are whole numbers of 8 bytes: they never decide.
    elements.erase(static_cast<int>(onnx::Element::int64));
    const auto most = std::ranges::max_element(
        elements, [](const auto& a, const auto& b) { return a.second < b.second; });
    switch (most == elements.end() ? onnx::Element::none
                                   : static_cast<onnx::Element>(most->first)) {
        case onnx::Element::float16:
            return "fp16";
        case onnx::Element::bfloat16:
            return "bf16";
        case onnx::Element::int8:
        case onnx::Element::uint8:
            return "int8";
        default:
            return "fp32";
    }
}

Result<Architecture> architecture_from(onnx::Bytes& bytes, const std::string& where,
                                       const std::string& name,
                                       const std::vector<GivenShape>& shapes) {
    const auto model = onnx::read_model(bytes, where);
    if (!model) {
        return tl::unexpected(model.error());
    }
    auto graph = onnx::shaped(*model, shapes, where);
    if (!graph) {
        return tl::unexpected(graph.error());
    }
    Architecture architecture;
    architecture.kind = ModelKind::image;
    architecture.has_head = false;
    architecture.model_type = "onnx";
    architecture.id = architecture.name = name;
    architecture.source = where;
    architecture.network.emplace();
    architecture.network->type = "onnx";
    architecture.network->words.emplace_back("type", type_of(*model));
    architecture.network->numbers.emplace_back("samples", std::vector<double>{graph->samples});
    architecture.graph = std::make_shared<const GraphNetwork>(std::move(*graph));
    return architecture;
}

}  // namespace

Result<GivenShape> shape_from_text(const std::string& text) {
    const auto wrong = [&text](std::string why) {
        return usage_error("--shape", fmt::format("found \"{}\", {}", printable(text), why),
                           "Example: --shape input=1x3x224x224.");
    };
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        return wrong("expected the name of an input and its sides");
    }
    GivenShape shape;
    shape.input = text.substr(0, equals);
    std::string sides = text.substr(equals + 1);
    std::replace(sides.begin(), sides.end(), ',', 'x');
    for (const std::string& piece : split(sides, 'x')) {
        const auto side = number_with_suffix(piece);
        if (!side || !(*side >= 1 && *side <= 1e9) || *side != std::floor(*side)) {
            return wrong(fmt::format("expected sides from 1 to 1e9, not \"{}\"", printable(piece)));
        }
        shape.sides.push_back(*side);
    }
    return shape;
}

Result<Architecture> load_onnx(const TreePath& file, const std::vector<GivenShape>& shapes) {
    const auto size = file.size();
    if (!size) {
        return tl::unexpected(size.error());
    }
    onnx::Bytes bytes(file, *size);
    return architecture_from(bytes, file.string(), file.stem(), shapes);
}

Result<Architecture> onnx_from_text(std::string_view text, const std::string& where,
                                    const std::vector<GivenShape>& shapes) {
    onnx::Bytes bytes(text);
    return architecture_from(bytes, where, where, shapes);
}

}  // namespace ridgeline
