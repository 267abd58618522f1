package import EPGJSON
import EPGModel
import EPGRender

/// Prints the quality of schedules as a table, with a total if there are several.
struct ScoreTable {
    private var rows: [(name: String, quality: ScheduleQuality)] = []

    mutating func append(_ quality: ScheduleQuality, of name: String) {
        rows.append((name, quality))
    }

    func text(for terminal: Terminal) -> String {
        guard !rows.isEmpty else { return "" }
        let titles = ["whole", "", "cut", "inferred", "empty", "stations", "affected"]
        var table = Table(
            [Table.Column("hours", minimumWidth: 12)] + titles.map { Table.Column($0, alignment: .trailing) })
        for row in rows { table.append(cells(row.name, row.quality)) }
        if rows.count > 1 {
            table.append(cells("total", rows.reduce(into: ScheduleQuality()) { $0 += $1.quality }))
        }
        return table.text(for: terminal)
    }

    private func cells(_ name: String, _ quality: ScheduleQuality) -> [Cell] {
        [
            Cell(name, .bold), Cell(hours(quality.whole)), Cell(quality.wholeShare.map { "\($0)%" } ?? ""),
            Cell(hours(quality.cut)), Cell(hours(quality.inferred)), Cell(hours(quality.empty)),
            Cell(String(quality.stations)), Cell(String(quality.affectedStations)),
        ]
    }

    /// Returns the hours with one digit after the point.
    private func hours(_ seconds: Int64) -> String {
        let tenths = (seconds + 180) / 360
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension ScheduleQuality {
    /// The time shown as published in percent of all time, rounded down; `nil` if there is none.
    fileprivate var wholeShare: Int64? {
        let total = whole + cut + inferred + empty
        return total > 0 ? whole * 100 / total : nil
    }
}

extension ScheduleQuality: JSONObject {
    /// `{"whole", "cut", "inferred", "empty", "stations", "affectedStations"}`, with times in seconds.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("whole", whole)
        json.member("cut", cut)
        json.member("inferred", inferred)
        json.member("empty", empty)
        json.member("stations", stations)
        json.member("affectedStations", affectedStations)
    }
}
