#include "advise/plans/plan_search.h"

#include "advise/hardware/cluster.h"
#include "estimate/resolve/resolve.h"
#include "estimate/time/collective.h"
#include "estimate/time/device.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ridgeline;

namespace {

using released::catalog;
using released::profiles;
using released::root;

/// A model cut to a few layers on a small cluster, so that every plan can be estimated.
struct Case {
    std::string name;
    std::string model;
    int layers;
    std::string framework;
    std::string part;
    int count;
    int per_node;
    WorkloadDocument document;
};

struct Setting {
    Architecture architecture;
    Cluster cluster;
    SoftwareProfile software;
    DeviceModel device;
    LinkModel links;
    Workload workload;
    PlanSpace space;

    explicit Setting(const Case& one)
        : architecture(*load_model(root + "/profiles", one.model)),
          cluster(
              make_cluster(catalog(), *catalog().accelerator(one.part), one.count, one.per_node)),
          software(*profiles().software_profile(one.framework)),
          device(device_model(*cluster.accelerator, profiles().calibration)),
          links(link_model(cluster, profiles().calibration)) {
        architecture.stacks.back().layers = one.layers;
        software.allocator.replays =
            false;  // a search never does; an estimate of a found plan would
        auto resolved = resolve(one.document, architecture, software, one.count);
        BOOST_REQUIRE(resolved);
        workload = resolved->workload;
        space = whole_space(workload, architecture, software, cluster, freedom_of(one.document));
    }
    [[nodiscard]] EstimateInput input(const Workload& of) const {
        return {architecture, of, cluster, software, device, profiles().calibration, &links};
    }
};

WorkloadDocument training(Method method, int global, int sequence) {
    WorkloadDocument document;
    document.method = method;
    document.global_batch = global;
    document.sequence_length = sequence;
    return document;
}

std::vector<Case> small_cases() {
    WorkloadDocument fp8 = training(Method::full, 16, 4096);
    fp8.compute = ComputeType::fp8;
    WorkloadDocument long_text = training(Method::full, 4, 32768);
    WorkloadDocument open = training(Method::lora, 8, 2048);
    open.global_batch.reset();
    return {
        {"dense", "llama-3.1-8b", 4, "megatron", "h100-sxm5-80gb", 8, 8,
         training(Method::full, 16, 4096)},
        {"two nodes", "llama-3.1-70b", 3, "megatron", "a100-sxm4-40gb", 8, 4,
         training(Method::full, 8, 2048)},
        {"too large", "llama-3.1-405b", 6, "megatron", "l40s", 4, 4,
         training(Method::full, 4, 4096)},
        {"experts", "mixtral-8x7b", 4, "megatron", "h100-sxm5-80gb", 8, 8,
         training(Method::full, 8, 4096)},
        {"quantised operands", "llama-3.1-8b", 4, "megatron", "h100-sxm5-80gb", 4, 4, fp8},
        {"long", "llama-3.1-8b", 6, "torchtitan", "h100-sxm5-80gb", 8, 8, long_text},
        {"autocast", "llama-3.1-8b", 8, "litgpt", "a100-sxm4-40gb", 4, 4,
         training(Method::full, 16, 4096)},
        {"adapters", "llama-3.1-70b", 8, "torchtune", "a100-sxm4-40gb", 4, 4, open},
    };
}

/// What a search must find, by estimating every plan of the space.
struct Exhaustive {
    std::vector<Workload> plans;
    std::vector<MemoryEstimate> memory;
    std::vector<TimeEstimate> time;

    explicit Exhaustive(const Setting& setting)
        : plans(plans_of(setting.input(setting.workload), setting.space)) {
        for (const Workload& plan : plans) {
            memory.push_back(estimate_memory(setting.input(plan)));
            time.push_back(estimate_time(setting.input(plan)));
        }
    }
    [[nodiscard]] double seconds(std::size_t i) const {
        return time[i].step.base() / plans[i].batch.global;
    }
    [[nodiscard]] std::optional<double> fastest() const {
        std::optional<double> best;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            if (memory[i].fits && (!best || seconds(i) < *best)) {
                best = seconds(i);
            }
        }
        return best;
    }
    [[nodiscard]] double leanest() const {
        double least = memory.front().process.base();
        for (const MemoryEstimate& one : memory) {
            least = std::min(least, one.process.base());
        }
        return least;
    }
};

/// Every figure of a found plan is that of its estimate, bit for bit.
void check_found(const Setting& setting, const FoundPlan& found) {
    const Workload plan = with_plan(setting.workload, found);
    BOOST_TEST(check_plan(setting.architecture, plan, setting.cluster).has_value());
    BOOST_TEST(estimate_memory(setting.input(plan)).process.base() == found.process);
    BOOST_TEST(estimate_time(setting.input(plan)).step.base() == found.step);
}

using Shape = std::tuple<int, int, int, int, int, int, int>;

