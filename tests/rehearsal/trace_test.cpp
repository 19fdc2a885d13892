#include "data/load_trace.h"
#include "data/traced_operator.h"
#include "estimate/time/device.h"
#include "estimate/time/trace_time.h"
#include "trace_nodes.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <optional>

using namespace ridgeline;
namespace tt = boost::test_tools;
using Json = nlohmann::json;

BOOST_AUTO_TEST_SUITE(traces)

namespace {

/// 100 TFLOP/s in bf16, 1000 GB/s, nothing lost.
struct Card {
    Accelerator part;
    Calibration calibration;
    DeviceModel device;
    Cluster cluster;
    Card() {
        part.id = "card";
        part.memory_bandwidth = 1000 * gigabyte_per_second;
        part.peak_dense[static_cast<std::size_t>(ComputeType::bf16)] = 100 * teraflop_per_second;
        device = device_model(part, calibration);
        cluster.accelerator = &part;
    }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_product_is_counted_once_and_views_not) {
    // Calls are written when they end: what a call makes stands before it.
    const auto trace = execution_trace(
        trace_of({node(3, 2, "aten::t", "[[256, 128]]", "[[128, 256]]"),
                  node(4, 2, "aten::mm", "[[64, 128], [128, 256]]", "[[64, 256]]"),
                  node(2, 1, "aten::linear", "[[64, 128], [256, 128]]", "[[64, 256]]"),
                  node(1, 0, "[pytorch|profiler|execution_trace|process]", "[]", "[]")}),
        "x");
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->operators.size(), 1U);
    const TracedOperator& op = trace->operators.front();
    BOOST_TEST(op.name == "aten::mm");
    BOOST_TEST(op.flops.base() == 2.0 * 64 * 128 * 256);
    BOOST_TEST(op.traffic.base() == 2.0 * (64 * 128 + 128 * 256 + 64 * 256));
    BOOST_TEST((op.operator_class == OperatorClass::gemm));
    BOOST_TEST((op.type == ComputeType::bf16));
}

BOOST_AUTO_TEST_CASE(a_product_that_sums_beside_it_is_counted) {
    // The backward pass of a convolution with a bias sums the bias's gradient by an inner call.
    const auto trace = execution_trace(
        trace_of(
            {node(2, 1, "aten::convolution_backward",
                  "[[2, 16, 32, 32], [2, 3, 32, 32], [16, 3, 3, 3]]",
                  "[[2, 3, 32, 32], [16, 3, 3, 3], [16]]"),
             node(3, 2, "aten::sum", "[[2, 16, 32, 32]]", "[[16]]"),
             node(1, 0, "autograd::engine::evaluate_function: ConvolutionBackward0", "[]", "[]")}),
        "x");
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->operators.size(), 2U);
    // By the data and by the weight: 2 products of 2 * 27 multiplications for each output.
    BOOST_TEST(trace->operators[0].flops.base() == 2 * 2.0 * 27 * 2 * 16 * 32 * 32);
    BOOST_TEST(trace->operators[1].name == "aten::sum");
}

