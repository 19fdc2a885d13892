/* Preloaded: lets the Nth call of one function of the C library fail.
 *   FAILING_CALL=write:3:28   the third write fails with errno 28 (0: writes a byte and stops short)
 * Each call of that function leaves a byte in the file that FAILING_COUNT names, so that a test knows
 * when it has tried them all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int calls;

/* 1 when this call of `name` is the one to fail; `reason` gets the errno. */
static int fails(const char *name, int *reason) {
    const char *wish = getenv("FAILING_CALL");
    size_t length = strlen(name);
    if (!wish || strncmp(wish, name, length) != 0 || wish[length] != ':') {
        return 0;
    }
    char *end;
    long nth = strtol(wish + length + 1, &end, 10);
    *reason = atoi(end + 1);
    const char *count = getenv("FAILING_COUNT");
    if (count) {
        int file = (int)syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (file >= 0) {
            syscall(SYS_write, file, ".", 1);
            syscall(SYS_close, file);
        }
    }
    return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == nth;
}

#define REAL(result, arguments, name) \
    result (*real) arguments = (result (*) arguments)dlsym(RTLD_NEXT, name)

ssize_t write(int file, const void *bytes, size_t size) {
    int reason = 0;
    if (fails("write", &reason)) {
        if (reason == 0 && size > 1) {
            return syscall(SYS_write, file, bytes, 1);
        }
        errno = reason;
        return -1;
    }
    return syscall(SYS_write, file, bytes, size);
}

ssize_t read(int file, void *bytes, size_t size) {
    int reason = 0;
    if (fails("read", &reason)) {
        errno = reason;
        return -1;
    }
    return syscall(SYS_read, file, bytes, size);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    int reason = 0;
    if (fails("open", &reason)) {
        errno = reason;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int mkostemp(char *path, int flags) {
    int reason = 0;
    if (fails("mkostemp", &reason)) {
        errno = reason;
        return -1;
    }
    REAL(int, (char *, int), "mkostemp");
    return real(path, flags);
}

FILE *fopen(const char *path, const char *mode) {
    int reason = 0;
    if (fails("fopen", &reason)) {
        errno = reason;
        return NULL;
    }
    REAL(FILE *, (const char *, const char *), "fopen");
    return real(path, mode);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *stream) {
    int reason = 0;
    if (fails("fread", &reason)) {
        stream->_flags |= 0x20; /* the mark that ferror() reads, in glibc */
        errno = reason;
        return 0;
    }
    REAL(size_t, (void *, size_t, size_t, FILE *), "fread");
    return real(bytes, size, count, stream);
}

#define ONE_ARGUMENT(name, type)             \
    int name(type first) {                   \
        int reason = 0;                      \
        if (fails(#name, &reason)) {         \
            errno = reason;                  \
            return -1;                       \
        }                                    \
        REAL(int, (type), #name);            \
        return real(first);                  \
    }
ONE_ARGUMENT(fsync, int)

int fchmod(int file, mode_t mode) {
    int reason = 0;
    if (fails("fchmod", &reason)) {
        errno = reason;
        return -1;
    }
    return (int)syscall(SYS_fchmod, file, mode);
}

int rename(const char *from, const char *to) {
    int reason = 0;
    if (fails("rename", &reason)) {
        errno = reason;
        return -1;
    }
    REAL(int, (const char *, const char *), "rename");
    return real(from, to);
}
