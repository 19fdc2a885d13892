// DLRM and DCN v2: tables whose rows are looked up, products over the numbers, their interaction;
// and the relational attention network of MLPerf over sampled neighbourhoods.
#include "estimate/families/family.h"

#include <algorithm>
#include <array>

namespace ridgeline {
namespace {

using enum ActivationKind;

Map products(NetworkBuilder& net, const Map& in, const std::vector<double>& widths) {
    Map x = in;
    for (const double width : widths) {
        x = net.activation(net.linear(x, width), relu);
    }
    return x;
}

std::vector<double> widths_of(const NetworkSizes& sizes, std::string_view key, std::vector<double> usual) {
    const auto* stated = sizes.list(key);
    return stated != nullptr ? *stated : std::move(usual);
}

/// Look-ups of one sample: `hot` rows of a table are summed. A row is one random read, of whole
/// sectors of 32 bytes; the backward pass reads, sorts and writes what the forward pass read.
double add_tables(NetworkBuilder& net, const FamilyInput& input, double dim, double& rows) {
    const NetworkSizes& sizes = input.sizes;
    const auto* table_rows = sizes.list("table_rows");
    const auto* hot = sizes.list("lookups");
    const double tables = table_rows != nullptr ? static_cast<double>(table_rows->size())
                                                : sizes.number("tables", 26);
    double lookups = 0;
    rows = sizes.number("total_rows", 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(tables); ++i) {
        rows += table_rows != nullptr ? (*table_rows)[i] : 0;
        lookups += hot != nullptr && i < hot->size() ? (*hot)[i] : 1;
    }
    Operator& op = net.add_operator("tables", Role::embedding, OperatorClass::embedding);
    const double width = bytes_per_element(input.workload.weights) * dim;
    const double sectors = std::max(32.0, width);
    const double samples = net.context().samples;
    op.parameters = rows * dim;
    op.active_fraction = 0;
    op.forward_traffic = Bytes::of_base(samples * (lookups * sectors + tables * dim * net.context().bytes));
    op.backward_traffic = op.forward_traffic * 3.0;
    op.forward_kernels = 1;
    op.backward_kernels = 4;
    return tables;
}

Program list_ranking(const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const double dim = sizes.number("embedding_dim", 128);
    NetworkBuilder net(input.context, "ranking");
    net.block("tables");
    double rows = 0;
    const double tables = add_tables(net, input, dim, rows);
    net.block("bottom products");
    const Map dense = products(net, net.input(sizes.number("numerical_features", 13), 1, 1),
                               widths_of(sizes, "bottom_mlp", {512, 256, dim}));
    net.block("interaction");
    Map x = net.concatenate({net.made(tables * dim, 1, 1, 1), dense});
    if (sizes.word("interaction") == "cross") {
        const double rank = sizes.number("cross_rank", 512);
        const Map first = x;
        for (int i = 0; i < sizes.number("cross_layers", 3); ++i) {
            Map y = net.linear(net.linear(x, rank, false), first.channels);
            x = net.add(net.multiply(y, first), x);
        }
    } else {
        Operator& op = net.add_operator("dot interaction", Role::other, OperatorClass::gemm);
        const double vectors = tables + 1;
        const double samples = net.context().samples;
        op.forward = Flops::of_base(2 * samples * vectors * vectors * dim);
        op.backward = op.forward * 2.0;
        op.forward_traffic = Bytes::of_base(samples * vectors * (dim + vectors) * net.context().bytes);
        op.backward_traffic = op.forward_traffic * 2.0;
        net.keep(x);
        x = net.made(vectors * (vectors - 1) / 2 + dim, 1, 1, 1);
    }
    net.block("top products");
    products(net, x, widths_of(sizes, "top_mlp", {1024, 1024, 512, 256, 1}));
    Program program;
    program.problem = net.problem();
    program.models.push_back(net.finish());
    SubModel& model = program.models.back();
    model.trains = input.training();
    model.sparse = rows * dim;
    model.trained -= model.sparse;
    program.passes = simple_passes(input.training());
    return program;
}

/// One call of a hash table of embeddings: buckets of keys are probed, once to find a key and more
/// to make room for one, and rows are copied. Rows in host memory come over the link.
Program list_hash_table(const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    struct Call {
        std::string_view name;
        double probes;
        bool inserts;
    };
    constexpr std::array calls = {Call{"find", 1, false}, Call{"assign", 1.4, false},
                                  Call{"find_or_insert", 1.8, true},
                                  Call{"insert_or_assign", 2.4, true}};
    const std::string_view word = sizes.word("call");
    const auto call = std::find_if(calls.begin(), calls.end(),
                                   [word](const Call& known) { return known.name == word; });
    const Call& made = call == calls.end() ? calls.front() : *call;
    const double keys = sizes.number("keys", 1);
    const double row = std::max(32.0, sizes.number("dim", 32) * input.context.bytes);
    const double host = sizes.number("host_memory_gb", 0);
    const double share = host > 0 ? host / (host + sizes.number("hbm_gb", 0)) : 0;
    // A full table evicts for every key that is new.
    const double evicts = made.inserts && sizes.number("load_factor", 0) >= 1 ? 1.8 : 1;
    constexpr double probe = 384;  // bytes of digests and keys of one bucket, in whole sectors
    NetworkBuilder net(input.context, "hash table");
    net.block("look-up");
    Operator& op = net.add_operator("look-up", Role::embedding, OperatorClass::embedding);
    op.forward_traffic =
        Bytes::of_base(keys * (probe * made.probes * evicts + 2 * row * (1 - share)));
    if (share > 0) {
        Operator& far = net.add_operator(host_rows, Role::embedding, OperatorClass::embedding);
        far.forward_traffic = Bytes::of_base(keys * row * share * (made.inserts ? 1.4 : 1));
    }
    Program program;
    program.models.push_back(net.finish());
    program.passes = simple_passes(false);
    return program;
}

/// Sampled neighbours of each seed by fan-out; features are gathered row by row.
Program list_graph(const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const std::vector<double> fans = widths_of(sizes, "fan_out", {15, 10, 5});
    const double features = sizes.number("feature_dim", 1024);
    const double hidden = sizes.number("hidden_size", 512);
    NetworkBuilder net(input.context, "graph network");
    double nodes = 1;
    double reached = 1;
    for (const double fan : fans) {
        reached *= fan;
        nodes += reached;
    }
    net.block("features");
    Operator& op = net.add_operator("gather features", Role::embedding, OperatorClass::embedding);
    op.forward_traffic = Bytes::of_base(2 * nodes * features * net.context().bytes * net.context().samples);
    op.backward_kernels = 0;
    Map x = net.input(features, 1, nodes);
    for (std::size_t layer = 0; layer < fans.size(); ++layer) {
        net.block("graph layer");
        Map y = net.linear(x, hidden, false);
        y = net.pointwise(y, 3, 2, "attention over edges");
        reached = std::max(1.0, y.width / (fans[fans.size() - 1 - layer] + 1));
        x = net.activation(net.copied(y, hidden, 1, reached), smooth);
    }
    net.block("classifier");
    net.linear(x, sizes.number("num_labels", 2983));
    Program program;
    program.problem = net.problem();
    program.models.push_back(net.finish());
    program.models.back().trains = input.training();
    program.passes = simple_passes(input.training());
    return program;
}

}  // namespace

ProgramLister recommender_program(std::string_view type) {
    if (type == "recommender") {
        return list_ranking;
    }
    if (type == "hash_embedding_kernel") {
        return list_hash_table;
    }
    return type == "gnn" ? list_graph : nullptr;
}

}  // namespace ridgeline
