#include "advise/hardware/fabric.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Networks between nodes: "400G InfiniBand", "4x HDR per node", "100gbe", "RoCE", "EFA". Read
// before hardware, whose memory "400G" would be.

namespace ridgeline::reading {
namespace {

/// A family of networks by its words, and the start of its ids in the catalog's links.
struct Family {
    std::string_view word;
    std::string_view ids;  ///< "eth-" with a rate behind it, or one whole id
    int gigabits = 0;      ///< of one port, where the word tells or where nobody said
};
// clang-format off
constexpr Family families[] = {
    {"infiniband", infiniband_of_slot}, {"ib", infiniband_of_slot},
    {"edr", "ib-", 100},       {"hdr", "ib-", 200},       {"ndr", "ib-", 400},     {"xdr", "ib-", 800},
    {"hdr100", "ib-", 100},    {"hdr200", "ib-", 200},    {"ndr200", "ib-", 200},  {"ndr400", "ib-", 400},
    {"xdr800", "ib-", 800},    {"roce", "roce-", 400},    {"rocev2", "roce-", 400},
    {"ethernet", "eth-", 100}, {"gbe", "eth-", 100},      {"gige", "eth-", 100},
    {"efa", "efa-v2"},         {"efav1", "efa-v1"},       {"efav2", "efa-v2"},     {"efav3", "efa-v3"},
    {"connectx", "roce-", 200}, {"qsfp", "roce-", 200}, {"qsfp56", "roce-", 200}, {"qsfp28", "roce-", 100},
    {"tcpx", "gcp-tcpx"},      {"tcpxo", "gcp-tcpxo"},    {"slingshot", "slingshot11"},
};
// clang-format on

const Family* family_of(std::string_view word) {
    const auto* found = std::find_if(std::begin(families), std::end(families),
                                     [&](const Family& each) { return each.word == word; });
    return found == std::end(families) ? nullptr : found;
}

/// Gigabits a second at token i, with its tokens: "100gbe", "400g", "400 gb/s", "3.2tbps".
struct Rate {
    double gigabits = 0;
    std::size_t length = 0;
    bool ethernet = false;  ///< its unit is that of Ethernet: "gbe"
};
Rate rate_at(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    std::size_t digits = 0;
    while (digits < word.size() && (is_digit(word[digits]) || word[digits] == '.')) {
        ++digits;
    }
    if (digits == 0 || !sentence.open(i)) {
        return {};
    }
    const bool glued = digits < word.size();
    std::string_view unit = word.substr(digits);
    std::size_t length = 1;
    if (!glued && sentence.follows(i + 1)) {
        unit = sentence.word(i + 1);
        length = 2;
    }
    const bool tera = is_any(unit, "tbps tbit tbits");
    const bool ethernet = is_any(unit, "gbe gige gigabit");
    if (!tera && !ethernet && !is_any(unit, "g gb gbps gbit gbits gigabits")) {
        return {};
    }
    if (sentence.follows(i + length) && is_any(sentence.word(i + length), "s sec second") &&
        sentence.tokens[i + length].gap == Gap::slash) {
        ++length;
    }
    const double value = number_with_suffix(word.substr(0, digits)).value_or(0);
    return {value * (tera ? 1000 : 1), length, ethernet};
}

/// What is told of a network around its word.
struct Told {
    const Family* family = nullptr;
    Rate rate;
    int ports = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// "4x", "8 x", "dual" right before token `at`: so many ports.
void look_back_for_ports(const Sentence& sentence, Told& told) {
    if (told.begin == 0 || !sentence.open(told.begin - 1) || !sentence.follows(told.begin)) {
        return;
    }
    const std::string_view before = sentence.word(told.begin - 1);
    const bool sign = before == "x" && told.begin > 1 && sentence.follows(told.begin - 1);
    const std::string_view count = sign ? sentence.word(told.begin - 2) : before;
    const bool glued = !sign && count.size() > 1 && count.back() == 'x';
    const std::string_view digits = glued ? count.substr(0, count.size() - 1) : count;
    constexpr double most_ports = 64;
    if (before == "dual") {
        told.ports = 2;
        --told.begin;
    } else if ((sign || glued) && all_digits(digits) &&
               number_with_suffix(digits).value_or(0) <= most_ports) {
        told.ports = static_cast<int>(number_with_suffix(digits).value_or(0));
        told.begin -= sign ? 2 : 1;
    }
}

/// "ib-ndr x8": the ports behind the name, where nothing follows that they could count.
void look_ahead_for_ports(const Sentence& sentence, Told& told) {
    std::string_view digits = sentence.follows(told.end) ? sentence.word(told.end) : "";
    std::size_t length = 1;
    if (digits == "x" && sentence.follows(told.end + 1)) {
        digits = sentence.word(told.end + 1);
        length = 2;
    } else if (digits.starts_with('x')) {
        digits.remove_prefix(1);
    } else {
        return;
    }
    const std::size_t behind = told.end + length;
    const bool ends = !sentence.follows(behind) ||
                      is_any(sentence.word(behind), "and or vs versus for per on compared against");
    if (told.ports == 0 && ends && all_digits(digits) && digits.size() <= 2) {
        told.ports = static_cast<int>(number_with_suffix(digits).value_or(0));
        told.end = behind;
    }
}

Told network_at(const Sentence& sentence, std::size_t i) {
    Told told{.family = family_of(sentence.word(i)), .rate = {}, .begin = i, .end = i + 1};
    if (const Rate own = rate_at(sentence, i); own.ethernet) {
        told.family = family_of("ethernet");
        told.rate = own;
        told.end = i + own.length;
        if (sentence.follows(told.end)) {
            if (const Family* next = family_of(sentence.word(told.end))) {
                told.family = next;  // "100gbe roce"
                ++told.end;
            }
        }
    } else if (told.family != nullptr) {
        for (std::size_t back = 1;
             back <= 3 && back <= i && sentence.follows(i) && told.rate.length == 0; ++back) {
            const Rate before = rate_at(sentence, i - back);
            if (before.length == back) {
                told.rate = before;
                told.begin = i - back;
            }
        }
        if (sentence.follows(i + 1)) {
            if (const Family* next = family_of(sentence.word(i + 1));
                next != nullptr && sentence.open(i + 1)) {
                told.family = told.family->gigabits == 0 || next->gigabits == 0
                                  ? (next->gigabits > 0 ? next : told.family)
                                  : told.family;
                ++told.end;  // "infiniband ndr", "ndr infiniband"
            }
        }
        if (const Rate behind = rate_at(sentence, told.end);
            told.rate.length == 0 && behind.length > 0 && sentence.follows(told.end)) {
            told.rate = behind;
            told.end += behind.length;
        }
    }
    // "ib" alone may be anything.
    const bool vague =
        told.family != nullptr && told.family->word == "ib" && told.rate.length == 0 &&
        !(i > 0 && is_any(sentence.word(i - 1), "with over on no without vs or via"));
    if (told.family == nullptr || vague) {
        return {};
    }
    look_back_for_ports(sentence, told);
    look_ahead_for_ports(sentence, told);
    return told;
}

/// The nearest rate that a port of the family has: 100, 200, 400 or 800 Gb/s; Ethernet goes down
/// to 1.
int port_rate(const Family& family, double gigabits) {
    constexpr int rates[] = {1, 10, 25, 40, 50, 100, 200, 400, 800};
    const bool ethernet = family.ids == "eth-";
    int nearest = 0;
    for (const int rate : rates) {
        const bool sold = ethernet || rate >= 100;
        if (sold && (nearest == 0 || std::abs(rate - gigabits) < std::abs(nearest - gigabits))) {
            nearest = rate;
        }
    }
    return nearest;
}

/// "ib-ndr", "eth-25", "roce-400:8", as --network takes it.
std::string network_named(const Told& told) {
    const Family& family = *told.family;
    const bool rated = family.ids.ends_with('-');
    const double gigabits = told.rate.gigabits > 0 ? told.rate.gigabits : family.gigabits;
    std::string id(family.ids);
    if ((rated || family.ids == infiniband_of_slot) && gigabits > 0) {
        const int rate = port_rate(family, gigabits);
        const bool infiniband = !rated || family.ids == "ib-";
        if (infiniband) {
            id = infiniband_generations[rate >= 800 ? 3 : rate >= 400 ? 2 : rate >= 200 ? 1 : 0];
        } else if (family.ids == "eth-" && rate >= 400) {
            id = fmt::format("roce-{}", rate);  // nobody sells such ports without it
        } else {
            id = fmt::format("{}{}", family.ids, rate);
        }
    }
    return told.ports > 0 ? fmt::format("{}:{}", id, told.ports) : id;
}

/// "2x 400G infiniband vs 8x 400G": ports of a rate without their noun, beside a network that has
/// it, are of the same kind.
void recognise_bare_ports(Sentence& sentence, const Family& family) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        Told told{.family = &family, .rate = rate_at(sentence, i), .begin = i, .end = i + 1};
        const double rate = told.rate.gigabits;
        if (rate != 100 && rate != 200 && rate != 400 && rate != 800) {
            continue;
        }
        look_back_for_ports(sentence, told);
        if (told.ports == 0) {
            continue;
        }
        told.end = i + told.rate.length;
        sentence.claim(told.begin, told.end - told.begin);
        const auto behind = std::ranges::find_if(
            sentence.networks, [&](const auto& each) { return each.second > told.begin; });
        sentence.networks.insert(behind, {network_named(told), told.begin});
        i = told.end - 1;
    }
}

}  // namespace

