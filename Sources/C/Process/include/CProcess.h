// The arguments and the build ID of this process, its limits as the child of a server, and starting programs with pipes
// that no other program inherits.
//
// Swift's runtime searches the stack for the arguments, and fails if /proc/self/maps cannot be opened. Swift's module
// for the C library has neither pipe2(2) nor posix_spawn_file_actions_addclosefrom_np(3).

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stddef.h>
#include <sys/types.h>

/// Returns the number of arguments of this process, including the program's name, and stores a pointer to them, which
/// stays valid.
int cprocess_arguments(char ***arguments);

/// Returns the build ID of this program (NT_GNU_BUILD_ID), which stays valid, and stores its size in bytes. Returns
/// NULL if the program has none.
const unsigned char *cprocess_build_id(size_t *size);

/// A child process in its own process group, and the read ends of its pipes.
struct cprocess {
    pid_t id;
    int output;
    int errors;
};

/// Starts a program. It is looked up in PATH unless its name contains a slash.
///
/// The program inherits the working folder, has default signal handlers, and no other open files than standard input,
/// output, and error. Its standard input has `input_size` bytes, which it need not read. `arguments` begins with the program and ends with NULL. `environment` ends
/// with NULL too; a null pointer means the environment of this process, whose PATH applies in either case.
///
/// Returns 0, or an errno; then no program was started and no file is open.
int cprocess_start(
    char *const *arguments, char *const *environment, const void *input, size_t input_size, struct cprocess *process);

/// Makes the kernel prefer this process if it must kill one because memory runs out, and send it SIGTERM when the
/// thread that started it ends. Ignores errors.
void cprocess_yield_to_parent(void);

/// Sets the soft limit of the data segment of this process (RLIMIT_DATA) in bytes; 0 raises it to the hard limit.
///
/// Returns 0, or an errno.
int cprocess_limit_data(unsigned long long bytes);

#endif
