#pragma once

#include <cstdint>
#include <deque>
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
    struct Part;

public:
    using Handle = Part*;
    static constexpr std::uint32_t first_bin = 1;  ///< before it stands one of no size

    /// limit  bytes that the driver gives; before more is asked for, unused segments go back
    /// number  of this allocator among others, by which a tensor finds it again
    explicit CachingAllocator(double limit = std::numeric_limits<double>::infinity(),
                              bool expandable = false, std::uint8_t number = 0)
        : limit_(limit), expandable_(expandable), number_(number) {}

    // Blocks know each other's places.
    CachingAllocator(const CachingAllocator&) = delete;
    CachingAllocator& operator=(const CachingAllocator&) = delete;

    /// Bytes of the block that a tensor of `bytes` bytes asks for.
    static double rounded(double bytes);
    /// Whether a block of `size` rounded bytes lies among the small ones.
    static bool is_small(double size) { return size <= most_small; }
    /// A tensor of `bytes` bytes.
    Handle take(double bytes) {
        std::uint32_t guess = first_bin;
        return take_rounded(rounded(bytes), guess);
    }
    /// The same of bytes that are rounded.
    ///
    /// guess  where the search for a block begins, and where it ended: of one request over the
    /// rounds
    ///        these are near each other; it changes the time alone. `first_bin` at first
    Handle take_rounded(double size, std::uint32_t& guess);
    /// A tensor of rounded bytes that is given back at once: the pool is as before, unless it
    /// grows.
    void pass_rounded(double size);
    /// Whether a free block has `large` bytes, and one of the small ones `small`.
    [[nodiscard]] bool has_free(double large, double small) const {
        return free_[0].largest() >= large && free_[1].largest() >= small;
    }
    void give(Handle handle);
    /// The number of the allocator that a tensor came from.
    static std::uint8_t number_of(Handle handle) { return handle->number; }
    /// Bytes of all segments, and the most that they ever were.
    [[nodiscard]] double held() const { return held_; }
    [[nodiscard]] double most_held() const { return most_held_; }
    /// Bytes of the tensors alive.
    [[nodiscard]] double used() const { return used_; }

private:
    struct Part {
        double size = 0;
        double address = 0;
        Handle before = nullptr;  ///< neighbours in the segment
        Handle after = nullptr;
        Handle previous = nullptr;  ///< free blocks of the same size
        Handle next = nullptr;
        std::uint32_t bin = first_bin;  ///< about where its bin was
        bool small = false;
        bool free = false;
        std::uint8_t number = 0;
    };
    /// The free blocks of one size.
    struct Bin {
        double size = 0;
        Handle first = nullptr;
        Handle near = nullptr;  ///< the one that was listed last
    };
    /// By size, between one of no size and one without end.
    struct Free {
        std::vector<Bin> bins{{}, {.size = std::numeric_limits<double>::infinity()}};
        [[nodiscard]] double largest() const { return (&bins.back())[-1].size; }
        [[nodiscard]] std::uint32_t place_of(const Bin* bin) const {
            return static_cast<std::uint32_t>(bin - bins.data());
        }
        Bin* bin_for(double size, std::uint32_t guess);
        // Calls: what they need on the stack would cost every tensor.
        [[gnu::noinline]] Bin* insert(Bin* before, double size);
        [[gnu::noinline]] void erase(const Bin* bin);
    };
    static constexpr double most_small = 1024.0 * 1024.0;  // kSmallSize

    Free& pool(bool small) { return free_[small ? 1 : 0]; }
    Handle& end_of(bool small) { return end_[small ? 1 : 0]; }
    Bin* bin_of(Handle handle);
    void enter(Handle handle);
    static void list(Bin& bin, Handle handle);
    static bool unlist(Bin& bin, Handle handle);
    void leave(Handle handle, Bin* bin);
    void resize(Handle handle, Bin* from, double size);
    void move(Handle handle, Bin* from, double size);
    Handle part(double size, double address, bool small);
    void retire(Handle handle);
    [[nodiscard]] bool splits(double rest, bool small) const;
    Handle cut(Handle handle, double size);
    Handle take_new(double size, bool small);
    void give_back_unused();
    Handle new_segment(double size, bool small);
    Handle grown_segment(double size, bool small);

    std::deque<Part> parts_;
    Handle unused_ =
        nullptr;  ///< entries of parts_ that may be taken again: the first; `next` leads on
    Free free_[2];
    double next_address_ = 0;  ///< of the next segment
    Handle end_[2] = {};       ///< last blocks of the expandable segments
    double limit_;
    bool expandable_;
    std::uint8_t number_;
    double held_ = 0;
    double most_held_ = 0;
    double used_ = 0;
};

}  // namespace ridgeline
