import EPGCalendar
import EPGJSON
import EPGModel
import XMLTV

/// The decoder of a guide. It delivers new contents in batches and keeps listings until the end.
struct GuideDecoder {
    private var contents: StoredContents
    private var stations: StationTable
    var diagnostics = DiagnosticCollector()
    private var report = ImportReport()
    private var encoder: RecordEncoder
    private var batch = ContentBatch()
    private var identifier: [UInt8] = []
    /// The descriptions of stations without an identifier, at most two.
    private var unidentified: [(name: String, nodes: [ContentNode])] = []
    /// The memory for new contents in the indexes by content and by bytes, in bytes.
    private var contentBytes = 0
    private var findings = 0
    /// The number of programmes that have no length and share their start with many others.
    private var programmesWithoutTimes = 0
    private var implausibleStarts = ImplausibleStarts()
    private let hasher: ContentHasher
    private let times: TimeResolver
    private let options: ImportOptions
    /// ``ImportOptions/widestWindow``
    private let widestWindow: TimeWindow?

    private static let batchBytes = 512 << 10
    /// Short contents fill a batch with many rows in few bytes.
    private static let batchRows = 4096

    init(_ contents: StoredContents, key: ContentHash, _ times: TimeResolver, _ options: ImportOptions) {
        self.contents = contents
        hasher = ContentHasher(key: key)
        stations = StationTable(
            key: key, patterns: options.stations, programmesPerStation: options.limits.programmesPerStation)
        self.times = times
        self.options = options
        widestWindow = options.widestWindow
        encoder = RecordEncoder(repairsTexts: options.repairsTexts)
    }

    /// Decodes a guide to its end, and delivers complete batches.
    ///
    /// - Throws: ``GuideFileError``, `ExceededImportLimit`, and errors of the session.
    mutating func decode(_ files: [GuideFile], into session: any ImportSession) throws {
        if files.count == 1, let file = files.first, file.format != .json {
            guard file.format != .playlist else { throw GuideFileError(.playlist) }
            return try decode(xml: file, into: session)
        }
        if let other = files.first(where: { $0.format != .json }) { throw GuideFileError(.mixed(file: other.name)) }
        try decode(json: files, into: session)
    }

    /// Normalizes the listings of each station and delivers the schedules.
    mutating func finish(into session: any ImportSession) throws -> ImportReport {
        options.progress?(report.programmesRead)
        // Undeclared stations are created for their airings, not for skipped programmes.
        let kept = stations.indices.filter { index in
            !stations.isFiltered(index) && (stations.isDeclared(index) || stations.hasListings(index))
        }
        for index in kept {
            let id = stations.id(of: index)
            reportStation(index)
            if stations.hasListings(index) {
                // In two steps, because a call on `self` would copy the decoder before its argument changes it.
                let listings = stations.takeListings(of: index)
                let (normalized, result) = normalize(listings, of: id, stationNames: titleKeys(ofStation: index))
                try account(result, of: id, session)
                try session.replaceSchedule(of: id, with: normalized)
            }
        }
        try checkTimes()
        try session.setStations(kept.map { ($0, stations.id(of: $0), stations.nodes(at: $0)) })
        if report.programmesRead == 0 {
            diagnostics.add(Diagnostic(severity: .warning, keyword: .noprogrammes, action: .kept, line: 0))
        }
        if let diagnostic = implausibleStarts.diagnostic { diagnostics.add(diagnostic) }
        try flush(into: session)
        (report.diagnostics, report.samples) = (diagnostics.counts, diagnostics.samples)
        return report
    }

    private func normalize(
        _ listings: [Listing], of station: StationID, stationNames: Set<UInt32>
    ) -> (NormalizedListings, StationTable.Result) {
        var normalized = Normalizer(options.policy).normalize(listings, stationNames: stationNames)
        let removed = normalized.repairs.count { $0.action == .merged || $0.action == .dropped }
        let outside = options.window(of: station).map { normalized.removeAirings(outside: $0) } ?? []
        let shown = normalized.countOfListings
        let result = StationTable.Result(
            airings: shown, filtered: listings.count - removed - shown, withoutTimes: listings.countWithoutTimes,
            repairs: normalized.repairs, outside: outside.map(\.programme))
        // The store needs only the airings.
        normalized.repairs = []
        return (normalized, result)
    }

