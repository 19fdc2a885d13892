#include "advise/purchase/budget.h"

#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/purchase/wanted.h"
#include "advise/search/search.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace ridgeline {
namespace {

constexpr std::size_t purchases_shown = 6;
constexpr std::size_t purchases_tried = 12;
constexpr double large_budget_usd = 20000;
constexpr double worth_mentioning = 0.1;  // of the budget, left after buying

/// The machine of the catalog that holds eight (or a rack) of a part, for its power; null: none.
const Machine* machine_of(const Catalog& catalog, const Accelerator& part, int count) {
    for (const Machine& machine : catalog.machines) {
        if (machine.accelerator == part.id && machine.accelerators == count && machine.power) {
            return &machine;
        }
    }
    return nullptr;
}

Cluster cluster_of(const Catalog& catalog, const Accelerator& part, int count) {
    const Cluster usual = make_cluster(catalog, part, count);
    return make_cluster(catalog, part, count, usual.per_node,
                        machine_of(catalog, part, usual.per_node));
}

/// How many the money buys in whole machines: modules by eights (or racks), cards as many as a
/// computer holds.
int affordable(const Query& query, const Catalog& catalog, const Accelerator& part, double usd,
               double& price) {
    const auto usual = purchase_price(catalog, part);
    const auto asked = purchase_price(catalog, part, used_wanted(query));
    const double apart = usual && asked ? asked->usd_each - usual->usd_each
                                        : 0;  // of a used one, where a new one is listed too
    const auto of = [&](int count) {
        return capex_usd(cluster_of(catalog, part, count), catalog).value_or(usd * 2) +
               count * apart;
    };
    if (!is_module(part)) {
        const int most = is_one_computer(part) ? 1
                         : usd <= most_at_home_usd && query.objective != Objective::memory
                             ? cards_of_a_computer
                             : cards_of_a_desk;
        int count = std::min(
            {most, query.max_accelerators.value_or(most), query.exact_accelerators.value_or(most)});
        while (count > 0 && of(count) > usd) {
            --count;
        }
        price = count > 0 ? of(count) : 0;
        return count;
    }
    const int node = std::max(1, make_cluster(catalog, part, cards_of_a_server).per_node);
    const double first = of(node);
    if (first > usd) {
        return 0;
    }
    // From two machines on, each costs the same: a fabric joins them.
    const double each = of(2 * node) / 2;
    const int machines = std::max(1, static_cast<int>(std::min(1e4, usd / each)));
    price = machines == 1 ? first : each * machines;
    return machines * node;
}

void judge(Purchasable& bought, const Catalog& catalog, const Query& query) {
    const auto owned = own(bought.cluster, catalog, {}, query);
    if (!owned) {
        return;
    }
    bought.kw = owned->power.it_kw;
    for (const UsedFigure& figure : owned->figures) {
        if (figure.id == "price_usd") {
            bought.date = figure.date;
        }
    }
    for (const RentedInstead& rented : owned->rented) {
        // Spot is no substitute for a machine of one's own.
        if (rented.offer->kind != PriceKind::spot && rented.break_even &&
            (!bought.usd_per_accelerator_hour ||
             rented.usd_per_accelerator_hour < *bought.usd_per_accelerator_hour)) {
            bought.usd_per_accelerator_hour = rented.usd_per_accelerator_hour;
            bought.break_even = rented.break_even;
        }
    }
}

/// Sold today, as far as the catalog knows.
bool sold(const Query& query, const Catalog& catalog, const Accelerator& part) {
    const auto price = purchase_price(catalog, part, used_wanted(query));
    return price && price->current;
}

/// Where nothing with a price of today is within the sum: what had been, the newest price of it.
void find_old_price(const Query& query, const Knowledge& knowledge, BudgetAnswer& answer) {
    for (const Accelerator& part : knowledge.catalog.accelerators) {
        const auto price = purchase_price(knowledge.catalog, part, used_wanted(query));
        const bool listed = price && wanted(query, knowledge.profiles, part) &&
                            price->usd_each <= answer.usd &&
                            (!answer.price_before || price->date > answer.price_before->date);
        if (listed) {
            answer.sold_before = &part;
            answer.price_before = price;
        }
    }
}

double gib_of(const Cluster& cluster) {
    return cluster.count * (cluster.accelerator->capacity() / gibibyte);
}

/// Cards for a desk, then whole computers, then what needs a server's fans.
int kind_of(const Purchasable& bought) {
    const Accelerator& part = *bought.cluster.accelerator;
    return is_one_computer(part) ? 1 : stands_at_a_desk(part) ? 0 : 2;
}

/// The most memory of each kind, then the least money.
auto by_most_memory(const Purchasable& bought) {
    return std::tuple(kind_of(bought), -gib_of(bought.cluster), bought.usd);
}

/// Of a list in that order the first few, so that each kind is there and what most stacks want.
void keep_each_kind(std::vector<Purchasable>& list) {
    constexpr int cards_shown = 3;
    std::array<int, 3> kept{};
    bool usual = false;
    std::erase_if(list, [&](const Purchasable& each) {
        const int kind = kind_of(each);
        const bool first = is_usual_for_stacks(each) && !usual;
        usual = usual || first;
        return ++kept[static_cast<std::size_t>(kind)] > (kind == 0 ? cards_shown : 1) && !first;
    });
}

std::vector<Purchasable> bought_for(const Query& query, const Knowledge& knowledge, double usd) {
    const Catalog& catalog = knowledge.catalog;
    std::vector<Purchasable> list;
    for (const Accelerator& part : catalog.accelerators) {
        if (!wanted(query, knowledge.profiles, part) || !sold(query, catalog, part)) {
            continue;
        }
        Purchasable bought;
        int count = affordable(query, catalog, part, usd, bought.usd);
        const auto alone = purchase_price(catalog, part, used_wanted(query));
        if (count == 0 && is_consumer(part) && alone->usd_each <= usd) {
            count = 1;
            bought.usd = alone->usd_each;
            bought.bare = true;
        }
        if (count == 0) {
            continue;
        }
        bought.cluster = cluster_of(catalog, part, count);
        bought.tflops = dense_tflops(query, knowledge.profiles, part) * count;
        list.push_back(std::move(bought));
    }
    stable_order(list.begin(), list.end(), [&](const Purchasable& a, const Purchasable& b) {
        return by_memory(query) ? by_most_memory(a) < by_most_memory(b) : a.tflops > b.tflops;
    });
    return list;
}

/// The same of one count instead of a sum: current parts of data centres.
std::vector<Purchasable> bought_by_count(const Query& query, const Knowledge& knowledge,
                                         int count) {
    const Catalog& catalog = knowledge.catalog;
    std::vector<Purchasable> list;
    for (const Accelerator& part : catalog.accelerators) {
        if (!wanted(query, knowledge.profiles, part) || !sold(query, catalog, part) ||
            (count > cards_of_a_desk && !is_module(part))) {
            continue;
        }
        Purchasable bought;
        bought.cluster = cluster_of(catalog, part, count);
        const auto usd = capex_usd(bought.cluster, catalog);
        if (!usd) {
            continue;
        }
        bought.usd = *usd;
        // Who has cards at home has the computer that they are in.
        if (is_home(part) && count <= cards_of_a_desk) {
            bought.usd = count * purchase_price(catalog, part, used_wanted(query))->usd_each;
        }
        bought.tflops = dense_tflops(query, knowledge.profiles, part) * count;
        list.push_back(std::move(bought));
    }
    stable_order(list.begin(), list.end(),
                 [](const Purchasable& a, const Purchasable& b) { return a.tflops > b.tflops; });
    return list;
}

/// What the money rents of `count` accelerators at once: most work first.
std::vector<Rentable> rented_for(const Query& query, const Knowledge& knowledge, double usd,
                                 int count) {
    const Catalog& catalog = knowledge.catalog;
    std::vector<Rentable> list;
    for (const Accelerator& part : catalog.accelerators) {
        if (!wanted(query, knowledge.profiles, part) ||
            (count > cards_of_a_desk && !is_module(part))) {
            continue;
        }
        const Offer* offer = cheapest_offer(catalog, query, part, count,
                                            make_cluster(catalog, part, count).per_node);
        const int per_node = make_cluster(catalog, part, count).per_node;
        if (offer == nullptr ||
            !unobtainable(catalog, query, part, count, per_node, true).empty()) {
            continue;
        }
        Rentable rented;
        rented.offer = offer;
        rented.part = &part;
        rented.instances = (count + offer->count - 1) / offer->count;
        rented.hours = usd / (offer->usd_per_hour * rented.instances);
        rented.tflops =
            rented.instances * offer->count * dense_tflops(query, knowledge.profiles, part);
        rented.pflop_hours = rented.hours * rented.tflops / 1000;
        list.push_back(rented);
    }
    stable_order(list.begin(), list.end(), [&](const Rentable& a, const Rentable& b) {
        const auto gib = [&](const Rentable& each) {
            const Accelerator* part = catalog.accelerator(each.offer->accelerator);
            return by_memory(query) && each.hours >= hours_of_a_month
                       ? part->marketed_gb * each.offer->count * each.instances
                       : 0;
        };
        return std::pair(gib(a), a.pflop_hours) > std::pair(gib(b), b.pflop_hours);
    });
    list.resize(std::min(list.size(), rentals_shown));
    return list;
}

/// What the money rents for a whole month, the most memory first: machines of every number.
std::vector<Rentable> most_memory_for_a_month(const Query& query, const Knowledge& knowledge,
                                              double usd) {
    std::vector<Rentable> all;
    for (int count = 1; count <= cards_of_a_server; ++count) {
        for (const Rentable& each : rented_for(query, knowledge, usd, count)) {
            if (each.hours >= hours_of_a_month) {
                all.push_back(each);
            }
        }
    }
    stable_order(all.begin(), all.end(), [](const Rentable& a, const Rentable& b) {
        const auto gib = [](const Rentable& each) {
            return each.instances * each.offer->count * (each.part->capacity() / gibibyte);
        };
        return std::pair(-gib(a), -a.hours) < std::pair(-gib(b), -b.hours);
    });
    const auto same = [](const Rentable& a, const Rentable& b) {
        return a.offer == b.offer && a.instances == b.instances;
    };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    all.resize(std::min(all.size(), rentals_shown));
    return all;
}

constexpr int most_of_a_replica = 64;  // accelerators that share one copy of a served model
constexpr std::string_view served_at_home = "serving in 4 bits";
constexpr std::string_view served_whole = "serving in 16 bits";
constexpr std::string_view served_by_servers = "serving";

Query work_of(std::string_view work) {
    Query query;
    query.all = true;  // the hardware is chosen already
    if (work.starts_with("serving")) {
        const bool home = work == served_at_home;
        query.workload.task = Task::inference;
        query.workload.serving = Serving{};
        query.workload.serving->concurrency = home || work == served_whole ? 1 : 8;
        if (home) {
            query.workload.quantization = "q4_k_m";
        }
        return query;
    }
    query.workload.task = Task::train;
    query.workload.method = work == "QLoRA"  ? Method::qlora
                            : work == "LoRA" ? Method::lora
                                             : Method::full;
    query.workload.has_lora = work != "full training";
    return query;
}

/// The largest size that runs in each way; sizes are tried from the largest down.
std::vector<Capability> capabilities(const Cluster& cluster, const Knowledge& knowledge,
                                     std::span<const SizedModel> sizes) {
    std::vector<Capability> list;
    // What thousands hold, hundreds hold too: a larger search would only take longer.
    const int count = std::min(cluster.count, 512);
    // Few cards serve one, from files of 4-bit weights or whole.
    std::vector<std::string> works{"QLoRA", "LoRA", "full training"};
    const auto serving = count <= cards_of_a_desk ? std::vector{served_at_home, served_whole}
                                                  : std::vector{served_by_servers};
    works.insert(works.begin(), serving.begin(), serving.end());
    for (const std::string& work : works) {
        const bool serves = work.starts_with("serving");
        Capability capability{.work = work, .model = {}, .tokens_per_s = 0};
        std::vector<int> counts = {count};
        if (serves || work == "QLoRA") {
            counts = {std::min(count, cards_of_a_server)};
        }
        for (int servers = 2 * cards_of_a_server;
             serves && servers <= std::min(count, most_of_a_replica); servers *= 2) {
            counts.push_back(servers);
        }
        const Query query = work_of(work);
        for (std::size_t i = sizes.size(); i-- > 0 && capability.model.empty();) {
            const Search search = make_search(query, sizes[i].architecture, knowledge);
            const Candidate candidate{cluster.accelerator, *search.models};
            for (const int on : counts) {
                const Trial trial = best_on(search, candidate, on);
                const auto* option = std::get_if<Option>(&trial.outcome);
                if (option != nullptr && capability.model.empty()) {
                    capability.model = sizes[i].name;
                    capability.tokens_per_s = option->estimate.time.tokens_per_second;
                }
            }
        }
        list.push_back(std::move(capability));
    }
    return list;
}

std::size_t rank_of(const std::vector<Capability>& can, std::span<const SizedModel> sizes) {
    std::size_t sum = 0;
    for (const Capability& each : can) {
        // A server's serving stands beside the two kinds of a desk's.
        const std::size_t kinds = each.work == served_by_servers ? 2 : 1;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            sum += sizes[i].name == each.model ? kinds * (i + 1) : 0;
        }
    }
    return sum;
}

