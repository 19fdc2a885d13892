#pragma once

#include "estimate/serving/serving_memory.h"

#include <string_view>

namespace ridgeline {

/// Name of the instant in which sequences decode.
inline constexpr std::string_view decode_instant = "decode";

/// What a runtime gives the cache, and what its memory fraction leaves unused of the card; bytes.
struct CacheRoom {
    double cache = 0;
    double unclaimed = 0;
};

/// While all decode that come, or, of an engine that lets requests wait, as many as it holds: who
/// waits decodes nothing.
///
/// peak  its instants, weights and cache are known
CacheRoom room_of_cache(const EstimateInput& input, const InferencePeak& peak);

}  // namespace ridgeline
