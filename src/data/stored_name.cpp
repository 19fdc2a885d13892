#include "data/stored_name.h"

#include "base/lists.h"
#include "base/text.h"
#include "spec/words.h"

#include <utility>

namespace ridgeline {
namespace {

using NamedType = std::pair<std::string_view, std::string_view>;

/// Words at the end of a name and the type of storage that they mean.
constexpr NamedType named_types[] = {
    {"awq", "awq-int4"}, {"gptq", "gptq-int4"}, {"fp8", "fp8"},         {"nvfp4", "nvfp4"},
    {"fp4", "nvfp4"},    {"mxfp4", "mxfp4"},    {"w8a8", "int8"},       {"w8a16", "int8"},
    {"int8", "int8"},    {"8bit", "int8"},      {"w4a16", "gptq-int4"}, {"int4", "int4"},
    {"4bit", "int4"},    {"bnb", "nf4"},
};

/// Mixtures of llama.cpp's types by others (Unsloth's dynamic "UD-Q4_K_XL", bartowski's "Q4_K_L"):
/// the type of llama.cpp whose files are nearest in size. Assumed: each tensor's type is theirs.
constexpr NamedType mixtures[] = {
    {"q2_k_l", "q2_k"},    {"q2_k_xl", "q2_k"},  {"q3_k_xl", "q3_k_l"}, {"q4_k_l", "q4_k_m"},
    {"q4_k_xl", "q4_k_m"}, {"q5_k_l", "q5_k_m"}, {"q5_k_xl", "q5_k_m"}, {"q6_k_l", "q6_k"},
    {"q6_k_xl", "q6_k"},   {"q8_k_xl", "q8_0"},
};

/// Words beside those that say nothing of the type.
constexpr std::string_view beside_types[] = {"dynamic", "quantized", "kv",    "ud",
                                             "qat",     "unsloth",   "marlin"};

/// What llama.cpp fetches of a GGUF repository when no type is asked for.
constexpr std::string_view usual_gguf = "q4_k_m";

/// Of two words about one type the one that settles it: "bnb-4bit", "gptq-int8".
std::string settled(const std::string& before, const std::string& now) {
    if (before.empty() || before == now) {
        return now;
    }
    const auto either = [&](std::string_view word) { return before == word || now == word; };
    if (either("nf4")) {
        return either("int8") ? "int8" : "nf4";
    }
    if (either("gptq-int4") || either("awq-int4")) {
        return either("int8") ? "int8" : either("gptq-int4") ? "gptq-int4" : "awq-int4";
    }
    return before;
}

std::string stored_type(const std::string& word) {
    for (const auto& [name, type] : named_types) {
        if (word == name) {
            return std::string(type);
        }
    }
    for (const auto& [name, type] : mixtures) {
        if (word == name) {
            return std::string(type);
        }
    }
    const auto known = quantization_words();
    const bool gguf = word.find('_') != std::string::npos && is_among(word, known);
    return gguf ? word : "";
}

}  // namespace

StoredName stored_name(std::string_view id) {
    StoredName stored{lower(id), ""};
    std::string& name = stored.model;
    bool gguf = false;
    for (const std::string_view joined : {".w8a8", ".w4a16", ".w8a16"}) {
        if (name.ends_with(joined)) {
            name[name.size() - joined.size()] = '-';
        }
    }
    while (true) {
        const std::size_t mark = name.find_last_of("-:/");
        if (mark == std::string::npos || name[mark] == '/') {
            break;
        }
        const std::string word = name.substr(mark + 1);
        const std::string type = stored_type(word);
        const bool beside = is_among(word, beside_types);
        if (type.empty() && !beside && word != "gguf") {
            break;
        }
        gguf = gguf || word == "gguf";
        stored.quantization =
            type.empty() ? stored.quantization : settled(stored.quantization, type);
        name.resize(mark);
    }
    if (gguf && stored.quantization.empty()) {
        stored.quantization = usual_gguf;
    }
    if (stored.quantization.empty()) {
        stored.model = lower(id);
    }
    return stored;
}

}  // namespace ridgeline
