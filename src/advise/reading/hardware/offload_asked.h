#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "do i need offload", "will it fit or must I offload": whether it is needed is asked, and it is
/// ordered nowhere. What is answered is whether all fits on the card.
void settle_asked_offload(Sentence& sentence);

/// "everything kept on the card", "entirely in vram": nothing of what is run may lie on the host.
void settle_kept_on_card(Sentence& sentence);

}  // namespace ridgeline::reading
