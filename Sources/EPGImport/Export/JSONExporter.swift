import EPGJSON
package import EPGModel

/// A streaming exporter of a stored guide to EPG JSON, one object per line, in constant memory.
///
/// Its content equals the output of ``XMLTVExporter`` without ``ExportOptions/isStrict``, plus the last line, which shows
/// readers that the guide is complete.
package struct JSONExporter: GuideVisitor {
    /// The number of skipped airings: their start is outside the years 0 to 9999, or they are members of a clump whose
    /// window has fewer seconds than members.
    package var omittedCount: Int { pending.omittedCount + unwritable }

    private let times: ExportOptions.Times
    private let sink: ExportSink
    private var bytes: [UInt8] = []
    private var pending: ExportedAirings
    private var unwritable = 0
    private var stations = 0
    private var airings = 0

    /// - Parameter sink: Receives the bytes in pieces of about 64 KiB.
    package init(_ options: ExportOptions = ExportOptions(), to sink: @escaping ExportSink) {
        times = options.times
        pending = ExportedAirings(options.times)
        self.sink = sink
    }

    package mutating func begin(header: [ContentAttribute]) throws {
        GuideJSONWriter.append(header: header, announcesEnd: true, to: &bytes)
    }

    package mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        GuideJSONWriter.append(station: row.station.id, nodes: pending.content(nodes), to: &bytes)
        stations += 1
        try flush(above: 64 << 10)
    }

    package mutating func airing(_ airing: ExportedAiring) throws {
        for airing in pending.append(airing) { try write(airing) }
    }

    private mutating func write(_ airing: ExportedAiring) throws {
        let times = airing.times(times)
        guard times.start.hasFourDigitYear else {
            unwritable += 1
            return
        }
        var stop: AiringRecord.Time?
        if let published = times.stop, published.hasFourDigitYear { stop = .instant(published) }
        let record = AiringRecord(
            station: airing.station, start: .instant(times.start), stop: stop, clump: airing.clump,
            transmission: airing.transmission)
        try GuideJSONWriter.append(record, to: &bytes) { bytes throws(StoredDocument.Damage) in
            if self.times == .published {
                try airing.programme.appendJSON(to: &bytes)
            } else {
                ElementJSON.append(object: pending.content(try airing.programme.nodes()), to: &bytes)
            }
        }
        airings += 1
        try flush(above: 64 << 10)
    }

    package mutating func end() throws {
        for airing in pending.finish() { try write(airing) }
        GuideJSONWriter.append(endAfterStations: stations, airings: airings, to: &bytes)
        try flush(above: 0)
    }

    private mutating func flush(above limit: Int) throws {
        guard bytes.count > limit else { return }
        try sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
