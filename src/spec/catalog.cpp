#include "spec/catalog.h"

#include "base/text.h"

#include <algorithm>

namespace ridgeline {
namespace {

template <typename Entry>
const Entry* with_id(const std::vector<Entry>& entries, std::string_view word) {
    const std::string folded = lower(word);
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
        return lower(entry.id) == folded;
    });
    return found == entries.end() ? nullptr : &*found;
}

template <typename Entry>
const Entry* with_id_or_name(const std::vector<Entry>& entries, std::string_view word) {
    if (const Entry* found = with_id(entries, word)) {
        return found;
    }
    const std::string folded = lower(word);
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
        return lower(entry.name) == folded;
    });
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const Accelerator* Catalog::accelerator(std::string_view word) const {
    if (const Accelerator* found = with_id_or_name(accelerators, word)) {
        return found;
    }
    const std::string folded = lower(word);
    for (const Accelerator& candidate : accelerators) {
        for (const std::string& alias : candidate.aliases) {
            if (lower(alias) == folded) {
                return &candidate;
            }
        }
    }
    return nullptr;
}

const Machine* Catalog::machine(std::string_view id) const {
    return with_id_or_name(machines, id);
}

const Link* Catalog::link(std::string_view id) const {
    return with_id(links, id);
}

const SoftwareProfile* Profiles::software_profile(std::string_view id) const {
    return with_id(software, id);
}

const WorkloadProfile* Profiles::workload_profile(std::string_view id) const {
    return with_id(workloads, id);
}

}  // namespace ridgeline
