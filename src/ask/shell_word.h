#pragma once

#include <string>

namespace ridgeline::ask {

/// `word` as a POSIX shell reads it back: as it is where no character of it means something there,
/// else between single quotes.
std::string shell_word(const std::string& word);

}  // namespace ridgeline::ask