BOOST_AUTO_TEST_CASE(of_a_table_the_rows_that_are_looked_up_are_read) {
    // A million rows of 128 in one table of 26, as FBGEMM keeps them flat; 2,048 bags of 2 rows.
    Json forward = node(1, 0, "fbgemm::split_embedding_codegen_forward_unweighted_cuda",
                        "[[128000000], [4096], [2049]]", "[[2048, 128]]");
    Json backward =
        node(2, 0, "fbgemm::split_embedding_backward_codegen_rowwise_adagrad_exact_cuda",
             "[[2048, 128], [128000000], [4096], [2049], [1000000]]", "[]");
    Json bag = node(3, 0, "aten::_embedding_bag", "[[1000000, 128], [4096], [2048]]",
                    "[[2048, 128], [4096], [2048], [2048]]");
    for (Json* one : {&forward, &bag}) {
        (*one)["inputs"]["types"][1] = (*one)["inputs"]["types"][2] = "Tensor(long int)";
    }
    backward["inputs"]["types"][2] = backward["inputs"]["types"][3] = "Tensor(long int)";
    for (std::size_t i = 1; i < 4; ++i) {
        bag["outputs"]["types"][i] = "Tensor(long int)";
    }
    const auto trace = execution_trace(trace_of({forward, backward, bag}), "x");
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->operators.size(), 3U);
    const double rows = 4096 * 128 * 2.0, summed = 2048 * 128 * 2.0;  // bytes
    const double bags = 2049.0 / 2048;                                // offsets have one more
    BOOST_TEST(trace->operators[0].traffic.base() == rows / bags + 2 * summed, tt::tolerance(1e-6));
    // Rows of the table and of the state that has one number for each are read and written.
    BOOST_TEST(trace->operators[1].traffic.base() == 2 * rows / bags * (1 + 1 / 128.0) + summed,
               tt::tolerance(1e-6));
    BOOST_TEST(trace->operators[2].traffic.base() == rows + 2 * summed, tt::tolerance(1e-6));
    for (const TracedOperator& op : trace->operators) {
        BOOST_TEST((op.operator_class == OperatorClass::embedding));
    }
    BOOST_TEST(trace->unknown == 0);
}

BOOST_AUTO_TEST_CASE(a_step_with_sparse_gradients_writes_the_rows_that_it_has) {
    // As SGD adds a sparse gradient of 512 rows to a table: rows are added, the copy is to itself.
    Json add = node(3, 2, "aten::index_add_", "[[1000000, 64], [], [512], [512, 64], []]",
                    "[[1000000, 64]]");
    add["inputs"]["types"] = {"Tensor(c10::BFloat16)", "Int", "Tensor(long int)",
                              "Tensor(c10::BFloat16)", "Int"};
    add["inputs"]["values"][1] = 0;
    add["inputs"]["values"][4] = 1;
    const auto trace = execution_trace(
        trace_of({add,
                  node(4, 2, "aten::copy_", "[[1000000, 64], [1000000, 64]]", "[[1000000, 64]]"),
                  node(5, 2, "aten::_sparse_coo_tensor_unsafe", "[[1, 512], [512, 64]]",
                       "[[1000000, 64]]"),
                  node(2, 0, "aten::add", "[[1000000, 64], [1000000, 64]]", "[[1000000, 64]]")}),
        "x");
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->operators.size(), 1U);
    BOOST_TEST(trace->operators[0].name == "aten::index_add_");
    BOOST_TEST(trace->operators[0].traffic.base() == 3 * (512 * 8 + 512 * 64 * 2.0));

    Json other = node(4, 0, "aten::copy_", "[[64, 64], [64, 64]]", "[[64, 64]]");
    other["inputs"]["values"][1][0] = 7;  // another tensor
    const auto copied = execution_trace(trace_of({other}), "x");
    BOOST_REQUIRE(copied);
    BOOST_TEST(copied->operators.size() == 1U);
}

BOOST_AUTO_TEST_CASE(an_evaluation_between_two_steps_is_no_part_of_one) {
    const auto product = [](int id) {
        return node(id, 0, "aten::mm", "[[64, 128], [128, 256]]", "[[64, 256]]");
    };
    const auto label = [](int id, const char* name) { return node(id, 0, name, "[]", "[]"); };
    const Json begins = label(2, "ridgeline: evaluation begins");
    const auto trace =
        execution_trace(trace_of({product(1), begins, product(3),
                                  label(4, "ridgeline: evaluation ended"), product(5)}),
                        "x");
    BOOST_REQUIRE(trace);
    BOOST_TEST(trace->operators[0].count == 2);
    // Frozen layers that stay in evaluation through a step.
    const auto whole = execution_trace(trace_of({product(1), begins, product(3)}), "x");
    BOOST_REQUIRE(whole);
    BOOST_TEST(whole->operators[0].count == 2);
}

