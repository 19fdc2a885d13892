#pragma once

#include "advise/reading/words/token.h"

#include <vector>

namespace ridgeline::reading {

/// Words of other languages that look like others: "kontext" is no FLUX.1 Kontext without FLUX,
/// "16 go" are gigabytes, "een 3060" is one, "5090 statt 4090" weighs the two.
void settle_foreign_words(std::vector<Token>& tokens);
/// "pro Stunde", "por hora", "par heure", "al mese", "per uur" are "per hour", "per month".
void settle_foreign_periods(std::vector<Token>& tokens);

}  // namespace ridgeline::reading
