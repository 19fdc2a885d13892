#include "advise/answer.h"
#include "advise/compare.h"
#include "base/order.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"
#include "spec/matrix_types.h"

#include <fmt/format.h>

#include <algorithm>

// Figures of a part or a model that a question asks for.

namespace ridgeline {
namespace {

/// "1,979" with thousands parted.
std::string grouped(double value) {
    std::string digits = fmt::format("{:.0f}", value);
    for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), ",");
    }
    return digits;
}

/// "46.7B", "44.5M".
std::string count_words(double parameters) {
    return parameters < 1e9 ? fmt::format("{:.1f}M", parameters / 1e6)
                            : fmt::format("{:.1f}B", parameters / 1e9);
}

struct Figure {
    std::string words;
    std::optional<AnswerValue> value;
};

Figure bandwidth(const Accelerator& part) {
    if (part.memory_bandwidth.base() <= 0) {
        return {"memory bandwidth not known", {}};
    }
    const double gb = part.memory_bandwidth / gigabyte_per_second;
    return {fmt::format("{} GB/s of memory bandwidth", grouped(gb)),
            AnswerValue{"bandwidth", gb, gb, gb, "GB/s", part.id}};
}

/// count  of the part, whose memories are added up
Figure memory(const Accelerator& part, int count) {
    if (part.marketed_gb <= 0) {
        return {"memory size not known", {}};
    }
    const double all = count * part.marketed_gb;
    std::string words =
        fmt::format("{} GB of {}", all >= 1000 ? grouped(all) : fmt::format("{:g}", all),
                    part.memory_type.empty() ? "memory" : part.memory_type);
    if (count > 1) {
        words += fmt::format(", {} x {:g} GB", count, part.marketed_gb);
    }
    if (part.visible_memory) {
        words += fmt::format(" ({:.1f} GiB visible{})", *part.visible_memory / gibibyte,
                             count > 1 ? " on each" : "");
    }
    return {words, AnswerValue{"memory", all, all, all, "GB", part.id}};
}

Figure power(const Reading& reading, const Accelerator& part, const Catalog& catalog) {
    if (part.tdp / watt <= 0) {
        return {"power not stated", {}};
    }
    const int count = reading.count.value_or(1);
    std::string words = fmt::format("{:.0f} W", part.tdp / watt);
    if (count > 1) {
        words += fmt::format(" each, {} W for {}", grouped(count * (part.tdp / watt)), count);
        for (const Machine& machine : catalog.machines) {
            if (machine.accelerator == part.id && machine.accelerators == count && machine.power) {
                words += fmt::format(", {} W at most for the whole {}",
                                     grouped(*machine.power / watt), machine.name);
                break;
            }
        }
    }
    return {words, AnswerValue{"power", {}, count * (part.tdp / watt), {}, "W", part.id}};
}

Figure rates(const Reading& reading, const Accelerator& part) {
    Figure figure;
    const auto wanted = [&](ComputeType type) {
        return reading.compute == name_of(type) || reading.quantization == name_of(type) ||
               (reading.compute.empty() && reading.quantization.empty());
    };
    for (const ComputeType type :
         {ComputeType::fp32, ComputeType::tf32, ComputeType::bf16, ComputeType::fp16,
          ComputeType::fp8, ComputeType::int8, ComputeType::fp4}) {
        const auto peak = part.peak(type);
        if (!peak || !wanted(type)) {
            continue;
        }
        const double tera = *peak / teraflop_per_second;
        const bool asked = !reading.compute.empty() || !reading.quantization.empty();
        figure.words +=
            asked ? fmt::format("{}{} {} in {}, dense", figure.words.empty() ? "yes, " : ", ",
                                grouped(tera), type == ComputeType::int8 ? "TOP/s" : "TFLOP/s",
                                name_of(type))
                  : fmt::format("{}{} {}", figure.words.empty() ? "dense TFLOP/s: " : ", ",
                                name_of(type), grouped(tera));
        if (!figure.value || type == ComputeType::bf16) {
            figure.value = AnswerValue{"rate", tera, tera, tera, "TFLOP/s", part.id};
        }
    }
    if (figure.words.empty()) {
        figure.words =
            fmt::format("no: no matrix units for {} are stated",
                        reading.compute.empty() ? reading.quantization : reading.compute);
    }
    return figure;
}

