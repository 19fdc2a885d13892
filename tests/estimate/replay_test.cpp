// The allocator and its player against slow ones that are written as their rules are told.
#include "estimate/allocator/caching_allocator.h"
#include "estimate/allocator/reserved.h"
#include "estimate/work/script.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace ridgeline;

constexpr double MiB = 1024.0 * 1024.0;

/// The rules of the caching allocator over one sorted list of blocks.
class SlowAllocator {
public:
    SlowAllocator(double limit, bool expandable) : limit_(limit), expandable_(expandable) {}

    int take(double bytes) {
        const double size = std::max(512.0, std::ceil(bytes / 512) * 512);
        const bool small = size <= MiB;
        auto best = blocks_.end();
        for (auto at = blocks_.begin(); at != blocks_.end(); ++at) {
            if (!at->free || at->small != small || at->size < size) {
                continue;
            }
            // Of equal ones the lowest address; of small ones the one that came last.
            const bool better = best == blocks_.end() || at->size < best->size ||
                                (at->size == best->size && small && at->since > best->since);
            best = better ? at : best;
        }
        if (best == blocks_.end()) {
            best = grown(size, small);
        }
        const double rest = best->size - size;
        best->free = false;
        best->id = ++ids_;
        if (small || expandable_ ? rest >= 512 : rest > MiB) {
            best->size = size;
            const Block after{best->segment, best->address + size, rest, small, true, ++clock_, 0};
            best = blocks_.insert(best + 1, after) - 1;
        }
        return best->id;
    }

    void give(int id) {
        auto at = std::find_if(blocks_.begin(), blocks_.end(),
                               [id](const Block& block) { return block.id == id; });
        at->free = true;
        at->id = 0;
        at->since = ++clock_;
        if (at + 1 != blocks_.end() && (at + 1)->free && (at + 1)->segment == at->segment) {
            at->size += (at + 1)->size;
            at = blocks_.erase(at + 1) - 1;
        }
        if (at != blocks_.begin() && (at - 1)->free && (at - 1)->segment == at->segment) {
            (at - 1)->size += at->size;
            (at - 1)->since = at->since;
            blocks_.erase(at);
        }
    }
    [[nodiscard]] double held() const { return held_; }
    [[nodiscard]] double most_held() const { return most_held_; }

private:
    struct Block {
        int segment;
        double address;
        double size;
        bool small;
        bool free;
        long since;
        int id;
    };
    using Blocks = std::vector<Block>;

    Blocks::iterator grown(double size, bool small) {
        if (expandable_) {
            return grown_at_the_end(size, small);
        }
        const double segment = small             ? 2 * MiB
                               : size < 10 * MiB ? 20 * MiB
                                                 : std::ceil(size / (2 * MiB)) * 2 * MiB;
        if (held_ + segment > limit_) {
            give_back();
        }
        count(segment);
        blocks_.push_back({++segments_, next_, segment, small, false, 0, 0});
        next_ += segment;
        return blocks_.end() - 1;
    }
    /// Segment 0 has the small blocks, 1 the others; both lie in order in the list.
    Blocks::iterator grown_at_the_end(double size, bool small) {
        const int segment = small ? 0 : 1;
        auto end = std::find_if(blocks_.begin(), blocks_.end(),
                                [segment](const Block& block) { return block.segment > segment; });
        const bool any = end != blocks_.begin() && (end - 1)->segment == segment;
        const bool joins = any && (end - 1)->free;
        const double step = small ? 2 * MiB : 20 * MiB;
        const double more = std::ceil((joins ? size - (end - 1)->size : size) / step) * step;
        count(more);
        if (joins) {
            (end - 1)->size += more;
            return end - 1;
        }
        const double address = any ? (end - 1)->address + (end - 1)->size : 0;
        return blocks_.insert(end, {segment, address, more, small, false, 0, 0});
    }
    void give_back() {
        for (auto at = blocks_.begin(); at != blocks_.end();) {
            const bool alone = (at == blocks_.begin() || (at - 1)->segment != at->segment) &&
                               (at + 1 == blocks_.end() || (at + 1)->segment != at->segment);
            held_ -= at->free && alone ? at->size : 0;
            at = at->free && alone ? blocks_.erase(at) : at + 1;
        }
    }
    void count(double bytes) {
        held_ += bytes;
        most_held_ = std::max(most_held_, held_);
    }

