// Settings of the C library's allocator that Swift cannot reach.

#ifndef CMEMORY_H
#define CMEMORY_H

/// Keeps up to 64 MiB of freed memory in the process.
///
/// The service allocates and frees some hundred kilobytes per response. Without this setting, the allocator would return
/// the pages to the system, and the next response would cause a page fault for each of them.
void cmemory_keep_freed(void);

/// Returns freed memory of all threads to the system, except for the amount that ``cmemory_keep_freed`` keeps.
///
/// Call this after work that allocated much memory, because the same work on another thread would allocate it again.
void cmemory_give_back(void);

#endif
