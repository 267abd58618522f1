// The libraries that are loaded on first use: loading each takes milliseconds at every start, and most commands need none.
//
// The C targets list the functions that they call, and CLIBRARY_FUNCTIONS() defines a pointer to each.

#ifndef CLIBRARY_H
#define CLIBRARY_H

#include <stddef.h>

// Each entry has the name, the Debian package, and one or two file names, the preferred one first. Debian's GnuTLS flavor of libcurl
// has the same functions as the OpenSSL flavor.
#define CLIBRARY_TABLE(LIBRARY)                                        \
    LIBRARY(bzip2, "libbz2-1.0", "libbz2.so.1.0")                      \
    LIBRARY(curl, "libcurl4", "libcurl.so.4", "libcurl-gnutls.so.4")   \
    LIBRARY(lzma, "liblzma5", "liblzma.so.5")                          \
    LIBRARY(pq, "libpq5", "libpq.so.5")                                \
    LIBRARY(utf8proc, "libutf8proc2", "libutf8proc.so.3", "libutf8proc.so.2") \
    LIBRARY(webp, "libwebp7", "libwebp.so.7")                          \
    LIBRARY(zstd, "libzstd1", "libzstd.so.1")

#define CLIBRARY_NAME(library, ...) CLIBRARY_##library,
enum clibrary { CLIBRARY_TABLE(CLIBRARY_NAME) };

struct clibrary_function {
    const char *name;
    void **pointer;
};

/// Loads a library and sets the pointers to its functions, once. Safe to call from any thread.
///
/// Returns NULL on success, or an error message, which names the Debian package. The string is static.
const char *clibrary_load(enum clibrary library, const struct clibrary_function *functions, size_t count);

// Defines the pointer `library_NAME` for each function NAME of a list such as `#define LIST(F) F(one) F(two)`, and `load_LIBRARY()`,
// which calls clibrary_load().
#define CLIBRARY_FUNCTIONS(library, LIST)                                                               \
    LIST(CLIBRARY_POINTER)                                                                              \
    static const char *load_##library(void) {                                                           \
        static const struct clibrary_function functions[] = {LIST(CLIBRARY_ENTRY)};                     \
        return clibrary_load(CLIBRARY_##library, functions, sizeof functions / sizeof *functions);      \
    }
#define CLIBRARY_POINTER(name) static __typeof__(&name) library_##name;
#define CLIBRARY_ENTRY(name) {#name, (void **)&library_##name},

#endif
