#include "estimate/caching_allocator.h"

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
        free_flags_.push_back(false);
    } else {
        handle = unused_.back();
        unused_.pop_back();
    }
    const auto at = static_cast<std::size_t>(handle);
    parts_[at] = {.size = size, .small = small};
    free_flags_[at] = false;
    return handle;
}

void CachingAllocator::split(Handle handle, double size) {
    const Part whole = parts_[static_cast<std::size_t>(handle)];
    const Handle rest = part(whole.size - size, whole.small);
    parts_[static_cast<std::size_t>(rest)].before = handle;
    parts_[static_cast<std::size_t>(rest)].after = whole.after;
    if (whole.after >= 0) {
        parts_[static_cast<std::size_t>(whole.after)].before = rest;
    }
    parts_[static_cast<std::size_t>(handle)].after = rest;
    parts_[static_cast<std::size_t>(handle)].size = size;
    free_flags_[static_cast<std::size_t>(rest)] = true;
    pool(whole.small).insert({whole.size - size, rest});
}

CachingAllocator::Handle CachingAllocator::take(double bytes) {
    const double size = std::max(step, rounded(bytes, step));
    const bool small = size <= mib;
    Free& free = pool(small);
    const auto fitting = free.lower_bound({size, -1});
    Handle handle = -1;
    if (fitting != free.end()) {
        handle = fitting->second;
        free.erase(fitting);
        free_flags_[static_cast<std::size_t>(handle)] = false;
    } else {
        const double segment = segment_for(size);
        if (held_ + segment > limit_) {
            give_back_unused();
        }
        handle = part(segment, small);
        held_ += segment;
        most_held_ = std::max(most_held_, held_);
    }
    const double rest = parts_[static_cast<std::size_t>(handle)].size - size;
    if (small ? rest >= step : rest > mib) {
        split(handle, size);
    }
    used_ += parts_[static_cast<std::size_t>(handle)].size;
    return handle;
}

void CachingAllocator::join(Handle handle, Handle next) {
    Part& first = parts_[static_cast<std::size_t>(handle)];
    const Part& second = parts_[static_cast<std::size_t>(next)];
    first.size += second.size;
    first.after = second.after;
    if (second.after >= 0) {
        parts_[static_cast<std::size_t>(second.after)].before = handle;
    }
    free_flags_[static_cast<std::size_t>(next)] = false;
    unused_.push_back(next);
}

void CachingAllocator::give_back_unused() {
    for (Free& free : free_) {
        for (auto entry = free.begin(); entry != free.end();) {
            const Part& found = parts_[static_cast<std::size_t>(entry->second)];
            if (found.before >= 0 || found.after >= 0) {
                ++entry;
                continue;
            }
            held_ -= found.size;
            free_flags_[static_cast<std::size_t>(entry->second)] = false;
            unused_.push_back(entry->second);
            entry = free.erase(entry);
        }
    }
}

void CachingAllocator::give(Handle handle) {
    const auto is_free = [this](Handle other) {
        return other >= 0 && free_flags_[static_cast<std::size_t>(other)];
    };
    const auto leave = [this](Handle other) {
        const Part& gone = parts_[static_cast<std::size_t>(other)];
        pool(gone.small).erase({gone.size, other});
    };
    used_ -= parts_[static_cast<std::size_t>(handle)].size;
    if (const Handle next = parts_[static_cast<std::size_t>(handle)].after; is_free(next)) {
        leave(next);
        join(handle, next);
    }
    if (const Handle before = parts_[static_cast<std::size_t>(handle)].before; is_free(before)) {
        leave(before);
        join(before, handle);
        handle = before;
    }
    free_flags_[static_cast<std::size_t>(handle)] = true;
    const Part& merged = parts_[static_cast<std::size_t>(handle)];
    pool(merged.small).insert({merged.size, handle});
}

}  // namespace ridgeline
