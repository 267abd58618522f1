#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// Enables the alternate screen and bracketed paste, disables line wrapping, and hides the cursor.
static const char enter_sequence[] = "\033[?1049h\033[?7l\033[?25l\033[?2004h";
// Ends an incomplete string and frame, resets margins and style, and undoes the modes of enter_sequence and mouse reports.
static const char leave_sequence[] =
    "\033\\\033[?2026l\033[r\033[0m\033[?1006l\033[?1002l\033[?1000l\033[?2004l\033[?25h\033[?7h\033[?1049l";

static const int ending_signals[] = {
    SIGINT,    SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM,
    SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGPOLL, SIGPWR,  SIGSTKFLT,
};
static const int crash_signals[] = {SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGFPE};
static const int other_signals[] = {SIGTSTP, SIGCONT, SIGWINCH};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static int terminal = -1;
static int notices[2] = {-1, -1};
static struct termios original, raw;
static atomic_int is_started, is_entered;
static struct sigaction previous[NSIG];
static char alternate_stack[1 << 16];

// Writes all bytes. Gives up if the terminal accepts none for a second.
static void write_all(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(terminal, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            struct pollfd waited = {.fd = terminal, .events = POLLOUT};
            if (poll(&waited, 1, 1000) == 0) return;
            if (waited.revents & (POLLERR | POLLHUP | POLLNVAL)) return;
        } else if (written == 0 || errno != EINTR) {
            return;
        }
    }
}

static void notify(char notice) {
    // If the pipe is full, the reader already has notices to read.
    ssize_t ignored = write(notices[1], &notice, 1);
    (void)ignored;
}

static int set_modes(const struct termios *modes) {
    while (tcsetattr(terminal, TCSANOW, modes) != 0) {
        if (errno != EINTR) return errno;
    }
    return 0;
}

// --- Signals

static void on_end(int number) {
    int code = errno;
    cterminal_leave();
    // The handler blocks all signals, so this one takes effect when the handler returns.
    sigaction(number, &previous[number], NULL);
    raise(number);
    errno = code;
}

static void on_stop(int number) {
    int code = errno;
    cterminal_leave();
    struct sigaction standard, ours;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, &ours);
    sigset_t stop, blocked;
    sigemptyset(&stop);
    sigaddset(&stop, number);
    raise(number);
    // Unblocking the signal stops the process. A process group without a shell does not stop or get SIGCONT, so this function
    // sends the notice itself.
    pthread_sigmask(SIG_UNBLOCK, &stop, &blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    sigaction(number, &ours, NULL);
    notify(CTERMINAL_CONTINUED);
    errno = code;
}

static void on_notice(int number) {
    int code = errno;
    notify(number == SIGWINCH ? CTERMINAL_RESIZED : CTERMINAL_CONTINUED);
    errno = code;
}

static void install(const int *signals, size_t count, void (*handler)(int), int flags) {
    for (size_t index = 0; index < count; index++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = handler;
        action.sa_flags = flags;
        sigfillset(&action.sa_mask);
        sigaction(signals[index], NULL, &previous[signals[index]]);
        // Signals ignored by the parent process stay ignored: nohup(1), shells without job control.
        if (previous[signals[index]].sa_handler == SIG_IGN && handler != on_notice) continue;
        sigaction(signals[index], &action, NULL);
    }
}

static void restore(const int *signals, size_t count) {
    for (size_t index = 0; index < count; index++) sigaction(signals[index], &previous[signals[index]], NULL);
}

void cterminal_leave(void) {
    if (!atomic_exchange(&is_entered, 0)) return;
    write_all(leave_sequence, sizeof leave_sequence - 1);
    // In the background, the shell has set its own modes.
    if (tcgetpgrp(terminal) == getpgrp()) {
        tcflush(terminal, TCIFLUSH);
        tcsetattr(terminal, TCSANOW, &original);
    }
    restore(ending_signals, COUNT(ending_signals));
}

int cterminal_enter(void) {
    int code;
    if (!atomic_load(&is_entered)) {
        // In the background, this call stops the process group. Until it returns, ending signals have no handler: `kill %1` sends
        // SIGTERM and SIGCONT, and a handler on another thread could be stopped again by this call.
        code = set_modes(&original);
        if (code) return code;
        install(ending_signals, COUNT(ending_signals), on_end, SA_RESTART);
        atomic_store(&is_entered, 1);
    }
    code = set_modes(&raw);
    if (code) {
        cterminal_leave();
        return code;
    }
    write_all(enter_sequence, sizeof enter_sequence - 1);
    return 0;
}

int cterminal_is_entered(void) { return atomic_load(&is_entered); }

static void install_handlers(void) {
    // Handles stack overflows. The Swift runtime may have installed a stack for its backtraces.
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && stack.ss_flags & SS_DISABLE) {
        stack = (stack_t){.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
        sigaltstack(&stack, NULL);
    }
    install(crash_signals, COUNT(crash_signals), on_end, SA_ONSTACK);
    install(other_signals, 1, on_stop, SA_RESTART);
    install(other_signals + 1, COUNT(other_signals) - 1, on_notice, SA_RESTART);
}

// --- The terminal

int cterminal_start(int descriptor, int *reading_end) {
    static int is_registered;
    if (atomic_exchange(&is_started, 1)) return EBUSY;
    int code = 0;
    if (tcgetattr(descriptor, &original) != 0 || pipe2(notices, O_CLOEXEC | O_NONBLOCK) != 0) {
        code = errno;
        atomic_store(&is_started, 0);
        return code;
    }
    terminal = descriptor;
    raw = original;
    cfmakeraw(&raw);
    if (!is_registered) is_registered = atexit(cterminal_leave) == 0;
    install_handlers();
    code = cterminal_enter();
    if (code) {
        cterminal_end();
        return code;
    }
    *reading_end = notices[0];
    return 0;
}

void cterminal_stop(void) { kill(0, SIGTSTP); }

void cterminal_end(void) {
    if (!atomic_load(&is_started)) return;
    cterminal_leave();
    restore(crash_signals, COUNT(crash_signals));
    restore(other_signals, COUNT(other_signals));
    close(notices[0]);
    close(notices[1]);
    atomic_store(&is_started, 0);
}

void cterminal_size(int descriptor, int *columns, int *rows, int *width, int *height) {
    struct winsize size;
    *columns = *rows = *width = *height = 0;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return;
    *columns = size.ws_col;
    *rows = size.ws_row;
    *width = size.ws_xpixel;
    *height = size.ws_ypixel;
}
