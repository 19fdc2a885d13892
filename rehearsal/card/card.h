/* The stand-in card: the CUDA runtime, driver and libraries as far as PyTorch asks them. Kernels,
   products and exchanges of large messages succeed without being run; memory is handed out and refused
   as on a card. Device memory is address space of the host whose large tensors are never touched.

   What the card is comes from the environment:
     RIDGELINE_CARD_NAME        as the driver prints it
     RIDGELINE_CARD_CAPABILITY  80, 86, 90 ...
     RIDGELINE_CARD_MEMORY      bytes that the driver shows; 0 or unset: no limit
     RIDGELINE_CARD_CONTEXT     bytes of those that a process's context takes
     RIDGELINE_CARD_CODE        capability that the kernels are compiled for, of those a wheel holds
     RIDGELINE_CARD_UNLIMITED   1: nothing is refused, though the driver shows the same
     RIDGELINE_CARD_SMS, RIDGELINE_CARD_L2, RIDGELINE_CARD_COUNT
     RIDGELINE_CARD_LAG         kernels by which the card is behind the host (default 100)
     RIDGELINE_CARD_READS       record:FILE or answer:FILE, what a script reads back (reads.c)
     RIDGELINE_CARD_RUN         a number that the shared memory of the ranks of one run carries
     RIDGELINE_CARD_RUNTIME, _CUDNN, _NCCL  versions as their libraries state them */
#ifndef RIDGELINE_CARD_H
#define RIDGELINE_CARD_H

#include <stddef.h>

enum { card_success = 0, card_invalid_value = 1, card_out_of_memory = 2, card_not_found = 500, card_not_supported = 801,
       card_not_ready = 600 };
/** Copies up to so many bytes are carried out: sizes, flags and scalars; larger ones would only touch pages. */
enum { card_small_copy = 1 << 16, card_most_devices = 64 };

/** A number of the environment, or `otherwise` where it is not set. */
long card_number(const char *name, long otherwise);
/** A word of the environment, or `otherwise`. */
const char *card_word(const char *name, const char *otherwise);

int card_count(void);
int card_current(void);                  /**< device of the calling thread */
size_t card_total(void);                 /**< bytes that the driver shows */
size_t card_free(int device);            /**< bytes that may still be allocated */
/** Whether `at` lies in memory of a card; its device and the extent of its block where asked. */
int card_holds(const void *at, int *device, void **base, size_t *size);
/** Whether `at` lies in memory of the host that was pinned. */
int card_pinned(const void *at);
/** Address space of a reservation, whose pages cuMemCreate pays for. */
void *card_reserve(size_t size);
void card_unreserve(void *at, size_t size);
/** Shows the same pages over and over in memory of the host that is too large to be kept (windows.c). */
void card_windows(void *at, size_t size);
/** Takes or gives back bytes of a device: 0 where there is no room. */
int card_take(int device, size_t size);
void card_give(int device, size_t size);

void card_launch(void);                  /**< one more kernel was launched */
/** A read of the script from the card, recorded or answered; `caller` is where torch asked for it. */
void card_read(void *to, const void *from, size_t size, const void *caller);

/** Ends the process with the name of a function that the card does not know. */
_Noreturn void card_unknown(const char *name);
/** Ends the process with a sentence of its own. */
_Noreturn void card_refuse(const char *sentence);
/** The same, where the reason is another process's: that one says it. */
_Noreturn void card_end(const char *sentence);
/** Memory that processes share by a name; zero when it is made. */
void *card_shared(const char *name, size_t size);
/** This process is one of those that exchange messages: as many as `ranks`, at least. */
void card_sit(int ranks);
/** Until `value`, which the process `other` raises, is `until`; ends this process where that cannot come. */
void card_wait_for(_Atomic long *value, long until, _Atomic int *other, const char *what);
/** The function of that name, or one that ends the process with it when it is called. */
void *card_function(const char *name);
/** Notes a figure that no formula gives: a workspace of a library that is not there. */
void card_assume(const char *what, size_t bytes);

#endif
