// Which block type llama.cpp's quantiser chooses for each tensor of a model (src/llama-quant.cpp of
// ggml-org/llama.cpp, read 2026-11). The choice depends on the tensor's part in the layer, on the
// layer's place in the model, and on a few shapes: grouped queries, experts, the 70B Llama.
#include "estimate/serving/gguf.h"

#include "base/lists.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

#include <algorithm>
#include <array>

namespace ridgeline {
namespace {

using enum GgufBlock;

constexpr std::array<GgufFile, 34> files{{
    {"f32", f32},       {"f16", f16},         {"bf16", bf16},   {"q4_0", q4_0},
    {"q4_1", q4_1},     {"q5_0", q5_0},       {"q5_1", q5_1},   {"q8_0", q8_0},
    {"q2_k", q2_k},     {"q2_k_s", q2_k},     {"q3_k", q3_k},   {"q3_k_s", q3_k},
    {"q3_k_m", q3_k},   {"q3_k_l", q3_k},     {"q4_k", q4_k},   {"q4_k_s", q4_k},
    {"q4_k_m", q4_k},   {"q5_k", q5_k},       {"q5_k_s", q5_k}, {"q5_k_m", q5_k},
    {"q6_k", q6_k},     {"iq1_s", iq1_s},     {"iq1_m", iq1_m}, {"iq2_xxs", iq2_xxs},
    {"iq2_xs", iq2_xs}, {"iq2_s", iq2_xs},    {"iq2_m", iq2_s}, {"iq3_xxs", iq3_xxs},
    {"iq3_xs", iq3_s},  {"iq3_s", iq3_s},     {"iq3_m", iq3_s}, {"iq4_nl", iq4_nl},
    {"iq4_xs", iq4_xs}, {"mxfp4_moe", mxfp4},
}};
/// In the order of names: each pass of an engine asks.
constexpr auto files_by_name = [] {
    auto sorted = files;
    std::ranges::sort(sorted, {}, &GgufFile::name);
    return sorted;
}();

/// What a tensor is to the quantiser.
enum class Part {
    embedding,
    head,
    value,
    joined,
    key,
    query,
    attention_out,
    down,
    gate,
    up,
    other,
    plain
};

bool names_fused_qkv(const Architecture& architecture) {
    constexpr std::array<std::string_view, 11> families{"falcon",  "gpt2",      "gpt_neox", "bloom",
                                                        "mpt",     "phi",       "phi3",     "dbrx",
                                                        "chatglm", "codeshell", "internlm"};
    return is_among(architecture.model_type, families);
}

Part part_of(const Architecture& architecture, const Operator& op) {
    if (op.role == Role::embedding) {
        return op.name == "embedding" ? Part::embedding : Part::plain;
    }
    if (op.role == Role::head) {
        return Part::head;
    }
    if (op.role != Role::linear && op.role != Role::expert_linear) {
        return Part::plain;
    }
    const std::string_view name = op.name.substr(op.name.rfind('.') + 1);
    const bool joined = names_fused_qkv(architecture);
    if (name == "q_proj" || name == "k_proj" || name == "v_proj") {
        if (joined) {
            return Part::joined;
        }
        return name == "q_proj" ? Part::query : (name == "k_proj" ? Part::key : Part::value);
    }
    if (name == "kv_b_proj") {
        return Part::other;  // two tensors for keys and values that no rule names
    }
    if (name == "o_proj") {
        return Part::attention_out;
    }
    if (name == "down_proj") {
        return Part::down;
    }
    if (name == "gate_proj") {
        return Part::gate;
    }
    return name == "up_proj" ? Part::up : Part::other;
}

/// A tensor at its place in the model.
struct BlockPlace {
    const GgufFile& file;
    int layer = 0;
    int layers = 0;
    int experts = 0;
    bool grouped = false;  ///< four or more query heads share a key head
    bool llama_70b = false;
    bool falcon = false;

