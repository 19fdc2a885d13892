#include "estimate/families/transformer/lora_targets.h"

#include "base/lists.h"
#include "base/text.h"
#include "estimate/families/transformer/state_mixer.h"

#include <array>
#include <string_view>

namespace ridgeline {
namespace {

/// One name of some family and the parts it stands for.
struct TargetName {
    std::string_view name;
    std::array<std::string_view, 3> parts;
};

constexpr std::string_view q = "q_proj";
constexpr std::string_view k = "k_proj";
constexpr std::string_view v = "v_proj";
constexpr std::string_view o = "o_proj";
constexpr std::string_view gate = "gate_proj";
constexpr std::string_view up = "up_proj";
constexpr std::string_view down = "down_proj";

constexpr std::array target_names = {
    TargetName{"q_proj", {q}},
    TargetName{"k_proj", {k}},
    TargetName{"v_proj", {v}},
    TargetName{"o_proj", {o}},
    TargetName{"gate_proj", {gate}},
    TargetName{"up_proj", {up}},
    TargetName{"down_proj", {down}},
    TargetName{"lm_head", {"lm_head"}},
    TargetName{"output", {"lm_head"}},
    TargetName{"embed_out", {"lm_head"}},
    TargetName{"embed_tokens", {"embed_tokens"}},
    TargetName{"tok_embeddings", {"embed_tokens"}},
    TargetName{"wte", {"embed_tokens"}},
    TargetName{"embed_in", {"embed_tokens"}},
    // Layers with a state.
    TargetName{"in_proj", {"in_proj"}},
    TargetName{"in_proj_qkvz", {"in_proj"}},
    TargetName{"ba_proj", {"ba_proj"}},
    TargetName{"in_proj_ba", {"ba_proj"}},
    // Latent attention.
    TargetName{"q_a_proj", {"q_a_proj"}},
    TargetName{"q_b_proj", {"q_b_proj"}},
    TargetName{"kv_a_proj_with_mqa", {"kv_a_proj_with_mqa"}},
    TargetName{"kv_b_proj", {"kv_b_proj"}},
    // Parameters of fused experts (PEFT target_parameters).
    TargetName{"experts.gate_up_proj", {"experts.gate_up_proj"}},
    TargetName{"experts.down_proj", {"experts.down_proj"}},
    // Fused projections of other families and of Megatron.
    TargetName{"qkv_proj", {q, k, v}},
    TargetName{"query_key_value", {q, k, v}},
    TargetName{"Wqkv", {q, k, v}},
    TargetName{"c_attn", {q, k, v}},
    TargetName{"qkv", {q, k, v}},
    TargetName{"linear_qkv", {q, k, v}},
    TargetName{"linear_proj", {o}},
    TargetName{"linear_fc1", {gate, up}},
    TargetName{"linear_fc2", {down}},
    TargetName{"gate_up_proj", {gate, up}},
    // Other words for the same projection.
    TargetName{"q", {q}},
    TargetName{"k", {k}},
    TargetName{"v", {v}},
    TargetName{"o", {o}},
    TargetName{"wi", {up}},
    TargetName{"wi_0", {gate}},
    TargetName{"wi_1", {up}},
    TargetName{"query", {q}},
    TargetName{"key", {k}},
    TargetName{"value", {v}},
    TargetName{"output_proj", {o}},
    TargetName{"out_proj", {o, "out_proj"}},
    TargetName{"dense", {o}},
    TargetName{"wq", {q}},
    TargetName{"wk", {k}},
    TargetName{"wv", {v}},
    TargetName{"wo", {o}},
    TargetName{"w1", {gate}},
    TargetName{"w2", {down}},
    TargetName{"w3", {up}},
    TargetName{"fc1", {up}},
    TargetName{"fc2", {down}},
    TargetName{"fc_in", {up}},
    TargetName{"fc_out", {down}},
    TargetName{"c_fc", {up}},
    TargetName{"c_proj", {o, down}},
    TargetName{"dense_h_to_4h", {up}},
    TargetName{"dense_4h_to_h", {down}},
};

/// PEFT takes a target as the end of a module's path (tuners_utils.py, check_target_module_exists):
/// "self_attn.q_proj" is the q_proj of attention.
const TargetName* find_name(std::string_view name) {
    while (true) {
        for (const TargetName& row : target_names) {
            if (row.name == name) {
                return &row;
            }
        }
        const std::size_t dot = name.find('.');
        if (dot == std::string_view::npos) {
            return nullptr;
        }
        name.remove_prefix(dot + 1);
    }
}

/// "mlp.shared_expert.up_proj"
bool names_shared_expert(std::string_view target) {
    return target.starts_with("shared_expert") || contains(target, ".shared_expert");
}

/// What a module of a layer holds, by its name in a path; "": nothing that is known.
std::string_view module_in(std::string_view target) {
    const std::size_t dot = target.rfind('.');
    if (dot == std::string_view::npos) {
        return "";
    }
    target = target.substr(0, dot);
    const std::string_view module = target.substr(target.rfind('.') + 1);
    constexpr std::array attentions = {"self_attn", "cross_attn", "attn", "attention",
                                       "self_attention"};
    constexpr std::array feed_forwards = {"mlp", "feed_forward", "ffn"};
    return is_among(module, attentions)      ? "attention"
           : is_among(module, feed_forwards) ? "feed_forward"
                                             : "";
}

bool is_of_feed_forward(std::string_view part) {
    return part == gate || part == up || part == down;
}

/// Lfm2 of Transformers: feed_forward.w1, w3 and w2, self_attn.out_proj.
bool spells_otherwise(const TransformerStack& tower, std::string_view target) {
    constexpr std::array others = {o, gate, up, down};
    return tower.state && tower.state->rule == StateRule::convolution &&
           (contains(target, "mlp.") || is_among(target.substr(target.rfind('.') + 1), others));
}

bool has_dense_layer(const TransformerStack& tower) {
    int layer = 0;
    while (layer < tower.layers && tower.is_moe_layer(layer)) {
        ++layer;
    }
    return layer < tower.layers;
}

/// The part where it stands in the module that the path of a target names; "": it does not. A path
/// that ends in the feed-forward part itself reaches none of the experts within it.
std::string part_in(const TransformerStack& tower, std::string_view target, std::string_view part) {
    const std::string_view module = module_in(target);
    if (module.empty() || part.empty()) {
        return std::string(part);
    }
    const bool here = (module == "feed_forward") == is_of_feed_forward(part) && part != "in_proj" &&
                      part != "out_proj";
    if (!here || spells_otherwise(tower, target)) {
        return "";
    }
    if (module == "attention" || !tower.moe) {
        return std::string(part);
    }
    return has_dense_layer(tower) ? "mlp." + std::string(part) : "";
}

void add_unique(std::vector<std::string>& names, std::string_view name) {
    if (!name.empty() && !is_among(name, names)) {
        names.emplace_back(name);
    }
}

}  // namespace

std::vector<std::string> linear_names(const Architecture& architecture) {
    const TransformerStack& tower = architecture.text();
    std::vector<std::string> names;
    if (tower.layers == 0) {
        return names;
    }
    if (tower.state) {
        add_state_names(names, *tower.state);
    }
    if (tower.heads > 0 && tower.mla) {
        if (tower.mla->q_rank > 0) {
            names = {"q_a_proj", "q_b_proj"};
        } else {
            names = {"q_proj"};
        }
        names.insert(names.end(), {"kv_a_proj_with_mqa", "kv_b_proj", "o_proj"});
    } else if (tower.heads > 0) {
        names.insert(names.end(), {"q_proj", "k_proj", "v_proj", "o_proj"});
    }
    if (tower.heads <= 0) {
        return names;  // states alone have no feed-forward part either
    }
    if (tower.gated) {
        names.emplace_back("gate_proj");
    }
    names.emplace_back("up_proj");
    names.emplace_back("down_proj");
    return names;
}

Result<std::vector<std::string>> expand_targets(const Architecture& architecture,
                                                const std::vector<std::string>& targets) {
    const std::vector<std::string> present = linear_names(architecture);
    std::vector<std::string> names;
    for (const std::string& target : targets) {
        if (target == "all-linear") {
            for (const std::string& name : present) {
                add_unique(names, name);
            }
            continue;
        }
        const TargetName* known = find_name(target);
        if (known == nullptr) {
            std::vector<std::string> words{"all-linear"};
            for (const TargetName& row : target_names) {
                words.emplace_back(row.name);
            }
            return input_error("lora.targets", "\"" + target + "\" is no known projection",
                               did_you_mean(target, words));
        }
        if (names_shared_expert(target)) {
            // Of the expert that every token passes alone.
            for (const std::string_view part : known->parts) {
                const bool has = architecture.text().moe && architecture.text().moe->shared_ffn > 0;
                add_unique(names, has && !part.empty() ? "shared." + std::string(part) : "");
            }
            continue;
        }
        for (const std::string_view part : known->parts) {
            const bool fused_experts = part.starts_with("experts.") && architecture.text().moe;
            const bool has = part == "lm_head" || part == "embed_tokens" || fused_experts ||
                             is_among(part, present);
            add_unique(names, has ? part_in(architecture.text(), target, part) : "");
        }
    }
    if (names.empty()) {
        return input_error("lora.targets", "names no projection that this model has",
                           present.empty() ? "" : "\"all-linear\" takes all it has");
    }
    return names;
}

}  // namespace ridgeline
