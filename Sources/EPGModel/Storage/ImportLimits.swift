/// How much a guide may bring, so that no file exhausts the memory, the disk or the night.
///
/// The defaults are several times what the largest known guides hold. What exceeds a limit is refused as a whole with
/// ``ExceededImportLimit``, and the guide stays as it is.
package struct ImportLimits: Hashable, Sendable {
    /// Programmes that are taken from one guide, and airings that one source may have in the store.
    ///
    /// Programmes outside the stations and days that were asked for don't count.
    package var programmes = 3_000_000
    /// Programmes of one station in one guide. They are put in order together, which takes up to 2 KB for each.
    package var programmesPerStation = 50_000
    /// Stations of one guide, and stations that one source may describe in the store.
    package var stations = 100_000
    /// Bytes that an import may hold at once for what it read: listings, descriptions of stations, and the index of new
    /// contents. Buffers and SQLite's cache come to it, and what the index of the stored contents takes.
    package var memory = 256 << 20

    package init() {}

    /// Findings that are kept of one guide: twice the programmes.
    package var findings: Int { programmes.multipliedReportingOverflow(by: 2).overflow ? .max : programmes * 2 }
}

/// A guide that exceeds one of the ``ImportLimits``.
package struct ExceededImportLimit: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Limit: Hashable, Sendable {
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

    package let limit: Limit
    /// The limit's value.
    package let value: Int

    package init(_ limit: Limit, value: Int) {
        self.limit = limit
        self.value = value
    }

    /// What exceeds which limit.
    package var description: String {
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
    package var key: String {
        switch limit {
        case .programmes, .findings, .storedAirings: "programmes"
        case .programmesPerStation: "programmes-per-station"
        case .stations, .storedStations: "stations"
        case .memory: "memory"
        }
    }
}
