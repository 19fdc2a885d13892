#include "advise/rules/rules.h"

#include "advise/answers/beyond_sense.h"
#include "samples.h"
#include "spec/chip_support.h"
#include "spec/mig.h"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace ridgeline;

namespace {

// A run that fits with room on one H100; each test changes what its rule looks at.
struct Situation {
    Catalog catalog = samples::catalog();
    Accelerator accelerator = samples::h100();
    Architecture architecture = samples::llama_8b();
    Workload workload;
    Cluster cluster;
    Estimate estimate;
    Query query;
    SoftwareProfile software;
    std::string today = "2026-08-01";

    Situation() {
        workload.batch = {.micro = 1, .global = 16, .sequence_length = 2048};
        MemoryEstimate& memory = estimate.memory;
        memory.capacity = accelerator.capacity();
        memory.process = 60 * gibibyte;
        memory.allocated = 58 * gibibyte;
        memory.fits = true;
        memory.band = {.low = 0.95, .high = 1.05, .evidence_rows = 12, .kind = "full"};
        memory.instants = {{"backward",
                            60 * gibibyte,
                            {{"activations.layers", 20 * gibibyte, {}, {}, {}},
                             {"optimizer", 20 * gibibyte, {}, {}, {}}}}};
        estimate.time.step = 1 * second;
        estimate.time.tokens_per_second = 10000;
        estimate.time.bound = Bound::compute;
        estimate.time.worst_tier = Tier::published;
        estimate.time.band = {.low = 0.9, .high = 1.1, .evidence_rows = 30, .kind = "full"};
        estimate.cost.offer = samples::offer("p5.48xlarge", "h100-sxm5-80gb", 8, 55.04);
        estimate.cost.instances = 1;
        estimate.cost.watts = 1200;
        cluster.count = 1;
        cluster.per_node = 1;
        cluster.intra = samples::link("nvlink4", 450);
        cluster.inter = samples::link("ib-ndr", 50);
    }
    RuleContext context() {
        cluster.accelerator = &accelerator;
        return {.architecture = architecture,
                .workload = workload,
                .cluster = cluster,
                .estimate = estimate,
                .catalog = catalog,
                .software = &software,
                .query = &query,
                .today = today};
    }
    std::optional<Finding> check(const char* name) {
        const Rule* rule = rule_named(name);
        BOOST_REQUIRE_MESSAGE(rule != nullptr, name);
        return rule->check(context());
    }
    bool fires(const char* name) { return check(name).has_value(); }
    double number(const char* name, std::string_view key) {
        const auto finding = check(name);
        BOOST_REQUIRE_MESSAGE(finding, name);
        for (const auto& [known, value] : finding->numbers) {
            if (known == key) {
                return value;
            }
        }
        BOOST_FAIL("no number " << key);
        return 0;
    }
};

const auto nearly_equal = boost::test_tools::tolerance(1e-6);

}  // namespace

BOOST_AUTO_TEST_SUITE(rules_of_advice)

BOOST_AUTO_TEST_CASE(names_are_unique) {
    std::set<std::string_view> names;
    for (const Rule& rule : rules()) {
        BOOST_TEST(names.insert(rule.name).second, rule.name);
    }
    BOOST_TEST(rules().size() >= 30u);
}

BOOST_AUTO_TEST_CASE(every_finding_carries_its_rules_name_and_a_sentence) {
    Situation s;
    s.estimate.memory.fits = false;
    s.estimate.memory.process = 90 * gibibyte;
    for (const Finding& finding : apply_rules(s.context())) {
        BOOST_TEST(rule_named(finding.rule) != nullptr, finding.rule);
        BOOST_TEST(!finding.message.empty());
    }
    BOOST_TEST((apply_rules(s.context()).front().severity == Severity::error));
}

BOOST_AUTO_TEST_CASE(does_not_fit_says_by_how_much) {
    Situation s;
    BOOST_TEST(!s.fires("does_not_fit"));
    s.estimate.memory.fits = false;
    s.estimate.memory.process = 100 * gibibyte;
    // 81559 MiB = 79.6475 GiB.
    BOOST_TEST(s.number("does_not_fit", "shortfall_gib") == 100 - 81559 / 1024.0, nearly_equal);
    BOOST_TEST(!s.fires("tight_headroom"));
}

