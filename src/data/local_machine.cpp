#include "data/local_machine.h"

#include "base/number.h"
#include "base/text.h"
#include "data/local_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sys/utsname.h>
#include <thread>

namespace ridgeline {
namespace fs = std::filesystem;
namespace {

/// Entries of a folder, sorted; none when it is absent.
std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        entries.push_back(entry->path());
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

template <typename To>
void set_read(std::optional<To>& target, const std::optional<double>& value, double unit = 1) {
    if (value) {
        target = static_cast<To>(*value * unit);
    }
}

/// The number before " MHz" on the last line of a clock table ("1: 2100Mhz *").
std::optional<double> highest_clock(const fs::path& file) {
    std::ifstream lines(file);
    std::optional<double> highest;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos) {
            const double mhz = number_or_zero(std::string_view(line).substr(colon + 1));
            highest = std::max(highest.value_or(0), mhz);
        }
    }
    return highest;
}

/// "16.0 GT/s PCIe" -> 4.
std::optional<int> pcie_generation_of(const std::string& speed) {
    const double rate = number_or_zero(speed);
    for (const auto& [least, generation] :
         {std::pair{64.0, 6}, {32.0, 5}, {16.0, 4}, {8.0, 3}, {5.0, 2}, {2.5, 1}}) {
        if (rate >= least) {
            return generation;
        }
    }
    return std::nullopt;
}

void read_amd_power(const fs::path& device, DeviceRecord& record) {
    constexpr double microwatt = 1e-6;
    for (const fs::path& sensor : entries_of(device / "hwmon")) {
        set_read(record.power_limit_w, number_in_file(sensor / "power1_cap"), microwatt);
        set_read(record.power_default_w, number_in_file(sensor / "power1_cap_default"), microwatt);
        set_read(record.power_w, number_in_file(sensor / "power1_average"), microwatt);
        set_read(record.temperature_c, number_in_file(sensor / "temp1_input"), 1e-3);
    }
}

DeviceRecord read_amd_device(const fs::path& device) {
    DeviceRecord record;
    record.vendor = "AMD";
    record.pci_id = hexadecimal(first_line(device / "device"));
    record.pci_subsystem = hexadecimal(first_line(device / "subsystem_device")) +
                           hexadecimal(first_line(device / "subsystem_vendor"));
    record.name = first_line(device / "product_name");
    if (record.name.empty()) {
        record.name = "AMD device " + record.pci_id;
    }
    std::error_code problem;
    record.pci_address = fs::canonical(device, problem).filename().string();
    if (const std::string id = first_line(device / "unique_id"); !id.empty()) {
        record.hash = salted_hash(id);
    }
    if (const auto total = number_in_file(device / "mem_info_vram_total")) {
        record.memory = *total * byte;
    }
    if (const auto used = number_in_file(device / "mem_info_vram_used")) {
        record.memory_used = *used * byte;
    }
    set_read(record.utilization_percent, number_in_file(device / "gpu_busy_percent"));
    record.clock_max_mhz = highest_clock(device / "pp_dpm_sclk");
    record.memory_clock_max_mhz = highest_clock(device / "pp_dpm_mclk");
    record.pcie_generation = pcie_generation_of(first_line(device / "current_link_speed"));
    record.pcie_generation_max = pcie_generation_of(first_line(device / "max_link_speed"));
    set_read(record.pcie_lanes, number_in_file(device / "current_link_width"));
    set_read(record.pcie_lanes_max, number_in_file(device / "max_link_width"));
    // A partitioned MI300 shows slices; SPX is the whole part.
    const std::string partition = first_line(device / "current_compute_partition");
    record.mig_profile = partition == "SPX" ? std::string() : partition;
    read_amd_power(device, record);
    return record;
}

bool is_card(const fs::path& entry) {
    const std::string name = entry.filename().string();
    return name.starts_with("card") && name.find('-') == std::string::npos;
}

