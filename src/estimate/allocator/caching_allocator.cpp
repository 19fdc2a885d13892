#include "estimate/allocator/caching_allocator.h"

#include <algorithm>
#include <cmath>

// A replay takes and gives a hundred thousand tensors: a block that is split or that joins another
// stays in the list of free blocks and only moves to the bin of its new size; and what every tensor
// passes through is `inline`, which without the word the compiler leaves as calls.

namespace ridgeline {
namespace {

constexpr double step = 512;  // kMinBlockSize of CUDACachingAllocator
constexpr double mib = 1024.0 * 1024.0;

double in_units(double bytes, double unit) { return std::ceil(bytes / unit) * unit; }

double segment_for(double size) {
    if (size <= mib) {
        return 2 * mib;
    }
    return size < 10 * mib ? 20 * mib : in_units(size, 2 * mib);
}

}  // namespace

double CachingAllocator::rounded(double bytes) { return std::max(step, in_units(bytes, step)); }

inline CachingAllocator::Handle CachingAllocator::part(double size, double address, bool small) {
    Handle made = unused_;
    if (made == nullptr) {
        made = &parts_.emplace_back();
    } else {
        unused_ = made->next;
    }
    made->size = size;
    made->address = address;
    made->before = made->after = nullptr;
    made->small = small;
    made->free = false;
    made->number = number_;
    return made;
}

inline void CachingAllocator::retire(Handle handle) {
    handle->free = false;
    handle->next = unused_;
    unused_ = handle;
}

/// The smallest bin of blocks that are no smaller than `size`, looked for from `guess` on: bins
/// move by few places between two questions for one size.
inline CachingAllocator::Bin* CachingAllocator::Free::bin_for(double size, std::uint32_t guess) {
    Bin* bin = std::min(bins.data() + guess, &bins.back());
    while (bin[-1].size >= size) {
        --bin;
    }
    while (bin->size < size) {
        ++bin;
    }
    return bin;
}

/// An empty bin in front of another.
CachingAllocator::Bin* CachingAllocator::Free::insert(Bin* before, double size) {
    return &*bins.insert(bins.begin() + (before - bins.data()), {.size = size});
}

void CachingAllocator::Free::erase(const Bin* bin) {
    bins.erase(bins.begin() + (bin - bins.data()));
}

/// Puts a block into the list of its bin.
inline void CachingAllocator::list(Bin& bin, Handle handle) {
    Part& block = *handle;
    // In the order of addresses, from the block that was listed last: rounds go up or down. Small
    // blocks are many and their order changes little.
    Handle before = nullptr;
    Handle after = bin.first;
    if (after != nullptr && !block.small) {
        after = bin.near;
        before = after->previous;
        while (before != nullptr && before->address >= block.address) {
            after = before;
            before = after->previous;
        }
        while (after != nullptr && after->address < block.address) {
            before = after;
            after = after->next;
        }
    }
    block.previous = before;
    block.next = after;
    if (after != nullptr) {
        after->previous = handle;
    }
    (before != nullptr ? before->next : bin.first) = handle;
    bin.near = handle;
}

/// Takes a block out of the list of its bin. True when that was the last one.
inline bool CachingAllocator::unlist(Bin& bin, Handle handle) {
    const Part& block = *handle;
    if (block.next != nullptr) {
        block.next->previous = block.previous;
    }
    (block.previous != nullptr ? block.previous->next : bin.first) = block.next;
    if (bin.near == handle) {
        bin.near = block.next != nullptr ? block.next : block.previous;
    }
    return bin.first == nullptr;
}

/// The bin of a free block.
inline CachingAllocator::Bin* CachingAllocator::bin_of(Handle handle) {
    return pool(handle->small).bin_for(handle->size, handle->bin);
}

inline void CachingAllocator::enter(Handle handle) {
    Part& block = *handle;
    block.free = true;
    Free& free = pool(block.small);
    Bin* bin = free.bin_for(block.size, block.bin);
    if (bin->size != block.size) {
        bin = free.insert(bin, block.size);
    }
    block.bin = free.place_of(bin);
    list(*bin, handle);
}

inline void CachingAllocator::leave(Handle handle, Bin* bin) {
    handle->free = false;
    if (unlist(*bin, handle)) {
        pool(handle->small).erase(bin);
    }
}

/// A free block of bin `from` becomes one of `size` bytes.
inline void CachingAllocator::resize(Handle handle, Bin* from, double size) {
    Part& block = *handle;
    const bool alone = from->first == handle && block.next == nullptr;
    if (alone && from[-1].size < size && size < from[1].size) {  // its bin stays where it is
        from->size = block.size = size;
    } else {
        move(handle, from, size);
    }
}

/// The same where the block changes its bin, or its bin the place.
void CachingAllocator::move(Handle handle, Bin* from, double size) {
    Part& block = *handle;
    Free& free = pool(block.small);
    const bool empty = unlist(*from, handle);
    block.size = size;
    Bin* to = from;
    while (to[-1].size >= size) {
        --to;
    }
    while (to->size < size) {
        ++to;
    }
    const bool known = to->size == size;
    if (empty && !known) {  // its bin goes along
        to -= to > from ? 1 : 0;
        for (; from > to; --from) {
            *from = from[-1];
        }
        for (; from < to; ++from) {
            *from = from[1];
        }
        to->size = size;
        to->first = to->near = nullptr;
    } else if (empty) {
        free.erase(from);
        to -= to > from ? 1 : 0;
    } else if (!known) {
        to = free.insert(to, size);
    }
    block.bin = free.place_of(to);
    list(*to, handle);
}

inline bool CachingAllocator::splits(double rest, bool small) const {
    return small || expandable_ ? rest >= step : rest > mib;
}

/// Parts `size` bytes from the front of a block, which keeps the rest; returns the front.
inline CachingAllocator::Handle CachingAllocator::cut(Handle handle, double size) {
    Part& block = *handle;
    const Handle front = part(size, block.address, block.small);
    front->before = block.before;
    front->after = handle;
    if (block.before != nullptr) {
        block.before->after = front;
    }
    block.before = front;
    block.address += size;
    return front;
}

CachingAllocator::Handle CachingAllocator::new_segment(double size, bool small) {
    const double segment = segment_for(size);
    if (held_ + segment > limit_) {
        give_back_unused();
    }
    const Handle handle = part(segment, next_address_, small);
    next_address_ += segment;
    held_ += segment;
    return handle;
}

/// The block at the end of the pool's segment, grown to `size` if it is free.
CachingAllocator::Handle CachingAllocator::grown_segment(double size, bool small) {
    Handle& end = end_of(small);
    const bool joins = end != nullptr && end->free;
    const double missing = joins ? size - end->size : size;
    const double grown = in_units(missing, small ? 2 * mib : 20 * mib);
    held_ += grown;
    if (joins) {
        leave(end, bin_of(end));
        end->size += grown;
        return end;
    }
    const Handle made = part(grown, end != nullptr ? end->address + end->size : 0, small);
    made->before = end;
    if (end != nullptr) {
        end->after = made;
    }
    end = made;
    return made;
}

CachingAllocator::Handle CachingAllocator::take_new(double size, bool small) {
    const Handle whole = expandable_ ? grown_segment(size, small) : new_segment(size, small);
    most_held_ = std::max(most_held_, held_);
    const double rest = whole->size - size;
    if (!splits(rest, small)) {
        return whole;
    }
    const Handle front = cut(whole, size);
    whole->size = rest;
    enter(whole);
    return front;
}

CachingAllocator::Handle CachingAllocator::take_rounded(double size, std::uint32_t& guess) {
    const bool small = is_small(size);
    Free& free = pool(small);
    Bin* const fitting = free.bin_for(size, guess);
    guess = free.place_of(fitting);
    Handle handle = fitting->first;
    if (handle == nullptr) {  // the one without end
        handle = take_new(size, small);
    } else {
        const double rest = handle->size - size;
        if (splits(rest, small)) {
            const Handle front = cut(handle, size);
            resize(handle, fitting, rest);
            handle = front;
        } else {
            leave(handle, fitting);
        }
    }
    handle->bin = guess;
    used_ += handle->size;
    return handle;
}

void CachingAllocator::pass_rounded(double size) {
    // What comes from a free block joins its rest again.
    if (pool(is_small(size)).largest() < size) {
        std::uint32_t guess = first_bin;
        give(take_rounded(size, guess));
    }
}

void CachingAllocator::give_back_unused() {
    // Free blocks are few beside all parts, and near the limit this is asked for each new segment.
    std::vector<Handle> whole;
    for (const Free& free : free_) {
        for (const Bin& bin : free.bins) {
            for (Handle block = bin.first; block != nullptr; block = block->next) {
                if (block->before == nullptr && block->after == nullptr) {
                    whole.push_back(block);
                }
            }
        }
    }
    for (const Handle block : whole) {
        held_ -= block->size;
        leave(block, bin_of(block));
        retire(block);
    }
}

void CachingAllocator::give(Handle handle) {
    const Handle before = handle->before;
    const Handle after = handle->after;
    const double bytes = handle->size;
    used_ -= bytes;
    const bool joins_after = after != nullptr && after->free;
    const bool joins_before = before != nullptr && before->free;
    if (!joins_after && !joins_before) {
        enter(handle);
        return;
    }
    retire(handle);
    if (!joins_before) {
        after->address = handle->address;
        after->before = before;
        if (before != nullptr) {
            before->after = after;
        }
        resize(after, bin_of(after), bytes + after->size);
        return;
    }
    Handle end = handle;
    Handle next = after;
    double size = before->size + bytes;
    if (joins_after) {
        end = after;
        next = end->after;
        size += end->size;
        leave(end, bin_of(end));
        retire(end);
    }
    before->after = next;
    if (next != nullptr) {
        next->before = before;
    }
    if (Handle& last = end_of(before->small); last == end) {
        last = before;
    }
    resize(before, bin_of(before), size);
}

}  // namespace ridgeline
