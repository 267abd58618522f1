import EPGCalendar
import EPGModel
import EPGRender

/// What became of a guide, station by station.
struct ChangesText {
    private let review: ChangeReview
    private let zone: Zone

    init(_ review: ChangeReview, zone: Zone) {
        self.review = review
        self.zone = zone
    }

    func text(for terminal: Terminal) -> String {
        var lines = [heading]
        if !review.changes.isComplete {
            lines.append(
                "The log doesn't reach back as far as that: what came before generation \(review.changes.since.rawValue + 1) "
                    + "isn't told.")
        }
        if review.changes.changesStations {
            lines.append("Stations came, went, or are described, numbered or ordered otherwise.")
        }
        var text = lines.flatMap { Paragraph.lines(of: $0, columns: terminal.columns) }.map { $0 + "\n" }.joined()
        for station in review.stations {
            var name = Cell(station.name, .bold)
            if station.name != station.station.rawValue { name.append(station.station.rawValue, .dim) }
            text += "\n\(name.text(for: terminal))\n" + self.text(of: station, terminal: terminal)
        }
        return text
    }

    private var heading: String {
        guard review.changes.since != review.changes.generation else {
            return "Nothing changed: generation \(review.changes.generation) stands."
        }
        let start = review.changes.from.map { ", from \(zone.fullLabel(at: $0)) on" } ?? ""
        return "What came after generation \(review.changes.since), up to \(review.changes.generation)\(start):"
    }

    private func text(of station: StationReview, terminal: Terminal) -> String {
        guard let airings = station.airings else { return "  any of its schedule may be another\n" }
        var table = Table([Table.Column(), Table.Column(), Table.Column(leastWidth: 8)], indent: 2)
        for airing in airings {
            let change = airing.change
            let windows = [change.before, change.after].compactMap { $0 }
            var times = Cell()
            // A change that keeps its window names it once.
            for (index, window) in (windows.first == windows.last ? Array(windows.prefix(1)) : windows).enumerated() {
                if index > 0 { times.append("→") }
                times.append(label(window, after: index > 0 ? windows.first : nil))
            }
            table.append([Cell(change.kind.rawValue, change.kind.ink), times, Cell(airing.title ?? "")])
        }
        return table.text(for: terminal)
    }

    /// `Sat 24 Oct 20:00–21:00`, without the day where the window before it has told it.
    private func label(_ window: TimeWindow, after other: TimeWindow?) -> String {
        let range = "\(zone.timeLabel(at: window.start))–\(zone.timeLabel(at: window.end))"
        let date = zone.date(at: window.start)
        return date == other.map({ zone.date(at: $0.start) }) ? range : "\(date.label) \(range)"
    }
}

extension AiringChange.Kind {
    fileprivate var ink: Ink {
        switch self {
        case .inserted: .green
        case .removed: .red
        case .moved, .changed: .yellow
        }
    }
}
