#include "data/local_machine.h"
#include "data/local_readers.h"
#include "data/nvml.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <initializer_list>
#include <vector>

namespace ridgeline {
namespace {

using nvml::Device;
using nvml::Return;

/// The opened library; every function but four is optional.
class Library {
public:
    explicit Library(const std::string& named) {
        std::vector<std::string> names = {"libnvidia-ml.so.1", "libnvidia-ml.so",
                                          "/usr/lib/wsl/lib/libnvidia-ml.so.1"};
        if (!named.empty()) {
            names = {named};
        }
        for (const std::string& name : names) {
            handle_ = handle_ != nullptr ? handle_ : dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
        }
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() {
        if (started_) {
            call({"nvmlShutdown"});
        }
        if (handle_ != nullptr) {
            dlclose(handle_);
        }
    }

    [[nodiscard]] bool opened() const { return handle_ != nullptr; }
    [[nodiscard]] bool has(const char* name) const { return dlsym(handle_, name) != nullptr; }
    Return start() {
        const Return result = call({"nvmlInit_v2", "nvmlInit"});
        started_ = result == nvml::success;
        return result;
    }

    /// Calls the first of the names that exists (newest first); 13 (function not found) when none
    /// does.
    template <typename... Arguments>
    Return call(std::initializer_list<const char*> names, Arguments... arguments) const {
        for (const char* name : names) {
            if (void* symbol = dlsym(handle_, name)) {
                return reinterpret_cast<Return (*)(Arguments...)>(symbol)(arguments...);
            }
        }
        return 13;
    }

    /// One unsigned figure of a device.
    template <typename... Arguments>
    [[nodiscard]] std::optional<unsigned> figure(const char* name, Device device,
                                                 Arguments... arguments) const {
        unsigned value = 0;
        return call({name}, device, arguments..., &value) == nvml::success ? std::optional(value)
                                                                           : std::nullopt;
    }
    [[nodiscard]] std::string text(const char* name, Device device) const {
        char buffer[nvml::text_size] = {};
        return call({name}, device, static_cast<char*>(buffer), nvml::text_size) == nvml::success
                   ? std::string(buffer)
                   : std::string();
    }

private:
    void* handle_ = nullptr;
    bool started_ = false;
};

template <typename To>
void set_figure(std::optional<To>& target, const std::optional<unsigned>& value, double unit = 1) {
    if (value) {
        target = static_cast<To>(*value * unit);
    }
}

/// Current and pending mode of ECC or MIG; unsupported stays unknown.
std::optional<bool> mode_of(const Library& library, const char* name, Device device) {
    unsigned current = 0;
    unsigned pending = 0;
    return library.call({name}, device, &current, &pending) == nvml::success
               ? std::optional(current == 1)
               : std::nullopt;
}

void read_identity(const Library& library, Device device, DeviceRecord& record) {
    record.vendor = "NVIDIA";
    record.name = library.text("nvmlDeviceGetName", device);
    if (const std::string uuid = library.text("nvmlDeviceGetUUID", device); !uuid.empty()) {
        record.hash = salted_hash(uuid);
    }
    nvml::PciInfo pci{};
    if (library.call({"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2"}, device, &pci) ==
        nvml::success) {
        record.pci_id = fmt::format("{:04x}", pci.device_and_vendor >> 16U);
        record.pci_subsystem = fmt::format("{:08x}", pci.subsystem_and_vendor);
        record.pci_address = fmt::format("{:04x}:{:02x}:{:02x}.0", pci.domain, pci.bus, pci.device);
    }
    int major = 0;
    int minor = 0;
    if (library.call({"nvmlDeviceGetCudaComputeCapability"}, device, &major, &minor) ==
        nvml::success) {
        record.compute_capability = fmt::format("{}.{}", major, minor);
    }
}

void read_memory(const Library& library, Device device, DeviceRecord& record) {
    nvml::Memory memory{};
    if (library.call({"nvmlDeviceGetMemoryInfo"}, device, &memory) == nvml::success) {
        record.memory = static_cast<double>(memory.total) * byte;
        record.memory_used = static_cast<double>(memory.used) * byte;
    }
    set_figure(record.bus_bits, library.figure("nvmlDeviceGetMemoryBusWidth", device));
    record.ecc = mode_of(library, "nvmlDeviceGetEccMode", device);
}

/// "1g.10gb" of the first slice, from the name of its handle.
std::string slice_of(const Library& library, Device device) {
    Device slice = nullptr;
    if (library.call({"nvmlDeviceGetMigDeviceHandleByIndex"}, device, 0U, &slice) !=
        nvml::success) {
        return "";
    }
    const std::string name = library.text("nvmlDeviceGetName", slice);
    const std::size_t mark = name.find("MIG ");
    return mark == std::string::npos ? std::string() : name.substr(mark + 4);
}

void read_partition(const Library& library, Device device, DeviceRecord& record) {
    record.mig = mode_of(library, "nvmlDeviceGetMigMode", device);
    if (record.mig.value_or(false)) {
        record.mig_profile = slice_of(library, device);
    }
    if (const auto mode = library.figure("nvmlDeviceGetVirtualizationMode", device)) {
        record.virtualized = *mode == nvml::virtualization_vgpu;
    }
}

void read_clocks_and_power(const Library& library, Device device, DeviceRecord& record) {
    set_figure(record.clock_mhz, library.figure("nvmlDeviceGetClockInfo", device, nvml::clock_sm));
    set_figure(record.clock_max_mhz,
               library.figure("nvmlDeviceGetMaxClockInfo", device, nvml::clock_sm));
    set_figure(record.memory_clock_max_mhz,
               library.figure("nvmlDeviceGetMaxClockInfo", device, nvml::clock_memory));
    constexpr double milliwatt = 1e-3;
    set_figure(record.power_w, library.figure("nvmlDeviceGetPowerUsage", device), milliwatt);
    set_figure(record.power_limit_w, library.figure("nvmlDeviceGetEnforcedPowerLimit", device),
               milliwatt);
    set_figure(record.power_default_w,
               library.figure("nvmlDeviceGetPowerManagementDefaultLimit", device), milliwatt);
    set_figure(record.temperature_c,
               library.figure("nvmlDeviceGetTemperature", device, nvml::sensor_gpu));
    unsigned long long reasons = 0;
    if (library.call(
            {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"},
            device, &reasons) == nvml::success) {
        for (const nvml::ClockReason& reason : nvml::clock_reasons) {
            if ((reasons & reason.bit) != 0) {
                record.clock_reasons.emplace_back(reason.word);
            }
        }
    }
}

void read_links(const Library& library, Device device, DeviceRecord& record) {
    set_figure(record.pcie_generation,
               library.figure("nvmlDeviceGetCurrPcieLinkGeneration", device));
    set_figure(record.pcie_generation_max,
               library.figure("nvmlDeviceGetMaxPcieLinkGeneration", device));
    set_figure(record.pcie_lanes, library.figure("nvmlDeviceGetCurrPcieLinkWidth", device));
    set_figure(record.pcie_lanes_max, library.figure("nvmlDeviceGetMaxPcieLinkWidth", device));
    int active = 0;
    bool any = false;
    for (unsigned link = 0; link < nvml::most_links; ++link) {
        const auto state = library.figure("nvmlDeviceGetNvLinkState", device, link);
        if (!state) {
            break;  // unsupported, or past the last link
        }
        any = true;
        active += *state == 1 ? 1 : 0;
    }
    if (any) {
        record.nvlink_links = active;
    }
}

void read_use(const Library& library, Device device, DeviceRecord& record) {
    nvml::Utilization utilization{};
    if (library.call({"nvmlDeviceGetUtilizationRates"}, device, &utilization) == nvml::success) {
        record.utilization_percent = static_cast<int>(utilization.gpu);
    }
    unsigned count = 0;  // no room for any: the answer is how many there are
    const Return result = library.call(
        {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"},
        device, &count, static_cast<void*>(nullptr));
    if (result == nvml::success || result == nvml::insufficient_size) {
        record.processes = static_cast<int>(count);
    }
}

DeviceRecord read_device(const Library& library, Device device) {
    DeviceRecord record;
    read_identity(library, device, record);
    read_memory(library, device, record);
    read_partition(library, device, record);
    read_clocks_and_power(library, device, record);
    read_links(library, device, record);
    read_use(library, device, record);
    return record;
}

void read_versions(const Library& library, LocalMachine& machine) {
    char driver[nvml::text_size] = {};
    if (library.call({"nvmlSystemGetDriverVersion"}, static_cast<char*>(driver), nvml::text_size) ==
        nvml::success) {
        machine.driver = driver;
    }
    int cuda = 0;
    if (library.call({"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"},
                     &cuda) == nvml::success &&
        cuda > 0) {
        machine.cuda_driver = fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10);
    }
}

/// What the codes of a failed start mean to a user.
std::string start_problem(Return code) {
    switch (code) {
        case 4:
            return "no permission to talk to the NVIDIA driver";
        case 9:
            return "the NVIDIA driver is not loaded";
        case 18:
            return "the NVIDIA driver and its library are of different versions";
        default:
            return fmt::format("the NVIDIA driver answers with code {}", code);
    }
}

}  // namespace

void add_nvidia_devices(const std::string& named, LocalMachine& machine) {
    Library library(named);
    if (!library.opened()) {
        machine.reasons.push_back(
            fmt::format("no NVIDIA driver: {} is not installed",
                        named.empty() ? std::string("libnvidia-ml.so.1") : named));
        return;
    }
    if (!library.has("nvmlDeviceGetHandleByIndex_v2") || !library.has("nvmlDeviceGetName")) {
        machine.reasons.emplace_back(
            "the NVIDIA management library lacks functions that are needed");
        return;
    }
    if (const Return started = library.start(); started != nvml::success) {
        machine.reasons.push_back(start_problem(started));
        return;
    }
    read_versions(library, machine);
    unsigned count = 0;
    if (library.call({"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}, &count) != nvml::success ||
        count == 0) {
        machine.reasons.emplace_back(
            "the NVIDIA driver shows no device (in a container: were devices passed in?)");
        return;
    }
    for (unsigned i = 0; i < count; ++i) {
        Device device = nullptr;
        if (library.call({"nvmlDeviceGetHandleByIndex_v2"}, i, &device) == nvml::success) {
            machine.devices.push_back(read_device(library, device));
        } else {
            machine.reasons.push_back(fmt::format("NVIDIA device {} could not be opened", i));
        }
    }
}

}  // namespace ridgeline
