import EPGModel
import EPGRefresh
import EPGRender
import Glibc
import Synchronization

/// Shows the progress of a refresh on standard error, one line per source; the last line is updated in place.
///
/// Shows nothing unless standard error is a terminal, because cron mails all output.
final class RefreshProgress: Sendable {
    private struct State {
        /// The start of the download of the current source.
        var began: Duration = .zero
        var nextUpdate: Duration = .zero
        /// Whether the last line is final, so that the cursor is below it.
        var isLineDone = true
    }

    private let isShown: Bool
    private let state = Mutex(State())

    /// The minimum time between two updates of a counter.
    private static let updateInterval = Duration.milliseconds(100)

    /// - Parameter isWanted: Whether to show progress at all.
    init(isWanted: Bool) {
        isShown = isWanted && isatty(STDERR_FILENO) == 1
    }

    /// Shows a step of the refresh.
    func show(_ step: RefreshStep) {
        guard isShown else { return }
        switch step {
        case .fetching(let name, let progress):
            draw(isFrequent: true) { now, began in .fetching(name, progress, time: now - began) }
        case .requesting(let name):
            draw { _, _ in .requesting(name) }
            state.withLock { $0.began = RefreshProgress.uptime }
        case .importing(let name, let byteCount):
            draw { _, _ in .importing(name, byteCount: byteCount) }
        case .reading(let name, let progress):
            draw(isFrequent: true) { _, _ in .reading(name, progress) }
        case .ended(let end):
            draw { _, _ in .ended(end) }
        }
    }

    /// Clears the line of an unfinished source.
    func close() {
        guard isShown, state.withLock({ !$0.isLineDone }) else { return }
        StandardError.write("\r\u{1B}[K")
    }

    /// Replaces the current line; frequent updates are dropped if the last one is recent.
    private func draw(isFrequent: Bool = false, _ text: (_ now: Duration, _ began: Duration) -> RefreshText) {
        let now = RefreshProgress.uptime
        let began: Duration? = state.withLock { state in
            guard !isFrequent || now >= state.nextUpdate else { return nil }
            state.nextUpdate = now + RefreshProgress.updateInterval
            return state.began
        }
        guard let began else { return }
        let text = text(now, began)
        // The line of an unfinished source is overwritten.
        let end = text.isLast ? "\n" : ""
        state.withLock { $0.isLineDone = text.isLast }
        StandardError.write("\r\u{1B}[K\(text.text(for: Terminal.standardError))\(end)")
    }

    /// The monotonic clock.
    private static var uptime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

// MARK: - Text

/// The progress line of a source.
enum RefreshText {
    case requesting(String)
    /// - Parameter time: The time since the start of the request.
    case fetching(String, FetchProgress, time: Duration)
    case importing(String, byteCount: Int64)
    case reading(String, ReadingProgress)
    case ended(SourceRefresh)

    /// The minimum and maximum width of a progress bar.
    private static let barWidth = 8...24

    /// Whether this is the final line of the source.
    var isLast: Bool {
        if case .ended = self { true } else { false }
    }

    /// Returns the line without a newline, cut to the width of the terminal.
    func text(for terminal: Terminal) -> String {
        cell(columns: terminal.columns ?? .max)
            .fitted(to: terminal.columns ?? .max, usesColors: terminal.usesColors).text
    }

    private func cell(columns: Int) -> Cell {
        switch self {
        case .requesting(let name): Self.line(name, "fetching", .dim)
        case .fetching(let name, let progress, let time):
            Self.line(name, "fetching", share: progress.share, Self.text(of: progress, time), columns: columns)
        case .importing(let name, let byteCount): Self.line(name, "reading \(Wording.bytes(byteCount))", .dim)
        case .reading(let name, let progress) where progress.isRead:
            Self.line(name, "sorting, storing \(Wording.count(progress.programmes, "programme"))", .dim)
        case .reading(let name, let progress):
            Self.line(
                name, "reading", share: progress.share,
                Wording.count(progress.programmes, "programme"), columns: columns)
        case .ended(let end):
            Self.line(end.name, Self.text(of: end.outcome), end.outcome.failure == nil ? .plain : .red)
        }
    }

    private static func line(_ name: String, _ detail: String, _ ink: Ink) -> Cell {
        var cell = Cell(name, .bold)
        cell.attach(":")
        cell.append(detail, ink)
        return cell
    }

    /// A line with a bar if the share is known and the bar fits.
    private static func line(_ name: String, _ verb: String, share: Double?, _ detail: String, columns: Int) -> Cell {
        guard let share else { return line(name, "\(verb) \(detail)", .dim) }
        let percent = "\(Int(share * 100))%"
        let plain = line(name, "\(verb) \(percent), \(detail)", .dim)
        let room = min(columns - plain.width - 1, barWidth.upperBound)
        guard room >= barWidth.lowerBound else { return plain }
        let filled = Int(share * Double(room))
        let drawn = String(repeating: "━", count: filled) + String(repeating: "╌", count: room - filled)
        return line(name, "\(verb) \(drawn) \(percent), \(detail)", .dim)
    }

    /// `1200 kB of 12 MB, 400 kB/s`.
    private static func text(of progress: FetchProgress, _ time: Duration) -> String {
        let total = progress.total.map { " of \(Wording.bytes($0))" } ?? ""
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        // The rate of the first moment is meaningless.
        let rate = seconds >= 0.5 ? ", \(Wording.bytes(Int64(Double(progress.byteCount) / seconds)))/s" : ""
        return Wording.bytes(progress.byteCount) + total + rate
    }

    private static func text(of outcome: SourceRefresh.Outcome) -> String {
        switch outcome {
        case .notDue(let next): "not due before \(next)"
        case .notConfigured: "skipped: no longer in epg.yml; delete it with epg source remove"
        case .notModified: "not modified"
        case .unchanged: "same content as last time"
        case .imported(let outcome, _):
            outcome.changedGuide ? Wording.difference(outcome.airings) : "no changes"
        case .failed(let failure): "failed: \(failure.sentence)"
        }
    }
}

extension FetchProgress {
    /// From 0 to 1; `nil` if the total is unknown.
    fileprivate var share: Double? {
        total.flatMap { $0 > 0 ? min(1, Double(byteCount) / Double($0)) : nil }
    }
}

extension ReadingProgress {
    /// From 0 to 1.
    fileprivate var share: Double? { total > 0 ? min(1, Double(byteCount) / Double(total)) : nil }
}
