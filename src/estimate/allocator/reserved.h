#pragma once

#include "estimate/work/script.h"

#include <array>
#include <cstdint>
#include <limits>

namespace ridgeline {

/// How a run has set up PyTorch's caching allocator.
struct AllocatorSettings {
    bool expandable = false;  ///< expandable_segments:True
    /// Of the card for the computing stream's pool; unused segments go back before more is taken.
    Bytes limit = Bytes::of_base(std::numeric_limits<double>::infinity());
};

/// What the caching allocator holds for a script.
struct Reserved {
    std::array<Bytes, streams> by_stream{};  ///< most that each stream's pool ever held
    [[nodiscard]] Bytes total() const;
};

/// A number of all that a replay depends on: scripts that differ in no allocation have the same.
std::uint64_t replay_key(const Script& script, const AllocatorSettings& settings);

/// Plays a script, round by round, through one caching allocator a stream: what one pool has freed
/// no other can use.
Reserved reserved_by(const Script& script, const AllocatorSettings& settings);
/// The same of a script that is done with: its events are gone while it is played, which of a large
/// model are as many bytes as all that playing it needs.
Reserved reserved_by(Script&& script, const AllocatorSettings& settings);

}  // namespace ridgeline
