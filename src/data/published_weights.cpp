#include "data/published_weights.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace ridgeline {

std::string published_quantization(const std::filesystem::path& profiles_folder,
                                   std::string_view id) {
    std::ifstream file(profiles_folder / "models" / (std::string(id) + ".json"));
    const auto model = nlohmann::json::parse(file, nullptr, false);
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
