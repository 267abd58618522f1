#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define POINTER(result, name, parameters, arguments) static result(*pointer_##name) parameters;
CPOSTGRES_FUNCTIONS(POINTER)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *message = dlerror();
        snprintf(problem, sizeof problem, "%s", message ? message : "cannot open libpq.so.5");
        return;
    }
#define FIND(result, name, parameters, arguments)                                         \
    *(void **)&pointer_##name = dlsym(library, "PQ" #name);                               \
    if (!pointer_##name) {                                                                \
        snprintf(problem, sizeof problem, "libpq has no function PQ%s", #name);           \
        return;                                                                           \
    }
    CPOSTGRES_FUNCTIONS(FIND)
}

const char *cpostgres_load(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

#define CALL(result, name, parameters, arguments) \
    result cpostgres_##name parameters { return pointer_##name arguments; }
CPOSTGRES_FUNCTIONS(CALL)
