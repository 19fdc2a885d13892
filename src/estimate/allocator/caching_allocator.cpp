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
    Handle handle = unused_;
    if (handle < 0) {
        handle = static_cast<Handle>(parts_.size());
        parts_.emplace_back();
    } else {
        unused_ = at(handle).next;
    }
    at(handle) = {.size = size, .address = address, .bin = 0, .small = small};
    return handle;
}

inline void CachingAllocator::retire(Handle handle) {
    Part& block = at(handle);
    block.free = false;
    block.next = unused_;
    unused_ = handle;
}

/// The smallest bin of blocks that are no smaller than `size`, looked for from `guess` on: bins move by
/// few places between two questions for one size.
inline std::size_t CachingAllocator::bin_for(const Free& free, double size, std::size_t guess) {
    std::size_t bin = std::min(guess, free.size());
    while (bin > 0 && free[bin - 1].size >= size) {
        --bin;
    }
    while (bin < free.size() && free[bin].size < size) {
        ++bin;
    }
    return bin;
}

/// Puts a block into the list of its bin.
inline void CachingAllocator::list(Free& free, std::size_t place, Handle handle) {
    Part& block = at(handle);
    Bin& bin = free[place];
    block.bin = static_cast<std::uint32_t>(place);
    // In the order of addresses, from the block that was listed last: rounds go up or down. Small
    // blocks are many and their order changes little.
    Handle before = -1;
    Handle after = bin.first;
    if (!block.small && bin.near >= 0) {
        after = bin.near;
        before = at(after).previous;
        while (before >= 0 && at(before).address >= block.address) {
            after = before;
            before = at(after).previous;
        }
        while (after >= 0 && at(after).address < block.address) {
            before = after;
            after = at(after).next;
        }
    }
    block.previous = before;
    block.next = after;
    if (after >= 0) {
        at(after).previous = handle;
    }
    if (before >= 0) {
        at(before).next = handle;
    } else {
        bin.first = handle;
    }
    bin.near = handle;
}

/// Takes a block out of the list of its bin. True when that was the last one.
inline bool CachingAllocator::unlist(Free& free, std::size_t place, Handle handle) {
    const Part& block = at(handle);
    Bin& bin = free[place];
    if (block.next >= 0) {
        at(block.next).previous = block.previous;
    }
    if (block.previous >= 0) {
        at(block.previous).next = block.next;
    } else {
        bin.first = block.next;
    }
    if (bin.near == handle) {
        bin.near = block.next >= 0 ? block.next : block.previous;
    }
    return bin.first < 0;
}

/// The bin of a free block.
inline std::size_t CachingAllocator::bin_of(Handle handle) {
    const Part& block = at(handle);
    return bin_for(pool(block.small), block.size, block.bin);
}

void CachingAllocator::enter(Handle handle) {
    Part& block = at(handle);
    block.free = true;
    Free& free = pool(block.small);
    const std::size_t bin = bin_for(free, block.size, block.bin);
    if (bin == free.size() || free[bin].size != block.size) {
        free.insert(free.begin() + static_cast<std::ptrdiff_t>(bin), {.size = block.size});
    }
    list(free, bin, handle);
}

void CachingAllocator::leave(Handle handle, std::size_t bin) {
    Part& block = at(handle);
    block.free = false;
    Free& free = pool(block.small);
    if (unlist(free, bin, handle)) {
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(bin));
    }
}

