#include "advise/reading/words/lexicon.h"

namespace ridgeline::reading {

std::string_view filler_words() {
    return
#include "advise/reading/words/fillers.inc"
        ;
}

}  // namespace ridgeline::reading
