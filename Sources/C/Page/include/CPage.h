// The files of the pages in Assets and their texts in Texts, embedded in the program.
#ifndef CPAGE_H
#define CPAGE_H

#include "OpenAPI.h"

#include <stddef.h>

/// A file with its name and content. Both are static: they live as long as the program.
struct cpage_file {
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

/// The number of files.
size_t cpage_file_count(void);

/// The file at an index from 0; NULL beyond the last one.
const struct cpage_file *cpage_file_at(size_t index);

/// The number of languages.
size_t cpage_language_count(void);

/// The texts in the language at an index from 0, in JSON; the name of the file is the code of the language. NULL beyond the last one.
const struct cpage_file *cpage_language_at(size_t index);

#endif
