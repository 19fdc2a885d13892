#include "base/lists.h"
#include "base/number.h"
#include "data/import_huggingface.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace ridgeline {
namespace {

ModelKind kind_of(std::string_view type) {
    constexpr std::array diffusion = {
        "diffusion", "unet2d",    "sd3",    "flux", "qwen_image",      "hunyuan_video",
        "wan",       "cogvideox", "pixart", "dit",  "listed_denoiser", "flux2"};
    constexpr std::array adversarial = {"gan", "dcgan", "hifigan", "pix2pix", "cyclegan"};
    constexpr std::array recurrent = {"recurrent",        "rnnt",      "tacotron2",
                                      "jasper",           "speech",    "waveglow",
                                      "recurrent_kernel", "fastpitch", "tft"};
    if (is_among(type, recurrent)) {
        return ModelKind::recurrent;
    }
    if (is_among(type, diffusion)) {
        return ModelKind::diffusion;
    }
    if (is_among(type, adversarial)) {
        return ModelKind::gan;
    }
    return ModelKind::image;
}

/// Numbers of a value in reading order; a word inside a list is the code of its first letter.
void flatten(const nlohmann::json& value, std::vector<double>& out, int depth) {
    constexpr std::size_t longest = 4096;
    constexpr int deepest = 4;
    if (out.size() >= longest || depth > deepest) {
        return;
    }
    if (value.is_boolean()) {
        out.push_back(value.get<bool>() ? 1 : 0);
    } else if (value.is_number()) {
        out.push_back(value.get<double>());
    } else if (value.is_string() && depth > 0) {
        const auto& word = value.get_ref<const std::string&>();
        out.push_back(word.empty() ? 0 : static_cast<unsigned char>(word.front()));
    } else if (value.is_array()) {
        for (const nlohmann::json& element : value) {
            flatten(element, out, depth + 1);
        }
    }
}

/// Counts of layers; more of them are a mistake that would take for ever.
bool counts_layers(std::string_view key) {
    // clang-format off
    constexpr std::array keys = {
        "layers", "depths", "block_config", "num_layers", "stages", "num_hidden_layers",
        "num_single_layers", "repeats", "depth", "layers_per_block", "convolutions_per_level",
        "depth_mult", "depth_multiple", "transformer_layers_per_block"
    };
    // clang-format on
    return is_among(key, keys);
}

/// A list of objects becomes a list for each of their members ("tables.rows"): a member that is a
/// list itself gives its sum, and its length as "tables.lookups.size".
void read_rows(const std::string& key, const nlohmann::json& rows, NetworkSizes& sizes) {
    constexpr std::size_t most_rows = 4096;
    std::vector<std::pair<std::string, std::vector<double>>> columns;
    const auto put = [&](const std::string& name, double value) {
        auto at =
            std::ranges::find_if(columns, [&](const auto& column) { return column.first == name; });
        if (at == columns.end()) {
            at = columns.insert(columns.end(), {name, {}});
        }
        at->second.push_back(value);
    };
    for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
        for (const auto& [member, value] : rows[i].items()) {
            std::vector<double> numbers;
            flatten(value, numbers, 0);
            double sum = 0;
            for (const double number : numbers) {
                sum += number;
            }
            put(key + "." + member, sum);
            if (value.is_array()) {
                put(key + "." + member + ".size", static_cast<double>(numbers.size()));
            }
        }
    }
    for (auto& column : columns) {
        sizes.numbers.push_back(std::move(column));
    }
}

/// The operator of a statement of such a row: its second word, or the first of a lone one.
std::string_view operator_of(std::string_view statement) {
    const auto word = [&statement] {
        statement.remove_prefix(std::min(statement.find_first_not_of(' '), statement.size()));
        const std::size_t end = std::min(statement.find(' '), statement.size());
        const std::string_view first = statement.substr(0, end);
        statement.remove_prefix(end);
        return first;
    };
    const std::string_view target = word();
    const std::string_view name = word();
    return name.empty() ? target : name;
}

void check_row(const ConfigFields& config, std::string_view row) {
    row.remove_prefix(row.find(':') == std::string_view::npos ? 0 : row.find(':') + 1);
    while (!row.empty()) {
        const std::size_t end = std::min(row.find(';'), row.size());
        const std::string_view name = operator_of(row.substr(0, end));
        if (!name.empty() && !is_among(name, listed_operators)) {
            config.fail("listing", fmt::format("\"{}\" is no operator", name.substr(0, 40)));
        }
        row.remove_prefix(std::min(end + 1, row.size()));
    }
}

