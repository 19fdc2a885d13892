/* What a script reads back from the card. In the first pass each read is written to a file as it was
   found in memory; in the second, where no value is computed, the file answers in the same order.
   A record is four bytes of length and the bytes; longer reads than card_small_copy have no bytes. */
#define _GNU_SOURCE
#include "card.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { most_answers = 64, largest_read = 64 << 20, look_ahead = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int writes = -1;
static unsigned char *recorded;
static size_t recorded_bytes, place;
static int opened;
static long answers[most_answers];
static int answer_count, answer_at;
static long read_count, unlike_count, large_count;

static void open_file(void) {
    const char *how = card_word("RIDGELINE_CARD_READS", "");
    opened = getpid();
    if (!strncmp(how, "record:", 7)) writes = open(how + 7, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (!strncmp(how, "answer:", 7)) {
        const int file = open(how + 7, O_RDONLY | O_CLOEXEC);
        struct stat about;
        if (file >= 0 && !fstat(file, &about) && (recorded = malloc((size_t)about.st_size + 1))) {
            const ssize_t got = read(file, recorded, (size_t)about.st_size);
            recorded_bytes = got > 0 ? (size_t)got : 0;
        }
        if (file >= 0) close(file);
    }
}

/* The next recorded read of that size, within a few of the next one: a script that takes another way
   than in the first pass has reads of its own, which are counted. */
static const unsigned char *next_of(size_t size) {
    size_t at = place;
    for (int tries = 0; tries < look_ahead && at + 4 <= recorded_bytes; ++tries) {
        uint32_t length;
        memcpy(&length, recorded + at, 4);
        const size_t stored = length <= card_small_copy ? length : 0;
        if (length == size && at + 4 + stored <= recorded_bytes) {
            unlike_count += tries > 0;
            place = at + 4 + stored;
            return recorded + at + 4;
        }
        at += 4 + stored;
    }
    ++unlike_count;
    return 0;
}

static void record(const void *bytes, size_t size) {
    const uint32_t length = (uint32_t)size;
    if (write(writes, &length, 4) == 4 && size <= card_small_copy && write(writes, bytes, size) < 0) {
        close(writes);
        writes = -1;
    }
}

void card_read(void *to, const void *from, size_t size) {
    pthread_mutex_lock(&lock);
    if (!opened) open_file();
    ++read_count;
    large_count += size > card_small_copy;
    const unsigned char *known = recorded ? next_of(size) : 0;
    if (known && size <= card_small_copy) {
        memcpy(to, known, size);
    } else if (answer_count && size <= sizeof(long)) {
        memcpy(to, &answers[answer_at], size); /* the lowest bytes, as both processors store them first */
        if (answer_at + 1 < answer_count) ++answer_at;
    } else if (size <= largest_read) {
        memcpy(to, from, size);
    }
    if (writes >= 0) record(to, size);
    pthread_mutex_unlock(&lock);
}

/** Says what the next small reads find (sizes that a kernel would count), the last answer as often as
    asked; no answers end it. */
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