BOOST_AUTO_TEST_CASE(headroom_under_five_percent_warns) {
    Situation s;
    BOOST_TEST(!s.fires("tight_headroom"));
    s.estimate.memory.process = 78 * gibibyte;
    BOOST_TEST(s.number("tight_headroom", "headroom_gib") == 81559 / 1024.0 - 78, nearly_equal);
}

BOOST_AUTO_TEST_CASE(requests_that_wait_are_counted) {
    Situation s;
    s.workload.task = Task::inference;
    s.workload.serving = Serving{.concurrency = 64};
    s.estimate.memory.sequences_held = 32;
    s.workload.plan.data = 2;  // two replicas of 32 hold all
    BOOST_TEST(!s.fires("requests_wait"));
    s.workload.plan.data = 1;
    BOOST_TEST(s.number("requests_wait", "running") == 32, nearly_equal);
    s.estimate.memory.fits = false;
    BOOST_TEST(!s.fires("requests_wait"));
}

BOOST_AUTO_TEST_CASE(the_high_end_may_exceed) {
    Situation s;
    BOOST_TEST(!s.fires("memory_may_exceed"));
    s.estimate.memory.band.high = 1.4;  // 84 GiB
    BOOST_TEST(s.number("memory_may_exceed", "high_gib") == 84, nearly_equal);
}

BOOST_AUTO_TEST_CASE(a_large_batch_is_accumulated) {
    Situation s;
    s.estimate.memory.fits = false;
    BOOST_TEST(!s.fires("batch_too_large"));
    s.workload.batch.micro = 4;
    BOOST_TEST(s.number("batch_too_large", "passes") == 16, nearly_equal);
}

BOOST_AUTO_TEST_CASE(remedies_are_named_when_memory_is_short) {
    Situation s;
    for (const char* name : {"recompute_activations", "eight_bit_optimizer", "shard_states"}) {
        BOOST_TEST(!s.fires(name), name);
    }
    s.estimate.memory.fits = false;
    s.cluster.count = 4;
    s.workload.plan.data = 4;
    s.workload.plan.sharding = Sharding::ddp;
    BOOST_TEST(s.number("recompute_activations", "activations_gib") == 20, nearly_equal);
    BOOST_TEST(s.number("eight_bit_optimizer", "saved_gib") == 15, nearly_equal);
    // Three of four parts of the 20 GiB of states.
    BOOST_TEST(s.number("shard_states", "saved_gib") == 15, nearly_equal);
    s.workload.plan.recompute = RecomputeMode::full;
    s.workload.optimizer_state = DType::int8;
    s.workload.plan.sharding = Sharding::fsdp;
    for (const char* name : {"recompute_activations", "eight_bit_optimizer", "shard_states"}) {
        BOOST_TEST(!s.fires(name), name);
    }
}

BOOST_AUTO_TEST_CASE(fp32_products_suggest_mixed_precision) {
    Situation s;
    BOOST_TEST(!s.fires("mixed_precision"));
    s.workload.compute = ComputeType::fp32;
    BOOST_TEST(s.number("mixed_precision", "half_tflops") == 989.5, nearly_equal);
}

BOOST_AUTO_TEST_CASE(long_runs_want_ecc) {
    Situation s;
    s.estimate.time.total = 10 * day;
    BOOST_TEST(!s.fires("no_ecc_long_run"));
    s.accelerator = samples::rtx_4090();
    BOOST_TEST(s.number("no_ecc_long_run", "days") == 10, nearly_equal);
    s.estimate.time.total = 2 * hour;
    BOOST_TEST(!s.fires("no_ecc_long_run"));
}