/// Cards in one computer; modules count as one, for they come in whole machines.
int cards_of(const Purchasable& bought) {
    return is_module(*bought.cluster.accelerator) ? 1 : bought.cluster.count;
}

void recommend_renting(BudgetAnswer& answer, std::string reason) {
    answer.recommendation = "rent";
    answer.why.push_back(std::move(reason));
}

void recommend(BudgetAnswer& answer, const std::vector<Rentable>& nodes) {
    const double use = answer.hours_per_day / 24;
    if (answer.buy.empty()) {
        recommend_renting(answer, "no hardware with a known price is within the sum");
        return;
    }
    const Purchasable& first = answer.buy.front();
    // Units for doubles that can be owned lead, but where the same part is to be had by the hour,
    // which costs less at the use that is assumed.
    const Rentable* hired = answer.rent.empty() ? nullptr : &answer.rent.front();
    const bool has_units = has_feature(*first.cluster.accelerator, "fp64").value_or(false);
    answer.rents_faster = answer.in_doubles && hired != nullptr &&
                          (has_units ? hired->offer->accelerator == first.cluster.accelerator->id
                                     : hired->tflops > first.tflops);
    if (answer.rents_faster) {
        const Rentable& rented = answer.rent.front();
        recommend_renting(answer,
                          fmt::format("{} has {:.3g} TFLOP/s in fp64, all that the sum buys {:.3g}",
                                      rented.offer->accelerator, rented.tflops, first.tflops));
        return;
    }
    if (first.break_even && *first.break_even > use) {
        recommend_renting(
            answer,
            fmt::format("{} pays above {:.0f} % of all hours; {:g} hours a day are {:.0f} %",
                        first.cluster.accelerator->name, *first.break_even * 100,
                        answer.hours_per_day, use * 100));
        if (*first.break_even <= 1) {
            answer.why.push_back(fmt::format("used more than {:.1f} hours a day, buy it instead",
                                             *first.break_even * 24));
        }
        return;
    }
    const double rest = answer.usd - first.usd;
    answer.recommendation = "buy";
    answer.why.push_back(
        first.break_even
            ? fmt::format("it pays above {:.1f} hours a day against the cheapest rent of the same "
                          "part (${:.2f} an hour)",
                          *first.break_even * 24, *first.usd_per_accelerator_hour)
            : std::string("no rent of the same part is listed to compare with"));
    if (answer.count == 0 && rest > worth_mentioning * answer.usd && !nodes.empty()) {
        answer.recommendation = "hybrid";
        Rentable beside = nodes.front();
        beside.hours *= rest / answer.usd;
        beside.pflop_hours *= rest / answer.usd;
        answer.beside = beside;
        answer.why.push_back("what is left rents larger machines for the runs that do not fit");
    }
}

}  // namespace

