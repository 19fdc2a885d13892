#include "advise/answers/answer.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"

#include <fmt/format.h>

// What a model is: its sizes and its operations.

namespace ridgeline {
namespace {

/// "46.7B", "44.5M".
std::string count_words(double parameters) {
    return parameters < 1e9 ? fmt::format("{:.1f}M", parameters / 1e6)
                            : fmt::format("{:.1f}B", parameters / 1e9);
}

/// "8.2 GFLOP", "1.6e+23 FLOP".
std::string operation_words(double flops) {
    static constexpr std::pair<double, const char*> units[] = {
        {1e21, ""}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}};
    if (flops >= units[0].first) {
        return fmt::format("{:.3g} FLOP", flops);
    }
    for (const auto& [scale, letter] : units) {
        if (flops >= scale) {
            return fmt::format("{:.3g} {}FLOP", flops / scale, letter);
        }
    }
    return fmt::format("{:.3g} FLOP", flops);
}

/// Operations of one pass forward and of a run, and multiplications with addition, which are half
/// as many.
void add_operations(const Reading& reading, const Architecture& architecture,
                    const std::string& name, std::string& words, Answer& reply) {
    const bool macs = asks(reading, "macs");
    if (!macs && !asks(reading, "flops")) {
        return;
    }
    constexpr int usual_context = 4096;
    const bool text = !architecture.stacks.empty() && architecture.vocabulary > 0;
    const int longest = architecture.max_positions > 0 ? architecture.max_positions : usual_context;
    const double context = reading.sequence.value_or(std::min(usual_context, longest));
    const int side = reading.image_size.value_or(0);
    const double forward = text ? forward_flops_per_token(architecture, context)
                                : forward_flops_of_sample(architecture, side);
    if (forward <= 0) {
        return;
    }
    const std::string of = text
                               ? fmt::format("forward for each token at a context of {:g}", context)
                           : side > 0 ? fmt::format("forward for one picture of {0} x {0}", side)
                                      : std::string("forward for one sample");
    std::string said =
        fmt::format("{} {}{}, three times that with the backward pass", operation_words(forward),
                    of, macs ? fmt::format(" ({:.3g} GMAC)", forward / 2e9) : std::string());
    reply.values.push_back({"flops", forward, forward, forward, "FLOP", name});
    const double trained_on =
        reading.tokens.value_or(static_cast<double>(architecture.published_tokens.value_or(0)));
    if (asks(reading, "training_flops") && trained_on > 0 && text) {
        const double run = 3 * forward * trained_on;
        said = fmt::format("{} for {}{} tokens{}, forward and backward ({})", operation_words(run),
                           reading.tokens ? "" : "the ", format_count(trained_on),
                           reading.tokens ? "" : " that its authors trained it on", said);
        reply.values.insert(reply.values.begin(), {"training_flops", run, run, run, "FLOP", name});
    }
    words += (words.empty() ? "" : ", ") + said;
}

/// Collects the figures of a model that a question asks for.
class ModelFigures {
public:
    ModelFigures(const Reading& reading, const Architecture& architecture)
        : reading_(reading),
          architecture_(architecture),
          name_(architecture.id.empty() ? architecture.name : architecture.id),
          count_(count_parameters(architecture)),
          all_(reading.attributes.empty()) {}

    Answer reply();

private:
    void add(const std::string& text) { words_ += (words_.empty() ? "" : ", ") + text; }
    void value(std::string_view quantity, double low, double mid, double high,
               std::string_view unit) {
        reply_.values.push_back({std::string(quantity), low, mid, high, std::string(unit), name_});
    }
    void add_optimal_tokens();
    void add_parameters();
    void add_active();
    /// One size of the text part, by the name that asks for it.
    void add_size(FigureName figure, double size, std::string_view what);
    void add_experts(const TransformerStack& stack);
    void add_text_sizes();

