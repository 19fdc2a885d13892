#include "calibrate/match.h"

#include "base/lists.h"
#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace ridgeline {
namespace {

// 2^30 / 10^9 is 1.074: what one source calls GB another counts in GiB.
constexpr double memory_tolerance = 0.08;

/// Lower-case words and numbers of a name, without what says nothing about the part.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words;
    std::string word;
    const auto end_word = [&] {
        for (const char* skipped : {"nvidia", "amd", "geforce", "graphics", "tesla", "instinct"}) {
            word = word == skipped ? std::string() : word;
        }
        if (!word.empty()) {
            words.push_back(word);
        }
        word.clear();
    };
    for (const char c : lower(name)) {
        if (is_letter(c) || is_digit(c)) {
            word += c;
        } else {
            end_word();
        }
    }
    end_word();
    return words;
}

bool same_vendor(const DeviceRecord& device, const Accelerator& accelerator) {
    return device.vendor.empty() || lower(device.vendor) == lower(accelerator.vendor);
}

bool named(const DeviceRecord& device, const Accelerator& accelerator) {
    const auto wanted = words_of(device.name);
    if (wanted.empty()) {
        return false;
    }
    const auto is = [&](const std::string& name) { return words_of(name) == wanted; };
    return is(accelerator.name) || is(accelerator.id) ||
           std::any_of(accelerator.aliases.begin(), accelerator.aliases.end(), is);
}

/// Every word of the device's name that holds a digit stands in the entry's name or id.
bool alike(const DeviceRecord& device, const Accelerator& accelerator) {
    const std::string text = lower(accelerator.name + " " + accelerator.id);
    bool any = false;
    for (const std::string& word : words_of(device.name)) {
        const bool number = has_digit(word);
        const bool size = word.ends_with("gb") || word.starts_with("hbm");
        if (number && !size) {
            any = true;
            if (!contains(text, word)) {
                return false;
            }
        }
    }
    return any && (!device.units || !accelerator.units || *device.units == *accelerator.units);
}

bool has_id(const Accelerator& accelerator, const std::string& pci_id) {
    return is_among(pci_id, accelerator.pci_ids);
}

}  // namespace

bool same_memory(const DeviceRecord& device, const Accelerator& accelerator) {
    if (!device.memory || accelerator.capacity().base() <= 0) {
        return true;
    }
    return std::abs(*device.memory / accelerator.capacity() - 1) <= memory_tolerance;
}

DeviceMatch match_device(const DeviceRecord& device, const std::vector<Accelerator>& accelerators) {
    const bool slice = device.mig.value_or(false) || device.virtualized.value_or(false);
    const Accelerator* by_id = nullptr;
    for (const Accelerator& entry : accelerators) {
        if (!device.pci_id.empty() && same_vendor(device, entry) && has_id(entry, device.pci_id)) {
            // Two sizes of one part may share an id, as the NVL and SXM forms of the H200 do.
            const bool nearer = named(device, entry) || by_id == nullptr;
            if ((same_memory(device, entry) || slice) && nearer) {
                by_id = &entry;
            }
        }
    }
    if (by_id != nullptr) {
        return {by_id, "PCI id " + device.pci_id};
    }
    for (const Accelerator& entry : accelerators) {
        if (same_vendor(device, entry) && named(device, entry) &&
            (same_memory(device, entry) || slice)) {
            return {&entry, "name"};
        }
    }
    for (const Accelerator& entry : accelerators) {
        if (same_vendor(device, entry) && device.memory && !slice && alike(device, entry) &&
            same_memory(device, entry)) {
            return {&entry, "name and memory"};
        }
    }
    return {};
}

}  // namespace ridgeline
