import ArgumentParser
import EPGModel

/// `epg now`: what is on, and what comes next.
struct NowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "now", abstract: "Shows what is on, and what comes next.")

    @OptionGroup var moment: MomentOptions

    @Option(help: ArgumentHelp("Only this station: its identifier or its name.", valueName: "id"))
    var station: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let moment = try moment.moment()
        let answers = try database.read { guide in
            let row = try station.map { try StationQuery($0).find(in: guide).row }
            return try guide.nowAndNext(at: moment.now, inRows: row.map { $0..<$0 + 1 } ?? 0..<Int.max)
        }
        try output.print(answers) { NowText(answers, moment: moment).text(for: $0) }
    }
}