/// A free block of bin `from` becomes one of `size` bytes.
void CachingAllocator::resize(Handle handle, std::size_t from, double size) {
    Part& block = at(handle);
    Free& free = pool(block.small);
    Bin& bin = free[from];
    const bool above = from == 0 || free[from - 1].size < size;
    const bool below = from + 1 == free.size() || size < free[from + 1].size;
    if (above && below && bin.first == handle && block.next < 0) {  // alone, and stays where it is
        bin.size = size;
        block.size = size;
        block.bin = static_cast<std::uint32_t>(from);
        return;
    }
    const bool empty = unlist(free, from, handle);
    block.size = size;
    std::size_t to = bin_for(free, size, from);
    const bool known = to < free.size() && free[to].size == size;
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
    const Handle front = part(size, at(handle).address, at(handle).small);
    Part& block = at(handle);
    at(front).before = block.before;
    at(front).after = handle;
    if (block.before >= 0) {
        at(block.before).after = front;
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
    const bool joins = end >= 0 && at(end).free;
    const double missing = joins ? size - at(end).size : size;
    const double grown = in_units(missing, small ? 2 * mib : 20 * mib);
    held_ += grown;
    if (joins) {
        leave(end, bin_of(end));
        at(end).size += grown;
        return end;
    }
    const Handle handle = part(grown, end >= 0 ? at(end).address + at(end).size : 0, small);
    at(handle).before = end;
    if (end >= 0) {
        at(end).after = handle;
    }
    end = handle;
    return handle;
}

CachingAllocator::Handle CachingAllocator::take_new(double size, bool small) {
    const Handle whole = expandable_ ? grown_segment(size, small) : new_segment(size, small);
    most_held_ = std::max(most_held_, held_);
    const double rest = at(whole).size - size;
    if (!splits(rest, small)) {
        return whole;
    }
    const Handle front = cut(whole, size);
    at(whole).size = rest;
    enter(whole);
    return front;
}

CachingAllocator::Handle CachingAllocator::take_rounded(double size, std::uint32_t& guess) {
    const bool small = is_small(size);
    const Free& free = pool(small);
    const std::size_t fitting = bin_for(free, size, guess);
    guess = static_cast<std::uint32_t>(fitting);
    Handle handle = -1;
    if (fitting == free.size()) {
        handle = take_new(size, small);
    } else {
        handle = free[fitting].first;
        const double rest = at(handle).size - size;
        if (splits(rest, small)) {
            const Handle front = cut(handle, size);
            resize(handle, fitting, rest);
            handle = front;
        } else {
            leave(handle, fitting);
        }
    }
    at(handle).bin = guess;
    used_ += at(handle).size;
    return handle;
}

void CachingAllocator::pass_rounded(double size) {
    const bool small = is_small(size);
    const Free& free = pool(small);
    // What comes from a free block joins its rest again.
    if (free.empty() || free.back().size < size) {
        std::uint32_t guess = 0;
        give(take_rounded(size, guess));
    }
}

void CachingAllocator::give_back_unused() {
    for (Handle handle = 0; handle < static_cast<Handle>(parts_.size()); ++handle) {
        const Part& block = at(handle);
        if (block.free && block.before < 0 && block.after < 0) {
            held_ -= block.size;
            leave(handle, bin_of(handle));
            retire(handle);
        }
    }
}

void CachingAllocator::give(Handle handle) {
    const Part block = at(handle);
    used_ -= block.size;
    const bool joins_after = block.after >= 0 && at(block.after).free;
    const bool joins_before = block.before >= 0 && at(block.before).free;
    if (!joins_after && !joins_before) {
        enter(handle);
        return;
    }
    retire(handle);
    if (!joins_before) {
        Part& after = at(block.after);
        after.address = block.address;
        after.before = block.before;
        if (block.before >= 0) {
            at(block.before).after = block.after;
        }
        resize(block.after, bin_of(block.after), block.size + after.size);
        return;
    }
    Handle end = handle;
    Handle next = block.after;
    double size = at(block.before).size + block.size;
    if (joins_after) {
        end = block.after;
        next = at(end).after;
        size += at(end).size;
        leave(end, bin_of(end));
        retire(end);
    }
    at(block.before).after = next;
    if (next >= 0) {
        at(next).before = block.before;
    }
    if (Handle& last = end_of(block.small); last == end) {
        last = block.before;
    }
    resize(block.before, bin_of(block.before), size);
}

}  // namespace ridgeline
