#include "advise/hardware/desk.h"
#include "advise/rules/rule.h"
#include "advise/sense.h"

#include <fmt/format.h>

namespace ridgeline::rule {
namespace {

constexpr double long_run_days = 1.0;

}  // namespace

Found no_ecc_long_run(const RuleContext& c) {
    const EccSupport& ecc = c.cluster.accelerator->ecc;
    const double days = c.estimate.time.total / day;
    const bool serves = c.workload.task == Task::inference;
    if (ecc.on_by_default || c.workload.task == Task::kernel || (days < long_run_days && !serves) ||
        ecc.support.find("not stated") != std::string::npos) {
        return {};
    }
    if (serves && !is_consumer(*c.cluster.accelerator)) {
        return {};
    }
    const std::string have =
        ecc.available ? "ECC is off unless it is switched on" : "its memory has no ECC";
    const std::string length =
        serves ? "a service that runs all day" : fmt::format("a run of {:.1f} days", days);
    return finding("no_ecc_long_run", Severity::warning,
                   fmt::format("{}: in {} a flipped bit passes unseen", have, length),
                   {{"days", days}, {"accelerators", static_cast<double>(c.cluster.count)}},
                   "catalog: ecc");
}

Found consumer_card_in_service(const RuleContext& c) {
    const Accelerator& part = *c.cluster.accelerator;
    const bool many = c.cluster.count > 1;
    const bool serves = c.workload.task == Task::inference;
    if (!is_consumer(part) || (!many && !serves)) {
        return {};
    }
    const char* where = many ? "several in one machine" : "a service that runs all day";
    return finding(
        "consumer_card_in_service", Severity::warning,
        fmt::format(
            "{} is a consumer card: {} needs {:.0f} W of supply and open-air "
            "cooling{}",
            part.name, where, c.cluster.count * (part.tdp / watt),
            part.vendor == "NVIDIA" ? ", and its driver licence excludes data centres" : ""),
        {{"accelerators", static_cast<double>(c.cluster.count)},
         {"watts", c.cluster.count * (part.tdp / watt)}},
        part.vendor == "NVIDIA" ? "GeForce driver licence" : "catalog: form factor");
}

Found beyond_sense(const RuleContext& c) {
    const std::string beyond = ridgeline::beyond_sense(c.estimate);
    if (beyond.empty()) {
        return {};
    }
    return finding(
        "beyond_sense", Severity::error, beyond,
        {{"years", c.estimate.time.total / day / 365.25}, {"usd", c.estimate.cost.usd_total}},
        "arithmetic");
}

Found long_run_failures(const RuleContext& c) {
    const auto& run = c.estimate.time.run;
    if (!run || run->interruptions < 1) {
        return {};
    }
    return finding("long_run_failures", Severity::info,
                   fmt::format("expect about {:.0f} interruptions in {:.1f} days on {} "
                               "accelerators: write checkpoints to restart from",
                               run->interruptions, run->total / day, c.cluster.count),
                   {{"interruptions", run->interruptions},
                    {"hours_between", run->between_interruptions / hour}},
                   std::string(run->source));
}

}  // namespace ridgeline::rule