    /// Counts and reports the results of a station's listings.
    private mutating func account(
        _ result: StationTable.Result, of station: StationID, _ session: any ImportSession
    ) throws {
        report.airingsStored += result.airings
        report.filtered += result.filtered
        programmesWithoutTimes += result.withoutTimes
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

    /// Rejects a guide most of whose programmes have no time of their own (Rules.md, rule 20).
    private mutating func checkTimes() throws {
        let count = report.airingsStored + report.merged + report.filtered + report.dropped.values.reduce(0, +)
        guard programmesWithoutTimes >= 100, 2 * programmesWithoutTimes > count else { return }
        let error = GuideFileError(.withoutTimes(programmesWithoutTimes, of: count))
        guard options.acceptsMissingTimes else { throw error }
        diagnostics.add(
            Diagnostic(severity: .warning, keyword: .badstart, action: .kept, line: 0, quote: error.description))
    }

    /// Returns the keys of titles that are only a name of the station: as written, or in upper or lower case, with or without its
    /// quality.
    private func titleKeys(ofStation index: Int) -> Set<UInt32> {
        var keys: Set<UInt32> = []
        for name in stations.names(of: index) {
            var words = name.split(separator: " ")
            while words.count > 1, NameVocabulary.qualities[words[words.count - 1].lowercased()] != nil {
                words.removeLast()
            }
            for text in [name, words.joined(separator: " ")] {
                for form in [text, text.uppercased(), text.lowercased()] {
                    keys.insert(UInt32(truncatingIfNeeded: hasher.hash(Array(form.utf8).span).low))
                }
            }
        }
        return keys
    }

    private mutating func flushIfFull(into session: any ImportSession) throws {
        // A power of two, whose remainder is cheap.
        if report.programmesRead % 1024 == 0 { options.progress?(report.programmesRead) }
        try checkLimits()
        if batch.texts.count + batch.documents.count > Self.batchBytes || diagnostics.waiting.count > 4096
            || batch.programmes.count + batch.transmissions.count > Self.batchRows
        {
            try flush(into: session)
        }
    }

    /// Checks the limits. `held` is the number of bytes that the reader holds in addition to its record.
    private func checkLimits(heldByReader held: Int = 0) throws(ExceededImportLimit) {
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

    /// Counts new content toward the memory limit.
    private mutating func holdContent(_ bytes: Int) { contentBytes += bytes }

    private mutating func flush(into session: any ImportSession) throws {
        batch.diagnostics = diagnostics.drain()
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

/// Decoding of files.
extension GuideDecoder {
    /// Decodes XMLTV.
    private mutating func decode(xml file: GuideFile, into session: any ImportSession) throws {
        do {
            try decode(xml: file.bytes, into: session)
        } catch let error as XMLError {
            guard error.isTruncated, file.format == .xmltv, options.acceptsTruncation else {
                throw GuideFileError(
                    error, in: file, programmes: report.programmesRead, stations: report.stationsRead,
                    isStrict: options.isStrict)
            }
            try acceptTruncation(line: error.line, session)
        }
    }

    private mutating func decode(xml source: some ByteSource, into session: any ImportSession) throws {
        var reader = XMLTVReader(
            source, recovery: options.isStrict ? .refuse : .repair, encoding: options.encoding)
        do {
            try decode(&reader, into: session)
        } catch {
            // Report the findings before the fault, because the import may accept a truncated file.
            reportRepairs(&reader)
            reportEncoding(&reader)
            throw error
        }
        reportRepairs(&reader)
        reportEncoding(&reader)
        try flush(into: session)
    }

    private mutating func decode(_ reader: inout XMLTVReader, into session: any ImportSession) throws {
        while let record = try reader.next() {
            if reader.hasRepairs { reportRepairs(&reader) }
            switch record {
            case .programme:
                let line = reader.line()
                if options.checksRules { checkRules(reader.element, line) }
                readProgramme(
                    reader.scanner.tokenArray, reader.firstElement..<reader.scanner.tokenCount,
                    reader.scanner.bytes, reader.scanner.recordStart, end: reader.scanner.recordEnd, line)
                try flushIfFull(into: session)
            case .channel:
                let element = reader.element
                if options.checksRules { checkRules(element, reader.line()) }
                readChannel(element, reader.line())
                try flushIfFull(into: session)
            case .other:
                diagnostics.addOnce(
                    "other",
                    Diagnostic(
                        severity: .warning, keyword: .notvalid, action: .skipped, line: reader.line(),
                        quote: "<\(reader.element.name)>"))
            case .skipped: try flushIfFull(into: session)
            case .guide:
                report.header = reader.element.attributes.map { ContentAttribute(name: $0.name, value: $0.value) }
            }
        }
    }

    /// Decodes a guide in JSON, which may be split into several files.
    private mutating func decode(json files: [GuideFile], into session: any ImportSession) throws {
        if let encoding = options.encoding, EncodingNames.canonical(encoding) == nil {
            throw GuideFileError(.xml(XMLError(reason: .unknownEncoding(encoding), line: 1, offset: 0)))
        }
        let texts = files.map { $0.text(encoding: options.encoding, repairs: !options.isStrict) }
        // An error in one of several files must name the file.
        var reader =
            files.count == 1
            ? GuideJSONReader(texts[0])
            : GuideJSONReader(sources: zip(files, texts).map { (name: $0.name, source: $1) })
        reader.acceptsTruncation = options.acceptsTruncation
        reader.isStrict = options.isStrict
        reader.heldLimit = options.limits.memory
        do {
            defer {
                for (file, text) in zip(files, texts) {
                    reportEncoding(text.remarks.drainNotes(), of: files.count == 1 ? nil : file.name)
                }
            }
            try decode(records: &reader, into: session)
        } catch let error as JSONError {
            guard error.isTruncated, options.acceptsTruncation else {
                throw GuideFileError(error, programmes: report.programmesRead)
            }
            try acceptTruncation(line: error.line, session)
        }
    }

    /// Reports encoding notes of a file. `file` names it if there are several.
    private mutating func reportEncoding(_ notes: [EncodingNote], of file: String?) {
        for note in notes {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: .badutf8, action: .kept, line: 0,
                    quote: (file.map { "\($0): " } ?? "") + note.description))
        }
    }

    /// Accepts the intact part of a truncated file.
    private mutating func acceptTruncation(line: Int, _ session: any ImportSession) throws {
        diagnostics.add(
            Diagnostic(severity: .error, keyword: .notwell, action: .skipped, line: line, quote: "truncated"))
        try flush(into: session)
    }
}

/// Decoding of records.
extension GuideDecoder {
    private mutating func readChannel(_ element: XMLTVElement, _ line: Int) {
        readStation(element[attribute: "id"] ?? "", element.contentNodes(without: "id"), line)
    }

    /// Adds a description of a station.
    private mutating func readStation(_ id: String, _ nodes: [ContentNode], _ line: Int) {
        report.stationsRead += 1
        guard !id.isEmpty else {
            diagnostics.add(Diagnostic(severity: .error, keyword: .invalidid, action: .skipped, line: line))
            if unidentified.count < 2 { unidentified.append((Station(id: StationID(""), nodes: nodes).name, nodes)) }
            return
        }
        guard id.utf8.count <= StationTable.identifierLimit else {
            diagnostics.add(
                Diagnostic(
                    severity: .error, keyword: .invalidid, action: .skipped, line: line,
                    quote: Self.longIdentifier(id.utf8.count)))
            return
        }
        let index = stations.index(of: Array(id.utf8), line: line)
        let described = nodes.filter { !$0.lacksContent }
        if described.count < nodes.count {
            diagnostics.add(
                Diagnostic(
                    severity: .note, keyword: .emptyelement, action: .kept, line: line, station: StationID(id)))
        }
        let nodes = options.repairsTexts ? described.map(\.decodingDoubleEncoding) : described
        let (isRepeated, isCut) = stations.declare(nodes, at: index)
        if isCut {
            diagnostics.addOnce(
                "too much of \(index)",
                Diagnostic(
                    severity: .error, keyword: .notvalid, action: .skipped, line: line, station: StationID(id),
                    quote: "more than 10,000 elements of one channel"))
        }
        if isRepeated {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: .duplicateid, action: .merged, line: line, station: StationID(id)))
        }
    }

