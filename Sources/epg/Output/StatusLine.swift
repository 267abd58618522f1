import Glibc
import Synchronization

/// A line on standard error that shows the progress of a command, and is replaced in place.
///
/// Shows nothing unless standard error is a terminal, because cron mails all output.
final class StatusLine: Sendable {
    private struct State {
        var nextUpdate: ContinuousClock.Instant
        /// Whether the cursor is in the line.
        var isOpen = false
    }

    /// The minimum time between two updates of a counter.
    private static let updateInterval = Duration.milliseconds(100)

    private let isShown: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isWanted: Whether to show the line at all.
    ///   - delay: The time before the first update of a counter.
    init(isWanted: Bool = true, delay: Duration = .zero) {
        isShown = isWanted && isatty(STDERR_FILENO) == 1
        state = Mutex(State(nextUpdate: .now + delay))
    }

    /// Replaces the line.
    ///
    /// - Parameters:
    ///   - isFrequent: Whether the line is a counter, whose updates soon after the last one are dropped.
    ///   - isLast: Whether to keep the line; the next one is below it.
    func show(isFrequent: Bool = false, isLast: Bool = false, _ line: () -> String) {
        guard isShown else { return }
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            guard !isFrequent || now >= state.nextUpdate else { return false }
            state = State(nextUpdate: now + StatusLine.updateInterval, isOpen: !isLast)
            return true
        }
        if isDue { StandardError.write("\r\u{1B}[K\(line())\(isLast ? "\n" : "")") }
    }

    /// Clears the line, unless it is the last one.
    func close() {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if wasOpen { StandardError.write("\r\u{1B}[K") }
    }

    /// A progress bar.
    static func bar(_ filled: Int, of width: Int) -> String {
        String(repeating: "━", count: filled) + String(repeating: "╌", count: width - filled)
    }
}
