#pragma once

#include "spec/architecture.h"
#include "spec/catalog.h"
#include "spec/software_profile.h"
#include "spec/workload_document.h"

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Chips that no server of models runs on: files of llama.cpp are what they run.
bool runs_files_alone(const Accelerator& part);

/// The profile of what runs files of quantised weights (GGUF); null: the profiles have none.
const SoftwareProfile* runner_of_files(const Profiles& profiles);

/// Types of stored weights to try where none was said, from the widest to the narrowest that people
/// still call usable. Several users, and parts of data centres, are served by engines that keep
/// 8-bit floats (where the chip computes in them or the engine widens them) or 4-bit integers,
/// where the engine has kernels for so old a chip; one user on a card of his own runs files of
/// llama.cpp. What a framework that was named runs comes before both.
///
/// parts  that have to hold it; empty: open
std::vector<std::string_view> weights_to_try(const WorkloadDocument& document,
                                             const Architecture& architecture,
                                             std::span<const Accelerator* const> parts,
                                             const Profiles& profiles);
/// Below the usual four bits, for who has no more: added to types that end in files of four.
void add_types_below_usual(std::vector<std::string_view>& types, const Architecture& architecture);
/// Types of 8 and of 4 bits that engines of servers read.
std::array<std::string_view, 2> weights_of_servers();
/// Types of 4 bits narrower than the usual one (q4_k_m), for who asked for 4 bits alone.
std::span<const std::string_view> other_files_of_four_bits();
bool is_below_usual(std::string_view type);
/// Whether it is a type that both may name.
bool is_tried_type(std::string_view type);

/// Whether files of quantised weights hold such a model.
bool takes_narrow_weights(const Architecture& architecture);
/// Whether nobody said how weights are stored and the model is published with whole ones.
bool leaves_weights_open(const WorkloadDocument& document, const Architecture& architecture);
/// A workload that serves, with the widest of `types` for which `fits` holds; as it stands where it
/// fits so, where its weights were said, and where none of them helps.
WorkloadDocument with_weights_that_fit(const WorkloadDocument& document,
                                       const Architecture& architecture,
                                       std::span<const std::string_view> types,
                                       const std::function<bool(const WorkloadDocument&)>& fits);

}  // namespace ridgeline
