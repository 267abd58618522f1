/// Limits on the size of a guide, so that no file exhausts the memory, the disk or the time.
///
/// The defaults are several times the size of the largest known guides. ``ExceededImportLimit`` refuses a larger guide as a
/// whole.
public struct ImportLimits: Hashable, Sendable {
    /// Maximum number of imported programmes of one guide, and of airings of one source in the store.
    ///
    /// Programmes outside the selected stations and days don't count.
    public var programmes = 3_000_000
    /// Maximum number of programmes of one station in one guide. Sorting them takes up to 2 KB for each.
    public var programmesPerStation = 50_000
    /// Maximum number of stations of one guide, and of one source in the store.
    public var stations = 100_000
    /// Maximum number of bytes for listings, descriptions of stations, and the index of new contents during an import. Buffers,
    /// SQLite's cache and the index of the stored contents are not included.
    public var memory = 256 << 20

    public init() {}

    /// Maximum number of diagnostics of one guide: twice the programmes.
    public var findings: Int { programmes.multipliedReportingOverflow(by: 2).overflow ? .max : programmes * 2 }
}

/// A guide that exceeds one of the ``ImportLimits``.
public struct ExceededImportLimit: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Limit: Hashable, Sendable {
        case programmes
        case programmesPerStation(StationID)
        case stations
        case memory
        case findings
        /// Airings of the source in the store.
        case storedAirings
        /// Stations of the source in the store.
        case storedStations
    }

    public let limit: Limit
    /// The limit's value.
    public let value: Int

    public init(_ limit: Limit, value: Int) {
        self.limit = limit
        self.value = value
    }

    public var description: String {
        switch limit {
        case .programmes: "the guide has more than \(value) programmes"
        case .programmesPerStation(let station):
            "the guide has more than \(value) programmes of the station “\(String(station.rawValue.prefix(64)))”"
        case .stations: "the guide has more than \(value) stations"
        case .memory: "the import needs more than \(value >> 20) MiB of memory"
        case .findings: "more than \(value) faults were found in the guide"
        case .storedAirings: "the source would have more than \(value) airings"
        case .storedStations: "the source would have more than \(value) stations"
        }
    }

    /// The key of the limit among the settings of imports.
    public var key: String {
        switch limit {
        case .programmes, .findings, .storedAirings: "programmes"
        case .programmesPerStation: "programmes-per-station"
        case .stations, .storedStations: "stations"
        case .memory: "memory"
        }
    }
}

/// The minimum content of an unattended import.
///
/// ``RefusedImport`` refuses new listings, and the guide stays as it is, where
///
/// * they hold no airing, whatever the share is; or
/// * they have fewer stations, or fewer airings, than a share of the stored ones of the same source *in the same range*.
///
/// The range is what the new listings cover, from now on: for their stations, from the start of the first airing to the stop of
/// the last (``NormalisedListings/coverage``); for any other station, from the first start to the last stop of all of them. In
/// it count airings that stop after now, and the stations that have one.
///
/// So these pass: a first import, a guide that moved on by a day, one that reaches less far (what is stored beyond stays), and
/// one of a source whose listings were over anyway. New stations make up for lost ones: only numbers are compared.
public struct ImportSafeguard: Sendable {
    public static let standardShare = 50

    /// Percent of the stored stations and airings that the new listings need, 0…100; 0 compares nothing.
    public let minimumShare: Int
    /// Which stations are compared: those that the user no longer selects aren't missed.
    public let takes: @Sendable (StationID) -> Bool

    /// - Parameter minimumShare: Clamped to 0…100.
    public init(minimumShare: Int, takes: @escaping @Sendable (StationID) -> Bool = { _ in true }) {
        self.minimumShare = min(max(minimumShare, 0), 100)
        self.takes = takes
    }

    /// Why the new listings may not replace the stored ones; `nil` where they may.
    public func refusal(found: ListingsSize, stood: ListingsSize) -> RefusedImport? {
        if found.stations * 100 < stood.stations * minimumShare {
            RefusedImport(.fewStations(found: found.stations, stood: stood.stations, share: minimumShare))
        } else if found.airings * 100 < stood.airings * minimumShare {
            RefusedImport(.fewAirings(found: found.airings, stood: stood.airings, share: minimumShare))
        } else {
            nil
        }
    }
}

/// The size of listings in a range.
public struct ListingsSize: Hashable, Sendable {
    public var stations: Int
    public var airings: Int

    public init(stations: Int = 0, airings: Int = 0) {
        self.stations = stations
        self.airings = airings
    }
}

/// An import that the ``ImportSafeguard`` refused.
public struct RefusedImport: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// No programme became an airing.
        case empty(programmesRead: Int)
        /// Stations with an airing in the same range; the share in percent.
        case fewStations(found: Int, stood: Int, share: Int)
        case fewAirings(found: Int, stood: Int, share: Int)
    }

    public let reason: Reason

    public init(_ reason: Reason) {
        self.reason = reason
    }

    public var description: String {
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

/// How many airings of a source an import changed, each counted once, by the kinds of the log of changes.
package struct AiringDifference: Hashable, Sendable {
    package var inserted: Int
    package var removed: Int
    package var moved: Int
    package var changed: Int

    package init(inserted: Int = 0, removed: Int = 0, moved: Int = 0, changed: Int = 0) {
        self.inserted = inserted
        self.removed = removed
        self.moved = moved
        self.changed = changed
    }
}

extension ImportOutcome {
    package var difference: AiringDifference {
        AiringDifference(
            inserted: airingsInserted, removed: airingsRemoved, moved: airingsMoved, changed: airingsChanged)
    }
}
