// DLRM and DCN v2: tables whose rows are looked up, products over the numbers, their interaction;
// and the relational attention network of MLPerf over sampled neighbourhoods.
#include "estimate/families/family.h"

#include <algorithm>
#include <array>
#include <cmath>

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

std::vector<double> widths_of(const NetworkSizes& sizes, std::string_view key,
                              std::vector<double> usual) {
    const auto* stated = sizes.list(key);
    return stated != nullptr ? *stated : std::move(usual);
}

/// What one sample looks up.
struct Tables {
    double parameters = 0;
    double lookups = 0;    ///< rows read
    double row_bytes = 0;  ///< of them, in whole sectors of 32 bytes
    double vectors = 0;    ///< that leave the tables, each the sum of its rows
    double width = 0;      ///< of all vectors together
};

/// Tables in groups {count, rows, width, lookups: of each input that shares the table}.
Tables grouped_tables(const NetworkSizes& sizes, double bytes) {
    Tables tables;
    const auto* counts = sizes.list("tables.count");
    const auto* rows = sizes.list("tables.rows");
    const auto* widths = sizes.list("tables.width");
    const auto* hot = sizes.list("tables.lookups");
    const auto* inputs = sizes.list("tables.lookups.size");
    const auto at = [](const std::vector<double>* list, std::size_t i) {
        return list != nullptr && i < list->size() ? (*list)[i] : 1;
    };
    for (std::size_t i = 0; i < counts->size(); ++i) {
        const double count = (*counts)[i];
        tables.parameters += count * at(rows, i) * at(widths, i);
        tables.lookups += count * at(hot, i);
        tables.row_bytes += count * at(hot, i) * std::max(32.0, at(widths, i) * bytes);
        tables.vectors += count * at(inputs, i);
        tables.width += count * at(inputs, i) * at(widths, i);
    }
    return tables;
}

Tables tables_of(const NetworkSizes& sizes, double dim, double bytes) {
    if (sizes.list("tables.count") != nullptr) {
        return grouped_tables(sizes, bytes);
    }
    const auto* table_rows = sizes.list("table_rows");
    const auto* hot = sizes.list("lookups");
    Tables tables;
    tables.vectors = table_rows != nullptr ? static_cast<double>(table_rows->size())
                                           : sizes.number("tables", 26);
    double rows = sizes.number("total_rows", 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(tables.vectors); ++i) {
        rows += table_rows != nullptr ? (*table_rows)[i] : 0;
        tables.lookups += hot != nullptr && i < hot->size() ? (*hot)[i] : 1;
    }
    tables.parameters = rows * dim;
    tables.row_bytes = tables.lookups * std::max(32.0, dim * bytes);
    tables.width = tables.vectors * dim;
    return tables;
}

/// Tables of the rank that has the most of them over those of a mean one, where they lie whole on
/// ranks: their number is spread as evenly as it goes (NVIDIA/DeepLearningExamples DLRM,
/// get_device_mapping: greedy by size with a largest bucket).
double most_tables(const Tables& tables, int ranks) {
    return ranks < 2 || tables.vectors < 1
               ? 1
               : std::ceil(tables.vectors / ranks) * ranks / tables.vectors;
}

/// Numbers that leave the tables for a sample where submissions cut them over the ranks by what is
/// looked up in each: a table of many look-ups lies in pieces on several ranks, each of which
/// answers with a sum of its own (HugeCTR, sharding plan of the embedding collection).
double cut_width(const NetworkSizes& sizes, const Tables& tables, double dim, int ranks) {
    const auto* hot = sizes.list("lookups");
    if (hot == nullptr || ranks < 2 || tables.lookups <= tables.vectors) {
        return tables.width;
    }
    double vectors = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(tables.vectors); ++i) {
        const double here = i < hot->size() ? (*hot)[i] : 1;
        vectors += std::max(1.0, std::ceil(here * ranks / tables.lookups));
    }
    return vectors * dim;
}

