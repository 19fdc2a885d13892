#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

/// A node with bf16 tensors of those shapes, as JSON text.
inline nlohmann::json node(int id, int parent, const std::string& name, const char* shapes,
                           const char* results) {
    using Json = nlohmann::json;
    const auto part = [](const char* text) {
        Json out = Json::object();
        out["shapes"] = Json::parse(text);
        out["values"] = out["types"] = Json::array();
        for (std::size_t i = 0; i < out["shapes"].size(); ++i) {
            out["values"].push_back(Json::parse(R"([1, 1, 0, 1, 2, "cuda:0"])"));
            out["types"].push_back("Tensor(c10::BFloat16)");
        }
        return out;
    };
    Json out = Json::object();
    out["id"] = id;
    out["name"] = name;
    out["ctrl_deps"] = parent;
    out["inputs"] = part(shapes);
    out["outputs"] = part(results);
    out["attrs"] = Json::array();
    return out;
}

/// An execution trace of these.
inline nlohmann::json trace_of(const std::vector<nlohmann::json>& nodes) {
    using Json = nlohmann::json;
    Json out = Json::object();
    out["nodes"] = nodes;
    return out;
}
