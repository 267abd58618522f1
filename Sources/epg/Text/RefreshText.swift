import EPGModel
import EPGRefresh

/// A step of a refresh in a line.
struct RefreshText {
    private let step: RefreshStep

    init(_ step: RefreshStep) {
        self.step = step
    }

    /// Without a line end, and no wider than the terminal.
    func text(for terminal: Terminal) -> String {
        cell.fitted(to: terminal.columns ?? .max, usesColours: terminal.usesColours).text
    }

    private var cell: Cell {
        switch step {
        case .asking(let name): Self.line(name, "fetching", .dim)
        case .importing(let name, let byteCount): Self.line(name, "reading \(Wording.bytes(byteCount))", .dim)
        case .ended(let end): Self.line(end.name, Self.words(end.outcome), end.outcome.failure == nil ? .plain : .red)
        }
    }

    private static func line(_ name: String, _ words: String, _ ink: Ink) -> Cell {
        var cell = Cell(name, .bold)
        cell.attach(":")
        cell.append(words, ink)
        return cell
    }

    private static func words(_ outcome: SourceRefresh.Outcome) -> String {
        switch outcome {
        case .notDue(let next): "not due before \(next)"
        case .notModified: "not modified"
        case .unchanged: "the same as last time"
        case .imported(let outcome, _):
            outcome.changedGuide ? Wording.difference(outcome.difference) : "nothing is different"
        case .failed(let failure): "failed: \(failure.sentence)"
        }
    }
}
