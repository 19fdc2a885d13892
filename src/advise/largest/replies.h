#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// The largest model, context, load, batch or rank that fits.
Result<Answer> reply_largest(const Reading& reading, const Query& query, const AnswerTools& tools);
/// The largest model that cards of several kinds (`Reading::joined`) hold together; empty: none are
/// joined, they train, serve several, or something else than a model grows.
std::optional<Answer> reply_largest_joined(const Reading& reading, const AnswerTools& tools);
/// The card to put beside the one that is there (`Reading::second_card`): that with which llama.cpp
/// runs the model fastest, without a model the one that makes room for the largest. Within the sum,
/// without one up to the price of another of the same.
Answer reply_second_card(const Reading& reading, const Query& query, const AnswerTools& tools);

}  // namespace ridgeline
