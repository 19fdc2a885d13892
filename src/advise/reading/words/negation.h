#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "no lora", "without any vllm": a negation right before token `at`, in the same clause. Lists of
/// makers and providers do not carry it: "no amd, qlora" wants QLoRA.
bool is_ruled_out(const Sentence& sentence, std::size_t at);
/// The same where a list may stand between: "not on aws or gcp" reaches both.
bool is_negated(const Sentence& sentence, std::size_t at);
/// "dont need low latency", "latency is not important": whether what the tokens [at, at + length)
/// aim at is not wanted.
bool is_unwanted_aim(const Sentence& sentence, std::size_t at, std::size_t length);

}  // namespace ridgeline::reading
