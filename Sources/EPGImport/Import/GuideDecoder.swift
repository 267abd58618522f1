import EPGModel
import XMLTV

/// Reads a guide's records: contents that are new go out in batches, listings stay until the end.
struct GuideDecoder {
    var contents: StoredContents
    var stations: StationTable
    var diagnostics = DiagnosticCollector()
    var report = ImportReport()
    var encoder = RecordEncoder()
    var batch = ContentBatch()
    var identifier: [UInt8] = []
    /// Bytes that the contents take which are new: in the index by content, and in the one by bytes.
    private var contentBytes = 0
    private var findings = 0
    /// The station of the last programme; -1 before the first.
    var currentStation = -1
    let hasher: ContentHasher
    let times: TimeResolver
    let options: ImportOptions

    private static let batchBytes = 512 << 10
    /// Short contents make a batch that has many rows in few bytes.
    private static let batchRows = 4096

    init(_ contents: StoredContents, key: ContentHash, _ times: TimeResolver, _ options: ImportOptions) {
        self.contents = contents
        hasher = ContentHasher(key: key)
        stations = StationTable(
            key: key, patterns: options.stations, programmesPerStation: options.limits.programmesPerStation)
        self.times = times
        self.options = options
    }

    /// Reads a guide to its end, and hands on what is complete.
    ///
    /// - Throws: ``GuideFileError``, `ExceededImportLimit`, and the errors of the session.
    mutating func decode(_ files: [GuideFile], into session: any ImportSession) throws {
        if files.count == 1, let file = files.first, file.format != .json {
            guard file.format != .playlist else { throw GuideFileError(.playlist) }
            return try decode(xml: file, into: session)
        }
        if let other = files.first(where: { $0.format != .json }) { throw GuideFileError(.mixed(file: other.name)) }
        try decode(json: files, into: session)
    }

    /// Normalises the listings of each station and hands the schedules over.
    mutating func finish(into session: any ImportSession) throws -> ImportReport {
        options.progress?(report.programmesRead)
        // A station that nothing declares is made for its airings, not for what was passed over.
        let kept = stations.indices.filter { index in
            !stations.isFiltered(index) && (stations.isDeclared(index) || stations.hasListings(index))
        }
        for index in kept {
            let id = stations.id(of: index)
            reportStation(index)
            if let offered = stations.takeOffered(of: index) {
                try account(offered, of: id, session)
                try session.settleSchedule(of: id)
            } else if stations.hasListings(index) {
                // In two steps: a call on `self` would copy the whole decoder before its argument changes it.
                let listings = stations.takeListings(of: index)
                let (normalised, result) = normalise(listings)
                try account(result, of: id, session)
                try session.replaceSchedule(of: id, with: normalised)
            }
        }
        try session.setStations(kept.map { ($0, stations.id(of: $0), stations.nodes(at: $0)) })
        if report.programmesRead == 0 {
            diagnostics.add(Diagnostic(severity: .warning, keyword: .noprogrammes, action: .kept, line: 0))
        }
        try flush(into: session)
        report.diagnostics = diagnostics.counts
        return report
    }

    /// The listings of most files stand station by station: when another station comes, what the last one has may be
    /// complete, and is offered to the store. A station that comes again is replaced at the end.
    mutating func turn(to place: Int, _ session: any ImportSession) throws {
        let last = currentStation
        currentStation = place
        guard last >= 0, let listings = stations.listingsToOffer(of: last) else { return }
        let (normalised, result) = normalise(listings)
        stations.setOffered(result, at: last)
        try session.offerSchedule(of: stations.id(of: last), normalised)
    }

    private func normalise(_ listings: [Listing]) -> (NormalisedListings, StationTable.Result) {
        var normalised = Normaliser(options.policy).normalise(listings)
        let outside = options.window.map { normalised.removeAirings(outside: $0) } ?? []
        let result = StationTable.Result(
            airings: normalised.airings.count, repairs: normalised.repairs, outside: outside.map(\.programme))
        // The store needs the airings only.
        normalised.repairs = []
        return (normalised, result)
    }

    /// Counts and reports what became of a station's listings.
    private mutating func account(
        _ result: StationTable.Result, of station: StationID, _ session: any ImportSession
    ) throws {
        report.airingsStored += result.airings
        report.filtered += result.outside.count
        if !result.outside.isEmpty { try session.release(result.outside) }
        for repair in result.repairs {
            switch repair.action {
            case .merged: report.merged += 1
            case .dropped: report.dropped[repair.keyword, default: 0] += 1
            default: break
            }
            diagnostics.add(repair.diagnostic(for: station))
            if diagnostics.waiting.count > 4096 { try flush(into: session) }
        }
    }

    mutating func flushIfFull(into session: any ImportSession) throws {
        // A power of two, whose remainder costs nothing.
        if report.programmesRead % 1024 == 0 { options.progress?(report.programmesRead) }
        try checkLimits()
        if batch.texts.count + batch.documents.count > Self.batchBytes || diagnostics.waiting.count > 4096
            || batch.programmes.count + batch.transmissions.count > Self.batchRows
        {
            try flush(into: session)
        }
    }

    /// Checks what was read so far; `held` are bytes that the reader holds beside its record.
    func checkLimits(heldByReader held: Int = 0) throws(ExceededImportLimit) {
        let limits = options.limits
        if let exceeded = stations.exceeded { throw exceeded }
        if report.programmesRead - report.filtered > limits.programmes {
            throw ExceededImportLimit(.programmes, value: limits.programmes)
        }
        if stations.indices.count > limits.stations { throw ExceededImportLimit(.stations, value: limits.stations) }
        if stations.heldBytes + contentBytes + held > limits.memory {
            throw ExceededImportLimit(.memory, value: limits.memory)
        }
    }

    /// Counts a new content towards the memory.
    mutating func holdContent(_ bytes: Int) { contentBytes += bytes }

    mutating func flush(into session: any ImportSession) throws {
        batch.diagnostics = diagnostics.take()
        findings += batch.diagnostics.count
        if findings > options.limits.findings {
            throw ExceededImportLimit(.findings, value: options.limits.findings)
        }
        guard !batch.isEmpty else { return }
        try session.append(batch)
        let rows = batch.programmes.count
        batch = ContentBatch()
        batch.programmes.reserveCapacity(rows)
        batch.texts.reserveCapacity(Self.batchBytes / 2)
        batch.documents.reserveCapacity(Self.batchBytes)
    }
}
