#pragma once

#include "base/result.h"
#include "spec/catalog.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::ask {

/// All forms that a word names ("h100", "a100 80gb", an id, a machine's part); the error names the
/// nearest id.
Result<std::vector<const Accelerator*>> parts_named(const Catalog& catalog, std::string_view word,
                                                    const std::string& where);

/// The form of a family that most providers list; null when the word is no family.
const Accelerator* usual_form(const Catalog& catalog, std::string_view word);

/// "2xl40s" and "h100x8" as "l40s:2" and "h100:8"; other words as they are.
std::string with_count_behind(std::string_view text);

}  // namespace ridgeline::ask
