/* What the card says of itself, and which of several a thread has chosen. */
#include "card.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local int current;

int card_count(void) {
    const long count = card_number("RIDGELINE_CARD_COUNT", 1);
    return count < card_most_devices ? (int)count : card_most_devices;
}
int card_current(void) { return current; }

/* Entries of CUDA_VISIBLE_DEVICES up to the first that names no card, as the driver takes them. */
static int named(const char *list, int all) {
    int count = 0;
    for (const char *at = list; *at && count < all; ++count) {
        char *end = (char *)at + strcspn(at, ",");
        if (strncmp(at, "GPU-", 4) && strncmp(at, "MIG-", 4)) {
            const long index = strtol(at, &end, 10);
            if (end == at || index < 0 || index >= all) break;
            end += strcspn(end, ",");
        }
        at = *end ? end + 1 : end;
    }
    return count;
}

/* Cards that the process sees. The driver asks once, when it is first used. */
static int visible(void) {
    static int found = -1;
    if (found < 0) {
        const char *list = getenv("CUDA_VISIBLE_DEVICES");
        found = list ? named(list, card_count()) : card_count();
        if (found == 0) {
            fprintf(stderr, "ridgeline rehearse: CUDA_VISIBLE_DEVICES is \"%s\", which names none of the %d of --on\n", list,
                    card_count());
        }
    }
    return found;
}

/* Where CUDA's struct cudaDeviceProp has its fields: it changed with CUDA 13. */
#if CUDA_MAJOR >= 13
enum { at_units = 384, at_concurrent = 560, at_bus = 568, at_device = 572, at_engines = 584,
       at_unified = 588, at_width = 592, at_l2 = 596, at_threads = 604, at_shared_unit = 624,
       at_registers_unit = 632, at_cooperative = 668, at_shared_optin = 672, at_blocks = 688,
       at_pools = 720, properties_bytes = 1008 };
#else
enum { at_units = 388, at_concurrent = 576, at_bus = 584, at_device = 588, at_engines = 600,
       at_unified = 604, at_width = 612, at_l2 = 616, at_threads = 624, at_shared_unit = 640,
       at_registers_unit = 648, at_cooperative = 688, at_shared_optin = 696, at_blocks = 712,
       at_pools = 744, properties_bytes = 1032 };
#endif
enum { at_uuid = 256, at_total = 288, at_shared = 296, at_registers = 304, at_warp = 308,
       at_block_threads = 320, at_block_dims = 324, at_grid_dims = 336, at_constant = 352, at_major = 360,
       at_minor = 364, at_alignment = 368, name_bytes = 256 };

static int capability(void) { return (int)card_number("RIDGELINE_CARD_CAPABILITY", 90); }
static int units(void) { return (int)card_number("RIDGELINE_CARD_SMS", 108); }
static int l2_bytes(void) { return (int)card_number("RIDGELINE_CARD_L2", 6 << 20); }

/* Threads and shared memory of a multiprocessor, by capability: the table "Technical specifications
   per compute capability" of NVIDIA's CUDA C++ Programming Guide. */
static int threads_per_unit(void) {
    const int sm = capability();
    return sm == 75 ? 1024 : sm == 86 || sm == 87 || sm == 89 || sm == 120 ? 1536 : 2048;
}
static int shared_per_unit(void) {
    const int sm = capability();
    if (sm >= 90 && sm < 120) return 228 << 10;
    if (sm == 80 || sm == 87) return 164 << 10;
    if (sm == 70) return 96 << 10;
    return sm == 75 ? 64 << 10 : 100 << 10;
}
static int shared_optin(void) {
    const int sm = capability(), whole = shared_per_unit();
    return sm == 70 || sm == 75 ? whole : whole - (1 << 10);
}
static int blocks_per_unit(void) {
    const int sm = capability();
    return sm == 75 || sm == 86 ? 16 : sm == 89 || sm == 120 ? 24 : 32;
}

static void put(char *to, int at, int value) { memcpy(to + at, &value, sizeof value); }
static void put_size(char *to, int at, size_t value) { memcpy(to + at, &value, sizeof value); }

