/* What the card is, from the environment, and how it ends when it is asked what it does not know. */
#define _GNU_SOURCE
#include "card.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { unknown_exit = 86, trampolines = 4096, trampoline_bytes = 32 };

long card_number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text && *text ? atol(text) : otherwise;
}

const char *card_word(const char *name, const char *otherwise) {
    const char *text = getenv(name);
    return text && *text ? text : otherwise;
}

static void note(const char *kind, const char *text, size_t bytes) {
    const char *path = getenv("RIDGELINE_CARD_NOTES");
    FILE *file = path ? fopen(path, "a") : 0;
    if (file) {
        fprintf(file, "%s\t%s\t%zu\n", kind, text, bytes);
        fclose(file);
    }
}

_Noreturn void card_unknown(const char *name) {
    note("unknown", name, 0);
    fprintf(stderr, "ridgeline rehearse: the stand-in card does not know %s\n", name);
    fflush(0);
    _exit(unknown_exit);
}

_Noreturn void card_end(const char *sentence) {
    fprintf(stderr, "ridgeline rehearse: %s\n", sentence);
    fflush(0);
    _exit(unknown_exit);
}
_Noreturn void card_refuse(const char *sentence) {
    note("refused", sentence, 0);
    card_end(sentence);
}

void card_assume(const char *what, size_t bytes) { note("assumed", what, bytes); }

/* A small piece of code for each unknown name: load its address, jump to card_unknown. */
static void write_trampoline(unsigned char *at, const char *name) {
    uint64_t text = (uint64_t)(uintptr_t)name, target = (uint64_t)(uintptr_t)card_unknown;
#if defined(__x86_64__)
    static const unsigned char code[] = {0x48, 0xbf, 0, 0, 0, 0, 0, 0, 0, 0,   /* mov rdi, name */
                                         0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0,   /* mov rax, target */
                                         0xff, 0xe0};                          /* jmp rax */
    memcpy(at, code, sizeof code);
    memcpy(at + 2, &text, 8);
    memcpy(at + 12, &target, 8);
#elif defined(__aarch64__)
    static const uint32_t code[] = {0x58000080, 0x580000b0, 0xd61f0200, 0xd503201f}; /* ldr, ldr, br */
    memcpy(at, code, sizeof code);
    memcpy(at + 16, &text, 8);
    memcpy(at + 24, &target, 8);
#else
#error "the stand-in card is written for x86-64 and arm64"
#endif
}

void *card_function(const char *name) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static unsigned char *page;
    static char *names[trampolines];
    static int count;
    static void *self;
    pthread_mutex_lock(&lock);
    if (!self) {
        Dl_info here;
        self = dladdr((void *)card_function, &here) ? dlopen(here.dli_fname, RTLD_NOLOAD | RTLD_NOW) : 0;
    }
    void *found = self ? dlsym(self, name) : dlsym(RTLD_DEFAULT, name);
    for (int i = 0; !found && i < count; ++i) {
        if (!strcmp(names[i], name)) found = page + i * trampoline_bytes;
    }
    const size_t size = (size_t)trampolines * trampoline_bytes;
    if (!found && !page) {
        page = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (!found && page != MAP_FAILED && count < trampolines) {
        names[count] = strdup(name);
        mprotect(page, size, PROT_READ | PROT_WRITE);
        write_trampoline(page + count * trampoline_bytes, names[count]);
        mprotect(page, size, PROT_READ | PROT_EXEC);
        __builtin___clear_cache((char *)page, (char *)page + size);
        found = page + count++ * trampoline_bytes;
    }
    pthread_mutex_unlock(&lock);
    if (!found) card_unknown(name);
    return found;
}
