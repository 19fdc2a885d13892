#include "data/formats/weight_header.h"

#include "data/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace ridgeline {
namespace {

using Json = nlohmann::json;

struct Tensor {
    std::string name;
    std::vector<double> shape;
    double count = 1;
    double last = -1;
    int type = -1;  ///< of GGUF, enum ggml_type
};

/// Numbers of a header are those of strangers.
std::optional<double> size_in(const Json& value) {
    const double size = value.is_number() ? value.get<double>() : 0;
    return size >= 1 && size <= 1e12 ? std::optional(size) : std::nullopt;
}

std::vector<Tensor> tensors_of(const Json& tree) {
    std::vector<Tensor> tensors;
    for (const Json& row : tree["tensors"]) {
        if (!row.is_object() || !row.contains("name") || !row["name"].is_string()) {
            continue;
        }
        Tensor& tensor = tensors.emplace_back();
        tensor.name = row["name"].get<std::string>();
        tensor.count = row.contains("count") ? size_in(row["count"]).value_or(1) : 1;
        tensor.type =
            row.contains("type") && row["type"].is_number_integer() ? row["type"].get<int>() : -1;
        tensor.last =
            row.contains("last") && row["last"].is_number() ? row["last"].get<double>() : -1;
        for (const Json& side : row.value("shape", Json::array())) {
            tensor.shape.push_back(size_in(side).value_or(1));
        }
    }
    return tensors;
}

double parameters_of(const std::vector<Tensor>& tensors) {
    double all = 0;
    for (const Tensor& tensor : tensors) {
        double size = tensor.count;
        for (const double side : tensor.shape) {
            size *= side;
        }
        all += size;
    }
    return all;
}

const Tensor* tensor_named(const std::vector<Tensor>& tensors, std::string_view name) {
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [name](const Tensor& tensor) { return tensor.name == name; });
    return found == tensors.end() ? nullptr : &*found;
}

/// llama.cpp's names of architectures, LLM_ARCH_NAMES of src/llama-arch.cpp, and Hugging Face's.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> architectures = {{
    {"llama", "llama"},        {"mistral3", "mistral"},      {"qwen2", "qwen2"},
    {"qwen2moe", "qwen2_moe"}, {"qwen3", "qwen3"},           {"qwen3moe", "qwen3_moe"},
    {"gemma", "gemma"},        {"gemma2", "gemma2"},         {"gemma3", "gemma3_text"},
    {"phi3", "phi3"},          {"olmo2", "olmo2"},           {"olmoe", "olmoe"},
    {"granite", "granite"},    {"starcoder2", "starcoder2"}, {"stablelm", "stablelm"},
    {"command-r", "cohere"},   {"cohere2", "cohere2"},       {"gpt-oss", "gpt_oss"},
    {"glm4", "glm4"},          {"smollm3", "smollm3"},
}};

/// general.file_type, enum llama_ftype of include/llama.h.
constexpr std::array<std::pair<int, std::string_view>, 30> file_types = {{
    {0, "none"},    {1, "none"},     {2, "q4_0"},    {3, "q4_1"},    {7, "q8_0"},
    {8, "q5_0"},    {9, "q5_1"},     {10, "q2_k"},   {11, "q3_k_s"}, {12, "q3_k_m"},
    {13, "q3_k_l"}, {14, "q4_k_s"},  {15, "q4_k_m"}, {16, "q5_k_s"}, {17, "q5_k_m"},
    {18, "q6_k"},   {19, "iq2_xxs"}, {20, "iq2_xs"}, {22, "iq3_xs"}, {23, "iq3_xxs"},
    {24, "iq1_s"},  {25, "iq4_nl"},  {26, "iq3_s"},  {27, "iq3_m"},  {28, "iq2_s"},
    {29, "iq2_m"},  {30, "iq4_xs"},  {31, "iq1_m"},  {32, "none"},   {38, "mxfp4_moe"},
}};

/// A key of llama.cpp below the name of the architecture, and of a config.json.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> gguf_keys = {{
    {"embedding_length", "hidden_size"},
    {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.key_length", "head_dim"},
    {"attention.sliding_window", "sliding_window"},
    {"context_length", "max_position_embeddings"},
    {"expert_count", "num_experts"},
    {"expert_used_count", "num_experts_per_tok"},
    {"expert_feed_forward_length", "moe_intermediate_size"},
}};

std::string text_in(const Json& keys, const std::string& name) {
    return keys.contains(name) && keys[name].is_string() ? keys[name].get<std::string>() : "";
}

void read_type(const Json& keys, DescribedModel& model) {
    if (!keys.contains("general.file_type") || !keys["general.file_type"].is_number()) {
        model.open.emplace_back("general.file_type: the type of the weights, 16 bits are taken");
        return;
    }
    const double type = keys["general.file_type"].get<double>();
    for (const auto& [number, name] : file_types) {
        if (type == number) {
            model.quantization = name;
            return;
        }
    }
    model.open.push_back(
        fmt::format("general.file_type {:.0f}: the type of the weights, 16 bits are taken", type));
}

/// Rows of the table of words, as the file says in one of three places.
std::optional<double> words_of(const Json& keys, const std::string& architecture,
                               const std::vector<Tensor>& tensors) {
    const Tensor* table = tensor_named(tensors, "token_embd.weight");
    if (table != nullptr && table->shape.size() == 2) {
        return table->shape.front();
    }
    const std::string own = architecture + ".vocab_size";
    if (keys.contains(own)) {
        return size_in(keys[own]);
    }
    const char* words = "tokenizer.ggml.tokens";
    return keys.contains(words) && keys[words].is_object() && keys[words].contains("length")
               ? size_in(keys[words]["length"])
               : std::nullopt;
}