    /// Decodes a programme.
    ///
    /// - Parameters:
    ///   - record: The tokens of the record, from its start tag to its end.
    ///   - end: The position where its bytes end.
    private mutating func readProgramme(
        _ tokenArray: [XMLToken], _ record: Range<Int>, _ window: [UInt8], _ base: Int, end: Int, _ line: Int
    ) {
        report.programmesRead += 1
        let tokens = tokenArray.span
        let bytes = window.span
        var head = ProgrammeHead()
        var index = record.lowerBound + 1
        while index < record.upperBound, tokens[index].kind == .attribute {
            head.add(tokens[index], at: index, bytes, base)
            index += 1
        }
        guard let place = station(head, tokens, bytes, base, line) else { return }
        guard !stations.isFiltered(place) else {
            report.filtered += 1
            return
        }
        guard let listingTimes = readTimes(head, tokens, bytes, base, line, place), isWanted(listingTimes) else {
            return
        }
        let attributes = head.others.map { encoder.attribute(tokens[$0], bytes.extracting(base...)) }
        encoder.encode(attributes: times.shifted(attributes))
        let transmission = intern(transmission: encoder.document)
        let programme = programme(tokens, index..<max(index, record.upperBound - 1), bytes, base, end)
        list(programme, transmission, listingTimes, head.clump, line, at: place)
    }

