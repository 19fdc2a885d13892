// Models whose layers have a state in place of attention, all of them or most (estimate/families/
// transformer/state_mixer.cpp). Sources: configuration and modelling files of transformers 5.24.
#include "data/import_huggingface.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Of a family's rows for `import_decoder` what a state needs beside it.
struct StateFamily {
    DecoderFamily decoder;
    StateRule rule = StateRule::grouped;
    bool attends = true;  ///< some layers are attention
    bool query_gate = false;
};

constexpr auto nowhere = PositionKind::none;
// clang-format off
constexpr StateFamily families[] = {
    {{.model_type = "mamba", .tied = true}, StateRule::selective, false},
    {{.model_type = "falcon_mamba", .tied = true}, StateRule::selective, false},
    {{.model_type = "mamba2"}, StateRule::grouped, false},
    {{.model_type = "jamba", .position = nowhere}, StateRule::selective},
    {{.model_type = "bamba"}},
    {{.model_type = "granitemoehybrid", .position = nowhere, .tied = true}},
    {{.model_type = "nemotron_h", .gated = false, .position = nowhere, .router_correction_bias = true,
      .activation = "relu2", .head_dim = 128}},
    {{.model_type = "qwen3_next", .qk_norm = QkNorm::head, .shared_gate = true, .head_dim = 256},
     StateRule::delta, true, true},
    {{.model_type = "qwen3_5", .qk_norm = QkNorm::head, .head_dim = 256}, StateRule::delta, true, true},
    {{.model_type = "qwen3_5_text", .qk_norm = QkNorm::head, .head_dim = 256}, StateRule::delta, true, true},
    {{.model_type = "qwen3_5_moe", .qk_norm = QkNorm::head, .shared_gate = true, .ffn_factor = 4, .head_dim = 256},
     StateRule::delta, true, true},
    {{.model_type = "qwen3_5_moe_text", .qk_norm = QkNorm::head, .shared_gate = true, .ffn_factor = 4,
      .head_dim = 256},
     StateRule::delta, true, true},
    {{.model_type = "minimax"}, StateRule::decay},
    {{.model_type = "falcon_h1"}},
    {{.model_type = "lfm2", .qk_norm = QkNorm::head, .tied = true}, StateRule::convolution},
    {{.model_type = "lfm2_moe", .qk_norm = QkNorm::head, .tied = true, .router_correction_bias = true},
     StateRule::convolution},
};
// clang-format on

const StateFamily* state_family(std::string_view type) {
    const auto at = std::ranges::find_if(
        families, [&](const StateFamily& row) { return row.decoder.model_type == type; });
    return at == std::end(families) ? nullptr : at;
}

/// At most so many heads or groups, so that no product of sizes overflows.
constexpr int most_heads = 4096;
constexpr int most_width = 65'536;

/// Mamba: each channel has rates of its own.
void read_selective(const ConfigFields& config, const TransformerStack& tower, StateMixer& mixer) {
    const int expand = config.size({"mamba_expand", "expand"}, 64).value_or(2);
    const int own = tower.ffn == 0 ? config.size({"intermediate_size"}, most_size).value_or(0) : 0;
    mixer.inner = own > 0 ? own : expand * tower.hidden;
    mixer.state = config.size({"mamba_d_state", "state_size"}, most_width).value_or(16);
    const nlohmann::json* rank = config.raw("mamba_dt_rank");
    rank = rank != nullptr ? rank : config.raw("time_step_rank");
    mixer.step_rank = rank != nullptr && rank->is_number()
                          ? config.size({"mamba_dt_rank", "time_step_rank"}, most_size).value_or(1)
                          : (tower.hidden + 15) / 16;
    mixer.step_norms = config.has({"mamba_dt_rank"});
}

/// Mamba-2: heads of channels.
void read_grouped(const ConfigFields& config, const TransformerStack& tower, StateMixer& mixer) {
    mixer.heads =
        config.required_size({"mamba_num_heads", "mamba_n_heads", "num_heads"}, most_heads);
    const int expand = config.size({"mamba_expand", "expand"}, 64).value_or(2);
    const nlohmann::json* width = config.raw("mamba_d_head");
    const bool stated = width == nullptr || width->is_number();
    const auto head = stated ? config.size({"mamba_head_dim", "mamba_d_head",
                                            tower.ffn == 0 ? "head_dim" : "mamba_head_dim"},
                                           most_width)
                             : std::nullopt;
    mixer.inner = head ? *head * mixer.heads : expand * tower.hidden;
    mixer.state =
        config.size({"ssm_state_size", "mamba_d_state", "state_size"}, most_width).value_or(128);
    mixer.groups = config.size({"n_groups", "mamba_n_groups"}, most_heads).value_or(1);
    mixer.head_inputs = 1;
    mixer.head_weights = 3;
    mixer.norm = mixer.inner;
}

