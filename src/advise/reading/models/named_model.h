#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::reading {

/// Does token i count hardware or a quantity instead of going on with a name?
bool counts_something(const Sentence& sentence, std::size_t i);
/// Words of the work that a number in millions counts: "1M steps" is no size of a model.
bool counts_work(std::string_view word);
/// "2m images" behind a name is work; "1.3b clips" is the size of what makes them: of nothing but
/// tokens are there billions.
bool is_work(std::string_view number, std::string_view unit);
/// "2507", "0324": the month or the day of a release, which changes no shape.
bool is_release_date(std::string_view word);

/// "examples/llama-3/qlora-fsdp-70b.yaml": where the rest of a path has the size of a name without
/// one; 0: nowhere.
std::size_t size_in_path(const Sentence& sentence, std::size_t end);

/// "70b llama": where the size that stands before the name at token `at` is.
std::optional<std::size_t> size_before(const Sentence& sentence, std::size_t at);

/// Whether no more than the word for a kind stands for the model: "lstm", "gan".
bool is_named_by_kind(const Sentence& sentence);

/// Takes tokens [at, end) as the name of a model: the first that is named is the reading's, others
/// are told beside it.
void take_model(Sentence& sentence, std::size_t at, std::size_t end, std::string id, bool known);

}  // namespace ridgeline::reading