    /// Returns whether a listing may affect the requested days. Counts one that doesn't as filtered.
    private mutating func isWanted(_ times: PublishedTimes) -> Bool {
        guard let wanted = widestWindow, !times.canAffect(wanted, options.policy) else { return true }
        report.filtered += 1
        return false
    }

    /// Adds a listing to its station, and reports the findings in its programme.
    private mutating func list(
        _ programme: ProgrammeIndex.Entry, _ transmission: (id: UInt32, hash: ContentHash?), _ times: PublishedTimes,
        _ clump: Clump?, _ line: Int, isRelease: Bool = false, at place: Int
    ) {
        if !ImplausibleStarts.plausible.contains(times.start) { implausibleStarts.add(times.start, line: line) }
        var listing = Listing(
            start: times.start, stop: times.stop, programme: programme.id, transmission: transmission.id,
            contentKey: programme.digest.content.high ^ (transmission.hash?.low ?? 0),
            titleKey: programme.digest.titleKey, episodeKey: programme.digest.episodeKey,
            line: UInt32(clamping: line), richness: programme.digest.richness, clump: clump)
        listing.isRelease = isRelease
        stations.append(listing, to: place)
        if !programme.digest.findings.isEmpty {
            report(
                programme.digest.findings,
                Diagnostic.Reference(
                    line: line, start: times.start, stop: times.stop, programme: programme.id),
                place)
        }
    }

    /// Returns the index of the station that the programme names. Skips a programme that names none.
    private mutating func station(
        _ head: ProgrammeHead, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>, _ base: Int, _ line: Int
    ) -> Int? {
        identifier.removeAll(keepingCapacity: true)
        if let channel = head.channel { XMLDecoding.append(tokens[channel], in: bytes, from: base, to: &identifier) }
        return station(line)
    }

    /// Returns the index of the station whose identifier was read last. Skips a programme that names none.
    private mutating func station(_ line: Int) -> Int? {
        if identifier.isEmpty, unidentified.count == 1 { identifier = identifyStation(line) }
        guard !identifier.isEmpty else {
            skip(.unknownid, line, quote: nil)
            return nil
        }
        guard identifier.count <= StationTable.identifierLimit else {
            skip(.invalidid, line, quote: Self.longIdentifier(identifier.count))
            return nil
        }
        let index = stations.index(of: identifier, line: line)
        stations.setNamed(index)
        return index
    }