Shape shape_of_plan(const Workload& workload) {
    const Plan& plan = workload.plan;
    return {plan.data,    plan.tensor, plan.pipeline,       plan.virtual_pipeline,
            plan.context, plan.expert, workload.batch.micro};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plan_search)

BOOST_AUTO_TEST_CASE(pruning_loses_nothing) {
    for (const Case& one : small_cases()) {
        BOOST_TEST_CONTEXT(one.name) {
            const Setting setting(one);
            const Exhaustive all(setting);
            BOOST_TEST(all.plans.size() > 100U);
            const PlanSearch search = search_plans(setting.input(setting.workload), setting.space);
            const auto fastest = all.fastest();
            BOOST_REQUIRE(search.best.has_value() == fastest.has_value());
            if (fastest) {
                BOOST_TEST(search.best->seconds_per_sample == *fastest);
                check_found(setting, *search.best);
            } else {
                BOOST_REQUIRE(search.leanest);
                BOOST_TEST(search.leanest->process == all.leanest());
            }
            const Searched& counts = search.searched;
            BOOST_TEST(counts.plans == all.plans.size());
            BOOST_TEST(counts.evaluated + counts.too_large + counts.memory_bound +
                           counts.time_bound + counts.dominated ==
                       counts.plans);
        }
    }
}

BOOST_AUTO_TEST_CASE(an_exhaustive_search_evaluates_every_plan) {
    const Setting setting(small_cases().front());
    const EstimateInput input = setting.input(setting.workload);
    const PlanSearch search = search_plans(input, setting.space, {.prune = false});
    BOOST_TEST(search.searched.evaluated == plans_of(input, setting.space).size());
    const PlanSearch pruned = search_plans(input, setting.space);
    BOOST_TEST(pruned.searched.evaluated < search.searched.evaluated / 2);
    BOOST_TEST((pruned.best->plan == search.best->plan));
}