BOOST_AUTO_TEST_CASE(consumer_cards_in_service_warn) {
    Situation s;
    s.cluster.count = 2;
    BOOST_TEST(!s.fires("consumer_card_in_service"));
    s.accelerator = samples::rtx_4090();
    BOOST_TEST(s.number("consumer_card_in_service", "watts") == 900, nearly_equal);
    s.cluster.count = 1;
    BOOST_TEST(!s.fires("consumer_card_in_service"));
    s.workload.task = Task::inference;
    BOOST_TEST(s.fires("consumer_card_in_service"));
}

BOOST_AUTO_TEST_CASE(large_runs_expect_failures) {
    Situation s;
    BOOST_TEST(!s.fires("long_run_failures"));
    s.cluster.count = 16384;
    s.estimate.time.total = 54 * day;
    s.estimate.time.run.emplace();
    s.estimate.time.run->total = 54 * day;
    s.estimate.time.run->interruptions = 419;
    BOOST_TEST(s.number("long_run_failures", "interruptions") == 419, nearly_equal);
}

BOOST_AUTO_TEST_CASE(nobody_means_a_thousand_years) {
    Situation s;
    s.estimate.time.total = 999 * 365.25 * day;
    s.estimate.cost.usd_total = 999e9;
    BOOST_TEST(!s.fires("beyond_sense"));
    s.estimate.time.total = 1001 * 365.25 * day;
    BOOST_TEST(s.number("beyond_sense", "years") == 1001, nearly_equal);
    s.estimate.time.total = 1 * day;
    s.estimate.cost.usd_total = 1001e9;
    BOOST_TEST(s.number("beyond_sense", "usd") == 1001e9, nearly_equal);
}

BOOST_AUTO_TEST_CASE(an_answer_beyond_sense_is_named) {
    const auto beyond = [](const char* unit, double value) {
        Answer reply;
        reply.values = {{"figure", {}, value, {}, unit, ""}};
        return beyond_sense(reply);
    };
    // 1,000 years are 12,000 months, 365,250 days, 8,766,000 hours, 3.15576e10 seconds.
    for (const auto& [unit, most] :
         {std::pair("months", 12'000.0), std::pair("days", 365'250.0), std::pair("h", 8'766'000.0),
          std::pair("s", 3.15576e10), std::pair("years", 1000.0), std::pair("USD", 1e12),
          std::pair("accelerators", 1e6), std::pair("accelerator-hours", 8.766e12)}) {
        BOOST_TEST(beyond(unit, most).empty(), unit);
        BOOST_TEST(!beyond(unit, most * 1.01).empty(), unit);
    }
    BOOST_TEST(beyond("days", 4e6).starts_with("11k years, more than 1,000 years, which"));
    BOOST_TEST(
        beyond("USD", 2e12).starts_with("$2,000,000,000,000, more than a trillion dollars, "));
    BOOST_TEST(beyond("tokens", 1e30).empty());
    Answer both;
    both.answers = {Answer{}, Answer{}};
    both.answers[1].values = {{"rent", {}, 2e12, {}, "USD", ""}};
    BOOST_TEST(!beyond_sense(both).empty());
    // 31 million hours of one H100 are the work of Llama 3.1 405B, and 3,500 years of one.
    Answer work;
    work.values = {{"time", {}, 31e6, {}, "h", ""},
                   {"accelerator_hours", {}, 31e6, {}, "accelerator-hours", ""}};
    BOOST_TEST(!beyond_sense(work).empty());
    BOOST_TEST(refusal_of(work).headline.ends_with("The work is 31M accelerator-hours."));
    std::swap(work.values[0], work.values[1]);
    BOOST_TEST(beyond_sense(work).empty());
}

BOOST_AUTO_TEST_CASE(tensor_parallel_wants_a_fast_link) {
    Situation s;
    s.cluster.count = 4;
    s.cluster.per_node = 4;
    s.workload.plan.tensor = 4;
    BOOST_TEST(!s.fires("tensor_parallel_without_nvlink"));
    BOOST_TEST(!s.fires("tensor_parallel_across_nodes"));
    s.cluster.intra = samples::link("pcie4-x16", 31.5);
    BOOST_TEST(s.number("tensor_parallel_without_nvlink", "link_gb_per_s") == 31.5, nearly_equal);
    s.cluster.per_node = 2;
    BOOST_TEST(s.fires("tensor_parallel_across_nodes"));
}

