// What this process was called with, and starting a program with pipes that no other program inherits.
//
// Swift's runtime looks for the arguments on the stack, and finds none where /proc/self/maps can't be opened. Its view of the C
// library has neither pipe2(2) nor posix_spawn_file_actions_addclosefrom_np(3).

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stddef.h>
#include <sys/types.h>

/// How many arguments this process was called with, the name of the program among them; and where they stand, for good.
int cprocess_arguments(char ***arguments);

/// The build ID of this program (NT_GNU_BUILD_ID), which stays where it is, and its size in bytes; NULL where the linker wrote none.
const unsigned char *cprocess_build_id(size_t *size);

/// A program that was started, in a process group of its own, and the reading ends of its pipes.
struct cprocess {
    pid_t id;
    int output;
    int errors;
};

/// Starts a program, looked for in PATH unless its name has a slash.
///
/// It has this process's working folder, nothing to read, the standard handling of every signal, and no open file beyond
/// its three. `arguments` ends with NULL and begins with the program. `environment` ends with NULL, too; NULL alone is
/// the environment of this process, whose PATH counts in either case.
///
/// Returns 0, or an errno; then nothing was started and nothing is open.
int cprocess_start(char *const *arguments, char *const *environment, struct cprocess *process);

/// Makes this process the one that the kernel ends first where memory runs out, and has it end (SIGTERM) with the thread that
/// started it. Where the system doesn't allow either, it goes on without.
void cprocess_yield_to_parent(void);

/// Limits the bytes of data that this process may have (RLIMIT_DATA, the soft limit), or lifts the limit as far as it goes (0).
///
/// Returns 0, or an errno.
int cprocess_limit_data(unsigned long long bytes);

#endif
