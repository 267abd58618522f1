import EPGModel
import EPGProgram

/// A station that the user specified.
struct StationQuery: Hashable, Sendable {
    let text: String

    private static let suggestionLimit = 5

    /// - Parameter text: An identifier, or a name (case-insensitive).
    init(_ text: String) {
        self.text = text
    }

    /// Returns the station with the identifier, or the only one with the name.
    ///
    /// - Throws: ``CommandFailure`` with the nearest names if there is no such station, or with the identifiers if the
    ///   name is ambiguous.
    /// - Complexity: One index lookup for an identifier, else O(stations).
    func find(in guide: some GuideReading) throws -> StationRow {
        if let found = try guide.station(StationID(text)) { return found }
        let nearest = try NearestNames(to: text).nearest(
            StationQuery.suggestionLimit, among: guide.stations(inRows: 0..<Int.max)
        ) { row in
            [row.station.id.rawValue, row.station.name]
        }
        let wanted = text.lowercased()
        let named = nearest.filter { candidate in
            candidate.station.id.rawValue.lowercased() == wanted || candidate.station.name.lowercased() == wanted
        }
        if named.count == 1, let found = named.first { return found }
        guard named.isEmpty else {
            let identifiers = named.map { "\($0.station.id.rawValue.prefix(64))" }.joined(separator: ", ")
            // The search for the nearest names returns five at most.
            let count = named.count < StationQuery.suggestionLimit ? "\(named.count)" : "several"
            throw CommandFailure(
                .noInput,
                "“\(text.prefix(64))” is the name of \(count) stations: \(identifiers). Use an identifier.")
        }
        throw CommandFailure(.noInput, "There is no station “\(text.prefix(64))”. " + advice(nearest))
    }

    private func advice(_ nearest: [StationRow]) -> String {
        guard !nearest.isEmpty else { return "List the stations with `epg stations`." }
        let names = nearest.map { row in
            let (id, name) = (row.station.id.rawValue.prefix(64), row.station.name.prefix(64))
            return id == name ? "\(id)" : "\(id) (\(name))"
        }
        return "Did you mean \(names.joined(separator: ", "))?"
    }
}
