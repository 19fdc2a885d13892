#include "estimate/memory/communicators.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/training_peak.h"
#include "estimate/stacks/kept_tensors.h"
#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include <algorithm>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(memory)

namespace {

// The fixture's decoder by hand: q and o 2048 x 2048, k and v 2048 x 1024, three products of
// 2048 x 8192, two norms; 24 layers; embedding and head of 32,000 rows; a final norm.
constexpr double layer = 2 * 2048.0 * 2048 + 2 * 2048.0 * 1024 + 3 * 2048.0 * 8192 + 2 * 2048;
constexpr double table = 32000.0 * 2048;
constexpr double all = 24 * layer + 2 * table + 2048;
constexpr double mib = 1024.0 * 1024.0;

double component(const Instant& instant, std::string_view name) {
    double sum = 0;
    for (const Component& part : instant.components) {
        sum += part.name == name ? part.size.base() : 0;
    }
    return sum;
}

double pool(const Instant& instant, MemoryPool wanted) {
    double sum = 0;
    for (const Component& part : instant.components) {
        sum += part.pool == wanted ? part.size.base() : 0;
    }
    return sum;
}

Fixture sharded_over_eight() {
    Fixture f;
    f.workload.weights = DType::fp32;
    f.workload.gradients = DType::fp32;
    f.workload.optimizer_state = DType::fp32;
    f.workload.plan.data = 8;
    f.workload.plan.sharding = Sharding::fsdp;
    f.workload.plan.recompute = RecomputeMode::full;
    f.workload.batch.global = 8;
    f.software.runtime.options.tables = FsdpTables::separate;
    f.place(8, 8);
    return f;
}

}  // namespace

// Megatron on two nodes of eight: two tensor ranks, two data-parallel ones, four stages of four.
BOOST_AUTO_TEST_CASE(each_group_of_ranks_has_buffers_of_its_own) {
    Fixture f;
    f.place(16, 8);
    const auto made = [&f](const Plan& plan) { return communicators(f.workload, f.cluster, plan); };
    BOOST_TEST((made({.data = 16}) == Communicators{.groups = 1, .peers = 0}));
    BOOST_TEST((made({.data = 16, .shard_group = 8}) == Communicators{.groups = 3, .peers = 0}));
    // Tensor, data, and all for the norm; two stages a node, so one neighbour is in the node.
    const Plan three{.data = 2, .tensor = 2, .pipeline = 4};
    BOOST_TEST((made(three) == Communicators{.groups = 3, .peers = 1}));
    // Data, replicas of experts, and all; tokens go to the three others of the node.
    BOOST_TEST((made({.data = 16, .expert = 4}) == Communicators{.groups = 3, .peers = 3}));

    f.calibration.contexts = {{.context_mib = 700, .collective_mib = 300, .peer_mib = 400}};
    BOOST_TEST(communication_bytes(f.input(), three) == 900 * mib, tt::tolerance(1e-12));
    f.part.scale_up.kind = "NVLink 4";
    BOOST_TEST(communication_bytes(f.input(), three) == 1300 * mib, tt::tolerance(1e-12));
    f.workload.plan = three;
    BOOST_TEST(outside_tensors(f.input()).context == 2000 * mib, tt::tolerance(1e-12));

    f.workload.task = Task::inference;
    BOOST_TEST((made({.data = 16}) == Communicators{}));
    BOOST_TEST((made({.data = 2, .tensor = 8}) == Communicators{.groups = 1, .peers = 0}));
    f.place(1, 8);
    BOOST_TEST((made({}) == Communicators{}));
}