BOOST_AUTO_TEST_CASE(two_peers_of_a_mesh_share_one_link) {
    Situation s;
    s.workload.plan.tensor = 2;
    s.cluster.count = 2;
    BOOST_TEST(!s.fires("slow_peer_link"));
    s.accelerator = samples::mi300x();
    BOOST_TEST(s.number("slow_peer_link", "pair_gb_per_s") == 64, nearly_equal);
    s.workload.plan.tensor = 8;
    BOOST_TEST(!s.fires("slow_peer_link"));
}

BOOST_AUTO_TEST_CASE(a_bridge_that_was_not_counted_on_is_said_where_cards_talk) {
    Situation s;
    s.accelerator.scale_up.max_domain = 2;
    s.cluster.count = 2;
    s.cluster.per_node = 2;
    s.cluster.intra = samples::link("pcie4-x16", 31.5);
    s.cluster.intra.assumed = true;
    BOOST_TEST(!s.fires("assumed_links"));  // nothing goes between them
    s.estimate.time.components = {{"tensor parallel", 0.1 * second, Bound::communication}};
    BOOST_TEST(s.number("assumed_links", "link_gb_per_s") == 31.5, nearly_equal);
    s.cluster.intra.assumed = false;
    BOOST_TEST(!s.fires("assumed_links"));
}

BOOST_AUTO_TEST_CASE(an_assumed_fabric_is_said) {
    Situation s;
    s.cluster.count = 16;
    s.cluster.per_node = 8;
    BOOST_TEST(!s.fires("assumed_fabric"));
    s.cluster.inter.assumed = true;
    BOOST_TEST(s.number("assumed_fabric", "nodes") == 2, nearly_equal);
}

BOOST_AUTO_TEST_CASE(waiting_for_links_is_said) {
    Situation s;
    s.cluster.count = 8;
    s.estimate.time.components = {{"data parallel", 0.1 * second, Bound::communication}};
    BOOST_TEST(!s.fires("communication_bound"));
    s.estimate.time.components[0].time = 0.4 * second;
    BOOST_TEST(s.number("communication_bound", "waiting_percent") == 40, nearly_equal);
}

BOOST_AUTO_TEST_CASE(misleading_figures_are_explained) {
    Situation s;
    BOOST_TEST(s.number("sparse_figures", "sparse_tflops") == 1979, nearly_equal);
    s.accelerator.sparsity_factor.reset();
    BOOST_TEST(!s.fires("sparse_figures"));
    BOOST_TEST(!s.fires("half_accumulate_figures"));
    s.accelerator = samples::rtx_4090();
    BOOST_TEST(s.number("half_accumulate_figures", "fp32_accumulate_tflops") == 165.2,
               nearly_equal);
    // 24564 MiB are 23.99 GiB of 24: nothing to explain. 80 GB are 79.65 GiB.
    BOOST_TEST(!s.fires("marketed_memory"));
    s.accelerator = samples::mi300x();  // 192 GB = 178.8 GiB
    BOOST_TEST(s.number("marketed_memory", "visible_gib") == 192e9 / (1024.0 * 1024 * 1024),
               nearly_equal);
}

