package import EPGModel
import XMLTV

/// Encoding and decoding of JSON strings, numbers, and instants as bytes, without intermediate `String` values.
package enum JSONText {}

// MARK: - Writing strings

extension JSONText {
    /// Appends a constant key and a colon. The key must not need escaping.
    package static func append(key: StaticString, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { unsafe output.append(contentsOf: $0) }
        output.append(UInt8(ascii: "\""))
        output.append(UInt8(ascii: ":"))
    }

    /// Appends a string in quotation marks.
    ///
    /// In addition to the requirements of RFC 8259 (section 7), this escapes DEL, C1 control characters, U+2028 and
    /// U+2029, bidirectional control characters, and U+FEFF, so that the text is safe in a terminal and in a script.
    /// Everything else is unchanged.
    /// - Complexity: O(bytes).
    package static func append(quoted text: String, to output: inout [UInt8]) {
        var text = text
        text.makeContiguousUTF8()
        append(quoted: text.utf8.span, to: &output)
    }

    /// Appends a string in quotation marks; see ``append(quoted:to:)-(String,_)``.
    ///
    /// - Parameter text: UTF-8. Invalid bytes are copied.
    package static func append(quoted text: Span<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var run = 0
        var index = endOfPlainASCII(text, from: 0)
        while index < text.count {
            let byte = text[index]
            guard !isPlain(byte), let (scalar, length) = escaped(byte, text, at: index) else {
                index &+= 1
                if byte < 0x80 { index = endOfPlainASCII(text, from: index) }
                continue
            }
            output.append(text, from: run, count: index &- run)
            append(escape: scalar, to: &output)
            run = index &+ length
            index = endOfPlainASCII(text, from: run)
        }
        output.append(text, from: run, count: text.count &- run)
        output.append(UInt8(ascii: "\""))
    }

    /// Returns the end of a run of ASCII characters other than control characters, DEL, `"`, and `\`. Checks eight
    /// bytes at a time, then one by one.
    @inline(__always)
    static func endOfPlainASCII(_ text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index &+ 8 <= text.count, ByteScan.json(text.eightBytes(at: index)) == 0 { index &+= 8 }
        while index < text.count, text[index] < 0x80, isPlain(text[index]) { index &+= 1 }
        return index
    }

    /// Returns whether a byte never starts a character that needs escaping: plain ASCII, and bytes of characters of
    /// which none needs it.
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x5C, 0x00...0x1F, 0x7F: false
        // First bytes of U+0080…U+00BF, U+0600…U+063F, U+2000…U+2FFF, U+F000…U+FFFF.
        case 0xC2, 0xD8, 0xE2, 0xEF: false
        default: true
        }
    }

    /// Returns the character at an index and its length in bytes if it needs an escape.
    private static func escaped(_ byte: UInt8, _ text: Span<UInt8>, at index: Int) -> (scalar: UInt32, length: Int)? {
        func next(_ offset: Int) -> UInt8 { index + offset < text.count ? text[index + offset] : 0 }
        switch byte {
        case 0xC2:
            return (0x80...0x9F).contains(next(1)) ? (UInt32(next(1)), 2) : nil
        case 0xD8:
            return next(1) == 0x9C ? (0x61C, 2) : nil
        case 0xE2:
            guard next(1) & 0xC0 == 0x80, next(2) & 0xC0 == 0x80 else { return nil }
            let scalar = 0x2000 | UInt32(next(1) & 0x3F) << 6 | UInt32(next(2) & 0x3F)
            switch scalar {
            case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return (scalar, 3)
            default: return nil
            }
        case 0xEF:
            return next(1) == 0xBB && next(2) == 0xBF ? (0xFEFF, 3) : nil
        default:
            return (UInt32(byte), 1)
        }
    }

    private static func append(escape scalar: UInt32, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch scalar {
        case 0x22, 0x5C: output.append(UInt8(truncatingIfNeeded: scalar))
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            output.append(UInt8(ascii: "u"))
            for shift: UInt32 in [12, 8, 4, 0] {
                let digit = UInt8(truncatingIfNeeded: scalar >> shift & 0xF)
                output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }
}

// MARK: - Writing numbers and instants

extension JSONText {
    /// Appends integers in decimal digits, separated by commas.
    ///
    /// - Parameters:
    ///   - count: The number of integers.
    ///   - value: Returns the integer at an index below `count`. Called from the last one to the first.
    package static func append(decimals count: Int, _ value: (Int) -> Int64, to output: inout [UInt8]) {
        // A sign, 19 digits (20 without a sign), and a comma.
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count * 21) { buffer in
            // From end to start, in the order in which digits are computed.
            var place = buffer.count
            for index in stride(from: count - 1, through: 0, by: -1) {
                let number = value(index)
                var rest = number.magnitude
                repeat {
                    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                    place -= 1
                    unsafe buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                    rest = quotient
                } while rest > 0
                if number < 0 {
                    place -= 1
                    unsafe buffer[place] = UInt8(ascii: "-")
                }
                if index > 0 {
                    place -= 1
                    unsafe buffer[place] = UInt8(ascii: ",")
                }
            }
            unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[place...]))
        }
    }

    /// Appends an instant in quotation marks, in the form of ``EPGModel/Instant/iso8601``.
    package static func append(instant: Instant, to output: inout [UInt8]) {
        let (day, second) = instant.secondsSince1970.quotientAndRemainderFloored(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: day)
        guard (0...9999).contains(date.year) else { return append(quoted: instant.iso8601, to: &output) }
        func appendTwoDigits(_ number: Int64, _ mark: UInt8) {
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
            output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
            output.append(mark)
        }
        output.append(UInt8(ascii: "\""))
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: date.year / 1000))
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: date.year / 100 % 10))
        appendTwoDigits(date.year % 100, UInt8(ascii: "-"))
        appendTwoDigits(Int64(date.month), UInt8(ascii: "-"))
        appendTwoDigits(Int64(date.day), UInt8(ascii: "T"))
        appendTwoDigits(second / 3600, UInt8(ascii: ":"))
        appendTwoDigits(second / 60 % 60, UInt8(ascii: ":"))
        appendTwoDigits(second % 60, UInt8(ascii: "Z"))
        output.append(UInt8(ascii: "\""))
    }
}

// MARK: - Reading strings

extension JSONText {
    /// Decodes a scanned string, given the bytes between its quotation marks.
    static func string(_ bytes: ArraySlice<UInt8>, isEscaped: Bool) -> String {
        guard isEscaped else { return String(decoding: bytes, as: UTF8.self) }
        var rest = bytes
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        while let place = rest.firstIndex(of: UInt8(ascii: "\\")) {
            text += rest[..<place]
            let letter = rest[place + 1]
            rest = rest[(place + 2)...]
            switch letter {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                // Surrogate pairs are two separate escapes.
                var units = [codeUnit(&rest)]
                while rest.starts(with: "\\u".utf8) {
                    rest = rest.dropFirst(2)
                    units.append(codeUnit(&rest))
                }
                text.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
            default: text.append(letter)
            }
        }
        return String(decoding: text + rest, as: UTF8.self)
    }

    /// Removes four hexadecimal digits and returns their value.
    private static func codeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt16 {
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 4 | UInt16($1.hexDigit ?? 0) }
    }
}
