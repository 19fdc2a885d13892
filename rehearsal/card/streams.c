/* Streams, events, captures into graphs, and the launching of kernels that do nothing. */
#include "card.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { polls_without_launch = 1000 };
enum { capture_none, capture_active };

struct stream {
    int priority;
    unsigned long long capture; /* the capture that it takes part in */
};
struct event {
    long at, polls, polled_at;
    unsigned long long capture;
};

static atomic_long launched, waited_for;
static unsigned long long capture, last_capture; /* the capture that is going on, or 0 */

void card_launch(void) { atomic_fetch_add(&launched, 1); }

/* The handles 0, 1 and 2 mean default streams, which are never captured. */
static struct stream *real(void *stream) { return (size_t)stream > 2 ? stream : 0; }
static int capturing(void *stream) {
    return capture && real(stream) && real(stream)->capture == capture ? capture_active : capture_none;
}

int cudaStreamCreateWithPriority(void **to, unsigned flags, int priority) {
    struct stream *made = calloc(1, sizeof *made);
    (void)flags;
    made->priority = priority;
    *to = made;
    return card_success;
}
int cudaStreamCreate(void **to) { return cudaStreamCreateWithPriority(to, 0, 0); }
int cudaStreamCreateWithFlags(void **to, unsigned flags) { return cudaStreamCreateWithPriority(to, flags, 0); }
int cudaStreamDestroy(void *stream) {
    free(real(stream));
    return card_success;
}
int cudaStreamGetPriority(void *stream, int *priority) {
    *priority = real(stream) ? real(stream)->priority : 0;
    return card_success;
}
int cudaStreamQuery(void *stream) {
    (void)stream;
    return card_success;
}
static int synchronise(void) {
    atomic_store(&waited_for, atomic_load(&launched));
    return card_success;
}
int cudaStreamSynchronize(void *stream) {
    (void)stream;
    return synchronise();
}
int cudaDeviceSynchronize(void) { return synchronise(); }
int cuStreamSynchronize(void *stream) { return cudaStreamSynchronize(stream); }
int cuStreamGetCtx(void *stream, void **context) {
    (void)stream;
    *context = &capture;
    return card_success;
}

/* An event is done when the host waited for it, when so many kernels were launched after it as the card
   is behind, or when nothing is launched any more while it is asked for again and again. */
int cudaEventCreateWithFlags(void **to, unsigned flags) {
    (void)flags;
    *to = calloc(1, sizeof(struct event));
    return card_success;
}
int cudaEventCreate(void **to) { return cudaEventCreateWithFlags(to, 0); }
int cudaEventDestroy(void *event) {
    free(event);
    return card_success;
}
int cudaEventRecordWithFlags(void *event, void *stream, unsigned flags) {
    struct event *it = event;
    (void)flags;
    it->at = atomic_load(&launched), it->polls = 0;
    it->capture = capturing(stream) ? capture : 0;
    return card_success;
}
int cudaEventRecord(void *event, void *stream) { return cudaEventRecordWithFlags(event, stream, 0); }
int cudaEventQuery(void *event) {
    struct event *it = event;
    const long now = atomic_load(&launched);
    if (it->at <= atomic_load(&waited_for) || now - it->at >= card_number("RIDGELINE_CARD_LAG", 100)) {
        return card_success;
    }
    if (it->polled_at != now) it->polled_at = now, it->polls = 0;
    return ++it->polls > polls_without_launch ? card_success : card_not_ready;
}
int cudaEventSynchronize(void *event) {
    const long at = ((struct event *)event)->at;
    if (at > atomic_load(&waited_for)) atomic_store(&waited_for, at);
    return card_success;
}
int cudaEventElapsedTime(float *milliseconds, void *from, void *to) {
    (void)from, (void)to;
    *milliseconds = 1; /* no clock runs on the card */
    return card_success;
}
int cudaEventElapsedTime_v2(float *milliseconds, void *from, void *to) {
    return cudaEventElapsedTime(milliseconds, from, to);
}
int cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
    const struct event *it = event;
    (void)flags;
    if (it && capture && it->capture == capture && real(stream)) real(stream)->capture = capture;
    return card_success;
}
int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
    (void)stream;
    function(data);
    return card_success;
}
int cudaStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *data, unsigned flags) {
    (void)flags;
    function(stream, card_success, data);
    return card_success;
}

