// The arguments of this process, and starting programs with pipes that no other program inherits.
//
// Swift's runtime looks for the arguments on the stack, and does not find them if /proc/self/maps cannot be opened. Its
// module for the C library has neither pipe2(2) nor posix_spawn_file_actions_addclosefrom_np(3).

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stddef.h>
#include <sys/types.h>

/// Returns the number of arguments of this process, including the program's name, and their address, which stays valid.
int cprocess_arguments(char ***arguments);

/// Returns the build ID of this program (NT_GNU_BUILD_ID), which stays valid, and its size in bytes; NULL if it has
/// none.
const unsigned char *cprocess_build_id(size_t *size);

/// A child process in its own process group, and the read ends of its pipes.
struct cprocess {
    pid_t id;
    int output;
    int errors;
};

/// Starts a program. It is looked up in PATH unless its name contains a slash.
///
/// The program inherits the working folder, has empty standard input, default signal handlers, and no open files other
/// than its three. `arguments` begins with the program and ends with NULL. `environment` ends with NULL too; a null
/// pointer means the environment of this process, whose PATH applies in either case.
///
/// Returns 0, or an errno; then no program was started and no file is open.
int cprocess_start(char *const *arguments, char *const *environment, struct cprocess *process);

/// Makes this process the first that the kernel kills if memory runs out, and terminates it (SIGTERM) when the thread
/// that started it ends. Ignores errors.
void cprocess_yield_to_parent(void);

/// Sets the soft limit of the data segment of this process (RLIMIT_DATA) in bytes; 0 raises it to the hard limit.
///
/// Returns 0, or an errno.
int cprocess_limit_data(unsigned long long bytes);

#endif
