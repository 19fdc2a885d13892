/* cuDNN: one engine without a workspace serves every graph; recurrent layers have their layout of
   weights. What the real library would plan is not known here: docs/rehearsal.md states the bound. */
#include "card.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_dimensions = 8 };
enum { type_float, type_double, type_half, type_int8, type_int32, type_bfloat16 = 9 };

static size_t bytes_of(int type) {
    return type == type_double ? 8 : type == type_half || type == type_bfloat16 ? 2 : type == type_int8 ? 1 : 4;
}

/* One shape for the descriptors of tensors, filters and recurrent data. */
struct shape {
    int type, format, count;
    int extents[most_dimensions], strides[most_dimensions];
};
static int make(void **to) {
    *to = calloc(1, 512);
    return card_success;
}
#define MAKES(name) \
    int name(void **to) { return make(to); }
MAKES(cudnnCreate)
MAKES(cudnnCreateTensorDescriptor)
MAKES(cudnnCreateFilterDescriptor)
MAKES(cudnnCreateConvolutionDescriptor)
MAKES(cudnnCreateActivationDescriptor)
MAKES(cudnnCreatePoolingDescriptor)
MAKES(cudnnCreateSpatialTransformerDescriptor)
MAKES(cudnnCreateDropoutDescriptor)
MAKES(cudnnCreateRNNDescriptor)
MAKES(cudnnCreateRNNDataDescriptor)
MAKES(cudnnCreateCTCLossDescriptor)

#define FREES(name)        \
    int name(void *what) { \
        free(what);        \
        return card_success; \
    }
FREES(cudnnDestroy)
FREES(cudnnDestroyTensorDescriptor)
FREES(cudnnDestroyFilterDescriptor)
FREES(cudnnDestroyConvolutionDescriptor)
FREES(cudnnDestroyActivationDescriptor)
FREES(cudnnDestroyPoolingDescriptor)
FREES(cudnnDestroySpatialTransformerDescriptor)
FREES(cudnnDestroyDropoutDescriptor)
FREES(cudnnDestroyRNNDescriptor)
FREES(cudnnDestroyRNNDataDescriptor)
FREES(cudnnDestroyCTCLossDescriptor)

size_t cudnnGetVersion(void) { return (size_t)card_number("RIDGELINE_CARD_CUDNN", 91000); }
size_t cudnnGetCudartVersion(void) { return (size_t)card_number("RIDGELINE_CARD_RUNTIME", 12000); }
int cudnnGetProperty(int which, int *value) { /* 0 major, 1 minor, 2 patch */
    const int version = (int)cudnnGetVersion(), thousands = version >= 90000 ? 10000 : 1000;
    *value = which == 0 ? version / thousands : which == 1 ? version % thousands / 100 : version % 100;
    return card_success;
}
const char *cudnnGetErrorString(int error) { return error ? "an error of the stand-in card" : "CUDNN_STATUS_SUCCESS"; }
void cudnnGetLastErrorString(char *to, size_t size) { snprintf(to, size, "an error of the stand-in card"); }
int cudnnSetStream(void **handle, void *stream) {
    *handle = stream;
    return card_success;
}
int cudnnGetStream(void **handle, void **stream) {
    *stream = *handle;
    return card_success;
}

int cudnnSetTensorNdDescriptor(struct shape *to, int type, int count, const int *extents, const int *strides) {
    to->type = type, to->count = count < most_dimensions ? count : most_dimensions;
    memcpy(to->extents, extents, (size_t)to->count * sizeof(int));
    memcpy(to->strides, strides, (size_t)to->count * sizeof(int));
    return card_success;
}
int cudnnGetTensorNdDescriptor(const struct shape *from, int asked, int *type, int *count, int *extents, int *strides) {
    const int written = from->count < asked ? from->count : asked;
    *type = from->type, *count = from->count;
    memcpy(extents, from->extents, (size_t)written * sizeof(int));
    memcpy(strides, from->strides, (size_t)written * sizeof(int));
    return card_success;
}
int cudnnSetFilterNdDescriptor(struct shape *to, int type, int format, int count, const int *extents) {
    to->type = type, to->format = format, to->count = count < most_dimensions ? count : most_dimensions;
    memcpy(to->extents, extents, (size_t)to->count * sizeof(int));
    return card_success;
}
int cudnnGetFilterNdDescriptor(const struct shape *from, int asked, int *type, int *format, int *count, int *extents) {
    const int written = from->count < asked ? from->count : asked;
    *type = from->type, *format = from->format, *count = from->count;
    memcpy(extents, from->extents, (size_t)written * sizeof(int));
    return card_success;
}