    [[nodiscard]] bool is(std::initializer_list<std::string_view> names) const {
        return is_among(file.name, names);
    }
    [[nodiscard]] bool first(int share) const { return layer < layers / share; }
    /// The first and last eighth, and every third between them.
    [[nodiscard]] bool favoured() const {
        return first(8) || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
    }
    /// Below three bits, where the rules are their own.
    [[nodiscard]] bool tiny() const {
        return is({"iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq2_m"});
    }
};

GgufBlock of_value(const BlockPlace& p) {
    GgufBlock block = p.file.base;
    if (p.tiny()) {
        const GgufBlock plain = p.is({"iq2_s", "iq2_m"}) ? iq3_s : q2_k;
        return p.grouped || p.experts >= 4 ? q4_k : plain;
    }
    if (p.is({"q2_k"})) {
        block = p.grouped ? q4_k : q3_k;
    } else if (p.is({"q2_k_s", "iq3_xxs", "iq3_xs", "iq3_s"}) && p.grouped) {
        block = q4_k;
    } else if (p.is({"iq3_m"})) {
        block = q4_k;
    } else if (p.is({"q3_k_m", "q3_k"})) {
        block = p.layer < 2 ? q5_k : q4_k;
    } else if (p.is({"q3_k_l"}) || (p.is({"iq4_nl", "iq4_xs"}) && p.grouped)) {
        block = q5_k;
    } else if (p.is({"q4_k_m", "q4_k", "q5_k_m", "q5_k"}) && p.favoured()) {
        block = q6_k;
    } else if (p.is({"q4_k_s"}) && p.layer < 4) {
        block = q5_k;
    }
    if (p.llama_70b && (block == q3_k || block == q4_k)) {
        block = q5_k;
    }
    return p.experts == 8 ? q8_0 : block;
}

/// One tensor for queries, keys and values: chosen as a value first, then by its own rule.
GgufBlock of_joined(const BlockPlace& p) { return of_value(p); }

GgufBlock of_key_or_query(const BlockPlace& p, bool key) {
    if (p.tiny()) {
        return key && p.experts == 8 ? q4_k : p.file.base;
    }
    if (key && p.experts == 8) {
        return q8_0;
    }
    if (p.is({"iq3_xs"})) {
        return iq3_xxs;
    }
    return p.is({"iq3_xxs"}) ? iq2_s : p.file.base;
}

GgufBlock of_down(const BlockPlace& p) {
    const GgufBlock base = p.file.base;
    if (p.tiny()) {
        return p.first(8) ? (p.is({"iq2_s", "iq2_m"}) ? iq3_s : q2_k) : base;
    }
    if (p.is({"q2_k"})) {
        return q3_k;
    }
    if (p.is({"q2_k_s"})) {
        return p.first(8) ? q4_k : base;
    }
    if (p.is({"q3_k_m", "q3_k"})) {
        return p.first(16) ? q5_k : (!p.falcon || p.favoured() ? q4_k : q3_k);
    }
    if (p.is({"iq3_m"})) {
        return p.first(8) || (p.experts == 8 && p.favoured()) ? q4_k : base;
    }
    if (p.is({"q3_k_l"})) {
        return p.falcon ? q4_k : q5_k;
    }
    if (p.is({"q4_k_m", "q4_k"})) {
        if (p.falcon) {
            return p.first(16) ? q6_k : (p.favoured() ? q5_k : q4_k);
        }
        return p.favoured() ? q6_k : base;
    }
    if (p.is({"q5_k_m", "q5_k"})) {
        return p.favoured() ? q6_k : base;
    }
    return p.is({"q4_k_s"}) && !p.falcon && p.first(8) ? q5_k : base;
}

GgufBlock of_attention_out(const BlockPlace& p) {
    const GgufBlock base = p.file.base;
    if (p.tiny()) {
        if (p.experts == 8) {
            return q5_k;
        }
        if (p.is({"iq1_s", "iq1_m"})) {
            return iq2_xxs;
        }
        return p.is({"iq2_s", "iq2_m"}) ? iq3_s : base;
    }
    if (p.falcon) {
        return p.is({"q3_k_l"}) ? q4_k : base;
    }
    if (p.experts == 8) {
        const bool small = base == q2_k || base == q3_k || base == q4_k || base == iq3_xxs ||
                           base == iq3_s || base == iq4_nl || base == iq4_xs;
        return small && !p.is({"q2_k_s", "q3_k_l"}) ? q5_k : base;
    }
    if (p.is({"q2_k"})) {
        return q3_k;
    }
    if (p.is({"iq3_xxs"})) {
        return iq3_s;
    }
    if (p.is({"q3_k_m", "q3_k", "iq3_m"})) {
        return q4_k;
    }
    return p.is({"q3_k_l"}) ? q5_k : base;
}

GgufBlock of_table(const BlockPlace& p, bool output) {
    const GgufBlock base = p.file.base;
    if (base == mxfp4) {
        return q8_0;
    }
    if (output) {
        if (p.falcon) {
            return q8_0;
        }
        if (p.tiny() || p.is({"iq3_xxs"})) {
            return q5_k;
        }
        return base == q8_0 ? q8_0 : q6_k;
    }
    if (p.is({"iq1_s", "iq1_m", "iq2_xxs", "iq2_xs"})) {
        return q2_k;
    }
    return p.is({"iq2_s", "iq2_m", "iq3_xxs"}) ? iq3_s : base;
}

GgufBlock chosen(const BlockPlace& p, Part part, bool expert, bool tied) {
    if (part == Part::plain) {
        return f32;
    }
    if (p.file.base <= bf16) {
        return p.file.base;
    }
    if (part == Part::head || part == Part::embedding) {
        return of_table(p, part == Part::head || tied);
    }
    if (p.file.base == mxfp4) {
        return expert ? mxfp4 : q8_0;
    }
    switch (part) {
        case Part::value:
            return of_value(p);
        case Part::joined:
            return of_joined(p);
        case Part::key:
            return of_key_or_query(p, true);
        case Part::query:
            return of_key_or_query(p, false);
        case Part::attention_out:
            return of_attention_out(p);
        case Part::down:
            return of_down(p);
        case Part::gate:
        case Part::up: {
            const bool middle = !p.first(8) && p.layer < 7 * p.layers / 8;
            return p.is({"iq3_xs"}) && middle ? iq3_xxs : p.file.base;
        }
        default:
            return p.file.base;
    }
}

bool in_kind(const TransformerStack& tower, int layer, int kind) {
    return kind < 0 || tower.layer_kind(layer) == kind;
}

/// The mean of what `figure` says of the block types that an operator's weights have in the layers
/// of its block.
template <typename Figure>
double mean_of(const GgufFile& file, const Architecture& architecture, const Block& block,
               const Operator& op, const Figure& figure) {
    const TransformerStack& tower = architecture.text();
    const Part part = part_of(architecture, op);
    BlockPlace place{.file = file,
                     .layers = tower.layers,
                     .experts = tower.moe ? tower.moe->experts : 0,
                     .grouped = tower.kv_heads > 0 && tower.heads >= 4 * tower.kv_heads,
                     .llama_70b = architecture.model_type == "llama" && tower.layers == 80,
                     .falcon = architecture.model_type == "falcon"};
    const auto at = [&](int layer) {
        place.layer = layer;
        const GgufBlock wanted = chosen(place, part, op.expert, architecture.tied_embeddings);
        const GgufBlock own = gguf_block_of_rows(wanted, op.columns);
        // The converter writes experts as they were published (convert_hf_to_gguf.py, GptOssModel),
        // and files of wider types keep them: widening saves nothing.
        const bool published =
            op.expert && architecture.published.experts_alone && gguf_bits(own) > gguf_bits(mxfp4);
        return figure(published ? mxfp4 : own);
    };
    if (block.position != Block::Position::layer) {
        return at(0);
    }
    double sum = 0;
    int layers = 0;
    for (int i = 0; i < tower.layers; ++i) {
        if (in_kind(tower, i, block.kind)) {
            sum += at(i);
            ++layers;
        }
    }
    return layers > 0 ? sum / layers : at(0);
}

}  // namespace

std::optional<GgufFile> gguf_file(std::string_view name) {
    const auto at = std::ranges::lower_bound(files_by_name, name, {}, &GgufFile::name);
    return at != files_by_name.end() && at->name == name ? std::optional(*at) : std::nullopt;
}

double gguf_weight_bytes(const GgufFile& file, const Architecture& architecture, const Block& block,
                         const Operator& op) {
    // The tower that reads pictures is a file of its own (mmproj), 16 bits wide as a rule.
    if (block.name == "vision") {
        return op.parameters * 2;
    }
    const Part part = part_of(architecture, op);
    const double matrix = op.rows * op.columns * op.matrices;
    if (part == Part::plain || matrix <= 0) {
        return op.parameters * 4;
    }
    const double mean = mean_of(file, architecture, block, op, gguf_bits);
    return matrix * mean / 8 + (op.parameters - matrix) * 4;
}

RowWork gguf_row_work(const GgufFile& file, const Architecture& architecture, const Block& block,
                      const Operator& op) {
    if (part_of(architecture, op) == Part::plain) {
        return {};
    }
    const auto mean = [&](double RowWork::*figure) {
        return mean_of(file, architecture, block, op,
                       [figure](GgufBlock type) { return gguf_row_work(type).*figure; });
    };
    return {mean(&RowWork::unpack), mean(&RowWork::row)};
}

double gguf_file_bytes(const GgufFile& file, const Architecture& architecture) {
    // Text, type and merge rules of a vocabulary entry in the header: Llama 3's 128,256 entries and
    // 280,147 merges take 7.8 MB.
    constexpr double header_bytes_a_token = 61;
    Workload workload;
    workload.task = Task::inference;
    const SoftwareProfile software;
    const Pass pass{.samples = 1, .tokens = 1, .context = 1, .training = false};
    double bytes = header_bytes_a_token * architecture.vocabulary;
    for (const Block& block : list_operators(architecture, workload, software, pass)) {
        for (const Operator& op : block.operators) {
            if (op.parameters > 0 && !op.tied && block.name != "vision") {
                bytes += block.repeat * gguf_weight_bytes(file, architecture, block, op);
            }
        }
    }
    return bytes;
}

}  // namespace ridgeline
