#include "estimate/time/training.h"

#include "estimate/stacks/pipeline.h"
#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(training)

namespace {

double sum_of(const TimeEstimate& time) {
    double sum = 0;
    for (const TimeComponent& component : time.components) {
        sum += component.time / second;
    }
    return sum;
}

bool waits_for_links(const TimeEstimate& time) {
    for (const TimeComponent& component : time.components) {
        if (component.bound == Bound::communication) {
            return true;
        }
    }
    return false;
}

/// A legal plan on up to 64 parts, drawn at random.
Fixture any_plan() {
    Fixture f;
    Plan plan;
    plan.data = 1 << *rc::gen::inRange(0, 4);
    plan.tensor = 1 << *rc::gen::inRange(0, 3);
    plan.pipeline = 1 << *rc::gen::inRange(0, 3);
    plan.context = 1 << *rc::gen::inRange(0, 2);
    plan.sequence_parallel = *rc::gen::arbitrary<bool>();
    plan.sharding =
        *rc::gen::element(Sharding::ddp, Sharding::zero1, Sharding::zero2, Sharding::fsdp);
    plan.recompute =
        *rc::gen::element(RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full);
    f.workload.plan = plan;
    f.workload.batch.micro = *rc::gen::inRange(1, 4);
    const int passes = plan.pipeline * *rc::gen::inRange(1, 4);
    f.workload.batch.global = passes * plan.data * f.workload.batch.micro;
    f.workload.batch.sequence_length = 512 << *rc::gen::inRange(0, 4);
    f.place(plan.ranks(), 8);
    RC_ASSERT(check_plan(f.architecture, f.workload, f.cluster).has_value());
    return f;
}

}  // namespace