bool is_usual_for_stacks(const Purchasable& bought) {
    const Accelerator& part = *bought.cluster.accelerator;
    return part.vendor == "NVIDIA" && part.peak(ComputeType::bf16) && stands_at_a_desk(part) &&
           !is_one_computer(part);
}

BudgetAnswer budget_answer(const Query& query, const Knowledge& knowledge,
                           std::span<const SizedModel> sizes) {
    const Catalog& catalog = knowledge.catalog;
    BudgetAnswer answer;
    answer.in_doubles = knowledge.profiles.in_doubles(query.profile);
    if (query.budget_usd) {
        answer.usd = *query.budget_usd;
        answer.buy = bought_for(query, knowledge, answer.usd);
    } else {
        answer.count = query.exact_accelerators.value_or(1);
        answer.hours_per_day = 24;  // whoever runs thousands keeps them busy
        answer.buy = bought_by_count(query, knowledge, answer.count);
        answer.usd = answer.buy.empty() ? 0 : answer.buy.front().usd;
    }
    if (answer.buy.empty()) {
        find_old_price(query, knowledge, answer);
    }
    answer.by_memory = by_memory(query);
    if (answer.by_memory) {
        keep_each_kind(answer.buy);
    }
    answer.buy.resize(std::min(answer.buy.size(), purchases_tried));
    for (Purchasable& bought : answer.buy) {
        bought.can = capabilities(bought.cluster, knowledge, sizes);
        judge(bought, catalog, query);
    }
    stable_order(answer.buy.begin(), answer.buy.end(), [&](const auto& a, const auto& b) {
        if (by_memory(query)) {
            return by_most_memory(a) < by_most_memory(b);
        }
        if (answer.in_doubles) {
            return a.tflops > b.tflops;
        }
        // Of equals the smaller number of cards.
        return std::tuple(rank_of(a.can, sizes), -cards_of(a), a.tflops) >
               std::tuple(rank_of(b.can, sizes), -cards_of(b), b.tflops);
    });
    answer.buy.resize(std::min(answer.buy.size(), purchases_shown));
    // A sum that pays for years of one accelerator is spent on whole nodes.
    const bool large = answer.usd > large_budget_usd;
    const int at_once = answer.count > 0             ? answer.count
                        : query.accelerators.empty() ? (large ? cards_of_a_server : 1)
                                                     : query.exact_accelerators.value_or(1);
    const double rents = answer.usd + query.computer_usd;  // who rents needs no computer
    answer.rent = rented_for(query, knowledge, rents, at_once);
    if (answer.by_memory && query.budget_usd_per_hour && query.accelerators.empty() &&
        !query.exact_accelerators) {
        answer.rent = most_memory_for_a_month(query, knowledge, rents);
    }
    const std::vector<Rentable> nodes = rented_for(query, knowledge, rents, cards_of_a_server);
    if (!nodes.empty()) {
        if (const Accelerator* part = catalog.accelerator(nodes.front().offer->accelerator)) {
            answer.rented_can =
                capabilities(cluster_of(catalog, *part, cards_of_a_server), knowledge, sizes);
        }
    }
    note_oldest_rent(answer, knowledge.today);
    recommend(answer, nodes);
    return answer;
}

}  // namespace ridgeline
