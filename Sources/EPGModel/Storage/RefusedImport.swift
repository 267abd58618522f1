/// A guide that was read, and not taken because of what it would have taken away; see ``ImportSafeguard``.
package struct RefusedImport: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// No airing is left of so many programmes.
        case empty(programmesRead: Int)
        /// Stations with an airing, in the same range; the share in percent.
        case fewStations(found: Int, stood: Int, share: Int)
        /// Airings in the same range; the share in percent.
        case fewAirings(found: Int, stood: Int, share: Int)
    }

    package let reason: Reason

    package init(_ reason: Reason) {
        self.reason = reason
    }

    /// What was wrong, with both numbers.
    package var description: String {
        switch reason {
        case .empty(0): "the guide holds no programme"
        case .empty(let programmes):
            "of \(programmes) programmes in the guide none can be taken: they are over, or of stations that weren't asked for, or "
                + "have no time that can be read"
        case .fewStations(let found, let stood, let share):
            "the guide has listings of \(found) station\(found == 1 ? "" : "s") where \(stood) stand for the same time, "
                + "less than \(share) %"
        case .fewAirings(let found, let stood, let share):
            "the guide has \(found) airing\(found == 1 ? "" : "s") where \(stood) stand for the same time, less than \(share) %"
        }
    }
}
