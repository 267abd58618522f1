import ArgumentParser
import EPGCalendar
import EPGModel
import EPGRender

/// `epg now`: shows the current and the next programme of each station.
struct NowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "now", abstract: "Show what is on now and next.")

    @OptionGroup var moment: MomentOptions

    @Option(help: ArgumentHelp("Identifier or name of the station to show.", valueName: "id"))
    var station: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let (moment, entries, hint) = try database.read { guide in
            let moment = try self.moment.moment(in: guide)
            let row = try station.map { try guide.station(named: $0).row }
            let profile = try profile.guide(guide)
            let rows = row.map { [$0..<$0 + 1] } ?? profile?.rows.map { $0..<$0 + 1 } ?? [0..<Int.max]
            let entries = try rows.flatMap { try (profile?.guide ?? guide).nowAndNext(at: moment.now, inRows: $0) }
            let isOver = entries.allSatisfy { $0.now.isEmpty && $0.next == nil }
            return (moment, entries, isOver ? EmptyPeriodHint(span: try guide.guideSpan(), now: moment.now) : nil)
        }
        try output.print(entries) { NowText(entries: entries, moment: moment).text(for: $0) }
        if !output.json { hint?.print(in: moment.zone, option: "--at") }
    }
}

// MARK: - Text

/// Prints the current and the next programme of each station as a table.
///
/// ```
/// Sat 24 Oct 2026, 20:30 BST
///
/// Harbour One    Kerbside            ━━━╌╌╌╌╌    30m  21:00 Low Water
/// ```
private struct NowText {
    let entries: [NowAndNext]
    let moment: Moment

    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column(minimumWidth: 10), Table.Column(minimumWidth: 12), Table.Column(),
            Table.Column(alignment: .trailing), Table.Column(minimumWidth: 12),
        ])
        // Many stations share the same start times.
        var times: [Instant: String] = [:]
        for entry in entries { table.append(row(of: entry, times: &times)) }
        let heading = PrintStyle.bold.paint(moment.zone.fullLabel(at: moment.now), usesColors: terminal.usesColors)
        guard !table.isEmpty else { return "\(heading)\n\nThe guide has no stations.\n" }
        return "\(heading)\n\n\(table.text(for: terminal))"
    }

    private func row(of entry: NowAndNext, times: inout [Instant: String]) -> [Cell] {
        var next = Cell()
        if let airing = entry.next {
            let start = airing.window.start
            let label = times[start] ?? time(of: start)
            times[start] = label
            next.append(AiringText(airing).startMark + label, .dim)
            next.append(airing.shownTitle)
        }
        guard let first = entry.now.first else {
            return [Cell(entry.stationName, .bold), Cell("—", .dim), Cell.empty, Cell.empty, next]
        }
        var title = Cell()
        // Airings that share a time slot may be in any order.
        title.append(AiringText(first).startMark + entry.now.map(\.shownTitle).joined(separator: " / "))
        if let subtitle = AiringText(first).subtitle, entry.now.count == 1 { title.append("· \(subtitle)", .dim) }
        return [
            Cell(entry.stationName, .bold), title, bar(through: first.window),
            Cell(Wording.compactDuration(AiringText(first).minutesLeft(at: moment.now) * 60)), next,
        ]
    }

    /// `21:00`, `Sun 21:00` on another day, or `Sun 1 Nov 21:00` a week away or more.
    private func time(of start: Instant) -> String {
        moment.clock.day(of: start, seenFrom: moment.zone.date(at: moment.now)) + moment.clock.time(start)
    }

    /// A progress bar of eight parts for the elapsed share of a window, rounded down.
    private func bar(through window: TimeWindow) -> Cell {
        let length = max(1, window.seconds)
        let parts = Int(8 * Double(window.start.seconds(to: moment.now)) / Double(length))
        return NowText.bars[min(max(parts, 0), 8)]
    }

    /// The bars by the number of elapsed parts.
    private static let bars: [Cell] = (0...8).map { elapsed in
        var cell = Cell(String(repeating: "━", count: elapsed), .green)
        cell.attach(String(repeating: "╌", count: 8 - elapsed), .dim)
        return cell
    }
}
