import ArgumentParser
import EPGCalendar
package import EPGJSON
import EPGModel
import EPGProgram
import EPGRender

/// `epg changes`: lists the changes to the guide since a generation or a time.
struct ChangesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "List inserted, removed, moved and changed airings.",
        discussion: """
            The change log covers one week. If it does not go back far enough, the command prints the changes that it \
            has and says that they are incomplete. The log does not include airings that `epg prune` removed because \
            they are over.
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Time or generation to start from (`epg check` prints the current generation).",
            valueName: "time|generation"))
    var since: String

    @Option(help: ArgumentHelp("Identifier or name of the station to list.", valueName: "id"))
    var station: String?

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let (zone, review) = try database.read { guide in
            let moment = Moment(zone: try self.zone.zone(in: guide), now: SystemClock.now)
            let start: GuideChanges.Start =
                if let number = Int64(since), number >= 0 { .generation(Generation(number)) } else {
                    .instant(try moment.instant(since, option: "--since"))
                }
            let row = try station.map { try guide.station(named: $0) }
            guard let changes = try guide.changes(since: start, of: row?.station.id) else {
                throw CommandFailure(
                    .usage, "Generation \(since) is in the future: the guide is at \(try guide.generation()).")
            }
            return (moment.zone, try ChangeReview(changes, in: guide))
        }
        try output.print(review) { ChangesText(review: review, zone: zone).text(for: $0) }
    }
}

// MARK: - JSON

/// The changes to a guide, with station names and titles.
private struct ChangeReview: JSONObject {
    let changes: GuideChanges
    let stations: [StationReview]
    let lineups: [LineupReview]

    init(_ changes: GuideChanges, in guide: some GuideReading) throws {
        self.changes = changes
        stations = try changes.stations.map { try StationReview($0, in: guide) }
        lineups = try guide.lineups().compactMap { name in
            let channels = try guide.channelChanges(ofLineup: name, limit: LineupReview.maximumCount)
                .filter { $0.generation > changes.since }
            return channels.isEmpty ? nil : LineupReview(name: name, channels: channels)
        }
    }

    /// `{"since", "generation", "from", "complete", "stationsChanged", "stations", "lineups"}`: the changes after the generation
    /// `since`, the first of them at `from`. `complete` is false if the log does not go back as far as requested.
    func writeMembers(to json: inout JSONWriter) {
        json.member("since", changes.since.rawValue)
        json.member("generation", changes.generation.rawValue)
        json.member("from", changes.from)
        json.member("complete", changes.isComplete)
        json.member("stationsChanged", changes.changesStations)
        json.member("stations", stations)
        json.member("lineups", lineups.isEmpty ? nil : lineups)
    }
}

/// The channels of a lineup that new versions of its playlist added, removed or renamed, the newest change first.
private struct LineupReview: JSONObject {
    let name: String
    let channels: [LoggedChannelChange]

    /// Maximum number of ``channels``.
    static let maximumCount = 10_000

    /// `{"name", "channels": [{"at", "before", "after"}]}`; `before` is missing for added and `after` for removed channels.
    func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("channels", channels)
    }
}

extension LoggedChannelChange: JSONObject {
    package func writeMembers(to json: inout JSONWriter) {
        json.member("at", at)
        json.member("before", change.before)
        json.member("after", change.after)
    }
}

/// The changes to the schedule of a station, with titles.
private struct StationReview: JSONObject {
    let row: Int
    let station: StationID
    let name: String
    /// In order of start; `nil` if any part of the schedule may have changed.
    let airings: [AiringReview]?

    init(_ changes: StationChanges, in guide: some GuideReading) throws {
        (row, station) = (changes.row, changes.station)
        name = try guide.station(station)?.station.name ?? ""
        airings =
            switch changes.extent {
            case .whole: nil
            case .airings(let airings):
                try airings.map { AiringReview(change: $0, title: try guide.airing($0.id)?.airing.title) }
            }
    }

    /// `{"row", "id", "name", "whole", "airings"}`; without `airings` if any of them may have changed.
    func writeMembers(to json: inout JSONWriter) {
        json.member("row", row)
        json.member("id", station)
        json.member("name", name)
        json.member("whole", airings == nil)
        json.member("airings", airings)
    }
}

/// The change to an airing, with its title.
private struct AiringReview: JSONObject {
    let change: AiringChange
    /// The current title; `nil` for a removed airing.
    let title: String?

    /// `{"id", "kind", "before": {"start", "end"}, "after": {"start", "end"}, "title"}`, without members that are
    /// `nil`.
    func writeMembers(to json: inout JSONWriter) {
        json.member("id", change.id)
        json.member("kind", change.kind.rawValue)
        json.member("before", change.before)
        json.member("after", change.after)
        json.member("title", title)
    }
}

// MARK: - Text

/// Prints the changes to a guide, station by station.
private struct ChangesText {
    let review: ChangeReview
    let zone: Zone

    func text(for terminal: Terminal) -> String {
        var lines = [heading]
        if !review.changes.isComplete {
            lines.append(
                "The change log does not go back that far: changes before generation "
                    + "\(review.changes.since.rawValue + 1) are missing.")
        }
        if review.changes.changesStations {
            lines.append("Stations were added, removed, reordered, or have a new description or number.")
        }
        var text = lines.flatMap { Paragraph.lines(of: $0, columns: terminal.columns) }.map { $0 + "\n" }.joined()
        for lineup in review.lineups {
            text += "\n\(Cell("lineup \(lineup.name)", .bold).text(for: terminal))\n"
            var table = Table([Table.Column(), Table.Column(minimumWidth: 8)], indent: 2)
            for change in lineup.channels.map(\.change) {
                let (kind, style): (String, PrintStyle) =
                    change.before == nil
                    ? ("added", .green) : change.after == nil ? ("removed", .red) : ("renamed", .yellow)
                let names = [change.before, change.after].compactMap(\.self).joined(separator: " → ")
                table.append([Cell(kind, style), Cell(names)])
            }
            text += table.text(for: terminal)
        }
        for station in review.stations {
            var name = Cell(station.name, .bold)
            if station.name != station.station.rawValue { name.append(station.station.rawValue, .dim) }
            text += "\n\(name.text(for: terminal))\n" + self.text(of: station, terminal: terminal)
        }
        return text
    }

    private var heading: String {
        guard review.changes.since != review.changes.generation else {
            return "No changes: the guide is at generation \(review.changes.generation)."
        }
        let start = review.changes.from.map { ", since \(zone.fullLabel(at: $0))" } ?? ""
        let range = "from generation \(review.changes.since) to \(review.changes.generation)\(start)"
        return review.stations.isEmpty ? "No airing changed \(range)." : "Changes \(range):"
    }

    private func text(of station: StationReview, terminal: Terminal) -> String {
        guard let airings = station.airings else { return "  any part of the schedule may have changed\n" }
        var table = Table([Table.Column(), Table.Column(), Table.Column(minimumWidth: 8)], indent: 2)
        for airing in airings {
            let change = airing.change
            let windows = [change.before, change.after].compactMap { $0 }
            var times = Cell()
            // Print the window once if it is unchanged.
            for (index, window) in (windows.first == windows.last ? Array(windows.prefix(1)) : windows).enumerated() {
                if index > 0 { times.append("→") }
                times.append(label(window, after: index > 0 ? windows.first : nil))
            }
            let title = airing.title.map { $0.isEmpty ? Airing.untitled : $0 } ?? ""
            table.append([Cell(change.kind.rawValue, change.kind.style), times, Cell(title)])
        }
        return table.text(for: terminal)
    }

    /// `Sat 24 Oct 2026 20:00–21:00`, without the day if it is the day of `other`.
    private func label(_ window: TimeWindow, after other: TimeWindow?) -> String {
        let range = GuideClock(zone: zone).range(window)
        let date = zone.date(at: window.start)
        return date == other.map({ zone.date(at: $0.start) }) ? range : "\(zone.dayLabel(at: window.start)) \(range)"
    }
}

extension AiringChange.Kind {
    fileprivate var style: PrintStyle {
        switch self {
        case .inserted: .green
        case .removed: .red
        case .moved, .changed: .yellow
        }
    }
}
