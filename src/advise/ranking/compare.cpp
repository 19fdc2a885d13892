#include "advise/ranking/compare.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "spec/matrix_types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ridgeline {
namespace {

using Value = std::optional<double>;

/// "a10: what articles write of it: 600 GB/s counts both ways"; `note` begins with which articles,
/// by ids of the catalog that no reader knows.
std::string erratum_words(const Accelerator& accelerator, const std::string& note) {
    const std::size_t ids = note.starts_with("article-") ? note.find(": ") : note.npos;
    return ids == note.npos
               ? accelerator.id + ": " + note
               : accelerator.id + ": what articles write of it: " + note.substr(ids + 2);
}

template <ComputeType type>
Value peak(const Accelerator& accelerator, const Catalog&) {
    const auto rate = accelerator.peak(type);
    return rate ? Value(*rate / teraflop_per_second) : std::nullopt;
}

Value capacity(const Accelerator& accelerator, const Catalog&) {
    return accelerator.capacity() / gibibyte;
}
Value bandwidth(const Accelerator& accelerator, const Catalog&) {
    return accelerator.memory_bandwidth / gigabyte_per_second;
}
Value link_rate(const Accelerator& accelerator, const Catalog&) {
    const auto& rate = accelerator.scale_up.rate;
    return rate ? Value(*rate / gigabyte_per_second) : std::nullopt;
}
Value domain(const Accelerator& accelerator, const Catalog&) {
    return accelerator.scale_up.max_domain;
}
Value power(const Accelerator& accelerator, const Catalog&) {
    const double watts = accelerator.tdp / watt;
    return watts > 0 ? Value(watts) : std::nullopt;
}
Value ridge(const Accelerator& accelerator, const Catalog&) {
    const auto rate = accelerator.peak(ComputeType::bf16);
    return rate && accelerator.memory_bandwidth.base() > 0
               ? Value(rate->base() / accelerator.memory_bandwidth.base())
               : std::nullopt;
}
Value rent(const Accelerator& accelerator, const Catalog& catalog) {
    const Offer* offer = cheapest_offer(catalog, Query{}, accelerator, 1, 1);
    return offer != nullptr ? Value(offer->usd_per_accelerator_hour()) : std::nullopt;
}
Value purchase(const Accelerator& accelerator, const Catalog& catalog) {
    const auto price = purchase_price(catalog, accelerator);
    return price && price->current ? Value(price->usd_each) : std::nullopt;
}
Value quotient(Value above, Value below) {
    return above && below && *below > 0 ? Value(*above / *below) : std::nullopt;
}
Value usd_per_teraflop(const Accelerator& accelerator, const Catalog& catalog) {
    const Value bf16 = peak<ComputeType::bf16>(accelerator, catalog);
    return quotient(purchase(accelerator, catalog),
                    bf16 ? bf16 : peak<ComputeType::fp16>(accelerator, catalog));
}
Value usd_per_gib(const Accelerator& accelerator, const Catalog& catalog) {
    return quotient(purchase(accelerator, catalog), capacity(accelerator, catalog));
}
Value rent_per_petaflop(const Accelerator& accelerator, const Catalog& catalog) {
    const Value ratio =
        quotient(rent(accelerator, catalog), peak<ComputeType::bf16>(accelerator, catalog));
    return ratio ? Value(*ratio * 1000) : std::nullopt;
}
Value rent_per_bandwidth(const Accelerator& accelerator, const Catalog& catalog) {
    const Value ratio = quotient(rent(accelerator, catalog), bandwidth(accelerator, catalog));
    return ratio ? Value(*ratio * 1000) : std::nullopt;
}
Value rent_per_gib(const Accelerator& accelerator, const Catalog& catalog) {
    return quotient(rent(accelerator, catalog), capacity(accelerator, catalog));
}
Value flops_per_watt(const Accelerator& accelerator, const Catalog& catalog) {
    return quotient(peak<ComputeType::bf16>(accelerator, catalog), power(accelerator, catalog));
}
Value mig(const Accelerator& accelerator, const Catalog&) {
    return accelerator.mig_instances ? Value(*accelerator.mig_instances) : std::nullopt;
}

Value vector_fp64(const Accelerator& accelerator, const Catalog&) {
    return accelerator.peak_vector_fp64 ? Value(*accelerator.peak_vector_fp64 / teraflop_per_second)
                                        : std::nullopt;
}

template <ComputeType type>
bool no(const Accelerator& accelerator) {
    return lacks_matrix_type(accelerator, type);
}
bool no_mig(const Accelerator& accelerator) { return !accelerator.mig_instances; }
bool no_link(const Accelerator& accelerator) { return accelerator.scale_up.kind == "none"; }

constexpr AcceleratorMetric of_all(AcceleratorMetric metric) {
    metric.adds_up = true;
    return metric;
}

constexpr AcceleratorMetric metrics[] = {
    of_all({"memory_gib", "memory, GiB visible", false, capacity}),
    of_all({"bandwidth_gb_per_s", "memory bandwidth, GB/s", false, bandwidth}),
    of_all({"bf16_tflops", "bf16 dense, TFLOP/s", false, peak<ComputeType::bf16>,
            no<ComputeType::bf16>}),
    of_all({"fp16_tflops", "fp16 dense, TFLOP/s", false, peak<ComputeType::fp16>,
            no<ComputeType::fp16>}),
    of_all(
        {"fp8_tflops", "fp8 dense, TFLOP/s", false, peak<ComputeType::fp8>, no<ComputeType::fp8>}),
    of_all(
        {"fp4_tflops", "fp4 dense, TFLOP/s", false, peak<ComputeType::fp4>, no<ComputeType::fp4>}),
    of_all(
        {"int8_tops", "int8 dense, TOP/s", false, peak<ComputeType::int8>, no<ComputeType::int8>}),
    of_all({"tf32_tflops", "tf32 dense, TFLOP/s", false, peak<ComputeType::tf32>,
            no<ComputeType::tf32>}),
    of_all({"fp32_tflops", "fp32, TFLOP/s", false, peak<ComputeType::fp32>}),
    of_all({"fp64_tflops", "fp64 products, TFLOP/s", false, peak<ComputeType::fp64>}),
    of_all({"fp64_vector_tflops", "fp64 vector, TFLOP/s", false, vector_fp64}),
    {"ridge_flop_per_byte", "ridge point, bf16 FLOP/byte", false, ridge},
    {"scale_up_gb_per_s", "scale-up link, GB/s one way", false, link_rate, no_link},
    {"scale_up_domain", "accelerators it joins", false, domain},
    {"mig_instances", "MIG instances", false, mig, no_mig},
    of_all({"tdp_w", "power, W", true, power}),
    {"bf16_tflops_per_w", "bf16 TFLOP/s per W", false, flops_per_watt},
    of_all({"usd_purchase", "price to buy, $", true, purchase}),
    {"usd_per_tflops", "$ per bf16 TFLOP/s", true, usd_per_teraflop},
    {"usd_per_gib", "$ per GiB", true, usd_per_gib},
    of_all({"usd_per_hour", "rent of one, $/h", true, rent}),
    {"usd_per_hour_per_pflops", "rent per bf16 PFLOP/s, $/h", true, rent_per_petaflop},
    {"usd_per_hour_per_tb_per_s", "rent per TB/s, $/h", true, rent_per_bandwidth},
    {"usd_per_hour_per_gib", "rent per GiB, $/h", true, rent_per_gib},
};

// Index of the one best value; -1 when all are equal or fewer than two are known.
int best_of(const AcceleratorMetric& metric, const std::vector<Value>& values) {
    int best = -1;
    bool differ = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i]) {
            continue;
        }
        if (best < 0) {
            best = static_cast<int>(i);
            continue;
        }
        const double have = *values[static_cast<std::size_t>(best)];
        differ = differ || have != *values[i];
        if (metric.less_is_better ? *values[i] < have : *values[i] > have) {
            best = static_cast<int>(i);
        }
    }
    // The ridge point is neither good nor bad.
    return differ && metric.id != "ridge_flop_per_byte" ? best : -1;
}

