#include "CLibrary.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static struct library {
    const char *package;
    const char *files[2];
    // Whether loading has succeeded or failed.
    atomic_int is_done;
    char problem[512];
} libraries[] = {
#define ENTRY(library, debian_package, ...) [CLIBRARY_##library] = {.package = debian_package, .files = {__VA_ARGS__}},
    CLIBRARY_TABLE(ENTRY)
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void load(struct library *library, const struct clibrary_function *functions, size_t count) {
    const char *file = library->files[0];
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        // Reports the error of the preferred file.
        snprintf(library->problem, sizeof library->problem, "cannot load %s (Debian: apt-get install %s)", dlerror(), library->package);
        file = library->files[1];
        if (file) handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!handle) return;
    }
    library->problem[0] = 0;
    for (size_t index = 0; index < count; index++) {
        *functions[index].pointer = dlsym(handle, functions[index].name);
        if (*functions[index].pointer) continue;
        snprintf(library->problem, sizeof library->problem, "cannot load %s: it has no function %s", file, functions[index].name);
        return;
    }
}

const char *clibrary_load(enum clibrary name, const struct clibrary_function *functions, size_t count) {
    struct library *library = &libraries[name];
    if (!atomic_load_explicit(&library->is_done, memory_order_acquire)) {
        pthread_mutex_lock(&mutex);
        if (!atomic_load_explicit(&library->is_done, memory_order_relaxed)) {
            load(library, functions, count);
            atomic_store_explicit(&library->is_done, 1, memory_order_release);
        }
        pthread_mutex_unlock(&mutex);
    }
    return library->problem[0] ? library->problem : NULL;
}