BOOST_AUTO_TEST_CASE(products_run_in_tf32_where_the_script_allowed_it) {
    const auto product = [](const char* type) {
        Json made = node(2, 0, "aten::mm", "[[64, 128], [128, 256]]", "[[64, 256]]");
        for (const char* part : {"inputs", "outputs"}) {
            for (Json& one : made[part]["types"]) {
                one = type;
            }
        }
        return made;
    };
    const auto type_with = [&](const char* type, const char* label) {
        const auto trace =
            execution_trace(trace_of({node(1, 0, label, "[]", "[]"), product(type)}), "x");
        BOOST_REQUIRE(trace);
        BOOST_REQUIRE_EQUAL(trace->operators.size(), 1U);
        return trace->operators[0].type;
    };
    const char* allowed = "ridgeline: products in TF32";
    BOOST_TEST((type_with("Tensor(float)", allowed) == ComputeType::tf32));
    BOOST_TEST((type_with("Tensor(float)", "another label") == ComputeType::fp32));
    BOOST_TEST((type_with("Tensor(c10::BFloat16)", allowed) == ComputeType::bf16));
}

BOOST_AUTO_TEST_CASE(nodes_are_taken_while_a_file_is_read) {
    Json document = trace_of({node(2, 1, "aten::mm", "[[8, 8], [8, 8]]", "[[8, 8]]"),
                              node(1, 0, "aten::linear", "[[8, 8], [8, 8]]", "[[8, 8]]")});
    document["schema"] = "1.1.1";
    document["also"] = Json::parse(R"([{"id": 7}])");  // no node
    std::optional<OperatorTrace> trace;
    const auto rest = without_nodes(document.dump(), "x", trace);
    BOOST_REQUIRE(rest);
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->operators.size(), 1U);
    BOOST_TEST(trace->operators[0].name == "aten::mm");
    BOOST_TEST(trace->operators[0].count == 1);
    BOOST_TEST((*rest)["nodes"].empty());
    BOOST_TEST((*rest)["also"].size() == 1U);

    trace.reset();
    const auto other = without_nodes(R"({"traceEvents": []})", "x", trace);
    BOOST_REQUIRE(other);
    BOOST_TEST(!trace.has_value());
    BOOST_TEST(other->contains("traceEvents"));
    BOOST_TEST(without_nodes(R"({"nodes": [)", "x", trace)->is_discarded());
}

BOOST_AUTO_TEST_CASE(phases_follow_from_what_stands_above) {
    const char* two = "[[8, 8], [8, 8]]";
    const auto trace = execution_trace(
        trace_of({node(1, 0, "autograd::engine::evaluate_function: MmBackward0", "[]", "[]"),
                  node(2, 1, "aten::mm", two, "[[8, 8]]"),
                  node(3, 0, "Optimizer.step#AdamW.step", "[]", "[]"),
                  node(4, 3, "aten::add_", two, "[[8, 8]]"),
                  node(5, 0, "aten::mm", two, "[[8, 8]]"),
                  node(6, 0, "aten::mm", two, "[[8, 8]]")}),
        "x");
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->operators.size(), 3U);
    BOOST_TEST((trace->operators[0].phase == TracedPhase::backward));
    BOOST_TEST((trace->operators[1].phase == TracedPhase::optimizer));
    BOOST_TEST((trace->operators[2].phase == TracedPhase::forward));
    BOOST_TEST(trace->operators[2].count == 2);
}

