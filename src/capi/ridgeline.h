/* The C interface of Ridgeline: for ctypes, WebAssembly and other languages.
 *
 * Text is UTF-8. One world may be asked from several threads at a time. */
#ifndef RIDGELINE_H
#define RIDGELINE_H

#include <stddef.h>

#if defined(__GNUC__)
#define RIDGELINE_API __attribute__((visibility("default")))
#else
#define RIDGELINE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ridgeline_world ridgeline_world;

/* Loads catalog/ and profiles/ from a folder that holds both, or from the bytes of a bundle, which
 * need not outlive the call; the other argument is null. Never null but when memory is out: what
 * could not be read is the answer to every request. */
RIDGELINE_API ridgeline_world* ridgeline_open(const char* folder, const unsigned char* bundle,
                                              size_t bundle_bytes);

/* Answers {"command": "estimate", "options": {"model": "llama-3.1-8b", "on": "l40s", "json":
 * true}}, or a list of such, with {"exit_code": 0, "media_type": "...", "body": ...}. The answer
 * lives until ridgeline_free; null when memory is out. */
RIDGELINE_API char* ridgeline_ask(ridgeline_world* world, const char* request_json);

/* Answers so many requests one after another into `answers`, each as ridgeline_ask does: for
 * callers to whom a call is dear. */
RIDGELINE_API void ridgeline_ask_each(ridgeline_world* world, const char* const* request_jsons,
                                      size_t count, char** answers);

RIDGELINE_API void ridgeline_free(char* answer);

/* "0.1.0", for as long as the program runs. */
RIDGELINE_API const char* ridgeline_version(void);

RIDGELINE_API void ridgeline_close(ridgeline_world* world);

#ifdef __cplusplus
}
#endif
#endif
