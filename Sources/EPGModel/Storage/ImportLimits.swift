/// How much a guide may bring, so that no file exhausts the memory, the disk or the night.
///
/// The defaults are several times what the largest known guides hold. What exceeds a limit is refused as a whole with
/// ``ExceededImportLimit``, and the guide stays as it is.
public struct ImportLimits: Hashable, Sendable {
    /// Programmes that are taken from one guide, and airings that one source may have in the store.
    ///
    /// Programmes outside the stations and days that were asked for don't count.
    public var programmes = 3_000_000
    /// Programmes of one station in one guide. They are put in order together, which takes up to 2 KB for each.
    public var programmesPerStation = 50_000
    /// Stations of one guide, and stations that one source may describe in the store.
    public var stations = 100_000
    /// Bytes that an import may hold at once for what it read: listings, descriptions of stations, and the index of new
    /// contents. Buffers and SQLite's cache come to it, and what the index of the stored contents takes.
    public var memory = 256 << 20

    public init() {}

    /// Findings that are kept of one guide: twice the programmes.
    public var findings: Int { programmes.multipliedReportingOverflow(by: 2).overflow ? .max : programmes * 2 }
}

/// A guide that exceeds one of the ``ImportLimits``.
public struct ExceededImportLimit: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Limit: Hashable, Sendable {
        /// Programmes in the guide.
        case programmes
        /// Programmes of one station in the guide.
        case programmesPerStation(StationID)
        /// Stations in the guide.
        case stations
        /// Bytes for what was read.
        case memory
        /// Findings about the guide.
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

    /// What exceeds which limit.
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
public struct ImportSafeguard: Sendable {
    /// The share that is usual.
    public static let standardShare = 50

    /// Percent of what stood that must come again, 0…100; 0 compares nothing.
    public let minimumShare: Int
    /// Which stations are compared: those that are no longer taken by choice aren't missed.
    public let takes: @Sendable (StationID) -> Bool

    /// A safeguard; a share outside of 0…100 counts as the nearest of these.
    public init(minimumShare: Int, takes: @escaping @Sendable (StationID) -> Bool = { _ in true }) {
        self.minimumShare = min(max(minimumShare, 0), 100)
        self.takes = takes
    }

    /// Whether a number falls below the share of what stood.
    private func falls(_ found: Int, below stood: Int) -> Bool {
        // Products of airings and percents are far from the largest number.
        found * 100 < stood * minimumShare
    }

    /// Why the new listings may not take the place of what stands; `nil` where they may.
    public func refusal(found: ListingsSize, stood: ListingsSize) -> RefusedImport? {
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
public struct ListingsSize: Hashable, Sendable {
    public var stations: Int
    public var airings: Int

    public init(stations: Int = 0, airings: Int = 0) {
        self.stations = stations
        self.airings = airings
    }
}

/// A guide that was read, and not taken because of what it would have taken away; see ``ImportSafeguard``.
public struct RefusedImport: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// No airing is left of so many programmes.
        case empty(programmesRead: Int)
        /// Stations with an airing, in the same range; the share in percent.
        case fewStations(found: Int, stood: Int, share: Int)
        /// Airings in the same range; the share in percent.
        case fewAirings(found: Int, stood: Int, share: Int)
    }

    public let reason: Reason

    public init(_ reason: Reason) {
        self.reason = reason
    }

    /// What was wrong, with both numbers.
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

/// How many airings of a source an import changed, each counted once.
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
    /// What the import changed of its source's airings, by the kinds of the log of changes.
    package var difference: AiringDifference {
        AiringDifference(
            inserted: airingsInserted, removed: airingsRemoved, moved: airingsMoved, changed: airingsChanged)
    }
}