static int properties(char *to, int device) {
    if (device < 0 || device >= visible()) return 101; /* cudaErrorInvalidDevice */
    memset(to, 0, properties_bytes);
    snprintf(to, name_bytes, "%s", card_word("RIDGELINE_CARD_NAME", "stand-in"));
    for (int i = 0; i < 16; ++i) to[at_uuid + i] = (char)(i + 1 + device);
    put_size(to, at_total, card_total());
    put_size(to, at_shared, 48 << 10);
    put_size(to, at_constant, 64 << 10);
    put_size(to, at_alignment, 512);
    put_size(to, at_shared_unit, (size_t)shared_per_unit());
    put_size(to, at_shared_optin, (size_t)shared_optin());
    put(to, at_registers, 65536), put(to, at_registers_unit, 65536), put(to, at_warp, 32);
    put(to, at_block_threads, 1024), put(to, at_threads, threads_per_unit());
    put(to, at_block_dims, 1024), put(to, at_block_dims + 4, 1024), put(to, at_block_dims + 8, 64);
    put(to, at_grid_dims, 2147483647), put(to, at_grid_dims + 4, 65535), put(to, at_grid_dims + 8, 65535);
    put(to, at_major, capability() / 10), put(to, at_minor, capability() % 10);
    put(to, at_units, units()), put(to, at_l2, l2_bytes()), put(to, at_concurrent, 1);
    put(to, at_bus, 1), put(to, at_device, device), put(to, at_engines, 2), put(to, at_unified, 1);
    put(to, at_width, 384), put(to, at_cooperative, 1), put(to, at_blocks, blocks_per_unit());
    put(to, at_pools, 1);
    return card_success;
}
int cudaGetDeviceProperties(void *to, int device) { return properties(to, device); }
int cudaGetDeviceProperties_v2(void *to, int device) { return properties(to, device); }

/* Attributes have one number in runtime and driver (cudaDeviceAttr, CUdevice_attribute). */
static int attribute(int *value, int asked, int device) {
    switch (asked) {
        case 1: case 2: case 3: *value = 1024; break; /* threads of a block */
        case 4: *value = 64; break;
        case 5: *value = 2147483647; break;
        case 6: case 7: *value = 65535; break;
        case 8: *value = 48 << 10; break;
        case 9: *value = 64 << 10; break;
        case 10: *value = 32; break;
        case 12: case 82: *value = 65536; break;
        case 13: *value = 1500000; break;
        case 14: *value = 512; break;
        case 15: case 31: case 41: case 78: case 95: case 115: *value = 1; break;
        case 16: *value = units(); break;
        case 33: *value = 1; break;
        case 34: *value = device; break;
        case 36: *value = 5000000; break;
        case 37: *value = 384; break;
        case 38: *value = l2_bytes(); break;
        case 39: *value = threads_per_unit(); break;
        case 40: *value = 2; break;
        case 75: *value = capability() / 10; break;
        case 76: *value = capability() % 10; break;
        case 81: *value = shared_per_unit(); break;
        case 97: *value = shared_optin(); break;
        case 99: case 102: *value = 1; break; /* pinned ranges; virtual memory management */
        case 103: *value = 1; break;          /* handles as file descriptors */
        case 106: *value = blocks_per_unit(); break;
        case 111: *value = 1 << 10; break;
        case 120: *value = capability() >= 90; break; /* clusters of blocks */
        default: *value = 0;                          /* a feature that the card does not have */
    }
    return card_success;
}
int cudaDeviceGetAttribute(int *value, int asked, int device) { return attribute(value, asked, device); }
int cuDeviceGetAttribute(int *value, int asked, int device) { return attribute(value, asked, device); }

int cudaGetDeviceCount(int *count) {
    *count = visible();
    return *count ? card_success : 100; /* cudaErrorNoDevice */
}
int cuDeviceGetCount(int *count) { return cudaGetDeviceCount(count); }
int cudaGetDevice(int *device) {
    *device = current;
    return card_success;
}
int cudaSetDevice(int device) {
    if (device < 0 || device >= visible()) return 101;
    current = device;
    return card_success;
}
int cudaDriverGetVersion(int *version) {
    *version = (int)card_number("RIDGELINE_CARD_RUNTIME", CUDA_MAJOR * 1000);
    return card_success;
}
int cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }
int cuDriverGetVersion(int *version) { return cudaDriverGetVersion(version); }
int cudaDeviceGetPCIBusId(char *to, int size, int device) {
    snprintf(to, (size_t)size, "0000:01:%02x.0", (unsigned)device & 0xff);
    return card_success;
}
int cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    *can = device != peer;
    return card_success;
}
int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0, *greatest = -5;
    return card_success;
}

int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return ordinal < visible() ? card_success : 101;
}
int cuDeviceGetName(char *to, int size, int device) {
    (void)device;
    snprintf(to, (size_t)size, "%s", card_word("RIDGELINE_CARD_NAME", "stand-in"));
    return card_success;
}
int cuDeviceGetUuid(char *to, int device) {
    for (int i = 0; i < 16; ++i) to[i] = (char)(i + 1 + device);
    return card_success;
}
int cuDeviceGetUuid_v2(char *to, int device) { return cuDeviceGetUuid(to, device); }
int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    (void)device;
    *bytes = card_total();
    return card_success;
}
int cuCtxGetDevice(int *device) {
    *device = current;
    return card_success;
}
