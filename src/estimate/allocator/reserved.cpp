#include "estimate/allocator/reserved.h"

#include "estimate/allocator/caching_allocator.h"
#include "estimate/allocator/moves.h"

#include <bit>
#include <limits>
#include <vector>

namespace ridgeline {
namespace {

class Player {
public:
    Player(const Script& script, const AllocatorSettings& settings)
        : loops_(script.loops),
          moves_(moves_of(script)),
          pools_{pool_for(Stream::compute, settings), pool_for(Stream::gather, settings),
                 pool_for(Stream::reduce, settings), pool_for(Stream::exchange, settings),
                 pool_for(Stream::copy, settings)},
          tensors_(static_cast<std::size_t>(script.tensors)) {}

    Reserved run() {
        held_.resize(tensors_);
        walk(0, moves_.list.size());
        Reserved reserved;
        for (std::size_t i = 0; i < streams; ++i) {
            reserved.by_stream[i] = Bytes::of_base(pools_[i].most_held());
        }
        return reserved;
    }

private:
    static CachingAllocator pool_for(Stream stream, const AllocatorSettings& settings) {
        const double limit = stream == Stream::compute ? settings.limit.base()
                                                       : std::numeric_limits<double>::infinity();
        return CachingAllocator(limit, settings.expandable, static_cast<std::uint8_t>(stream));
    }

    /// Ids that are moved in a round that is open.
    struct Shift {
        TensorId first = 0;
        std::uint32_t width = 0;
        TensorId by = 0;
    };

    /// The tensor that an id means in the rounds that are open.
    CachingAllocator::Handle& held(TensorId id) {
        TensorId moved = id;
        for (const Shift& shift : shifts_) {
            moved += static_cast<std::uint32_t>(id - shift.first) < shift.width ? shift.by : 0;
        }
        return held_[static_cast<std::size_t>(moved)];
    }
    void open(const Rounds& rounds, int round) {
        if (rounds.width == 0) {
            return;
        }
        shifts_.push_back(
            {rounds.first, static_cast<std::uint32_t>(rounds.width), round * rounds.width});
    }
    CachingAllocator& pool(Stream stream) { return pools_[static_cast<std::size_t>(stream)]; }
    void walk(std::size_t begin, std::size_t end);
    /// A loop, the moves of which begin with `first`.
    void play(std::size_t item, std::size_t first);

    std::vector<Loop> loops_;
    Moves moves_;
    CachingAllocator pools_[streams];  ///< by stream
    std::size_t tensors_;
    std::vector<CachingAllocator::Handle> held_;  ///< by id
    std::vector<Shift> shifts_;
};

void Player::walk(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        Move& move = moves_.list[i];
        switch (move.kind) {
            case Move::Kind::take_within:
                move.block = pool(move.stream).take_rounded(move.size, move.guess);
                break;
            case Move::Kind::give_within: {
                const Move& taken = moves_.list[static_cast<std::size_t>(move.item)];
                pool(taken.stream).give(taken.block);
                break;
            }
            case Move::Kind::take:
                held(move.tensor) = pool(move.stream).take_rounded(move.size, move.guess);
                break;
            case Move::Kind::give:
                if (const CachingAllocator::Handle given = held(move.tensor)) {
                    pools_[CachingAllocator::number_of(given)].give(given);
                }
                break;
            case Move::Kind::pass:
                pool(move.stream).pass_rounded(move.size);
                break;
            case Move::Kind::carry:
                held(move.item) = move.tensor == nothing ? nullptr : held(move.tensor);
                break;
            case Move::Kind::visit: {
                const Visit& visit = moves_.visits[static_cast<std::size_t>(move.item)];
                i = pool(move.stream).has_free(visit.large, visit.small) ? visit.end - 1 : i;
                break;
            }
            case Move::Kind::loop:
                play(static_cast<std::size_t>(move.item), i + 1);
                i = moves_.ends[static_cast<std::size_t>(move.item)] - 1;
                break;
        }
    }
}

void Player::play(std::size_t item, std::size_t first) {
    const Loop& loop = loops_[item];
    for (int turn = 0; turn < loop.own.count; ++turn) {
        const std::size_t outer = shifts_.size();
        open(loop.own, loop.round(turn));
        open(loop.beside, loop.round(turn));
        walk(first, moves_.ends[item]);
        shifts_.resize(outer);
    }
}

/// Mixes a value into a key (Steele, Lea and Flood 2014, SplitMix64).
std::uint64_t mixed(std::uint64_t key, std::uint64_t value) {
    key += value + 0x9e3779b97f4a7c15;
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9;
    key = (key ^ (key >> 27)) * 0x94d049bb133111eb;
    return key ^ (key >> 31);
}

std::uint64_t pair_of(std::int32_t high, std::int32_t low) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 |
           static_cast<std::uint32_t>(low);
}

std::uint64_t mixed(std::uint64_t key, const Rounds& rounds) {
    return mixed(mixed(key, pair_of(rounds.first, rounds.width)),
                 static_cast<std::uint64_t>(rounds.count));
}

}  // namespace

std::uint64_t replay_key(const Script& script, const AllocatorSettings& settings) {
    std::uint64_t key =
        mixed(settings.expandable ? 1 : 0, std::bit_cast<std::uint64_t>(settings.limit.base()));
    for (const Loop& loop : script.loops) {
        key = mixed(mixed(mixed(key, loop.own), loop.beside), loop.backwards ? 1 : 0);
    }
    for (const Event& event : script.events) {
        const bool allocates = event.kind == Event::Kind::take || event.kind == Event::Kind::give ||
                               event.kind == Event::Kind::carry ||
                               event.kind == Event::Kind::loop || event.kind == Event::Kind::end;
        if (allocates) {
            key = mixed(key, pair_of(static_cast<std::int32_t>(event.kind),
                                     static_cast<std::int32_t>(event.stream)));
            key = mixed(key, pair_of(event.tensor, event.item));
            key = mixed(key, std::bit_cast<std::uint64_t>(event.bytes.base()));
        }
    }
    return key;
}

Bytes Reserved::total() const {
    Bytes sum;
    for (const Bytes bytes : by_stream) {
        sum += bytes;
    }
    return sum;
}

Reserved reserved_by(const Script& script, const AllocatorSettings& settings) {
    return Player(script, settings).run();
}

Reserved reserved_by(Script&& script, const AllocatorSettings& settings) {
    Player player(script, settings);
    script = {};
    return player.run();
}

}  // namespace ridgeline
