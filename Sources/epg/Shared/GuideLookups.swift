import ArgumentParser
import EPGImport
import EPGModel
import EPGProgram

/// Lookups of what a user names. Each fails with the nearest names, or with the command that lists the names.
extension GuideReading {
    /// Returns the station with the identifier, or the only one with the name, ignoring case.
    ///
    /// - Throws: ``CommandFailure`` with the nearest names if there is no such station, or with the identifiers if the
    ///   name is ambiguous.
    /// - Complexity: One index lookup for an identifier, else O(stations).
    func station(named text: String) throws -> StationRow {
        switch try StationFinder.find(text, in: self) {
        case .one(let found): return found
        case .several(let named):
            let identifiers = named.map { "\($0.station.id.rawValue.prefix(64))" }.joined(separator: ", ")
            let count = named.count < StationFinder.limit ? "\(named.count)" : "several"
            throw CommandFailure(
                .noInput,
                "“\(text.prefix(64))” is the name of \(count) stations: \(identifiers). Use an identifier.")
        case .none(let nearest):
            let names = nearest.map { row in
                let (id, name) = (row.station.id.rawValue.prefix(64), row.station.name.prefix(64))
                return id == name ? "\(id)" : "\(id) (\(name))"
            }
            let advice =
                names.isEmpty
                ? "List the stations with `epg stations`." : "Did you mean \(names.joined(separator: ", "))?"
            throw CommandFailure(.noInput, "There is no station “\(text.prefix(64))”. \(advice)")
        }
    }

    /// Returns the airing with a number.
    func detail(of airing: AiringNumber) throws -> AiringDetail {
        guard let detail = try self.airing(airing.id) else {
            throw CommandFailure(
                .noInput,
                "There is no airing \(airing.id). `epg airings` and `epg search` print the numbers of airings.")
        }
        return detail
    }

    /// Returns a lineup with its matches.
    ///
    /// - Parameter name: `nil` for the only lineup.
    func storedLineup(_ name: String?) throws -> (lineup: Lineup, matches: [ChannelMatch?]) {
        let found = try storedLineups(name)
        guard found.count == 1 else {
            throw CommandFailure(
                .noInput,
                "There are several lineups. Name one with --lineup: \(CommandFailure.list(found.map(\.lineup.name))).")
        }
        return found[0]
    }

    /// Returns a lineup with its matches, or all lineups if `name` is `nil`.
    ///
    /// - Throws: ``CommandFailure`` if there is no such lineup, or none at all.
    func storedLineups(_ name: String?) throws -> [(lineup: Lineup, matches: [ChannelMatch?])] {
        let names = try lineups()
        guard !names.isEmpty else {
            throw CommandFailure(.noInput, "There are no lineups. Import a playlist first: `epg import channels.m3u`.")
        }
        let found = try names.filter { name == nil || $0 == name }.compactMap { try lineup(named: $0) }
        guard !found.isEmpty else {
            throw CommandFailure(
                .noInput, "There is no lineup “\(name?.prefix(64) ?? "")”. Lineups: \(CommandFailure.list(names)).")
        }
        return found
    }
}

extension [Channel] {
    /// Returns the key of the channels with a `tvg-id`, a name or a number.
    func key(ofChannel text: String) throws(CommandFailure) -> String {
        func list(_ channels: [Channel]) -> String {
            var names: [String] = []
            for channel in channels {
                let id = channel.guideID.map { " (\($0.prefix(64)))" } ?? ""
                let name = "\(channel.name.prefix(64))\(id)"
                if !names.contains(name), names.count < 5 { names.append(name) }
            }
            return names.joined(separator: ", ")
        }
        switch ChannelFinder(self).find(text) {
        case .found(let key, _): return key
        case .ambiguous(let several):
            throw CommandFailure(
                .noInput,
                "“\(text.prefix(64))” is ambiguous: \(list(several)). Name one by its tvg-id or full name.")
        case .none(let nearest):
            throw CommandFailure(
                .noInput,
                "There is no channel “\(text.prefix(64))”. "
                    + (nearest.isEmpty
                        ? "List the channels with `epg match --explain`." : "Did you mean \(list(nearest))?"))
        }
    }
}

extension CommandFailure {
    /// At most 20 names.
    fileprivate static func list(_ names: [String]) -> String {
        names.prefix(20).map { String($0.prefix(64)) }.joined(separator: ", ")
    }
}

/// The number of an airing: `812`, or `#812`.
struct AiringNumber: ExpressibleByArgument, Hashable, Sendable {
    let id: AiringID

    init?(argument: String) {
        guard let number = Int64(argument.hasPrefix("#") ? argument.dropFirst() : argument[...]), number > 0 else {
            return nil
        }
        id = AiringID(number)
    }
}
