// Starting a program with pipes that no other program inherits.
//
// Swift's view of the C library has neither pipe2(2) nor posix_spawn_file_actions_addclosefrom_np(3).

#ifndef CPROCESS_H
#define CPROCESS_H

#include <sys/types.h>

/// A program that was started, in a process group of its own, and the reading ends of its pipes.
struct cprocess {
    pid_t id;
    int output;
    int errors;
};

/// Starts a program, looked for in PATH unless its name has a slash.
///
/// It has this process's environment and working folder, nothing to read, the standard handling of every signal, and no
/// open file beyond its three. `arguments` ends with NULL and begins with the program.
///
/// Returns 0, or an errno; then nothing was started and nothing is open.
int cprocess_start(char *const *arguments, struct cprocess *process);

#endif
