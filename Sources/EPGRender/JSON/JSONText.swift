import EPGModel

/// The texts and numbers of JSON as bytes, without a `String` on the way: most of what an answer costs is here.
enum JSONText {
    /// Appends a key of ours with its colon; such a key has nothing to escape.
    static func append(key: StaticString, to bytes: inout [UInt8]) {
        key.withUTF8Buffer { key in
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: key)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ":"))
    }

    /// Appends a string with everything escaped that must be (RFC 8259, 7) or had better be, see ``JSONWriter``.
    static func append(quoted text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { append(escaping: $0, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends what needs no escape in runs, and the rest byte by byte.
    ///
    /// The buffer is a `String`'s, so it is well-formed UTF-8: the bytes after the first one of a character are there.
    private static func append(escaping text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var run = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            if plain[Int(byte)] {
                index += 1
                continue
            }
            guard let (scalar, length) = escaped(byte, text, at: index) else {
                index += 1
                continue
            }
            bytes.append(contentsOf: text[run..<index])
            append(escape: scalar, to: &bytes)
            index += length
            run = index
        }
        bytes.append(contentsOf: text[run...])
    }

    /// Whether a byte stands for itself whatever follows it: ASCII that needs no escape, what continues a character, and
    /// what begins one of those characters of which none needs one.
    private static let plain: [Bool] = (0...255).map { byte in
        switch byte {
        case 0x22, 0x5C, 0x00...0x1F, 0x7F: false
        // U+0080…U+00BF, U+0600…U+063F, U+2000…U+2FFF, U+F000…U+FFFF.
        case 0xC2, 0xD8, 0xE2, 0xEF: false
        default: true
        }
    }

    /// The character at an index and its length in bytes, if it needs an escape.
    private static func escaped(
        _ byte: UInt8, _ text: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (scalar: UInt32, length: Int)? {
        switch byte {
        case 0xC2:
            let second = text[index + 1]
            return second <= 0x9F ? (UInt32(second), 2) : nil
        case 0xD8:
            return text[index + 1] == 0x9C ? (0x61C, 2) : nil
        case 0xE2:
            let scalar = 0x2000 | UInt32(text[index + 1] & 0x3F) << 6 | UInt32(text[index + 2] & 0x3F)
            switch scalar {
            case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return (scalar, 3)
            default: return nil
            }
        case 0xEF:
            return text[index + 1] == 0xBB && text[index + 2] == 0xBF ? (0xFEFF, 3) : nil
        default:
            return (UInt32(byte), 1)
        }
    }

    private static func append(escape scalar: UInt32, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch scalar {
        case 0x22, 0x5C: bytes.append(UInt8(truncatingIfNeeded: scalar))
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(UInt8(ascii: "u"))
            for shift: UInt32 in [12, 8, 4, 0] {
                let digit = UInt8(truncatingIfNeeded: scalar >> shift & 0xF)
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }

    // MARK: - Numbers

    /// Appends a whole number in decimal digits.
    static func append(decimal number: Int64, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        if rest < 10 { return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)) }
        var digits: InlineArray<20, UInt8> = InlineArray(repeating: 0)
        var first = digits.count
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
        for index in first..<digits.count { bytes.append(digits[index]) }
    }

    /// Appends whole numbers in decimal digits with commas between them.
    static func append(decimals count: Int, _ value: (Int) -> Int64, to bytes: inout [UInt8]) {
        // A sign, 19 digits (20 without a sign) and a comma.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count * 21) { room in
            // From the end to the beginning, as digits come.
            var place = room.count
            for index in stride(from: count - 1, through: 0, by: -1) {
                let number = value(index)
                var rest = number.magnitude
                repeat {
                    let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                    place -= 1
                    room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                    rest = quotient
                } while rest > 0
                if number < 0 {
                    place -= 1
                    room[place] = UInt8(ascii: "-")
                }
                if index > 0 {
                    place -= 1
                    room[place] = UInt8(ascii: ",")
                }
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: room[place...]))
        }
    }

    /// Appends an instant with quotation marks, as ``EPGModel/Instant/iso8601`` has it.
    static func append(instant: Instant, to bytes: inout [UInt8]) {
        let (day, second) = instant.secondsSince1970.quotientAndRemainderFloored(dividingBy: 86_400)
        let date = CivilDate(daysSince1970: day)
        guard (0...9999).contains(date.year) else { return append(quoted: instant.iso8601, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
        append(twoDigits: date.year / 100, to: &bytes)
        append(twoDigits: date.year % 100, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(twoDigits: Int64(date.month), to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(twoDigits: Int64(date.day), to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        append(twoDigits: second / 3600, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(twoDigits: second / 60 % 60, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(twoDigits: second % 60, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
        bytes.append(UInt8(ascii: "\""))
    }

    private static func append(twoDigits number: Int64, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
