/* cuSOLVER and cuSPARSE: descriptors, and the workspaces that they ask for. What the real libraries would
   ask is not known; a matrix's own size stands for it, and is told as assumed. */
#include "card.h"

#include <stdint.h>
#include <stdlib.h>

static int take(int *elements, long rows, long columns, const char *of) {
    const long wanted = rows * columns;
    *elements = wanted < 1 ? 1 : wanted > INT32_MAX ? INT32_MAX : (int)wanted;
    card_assume(of, 0);
    return card_success;
}
#define ASSUMED "the workspace of cuSOLVER, taken as one matrix"

#define FACTORED(letter, name)                                                                             \
    int cusolverDn##letter##name##_bufferSize(void *h, int m, int n, void *a, int lda, int *size) {         \
        (void)h, (void)a, (void)lda;                                                                        \
        return take(size, m, n, ASSUMED);                                                                   \
    }
#define TRIANGLE(letter, name)                                                                             \
    int cusolverDn##letter##name##_bufferSize(void *h, int part, int n, void *a, int lda, int *size) {      \
        (void)h, (void)part, (void)a, (void)lda;                                                            \
        return take(size, n, n, ASSUMED);                                                                   \
    }
#define REFLECTED(letter, name)                                                                            \
    int cusolverDn##letter##name##_bufferSize(void *h, int m, int n, int k, void *a, int lda, void *tau,    \
                                              int *size) {                                                  \
        (void)h, (void)k, (void)a, (void)lda, (void)tau;                                                    \
        return take(size, m, n, ASSUMED);                                                                   \
    }
#define APPLIED(letter, name)                                                                              \
    int cusolverDn##letter##name##_bufferSize(void *h, int side, int turned, int m, int n, int k, void *a,  \
                                              int lda, void *tau, void *c, int ldc, int *size) {            \
        (void)h, (void)side, (void)turned, (void)k, (void)a, (void)lda, (void)tau, (void)c, (void)ldc;      \
        return take(size, m, n, ASSUMED);                                                                   \
    }
#define SINGULAR(letter)                                                                                   \
    int cusolverDn##letter##gesvd_bufferSize(void *h, int m, int n, int *size) {                            \
        (void)h;                                                                                            \
        return take(size, m, n, ASSUMED);                                                                   \
    }                                                                                                       \
    int cusolverDn##letter##gesvdj_bufferSize(void *h, int job, int thin, int m, int n, void *a, int lda,   \
                                              void *s, void *u, int ldu, void *v, int ldv, int *size) {     \
        (void)h, (void)job, (void)thin, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v;           \
        (void)ldv;                                                                                          \
        return take(size, m, n, ASSUMED);                                                                   \
    }                                                                                                       \
    int cusolverDn##letter##gesvdjBatched_bufferSize(void *h, int job, int m, int n, void *a, int lda,      \
                                                     void *s, void *u, int ldu, void *v, int ldv,           \
                                                     int *size, void *how, int batch) {                     \
        (void)h, (void)job, (void)a, (void)lda, (void)s, (void)u, (void)ldu, (void)v, (void)ldv, (void)how; \
        return take(size, (long)m * batch, n, ASSUMED);                                                     \
    }                                                                                                       \
    int cusolverDn##letter##gesvdaStridedBatched_bufferSize(                                                \
        void *h, int job, int rank, int m, int n, void *a, int lda, long long by_a, void *s,                \
        long long by_s, void *u, int ldu, long long by_u, void *v, int ldv, long long by_v, int *size,      \
        int batch) {                                                                                        \
        (void)h, (void)job, (void)rank, (void)a, (void)lda, (void)by_a, (void)s, (void)by_s, (void)u;       \
        (void)ldu, (void)by_u, (void)v, (void)ldv, (void)by_v;                                              \
        return take(size, (long)m * batch, n, ASSUMED);                                                     \
    }