    double limit_;
    bool expandable_;
    Blocks blocks_;  ///< by segment and address
    double held_ = 0;
    double most_held_ = 0;
    double next_ = 0;
    int segments_ = 1;
    int ids_ = 0;
    long clock_ = 0;
};

/// A tensor of one of few sizes, as those of a model are.
double any_size() {
    return *rc::gen::element(300.0, 512.0, 4096.0, 300e3, MiB, 1.5 * MiB, 2 * MiB, 3e6, 9 * MiB,
                             10 * MiB, 12e6, 16 * MiB, 17.5 * MiB, 40 * MiB);
}

double small_size() {
    return *rc::gen::element(300.0, 4096.0, 200e3, 300e3, 400e3, 500e3, 0.7 * MiB, MiB);
}

/// A body of a loop that takes and gives at random, on one stream or two, and may hand a tensor on.
void random_body(ScriptWriter& writer, TensorId handed) {
    std::vector<TensorId> alive;
    const bool small = *rc::gen::arbitrary<bool>();
    const bool orderly = *rc::gen::arbitrary<bool>();
    for (int i = *rc::gen::inRange(2, 40); i > 0; --i) {
        const int choice = *rc::gen::inRange(0, 11);
        if (choice < 6 || alive.empty()) {
            const Stream stream = choice == 0 ? Stream::gather : Stream::compute;
            alive.push_back(writer.take(Bytes::of_base(small ? small_size() : any_size()), stream));
        } else {
            const int last = static_cast<int>(alive.size()) - 1;
            const auto which =
                static_cast<std::ptrdiff_t>(orderly ? last : *rc::gen::inRange(0, last + 1));
            writer.give(alive[static_cast<std::size_t>(which)]);
            alive.erase(alive.begin() + which);
        }
    }
    writer.give(handed);
    TensorId last = nothing;
    if (!alive.empty()) {
        last = alive.back();
        alive.pop_back();
    }
    writer.carry(last, handed);
    for (const TensorId tensor : alive) {
        if (*rc::gen::inRange(0, 5) > 0) {
            writer.give(tensor);
        }
    }
}

