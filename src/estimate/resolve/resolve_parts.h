#pragma once

#include "estimate/resolve/resolve.h"
#include "spec/words.h"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ridgeline {

/// A filled-in value as the list of defaults prints it.
std::string shown(bool value);
std::string shown(int value);
std::string shown(double value);
inline std::string shown(const std::string& value) { return value; }
template <typename E>
requires std::is_enum_v<E> std::string shown(E value) { return std::string(name_of(value)); }

/// Takes stated values and writes down the others.
class DefaultFiller {
public:
    DefaultFiller(const SoftwareProfile& software, std::vector<FilledDefault>& filled)
        : from_software_("software profile " + software.id), filled_(filled) {}

    template <typename T>
    T software(const char* field, const std::optional<T>& stated, T missing) {
        return take(field, stated, std::move(missing), from_software_);
    }
    template <typename T>
    T own(const char* field, const std::optional<T>& stated, T missing) {
        return take(field, stated, std::move(missing), "ridgeline");
    }
    template <typename T>
    T derived(const char* field, const std::optional<T>& stated, T missing, const char* how) {
        return take(field, stated, std::move(missing), how);
    }

private:
    template <typename T>
    T take(const char* field, const std::optional<T>& stated, T missing, std::string_view from) {
        if (stated) {
            return *stated;
        }
        filled_.push_back({field, shown(missing), std::string(from)});
        return missing;
    }

    std::string from_software_;
    std::vector<FilledDefault>& filled_;
};

/// What resolution reads.
struct ResolveInputs {
    const WorkloadDocument& document;
    const Architecture& architecture;
    const SoftwareProfile& software;
    int accelerators;
};

/// Whether all that is stated means something of such a model, task and stack, and nothing excludes
/// another (estimate/resolve/consistent.cpp).
Result<void> check_consistent(const ResolveInputs& in);

// Types (estimate/resolve/precision.cpp); then the plan and the batch (estimate/resolve/plan.cpp).

void resolve_quantization(const ResolveInputs& in, DefaultFiller& fill, Workload& workload);
/// Types of products, weights, cache and gradients, and whether there are master weights.
/// Precondition: plan, adapters and quantization are resolved.
void resolve_precision(const ResolveInputs& in, DefaultFiller& fill, Workload& workload);
/// Whether what trains in 16 bits has a copy and moments in fp32 where nobody says: a habit of the
/// stack, or of DeepSpeed's ZeRO, whose optimizers hold them in its partitions
/// (stage_1_and_2.py, single_partition_of_fp32_groups; stage3.py, fp32_partitioned_groups_flat).
bool keeps_master_weights(const ResolveInputs& in, const Workload& workload);

/// data x tensor x pipeline x context = accelerators; data is what is left when it is not stated.
Result<void> resolve_ranks(const ResolveInputs& in, DefaultFiller& fill, Workload& workload);
/// Sharding, recomputation and offload.
Result<void> resolve_sharding(const ResolveInputs& in, DefaultFiller& fill, Workload& workload);
void resolve_serving(const ResolveInputs& in, DefaultFiller& fill, Workload& workload);
/// Answers of a round and models that score them (estimate/resolve/preference.cpp).
Result<void> resolve_preference(const ResolveInputs& in, DefaultFiller& fill, Workload& workload);
Result<void> resolve_batch(const ResolveInputs& in, DefaultFiller& fill, Workload& workload);

}  // namespace ridgeline
