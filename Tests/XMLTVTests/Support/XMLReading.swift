/// What a parser made of a document: what it reported, and why it stopped if it did.
struct XMLReading<Fault> {
    var log = XMLLog()
    var fault: Fault?

    var isAccepted: Bool { fault == nil }
}

/// What a parser reports, written one after the other so that two parsers are compared byte by byte.
///
/// Each piece begins with a control character that no XML 1.0 document can hold, so different reports never look alike.
/// Adjacent pieces of text are one.
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

    /// Hands the bytes out for appending.
    mutating func append(_ write: (inout [UInt8]) -> Void) {
        write(&bytes)
    }

    /// Where two logs part, with a little of both around it; `nil` where they are the same.
    static func difference(_ left: XMLLog, _ right: XMLLog) -> String? {
        if left.bytes == right.bytes { return nil }
        var place = 0
        for (one, other) in zip(left.bytes, right.bytes) {
            if one != other { break }
            place += 1
        }
        return "at \(place): \(left.excerpt(around: place)) | \(right.excerpt(around: place))"
    }

    /// Whether two logs are the same as far as the shorter goes, but for blanks.
    static func oneBeginsTheOther(_ left: XMLLog, _ right: XMLLog) -> Bool {
        if left.bytes.starts(with: right.bytes) || right.bytes.starts(with: left.bytes) { return true }
        let (left, right) = (left.bytes.filter { $0 != 0x20 }, right.bytes.filter { $0 != 0x20 })
        return left.starts(with: right) || right.starts(with: left)
    }

    /// Whether two logs differ in nothing but blanks.
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