/* Convolutions of the older interface: the first algorithm, without a workspace. */
struct tried {
    int algorithm, status;
    float time;
    size_t memory;
    int determinism, math, reserved[3];
};
static int first_algorithm(int *found, struct tried *results) {
    memset(results, 0, sizeof *results);
    *found = 1;
    return card_success;
}
#define CHOOSES(name)                                                                                  \
    int name(void *handle, void *a, void *b, void *c, void *d, int asked, int *found, struct tried *to) { \
        (void)handle, (void)a, (void)b, (void)c, (void)d, (void)asked;                                 \
        return first_algorithm(found, to);                                                             \
    }
CHOOSES(cudnnGetConvolutionForwardAlgorithm_v7)
CHOOSES(cudnnGetConvolutionBackwardDataAlgorithm_v7)
CHOOSES(cudnnGetConvolutionBackwardFilterAlgorithm_v7)
#define TRIES(name)                                                                                       \
    int name(void *handle, void *a, void *at_a, void *b, void *at_b, void *c, void *d, void *at_d, int asked, \
             int *found, struct tried *to, void *workspace, size_t size) {                                \
        (void)handle, (void)a, (void)at_a, (void)b, (void)at_b, (void)c, (void)d, (void)at_d, (void)asked; \
        (void)workspace, (void)size;                                                                      \
        return first_algorithm(found, to);                                                                \
    }
TRIES(cudnnFindConvolutionForwardAlgorithmEx)
TRIES(cudnnFindConvolutionBackwardDataAlgorithmEx)
TRIES(cudnnFindConvolutionBackwardFilterAlgorithmEx)
#define NO_WORKSPACE(name)                                                                  \
    int name(void *handle, void *a, void *b, void *c, void *d, int algorithm, size_t *size) { \
        (void)handle, (void)a, (void)b, (void)c, (void)d, (void)algorithm;                  \
        *size = 0;                                                                          \
        return card_success;                                                                \
    }
NO_WORKSPACE(cudnnGetConvolutionForwardWorkspaceSize)
NO_WORKSPACE(cudnnGetConvolutionBackwardDataWorkspaceSize)
NO_WORKSPACE(cudnnGetConvolutionBackwardFilterWorkspaceSize)

/* The CTC loss: what it works in is not known; the ways through each label at each time, which torch's own kernel keeps
   in 32 bits, stand for it. The descriptor holds the longest label where torch says one. */
static size_t ways_through_labels(const struct shape *of, int longest) {
    const size_t bytes = (size_t)of->extents[0] * (size_t)of->extents[1] * (2 * (size_t)longest + 1) * sizeof(float);
    card_assume("the workspace of cuDNN's CTC loss is the ways through its labels", bytes);
    return bytes;
}
int cudnnSetCTCLossDescriptor_v9(int *to, int type, int normalized, int gradients, int longest) {
    (void)type, (void)normalized, (void)gradients;
    *to = longest;
    return card_success;
}
int cudnnGetCTCLossWorkspaceSize(void *handle, const struct shape *of, void *gradients, const int *labels, const int *lengths,
                                 const int *times, int algorithm, void *loss, size_t *size) {
    int longest = 0;
    (void)handle, (void)gradients, (void)labels, (void)times, (void)algorithm, (void)loss;
    for (int i = 0; i < of->extents[1]; ++i) longest = lengths[i] > longest ? lengths[i] : longest;
    *size = ways_through_labels(of, longest);
    return card_success;
}
int cudnnGetCTCLossWorkspaceSize_v8(void *handle, int algorithm, const int *longest, const struct shape *of, void *gradients,
                                    size_t *size) {
    (void)handle, (void)algorithm, (void)gradients;
    *size = ways_through_labels(of, *longest);
    return card_success;
}

/* Batch normalisation keeps its statistics in tensors of torch; what else it holds is some kilobytes. */
int cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(void *handle, int mode, int operations, void *x, void *z,
                                                             void *y, void *scale, void *activation, size_t *size) {
    (void)handle, (void)mode, (void)operations, (void)x, (void)z, (void)y, (void)scale, (void)activation;
    *size = 0;
    return card_success;
}
int cudnnGetBatchNormalizationBackwardExWorkspaceSize(void *handle, int mode, int operations, void *x, void *y, void *dy,
                                                      void *dz, void *dx, void *scale, void *activation, size_t *size) {
    (void)dy, (void)dz;
    return cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(handle, mode, operations, x, y, dx, scale,
                                                                    activation, size);
}
int cudnnGetBatchNormalizationTrainingExReserveSpaceSize(void *handle, int mode, int operations, void *activation,
                                                         void *x, size_t *size) {
    (void)handle, (void)mode, (void)operations, (void)activation, (void)x;
    *size = 0;
    return card_success;
}

