// Compares what the operator list keeps, and the peak of a step, with traces of real modules
// (tests/oracle, tests/evidence/oracle): real operators on fake tensors, every storage followed.
//
// A case may carry "explained": the cause of a difference that is meant to stay, with its bounds in
// "kept_within" and "peak_within". Without it both figures must agree within 2 %.
#include "data/load.h"
#include "estimate/estimate.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/training_peak.h"
#include "estimate/resolve/resolve.h"
#include "estimate/stacks/block_memory.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace ridgeline;
using Json = nlohmann::json;

constexpr double traced_tolerance = 0.02;
constexpr double reserved_tolerance = 0.05;

std::filesystem::path source_folder() {
    const char* other = std::getenv("RIDGELINE_ORACLE_SOURCE");
    return other != nullptr ? other : RIDGELINE_SOURCE_DIR;
}

SoftwareProfile traced_stack(const Profiles& profiles, const Json& entry) {
    const std::string id = entry["workload"]["software"]["framework"];
    const SoftwareProfile* found = profiles.software_profile(id);
    BOOST_REQUIRE_MESSAGE(found != nullptr, "no software profile " << id);
    SoftwareProfile software = *found;
    // What differs between the traced versions and those that the profile stands for.
    const Json& own = entry["software"];
    software.kernels.attention.repeats_kv =
        own.value("repeats_kv", software.kernels.attention.repeats_kv);
    software.runtime.options.autocast = own.value("autocast", software.runtime.options.autocast);
    if (own.value("quantized_keeps_input", false)) {
        software.runtime.libraries.bitsandbytes = {0, 43};
    }
    if (own.contains("holds_logits")) {
        const bool holds = own["holds_logits"];
        software.kernels.loss.held = holds ? HeldLogits::as_made : HeldLogits::none;
    }
    // torch.nn.RMSNorm is one kernel in the traced torch.
    software.kernels.norm =
        own.value("fused_norm", false) ? NormKernel::torch : software.kernels.norm;
    return software;
}

/// `layers`: of each stack; a layer of an encoder-decoder is one of both.
double kept_per_layer(double layers, const Architecture& architecture, const Workload& workload,
                      const SoftwareProfile& software) {
    const Pass pass{.samples = static_cast<double>(workload.batch.micro),
                    .tokens = static_cast<double>(workload.batch.sequence_length),
                    .context = static_cast<double>(workload.batch.sequence_length)};
    double kept = 0;
    for (const Block& block : list_operators(architecture, workload, software, pass)) {
        if (block.position != Block::Position::layer) {
            continue;
        }
        const BlockMemory memory = memory_of(block, workload, software);
        const RecomputeMode mode = workload.plan.recompute;
        kept += block.repeat * (mode == RecomputeMode::full        ? memory.kept_full
                                : mode == RecomputeMode::selective ? memory.kept_selective
                                                                   : memory.kept)
                                   .base();
        if (std::getenv("RIDGELINE_ORACLE_TENSORS") != nullptr) {
            for (const Operator& op : block.operators) {
                for (const int tensor : op.kept) {
                    if (tensor != no_tensor) {
                        BOOST_TEST_MESSAGE(
                            "    " << op.name << " keeps "
                                   << block.tensors[static_cast<std::size_t>(tensor)].name << " "
                                   << block.tensors[static_cast<std::size_t>(tensor)].size.base());
                    }
                }
            }
        }
    }
    return kept / layers;
}

struct Peaks {
    double step = 0;    ///< of the whole step
    double passes = 0;  ///< of its forward and backward passes
    double reserved = 0;
};

/// Of the stage that the case traced, or of the fullest.
MemoryEstimate memory_of_stage(const EstimateInput& input, int stage) {
    if (stage < 0) {
        return estimate_memory(input);
    }
    const OperatorList list =
        training_operators(input.architecture, input.workload, input.software);
    const std::vector<BlockMemory> blocks = block_memories(input, list);
    MemoryStages stages = memory_stages(input, list, blocks);
    std::erase_if(stages.stages,
                  [stage](const HeldStage& held) { return held.stage.index != stage; });
    BOOST_REQUIRE_MESSAGE(!stages.stages.empty(), "stage " << stage << " holds less than another");
    return estimate_training_memory(input, stages);
}

Peaks peaks(const Architecture& architecture, const Workload& workload,
            const SoftwareProfile& software, int stage) {
    Accelerator accelerator;
    accelerator.id = "any";
    Cluster cluster;
    cluster.accelerator = &accelerator;
    cluster.count = workload.plan.ranks();
    cluster.per_node = cluster.count;
    const DeviceModel device;
    const Calibration calibration;  // no library workspace: tensors alone
    const MemoryEstimate memory =
        memory_of_stage({architecture, workload, cluster, software, device, calibration}, stage);
    if (std::getenv("RIDGELINE_ORACLE_TENSORS") != nullptr) {
        for (const Instant& instant : memory.instants) {
            BOOST_TEST_MESSAGE("  [" << instant.name << "] " << instant.total.base() / 1048576
                                     << ", hole " << instant.hole.base() / 1048576);
            for (const Component& component : instant.components) {
                BOOST_TEST_MESSAGE("     " << component.name << " "
                                           << component.size.base() / 1048576 << " in pool "
                                           << static_cast<int>(component.pool));
            }
        }
    }
    Peaks highest{.step = memory.allocated.base(), .reserved = memory.reserved.base()};
    for (const Instant& instant : memory.instants) {
        if (instant.name != "optimizer step") {
            highest.passes = std::max(highest.passes, instant.total.base());
        }
    }
    return highest;
}

