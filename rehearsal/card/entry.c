/* Loaded into every program of a rehearsed command: a command that sets PYTHONPATH for Python itself, as
   `env PYTHONPATH=src python train.py` and scripts of shells do, still meets the rehearsal's own place first. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void keep_place(void) {
    const char *place = getenv("RIDGELINE_REHEARSAL_ENTRY"), *given = getenv("PYTHONPATH");
    if (!place || !*place) return;
    const size_t length = strlen(place);
    if (given && !strncmp(given, place, length) && (given[length] == ':' || !given[length])) return;
    char *path = 0;
    if (asprintf(&path, given && *given ? "%s:%s" : "%s", place, given) < 0) return;
    setenv("PYTHONPATH", path, 1);
    free(path);
}