#define EIGEN(letter, name)                                                                                \
    int cusolverDn##letter##name##evd_bufferSize(void *h, int job, int part, int n, void *a, int lda,       \
                                                 void *w, int *size) {                                      \
        (void)h, (void)job, (void)part, (void)a, (void)lda, (void)w;                                        \
        return take(size, n, n, ASSUMED);                                                                   \
    }                                                                                                       \
    int cusolverDn##letter##name##evjBatched_bufferSize(void *h, int job, int part, int n, void *a,         \
                                                        int lda, void *w, int *size, void *how,             \
                                                        int batch) {                                        \
        (void)h, (void)job, (void)part, (void)a, (void)lda, (void)w, (void)how;                             \
        return take(size, (long)n * batch, n, ASSUMED);                                                     \
    }
#define INDEFINITE(letter)                                                                                 \
    int cusolverDn##letter##sytrf_bufferSize(void *h, int n, void *a, int lda, int *size) {                 \
        (void)h, (void)a, (void)lda;                                                                        \
        return take(size, n, n, ASSUMED);                                                                   \
    }
#define OF_EACH(letter) \
    FACTORED(letter, getrf) FACTORED(letter, geqrf) TRIANGLE(letter, potrf) SINGULAR(letter) INDEFINITE(letter)
OF_EACH(S)
OF_EACH(D)
OF_EACH(C)
OF_EACH(Z)
REFLECTED(S, orgqr)
REFLECTED(D, orgqr)
REFLECTED(C, ungqr)
REFLECTED(Z, ungqr)
APPLIED(S, ormqr)
APPLIED(D, ormqr)
APPLIED(C, unmqr)
APPLIED(Z, unmqr)
EIGEN(S, sy)
EIGEN(D, sy)
EIGEN(C, he)
EIGEN(Z, he)

/* The interface of 64 bits counts bytes, on the card and on the host; 16 bytes hold any element. */
static int take_bytes(size_t *card, size_t *host, long rows, long columns) {
    *card = (size_t)(rows * columns < 1 ? 1 : rows * columns) * 16;
    *host = 0;
    card_assume(ASSUMED, 0);
    return card_success;
}
int cusolverDnXpotrf_bufferSize(void *h, void *p, int part, int64_t n, int type, void *a, int64_t lda, int in,
                                size_t *card, size_t *host) {
    (void)h, (void)p, (void)part, (void)type, (void)a, (void)lda, (void)in;
    return take_bytes(card, host, n, n);
}
int cusolverDnXgeqrf_bufferSize(void *h, void *p, int64_t m, int64_t n, int type, void *a, int64_t lda,
                                int tau_type, void *tau, int in, size_t *card, size_t *host) {
    (void)h, (void)p, (void)type, (void)a, (void)lda, (void)tau_type, (void)tau, (void)in;
    return take_bytes(card, host, m, n);
}
int cusolverDnXsyevd_bufferSize(void *h, void *p, int job, int part, int64_t n, int type, void *a, int64_t lda,
                                int w_type, void *w, int in, size_t *card, size_t *host) {
    (void)h, (void)p, (void)job, (void)part, (void)type, (void)a, (void)lda, (void)w_type, (void)w, (void)in;
    return take_bytes(card, host, n, n);
}
int cusolverDnXsyevBatched_bufferSize(void *h, void *p, int job, int part, int64_t n, int type, void *a,
                                      int64_t lda, int w_type, void *w, int in, size_t *card, size_t *host,
                                      int64_t batch) {
    (void)h, (void)p, (void)job, (void)part, (void)type, (void)a, (void)lda, (void)w_type, (void)w, (void)in;
    return take_bytes(card, host, n * batch, n);
}
int cusolverDnXgeev_bufferSize(void *h, void *p, int left, int right, int64_t n, int type, void *a,
                               int64_t lda, int w_type, void *w, int l_type, void *l, int64_t ldl, int r_type,
                               void *r, int64_t ldr, int in, size_t *card, size_t *host) {
    (void)h, (void)p, (void)left, (void)right, (void)type, (void)a, (void)lda, (void)w_type, (void)w, (void)l_type;
    (void)l, (void)ldl, (void)r_type, (void)r, (void)ldr, (void)in;
    return take_bytes(card, host, n, n);
}
int cusolverDnXsytrs_bufferSize(void *h, int part, int64_t n, int64_t right, int type, void *a, int64_t lda,
                                void *pivots, int b_type, void *b, int64_t ldb, size_t *card, size_t *host) {
    (void)h, (void)part, (void)right, (void)type, (void)a, (void)lda, (void)pivots, (void)b_type, (void)b;
    (void)ldb;
    return take_bytes(card, host, n, n);
}