void check_traced_case(const Profiles& profiles, const Json& entry) {
    const std::string id = entry["id"];
    const auto document = workload_from_json(entry["workload"].dump(), id);
    BOOST_REQUIRE_MESSAGE(document.has_value(), (document ? "" : document.error().text()));
    const SoftwareProfile software = traced_stack(profiles, entry);
    const Architecture& architecture = *document->architecture;
    int ranks = 1;
    for (const char* axis : {"data", "tensor", "pipeline", "context"}) {
        ranks *= entry["workload"]["parallel"].value(axis, 1);
    }
    const auto resolved = resolve(*document, architecture, software, ranks);
    BOOST_REQUIRE_MESSAGE(resolved.has_value(), (resolved ? "" : resolved.error().text()));
    const bool counts_layers = entry.contains("kept_bytes_per_layer");  // not of a pipeline's stage
    const double kept = counts_layers ? kept_per_layer(entry["layers"], architecture,
                                                       resolved->workload, software) /
                                                entry["kept_bytes_per_layer"].get<double>() -
                                            1
                                      : 0;
    const double kept_within = entry.value("kept_within", traced_tolerance);
    BOOST_CHECK_MESSAGE(std::abs(kept) <= kept_within,
                        id << ": kept a layer " << 100 * kept << " %");
    if (!entry.contains("peak_total")) {
        BOOST_TEST_MESSAGE(id << ": kept " << 100 * kept << " %");
        return;
    }
    const Peaks found = peaks(architecture, resolved->workload, software, entry.value("stage", -1));
    const double highest = found.step / entry["peak_total"].get<double>() - 1;
    const double of_passes =
        std::max(entry["peak_forward"].get<double>(), entry["peak_backward"].get<double>());
    const double passes = found.passes / of_passes - 1;
    BOOST_TEST_MESSAGE(id << ": kept " << 100 * kept << " %, peak " << 100 * highest
                          << " %, of the passes " << 100 * passes << " %");
    if (entry.contains("reserved")) {
        // What the caching allocator makes of the traced step (tests/oracle/allocator_replay.py).
        const bool grow = software.allocator.expandable != ExpandableSegments::never;
        const double replayed = entry[grow ? "reserved" : "reserved_plain"];
        const double reserved = found.reserved / replayed - 1;
        BOOST_TEST_MESSAGE("    reserved " << 100 * reserved << " %");
        BOOST_CHECK_MESSAGE(
            std::abs(reserved) <= entry.value("reserved_within", reserved_tolerance),
            id << ": reserved " << 100 * reserved << " %");
    }
    const double peak_within = entry.value("peak_within", traced_tolerance);
    BOOST_CHECK_MESSAGE(std::abs(highest) <= peak_within, id << ": peak " << 100 * highest << " %");
    BOOST_CHECK_MESSAGE(std::abs(passes) <= peak_within,
                        id << ": peak of the passes " << 100 * passes << " %");
    BOOST_CHECK_MESSAGE(entry.contains("explained") ||
                            (kept_within <= traced_tolerance && peak_within <= traced_tolerance),
                        id << ": wider bounds without a cause");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(oracle)

BOOST_AUTO_TEST_CASE(operator_list_keeps_what_real_modules_keep) {
    const auto profiles = load_profiles(source_folder() / "profiles");
    BOOST_REQUIRE_MESSAGE(profiles.has_value(), (profiles ? "" : profiles.error().text()));
    const char* wanted = std::getenv("RIDGELINE_ORACLE_CASE");
    const char* folder = std::getenv("RIDGELINE_ORACLE_FIXTURES");
    const std::filesystem::path fixtures = folder != nullptr
                                               ? std::filesystem::path(folder)
                                               : source_folder() / "tests" / "evidence" / "oracle";
    int cases = 0;
    for (const auto& file : std::filesystem::directory_iterator(fixtures)) {
        const Json document = Json::parse(std::ifstream(file.path()));
        for (const Json& entry : document["cases"]) {
            if (wanted != nullptr &&
                entry["id"].get<std::string>().find(wanted) == std::string::npos) {
                continue;
            }
            check_traced_case(*profiles, entry);
            ++cases;
        }
    }
    BOOST_CHECK_GT(cases, wanted != nullptr ? 0 : 20);
}

BOOST_AUTO_TEST_SUITE_END()
