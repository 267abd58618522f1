import XMLTV

/// The result of reading a guide: records with their lines, repairs, and the error, if any.
struct RepairReading: Equatable {
    struct Record: Equatable {
        let kind: XMLTVReader.Record
        let line: Int
        let element: XMLTVElement

        /// `tv`, the identifier of a channel with `#`, the title of a programme, or any other name in brackets.
        var summary: String {
            switch kind {
            case .guide: "tv"
            case .channel: "#\(element[attribute: "id"] ?? "")"
            case .programme: element.child("title")?.text ?? ""
            case .other: "<\(element.name)>"
            case .skipped: ""
            }
        }
    }

    var records: [Record] = []
    var repairs: [XMLRepair] = []
    /// The encoding notes.
    var notes: [EncodingNote] = []
    var fault: XMLError?

    /// The records in short form, separated by spaces.
    var summary: String { records.map(\.summary).joined(separator: " ") }

    /// The lines of the records.
    var lines: [Int] { records.map(\.line) }

    init(
        _ source: some ByteSource, limits: XMLLimits = XMLLimits(), recovery: XMLRecovery = .repair,
        asksForLines: Bool = true
    ) {
        var reader = XMLTVReader(source, limits: limits, recovery: recovery)
        do throws(XMLError) {
            while let kind = try reader.next() {
                let line = asksForLines ? reader.line() : 0
                if kind != .skipped { records.append(Record(kind: kind, line: line, element: reader.element)) }
                repairs += reader.takeRepairs()
            }
        } catch {
            fault = error
        }
        repairs += reader.takeRepairs()
        notes = reader.takeEncodingNotes()
    }

    /// Returns the first difference of two results in short form, or `nil` if they are equal.
    static func difference(_ left: RepairReading, _ right: RepairReading) -> String? {
        if left == right { return nil }
        if left.fault != right.fault { return "\(String(describing: left.fault)) | \(String(describing: right.fault))" }
        if left.summary != right.summary { return "\(left.summary) | \(right.summary)" }
        if left.lines != right.lines { return "\(left.lines) | \(right.lines)" }
        let pair = zip(left.repairs, right.repairs).first { $0 != $1 }
        if let pair { return "\(pair.0) \(pair.0.offset) | \(pair.1) \(pair.1.offset)" }
        return "\(left.repairs.count) | \(right.repairs.count) repairs, or the contents"
    }

    init(_ text: String, limits: XMLLimits = XMLLimits()) {
        self.init(ChunkSource(Array(text.utf8)), limits: limits)
    }

    init(_ bytes: [UInt8], chunk: Int) {
        self.init(ChunkSource(bytes) { chunk })
    }
}

extension XMLRepair {
    /// A short form, such as `3 skipped`: the line, the kind as a word, and the associated name.
    var brief: String {
        let word =
            switch kind {
            case .bareAmpersand: "&"
            case .htmlEntity(let name): "html \(name)"
            case .unknownEntity(let name): "unknown \(name)"
            case .badCharacterReference: "reference"
            case .invalidCharacter(let scalar): "character \(scalar)"
            case .invalidUTF8: "utf8"
            case .cdataEnd: "]]>"
            case .doubleHyphen: "--"
            case .unclosedElement(let name): "<\(name)>"
            case .duplicateAttribute(let name): "twice \(name)"
            case .skippedRecord: "record"
            case .skippedText: "text"
            case .skippedTail: "tail"
            case .badProlog: "prolog"
            case .secondDocument: "document"
            case .missingRoot: "root"
            }
        return "\(line) \(word)"
    }
}
