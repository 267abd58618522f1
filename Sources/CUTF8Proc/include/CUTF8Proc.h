// Unicode's case folding and normalisation, by utf8proc, loaded when it is first needed.
//
// The program doesn't link the library: few commands compare names, and they can do without (names beyond ASCII are
// then compared a little more strictly). Nothing of it is needed to build; what stands here is its interface, which
// has been the same since version 2.0 (Debian: libutf8proc2, libutf8proc3).

#ifndef CUTF8PROC_H
#define CUTF8PROC_H

#include <stddef.h>
#include <stdint.h>

/// What is done besides folding the case: nothing, so that letters in two forms differ; or NFKC, without the
/// characters that show nothing (Unicode 15, section 3.13: NFKC_Casefold).
enum { CUTF8PROC_NFC_CASEFOLD = 0, CUTF8PROC_NFKC_CASEFOLD = 1 };

/// Folds the case of a text in UTF-8 and normalises it.
///
/// Writes at most `capacity` bytes to `buffer`, without a zero at the end. Returns how many bytes the result has,
/// which may be more than there was room for: then nothing was written. Returns a negative number where the library
/// isn't there, the text isn't UTF-8, or memory is short. Safe to call from any thread.
ptrdiff_t cutf8proc_fold(const uint8_t *text, size_t length, int form, uint8_t *buffer, size_t capacity);

/// Whether the library is there; loads it.
int cutf8proc_is_there(void);

#endif
