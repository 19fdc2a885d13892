#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace ridgeline {

/// What PyTorch's caching allocator takes from the driver for a sequence of tensors of one stream
/// (CUDACachingAllocator.cpp without expandable segments): requests in steps of 512 B; up to 1 MiB
/// from segments of 2 MiB, below 10 MiB from segments of 20 MiB, larger ones from segments of their
/// own size in steps of 2 MiB; best fit, of one size the lowest address; a block is split when more
/// than 1 MiB (of a small one 512 B) is left; neighbours merge when freed; segments stay until the
/// process ends. With expandable segments a pool is one segment that grows at its end, by 20 MiB
/// (small blocks: 2 MiB) at a time, and a block is split whenever 512 B are left.
class CachingAllocator {
public:
    using Handle = int;

    /// limit  bytes that the driver gives; before more is asked for, unused segments go back
    explicit CachingAllocator(double limit = std::numeric_limits<double>::infinity(),
                              bool expandable = false)
        : limit_(limit), expandable_(expandable) {}

    /// A tensor of `bytes` bytes.
    Handle take(double bytes);
    void give(Handle handle);
    /// Bytes of all segments, and the most that they ever were.
    [[nodiscard]] double held() const { return held_; }
    [[nodiscard]] double most_held() const { return most_held_; }
    /// Bytes of the tensors alive.
    [[nodiscard]] double used() const { return used_; }

private:
    struct Part {
        double size = 0;
        double address = 0;
        int before = -1;  ///< neighbours in the segment
        int after = -1;
        int previous = -1;  ///< free blocks of the same size
        int next = -1;
        bool small = false;
        bool free = false;
    };
    /// The free blocks of one size.
    struct Bin {
        double size = 0;
        Handle first = -1;
    };
    using Free = std::vector<Bin>;  ///< by size

    Part& at(Handle handle) { return parts_[static_cast<std::size_t>(handle)]; }
    static Free::iterator bin_for(Free& free, double size);
    Free& pool(bool small) { return free_[small ? 1 : 0]; }
    void enter(Handle handle);
    void leave(Handle handle);
    Handle part(double size, bool small);
    void split(Handle handle, double size);
    void join(Handle handle, Handle next);
    void give_back_unused();
    Handle new_segment(double size, bool small);
    Handle grown_segment(double size, bool small);

    std::vector<Part> parts_;
    std::vector<Handle> unused_;  ///< entries of parts_ that may be taken again
    Free free_[2];
    double next_address_ = 0;   ///< of the next segment
    Handle end_[2] = {-1, -1};  ///< last blocks of the expandable segments
    double limit_;
    bool expandable_;
    double held_ = 0;
    double most_held_ = 0;
    double used_ = 0;
};

}  // namespace ridgeline
