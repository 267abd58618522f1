/// Limits on the size of a guide, so that no file exhausts the memory, the disk or the time: several times the size of the
/// largest known guides. ``ExceededImportLimit`` refuses a larger guide as a whole.
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
        case storedAirings
        case storedStations
    }

    public let limit: Limit
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
/// ``RefusedImport`` refuses new listings that hold no airing, whatever the share is, or that have fewer stations or fewer
/// airings than a share of the stored ones of the same source *in the same range*. The guide then stays as it is.
///
/// The range is what the new listings cover, from now on: for their stations, from the start of the first airing to the stop of
/// the last (``NormalisedListings/coverage``); for any other station, from the first start to the last stop of all of them. In
/// it count airings that stop after now, and the stations that have one. What is stored beyond the range stays.
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
    public func refusal(
        found: (stations: Int, airings: Int), stored: (stations: Int, airings: Int)
    ) -> RefusedImport? {
        if found.stations * 100 < stored.stations * minimumShare {
            .fewStations(found: found.stations, stored: stored.stations, share: minimumShare)
        } else if found.airings * 100 < stored.airings * minimumShare {
            .fewAirings(found: found.airings, stored: stored.airings, share: minimumShare)
        } else {
            nil
        }
    }
}

/// An import that the ``ImportSafeguard`` refused.
public enum RefusedImport: Error, Hashable, Sendable, CustomStringConvertible {
    /// No programme became an airing.
    case empty(programmesRead: Int)
    /// Stations with an airing in the same range; the share in percent.
    case fewStations(found: Int, stored: Int, share: Int)
    case fewAirings(found: Int, stored: Int, share: Int)

    public var description: String {
        switch self {
        case .empty(0): "the guide holds no programme"
        case .empty(let programmes):
            "of \(programmes) programmes in the guide none can be taken: they are over, or of stations that weren't asked for, or "
                + "have no time that can be read"
        case .fewStations(let found, let stored, let share):
            "the guide has listings of \(found) station\(found == 1 ? "" : "s") where \(stored) stand for the same time, "
                + "less than \(share) %"
        case .fewAirings(let found, let stored, let share):
            "the guide has \(found) airing\(found == 1 ? "" : "s") where \(stored) stand for the same time, less than \(share) %"
        }
    }
}
