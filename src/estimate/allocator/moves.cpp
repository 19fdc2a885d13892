#include "estimate/allocator/moves.h"

#include "estimate/allocator/caching_allocator.h"

#include <algorithm>
#include <utility>

namespace ridgeline {
namespace {

/// Tensors of one pool of blocks, each put behind the last one alive.
class Pile {
public:
    void put(std::size_t taken, double size) {
        alive_.push_back({taken, top() + size});
        highest_ = std::max(highest_, top());
    }
    void pass(double size) { highest_ = std::max(highest_, top() + size); }
    void drop(std::size_t taken) {
        const auto at = std::find_if(alive_.rbegin(), alive_.rend(),
                                     [taken](const Placed& each) { return each.taken == taken; });
        in_order_ = in_order_ && at == alive_.rbegin();
        alive_.erase(std::next(at).base());
    }
    [[nodiscard]] double highest() const { return highest_; }
    /// Whether each was given before those that had been taken earlier.
    [[nodiscard]] bool in_order() const { return in_order_; }

private:
    struct Placed {
        std::size_t taken = 0;
        double end = 0;
    };
    [[nodiscard]] double top() const { return alive_.empty() ? 0 : alive_.back().end; }

    std::vector<Placed> alive_;
    double highest_ = 0;
    bool in_order_ = true;
};

/// Finds the visits in the body of a loop.
///
/// A free block is as large as it can be, so that what lives decides what is free: when all that
/// was taken is given again, an allocator is where it was. Of its small blocks it takes the one
/// that came last: theirs come back in the order in which they lay only when given from the last
/// on.
///
/// How large a free block is enough: that of a pile. The allocator puts a tensor behind those that
/// live, where it does in the pile, or into a gap in front of one that lives, or elsewhere; so none
/// ends further on than in the pile.
class Body {
public:
    Body(std::vector<Move> moves, const Rounds& rounds)
        : moves_(std::move(moves)), partner_(moves_.size(), alone) {
        std::vector<std::size_t> taken(static_cast<std::size_t>(rounds.width), alone);
        const auto place = [&](TensorId id) -> std::size_t* {
            const TensorId own = id - rounds.first;
            return own >= 0 && own < rounds.width ? &taken[static_cast<std::size_t>(own)] : nullptr;
        };
        for (std::size_t i = 0; i < moves_.size(); ++i) {
            const Move& move = moves_[i];
            std::size_t* const at = place(move.tensor);
            if (at == nullptr || move.kind == Move::Kind::pass) {
                continue;
            }
            if (move.kind == Move::Kind::give && *at != alone) {
                partner_[i] = *at;
                partner_[*at] = i;
            }
            *at = move.kind == Move::Kind::take ? i : alone;
        }
    }

    /// The body with its visits.
    void write(Moves& to) const;

private:
    static constexpr std::size_t alone = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t closed(std::size_t first) const;
    [[nodiscard]] std::size_t visit_from(std::size_t first, Visit& visit) const;

