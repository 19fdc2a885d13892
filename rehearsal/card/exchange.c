/* NCCL: small messages are exchanged by the ranks of one machine through shared memory, since scripts and
   torch itself read them; large ones succeed without being moved. */
#define _GNU_SOURCE
#include "card.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { most_ranks = 64, id_bytes = 128, letters = 32, unhandled = 1 };
enum { sum, product, maximum, minimum, average };
enum { of_int8, of_uint8, of_int32, of_uint32, of_int64, of_uint64, of_half, of_float, of_double, of_bfloat16 };

struct identity { char text[id_bytes]; };

/* What a rank shows to the others: its latest message, and a ring of letters to each of them. */
struct slot {
    atomic_int process;
    atomic_long arrived;
    atomic_long sent[most_ranks];
    atomic_long received[most_ranks]; /* letters of each sender that this rank has read */
    unsigned char message[2][card_small_copy];
};
struct communicator {
    int ranks, rank, device, alone; /* alone: all ranks are this process's, or nobody else is there */
    long round, children;
    struct slot *slots;
    char name[id_bytes];
};

static size_t bytes_of(int type) {
    switch (type) {
        case of_int8: case of_uint8: return 1;
        case of_half: case of_bfloat16: return 2;
        case of_int32: case of_uint32: case of_float: return 4;
        case of_int64: case of_uint64: case of_double: return 8;
        default: return 1; /* 8-bit floats */
    }
}

void *card_shared(const char *name, size_t size) {
    const int file = shm_open(name, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, (off_t)size)) card_refuse("no shared memory for the exchanges of ranks");
    void *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    close(file);
    if (at == MAP_FAILED) card_refuse("no shared memory for the exchanges of ranks");
    return at;
}

static struct communicator *join(const char *name, int ranks, int rank) {
    struct communicator *made = calloc(1, sizeof *made);
    made->ranks = ranks, made->rank = rank, made->device = card_current();
    made->alone = ranks == 1 || ranks > most_ranks || card_number("RIDGELINE_CARD_MIRROR", 0);
    snprintf(made->name, sizeof made->name, "%s", name);
    if (!made->alone) {
        made->slots = card_shared(made->name, sizeof(struct slot) * (size_t)ranks);
        card_sit(ranks);
        atomic_store(&made->slots[rank].process, getpid());
    }
    return made;
}

/* Shows `size` bytes to all ranks and waits until each has shown its own. */
static void meet(struct communicator *c, const void *message, size_t size) {
    const long round = ++c->round;
    memcpy(c->slots[c->rank].message[round % 2], message, size);
    atomic_store(&c->slots[c->rank].arrived, round);
    for (int i = 0; i < c->ranks; ++i) {
        card_wait_for(&c->slots[i].arrived, round, &c->slots[i].process,
                      "a rank waits for an exchange that another does not make");
    }
}
static const unsigned char *shown(const struct communicator *c, int rank) { return c->slots[rank].message[c->round % 2]; }

