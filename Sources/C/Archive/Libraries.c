#define _GNU_SOURCE
#include "CArchive.h"
#include "Libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define DEFINE(name) __typeof__(&name) library_##name;
CARCHIVE_ZLIB_FUNCTIONS(DEFINE)
CARCHIVE_LZMA_FUNCTIONS(DEFINE)
CARCHIVE_BZIP2_FUNCTIONS(DEFINE)
CARCHIVE_ZSTD_FUNCTIONS(DEFINE)

static const char zlib_name[] = "libz.so.1";
static const char lzma_name[] = "liblzma.so.5";
static const char bzip2_name[] = "libbz2.so.1.0";
static const char zstd_name[] = "libzstd.so.1";

// The state of a library: whether it was loaded, and the error message if that failed.
struct load {
    pthread_once_t once;
    char problem[256];
};
static struct load zlib_load = {PTHREAD_ONCE_INIT, ""}, lzma_load = {PTHREAD_ONCE_INIT, ""},
                   bzip2_load = {PTHREAD_ONCE_INIT, ""}, zstd_load = {PTHREAD_ONCE_INIT, ""};

static void *open_library(const char *name, char *problem, size_t size) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
    const char *message = dlerror();
    snprintf(problem, size, "%s", message ? message : name);
    return NULL;
}

static void *find(void *library, const char *library_name, const char *name, char *problem, size_t size) {
    void *function = dlsym(library, name);
    if (!function) snprintf(problem, size, "%s has no function %s", library_name, name);
    return function;
}

#define FIND(name)                                                                                                     \
    library_##name = (__typeof__(&name))find(library, library_name, #name, problem, sizeof problem);                  \
    if (!library_##name) goto failed;

#define LOADER(library_function, library, functions)                                                                   \
    static void library_function(void) {                                                                              \
        LOADER_BODY(library##_name, library##_load, functions)                                                         \
    }
#define LOADER_BODY(name_of_library, load_of_library, functions)                                                       \
    char problem[sizeof load_of_library.problem] = "";                                                                 \
    const char *library_name = name_of_library;                                                                        \
    void *library = open_library(library_name, problem, sizeof problem);                                               \
    if (library) {                                                                                                     \
        functions(FIND)                                                                                                \
    }                                                                                                                  \
failed:                                                                                                                \
    snprintf(load_of_library.problem, sizeof load_of_library.problem, "%s", problem);

LOADER(load_zlib, zlib, CARCHIVE_ZLIB_FUNCTIONS)
LOADER(load_lzma, lzma, CARCHIVE_LZMA_FUNCTIONS)
LOADER(load_bzip2, bzip2, CARCHIVE_BZIP2_FUNCTIONS)
LOADER(load_zstd, zstd, CARCHIVE_ZSTD_FUNCTIONS)

static const char *load_once(struct load *load, void (*loader)(void)) {
    pthread_once(&load->once, loader);
    return load->problem[0] ? load->problem : NULL;
}

const char *carchive_library(carchive_format format) {
    switch (format) {
    case CARCHIVE_GZIP:
    case CARCHIVE_DEFLATE: return zlib_name;
    case CARCHIVE_XZ: return lzma_name;
    case CARCHIVE_BZIP2: return bzip2_name;
    case CARCHIVE_ZSTD: return zstd_name;
    }
    return "";
}

const char *carchive_load(carchive_format format) {
    switch (format) {
    case CARCHIVE_GZIP:
    case CARCHIVE_DEFLATE: return load_once(&zlib_load, load_zlib);
    case CARCHIVE_XZ: return load_once(&lzma_load, load_lzma);
    case CARCHIVE_BZIP2: return load_once(&bzip2_load, load_bzip2);
    case CARCHIVE_ZSTD: return load_once(&zstd_load, load_zstd);
    }
    return "unknown format";
}
