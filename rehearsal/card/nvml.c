/* NVML, by which scripts ask for memory, name and load; what no catalog states is "not supported", which
   the real one says of many parts. */
#include "card.h"

#include <stdio.h>

enum { nvml_not_supported = 3 };
static int numbers[card_most_devices];
int nvmlDeviceGetCount_v2(unsigned *count) {
    *count = (unsigned)card_count();
    return card_success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **to) {
    if (index >= (unsigned)card_count()) return 2;
    numbers[index] = (int)index;
    *to = &numbers[index];
    return card_success;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **to) {
    unsigned index = 0;
    return sscanf(bus, "%*x:%*x:%x", &index) == 1 ? nvmlDeviceGetHandleByIndex_v2(index, to) : 2;
}
int nvmlDeviceGetHandleByUUID(const char *uuid, void **to) {
    (void)uuid;
    return nvmlDeviceGetHandleByIndex_v2(0, to);
}
struct nvml_memory { unsigned long long total, left, used; };
int nvmlDeviceGetMemoryInfo(int *device, struct nvml_memory *to) {
    to->total = card_total();
    to->left = card_free(*device);
    to->used = to->total - to->left;
    return card_success;
}
int nvmlDeviceGetName(int *device, char *to, unsigned size) {
    (void)device;
    snprintf(to, size, "%s", card_word("RIDGELINE_CARD_NAME", "stand-in"));
    return card_success;
}
int nvmlDeviceGetUUID(int *device, char *to, unsigned size) {
    snprintf(to, size, "GPU-00000000-0000-0000-0000-%012d", *device);
    return card_success;
}
int nvmlDeviceGetCudaComputeCapability(int *device, int *major, int *minor) {
    const int capability = (int)card_number("RIDGELINE_CARD_CAPABILITY", 90);
    (void)device;
    *major = capability / 10, *minor = capability % 10;
    return card_success;
}
int nvmlDeviceGetComputeRunningProcesses(int *device, unsigned *count, void *processes) {
    (void)device, (void)processes;
    *count = 0;
    return card_success;
}
int nvmlDeviceGetComputeRunningProcesses_v3(int *device, unsigned *count, void *processes) {
    return nvmlDeviceGetComputeRunningProcesses(device, count, processes);
}
int nvmlSystemGetDriverVersion(char *to, unsigned size) {
    snprintf(to, size, "stand-in");
    return card_success;
}
int nvmlSystemGetCudaDriverVersion_v2(int *version) {
    *version = (int)card_number("RIDGELINE_CARD_RUNTIME", 12000);
    return card_success;
}
const char *nvmlErrorString(int error) { return error == nvml_not_supported ? "Not Supported" : "Unknown Error"; }
/* What the card does is nothing: no load, no power. */
struct nvml_load { unsigned card, memory; };
int nvmlDeviceGetUtilizationRates(int *device, struct nvml_load *to) {
    (void)device;
    to->card = to->memory = 0;
    return card_success;
}
static int nothing(unsigned *to) {
    *to = 0;
    return card_success;
}
int nvmlDeviceGetTemperature(int *device, int sensor, unsigned *to) {
    (void)device, (void)sensor;
    return nothing(to);
}
int nvmlDeviceGetPowerUsage(int *device, unsigned *to) {
    (void)device;
    return nothing(to);
}
int nvmlDeviceGetClockInfo(int *device, int clock, unsigned *to) {
    (void)device, (void)clock;
    return nothing(to);
}
int nvmlDeviceGetTotalEnergyConsumption(int *device, unsigned long long *to) {
    (void)device;
    *to = 0;
    return card_success;
}
/* Milliwatts that the board may take, where the catalog has them. */
int nvmlDeviceGetEnforcedPowerLimit(int *device, unsigned *to) {
    const long watts = card_number("RIDGELINE_CARD_POWER", 0);
    (void)device;
    *to = (unsigned)watts * 1000;
    return watts > 0 ? card_success : nvml_not_supported;
}
int nvmlDeviceGetPowerManagementLimit(int *device, unsigned *to) { return nvmlDeviceGetEnforcedPowerLimit(device, to); }
int nvmlDeviceGetPowerManagementDefaultLimit(int *device, unsigned *to) { return nvmlDeviceGetEnforcedPowerLimit(device, to); }
int nvmlDeviceGetGraphicsRunningProcesses_v3(int *device, unsigned *count, void *processes) {
    return nvmlDeviceGetComputeRunningProcesses(device, count, processes);
}
int nvmlDeviceGetComputeMode(int *device, unsigned *to) {
    (void)device;
    return nothing(to);
}
int nvmlDeviceGetIndex(int *device, unsigned *to) {
    *to = (unsigned)*device;
    return card_success;
}
int nvmlDeviceGetMinorNumber(int *device, unsigned *to) { return nvmlDeviceGetIndex(device, to); }
int nvmlInitWithFlags(unsigned flags) {
    (void)flags;
    return card_success;
}
struct nvml_memory_v2 { unsigned version; unsigned long long total, kept, left, used; };
int nvmlDeviceGetMemoryInfo_v2(int *device, struct nvml_memory_v2 *to) {
    to->total = card_total(), to->kept = 0;
    to->left = card_free(*device);
    to->used = to->total - to->left;
    return card_success;
}

/* Everything else that a driver may leave unanswered. */
#define STUB(name) \
    int name(void) { return nvml_not_supported; }
#include "unsupported.inc"
