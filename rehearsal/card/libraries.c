/* cuBLAS, cuFFT, NVRTC, CUPTI and NVML as far as they must write something: handles, sizes, states. */
#include "card.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { handle_bytes = 512 };
static int make(void **to) {
    *to = calloc(1, handle_bytes);
    return card_success;
}
#define MAKES(name) \
    int name(void **to) { return make(to); }
MAKES(cublasCreate_v2)
MAKES(cublasLtCreate)
MAKES(cublasLtMatmulDescCreate)
MAKES(cublasLtMatmulPreferenceCreate)
MAKES(cublasLtMatrixLayoutCreate)
MAKES(cusolverDnCreate)
MAKES(cusolverDnCreateParams)
MAKES(cusolverDnCreateGesvdjInfo)
MAKES(cusparseCreate)
MAKES(cusparseCreateMatDescr)

int cublasGetMathMode(void *handle, int *mode) {
    (void)handle;
    *mode = 0;
    return card_success;
}
int cublasGetPointerMode_v2(void *handle, int *mode) { return cublasGetMathMode(handle, mode); }
size_t cublasLtGetVersion(void) { return (size_t)card_number("RIDGELINE_CARD_RUNTIME", 12000) * 10; }

/* One algorithm without a workspace of its own: torch hands over one that it holds anyway. */
struct heuristic {
    uint64_t algorithm[8];
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
};
int cublasLtMatmulAlgoGetHeuristic(void *handle, void *operation, void *a, void *b, void *c, void *d,
                                   void *preference, int asked, struct heuristic *results, int *found) {
    (void)handle, (void)operation, (void)a, (void)b, (void)c, (void)d, (void)preference;
    *found = asked > 0;
    if (*found) memset(results, 0, sizeof *results), results->waves = 1;
    return card_success;
}
int cublasLtMatmulAlgoCheck(void *handle, void *operation, void *a, void *b, void *c, void *d,
                            const void *algorithm, struct heuristic *result) {
    (void)handle, (void)operation, (void)a, (void)b, (void)c, (void)d, (void)algorithm;
    memset(result, 0, sizeof *result);
    return card_success;
}

int cublasLtMatmulAlgoConfigGetAttribute(const void *algorithm, int attribute, void *to, size_t size, size_t *written) {
    (void)algorithm, (void)attribute;
    if (to) memset(to, 0, size);
    if (written) *written = size;
    return card_success;
}
int cublasLtMatmulAlgoInit(void *handle, int compute, int scale, int a, int b, int c, int d, int number, void *to) {
    (void)handle, (void)compute, (void)scale, (void)a, (void)b, (void)c, (void)d, (void)number;
    memset(to, 0, sizeof(uint64_t[8]));
    return card_success;
}

/* cuFFT plans work in a buffer of about the size of the data; the exact size is the library's own. */
int cufftCreate(int *to) {
    static int count;
    *to = ++count;
    return card_success;
}
int cufftXtMakePlanMany(int plan, int rank, long long *extents, long long *in, long long in_stride,
                        long long in_distance, int in_type, long long *out, long long out_stride,
                        long long out_distance, int out_type, long long batch, size_t *workspace, int type) {
    size_t elements = (size_t)batch;
    (void)plan, (void)in, (void)in_stride, (void)in_distance, (void)in_type, (void)out, (void)out_stride;
    (void)out_distance, (void)out_type, (void)type;
    for (int i = 0; i < rank; ++i) elements *= (size_t)extents[i];
    *workspace = elements * 8;
    card_assume("the workspace of cuFFT is the size of its data", *workspace);
    return card_success;
}

/* Run-time compilation: the program is never run, so that its code is one byte. */
int nvrtcVersion(int *major, int *minor) {
    const int runtime = (int)card_number("RIDGELINE_CARD_RUNTIME", 12000);
    *major = runtime / 1000, *minor = runtime % 1000 / 10;
    return card_success;
}
MAKES(nvrtcCreateProgram)
static int one_byte(void *program, size_t *size) {
    (void)program;
    *size = 1;
    return card_success;
}
int nvrtcGetPTXSize(void *program, size_t *size) { return one_byte(program, size); }
int nvrtcGetCUBINSize(void *program, size_t *size) { return one_byte(program, size); }
int nvrtcGetProgramLogSize(void *program, size_t *size) { return one_byte(program, size); }
static int nothing(void *program, char *text) {
    (void)program;
    *text = 0;
    return card_success;
}
int nvrtcGetPTX(void *program, char *text) { return nothing(program, text); }
int nvrtcGetCUBIN(void *program, char *text) { return nothing(program, text); }
int nvrtcGetProgramLog(void *program, char *text) { return nothing(program, text); }
int nvrtcGetLoweredName(void *program, const char *expression, const char **name) {
    (void)program;
    *name = expression;
    return card_success;
}
const char *nvrtcGetErrorString(int error) { return error ? "an error of the stand-in card" : "no error"; }

/* The profiler finds no activity. */
int cuptiGetVersion(uint32_t *version) {
    *version = 26;
    return card_success;
}
MAKES(cuptiSubscribe)
int cuptiActivityGetNextRecord(void *buffer, size_t size, void **record) {
    (void)buffer, (void)size;
    *record = 0;
    return 12; /* CUPTI_ERROR_MAX_LIMIT_REACHED: no more records */
}
int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count) {
    (void)context, (void)stream;
    *count = 0;
    return card_success;
}
int cuptiActivityPopExternalCorrelationId(int kind, uint64_t *last) {
    (void)kind;
    if (last) *last = 0;
    return card_success;
}
int cuptiActivitySetAttribute(int attribute, size_t *size, void *value) {
    (void)attribute, (void)size, (void)value;
    return card_success;
}
int cuptiGetResultString(int result, const char **text) {
    (void)result;
    *text = "an error of the stand-in card";
    return card_success;
}
