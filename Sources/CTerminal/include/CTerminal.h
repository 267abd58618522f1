// The terminal of this process: raw mode, the alternate screen, and signal handlers that restore it.
//
// The handlers call nothing but async-signal-safe functions (signal-safety(7)), which Swift code can't promise.

#ifndef CTERMINAL_H
#define CTERMINAL_H

/// What a byte in the pipe of cterminal_start reports.
enum cterminal_notice {
    /// The terminal has a new size (SIGWINCH).
    CTERMINAL_RESIZED = 'W',
    /// The process continues after a stop (SIGCONT): call cterminal_enter.
    CTERMINAL_CONTINUED = 'C',
};

/// Saves the modes of a terminal, installs the signal handlers, and enters. `terminal` is nonblocking and stays open until
/// cterminal_end.
///
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT, unless the process ignores them, and the signals of crashes restore the terminal and then
/// have the effect that they had before. SIGTSTP restores it and stops the process. exit(3) restores it.
///
/// Stores the reading end of a pipe, nonblocking, which gets a byte for each notice. Returns 0, or an errno; then nothing is changed.
/// Only one terminal at a time: EBUSY.
int cterminal_start(int terminal, int *notices);

/// Sets raw mode, the alternate screen and bracketed paste, turns line wrapping off and hides the cursor.
///
/// In the background this stops the process (SIGTTOU) until it is in the foreground. Returns 0, or an errno.
int cterminal_enter(void);

/// Whether the terminal is in the state that cterminal_enter makes.
int cterminal_is_entered(void);

/// Restores the modes and the screen, turns mouse reports off, and discards unread input. Without effect if that was done.
void cterminal_leave(void);

/// Stops the process group as Control-Z does; returns when it continues.
void cterminal_stop(void);

/// Leaves, and restores the signal handlers. Closes the pipe.
void cterminal_end(void);

/// The size of a terminal in cells and in pixels; 0 where it is unknown.
void cterminal_size(int terminal, int *columns, int *rows, int *width, int *height);

#endif
