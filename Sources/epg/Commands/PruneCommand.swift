import ArgumentParser
import EPGModel
import EPGRender

/// `epg prune`: removes what is long over.
struct PruneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Removes the airings that stopped at or before a time.",
        discussion: "Where those are more than half of all airings, nothing is removed unless you say --force.")

    @Option(parsing: .unconditional, help: ArgumentHelp("The time before which airings go.", valueName: "time"))
    var before: String

    @Flag(help: "Remove them even if they are more than half of all.")
    var force = false

    @Flag(help: "Wait while another process is writing.")
    var wait = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func run() throws {
        let moment = Moment(zone: try zone.zone(), now: SystemClock.now)
        let instant = try moment.instant(before, option: "--before")
        let removed = try database.change(waits: wait) { guide in
            let removed = try guide.prune(before: instant, now: moment.now, limit: force ? .none : .half)
            if removed > 0 { try guide.refreshSearchIndex() }
            return removed
        }
        try output.print(PruneJSON(before: instant, removed: removed)) { _ in
            "\(Wording.count(removed, "airing")) removed that stopped by \(moment.zone.fullLabel(at: instant)).\n"
        }
    }
}