/// The most that one stream's pool holds, told event by event.
double slowly_reserved(const Script& script, Stream stream, const AllocatorSettings& settings) {
    SlowAllocator slow(settings.limit.base(), settings.expandable);
    std::vector<int> held(static_cast<std::size_t>(script.tensors), 0);
    const auto play = [&](const Event& event, const Rounds& rounds, int round) {
        const auto at = [&](TensorId id) -> int& {
            return held[static_cast<std::size_t>(id + rounds.moved(id, round))];
        };
        if (event.kind == Event::Kind::take && event.stream == stream) {
            at(event.tensor) = slow.take(event.bytes.base());
        } else if (event.kind == Event::Kind::give && at(event.tensor) > 0) {
            slow.give(at(event.tensor));
        } else if (event.kind == Event::Kind::carry) {
            at(event.item) = event.tensor == nothing ? 0 : at(event.tensor);
        }
    };
    for (std::size_t i = 0; i < script.events.size(); ++i) {
        if (script.events[i].kind != Event::Kind::loop) {
            play(script.events[i], {}, 0);
            continue;
        }
        const Loop& loop = script.loops[static_cast<std::size_t>(script.events[i].item)];
        for (int round = 0; round < loop.own.count; ++round) {
            for (std::size_t inner = i + 1; inner < loop.end; ++inner) {
                play(script.events[inner], loop.own, round);
            }
        }
        i = loop.end;
    }
    return slow.most_held();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(replay)

BOOST_AUTO_TEST_CASE(allocators_agree) {
    BOOST_TEST(rc::check("a random sequence", [] {
        const bool expandable = *rc::gen::arbitrary<bool>();
        const double limit = *rc::gen::element(200 * MiB, std::numeric_limits<double>::infinity());
        CachingAllocator quick(limit, expandable);
        SlowAllocator slow(limit, expandable);
        std::vector<std::pair<CachingAllocator::Handle, int>> alive;
        for (int i = *rc::gen::inRange(50, 400); i > 0; --i) {
            const bool gives = !alive.empty() && *rc::gen::inRange(0, 100) < 48;
            if (!gives && *rc::gen::inRange(0, 6) == 0) {
                const double size = any_size();
                quick.pass_rounded(CachingAllocator::rounded(size));
                slow.give(slow.take(size));
            } else if (!gives) {
                const double size = any_size();
                alive.emplace_back(quick.take(size), slow.take(size));
            } else {
                const auto which = static_cast<std::ptrdiff_t>(
                    *rc::gen::inRange(0, static_cast<int>(alive.size())));
                quick.give(alive[static_cast<std::size_t>(which)].first);
                slow.give(alive[static_cast<std::size_t>(which)].second);
                alive.erase(alive.begin() + which);
            }
            RC_ASSERT(quick.held() == slow.held());
            RC_ASSERT(quick.most_held() == slow.most_held());
        }
    }));
}

BOOST_AUTO_TEST_CASE(a_loop_is_played_as_its_rounds_written_out) {
    BOOST_TEST(rc::check("layers forward and back", [] {
        const int count = *rc::gen::inRange(1, 9);
        const double kept_size = any_size();
        const double passing = any_size();
        const double stream_size = any_size();
        const bool releases = *rc::gen::arbitrary<bool>();
        ScriptWriter folded;
        const TensorId start = folded.take(Bytes::of_base(stream_size));
        const TensorId stream = folded.place();
        folded.carry(start, stream);
        TensorId kept = nothing;
        TensorId input = nothing;
        const Rounds there = folded.loop(count, [&] {
            input = folded.place();
            folded.carry(stream, input);
            kept = folded.take(Bytes::of_base(kept_size));
            folded.give(folded.take(Bytes::of_base(passing)));
            folded.carry(folded.take(Bytes::of_base(stream_size)), stream);
        });
        const TensorId late = folded.place();  // given a round later, the first time nothing
        folded.carry(nothing, late);
        folded.loop(
            count,
            [&] {
                const TensorId made = folded.take(Bytes::of_base(passing));
                folded.give(late);
                folded.carry(made, late);
                folded.give(kept);
                folded.give(releases ? input : nothing);
            },
            there, true);
        ScriptWriter flat;
        TensorId before = flat.take(Bytes::of_base(stream_size));
        std::vector<std::pair<TensorId, TensorId>> layers;
        for (int i = 0; i < count; ++i) {
            const TensorId mine = flat.take(Bytes::of_base(kept_size));
            const TensorId passes = flat.take(Bytes::of_base(passing));
            flat.give(passes);
            layers.emplace_back(mine, before);
            before = flat.take(Bytes::of_base(stream_size));
        }
        TensorId last = nothing;
        for (int i = count; i-- > 0;) {
            const TensorId made = flat.take(Bytes::of_base(passing));
            flat.give(last);
            last = made;
            flat.give(layers[static_cast<std::size_t>(i)].first);
            flat.give(releases ? layers[static_cast<std::size_t>(i)].second : nothing);
        }
        const Script loops = std::move(folded).finish();
        const Script rounds = std::move(flat).finish();
        for (const bool expandable : {false, true}) {
            const AllocatorSettings settings{.expandable = expandable};
            RC_ASSERT(reserved_by(loops, settings).total() ==
                      reserved_by(rounds, settings).total());
        }
    }));
}

BOOST_AUTO_TEST_CASE(random_loops_hold_what_their_events_hold) {
    BOOST_TEST(rc::check("random rounds", [] {
        ScriptWriter writer;
        std::vector<TensorId> freed;
        for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
            freed.push_back(writer.take(Bytes::of_base(i % 2 == 0 ? small_size() : any_size())));
        }
        for (const TensorId tensor : freed) {
            if (*rc::gen::inRange(0, 3) > 0) {
                writer.give(tensor);
            }
        }
        for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
            const TensorId handed = writer.place();
            writer.carry(nothing, handed);
            writer.loop(*rc::gen::inRange(1, 6), [&] { random_body(writer, handed); });
        }
        const Script script = std::move(writer).finish();
        const AllocatorSettings settings{
            .expandable = *rc::gen::arbitrary<bool>(),
            .limit = Bytes::of_base(
                *rc::gen::element(100 * MiB, 200 * MiB, std::numeric_limits<double>::infinity()))};
        const Reserved reserved = reserved_by(script, settings);
        const auto by = [&reserved](Stream stream) {
            return reserved.by_stream[static_cast<std::size_t>(stream)].base();
        };
        RC_ASSERT(by(Stream::compute) == slowly_reserved(script, Stream::compute, settings));
        RC_ASSERT(by(Stream::gather) ==
                  slowly_reserved(script, Stream::gather, {.expandable = settings.expandable}));
    }));
}

