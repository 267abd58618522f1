// The terminal of this process: raw mode, the alternate screen, and signal handlers that restore the terminal.
//
// The handlers call only async-signal-safe functions (signal-safety(7)). Swift code cannot guarantee that.

#ifndef CTERMINAL_H
#define CTERMINAL_H

/// A notice, as a byte in the pipe of cterminal_start.
enum cterminal_notice {
    /// The terminal has a new size (SIGWINCH).
    CTERMINAL_RESIZED = 'W',
    /// The process continues after a stop (SIGCONT): call cterminal_enter.
    CTERMINAL_CONTINUED = 'C',
};

/// Saves the modes of a terminal, installs the signal handlers, and calls cterminal_enter. `terminal` is nonblocking and must
/// stay open until cterminal_end.
///
/// While the terminal is entered, SIGINT, SIGTERM, SIGHUP and SIGQUIT, unless the process ignores them, and crash signals restore
/// it and then have their previous effect. SIGTSTP restores the terminal and stops the process. exit(3) restores the terminal.
///
/// Stores the nonblocking reading end of a pipe in `notices`, which receives a byte for each notice. Returns 0, or an errno without
/// any change. Returns EBUSY if another terminal is in use.
int cterminal_start(int terminal, int *notices);

/// Sets raw mode, the alternate screen and bracketed paste, turns line wrapping off and hides the cursor.
///
/// In the background, this stops the process (SIGTTOU) until it returns to the foreground. Returns 0, or an errno.
int cterminal_enter(void);

/// Whether the terminal is in the state set by cterminal_enter.
int cterminal_is_entered(void);

/// Restores the modes and the screen, disables mouse reports, and discards unread input. Has no effect if already restored.
void cterminal_leave(void);

/// Stops the process group, as Control-Z does. Returns when it continues.
void cterminal_stop(void);

/// Calls cterminal_leave, restores the signal handlers, and closes the pipe.
void cterminal_end(void);

/// The size of a terminal in cells and in pixels; 0 for unknown values.
void cterminal_size(int terminal, int *columns, int *rows, int *width, int *height);

#endif
