#include "estimate/memory/live_bytes.h"

#include "base/order.h"

#include <algorithm>

namespace ridgeline {
namespace {

class Fold {
public:
    explicit Fold(const Script& script)
        : script_(script), tensors_(static_cast<std::size_t>(script.tensors)) {
        result_.instants.emplace_back();
    }

    LiveBytes run() {
        walk(0, script_.events.size());
        for (std::size_t i = 0; i < result_.instants.size(); ++i) {
            if (result_.instants[i].total > result_.instants[result_.peak].total) {
                result_.peak = i;
            }
        }
        result_.left = now_.total;
        return std::move(result_);
    }

private:
    struct Held {
        Bytes bytes;
        Stream stream = Stream::compute;
        Category category = Category::transient;
    };
    /// What is alive, by category and by stream.
    struct Alive {
        Bytes total;
        std::array<Bytes, categories> by_category{};
        std::array<Bytes, streams> by_stream{};
    };

    Held& held(TensorId id) { return tensors_[static_cast<std::size_t>(id)]; }
    void walk(std::size_t begin, std::size_t end);
    void loop(const Loop& loop, std::size_t begin);
    void change(const Held& tensor, double sign);
    void begin_instant(const Event& mark);
    void note();

    const Script& script_;
    std::vector<Held> tensors_;  ///< by the id of a round's first: all rounds are of equal sizes
    Alive now_;
    LiveBytes result_;
};

void Fold::change(const Held& tensor, double sign) {
    const Bytes bytes = tensor.bytes * sign;
    now_.total += bytes;
    now_.by_category[static_cast<std::size_t>(tensor.category)] += bytes;
    now_.by_stream[static_cast<std::size_t>(tensor.stream)] += bytes;
}

void Fold::note() {
    LiveInstant& instant = result_.instants.back();
    if (now_.total > instant.total) {
        instant.total = now_.total;
        instant.by_category = now_.by_category;
    }
    for (std::size_t i = 0; i < streams; ++i) {
        result_.stream_peak[i] = std::max(result_.stream_peak[i], now_.by_stream[i]);
    }
}

void Fold::begin_instant(const Event& mark) {
    LiveInstant instant;
    instant.name = script_.name_of(mark);
    instant.layer = mark.item;
    instant.total = now_.total;
    instant.by_category = now_.by_category;
    result_.instants.push_back(instant);
}

void Fold::walk(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const Event& event = script_.events[i];
        switch (event.kind) {
            case Event::Kind::take:
                held(event.tensor) = {event.bytes, event.stream, event.category};
                change(held(event.tensor), 1);
                note();
                break;
            case Event::Kind::give:
                change(held(event.tensor), -1);
                break;
            case Event::Kind::carry:
                held(event.item) = event.tensor == nothing ? Held{} : held(event.tensor);
                break;
            case Event::Kind::mark:
                begin_instant(event);
                break;
            case Event::Kind::loop: {
                const Loop& rounds = script_.loops[static_cast<std::size_t>(event.item)];
                loop(rounds, i + 1);
                i = rounds.end;
                break;
            }
            default:
                break;
        }
    }
}

void Fold::loop(const Loop& loop, std::size_t begin) {
    walk(begin, loop.end);  // may give back what came before the loop: no round is like it
    if (loop.own.count < 2) {
        return;
    }
    const Alive before = now_;
    walk(begin, loop.end);
    if (loop.own.count < 3) {
        return;
    }
    const double between = loop.own.count - 3;
    now_.total += (now_.total - before.total) * between;
    for (std::size_t i = 0; i < categories; ++i) {
        now_.by_category[i] += (now_.by_category[i] - before.by_category[i]) * between;
    }
    for (std::size_t i = 0; i < streams; ++i) {
        now_.by_stream[i] += (now_.by_stream[i] - before.by_stream[i]) * between;
    }
    walk(begin, loop.end);
}

}  // namespace

std::vector<Component> LiveInstant::components() const {
    std::vector<Component> list;
    for (std::size_t i = 0; i < categories; ++i) {
        if (by_category[i].base() > 0) {
            Component component;
            component.name = name_of(static_cast<Category>(i));
            component.size = by_category[i];
            component.formula = "sum of the tensors alive (see the listing)";
            list.push_back(component);
        }
    }
    stable_order(list.begin(), list.end(), [](const Component& a, const Component& b) {
        return a.size > b.size;
    });
    return list;
}

LiveBytes live_bytes(const Script& script) {
    return Fold(script).run();
}

}  // namespace ridgeline