BOOST_AUTO_TEST_CASE(a_key_tells_what_allocates) {
    const auto script_of = [](double bytes, bool marked, int rounds) {
        ScriptWriter writer;
        const TensorId weights = writer.take(Bytes::of_base(bytes));
        if (marked) {
            writer.mark(writer.name("forward"));
        }
        writer.loop(rounds, [&] { writer.give(writer.take(Bytes::of_base(MiB))); });
        writer.give(weights);
        return std::move(writer).finish();
    };
    const auto key = [](const Script& script) { return replay_key(script, {}); };
    const Script script = script_of(3 * MiB, false, 2);
    BOOST_TEST(key(script) == key(script_of(3 * MiB, true, 2)));
    BOOST_TEST(key(script) != key(script_of(4 * MiB, false, 2)));
    BOOST_TEST(key(script) != key(script_of(3 * MiB, false, 3)));
    BOOST_TEST(key(script) != replay_key(script, {.expandable = true}));
    BOOST_TEST(key(script) != replay_key(script, {.limit = Bytes::of_base(100 * MiB)}));
}

// Two free blocks of 600 KiB: the one that came last is taken first. The rounds give them in the
// order of taking, which turns them round: 600 KiB more then come from the front block, and the one
// behind can join what lies behind it.
BOOST_AUTO_TEST_CASE(small_blocks_are_taken_by_age_after_a_loop) {
    constexpr double kib = 1024;
    ScriptWriter writer;
    const auto take = [&writer](double bytes) { return writer.take(Bytes::of_base(bytes)); };
    const TensorId front = take(600 * kib);
    take(512);
    const TensorId back = take(600 * kib);
    const TensorId last = take(512);  // and 847 KiB free behind it
    const TensorId room = take(MiB);
    const TensorId more = take(MiB);  // 2 MiB have room for what the loop takes
    for (const TensorId tensor : {front, back, room, more}) {
        writer.give(tensor);
    }
    writer.loop(1, [&] {
        const TensorId one = take(600 * kib);
        const TensorId other = take(600 * kib);
        writer.give(one);
        writer.give(other);
    });
    take(MiB);
    take(MiB);
    take(600 * kib);
    writer.give(last);
    take(MiB);
    BOOST_TEST(reserved_by(std::move(writer).finish(), {}).total().base() == 4 * MiB);
}

BOOST_AUTO_TEST_SUITE_END()
