import EPGModel
import XMLTV

/// How the records of a guide are read.
extension GuideDecoder {
    mutating func readChannel(_ element: XMLTVElement, _ line: Int) {
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
    mutating func readProgramme(
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
        if let wanted = options.window, !listingTimes.matters(to: wanted, options.policy) {
            report.filtered += 1
            return currentStation
        }
        let transmission = intern(transmission: encoder.document)
        let programme = programme(tokens, index..<max(index, record.upperBound - 1), bytes, base, end)
        stations.append(
            Listing(
                start: listingTimes.start, stop: listingTimes.stop, programme: programme.id,
                transmission: transmission.id,
                contentKey: programme.digest.content.high ^ (transmission.hash?.low ?? 0),
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
    mutating func station(
        _ head: ProgrammeHead, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>, _ base: Int, _ line: Int
    ) -> Int? {
        identifier.removeAll(keepingCapacity: true)
        if let channel = head.channel { XMLDecoding.append(tokens[channel], in: bytes, from: base, to: &identifier) }
        guard !identifier.isEmpty else {
            skip(.unknownid, line, quote: nil)
            return nil
        }
        let index = stations.index(of: identifier, line: line)
        stations.setNamed(index)
        return index
    }

    mutating func readTimes(
        _ head: ProgrammeHead, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>, _ base: Int, _ line: Int, _ place: Int
    ) -> ListingTimes? {
        guard let startIndex = head.start else {
            skip(.badstart, line, station: stations.id(of: place), quote: "")
            return nil
        }
        let startText = bytes.extracting(tokens[startIndex].content(from: base))
        let start: Instant
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(parsing: startText)
            start = times.instant(time)
            if !time.hasZone || time.isAmbiguousZone { reportZone(time, startText, line) }
        } catch {
            skip(
                error.isAboutZone ? .invalidtimezone : .badstart, line, station: stations.id(of: place),
                quote: startText.text)
            return nil
        }
        guard let stopIndex = head.stop else { return ListingTimes(start: start, stop: .missing) }
        let stopText = bytes.extracting(tokens[stopIndex].content(from: base))
        do throws(XMLTVTimeError) {
            let time = try XMLTVTime(parsing: stopText)
            if time.isAmbiguousZone { reportZone(time, stopText, line) }
            return ListingTimes(start: start, stop: .at(times.stop(time, after: start)))
        } catch {
            diagnostics.add(
                Diagnostic(
                    severity: .warning, keyword: error.isAboutZone ? .invalidtimezone : .badstop,
                    action: .inferredStop, line: line, station: stations.id(of: place), quote: stopText.text))
            return ListingTimes(start: start, stop: .missing)
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
    mutating func addToBatch(_ id: Int64, _ digest: ProgrammeDigest) {
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
    mutating func intern(transmission attributes: [UInt8]) -> (id: UInt32, hash: ContentHash?) {
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