    /// Returns the name of the only station without an identifier, which is its identifier for the programmes without one.
    private mutating func identifyStation(_ line: Int) -> [UInt8] {
        let (name, nodes) = unidentified[0]
        let index = stations.index(of: Array(name.utf8), line: line)
        if !name.isEmpty, !stations.isDeclared(index) {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: .invalidid, action: .kept, line: line,
                    quote: "programmes without a channel belong to “\(name)”, the only <channel> without an id"))
            readStation(name, nodes, line)
            report.stationsRead -= 1
        }
        return Array(name.utf8)
    }

    /// Returns the message for an identifier that is too long.
    private static func longIdentifier(_ count: Int) -> String {
        "an identifier has \(count) bytes; the maximum is \(StationTable.identifierLimit)"
    }

    private mutating func readTimes(
        _ head: ProgrammeHead, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>, _ base: Int, _ line: Int, _ place: Int
    ) -> PublishedTimes? {
        guard let startIndex = head.start else {
            skip(.badstart, line, station: stations.id(of: place), quote: "")
            return nil
        }
        let startText = bytes.extracting(tokens[startIndex].content(from: base))
        guard let start = readStart(startText, line, place) else { return nil }
        guard let stopIndex = head.stop else { return PublishedTimes(start: start, stop: nil) }
        let stopText = bytes.extracting(tokens[stopIndex].content(from: base))
        return PublishedTimes(start: start, stop: readStop(stopText, after: start, line, place))
    }

    /// Parses a start time. Skips a programme with an invalid start.
    private mutating func readStart(_ text: Span<UInt8>, _ line: Int, _ place: Int) -> Instant? {
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(parsing: text)
            if !time.hasZone || time.isAmbiguousZone { reportZone(time, text, line) }
            return times.instant(time)
        } catch {
            skip(
                error.isAboutZone ? .invalidtimezone : .badstart, line, station: stations.id(of: place),
                quote: text.text)
            return nil
        }
    }

    /// Parses a stop time. An invalid stop counts as missing.
    private mutating func readStop(_ text: Span<UInt8>, after start: Instant, _ line: Int, _ place: Int) -> Instant? {
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(parsing: text)
            if time.isAmbiguousZone { reportZone(time, text, line) }
            return times.stop(time, after: start)
        } catch {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: error.isAboutZone ? .invalidtimezone : .badstop,
                    action: .inferredStop, line: line, station: stations.id(of: place), quote: text.text))
            return nil
        }
    }

    /// Returns the programme of a record: known by its bytes, known by its content, or new.
    private mutating func programme(
        _ tokens: Span<XMLToken>, _ children: Range<Int>, _ bytes: Span<UInt8>, _ base: Int, _ end: Int
    ) -> ProgrammeIndex.Entry {
        // From after the last attribute to the end of the record.
        let before = tokens[children.lowerBound - 1]
        let start =
            before.kind == .attribute
            ? base + Int(before.offset) + Int(before.count) : base + Int(before.nameOffset) + Int(before.nameCount)
        let byteHash = hasher.hash(
            bytes.extracting(start..<end),
            after: ContentHash(
                high: UInt64(RecordEncoder.version), low: (options.isStrict ? 1 : 0) + (options.repairsTexts ? 0 : 2)))
        if let known = contents.programmes.programme(readFrom: byteHash) { return known }
        encoder.encode(tokens, children, bytes, from: base)
        return internEncoded(bytes: byteHash)
    }

    /// Returns the programme that was encoded last: known by its content, or new.
    ///
    /// - Parameter byteHash: The hash of its bytes, by which a later import finds it without encoding it; `nil` if its
    ///   format has no hash of the bytes.
    private mutating func internEncoded(bytes byteHash: ContentHash?) -> ProgrammeIndex.Entry {
        let content = encoder.contentHash(hasher)
        let digest = ProgrammeDigest(
            content: content, bytes: byteHash ?? content,
            titleKey: encoder.hasTitle ? UInt32(truncatingIfNeeded: textHash(encoder.title) ?? 0) : 0,
            episodeKey: EpisodeKey(
                season: encoder.season, episode: encoder.episode, part: encoder.part,
                subtitle: textHash(encoder.subtitle)),
            richness: encoder.richness, findings: encoder.findings, version: RecordEncoder.version)
        let (known, origin) = contents.programmes.programme(of: digest, orInsert: contents.nextProgramme)
        switch origin {
        case .new:
            contents.nextProgramme += 1
            addToBatch(known.id, digest)
            holdContent(ProgrammeIndex.bytesPerProgramme)
        case .known, .updated:
            if case .updated = origin { batch.digests.append((known.id, digest)) }
            // Known from different bytes: from now on, it is found by these, too.
            if byteHash != nil { holdContent(ContentHash.bytesPerEntry) }
        }
        return known
    }

    /// Returns the hash of a text of the encoder.
    private func textHash(_ range: Range<Int>?) -> UInt64? {
        range.map { hasher.hash(encoder.texts.span.extracting($0)).low }
    }

    /// Adds the encoded programme to the batch.
    private mutating func addToBatch(_ id: Int64, _ digest: ProgrammeDigest) {
        let textStart = batch.texts.count
        batch.texts.append(contentsOf: encoder.texts)
        let documentStart = batch.documents.count
        batch.documents.append(contentsOf: encoder.document)
        var row = ContentBatch.ProgrammeRow(id: id, digest: digest)
        // A programme without a title has an empty one: the column is never NULL.
        row.title = .init(offset: textStart + (encoder.title?.lowerBound ?? 0), count: encoder.title?.count ?? 0)
        row.subtitle = .init(encoder.subtitle, from: textStart)
        row.description = .init(encoder.description, from: textStart)
        row.category = .init(encoder.category, from: textStart)
        row.marks = encoder.marks
        row.genre = encoder.genre
        row.document = .init(offset: documentStart, count: encoder.document.count)
        batch.programmes.append(row)
    }

    /// Returns the number of a transmission's attributes, or 0 if there are none.
    private mutating func intern(transmission attributes: [UInt8]) -> (id: UInt32, hash: ContentHash?) {
        guard !attributes.isEmpty else { return (0, nil) }
        let hash = hasher.hash(attributes.span)
        if let id = contents.transmissions[hash] { return (UInt32(clamping: id), hash) }
        let id = contents.nextTransmission
        contents.transmissions[hash] = id
        contents.nextTransmission += 1
        holdContent(ContentHash.bytesPerEntry)
        let start = batch.documents.count
        batch.documents.append(contentsOf: attributes)
        batch.transmissions.append((id: id, hash: hash, attributes: .init(offset: start, count: attributes.count)))
        return (UInt32(clamping: id), hash)
    }
}

