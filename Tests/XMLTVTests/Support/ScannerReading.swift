import XMLTV

/// Reads documents with the scanner and records everything that it reports.
enum ScannerReading {
    static func read(
        _ source: some ByteSource, limits: XMLLimits = XMLLimits()
    ) -> (reading: XMLReading<XMLError>, encoding: String?) {
        var scanner = XMLScanner(source, limits: limits, reportsEverything: true)
        var reading = XMLReading<XMLError>()
        do throws(XMLError) {
            while try scanner.next() != nil { write(scanner, to: &reading.log) }
            // Text after the root belongs to no piece.
            write(scanner, to: &reading.log)
        } catch {
            reading.fault = error
        }
        return (reading, scanner.encoding)
    }

    static func read(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) -> XMLReading<XMLError> {
        read(ChunkSource(bytes), limits: limits).reading
    }

    static func read(_ text: String, limits: XMLLimits = XMLLimits()) -> XMLReading<XMLError> {
        read(Array(text.utf8), limits: limits)
    }

    private static func write(_ scanner: borrowing XMLScanner, to log: inout XMLLog) {
        for index in 0..<scanner.tokenCount {
            let token = scanner.token(index)
            switch token.kind {
            case .start:
                log.begin(.start)
                log.append { scanner.appendName(of: token, to: &$0) }
            case .attribute:
                log.begin(.attribute)
                log.append { scanner.appendName(of: token, to: &$0) }
                log.begin(.value)
                log.append { scanner.append(token, to: &$0, keepsForeign: false) }
            case .text, .cdata:
                log.begin(.text)
                log.append { scanner.append(token, to: &$0) }
            case .end:
                log.begin(.end)
            case .comment:
                log.begin(.comment)
                log.append { scanner.append(token, to: &$0) }
            case .processingInstruction:
                log.begin(.instruction)
                log.append { scanner.appendName(of: token, to: &$0) }
                log.begin(.content)
                log.append { scanner.append(token, to: &$0) }
            case .skippedEntity:
                log.begin(.skippedEntity)
                log.append { scanner.append(token, to: &$0) }
            }
        }
    }
}

/// The result of a parser for a document: its reports, and the error, if any.
struct XMLReading<Fault> {
    var log = XMLLog()
    var fault: Fault?

    var isAccepted: Bool { fault == nil }
}

/// The concatenated reports of a parser, so that two parsers can be compared byte by byte.
///
/// Each report starts with a control character that XML 1.0 excludes, so different reports are never equal. Adjacent
/// text is joined.
struct XMLLog {
    enum Mark: UInt8 {
        case start = 1, attribute, value, end, text, comment, instruction, content, skippedEntity
    }

    private(set) var bytes: [UInt8] = []
    private var isInText = false

    mutating func begin(_ mark: Mark) {
        if mark == .text, isInText { return }
        isInText = mark == .text
        bytes.append(mark.rawValue)
    }

    /// Gives access to the bytes for appending.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        write(&bytes)
    }

    /// Returns the first difference of two logs with some context, or `nil` if they are equal.
    static func difference(_ left: XMLLog, _ right: XMLLog) -> String? {
        if left.bytes == right.bytes { return nil }
        var place = 0
        for (one, other) in zip(left.bytes, right.bytes) {
            if one != other { break }
            place += 1
        }
        return "at \(place): \(left.excerpt(around: place)) | \(right.excerpt(around: place))"
    }

    /// Returns whether one log is a prefix of the other, ignoring white space.
    static func oneBeginsTheOther(_ left: XMLLog, _ right: XMLLog) -> Bool {
        if left.bytes.starts(with: right.bytes) || right.bytes.starts(with: left.bytes) { return true }
        let (left, right) = (left.bytes.filter { $0 != 0x20 }, right.bytes.filter { $0 != 0x20 })
        return left.starts(with: right) || right.starts(with: left)
    }

    /// Returns whether two logs differ only in white space.
    static func differOnlyInBlanks(_ left: XMLLog, _ right: XMLLog) -> Bool {
        left.bytes.filter { $0 != 0x20 } == right.bytes.filter { $0 != 0x20 }
    }

    private func excerpt(around place: Int) -> String {
        let range = max(0, place - 40)..<min(bytes.count, place + 40)
        let shown = bytes[range].map { byte -> UInt8 in
            let letters = Array("?(@=)\"#!:;".utf8)
            return Int(byte) < letters.count ? letters[Int(byte)] : byte
        }
        return String(decoding: shown, as: UTF8.self)
    }
}