static double half_value(uint16_t bits) {
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
    double value = exponent ? 1 + fraction / 1024 : fraction / 1024;
    for (int i = exponent ? exponent : 1; i > 15; --i) value *= 2;
    for (int i = exponent ? exponent : 1; i < 15; ++i) value /= 2;
    return sign * value;
}
static uint16_t half_bits(double value) {
    const uint16_t sign = value < 0 ? 0x8000 : 0;
    int exponent = 15;
    if (value < 0) value = -value;
    if (!(value > 0)) return sign;
    while (value >= 2 && exponent < 31) value /= 2, ++exponent;
    while (value < 1 && exponent > 0) value *= 2, --exponent;
    if (exponent >= 31) return sign | 0x7c00;
    return (uint16_t)(sign | exponent << 10 | (int)((value - 1) * 1024));
}
static double value_at(const void *from, size_t i, int type) {
    uint32_t wide;
    float single;
    switch (type) {
        case of_int8: return ((const int8_t *)from)[i];
        case of_int32: return ((const int32_t *)from)[i];
        case of_uint32: return ((const uint32_t *)from)[i];
        case of_int64: return (double)((const int64_t *)from)[i];
        case of_uint64: return (double)((const uint64_t *)from)[i];
        case of_half: return half_value(((const uint16_t *)from)[i]);
        case of_float: return ((const float *)from)[i];
        case of_double: return ((const double *)from)[i];
        case of_bfloat16:
            wide = (uint32_t)((const uint16_t *)from)[i] << 16;
            memcpy(&single, &wide, sizeof single);
            return single;
        default: return ((const uint8_t *)from)[i];
    }
}
static void put_value(void *to, size_t i, int type, double value) {
    const float single = (float)value;
    uint32_t wide;
    switch (type) {
        case of_int8: ((int8_t *)to)[i] = (int8_t)value; break;
        case of_int32: ((int32_t *)to)[i] = (int32_t)value; break;
        case of_uint32: ((uint32_t *)to)[i] = (uint32_t)value; break;
        case of_int64: ((int64_t *)to)[i] = (int64_t)value; break;
        case of_uint64: ((uint64_t *)to)[i] = (uint64_t)value; break;
        case of_half: ((uint16_t *)to)[i] = half_bits(value); break;
        case of_float: ((float *)to)[i] = single; break;
        case of_double: ((double *)to)[i] = value; break;
        case of_bfloat16:
            memcpy(&wide, &single, sizeof wide);
            ((uint16_t *)to)[i] = (uint16_t)(wide >> 16);
            break;
        default: ((uint8_t *)to)[i] = (uint8_t)value;
    }
}
static void reduce(const struct communicator *c, void *to, size_t first, size_t count, int type, int how) {
    for (size_t i = 0; i < count; ++i) {
        double value = value_at(shown(c, 0), first + i, type);
        for (int rank = 1; rank < c->ranks; ++rank) {
            const double other = value_at(shown(c, rank), first + i, type);
            if (how == maximum) value = other > value ? other : value;
            else if (how == minimum) value = other < value ? other : value;
            else if (how == product) value *= other;
            else value += other;
        }
        put_value(to, i, type, how == average ? value / c->ranks : value);
    }
}

/* Whether a message is moved: it must fit into a slot, and other ranks must be there. */
static int moves(const struct communicator *c, size_t bytes) {
    card_launch();
    return c && !c->alone && bytes && bytes <= card_small_copy;
}
static void copy_alone(const struct communicator *c, void *to, const void *from, size_t bytes) {
    if (c && c->alone && to && from && to != from && bytes <= card_small_copy) memmove(to, from, bytes);
}

int ncclAllReduce(const void *from, void *to, size_t count, int type, int how, struct communicator *c, void *stream) {
    const size_t bytes = count * bytes_of(type);
    (void)stream;
    if (moves(c, bytes)) {
        meet(c, from, bytes);
        reduce(c, to, 0, count, type, how);
    } else {
        copy_alone(c, to, from, bytes);
    }
    return card_success;
}
int ncclReduce(const void *from, void *to, size_t count, int type, int how, int root, struct communicator *c,
               void *stream) {
    const size_t bytes = count * bytes_of(type);
    (void)stream;
    if (moves(c, bytes)) {
        meet(c, from, bytes);
        if (c->rank == root) reduce(c, to, 0, count, type, how);
    } else if (c && c->rank == root) {
        copy_alone(c, to, from, bytes);
    }
    return card_success;
}
int ncclReduceScatter(const void *from, void *to, size_t count, int type, int how, struct communicator *c, void *stream) {
    (void)stream;
    if (moves(c, count * bytes_of(type) * (size_t)(c ? c->ranks : 1))) {
        meet(c, from, count * bytes_of(type) * (size_t)c->ranks);
        reduce(c, to, (size_t)c->rank * count, count, type, how);
    }
    return card_success;
}
int ncclAllGather(const void *from, void *to, size_t count, int type, struct communicator *c, void *stream) {
    const size_t bytes = count * bytes_of(type);
    (void)stream;
    const int moved = moves(c, bytes);
    if (moved) meet(c, from, bytes);
    for (int rank = 0; c && bytes <= card_small_copy && (moved || c->alone) && rank < c->ranks; ++rank) {
        memmove((char *)to + (size_t)rank * bytes, moved ? (const void *)shown(c, rank) : from, bytes);
    }
    return card_success;
}
int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, struct communicator *c, void *stream) {
    const size_t bytes = count * bytes_of(type);
    (void)stream;
    if (moves(c, bytes)) {
        meet(c, c->rank == root ? from : to, bytes);
        memcpy(to, shown(c, root), bytes);
    } else {
        copy_alone(c, to, from, bytes);
    }
    return card_success;
}
int ncclBcast(void *buffer, size_t count, int type, int root, struct communicator *c, void *stream) {
    return ncclBroadcast(buffer, buffer, count, type, root, c, stream);
}
int ncclAlltoAll(const void *from, void *to, size_t count, int type, struct communicator *c, void *stream) {
    const size_t bytes = count * bytes_of(type), all = bytes * (size_t)(c ? c->ranks : 1);
    (void)stream;
    if (moves(c, all)) {
        meet(c, from, all);
        for (int i = 0; i < c->ranks; ++i) memcpy((char *)to + (size_t)i * bytes, shown(c, i) + (size_t)c->rank * bytes, bytes);
    } else {
        copy_alone(c, to, from, all);
    }
    return card_success;
}
int ncclGather(const void *from, void *to, size_t count, int type, int root, struct communicator *c, void *stream) {
    const size_t bytes = count * bytes_of(type);
    (void)stream;
    if (moves(c, bytes)) {
        meet(c, from, bytes);
        for (int i = 0; c->rank == root && i < c->ranks; ++i) memcpy((char *)to + (size_t)i * bytes, shown(c, i), bytes);
    }
    return card_success;
}

