// Reading files that the kernel has in memory, without waiting for a disk. Swift's module for the C library has neither
// openat2(2) nor preadv2(2).

#ifndef CCACHEDFILE_H
#define CCACHEDFILE_H

#include <stddef.h>
#include <sys/types.h>

/// Reads the first `capacity` bytes of a file, as far as the kernel has them in memory.
///
/// Returns the number of bytes, which is smaller than the size of the file if the kernel has only the first part of it;
/// -1 with errno if the file or its path is not in memory (EAGAIN), if the kernel does not support this (ENOSYS,
/// EOPNOTSUPP), or for any other error.
ssize_t ccachedfile_read(const char *path, void *buffer, size_t capacity);

#endif