void recognise_networks(Sentence& sentence) {
    const Family* family = nullptr;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const Told told = sentence.open(i) ? network_at(sentence, i) : Told{};
        if (told.family == nullptr) {
            continue;
        }
        const bool none = told.begin > 0 && is_any(sentence.word(told.begin - 1), "no without") &&
                          told.family->ids == infiniband_of_slot;
        std::string name = none ? std::string("eth-100") : network_named(told);
        std::size_t end = told.end;
        end += sentence.word(end - 1) == "connectx" && sentence.open(end) &&
                       all_digits(sentence.word(end))
                   ? 1
                   : 0;  // "connectx-7"
        while (sentence.open(end) && sentence.follows(end) &&
               is_any(sentence.word(end),
                      "fabric network networking interconnect nic nics link links port ports rails "
                      "switch switches cables "
                      "only")) {
            ++end;
        }
        sentence.claim(told.begin - (none ? 1 : 0), end - told.begin + (none ? 1 : 0));
        if (none) {
            sentence.assume("network", name, "without InfiniBand a node has a port of Ethernet");
        } else if (told.ports == 0 && name.starts_with("eth-")) {
            sentence.assume("network", name, "one port a node; say \"4x\" before it for more");
        }
        sentence.networks.emplace_back(std::move(name), told.begin);
        family = told.family;
        i = end - 1;
    }
    if (family != nullptr) {
        recognise_bare_ports(sentence, *family);
    }
    if (!sentence.networks.empty()) {
        sentence.reading.network = sentence.networks.front().first;
    }
}

}  // namespace ridgeline::reading
