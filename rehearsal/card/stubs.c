/* Functions that only have to succeed, as their lists name them: nothing that they write is ever read.
   Those of launches.txt stand for kernels; those of succeeds.txt set or release something. */
#include "card.h"

#define STUB(name)         \
    int name(void) {       \
        card_launch();     \
        return card_success; \
    }
#include "launches.inc"
#undef STUB
#define STUB(name) \
    int name(void) { return card_success; }
#include "succeeds.inc"
