// Tuning by preferences and rewards: residents, sequences, phases, by hand.
#include "estimate/preference/preference.h"

#include "estimate/estimate.h"
#include "estimate/families/transformer/parameters.h"
#include "estimate/preference/handover.h"
#include "estimate/preference/packing.h"
#include "estimate/preference/rollout.h"
#include "estimate/resolve/resolve.h"
#include "estimate/time/device.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace ridgeline;

namespace {

using released::catalog;
using released::profiles;

Cluster cluster_of(int cards) {
    Cluster cluster;
    cluster.accelerator = catalog().accelerator("h100-sxm5-80gb");
    cluster.count = cluster.per_node = cards;
    return cluster;
}

struct TunedRun {
    Architecture architecture = released::model("llama-3.2-1b");
    Cluster cluster;
    DeviceModel device;
    const SoftwareProfile& software;
    Workload workload;

    TunedRun(const char* stack, const PreferenceTuning& tuning, int cards = 1,
             Method method = Method::full)
        : cluster(cluster_of(cards)),
          device(device_model(*cluster.accelerator, profiles().calibration)),
          software(*profiles().software_profile(stack)) {
        WorkloadDocument document;
        document.model_id = "llama-3.2-1b";
        document.method = method;
        document.has_lora = method != Method::full;
        document.preference = tuning;
        document.micro_batch = 1;
        workload = resolve(document, architecture, software, cards).value().workload;
    }
    [[nodiscard]] EstimateInput input() const {
        return {architecture, workload, cluster, software, device, profiles().calibration};
    }
    [[nodiscard]] double part(std::string_view name) const {
        const MemoryEstimate memory = estimate_memory(input());
        for (const Component& component : memory.instants[memory.peak_instant].components) {
            if (component.name == name) {
                return component.size.base();
            }
        }
        return 0;
    }
    [[nodiscard]] double parameters() const {
        return static_cast<double>(count_parameters(architecture).total);
    }
};

PreferenceTuning by(PreferenceAlgorithm algorithm) { return {.algorithm = algorithm}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(preference)

BOOST_AUTO_TEST_CASE(a_reference_is_a_frozen_copy_in_16_bits) {
    const TunedRun dpo("trl", by(PreferenceAlgorithm::dpo));
    BOOST_TEST(dpo.part("reference") == 2 * dpo.parameters());
    BOOST_TEST(TunedRun("trl", by(PreferenceAlgorithm::orpo)).part("reference") == 0);
    // The base of adapters is its own reference.
    BOOST_TEST(TunedRun("trl", by(PreferenceAlgorithm::dpo), 1, Method::lora).part("reference") ==
               0);
    // ZeRO-3 shards it as it shards the policy.
    const TunedRun sharded("openrlhf", by(PreferenceAlgorithm::dpo), 8);
    BOOST_TEST(sharded.part("reference") == 2 * sharded.parameters() / 8,
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_pair_is_two_sequences) {
    const TunedRun pairs("trl", by(PreferenceAlgorithm::simpo));
    const TunedRun singles(
        "trl", PreferenceTuning{.algorithm = PreferenceAlgorithm::kto, .reference = false});
    BOOST_TEST(pairs.workload.sequences() == 2);
    BOOST_TEST(pairs.part("activations.layers") == 2 * singles.part("activations.layers"));
}

BOOST_AUTO_TEST_CASE(the_reference_takes_a_forward_pass) {
    PreferenceTuning without = by(PreferenceAlgorithm::dpo);
    without.reference = false;
    const TunedRun with("trl", by(PreferenceAlgorithm::dpo));
    const TimeEstimate bare = estimate_time(TunedRun("trl", without).input());
    const TimeEstimate time = estimate_time(with.input());
    double forward = 0;
    for (const TimeComponent& component : bare.components) {
        forward += component.name == "forward" ? component.time.base() : 0;
    }
    const double added = (time.step - bare.step).base();
    // On one card nothing is exchanged: the launches of a pass may stand beside it.
    BOOST_TEST(added >= forward * 0.99);
    BOOST_TEST(added < 1.5 * forward);
}

BOOST_AUTO_TEST_CASE(critic_and_reward_of_ppo_are_as_large_as_the_policy) {
    const TunedRun ppo("deepspeed-chat", by(PreferenceAlgorithm::ppo), 8);
    BOOST_TEST(ppo.workload.preference->critic_size == 1);
    BOOST_TEST(ppo.workload.preference->reward_size == 1);
    PreferenceTuning small = by(PreferenceAlgorithm::ppo);
    small.critic = "opt-350m";
    small.reward_model = "none";
    const TunedRun other("deepspeed-chat", small, 8);
    BOOST_TEST(other.workload.preference->critic_size == 350e6 / other.parameters());
    BOOST_TEST(other.workload.preference->reward_size == 0);
}

BOOST_AUTO_TEST_CASE(lengths_of_answers_have_their_mean) {
    for (const AnswerLengths& lengths :
         {AnswerLengths{100, 800, 1000}, AnswerLengths{100, 100, 1000},
          AnswerLengths{0, 500, 1000}}) {
        double sum = 0;
        constexpr int pieces = 20'000;
        for (int i = 0; i < pieces; ++i) {
            sum += still_running(lengths, (i + 0.5) * lengths.longest / pieces) * lengths.longest /
                   pieces;
        }
        BOOST_TEST(sum == lengths.mean, boost::test_tools::tolerance(1e-3));
        BOOST_TEST(still_running(lengths, 0) == 1);
        BOOST_TEST(still_running(lengths, lengths.longest) == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_round_is_the_sum_of_its_phases) {
    const TunedRun grpo("verl", by(PreferenceAlgorithm::grpo), 8);
    const PreferenceTuning& tuning = *grpo.workload.preference;
    BOOST_TEST(tuning.prompts == 512);
    BOOST_TEST(tuning.group == 8);
    BOOST_TEST(tuning.longest_tokens == 512 + 2 * 1024);
    const TimeEstimate time = estimate_time(grpo.input());
    BOOST_REQUIRE(time.round);
    const TuningRound& round = *time.round;
    BOOST_TEST(
        (round.rollout + round.scoring + round.update + round.sync).base() == time.step.base(),
        boost::test_tools::tolerance(1e-9));
    BOOST_TEST(time.samples_per_second * time.step.base() == 4096,
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(!round.overlapped);
}

BOOST_AUTO_TEST_CASE(cards_of_their_own_write_beside_the_update) {
    PreferenceTuning apart = by(PreferenceAlgorithm::grpo);
    apart.rollout_accelerators = 4;
    const TunedRun run("verl", apart, 8);
    BOOST_TEST(rollout_accelerators(run.input()) == 4);
    const TuningRound round = *estimate_time(run.input()).round;
    BOOST_TEST(round.overlapped);
    // The plan is that of the cards that update: half of them take about twice as long, and each
    // holds twice the share of the states.
    BOOST_TEST(run.workload.plan.data == 4);
    const TunedRun both("verl", by(PreferenceAlgorithm::grpo), 8);
    const TuningRound together = *estimate_time(both.input()).round;
    BOOST_TEST(round.update.base() > 1.5 * together.update.base());
    BOOST_TEST(round.update.base() < 2.5 * together.update.base());
    const auto states = [](const TunedRun& of) {
        double most = 0;
        for (const Instant& instant : estimate_memory(of.input()).instants) {
            for (const Component& component : instant.components) {
                most = std::max(most, component.name == "optimizer" ? component.size.base() : 0);
            }
        }
        return most;
    };
    BOOST_TEST(states(run) == 2 * states(both), boost::test_tools::tolerance(1e-9));
    const MemoryEstimate memory = estimate_memory(run.input());
    BOOST_TEST(memory.instants.back().name != "rollout");
}

BOOST_AUTO_TEST_CASE(a_rollout_holds_the_engine_and_what_the_trainer_keeps) {
    const TunedRun grpo("verl", by(PreferenceAlgorithm::grpo), 8);
    const MemoryEstimate memory = estimate_memory(grpo.input());
    const Instant& last = memory.instants.back();
    BOOST_REQUIRE(last.name == "rollout");
    // The whole policy on each card: 1.2 billion weights need no second one.
    BOOST_TEST(last.components[0].size.base() == 2 * grpo.parameters());
    BOOST_TEST((memory.reserved.base() >= last.total.base()));
}

// verl reduces the gradients of each micro-batch to shards: 4 bytes of an eighth of the weights.
BOOST_AUTO_TEST_CASE(gradients_of_rounds_are_sharded) {
    const TunedRun grpo("verl", by(PreferenceAlgorithm::grpo), 8);
    int seen = 0;
    for (const Instant& instant : estimate_memory(grpo.input()).instants) {
        for (const Component& component : instant.components) {
            if (component.name == "gradients" || component.name == "unsharded gradients") {
                ++seen;
                BOOST_TEST(component.size.base() <= 4 * grpo.parameters() / 8 * 1.001,
                           instant.name);
            }
        }
    }
    BOOST_TEST(seen > 0);
}

// The cache gives way: with the range of the estimate the rollout still lies within the card.
BOOST_AUTO_TEST_CASE(a_rollout_leaves_room_for_its_range) {
    const TunedRun grpo("verl", by(PreferenceAlgorithm::grpo), 2);
    const MemoryEstimate memory = estimate_memory(grpo.input());
    const Instant& last = memory.instants.back();
    BOOST_REQUIRE(last.name == "rollout");
    BOOST_TEST((last.total + memory.context).base() * memory.band.high <=
               memory.capacity.base() * 1.001);
}

BOOST_AUTO_TEST_CASE(a_run_of_prompts_has_whole_rounds) {
    TunedRun grpo("verl", by(PreferenceAlgorithm::grpo), 8);
    const double each = estimate_time(grpo.input()).step.base();
    // 100 rounds of 512 prompts and half of one more.
    grpo.workload.duration_samples = 100 * 512 + 256;
    BOOST_TEST(preference_time(grpo.input()).total.base() == 101 * each,
               boost::test_tools::tolerance(1e-9));
    // A round has 4,096 answers of 512 + 1,024 tokens, whatever its optimizer's steps are.
    grpo.workload.duration_samples.reset();
    grpo.workload.duration_tokens = 10 * 4096.0 * 1536;
    grpo.workload.batch.global = 512;
    const TimeEstimate stepped = preference_time(grpo.input());
    BOOST_TEST(stepped.total.base() == 10 * stepped.step.base(),
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(answers_are_packed_into_micro_batches) {
    TunedRun run("nemo-rl", by(PreferenceAlgorithm::grpo), 2);
    Workload& workload = run.workload;
    workload.batch.sequence_length = 4096;
    PreferenceTuning& tuning = *workload.preference;
    tuning.prompt_tokens = 100;
    tuning.answer_tokens = 400;
    tuning.longest_tokens = 4096;
    // 32 answers of 500 tokens a rank: 16,000 tokens in four micro-batches, eight answers each.
    const Workload packed = packed_batch(workload, 64);
    BOOST_TEST(packed.batch.micro == 8);
    BOOST_TEST(packed.batch.sequence_length == 500);
    BOOST_TEST(packed.batch.global == 64);
    // A pipeline passes micro-batches of one size: 4,096 tokens for eight of them.
    workload.plan.pipeline = 2;
    BOOST_TEST(packed_batch(workload, 64).batch.sequence_length == 512);
    // 3,200 tokens and never below 2,304: none has room beside it.
    workload.plan.pipeline = 1;
    tuning.answer_tokens = 3100;
    const Workload alone = packed_batch(workload, 64);
    BOOST_TEST(alone.batch.micro == 1);
    BOOST_TEST(alone.batch.sequence_length == 3200);
    BOOST_TEST(alone.batch.global == 64);
}

BOOST_AUTO_TEST_CASE(states_cross_to_the_host_where_a_stack_moves_them) {
    const TunedRun moves("nemo-rl", by(PreferenceAlgorithm::grpo), 8);
    const Handover moved = handover(moves.input(), true);
    // Adam's moments and the master weights of an eighth of the policy, out and back by pageable
    // pages, and its weights by pinned ones.
    const double states = 12 * moves.parameters() / 8;
    BOOST_TEST(moved.states > states / 3e9 + states / 8e9);
    BOOST_TEST(moved.states < 1.5 * (states / 3e9 + states / 8e9));
    BOOST_TEST(moved.reference > 0);
    BOOST_TEST(handover(moves.input(), false).states == 0);
    BOOST_TEST(handover(TunedRun("trl", by(PreferenceAlgorithm::grpo), 8).input(), true).states ==
               0);
}

BOOST_AUTO_TEST_CASE(the_host_works_between_the_steps_of_an_engine) {
    const TunedRun run("nemo-rl", by(PreferenceAlgorithm::grpo), 8);
    const RolloutEngine engine = rollout_engine(run.input(), 8);
    const AnswerLengths lengths = answer_lengths(run.workload);
    // 2.4 ms for each token of the longest answer and 60 us for each token of all.
    BOOST_TEST(rollout_seconds(run.input(), engine, 8, 64) >
               2.4e-3 * lengths.longest + 60e-6 * 64 / engine.replicas * lengths.mean * 0.9);
}

// An engine of fp8 weights holds half of the bytes and writes no slower.
BOOST_AUTO_TEST_CASE(rollouts_in_fp8) {
    PreferenceTuning tuning;
    tuning.algorithm = PreferenceAlgorithm::grpo;
    tuning.prompts = 16;
    tuning.group = 8;
    const TunedRun wide("nemo-rl", tuning, 8);
    tuning.rollout_fp8 = true;
    const TunedRun narrow("nemo-rl", tuning, 8);
    const RolloutEngine half = rollout_engine(wide.input(), 8);
    const RolloutEngine quarter = rollout_engine(narrow.input(), 8);
    BOOST_TEST(quarter.weights == half.weights / 2);
    BOOST_TEST(rollout_seconds(narrow.input(), quarter, 16, 128) <
               rollout_seconds(wide.input(), half, 16, 128));
}

BOOST_AUTO_TEST_SUITE_END()