void read_delta(const ConfigFields& config, StateMixer& mixer) {
    mixer.heads = config.required_size({"linear_num_value_heads"}, most_heads);
    const int width = config.size({"linear_value_head_dim"}, most_width).value_or(128);
    mixer.inner = mixer.heads * width;
    mixer.state = config.size({"linear_key_head_dim"}, most_width).value_or(128);
    mixer.groups = config.required_size({"linear_num_key_heads"}, most_heads);
    mixer.head_inputs = 2;
    mixer.head_weights = 2;
    mixer.norm = width;
}

StateMixer read_mixer(const ConfigFields& config, StateRule rule, const TransformerStack& tower) {
    StateMixer mixer;
    mixer.rule = rule;
    mixer.taps =
        config.count({"mamba_d_conv", "conv_kernel", "linear_conv_kernel_dim"}, 1024).value_or(4);
    mixer.convolution_bias =
        config.flag({"mamba_conv_bias", "use_conv_bias"})
            .value_or(rule == StateRule::selective || rule == StateRule::grouped);
    mixer.projection_bias = config.flag({"mamba_proj_bias", "use_bias"}).value_or(false);
    switch (rule) {
        case StateRule::selective:
            read_selective(config, tower, mixer);
            break;
        case StateRule::grouped:
            read_grouped(config, tower, mixer);
            break;
        case StateRule::delta:
            read_delta(config, mixer);
            break;
        case StateRule::decay:
            mixer.heads = mixer.groups = std::min(tower.heads, most_heads);
            mixer.inner = mixer.heads * tower.head_dim;
            mixer.state = tower.head_dim;
            mixer.taps = 0;
            mixer.norm = mixer.inner;
            break;
        case StateRule::convolution:
            mixer.inner = tower.hidden;
            mixer.taps = config.count({"conv_L_cache"}, 1024).value_or(3);
            mixer.convolution_bias = mixer.projection_bias =
                config.flag({"conv_bias"}).value_or(false);
            break;
    }
    return mixer;
}

/// Nemotron's letters: M state, * attention, - feed-forward, E experts, each a layer of its own,
/// of which a feed-forward part goes to the layer before.
std::string layout_of_letters(const ConfigFields& config, const std::string& letters) {
    std::string layout;
    if (letters.empty() || letters.size() > static_cast<std::size_t>(most_layers)) {
        config.fail("hybrid_override_pattern", "expected a letter for each layer");
    }
    for (const char letter : letters) {
        if (letter == 'M' || letter == '*') {
            layout += letter == 'M' ? 'S' : 'A';
        } else if ((letter == '-' || letter == 'E') && !layout.empty() && layout.back() < 'a') {
            layout.back() = static_cast<char>(layout.back() - 'A' + 'a');
        } else {
            config.fail("hybrid_override_pattern",
                        fmt::format("has a '{}' where M or * is expected", letter));
            return {};
        }
    }
    return layout;
}

