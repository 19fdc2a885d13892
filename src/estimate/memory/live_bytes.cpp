#include "estimate/memory/live_bytes.h"

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
    void note(std::size_t stream);

    const Script& script_;
    std::vector<Held> tensors_;  ///< by the id of a round's first: all rounds are of equal sizes
    Alive now_;
    bool passed_over_ = false;  ///< rounds of a loop, since the last note
    LiveBytes result_;
};

void Fold::change(const Held& tensor, double sign) {
    const Bytes bytes = tensor.bytes * sign;
    now_.total += bytes;
    now_.by_category[static_cast<std::size_t>(tensor.category)] += bytes;
    now_.by_stream[static_cast<std::size_t>(tensor.stream)] += bytes;
}

/// After `stream` has taken a tensor: of the others no more is alive than was noted, unless rounds
/// were passed over.
void Fold::note(std::size_t stream) {
    LiveInstant& instant = result_.instants.back();
    if (now_.total > instant.total) {
        instant.total = now_.total;
        instant.by_category = now_.by_category;
    }
    const std::size_t first = passed_over_ ? 0 : stream;
    const std::size_t end = passed_over_ ? streams : stream + 1;
    for (std::size_t i = first; i < end; ++i) {
        result_.stream_peak[i] = std::max(result_.stream_peak[i], now_.by_stream[i]);
    }
    passed_over_ = false;
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
                note(static_cast<std::size_t>(event.stream));
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
                // What comes behind may name a tensor of any round.
                const auto first = tensors_.begin() + rounds.own.first;
                for (int round = 1; round < rounds.own.count; ++round) {
                    std::copy_n(first, rounds.own.width, first + round * rounds.own.width);
                }
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
    passed_over_ = true;
    walk(begin, loop.end);
}

}  // namespace

namespace {

/// How an answer tells of a category.
struct Told {
    Category category;
    std::string_view name;
    std::string_view formula;
    Churn churn = Churn::none;
};
constexpr std::array told = {
    Told{Category::weight, "weights",
         "parameters x bytes of their type; norms and biases with all that trains them"},
    Told{Category::state, "optimizer state", "moments x bytes of their type"},
    Told{Category::input, "batch", "what the loop gives to the network"},
    Told{Category::gradient, "gradients",
         "bytes of their type x parameters whose backward pass has run"},
    Told{Category::reduced, "gradient buckets", "a copy of the gradients that ranks reduce"},
    Told{Category::kept, "activations", "what each operator keeps for its backward pass",
         Churn::layers},
    Told{Category::transient, "passing", "maps, their gradients and lists that come and go",
         Churn::layers},
    Told{Category::gathered, "gathered weights", "parameters of other ranks"},
    Told{Category::logits, "logits", "tokens vocabulary bytes"},
    Told{Category::cache, "cache", "keys and values"},
    Told{Category::workspace, "library workspace",
         "workspaces of the BLAS library, one for each pass"},
    Told{Category::buffer, "buffers", "of the framework and of links"},
};
static_assert(told.size() == categories);

}  // namespace

std::vector<Component> LiveInstant::components() const {
    std::vector<Component> list;
    for (const Told& one : told) {
        const Bytes size = by_category[static_cast<std::size_t>(one.category)];
        if (size.base() > 0) {
            Component component;
            component.name = one.name;
            component.size = size;
            component.formula = one.formula;
            component.churn = one.churn;
            list.push_back(component);
        }
    }
    return list;
}

LiveBytes live_bytes(const Script& script) { return Fold(script).run(); }

}  // namespace ridgeline
