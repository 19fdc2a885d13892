#pragma once

#include <compare>

namespace ridgeline {

/// Release of a library, as "2.10"; the newest unless a profile says so.
struct Version {
    int major = 1000;
    int minor = 0;
    friend auto operator<=>(const Version&, const Version&) = default;
};

/// Libraries whose releases changed what a run allocates.
struct Libraries {
    Version torch;
    Version transformers;
    Version bitsandbytes;
    friend bool operator==(const Libraries&, const Libraries&) = default;
};

}  // namespace ridgeline
