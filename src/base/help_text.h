#pragma once

#include <string_view>

namespace ridgeline {

#ifdef __wasm__
/// What a help, a manual and a description of an interface say of an option. A page shows none of
/// them and has no room for their texts.
struct HelpText {
    constexpr HelpText() = default;
    constexpr HelpText(const char* /*text*/) {}
    constexpr operator std::string_view() const { return {}; }
    [[nodiscard]] constexpr bool empty() const { return true; }
};
#else
using HelpText = std::string_view;
#endif

}  // namespace ridgeline
