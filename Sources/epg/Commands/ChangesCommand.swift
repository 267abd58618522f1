import ArgumentParser
import EPGCalendar
import EPGModel

/// `epg changes`: what became of the guide since a generation or a time.
struct ChangesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "Tells which airings were inserted, removed, moved or changed.",
        discussion: """
            The log of changes reaches back a week. Where it doesn't reach as far as was asked for, what it has is told, \
            and that it isn't all. Airings that epg prune removed because they are long over aren't told.
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What came after it: a time, or a number, which is a generation. epg check tells which one stands.",
            valueName: "time|generation"))
    var since: String

    @Option(help: ArgumentHelp("Only this station: its identifier or its name.", valueName: "id"))
    var station: String?

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let moment = Moment(zone: try zone.zone(), now: SystemClock.now)
        let start: GuideChanges.Start =
            if let number = Int64(since), number >= 0 { .generation(Generation(number)) } else {
                .instant(try moment.instant(since, option: "--since"))
            }
        let review = try database.read { guide in
            let row = try station.map { try StationQuery($0).find(in: guide) }
            guard let changes = try guide.changes(since: start, of: row?.station.id) else {
                throw CommandFailure(
                    .usage, "The guide hasn't come to generation \(since). It is at \(try guide.generation()).")
            }
            return try ChangeReview(changes, in: guide)
        }
        try output.print(review) { ChangesText(review, zone: moment.zone).text(for: $0) }
    }
}
