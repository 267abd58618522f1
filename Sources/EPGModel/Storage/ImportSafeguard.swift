/// What an import must bring to take the place of what stands: the rule for guides that nobody looks at before.
///
/// An import with a safeguard is refused with ``RefusedImport``, and the guide stays as it is, where
///
/// * the new listings hold no airing, whatever the share is; or
/// * they bring fewer stations, or fewer airings, than a share of what stood of the same source *in the same range*.
///
/// The range is what the new listings cover, from now on. Of a station that they speak of it goes from the start of its
/// first airing to the stop of its last (``NormalisedListings/coverage``), of any other from the first start to the last
/// stop of all of them. In it count airings that stop after now, and the stations that have one.
///
/// So these pass: a first import, a guide that moved on by a day, one that reaches less far (what stands beyond stays),
/// and one of a source whose listings were over anyway. New stations make up for lost ones: it is numbers that are compared.
package struct ImportSafeguard: Sendable {
    /// The share that is usual.
    package static let standardShare = 50

    /// Percent of what stood that must come again, 0…100; 0 compares nothing.
    package let minimumShare: Int
    /// Which stations are compared: those that are no longer taken by choice aren't missed.
    package let takes: @Sendable (StationID) -> Bool

    /// A safeguard; a share outside of 0…100 counts as the nearest of these.
    package init(minimumShare: Int, takes: @escaping @Sendable (StationID) -> Bool = { _ in true }) {
        self.minimumShare = min(max(minimumShare, 0), 100)
        self.takes = takes
    }

    /// Whether a number falls below the share of what stood.
    private func falls(_ found: Int, below stood: Int) -> Bool {
        // Products of airings and percents are far from the largest number.
        found * 100 < stood * minimumShare
    }

    /// Why the new listings may not take the place of what stands; `nil` where they may.
    package func refusal(found: ListingsSize, stood: ListingsSize) -> RefusedImport? {
        if falls(found.stations, below: stood.stations) {
            RefusedImport(.fewStations(found: found.stations, stood: stood.stations, share: minimumShare))
        } else if falls(found.airings, below: stood.airings) {
            RefusedImport(.fewAirings(found: found.airings, stood: stood.airings, share: minimumShare))
        } else {
            nil
        }
    }
}

/// How much listings hold in a range.
package struct ListingsSize: Hashable, Sendable {
    package var stations: Int
    package var airings: Int

    package init(stations: Int = 0, airings: Int = 0) {
        self.stations = stations
        self.airings = airings
    }
}