BOOST_AUTO_TEST_CASE(convolution_and_attention) {
    bool known = false;
    const auto map = [](std::vector<double> sizes) {
        double elements = 1;
        for (const double size : sizes) {
            elements *= size;
        }
        return TracedArgument{{{std::move(sizes), elements, "c10::BFloat16", true}}, {}};
    };
    TracedCall call{"aten::cudnn_convolution",
                    {map({2, 3, 32, 32}), map({16, 3, 3, 3})},
                    {map({2, 16, 30, 30})},
                    false,
                    false};
    const auto convolution = traced_operator(call, known);
    BOOST_REQUIRE(convolution);
    BOOST_TEST(convolution->flops.base() == 2.0 * 2 * 16 * 30 * 30 * 27);
    BOOST_TEST((convolution->operator_class == OperatorClass::convolution));

    // [batch, tokens, heads, width], causal: half of 4 b h s s d.
    call = {"aten::_flash_attention_forward",
            {map({1, 128, 4, 64}),
             map({1, 128, 4, 64}),
             map({1, 128, 4, 64}),
             {},
             {},
             {},
             {},
             {},
             {{}, 1.0}},
            {},
            false,
            false};
    const auto attention = traced_operator(call, known);
    BOOST_REQUIRE(attention);
    BOOST_TEST(attention->flops.base() == 0.5 * 4 * 4 * 128 * 128 * 64);
    BOOST_TEST(known);
}

// [8, 64, 32, 32] in bf16 is 1 MiB: statistics read it, the norm reads and writes it; backward
// reads the data and its gradient twice and writes one.
BOOST_AUTO_TEST_CASE(batch_norms_read_their_data_twice) {
    const char* data = "[[8, 64, 32, 32], [64]]";
    const char* pair = "[[8, 64, 32, 32], [8, 64, 32, 32]]";
    const auto trace = execution_trace(
        trace_of({node(2, 1, "aten::cudnn_batch_norm", data, "[[8, 64, 32, 32]]"),
                  node(3, 1, "aten::cudnn_batch_norm_backward", pair, "[[8, 64, 32, 32]]"),
                  node(1, 0, "[pytorch|profiler|execution_trace|process]", "[]", "[]")}),
        "test");
    BOOST_REQUIRE(trace.has_value());
    BOOST_REQUIRE(trace->operators.size() == 2);
    const double mebibytes = 1 << 20;
    const double weights = 128;
    for (const TracedOperator& op : trace->operators) {
        const bool back = op.name.find("backward") != std::string::npos;
        BOOST_TEST(op.traffic.base() == (back ? 5 * mebibytes : 3 * mebibytes + weights));
    }
}

BOOST_AUTO_TEST_CASE(tensors_of_the_host_cost_the_card_nothing) {
    Json on_host = node(1, 0, "aten::mm", "[[8, 8], [8, 8]]", "[[8, 8]]");
    for (const char* part : {"inputs", "outputs"}) {
        for (Json& value : on_host[part]["values"]) {
            value.back() = "cpu";
        }
    }
    const auto trace = execution_trace(trace_of({on_host}), "x");
    BOOST_REQUIRE(trace);
    BOOST_TEST(trace->operators.empty());
}

BOOST_AUTO_TEST_CASE(collectives_have_their_sizes) {
    Json comms = node(1, 0, "record_param_comms", "[]", "[]");
    comms["attrs"] = Json::parse(R"([{"name": "collective_name", "value": "_allgather_base"},
        {"name": "dtype", "value": "BFloat16"}, {"name": "in_msg_nelems", "value": 1000},
        {"name": "out_msg_nelems", "value": 4000}, {"name": "pg_size", "value": 4}])");
    Json again = comms;
    again["id"] = 2;
    const auto trace = execution_trace(trace_of({comms, again}), "x");
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->collectives.size(), 1U);
    BOOST_TEST((trace->collectives[0].operation == Collective::all_gather));
    BOOST_TEST(trace->collectives[0].size.base() == 8000);
    BOOST_TEST(trace->collectives[0].ranks == 4);
    BOOST_TEST(trace->collectives[0].count == 2);
    BOOST_TEST(!traced_collective("barrier", 1, 1, 4, 2));
}

