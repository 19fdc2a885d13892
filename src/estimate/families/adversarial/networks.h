#pragma once

#include "estimate/families/family.h"

namespace ridgeline {

/// StyleGAN3's generator: layers whose maps carry a margin and whose nonlinearity runs at twice the
/// sampling rate between two filters (NVlabs/stylegan3 networks_stylegan3.py). Configuration R
/// (1x1 convolutions, twice the channels, radial filters) where the name says so.
void alias_free_generator(NetworkBuilder& net, const FamilyInput& input, double side);

}  // namespace ridgeline
