#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace ridgeline {

/// What PyTorch's caching allocator takes from the driver for a sequence of tensors of one stream
/// (CUDACachingAllocator.cpp without expandable segments): requests in steps of 512 B; up to 1 MiB from
/// segments of 2 MiB, below 10 MiB from segments of 20 MiB, larger ones from segments of their own
/// size in steps of 2 MiB; best fit; a block is split when more than 1 MiB (of a small one 512 B) is
/// left; neighbours merge when freed; segments stay until the process ends.
class CachingAllocator {
  public:
    using Handle = int;

    /// A tensor of `bytes` bytes.
    Handle take(double bytes);
    void give(Handle handle);
    /// Bytes of all segments.
    [[nodiscard]] double held() const { return held_; }
    /// Bytes of the tensors alive.
    [[nodiscard]] double used() const { return used_; }

  private:
    struct Part {
        double size = 0;
        int before = -1;  ///< neighbours in the segment
        int after = -1;
        bool small = false;
    };
    using Free = std::set<std::pair<double, Handle>>;

    Free& pool(bool small) { return free_[small ? 1 : 0]; }
    Handle part(double size, bool small);
    void split(Handle handle, double size);
    void join(Handle handle, Handle next);

    std::vector<Part> parts_;
    std::vector<Handle> unused_;  ///< entries of parts_ that may be taken again
    std::vector<bool> free_flags_;
    Free free_[2];
    double held_ = 0;
    double used_ = 0;
};

}  // namespace ridgeline
