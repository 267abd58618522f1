/// A search for the station that a user names.
package enum StationFinder {
    /// The result of a search.
    package enum Found: Hashable, Sendable {
        case one(StationRow)
        /// Several stations have the name; at most ``limit``.
        case several([StationRow])
        /// No station has the identifier or name; those with the nearest names, at most ``limit``.
        case none(nearest: [StationRow])
    }

    /// The maximum number of other stations in a result.
    package static let limit = 5

    /// Returns the station with an identifier, or with a name, ignoring case.
    ///
    /// - Complexity: One index lookup for an identifier, else O(stations).
    package static func find(_ text: String, in guide: some GuideReading) throws -> Found {
        if let found = try guide.station(StationID(text)) { return .one(found) }
        let nearest = try NearestNames(to: text).nearest(limit, among: guide.stations(inRows: 0..<Int.max)) { row in
            [row.station.id.rawValue, row.station.name]
        }
        let wanted = text.lowercased()
        let named = nearest.filter { candidate in
            candidate.station.id.rawValue.lowercased() == wanted || candidate.station.name.lowercased() == wanted
        }
        if named.count == 1, let found = named.first { return .one(found) }
        return named.isEmpty ? .none(nearest: nearest) : .several(named)
    }
}
