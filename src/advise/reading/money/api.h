#pragma once

#include "advise/reading/money/sums.h"

namespace ridgeline::reading {

/// Whether token `at` stands right behind the name of an API, or of who has one.
bool is_price_of_api(const Sentence& sentence, std::size_t at);
/// "0.59 in", beside an API: a bare number that is the price of what is read or written.
bool is_priced_side(const Sentence& sentence, std::size_t at);
/// "0.60 per million tokens", beside an API: whether tokens stand right behind a number that ends
/// before token `end`.
bool is_price_of_tokens(const Sentence& sentence, std::size_t end);
/// "chatgpt plus for 20 a month": whether a number from token `at` to `end` is what an API is paid.
bool is_bill_of_api(const Sentence& sentence, std::size_t at, std::size_t end);
/// "$/1M output tokens": their price is asked; false: it is not.
bool ask_price_of_tokens(Sentence& sentence, std::size_t at);
/// Takes a sum that is the price of tokens, an API's or one that is to be kept, or what an API is
/// paid a month; false: it is none.
bool take_price_of_api(Sentence& sentence, std::size_t at, const Sum& sum);
/// Names of APIs and of the models behind them are no hardware and no model to run, where an API is
/// weighed.
void claim_names_of_apis(Sentence& sentence);

}  // namespace ridgeline::reading
