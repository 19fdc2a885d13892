#include "advise/answers/answer.h"
#include "advise/comparisons/replies.h"
#include "advise/comparisons/variants.h"
#include "advise/figure_words.h"
#include "advise/fits/memory_ways.h"
#include "advise/hardware/cluster.h"
#include "base/order.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>

// What is told of engines, links, methods, types of weights and models beside each other on one
// cluster.

namespace ridgeline {
namespace {

/// A network by what it is on this hardware: "ib-ndr" for what the slots of its hosts take.
std::string link_words(const Reading& reading, const Variant& variant) {
    if (reading.alternatives_of == "link") {
        return variant.value == "pcie"       ? "PCIe"
               : variant.value == "pcie-p2p" ? "PCIe with copies between the cards (P2P)"
                                             : "NVLink";
    }
    const Link& link = variant.placed->cluster.inter;
    return fmt::format("{} ({} GB/s each)", link.id.empty() ? variant.value : link.id,
                       figure_words(link.rate / gigabyte_per_second));
}

/// "full training of 70b", "llama-3.3-70b in q4_k_m".
std::string work_compared(const Reading& reading, const Variant& variant) {
    const Workload& work = variant.placed->workload;
    if (work.task != Task::inference) {
        static constexpr const char* deeds[] = {"full training of ", "LoRA of ", "QLoRA of "};
        return deeds[static_cast<std::size_t>(work.method)] + reading.model +
               (variant.from_host ? " with the weights in host memory" : "");
    }
    const std::string& weights = work.quantization.name;
    return reading.model + (weights.empty() || weights == "none" ? "" : " in " + weights);
}

/// What a link adds to the same hardware.
std::string link_headline(const Reading& reading, const std::vector<Variant>& variants,
                          const std::string& unit) {
    const auto named = std::ranges::find_if(
        variants, [&](const Variant& each) { return each.value == reading.alternatives.front(); });
    const Variant& asked = named == variants.end() ? variants.front() : *named;
    const Variant& other = &asked == &variants.front() ? variants[1] : variants.front();
    const Cluster& on = asked.placed->cluster;
    const std::string hardware = cards_words(on);
    const std::string work = work_compared(reading, asked);
    if (other.rate <= 0 || asked.rate <= 0 || !asked.placed->estimate.memory.fits) {
        return fmt::format("{} do not hold {}: {} on each of {}.", hardware, work,
                           format_gib(asked.gib),
                           format_gib(asked.placed->estimate.memory.capacity / gibibyte));
    }
    const double ratio = asked.rate / other.rate;
    constexpr double hardly = 1.03;
    const std::string rates =
        fmt::format("{} against {} {} on {}", figure_words(asked.rate), figure_words(other.rate),
                    unit, link_words(reading, other));
    const std::string subject = link_words(reading, asked);
    if (ratio < hardly && ratio > 1 / hardly) {
        return fmt::format("{} makes no difference that counts on {} for {}: {}.", subject,
                           hardware, work, rates);
    }
    return ratio > 1 ? fmt::format("{} makes {} {:.0f} % faster for {}: {}.", subject, hardware,
                                   100 * (ratio - 1), work, rates)
                     : fmt::format("{} costs {} {:.0f} % of their rate for {}: {}.", subject,
                                   hardware, 100 * (1 - ratio), work, rates);
}

/// Why the link that is asked about joins no such hardware; empty: it does.
std::string without_link(const Reading& reading, const Cluster& cluster) {
    if (reading.alternatives_of != "link" || reading.alternatives.front() != "nvlink") {
        return "";
    }
    const Accelerator& part = *cluster.accelerator;
    if (!part.has_nvlink() || part.scale_up.max_domain < 2 || !part.scale_up.rate) {
        return fmt::format("{} has no NVLink: {} of them talk over PCIe, whatever is bought",
                           part.name, cluster.count);
    }
    return cluster.count > part.scale_up.max_domain && !is_module(part)
               ? fmt::format(
                     "A bridge joins {} of {}: of {} the others are reached over PCIe, which sets "
                     "the pace",
                     part.scale_up.max_domain, part.name, cluster.count)
               : std::string();
}

/// The hardware that was named; else H100 of any number that a server holds, or of the one maker
/// whose parts the stacks run on the part with most memory.
std::vector<Cluster> clusters_to_compare_on(const Reading& reading, const Query& query,
                                            const Catalog& catalog, bool& named) {
    std::vector<Cluster> clusters = clusters_of(reading, query, catalog);
    named = !clusters.empty();
    const bool others = reading.alternatives_of == "framework" && reading.vendors.size() == 1;
    const Accelerator* usual = named    ? nullptr
                               : others ? most_memory_of(reading.vendors.front(), catalog)
                                        : catalog.accelerator("h100-sxm5-80gb");
    for (int count = 1; usual != nullptr && count <= cards_of_a_server; count *= 2) {
        clusters.push_back(make_cluster(catalog, *usual, count, 0, nullptr));
    }
    return clusters;
}

/// "tp2 needs 20 GiB on each and writes a request's token every 12 ms": what a value takes.
std::string room_of(const Reading& reading, const Variant& variant, bool batches) {
    const Placement& placed = *variant.placed;
    // Fewer cards to a copy leave room for more copies: all of them together are faster, one alone
    // slower.
    const double token_s = placed.estimate.time.tpot / ridgeline::second;
    const bool degrees = reading.alternatives_of == "tensor";
    const bool several = variant.value.ends_with("replicas");
    return fmt::format(
        "{} {} {} on each{}{}{}", variant.value, several ? "need" : "needs",
        format_gib(variant.gib),
        batches ? fmt::format(" at micro-batch {}", placed.workload.batch.micro) : "",
        degrees && token_s > 0 ? fmt::format(" and {} a request's token every {}",
                                             several ? "write" : "writes", format_duration(token_s))
                               : "",
        placed.estimate.memory.fits ? "" : ", which does not fit");
}

/// Whether they are trained in batches that differ: more memory is then not what a value takes.
bool differ_in_batch(const std::vector<Variant>& variants) {
    return std::ranges::any_of(variants, [&](const Variant& each) {
        const Workload& work = each.placed->workload;
        return work.task == Task::train &&
               work.batch.micro != variants.front().placed->workload.batch.micro;
    });
}

/// The fastest against the next with what each takes, those that fit before those that do not.
///
/// where  "for llama-3.1-8b in fp8 on 2 x H100"
std::string speeds_and_rooms(const Reading& reading, const std::vector<Variant>& variants,
                             const std::string& unit, const std::string& where) {
    const Variant& first = variants.front();
    const Variant& second = variants[1];
    const double ratio = first.rate / std::max(second.rate, 1e-9);
    const bool batches = differ_in_batch(variants);
    std::string speeds =
        fmt::format("{} {} ({} against {} {})", faster_words(first.value, second.value, ratio),
                    where, figure_words(first.rate), figure_words(second.rate), unit);
    std::string rooms =
        fmt::format("{}, {}", room_of(reading, first, batches), room_of(reading, second, batches));
    for (std::size_t i = 2; i < variants.size(); ++i) {
        speeds +=
            fmt::format(", {} {} {}", variants[i].value, figure_words(variants[i].rate), unit);
        rooms += ", " + room_of(reading, variants[i], batches);
    }
    const auto fits = [](const Variant& each) { return each.placed->estimate.memory.fits; };
    if (std::ranges::count_if(variants, fits) == 1) {
        return fmt::format(
            "Only {} fits {}: {}. It makes {} {}{}.", first.value, where, rooms,
            figure_words(first.rate), unit,
            ratio > 1.05 ? fmt::format(", {:.2g} times as fast as {} would be", ratio, second.value)
                         : "");
    }
    const bool memory_asked = asks(reading, "memory") && !asks(reading, "value");
    return memory_asked ? fmt::format("{}; {}.", rooms, speeds)
                        : fmt::format("{}; {}.", speeds, rooms);
}

/// What hardware does that has no such link.
std::string without_link_headline(const Reading& reading, const std::string& none,
                                  const std::vector<Variant>& variants, const std::string& unit) {
    const Variant& plain = variants.front().value == "pcie" ? variants.front() : variants.back();
    const std::string work = work_compared(reading, plain);
    return plain.placed->estimate.memory.fits
               ? fmt::format("{}. They pass {} {} of {}.", none, figure_words(plain.rate), unit,
                             work)
               : fmt::format("{}. They do not hold {}: it needs {} on each.", none, work,
                             format_gib(plain.gib));
}

}  // namespace

Result<Answer> reply_compare_values(const Reading& reading, const Query& query,
                                    const AnswerTools& tools) {
    bool named = false;
    const std::vector<Cluster> clusters =
        clusters_to_compare_on(reading, query, tools.knowledge.catalog, named);
    std::optional<Error> problem;
    std::string stored;
    std::vector<Variant> best = most_fitting(reading, clusters, named, tools, stored, problem);
    std::erase_if(best, [](const Variant& each) { return !each.placed; });
    if (best.size() < 2) {
        return tl::unexpected(problem.value_or(Error{
            ErrorKind::input, "question", "fewer than two of what is compared are known", ""}));
    }
    const Cluster& on = best.front().placed->cluster;
    stable_order(best.begin(), best.end(), [](const Variant& a, const Variant& b) {
        return std::pair(a.placed->estimate.memory.fits, a.rate) >
               std::pair(b.placed->estimate.memory.fits, b.rate);
    });
    Answer reply;
    reply.choice = AnswerChoice{
        .accelerator = on.accelerator->id, .count = on.count, .why = best.front().value};
    const std::string unit =
        best.front().placed->estimate.time.tokens_per_second > 0 ? "tokens/s" : "samples/s";
    for (const Variant& each : best) {
        reply.values.push_back({"speed", {}, each.rate, {}, unit, each.value});
        reply.values.push_back({"memory", {}, each.gib, {}, "GiB", each.value});
    }
    if (const std::string none = without_link(reading, on); !none.empty()) {
        reply.headline = without_link_headline(reading, none, best, unit);
        return reply;
    }
    if (reading.alternatives_of == "link" ||
        (reading.alternatives_of == "network" && best.size() == 2)) {
        reply.headline = link_headline(reading, best, unit);
        return reply;
    }
    const std::string of_model =
        reading.alternatives_of == "model" ? "" : "for " + reading.model + " ";
    const std::string where =
        of_model + (stored.empty() ? "" : "in " + stored + " ") + "on " + cards_words(on);
    reply.headline = speeds_and_rooms(reading, best, unit, where);
    reply.headline +=
        alike_in_steps(reading) ? " Each takes one sample at once, layers computed again." : "";
    const double load = query.workload.serving ? query.workload.serving->concurrency : 0;
    if (weighs_copies(reading) && load > 0) {
        reply.headline += fmt::format(" That is with {:g} requests at once.", load);
    }
    return reply;
}

}  // namespace ridgeline
