import EPGCalendar
import EPGModel
import EPGRender

/// What is on, and what comes next, as a table.
///
/// ```
/// Sat 24 Oct 2026, 20:30 BST
///
/// Harbour One    Kerbside            ━━━╌╌╌╌╌    30m  21:00 Low Water
/// ```
struct NowText {
    private let answers: [NowAndNext]
    private let moment: Moment

    init(_ answers: [NowAndNext], moment: Moment) {
        self.answers = answers
        self.moment = moment
    }

    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column(leastWidth: 10), Table.Column(leastWidth: 12), Table.Column(),
            Table.Column(alignment: .trailing), Table.Column(leastWidth: 12),
        ])
        // Most stations change at the same few times.
        var times: [Instant: String] = [:]
        for answer in answers { table.append(row(of: answer, times: &times)) }
        let heading = Ink.bold.paint(moment.zone.fullLabel(at: moment.now), usesColours: terminal.usesColours)
        guard !table.isEmpty else { return "\(heading)\n\nThe guide has no stations.\n" }
        return "\(heading)\n\n\(table.text(for: terminal))"
    }

    private func row(of answer: NowAndNext, times: inout [Instant: String]) -> [Cell] {
        var next = Cell()
        if let airing = answer.next {
            let start = airing.window.start
            let label = times[start] ?? time(of: start)
            times[start] = label
            next.append(label, .dim)
            next.append(airing.title)
        }
        guard let first = answer.now.first else {
            return [Cell(answer.stationName, .bold), Cell("—", .dim), Cell.empty, Cell.empty, next]
        }
        var title = Cell()
        // Of those that share a window nobody knows which one is on.
        title.append(answer.now.count == 1 ? first.title : answer.now.map(\.title).joined(separator: " / "))
        if let subtitle = first.subtitle, answer.now.count == 1 { title.append("· \(subtitle)", .dim) }
        let left = moment.now.seconds(to: first.window.end)
        return [
            Cell(answer.stationName, .bold), title, bar(through: first.window),
            // Rounded up: what has 20 seconds left isn't over.
            Cell(Wording.compactDuration(min(left, 1 << 40) + 59)), next,
        ]
    }

    /// `21:00`; `Sun 21:00` on another day, `Sun 1 Nov 21:00` in another week.
    private func time(of start: Instant) -> String {
        let zone = moment.zone
        let time = zone.timeLabel(at: start)
        let date = zone.date(at: start)
        switch date.daysSince1970 - zone.date(at: moment.now).daysSince1970 {
        case 0: return time
        case 1..<7: return "\(date.weekday.shortName) \(time)"
        default: return "\(date.label) \(time)"
        }
    }

    /// How much of a window is over, in eight parts; a part that has begun isn't over.
    private func bar(through window: TimeWindow) -> Cell {
        let length = max(1, window.seconds)
        let parts = Int(8 * Double(window.start.seconds(to: moment.now)) / Double(length))
        return NowText.bars[min(max(parts, 0), 8)]
    }

    /// The bars by the number of parts that are over.
    private static let bars: [Cell] = (0...8).map { over in
        var cell = Cell(String(repeating: "━", count: over), .green)
        cell.attach(String(repeating: "╌", count: 8 - over), .dim)
        return cell
    }
}