// Of 2048 x 32000 logits two losses each read 2 bytes, write and read an fp32 copy and its
// log-softmax: 36 bytes a logit at 1 TB/s.
BOOST_AUTO_TEST_CASE(reported_losses_read_the_logits_again) {
    const auto seconds = [](HeldLogits held) {
        Fixture f;
        f.place(1, 1);
        f.software.kernels.loss.held = held;
        return f.step();
    };
    BOOST_TEST(
        seconds(HeldLogits::measured) - seconds(HeldLogits::as_made) == 36.0 * 2048 * 32000 / 1e12,
        tt::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(components_sum_to_the_step) {
    BOOST_TEST(rc::check("sum", [] {
        const Fixture f = any_plan();
        const TimeEstimate time = f.time();
        RC_ASSERT(time.step / second > 0);
        RC_ASSERT(std::abs(sum_of(time) - time.step / second) < 1e-9 * (time.step / second));
    }));
}

BOOST_AUTO_TEST_CASE(never_faster_than_the_peak) {
    BOOST_TEST(rc::check("peak", [] {
        const TimeEstimate time = any_plan().time();
        RC_ASSERT(time.mfu > 0);
        RC_ASSERT(time.mfu <= 1);
        RC_ASSERT(time.compute_bound_share <= 1 + 1e-9);
    }));
}

BOOST_AUTO_TEST_CASE(a_faster_part_never_slows_the_step) {
    BOOST_TEST(rc::check("faster", [] {
        Fixture f = any_plan();
        const double before = f.step();
        for (auto& peak : f.part.peak_dense) {
            if (peak) {
                *peak *= 2;
            }
        }
        f.part.memory_bandwidth *= *rc::gen::inRange(1, 3);
        f.place(f.cluster.count, 8);
        RC_ASSERT(f.step() <= before * (1 + 1e-9));
    }));
}

BOOST_AUTO_TEST_CASE(recomputation_costs_time) {
    BOOST_TEST(rc::check("recompute", [] {
        Fixture f = any_plan();
        f.software.runtime.kind = *rc::gen::element(RuntimeKind::plain, RuntimeKind::fsdp2);
        f.workload.plan.recompute = RecomputeMode::none;
        const double none = f.step();
        f.workload.plan.recompute = RecomputeMode::selective;
        const double selective = f.step();
        f.workload.plan.recompute = RecomputeMode::full;
        const double full = f.step();
        RC_ASSERT(none <= selective * (1 + 1e-9));
        RC_ASSERT(selective <= full * (1 + 1e-9));
        // At most one more forward pass of three passes' worth of work, collectives included.
        RC_ASSERT(full < none * 1.7);
    }));
}

BOOST_AUTO_TEST_CASE(a_recomputed_layer_stops_at_its_last_operand) {
    // Its last product, 2 x 2048 tokens x 8192 x 2048 FLOP in 24 layers at 100 TFLOP/s, is not
    // needed again; recomputation to the end repeats it. Memory traffic adds a little to both.
    Fixture f;
    f.workload.compiled = false;
    f.workload.plan.recompute = RecomputeMode::full;
    const double stops = f.component("recompute");
    f.software.runtime.options.reentrant_checkpoints = true;
    const double whole = f.component("recompute");
    const double product = 24 * 2.0 * 2048 * 8192 * 2048 / 100e12;
    BOOST_TEST(whole - stops >= product);
    BOOST_TEST(whole - stops < 1.1 * product);
    // Nobody reads the output of a compiled layer that runs again.
    f.workload.compiled = true;
    const double compiled = f.component("recompute");
    f.software.runtime.options.reentrant_checkpoints = false;
    BOOST_TEST(f.component("recompute") == compiled, tt::tolerance(1e-12));
    // An adapter on that product keeps its input: the frozen product before it runs again.
    f.workload.method = Method::lora;
    f.workload.lora = Lora{.rank = 8, .targets = {"down_proj"}, .weights = DType::bf16};
    BOOST_TEST(f.component("recompute") > compiled + product);
}

BOOST_AUTO_TEST_CASE(idle_units_of_the_last_wave_cost_time) {
    // 2048 tokens by 1024 columns are 512 tiles of 64 x 64: six waves of 100 units do the work of
    // 600, half of which counts. Wider products fill theirs better.
    Fixture f;
    KernelCalibration products;
    products.operator_class = OperatorClass::gemm;
    products.efficiency.compute_fraction = 1;
    products.efficiency.bandwidth_fraction = 1;
    f.calibration.kernels = {products};
    f.part.units = 100;
    f.place(1, 8);
    const double even = f.component("forward");
    f.calibration.kernels.front().efficiency.wave_share = 0.5;
    f.place(1, 8);
    BOOST_TEST(f.component("forward") > even);
    BOOST_TEST(f.component("forward") < (1 + 0.5 * (600.0 / 512 - 1)) * even);
}

BOOST_AUTO_TEST_CASE(one_rank_has_no_collectives) {
    const Fixture f;
    BOOST_TEST(!waits_for_links(f.time()));
}

BOOST_AUTO_TEST_CASE(one_stage_has_no_bubble) {
    BOOST_TEST(pipeline_time(3, 3, 8, Plan{}).bubble == 0);
    // Four equal stages of 2 s, 8 micro-batches: (8 + 4 - 1) x 2 s; two chunks halve the bubble.
    Plan plan{.pipeline = 4};
    BOOST_TEST(pipeline_time(2, 8, 8, plan).busy == 16);
    BOOST_TEST(pipeline_time(2, 8, 8, plan).bubble == 6);
    plan.virtual_pipeline = 2;
    BOOST_TEST(pipeline_time(2, 8, 8, plan).bubble == 3);
}

BOOST_AUTO_TEST_CASE(stages_hold_every_layer_once) {
    BOOST_TEST(rc::check("layers", [] {
        const Plan plan{.pipeline = *rc::gen::inRange(1, 17),
                        .virtual_pipeline = *rc::gen::inRange(1, 5)};
        const int chunks = plan.pipeline * plan.virtual_pipeline;
        const int layers = *rc::gen::inRange(chunks, 200);
        int next = 0;
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const ChunkLayers range = chunk_layers(layers, plan, chunk);
            RC_ASSERT(range.begin == next);
            RC_ASSERT(range.count() >= 0);
            next = range.end;
        }
        RC_ASSERT(next == layers);
    }));
    // Llama 3.1 405B: 126 layers + embedding + loss = 128 = 8 stages x 8 chunks x 2.
    const Plan plan{.pipeline = 8, .virtual_pipeline = 8};
    BOOST_TEST(chunk_layers(126, plan, 0).count() == 1);
    BOOST_TEST(chunk_layers(126, plan, 1).count() == 2);
    BOOST_TEST(chunk_layers(126, plan, 63).count() == 1);
}

BOOST_AUTO_TEST_CASE(compute_of_a_step_by_hand) {
    // One part at its peaks, no overheads. Matrix parameters of a layer: q and o 2 x 2048 x 2048,
    // k and v 2 x 2048 x 1024, gate, up and down 3 x 2048 x 8192; head 2048 x 32000. Attention
    // core: 2 products x 2 x (2048^2 / 2 pairs) x 16 heads x 128.
    const double layer = 2.0 * 2048 * 2048 + 2.0 * 2048 * 1024 + 3.0 * 2048 * 8192;
    const double matrices = 24 * layer + 2048.0 * 32000;
    const double attention = 24 * 2 * 2 * (2048.0 * 2048 / 2) * 16 * 128;
    const double model = 6 * matrices * 2048 + 3 * attention;
    const Fixture f;
    const TimeEstimate time = f.time();
    const double seconds = time.step / second;
    BOOST_TEST(time.mfu * seconds * 100e12 == model, tt::tolerance(1e-9));
    BOOST_TEST(time.tokens_per_second == 2048 / seconds, tt::tolerance(1e-12));
    // Compute alone: 2.7 s of work a hundred TFLOP/s away from 27 ms; memory traffic adds to it.
    BOOST_TEST((time.step / second) > model / 100e12);
    BOOST_TEST((time.step / second) < 2 * model / 100e12);
}

BOOST_AUTO_TEST_CASE(accumulation_repeats_the_passes_not_the_optimizer) {
    Fixture f;
    const double one = f.step();
    const double optimizer = f.component("optimizer");
    f.workload.batch.global = 4;
    BOOST_TEST(f.component("optimizer") == optimizer, tt::tolerance(1e-12));
    BOOST_TEST(f.step() == 4 * (one - optimizer) + optimizer, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(adapters_save_the_weight_gradients) {
    Fixture f;
    const double full = f.component("backward");
    f.workload.method = Method::lora;
    f.workload.lora = Lora{.rank = 8, .targets = {"q_proj", "v_proj"}, .weights = DType::bf16};
    const double lora = f.component("backward");
    BOOST_TEST(lora < 0.7 * full);
    BOOST_TEST(lora > 0.4 * full);
}

BOOST_AUTO_TEST_CASE(adapters_are_multiplied_twice_as_often_backward) {
    Fixture f;
    f.workload.method = Method::lora;
    f.workload.lora =
        Lora{.rank = 8, .targets = {"q_proj", "embed_tokens"}, .weights = DType::bf16};
    int adapters = 0;
    for (const Block& block : training_operators(f.architecture, f.workload, f.software)) {
        for (const Operator& op : block.operators) {
            if (op.role == Role::adapter && op.forward.base() > 0) {
                // Gradients of the matrix and of what it multiplies.
                BOOST_TEST(op.backward.base() == 2 * op.forward.base(), block.name);
                ++adapters;
            }
        }
    }
    BOOST_TEST(adapters >= 2);
}

BOOST_AUTO_TEST_CASE(the_host_sets_the_pace_of_small_eager_work) {
    Fixture f;
    f.architecture.stacks[0].hidden = 256;
    f.architecture.stacks[0].ffn = 512;
    f.workload.batch.sequence_length = 16;
    f.software.runtime.options.launch_per_kernel = 10.0 * microsecond;
    const double eager = f.step();
    BOOST_TEST(f.component("host launches") > 0);
    f.workload.cuda_graphs = true;
    BOOST_TEST(f.component("host launches") == 0);
    BOOST_TEST(f.step() < eager);
}

BOOST_AUTO_TEST_CASE(a_compiler_joins_what_stands_between_two_products) {
    Fixture f;
    f.workload.attention = AttentionKernel::eager;
    f.software.kernels.norm = NormKernel::torch;
    const double joined = f.step();
    f.workload.compiled = false;
    // Of each of 24 layers' scores at 1 TB/s and what a stream reaches of it: 16 bytes fewer
    // forward, more backward.
    const double scores = 24 * 16 * 2048.0 * 2048;
    BOOST_TEST(f.step() - joined > 2 * 16 * scores / 1e12);
}

BOOST_AUTO_TEST_CASE(a_gelu_that_is_written_out_moves_each_of_its_steps) {
    Fixture f;
    f.workload.compiled = false;
    f.architecture.stacks[0].gated = false;
    f.architecture.stacks[0].activation = "gelu_new";
    const auto traffic = [&f](ActivationKernel kernel) {
        f.software.kernels.activation = kernel;
        const auto list = training_operators(f.architecture, f.workload, f.software);
        for (const Block& block : list) {
            for (const Operator& op : block.operators) {
                if (op.role == Role::activation) {
                    return op.forward_traffic.base();
                }
            }
        }
        return 0.0;
    };
    const double elements = 2048.0 * 8192;
    BOOST_TEST(traffic(ActivationKernel::fused) == elements * 2 * 2, tt::tolerance(1e-12));
    // Of 16 bits: x / 2, x^3, its factor, the tanh's factor, tanh and 1 + tanh read one and write
    // one; the sum and the product read two.
    BOOST_TEST(traffic(ActivationKernel::modules) == elements * 2 * (6 * 2 + 2 * 3),
               tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_gelu_of_clip_is_a_product_with_a_sigmoid) {
    Fixture f;
    f.workload.compiled = false;
    f.software.kernels.activation = ActivationKernel::modules;
    f.architecture.stacks[0].gated = false;
    const auto kept = [&f](const char* kind) {
        f.architecture.stacks[0].activation = kind;
        const auto list = training_operators(f.architecture, f.workload, f.software);
        double bytes = 0;
        double kernels = 0;
        for (const Block& block : list) {
            for (const Operator& op : block.operators) {
                if (op.role == Role::activation && bytes == 0) {
                    for (const int tensor : op.kept) {
                        bytes += tensor == no_tensor
                                     ? 0
                                     : block.tensors[static_cast<std::size_t>(tensor)].size.base();
                    }
                    kernels = op.forward_kernels;
                }
            }
        }
        return std::pair(bytes, kernels);
    };
    const auto [plain, one] = kept("gelu");
    const auto [quick, three] = kept("quick_gelu");
    BOOST_TEST(quick - plain == 2048.0 * 8192 * 2, tt::tolerance(1e-12));  // the sigmoid
    BOOST_TEST(one == 1);
    BOOST_TEST(three == 3);
}

BOOST_AUTO_TEST_CASE(autocast_copies_what_it_narrows) {
    Fixture f;
    f.workload.compiled = false;
    f.workload.weights = DType::fp32;
    f.workload.gradients = DType::fp32;
    f.software.kernels.activation = ActivationKernel::modules;
    f.software.runtime.options.autocast = true;
    const double cast = f.component("forward");
    f.software.runtime.options.autocast = false;
    BOOST_TEST(cast > f.component("forward"));
}

BOOST_AUTO_TEST_CASE(low_precision_gains_less_than_its_peak) {
    Fixture f;
    f.workload.batch = {.micro = 4, .global = 4, .sequence_length = 4096};
    const double wide = f.step();
    f.workload.compute = ComputeType::fp8;
    BOOST_TEST(f.component("quantize operands") > 0);
    const double gain = wide / f.step();
    BOOST_TEST(gain > 1);
    BOOST_TEST(gain < 2);
}

BOOST_AUTO_TEST_CASE(overlap_hides_the_gradient_reduction) {
    Fixture f;
    f.place(8, 8);
    f.workload.plan = {.data = 8, .sharding = Sharding::zero1};
    f.workload.batch.global = 8;
    // The same gradients beside a backward pass of hardly any work, and beside a long one.
    f.workload.batch.sequence_length = 8;
    const double exposed = f.component("data parallel");
    f.workload.batch.sequence_length = 4096;
    const double hidden = f.component("data parallel");
    BOOST_TEST(hidden < exposed);
    BOOST_TEST(hidden > 0);
}

BOOST_AUTO_TEST_CASE(each_expert_is_a_launch_where_the_stack_has_no_grouped_kernel) {
    Fixture f;
    f.architecture.stacks[0].moe =
        MixtureOfExperts{.experts = 16, .experts_per_token = 2, .ffn = 256};
    f.workload.batch.sequence_length = 64;
    f.software.runtime.options.launch_per_kernel = 20.0 * microsecond;
    const double grouped = f.step();
    f.software.runtime.kind = RuntimeKind::megatron;
    // 15 more launches for each of gate, up and down: one forward, two backward, 24 layers.
    BOOST_TEST(f.step() - grouped <= 15 * 3 * 3 * 24 * 20e-6 * (1 + 1e-9));
    BOOST_TEST(f.step() > grouped);
}

BOOST_AUTO_TEST_CASE(graphs_leave_layers_with_experts_to_the_host) {
    Fixture f;
    f.architecture.stacks[0].moe =
        MixtureOfExperts{.experts = 16, .experts_per_token = 2, .ffn = 256};
    f.workload.batch.sequence_length = 64;
    f.software.runtime.kind = RuntimeKind::megatron;
    f.software.runtime.options.launch_per_kernel = 1000.0 * microsecond;
    const double eager = f.step();
    f.workload.cuda_graphs = true;
    // 16 launches for each product, gate and up in one: one forward, two backward, 24 layers.
    BOOST_TEST(f.step() >= 16 * 2 * 3 * 24 * 1000e-6);
    BOOST_TEST(f.step() < eager);
}

BOOST_AUTO_TEST_CASE(narrow_heads_wait_for_their_exponentials) {
    Fixture f;
    f.workload.batch.sequence_length = 16384;
    f.software.kernels.attention.generation = FlashGeneration::flash3;
    f.architecture.stacks[0].heads = 32;
    f.architecture.stacks[0].kv_heads = 16;
    f.architecture.stacks[0].head_dim = 64;
    f.part.units.reset();
    f.place(1, 8);
    const double unknown = f.component("forward");
    // As many exponentials a second as an eighth of the products of a head of 128 take: the ratio
    // is 0.86 x 8, heads of 64 take (1 + 2 x 6.88) / (1 + 6.88) = 1.87 times as long.
    f.part.units = 100;
    f.part.boost_clock_mhz = f.device.peak_of(f.workload.compute).base() / 512 / 8 / 1600 / 1e6;
    f.place(1, 8);
    BOOST_TEST(f.component("forward") > unknown);
    BOOST_TEST(f.component("forward") < 1.88 * unknown);
    f.architecture.stacks[0].head_dim = 128;
    f.architecture.stacks[0].heads = 16;
    f.architecture.stacks[0].kv_heads = 8;
    const double wide = f.component("forward");
    f.part.units.reset();
    f.place(1, 8);
    BOOST_TEST(f.component("forward") == wide, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(offloading_costs_the_host_link) {
    Fixture f;
    BOOST_TEST(f.component("offload") == 0);
    f.workload.plan.offload_parameters = OffloadTarget::cpu;
    const double parameters = f.component("offload");
    BOOST_TEST(parameters > 0);
    f.workload.plan.offload_optimizer = OffloadTarget::cpu;
    BOOST_TEST(f.component("offload") > parameters);
}

BOOST_AUTO_TEST_CASE(the_power_limit_slows_a_step_but_not_the_peak_it_is_held_against) {
    Fixture f;
    const TimeEstimate before = f.time();
    f.calibration.sustained = {{.matrix_rate = 0.5, .beside_collectives = 1}};
    f.place(1, 8);
    const TimeEstimate after = f.time();
    BOOST_TEST(after.mfu < before.mfu);
    const double work_before = before.mfu * (before.step / second);
    const double work_after = after.mfu * (after.step / second);
    BOOST_TEST(work_before == work_after, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(offloaded_activations_wait_for_the_host_link) {
    Fixture f;
    f.workload.plan.recompute = RecomputeMode::full;
    const double kept = f.step();
    f.workload.plan.offload_activations = OffloadTarget::cpu;
    // 24 inputs of 2,048 x 2,048 x 2 B and 16 kB of token ids cross 32 GB/s in 6.3 ms, less than
    // the forward pass of 2 x 1.4e9 x 2,048 FLOP at 100 TFLOP/s, 58 ms: nothing is waited for.
    BOOST_TEST(f.step() == kept, tt::tolerance(1e-12));
    f.part.pcie_rate = 0.1 * gigabyte_per_second;
    const double bytes = 24 * 2048.0 * 2048 * 2 + 2048.0 * 8;
    const double crossing = bytes / 0.1e9;
    const double passes =
        f.component("forward") + f.component("backward") + f.component("recompute");
    BOOST_TEST(f.component("activation offload") == 2 * crossing - passes, tt::tolerance(1e-9));
}

/// A ring whose ranks are a node apart: 1,024 tokens x (key and value of one head of 128) x 2 B =
/// 524 kB a hop, 20 us and 1.25 GB/s (a rank's eighth of the node's 10 GB/s). Attention of 1.1
/// GFLOP hides little of it.
BOOST_AUTO_TEST_CASE(a_ring_that_leaves_the_node_turns_at_the_networks_pace) {
    Fixture f;
    f.place(16, 8);
    f.workload.plan = {.tensor = 8, .context = 2, .sharding = Sharding::none};
    const double hop = 20e-6 + 1024 * 2 * 128 * 2 / 1.25e9;
    // One hop forward, one of keys and values and one of their gradients backward.
    BOOST_TEST(f.component("context parallel") == 24 * 3 * hop, tt::tolerance(0.1));
    BOOST_TEST(f.component("context parallel") < 24 * 3 * hop);
}

/// Gathered keys and values wait for the network in full: the same bytes, forward, again backward
/// and their gradients back.
BOOST_AUTO_TEST_CASE(gathered_context_hides_nothing) {
    Fixture f;
    f.place(16, 8);
    f.workload.plan = {.tensor = 8, .context = 2, .sharding = Sharding::none};
    f.software.runtime.kind = RuntimeKind::fsdp2;
    const double whole = 2 * 1024 * 2 * 128 * 2;
    const double once = 20e-6 + whole / 2 / 1.25e9;
    BOOST_TEST(f.component("context parallel") == 24 * 3 * once, tt::tolerance(1e-6));
}

/// Two parts of 1,024 x 2,048 outputs, three quarters of the rows, 10 B each at 1 TB/s: 31 us a
/// layer beside half of the work.
BOOST_AUTO_TEST_CASE(parts_of_attention_are_merged) {
    Fixture f;
    const double whole = f.component("forward");
    f.workload.plan.context = 2;
    f.place(2, 8);
    BOOST_TEST(f.component("forward") >= whole / 2 + 24 * 2 * 0.75 * 1024 * 2048 * 10 / 1e12);
}

BOOST_AUTO_TEST_CASE(exchanges_of_experts_hide_behind_another_micro_batch) {
    Fixture f;
    f.architecture.stacks[0].moe =
        MixtureOfExperts{.experts = 16, .experts_per_token = 2, .ffn = 4096};
    f.place(8, 8);
    f.workload.plan = {.data = 8, .expert = 8, .sharding = Sharding::zero1};
    f.workload.batch.global = 8;
    const double exposed = f.component("expert parallel");
    BOOST_TEST(exposed > 0);
    BOOST_TEST(exposed < f.component("forward"));
    f.software.runtime.options.overlaps_expert_parallel = true;
    BOOST_TEST(f.component("expert parallel") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
