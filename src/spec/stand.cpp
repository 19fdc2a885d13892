#include "spec/stand.h"

#include "base/text.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace ridgeline {
namespace {

bool says_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(
        words, [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace

Stand stand_of(const Accelerator& part) {
    // Makers name their cards by whom they are for.
    const std::string name = lower(part.name);
    const bool chip = part.form_factor == "SoC" && part.scale_up.max_domain <= 1;
    if (part.kind == "cpu") {
        return Stand::processor;
    }
    if (chip || part.vendor == "Apple" || says_any(part.form_factor, {"laptop"})) {
        return Stand::computer;
    }
    if (is_module(part) || says_any(part.form_factor, {"passive"}) ||
        says_any(name, {"instinct"})) {
        return Stand::server;
    }
    if (is_consumer(part)) {
        return Stand::consumer;
    }
    return says_any(name, {"rtx", "quadro", "radeon", " arc"}) ? Stand::workstation : Stand::server;
}

bool is_consumer(const Accelerator& part) {
    const std::string name = lower(part.name);
    return says_any(name, {"geforce", "titan", "radeon rx"}) ||
           (says_any(name, {"intel arc"}) && !says_any(name, {"pro"}));
}

bool is_module(const Accelerator& accelerator) {
    const std::string_view form = accelerator.form_factor;
    return contains(form, "SXM") || contains(form, "OAM") || contains(form, "uperchip") ||
           contains(form, "socket") || contains(form, "board") || contains(form, "chip");
}

}  // namespace ridgeline
