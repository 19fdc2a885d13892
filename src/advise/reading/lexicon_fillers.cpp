#include "advise/reading/lexicon.h"

namespace ridgeline::reading {

std::string_view filler_words() {
    return
#include "advise/reading/fillers.inc"
        ;
}

}  // namespace ridgeline::reading