extension ContentNode {
    /// Whether the node is an element that needs content and has none.
    fileprivate var lacksContent: Bool {
        if case .element(let element) = self { element.lacksContent } else { false }
    }
}

extension XMLTVTimeError {
    /// Whether the error concerns the zone only.
    fileprivate var isAboutZone: Bool { self == .unknownZone || self == .badOffset }
}

extension XMLToken {
    /// Returns the range of the content.
    fileprivate func content(from base: Int) -> Range<Int> {
        base + Int(offset)..<base + Int(offset) + Int(count)
    }
}

extension ContentBatch.Field {
    /// Creates a field for a range of a buffer that was appended to the batch at an offset.
    fileprivate init(_ range: Range<Int>?, from start: Int) {
        guard let range else {
            self = .absent
            return
        }
        self.init(offset: start + range.lowerBound, count: range.count)
    }
}

/// Decoding of guides that aren't XMLTV.
extension GuideDecoder {
    /// The maximum nesting depth of elements, as in XMLTV.
    private static let depthLimit = 32

    /// Decodes a guide to its end, and delivers complete batches.
    mutating func decode(records reader: inout some GuideRecordReader, into session: any ImportSession) throws {
        while let record = try reader.next() {
            switch record {
            case .header(let attributes):
                report.header = attributes.map(\.withoutNull)
            case .station(let id, let nodes, let line):
                guard !nodes.isDeeper(than: Self.depthLimit) else {
                    diagnostics.add(
                        Diagnostic(
                            severity: .error, keyword: .notvalid, action: .skipped, line: line, station: id,
                            quote: "nested too deep"))
                    continue
                }
                var (id, nodes) = (id, nodes)
                if id.rawValue.utf8.contains(0) || nodes.contains(where: \.holdsNull) {
                    (id, nodes) = (StationID(id.rawValue.withoutNull), nodes.map(\.withoutNull))
                    reportNull(in: id, line)
                }
                readStation(id.rawValue, nodes, line)
            case .airing(let airing):
                read(airing)
            case .unreadable(let diagnostic):
                // Diagnostics that lose no airing don't count as skipped.
                if diagnostic.action == .skipped {
                    report.programmesRead += 1
                    report.skipped[diagnostic.keyword, default: 0] += 1
                }
                diagnostics.add(diagnostic)
            }
            try flushIfFull(into: session)
            try checkLimits(heldByReader: reader.heldBytes)
        }
        try flush(into: session)
    }

