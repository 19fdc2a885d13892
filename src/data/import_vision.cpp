#include "data/import_huggingface.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace ridgeline {
namespace {

/// Shape of a patch transformer where its file leaves it out (CLIP's configuration classes).
struct TowerDefaults {
    int hidden = 0;
    int layers = 0;
    int heads = 0;
    int ffn = 0;
    int image = 224;
    int patch = 16;
};

/// What surrounds the blocks of a patch transformer.
struct TowerParts {
    bool patch_bias = true;
    bool class_token = true;
};

int size_or(const ConfigFields& config, FieldNames names, int fallback, int most) {
    return fallback > 0 ? config.size(names, most).value_or(fallback)
                        : config.required_size(names, most);
}

TransformerStack read_stack(const ConfigFields& config, const TowerDefaults& defaults,
                            const char* name, const char* activation = "gelu") {
    TransformerStack tower;
    tower.name = name;
    tower.gated = false;
    tower.causal = false;
    tower.norm = NormType::layernorm;
    tower.qkv_bias = tower.out_bias = tower.mlp_bias = true;
    tower.rope = false;
    tower.activation = config.text({"hidden_act"}).value_or(activation);
    tower.layers = size_or(config, {"num_hidden_layers"}, defaults.layers, most_layers);
    tower.hidden = size_or(config, {"hidden_size"}, defaults.hidden, most_size);
    tower.heads = size_or(config, {"num_attention_heads"}, defaults.heads, most_size);
    tower.kv_heads = tower.heads;
    if (tower.hidden % tower.heads != 0) {
        config.fail("num_attention_heads", fmt::format("found {}, expected a divisor of "
                                                       "hidden_size {}",
                                                       tower.heads, tower.hidden));
    }
    tower.head_dim = tower.hidden / tower.heads;
    tower.ffn = size_or(config, {"intermediate_size"}, defaults.ffn, 100'000'000);
    return tower;
}

/// Reads the patches of an image, sets the stack's length and adds what turns patches into tokens.
void add_patches(const ConfigFields& config, const TowerDefaults& defaults, const TowerParts& parts,
                 TransformerStack& tower, Architecture& architecture) {
    const int image = config.size({"image_size"}, 65'536).value_or(defaults.image);
    const int patch = config.size({"patch_size"}, 65'536).value_or(defaults.patch);
    if (patch > image) {
        config.fail("patch_size",
                    fmt::format("found {}, expected at most image_size {}", patch, image));
    }
    constexpr int most_side = 4096;
    const int side = std::clamp(image / patch, 1, most_side);
    if (image / patch > most_side) {
        config.fail("image_size", fmt::format("found {}, more than {} patches of {} a side", image,
                                              most_side, patch));
    }
    tower.tokens = side * side + (parts.class_token ? 1 : 0);
    tower.patch = patch;
    tower.image = image;
    const double h = tower.hidden;
    const double pixels = 1.0 * config.size({"num_channels"}, 65'536).value_or(3) * patch * patch;
    add_extra(architecture, "vision.patch_embedding", pixels * h + (parts.patch_bias ? h : 0));
    add_extra(architecture, "vision.class_token", parts.class_token ? h : 0);
    add_extra(architecture, vision_positions, h * tower.tokens);
}

/// `projector`: bias-free matrices [in, out] from the tower to the text model.
double projector_parameters(const ConfigFields& vision) {
    const nlohmann::json* matrices = vision.raw("projector");
    if (matrices == nullptr) {
        return 0;
    }
    double total = 0;
    bool valid = matrices->is_array();
    for (std::size_t i = 0; valid && i < matrices->size(); ++i) {
        const auto& shape = (*matrices)[i];
        valid = shape.is_array() && shape.size() == 2 && shape[0].is_number() &&
                shape[1].is_number() && shape[0].get<double>() >= 1 &&
                shape[1].get<double>() >= 1 && shape[0].get<double>() <= most_size &&
                shape[1].get<double>() <= most_size;
        total += valid ? shape[0].get<double>() * shape[1].get<double>() : 0;
    }
    if (!valid) {
        vision.fail("projector", "expected a list of [in, out] sizes");
    }
    return total;
}

}  // namespace

void import_vision_tower(const ConfigFields& config, const std::string& model_type,
                         Architecture& architecture) {
    const auto vision = config.child("vision_config");
    const bool gemma = model_type == "gemma3";
    if (!vision || (!gemma && model_type != "llama4")) {
        return;
    }
    // Defaults of SiglipVisionConfig as Gemma 3 uses it and of Llama4VisionConfig.
    const TowerDefaults defaults = gemma ? TowerDefaults{1152, 27, 16, 4304, 896, 14}
                                         : TowerDefaults{1408, 34, 16, 5632, 336, 14};
    TransformerStack tower = read_stack(*vision, defaults, "vision");
    tower.final_norm = false;
    const TowerParts parts{.patch_bias = vision->flag({"patch_bias"}).value_or(gemma),
                           .class_token = vision->flag({"class_token"}).value_or(!gemma)};
    add_patches(*vision, defaults, parts, tower, architecture);
    const double h = tower.hidden;
    const double text = architecture.text().hidden;
    const int norms = vision->count({"extra_norms"}, 16).value_or(gemma ? 1 : 2);
    add_extra(architecture, "vision.norm", 2 * h, norms);
    double projector = projector_parameters(*vision);
    if (projector == 0 && gemma) {
        projector = h * text;
    } else if (projector == 0) {
        const double shuffled = vision->size({"intermediate_size"}, most_size).value_or(5632);
        const double middle = vision->size({"projector_input_dim"}, most_size).value_or(4096);
        const double out = vision->size({"projector_output_dim"}, most_size).value_or(4096);
        projector = shuffled * middle + middle * out + out * text;
    }
    add_extra(architecture, "vision.projector", projector);
    const int norm_width =
        vision->count({"projector_norm"}, most_size).value_or(gemma ? tower.hidden : 0);
    add_extra(architecture, "vision.projector_norm", norm_width);
    architecture.stacks.insert(architecture.stacks.begin(), tower);
}

Architecture import_clip(const ConfigFields& config, const std::string& model_type) {
    Architecture architecture;
    architecture.kind = ModelKind::encoder;
    architecture.has_head = false;
    const bool both = model_type == "clip";
    const auto text_part = config.child("text_config");
    const ConfigFields& text = text_part ? *text_part : config;
    // CLIPTextConfig and CLIPVisionConfig: hidden_act defaults to "quick_gelu".
    constexpr const char* activation = "quick_gelu";
    TransformerStack tower = read_stack(text, {512, 12, 8, 2048, 0, 0}, "text", activation);
    tower.causal = true;
    const double projection = config.size({"projection_dim"}, most_size).value_or(512);
    if (const auto vision = both ? config.child("vision_config") : std::nullopt) {
        const TowerDefaults defaults{768, 12, 12, 3072, 224, 32};
        TransformerStack tower = read_stack(*vision, defaults, "vision", activation);
        tower.final_norm = false;
        add_patches(*vision, defaults, {.patch_bias = false}, tower, architecture);
        add_extra(architecture, "vision.norm", 2.0 * tower.hidden, 2);
        add_extra(architecture, "vision.projection", tower.hidden * projection);
        architecture.stacks.push_back(tower);
    }
    if (both) {
        add_extra(architecture, "logit_scale", 1);
    }
    if (both || config.flag({"with_projection"}).value_or(false)) {
        add_extra(architecture, "text.projection", tower.hidden * projection);
    }
    architecture.vocabulary = text.size({"vocab_size"}, 100'000'000).value_or(49408);
    architecture.max_positions = text.size({"max_position_embeddings"}, most_size).value_or(77);
    architecture.learned_positions = architecture.max_positions;
    architecture.stacks.push_back(tower);
    return architecture;
}

Architecture import_vit(const ConfigFields& config) {
    Architecture architecture;
    architecture.kind = ModelKind::encoder;
    architecture.has_head = false;
    const TowerDefaults defaults{768, 12, 12, 3072, 224, 16};
    TransformerStack tower = read_stack(config, defaults, "vision");
    add_patches(config, defaults, {}, tower, architecture);
    const nlohmann::json* labels = config.raw("id2label");
    const int named =
        labels != nullptr && labels->is_object() ? static_cast<int>(labels->size()) : 1000;
    const double classes = config.count({"num_labels"}, most_size).value_or(named);
    add_extra(architecture, "classifier", classes * tower.hidden + classes);
    architecture.stacks.push_back(tower);
    if (config.number({"gmacs"})) {
        architecture.facts = NetworkFacts{
            .mparameters = config.number({"parameters"}).value_or(0) / 1e6,
            .image_size = config.size({"gmacs_image_size", "image_size"}, 65'536).value_or(0)};
    }
    return architecture;
}

}  // namespace ridgeline
