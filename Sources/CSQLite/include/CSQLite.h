// SQLite's variadic configuration calls, which Swift can't make.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Forbids SQL to damage the database file: no writable schema, no writes to shadow tables.
int csqlite_set_defensive(sqlite3 *database);

/// Leaves the write-ahead log as it is when the last connection closes: the writer checkpoints under its own lock.
int csqlite_skip_checkpoint_on_close(sqlite3 *database);

/// Turns off SQLite's statistics of memory, whose lock two connections on two threads would fight for. It has an effect
/// only before the library is used for the first time.
void csqlite_skip_memory_statistics(void);

#endif
