import EPGModel
import XMLTV

/// How the records of a guide are read that isn't XMLTV.
extension GuideDecoder {
    /// Elements may be nested as deep as in XMLTV.
    private static let depthLimit = 32

    /// Reads a guide to its end, and hands on what is complete.
    mutating func decode(records reader: inout some GuideRecordReader, into session: any ImportSession) throws {
        while let record = try reader.next() {
            switch record {
            case .header(let attributes):
                report.header = attributes
            case .station(let id, let nodes, let line):
                guard !nodes.isDeeper(than: Self.depthLimit) else {
                    diagnostics.add(
                        Diagnostic(
                            severity: .error, keyword: .notvalid, action: .skipped, line: line, station: id,
                            quote: "nested too deep"))
                    continue
                }
                readStation(id.rawValue.withoutNull, nodes.map(\.withoutNull), line)
            case .airing(let airing):
                let place = read(airing)
                if place != currentStation { try turn(to: place, session) }
            case .unreadable(let diagnostic):
                // Remarks cost nothing.
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

    /// Reads an airing.
    ///
    /// - Returns: The place of its station; that of the last one where it was passed over.
    private mutating func read(_ airing: AiringRecord) -> Int {
        report.programmesRead += 1
        let airing = airing.withoutNull
        identifier = Array(airing.station.rawValue.utf8)
        guard let place = station(airing.line) else { return currentStation }
        guard !stations.isFiltered(place) else {
            report.filtered += 1
            return currentStation
        }
        guard !airing.nodes.isDeeper(than: Self.depthLimit) else {
            skip(.notvalid, airing.line, station: airing.station, quote: "nested too deep")
            return currentStation
        }
        guard let listingTimes = times(of: airing, place), isWanted(listingTimes) else { return currentStation }
        encoder.encode(attributes: times.shifted(airing.transmission))
        let transmission = intern(transmission: encoder.document)
        encoder.encode(airing.nodes)
        list(internEncoded(bytes: nil), transmission, listingTimes, airing.clump, airing.line, at: place)
        return place
    }

    private mutating func times(of airing: AiringRecord, _ place: Int) -> ListingTimes? {
        let start: Instant
        switch airing.start {
        case .instant(let instant): start = times.instant(instant)
        case .text(let text):
            guard let read = readStart(Array(text.utf8).span, airing.line, place) else { return nil }
            start = read
        }
        switch airing.stop {
        case nil: return ListingTimes(start: start, stop: nil)
        case .instant(let instant): return ListingTimes(start: start, stop: times.instant(instant))
        case .text(let text):
            return ListingTimes(start: start, stop: readStop(Array(text.utf8).span, after: start, airing.line, place))
        }
    }
}

// JSON can hold U+0000, unlike XML.

extension ContentNode {
    fileprivate var holdsNull: Bool {
        switch self {
        case .text(let text): text.utf8.contains(0)
        case .element(let element):
            element.name.utf8.contains(0) || element.attributes.contains(where: \.holdsNull)
                || element.children.contains(where: \.holdsNull)
        }
    }

    fileprivate var withoutNull: ContentNode {
        switch self {
        case .text(let text): return .text(text.withoutNull)
        case .element(var element):
            element.name = element.name.withoutNull
            element.attributes = element.attributes.map(\.withoutNull)
            element.children = element.children.map(\.withoutNull)
            return .element(element)
        }
    }
}

extension ContentAttribute {
    fileprivate var holdsNull: Bool { name.utf8.contains(0) || value.utf8.contains(0) }

    fileprivate var withoutNull: ContentAttribute {
        ContentAttribute(name: name.withoutNull, value: value.withoutNull)
    }
}

extension AiringRecord {
    fileprivate var withoutNull: AiringRecord {
        let isUsual =
            !station.rawValue.utf8.contains(0) && !transmission.contains(where: \.holdsNull)
            && !nodes.contains(where: \.holdsNull)
        if isUsual { return self }
        var copy = self
        copy.station = StationID(station.rawValue.withoutNull)
        copy.transmission = transmission.map(\.withoutNull)
        copy.nodes = nodes.map(\.withoutNull)
        return copy
    }
}

extension [ContentNode] {
    /// Whether elements are nested deeper than a limit.
    fileprivate func isDeeper(than limit: Int) -> Bool {
        guard limit >= 0 else { return true }
        return contains { node in
            guard case .element(let element) = node else { return false }
            return element.children.isDeeper(than: limit - 1)
        }
    }
}
