/* Ranks that wait for one another: which of them live, and whether anything can still come. */
#define _GNU_SOURCE
#include "card.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* All processes that exchange messages in one run, and whether each waits for another. */
struct seat { atomic_int process, waits; atomic_long waited; };
enum { seats = 1024 };
static struct { atomic_int expected; struct seat at[seats]; } *table;
static struct seat *own_seat;

void card_sit(int ranks) {
    char name[64];
    const int world = (int)card_number("WORLD_SIZE", 0), expected = ranks > world ? ranks : world;
    snprintf(name, sizeof name, "/ridgeline-%ld-table", card_number("RIDGELINE_CARD_RUN", getpid()));
    if (!table) table = card_shared(name, sizeof *table);
    for (int before = atomic_load(&table->expected); before < expected;) {
        if (atomic_compare_exchange_weak(&table->expected, &before, expected)) break;
    }
    if (own_seat && atomic_load(&own_seat->process) == getpid()) return;
    for (int i = 0; i < seats; ++i) {
        int nobody = 0;
        if (atomic_compare_exchange_strong(&table->at[i].process, &nobody, getpid())) {
            own_seat = &table->at[i];
            return;
        }
    }
}
/* Whether a process is there and is more than an exit code that nobody has asked for. */
static int lives(int process) {
    char path[32], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    const char *end = strrchr(text, ')');
    return end && end[1] && end[2] != 'Z' && end[2] != 'X';
}
/* How often those who live have waited, if all of them wait now; -1 where one does something else or is still to come. */
static long all_wait(void) {
    long sum = 0;
    int i = 0;
    for (; i < seats; ++i) {
        const int process = atomic_load(&table->at[i].process);
        if (!process) break;
        if (!lives(process)) continue;
        if (!atomic_load(&table->at[i].waits)) return -1;
        sum += atomic_load(&table->at[i].waited);
    }
    return i < atomic_load(&table->expected) ? -1 : sum;
}

/** Who is told that another rank has ended for which this one waits: it may end as that one did. */
static void (*told_of_an_end)(void);
void ridgeline_card_left(void (*told)(void)) { told_of_an_end = told; }

/* Waits for what the process `other` does. Ends this process where that one has ended, where all ranks wait for one
   another, and where it takes longer than anyone waits. */
void card_wait_for(atomic_long *value, long until, atomic_int *other, const char *what) {
    struct timespec pause = {0, 50000};
    const time_t end = time(0) + card_number("RIDGELINE_CARD_PATIENCE", 300);
    const time_t still = card_number("RIDGELINE_CARD_STILL", 20);
    time_t since = time(0);
    long before = -1;
    if (own_seat) atomic_fetch_add(&own_seat->waited, 1), atomic_fetch_add(&own_seat->waits, 1);
    for (long spins = 0; atomic_load(value) < until; ++spins) {
        if (spins < 200) sched_yield();
        else nanosleep(&pause, 0);
        if (spins % 1000 != 999) continue;
        const int process = atomic_load(other);
        if (process && !lives(process) && atomic_load(value) < until) {
            if (told_of_an_end) told_of_an_end();
            card_end("a rank waits for another, which has ended");
        }
        const long now = all_wait();
        if (now < 0 || now != before) since = time(0);
        before = now;
        if (time(0) - since > still || time(0) > end) card_refuse(what);
    }
    if (own_seat) atomic_fetch_sub(&own_seat->waits, 1);
}
