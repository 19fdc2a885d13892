#include "data/published_weights.h"

#include <nlohmann/json.hpp>

namespace ridgeline {

std::string published_quantization(const TreePath& profiles_folder,
                                   std::string_view id) {
    const auto text = (profiles_folder / "models" / (std::string(id) + ".json")).read();
    const auto model = nlohmann::json::parse(text.value_or(std::string()), nullptr, false);
    if (!model.is_object() || !model.contains("quantization") ||
        !model["quantization"].is_string()) {
        return {};
    }
    const auto said = model["quantization"].get<std::string>();
    if (said.starts_with("mxfp4")) {
        return "mxfp4";
    }
    return said.starts_with("fp8") ? "fp8-block" : "";
}

}  // namespace ridgeline
