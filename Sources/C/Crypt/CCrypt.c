#define _GNU_SOURCE
#include "CCrypt.h"

#include <crypt.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
