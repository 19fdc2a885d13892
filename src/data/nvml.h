#pragma once

// The part of NVIDIA's management library that is read here, declared by hand: its header is no
// part of many CUDA installations, and the library is opened at run time. Names, codes and layouts
// are those of the NVML API reference.

namespace ridgeline::nvml {

using Device = void*;
using Return = int;
inline constexpr Return success = 0;
inline constexpr Return insufficient_size = 7;

inline constexpr unsigned text_size = 96;
inline constexpr unsigned clock_sm = 1;
inline constexpr unsigned clock_memory = 2;
inline constexpr unsigned sensor_gpu = 0;
inline constexpr unsigned most_links = 36;
inline constexpr unsigned virtualization_vgpu = 2;

struct PciInfo {
    char legacy_address[16];
    unsigned domain;
    unsigned bus;
    unsigned device;
    unsigned device_and_vendor;  ///< device << 16 | vendor
    unsigned subsystem_and_vendor;
    char address[32];
};

struct Memory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct Utilization {
    unsigned gpu;
    unsigned memory;
};

/// Why the clock is not higher: bit and word.
struct ClockReason {
    unsigned long long bit;
    const char* word;
};
inline constexpr ClockReason clock_reasons[] = {
    {0x1, "idle"},
    {0x2, "application clocks"},
    {0x4, "software power cap"},
    {0x8, "hardware slowdown"},
    {0x10, "sync boost"},
    {0x20, "software thermal slowdown"},
    {0x40, "hardware thermal slowdown"},
    {0x80, "power brake"},
    {0x100, "display clocks"},
};

}  // namespace ridgeline::nvml