    private mutating func read(_ airing: AiringRecord) {
        report.programmesRead += 1
        var airing = airing
        if airing.holdsNull {
            airing = airing.withoutNull
            reportNull(in: airing.station, airing.line)
        }
        identifier = Array(airing.station.rawValue.utf8)
        guard let place = station(airing.line) else { return }
        guard !stations.isFiltered(place) else {
            report.filtered += 1
            return
        }
        guard !airing.nodes.isDeeper(than: Self.depthLimit) else {
            skip(.notvalid, airing.line, station: airing.station, quote: "nested too deep")
            return
        }
        guard let listingTimes = times(of: airing, place), isWanted(listingTimes) else { return }
        encoder.encode(attributes: times.shifted(airing.transmission))
        let transmission = intern(transmission: encoder.document)
        encoder.encode(airing.nodes)
        list(
            internEncoded(bytes: nil), transmission, listingTimes, airing.clump, airing.line,
            isRelease: airing.isRelease, at: place)
    }

    private mutating func times(of airing: AiringRecord, _ place: Int) -> PublishedTimes? {
        let start: Instant
        switch airing.start {
        case .instant(let instant): start = times.instant(instant)
        case .text(let text):
            guard let read = readStart(Array(text.utf8).span, airing.line, place) else { return nil }
            start = read
        }
        switch airing.stop {
        case nil: return PublishedTimes(start: start, stop: nil)
        case .instant(let instant): return PublishedTimes(start: start, stop: times.instant(instant))
        case .text(let text):
            return PublishedTimes(start: start, stop: readStop(Array(text.utf8).span, after: start, airing.line, place))
        }
    }
}

/// The starts in years in which a guide can't have listings: the clock or the century is wrong.
private struct ImplausibleStarts {
    /// From 1990 to 2099, in UTC.
    static let plausible = Instant(secondsSince1970: 631_152_000)..<Instant(secondsSince1970: 4_102_444_800)

    private var count = 0
    private var line = 0
    private var years: ClosedRange<Int64>?

    mutating func add(_ start: Instant, line: Int) {
        if count == 0 { self.line = line }
        count += 1
        let year = LocalDateTime(secondsSince1970: start.secondsSince1970).date.year
        years = min(years?.lowerBound ?? year, year)...max(years?.upperBound ?? year, year)
    }

    /// The diagnostic for all of them; `nil` if there are none.
    var diagnostic: Diagnostic? {
        years.map { years in
            let span = years.count == 1 ? "in \(years.lowerBound)" : "from \(years.lowerBound) to \(years.upperBound)"
            return Diagnostic(
                severity: .warning, keyword: .badyear, action: .kept, line: line,
                quote: count == 1 ? "a programme starts \(span)" : "\(count) programmes start \(span)")
        }
    }
}