BOOST_AUTO_TEST_CASE(mig_is_offered_and_refused) {
    Situation s;
    BOOST_TEST(!s.fires("mig_would_serve"));
    s.accelerator.mig_profiles = {{.name = "1g.10gb",
                                   .compute_fraction = 1.0 / 7,
                                   .memory_fraction = 1.0 / 8,
                                   .visible_memory = 9984 * mebibyte,
                                   .instances = 7},
                                  {.name = "2g.20gb",
                                   .compute_fraction = 2.0 / 7,
                                   .memory_fraction = 0.25,
                                   .visible_memory = {},
                                   .instances = 3}};
    s.catalog.slices = slices_of({s.accelerator});
    BOOST_TEST(!s.fires("mig_would_serve"));  // 60 GiB
    s.estimate.memory.process = 9.7 * gibibyte;
    BOOST_TEST(s.number("mig_would_serve", "slices") == 7, nearly_equal);
    BOOST_TEST(s.number("mig_would_serve", "slice_gib") == 9.75, nearly_equal);
    s.estimate.memory.process = 9.8 * gibibyte;
    BOOST_TEST(s.number("mig_would_serve", "slices") == 3, nearly_equal);
    BOOST_TEST(!s.fires("mig_impossible"));
    s.query.require = {"mig"};
    s.accelerator = samples::rtx_4090();
    BOOST_TEST(s.fires("mig_impossible"));
    BOOST_TEST(!s.fires("mig_would_serve"));
}

BOOST_AUTO_TEST_CASE(power_and_cooling_of_a_node) {
    Situation s;
    BOOST_TEST(!s.fires("node_power"));
    s.cluster.node_power = 10200 * watt;
    BOOST_TEST(s.number("node_power", "btu_per_hour") == 10200 * 3.41214, nearly_equal);
    BOOST_TEST(!s.fires("liquid_cooling"));
    s.accelerator.tdp = 1400 * watt;
    BOOST_TEST(s.fires("liquid_cooling"));
}

BOOST_AUTO_TEST_CASE(host_and_storage_must_keep_up) {
    Situation s;
    BOOST_TEST(!s.fires("offload_over_pcie"));
    BOOST_TEST(!s.fires("host_memory_too_small"));
    s.accelerator.pcie_rate = 63 * gigabyte_per_second;
    s.workload.plan.offload_optimizer = OffloadTarget::cpu;
    BOOST_TEST(s.number("offload_over_pcie", "pcie_gb_per_s") == 63, nearly_equal);
    s.estimate.memory.host = 90 * gibibyte;
    s.cluster.host_memory_per_node = 64 * gibibyte;
    BOOST_TEST(s.fires("host_memory_too_small"));
    s.cluster.host_memory_per_node = 256 * gibibyte;
    BOOST_TEST(!s.fires("host_memory_too_small"));

    s.catalog.storage = {{.id = "nvme-slow",
                          .kind = "disk",
                          .read = 1 * gigabyte_per_second,
                          .write = 1 * gigabyte_per_second,
                          .read_iops = {},
                          .sources = {}}};
    BOOST_TEST(!s.fires("storage_too_slow"));
    s.architecture.facts = NetworkFacts{};
    s.estimate.time.samples_per_second = 20000;  // x 115 kB = 2.3 GB/s
    BOOST_TEST(s.number("storage_too_slow", "needed_gb_per_s") == 2.3, nearly_equal);
    // 13 numbers and 26 keys of 4 B: 156 B a sample, however many there are.
    s.architecture.network = NetworkSizes{.type = "recommender", .numbers = {}, .words = {}};
    BOOST_TEST(!s.fires("storage_too_slow"));
    s.estimate.time.samples_per_second = 2e7;
    BOOST_TEST(s.number("storage_too_slow", "needed_gb_per_s") == 3.12, nearly_equal);
    // Ten seconds of speech in 16 bits at 16 kHz: 320 kB.
    s.architecture.network = NetworkSizes{.type = "listed", .numbers = {}, .words = {}};
    s.workload.batch.audio_seconds = 10;
    s.estimate.time.samples_per_second = 10000;
    BOOST_TEST(s.number("storage_too_slow", "needed_gb_per_s") == 3.2, nearly_equal);
    s.workload.batch.audio_seconds = 0;
    s.architecture.network.reset();
    s.estimate.time.samples_per_second = 20000;

    // A stated input pipeline is judged by what the step waits for.
    BOOST_TEST(!s.fires("input_bound"));
    s.workload.input = InputPipeline();
    BOOST_TEST(!s.fires("storage_too_slow"));
    BOOST_TEST(!s.fires("storage_rate_unknown"));
    s.workload.input->storage = "s3-standard";
    BOOST_TEST(s.fires("storage_rate_unknown"));
    s.workload.input->storage_bytes_per_s = 1e9;
    BOOST_TEST(!s.fires("storage_rate_unknown"));
    s.estimate.time.step = 4 * second;
    s.estimate.time.components.push_back({"wait for input", 3 * second, Bound::input});
    BOOST_TEST(s.number("input_bound", "samples_per_s_without") == 80000, nearly_equal);
}

