#include "advise/hardware/fabric_words.h"

#include "base/number.h"
#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

bool has(std::string_view text, std::string_view word) {
    return text.find(word) != std::string_view::npos;
}

bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The number just before `position` ("400" before " Gbps"); 0: none.
double number_before(std::string_view text, std::size_t position) {
    std::size_t begin = position;
    while (begin > 0 && text[begin - 1] == ' ') {
        --begin;
    }
    const std::size_t end = begin;
    while (begin > 0 && (digit(text[begin - 1]) || text[begin - 1] == '.')) {
        --begin;
    }
    const auto number = leading_number(text.substr(begin, end - begin));
    return number ? number->value : 0;
}

/// "8x NVIDIA", "4 x 100", "2xBF3": how many; 0: not said.
double ports_of(std::string_view text) {
    for (std::size_t at = text.find('x'); at != std::string_view::npos;
         at = text.find('x', at + 1)) {
        const double ports = number_before(text, at);
        if (ports > 0) {
            return ports;
        }
    }
    return 0;
}

/// Of one port, GB/s; 0: not said. The case of the B tells bits from bytes.
double rate_of(std::string_view text) {
    if (const auto at = text.find("GB/s"); at != std::string_view::npos) {
        return number_before(text, at);
    }
    for (const char* unit : {"Gbps", "Gb/s", "Gb"}) {
        if (const auto at = text.find(unit); at != std::string_view::npos) {
            return number_before(text, at) / 8;
        }
    }
    // The generations of 4x InfiniBand ports, and the first Omni-Path.
    constexpr std::pair<const char*, double> generations[] = {
        {"XDR", 100}, {"NDR", 50}, {"HDR", 25}, {"EDR", 12.5}, {"Omni-Path", 12.5}};
    for (const auto& [word, rate] : generations) {
        if (has(text, word)) {
            return rate;
        }
    }
    return 0;
}

std::string network_of(std::string_view clause, double port) {
    const std::string text = lower(clause);
    if (has(text, "efa")) {
        return "efa";
    }
    if (has(text, "roce") || has(text, "rdma") || has(text, "bf3")) {
        return "roce-400";
    }
    if (has(text, "omni-path")) {
        return "ib-omnipath";
    }
    if (has(text, "infiniband") || has(text, "ndr") || has(text, "hdr") || has(text, "connectx")) {
        return port > 30 ? "ib-ndr" : "ib-hdr";
    }
    return has(text, "per gpu") || has(text, "outside") ? "fabric" : "";
}

std::vector<std::string_view> clauses_of(std::string_view text) {
    std::vector<std::string_view> clauses;
    const auto ends = [&](std::size_t i) {
        const char c = text[i];
        // "Gb/s" and "(p5en, 50 GB/s per GPU)" stay whole.
        const bool spaced = i + 1 < text.size() && text[i + 1] == ' ';
        const auto open = text.substr(0, i).rfind('(');
        const auto shut = text.substr(0, i).rfind(')');
        const bool enclosed =
            open != std::string_view::npos && (shut == std::string_view::npos || shut < open);
        return !enclosed && spaced && (c == ';' || c == ',' || c == '+' || c == '/');
    };
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (ends(i)) {
            clauses.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    clauses.push_back(text.substr(begin));
    return clauses;
}

void read_network(std::string_view clause, FabricWords& words) {
    // "BF3 200Gbps for NS and 2xBF3 400Gbps for EW": east-west traffic is that between nodes.
    if (const auto at = clause.find(" and "); at != std::string_view::npos && has(clause, " EW")) {
        clause = clause.substr(at + 5);
    }
    const double port = rate_of(clause);
    const std::string network = network_of(clause, port);
    if (network.empty()) {
        return;
    }
    const double ports = ports_of(clause);
    const bool each = has(clause, "per GPU");
    const bool counted = each || ports > 0 || has(clause, "per node");
    const double rate = counted ? port * (each ? 1 : std::max(1.0, ports)) : 0;
    if (words.network.empty() || rate > words.gb_per_s) {
        words.network = network;
        words.network_kind = std::string(clause);
        words.gb_per_s = rate;
        words.per_accelerator = each;
    }
}

}  // namespace

FabricWords read_fabric(std::string_view text) {
    FabricWords words;
    for (const std::string_view clause : clauses_of(text)) {
        const std::string small = lower(clause);
        const bool none = has(small, "no nvlink");
        if ((has(small, "nvlink") || has(small, "nvl72") || has(small, "xgmi")) && !none) {
            words.inside = FabricWords::Inside::scale_up;
        } else if (has(small, "pcie") && words.inside == FabricWords::Inside::unsaid) {
            words.inside =
                has(small, "p2p") ? FabricWords::Inside::pcie_peers : FabricWords::Inside::pcie;
        } else if (!has(small, "storage") && !has(small, "management") && !none) {
            read_network(clause, words);
        }
    }
    return words;
}

}  // namespace ridgeline
