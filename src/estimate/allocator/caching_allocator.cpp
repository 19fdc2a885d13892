#include "estimate/allocator/caching_allocator.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

constexpr double step = 512;
constexpr double mib = 1024.0 * 1024.0;

double rounded(double bytes, double unit) {
    return std::ceil(bytes / unit) * unit;
}

double segment_for(double size) {
    if (size <= mib) {
        return 2 * mib;
    }
    return size < 10 * mib ? 20 * mib : rounded(size, 2 * mib);
}

}  // namespace

CachingAllocator::Handle CachingAllocator::part(double size, bool small) {
    Handle handle = static_cast<Handle>(parts_.size());
    if (unused_.empty()) {
        parts_.emplace_back();
    } else {
        handle = unused_.back();
        unused_.pop_back();
    }
    at(handle) = {.size = size, .small = small};
    return handle;
}

/// The smallest bin of blocks that are no smaller than `size`.
CachingAllocator::Free::iterator CachingAllocator::bin_for(Free& free, double size) {
    return std::lower_bound(free.begin(), free.end(), size, [](const Bin& bin, double least) {
        return bin.size < least;
    });
}

void CachingAllocator::enter(Handle handle) {
    Part& block = at(handle);
    Free& free = pool(block.small);
    auto bin = bin_for(free, block.size);
    if (bin == free.end() || bin->size != block.size) {
        bin = free.insert(bin, {.size = block.size});
    }
    // In the order of addresses. Small blocks are many and their order changes little.
    Handle before = -1;
    Handle after = bin->first;
    while (!block.small && after >= 0 && at(after).address < block.address) {
        before = after;
        after = at(after).next;
    }
    block.previous = before;
    block.next = after;
    block.free = true;
    if (after >= 0) {
        at(after).previous = handle;
    }
    if (before >= 0) {
        at(before).next = handle;
    } else {
        bin->first = handle;
    }
}

void CachingAllocator::leave(Handle handle) {
    Part& block = at(handle);
    block.free = false;
    if (block.next >= 0) {
        at(block.next).previous = block.previous;
    }
    if (block.previous >= 0) {
        at(block.previous).next = block.next;
        return;
    }
    Free& free = pool(block.small);
    const auto bin = bin_for(free, block.size);
    bin->first = block.next;
    if (bin->first < 0) {
        free.erase(bin);
    }
}

void CachingAllocator::split(Handle handle, double size) {
    const double whole = at(handle).size;
    const Handle rest = part(whole - size, at(handle).small);
    const Handle after = at(handle).after;
    at(rest).address = at(handle).address + size;
    at(rest).before = handle;
    at(rest).after = after;
    if (after >= 0) {
        at(after).before = rest;
    }
    at(handle).after = rest;
    at(handle).size = size;
    if (Handle& end = end_[at(handle).small ? 1 : 0]; end == handle) {
        end = rest;
    }
    enter(rest);
}

CachingAllocator::Handle CachingAllocator::new_segment(double size, bool small) {
    const double segment = segment_for(size);
    if (held_ + segment > limit_) {
        give_back_unused();
    }
    const Handle handle = part(segment, small);
    at(handle).address = next_address_;
    next_address_ += segment;
    held_ += segment;
    return handle;
}

/// The block at the end of the pool's segment, grown to `size` if it is free.
CachingAllocator::Handle CachingAllocator::grown_segment(double size, bool small) {
    Handle& end = end_[small ? 1 : 0];
    const bool joins = end >= 0 && at(end).free;
    const double missing = joins ? size - at(end).size : size;
    const double grown = rounded(missing, small ? 2 * mib : 20 * mib);
    held_ += grown;
    if (joins) {
        leave(end);
        at(end).size += grown;
        return end;
    }
    const Handle handle = part(grown, small);
    at(handle).before = end;
    if (end >= 0) {
        at(handle).address = at(end).address + at(end).size;
        at(end).after = handle;
    }
    end = handle;
    return handle;
}

CachingAllocator::Handle CachingAllocator::take(double bytes) {
    const double size = std::max(step, rounded(bytes, step));
    const bool small = size <= mib;
    Free& free = pool(small);
    const auto fitting = bin_for(free, size);
    Handle handle = -1;
    if (fitting != free.end()) {
        handle = fitting->first;
        leave(handle);
    } else {
        handle = expandable_ ? grown_segment(size, small) : new_segment(size, small);
        most_held_ = std::max(most_held_, held_);
    }
    const double rest = at(handle).size - size;
    if (small || expandable_ ? rest >= step : rest > mib) {
        split(handle, size);
    }
    used_ += at(handle).size;
    return handle;
}

void CachingAllocator::join(Handle handle, Handle next) {
    const Part second = at(next);
    at(handle).size += second.size;
    at(handle).after = second.after;
    if (second.after >= 0) {
        at(second.after).before = handle;
    }
    if (Handle& end = end_[at(handle).small ? 1 : 0]; end == next) {
        end = handle;
    }
    unused_.push_back(next);
}

void CachingAllocator::give_back_unused() {
    for (Handle handle = 0; handle < static_cast<Handle>(parts_.size()); ++handle) {
        const Part& block = at(handle);
        if (block.free && block.before < 0 && block.after < 0) {
            held_ -= block.size;
            leave(handle);
            unused_.push_back(handle);
        }
    }
}

void CachingAllocator::give(Handle handle) {
    used_ -= at(handle).size;
    if (const Handle after = at(handle).after; after >= 0 && at(after).free) {
        leave(after);
        join(handle, after);
    }
    if (const Handle before = at(handle).before; before >= 0 && at(before).free) {
        leave(before);
        join(before, handle);
        handle = before;
    }
    enter(handle);
}

}  // namespace ridgeline
