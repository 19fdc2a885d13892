/* Files of weights may be larger than the memory of this machine: they are holes, or most of their pages are
   never read. torch maps them so that it may write to its copy, and Linux then wants room for all of it. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int without_room(int rights, int flags, int file) {
    const int copied = file >= 0 && (flags & MAP_PRIVATE) && (rights & PROT_WRITE);
    return copied ? flags | MAP_NORESERVE : flags;
}

void *mmap(void *at, size_t size, int rights, int flags, int file, off_t from) {
    return (void *)syscall(SYS_mmap, at, size, rights, without_room(rights, flags, file), file, from);
}

void *mmap64(void *at, size_t size, int rights, int flags, int file, off_t from) {
    return mmap(at, size, rights, flags, file, from);
}
