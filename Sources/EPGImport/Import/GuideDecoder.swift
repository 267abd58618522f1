import EPGModel
import XMLTV

/// Reads a guide's records: contents that are new go out in batches, listings stay until the end.
struct GuideDecoder {
    private var contents: StoredContents
    private var stations: StationTable
    private var diagnostics = DiagnosticCollector()
    private var report = ImportReport()
    private var encoder = RecordEncoder()
    private var batch = ContentBatch()
    private var identifier: [UInt8] = []
    /// The station of the last programme; -1 before the first.
    private var currentStation = -1
    private var wasOffered: Set<Int> = []
    private let hasher: ContentHasher
    private let times: TimeResolver
    private let options: ImportOptions

    private static let batchBytes = 512 << 10

    init(_ contents: StoredContents, key: ContentHash, _ times: TimeResolver, _ options: ImportOptions) {
        self.contents = contents
        hasher = ContentHasher(key: key)
        stations = StationTable(key: key, patterns: options.stations)
        self.times = times
        self.options = options
    }

    /// Reads a guide to its end, and hands on what is complete.
    mutating func decode(_ source: some ByteSource, into session: any ImportSession) throws {
        var reader = XMLTVReader(source)
        while let record = try reader.next() {
            switch record {
            case .programme:
                let line = reader.line()
                let place = try readProgramme(
                    reader.scanner.tokenArray, reader.firstElement..<reader.scanner.tokenCount,
                    reader.scanner.bytes, reader.scanner.recordStart, end: reader.scanner.recordEnd, line)
                if place != currentStation { try turn(to: place, session) }
                if batch.bytes.count > Self.batchBytes || diagnostics.waiting.count > 4096 { try flush(into: session) }
            case .channel:
                readChannel(reader.element, reader.line())
            case .other:
                diagnostics.addOnce(
                    "other",
                    Diagnostic(
                        severity: .warning, keyword: .notvalid, action: .skipped, line: reader.line(),
                        quote: "<\(reader.element.name)>"))
            case .guide:
                break
            }
        }
        try flush(into: session)
    }

    /// Normalises the listings of each station and hands the schedules over.
    mutating func finish(into session: any ImportSession) throws -> ImportReport {
        let kept = stations.entries.indices.filter { !stations.isFiltered($0) }
        for index in kept {
            let entry = stations.entries[index]
            reportStation(entry)
            if let offered = entry.offered {
                account(offered.airings, offered.repairs, of: entry.station.id)
                try session.settleSchedule(of: entry.station.id)
            } else if !entry.listings.isEmpty {
                let normalised = normalise(stations.takeListings(of: index))
                account(normalised.airings.count, normalised.repairs, of: entry.station.id)
                try session.replaceSchedule(of: entry.station.id, with: normalised)
            }
            if diagnostics.waiting.count > 4096 { try flush(into: session) }
        }
        try session.setStations(kept.map { stations.entries[$0].station })
        if report.programmesRead == 0 {
            diagnostics.add(Diagnostic(severity: .warning, keyword: .noprogrammes, action: .kept, line: 0))
        }
        try flush(into: session)
        report.diagnostics = diagnostics.counts
        return report
    }

    /// The listings of most files stand station by station: when another station comes, what the last one has may be
    /// complete, and is offered to the store. A station that comes again is replaced at the end.
    private mutating func turn(to place: Int, _ session: any ImportSession) throws {
        let last = currentStation
        currentStation = place
        // Short runs are a sign of a file that is sorted by time.
        guard last >= 0, stations.entries[last].listings.count >= 8, stations.entries[last].offered == nil,
            !wasOffered.contains(last)
        else { return }
        wasOffered.insert(last)
        let normalised = normalise(stations.entries[last].listings)
        stations.setOffered(
            .init(airings: normalised.airings.count, repairs: normalised.repairs), at: last)
        try session.offerSchedule(of: stations.entries[last].station.id, normalised)
    }