BOOST_AUTO_TEST_CASE(states_of_a_sharded_run_divide_by_the_ranks) {
    const Fixture f = sharded_over_eight();
    const TrainingPeak peak = training_peak(f.input());
    const Instant& step = peak.instants.back();
    BOOST_TEST(step.name == "optimizer step");
    BOOST_TEST(component(step, "weights") == all * 4 / 8, tt::tolerance(1e-12));
    BOOST_TEST(component(step, "optimizer") == all * 8 / 8, tt::tolerance(1e-12));
    BOOST_TEST(component(step, "gradients") == all * 4 / 8, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(gradients_of_several_micro_batches) {
    Fixture f = sharded_over_eight();
    f.workload.batch.global = 16;  // two micro-batches
    f.software.runtime.options.accumulates_unsharded = true;
    const auto held = [&f] {
        for (const Instant& instant : training_peak(f.input()).instants) {
            if (instant.name == "loss") {
                return component(instant, "gradients");
            }
        }
        return 0.0;
    };
    // FSDP sums them whole, in the type of the products, where its reductions are turned off.
    BOOST_TEST(held() == all * 2, tt::tolerance(1e-12));
    f.software.runtime.options.shards_by_parameter = true;
    BOOST_TEST(held() == all * 2, tt::tolerance(1e-12));
    f.software.runtime.options.accumulates_unsharded = false;
    BOOST_TEST(held() == all * 4 / 8, tt::tolerance(1e-12));
    f.software.runtime.options.accumulates_unsharded = true;
    f.workload.plan.reduce_each_micro_batch = true;
    BOOST_TEST(held() == all * 4 / 8, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(fsdp_copies_a_gathered_unit_out_of_its_buffer) {
    Fixture f = sharded_over_eight();
    f.software.runtime.kind = RuntimeKind::fsdp2;
    const TrainingPeak peak = training_peak(f.input());
    for (const Instant& instant : peak.instants) {
        if (!instant.name.starts_with("backward")) {
            continue;
        }
        // The layer that computes is copied out; the next one waits in the buffer it was gathered
        // to.
        BOOST_TEST(component(instant, "gathered layers") == layer * 2, tt::tolerance(1e-12));
        BOOST_TEST(pool(instant, MemoryPool::gather) == layer * 2, tt::tolerance(1e-12));
    }
    // A table takes 131 MB, two layers 243 MB: the buffer of two layers is the larger. Beside it
    // lies this rank's eighth of them.
    BOOST_TEST(peak.gather_pool.base() == 2 * layer * 2 * 9 / 8, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(float8_weights_are_gathered_a_byte_each) {
    Fixture f = sharded_over_eight();
    f.software.runtime.kind = RuntimeKind::fsdp2;
    f.workload.compute = ComputeType::fp8;
    const auto waiting = [&f] {
        const TrainingPeak peak = training_peak(f.input());
        const auto found = std::find_if(
            peak.instants.begin(), peak.instants.end(),
            [](const Instant& instant) { return instant.name == "backward of the first layer"; });
        return found == peak.instants.end() ? -1 : pool(*found, MemoryPool::gather);
    };
    BOOST_TEST(waiting() == layer, tt::tolerance(1e-12));
    // Sharded over the ranks of a context alone: 16 bits.
    f.workload.plan.data = 1;
    f.workload.plan.context = 8;
    f.workload.batch.global = 1;
    f.place(8, 8);
    BOOST_TEST(waiting() == layer * 2, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(one_rotary_table_covers_all_positions) {
    Fixture f = sharded_over_eight();
    f.software.runtime.kind = RuntimeKind::fsdp2;
    const TrainingPeak peak = training_peak(f.input());
    // 2048 positions, 64 pairs of a head, 8 bytes.
    BOOST_TEST(component(peak.instants.back(), "rotary table") == 2048.0 * 64 * 8);
}

BOOST_AUTO_TEST_CASE(recomputed_experts_leave_a_gathered_copy_a_layer) {
    Fixture f = sharded_over_eight();
    f.software.runtime.kind = RuntimeKind::fsdp2;
    f.software.runtime.libraries.torch = {2, 8};
    f.architecture.stacks[0].moe =
        MixtureOfExperts{.experts = 8, .experts_per_token = 2, .ffn = 1024};
    f.workload.plan.expert = 4;
    const auto again = [&f](std::string_view name) {
        for (const Instant& instant : training_peak(f.input()).instants) {
            if (instant.name == name) {
                return component(instant, "regathered experts");
            }
        }
        return -1.0;
    };
    // Two of eight experts on a rank, three matrices of 2048 x 1024 each in 16 bits, of the 23
    // layers after the first; and the unit of the final norm and the head, which ran before the
    // last.
    const double experts = 23 * 2 * 3 * 2048.0 * 1024 * 2;
    const double head = (table + 2048) * 2;
    BOOST_TEST(again("backward of the first layer") == experts + head, tt::tolerance(1e-12));
    BOOST_TEST(again("reduction of the tables") == experts + head, tt::tolerance(1e-12));
    BOOST_TEST(again("backward of the last layer") == 0);
    // Beside it the embedding is gathered at the end, from this rank's eighth.
    BOOST_TEST(training_peak(f.input()).gather_pool.base() == experts + head + table * 2 * 9 / 8,
               tt::tolerance(1e-12));

    f.workload.plan.recompute = RecomputeMode::none;  // no second forward pass
    BOOST_TEST(again("backward of the first layer") == 0);
    f.workload.plan.recompute = RecomputeMode::full;
    f.workload.plan.expert = 1;  // experts are part of the layer's unit
    BOOST_TEST(again("backward of the first layer") == 0);
    f.workload.plan.expert = 4;
    f.workload.plan.reshard_after_forward = false;  // never gathered again
    BOOST_TEST(again("backward of the first layer") == 0);
}

BOOST_AUTO_TEST_CASE(layers_with_experts_fragment_by_a_share_of_their_own) {
    Fixture f;
    f.workload.plan.recompute = RecomputeMode::selective;
    f.workload.loss = LossMode::compiled;
    f.software.allocator.expandable = ExpandableSegments::always;
    f.software.runtime.kind = RuntimeKind::fsdp2;
    f.software.runtime.options.saves_exchanges = true;
    const auto hole = [&f] { return training_peak(f.input()).instants.front().hole.base(); };
    BOOST_TEST(hole() == 0);  // no experts
    f.architecture.stacks[0].moe =
        MixtureOfExperts{.experts = 8, .experts_per_token = 2, .ffn = 1024};
    const TrainingPeak peak = training_peak(f.input());
    BOOST_TEST_REQUIRE(peak.instants.front().name == "loss");
    BOOST_TEST(hole() == component(peak.instants.front(), "activations.layers") / 20,
               tt::tolerance(1e-12));
    f.workload.plan.recompute = RecomputeMode::none;  // nothing comes and goes between
    BOOST_TEST(hole() == 0);
}

BOOST_AUTO_TEST_CASE(pools_of_the_allocator_add_up) {
    Fixture f = sharded_over_eight();
    f.software.runtime.kind = RuntimeKind::fsdp2;
    f.software.allocator.expandable = ExpandableSegments::always;
    f.workload.batch.sequence_length = 65536;  // so that the loss sets the peak
    const MemoryEstimate memory = estimate_memory(f.input());
    BOOST_TEST_REQUIRE(memory.instants[memory.peak_instant].name == "loss");
    const double compute = pool(memory.instants[memory.peak_instant], MemoryPool::compute);
    BOOST_TEST(memory.allocated.base() == compute, tt::tolerance(1e-12));
    // Sharded gradients do not live yet, but their pool holds what they took a step ago.
    const double expected = compute + 2 * layer * 2 * 9 / 8 + all * 4 / 8;
    BOOST_TEST(memory.reserved.base() > expected);
    BOOST_TEST(memory.reserved.base() < expected + 4 * mib);
}

BOOST_AUTO_TEST_CASE(logits_freed_before_the_loss_runs_back_leave_a_hole) {
    Fixture f;
    f.workload.loss = LossMode::eager;
    f.workload.plan.recompute = RecomputeMode::none;
    f.software.kernels.loss.held = HeldLogits::none;
    f.software.kernels.loss.upcasts = true;
    const auto hole = [&f] { return training_peak(f.input()).instants.front().hole.base(); };
    const double logits = 2048.0 * 32000 * 2;
    BOOST_TEST(hole() == logits, tt::tolerance(1e-12));

    // Alive, not a hole; but those of the last step lie where one of three fp32 blocks would go:
    // half of the one that the new logits split, and the block of the old ones.
    f.software.kernels.loss.held = HeldLogits::as_made;
    BOOST_TEST(hole() == logits + logits, tt::tolerance(1e-12));
    f.software.kernels.loss.held = HeldLogits::as_fp32;  // the 16-bit ones are freed for fp32 ones
    BOOST_TEST(hole() == logits, tt::tolerance(1e-12));

    f.workload.loss = LossMode::compiled;  // makes no fp32 tensors of all logits
    BOOST_TEST(hole() == 0);
    f.workload.plan.recompute = RecomputeMode::full;
    BOOST_TEST(hole() > 0);  // what a layer's forward pass gave back
    f.software.allocator.expandable = ExpandableSegments::always;
    BOOST_TEST(hole() == 0);
}

BOOST_AUTO_TEST_CASE(a_workspace_for_the_products_of_each_pass) {
    Fixture f;
    f.part.compute_capability = "7.5";
    const double none = training_peak(f.input()).total.base();
    BOOST_TEST(estimate_memory(f.input()).allocated.base() - none ==
               2 * (4096 * 2 + 16 * 8) * 1024.0);
    f.part.compute_capability = "9.0";
    BOOST_TEST(estimate_memory(f.input()).allocated.base() - none == 2 * 4096 * 8 * 1024.0);
    f.part.compute_capability.reset();
    BOOST_TEST(estimate_memory(f.input()).allocated.base() == none);
}

BOOST_AUTO_TEST_CASE(eight_bit_moments_of_embeddings_stay_wide_in_a_trainer) {
    Fixture f;
    f.workload.method = Method::full;
    f.workload.optimizer_state = DType::int8;
    f.software.kernels.adapter.upcasts = Upcast::rest;
    f.software.kernels.loss.held = HeldLogits::none;
    const auto extra = [&f] {
        return component(training_peak(f.input()).instants.back(), "optimizer of the embeddings");
    };
    // Two moments of 4 bytes instead of a byte and a 256th of an fp32 scale each.
    const double table = 32000.0 * 2048;
    BOOST_TEST(extra() == table * (8 - 2 * (1 + 4.0 / 256)), tt::tolerance(1e-12));
    f.software.kernels.loss.held = HeldLogits::as_made;  // a plain loop tells the library nothing
    BOOST_TEST(extra() == 0);
}

BOOST_AUTO_TEST_CASE(adafactor_copies_the_largest_matrix) {
    Fixture f;
    f.workload.method = Method::full;
    f.workload.weights = DType::bf16;
    f.workload.optimizer = "adafactor";
    // Gradient, weight, update and the next one of the table, in fp32.
    BOOST_TEST(component(training_peak(f.input()).instants.back(), "optimizer transient") ==
                   4 * 4 * 32000.0 * 2048,
               tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_pipeline_has_buffers_for_every_micro_batch) {
    Fixture f;
    f.workload.plan.pipeline = 2;
    f.workload.batch.global = 8 * f.workload.batch.micro;  // eight micro-batches
    f.software.runtime.kind = RuntimeKind::fsdp2;
    f.workload.plan.recompute = RecomputeMode::full;
    const double boundary = 2048.0 * 2048 * 2 * f.workload.batch.micro;
    const OperatorList list = training_operators(f.architecture, f.workload, f.software);
    const std::vector<BlockMemory> blocks = block_memories(f.input(), list);
    MemoryStages stages = memory_stages(f.input(), list, blocks);
    std::erase_if(stages.stages, [](const HeldStage& held) { return !held.stage.first; });
    // The first stage receives a gradient for each and holds the outputs of the two in flight.
    BOOST_TEST(component(training_peak(f.input(), stages).instants.front(), "pipeline buffers") ==
                   (8 + 2) * boundary,
               tt::tolerance(1e-12));
    f.software.runtime.libraries.torch = {2, 6};
    BOOST_TEST(component(training_peak(f.input(), stages).instants.front(), "pipeline buffers") ==
                   (8 + 8) * boundary,
               tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_pipeline_may_hold_the_logits_of_every_micro_batch) {
    Fixture f;
    f.workload.plan.pipeline = 2;
    f.workload.batch.global = 64;  // so that the last stage is the fullest
    f.workload.loss = LossMode::eager;
    f.place(2, 8);
    const auto held = [&f] {
        double most = 0;
        for (const Instant& instant : training_peak(f.input()).instants) {
            most = std::max(most, component(instant, "outputs of micro-batches"));
        }
        return most;
    };
    BOOST_TEST(held() == 0);
    f.software.runtime.kind = RuntimeKind::fsdp2;
    BOOST_TEST(held() == 63 * 2048.0 * 32000 * 2, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(what_stays_gathered_does_not_fragment) {
    Fixture f = sharded_over_eight();
    f.software.allocator.fragmentation = 1;
    f.workload.plan.reshard_after_forward = false;
    const TrainingPeak peak = training_peak(f.input());
    for (const Instant& instant : peak.instants) {
        for (const Component& part : instant.components) {
            BOOST_TEST(!(part.churn != Churn::none && part.name.starts_with("gathered")));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_last_of_two_stages_can_be_the_fullest) {
    Fixture f;
    // Both ends hold a table of one size; the logits of 2,048 tokens, 2 GB in bf16, are the last's
    // alone, and with full recomputation a second micro-batch in flight adds 12 inputs of 8 MiB to
    // the first.
    f.architecture.vocabulary = 500000;
    f.workload.plan.pipeline = 2;
    f.workload.plan.recompute = RecomputeMode::full;
    f.workload.batch.global = 4;
    f.place(2, 8);
    BOOST_TEST(training_peak(f.input()).stage == 1);
}

BOOST_AUTO_TEST_CASE(kept_tensors_sum_to_their_components) {
    for (const RecomputeMode mode :
         {RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full}) {
        for (const RuntimeKind kind : {RuntimeKind::plain, RuntimeKind::fsdp2}) {
            Fixture f;
            f.workload.plan.recompute = mode;
            f.software.runtime.kind = kind;
            double layers = 0;
            double head = 0;
            for (const KeptTensor& tensor : kept_by_step(f.input())) {
                layers += tensor.repeats > 1 ? tensor.size.base() * tensor.repeats : 0;
                head += tensor.block == "head" ? tensor.size.base() : 0;
            }
            const TrainingPeak peak = training_peak(f.input());
            const Instant& loss = peak.instants.front();
            BOOST_TEST(component(loss, "activations.layers") == layers, tt::tolerance(1e-12));
            BOOST_TEST(component(loss, "loss kept") == head, tt::tolerance(1e-12));
        }
    }
}

BOOST_AUTO_TEST_CASE(counters_are_ordered) {
    BOOST_TEST(rc::check("allocated <= reserved <= process", [] {
        Fixture f = sharded_over_eight();
        f.software.runtime.kind = *rc::gen::element(RuntimeKind::fsdp1, RuntimeKind::fsdp2);
        f.software.allocator.fragmentation = 0.1 * *rc::gen::inRange(0, 20);
        f.workload.plan.reshard_after_forward = *rc::gen::arbitrary<bool>();
        f.workload.plan.sharding =
            *rc::gen::element(Sharding::ddp, Sharding::zero1, Sharding::zero3, Sharding::fsdp);
        f.workload.plan.recompute =
            *rc::gen::element(RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full);
        f.workload.batch.sequence_length = 512 << *rc::gen::inRange(0, 6);
        const MemoryEstimate memory = estimate_memory(f.input());
        RC_ASSERT(memory.allocated <= memory.reserved);
        RC_ASSERT(memory.reserved <= memory.process);
    }));
}

namespace {

Fixture adapted(LoraVariant variant) {
    Fixture f;
    f.workload.method = Method::lora;
    f.workload.lora = Lora{.rank = 16, .variant = variant, .targets = {"q_proj", "down_proj"}};
    f.place(1, 1);
    return f;
}

}  // namespace

BOOST_AUTO_TEST_CASE(adapters_of_each_variant) {
    const auto bytes = [](LoraVariant variant) {
        return component(training_peak(adapted(variant).input()).instants.back(),
                         "weights.adapters");
    };
    // A and B of q (2048 to 2048) and down (8192 to 2048), in fp32; DoRA has a norm for each row.
    const double pairs = 24 * 16 * ((2048.0 + 2048) + (8192.0 + 2048)) * 4;
    BOOST_TEST(bytes(LoraVariant::lora) == pairs, tt::tolerance(1e-12));
    BOOST_TEST(bytes(LoraVariant::dora) == pairs + 24 * (2048.0 + 2048) * 4, tt::tolerance(1e-12));
    BOOST_TEST(training_peak(adapted(LoraVariant::rslora).input()).total.base() ==
               training_peak(adapted(LoraVariant::lora).input()).total.base());
}

BOOST_AUTO_TEST_CASE(dora_keeps_both_outputs_of_a_target) {
    const auto layers = [](LoraVariant variant) {
        return component(training_peak(adapted(variant).input()).instants.front(),
                         "activations.layers");
    };
    const Fixture f = adapted(LoraVariant::dora);
    const double tokens = static_cast<double>(f.workload.batch.micro) *
                          static_cast<double>(f.workload.batch.sequence_length);
    // The output of W in the compute type and of B A in fp32: 2 + 4 bytes for the 2048 columns of
    // both.
    BOOST_TEST(
        layers(LoraVariant::dora) - layers(LoraVariant::lora) == 24 * 2 * tokens * 2048 * (2 + 4),
        tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
