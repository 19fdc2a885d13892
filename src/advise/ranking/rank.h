#pragma once

#include "advise/search/search.h"

#include <string_view>
#include <vector>

namespace ridgeline {

/// Orders the options, numbers and labels them, marks the Pareto set and says why.
void rank(const Search& search, std::vector<Option>& options);

/// What is told beside the first choice, for another taste: of the options with a label the first
/// that costs no more than a few times as much, else the fastest of those; null: there is none.
struct RunnerUp {
    std::string_view words;  ///< "the smallest is", "faster is"
    const Option* option = nullptr;
};
RunnerUp runner_up_of(const Advice& advice);
/// What keeps a time or a rate by the middle of the prediction alone and costs clearly less than
/// the first choice, which keeps it at its slow end; null: nothing does.
const Option* barely_enough_of(const Advice& advice);

}  // namespace ridgeline