/* Messages between two ranks: a file of letters for each ordered pair; within a group all are sent first. */
struct letter { void *to; size_t bytes; int from; struct communicator *c; };
static _Thread_local struct letter pending[4096];
static _Thread_local int pending_count, depth;

static unsigned char *letter_at(const struct communicator *c, int sender, int receiver, long number) {
    char name[id_bytes + 48];
    snprintf(name, sizeof name, "%.127s-%d-%d", c->name, sender, receiver);
    static _Thread_local struct { char name[id_bytes + 48]; unsigned char *at; } open_boxes[64];
    for (int i = 0; i < 64; ++i) {
        if (!open_boxes[i].at) {
            snprintf(open_boxes[i].name, sizeof open_boxes[i].name, "%s", name);
            open_boxes[i].at = card_shared(name, (size_t)letters * card_small_copy);
        }
        if (!strcmp(open_boxes[i].name, name)) return open_boxes[i].at + (size_t)(number % letters) * card_small_copy;
    }
    card_refuse("more pairs of ranks exchange messages than the stand-in card follows");
}
static void receive(const struct letter *it) {
    struct slot *mine = &it->c->slots[it->c->rank], *other = &it->c->slots[it->from];
    const long number = atomic_load(&mine->received[it->from]);
    card_wait_for(&other->sent[it->c->rank], number + 1, &other->process,
                  "a rank waits for a message that another does not send");
    memcpy(it->to, letter_at(it->c, it->from, it->c->rank, number), it->bytes);
    atomic_store(&mine->received[it->from], number + 1);
}
int ncclSend(const void *from, size_t count, int type, int peer, struct communicator *c, void *stream) {
    const size_t bytes = count * bytes_of(type);
    (void)stream;
    if (moves(c, bytes)) {
        struct slot *mine = &c->slots[c->rank];
        const long number = atomic_load(&mine->sent[peer]);
        card_wait_for(&c->slots[peer].received[c->rank], number - letters + 1, &c->slots[peer].process,
                      "a rank sends messages that nobody receives");
        memcpy(letter_at(c, c->rank, peer, number), from, bytes);
        atomic_store(&mine->sent[peer], number + 1);
    }
    return card_success;
}
int ncclRecv(void *to, size_t count, int type, int peer, struct communicator *c, void *stream) {
    const struct letter it = {to, count * bytes_of(type), peer, c};
    (void)stream;
    if (moves(c, it.bytes)) {
        if (depth && pending_count < (int)(sizeof pending / sizeof *pending)) pending[pending_count++] = it;
        else receive(&it);
    }
    return card_success;
}
int ncclGroupStart(void) {
    ++depth;
    return card_success;
}
int ncclGroupEnd(void) {
    if (depth > 0 && --depth == 0) {
        for (int i = 0; i < pending_count; ++i) receive(&pending[i]);
        pending_count = 0;
    }
    return card_success;
}

