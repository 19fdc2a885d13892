/* A stand-in for the CUDA runtime and its libraries: one card on which every kernel, product and
   collective succeeds without being run, but whose memory is handed out and refused as on a real one.
   Torch's own caching allocator, its streams and its frameworks run on it unchanged, so that what
   `torch.cuda.memory_reserved()` says is what it would say on the card.
     FAKE_CAPABILITY   80, 86, 90 ...
     FAKE_MEMORY_MIB   memory that may be allocated (default: no limit)
     FAKE_LAG          an event is done when so many kernels were launched after it (default 0: at once) */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define OK return cudaSuccess
enum { small = 1 << 16, most_blocks = 1 << 16 };

static long env(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { void *at; size_t size; } blocks[most_blocks];
static size_t used;
static long launched;
static size_t capacity(void) {
    long mib = env("FAKE_MEMORY_MIB", 0);
    return mib > 0 ? (size_t)mib << 20 : (size_t)1 << 46;
}

cudaError_t cudaMalloc(void **p, size_t n) {
    pthread_mutex_lock(&lock);
    cudaError_t result = cudaErrorMemoryAllocation;
    size_t size = (n + (2 << 20) - 1) & ~(size_t)((2 << 20) - 1);
    if (used + size <= capacity()) {
        void *at = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        for (int i = 0; at != MAP_FAILED && i < most_blocks; ++i)
            if (!blocks[i].at) {
                blocks[i].at = at, blocks[i].size = size, used += size, *p = at, result = cudaSuccess;
                break;
            }
    }
    pthread_mutex_unlock(&lock);
    return result;
}
cudaError_t cudaFree(void *p) {
    pthread_mutex_lock(&lock);
    for (int i = 0; p && i < most_blocks; ++i)
        if (blocks[i].at == p) {
            munmap(p, blocks[i].size), used -= blocks[i].size, blocks[i].at = 0;
            break;
        }
    pthread_mutex_unlock(&lock);
    OK;
}
cudaError_t cudaMemGetInfo(size_t *f, size_t *t) { *t = capacity(), *f = *t - used; OK; }
/* Contents matter for sizes and flags alone, which are small; large copies would only touch pages. */
static void copied(void *d, const void *s, size_t n, enum cudaMemcpyKind k) {
    if (n <= small) memcpy(d, s, n);
    else if (k == cudaMemcpyDeviceToHost) (void)0;
}
cudaError_t cudaMemcpy(void *d, const void *s, size_t n, enum cudaMemcpyKind k) { copied(d, s, n, k); OK; }
cudaError_t cudaMemcpyAsync(void *d, const void *s, size_t n, enum cudaMemcpyKind k, cudaStream_t st) { copied(d, s, n, k); OK; }
cudaError_t cudaMemset(void *d, int v, size_t n) { if (n <= small) memset(d, v, n); OK; }
cudaError_t cudaMemsetAsync(void *d, int v, size_t n, cudaStream_t s) { return cudaMemset(d, v, n); }
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned f) { *p = mmap(0, n ? n : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); OK; }
cudaError_t cudaHostGetDevicePointer(void **d, void *h, unsigned f) { *d = h; OK; }

