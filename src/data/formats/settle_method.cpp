// Method, adapters and quantisation, which a tool says in separate keys.
#include "base/text.h"
#include "data/formats/importer.h"
#include "data/formats/target_pattern.h"

#include <string>
#include <vector>

namespace ridgeline {

/// A regular expression over modules becomes the projections that it names.
void Importer::settle_targets() {
    const auto targets = out_.options.find("targets");
    if (targets == out_.options.end() || !is_target_pattern(targets->second) || mains_.empty()) {
        return;
    }
    const std::vector<std::string> words = projections_of(targets->second);
    out_.files[mains_.back().file].unknown.push_back(
        {"targets", targets->second,
         words.empty() ? "an expression that is not read"
                       : "an expression: these projections of every layer of the language model"});
    if (words.empty()) {
        out_.options.erase(targets);
    } else {
        targets->second = joined(words, ",");
    }
}

/// Method, adapters and quantisation agree: a tool says them in separate keys.
void Importer::settle_method() {
    auto& options = out_.options;
    settle_targets();
    if (terms_.count("@targets.attention") > 0) {
        std::string all;
        for (const std::string& each : split(terms_["@targets.attention"], ',')) {
            append(all, ",", each == "output_proj" ? std::string("o_proj") : each);
        }
        all += terms_["@targets.mlp"] == "true" ? ",gate_proj,up_proj,down_proj" : "";
        all += terms_["@targets.output"] == "true" ? ",lm_head" : "";
        options["targets"] = all.front() == ',' ? all.substr(1) : all;
    }
    if (options.count("task") > 0 && options["task"] == "inference") {
        for (const char* of_training :
             {"method", "rank", "targets", "lora-variant", "lora-dropout"}) {
            options.erase(of_training);
        }
        return;
    }
    // LitGPT says of each projection whether it has an adapter.
    std::string adapted;
    for (const auto& [name, value] : terms_) {
        if (name.rfind("@target.", 0) == 0 && value == "true") {
            append(adapted, ",", name.substr(8));
        }
    }
    if (!adapted.empty() && options.count("targets") == 0) {
        options["targets"] = adapted;
    }
    const bool quantized = options.count("quantization") > 0 && options["quantization"] != "none";
    if (quantized && options["quantization"] != "nf4" && options["quantization"] != "fp4") {
        options.erase("double-quantization");  // bitsandbytes reads it of 4 bits alone
    }
    const auto method = options.find("method");
    if (method != options.end() && method->second == "lora" && quantized) {
        method->second = "qlora";
    } else if (method != options.end() && method->second == "lora") {
        options.erase("double-quantization");
    } else if (method != options.end() && method->second == "full") {
        for (const char* of_adapters : {"rank", "targets", "lora-variant", "lora-dropout",
                                        "quantization", "double-quantization"}) {
            options.erase(of_adapters);
        }
    }
}

}  // namespace ridgeline
