import EPGModel
import EPGRefresh
import EPGRender

/// How far a source is in a refresh, in a line.
enum RefreshText {
    case asking(String)
    /// - Parameter time: How long it has been asked.
    case fetching(String, FetchProgress, time: Duration)
    case importing(String, byteCount: Int64)
    case reading(String, GuideIntake.Progress)
    case ended(SourceRefresh)

    /// The greatest number of columns of a bar, and the least that one is worth.
    private static let bar = 8...24

    /// Whether no other line of the source follows.
    var isLast: Bool {
        if case .ended = self { true } else { false }
    }

    /// Without a line end, and no wider than the terminal.
    func text(for terminal: Terminal) -> String {
        cell(columns: terminal.columns ?? .max)
            .fitted(to: terminal.columns ?? .max, usesColours: terminal.usesColours).text
    }

    private func cell(columns: Int) -> Cell {
        switch self {
        case .asking(let name): Self.line(name, "fetching", .dim)
        case .fetching(let name, let progress, let time):
            Self.line(name, "fetching", share: progress.share, Self.words(progress, time), columns: columns)
        case .importing(let name, let byteCount): Self.line(name, "reading \(Wording.bytes(byteCount))", .dim)
        case .reading(let name, let progress) where progress.isRead:
            Self.line(name, "sorting, storing \(Wording.count(progress.programmes, "programme"))", .dim)
        case .reading(let name, let progress):
            Self.line(
                name, "reading", share: progress.share,
                Wording.count(progress.programmes, "programme"), columns: columns)
        case .ended(let end): Self.line(end.name, Self.words(end.outcome), end.outcome.failure == nil ? .plain : .red)
        }
    }

    private static func line(_ name: String, _ words: String, _ ink: Ink) -> Cell {
        var cell = Cell(name, .bold)
        cell.attach(":")
        cell.append(words, ink)
        return cell
    }

    /// A line with a bar, where the share is known and there is room for it.
    private static func line(_ name: String, _ verb: String, share: Double?, _ words: String, columns: Int) -> Cell {
        guard let share else { return line(name, "\(verb) \(words)", .dim) }
        let percent = "\(Int(share * 100)) %"
        let plain = line(name, "\(verb) \(percent), \(words)", .dim)
        let room = min(columns - plain.width - 1, bar.upperBound)
        guard room >= bar.lowerBound else { return plain }
        let filled = Int(share * Double(room))
        let drawn = String(repeating: "━", count: filled) + String(repeating: "╌", count: room - filled)
        return line(name, "\(verb) \(drawn) \(percent), \(words)", .dim)
    }

    /// `1200 kB of 12 MB, 400 kB/s`.
    private static func words(_ progress: FetchProgress, _ time: Duration) -> String {
        let total = progress.total.map { " of \(Wording.bytes($0))" } ?? ""
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        // What came in a moment says nothing of the rate.
        let rate = seconds >= 0.5 ? ", \(Wording.bytes(Int64(Double(progress.byteCount) / seconds)))/s" : ""
        return Wording.bytes(progress.byteCount) + total + rate
    }

    private static func words(_ outcome: SourceRefresh.Outcome) -> String {
        switch outcome {
        case .notDue(let next): "not due before \(next)"
        case .notConfigured: "no longer in epg.yml, so it isn't asked; epg source remove takes it away"
        case .notModified: "not modified"
        case .unchanged: "the same as last time"
        case .imported(let outcome, _):
            outcome.changedGuide ? Wording.difference(outcome.airings) : "nothing is different"
        case .failed(let failure): "failed: \(failure.sentence)"
        }
    }
}

extension FetchProgress {
    /// From 0 to 1; `nil` where nobody knows how much will come.
    fileprivate var share: Double? {
        total.flatMap { $0 > 0 ? min(1, Double(byteCount) / Double($0)) : nil }
    }
}

extension GuideIntake.Progress {
    /// From 0 to 1.
    fileprivate var share: Double? { total > 0 ? min(1, Double(byteCount) / Double(total)) : nil }
}
