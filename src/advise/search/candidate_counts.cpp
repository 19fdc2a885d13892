#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/ownership.h"
#include "advise/search/search.h"
#include "advise/search/time_limits.h"
#include "advise/stacks/usual.h"

#include <algorithm>

// How many of a part are tried, and the least memory that each of them needs.

namespace ridgeline {

int stated_ranks(const WorkloadDocument& document) {
    if (document.task != Task::train || !document.data) {
        return 0;
    }
    return *document.data * document.tensor.value_or(1) * document.pipeline.value_or(1) *
           document.context.value_or(1);
}

namespace {

constexpr int usual_most = 64;
constexpr int full_training_most = 1024;
constexpr int pretraining_most = 16384;
// A well-run H100 sustains about this much, for the size of cluster worth looking at.
constexpr double sustained_flops = 4e14;

// Eight times what the run needs of current accelerators to meet its deadline, or to end within the
// longest run that is recommended; where no length is known, what holds the states of the largest
// models.
int largest_cluster(const Search& search) {
    const WorkloadDocument& document = search.document;
    if (document.task != Task::train || document.method != Method::full) {
        return usual_most;
    }
    if (!document.duration_tokens) {
        return full_training_most;
    }
    const double work = 3 * search.flops_per_token * *document.duration_tokens;
    const double within = search.query.deadline_s.value_or(longest_recommended_run / second);
    const double needed = 8 * work / (within * sustained_flops);
    const int least = search.query.deadline_s ? usual_most : full_training_most;
    return static_cast<int>(std::clamp(needed, 1.0 * least, 1.0 * pretraining_most));
}

/// Whether the usual stack gives each card some of the layers, so that any number of cards serves.
/// Asked of parts that are named, or told by their memory: over the whole catalog powers of two say
/// as much.
bool parts_layers(const Search& search, const Accelerator& accelerator) {
    const Query& query = search.query;
    const bool told = !query.accelerators.empty() || query.memory_per_accelerator_gib;
    if (search.document.task != Task::inference || !told || search.architecture.stacks.empty() ||
        search.document.tensor) {
        return false;
    }
    const auto usual = software_for(search, accelerator, 2);
    return !usual.empty() && std::ranges::all_of(usual, [](const SoftwareProfile* profile) {
        return profile != nullptr && profile->support.pipeline && !profile->support.tensor;
    });
}

/// Modules that the sum of a run buys in whole servers, where a fabric joins them; 0: not even two
/// servers, or no such sum.
int bought_in_servers(const Search& search, const Accelerator& accelerator) {
    const Query& query = search.query;
    if (search.document.task != Task::train || !query.buy || !query.budget_usd ||
        !is_module(accelerator)) {
        return 0;
    }
    const Catalog& catalog = search.knowledge.catalog;
    const int node = std::max(1, make_cluster(catalog, accelerator, cards_of_a_server).per_node);
    const auto two = capex_usd(make_cluster(catalog, accelerator, 2 * node), catalog);
    const double servers = two ? *query.budget_usd / (*two / 2) : 0;
    return servers < 2
               ? 0
               : node * static_cast<int>(std::min<double>(servers, pretraining_most / node));
}

/// Whether a load is parted over copies of the model, which need no link between their cards:
/// requests a second, or so many users at once that each must keep a rate or a time, on parts that
/// are named.
bool runs_copies(const Search& search) {
    const Query& query = search.query;
    if (search.document.task != Task::inference) {
        return false;
    }
    const double at_once = search.document.serving ? search.document.serving->concurrency : 1;
    const bool kept = query.ttft_s || query.tpot_s;
    return query.requests_per_s ||
           (kept && at_once > cards_of_a_server && !query.accelerators.empty());
}

/// In powers of two, or each, from one on.
std::vector<int> open_counts(const Search& search, const Accelerator& accelerator) {
    const Query& query = search.query;
    const bool limited = query.min_accelerators || query.max_accelerators;
    const int ranks = stated_ranks(search.document);
    if (ranks > 0 && ranks <= query.max_accelerators.value_or(ranks)) {
        return {ranks};
    }
    if (query.owned && !limited) {
        return {1};  // one card that somebody owns stays one
    }
    // A computer has one chip; nobody who did not ask for it joins several to run one model.
    if (is_one_computer(accelerator) && !limited && !query.requests_per_s) {
        return {1};
    }
    const bool copies = runs_copies(search);
    // Instances of one module are not put together to a machine that nobody asked for; copies of a
    // model may stand on each.
    if (stands_alone(accelerator) && query.accelerators.empty() && !copies &&
        !query.min_accelerators) {
        return {1};
    }
    int most = largest_cluster(search);
    if (!is_module(accelerator) && !copies) {
        // Cards beyond one server are joined by Ethernet: of the plans only copies survive that.
        most = query.buy && stands_at_a_desk(accelerator) ? cards_of_a_desk : cards_of_a_server;
    }
    const int bought = bought_in_servers(search, accelerator);
    most = bought > 0 ? bought : most;
    most = query.max_accelerators ? std::min(most, *query.max_accelerators) : most;
    std::vector<int> counts;
    const bool servers = copies || bought > 0;
    const bool any_number = !is_module(accelerator) && !copies && parts_layers(search, accelerator);
    for (int count = 1; count <= most;
         count = any_number && count < cards_of_a_server ? count + 1 : 2 * count) {
        counts.push_back(count);
        // Copies are added server by server, and a sum buys them so: three are as good as two or
        // four.
        if (servers && count >= (copies ? 4 : 16) && count + count / 2 <= most) {
            counts.push_back(count + count / 2);
        }
    }
    if (bought > 0 && bought <= most && std::ranges::find(counts, bought) == counts.end()) {
        counts.push_back(bought);
        std::ranges::sort(counts);
    }
    return counts;
}

}  // namespace

std::vector<int> counts_for(const Search& search, const Accelerator& accelerator) {
    const Query& query = search.query;
    if (query.exact_accelerators) {
        return {*query.exact_accelerators};
    }
    std::vector<int> counts = open_counts(search, accelerator);
    if (const int least = query.min_accelerators.value_or(1); least > 1) {
        const bool reaches = !counts.empty() && counts.back() >= least;
        std::erase_if(counts, [least](int count) { return count < least; });
        if (reaches && counts.front() != least) {
            counts.insert(counts.begin(), least);
        }
    }
    if (query.nodes == 1) {
        std::erase_if(counts, [&](int count) {
            return make_cluster(search.knowledge.catalog, accelerator, count).nodes() > 1;
        });
    }
    return counts;
}

Bytes least_resident(const Search& search, const Workload& workload, int count) {
    double bytes = bytes_per_element(workload.weights);
    const bool four_bits = workload.task == Task::train && workload.method == Method::qlora;
    if (workload.quantization.any() || four_bits) {
        // No known format is smaller than two bits a weight.
        bytes = four_bits && !workload.quantization.any() ? 0.5 : 0.25;
    } else if (workload.task == Task::train && workload.method == Method::full) {
        // States that wait on the host take their gradients there.
        const bool offloaded = workload.plan.offload_optimizer != OffloadTarget::none;
        bytes +=
            workload.optimizer_in_backward || offloaded ? 0 : bytes_per_element(workload.gradients);
        bytes += workload.master_weights && !offloaded ? 4 : 0;
        const bool two = workload.optimizer == "adamw" || workload.optimizer == "adam";
        bytes += two && !offloaded ? 2 * bytes_per_element(workload.optimizer_state) : 0;
    }
    if (workload.plan.offload_parameters != OffloadTarget::none) {
        bytes = 0;
    }
    return Bytes::of_base(search.parameters * bytes / std::max(1, count));
}

std::vector<const SoftwareProfile*> software_for(const Search& search, const Accelerator& part,
                                                 int count) {
    return usual_software(search.knowledge.profiles, search.document, search.architecture, part,
                          count);
}

}  // namespace ridgeline