/// The rows of a network that its file writes out, one under another.
std::string joined_rows(const ConfigFields& config, const nlohmann::json& rows) {
    constexpr std::size_t longest = 1 << 20;
    std::string text;
    for (const nlohmann::json& row : rows) {
        if (!row.is_string() || text.size() > longest) {
            config.fail("listing", "expected a list of rows of text, at most 1 MiB");
            break;
        }
        check_row(config, row.get_ref<const std::string&>());
        text += row.get_ref<const std::string&>() + '\n';
    }
    return text;
}

NetworkSizes read_sizes(const ConfigFields& config, const std::string& type) {
    NetworkSizes sizes;
    sizes.type = type;
    for (const auto& [key, value] : config.object().items()) {
        if (value.is_string()) {
            const auto& word = value.get_ref<const std::string&>();
            sizes.words.emplace_back(key, word);
            // Options of a command line come as text ("cbase": "16384").
            const auto number = leading_number(word);
            if (number && number->length == word.size() && std::isfinite(number->value)) {
                sizes.numbers.emplace_back(key, std::vector<double>{number->value});
            }
            continue;
        }
        if (key.ends_with("listing") && value.is_array()) {
            sizes.words.emplace_back(key, joined_rows(config, value));
            continue;
        }
        const bool rows =
            value.is_array() && !value.empty() &&
            std::ranges::all_of(value, [](const auto& row) { return row.is_object(); });
        if (rows) {
            read_rows(key, value, sizes);
            continue;
        }
        std::vector<double> numbers;
        flatten(value, numbers, 0);
        if (numbers.empty()) {
            continue;
        }
        const double most = counts_layers(key) ? 20'000 : 1e15;
        const auto wrong = std::ranges::find_if(
            numbers, [most](double number) { return !(number >= -1e6 && number <= most); });
        if (wrong != numbers.end()) {
            config.fail(key, fmt::format("found {}, expected at most {}", *wrong, most));
        }
        sizes.numbers.emplace_back(key, std::move(numbers));
    }
    return sizes;
}

double millions(const ConfigFields& config) {
    if (const auto stated = config.number({"params_m"})) {
        return *stated;
    }
    return config.number({"parameters"}).value_or(0) / 1e6;
}

/// Blocks with two sets of weights, of text and picture, then blocks with one over both: their
/// widths are stated.
void check_mmdit(const ConfigFields& config, const std::string& type) {
    const bool stated = config.text({"family"}).value_or("") == "mmdit";
    if (!stated && type != "sd3" && type != "flux") {
        return;
    }
    config.required_size({"num_double_layers", "num_layers"}, most_layers);
    config.required_size({"num_attention_heads"}, most_size);
    config.required_size({"head_dim", "attention_head_dim"}, 65'536);
}

/// Layers of LSTM or GRU of one width.
void check_recurrent(const ConfigFields& config) {
    config.required_size({"hidden_size"}, most_size);
    const int layers =
        config.required_size({"num_encoder_layers", "encoder_layers", "num_layers"}, most_layers);
    const int both_ways =
        config.count({"bidirectional_layers", "encoder_bidirectional_layers"}, most_layers)
            .value_or(0);
    if (both_ways > layers) {
        config.fail(
            "bidirectional_layers",
            fmt::format("found {}, expected at most the {} encoder layers", both_ways, layers));
    }
}

}  // namespace

Architecture import_network(const ConfigFields& config, const std::string& model_type) {
    Architecture architecture;
    architecture.kind = kind_of(model_type);
    architecture.has_head = false;
    architecture.network = read_sizes(config, model_type);
    // A name alone is looked up among the known networks.
    if (model_type == "recurrent" && config.has({"hidden_size"})) {
        check_recurrent(config);
        architecture.vocabulary = config.count({"vocab_size"}).value_or(0);
        architecture.facts = NetworkFacts{.mparameters = millions(config)};
        return architecture;
    }
    architecture.facts = NetworkFacts{
        .mparameters = millions(config),
        .image_size =
            config.size({"gmacs_image_size", "image_size", "resolution"}, 65'536).value_or(0)};
    if (architecture.kind == ModelKind::diffusion) {
        check_mmdit(config, model_type);
    }
    return architecture;
}

}  // namespace ridgeline