cudaError_t cudaGetDeviceCount(int *n) { *n = (int)env("FAKE_DEVICES", 1); OK; }
cudaError_t cudaGetDevice(int *d) { *d = 0; OK; }
cudaError_t cudaDriverGetVersion(int *v) { *v = CUDART_VERSION; OK; }
cudaError_t cudaRuntimeGetVersion(int *v) { *v = CUDART_VERSION; OK; }
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int d) {
    int sm = (int)env("FAKE_CAPABILITY", 90);
    memset(p, 0, sizeof *p);
    strcpy(p->name, "stand-in");
    p->major = sm / 10, p->minor = sm % 10;
    p->multiProcessorCount = (int)env("FAKE_SMS", 82);
    p->warpSize = 32, p->totalGlobalMem = capacity(), p->maxThreadsPerBlock = 1024;
    p->maxThreadsPerMultiProcessor = 1536, p->sharedMemPerBlock = 49152;
    p->sharedMemPerBlockOptin = 101376, p->sharedMemPerMultiprocessor = 102400;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536, p->l2CacheSize = 6 << 20;
    p->maxGridSize[0] = 2147483647, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
    p->maxBlocksPerMultiProcessor = 16, p->unifiedAddressing = 1, p->memoryBusWidth = 384;
    OK;
}
cudaError_t cudaDeviceGetAttribute(int *v, enum cudaDeviceAttr a, int d) {
    struct cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    switch (a) {
        case cudaDevAttrComputeCapabilityMajor: *v = p.major; break;
        case cudaDevAttrComputeCapabilityMinor: *v = p.minor; break;
        case cudaDevAttrMultiProcessorCount: *v = p.multiProcessorCount; break;
        case cudaDevAttrWarpSize: *v = 32; break;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: *v = 101376; break;
        case cudaDevAttrMaxGridDimX: *v = 2147483647; break;
        default: *v = 1024;
    }
    OK;
}
cudaError_t cudaDeviceGetPCIBusId(char *s, int n, int d) { snprintf(s, n, "0000:01:00.0"); OK; }
cudaError_t cudaDeviceCanAccessPeer(int *c, int a, int b) { *c = 1; OK; }
cudaError_t cudaDeviceGetStreamPriorityRange(int *a, int *b) { *a = 0, *b = -3; OK; }
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *f) {
    memset(a, 0, sizeof *a);
    a->maxThreadsPerBlock = 1024, a->numRegs = 32, a->ptxVersion = a->binaryVersion = 80;
    OK;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int b, size_t s) { *n = 2; OK; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *f, int b, size_t s, unsigned g) { *n = 2; OK; }
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a, const void *p) {
    memset(a, 0, sizeof *a);
    a->devicePointer = (void *)p;
    a->type = cudaMemoryTypeUnregistered;
    for (int i = 0; i < most_blocks; ++i)
        if (blocks[i].at && (char *)p >= (char *)blocks[i].at && (char *)p < (char *)blocks[i].at + blocks[i].size)
            a->type = cudaMemoryTypeDevice;
    OK;
}

cudaError_t cudaStreamCreate(cudaStream_t *s) { *s = malloc(8); OK; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned f) { *s = malloc(8); OK; }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned f, int p) { *s = malloc(8); OK; }
cudaError_t cudaStreamGetPriority(cudaStream_t s, int *p) { *p = 0; OK; }
cudaError_t cudaStreamIsCapturing(cudaStream_t s, enum cudaStreamCaptureStatus *c) { *c = cudaStreamCaptureStatusNone; OK; }
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t s, enum cudaStreamCaptureStatus *c, unsigned long long *id, cudaGraph_t *g, const cudaGraphNode_t **d, size_t *n) { *c = cudaStreamCaptureStatusNone; OK; }
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *m) { OK; }

/* Events count launches: the card lags behind the host by at most FAKE_LAG kernels. */
struct event { long at; };
cudaError_t cudaEventCreate(cudaEvent_t *e) { *e = calloc(1, sizeof(struct event)); OK; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned f) { return cudaEventCreate(e); }
cudaError_t cudaEventDestroy(cudaEvent_t e) { free(e); OK; }
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) { ((struct event *)e)->at = launched; OK; }
static long seen; /* launches that a synchronisation has waited for */
cudaError_t cudaEventQuery(cudaEvent_t e) {
    long at = ((struct event *)e)->at;
    return at <= seen || launched - at >= env("FAKE_LAG", 0) ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) { long at = ((struct event *)e)->at; if (at > seen) seen = at; OK; }
cudaError_t cudaEventElapsedTime(float *t, cudaEvent_t a, cudaEvent_t b) { *t = 1; OK; }
cudaError_t cudaDeviceSynchronize(void) { seen = launched; OK; }
cudaError_t cudaStreamSynchronize(cudaStream_t s) { seen = launched; OK; }

void **__cudaRegisterFatBinary(void *p) { static void *handle; return &handle; }
char __cudaInitModule(void **p) { return 1; }
unsigned __cudaPushCallConfiguration(dim3 g, dim3 b, size_t s, void *st) { return 0; }
cudaError_t __cudaPopCallConfiguration(dim3 *g, dim3 *b, size_t *s, void *st) { g->x = g->y = g->z = b->x = b->y = b->z = 1; *s = 0; *(void **)st = 0; OK; }
cudaError_t cudaLaunchKernel(const void *f, dim3 g, dim3 b, void **a, size_t s, cudaStream_t st) { ++launched; OK; }
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *f, void **a) { ++launched; OK; }
const char *cudaGetErrorString(cudaError_t e) { return e == cudaErrorMemoryAllocation ? "out of memory" : "error"; }
const char *cudaGetErrorName(cudaError_t e) { return cudaGetErrorString(e); }