    const Reading& reading_;
    const Architecture& architecture_;
    std::string name_;
    ParameterCount count_;
    bool all_;  ///< nothing was asked for by name
    std::string words_;
    Answer reply_;
};

void ModelFigures::add_optimal_tokens() {
    const double total = static_cast<double>(count_.total);
    const double tokens = chinchilla_tokens * total;
    add(
        fmt::format("{} tokens are compute-optimal, {:g} for each of {} parameters (Hoffmann et "
                    "al. 2022; runs today are longer), some {} to train",
                    format_count(tokens), chinchilla_tokens, count_words(total),
                    operation_words(6 * tokens * static_cast<double>(count_.active))));
    value("tokens", tokens, tokens, tokens, "tokens");
}

void ModelFigures::add_parameters() {
    const double total = static_cast<double>(count_.total);
    add(count_words(total) + " parameters");
    value("parameters", total, total, total, "parameters");
}

void ModelFigures::add_active() {
    const double active = static_cast<double>(count_.active);
    // Some publishers count the table of tokens among them, of which a token reads one row.
    const double table = architecture_.tied_embeddings ? 0 : static_cast<double>(count_.embedding);
    add(count_words(active) + " active for each token" +
        (table > 0 ? fmt::format(" ({} beside the table of tokens)", count_words(active - table))
                   : std::string()));
    value("active", active - table, active, active, "parameters");
}

void ModelFigures::add_size(FigureName figure, double size, std::string_view what) {
    if (size > 0 && (asks(reading_, figure) || (all_ && figure.text() == "layers"))) {
        add(fmt::format("{:g} {}", size, what));
        value(figure.text(), size, size, size, what);
    }
}

void ModelFigures::add_experts(const TransformerStack& stack) {
    const double used = stack.moe->experts_per_token;
    add(fmt::format("{} experts, {} of them for each token{}", stack.moe->experts, used,
                    stack.moe->shared_ffn > 0 ? " and what all tokens share" : ""));
    value("active_experts", used, used, used, "experts");
    reply_.values.push_back(
        {"experts", {}, static_cast<double>(stack.moe->experts), {}, "experts", name_});
}

void ModelFigures::add_text_sizes() {
    const TransformerStack& stack = architecture_.text();
    add_size("layers", stack.layers, "layers");
    add_size("hidden", stack.hidden, "wide (hidden size)");
    add_size("heads", stack.heads, "attention heads");
    add_size("kv_heads", stack.kv_heads, "key-value heads");
    add_size("head_dim", stack.head_dim, "elements a head");
    add_size("ffn", stack.ffn, "wide in the feed-forward part");
    if (stack.moe && asks(reading_, "experts")) {
        add_experts(stack);
    }
    add_size("vocabulary", architecture_.vocabulary, "tokens in the vocabulary");
    if (architecture_.max_positions > 0 && asks(reading_, "context")) {
        const double positions = architecture_.max_positions;
        add(fmt::format("{:.0f} positions", positions));
        value("context", positions, positions, positions, "tokens");
    }
}

Answer ModelFigures::reply() {
    const bool sizes = all_ || asks(reading_, "parameters");
    if (asks(reading_, "optimal_tokens")) {
        add_optimal_tokens();
    }
    if (sizes || asks(reading_, "total")) {
        add_parameters();
    }
    if (asks(reading_, "active") || (sizes && count_.active != count_.total)) {
        add_active();
    }
    if (!architecture_.stacks.empty()) {
        add_text_sizes();
    }
    add_operations(reading_, architecture_, name_, words_, reply_);
    if (words_.empty()) {
        words_ = count_words(static_cast<double>(count_.total)) +
                 " parameters; what was asked does not apply to it";
    }
    reply_.headline = name_ + ": " + words_ + ".";
    return std::move(reply_);
}

}  // namespace

Answer reply_model(const Reading& reading, const Architecture& architecture) {
    return ModelFigures(reading, architecture).reply();
}

}  // namespace ridgeline