/* One generator state of 48 bytes for each thread of the card. */
int cudnnDropoutGetStatesSize(void *handle, size_t *size) {
    (void)handle;
    *size = (size_t)card_number("RIDGELINE_CARD_SMS", 108) * 2048 * 48;
    card_assume("the state of cuDNN's dropout is 48 bytes a thread", *size);
    return card_success;
}

/* Recurrent layers. Weights: of each layer and direction the gates' input and recurrent matrices, then
   all biases in the same order (the layout that cudnnGetRNNWeightParams describes). */
struct recurrent { int cell, bias, directions, type, input, hidden, projected, layers; };
struct sequence { int type, layout, steps, batch, width; };
enum { cell_lstm = 2, cell_gru = 3 };

int cudnnSetRNNDescriptor_v8(struct recurrent *to, int algorithm, int cell, int bias, int direction, int input_mode,
                             int type, int precision, int math, int input, int hidden, int projected, int layers,
                             void *dropout, unsigned flags) {
    (void)algorithm, (void)input_mode, (void)precision, (void)math, (void)dropout, (void)flags;
    *to = (struct recurrent){cell, bias, direction + 1, type, input, hidden, projected, layers};
    return card_success;
}
int cudnnSetRNNDataDescriptor(struct sequence *to, int type, int layout, int steps, int batch, int width,
                              const int *lengths, void *padding) {
    (void)lengths, (void)padding;
    *to = (struct sequence){type, layout, steps, batch, width};
    return card_success;
}
static int gates(const struct recurrent *r) { return r->cell == cell_lstm ? 4 : r->cell == cell_gru ? 3 : 1; }
static int output(const struct recurrent *r) { return r->projected ? r->projected : r->hidden; }
static int has_projection(const struct recurrent *r) { return r->projected && r->projected != r->hidden; }
static int input_of(const struct recurrent *r, int layer) {
    return layer < r->directions ? r->input : output(r) * r->directions;
}
static size_t matrices_of(const struct recurrent *r, int layer) {
    const size_t wide = (size_t)gates(r) * (size_t)r->hidden;
    const size_t projection = has_projection(r) ? (size_t)r->projected * (size_t)r->hidden : 0;
    return wide * (size_t)(input_of(r, layer) + output(r)) + projection;
}
static size_t matrices_before(const struct recurrent *r, int layer) {
    size_t sum = 0;
    for (int i = 0; i < layer; ++i) sum += matrices_of(r, i);
    return sum;
}
static size_t biases_of(const struct recurrent *r) {
    const int sets = r->bias == 0 ? 0 : r->bias == 2 ? 2 : 1;
    return (size_t)sets * (size_t)gates(r) * (size_t)r->hidden;
}
int cudnnGetRNNWeightSpaceSize(void *handle, const struct recurrent *r, size_t *size) {
    const int all = r->layers * r->directions;
    (void)handle;
    *size = (matrices_before(r, all) + (size_t)all * biases_of(r)) * bytes_of(r->type);
    return card_success;
}
static void matrix(struct shape *to, int type, int rows, int columns) {
    if (to) *to = (struct shape){type, 0, 3, {1, rows, columns}, {rows * columns, columns, 1}};
}
int cudnnGetRNNWeightParams(void *handle, const struct recurrent *r, int layer, size_t size, char *weights, int gate,
                            struct shape *to, char **at, struct shape *bias_to, char **bias_at) {
    const int count = gates(r), columns = gate < count ? input_of(r, layer) : output(r);
    const size_t one = bytes_of(r->type), hidden = (size_t)r->hidden;
    size_t offset = matrices_before(r, layer);
    (void)handle, (void)size;
    char *unwanted = 0;
    if (!at) at = &unwanted; /* torch asks for matrices and biases one after the other */
    if (!bias_at) bias_at = &unwanted;
    *bias_at = 0;
    if (bias_to) bias_to->count = 0;
    if (gate == 2 * count && has_projection(r)) {
        offset += (size_t)count * hidden * (size_t)(input_of(r, layer) + output(r));
        matrix(to, r->type, r->projected, r->hidden);
        *at = weights + offset * one;
        return card_success;
    }
    if (gate >= 2 * count) {
        *at = 0;
        return card_success;
    }
    offset += (size_t)(gate < count ? gate : count) * hidden * (size_t)input_of(r, layer);
    offset += (size_t)(gate < count ? 0 : gate - count) * hidden * (size_t)output(r);
    matrix(to, r->type, r->hidden, columns);
    *at = weights + offset * one;
    if (r->bias == 2 || (r->bias == 1 && gate < count) || (r->bias == 3 && gate >= count)) {
        const size_t first = matrices_before(r, r->layers * r->directions) + (size_t)layer * biases_of(r);
        *bias_at = weights + (first + (size_t)(r->bias == 3 ? gate - count : gate) * hidden) * one;
        matrix(bias_to, r->type, r->hidden, 1);
    }
    return card_success;
}
int cudnnGetRNNTempSpaceSizes(void *handle, const struct recurrent *r, int training, const struct sequence *x,
                              size_t *workspace, size_t *reserve) {
    const size_t states = (size_t)r->layers * (size_t)r->directions * (size_t)x->steps * (size_t)x->batch;
    const size_t kept = states * (size_t)r->hidden * bytes_of(r->type);
    (void)handle;
    const size_t used = kept / (size_t)(r->layers ? r->layers : 1) * (size_t)gates(r);
    const size_t held = training ? kept * (size_t)(gates(r) + 2) : 0;
    if (workspace) *workspace = used;
    if (reserve) *reserve = held;
    card_assume("cuDNN's recurrent layers keep their gates, cells and outputs", used + held);
    return card_success;
}