Figure feature(const Accelerator& part, std::string_view attribute) {
    if (attribute == "nvlink") {
        const ScaleUp& link = part.scale_up;
        const std::string speed =
            (link.rate
                 ? fmt::format(", {} GB/s each way", grouped(*link.rate / gigabyte_per_second))
                 : "") +
            (link.pair_rate ? fmt::format(", {} GB/s between two",
                                          grouped(*link.pair_rate / gigabyte_per_second))
                            : "");
        if (!part.has_nvlink()) {
            return {fmt::format("no NVLink (its link to others: {}{})", link.kind, speed), {}};
        }
        return {fmt::format("yes, {}{}", link.kind, speed), {}};
    }
    if (attribute == "flash_attention") {
        if (!part.compute_capability) {
            return {"FlashAttention 2: not stated for a part without CUDA", {}};
        }
        const bool runs = capability_of(part) >= flash_attention_capability;
        return {
            fmt::format("{}, FlashAttention 2 needs compute capability {:.1f} and it has {}{}",
                        runs ? "yes" : "no", flash_attention_capability, *part.compute_capability,
                        runs ? "" : "; PyTorch's own attention (sdpa) runs"),
            {}};
    }
    if (attribute == "mig") {
        const int instances = part.mig_instances.value_or(0);
        return {
            instances > 1 ? fmt::format("yes, MIG with up to {} instances", instances) : "no MIG",
            {}};
    }
    if (attribute == "ecc") {
        return {part.ecc.available ? "yes, ECC " + part.ecc.support
                                   : "ECC: " + (part.ecc.support.empty() ? std::string("not stated")
                                                                         : part.ecc.support),
                {}};
    }
    return {};
}

/// Figures that people ask for and no part of the catalog states.
bool is_unrecorded(std::string_view attribute) {
    return attribute == "weight" || attribute == "dimensions" || attribute == "noise";
}

/// Fp32 lanes of a multiprocessor, by compute capability (CUDA C++ Programming Guide, arithmetic
/// instructions); 0: no CUDA part.
int lanes_of(const Accelerator& part) {
    static constexpr std::pair<std::string_view, int> lanes[] = {
        {"6.0", 64}, {"6.1", 128}, {"7.0", 64}, {"7.5", 64}, {"8.0", 64}};
    if (!part.compute_capability) {
        return 0;
    }
    for (const auto& [capability, count] : lanes) {
        if (*part.compute_capability == capability) {
            return count;
        }
    }
    return 128;
}

