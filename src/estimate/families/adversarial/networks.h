#pragma once

#include "estimate/families/family.h"

#include <vector>

namespace ridgeline {

/// StyleGAN3's generator: layers whose maps carry a margin and whose nonlinearity runs at twice the
/// sampling rate between two filters (NVlabs/stylegan3 networks_stylegan3.py). Configuration R
/// (1x1 convolutions, twice the channels, radial filters) where the name says so.
void alias_free_generator(NetworkBuilder& net, const FamilyInput& input, double side);

/// One step in which both learn from the same images (pytorch/examples dcgan, HiFi-GAN's train.py).
std::vector<ProgramPass> shared_turns();
/// One step in which each learns from images drawn for it (stylegan3 training_loop.py): first the
/// generator, the discriminator being frozen, then the discriminator, from images that keep
/// nothing. Rounds of regularisation as in `Pair`.
std::vector<ProgramPass> own_turns(double path_length, double penalty);
/// One step of CycleGAN over generator, discriminator, and both of the way back.
std::vector<ProgramPass> cycle_turns();

}  // namespace ridgeline