/* cuBLAS's factorisations of many small matrices say on the host whether their arguments were right. */
#define MANY(letter)                                                                                       \
    int cublas##letter##geqrfBatched(void *h, int m, int n, void *a, int lda, void *tau, int *info,         \
                                     int batch) {                                                           \
        (void)h, (void)m, (void)n, (void)a, (void)lda, (void)tau, (void)batch;                              \
        return right(info);                                                                                 \
    }                                                                                                       \
    int cublas##letter##getrsBatched(void *h, int turned, int n, int count, void *a, int lda, void *pivots, \
                                     void *b, int ldb, int *info, int batch) {                              \
        (void)h, (void)turned, (void)n, (void)count, (void)a, (void)lda, (void)pivots, (void)b, (void)ldb;  \
        (void)batch;                                                                                        \
        return right(info);                                                                                 \
    }                                                                                                       \
    int cublas##letter##gelsBatched(void *h, int turned, int m, int n, int count, void *a, int lda, void *c, \
                                    int ldc, int *info, void *infos, int batch) {                           \
        (void)h, (void)turned, (void)m, (void)n, (void)count, (void)a, (void)lda, (void)c, (void)ldc;       \
        (void)infos, (void)batch;                                                                           \
        return right(info);                                                                                 \
    }
static int right(int *info) {
    *info = 0;
    card_launch();
    return card_success;
}
MANY(S)
MANY(D)
MANY(C)
MANY(Z)

