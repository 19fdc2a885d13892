#include "probes/cuda/sensors.h"

#include <dlfcn.h>

namespace probes {
namespace {
constexpr unsigned long long hard_reasons = 0x8 | 0x20 | 0x40 | 0x80;
}

Sensors::Sensors(const std::string& pci_address) {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library_ == nullptr) {
        return;
    }
    const auto start = reinterpret_cast<int (*)()>(dlsym(library_, "nvmlInit_v2"));
    const auto find = reinterpret_cast<int (*)(const char*, void**)>(
        dlsym(library_, "nvmlDeviceGetHandleByPciBusId_v2"));
    if (start == nullptr || find == nullptr || start() != 0 ||
        find(pci_address.c_str(), &device_) != 0) {
        device_ = nullptr;
    }
}

Sensors::~Sensors() {
    if (library_ != nullptr) {
        dlclose(library_);
    }
}

unsigned Sensors::figure(const char* name, const unsigned* argument) const {
    void* symbol = device_ == nullptr ? nullptr : dlsym(library_, name);
    unsigned value = 0;
    if (symbol == nullptr) {
        return 0;
    }
    const int result = argument == nullptr
                           ? reinterpret_cast<int (*)(void*, unsigned*)>(symbol)(device_, &value)
                           : reinterpret_cast<int (*)(void*, unsigned, unsigned*)>(symbol)(
                                 device_, *argument, &value);
    return result == 0 ? value : 0;
}

double Sensors::power_w() const {
    return 1e-3 * figure("nvmlDeviceGetPowerUsage", nullptr);
}

double Sensors::temperature_c() const {
    const unsigned gpu = 0;
    return figure("nvmlDeviceGetTemperature", &gpu);
}

double Sensors::clock_mhz() const {
    const unsigned multiprocessors = 1;
    return figure("nvmlDeviceGetClockInfo", &multiprocessors);
}

bool Sensors::throttled() const {
    void* symbol =
        device_ == nullptr ? nullptr : dlsym(library_, "nvmlDeviceGetCurrentClocksThrottleReasons");
    unsigned long long reasons = 0;
    return symbol != nullptr &&
           reinterpret_cast<int (*)(void*, unsigned long long*)>(symbol)(device_, &reasons) == 0 &&
           (reasons & hard_reasons) != 0;
}

}  // namespace probes
