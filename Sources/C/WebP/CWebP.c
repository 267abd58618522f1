#include "CWebP.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static size_t (*encode_lossy)(const uint8_t *, int, int, int, float, uint8_t **);
static size_t (*encode_lossless)(const uint8_t *, int, int, int, uint8_t **);
static void (*free_output)(void *);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static int find(void *library, const char *name, void **function) {
    *function = dlsym(library, name);
    if (*function) return 1;
    snprintf(problem, sizeof problem, "libwebp has no function %s", name);
    return 0;
}

static void load(void) {
    void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *message = dlerror();
        snprintf(problem, sizeof problem, "%s", message ? message : "cannot open libwebp.so.7");
        return;
    }
    if (!find(library, "WebPEncodeRGBA", (void **)&encode_lossy)) return;
    if (!find(library, "WebPEncodeLosslessRGBA", (void **)&encode_lossless)) return;
    find(library, "WebPFree", (void **)&free_output);
}

const char *cwebp_load(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

size_t cwebp_encode(const uint8_t *pixels, int width, int height, float quality, uint8_t **output) {
    if (quality < 0) return encode_lossless(pixels, width, height, width * 4, output);
    return encode_lossy(pixels, width, height, width * 4, quality, output);
}

void cwebp_free(uint8_t *output) { free_output(output); }
