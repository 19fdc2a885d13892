#include "estimate/allocator/reserved.h"

#include "estimate/allocator/caching_allocator.h"

#include <vector>

namespace ridgeline {
namespace {

class Player {
public:
    Player(const Script& script, const AllocatorSettings& settings)
        : script_(script), held_(static_cast<std::size_t>(script.tensors)) {
        pools_.reserve(streams);
        for (std::size_t i = 0; i < streams; ++i) {
            const bool computes = static_cast<Stream>(i) == Stream::compute;
            const double limit =
                computes ? settings.limit.base() : std::numeric_limits<double>::infinity();
            pools_.emplace_back(limit, settings.expandable);
        }
    }

    Reserved run() {
        walk(0, script_.events.size());
        Reserved reserved;
        for (std::size_t i = 0; i < streams; ++i) {
            reserved.by_stream[i] = Bytes::of_base(pools_[i].most_held());
        }
        return reserved;
    }

private:
    struct Held {
        CachingAllocator::Handle handle = -1;
        Stream stream = Stream::compute;
    };

    /// The tensor that an id means in the rounds that are open.
    Held& held(TensorId id) {
        TensorId moved = id;
        for (const Open& open : open_) {
            moved += open.loop->own.moved(id, open.round) + open.loop->beside.moved(id, open.round);
        }
        return held_[static_cast<std::size_t>(moved)];
    }
    CachingAllocator& pool(Stream stream) { return pools_[static_cast<std::size_t>(stream)]; }
    void walk(std::size_t begin, std::size_t end);

    struct Open {
        const Loop* loop;
        int round;
    };
    const Script& script_;
    std::vector<CachingAllocator> pools_;
    std::vector<Held> held_;
    std::vector<Open> open_;
};

void Player::walk(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const Event& event = script_.events[i];
        if (event.kind == Event::Kind::take) {
            held(event.tensor) = {pool(event.stream).take(event.bytes.base()), event.stream};
        } else if (event.kind == Event::Kind::give) {
            const Held& given = held(event.tensor);
            pool(given.stream).give(given.handle);
        } else if (event.kind == Event::Kind::carry) {
            held(event.item) = held(event.tensor);
        } else if (event.kind == Event::Kind::loop) {
            const Loop& loop = script_.loops[static_cast<std::size_t>(event.item)];
            for (int turn = 0; turn < loop.own.count; ++turn) {
                open_.push_back({&loop, loop.round(turn)});
                walk(i + 1, loop.end);
                open_.pop_back();
            }
            i = loop.end;
        }
    }
}

}  // namespace

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

}  // namespace ridgeline
