#include "spec/mig.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

Accelerator slice_of(const Accelerator& part, const MigProfile& profile) {
    Accelerator slice = part;
    slice.id = part.id + "/" + profile.name;
    slice.name = part.name + " " + profile.name;
    slice.aliases.clear();
    slice.pci_ids.clear();
    const auto share = [](auto& figure, double fraction) {
        if (figure) {
            figure = *figure * fraction;
        }
    };
    for (auto& peak : slice.peak_dense) {
        share(peak, profile.compute_fraction);
    }
    share(slice.peak_vector_fp32, profile.compute_fraction);
    share(slice.peak_vector_fp64, profile.compute_fraction);
    if (part.units) {
        slice.units = static_cast<int>(std::lround(*part.units * profile.compute_fraction));
    }
    slice.marketed_gb *= profile.memory_fraction;
    share(slice.visible_memory, profile.memory_fraction);
    slice.visible_memory_assumed = !profile.visible_memory;
    if (profile.visible_memory) {
        // A guide rounds; a slice never shows more than its card.
        slice.visible_memory = part.visible_memory
                                   ? std::min(*profile.visible_memory, *part.visible_memory)
                                   : *profile.visible_memory;
    }
    slice.memory_bandwidth = part.memory_bandwidth * profile.memory_fraction;
    share(slice.l2_cache, profile.memory_fraction);
    share(slice.last_level_cache, profile.memory_fraction);
    slice.tdp = part.tdp / static_cast<double>(profile.instances);
    slice.scale_up = {
        .kind = "none", .rate = {}, .pair_rate = {}, .max_domain = 1, .note = "a MIG slice"};
    slice.mig_instances.reset();
    slice.mig_profiles = {profile};
    slice.prices.clear();
    slice.errata.clear();
    return slice;
}

std::vector<Accelerator> slices_of(const std::vector<Accelerator>& parts) {
    std::vector<Accelerator> slices;
    for (const Accelerator& part : parts) {
        for (const MigProfile& profile : part.mig_profiles) {
            slices.push_back(slice_of(part, profile));
        }
    }
    return slices;
}

bool is_slice(const Accelerator& accelerator) {
    return accelerator.id.find('/') != std::string::npos;
}

std::string_view card_of(std::string_view id) { return id.substr(0, id.find('/')); }

int slices_of_card(const Accelerator& accelerator) {
    const bool slice = is_slice(accelerator) && !accelerator.mig_profiles.empty();
    return slice ? accelerator.mig_profiles.front().instances : 1;
}

int cards_of(const Accelerator& accelerator, int count) {
    const int each = slices_of_card(accelerator);
    return (count + each - 1) / each;
}

}  // namespace ridgeline
