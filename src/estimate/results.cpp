#include "estimate/results.h"

#include "base/duration_range.h"

#include <array>

namespace ridgeline {

std::string_view name_of(Bound bound) {
    switch (bound) {
        case Bound::compute:
            return "compute";
        case Bound::memory:
            return "memory";
        case Bound::overhead:
            return "overhead";
        case Bound::communication:
            return "communication";
        case Bound::input:
            return "input";
    }
    return "";
}

std::string_view name_of(FitVerdict verdict) {
    constexpr std::array<std::string_view, 3> names = {"yes", "barely", "no"};
    return names[static_cast<std::size_t>(verdict)];
}

std::string_view text_of(BarelyBy cause) {
    constexpr std::array<std::string_view, 3> texts = {
        "", "free memory in pieces: expandable segments or a smaller micro-batch free it",
        "the high end of the range is above the card"};
    return texts[static_cast<std::size_t>(cause)];
}

std::string duration_range(Seconds middle, Seconds low, Seconds high) {
    return format_duration_range(middle / second, low / second, high / second);
}

std::string duration_range(Seconds middle, const Interval& band) {
    return duration_range(middle, band.low * middle, band.high * middle);
}

}  // namespace ridgeline
