#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"

#include <string>

namespace ridgeline::cli {

/// The page that `--open` shows: written to the user's cache, and its question inside.
struct AnswerPage {
    ask::OutputFile file;
    std::string note;  ///< what of the question the page does not know; empty: all is in it
};

/// The page with the question of `advise` or `estimate`: options, words, the texts of its files.
/// errors  the core was not built, a file that cannot be read, workloads that share a card
Result<AnswerPage> answer_page(const ask::WorldPlaces& places, const ask::Request& request);

/// Shows a file in the user's browser, by xdg-open; what to tell the user about it.
std::string open_in_browser(const std::string& path);

}  // namespace ridgeline::cli
