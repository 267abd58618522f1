import EPGJSON
import EPGImport
import EPGModel
import XMLTV

/// Reads the input as a JSON guide: at once, in small pieces, and as several files separated by a zero byte.
///
/// The result must not depend on the pieces, and the records must survive writing and reading.
func fuzzJSONGuide(_ bytes: [UInt8]) {
    let complete = reading([bytes], piece: .max)
    let inPieces = reading([bytes], piece: Int(bytes.last ?? 0) % 13 + 1)
    precondition(complete.records == inPieces.records, "the records depend on the pieces")
    precondition(complete.error == inPieces.error, "the error depends on the pieces")

    var written: [UInt8] = []
    for record in complete.records { append(record, to: &written) }
    if !written.isEmpty {
        let again = reading([written], piece: .max)
        precondition(again.error == nil, "the written guide is unreadable: \(again.error ?? "")")
        let expected = complete.records.compactMap(\.comparable)
        precondition(again.records.compactMap(\.comparable) == expected, "reading the written guide changed records")
    }

    let files = bytes.split(separator: 0, maxSplits: 4, omittingEmptySubsequences: false).map(Array.init)
    if files.count > 1 { _ = reading(files, piece: 7) }
}

private func reading(_ files: [[UInt8]], piece: Int) -> (records: [GuideRecord], error: String?) {
    var reader = GuideJSONReader(
        sources: files.map { bytes in
            var rest = bytes[...]
            let source = ChunkSource {
                defer { rest = rest.dropFirst(piece) }
                return rest.isEmpty ? nil : Array(rest.prefix(piece))
            }
            return ("file", source as any ByteSource)
        }, limits: JSONLimits(recordBytes: 1 << 20))
    var records: [GuideRecord] = []
    do {
        while let record = try reader.next() { records.append(record) }
        return (records, nil)
    } catch {
        return (records, "\(error)")
    }
}

private func append(_ record: GuideRecord, to bytes: inout [UInt8]) {
    switch record {
    case .header(let attributes): GuideJSONWriter.append(header: attributes, to: &bytes)
    case .station(let id, let nodes, _): GuideJSONWriter.append(station: id, nodes: nodes, to: &bytes)
    case .airing(let airing): GuideJSONWriter.append(airing, to: &bytes)
    case .unreadable: break
    }
}

extension GuideRecord {
    /// The record without its line and the mark of a release, in canonical order, with times as text; `nil` for an unreadable record.
    fileprivate var comparable: GuideRecord? {
        switch self {
        case .header: return self
        case .station(let id, let nodes, _): return .station(id, nodes: nodes.canonical, line: 0)
        case .airing(var airing):
            airing.line = 0
            // Only TVmaze says so.
            airing.isRelease = false
            airing.nodes = airing.nodes.canonical
            airing.start = airing.start.asText
            airing.stop = airing.stop?.asText
            return .airing(airing)
        case .unreadable: return nil
        }
    }
}

extension AiringRecord.Time {
    fileprivate var asText: AiringRecord.Time {
        if case .instant(let instant) = self { .text(instant.iso8601) } else { self }
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzJSONGuide(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
