import XMLTV

/// Reads the input as a guide, strictly and with repairs, in pieces whose size the first byte determines.
///
/// Reading ends and never traps. The pieces don't affect the result. A well-formed guide yields the same records in
/// both modes, or repairs are reported.
func fuzzXMLTVReader(_ input: [UInt8]) {
    guard let size = input.first.map(Int.init) else { return }
    let bytes = Array(input.dropFirst())
    let strict = Reading(bytes, inPiecesOf: bytes.count, .refuse)
    precondition(strict.repairs.isEmpty, "a strict reader must not repair")
    let complete = Reading(bytes, inPiecesOf: bytes.count, .repair)
    let pieces = Reading(bytes, inPiecesOf: size % 17 + 1, .repair)
    // Repairs contain byte counts, which must not depend on the pieces, even if the encoding changes within a record.
    precondition(complete.records == pieces.records, "the records depend on the pieces")
    precondition(complete.repairs == pieces.repairs, "the repairs depend on the pieces")
    precondition(complete.fault == pieces.fault, "the fault depends on the pieces")
    if strict.fault == nil, complete.repairs.isEmpty, complete.notes.isEmpty {
        precondition(strict.records == complete.records && complete.fault == nil, "the modes differ")
    }
    for repair in complete.repairs {
        precondition(repair.line > 0 && repair.faultLine >= repair.line && repair.skippedBytes >= 0)
        precondition(!repair.description.isEmpty)
    }
}

/// The result of reading some bytes.
private struct Reading {
    var records: [XMLTVElement] = []
    var lines: [Int] = []
    var repairs: [XMLRepair] = []
    var notes: [EncodingNote] = []
    var fault: XMLError?

    init(_ bytes: [UInt8], inPiecesOf size: Int, _ recovery: XMLRecovery) {
        var rest = bytes[...]
        let source = ChunkSource {
            defer { rest = rest.dropFirst(max(1, size)) }
            return rest.isEmpty ? nil : Array(rest.prefix(max(1, size)))
        }
        var limits = XMLLimits()
        limits.recordBytes = 4096
        limits.textBytes = 1024
        limits.attributeBytes = 256
        limits.attributes = 8
        limits.depth = 8
        limits.nameBytes = 32
        var reader = XMLTVReader(source, limits: limits, recovery: recovery)
        do throws(XMLError) {
            while try reader.next() != nil {
                lines.append(reader.line())
                records.append(reader.element)
                repairs += reader.takeRepairs()
            }
        } catch {
            fault = error
        }
        repairs += reader.takeRepairs()
        notes = reader.takeEncodingNotes()
    }
}

#if FUZZING
    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        fuzzXMLTVReader(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#endif