/// Rows that an update reads and writes for each that was looked up: the weights, and what the
/// optimizer remembers of each. Where there is something to remember the gradient of each row is
/// written out and read again. AdamW touches every row for its decay, so nobody trains tables with
/// it: as a default it stands for plain descent.
double update_rows(const Workload& workload) {
    const double states = workload.optimizer == "adagrad" ? 1
                          : workload.optimizer == "adam"  ? 2
                                                          : 0;
    return states > 0 ? 2 + 2 * states + 2 : 2;
}

/// A row is one random read; the backward pass sorts the keys, reads the rows and writes them.
void add_tables(NetworkBuilder& net, const Tables& tables, const Workload& workload, double most) {
    Operator& op = net.add_operator("tables", Role::embedding, OperatorClass::embedding);
    const double samples = net.context().samples;
    op.parameters = tables.parameters;
    op.active_fraction = 0;
    op.forward_traffic =
        Bytes::of_base(samples * (tables.row_bytes + tables.width * net.context().bytes) * most);
    // Where rows are summed, a radix sort by row comes first: it moves pairs of 16 bytes eight
    // times there and back.
    constexpr double sorted = 8 * 2 * 16;
    const double keys = tables.lookups > tables.vectors ? samples * tables.lookups : 0;
    op.backward_traffic =
        op.forward_traffic * (1 + update_rows(workload)) + Bytes::of_base(keys * sorted);
    op.forward_kernels = 1;
    op.backward_kernels = 4;
}

