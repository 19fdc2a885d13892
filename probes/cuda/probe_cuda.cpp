#include "probes/cuda/cuda_backend.h"
#include "probes/cuda/run.h"

#include <cstdio>

// The entry of the CUDA probe: opens the device; `run.h` says what is measured, `cuda_backend.h`
// how.

namespace probes {
namespace {

/// The device that was asked for, made current; `why` says what is missing.
bool open_device(int ordinal, const RidgelineProbeHost& host, Device& device, std::string& why) {
    int count = 0;
    if (const cudaError_t found = cudaGetDeviceCount(&count); found != cudaSuccess || count == 0) {
        why = std::string("no CUDA device can be used: ") +
              (found == cudaSuccess ? "none is there" : cudaGetErrorString(found));
        return false;
    }
    if (ordinal >= count) {
        why = "found " + std::to_string(count) + " CUDA devices, expected one with number " +
              std::to_string(ordinal);
        return false;
    }
    cudaDeviceProp properties{};
    check(cudaSetDevice(ordinal), "device");
    check(cudaGetDeviceProperties(&properties, ordinal), "properties");
    char address[32] = {};
    check(cudaDeviceGetPCIBusId(address, sizeof(address), ordinal), "PCI address");
    device.ordinal = ordinal;
    device.capability = 10 * properties.major + properties.minor;
    device.units = properties.multiProcessorCount;
    device.l2_bytes = properties.l2CacheSize;
    device.pci_address = address;
    int runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    const Reporter reporter(host, 1, 0);
    reporter.fact("name", properties.name);
    reporter.fact("pci_address", device.pci_address);
    reporter.fact("memory_bytes", std::to_string(properties.totalGlobalMem));
    reporter.fact("units", std::to_string(device.units));
    reporter.fact("l2_bytes", std::to_string(properties.l2CacheSize));
    reporter.fact("cuda_runtime",
                  std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10));
    return true;
}

}  // namespace
}  // namespace probes

extern "C" __attribute__((visibility("default"))) int ridgeline_probe(
    const RidgelineProbeRequest* request,
    const RidgelineProbeHost* host,
    char* message,
    unsigned long size) {
    std::string why;
    int status = RIDGELINE_PROBE_FAILED;
    try {
        probes::Device device;
        if (host->interface_version != RIDGELINE_PROBE_INTERFACE) {
            why = "the probe and the program are of different versions";
        } else if (!probes::open_device(request->device, *host, device, why)) {
            status = RIDGELINE_PROBE_ABSENT;
        } else {
            probes::CudaBackend backend(device);
            probes::CudaRun(*request, *host, device, backend).run();
            status = RIDGELINE_PROBE_OK;
        }
    } catch (const std::exception& problem) {
        why = problem.what();
    }
    std::snprintf(message, size, "%s", why.c_str());
    return status;
}
