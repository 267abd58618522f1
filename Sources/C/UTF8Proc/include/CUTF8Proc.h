// Unicode case folding and normalization by utf8proc, which is loaded on first use.
//
// The program doesn't link the library, because few commands compare names, and they work without it (non-ASCII names
// are then compared slightly more strictly). Building doesn't require it, either: its interface, declared in
// CUTF8Proc.c, has been stable since version 2.0 (Debian: libutf8proc2, libutf8proc3).

#ifndef CUTF8PROC_H
#define CUTF8PROC_H

#include <stddef.h>
#include <stdint.h>

/// The normalization in addition to case folding: NFC, or NFKC without default-ignorable characters (Unicode 15,
/// section 3.13: NFKC_Casefold), or the same in NFKD.
enum { CUTF8PROC_NFC_CASEFOLD = 0, CUTF8PROC_NFKC_CASEFOLD = 1, CUTF8PROC_NFKD_CASEFOLD = 2 };

/// Folds the case of a UTF-8 text and normalizes it.
///
/// Writes at most `capacity` bytes to `buffer`, without a terminating zero. Returns the length of the result in bytes.
/// If that exceeds `capacity`, nothing is written. Returns a negative number if the library is not installed, the text
/// is not UTF-8, or memory runs out. Safe to call from any thread.
ptrdiff_t cutf8proc_fold(const uint8_t *text, size_t length, int form, uint8_t *buffer, size_t capacity);

#endif