double weight_of(const WorkloadProfile* profile, std::string_view metric) {
    if (profile != nullptr) {
        for (const auto& weight : profile->weights) {
            if (weight.metric == metric) {
                return weight.weight;
            }
        }
    }
    return 0;
}

std::vector<ComparisonFeature> features_of(std::span<const Accelerator* const> accelerators) {
    std::vector<ComparisonFeature> features;
    const auto add = [&](std::string name, auto words) {
        ComparisonFeature feature{std::move(name), {}};
        for (const Accelerator* part : accelerators) {
            feature.values.push_back(words(*part));
        }
        features.push_back(std::move(feature));
    };
    add("ECC memory", [](const Accelerator& part) -> std::string { return part.ecc.support; });
    add("MIG", [](const Accelerator& part) {
        return part.mig_instances ? "up to " + std::to_string(*part.mig_instances)
                                  : std::string("no");
    });
    add("link to its peers", [](const Accelerator& part) {
        return part.scale_up.max_domain > 1 ? part.scale_up.kind : std::string("PCIe alone");
    });
    add("memory type", [](const Accelerator& part) -> std::string { return part.memory_type; });
    add("form", [](const Accelerator& part) -> std::string { return part.form_factor; });
    add("year", [](const Accelerator& part) { return std::to_string(part.year); });
    return features;
}

}  // namespace

const AcceleratorMetric* accelerator_metric(std::string_view id) {
    const auto at = std::find_if(std::begin(metrics), std::end(metrics),
                                 [id](const AcceleratorMetric& metric) { return metric.id == id; });
    return at == std::end(metrics) ? nullptr : at;
}

