// Rules of products of matrices.
#include "data/onnx/rules.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

namespace ridgeline::onnx {
namespace {

/// transA and transB, of Gemm and of fused products.
void transpose_where_stated(const Node& node, std::vector<double>& a, std::vector<double>& b) {
    for (const auto& [attribute, sides] : {std::pair("transA", &a), std::pair("transB", &b)}) {
        if (node.number(attribute, 0) != 0 && sides->size() > 1) {
            std::swap(sides->back(), (*sides)[sides->size() - 2]);
        }
    }
}

/// Length of each letter of an equation.
using LetterSides = std::array<double, 128>;

/// "ij,jk": the letters of each input, which get its sides; false where the input has others.
bool read_terms(Call& call, const std::string& text, LetterSides& side,
                std::vector<std::string>& terms) {
    terms.emplace_back();
    std::size_t at = 0;
    for (const char c : text) {
        if (c == ',') {
            at = 0;
            terms.emplace_back();
            continue;
        }
        const auto& sides = call.sides(terms.size() - 1);
        if (at >= sides.size() || static_cast<unsigned char>(c) >= side.size()) {
            return false;
        }
        terms.back() += c;
        side[static_cast<unsigned char>(c)] = sides[at++];
    }
    return true;
}

/// One weight for all: its products are one with more rows.
void join_products(const std::vector<double>& weight, GraphNode& made) {
    double matrices = 1;
    for (std::size_t i = 0; i + 2 < weight.size(); ++i) {
        matrices *= weight[i];
    }
    if (matrices == 1) {
        made.m *= made.count;
        made.count = 1;
    }
}

}  // namespace

void rule_matrix_product(Call& call) {
    const bool linear = call.node.type == "QLinearMatMul";
    std::vector<double> a = call.sides(0);
    std::vector<double> b = call.sides(linear ? 3 : 1);
    if (!call.problem.empty()) {
        return;
    }
    if (a.empty() || b.empty()) {
        call.fail("multiplies a single number");
        return;
    }
    transpose_where_stated(call.node, a, b);
    const bool row = a.size() == 1;
    const bool column = b.size() == 1;
    if (row) {
        a.insert(a.begin(), 1);
    }
    if (column) {
        b.push_back(1);
    }
    GraphNode& made = call.made;
    made.m = a[a.size() - 2];
    made.k = a.back();
    made.n = b.back();
    if (b[b.size() - 2] != made.k) {
        call.fail(
            fmt::format("multiplies rows of {:.0f} by columns of {:.0f}", made.k, b[b.size() - 2]));
        return;
    }
    std::vector<double> out = broadcast(call, {a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
    for (const double side : out) {
        made.count *= side;
    }
    join_products(b, made);
    if (!row) {
        out.push_back(a[a.size() - 2]);
    }
    if (!column) {
        out.push_back(made.n);
    }
    call.give(std::move(out));
}

void rule_gemm(Call& call) {
    std::vector<double> a = call.sides(0);
    std::vector<double> b = call.sides(1);
    if (!call.problem.empty()) {
        return;
    }
    if (a.size() != 2 || b.size() != 2) {
        call.fail(fmt::format("multiplies tensors of {} and {} sides, expected 2 and 2", a.size(),
                              b.size()));
        return;
    }
    transpose_where_stated(call.node, a, b);
    if (a[1] != b[0]) {
        call.fail(fmt::format("multiplies rows of {:.0f} by columns of {:.0f}", a[1], b[0]));
        return;
    }
    call.made.m = a[0];
    call.made.k = a[1];
    call.made.n = b[1];
    call.give({a[0], b[1]});
}

/// Weights in blocks of 4 or 8 bits, of sizes that attributes state (com.microsoft).
void rule_quantized_product(Call& call) {
    std::vector<double> sides = call.sides(0);
    GraphNode& made = call.made;
    made.k = call.node.number("K", 0);
    made.n = call.node.number("N", 0);
    if (call.problem.empty() && (sides.empty() || sides.back() != made.k || !(made.n >= 1))) {
        call.fail(fmt::format("states a weight of {:.0f} x {:.0f}", made.k, made.n));
    }
    if (!call.problem.empty()) {
        return;
    }
    sides.back() = made.n;
    call.give(std::move(sides));
    made.m = call.out[0].elements() / made.n;
}

void rule_einsum(Call& call) {
    const Attribute* equation = call.node.attribute("equation");
    std::string text = equation != nullptr ? equation->s : std::string();
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    if (arrow == std::string::npos || text.find('.') != std::string::npos) {
        call.fail(fmt::format("has an equation \"{}\" that is not read", text));
        return;
    }
    LetterSides side{};
    std::vector<std::string> terms;
    if (!read_terms(call, text.substr(0, arrow), side, terms)) {
        call.fail(fmt::format("has an equation \"{}\" for other sides", text));
        return;
    }
    const std::string result = text.substr(arrow + 2);
    std::vector<double> out;
    GraphNode& made = call.made;
    made.m = made.n = made.k = 1;
    for (const char c : result) {
        out.push_back(side[static_cast<unsigned char>(c) % side.size()]);
        const bool first = terms[0].find(c) != std::string::npos;
        const bool second = terms.size() > 1 && terms[1].find(c) != std::string::npos;
        (first && second ? made.count : first ? made.m : made.n) *= out.back();
    }
    for (const char c : terms[0]) {
        if (result.find(c) == std::string::npos) {
            made.k *= side[static_cast<unsigned char>(c)];
        }
    }
    call.give(std::move(out));
}

}  // namespace ridgeline::onnx
