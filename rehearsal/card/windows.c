/* What an optimizer of the host keeps there for the card (weights, gradients, moments) may be larger than the memory of this
   machine, and is noughts that nobody reads. Once it is told of one, each piece of the host's memory beyond a size is
   address space whose windows all show the same pages. */
#define _GNU_SOURCE
#include "card.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { page = 4096, window = 64 << 20 };

static _Atomic size_t shown_beyond = SIZE_MAX;
static _Atomic int pages = -1;

/** From now on, where a piece of the host's memory is asked for that is larger than so many bytes. */
void ridgeline_card_windows(size_t beyond) {
    int none = -1, made = atomic_load(&pages);
    if (made < 0) {
        made = memfd_create("ridgeline-windows", MFD_CLOEXEC);
        if (made < 0 || ftruncate(made, window)) return;
        if (!atomic_compare_exchange_strong(&pages, &none, made)) close(made);
    }
    atomic_store(&shown_beyond, beyond);
}

void card_windows(void *at, size_t size) {
    if (size <= atomic_load(&shown_beyond)) return;
    char *begin = (char *)(((uintptr_t)at + page - 1) / page * page), *end = (char *)(((uintptr_t)at + size) / page * page);
    for (; begin < end; begin += window) {
        const size_t left = (size_t)(end - begin);
        mmap(begin, left < window ? left : window, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, pages, 0);
    }
}

/* What torch takes its tensors of the host by. A piece of that size is a mapping of its own, which free() takes back whole. */
int posix_memalign(void **to, size_t alignment, size_t size) {
    const int before = errno;
    void *at = memalign(alignment, size);
    if (!at && size) {
        errno = before;
        return ENOMEM;
    }
    if (at) card_windows(at, size);
    *to = at;
    return 0;
}
