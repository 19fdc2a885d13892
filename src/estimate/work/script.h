#pragma once

#include "base/quantity.h"
#include "spec/calibration.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline {

struct Operator;

/// Queues of a device. What one has issued runs in order; two run beside each other. The caching
/// allocator has a pool for each.
enum class Stream : std::uint8_t {
    compute,
    gather,    ///< gathers parameters
    reduce,    ///< reduces gradients
    exchange,  ///< activations between ranks: tensor, context, expert and pipeline parallelism
    copy,      ///< to and from the host
};
inline constexpr std::size_t streams = 5;
std::string_view name_of(Stream stream);

/// What a tensor is for.
enum class Category : std::uint8_t {
    weight,
    gradient,
    state,      ///< of the optimizer
    kept,       ///< by the forward pass for the backward pass
    transient,  ///< within an operator or between two
    gathered,   ///< parameters of other ranks
    reduced,    ///< on its way into a reduction
    logits,
    cache,  ///< keys and values
    workspace,
    buffer,  ///< of a framework or of a link
    input,   ///< of the batch
};
inline constexpr std::size_t categories = 12;
std::string_view name_of(Category category);

enum class Phase : std::uint8_t { forward, again, backward, update };
std::string_view name_of(Phase phase);

enum class Place : std::uint8_t { device, host, storage };

using TensorId = std::int32_t;
inline constexpr TensorId nothing = -1;

/// One thing that a run does to one device. `item` and `name` point into the tables of the Script.
struct Event {
    enum class Kind : std::uint8_t {
        take,        ///< `tensor` of `bytes` is made on `stream`
        give,        ///< the last use of `tensor` has been issued
        carry,       ///< `tensor`, or nothing, goes on under the id `item`, for the next round
        run,         ///< operator `item` of `runs`
        collective,  ///< `bytes` among the ranks of `item` of `exchanges`
        copy,        ///< `bytes` from one place to another: `item` of `copies`
        wait,        ///< `stream` for what `other` has issued
        mark,        ///< a moment with a name; `item`: its layer, or -1
        loop,        ///< `item` of `loops`: the events up to `end`, again and again
        end,
    };
    Kind kind = Kind::mark;
    Stream stream = Stream::compute;
    Stream other = Stream::compute;
    Category category = Category::transient;
    TensorId tensor = nothing;
    std::int32_t item = -1;
    std::int32_t name = -1;
    Bytes bytes{};
};

/// Tensors of equal rounds: those of round r have the ids of round 0 moved by r width.
struct Rounds {
    TensorId first = 0;
    int width = 0;
    int count = 0;
    [[nodiscard]] TensorId moved(TensorId id, int round) const {
        return id >= first && id < first + width ? round * width : 0;
    }
};

/// Equal rounds. Ids of `own`, made in the body, and of `beside`, made by an earlier loop of as
/// many rounds, are those of the round; all others are the same in every round.
struct Loop {
    Rounds own{};
    Rounds beside{};
    bool backwards = false;  ///< the last round of `beside` comes first
    std::size_t end = 0;     ///< event that ends it
    /// The round of `beside` and `own` that comes as number `turn`.
    [[nodiscard]] int round(int turn) const { return backwards ? own.count - 1 - turn : turn; }
};

struct Run {
    const Operator* op = nullptr;  ///< of the list that the script was written from
    Phase phase = Phase::forward;
};
struct GroupExchange {
    Collective kind = Collective::all_gather;
    int ranks = 1;
};
struct Copy {
    Place from = Place::device;
    Place to = Place::host;
};

/// What a run does to one device, as a flat list. Readers know nothing of models and frameworks:
/// memory/live_bytes.h, allocator/reserved.h, time/timeline.h, time/listing.h.
struct Script {
    std::vector<Event> events;
    std::vector<std::string_view> names;  ///< for people
    std::vector<Run> runs;
    std::vector<GroupExchange> exchanges;
    std::vector<Copy> copies;
    std::vector<Loop> loops;
    TensorId tensors = 0;  ///< all ids are below
    [[nodiscard]] std::string_view name_of(const Event& event) const {
        return event.name < 0 ? std::string_view{} : names[static_cast<std::size_t>(event.name)];
    }
};

/// Writes a script event by event.
class ScriptWriter {
public:
    /// An index for `take` and `mark`; make one once, not for each event.
    int name(std::string_view text);
    TensorId take(Bytes bytes, Stream stream = Stream::compute,
                  Category category = Category::transient, int name = -1);
    /// Nothing when `tensor` is nothing; an id under which nothing was carried gives nothing.
    void give(TensorId tensor);
    /// An id of no tensor yet: for `carry`.
    TensorId place() { return script_.tensors++; }
    void carry(TensorId from, TensorId to);
    void run(const Operator& op, Phase phase, Stream stream = Stream::compute);
    void collective(Collective kind, Bytes bytes, int ranks, Stream stream);
    void copy(Bytes bytes, Place from, Place to, Stream stream = Stream::copy);
    void wait(Stream waits, Stream for_what);
    void mark(int name, int layer = -1);
    /// Calls `body` once; its events stand for `count` rounds (at least 1).
    ///
    /// beside     rounds of an earlier loop whose tensors the body names too
    /// backwards  in the opposite order
    template <typename Body>
    Rounds loop(int count, Body body, Rounds beside = {}, bool backwards = false) {
        const std::size_t opened = open(count, beside, backwards);
        body();
        return close(opened);
    }
    /// Room for so many events, where their number is about known.
    void reserve(std::size_t events) { script_.events.reserve(events); }
    Script finish() && { return std::move(script_); }

private:
    std::size_t open(int count, Rounds beside, bool backwards);
    Rounds close(std::size_t loop);

    Script script_;
};

}  // namespace ridgeline
