/* Memory of the card: address space of the host, counted against what the card has. */
#define _GNU_SOURCE
#include "card.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { most_blocks = 1 << 16, page_bytes = 2 << 20 };
enum { host_to_host, host_to_device, device_to_host, device_to_device, either_way };
enum { memory_unregistered, memory_host, memory_device };

struct block {
    char *at;
    size_t size;
    int device;
    int paid; /* a reservation is not: its handles are */
};

struct table {
    struct block blocks[most_blocks]; /* sorted by address */
    int count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table on_card, pinned; /* memory of the card; memory of the host that the card reaches */
static size_t used[card_most_devices];

size_t card_total(void) {
    const long bytes = card_number("RIDGELINE_CARD_MEMORY", 0);
    return bytes > 0 ? (size_t)bytes : (size_t)1 << 46;
}

/* A rehearsal without a limit learns how much a script would take; what the driver shows stays true. */
static size_t left(int device) {
    const size_t taken = used[device] + (size_t)card_number("RIDGELINE_CARD_CONTEXT", 0);
    return taken < card_total() ? card_total() - taken : 0;
}

static size_t room(int device) {
    return card_number("RIDGELINE_CARD_UNLIMITED", 0) ? (size_t)1 << 46 : left(device);
}

size_t card_free(int device) {
    pthread_mutex_lock(&lock);
    const size_t bytes = left(device);
    pthread_mutex_unlock(&lock);
    return bytes;
}

int card_take(int device, size_t size) {
    pthread_mutex_lock(&lock);
    const int fits = size <= room(device);
    if (fits) used[device] += size;
    pthread_mutex_unlock(&lock);
    return fits;
}

void card_give(int device, size_t size) {
    pthread_mutex_lock(&lock);
    used[device] -= size < used[device] ? size : used[device];
    pthread_mutex_unlock(&lock);
}

/* The last block that begins at or before `at`, or -1; the lock is held. */
static int block_before(const struct table *in, const void *at) {
    int low = 0, high = in->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (in->blocks[middle].at <= (const char *)at) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}

static int remember(struct table *in, void *at, size_t size, int device, int paid) {
    pthread_mutex_lock(&lock);
    struct block *blocks = in->blocks;
    const int place = block_before(in, at) + 1, fits = in->count < most_blocks;
    if (fits) {
        memmove(blocks + place + 1, blocks + place, (size_t)(in->count - place) * sizeof *blocks);
        blocks[place] = (struct block){at, size, device, paid};
        ++in->count;
    }
    pthread_mutex_unlock(&lock);
    return fits;
}

/* Takes a block out of the table; its size is 0 where there is none at that address. */
static struct block forget(struct table *in, void *at) {
    struct block found = {0, 0, 0, 0}, *blocks = in->blocks;
    pthread_mutex_lock(&lock);
    const int place = block_before(in, at);
    if (place >= 0 && blocks[place].at == (char *)at) {
        found = blocks[place];
        memmove(blocks + place, blocks + place + 1, (size_t)(--in->count - place) * sizeof *blocks);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static int holds(const struct table *in, const void *at, int *device, void **base, size_t *size) {
    pthread_mutex_lock(&lock);
    const struct block *blocks = in->blocks;
    const int place = block_before(in, at);
    const int inside = place >= 0 && (const char *)at < blocks[place].at + blocks[place].size;
    if (inside && device) *device = blocks[place].device;
    if (inside && base) *base = blocks[place].at;
    if (inside && size) *size = blocks[place].size;
    pthread_mutex_unlock(&lock);
    return inside;
}

int card_holds(const void *at, int *device, void **base, size_t *size) {
    return holds(&on_card, at, device, base, size);
}
int card_pinned(const void *at) { return holds(&pinned, at, 0, 0, 0); }

static void *address_space(size_t size) {
    void *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? 0 : at;
}

void *card_reserve(size_t size) {
    void *at = address_space(size);
    if (at && !remember(&on_card, at, size, card_current(), 0)) {
        munmap(at, size);
        at = 0;
    }
    return at;
}

void card_unreserve(void *at, size_t size) {
    if (forget(&on_card, at).size) munmap(at, size);
}

int cudaMalloc(void **to, size_t asked) {
    const size_t size = (asked + page_bytes - 1) / page_bytes * page_bytes;
    const int device = card_current();
    *to = 0;
    if (!asked) return card_success;
    if (!card_take(device, size)) return card_out_of_memory;
    void *at = address_space(size);
    if (!at || !remember(&on_card, at, size, device, 1)) {
        if (at) munmap(at, size);
        card_give(device, size);
        return card_out_of_memory;
    }
    *to = at;
    return card_success;
}

int cudaFree(void *at) {
    const struct block found = forget(&on_card, at);
    if (found.size) {
        munmap(found.at, found.size);
        if (found.paid) card_give(found.device, found.size);
    }
    return card_success;
}

int cudaMallocAsync(void **to, size_t size, void *stream) {
    (void)stream;
    return cudaMalloc(to, size);
}
int cudaFreeAsync(void *at, void *stream) {
    (void)stream;
    return cudaFree(at);
}
int cudaMallocManaged(void **to, size_t size, unsigned flags) {
    (void)flags;
    return cudaMalloc(to, size);
}

int cudaMemGetInfo(size_t *left, size_t *total) {
    *total = card_total();
    *left = card_free(card_current());
    return card_success;
}

int cudaHostAlloc(void **to, size_t size, unsigned flags) {
    (void)flags;
    *to = size ? address_space(size) : 0;
    if (*to && !remember(&pinned, *to, size, 0, 1)) {
        munmap(*to, size);
        *to = 0;
    }
    if (*to) card_windows(*to, size);
    return *to || !size ? card_success : card_out_of_memory;
}
int cudaMallocHost(void **to, size_t size) { return cudaHostAlloc(to, size, 0); }
int cudaFreeHost(void *at) {
    const struct block found = forget(&pinned, at);
    if (found.size && found.paid) munmap(found.at, found.size);
    return card_success;
}
int cudaHostRegister(void *at, size_t size, unsigned flags) {
    (void)flags;
    return remember(&pinned, at, size, 0, 0) ? card_success : card_out_of_memory;
}
int cudaHostUnregister(void *at) {
    forget(&pinned, at);
    return card_success;
}
int cudaHostGetDevicePointer(void **to, void *at, unsigned flags) {
    (void)flags;
    *to = at;
    return card_success;
}

static int copy(void *to, const void *from, size_t size, int kind, const void *caller) {
    const int from_card = kind == device_to_host || (kind == either_way && card_holds(from, 0, 0, 0) &&
                                                     !card_holds(to, 0, 0, 0));
    if (from_card) card_read(to, from, size, caller);
    else if (size <= card_small_copy) memmove(to, from, size);
    return card_success;
}
int cudaMemcpy(void *to, const void *from, size_t size, int kind) {
    return copy(to, from, size, kind, __builtin_return_address(0));
}
int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream) {
    (void)stream;
    return copy(to, from, size, kind, __builtin_return_address(0));
}
int cudaMemcpyPeerAsync(void *to, int receiver, const void *from, int sender, size_t size, void *stream) {
    (void)receiver, (void)sender, (void)stream;
    return copy(to, from, size, device_to_device, 0);
}
int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height, int kind, void *stream) {
    (void)stream;
    for (size_t row = 0; row < height && width * height <= card_small_copy; ++row) {
        copy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width, kind,
             __builtin_return_address(0));
    }
    return card_success;
}
int cudaMemset(void *to, int value, size_t size) {
    if (size <= card_small_copy) memset(to, value, size);
    return card_success;
}
int cudaMemsetAsync(void *to, int value, size_t size, void *stream) {
    (void)stream;
    return cudaMemset(to, value, size);
}

struct pointer_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
};
int cudaPointerGetAttributes(struct pointer_attributes *to, const void *at) {
    memset(to, 0, sizeof *to);
    to->device = card_current();
    if (card_holds(at, &to->device, 0, 0)) {
        to->type = memory_device;
        to->device_pointer = (void *)at;
    } else {
        to->type = card_pinned(at) ? memory_host : memory_unregistered;
        to->device_pointer = to->type == memory_host ? (void *)at : 0;
        to->host_pointer = (void *)at;
    }
    return card_success;
}
