import ArgumentParser
import EPGImport
import EPGJSON
import EPGModel
import EPGProgram
import EPGRender

/// `epg lineup`: lists the channels of playlists, and changes their order, numbers and groups.
struct LineupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lineup", abstract: "List the channels of playlists; change their order, numbers and groups.",
        discussion: "A new import of the playlist keeps the changes.",
        subcommands: [List.self, Set.self, Restore.self])

    /// `epg lineup list`: lists lineups, or the channels of one.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the lineups, or the channels of one.")

        @Argument(help: "Name of the lineup (default: list the lineups).")
        var name: String?

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: DatabaseOptions

        func run() throws {
            guard let name else {
                let lineups = try database.read { guide in
                    try guide.lineups().compactMap { try guide.lineup(named: $0) }.map(LineupReport.init)
                }
                return try output.print(lineups) { LineupReport.table(of: lineups, for: $0) }
            }
            let channels = try database.read { try ListedChannel.all(ofLineup: name, in: $0) }
            try output.print(channels) { ListedChannel.table(of: channels, for: $0) }
        }
    }

    /// `epg lineup set`: changes a channel.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change the place, number or groups of a channel, or hide it.",
            discussion: """
                Prints the channel afterwards. A hidden channel shows no station, and playlists omit it. Moving a channel \
                makes the grid follow the lineup's order instead of channel numbers.
                """)

        @Argument(help: "tvg-id, name or number of the channel.")
        var channel: String

        @Option(help: "Number, such as 7 or 7.1; none for a channel without one.")
        var number: String?

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp("Groups of the channel; none for a channel without groups.", valueName: "group"))
        var groups: [String] = []

        @Option(help: ArgumentHelp("Place in the lineup, from 1.", valueName: "n"))
        var place: Int?

        @Flag(help: "Hide the channel.")
        var hide = false

        @Flag(help: "Show a hidden channel again.")
        var show = false

        @Option(help: ArgumentHelp("Lineup of the channel (default: the only one).", valueName: "name"))
        var lineup: String?

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func validate() throws {
            if hide && show { throw ValidationError("--hide cannot be used with --show.") }
            if let place, place < 1 { throw ValidationError("--place must be 1 or more, not \(place).") }
            if let number, number != "none", ChannelNumber(number) == nil {
                throw ValidationError(
                    "--number must be none, or a number such as 7 or 7.1, not “\(number.prefix(40))”.")
            }
            if number == nil, groups.isEmpty, place == nil, !hide, !show {
                throw ValidationError("Nothing to change. Give --number, --groups, --place, --hide or --show.")
            }
        }

        func run() throws {
            let listed = try database.changeLineups { guide in
                var stored = try guide.storedLineup(lineup).lineup
                var index = try Self.index(of: channel, in: stored)
                if let number { stored.channels[index].setNumber(ChannelNumber(number)) }
                if !groups.isEmpty { stored.channels[index].setGroups(groups == ["none"] ? [] : groups) }
                if hide || show { stored.channels[index].setHidden(hide) }
                if let place {
                    let target = min(place, stored.channels.count) - 1
                    _ = stored.move(index, to: target)
                    index = target
                }
                _ = try guide.saveLineup(stored, matcher: StationMatcher(), now: SystemClock.now)
                return [try ListedChannel.all(ofLineup: stored.name, in: guide)[index]]
            }
            try output.print(listed) { ListedChannel.table(of: listed, for: $0) }
        }

        private static func index(of text: String, in lineup: Lineup) throws(CommandFailure) -> Int {
            let key = try lineup.channels.key(ofChannel: text)
            var found = lineup.channels.indices.filter { lineup.channels[$0].key == key }
            if found.count != 1 { found = lineup.channels.indices.filter { lineup.channels[$0].name == text } }
            guard found.count == 1 else {
                throw CommandFailure(
                    .noInput,
                    "“\(text.prefix(64))” is ambiguous in “\(lineup.name.prefix(64))”. Name the channel by its tvg-id or full name."
                )
            }
            return found[0]
        }
    }

    /// `epg lineup restore`: takes back all changes.
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore", abstract: "Restore the order, numbers and groups of the playlist.")

        @Argument(help: "Name of the lineup.")
        var name: String

        @OptionGroup var output: OutputOptions
        @OptionGroup var database: WritableDatabase

        func run() throws {
            let channels = try database.changeLineups { guide in
                var stored = try guide.storedLineup(name).lineup
                stored.removeEdits()
                _ = try guide.saveLineup(stored, matcher: StationMatcher(), now: SystemClock.now)
                return try ListedChannel.all(ofLineup: name, in: guide)
            }
            try output.print(channels) { ListedChannel.table(of: channels, for: $0) }
        }
    }
}