Program list_ranking(const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const double dim = sizes.number("embedding_dim", 128);
    NetworkBuilder net(input.context, "ranking");
    net.block("tables");
    const Tables tables = tables_of(sizes, dim, bytes_per_element(input.workload.weights));
    // Submissions cut large tables over all ranks and copy small ones to each (HugeCTR, hybrid).
    const bool whole =
        input.software.runtime.kind == RuntimeKind::plain && sizes.list("tables.count") == nullptr;
    const double most = whole ? most_tables(tables, input.workload.plan.data) : 1;
    add_tables(net, tables, input.workload, most);
    net.block("bottom products");
    const bool joined = sizes.list("mlp") != nullptr;  // vectors and numbers enter one stack
    const Map numbers = net.input(sizes.number("numerical_features", 13), 1, 1);
    const Map dense =
        joined ? numbers : products(net, numbers, widths_of(sizes, "bottom_mlp", {512, 256, dim}));
    net.block("interaction");
    Map x = net.concatenate({net.made(tables.width, 1, 1, 1), dense});
    if (joined) {
        x = products(net, x, widths_of(sizes, "mlp", {}));
    } else if (sizes.word("interaction") == "cross" || sizes.word("name").starts_with("dcn")) {
        const double rank = sizes.number("cross_rank", 512);
        const Map first = x;
        for (int i = 0; i < sizes.number("cross_layers", 3); ++i) {
            Map y = net.linear(net.linear(x, rank, false), first.channels);
            x = net.add(net.multiply(y, first), x);
        }
    } else {
        Operator& op = net.add_operator("dot interaction", Role::other, OperatorClass::gemm);
        const double vectors = tables.vectors + 1;
        const double samples = net.context().samples;
        op.forward = Flops::of_base(2 * samples * vectors * vectors * dim);
        op.backward = op.forward * 2.0;
        op.forward_traffic =
            Bytes::of_base(samples * vectors * (dim + vectors) * net.context().bytes);
        op.backward_traffic = op.forward_traffic * 2.0;
        net.keep(x);
        x = net.made(vectors * (vectors - 1) / 2 + dim, 1, 1, 1);
    }
    if (!joined) {
        net.block("top products");
        products(net, x, widths_of(sizes, "top_mlp", {1024, 1024, 512, 256, 1}));
    }
    Program program;
    program.problem = net.problem();
    program.models.push_back(net.finish());
    SubModel& model = program.models.back();
    model.trains = input.training();
    model.sparse = tables.parameters;
    const bool cut = input.software.runtime.kind == RuntimeKind::megatron;
    const double width =
        cut ? cut_width(sizes, tables, dim, input.workload.plan.data) : tables.width;
    model.exchanged = Bytes::of_base(net.context().samples * width * net.context().bytes * most);
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

/// Attention over the edges of a layer, from all nodes that it reads to those that it makes.
Map attention_layer(NetworkBuilder& net, const Map& x, double hidden, double reached) {
    Map y = net.linear(x, hidden, false);
    // Per edge and relation, in fp32: gather both ends, score, softmax, weigh, sum. MLPerf's
    // submissions take the time of that many passes.
    constexpr double edge_passes = 22;
    y = net.pointwise(y, 3, 2, "attention over edges");
    Operator& edges = net.add_operator("edges", Role::other, OperatorClass::streaming);
    edges.forward_traffic = Bytes::of_base(edge_passes * y.elements() * net.context().samples * 4);
    edges.backward_traffic = edges.forward_traffic * 2.0;
    edges.forward_kernels = edges.backward_kernels = 12;
    return net.activation(net.copied(y, hidden, 1, reached), smooth);
}

/// Means of neighbours, a product with bias of them and one without of the node (GraphSAGE, ogb
/// nodeproppred gnn.py). Messages of all edges are gathered, then summed by their target.
Map mean_layer(NetworkBuilder& net, const Map& x, double width, double reached, bool last) {
    Operator& edges = net.add_operator("edges", Role::other, OperatorClass::streaming);
    const double element = net.context().samples * net.context().bytes;
    edges.forward_traffic =
        Bytes::of_base((3 * (x.width - reached) + reached) * x.channels * element);
    edges.backward_traffic = edges.forward_traffic;
    edges.forward_kernels = edges.backward_kernels = 4;
    const Map mean = net.copied(x, x.channels, 1, reached);
    const Map own = net.copied(x, x.channels, 1, reached);
    const Map sum = net.add(net.linear(own, width, false), net.linear(mean, width));
    return last ? sum : net.dropout(net.activation(sum, relu));
}

/// Sampled neighbours of each seed by fan-out, each node as often as it is met; features are
/// gathered row by row, over the slot where they lie in host memory, as do the lists of neighbours,
/// of which a sector is read for each edge.
Program list_sampled_graph(const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const std::vector<double> fans = widths_of(sizes, "fan_out", {15, 10, 5});
    const double features = sizes.number("feature_dim", 1024);
    const double hidden = sizes.number("hidden_size", 512);
    const double labels = sizes.number("num_labels", 2983);
    const bool means = sizes.word("aggregation") == "mean";
    NetworkBuilder net(input.context, "graph network");
    std::vector<double> nodes{1};  // within so many steps of a seed
    double reached = 1;
    for (const double fan : fans) {
        reached *= fan;
        nodes.push_back(nodes.back() + reached);
    }
    net.block("features");
    const double samples = net.context().samples;
    if (sizes.flag("features_on_host")) {
        constexpr double sector = 32;
        Operator& far = net.add_operator(host_rows, Role::embedding, OperatorClass::embedding);
        far.forward_traffic =
            Bytes::of_base(samples * nodes.back() * (features * net.context().bytes + sector));
        far.backward_kernels = 0;
    } else {
        Operator& op =
            net.add_operator("gather features", Role::embedding, OperatorClass::embedding);
        op.forward_traffic =
            Bytes::of_base(2 * nodes.back() * features * net.context().bytes * samples);
        op.backward_kernels = 0;
    }
    Map x = net.input(features, 1, nodes.back());
    for (std::size_t layer = 0; layer < fans.size(); ++layer) {
        net.block("graph layer");
        const bool last = layer + 1 == fans.size();
        if (means) {
            const double width = last ? labels : hidden;
            x = mean_layer(net, x, width, nodes[fans.size() - 1 - layer], last);
        } else {
            reached = std::max(1.0, x.width / (fans[fans.size() - 1 - layer] + 1));
            x = attention_layer(net, x, hidden, reached);
        }
    }
    if (!means) {
        net.block("classifier");
        net.linear(x, labels);
    }
    return program_of_one(net, input.training());
}

}  // namespace

ProgramLister recommender_program(std::string_view type) {
    if (type == "recommender") {
        return list_ranking;
    }
    if (type == "hash_embedding_kernel") {
        return list_hash_table;
    }
    return type == "gnn" ? list_sampled_graph : nullptr;
}

}  // namespace ridgeline
