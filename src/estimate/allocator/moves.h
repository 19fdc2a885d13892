#pragma once

#include "estimate/allocator/caching_allocator.h"
#include "estimate/work/script.h"

#include <cstdint>
#include <vector>

namespace ridgeline {

/// What an event asks of an allocator.
struct Move {
    enum class Kind : std::uint8_t {
        take,
        give,
        pass,  ///< taken and given at once
        carry,
        loop,
        visit,
        take_within,  ///< given again by the same round, which finds it in `block`
        give_within,  ///< what the move `item` took
    };
    Kind kind = Kind::take;
    Stream stream = Stream::compute;
    TensorId tensor = nothing;
    std::int32_t item = -1;  ///< as in the event; of `visits` for a visit
    std::uint32_t guess = CachingAllocator::first_bin;  ///< of the allocator, from the round before
    double size = 0;                                    ///< rounded
    CachingAllocator::Handle block = nullptr;           ///< of the round that is played
};

/// Moves side by side in a loop that give all that they take and nothing else, and so leave an
/// allocator as they found it unless it has to grow for them.
struct Visit {
    std::size_t end = 0;  ///< the move behind them
    // Free blocks of these bytes, one of each pool, are enough for them.
    double large = 0;
    double small = 0;
};

/// A script without the events that ask an allocator for nothing.
struct Moves {
    std::vector<Move> list;
    std::vector<std::size_t> ends;  ///< of each loop of the script
    std::vector<Visit> visits;
};

Moves moves_of(const Script& script);

}  // namespace ridgeline
