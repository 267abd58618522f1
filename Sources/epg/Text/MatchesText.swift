import EPGCalendar
import EPGModel
import EPGRender

/// Airings that a search found, as a table.
struct MatchesText {
    private let matches: [SearchMatch]
    private let moment: Moment

    init(_ matches: [SearchMatch], moment: Moment) {
        self.matches = matches
        self.moment = moment
    }

    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column(), Table.Column(), Table.Column(), Table.Column(leastWidth: 10),
            Table.Column(leastWidth: 16), Table.Column(alignment: .trailing),
        ])
        for match in matches { table.append(row(of: match)) }
        return table.text(for: terminal)
    }

    private func row(of match: SearchMatch) -> [Cell] {
        let airing = match.airing
        let isOn = airing.window.contains(moment.now)
        let isOver = airing.window.end <= moment.now
        var title = Cell(airing.title, isOver ? .dim : .bold)
        if let subtitle = airing.subtitle { title.append("· \(subtitle)", .dim) }
        let ink: Ink = isOver ? .dim : .plain
        return [
            Cell(isOn ? "▶" : "", .green), Cell(day(of: airing), ink), Cell(moment.zone.rangeLabel(of: airing), ink),
            Cell(match.stationName, ink), title, Cell("#\(airing.id)", .dim),
        ]
    }

    /// `Sat 24 Oct`, with the year where it is another one.
    private func day(of airing: Airing) -> String {
        let date = moment.zone.date(at: airing.window.start)
        return date.year == moment.zone.date(at: moment.now).year ? date.label : "\(date.label) \(date.year)"
    }
}
