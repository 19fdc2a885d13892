#include "data/local_machine.h"

#include "tests/data/files.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace ridgeline;
namespace fs = std::filesystem;

namespace {

const fs::path nowhere = "/nonexistent";

/// A tree like /sys in a folder that goes when it does.
class Tree {
public:
    Tree() : root_(fs::temp_directory_path() / ("ridgeline-sys-" + std::to_string(getpid()))) {
        fs::remove_all(root_);
    }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;
    ~Tree() { fs::remove_all(root_); }

    void put(const std::string& path, const std::string& text) const {
        const fs::path file = root_ / path;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text << '\n';
    }
    [[nodiscard]] const fs::path& root() const { return root_; }

private:
    fs::path root_;
};

LocalMachine with_fake_nvml(const char* machine) {
    setenv("RIDGELINE_FAKE_NVML", machine, 1);
    LocalPlaces places;
    places.nvml = RIDGELINE_FAKE_NVML_LIBRARY;
    places.sysfs = nowhere;
    return local_machine(places);
}

bool says(const LocalMachine& machine, const std::string& words) {
    return std::any_of(machine.reasons.begin(), machine.reasons.end(),
                       [&](const auto& reason) { return reason.find(words) != std::string::npos; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(detection)

BOOST_AUTO_TEST_CASE(an_nvidia_device_is_read_whole) {
    const LocalMachine machine = with_fake_nvml("");
    BOOST_REQUIRE_EQUAL(machine.devices.size(), 2U);
    BOOST_TEST(machine.driver == "580.65.06");
    BOOST_TEST(machine.cuda_driver == "13.0");
    const DeviceRecord& device = machine.devices.front();
    BOOST_TEST(device.vendor == "NVIDIA");
    BOOST_TEST(device.name == "NVIDIA H100 80GB HBM3");
    BOOST_TEST(device.pci_id == "2330");
    BOOST_TEST(device.pci_subsystem == "16c110de");
    BOOST_TEST(device.pci_address == "0000:1b:00.0");
    BOOST_TEST((*device.memory / mebibyte) == 81559);
    BOOST_TEST(*device.compute_capability == "9.0");
    BOOST_TEST(*device.ecc);
    BOOST_TEST(!*device.mig);
    BOOST_TEST(!*device.virtualized);
    BOOST_TEST(*device.power_limit_w == 700);
    BOOST_TEST(*device.power_w == 71.5);
    BOOST_TEST(*device.clock_max_mhz == 1980);
    BOOST_TEST(*device.memory_clock_max_mhz == 2619);
    BOOST_TEST(*device.pcie_generation == 1);
    BOOST_TEST(*device.pcie_generation_max == 5);
    BOOST_TEST(*device.pcie_lanes == 8);
    BOOST_TEST(*device.nvlink_links == 17);  // 18 links, the last is down
    BOOST_TEST(*device.processes == 0);
    BOOST_REQUIRE_EQUAL(device.clock_reasons.size(), 1U);
    BOOST_TEST(device.clock_reasons.front() == "idle");
}

BOOST_AUTO_TEST_CASE(what_a_device_does_not_tell_stays_unknown) {
    const LocalMachine machine = with_fake_nvml("");
    const DeviceRecord& device = machine.devices.back();
    BOOST_TEST(!device.ecc.has_value());
    BOOST_TEST(!device.nvlink_links.has_value());
    BOOST_TEST(*device.mig);
    BOOST_TEST(device.mig_profile == "1g.10gb");
    BOOST_TEST(*device.processes == 2);
    BOOST_REQUIRE_EQUAL(device.clock_reasons.size(), 2U);
    BOOST_TEST(device.clock_reasons[1] == "hardware thermal slowdown");
}

BOOST_AUTO_TEST_CASE(identities_are_salted_hashes) {
    const LocalMachine machine = with_fake_nvml("");
    BOOST_TEST(machine.devices[0].hash.size() == 16U);
    BOOST_TEST(machine.devices[0].hash != machine.devices[1].hash);
    BOOST_TEST(machine.devices[0].hash.find("aaaa") == std::string::npos);
    // printf 'ridgeline calibration 1: abc' | sha256sum
    BOOST_TEST(salted_hash("abc") == "293086f51b175de0");
}

BOOST_AUTO_TEST_CASE(a_driver_that_cannot_answer_is_a_reason) {
    BOOST_TEST(says(with_fake_nvml("unloaded"), "not loaded"));
    const LocalMachine empty = with_fake_nvml("empty");
    BOOST_TEST(empty.devices.empty());
    BOOST_TEST(says(empty, "shows no device"));
}

BOOST_AUTO_TEST_CASE(a_machine_without_anything_says_where_it_looked) {
    LocalPlaces places;
    places.nvml = "/nonexistent/libnvidia-ml.so.1";
    places.sysfs = nowhere;
    const LocalMachine machine = local_machine(places);
    BOOST_TEST(machine.devices.empty());
    BOOST_TEST(says(machine, "is not installed"));
    BOOST_TEST(says(machine, "no AMD driver"));
    BOOST_TEST(says(machine, "no display or processing device"));
}

BOOST_AUTO_TEST_CASE(an_amd_device_is_read_from_text_files) {
    const Tree tree;
    const std::string device = "class/drm/card1/device/";
    tree.put(device + "vendor", "0x1002");
    tree.put(device + "device", "0x74a1");
    tree.put(device + "subsystem_vendor", "0x1002");
    tree.put(device + "subsystem_device", "0x74a1");
    tree.put(device + "unique_id", "1234567890abcdef");
    tree.put(device + "product_name", "AMD Instinct MI300X");
    tree.put(device + "mem_info_vram_total", "206141652992");
    tree.put(device + "mem_info_vram_used", "297000000");
    tree.put(device + "pp_dpm_sclk", "0: 132Mhz *\n1: 2100Mhz");
    tree.put(device + "gpu_busy_percent", "7");
    tree.put(device + "current_link_speed", "32.0 GT/s PCIe");
    tree.put(device + "max_link_speed", "32.0 GT/s PCIe");
    tree.put(device + "current_link_width", "16");
    tree.put(device + "max_link_width", "16");
    tree.put(device + "current_compute_partition", "SPX");
    tree.put(device + "hwmon/hwmon3/power1_cap", "750000000");
    tree.put(device + "hwmon/hwmon3/power1_average", "140000000");
    tree.put("class/drm/card1-DP-1/status", "connected");
    LocalPlaces places;
    places.nvml = "/nonexistent";
    places.sysfs = tree.root();
    const LocalMachine machine = local_machine(places);
    BOOST_REQUIRE_EQUAL(machine.devices.size(), 1U);
    const DeviceRecord& amd = machine.devices.front();
    BOOST_TEST(amd.vendor == "AMD");
    BOOST_TEST(amd.name == "AMD Instinct MI300X");
    BOOST_TEST(amd.pci_id == "74a1");
    BOOST_TEST(amd.memory->base() == 206141652992.0);
    BOOST_TEST(*amd.clock_max_mhz == 2100);
    BOOST_TEST(*amd.pcie_generation == 5);
    BOOST_TEST(*amd.pcie_lanes == 16);
    BOOST_TEST(*amd.power_limit_w == 750);
    BOOST_TEST(amd.mig_profile.empty());
    BOOST_TEST(!amd.ecc.has_value());
}

BOOST_AUTO_TEST_CASE(a_partition_of_an_amd_device_is_told) {
    const Tree tree;
    const std::string device = "class/drm/card0/device/";
    tree.put(device + "vendor", "0x1002");
    tree.put(device + "device", "0x74a1");
    tree.put(device + "mem_info_vram_total", "25000000000");
    tree.put(device + "current_compute_partition", "CPX");
    LocalPlaces places;
    places.nvml = "/nonexistent";
    places.sysfs = tree.root();
    BOOST_TEST(local_machine(places).devices.at(0).mig_profile == "CPX");
}

BOOST_AUTO_TEST_CASE(a_card_without_a_driver_is_a_reason) {
    const Tree tree;
    tree.put("bus/pci/devices/0000:41:00.0/class", "0x030200");
    tree.put("bus/pci/devices/0000:41:00.0/vendor", "0x10de");
    tree.put("bus/pci/devices/0000:41:00.0/device", "0x2330");
    tree.put("bus/pci/devices/0000:00:01.0/class", "0x018000");
    LocalPlaces places;
    places.nvml = "/nonexistent";
    places.sysfs = tree.root();
    const LocalMachine machine = local_machine(places);
    BOOST_TEST(machine.devices.empty());
    BOOST_TEST(says(machine, "NVIDIA (id 2330) at 0000:41:00.0"));
}

BOOST_AUTO_TEST_CASE(hostile_files_do_no_harm) {
    const Tree tree;
    const std::string device = "class/drm/card0/device/";
    tree.put(device + "vendor", "0x1002");
    tree.put(device + "mem_info_vram_total", "99999999999999999999999999");
    tree.put(device + "pp_dpm_sclk", std::string(100000, 'x'));
    tree.put("class/drm/card2/device/vendor", "");
    LocalPlaces places;
    places.nvml = "/nonexistent";
    places.sysfs = tree.root();
    BOOST_TEST(local_machine(places).devices.empty());
}

BOOST_AUTO_TEST_SUITE_END()
