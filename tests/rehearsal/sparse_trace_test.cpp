#include "data/load_trace.h"
#include "trace_nodes.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

using namespace ridgeline;
using Json = nlohmann::json;

BOOST_AUTO_TEST_SUITE(sparse_traces)

namespace {

/// The same with an argument that is sparse: torch's observer tells no memory of it.
Json with_sparse(Json node, std::size_t at) {
    node["inputs"]["values"][at] = Json::parse(R"([1, 0, 0, 0, 0, ""])");
    return node;
}

Json values_of(int id, int parent, const char* shapes, const char* entries) {
    return with_sparse(node(id, parent, "aten::_values", shapes, entries), 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_added_to_a_table_touches_the_rows_of_the_entries) {
    // As SparseAdam adds the entries of 512 rows to its state of a million.
    const auto trace = execution_trace(
        trace_of({values_of(3, 2, "[[1000000, 64]]", "[[512, 64]]"),
                  with_sparse(
                      node(2, 0, "aten::add_", "[[1000000, 64], [1000000, 64]]", "[[1000000, 64]]"),
                      1)}),
        "x");
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->operators.size(), 1U);
    BOOST_TEST(trace->operators[0].traffic.base() == 3 * 512 * 64 * 2.0);
    BOOST_TEST((trace->operators[0].operator_class == OperatorClass::embedding));
}

BOOST_AUTO_TEST_CASE(a_product_with_a_sparse_matrix_multiplies_its_entries) {
    // 5,000 edges between 1,000 nodes of 64 features: torch.sparse.mm and what it is made of.
    const auto trace = execution_trace(
        trace_of({values_of(4, 3, "[[1000, 1000]]", "[[5000]]"),
                  with_sparse(node(3, 2, "aten::addmm", "[[1000, 64], [1000, 1000], [1000, 64]]",
                                   "[[1000, 64]]"),
                              1),
                  with_sparse(node(2, 0, "aten::_sparse_addmm",
                                   "[[1000, 64], [1000, 1000], [1000, 64]]", "[[1000, 64]]"),
                              1)}),
        "x");
    BOOST_REQUIRE(trace);
    BOOST_REQUIRE_EQUAL(trace->operators.size(), 1U);
    BOOST_TEST(trace->operators[0].flops.base() == 2 * 5000 * 64.0);
    BOOST_TEST(trace->operators[0].traffic.base() == 2.0 * (5000 + 5000 * 64 + 1000 * 64));
    // Without what the calls within tell, it is a product like others.
    const auto dense = execution_trace(
        trace_of({node(1, 0, "aten::mm", "[[1000, 1000], [1000, 64]]", "[[1000, 64]]")}), "x");
    BOOST_REQUIRE(dense);
    BOOST_TEST(dense->operators[0].flops.base() == 2 * 1000 * 1000 * 64.0);
}

BOOST_AUTO_TEST_SUITE_END()
