#pragma once

#include "advise/search/search.h"

#include <string_view>
#include <vector>

namespace ridgeline {

/// Orders the options, numbers and labels them, marks the Pareto set and says why.
void rank(const Search& search, std::vector<Option>& options);

/// How far a part at a desk stands from what recipes of training, quantised weights among them, and
/// engines other than those of GGUF files are written for: CUDA (0), then ROCm, where those of
/// pictures leave consumer parts to themselves (1; of texts they are kept: 0), then the others (2).
/// Who asks for another maker has it.
int off_the_path(const Query& query, const Option& option);

/// What is told beside the first choice, for another taste: of the options with a label the first
/// that costs no more than a few times as much, else the fastest of those; null: there is none.
struct RunnerUp {
    std::string_view words;  ///< "the smallest is", "faster is"
    const Option* option = nullptr;
};
RunnerUp runner_up_of(const Advice& advice);

}  // namespace ridgeline
