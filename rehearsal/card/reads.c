/* What a script reads back from the card. In the first pass each read is written to a file as it was
   found in memory; in the second, where no value is computed, the file answers. A record is its head (bytes,
   the function of torch that asked, the lines of Python that asked) and the bytes; of reads longer than
   card_small_copy the head alone. Reads are told apart by who asked, not by their order alone: torch takes
   some ways only while a mode looks on, and those read more or less often. */
#define _GNU_SOURCE
#include "card.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_answers = 8192, of_a_compiler = 1 };

struct head {
    uint32_t size, function, lines;
};
struct known_read {
    struct head head;
    const unsigned char *bytes;
    int answered;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int writes = -1;
static struct known_read *known_reads;
static size_t known_count, all_answered; /* so many from the first on have been answered */
static uint32_t (*lines_of_python)(void);
static int opened;
static long answers[most_answers];
static int answer_count, answer_at;
static long read_count, unlike_count, large_count;

static size_t stored(uint32_t size) { return size <= card_small_copy ? size : 0; }

/* The reads of a file, in their order. */
static void take_apart(const unsigned char *bytes, size_t count) {
    struct head head;
    size_t room = 0;
    for (size_t at = 0; at + sizeof head <= count; at += sizeof head + stored(head.size)) {
        memcpy(&head, bytes + at, sizeof head);
        if (at + sizeof head + stored(head.size) > count) break;
        if (known_count == room) {
            room = room ? 2 * room : 1024;
            struct known_read *more = realloc(known_reads, room * sizeof *more);
            if (!more) break;
            known_reads = more;
        }
        known_reads[known_count++] = (struct known_read){head, bytes + at + sizeof head, 0};
    }
}

static void open_file(void) {
    const char *how = card_word("RIDGELINE_CARD_READS", "");
    opened = getpid();
    if (!strncmp(how, "record:", 7)) writes = open(how + 7, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (!strncmp(how, "answer:", 7)) {
        const int file = open(how + 7, O_RDONLY | O_CLOEXEC);
        struct stat about;
        unsigned char *bytes;
        if (file >= 0 && !fstat(file, &about) && (bytes = malloc((size_t)about.st_size + 1))) {
            const ssize_t got = read(file, bytes, (size_t)about.st_size);
            take_apart(bytes, got > 0 ? (size_t)got : 0);
        }
        if (file >= 0) close(file);
    }
}

enum asked_by { same_lines_and_function, same_lines, same_function, ways_to_ask };

static int like(const struct known_read *it, struct head asked, enum asked_by by) {
    return it->head.size == asked.size && (by == same_lines || it->head.function == asked.function) &&
           (by == same_function || it->head.lines == asked.lines);
}

/* The next recorded read of those that asked, else the last of them again: a loop that turns once more
   finds what it found before. What only the same function of torch read, from other lines, is counted. */
static const struct known_read *next_of(struct head asked) {
    while (all_answered < known_count && known_reads[all_answered].answered) ++all_answered;
    for (enum asked_by by = same_lines_and_function; by < ways_to_ask; ++by) {
        for (size_t i = all_answered; i < known_count; ++i) {
            struct known_read *it = &known_reads[i];
            if (it->answered || !like(it, asked, by)) continue;
            unlike_count += by == same_function;
            it->answered = 1;
            return it;
        }
        for (size_t i = known_count; i > 0 && by != same_function; --i) {
            if (!known_reads[i - 1].answered || !like(&known_reads[i - 1], asked, by)) continue;
            ++unlike_count;
            return &known_reads[i - 1];
        }
    }
    ++unlike_count;
    return 0;
}

static void record(struct head head, const void *bytes) {
    if (write(writes, &head, sizeof head) == (ssize_t)sizeof head && stored(head.size) &&
        write(writes, bytes, head.size) < 0) {
        close(writes);
        writes = -1;
    }
}

/* Where in its library the function lies that copies from the card. */
static uint32_t place_in_library(const void *caller) {
    Dl_info library;
    if (!dladdr(caller, &library)) return 0;
    return (uint32_t)((const char *)caller - (const char *)library.dli_fbase);
}

/* Noughts, as memory of the host that is not there where it need not be: a script that keeps what a card holds in
   memory of the host (a checkpoint, activations) would need gigabytes that nobody reads. */
static void clear(char *to, size_t size, size_t page) {
    const size_t before = (page - (uintptr_t)to % page) % page;
    if (size < before + page) {
        memset(to, 0, size);
        return;
    }
    const size_t whole = (size - before) / page * page;
    int cleared = !madvise(to + before, whole, MADV_DONTNEED);
    for (size_t at = 0; cleared && at < whole; at += page) cleared = !to[before + at];
    memset(to, 0, before);
    if (!cleared) memset(to + before, 0, whole); /* of a file, or shared with another process */
    memset(to + before + whole, 0, size - before - whole);
}

/* Pages of the card that nobody has written are noughts: they are neither in memory nor put out of it. */
static void copy_pages(char *to, const char *from, size_t size) {
    enum { at_once = 4096, there_or_swapped = 62 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC); /* of this process, which may be a copy */
    uint64_t pages[at_once];
    while (size > 0) {
        const size_t into = (uintptr_t)from % page, most = at_once * page - into, part = size < most ? size : most;
        const size_t count = (into + part + page - 1) / page, first = (uintptr_t)from / page;
        const ssize_t wanted = (ssize_t)(count * sizeof *pages);
        const int known = pread(map, pages, (size_t)wanted, (off_t)(first * sizeof *pages)) == wanted;
        for (size_t i = 0, next; i < count; i = next) {
            const int there = !known || pages[i] >> there_or_swapped;
            for (next = i + 1; next < count && there == (!known || pages[next] >> there_or_swapped); ++next) continue;
            const size_t begins = i ? i * page - into : 0, ends = next == count ? part : next * page - into;
            if (there) memcpy(to + begins, from + begins, ends - begins);
            else clear(to + begins, ends - begins, page);
        }
        to += part, from += part, size -= part;
    }
    if (map >= 0) close(map);
}

void card_read(void *to, const void *from, size_t size, const void *caller) {
    const struct head asked = {(uint32_t)size, place_in_library(caller), lines_of_python ? lines_of_python() : 0};
    pthread_mutex_lock(&lock);
    if (!opened) open_file();
    ++read_count;
    large_count += size > card_small_copy;
    const struct known_read *known = known_reads && asked.lines != of_a_compiler ? next_of(asked) : 0;
    if (known && size <= card_small_copy) {
        memcpy(to, known->bytes, size);
    } else if (answer_count && size <= sizeof(long)) {
        memcpy(to, &answers[answer_at], size); /* the lowest bytes, as both processors store them first */
        if (answer_at + 1 < answer_count) ++answer_at;
    } else if (answer_count - answer_at > 1 && size == (size_t)(answer_count - answer_at) * sizeof(long)) {
        memcpy(to, &answers[answer_at], size);
    } else if (size <= card_small_copy) {
        memcpy(to, from, size);
    } else {
        copy_pages(to, from, size);
    }
    if (writes >= 0) record(asked, to);
    pthread_mutex_unlock(&lock);
}

/** Who tells which lines of Python a read comes from, as a number that is the same in both passes. */
void ridgeline_card_lines(uint32_t (*of_python)(void)) { lines_of_python = of_python; }

/** Says what the next small reads find (sizes that a kernel would count), the last answer as often as
    asked; one as long as all that are left finds them at once. No answers end it. */
void ridgeline_card_answer(const long *values, int count) {
    pthread_mutex_lock(&lock);
    answer_count = count < most_answers ? count : most_answers;
    memcpy(answers, values, (size_t)answer_count * sizeof *values);
    answer_at = 0;
    pthread_mutex_unlock(&lock);
}

/** Reads so far, those unlike the recorded ones, those too long to record. */
void ridgeline_card_reads(long *all, long *unlike, long *large) {
    pthread_mutex_lock(&lock);
    *all = read_count, *unlike = unlike_count, *large = large_count;
    pthread_mutex_unlock(&lock);
}