BOOST_AUTO_TEST_CASE(what_bounds_the_work_is_said) {
    Situation s;
    // 989.5e12 / 3350e9 = 295.4 FLOP a byte.
    BOOST_TEST(s.number("compute_bound", "ridge_flop_per_byte") == 989.5e3 / 3350, nearly_equal);
    BOOST_TEST(!s.fires("memory_bound"));
    s.estimate.time.bound = Bound::memory;
    BOOST_TEST(s.fires("memory_bound"));
    BOOST_TEST(!s.fires("compute_bound"));
    s.estimate.time.bound = Bound::overhead;
    BOOST_TEST(s.fires("launch_bound"));
}

BOOST_AUTO_TEST_CASE(the_software_stack_is_checked) {
    Situation s;
    s.workload.compute = ComputeType::fp8;
    for (const char* name : {"bf16_units", "fp8_units", "fp4_units", "flash_attention_support",
                             "rocm_stack", "old_generation"}) {
        BOOST_TEST(!s.fires(name), name);
    }
    s.accelerator = samples::v100();
    BOOST_TEST(s.number("fp8_units", "needed") == 8.9, nearly_equal);
    s.workload.compute = ComputeType::bf16;
    BOOST_TEST(s.fires("bf16_units"));
    s.workload.attention = AttentionKernel::flash;
    BOOST_TEST(s.number("flash_attention_support", "compute_capability") == 7.0, nearly_equal);
    s.workload.quantization.name = "nvfp4";
    BOOST_TEST(s.fires("fp4_units"));
    s.accelerator.compute_capability = "6.0";
    BOOST_TEST(s.fires("old_generation"));
    // Files of weights have an engine of their own, whose builds begin where CUDA 12 does.
    s.workload.quantization.name = "q4_k_m";
    BOOST_TEST(!s.fires("old_generation"));
    s.accelerator.compute_capability = "3.7";
    BOOST_TEST(s.fires("old_generation"));
    s.accelerator = samples::mi300x();
    BOOST_TEST(s.fires("rocm_stack"));
}

BOOST_AUTO_TEST_CASE(chips_that_spoil_fp16_and_that_rocm_leaves_out_are_told) {
    Situation s;
    s.accelerator.chip = "TU116";
    s.workload.compute = ComputeType::fp16;
    BOOST_TEST(!s.fires("half_precision"));  // a model of text has no convolutions
    s.architecture.kind = ModelKind::diffusion;
    BOOST_TEST(s.fires("half_precision"));
    s.workload.compute = ComputeType::fp32;
    BOOST_TEST(!s.fires("half_precision"));
    s.accelerator = samples::mi300x();
    s.accelerator.architecture = "GCN 4";
    s.accelerator.software = {"ROCm 6"};
    BOOST_TEST(!lacks_rocm(s.accelerator));
    BOOST_TEST(last_toolkit(s.accelerator) == "ROCm 6");
    s.accelerator.software = {"Vulkan", "DirectML"};
    BOOST_TEST(lacks_rocm(s.accelerator));
    BOOST_TEST(last_toolkit(s.accelerator) == "");
    BOOST_TEST(s.fires("rocm_stack"));
    SoftwareProfile stack;
    stack.chips.makers = {"NVIDIA", "AMD"};
    BOOST_TEST(!is_made_for(stack, s.accelerator));
    stack.chips.makers.emplace_back("Vulkan");
    BOOST_TEST(is_made_for(stack, s.accelerator));
}

