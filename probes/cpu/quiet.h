#pragma once

namespace probes {

/// Watches, from its construction on, whether somebody else took a core from this process:
/// involuntary switches of its threads, and time that the hypervisor gave to other guests.
class Watch {
public:
    Watch();
    /// More was taken than a repetition of so many seconds can bear (about 2 %).
    [[nodiscard]] bool disturbed(double seconds) const;

private:
    long switches_;
    double stolen_s_;
};

}  // namespace probes