std::string read_layout(const ConfigFields& config, const TransformerStack& tower) {
    if (const auto letters = config.text({"hybrid_override_pattern"})) {
        return layout_of_letters(config, *letters);
    }
    std::string layout(static_cast<std::size_t>(tower.layers), 's');
    const auto attend = [&](int layer) {
        if (layer >= 0 && layer < tower.layers) {
            layout[static_cast<std::size_t>(layer)] = 'a';
        }
    };
    for (const char* name :
         {"layer_types", "layers_block_type", "attn_layer_indices", "full_attn_idxs"}) {
        const nlohmann::json* list = config.raw(name);
        for (std::size_t i = 0; list != nullptr && list->is_array() && i < list->size(); ++i) {
            const nlohmann::json& entry = (*list)[i];
            if (entry.is_number_integer()) {
                attend(entry.get<int>());
            } else if (entry == "full_attention" || entry == "attention") {
                attend(static_cast<int>(i));
            }
        }
    }
    if (const auto period = config.size({"attn_layer_period", "full_attention_interval"}, 10'000)) {
        const int offset = config.count({"attn_layer_offset"}, 10'000).value_or(*period - 1);
        for (int layer = offset; layer < tower.layers; layer += *period) {
            attend(layer);
        }
    }
    return layout;
}

Architecture import_states_alone(const ConfigFields& config, const StateFamily& family) {
    Architecture architecture;
    TransformerStack& tower = architecture.stacks.emplace_back();
    tower.layers = config.required_size({"num_hidden_layers", "n_layer"}, most_layers);
    tower.hidden = config.required_size({"hidden_size", "d_model"}, most_size);
    tower.norms_per_layer = 1;
    tower.rope = false;
    tower.gated = false;
    tower.fp32_residual = config.flag({"residual_in_fp32"}).value_or(true);
    tower.state = read_mixer(config, family.rule, tower);
    architecture.vocabulary = config.required_size({"vocab_size"}, 100'000'000);
    architecture.tied_embeddings =
        config.flag({"tie_word_embeddings"}).value_or(family.decoder.tied);
    return architecture;
}

/// LFM2: two thirds of the width that is stated, in multiples of another (Lfm2MLP); its first
/// layers have no experts.
void adjust_short(const ConfigFields& config, TransformerStack& tower) {
    if (tower.moe) {
        tower.moe->first_dense_layers = config.count({"num_dense_layers"}, most_layers).value_or(2);
        tower.moe->dense_ffn = tower.ffn;
        tower.moe->ffn = config.size({"moe_intermediate_size"}, most_size).value_or(tower.ffn);
        return;
    }
    const int stated =
        config.size({"block_ff_dim", "intermediate_size"}, most_size).value_or(tower.ffn);
    tower.ffn = stated;
    if (config.flag({"block_auto_adjust_ff_dim"}).value_or(true)) {
        const double factor = config.number({"block_ffn_dim_multiplier"}).value_or(1);
        const int step = config.size({"block_multiple_of"}, most_width).value_or(256);
        const double wanted = std::floor(std::floor(2.0 * stated / 3) * factor);
        tower.ffn = step * static_cast<int>(std::ceil(wanted / step));
    }
}

/// Falcon-H1: each layer attends and scans; widths and norm of its state are keys of its own.
void stand_beside(const ConfigFields& config, StateMixer& mixer) {
    mixer.beside_attention = true;
    mixer.inner = config.size({"mamba_d_ssm"}, most_size).value_or(mixer.inner);
    mixer.norm = config.flag({"mamba_rms_norm"}).value_or(false) ? mixer.inner : 0;
}

/// What `import_decoder` reads otherwise of these families.
void adjust(const ConfigFields& config, const StateFamily& family, TransformerStack& tower) {
    if (family.decoder.model_type == "granitemoehybrid") {
        // Every token takes the shared part, which is the only one without experts.
        const int shared = config.size({"shared_intermediate_size"}, most_size).value_or(1024);
        tower.ffn = tower.moe ? tower.ffn : shared;
        if (tower.moe) {
            tower.moe->shared_ffn = shared;
        }
    }
    if (family.decoder.model_type == "jamba" && tower.moe) {
        tower.moe->every = config.size({"expert_layer_period"}, 10'000).value_or(2);
    }
    if (family.rule == StateRule::convolution) {
        adjust_short(config, tower);
    }
    if (family.decoder.model_type == "nemotron_h" && tower.moe) {
        tower.moe->shared_ffn =
            config.size({"moe_shared_expert_intermediate_size"}, most_size).value_or(0);
    }
}

}  // namespace

std::optional<Architecture> import_state_model(const ConfigFields& config,
                                               const std::string& model_type) {
    const StateFamily* family = state_family(model_type);
    if (family == nullptr) {
        return std::nullopt;
    }
    if (!family->attends) {
        return import_states_alone(config, *family);
    }
    Architecture architecture = import_decoder(config, family->decoder);
    const auto nested = config.child("text_config");
    const ConfigFields& text = nested ? *nested : config;
    TransformerStack& tower = architecture.stacks.back();
    tower.query_gate = family->query_gate;
    adjust(text, *family, tower);
    tower.state = read_mixer(text, family->rule, tower);
    if (family->decoder.model_type == "falcon_h1") {
        stand_beside(text, *tower.state);
        return architecture;
    }
    tower.layout = read_layout(text, tower);
    tower.layers = static_cast<int>(tower.layout.size());
    return architecture;
}

std::vector<std::string> state_model_types() {
    std::vector<std::string> names;
    for (const StateFamily& family : families) {
        names.emplace_back(family.decoder.model_type);
    }
    return names;
}

}  // namespace ridgeline
