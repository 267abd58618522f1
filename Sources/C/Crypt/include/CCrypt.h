// Password hashes of libcrypt (libxcrypt; Debian: libcrypt-dev).

#ifndef CCRYPT_H
#define CCRYPT_H

#include <stddef.h>

/// Writes a new setting with a random salt for yescrypt into `setting`, a buffer of `size` bytes.
///
/// `cost` is from 1 to 11; each step doubles time and memory (5 takes 16 MiB). `random` has `count` random bytes.
///
/// Returns 0, or an errno.
int ccrypt_setting(unsigned long cost, const char *random, int count, char *setting, size_t size);

/// Writes the hash of a null-terminated password into `hash`, a buffer of `size` bytes. `setting` is a setting or a hash,
/// whose method, cost and salt apply.
///
/// Returns 0, or an errno.
int ccrypt_hash(const char *password, const char *setting, char *hash, size_t size);

#endif
