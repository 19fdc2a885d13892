#include "probes/cpu/quiet.h"

#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

namespace probes {
namespace {

// A process that waits takes a core for 3 to 4 ms at a time: five times a second are 2 %.
constexpr double switches_a_second = 5;
constexpr double stolen_share = 0.02;

long involuntary_switches() {
    struct rusage usage {};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/// Seconds of all cores since the start of the system; 0 where the system does not say.
double stolen_seconds() {
    std::FILE* file = std::fopen("/proc/stat", "r");
    if (file == nullptr) {
        return 0;
    }
    unsigned long long stolen = 0;
    const int found = std::fscanf(file, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &stolen);
    std::fclose(file);
    return found == 1 ? static_cast<double>(stolen) / static_cast<double>(sysconf(_SC_CLK_TCK)) : 0;
}

}  // namespace

Watch::Watch() : switches_(involuntary_switches()), stolen_s_(stolen_seconds()) {}

bool Watch::disturbed(double seconds) const {
    return static_cast<double>(involuntary_switches() - switches_) > switches_a_second * seconds ||
           stolen_seconds() - stolen_s_ > stolen_share * seconds + 0.005;
}

}  // namespace probes
