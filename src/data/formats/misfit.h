#pragma once

#include <optional>
#include <string>

namespace ridgeline {

/// Why a text cannot be the value of a workload's option; empty when it can.
struct Misfit {
    std::string why;
    bool impossible = false;  ///< the tool cannot run with it either
};

/// Of a value of a configuration and the option that it would set ("micro-batch", "@length"). A
/// number with which no tool can run is impossible; those that stand for what a tool finds out
/// itself are values of its table.
Misfit misfit(const std::string& option, const std::string& text);

/// A whole number from 1 to a million; nothing for any other text.
std::optional<int> whole_size(const std::string& text);

}  // namespace ridgeline