Figure other(const Accelerator& part, std::string_view attribute) {
    if (is_unrecorded(attribute)) {
        return {fmt::format("the catalog has no {}", attribute), {}};
    }
    if (attribute == "cores") {
        const int lanes = lanes_of(part);
        return {!part.units ? "number of cores not known"
                : lanes > 0 ? fmt::format("{} CUDA cores ({} multiprocessors of {})",
                                          grouped(*part.units * lanes), *part.units, lanes)
                            : fmt::format("{} multiprocessors or compute units", *part.units),
                {}};
    }
    if (attribute == "domain") {
        return {fmt::format("up to {} reach each other by {}", part.scale_up.max_domain,
                            part.scale_up.kind),
                {}};
    }
    if (attribute == "tensor_cores") {
        // Matrix units came with compute capability 7.0 (CUDA C++ Programming Guide); others state
        // a rate of matrix products above that of their vector units.
        const double capability = capability_of(part);
        const bool units = capability >= 7.0 || (capability == 0 && part.peak(ComputeType::bf16));
        return {!units ? "no tensor cores (matrix units)"
                       : fmt::format(
                             "yes, {} of architecture {}{}",
                             capability > 0 ? "tensor cores" : "matrix units", part.architecture,
                             part.units
                                 ? fmt::format(", {} multiprocessors or compute units", *part.units)
                                 : ""),
                {}};
    }
    if (attribute == "clock") {
        return {part.boost_clock_mhz ? fmt::format("{:.0f} MHz boost clock", *part.boost_clock_mhz)
                                     : "clock not known",
                {}};
    }
    if (attribute == "cache") {
        return {part.l2_cache ? fmt::format("{:.0f} MiB of L2 cache", *part.l2_cache / mebibyte)
                              : "L2 size not known",
                {}};
    }
    if (attribute == "bus") {
        return {part.bus_bits ? fmt::format("{} bits of memory bus", *part.bus_bits)
                              : "bus width not known",
                {}};
    }
    if (attribute == "capability") {
        return {part.compute_capability ? "compute capability " + *part.compute_capability
                                        : part.gfx_arch.value_or("no CUDA part"),
                {}};
    }
    if (attribute == "year") {
        return {part.year > 0 ? fmt::format("of {}", part.year) : "year not known", {}};
    }
    if (attribute == "form") {
        return {part.form_factor, {}};
    }
    if (attribute == "architecture") {
        return {part.architecture + " architecture", {}};
    }
    if (attribute == "memory_type") {
        return {part.memory_type, {}};
    }
    if (attribute == "pcie") {
        return {fmt::format("PCIe {} x{}", part.pcie_generation, part.pcie_lanes), {}};
    }
    if (attribute == "fp64") {
        if (!part.peak_vector_fp64) {
            return {"fp64 rate not known", {}};
        }
        const double tera = *part.peak_vector_fp64 / teraflop_per_second;
        const auto units = part.peak(ComputeType::fp64);
        const double by_units = units ? *units / teraflop_per_second : 0;
        return {by_units > tera
                    ? fmt::format(
                          "{:.3g} TFLOP/s in fp64, {:.3g} in matrix products on its tensor cores",
                          tera, by_units)
                    : fmt::format("{:.3g} TFLOP/s in fp64", tera),
                AnswerValue{"fp64 rate", tera, tera, std::max(tera, by_units), "TFLOP/s", part.id}};
    }
    return {};
}

std::vector<Figure> figures_of(const Reading& reading, const Accelerator& part,
                               const Catalog& catalog) {
    const int count = reading.count.value_or(1);
    std::vector<Figure> figures;
    for (const std::string& attribute : reading.attributes) {
        Figure figure = attribute == "bandwidth" ? bandwidth(part)
                        : attribute == "memory"  ? memory(part, count)
                        : attribute == "power"   ? power(reading, part, catalog)
                        : attribute == "flops"   ? rates(reading, part)
                                                 : feature(part, attribute);
        if (figure.words.empty()) {
            figure = other(part, attribute);
        }
        if (!figure.words.empty()) {
            figures.push_back(std::move(figure));
        }
    }
    const bool rated = std::find(reading.attributes.begin(), reading.attributes.end(), "flops") !=
                       reading.attributes.end();
    if (!rated && (!reading.compute.empty() || !reading.quantization.empty())) {
        Figure figure = rates(reading, part);
        constexpr std::string_view yes = "yes, ";
        if (!figures.empty() && figure.words.starts_with(yes)) {
            figure.words.erase(0, yes.size());  // beside others it answers no question of its own
        }
        figures.push_back(std::move(figure));
    }
    if (figures.empty()) {
        figures = {memory(part, count), bandwidth(part), rates(reading, part),
                   power(reading, part, catalog)};
    }
    return figures;
}

}  // namespace

std::string features_words(const Reading& reading) {
    std::string wanted;
    for (const std::string& attribute : reading.attributes) {
        wanted += (wanted.empty() ? "" : " and ") + attribute;
    }
    if (reading.memory_gib) {
        wanted +=
            fmt::format("{}{:g} GB or more", wanted.empty() ? "" : " and ", *reading.memory_gib);
    }
    return wanted;
}

std::vector<const Accelerator*> parts_with(const Reading& reading, const Catalog& catalog) {
    std::vector<const Accelerator*> parts;
    for (const Accelerator& part : catalog.accelerators) {
        const bool all = std::all_of(
            reading.attributes.begin(), reading.attributes.end(),
            [&](const std::string& each) { return has_feature(part, each).value_or(true); });
        if (part.kind != "cpu" && suits(part, reading) && all) {
            parts.push_back(&part);
        }
    }
    return parts;
}

