/* The driver as torch, Triton and Inductor ask it: modules load, memory of expandable segments is paid
   for by its handles, names are looked up. */
#include "card.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long address;
struct handle {
    size_t size;
    int device;
    int references;
};

static int context;
int cuCtxGetCurrent(void **to) {
    *to = &context;
    return card_success;
}
int cuCtxPopCurrent_v2(void **to) { return cuCtxGetCurrent(to); }
int cuDevicePrimaryCtxRetain(void **to, int device) {
    (void)device;
    return cuCtxGetCurrent(to);
}
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
    (void)device;
    if (flags) *flags = 0;
    *active = 1;
    return card_success;
}
int cuCtxGetLimit(size_t *value, int limit) {
    (void)limit;
    *value = 1 << 20;
    return card_success;
}

/* A module and its functions are one handle: nothing of them is run. */
int cuModuleLoadData(void **to, const void *image) {
    (void)image;
    *to = &context;
    return card_success;
}
int cuModuleLoad(void **to, const char *path) {
    (void)path;
    return cuModuleLoadData(to, 0);
}
int cuModuleLoadDataEx(void **to, const void *image, unsigned count, void *options, void *values) {
    (void)count, (void)options, (void)values;
    return cuModuleLoadData(to, image);
}
int cuModuleGetFunction(void **to, void *module, const char *name) {
    (void)name;
    *to = module;
    return card_success;
}
int cuModuleGetGlobal_v2(address *to, size_t *size, void *module, const char *name) {
    static char bytes[4096];
    (void)module, (void)name;
    if (to) *to = (address)(uintptr_t)bytes;
    if (size) *size = sizeof bytes;
    return card_success;
}
int cuFuncGetAttribute(int *value, int asked, void *function) {
    (void)function;
    *value = asked == 0 ? 1024 : asked == 4 ? 32 : 0; /* threads of a block; registers of a thread */
    return card_success;
}
int cuKernelGetAttribute(int *value, int asked, void *kernel, int device) {
    (void)device;
    return cuFuncGetAttribute(value, asked, kernel);
}
/* Libraries of the runtime (CUDA 13): as modules. */
int cudaLibraryLoadData(void **to) { return cuModuleLoadData(to, 0); }
int cudaLibraryLoadFromFile(void **to) { return cuModuleLoadData(to, 0); }
int cudaLibraryGetKernel(void **to, void *library, const char *name) {
    return cuModuleGetFunction(to, library, name);
}

int cuPointerGetAttribute(void *to, int asked, address at) {
    int device = 0;
    const int held = card_holds((const void *)(uintptr_t)at, &device, 0, 0);
    switch (asked) {
        case 1: *(void **)to = &context; break;             /* context */
        case 2: *(unsigned *)to = held ? 2 : 1; break;      /* memory of a device, of the host */
        case 3: case 4: *(address *)to = at; break;         /* pointer of the device, of the host */
        case 9: *(int *)to = device; break;                 /* ordinal */
        default: return card_invalid_value;
    }
    return held || asked != 2 || card_pinned((const void *)(uintptr_t)at) ? card_success : card_invalid_value;
}
int cuPointerGetAttributes(unsigned count, int *asked, void **to, address at) {
    for (unsigned i = 0; i < count; ++i) cuPointerGetAttribute(to[i], asked[i], at);
    return card_success;
}
int cuMemGetAddressRange_v2(address *base, size_t *size, address at) {
    void *from = 0;
    size_t bytes = 0;
    if (!card_holds((const void *)(uintptr_t)at, 0, &from, &bytes)) return card_not_found;
    if (base) *base = (address)(uintptr_t)from;
    if (size) *size = bytes;
    return card_success;
}
int cuMemGetAddressRange(address *base, size_t *size, address at) { return cuMemGetAddressRange_v2(base, size, at); }

/* Memory of another process is not shared. Numba looks the function up where it starts, whether it shares memory or not. */
int cuIpcOpenMemHandle(address *to, const void *handle, unsigned flags) {
    (void)to, (void)handle, (void)flags;
    return card_not_supported;
}

/* Virtual memory: a reservation is address space alone, a handle is memory. */
int cuMemAddressReserve(address *to, size_t size, size_t alignment, address wanted, address flags) {
    (void)alignment, (void)wanted, (void)flags;
    *to = (address)(uintptr_t)card_reserve(size);
    return *to ? card_success : card_out_of_memory;
}
int cuMemAddressFree(address at, size_t size) {
    card_unreserve((void *)(uintptr_t)at, size);
    return card_success;
}
int cuMemCreate(address *to, size_t size, const void *properties, address flags) {
    const int device = ((const int *)properties)[3]; /* type, handle types, kind and number of the place */
    (void)flags;
    *to = 0;
    if (device < 0 || device >= card_most_devices || !card_take(device, size)) return card_out_of_memory;
    struct handle *made = malloc(sizeof *made);
    *made = (struct handle){size, device, 1};
    *to = (address)(uintptr_t)made;
    return card_success;
}
int cuMemRelease(address at) {
    struct handle *it = (struct handle *)(uintptr_t)at;
    if (--it->references == 0) {
        card_give(it->device, it->size);
        free(it);
    }
    return card_success;
}
int cuMemRetainAllocationHandle(address *to, void *at) {
    (void)to, (void)at;
    card_unknown("cuMemRetainAllocationHandle");
}
int cuMemGetAllocationGranularity(size_t *size, const void *properties, int which) {
    (void)properties, (void)which;
    *size = 2 << 20;
    return card_success;
}

/* Descriptions of tensors for kernels that are not run. */
int cuTensorMapEncodeTiled(void *to) {
    memset(to, 0, 128);
    return card_success;
}
int cuTensorMapEncodeIm2col(void *to) { return cuTensorMapEncodeTiled(to); }

int cuGetErrorString(int error, const char **text) {
    *text = error == card_out_of_memory ? "out of memory" : "an error of the stand-in card";
    return card_success;
}
int cuGetErrorName(int error, const char **text) {
    *text = error == card_out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR";
    return card_success;
}

/* Names without a suffix mean the newest form of a function. */
static void *driver_function(const char *name) {
    static const char *const renamed[][2] = {{"cuDeviceTotalMem", "cuDeviceTotalMem_v2"},
                                             {"cuModuleGetGlobal", "cuModuleGetGlobal_v2"},
                                             {"cuCtxPopCurrent", "cuCtxPopCurrent_v2"},
                                             {"cuCtxPushCurrent", "cuCtxPushCurrent_v2"},
                                             {"cuLinkCreate", "cuLinkCreate_v2"},
                                             {"cuLinkAddData", "cuLinkAddData_v2"}};
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; ++i) {
        if (!strcmp(name, renamed[i][0])) return card_function(renamed[i][1]);
    }
    return card_function(name);
}
int cudaGetDriverEntryPoint(const char *name, void **to, address flags, int *status) {
    (void)flags;
    *to = driver_function(name);
    if (status) *status = 0;
    return card_success;
}
int cudaGetDriverEntryPointByVersion(const char *name, void **to, unsigned version, address flags, int *status) {
    (void)version;
    return cudaGetDriverEntryPoint(name, to, flags, status);
}
int cuGetProcAddress_v2(const char *name, void **to, int version, address flags, int *status) {
    (void)version;
    return cudaGetDriverEntryPoint(name, to, flags, status);
}
