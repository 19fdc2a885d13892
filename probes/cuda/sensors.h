#pragma once

#include <string>

namespace probes {

/// Power, temperature and clock reasons by NVIDIA's management library, opened when it is there.
class Sensors {
public:
    explicit Sensors(const std::string& pci_address);
    Sensors(const Sensors&) = delete;
    Sensors& operator=(const Sensors&) = delete;
    ~Sensors();

    [[nodiscard]] double power_w() const;        ///< 0: unknown
    [[nodiscard]] double temperature_c() const;  ///< 0: unknown
    [[nodiscard]] double clock_mhz() const;      ///< of the SMs; 0: unknown
    /// Slowed by heat, power brake or hardware: a figure taken then is of no use. The software
    /// power cap is no such reason: large products run into it by design.
    [[nodiscard]] bool throttled() const;

private:
    [[nodiscard]] unsigned figure(const char* name, const unsigned* argument) const;
    void* library_ = nullptr;
    void* device_ = nullptr;
};

}  // namespace probes