/// A lineup in a list.
private struct LineupReport: JSONObject {
    private let lineup: Lineup
    private let matched: Int

    init(_ stored: (lineup: Lineup, matches: [ChannelMatch?])) {
        lineup = stored.lineup
        matched = stored.matches.count { $0 != nil }
    }

    private var hidden: Int { lineup.channels.count(where: \.isHidden) }
    private var edited: Int { lineup.channels.count(where: \.isEdited) }

    /// `{"name", "channels", "matched", "hidden", "changed", "ordered"}`: `changed` counts the channels with another number or
    /// other groups, and those that are hidden; `ordered` is whether you changed the order.
    func writeMembers(to json: inout JSONWriter) {
        json.member("name", lineup.name)
        json.member("channels", lineup.channels.count)
        json.member("matched", matched)
        json.member("hidden", hidden)
        json.member("changed", edited)
        json.member("ordered", lineup.isReordered)
    }

    static func table(of reports: [LineupReport], for terminal: Terminal) -> String {
        var table = Table([
            Table.Column("lineup", minimumWidth: 12), Table.Column("channels", alignment: .trailing),
            Table.Column("with a station", alignment: .trailing), Table.Column("hidden", alignment: .trailing),
            Table.Column("changed", alignment: .trailing), Table.Column("order"),
        ])
        for report in reports {
            table.append([
                Cell(report.lineup.name, .bold), Cell(String(report.lineup.channels.count)),
                Cell(String(report.matched)), Cell(String(report.hidden)), Cell(String(report.edited)),
                Cell(report.lineup.isReordered ? "yours" : "playlist"),
            ])
        }
        return table.isEmpty
            ? "No lineups. Import a playlist with `epg import channels.m3u`.\n" : table.text(for: terminal)
    }
}

/// A channel of a lineup in a list.
private struct ListedChannel: JSONObject {
    /// From 0.
    private let place: Int
    private let channel: Channel
    private let station: StationID?

    /// - Throws: ``CommandFailure/Code/noInput`` if there is no such lineup.
    static func all(ofLineup name: String, in guide: any GuideReading) throws -> [ListedChannel] {
        let (lineup, matches) = try guide.storedLineup(name)
        return zip(lineup.channels, matches).enumerated().map {
            ListedChannel(place: $0.offset, channel: $0.element.0, station: $0.element.1?.station)
        }
    }

    /// `{"place", "number", "name", "guideID", "groups", "station", "hidden", "changed"}`, without members that are `nil`; places
    /// count from 1.
    func writeMembers(to json: inout JSONWriter) {
        json.member("place", place + 1)
        json.member("number", channel.number?.description)
        json.member("name", channel.name)
        json.member("guideID", channel.guideID)
        json.member("groups", channel.groups)
        json.member("station", station)
        json.member("hidden", channel.isHidden)
        json.member("changed", channel.isEdited)
    }

    static func table(of channels: [ListedChannel], for terminal: Terminal) -> String {
        var table = Table([
            Table.Column("place", alignment: .trailing), Table.Column("number", alignment: .trailing),
            Table.Column("channel", minimumWidth: 12), Table.Column("groups", minimumWidth: 8),
            Table.Column("station", minimumWidth: 12),
        ])
        for listed in channels {
            let channel = listed.channel
            table.append([
                Cell(String(listed.place + 1), .dim), Cell(channel.number?.description ?? ""),
                Cell(channel.name, .bold), Cell(channel.groups.joined(separator: "; ")),
                channel.isHidden ? Cell("hidden", .dim) : Cell(listed.station?.rawValue ?? "", .cyan),
            ])
        }
        return table.text(for: terminal)
    }
}
