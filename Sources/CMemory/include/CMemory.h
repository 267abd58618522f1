// Settings of the C library's allocator, which Swift can't reach.

#ifndef CMEMORY_H
#define CMEMORY_H

/// Keeps up to 64 MiB of freed memory in the process.
///
/// A service takes and frees some hundred kilobytes for each answer: given back to the system, each page of them would cost
/// a fault the next time.
void cmemory_keep_freed(void);

/// Gives freed memory of all threads back to the system, but for what ``cmemory_keep_freed`` keeps: for after work that took
/// much, which the next such work, on another thread, would take again beside it.
void cmemory_give_back(void);

#endif