int cublasCreate_v2(void **h) { *h = malloc(8); return 0; }
int cublasLtCreate(void **h) { *h = malloc(8); return 0; }
int cublasLtMatmulDescInit_internal(void *d) { return 0; }
int cublasGetMathMode(void *h, int *m) { *m = 0; return 0; }
int cublasGetPointerMode_v2(void *h, int *m) { *m = 0; return 0; }
int cublasGemmEx() { ++launched; return 0; }
int cublasGemmStridedBatchedEx() { ++launched; return 0; }
int cublasLtMatmulAlgoGetHeuristic(void *h, void *o, void *a, void *b, void *c, void *d, void *p, int asked, void *results, int *found) { *found = 1; return 0; }
int ncclAllGather() { ++launched; return 0; }
int ncclReduceScatter() { ++launched; return 0; }
int ncclAllReduce() { ++launched; return 0; }
int ncclBroadcast() { ++launched; return 0; }
int ncclSend() { ++launched; return 0; }
int ncclRecv() { ++launched; return 0; }
int ncclReduce() { ++launched; return 0; }
int cuLaunchKernel() { ++launched; return 0; }
int cuLaunchKernelEx() { ++launched; return 0; }
int ncclCommSplit(void *c, int color, int key, void **n) { *n = calloc(1, 8); return 0; }
int ncclGetUniqueId(void *id) { memset(id, 1, 128); return 0; }
int ncclGetVersion(int *v) { *v = 21903; return 0; }
/* A communicator remembers how many ranks it joins; one that was split off does not know. */
int ncclCommInitRank(void **c, int n) { *c = malloc(8), *(int *)*c = n; return 0; }
int ncclCommInitRankConfig(void **c, int n) { return ncclCommInitRank(c, n); }
int ncclCommCount(void *c, int *n) { *n = *(int *)c ? *(int *)c : (int)env("WORLD_SIZE", 2); return 0; }
int ncclCommGetAsyncError(void *c, int *e) { *e = 0; return 0; }
const char *ncclGetErrorString(int e) { return "error"; }
const char *ncclGetLastError(void *c) { return ""; }
/* Virtual memory, for expandable segments: a reservation is address space alone, a handle is memory. */
int cuMemAddressReserve(unsigned long long *at, size_t n, size_t alignment, unsigned long long wanted, unsigned long long flags) {
    *at = (unsigned long long)mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return *at == (unsigned long long)MAP_FAILED ? 2 : 0;
}
int cuMemAddressFree(unsigned long long at, size_t n) { munmap((void *)at, n); return 0; }
int cuMemCreate(unsigned long long *handle, size_t n, const void *properties, unsigned long long flags) {
    pthread_mutex_lock(&lock);
    int result = used + n > capacity() ? 2 : 0;
    if (!result) used += n, *handle = n;
    pthread_mutex_unlock(&lock);
    return result;
}
int cuMemRelease(unsigned long long handle) {
    pthread_mutex_lock(&lock);
    used -= handle;
    pthread_mutex_unlock(&lock);
    return 0;
}
int cuMemGetAllocationGranularity(size_t *n) { *n = 2 << 20; return 0; }
int cuDevicePrimaryCtxGetState(int d, unsigned *f, int *a) { if (f) *f = 0; *a = 1; return 0; }
static int generic() { return 0; }
cudaError_t cudaGetDriverEntryPoint(const char *s, void **f, unsigned long long fl, enum cudaDriverEntryPointQueryResult *r) {
    *f = dlsym(RTLD_DEFAULT, s);
    if (!*f) *f = (void *)generic;
    if (r) *r = cudaDriverEntryPointSuccess;
    OK;
}
#if CUDART_VERSION >= 13000
cudaError_t cudaGetDriverEntryPointByVersion(const char *s, void **f, unsigned v, unsigned long long fl, enum cudaDriverEntryPointQueryResult *r) { return cudaGetDriverEntryPoint(s, f, fl, r); }
#endif
