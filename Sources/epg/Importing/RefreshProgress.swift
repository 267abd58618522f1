import EPGRefresh
import EPGRender
import Glibc
import Synchronization

/// Tells a person at a terminal how a refresh goes: a line for each source on standard error, the last one while it is asked.
///
/// Nothing is told where standard error is no terminal: cron sends each word by mail.
final class RefreshProgress: Sendable {
    private struct State {
        /// When the fetch of the source began.
        var began: Duration = .zero
        var nextDrawing: Duration = .zero
        /// Whether the cursor stands below what was written last.
        var isLineDone = true
    }

    private let isShown: Bool
    private let state = Mutex(State())

    /// How long a line stands at least while it only counts on.
    private static let pause = Duration.milliseconds(100)

    /// - Parameter isWanted: Whether anything is told at all.
    init(isWanted: Bool) {
        isShown = isWanted && isatty(STDERR_FILENO) == 1
    }

    /// Shows a step of the refresh.
    func show(_ step: RefreshStep) {
        guard isShown else { return }
        switch step {
        case .fetching(let name, let progress):
            draw(often: true) { now, began in .fetching(name, progress, time: now - began) }
        case .asking(let name):
            draw { _, _ in .asking(name) }
            state.withLock { $0.began = RefreshProgress.uptime }
        case .importing(let name, let byteCount):
            draw { _, _ in .importing(name, byteCount: byteCount) }
        case .ended(let end):
            draw { _, _ in .ended(end) }
        }
    }

    /// Shows how far the reading of a fetched guide is.
    func show(_ progress: GuideIntake.Progress, of name: String) {
        guard isShown else { return }
        draw(often: true) { _, _ in .reading(name, progress) }
    }

    /// Takes away the line of what is still under way.
    func close() {
        guard isShown, state.withLock({ !$0.isLineDone }) else { return }
        StandardError.write("\r\u{1B}[K")
    }

    /// Writes a line over the last one; what is told often is left out while the last one is new.
    private func draw(often: Bool = false, _ text: (_ now: Duration, _ began: Duration) -> RefreshText) {
        let now = RefreshProgress.uptime
        let began: Duration? = state.withLock { state in
            guard !often || now >= state.nextDrawing else { return nil }
            state.nextDrawing = now + RefreshProgress.pause
            return state.began
        }
        guard let began else { return }
        let text = text(now, began)
        // What is under way is written over by what comes of it.
        let end = text.isLast ? "\n" : ""
        state.withLock { $0.isLineDone = text.isLast }
        StandardError.write("\r\u{1B}[K\(text.text(for: Terminal.standardError))\(end)")
    }

    /// A clock that nobody sets.
    private static var uptime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