BOOST_AUTO_TEST_CASE(the_front_holds_what_no_plan_beats) {
    for (const Case& one : {small_cases().front(), small_cases()[5]}) {
        BOOST_TEST_CONTEXT(one.name) {
            const Setting setting(one);
            const EstimateInput input = setting.input(setting.workload);
            const PlanSearch pruned = search_plans(input, setting.space, {.front = true});
            const PlanSearch all =
                search_plans(input, setting.space, {.front = true, .prune = false});
            BOOST_REQUIRE(pruned.front.size() == all.front.size());
            BOOST_TEST(pruned.front.size() > 1U);
            for (std::size_t i = 0; i < all.front.size(); ++i) {
                BOOST_TEST((pruned.front[i].plan == all.front[i].plan));
                check_found(setting, pruned.front[i]);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(energy_and_comfort_prune_exactly_too) {
    const Setting setting(small_cases()[1]);
    const EstimateInput input = setting.input(setting.workload);
    for (const Objective objective : {Objective::energy, Objective::time}) {
        for (const double comfortable : {0.0, 0.3}) {
            SearchControl control{.objective = objective, .comfortable = comfortable};
            const PlanSearch pruned = search_plans(input, setting.space, control);
            control.prune = false;
            const PlanSearch all = search_plans(input, setting.space, control);
            BOOST_REQUIRE(pruned.best.has_value() == all.best.has_value());
            BOOST_TEST((pruned.best->plan == all.best->plan));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_host_has_room_or_the_plan_is_refused) {
    // One A100 of 40 GB: 3 B parameters in full need 16 B each, so states must wait on the host.
    Case one{"offload",
             "llama-3.1-8b",
             12,
             "generic",
             "a100-sxm4-40gb",
             1,
             1,
             training(Method::full, 8, 4096)};
    Setting setting(one);
    const auto best = [&](Bytes host) {
        setting.cluster.host_memory_per_node = host;
        const EstimateInput input = setting.input(setting.workload);
        PlanSearch search = search_plans(input, setting.space);
        const Exhaustive all(setting);
        BOOST_REQUIRE(search.best.has_value() == all.fastest().has_value());
        if (search.best) {
            BOOST_TEST(search.best->seconds_per_sample == *all.fastest());
        }
        return search.best;
    };
    const auto roomy = best(512 * gibibyte);
    BOOST_REQUIRE(roomy);
    BOOST_TEST((roomy->plan.offload_optimizer == OffloadTarget::cpu));
    const auto narrow = best(8 * gibibyte);
    BOOST_TEST(!narrow);
}

/// Adam's moments and the master weights are 12 B a parameter, bf16 gradients 2 B.
BOOST_AUTO_TEST_CASE(offloaded_states_are_counted_on_the_host) {
    const Case one{"offload",
                   "llama-3.1-8b",
                   32,
                   "megatron",
                   "a100-sxm4-80gb",
                   8,
                   8,
                   training(Method::full, 8, 4096)};
    Setting setting(one);
    Workload plan = setting.workload;
    plan.plan = Plan{.data = 8, .sharding = Sharding::zero1};
    plan.plan.offload_optimizer = OffloadTarget::cpu;
    plan.gradients = DType::bf16;
    plan.master_weights = true;
    plan.optimizer_state = DType::fp32;
    const double parameters = 8030261248.0;
    const MemoryEstimate memory = estimate_memory(setting.input(plan));
    BOOST_TEST(memory.host.base() == parameters * 14, boost::test_tools::tolerance(1e-3));
    BOOST_TEST(estimate_memory(setting.input(setting.workload)).host.base() == 0);
}

BOOST_AUTO_TEST_CASE(threads_change_nothing) {
    for (const Case& one : {small_cases().front(), small_cases()[3]}) {
        const Setting setting(one);
        const EstimateInput input = setting.input(setting.workload);
        const PlanSearch alone = search_plans(input, setting.space, {.front = true, .threads = 1});
        const PlanSearch many = search_plans(input, setting.space, {.front = true, .threads = 16});
        BOOST_TEST((alone.searched == many.searched));
        BOOST_TEST((alone.best->plan == many.best->plan));
        BOOST_TEST_REQUIRE(alone.front.size() == many.front.size());
        for (std::size_t i = 0; i < alone.front.size(); ++i) {
            BOOST_TEST((alone.front[i].plan == many.front[i].plan));
            BOOST_TEST(alone.front[i].step == many.front[i].step);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_stop_is_obeyed_and_said) {
    const Setting setting(small_cases().front());
    bool stop = false;
    SearchControl control{.stopped = [&stop] { return stop; }};
    control.progress = [&stop](double) { stop = true; };
    const PlanSearch search = search_plans(setting.input(setting.workload), setting.space, control);
    BOOST_TEST(search.searched.stopped);
    BOOST_TEST(search.best.has_value());  // of the first round
}

/// All sizes up to the cluster's are tried blindly, and check_plan alone decides.
BOOST_AUTO_TEST_CASE(the_space_holds_every_legal_shape) {
    for (const Case& one : {small_cases()[0], small_cases()[3]}) {
        const Setting setting(one);
        std::set<Shape> found;
        for (const Workload& plan : plans_of(setting.input(setting.workload), setting.space)) {
            BOOST_REQUIRE(check_plan(setting.architecture, plan, setting.cluster));
            found.insert(shape_of_plan(plan));
        }
        std::set<Shape> legal;
        Workload trial = setting.workload;
        trial.plan = Plan{};
        for (int tensor = 1; tensor <= one.count; ++tensor) {
            for (int pipeline = 1; tensor * pipeline <= one.count; ++pipeline) {
                for (int context = 1; tensor * pipeline * context <= one.count; ++context) {
                    for (int chunks = 1; chunks <= one.layers + 3; ++chunks) {
                        for (int expert = 1; expert <= 9; ++expert) {
                            for (int micro = 1; micro <= trial.batch.global; ++micro) {
                                trial.plan.tensor = tensor;
                                trial.plan.pipeline = pipeline;
                                trial.plan.context = context;
                                trial.plan.virtual_pipeline = chunks;
                                trial.plan.expert = expert;
                                trial.plan.data = one.count / (tensor * pipeline * context);
                                trial.batch.micro = micro;
                                if (check_plan(setting.architecture, trial, setting.cluster)) {
                                    legal.insert(shape_of_plan(trial));
                                }
                            }
                        }
                    }
                }
            }
        }
        BOOST_TEST(found.size() == legal.size());
        BOOST_TEST((found == legal));
    }
}

BOOST_AUTO_TEST_CASE(a_plan_alone_has_the_figures_of_its_estimate) {
    std::vector<Setting> settings;
    for (const Case& one : small_cases()) {
        settings.emplace_back(one);
    }
    std::vector<std::vector<Workload>> plans;
    for (const Setting& setting : settings) {
        plans.push_back(plans_of(setting.input(setting.workload), setting.space));
    }
    BOOST_TEST(rc::check("totals", [&] {
        const auto which = *rc::gen::inRange<std::size_t>(0, settings.size());
        const Setting& setting = settings[which];
        for (int i = 0; i < 50; ++i) {
            const Workload& plan =
                plans[which][*rc::gen::inRange<std::size_t>(0, plans[which].size())];
            const EstimateInput input = setting.input(plan);
            const PlanFreedom none{false, false, false, false, false, false};
            const PlanSpace space =
                whole_space(plan, setting.architecture, setting.software, setting.cluster, none);
            const PlanSearch search = search_plans(input, space, {.prune = false});
            RC_ASSERT(search.searched.plans == 1U);
            const MemoryEstimate memory = estimate_memory(input);
            RC_ASSERT(search.best.has_value() == memory.fits);
            const FoundPlan& found = memory.fits ? *search.best : *search.leanest;
            RC_ASSERT(found.process == memory.process.base());
            RC_ASSERT(found.step == estimate_time(input).step.base());
        }
    }));
}

BOOST_AUTO_TEST_SUITE_END()