/* Captures: a graph has no nodes here, and launching it is one launch. */
int cudaStreamBeginCapture(void *stream, int mode) {
    (void)mode;
    if (!real(stream) || capture) return 900; /* cudaErrorStreamCaptureUnsupported */
    capture = ++last_capture;
    real(stream)->capture = capture;
    return card_success;
}
int cudaStreamEndCapture(void *stream, void **graph) {
    (void)stream;
    capture = 0;
    *graph = calloc(1, 8);
    return card_success;
}
int cudaStreamIsCapturing(void *stream, int *status) {
    *status = capturing(stream);
    return card_success;
}
int cuStreamIsCapturing(void *stream, int *status) { return cudaStreamIsCapturing(stream, status); }
static int capture_info(void *stream, int *status, unsigned long long *id, void **graph, void **before,
                        void **edges, size_t *count) {
    *status = capturing(stream);
    if (id) *id = *status ? capture : 0;
    if (graph) *graph = *status ? (void *)&last_capture : 0;
    if (before) *before = 0;
    if (edges) *edges = 0;
    if (count) *count = 0;
    return card_success;
}
int cudaStreamGetCaptureInfo_v3(void *stream, int *status, unsigned long long *id, void **graph,
                                void **before, void **edges, size_t *count) {
    return capture_info(stream, status, id, graph, before, edges, count);
}
int cudaStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id, void **graph,
                                void **before, size_t *count) {
    return capture_info(stream, status, id, graph, before, 0, count);
}
#if CUDA_MAJOR >= 13
int cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id, void **graph, void **before,
                             void **edges, size_t *count) {
    return capture_info(stream, status, id, graph, before, edges, count);
}
#else
int cudaStreamGetCaptureInfo(void *stream, int *status, unsigned long long *id) {
    return capture_info(stream, status, id, 0, 0, 0, 0);
}
#endif
int cudaThreadExchangeStreamCaptureMode(int *mode) {
    static _Thread_local int current;
    const int before = current;
    current = *mode;
    *mode = before;
    return card_success;
}
int cudaGraphInstantiate(void **to, void *graph, unsigned long long flags) {
    (void)graph, (void)flags;
    *to = calloc(1, 8);
    return card_success;
}
int cudaGraphInstantiateWithFlags(void **to, void *graph, unsigned long long flags) {
    return cudaGraphInstantiate(to, graph, flags);
}
int cudaGraphGetNodes(void *graph, void **nodes, size_t *count) {
    (void)graph, (void)nodes;
    *count = 0;
    return card_success;
}
int cudaGraphLaunch(void *graph, void *stream) {
    (void)graph, (void)stream;
    card_launch();
    return card_success;
}
int cudaGraphDestroy(void *graph) {
    free(graph);
    return card_success;
}
int cudaGraphExecDestroy(void *graph) { return cudaGraphDestroy(graph); }
int cudaUserObjectCreate(void **to, void *object, void (*destroy)(void *), unsigned count, unsigned flags) {
    (void)object, (void)destroy, (void)count, (void)flags;
    *to = calloc(1, 8);
    return card_success;
}

/* Kernels: registered with the program, launched, never run. */
struct extent { unsigned x, y, z; };
void **__cudaRegisterFatBinary(void *image) {
    static void *handle;
    (void)image;
    return &handle;
}
char __cudaInitModule(void **handle) {
    (void)handle;
    return 1;
}
unsigned __cudaPushCallConfiguration(struct extent grid, struct extent block, size_t shared, void *stream) {
    (void)grid, (void)block, (void)shared, (void)stream;
    return 0;
}
int __cudaPopCallConfiguration(struct extent *grid, struct extent *block, size_t *shared, void *stream) {
    *grid = *block = (struct extent){1, 1, 1};
    *shared = 0;
    memset(stream, 0, sizeof(void *));
    return card_success;
}
int __cudaGetKernel(void **to, const void *function) {
    *to = (void *)function;
    return card_success;
}
int cudaGetSymbolAddress(void **to, const void *symbol) {
    *to = (void *)symbol;
    return card_success;
}
struct function_attributes {
    size_t shared, constant, local;
    int threads, registers, ptx, binary, rest[22];
};
int cudaFuncGetAttributes(struct function_attributes *to, const void *function) {
    const int code = (int)card_number("RIDGELINE_CARD_CODE", card_number("RIDGELINE_CARD_CAPABILITY", 90));
    (void)function;
    memset(to, 0, 24 + 13 * sizeof(int)); /* the fields of all releases */
    to->threads = 1024, to->registers = 32, to->ptx = to->binary = code;
    return card_success;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *count, const void *function, int threads,
                                                           size_t shared, unsigned flags) {
    (void)function, (void)threads, (void)shared, (void)flags;
    *count = 2;
    return card_success;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *count, const void *function, int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(count, function, threads, shared, 0);
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *count, const void *function, int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(count, function, threads, shared, 0);
}
int cuOccupancyMaxActiveClusters(int *count, const void *function, const void *configuration) {
    (void)function, (void)configuration;
    *count = 4;
    return card_success;
}
const char *cudaGetErrorString(int error) {
    static _Thread_local char text[64];
    return error == card_success            ? "no error"
           : error == card_out_of_memory    ? "out of memory"
           : error == 101                   ? "invalid device ordinal"
           : error == card_not_ready        ? "device not ready"
                                            : (snprintf(text, sizeof text, "error %d of the stand-in card", error), text);
}
const char *cudaGetErrorName(int error) {
    return error == card_success ? "cudaSuccess" : error == card_out_of_memory ? "cudaErrorMemoryAllocation" : "cudaError";
}