Answer reply_parts_with(const Reading& reading, const AnswerTools& tools) {
    std::vector<const Accelerator*> parts = parts_with(reading, tools.knowledge.catalog);
    const std::string wanted = features_words(reading);
    stable_order(parts.begin(), parts.end(), [](const Accelerator* a, const Accelerator* b) {
        return std::pair(a->architecture, -a->year) < std::pair(b->architecture, -b->year);
    });
    Answer reply;
    std::string words;
    std::string architecture;
    for (const Accelerator* part : parts) {
        const bool same = part->architecture == architecture;
        words += (words.empty() ? ""
                  : same        ? ", "
                                : "; ") +
                 (same ? "" : part->architecture + ": ") + part->id;
        architecture = part->architecture;
        reply.values.push_back({"part", {}, 1, {}, "", part->id});
    }
    reply.headline = parts.empty()
                         ? "No part of the catalog has " + wanted + "."
                         : fmt::format("{} parts have {}: {}.", parts.size(), wanted, words);
    return reply;
}

/// The card that one buys, of whose devices the catalog holds one.
Accelerator whole_card(Accelerator part) {
    const double devices = part.devices_seen;
    part.marketed_gb *= devices;
    part.tdp = part.tdp * devices;
    part.memory_bandwidth = part.memory_bandwidth * devices;
    for (auto& peak : part.peak_dense) {
        peak = peak ? std::optional(*peak * devices) : peak;
    }
    for (auto* rate : {&part.peak_vector_fp32, &part.peak_vector_fp64}) {
        *rate = *rate ? std::optional(**rate * devices) : *rate;
    }
    part.visible_memory =
        part.visible_memory ? std::optional(*part.visible_memory * devices) : part.visible_memory;
    part.units = part.units ? std::optional(*part.units * part.devices_seen) : part.units;
    if (part.devices_seen > 1) {
        part.name += fmt::format(", a card of {} dies that software sees as {} devices",
                                 part.devices_seen, part.devices_seen);
    }
    return part;
}

Answer reply_part(const Reading& reading, const AnswerTools& tools) {
    Answer reply;
    const Machine* machine =
        reading.machine.empty() ? nullptr : tools.knowledge.catalog.machine(reading.machine);
    if (machine != nullptr) {
        reply.headline =
            fmt::format("{}: {} x {}", machine->name, machine->accelerators, machine->accelerator);
    }
    std::vector<std::pair<std::string, std::string>>
        said;  // what is the same of several is said once
    for (const std::string& id : reading.accelerators) {
        const Accelerator* known = tools.knowledge.catalog.accelerator(id);
        if (known == nullptr) {
            continue;
        }
        const Accelerator card = whole_card(*known);
        const Accelerator* part = &card;
        std::string words;
        for (const Figure& figure : figures_of(reading, *part, tools.knowledge.catalog)) {
            words += (words.empty() ? "" : ", ") + figure.words;
            if (figure.value) {
                reply.values.push_back(*figure.value);
            }
        }
        const auto same = std::find_if(said.begin(), said.end(),
                                       [&](const auto& each) { return each.second == words; });
        if (same == said.end()) {
            said.emplace_back(part->name, words);
        } else {
            same->first += ", " + part->name;
        }
    }
    for (const auto& [parts, words] : said) {
        reply.headline += fmt::format("{}{}: {}", reply.headline.empty() ? "" : "; ", parts, words);
    }
    reply.headline += ".";
    return reply;
}

namespace {

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
    constexpr double usual_context = 4096;
    const bool text = !architecture.stacks.empty() && architecture.text().causal;
    const double context = reading.sequence.value_or(static_cast<int>(usual_context));
    const double forward = text ? forward_flops_per_token(architecture, context)
                                : forward_flops_of_sample(architecture);
    if (forward <= 0) {
        return;
    }
    const std::string of = text
                               ? fmt::format("forward for each token at a context of {:g}", context)
                               : std::string("forward for one sample");
    std::string said =
        fmt::format("{} {}{}, three times that with the backward pass", operation_words(forward),
                    of, macs ? fmt::format(" ({:.3g} GMAC)", forward / 2e9) : std::string());
    reply.values.push_back({"flops", forward, forward, forward, "FLOP", name});
    if (asks(reading, "training_flops") && reading.tokens && text) {
        const double run = 3 * forward * *reading.tokens;
        said = fmt::format("{} for {:.3g} tokens, forward and backward ({})", operation_words(run),
                           *reading.tokens, said);
        reply.values.insert(reply.values.begin(), {"training_flops", run, run, run, "FLOP", name});
    }
    words += (words.empty() ? "" : ", ") + said;
}

}  // namespace

