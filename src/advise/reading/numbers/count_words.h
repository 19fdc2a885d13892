#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace ridgeline::reading {

/// A number of hardware and the token at which it begins.
struct Count {
    int value = 0;
    std::size_t begin = 0;
};

/// The number that a word alone says of hardware: "dual", "pair", "dozen".
std::optional<int> number_word(std::string_view word);
/// A whole number at token i, in digits or words ("dual"), that nothing has claimed but a phrase.
std::optional<int> whole_at(Sentence& sentence, std::size_t i);
/// The count before token `at`: "8 x", "two used", "a pair of".
std::optional<Count> count_before(Sentence& sentence, std::size_t at);
/// The count after a mention and one past its last token: "x8", "x 8", "(8x)", ":8".
std::optional<std::pair<int, std::size_t>> count_after(Sentence& sentence, std::size_t end);

bool is_gpu_word(std::string_view word);   ///< "cards", "accelerators"
bool is_node_word(std::string_view word);  ///< "nodes", "boxes"
/// Modules that are sold eight on a board.
bool is_board_of_eight(const Mention& mention);
/// "4 nodes of 8", "4 nodes with 8x", "2 servers each with": nodes before a count, and their first
/// token.
std::optional<std::pair<int, std::size_t>> nodes_before(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