/* The graph interface: descriptors remember what is set, and one engine is offered for any graph. */
struct attribute {
    int name, type;
    int64_t count;
    void *values;
    struct attribute *next;
};
struct descriptor {
    int type;
    struct attribute *attributes;
};
enum { results_of_heuristic = 202, engine_of_configuration = 300, knob_choices = 302,
       configuration_workspace = 303, configuration_shared_memory = 304, plan_configuration = 401,
       plan_workspace = 402, plan_text = 405, engines_of_graph = 802, engine_index = 1301, engine_knobs = 1302,
       engine_notes = 1303, engine_behaviour = 1305, device_text = 2702 };
enum { descriptor_attribute = 15, not_supported = 9 };

static size_t size_of(int type) {
    switch (type) {
        case 2: case 24: return 1;                              /* boolean, character */
        case 0: case 3: case 5: case 6: case 15: return 8;      /* handle, integer, double, pointer, descriptor */
        case 26: return 16;                                     /* fraction */
        default: return 4;                                      /* enumerations, float, 32-bit integer */
    }
}
int cudnnBackendCreateDescriptor(int type, struct descriptor **to) {
    *to = calloc(1, sizeof **to);
    (*to)->type = type;
    return card_success;
}
int cudnnBackendDestroyDescriptor(struct descriptor *it) {
    while (it && it->attributes) {
        struct attribute *first = it->attributes;
        it->attributes = first->next;
        free(first->values);
        free(first);
    }
    free(it);
    return card_success;
}
int cudnnBackendSetAttribute(struct descriptor *it, int name, int type, int64_t count, const void *values) {
    struct attribute *to = it->attributes;
    while (to && to->name != name) to = to->next;
    if (!to) {
        to = calloc(1, sizeof *to);
        to->next = it->attributes;
        it->attributes = to;
    }
    const size_t bytes = (size_t)count * size_of(type);
    free(to->values);
    to->name = name, to->type = type, to->count = count, to->values = malloc(bytes ? bytes : 1);
    if (bytes) memcpy(to->values, values, bytes);
    return card_success;
}
static int give(int type, int64_t asked, int64_t *count, void *values, int64_t number) {
    if (count) *count = 1;
    if (values && asked > 0) memcpy(values, &number, size_of(type) < sizeof number ? size_of(type) : sizeof number);
    return card_success;
}
static int give_text(int64_t asked, int64_t *count, char *values, const char *text) {
    if (count) *count = (int64_t)strlen(text) + 1;
    if (values && asked > 0) snprintf(values, (size_t)asked, "%s", text);
    return card_success;
}
int cudnnBackendGetAttribute(struct descriptor *it, int name, int type, int64_t asked, int64_t *count, void *values) {
    switch (name) {
        case results_of_heuristic:
        case engine_of_configuration:
        case plan_configuration:
            if (count) *count = 1; /* the caller made the descriptor that stands for it */
            return card_success;
        case knob_choices: case engine_knobs: case engine_notes: case engine_behaviour:
            if (count) *count = 0;
            return card_success;
        case plan_workspace: case engine_index: case configuration_workspace: case configuration_shared_memory:
            return give(type, asked, count, values, 0);
        case engines_of_graph: return give(type, asked, count, values, 1);
        case plan_text: case device_text: return give_text(asked, count, values, "{}");
        default: break;
    }
    for (const struct attribute *from = it->attributes; from; from = from->next) {
        if (from->name == name) {
            const int64_t written = from->count < asked ? from->count : asked;
            if (count) *count = from->count;
            if (values) memcpy(values, from->values, (size_t)written * size_of(type));
            return card_success;
        }
    }
    char text[64];
    snprintf(text, sizeof text, "attribute %d of cudnnBackendGetAttribute", name);
    card_unknown(text);
}
int cudnnBackendExecute(void *handle, void *plan, void *pack) {
    (void)handle, (void)plan, (void)pack;
    card_launch();
    return card_success;
}