Answer reply_model(const Reading& reading, const Architecture& architecture) {
    const ParameterCount count = count_parameters(architecture);
    const std::string name = architecture.id.empty() ? architecture.name : architecture.id;
    const double total = static_cast<double>(count.total);
    const double active = static_cast<double>(count.active);
    Answer reply;
    std::string words;
    const auto add = [&](const std::string& text) { words += (words.empty() ? "" : ", ") + text; };
    const bool text = !architecture.stacks.empty();
    const bool all = reading.attributes.empty();
    if (asks(reading, "optimal_tokens")) {
        const double tokens = chinchilla_tokens * total;
        add(
            fmt::format("{} tokens are compute-optimal, {:g} for each of {} parameters (Hoffmann "
                        "et al. 2022; runs today are longer), some {} to train",
                        format_count(tokens), chinchilla_tokens, count_words(total),
                        operation_words(6 * tokens * active)));
        reply.values.push_back({"tokens", tokens, tokens, tokens, "tokens", name});
    }
    if (all || asks(reading, "parameters") || asks(reading, "total")) {
        add(count_words(total) + " parameters");
        reply.values.push_back({"parameters", total, total, total, "parameters", name});
    }
    if (asks(reading, "active") ||
        ((all || asks(reading, "parameters")) && count.active != count.total)) {
        // Some publishers count the table of tokens among them, of which a token reads one row.
        const double table =
            architecture.tied_embeddings ? 0 : static_cast<double>(count.embedding);
        add(count_words(active) + " active for each token" +
            (table > 0
                 ? fmt::format(" ({} beside the table of tokens)", count_words(active - table))
                 : std::string()));
        reply.values.push_back({"active", active - table, active, active, "parameters", name});
    }
    if (text) {
        const TransformerStack& stack = architecture.text();
        const auto number = [&](FigureName figure, double value, std::string_view what) {
            if (value > 0 && (asks(reading, figure) || (all && figure.text() == "layers"))) {
                add(fmt::format("{:g} {}", value, what));
                reply.values.push_back(
                    {std::string(figure.text()), value, value, value, std::string(what), name});
            }
        };
        number("layers", stack.layers, "layers");
        number("hidden", stack.hidden, "wide (hidden size)");
        number("heads", stack.heads, "attention heads");
        number("kv_heads", stack.kv_heads, "key-value heads");
        number("head_dim", stack.head_dim, "elements a head");
        number("ffn", stack.ffn, "wide in the feed-forward part");
        if (stack.moe && asks(reading, "experts")) {
            const double used = stack.moe->experts_per_token;
            add(fmt::format("{} experts, {} of them for each token{}", stack.moe->experts, used,
                            stack.moe->shared_ffn > 0 ? " and what all tokens share" : ""));
            reply.values.push_back({"active_experts", used, used, used, "experts", name});
            reply.values.push_back(
                {"experts", {}, static_cast<double>(stack.moe->experts), {}, "experts", name});
        }
        number("vocabulary", architecture.vocabulary, "tokens in the vocabulary");
        if (architecture.max_positions > 0 && asks(reading, "context")) {
            add(fmt::format("{} positions", architecture.max_positions));
            const double positions = architecture.max_positions;
            reply.values.push_back({"context", positions, positions, positions, "tokens", name});
        }
    }
    add_operations(reading, architecture, name, words, reply);
    if (words.empty()) {
        words = count_words(total) + " parameters; what was asked does not apply to it";
    }
    reply.headline = name + ": " + words + ".";
    return reply;
}

}  // namespace ridgeline