BOOST_AUTO_TEST_CASE(clips_on_hopper_name_the_release_whose_attention_is_told) {
    Situation s;
    s.software.id = "stack";
    s.software.from = "2026-03-23";
    s.software.kernels.attention.generation = FlashGeneration::flash3;
    s.workload.batch.frames = 81;
    BOOST_TEST(!s.fires("attention_of_older_release"));  // no release before
    SoftwareProfile before = s.software;
    before.id = "stack@2024-01-30";
    before.kernels.attention.generation = FlashGeneration::flash2;
    s.software.older.push_back(before);
    BOOST_TEST(s.number("attention_of_older_release", "compute_capability") == 9.0, nearly_equal);
    s.workload.batch.frames = 0;
    BOOST_TEST(!s.fires("attention_of_older_release"));
    s.workload.batch.frames = 81;
    s.accelerator = samples::v100();
    BOOST_TEST(!s.fires("attention_of_older_release"));
}

BOOST_AUTO_TEST_CASE(prices_are_dated_and_whole) {
    Situation s;
    // 2026-07-20 to 2026-08-01 is 12 days, to 2026-11-21 124.
    BOOST_TEST(!s.fires("stale_prices"));
    s.today = "2026-11-21";
    BOOST_TEST(s.number("stale_prices", "age_days") == 124, nearly_equal);
    s.today = "";
    BOOST_TEST(!s.fires("stale_prices"));

    BOOST_TEST(!s.fires("idle_accelerators"));
    s.estimate.cost.idle_accelerators = 7;
    BOOST_TEST(s.number("idle_accelerators", "idle") == 7, nearly_equal);

    BOOST_TEST(!s.fires("split_instances"));
    s.cluster.count = 8;
    s.cluster.per_node = 8;
    s.estimate.cost.offer->count = 1;
    s.estimate.cost.instances = 8;
    BOOST_TEST(s.number("split_instances", "instances") == 8, nearly_equal);

    // Two machines of eight with 50 GB/s each take 8 x 50 x 8 = 3,200 Gb/s of a machine.
    s.cluster.count = 16;
    s.cluster.inter.rate = 50.0 * gigabyte_per_second;
    s.estimate.cost.offer->count = 8;
    BOOST_TEST(!s.fires("slower_network"));
    s.estimate.cost.offer->network_gbps = 400;
    BOOST_TEST(s.number("slower_network", "assumed_gbps") == 3200, nearly_equal);
    s.estimate.cost.offer->network_gbps = 3200;
    BOOST_TEST(!s.fires("slower_network"));
    s.cluster.count = 8;

    BOOST_TEST(!s.fires("no_offer"));
    s.estimate.cost.offer.reset();
    s.accelerator.prices = {
        {.usd = 30000, .usd_high = {}, .kind = "street", .date = "2025", .source = "test"}};
    BOOST_TEST(s.number("no_offer", "usd_all") == 240000, nearly_equal);
}

BOOST_AUTO_TEST_CASE(weak_evidence_is_said) {
    Situation s;
    BOOST_TEST(!s.fires("interval_without_evidence"));
    s.estimate.time.band = {.low = 0.6, .high = 1.7, .evidence_rows = 0, .kind = ""};
    BOOST_TEST(s.number("interval_without_evidence", "high_factor") == 1.7, nearly_equal);
    BOOST_TEST(!s.fires("assumed_efficiency"));
    s.estimate.time.worst_tier = Tier::assumed;
    BOOST_TEST(s.number("assumed_efficiency", "tier") == 4, nearly_equal);
}

BOOST_AUTO_TEST_CASE(the_model_is_checked) {
    Situation s;
    BOOST_TEST(!s.fires("context_beyond_positions"));
    s.workload.batch.sequence_length = 262144;
    BOOST_TEST(s.number("context_beyond_positions", "trained_positions") == 131072, nearly_equal);
    BOOST_TEST(!s.fires("typical_architecture"));
    s.architecture.typical = true;
    BOOST_TEST(s.number("typical_architecture", "layers") == 32, nearly_equal);
    BOOST_TEST(!s.fires("assumed_family"));
    s.architecture.assumed_family = "llama";
    BOOST_TEST(s.fires("assumed_family"));
}

BOOST_AUTO_TEST_SUITE_END()
