#pragma once

#include <cstddef>
#include <cstdint>
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

    /// Bytes of the block that a tensor of `bytes` bytes asks for.
    static double rounded(double bytes);
    /// Whether a block of `size` rounded bytes lies among the small ones.
    static bool is_small(double size) { return size <= most_small; }
    /// A tensor of `bytes` bytes.
    Handle take(double bytes) {
        std::uint32_t guess = 0;
        return take_rounded(rounded(bytes), guess);
    }
    /// The same of bytes that are rounded.
    ///
    /// guess  where the search for a block begins, and where it ended: of one request over the rounds
    ///        these are near each other; it changes the time alone
    Handle take_rounded(double size, std::uint32_t& guess);
    /// A tensor of rounded bytes that is given back at once: the pool is as before, unless it grows.
    void pass_rounded(double size);
    /// Whether a free block has `large` bytes, and one of the small ones `small`.
    [[nodiscard]] bool has_free(double large, double small) const {
        return largest(free_[0]) >= large && largest(free_[1]) >= small;
    }
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
        std::uint32_t bin = 0;  ///< about where its bin was; exact when it is listed
        bool small = false;
        bool free = false;
    };
    /// The free blocks of one size.
    struct Bin {
        double size = 0;
        Handle first = -1;
        Handle near = -1;  ///< the one that was listed last
    };
    using Free = std::vector<Bin>;  ///< by size
    static constexpr double most_small = 1024.0 * 1024.0;

    static double largest(const Free& free) { return free.empty() ? 0 : free.back().size; }

    Part& at(Handle handle) { return parts_[static_cast<std::size_t>(handle)]; }
    Free& pool(bool small) { return free_[small ? 1 : 0]; }
    Handle& end_of(bool small) { return end_[small ? 1 : 0]; }
    static std::size_t bin_for(const Free& free, double size, std::size_t guess);
    std::size_t bin_of(Handle handle);
    void enter(Handle handle);
    void list(Free& free, std::size_t bin, Handle handle);
    bool unlist(Free& free, std::size_t bin, Handle handle);
    void leave(Handle handle, std::size_t bin);
    void resize(Handle handle, std::size_t from, double size);
    Handle part(double size, double address, bool small);
    void retire(Handle handle);
    [[nodiscard]] bool splits(double rest, bool small) const;
    Handle cut(Handle handle, double size);
    Handle take_new(double size, bool small);
    void give_back_unused();
    Handle new_segment(double size, bool small);
    Handle grown_segment(double size, bool small);

    std::vector<Part> parts_;
    Handle unused_ = -1;  ///< entries of parts_ that may be taken again: the first; `next` leads on
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
