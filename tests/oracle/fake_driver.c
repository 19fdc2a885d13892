/* The driver functions that Triton and Inductor call, for the stand-in card of fake_gpu.c: modules load,
   kernels launch without being run. make_fake_gpu.sh adds the rest, which only succeed. */
#include <cuda.h>
#include <stdlib.h>

static int capability(void) {
    const char *text = getenv("FAKE_CAPABILITY");
    return text ? atoi(text) : 90;
}
static int handle;
CUresult cuInit(unsigned flags) { return 0; }
CUresult cuDriverGetVersion(int *version) { *version = CUDA_VERSION; return 0; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) { *device = 0; return 0; }
CUresult cuDeviceGetCount(int *count) { *count = 1; return 0; }
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    switch (attribute) {
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = capability() / 10; break;
        case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = capability() % 10; break;
        case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = getenv("FAKE_SMS") ? atoi(getenv("FAKE_SMS")) : 82; break;
        case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
        case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
        case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR: *value = 65536; break;
        case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = 2048; break;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK: *value = 49152; break;
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR: *value = 232448; break;
        default: *value = 1024;
    }
    return 0;
}
CUresult cuCtxGetCurrent(CUcontext *context) { *context = (CUcontext)&handle; return 0; }
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) { *context = (CUcontext)&handle; return 0; }
CUresult cuModuleLoadData(CUmodule *module, const void *image) { *module = (CUmodule)&handle; return 0; }
CUresult cuModuleLoad(CUmodule *module, const char *path) { *module = (CUmodule)&handle; return 0; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) { *function = (CUfunction)&handle; return 0; }
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 32 : 0;
    return 0;
}
CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer) {
    *(CUdeviceptr *)data = pointer;
    return 0;
}
CUresult cuCtxGetLimit(size_t *value, CUlimit limit) { *value = 1 << 20; return 0; }
CUresult cuOccupancyMaxActiveClusters(int *count, CUfunction function, const CUlaunchConfig *config) { *count = 4; return 0; }
CUresult cuGetErrorString(CUresult error, const char **text) { *text = "error"; return 0; }
