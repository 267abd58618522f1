#include "CUTF8Proc.h"
#include "CLibrary.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<utf8proc.h>)
#include <utf8proc.h>
#else
// In utf8proc.h, the type of `options` is an enumeration, which is an int.
ptrdiff_t utf8proc_map(const uint8_t *text, ptrdiff_t length, uint8_t **result, int options);
#endif

// Options of utf8proc_map() with their values in utf8proc.h.
enum {
    option_stable = 1 << 1,
    option_compatibility = 1 << 2,
    option_compose = 1 << 3,
    option_decompose = 1 << 4,
    option_ignore = 1 << 5,
    option_case_fold = 1 << 10,
};

#ifdef UTF8PROC_VERSION_MAJOR
_Static_assert(
    (int)UTF8PROC_STABLE == option_stable && (int)UTF8PROC_COMPAT == option_compatibility
        && (int)UTF8PROC_COMPOSE == option_compose
        && (int)UTF8PROC_DECOMPOSE == option_decompose && (int)UTF8PROC_IGNORE == option_ignore
        && (int)UTF8PROC_CASEFOLD == option_case_fold && sizeof(utf8proc_ssize_t) == sizeof(ptrdiff_t),
    "the interface of utf8proc has changed");
#endif

#define FUNCTIONS(F) F(utf8proc_map)
CLIBRARY_FUNCTIONS(utf8proc, FUNCTIONS)

ptrdiff_t cutf8proc_fold(const uint8_t *text, size_t length, int form, uint8_t *buffer, size_t capacity) {
    if (load_utf8proc() || length > PTRDIFF_MAX / 64) return -1;
    if (length == 0) return 0;
    int options = option_stable | option_case_fold;
    options |= form == CUTF8PROC_NFKD_CASEFOLD ? option_decompose : option_compose;
    if (form != CUTF8PROC_NFC_CASEFOLD) options |= option_compatibility | option_ignore;
    uint8_t *result = NULL;
    ptrdiff_t count = library_utf8proc_map(text, (ptrdiff_t)length, &result, options);
    if (count > 0 && (size_t)count <= capacity) memcpy(buffer, result, (size_t)count);
    if (count >= 0) free(result);
    return count;
}
