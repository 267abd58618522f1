import EPGCalendar
import EPGModel
import EPGRender

/// The schedule of one station, day by day.
struct AiringsText {
    private let schedule: Schedule
    private let station: Station
    private let window: TimeWindow
    private let moment: Moment

    init(_ schedule: Schedule, of station: Station, during window: TimeWindow, moment: Moment) {
        self.schedule = schedule
        self.station = station
        self.window = window
        self.moment = moment
    }

    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column(), Table.Column(), Table.Column(leastWidth: 8), Table.Column(leastWidth: 6),
            Table.Column(alignment: .trailing),
        ])
        var date: CivilDate?
        for segment in schedule.segments(in: window) {
            switch segment {
            case .gap(let gap):
                addDay(of: gap.start, after: &date, to: &table)
                table.append([Cell.empty, Cell(range(of: gap), .dim), Cell("nothing known", .dim)])
            case .airings(let airings):
                for airing in airings {
                    addDay(of: airing.window.start, after: &date, to: &table)
                    table.append(row(of: airing))
                }
            }
        }
        return Cell(station.name, .bold).text(for: terminal) + "\n" + table.text(for: terminal)
    }

    /// A line that names the day, where it is another one than that of the line before.
    private func addDay(of instant: Instant, after previous: inout CivilDate?, to table: inout Table) {
        let date = moment.zone.date(at: instant)
        guard date != previous else { return }
        previous = date
        table.append([])
        table.append([Cell.empty, Cell("\(date.label) \(date.year)", .bold)])
    }

    private func row(of airing: Airing) -> [Cell] {
        let isOn = airing.window.contains(moment.now)
        var title = Cell(airing.title, isOn ? .bold : .plain)
        if let subtitle = airing.subtitle { title.append("· \(subtitle)", .dim) }
        var notes = Cell(airing.episode ?? "", .dim)
        if let clump = airing.clump { notes.append("part \(clump.index + 1) of \(clump.count)", .dim) }
        return [
            Cell(isOn ? "▶" : "", .green), Cell(moment.zone.rangeLabel(of: airing)), title, notes,
            Cell("#\(airing.id)", .dim),
        ]
    }

    private func range(of window: TimeWindow) -> String {
        "\(moment.zone.timeLabel(at: window.start))–\(moment.zone.timeLabel(at: window.end))"
    }
}
