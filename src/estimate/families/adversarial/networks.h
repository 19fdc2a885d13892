#pragma once

#include "estimate/families/family.h"

#include <vector>

namespace ridgeline {

/// StyleGAN3's generator: layers whose maps carry a margin and whose nonlinearity runs at twice the
/// sampling rate between two filters (NVlabs/stylegan3 networks_stylegan3.py). Configuration R
/// (1x1 convolutions, twice the channels, radial filters) where the name says so.
void alias_free_generator(NetworkBuilder& net, const FamilyInput& input, double side);

/// pix2pix's generator: a U-Net of eight levels (unet_256).
void unet_generator(NetworkBuilder& net, const FamilyInput& input);
/// CycleGAN's generator: nine residual blocks (resnet_9blocks) with instance norm.
void residual_generator(NetworkBuilder& net, const FamilyInput& input);
/// The discriminator of both, which judges patches of 70 pixels; pix2pix's sees what the picture
/// was made of as well.
void patch_discriminator(NetworkBuilder& net, const FamilyInput& input);
/// One step of CycleGAN over generator, discriminator, and both of the way back.
std::vector<ProgramPass> cycle_turns();

}  // namespace ridgeline
