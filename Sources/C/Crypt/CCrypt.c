#define _GNU_SOURCE
#include "CCrypt.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pointers to the functions of libcrypt that this file calls (crypt(3)).
static char *(*crypt_ra)(const char *, const char *, void **, int *);
static char *(*crypt_gensalt_ra)(const char *, unsigned long, const char *, int);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static int find(void *library, const char *name, void **function) {
    *function = dlsym(library, name);
    if (*function) return 1;
    // glibc's own libcrypt.so.1 has neither function nor yescrypt.
    snprintf(problem, sizeof problem, "libcrypt.so.1 has no function %s; install libxcrypt", name);
    return 0;
}

static void load(void) {
    void *library = dlopen("libcrypt.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcrypt.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *message = dlerror();
        snprintf(problem, sizeof problem, "%s", message ? message : "cannot open libcrypt.so.1");
        return;
    }
    if (!find(library, "crypt_ra", (void **)&crypt_ra)) return;
    find(library, "crypt_gensalt_ra", (void **)&crypt_gensalt_ra);
}

const char *ccrypt_load(void) {
    pthread_once(&once, load);
    return problem[0] ? problem : NULL;
}

static int copy(const char *text, char *target, size_t size) {
    // Failures are NULL, or a text that begins with a star.
    if (!text || text[0] == '*') return errno ? errno : EINVAL;
    size_t length = strlen(text);
    if (length >= size) return ERANGE;
    memcpy(target, text, length + 1);
    return 0;
}

int ccrypt_setting(unsigned long cost, const char *random, int count, char *setting, size_t size) {
    errno = 0;
    char *text = crypt_gensalt_ra("$y$", cost, random, count);
    int code = copy(text, setting, size);
    free(text);
    return code;
}

int ccrypt_hash(const char *password, const char *setting, char *hash, size_t size) {
    void *data = NULL;
    int data_size = 0;
    errno = 0;
    int code = copy(crypt_ra(password, setting, &data, &data_size), hash, size);
    if (data) {
        // The buffer holds the password.
        explicit_bzero(data, (size_t)data_size);
        free(data);
    }
    return code;
}
