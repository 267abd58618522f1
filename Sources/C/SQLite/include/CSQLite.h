// SQLite's variadic configuration calls, which Swift can't make.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

/// Prevents SQL from damaging the database file: no writable schema, no writes to shadow tables.
///
/// Returns an SQLite result code, like csqlite_skip_checkpoint_on_close.
int csqlite_set_defensive(sqlite3 *database);

/// Disables the checkpoint when the last connection closes. The writer checkpoints while it holds its own lock.
int csqlite_skip_checkpoint_on_close(sqlite3 *database);

/// Disables SQLite's memory statistics, because connections on different threads would contend for their lock. Has no
/// effect after the library was first used.
void csqlite_skip_memory_statistics(void);

#endif