    std::vector<Move> moves_;
    std::vector<std::size_t> partner_;  ///< of a take its give and the other way round
};

/// Behind the fewest moves from `first` on that give all that they take; `first` when none do.
std::size_t Body::closed(std::size_t first) const {
    std::size_t last = first;
    for (std::size_t i = first; i <= last; ++i) {
        const bool takes = moves_[i].kind == Move::Kind::take;
        if (takes || moves_[i].kind == Move::Kind::pass) {
            if (moves_[i].stream != moves_[first].stream || (takes && partner_[i] == alone)) {
                return first;
            }
            last = std::max(last, takes ? partner_[i] : i);
        } else if (partner_[i] == alone || partner_[i] < first) {
            return first;
        }
    }
    return last + 1;
}

/// Behind the moves of the longest visit from `first` on; `first` when there is none.
std::size_t Body::visit_from(std::size_t first, Visit& visit) const {
    std::size_t end = first;
    for (std::size_t more = closed(first); more > end && more <= moves_.size();) {
        end = more;
        const bool on = end < moves_.size() && moves_[end].stream == moves_[first].stream;
        more = on ? closed(end) : end;
    }
    Pile large;
    Pile small;
    for (std::size_t i = first; i < end; ++i) {
        const Move& move = moves_[i];
        const bool gives = move.kind == Move::Kind::give;
        const std::size_t taken = gives ? partner_[i] : i;
        Pile& pile = CachingAllocator::is_small(moves_[taken].size) ? small : large;
        if (gives) {
            pile.drop(taken);
        } else if (move.kind == Move::Kind::take) {
            pile.put(i, move.size);
        } else {
            pile.pass(move.size);
        }
    }
    visit.large = large.highest();
    visit.small = small.highest();
    return small.in_order() ? end : first;
}

void Body::write(Moves& to) const {
    constexpr std::size_t worth_a_look = 3;  // moves
    std::vector<std::int32_t> placed(moves_.size());
    for (std::size_t i = 0; i < moves_.size();) {
        Visit visit;
        const std::size_t end = visit_from(i, visit);
        if (end >= i + worth_a_look) {
            to.list.push_back({.kind = Move::Kind::visit,
                               .stream = moves_[i].stream,
                               .item = static_cast<std::int32_t>(to.visits.size())});
            visit.end = to.list.size() + end - i;
            to.visits.push_back(visit);
        }
        const std::size_t behind = std::max(end, i + 1);
        for (; i < behind; ++i) {
            placed[i] = static_cast<std::int32_t>(to.list.size());
            to.list.push_back(moves_[i]);
            Move& move = to.list.back();
            if (partner_[i] != alone && move.kind == Move::Kind::take) {
                move.kind = Move::Kind::take_within;
            } else if (partner_[i] != alone) {
                move.kind = Move::Kind::give_within;
                move.item = placed[partner_[i]];
            }
        }
    }
}

class Writer {
public:
    explicit Writer(const Script& script) : script_(script) {
        moves_.list.reserve(script.events.size());
        moves_.ends.resize(script.loops.size());
    }
    Moves write() && {
        for (const Event& event : script_.events) {
            add(event);
        }
        return std::move(moves_);
    }

private:
    void add(const Event& event);
    void give(const Event& event);
    void close(std::size_t loop);

    const Script& script_;
    Moves moves_;
    std::vector<std::size_t> open_;  ///< first moves of the loops that are open
    bool innermost_ = false;         ///< whether the last of them has no other loop in it
};

void Writer::add(const Event& event) {
    Move move{.stream = event.stream, .tensor = event.tensor, .item = event.item};
    switch (event.kind) {
        case Event::Kind::take:
            move.size = CachingAllocator::rounded(event.bytes.base());
            break;
        case Event::Kind::give:
            give(event);
            return;
        case Event::Kind::carry:
            move.kind = Move::Kind::carry;
            break;
        case Event::Kind::loop:
            move.kind = Move::Kind::loop;
            open_.push_back(moves_.list.size() + 1);
            innermost_ = true;
            break;
        case Event::Kind::end:
            close(static_cast<std::size_t>(event.item));
            return;
        default:
            return;
    }
    moves_.list.push_back(move);
}

/// What is given at once never has to be found again.
void Writer::give(const Event& event) {
    Move* const last = moves_.list.empty() ? nullptr : &moves_.list.back();
    if (last != nullptr && last->kind == Move::Kind::take && last->tensor == event.tensor) {
        last->kind = Move::Kind::pass;
    } else {
        moves_.list.push_back({.kind = Move::Kind::give, .tensor = event.tensor});
    }
}

void Writer::close(std::size_t loop) {
    std::vector<Move>& list = moves_.list;
    if (innermost_) {
        const auto begin = list.begin() + static_cast<std::ptrdiff_t>(open_.back());
        const Body body({begin, list.end()}, script_.loops[loop].own);
        list.erase(begin, list.end());
        body.write(moves_);
    }
    innermost_ = false;
    open_.pop_back();
    moves_.ends[loop] = list.size();
}

}  // namespace

Moves moves_of(const Script& script) { return Writer(script).write(); }

}  // namespace ridgeline