/// Diagnostics of malformed guides and of guides in unexpected encodings.
extension GuideDecoder {
    /// Reports the repairs since the last call: each kind of fault once per record.
    private mutating func reportRepairs(_ reader: inout XMLTVReader) {
        var lastLine = 0
        var seen: Set<String> = []
        for repair in reader.takeRepairs() {
            let finding = RepairFinding(repair.kind)
            if case .skippedRecord = repair.kind {
                reportSkipped(repair)
                continue
            }
            if repair.line != lastLine { seen.removeAll() }
            lastLine = repair.line
            guard seen.insert("\(repair.kind)").inserted else { continue }
            diagnostics.add(
                Diagnostic(
                    severity: finding.severity, keyword: finding.keyword,
                    action: finding.isSkipped ? .skipped : .kept, line: repair.line,
                    quote: "\(repair.kind)" + (repair.quote.isEmpty ? "" : ": “\(repair.quote)”")
                        + (repair.skippedBytes > 0 ? ", \(repair.skippedBytes) bytes" : "")))
        }
    }

    /// Reports the encoding notes since the last call.
    private mutating func reportEncoding(_ reader: inout XMLTVReader) {
        for note in reader.takeEncodingNotes() {
            let isLatin = (note.declared ?? note.used).lowercased().hasPrefix("iso-8859")
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: isLatin ? .badiso8859 : .badutf8, action: .kept, line: 0,
                    quote: note.description))
        }
    }

    /// Reports a skipped record. A skipped programme counts as read.
    private mutating func reportSkipped(_ repair: XMLRepair) {
        if repair.quote.hasPrefix("<programme") {
            report.programmesRead += 1
            report.skipped[.notwell, default: 0] += 1
        } else if repair.quote.hasPrefix("<channel") {
            report.stationsRead += 1
        }
        let place =
            if repair.faultLine != repair.line {
                " (line \(repair.faultLine))"
            } else if repair.line == 1, repair.offset >= XMLError.minimumOffset {
                " (byte \(repair.offset))"
            } else {
                ""
            }
        diagnostics.add(
            Diagnostic(
                severity: .error, keyword: .notwell, action: .skipped, line: repair.line,
                quote: "\(repair.kind)\(place): “\(repair.quote)”, \(repair.skippedBytes) bytes"))
    }
}

/// Diagnostics of records.
extension GuideDecoder {
    private mutating func skip(
        _ keyword: Diagnostic.Keyword, _ line: Int, station: StationID? = nil, quote: String?
    ) {
        report.skipped[keyword, default: 0] += 1
        diagnostics.add(
            Diagnostic(
                severity: .error, keyword: keyword, action: .skipped, line: line, station: station, quote: quote))
    }

    /// Reports that U+FFFD replaced U+0000 in the texts of a station or its airing.
    private mutating func reportNull(in station: StationID, _ line: Int) {
        diagnostics.add(
            Diagnostic(
                severity: .warning, keyword: .notwell, action: .kept, line: line, station: station,
                quote: "U+0000 in a text, replaced by U+FFFD"))
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
        for (finding, keyword) in ProgrammeDigest.Findings.keywords where findings.contains(finding) {
            let isChanged = ProgrammeDigest.Findings.changesOfTexts.contains(finding)
            diagnostics.add(
                Diagnostic(
                    severity: isChanged ? .warning : .note, keyword: keyword, action: isChanged ? .decodedText : .kept,
                    line: reference.line, station: stations.id(of: place), listing: reference))
        }
    }

    private mutating func reportStation(_ index: Int) {
        let isDeclared = stations.isDeclared(index)
        guard !isDeclared || !stations.isNamed(index) else { return }
        diagnostics.add(
            Diagnostic(
                severity: .note, keyword: isDeclared ? .channelnoprogramme : .unknownid,
                action: isDeclared ? .kept : .createdStation, line: stations.firstLine(of: index),
                station: stations.id(of: index)))
    }
}