Result<DescribedModel> from_gguf(const Json& tree, const std::string& where) {
    const Json& keys = tree["gguf"];
    const std::string architecture = text_in(keys, "general.architecture");
    DescribedModel model;
    model.kind = "gguf";
    for (const auto& [theirs, type] : architectures) {
        if (architecture == theirs) {
            model.config["model_type"] = type;
        }
    }
    if (model.config.is_null()) {
        return input_error(
            where,
            fmt::format("is GGUF of the architecture \"{}\", which is not known by its header",
                        printable(architecture)),
            "Give the model's config.json, or name the model.");
    }
    for (const auto& [theirs, ours] : gguf_keys) {
        const std::string key = fmt::format("{}.{}", architecture, theirs);
        if (keys.contains(key)) {
            if (const auto size = size_in(keys[key])) {
                model.config[std::string(ours)] = static_cast<std::int64_t>(*size);
            }
        }
    }
    for (const char* needed : {"hidden_size", "num_hidden_layers", "num_attention_heads"}) {
        if (!model.config.contains(needed)) {
            return input_error(
                where, fmt::format("is GGUF that does not say its {} as one number", needed),
                "Give the model's config.json, or name the model.");
        }
    }
    const std::vector<Tensor> tensors = tensors_of(tree);
    if (const auto words = words_of(keys, architecture, tensors)) {
        model.config["vocab_size"] = static_cast<std::int64_t>(*words);
    }
    if (model.config.contains("num_experts") && architecture == "llama") {
        model.config["model_type"] = "mixtral";
    }
    model.parameters = parameters_of(tensors);
    if (!tensors.empty()) {
        model.config["tie_word_embeddings"] = tensor_named(tensors, "output.weight") == nullptr;
    }
    constexpr int mxfp4 = 39;  // GGML_TYPE_MXFP4 of ggml.h
    if (std::ranges::any_of(tensors, [](const Tensor& tensor) { return tensor.type == mxfp4; })) {
        model.config["quantization_config"] = {{"quant_method", "mxfp4"}};
    }
    read_type(keys, model);
    return model;
}

/// Sides of a matrix of a layer; zeros where there is none.
std::pair<double, double> sides_of(const std::vector<Tensor>& tensors, std::string_view name) {
    for (const std::string_view prefix : {"model.layers.*.", "model.language_model.layers.*."}) {
        const Tensor* tensor = tensor_named(tensors, std::string(prefix) + std::string(name));
        if (tensor != nullptr && !tensor->shape.empty()) {
            return {tensor->shape.front(), tensor->shape.back()};
        }
    }
    return {0, 0};
}

Result<DescribedModel> from_safetensors(const Json& tree, const std::string& where) {
    const std::vector<Tensor> tensors = tensors_of(tree);
    DescribedModel model;
    model.kind = "safetensors";
    model.parameters = parameters_of(tensors);
    const Tensor* words = tensor_named(tensors, "model.embed_tokens.weight");
    const Tensor* query = tensor_named(tensors, "model.layers.*.self_attn.q_proj.weight");
    const auto [key_rows, key_columns] = sides_of(tensors, "self_attn.k_proj.weight");
    const auto [ffn, ffn_columns] = sides_of(tensors, "mlp.gate_proj.weight");
    const bool whole = words != nullptr && query != nullptr && words->shape.size() == 2 &&
                       query->shape.size() == 2 && query->last + 1 == query->count && ffn > 0 &&
                       key_rows > 0;
    if (!whole) {
        return input_error(
            where,
            fmt::format("holds {} kinds of tensors, not a whole model of dense blocks",
                        tensors.size()),
            "Give the model's config.json beside it.");
    }
    const double head_norm = sides_of(tensors, "self_attn.q_norm.weight").first;
    const bool bias = sides_of(tensors, "self_attn.q_proj.bias").first > 0;
    const double usual_head = query->shape.front() > 2048 ? 128 : 64;
    const double head = head_norm > 0 && head_norm <= 512 ? head_norm : usual_head;
    if (head_norm <= 0) {
        model.open.push_back(
            fmt::format("the size of a head, {:.0f} is taken: it does not change bytes", head));
    }
    const auto whole_number = [](double value) { return static_cast<std::int64_t>(value); };
    model.config = {{"model_type", head_norm > 0 ? "qwen3"
                                   : bias        ? "qwen2"
                                                 : "llama"},
                    {"vocab_size", whole_number(words->shape[0])},
                    {"hidden_size", whole_number(words->shape[1])},
                    {"num_hidden_layers", whole_number(query->count)},
                    {"intermediate_size", whole_number(ffn)},
                    {"head_dim", whole_number(head)},
                    {"num_attention_heads", whole_number(std::max(1.0, query->shape[0] / head))},
                    {"num_key_value_heads", whole_number(std::max(1.0, key_rows / head))},
                    {"tie_word_embeddings", tensor_named(tensors, "lm_head.weight") == nullptr}};
    return model;
}

}  // namespace

bool is_weight_header(const Json& tree) {
    return tree.is_object() && tree.contains("tensors") && tree["tensors"].is_array() &&
           (tree.contains("gguf") || tree.contains("safetensors"));
}

Result<DescribedModel> described_model(const Json& tree, const std::string& where) {
    return tree.contains("gguf") ? from_gguf(tree, where) : from_safetensors(tree, where);
}

}  // namespace ridgeline
