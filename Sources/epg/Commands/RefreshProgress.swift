import EPGModel
import EPGRefresh
import EPGRender
import Synchronization

/// Shows the progress of a refresh on standard error, one line per source; the last line is updated in place.
final class RefreshProgress: Sendable {
    private let line: StatusLine
    /// The start of the download of the current source.
    private let began = Mutex(ContinuousClock.now)

    /// - Parameter isWanted: Whether to show progress at all.
    init(isWanted: Bool) {
        line = StatusLine(isWanted: isWanted)
    }

    /// Shows a step of the refresh. Replaces the line of an unfinished source; drops frequent steps soon after the last one.
    func show(_ step: RefreshStep) {
        let began = began.withLock { began in
            if case .requesting = step { began = ContinuousClock.now }
            return began
        }
        line.show(isFrequent: step.isFrequent, isLast: step.isLast) {
            step.line(after: ContinuousClock.now - began, for: Terminal.standardError)
        }
    }

    /// Clears the line of an unfinished source.
    func close() { line.close() }
}

// MARK: - Text

extension RefreshStep {
    /// The minimum and maximum width of a progress bar.
    private static let barWidth = 8...24

    /// Whether the line of this step is the final one of its source.
    var isLast: Bool {
        if case .ended = self { true } else { false }
    }

    fileprivate var isFrequent: Bool {
        switch self {
        case .fetching, .reading: true
        case .requesting, .importing, .ended: false
        }
    }

    /// Returns the progress line of the source without a newline, cut to the width of the terminal.
    ///
    /// - Parameter time: The time since the start of the request.
    func line(after time: Duration, for terminal: Terminal) -> String {
        cell(after: time, columns: terminal.columns ?? .max)
            .fitted(to: terminal.columns ?? .max, usesColors: terminal.usesColors).text
    }

    private func cell(after time: Duration, columns: Int) -> Cell {
        switch self {
        case .requesting(let name): Self.line(name, "fetching", .dim)
        case .fetching(let name, let progress):
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

    private static func line(_ name: String, _ detail: String, _ style: PrintStyle) -> Cell {
        var cell = Cell(name, .bold)
        cell.attach(":")
        cell.append(detail, style)
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
        return line(name, "\(verb) \(StatusLine.bar(filled, of: room)) \(percent), \(detail)", .dim)
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
        case .imported(.guide(let outcome), _):
            outcome.changedGuide ? Wording.changes(outcome) : "no changes"
        case .imported(.playlist(let outcome, _), _):
            outcome.changedGuide ? Wording.result(of: outcome) : "no changes"
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