    private mutating func normalise(_ listings: [Listing]) -> NormalisedListings {
        var normalised = Normaliser(options.policy).normalise(listings)
        if let window = options.window { filter(&normalised, to: window) }
        return normalised
    }

    // MARK: - Records

    private mutating func readChannel(_ element: XMLTVElement, _ line: Int) {
        report.stationsRead += 1
        guard let id = element[attribute: "id"], !id.isEmpty else {
            diagnostics.add(Diagnostic(severity: .error, keyword: .invalidid, action: .skipped, line: line))
            return
        }
        let index = stations.index(of: Array(id.utf8), line: line)
        let station = Station(id: StationID(id), nodes: element.contentNodes(without: "id"))
        if stations.declare(station, at: index) {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: .duplicateid, action: .merged, line: line, station: StationID(id)))
        }
    }

    /// Reads a programme.
    ///
    /// - Parameters:
    ///   - record: The tokens of the record, from its start tag to its end.
    ///   - end: Where its bytes end.
    /// - Returns: The place of its station; that of the last one where it was passed over.
    private mutating func readProgramme(
        _ tokenArray: [XMLToken], _ record: Range<Int>, _ window: [UInt8], _ base: Int, end: Int, _ line: Int
    ) throws -> Int {
        report.programmesRead += 1
        let tokens = tokenArray.span
        let bytes = window.span
        var head = ProgrammeHead()
        var index = record.lowerBound + 1
        encoder.beginAttributes()
        while index < record.upperBound, tokens[index].kind == .attribute {
            head.take(tokens[index], at: index, bytes, base, &encoder)
            index += 1
        }
        guard let place = station(head, tokens, bytes, base, line) else { return currentStation }
        guard !stations.isFiltered(place) else {
            report.filtered += 1
            return currentStation
        }
        guard let listingTimes = readTimes(head, tokens, bytes, base, line, place) else { return currentStation }
        if let wanted = options.window, !listingTimes.mayOverlap(wanted) {
            report.filtered += 1
            return currentStation
        }
        let transmission = intern(transmission: encoder.document)
        let programme = programme(tokens, index..<max(index, record.upperBound - 1), bytes, base, end)
        stations.append(
            Listing(
                start: listingTimes.start, stop: listingTimes.stop, programme: programme.id,
                transmission: transmission.id, contentKey: programme.digest.content.high ^ (transmission.hash?.low ?? 0),
                titleKey: programme.digest.titleKey, line: UInt32(clamping: line),
                richness: programme.digest.richness,
                clump: head.clump),
            to: place)
        if !programme.digest.findings.isEmpty {
            report(
                programme.digest.findings,
                Diagnostic.Reference(
                    line: line, start: listingTimes.start, stop: listingTimes.stop.instant, programme: programme.id),
                place)
        }
        return place
    }

    /// The place of the station that the programme names; a programme that names none is skipped.
    private mutating func station(
        _ head: ProgrammeHead, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>, _ base: Int, _ line: Int
    ) -> Int? {
        identifier.removeAll(keepingCapacity: true)
        if let channel = head.channel { XMLDecoding.append(tokens[channel], in: bytes, from: base, to: &identifier) }
        guard !identifier.isEmpty else {
            skip(.unknownid, line, quote: nil)
            return nil
        }
        return stations.index(of: identifier, line: line)
    }

    private mutating func readTimes(
        _ head: ProgrammeHead, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>, _ base: Int, _ line: Int, _ place: Int
    ) -> ListingTimes? {
        let id = stations.entries[place].station.id
        guard let startIndex = head.start else {
            skip(.badstart, line, station: id, quote: "")
            return nil
        }
        let startText = bytes.extracting(tokens[startIndex].content(from: base))
        let start: Instant
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(parsing: startText)
            start = times.instant(time)
            if !time.hasZone || time.isAmbiguousZone { reportZone(time, startText, line) }
        } catch {
            skip(error.isAboutZone ? .invalidtimezone : .badstart, line, station: id, quote: startText.text)
            return nil
        }
        guard let stopIndex = head.stop else { return ListingTimes(start: start, stop: .missing) }
        let stopText = bytes.extracting(tokens[stopIndex].content(from: base))
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(parsing: stopText)
            return ListingTimes(start: start, stop: .at(times.stop(time, after: start)))
        } catch {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: error.isAboutZone ? .invalidtimezone : .badstop,
                    action: .inferredStop, line: line, station: id, quote: stopText.text))
            return ListingTimes(start: start, stop: .missing)
        }
    }

    // MARK: - Contents

    /// The programme of a record: known by its bytes, else by its content, else new.
    private mutating func programme(
        _ tokens: Span<XMLToken>, _ children: Range<Int>, _ bytes: Span<UInt8>, _ base: Int, _ end: Int
    ) -> ProgrammeIndex.Known {
        // From behind the last attribute to the end of the record.
        let before = tokens[children.lowerBound - 1]
        let start =
            before.kind == .attribute
            ? base + Int(before.offset) + Int(before.count) : base + Int(before.nameOffset) + Int(before.nameCount)
        let byteHash = hasher.hash(
            bytes.extracting(start..<end), after: ContentHash(high: RecordEncoder.version, low: 0))
        if let known = contents.programmes.programme(readFrom: byteHash) { return known }
        encoder.encode(tokens, children, bytes, from: base, hoistsTexts: true)
        let digest = ProgrammeDigest(
            content: hasher.hash(
                encoder.document.span, after: hasher.hash(encoder.texts.span, after: encoder.textPlaces)),
            bytes: byteHash,
            titleKey: UInt32(
                truncatingIfNeeded: encoder.title.map { hasher.hash(encoder.texts.span.extracting($0)).low } ?? 0),
            richness: UInt16(clamping: encoder.texts.count + encoder.document.count), findings: encoder.findings)
        let (known, isNew) = contents.programmes.programme(of: digest, orInsert: contents.nextProgramme)
        if isNew {
            contents.nextProgramme += 1
            addToBatch(known.id, digest)
        }
        return known
    }

    /// Puts the programme that was encoded into the batch.
    private mutating func addToBatch(_ id: Int64, _ digest: ProgrammeDigest) {
        let textStart = batch.bytes.count
        batch.bytes.append(contentsOf: encoder.texts)
        let documentStart = batch.bytes.count
        batch.bytes.append(contentsOf: encoder.document)
        var row = ContentBatch.ProgrammeRow(id: id, digest: digest)
        // A programme without a title has an empty one: the column is never NULL.
        row.title = .init(offset: textStart + (encoder.title?.lowerBound ?? 0), count: encoder.title?.count ?? 0)
        row.subtitle = .init(encoder.subtitle, from: textStart)
        row.description = .init(encoder.description, from: textStart)
        row.category = .init(encoder.category, from: documentStart)
        row.document = .init(offset: documentStart, count: encoder.document.count)
        batch.programmes.append(row)
    }

    /// The number of some attributes of a transmission, 0 for none.
    private mutating func intern(transmission attributes: [UInt8]) -> (id: UInt32, hash: ContentHash?) {
        guard !attributes.isEmpty else { return (0, nil) }
        let hash = hasher.hash(attributes.span)
        let (id, isNew) = contents.transmissions.id(of: hash, orInsert: contents.nextTransmission)
        if isNew {
            contents.nextTransmission += 1
            let start = batch.bytes.count
            batch.bytes.append(contentsOf: attributes)
            batch.transmissions.append(
                .init(id: id, hash: hash, attributes: .init(offset: start, count: attributes.count)))
        }
        return (UInt32(clamping: id), hash)
    }

    private mutating func flush(into session: any ImportSession) throws {
        batch.diagnostics = diagnostics.take()
        guard !batch.isEmpty else { return }
        try session.append(batch)
        batch = ContentBatch()
        batch.bytes.reserveCapacity(Self.batchBytes + (64 << 10))
    }

    // MARK: - Diagnostics

    private mutating func skip(
        _ keyword: Diagnostic.Keyword, _ line: Int, station: StationID? = nil, quote: String?
    ) {
        report.skipped[keyword, default: 0] += 1
        diagnostics.add(
            Diagnostic(
                severity: .error, keyword: keyword, action: .skipped, line: line, station: station, quote: quote))
    }

    private mutating func reportZone(_ time: XMLTVTime, _ content: Span<UInt8>, _ line: Int) {
        if time.isAmbiguousZone {
            let text = content.text
            let name = String(text.drop { !$0.isLetter })
            diagnostics.addOnce(
                "zone \(name)",
                Diagnostic(severity: .warning, keyword: .invalidtimezone, action: .kept, line: line, quote: text))
        } else {
            diagnostics.addOnce(
                "no zone",
                Diagnostic(
                    severity: .note, keyword: .missingtimezone, action: .kept, line: line, quote: content.text))
        }
    }

    private mutating func report(
        _ findings: ProgrammeDigest.Findings, _ reference: Diagnostic.Reference, _ place: Int
    ) {
        let keywords: [(ProgrammeDigest.Findings, Diagnostic.Keyword)] = [
            (.emptyTitle, .emptytitle), (.emptyDescription, .emptydescription), (.badEpisode, .badepisode),
            (.foreignEntity, .badentity),
        ]
        for (finding, keyword) in keywords where findings.contains(finding) {
            diagnostics.add(
                Diagnostic(
                    severity: .note, keyword: keyword, action: .kept, line: reference.line,
                    station: stations.entries[place].station.id, listing: reference))
        }
    }

    private mutating func reportStation(_ entry: StationTable.Entry) {
        if !entry.isDeclared {
            diagnostics.add(
                Diagnostic(
                    severity: .note, keyword: .unknownid, action: .createdStation, line: entry.firstLine,
                    station: entry.station.id))
        } else if entry.listings.isEmpty {
            diagnostics.add(
                Diagnostic(
                    severity: .note, keyword: .channelnoprogramme, action: .kept, line: entry.firstLine,
                    station: entry.station.id))
        }
    }

    private mutating func account(_ airings: Int, _ repairs: [Repair], of station: StationID) {
        report.airingsStored += airings
        for repair in repairs {
            switch repair.action {
            case .merged: report.merged += 1
            case .dropped: report.dropped[repair.keyword, default: 0] += 1
            default: break
            }
            diagnostics.add(repair.diagnostic(for: station))
        }
    }

    /// Takes away what turned out to lie outside the days that were asked for.
    private mutating func filter(_ normalised: inout NormalisedListings, to window: TimeWindow) {
        let before = normalised.airings.count
        normalised.airings.removeAll { !$0.window.overlaps(window) }
        report.filtered += before - normalised.airings.count
        guard let coverage = normalised.coverage, let first = normalised.airings.first else {
            normalised.coverage = nil
            return
        }
        let start = max(coverage.start, first.window.start)
        normalised.coverage = TimeWindow(start: start, end: max(start.advanced(by: 1), coverage.end))
    }
}

extension XMLTVTimeError {
    /// Whether the time itself could be read.
    fileprivate var isAboutZone: Bool { self == .unknownZone || self == .badOffset }
}

extension XMLToken {
    /// Where the content stands.
    fileprivate func content(from base: Int) -> Range<Int> {
        base + Int(offset)..<base + Int(offset) + Int(count)
    }
}

extension ContentBatch.Field {
    /// A range of a buffer that was put into the batch at an offset.
    fileprivate init(_ range: Range<Int>?, from start: Int) {
        guard let range else {
            self = .absent
            return
        }
        self.init(offset: start + range.lowerBound, count: range.count)
    }
}
