import ArgumentParser
import EPGJSON
import EPGModel
import EPGRender

/// `epg prune`: removes old airings.
struct PruneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Remove airings that stopped at or before a time.",
        discussion: "Removes nothing if that is more than half of all airings, unless --force is given.")

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Remove airings that stopped at or before this time.", valueName: "time"))
    var before: String

    @Flag(help: "Allow removing more than half of all airings.")
    var force = false

    @OptionGroup var zone: ZoneOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: WritableDatabase

    func run() throws {
        let (zone, instant, removed) = try database.change { guide in
            let moment = Moment(zone: try self.zone.zone(in: guide), now: SystemClock.now)
            let instant = try moment.instant(before, option: "--before")
            let removed = try guide.prune(before: instant, now: moment.now, limit: force ? .none : .half)
            if removed > 0 { try guide.refreshSearchIndex() }
            return (moment.zone, instant, removed)
        }
        try output.print { _ in
            "Removed \(Wording.count(removed, "airing")) that stopped by \(zone.fullLabel(at: instant)).\n"
        } members: { json in
            json.member("before", instant)
            json.member("removed", removed)
        }
    }
}