BOOST_AUTO_TEST_CASE(a_profiler_trace_brings_its_durations) {
    const Json document = Json::parse(R"({"deviceProperties": [{"name": "NVIDIA A100"}],
        "traceEvents": [
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "ts": 0, "dur": 1000,
         "tid": 1},
        {"ph": "X", "cat": "cpu_op", "name": "aten::linear", "ts": 9, "dur": 20, "tid": 1,
         "args": {"External id": 4, "Input Dims": [[64, 128], [256, 128]],
                  "Input type": ["c10::BFloat16", "c10::BFloat16"]}},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 10, "dur": 5, "tid": 1,
         "args": {"External id": 5, "Input Dims": [[64, 128], [128, 256]],
                  "Input type": ["c10::BFloat16", "c10::BFloat16"]}},
        {"ph": "X", "cat": "kernel", "name": "gemm", "ts": 30, "dur": 8, "tid": 7,
         "args": {"External id": 5}}]})");
    const auto trace = profiler_trace(document, "x");
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->operators.size(), 1U);
    BOOST_TEST(trace->operators[0].name == "aten::mm");
    BOOST_TEST(trace->operators[0].measured.base() == 8e-6, tt::tolerance(1e-12));
    BOOST_TEST(trace->wall.base() == 1e-3, tt::tolerance(1e-12));
    BOOST_TEST(trace->device == "NVIDIA A100");

    // Without shapes nothing can be said of another card.
    Json bare = document;
    for (Json& event : bare["traceEvents"]) {
        if (event.contains("args")) {
            event["args"].erase("Input Dims");
        }
    }
    BOOST_TEST(!profiler_trace(bare, "x"));
}

BOOST_AUTO_TEST_CASE(sizes_that_are_no_shape_are_refused) {
    for (const Json& size : {Json(-1), Json(1e300), Json("many")}) {
        Json bad = node(7, 0, "aten::mm", "[[8, 8], [8, 8]]", "[[8, 8]]");
        bad["inputs"]["shapes"][0][0] = size;
        const auto trace = execution_trace(trace_of({bad}), "file");
        BOOST_REQUIRE(!trace);
        BOOST_TEST(trace.error().message.find("node 7") != std::string::npos);
    }
    const Json cycle = node(1, 2, "aten::mm", "[[8, 8], [8, 8]]", "[[8, 8]]");
    const Json other = node(2, 1, "aten::linear", "[[8, 8], [8, 8]]", "[[8, 8]]");
    BOOST_TEST(execution_trace(trace_of({cycle, other}), "x").has_value());
}

BOOST_AUTO_TEST_CASE(time_is_the_roofline_of_each_operator) {
    const Card card;
    OperatorTrace trace;
    TracedOperator product;
    product.name = "aten::mm";
    product.operator_class = OperatorClass::gemm;
    product.type = ComputeType::bf16;
    product.flops = Flops::of_base(3e12);    // 30 ms at the peak
    product.traffic = Bytes::of_base(40e9);  // 40 ms at the bandwidth
    product.count = 2;
    trace.operators = {product};
    const TimeEstimate time =
        trace_time(trace, card.cluster, card.device, card.calibration, {}, {});
    // sqrt(30^2 + 40^2) = 50 ms, twice.
    BOOST_TEST(time.step.base() == 0.1, tt::tolerance(1e-9));
    BOOST_TEST((time.bound == Bound::memory));

    // A host that needs longer to launch than the card to run is waited for.
    const TimeEstimate slow =
        trace_time(trace, card.cluster, card.device, card.calibration, {}, Seconds::of_base(0.2));
    BOOST_TEST(slow.step.base() == 0.4, tt::tolerance(1e-9));
    BOOST_TEST((slow.bound == Bound::overhead));

    // What took 75 ms where 50 were expected takes half as long again everywhere.
    trace.operators[0].measured = Seconds::of_base(0.075);
    const TraceRatios ratios = trace_ratios(trace, card.device);
    BOOST_TEST(ratios.all == 1.5, tt::tolerance(1e-9));
    const TimeEstimate scaled =
        trace_time(trace, card.cluster, card.device, card.calibration, ratios, {});
    BOOST_TEST(scaled.step.base() == 0.15, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
