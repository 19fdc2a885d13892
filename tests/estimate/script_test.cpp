// The step script and its readers, by cases worked out by hand.
#include "estimate/work/script.h"

#include "estimate/allocator/reserved.h"
#include "estimate/memory/live_bytes.h"
#include "estimate/time/listing.h"
#include "estimate/time/timeline.h"
#include "estimate/work/operator.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace {

using namespace ridgeline;

constexpr Bytes mib = mebibyte;

double mib_of(Bytes bytes) { return bytes / mib; }

Bytes reserved(const Script& script, Stream stream = Stream::compute, bool expandable = false) {
    return reserved_by(script, {.expandable = expandable})
        .by_stream[static_cast<std::size_t>(stream)];
}

/// Layers that each take 30 MiB of activations, keep 20 and give 10; then the same backwards, with
/// a gradient of 4 MiB a layer that stays.
Script layers(int count) {
    ScriptWriter writer;
    const int forward = writer.name("forward");
    const int backward = writer.name("backward");
    writer.mark(forward);
    TensorId kept = nothing;
    const Rounds there = writer.loop(count, [&] {
        kept = writer.take(20.0 * mib, Stream::compute, Category::kept);
        const TensorId passing = writer.take(10.0 * mib);
        writer.give(passing);
    });
    writer.mark(backward);
    writer.loop(
        count,
        [&] {
            writer.take(4.0 * mib, Stream::reduce, Category::gradient);
            writer.give(kept);
        },
        there, true);
    return std::move(writer).finish();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(script)

BOOST_AUTO_TEST_CASE(an_event_is_three_words) { BOOST_TEST(sizeof(Event) == 24U); }

BOOST_AUTO_TEST_CASE(live_bytes_fold_loops_to_first_between_and_last) {
    const LiveBytes live = live_bytes(layers(32));
    BOOST_REQUIRE(live.instants.size() == 3U);  // before any mark, forward, backward
    // 31 layers have kept 20, the last holds 30.
    BOOST_TEST(mib_of(live.instants[1].total) == 31 * 20 + 30);
    // All are kept when the first gradient comes: more than later, 20 go for each 4.
    BOOST_TEST(mib_of(live.instants[2].total) == 32 * 20 + 4);
    BOOST_TEST(live.peak == 1U);
    BOOST_TEST(mib_of(live.left) == 32 * 4);
    BOOST_TEST(mib_of(live.stream_peak[static_cast<std::size_t>(Stream::reduce)]) == 32 * 4);
    const auto parts = live.instants[1].components();
    BOOST_REQUIRE(parts.size() == 2U);
    BOOST_TEST(parts[0].name == "activations");
    BOOST_TEST(mib_of(parts[0].size) == 32 * 20);
    BOOST_TEST(mib_of(parts[1].size) == 10);
}

// Gradients of all layers are given by name when the optimizer has run.
BOOST_AUTO_TEST_CASE(tensors_of_later_rounds_are_given_behind_their_loop) {
    ScriptWriter writer;
    TensorId made = nothing;
    const Rounds rounds = writer.loop(5, [&] { made = writer.take(4.0 * mib); });
    writer.take(1.0 * mib);
    for (int round = 0; round < rounds.count; ++round) {
        writer.give(made + rounds.moved(made, round));
    }
    const LiveBytes live = live_bytes(std::move(writer).finish());
    BOOST_TEST(mib_of(live.instants[live.peak].total) == 21);
    BOOST_TEST(mib_of(live.left) == 1);
}

BOOST_AUTO_TEST_CASE(folding_equals_walking) {
    // One or two rounds are walked, never folded.
    for (const int count : {1, 2, 3, 7}) {
        BOOST_TEST(mib_of(live_bytes(layers(count)).instants[1].total) == (count - 1) * 20 + 30);
    }
}

BOOST_AUTO_TEST_CASE(each_round_has_tensors_of_its_own_in_the_allocator) {
    // 20 MiB a layer in segments of their own; the 10 MiB are taken and given in one more.
    const Script script = layers(5);
    BOOST_TEST(mib_of(reserved(script)) == 5 * 20 + 10);
    // 4 MiB come from segments of 20, which hold five of them; the pool is the other stream's.
    BOOST_TEST(mib_of(reserved(script, Stream::reduce)) == 20);
    BOOST_TEST(mib_of(reserved_by(script, {}).total()) == 130);
}

BOOST_AUTO_TEST_CASE(expandable_segments_have_no_segment_for_each_tensor) {
    ScriptWriter writer;
    const TensorId first = writer.take(12.0 * mib);
    const TensorId second = writer.take(12.0 * mib);
    writer.give(first);
    writer.give(second);
    writer.take(24.0 * mib);
    const Script script = std::move(writer).finish();
    BOOST_TEST(mib_of(reserved(script)) == 48);  // two segments of 12 do not hold 24
    BOOST_TEST(mib_of(reserved(script, Stream::compute, true)) == 40);  // grown by 20 and 20
}

BOOST_AUTO_TEST_CASE(a_round_hands_its_result_to_the_next) {
    ScriptWriter writer;
    const TensorId stream = writer.take(16.0 * mib);
    writer.loop(4, [&] {
        const TensorId made = writer.take(16.0 * mib);
        writer.give(stream);
        writer.carry(made, stream);
    });
    writer.give(stream);
    const Script script = std::move(writer).finish();
    const LiveBytes live = live_bytes(script);
    BOOST_TEST(mib_of(live.instants[0].total) == 32);
    BOOST_TEST(mib_of(live.left) == 0);
    BOOST_TEST(mib_of(reserved(script)) == 32);
}

BOOST_AUTO_TEST_CASE(loops_nest) {
    ScriptWriter writer;
    writer.loop(2, [&] {
        TensorId kept = nothing;
        const Rounds there = writer.loop(
            3, [&] { kept = writer.take(20.0 * mib, Stream::compute, Category::kept); });
        writer.loop(
            3, [&] { writer.give(kept); }, there, true);
    });
    const Script script = std::move(writer).finish();
    BOOST_TEST(mib_of(live_bytes(script).instants[0].total) == 60);
    BOOST_TEST(mib_of(live_bytes(script).left) == 0);
    BOOST_TEST(mib_of(reserved(script)) == 60);  // the second micro-batch finds the segments
}

BOOST_AUTO_TEST_CASE(a_gather_runs_beside_the_layer_before) {
    // Each layer: gather 2 s, waits for it, compute 3 s. The first gather shows, the others hide.
    Operator op;
    op.name = "layer";
    ScriptWriter writer;
    writer.loop(10, [&] {
        writer.collective(Collective::all_gather, mib, 8, Stream::gather);
        writer.wait(Stream::compute, Stream::gather);
        writer.run(op, Phase::forward);
    });
    const Script script = std::move(writer).finish();
    const EventSeconds cost = [](const Script&, const Event& event) {
        return Seconds::of_base(event.kind == Event::Kind::run ? 3 : 2);
    };
    const Timeline time = timeline(script, cost, true);
    BOOST_TEST(time.total.base() == 2 + 10 * 3);
    BOOST_TEST(time.waited[static_cast<std::size_t>(Stream::gather)].base() == 2);
    BOOST_TEST(time.busy[0].base() == 30);
    BOOST_TEST(time.overlapped.base() == 18);
    const Timeline slow = timeline(script, [](const Script&, const Event& event) {
        return Seconds::of_base(event.kind == Event::Kind::run ? 1 : 2);
    });
    BOOST_TEST(slow.total.base() == 10 * 2 + 1);  // the links bound
}

BOOST_AUTO_TEST_CASE(the_listing_names_what_runs_and_counts_rounds) {
    Operator op;
    op.name = "q_proj";
    ScriptWriter writer;
    writer.mark(writer.name("forward"));
    writer.loop(3, [&] {
        writer.take(8.0 * mib, Stream::compute, Category::kept, writer.name("q"));
        writer.run(op, Phase::forward);
    });
    writer.copy(mib, Place::device, Place::host);
    const std::vector<ListedEvent> rows = listing(std::move(writer).finish());
    BOOST_REQUIRE(rows.size() == 5U);
    BOOST_TEST(rows[0].what == "forward");
    BOOST_TEST(rows[1].rounds == 3);
    BOOST_TEST(rows[2].what == "q");
    BOOST_TEST(rows[2].depth == 1);
    BOOST_TEST(mib_of(rows[2].alive) == 8);
    BOOST_TEST(rows[3].what == "q_proj forward");
    BOOST_TEST(rows[4].what == "device to host");
    BOOST_TEST(mib_of(rows[4].alive) == 24);
}

BOOST_AUTO_TEST_SUITE_END()