std::string cpu_name(const fs::path& proc) {
    std::ifstream lines(proc / "cpuinfo");
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(':');
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(std::min(colon + 2, line.size()));
        }
    }
    return "CPU";
}

std::string distribution() {
    std::ifstream lines("/etc/os-release");
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("PRETTY_NAME=")) {
            std::string name = line.substr(12);
            std::erase(name, '"');
            return name;
        }
    }
    return "";
}

}  // namespace

std::string first_line(const fs::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
        line.pop_back();
    }
    return line.substr(0, 200);
}

std::optional<double> number_in_file(const fs::path& file) {
    const std::string line = first_line(file);
    const auto number = leading_number(line);
    return number && number->value >= 0 && number->value < 1e18 ? std::optional(number->value)
                                                                : std::nullopt;
}

std::string hexadecimal(std::string_view text) {
    return lower(text.starts_with("0x") ? text.substr(2) : text);
}

void add_amd_devices(const fs::path& sysfs, LocalMachine& machine) {
    const std::size_t before = machine.devices.size();
    for (const fs::path& card : entries_of(sysfs / "class/drm")) {
        const fs::path device = card / "device";
        if (is_card(card) && hexadecimal(first_line(device / "vendor")) == "1002" &&
            number_in_file(device / "mem_info_vram_total")) {
            machine.devices.push_back(read_amd_device(device));
        }
    }
    if (machine.devices.size() == before) {
        machine.reasons.push_back(
            fmt::format("no AMD driver shows a device in {}", (sysfs / "class/drm").string()));
    }
}

void add_pci_reasons(const fs::path& sysfs, LocalMachine& machine) {
    int seen = 0;
    for (const fs::path& device : entries_of(sysfs / "bus/pci/devices")) {
        const std::string kind = hexadecimal(first_line(device / "class"));
        if (!kind.starts_with("03") && !kind.starts_with("12")) {
            continue;
        }
        const std::string vendor = hexadecimal(first_line(device / "vendor"));
        const std::string id = hexadecimal(first_line(device / "device"));
        const std::string maker = vendor == "10de"   ? "NVIDIA"
                                  : vendor == "1002" ? "AMD"
                                  : vendor == "8086" ? "Intel"
                                                     : "vendor " + vendor;
        const bool shown = std::any_of(
            machine.devices.begin(), machine.devices.end(),
            [&](const auto& known) { return known.pci_id == id && (known.vendor == maker); });
        ++seen;
        if (!shown) {
            machine.reasons.push_back(
                fmt::format("the PCI bus has a device of {} (id {}) at {} that no driver shows",
                            maker, id, device.filename().string()));
        }
    }
    if (seen == 0) {
        machine.reasons.push_back(fmt::format("no display or processing device in {}",
                                              (sysfs / "bus/pci/devices").string()));
    }
}

LocalMachine local_machine(const LocalPlaces& places) {
    LocalMachine machine;
    add_nvidia_devices(places.nvml, machine);
    add_amd_devices(places.sysfs, machine);
    add_pci_reasons(places.sysfs, machine);
    return machine;
}

DeviceRecord local_cpu(const LocalPlaces& places) {
    DeviceRecord record;
    record.kind = "cpu";
    record.name = cpu_name(places.proc);
    const std::string word = lower(record.name);
    record.vendor = contains(word, "amd") ? "AMD" : contains(word, "intel") ? "Intel" : "";
    record.units = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::ifstream lines(places.proc / "meminfo");
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("MemTotal:")) {
            record.memory = number_or_zero(std::string_view(line).substr(9)) * kibibyte;
        }
    }
    return record;
}

std::string local_system() {
    utsname system{};
    if (uname(&system) != 0) {
        return distribution();
    }
    return fmt::format("{} {} {}", system.sysname, system.release, distribution());
}

std::string local_node() {
    const std::string id = first_line("/etc/machine-id");
    return id.empty() ? "" : salted_hash(id);
}

}  // namespace ridgeline
