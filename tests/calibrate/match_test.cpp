#include "calibrate/match.h"

#include "tests/released.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

namespace {

using released::catalog;

/// vendor, name, device id and memory as nvidia-smi shows them.
std::string matched(const char* vendor, const char* name, const char* pci_id, double mib) {
    DeviceRecord device;
    device.vendor = vendor;
    device.name = name;
    device.pci_id = pci_id;
    device.memory = mib * mebibyte;
    const DeviceMatch match = match_device(device, catalog().accelerators);
    return match.accelerator == nullptr ? "" : match.accelerator->id;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(device_match)

BOOST_AUTO_TEST_CASE(the_pci_id_decides) {
    BOOST_TEST(matched("NVIDIA", "NVIDIA H100 80GB HBM3", "2330", 81559) == "h100-sxm5-80gb");
    BOOST_TEST(matched("NVIDIA", "a name nobody knows", "26b9", 46068) == "l40s");
    BOOST_TEST(matched("NVIDIA", "NVIDIA H200", "2335", 143771) == "h200-sxm-141gb");
}

/// Device ids of the PCI ID database; memory as the AMD driver shows it (mem_info_vram_total).
BOOST_AUTO_TEST_CASE(amd_parts_are_told_by_their_ids_and_memory) {
    BOOST_TEST(matched("AMD", "AMD device 74a1", "74a1", 196592) == "mi300x");
    BOOST_TEST(matched("AMD", "AMD device 74a5", "74a5", 262128) == "mi325x");
    BOOST_TEST(matched("AMD", "AMD device 75a0", "75a0", 294896) == "mi350x");
    BOOST_TEST(matched("AMD", "AMD device 75a3", "75a3", 294896) == "mi355x");
    BOOST_TEST(matched("AMD", "AMD device 740f", "740f", 65520) == "mi210");
    BOOST_TEST(matched("AMD", "AMD device 738c", "738c", 32752) == "mi100");
    // One id for the 7900 XT (20 GB) and XTX (24 GB).
    BOOST_TEST(matched("AMD", "AMD device 744c", "744c", 24560) == "rx-7900-xtx");
    BOOST_TEST(matched("AMD", "AMD device 744c", "744c", 20464).empty());
    // A device of an MI250 or MI250X is one of two dies with half of the board's memory, and the
    // catalog counts such devices.
    BOOST_TEST(matched("AMD", "AMD device 740c", "740c", 65520).starts_with("mi250"));
}

BOOST_AUTO_TEST_CASE(a_name_decides_where_no_id_is_known) {
    BOOST_TEST(matched("NVIDIA", "NVIDIA GeForce RTX 4090", "", 24564) == "rtx-4090");
    BOOST_TEST(matched("AMD", "AMD Instinct MI300X", "", 196592) == "mi300x");
}

BOOST_AUTO_TEST_CASE(another_memory_is_another_part) {
    // The id of the 80 GB card with 40 GB: not that card.
    BOOST_TEST(matched("NVIDIA", "unknown", "2330", 40960).empty());
    BOOST_TEST(matched("NVIDIA", "NVIDIA A100-SXM4-40GB", "20b0", 40960) == "a100-sxm4-40gb");
}

BOOST_AUTO_TEST_CASE(an_unknown_part_stays_unknown) {
    BOOST_TEST(matched("NVIDIA", "NVIDIA Z9000", "ffff", 999999).empty());
    BOOST_TEST(matched("", "", "", 0).empty());
    // Another vendor's id means nothing.
    BOOST_TEST(matched("AMD", "unknown", "2330", 81559).empty());
}

BOOST_AUTO_TEST_CASE(a_slice_is_matched_to_its_card) {
    DeviceRecord device;
    device.vendor = "NVIDIA";
    device.name = "NVIDIA H100 80GB HBM3";
    device.pci_id = "2330";
    device.memory = 9856 * mebibyte;  // 1g.10gb
    device.mig = true;
    const DeviceMatch match = match_device(device, catalog().accelerators);
    BOOST_REQUIRE(match.accelerator != nullptr);
    BOOST_TEST(match.accelerator->id == "h100-sxm5-80gb");
}

BOOST_AUTO_TEST_SUITE_END()
