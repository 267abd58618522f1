// Runs a command and prints its cost in one line: wall seconds, CPU seconds, largest resident set in KiB, and wall seconds until
// its first output (with --first-output; otherwise -1).
//
//   measure [--first-output] DESCRIPTOR COMMAND [ARGUMENT ...]
//
// Linux includes the resident set of the process that called exec in the command's, and a script interpreter's is larger
// than a small command's. This program is small (about 1 MiB). It prints the line to an open file descriptor; the exit code
// is the command's, or 128 plus the signal number. With --first-output it discards the command's output through a pipe.

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

// Reads a pipe to its end; returns the time of the first byte, or -1.
static double drain(int descriptor) {
    char buffer[65536];
    double first = -1;
    for (;;) {
        ssize_t count = read(descriptor, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return first;
        if (first < 0) first = seconds_now();
    }
}

int main(int count, char **arguments) {
    int watches = count > 1 && strcmp(arguments[1], "--first-output") == 0;
    char **rest = arguments + 1 + watches;
    int descriptor = count > 2 + watches ? atoi(rest[0]) : 0;
    if (descriptor < 3) {
        fprintf(stderr, "usage: measure [--first-output] DESCRIPTOR COMMAND [ARGUMENT ...], DESCRIPTOR at least 3\n");
        return 64;
    }
    int output[2] = {-1, -1};
    if (watches && pipe(output) != 0) {
        perror("measure");
        return 71;
    }
    double begin = seconds_now();
    pid_t child = fork();
    if (child == 0) {
        close(descriptor);
        if (watches) {
            dup2(output[1], STDOUT_FILENO);
            close(output[0]);
            close(output[1]);
        }
        execvp(rest[1], rest + 1);
        fprintf(stderr, "%s: %s\n", rest[1], strerror(errno));
        _exit(127);
    }
    double first = -1;
    if (watches) {
        close(output[1]);
        if (child > 0) first = drain(output[0]);
        close(output[0]);
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
    dprintf(descriptor, "%.6f %.6f %ld %.6f\n", seconds_now() - begin,
            seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), usage.ru_maxrss, first < 0 ? -1 : first - begin);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
