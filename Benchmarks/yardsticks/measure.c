// Runs a command and writes what it cost: `wall seconds, CPU seconds, largest resident set in KiB`, one line.
//
//   measure DESCRIPTOR COMMAND [ARGUMENT ...]
//
// Linux counts the resident set of the process that called exec into that of the command, which for a script's
// interpreter is more than a small command needs. This program is small itself (about 1 MiB). The line goes to an open
// file descriptor; the exit code is the command's, or 128 and the signal's number.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds_of(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    int descriptor = count > 2 ? atoi(arguments[1]) : 0;
    if (descriptor < 3) {
        fprintf(stderr, "usage: measure DESCRIPTOR COMMAND [ARGUMENT ...], where DESCRIPTOR is at least 3\n");
        return 64;
    }
    double begin = seconds_now();
    pid_t child = fork();
    if (child == 0) {
        close(descriptor);
        execvp(arguments[2], arguments + 2);
        fprintf(stderr, "%s: %s\n", arguments[2], strerror(errno));
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    pid_t ended;
    do ended = child < 0 ? -1 : wait4(child, &status, 0, &usage);
    while (ended < 0 && child > 0 && errno == EINTR);
    if (ended < 0) {
        perror("measure");
        return 71;
    }
    dprintf(descriptor, "%.6f %.6f %ld\n", seconds_now() - begin, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
            usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
