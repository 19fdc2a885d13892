#include "estimate/allocator/caching_allocator.h"

#include <algorithm>
#include <cmath>

// A replay takes and gives a hundred thousand tensors: a block that is split or that joins another
// stays in the list of free blocks and only moves to the bin of its new size; and what every tensor
// passes through is `inline`, which without the word the compiler leaves as calls.

namespace ridgeline {
namespace {

constexpr double step = 512;
constexpr double mib = 1024.0 * 1024.0;

double in_units(double bytes, double unit) {
    return std::ceil(bytes / unit) * unit;
}

double segment_for(double size) {
    if (size <= mib) {
        return 2 * mib;
    }
    return size < 10 * mib ? 20 * mib : in_units(size, 2 * mib);
}

}  // namespace

double CachingAllocator::rounded(double bytes) {
    return std::max(step, in_units(bytes, step));
}

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

/// The smallest bin of blocks that are no smaller than `size`, looked for from `guess` on: bins move by
/// few places between two questions for one size.
inline std::size_t CachingAllocator::bin_for(const Free& free, double size, std::size_t guess) {
    const Bin* const first = free.data();
    const Bin* bin = first + std::clamp<std::size_t>(guess, 1, free.size() - 1);
    while (bin[-1].size >= size) {
        --bin;
    }
    while (bin->size < size) {
        ++bin;
    }
    return static_cast<std::size_t>(bin - first);
}

/// Puts a block into the list of its bin.
inline void CachingAllocator::list(Free& free, std::size_t place, Handle handle) {
    Part& block = *handle;
    Bin& bin = free[place];
    block.bin = static_cast<std::uint32_t>(place);
    // In the order of addresses, from the block that was listed last: rounds go up or down. Small
    // blocks are many and their order changes little.
    Handle before = nullptr;
    Handle after = bin.first;
    if (!block.small && bin.near != nullptr) {
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
inline bool CachingAllocator::unlist(Free& free, std::size_t place, Handle handle) {
    const Part& block = *handle;
    Bin& bin = free[place];
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
inline std::size_t CachingAllocator::bin_of(Handle handle) {
    return bin_for(pool(handle->small), handle->size, handle->bin);
}

void CachingAllocator::enter(Handle handle) {
    Part& block = *handle;
    block.free = true;
    Free& free = pool(block.small);
    const std::size_t bin = bin_for(free, block.size, block.bin);
    if (free[bin].size != block.size) {
        free.insert(free.begin() + static_cast<std::ptrdiff_t>(bin), {.size = block.size});
    }
    list(free, bin, handle);
}

void CachingAllocator::leave(Handle handle, std::size_t bin) {
    handle->free = false;
    Free& free = pool(handle->small);
    if (unlist(free, bin, handle)) {
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(bin));
    }
}

/// A free block of bin `from` becomes one of `size` bytes.
void CachingAllocator::resize(Handle handle, std::size_t from, double size) {
    Part& block = *handle;
    Free& free = pool(block.small);
    Bin& bin = free[from];
    if (free[from - 1].size < size && size < free[from + 1].size && bin.first == handle && block.next == nullptr) {  // alone, and stays where it is
        bin.size = size;
        block.size = size;
        block.bin = static_cast<std::uint32_t>(from);
        return;
    }
    const bool empty = unlist(free, from, handle);
    block.size = size;
    std::size_t to = bin_for(free, size, from);
    const bool known = free[to].size == size;
    if (empty && !known) {  // its bin goes along
        to -= to > from ? 1 : 0;
        for (; from > to; --from) {
            free[from] = free[from - 1];
        }
        for (; from < to; ++from) {
            free[from] = free[from + 1];
        }
        free[to] = {.size = size};
    } else if (empty) {
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(from));
        to -= to > from ? 1 : 0;
    } else if (!known) {
        free.insert(free.begin() + static_cast<std::ptrdiff_t>(to), {.size = size});
    }
    list(free, to, handle);
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
    const Free& free = pool(small);
    const std::size_t fitting = bin_for(free, size, guess);
    guess = static_cast<std::uint32_t>(fitting);
    Handle handle = nullptr;
    if (fitting == free.size() - 1) {
        handle = take_new(size, small);
    } else {
        handle = free[fitting].first;
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
    const bool small = is_small(size);
    const Free& free = pool(small);
    // What comes from a free block joins its rest again.
    if (largest(free) < size) {
        std::uint32_t guess = 0;
        give(take_rounded(size, guess));
    }
}

void CachingAllocator::give_back_unused() {
    for (Part& block : parts_) {
        if (block.free && block.before == nullptr && block.after == nullptr) {
            held_ -= block.size;
            leave(&block, bin_of(&block));
            retire(&block);
        }
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
