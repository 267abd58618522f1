import EPGRefresh
import Glibc

/// Tells a person at a terminal how a refresh goes: a line for each source on standard error, the last one while it is asked.
///
/// Nothing is told where standard error is no terminal: cron sends each word by mail.
struct RefreshProgress: Sendable {
    private let isShown = isatty(STDERR_FILENO) == 1

    func show(_ step: RefreshStep) {
        guard isShown else { return }
        let terminal = Terminal.standardError
        let line = RefreshText(step).text(for: terminal)
        // What is under way is written over by what comes of it.
        let end = if case .ended = step { "\n" } else { "" }
        StandardError.write("\r\u{1B}[K\(line)\(end)")
    }
}