int ncclGetVersion(int *version) {
    *version = (int)card_number("RIDGELINE_CARD_NCCL", 22100);
    return card_success;
}
int ncclGetUniqueId(struct identity *to) {
    static atomic_int made;
    memset(to, 0, sizeof *to);
    snprintf(to->text, sizeof to->text, "/ridgeline-%ld-%d-%d", card_number("RIDGELINE_CARD_RUN", getpid()), (int)getpid(),
             atomic_fetch_add(&made, 1));
    return card_success;
}
int ncclCommInitRank(struct communicator **to, int ranks, struct identity identity, int rank) {
    *to = join(identity.text, ranks, rank);
    return card_success;
}
int ncclCommInitRankConfig(struct communicator **to, int ranks, struct identity identity, int rank, void *configuration) {
    (void)configuration;
    return ncclCommInitRank(to, ranks, identity, rank);
}
int ncclCommInitRankScalable(struct communicator **to, int ranks, int rank, int identities, struct identity *identity,
                             void *configuration) {
    (void)identities, (void)configuration;
    return ncclCommInitRank(to, ranks, *identity, rank);
}
int ncclCommInitAll(struct communicator **to, int count, const int *devices) {
    for (int i = 0; i < count; ++i) {
        to[i] = calloc(1, sizeof **to);
        *to[i] = (struct communicator){.ranks = count, .rank = i, .device = devices ? devices[i] : i, .alone = 1};
    }
    return card_success;
}
int ncclCommSplit(struct communicator *c, int color, int key, struct communicator **to, void *configuration) {
    int mine[2] = {color, key}, ranks = 0, rank = 0;
    char name[id_bytes];
    (void)configuration;
    *to = 0;
    const long child = ++c->children;
    if (!c->alone) meet(c, mine, sizeof mine);
    for (int i = 0; i < c->ranks; ++i) {
        int other[2] = {color, i};
        if (!c->alone) memcpy(other, shown(c, i), sizeof other);
        const int before = other[1] < (c->alone ? c->rank : key) || (other[1] == key && i < c->rank);
        ranks += other[0] == color;
        rank += other[0] == color && before;
    }
    if (color < 0) return card_success;
    snprintf(name, sizeof name, "%.90s-%ld-%d", c->name, child, color);
    *to = join(name, ranks, rank);
    return card_success;
}
int ncclCommCount(const struct communicator *c, int *count) {
    *count = c->ranks;
    return card_success;
}
int ncclCommUserRank(const struct communicator *c, int *rank) {
    *rank = c->rank;
    return card_success;
}
int ncclCommCuDevice(const struct communicator *c, int *device) {
    *device = c->device;
    return card_success;
}
int ncclCommGetAsyncError(struct communicator *c, int *error) {
    (void)c;
    *error = 0;
    return card_success;
}
/* Files of an exchange are removed by the first rank that leaves; the others hold them open. */
int ncclCommDestroy(struct communicator *c) {
    if (c && !c->alone) shm_unlink(c->name);
    return card_success;
}
int ncclCommAbort(struct communicator *c) { return ncclCommDestroy(c); }
int ncclCommRegister(struct communicator *c, void *buffer, size_t size, void **handle) {
    (void)c, (void)buffer, (void)size;
    *handle = &depth;
    return card_success;
}
int ncclMemAlloc(void **to, size_t size) {
    extern int cudaMalloc(void **, size_t);
    return cudaMalloc(to, size) ? unhandled : card_success;
}
int ncclRedOpCreatePreMulSum(int *how, void *scalar, int type, int where, struct communicator *c) {
    (void)scalar, (void)type, (void)where, (void)c;
    *how = average; /* torch's use: gradients multiplied by a share of the ranks */
    return card_success;
}
const char *ncclGetErrorString(int error) { return error ? "an error of the stand-in card" : "no error"; }
const char *ncclGetLastError(struct communicator *c) {
    (void)c;
    return "";
}
