#pragma once

#include <random>
#include <span>
#include <string>

namespace ridgeline::fuzz {

/// A text near `seed`: one to eight of bytes flipped, cut, doubled or moved, numbers made huge,
/// negative or no number, brackets nested, pieces of another seed put in. Same generator, same
/// text.
std::string mutated(const std::string& seed, std::span<const std::string> others,
                    std::mt19937_64& dice);

}  // namespace ridgeline::fuzz