/* cuSPARSE. Products of a sparse and a dense matrix need room for the split of the rows alone. */
enum { split_bytes = 1 << 16 };
static int make(void **to) {
    *to = calloc(1, 64);
    return card_success;
}
struct sparse {
    int64_t rows, columns, entries;
};
int cusparseCreateCsr(void **to, int64_t rows, int64_t columns, int64_t entries) {
    struct sparse *made = calloc(1, 64);
    if (made) *made = (struct sparse){rows, columns, entries};
    *to = made;
    return card_success;
}
int cusparseCreateCoo(void **to) { return make(to); }
int cusparseCreateDnMat(void **to) { return make(to); }
int cusparseCreateDnVec(void **to) { return make(to); }
int cusparseSpSM_createDescr(void **to) { return make(to); }
int cusparseSpSV_createDescr(void **to) { return make(to); }
static int split(size_t *bytes) {
    *bytes = split_bytes;
    card_assume("the workspace of cuSPARSE, taken as 64 KiB", 0);
    return card_success;
}
int cusparseSpMM_bufferSize(void *h, int op_a, int op_b, void *alpha, void *a, void *b, void *beta, void *c,
                            int type, int how, size_t *bytes) {
    (void)h, (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c, (void)type, (void)how;
    return split(bytes);
}
int cusparseSDDMM_bufferSize(void *h, int op_a, int op_b, void *alpha, void *a, void *b, void *beta, void *c,
                             int type, int how, size_t *bytes) {
    return cusparseSpMM_bufferSize(h, op_a, op_b, alpha, a, b, beta, c, type, how, bytes);
}
int cusparseSpMV_bufferSize(void *h, int op, void *alpha, void *a, void *x, void *beta, void *y, int type, int how,
                            size_t *bytes) {
    (void)h, (void)op, (void)alpha, (void)a, (void)x, (void)beta, (void)y, (void)type, (void)how;
    return split(bytes);
}
int cusparseSpSM_bufferSize(void *h, int op_a, int op_b, void *alpha, void *a, void *b, void *c, int type, int how,
                            void *it, size_t *bytes) {
    return cusparseSpMM_bufferSize(h, op_a, op_b, alpha, a, b, it, c, type, how, bytes);
}
int cusparseSpSV_bufferSize(void *h, int op, void *alpha, void *a, void *x, void *y, int type, int how, void *it,
                            size_t *bytes) {
    return cusparseSpMV_bufferSize(h, op, alpha, a, x, it, y, type, how, bytes);
}
int cusparseXcoosort_bufferSizeExt(void *h, int rows, int columns, int count, const int *r, const int *c,
                                   size_t *bytes) {
    (void)h, (void)rows, (void)columns, (void)count, (void)r, (void)c;
    return split(bytes);
}
int cusparseXcsrsort_bufferSizeExt(void *h, int rows, int columns, int count, const int *r, const int *c,
                                   size_t *bytes) {
    return cusparseXcoosort_bufferSizeExt(h, rows, columns, count, r, c, bytes);
}

/* A product of two sparse matrices. Its kernels count, which the first pass tells as what is read: the products of
   two entries, for which there has to be room, and the entries of the result. */
enum { bytes_of_a_product = 16 };
int cusparseSpGEMM_createDescr(void **to) { return make(to); }
int cusparseSpGEMM_workEstimation(void *h, int op_a, int op_b, void *alpha, void *a, void *b, void *beta, void *c,
                                  int type, int how, void *it, size_t *bytes, void *room) {
    if (room) return card_success;
    return cusparseSpSM_bufferSize(h, op_a, op_b, alpha, a, b, c, type, how, it ? it : beta, bytes);
}
int cusparseSpGEMM_compute(void *h, int op_a, int op_b, void *alpha, void *a, void *b, void *beta, void *c, int type,
                           int how, void *it, size_t *bytes, void *room) {
    (void)h, (void)op_a, (void)op_b, (void)alpha, (void)a, (void)b, (void)beta, (void)c, (void)type, (void)how;
    (void)it;
    const int64_t none = 0;
    int64_t products = 0;
    if (room) {
        card_launch();
        return card_success;
    }
    card_read(&products, &none, sizeof products, __builtin_return_address(0));
    *bytes = split_bytes + (size_t)products * bytes_of_a_product;
    card_assume("the workspace of a product of two sparse matrices, taken as 16 bytes for each product of entries", 0);
    return card_success;
}
int cusparseSpMatGetSize(const struct sparse *it, int64_t *rows, int64_t *columns, int64_t *entries) {
    *rows = it->rows;
    *columns = it->columns;
    card_read(entries, &it->entries, sizeof *entries, __builtin_return_address(0));
    return card_success;
}

/* A sum of two by rows: the entries that either has. */
#define ADDED(type)                                                                                              \
    int cusparse##type##csrgeam2_bufferSizeExt(                                                                  \
        void *h, int m, int n, void *alpha, void *a, int count_a, void *values_a, int *rows_a, int *columns_a,    \
        void *beta, void *b, int count_b, void *values_b, int *rows_b, int *columns_b, void *c, void *values_c,   \
        int *rows_c, int *columns_c, size_t *bytes) {                                                            \
        (void)h, (void)m, (void)n, (void)alpha, (void)a, (void)count_a, (void)values_a, (void)rows_a;            \
        (void)columns_a, (void)beta, (void)b, (void)count_b, (void)values_b, (void)rows_b, (void)columns_b;      \
        (void)c, (void)values_c, (void)rows_c, (void)columns_c;                                                  \
        return split(bytes);                                                                                     \
    }
ADDED(S)
ADDED(D)
ADDED(C)
ADDED(Z)
int cusparseXcsrgeam2Nnz(void *h, int m, int n, void *a, int count_a, int *rows_a, int *columns_a, void *b,
                         int count_b, int *rows_b, int *columns_b, void *c, int *rows_c, int *entries) {
    (void)h, (void)m, (void)n, (void)a, (void)rows_a, (void)columns_a, (void)b, (void)rows_b, (void)columns_b;
    (void)c, (void)rows_c;
    const int both = count_a + count_b;
    card_read(entries, &both, sizeof *entries, __builtin_return_address(0));
    return card_success;
}
const char *cusparseGetErrorString(int error) { return error ? "an error of the stand-in card" : "success"; }
