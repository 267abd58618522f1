// The files of the pages, embedded in the program as they stand in Assets.
#ifndef CPAGE_H
#define CPAGE_H

#include "OpenAPI.h"

#include <stddef.h>

/// A file: its name, its bytes and how many they are. All of it lives as long as the program.
struct cpage_file {
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

/// How many files there are.
size_t cpage_file_count(void);

/// The file at a place from 0; NULL beyond the last one.
const struct cpage_file *cpage_file_at(size_t place);

#endif
