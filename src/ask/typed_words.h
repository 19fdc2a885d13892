#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::ask {

/// The words of a question as the reader parts them, in English where it knows them.
using TypedWords = std::vector<std::string>;
TypedWords typed_words(const std::string& question);

/// Whether one of the words stands in a list, whose words blanks part; an empty list asks for none.
bool has_word_of(const TypedWords& words, std::string_view list);

}  // namespace ridgeline::ask
