#pragma once

#include "spec/accelerator.h"

#include <string_view>
#include <vector>

namespace ridgeline {

/// A slice of a part that supports MIG, as a part of its own with the id "PART/PROFILE": its share
/// of units, memory, bandwidth and cache, no link to other slices (MIG has no peer-to-peer), and of
/// the power what is left when the card is cut into equal slices.
Accelerator slice_of(const Accelerator& part, const MigProfile& profile);

/// The slices of all parts, in their order.
std::vector<Accelerator> slices_of(const std::vector<Accelerator>& parts);

[[nodiscard]] bool is_slice(const Accelerator& accelerator);

/// The id of the whole part: "a30" of "a30/1g.6gb"; a whole part's own id.
std::string_view card_of(std::string_view id);

/// Most slices of this kind that one card gives; 1 for a whole part.
int slices_of_card(const Accelerator& accelerator);

/// Cards that so many slices (or whole parts) take.
int cards_of(const Accelerator& accelerator, int count);

}  // namespace ridgeline
