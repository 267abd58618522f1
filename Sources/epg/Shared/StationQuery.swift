import EPGModel
import EPGProgram

/// A station that the user specified.
struct StationQuery: Hashable, Sendable {
    let text: String

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
        switch try StationFinder.find(text, in: guide) {
        case .one(let found): return found
        case .several(let named):
            let identifiers = named.map { "\($0.station.id.rawValue.prefix(64))" }.joined(separator: ", ")
            let count = named.count < StationFinder.limit ? "\(named.count)" : "several"
            throw CommandFailure(
                .noInput,
                "“\(text.prefix(64))” is the name of \(count) stations: \(identifiers). Use an identifier.")
        case .none(let nearest):
            throw CommandFailure(.noInput, "There is no station “\(text.prefix(64))”. " + advice(nearest))
        }
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
