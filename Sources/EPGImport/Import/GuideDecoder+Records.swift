import EPGModel
import XMLTV

/// How the records of a guide are read.
extension GuideDecoder {
    mutating func readChannel(_ element: XMLTVElement, _ line: Int) {
        readStation(element[attribute: "id"] ?? "", element.contentNodes(without: "id"), line)
    }

    /// Takes what a guide says of a station.
    mutating func readStation(_ id: String, _ nodes: [ContentNode], _ line: Int) {
        report.stationsRead += 1
        guard !id.isEmpty else {
            diagnostics.add(Diagnostic(severity: .error, keyword: .invalidid, action: .skipped, line: line))
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

    /// Reads a programme.
    ///
    /// - Parameters:
    ///   - record: The tokens of the record, from its start tag to its end.
    ///   - end: Where its bytes end.
    /// - Returns: The place of its station; that of the last one where it was passed over.
    mutating func readProgramme(
        _ tokenArray: [XMLToken], _ record: Range<Int>, _ window: [UInt8], _ base: Int, end: Int, _ line: Int
    ) throws -> Int {
        report.programmesRead += 1
        let tokens = tokenArray.span
        let bytes = window.span
        var head = ProgrammeHead()
        var index = record.lowerBound + 1
        while index < record.upperBound, tokens[index].kind == .attribute {
            head.take(tokens[index], at: index, bytes, base)
            index += 1
        }
        guard let place = station(head, tokens, bytes, base, line) else { return currentStation }
        guard !stations.isFiltered(place) else {
            report.filtered += 1
            return currentStation
        }
        guard let listingTimes = readTimes(head, tokens, bytes, base, line, place), isWanted(listingTimes) else {
            return currentStation
        }
        let attributes = head.others.map { encoder.attribute(tokens[$0], bytes.extracting(base...)) }
        encoder.encode(attributes: times.shifted(attributes))
        let transmission = intern(transmission: encoder.document)
        let programme = programme(tokens, index..<max(index, record.upperBound - 1), bytes, base, end)
        list(programme, transmission, listingTimes, head.clump, line, at: place)
        return place
    }

    /// Whether a listing may have a part in the days that were asked for; one that hasn't is counted.
    mutating func isWanted(_ times: ListingTimes) -> Bool {
        guard let wanted = options.window, !times.matters(to: wanted, options.policy) else { return true }
        report.filtered += 1
        return false
    }

    /// Adds a listing to its station, and reports what was found in its programme.
    mutating func list(
        _ programme: ProgrammeIndex.Known, _ transmission: (id: UInt32, hash: ContentHash?), _ times: ListingTimes,
        _ clump: Clump?, _ line: Int, at place: Int
    ) {
        stations.append(
            Listing(
                start: times.start, stop: times.stop, programme: programme.id, transmission: transmission.id,
                contentKey: programme.digest.content.high ^ (transmission.hash?.low ?? 0),
                titleKey: programme.digest.titleKey, line: UInt32(clamping: line),
                richness: programme.digest.richness, clump: clump),
            to: place)
        if !programme.digest.findings.isEmpty {
            report(
                programme.digest.findings,
                Diagnostic.Reference(
                    line: line, start: times.start, stop: times.stop, programme: programme.id),
                place)
        }
    }

    /// The place of the station that the programme names; a programme that names none is skipped.
    mutating func station(
        _ head: ProgrammeHead, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>, _ base: Int, _ line: Int
    ) -> Int? {
        identifier.removeAll(keepingCapacity: true)
        if let channel = head.channel { XMLDecoding.append(tokens[channel], in: bytes, from: base, to: &identifier) }
        return station(line)
    }

    /// The place of the station whose identifier was read last; a programme that names none is skipped.
    mutating func station(_ line: Int) -> Int? {
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

    /// What is said of an identifier that is too long.
    private static func longIdentifier(_ count: Int) -> String {
        "an identifier has \(count) bytes; at most \(StationTable.identifierLimit) are read"
    }

    mutating func readTimes(
        _ head: ProgrammeHead, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>, _ base: Int, _ line: Int, _ place: Int
    ) -> ListingTimes? {
        guard let startIndex = head.start else {
            skip(.badstart, line, station: stations.id(of: place), quote: "")
            return nil
        }
        let startText = bytes.extracting(tokens[startIndex].content(from: base))
        guard let start = readStart(startText, line, place) else { return nil }
        guard let stopIndex = head.stop else { return ListingTimes(start: start, stop: nil) }
        let stopText = bytes.extracting(tokens[stopIndex].content(from: base))
        return ListingTimes(start: start, stop: readStop(stopText, after: start, line, place))
    }

    /// The instant of a start; a programme whose start can't be read is skipped.
    mutating func readStart(_ text: Span<UInt8>, _ line: Int, _ place: Int) -> Instant? {
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

    /// The instant of a stop; one that can't be read is as if it were missing.
    mutating func readStop(_ text: Span<UInt8>, after start: Instant, _ line: Int, _ place: Int) -> Instant? {
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

    /// The programme of a record: known by its bytes, else by its content, else new.
    mutating func programme(
        _ tokens: Span<XMLToken>, _ children: Range<Int>, _ bytes: Span<UInt8>, _ base: Int, _ end: Int
    ) -> ProgrammeIndex.Known {
        // From behind the last attribute to the end of the record.
        let before = tokens[children.lowerBound - 1]
        let start =
            before.kind == .attribute
            ? base + Int(before.offset) + Int(before.count) : base + Int(before.nameOffset) + Int(before.nameCount)
        let byteHash = hasher.hash(
            bytes.extracting(start..<end),
            after: ContentHash(high: RecordEncoder.version, low: options.isStrict ? 1 : 0))
        if let known = contents.programmes.programme(readFrom: byteHash) { return known }
        encoder.encode(tokens, children, bytes, from: base)
        return internEncoded(bytes: byteHash)
    }

    /// The programme that was encoded last: known by its content, else new.
    ///
    /// - Parameter byteHash: By which it is found without encoding it; `nil` where it has no bytes of its own.
    mutating func internEncoded(bytes byteHash: ContentHash?) -> ProgrammeIndex.Known {
        let content = encoder.contentHash(hasher)
        let digest = ProgrammeDigest(
            content: content, bytes: byteHash ?? content,
            titleKey: UInt32(
                truncatingIfNeeded: encoder.title.map { hasher.hash(encoder.texts.span.extracting($0)).low } ?? 0),
            richness: UInt16(clamping: encoder.size), findings: encoder.findings)
        let (known, isNew) = contents.programmes.programme(of: digest, orInsert: contents.nextProgramme)
        if isNew {
            contents.nextProgramme += 1
            addToBatch(known.id, digest)
            holdContent(ProgrammeIndex.bytesPerProgramme)
        } else if byteHash != nil {
            // Known by other bytes: from now on by these too.
            holdContent(ContentHash.bytesPerEntry)
        }
        return known
    }

    /// Puts the programme that was encoded into the batch.
    mutating func addToBatch(_ id: Int64, _ digest: ProgrammeDigest) {
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
        row.document = .init(offset: documentStart, count: encoder.document.count)
        batch.programmes.append(row)
    }

    /// The number of some attributes of a transmission, 0 for none.
    mutating func intern(transmission attributes: [UInt8]) -> (id: UInt32, hash: ContentHash?) {
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
