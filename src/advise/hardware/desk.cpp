#include "advise/hardware/desk.h"

#include "advise/hardware/cluster.h"
#include "base/text.h"
#include "estimate/money/power.h"
#include "spec/matrix_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace ridgeline {
namespace {

bool names_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(
        words, [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool is_generation(std::string_view word) {
    static constexpr std::string_view generations[] = {"kepler",    "maxwell", "pascal", "volta",
                                                       "turing",    "ampere",  "ada",    "hopper",
                                                       "blackwell", "cdna",    "rdna"};
    return std::find(std::begin(generations), std::end(generations), word) != std::end(generations);
}

}  // namespace

bool is_product_line(std::string_view word) {
    static constexpr std::string_view lines[] = {
        "geforce", "radeon",     "radeon-pro",  "instinct",   "jetson", "titan",
        "arc",     "quadro",     "rtx",         "rtx-pro",    "tesla",  "mac-mini",
        "macbook", "mac-studio", "macbook-pro", "macbook-air"};
    word.remove_prefix(word.starts_with('!') ? 1 : 0);
    return is_generation(word) ||
           std::find(std::begin(lines), std::end(lines), word) != std::end(lines);
}

bool is_of_line(const Accelerator& part, std::string_view line) {
    const std::string name = lower(part.name);
    if (is_generation(line)) {
        return lower(part.architecture).starts_with(line);
    }
    const Stand stand = stand_of(part);
    const bool nvidia = part.vendor == "NVIDIA";
    if (line == "radeon") {
        return names_any(name, {"radeon"}) && stand != Stand::server;
    }
    if (line == "radeon-pro") {
        return names_any(name, {"radeon pro", "radeon ai pro"});
    }
    if (line == "quadro") {
        return nvidia && stand == Stand::workstation;
    }
    if (line == "rtx-pro") {
        return names_any(name, {"rtx pro"});
    }
    if (line == "tesla") {
        constexpr double ampere = 8.0;  // the first generation without the name
        return nvidia && stand == Stand::server && part.compute_capability &&
               capability_of(part) < ampere;
    }
    if (line.starts_with("mac")) {
        std::string computer(line);
        std::replace(computer.begin(), computer.end(), '-', ' ');
        return std::ranges::any_of(
            part.families, [&](const std::string& family) { return family.starts_with(computer); });
    }
    return names_any(name, {line == "arc" ? std::string_view(" arc ") : line});
}

bool is_of_lines(const Accelerator& part, const std::vector<std::string>& list) {
    bool any = false;
    bool one = false;
    for (const std::string_view word : list) {
        if (!is_product_line(word)) {
            continue;
        }
        if (word.starts_with('!')) {
            if (is_of_line(part, word.substr(1))) {
                return false;
            }
            continue;
        }
        any = true;
        one = one || is_of_line(part, word);
    }
    return one || !any;
}

bool is_board(std::string_view word) {
    return word == "pcie" || word == "sxm" || word == "oam" || word == "module";
}

bool is_on_board(const Accelerator& part, std::string_view board) {
    const std::string form = lower(part.form_factor);
    return board == "module" ? is_module(part) : names_any(form, {board});
}

bool is_unit_type(std::string_view word) {
    static constexpr std::string_view types[] = {"fp4",  "nvfp4", "mxfp4", "fp8",  "mxfp8", "int8",
                                                 "int4", "bf16",  "fp16",  "tf32", "fp64"};
    return std::find(std::begin(types), std::end(types), word) != std::end(types);
}

bool is_build(std::string_view word) {
    return word == "card" || word == "consumer" || word == "computer" || word == "laptop" ||
           word == "single-slot" || word == "dual-slot" || word == "low-profile" ||
           word == "server";
}

bool is_built_as(const Accelerator& part, std::string_view build) {
    const std::string form = lower(part.form_factor);
    const Stand stand = stand_of(part);
    if (build == "card" || build == "server") {
        return !is_module(part) && stand != Stand::computer && stand != Stand::processor;
    }
    if (build == "consumer") {
        return stand == Stand::consumer;
    }
    if (build == "computer") {
        return stand == Stand::computer &&
               (is_of_line(part, "mac-mini") || is_of_line(part, "mac-studio") ||
                !is_built_as(part, "laptop"));
    }
    if (build == "laptop") {
        return names_any(form, {"laptop"}) ||
               std::ranges::any_of(part.families, [](const std::string& family) {
                   return family.starts_with("macbook");
               });
    }
    // What no source tells the width of is no answer to who has room for so much.
    return build == "low-profile"   ? names_any(form, {"low profile"})
           : build == "single-slot" ? names_any(form, {"single-slot"})
                                    : names_any(form, {"single-slot", "dual-slot"});
}

bool draws_at_most(const Accelerator& part, std::optional<double> watts) {
    return !watts || (part.tdp / watt > 0 && part.tdp / watt <= *watts);
}

bool is_selection(std::string_view word) {
    return is_property(word) || (!word.starts_with('!') && is_product_line(word));
}

bool is_property(std::string_view word) {
    return is_unit_type(word) || is_memory_type(word) || word == "ecc" || word == "nvlink" ||
           word == "mig";
}

bool is_memory_type(std::string_view word) {
    return word.starts_with("hbm") || word.starts_with("gddr") || word.starts_with("lpddr");
}

std::optional<bool> has_feature(const Accelerator& part, std::string_view feature) {
    if (feature == "ecc") {
        return part.ecc.available;
    }
    if (feature == "nvlink") {
        return part.has_nvlink();
    }
    if (feature == "mig") {
        return part.mig_instances.value_or(0) > 1;
    }
    if (is_memory_type(feature)) {
        // "HBM3 (shared with the CPU)" is HBM3; "hbm" alone is any of its kinds.
        const std::string all = lower(part.memory_type);
        const std::string first = all.substr(0, all.find(' '));
        const bool kind = feature == "hbm" || feature == "gddr" || feature == "lpddr";
        return kind ? first.starts_with(feature) : first == feature;
    }
    const auto type = feature.ends_with("fp4") ? ComputeType::fp4 : compute_type_named(feature);
    if (!type) {
        return std::nullopt;
    }
    if (feature == "nvfp4" && part.fp4_format != "nvfp4") {
        return false;
    }
    if (type == ComputeType::fp64) {
        // Double precision at 1/64 of single, as on consumer parts, is no double precision.
        const auto rate = part.peak(ComputeType::fp64);
        const auto single =
            part.peak_vector_fp32 ? part.peak_vector_fp32 : part.peak(ComputeType::fp32);
        return rate && (!single || *rate / *single >= 0.25);
    }
    return part.peak(*type).has_value();
}

bool is_as_required(const Accelerator& part, const std::vector<std::string>& require) {
    return is_of_lines(part, require) && std::ranges::all_of(require, [&](const std::string& each) {
               return (!is_build(each) || is_built_as(part, each)) &&
                      (!is_board(each) || is_on_board(part, each)) &&
                      (!(is_unit_type(each) || is_memory_type(each)) ||
                       has_feature(part, each).value_or(false));
           });
}

bool is_embedded(const Accelerator& part) { return is_of_line(part, "jetson"); }

bool is_one_computer(const Accelerator& part) { return stand_of(part) == Stand::computer; }

bool is_home(const Accelerator& part) {
    const Stand stand = stand_of(part);
    return stand == Stand::consumer || stand == Stand::computer || stand == Stand::processor;
}

bool stands_at_a_desk(const Accelerator& part) {
    const Stand stand = stand_of(part);
    return stand == Stand::workstation || stand == Stand::consumer || stand == Stand::computer;
}

bool goes_into_a_server(const Query& query) {
    return std::ranges::find(query.require, "server") != query.require.end();
}

bool buys_for_a_desk(const Query& query) {
    const auto& serving = query.workload.serving;
    const bool one_user = !query.requests_per_s && (!serving || serving->concurrency <= 1);
    return query.buy && !query.owned && !goes_into_a_server(query) &&
           query.exact_accelerators.value_or(1) <= cards_of_a_computer &&
           (query.budget_usd ? *query.budget_usd <= most_at_home_usd : one_user);
}

bool bought_in_servers(const Query& query, const Accelerator& part, int count, bool used) {
    if (!query.buy || is_one_computer(part) || is_embedded(part)) {
        return false;
    }
    const bool desk = buys_for_a_desk(query);
    return is_module(part) && stand_of(part) == Stand::server
               ? !(used && desk)
               : count > cards_of_a_desk || (!stands_at_a_desk(part) && !desk);
}

double machine_watts(const Query& query, const Cluster& cluster) {
    const Accelerator& part = *cluster.accelerator;
    const bool cards = buys_for_a_desk(query) && stands_at_a_desk(part) && !is_one_computer(part);
    return cards ? cluster.count * (part.tdp / watt) + watts_around_cards
                 : node_power_of(cluster) / watt;
}

bool may_be_cast_off(const Query& query) {
    const bool asked = std::ranges::find(query.require, "datacenter") != query.require.end();
    return asked || goes_into_a_server(query) || !query.buy || query.owned ||
           query.exact_accelerators.value_or(1) > cards_of_a_computer ||
           query.budget_usd.value_or(0) > most_at_home_usd;
}

std::string left_behind(const Accelerator& part) {
    for (const std::string& item : part.software) {
        for (const std::string_view toolkit : {"CUDA ", "ROCm "}) {
            const std::size_t at = toolkit.size();
            if (item.starts_with(toolkit) && item.size() > at && item[at] >= '0' &&
                item[at] <= '9') {
                return fmt::format("{} is the last that runs on it", item);
            }
        }
    }
    return "";
}

bool is_part_of_a_server(const Accelerator& part) {
    return part.kind == "apu" && names_any(part.form_factor, {"socket"});
}

double computer_around(const Catalog& catalog, int count) {
    const OwnershipFigure* known =
        catalog.ownership.figure(count > 1 ? "computer_of_several_usd" : "computer_usd");
    return known == nullptr ? 0 : known->value.value_or(0);
}

bool slower_than_read(const Query& query, const Workload& workload, const TimeEstimate& time) {
    // One at home leaves a clip to be made over night.
    constexpr double longest_picture_s = 3600, longest_clip_s = 8 * 3600;
    const bool clip = workload.batch.frames > 1 && buys_for_a_desk(query);
    const bool picture = time.tokens_per_second <= 0 && time.samples_per_second > 0 &&
                         time.samples_per_second < 1 / (clip ? longest_clip_s : longest_picture_s);
    // Of a crowd of which a part runs each one waits its turn, then reads: both are its pace.
    const auto& serving = workload.serving;
    const bool queues = serving && serving->concurrency > 1 && !query.ttft_s &&
                        time.ttft > waited_for_first_s * second;
    const Seconds wait =
        queues ? time.ttft / std::max(1.0, 1.0 * serving->output_tokens) : Seconds{};
    return workload.task == Task::inference && !query.tpot_s && !query.answer_s &&
           !query.requests_per_s && (picture || time.tpot + wait > readable_tpot_s * second);
}

bool waits_long(const Query& query, const Workload& workload, const TimeEstimate& time) {
    return workload.task == Task::inference && buys_for_a_desk(query) && !query.ttft_s &&
           !query.answer_s && !query.requests_per_s && time.tpot > Seconds{} &&
           time.ttft > waited_for_first_s * second;
}

}  // namespace ridgeline
