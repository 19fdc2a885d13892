#pragma once

#include "base/result.h"
#include "spec/architecture.h"

#include <string_view>

namespace ridgeline::ask {

/// What parts the name of a known network from figures of one's own.
inline constexpr char figures_mark = ':';

/// A known network with figures of one's own: "hidden_size=1500,vocab_size=33000" over those of its
/// description. `table_gb` scales the rows of its tables so that all of them together take so many
/// gigabytes in 32 bits, `rows` so that they are so many.
///
/// errors  a figure that the description of no such network has, or that is not above zero
Result<Architecture> with_own_figures(Architecture network, std::string_view figures);

}  // namespace ridgeline::ask
