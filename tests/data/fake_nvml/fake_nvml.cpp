// A management library of two H100: what the functions that detection calls would answer. The
// second device has MIG on, is capped and throttled, and supports neither NVLink nor ECC queries.
// RIDGELINE_FAKE_NVML chooses another machine: "empty" (no device), "unloaded" (no driver).
#include <cstdlib>
#include <cstring>

namespace {

constexpr int success = 0;
constexpr int not_supported = 3;

struct Device {
    const char* name;
    const char* uuid;
    unsigned bus;
    bool whole;
};
Device devices[2] = {{"NVIDIA H100 80GB HBM3", "GPU-aaaa", 0x1b, true},
                     {"NVIDIA H100 80GB HBM3", "GPU-bbbb", 0x43, false}};
Device slice = {"NVIDIA H100 80GB HBM3 MIG 1g.10gb", "MIG-cccc", 0x43, false};

Device& of(void* handle) { return *static_cast<Device*>(handle); }
bool machine_is(const char* word) {
    const char* chosen = std::getenv("RIDGELINE_FAKE_NVML");
    return chosen != nullptr && std::strcmp(chosen, word) == 0;
}
int answer(unsigned* target, unsigned value) {
    *target = value;
    return success;
}

struct Pci {
    char legacy[16];
    unsigned domain, bus, device, id, subsystem;
    char address[32];
};

}  // namespace

extern "C" {
int nvmlInit_v2() { return machine_is("unloaded") ? 9 : success; }
int nvmlShutdown() { return success; }
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
    std::strncpy(text, "580.65.06", size);
    return success;
}
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
    *version = 13000;
    return success;
}
int nvmlDeviceGetCount_v2(unsigned* count) { return answer(count, machine_is("empty") ? 0 : 2); }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
    *device = &devices[index];
    return success;
}
int nvmlDeviceGetName(void* device, char* text, unsigned size) {
    std::strncpy(text, of(device).name, size);
    return success;
}
int nvmlDeviceGetUUID(void* device, char* text, unsigned size) {
    std::strncpy(text, of(device).uuid, size);
    return success;
}
int nvmlDeviceGetPciInfo_v3(void* device, Pci* pci) {
    *pci = {};
    pci->bus = of(device).bus;
    pci->id = 0x233010deU;
    pci->subsystem = 0x16c110deU;
    return success;
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
    memory[0] = 81559ULL << 20U;
    memory[1] = 80559ULL << 20U;
    memory[2] = 1000ULL << 20U;
    return success;
}
int nvmlDeviceGetCudaComputeCapability(void*, int* major, int* minor) {
    *major = 9;
    *minor = 0;
    return success;
}
int nvmlDeviceGetMemoryBusWidth(void*, unsigned* bits) { return answer(bits, 5120); }
int nvmlDeviceGetEccMode(void* device, unsigned* current, unsigned* pending) {
    *current = *pending = 1;
    return of(device).whole ? success : not_supported;
}
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) {
    *current = *pending = of(device).whole ? 0 : 1;
    return success;
}
int nvmlDeviceGetMigDeviceHandleByIndex(void*, unsigned index, void** handle) {
    *handle = &slice;
    return index == 0 ? success : not_supported;
}
int nvmlDeviceGetVirtualizationMode(void*, unsigned* mode) { return answer(mode, 0); }
int nvmlDeviceGetClockInfo(void*, unsigned, unsigned* mhz) { return answer(mhz, 345); }
int nvmlDeviceGetMaxClockInfo(void*, unsigned type, unsigned* mhz) {
    return answer(mhz, type == 1 ? 1980 : 2619);
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatt) { return answer(milliwatt, 71500); }
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatt) {
    return answer(milliwatt, of(device).whole ? 700000 : 500000);
}
int nvmlDeviceGetPowerManagementDefaultLimit(void*, unsigned* milliwatt) {
    return answer(milliwatt, 700000);
}
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* celsius) { return answer(celsius, 41); }
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
    *reasons = of(device).whole ? 0x1 : 0x4 | 0x40;
    return success;
}
int nvmlDeviceGetCurrPcieLinkGeneration(void*, unsigned* value) { return answer(value, 1); }
int nvmlDeviceGetMaxPcieLinkGeneration(void*, unsigned* value) { return answer(value, 5); }
int nvmlDeviceGetCurrPcieLinkWidth(void*, unsigned* value) { return answer(value, 8); }
int nvmlDeviceGetMaxPcieLinkWidth(void*, unsigned* value) { return answer(value, 16); }
int nvmlDeviceGetNvLinkState(void* device, unsigned link, unsigned* active) {
    if (!of(device).whole || link >= 18) {
        return not_supported;
    }
    return answer(active, link == 17 ? 0 : 1);
}
int nvmlDeviceGetUtilizationRates(void*, unsigned* rates) {
    rates[0] = 3;
    rates[1] = 1;
    return success;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, void*) {
    *count = of(device).whole ? 0 : 2;
    return *count > 0 ? 7 : success;
}
}