std::vector<std::string> missing_features(const WorkloadProfile& profile,
                                          const Accelerator& accelerator) {
    std::vector<std::string> missing;
    for (const std::string& feature : profile.must_have) {
        if (is_product_line(feature)) {
            continue;  // any of several
        }
        const bool unsaid = feature == "ecc" && accelerator.ecc.support.starts_with("not stated");
        if (!has_feature(accelerator, feature).value_or(false)) {
            missing.push_back(unsaid ? "ecc (not stated)" : feature);
        }
    }
    if (!is_of_lines(accelerator, profile.must_have)) {
        missing.emplace_back("the line of products");
    }
    return missing;
}

double profile_score(const WorkloadProfile& profile, const Accelerator& accelerator,
                     const Catalog& catalog) {
    double score = 0;
    double total = 0;
    for (const auto& weight : profile.weights) {
        const AcceleratorMetric* metric = accelerator_metric(weight.metric);
        if (metric == nullptr || weight.weight <= 0) {
            continue;
        }
        total += weight.weight;
        const Value own = metric->value(accelerator, catalog);
        if (!own || *own <= 0) {
            continue;
        }
        double best = *own;
        for (const Accelerator& other : catalog.accelerators) {
            const Value value =
                other.kind == accelerator.kind ? metric->value(other, catalog) : std::nullopt;
            if (value && *value > 0) {
                best = metric->less_is_better ? std::min(best, *value) : std::max(best, *value);
            }
        }
        score += weight.weight * (metric->less_is_better ? best / *own : *own / best);
    }
    return total > 0 ? 100 * score / total : 0;
}

namespace {

/// A figure of so many; of a rent that of the instances that hold them.
Value value_of(const AcceleratorMetric& metric, const Accelerator& part, int count,
               const Catalog& catalog) {
    if (metric.value != rent || count == 1) {
        const Value one = metric.value(part, catalog);
        return one && metric.adds_up ? Value(count * *one) : one;
    }
    const Cluster cluster = make_cluster(catalog, part, count, 0, nullptr);
    const Offer* offer = cheapest_offer(catalog, Query{}, part, count, cluster.per_node);
    return offer != nullptr && offer->count <= count ? Value(rent_of(*offer, count)) : std::nullopt;
}

}  // namespace

Comparison compare(std::span<const Accelerator* const> accelerators, const Catalog& catalog,
                   const WorkloadProfile* profile, std::span<const WorkloadProfile> kinds,
                   std::span<const int> counts, std::span<const double> rents) {
    Comparison comparison;
    comparison.accelerators.assign(accelerators.begin(), accelerators.end());
    comparison.counts.assign(counts.begin(), counts.end());
    comparison.counts.resize(accelerators.size(), 1);
    const bool several =
        std::ranges::any_of(comparison.counts, [](int count) { return count > 1; });
    for (const AcceleratorMetric& metric : metrics) {
        ComparisonRow row{.metric = &metric,
                          .name = several && metric.value == rent ? "rent, $/h" : metric.name,
                          .values = {},
                          .best = -1,
                          .weight = weight_of(profile, metric.id)};
        for (std::size_t i = 0; i < accelerators.size(); ++i) {
            const bool told = metric.value == rent && i < rents.size() && rents[i] > 0;
            row.values.push_back(
                told ? Value(rents[i])
                     : value_of(metric, *accelerators[i], comparison.counts[i], catalog));
        }
        row.best = best_of(metric, row.values);
        comparison.rows.push_back(std::move(row));
    }
    stable_order(
        comparison.rows.begin(), comparison.rows.end(),
        [](const ComparisonRow& a, const ComparisonRow& b) { return a.weight > b.weight; });
    for (const Accelerator* accelerator : accelerators) {
        std::string missing;
        if (profile != nullptr) {
            comparison.scores.push_back(profile_score(*profile, *accelerator, catalog));
            missing = fmt::format("{}", fmt::join(missing_features(*profile, *accelerator), ", "));
        }
        comparison.missing.push_back(std::move(missing));
        for (const std::string& note : accelerator->errata) {
            comparison.notes.push_back(erratum_words(*accelerator, note));
        }
    }
    comparison.features = features_of(accelerators);
    for (const WorkloadProfile& kind : kinds) {
        ComparisonFit fit{.profile = &kind, .scores = {}, .missing = {}};
        for (const Accelerator* accelerator : accelerators) {
            fit.scores.push_back(profile_score(kind, *accelerator, catalog));
            fit.missing.push_back(
                fmt::format("{}", fmt::join(missing_features(kind, *accelerator), ", ")));
        }
        comparison.fits.push_back(std::move(fit));
    }
    return comparison;
}

}  // namespace ridgeline
