/// The grammar of values.
extension JSONScanner {
    /// Scans the value that comes next; its tokens are kept where it is part of a record.
    ///
    /// - Parameter recordStart: The place in the file where the record begins.
    mutating func scanValue(recordStart: Int?) throws(JSONError) {
        let outside = containers.count
        value: while true {
            try skipWhite()
            guard let byte = try peek() else { throw unexpectedEnd() }
            switch byte {
            case UInt8(ascii: "\""): try scanText(.string, recordStart)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = byte == UInt8(ascii: "{")
                let token = tokens.count
                if let recordStart {
                    let place = UInt32(truncatingIfNeeded: offset - recordStart)
                    try append(JSONToken(kind: isObject ? .object : .array, offset: place))
                }
                try open(Container(isObject: isObject, token: token))
                try skipWhite()
                if try peek() != (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    if isObject { try scanKey(recordStart) }
                    continue value
                }
            case UInt8(ascii: "t"): try scanLiteral("true", .true, recordStart)
            case UInt8(ascii: "f"): try scanLiteral("false", .false, recordStart)
            case UInt8(ascii: "n"): try scanLiteral("null", .null, recordStart)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try scanNumber(recordStart)
            default: throw error(.expected("a value"))
            }
            while containers.count > outside {
                let container = containers[containers.count - 1]
                try skipWhite()
                guard let next = try peek() else { throw unexpectedEnd() }
                if next == UInt8(ascii: ",") {
                    position += 1
                    if container.isObject {
                        try skipWhite()
                        try scanKey(recordStart)
                    }
                    continue value
                }
                guard next == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw error(.expected(container.following))
                }
                position += 1
                containers.removeLast()
                if recordStart != nil { tokens[container.token].next = UInt32(truncatingIfNeeded: tokens.count) }
            }
            return
        }
    }

    /// Opens an array or object; its first byte is the next one.
    mutating func open(_ container: Container) throws(JSONError) {
        guard containers.count < limits.depth else { throw error(.limit(.depth, limits.depth)) }
        position += 1
        containers.append(container)
    }

    func unexpectedEnd() -> JSONError {
        error(.unexpectedEnd(inside: containers.last.map { $0.isObject ? "an object" : "an array" } ?? "a value"))
    }

    @inline(__always)
    private mutating func append(_ token: JSONToken) throws(JSONError) {
        guard tokens.count < limits.recordValues else { throw error(.limit(.recordValues, limits.recordValues)) }
        tokens.append(token)
    }

    // MARK: - Strings

    private mutating func scanKey(_ recordStart: Int?) throws(JSONError) {
        guard try peek() == UInt8(ascii: "\"") else {
            if try peek() == nil { throw unexpectedEnd() }
            throw error(.expected("a key in quotation marks"))
        }
        try scanText(.key, recordStart)
        try expectColon()
    }

    mutating func expectColon() throws(JSONError) {
        try skipWhite()
        guard let byte = try peek() else { throw unexpectedEnd() }
        guard byte == UInt8(ascii: ":") else { throw error(.expected("a colon")) }
        position += 1
    }

    private mutating func scanText(_ kind: JSONToken.Kind, _ recordStart: Int?) throws(JSONError) {
        let start = offset + 1
        let flags = try scanString()
        guard let recordStart else { return }
        try append(
            JSONToken(
                kind: kind, flags: flags, offset: UInt32(truncatingIfNeeded: start - recordStart),
                count: UInt32(truncatingIfNeeded: offset - 1 - start),
                next: UInt32(truncatingIfNeeded: tokens.count + 1)))
    }

    /// Scans a string from its first quotation mark to behind the last.
    mutating func scanString() throws(JSONError) -> JSONToken.Flags {
        position += 1
        var flags: JSONToken.Flags = []
        while true {
            position = JSONText.endOfPlain(window.span, from: position, to: end)
            guard let byte = try peek() else { throw error(.unexpectedEnd(inside: "a string")) }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return flags
            case UInt8(ascii: "\\"):
                flags.insert(.escaped)
                try scanEscape()
            case 0..<0x20:
                guard takesControls else { throw error(.controlCharacter(byte)) }
                flags.insert(.control)
                position += 1
                if byte == 0x0A {
                    line += 1
                    lineStart = offset
                }
            case 0x20..<0x80: position += 1
            default:
                while end - position < 4, try refill() {}
                let length = JSONText.characterLength(window.span, at: position, to: end)
                if length == 0 { flags.insert(.illFormed) }
                position += max(length, 1)
            }
        }
    }

    /// `\" \\ \/ \b \f \n \r \t \uXXXX`
    private mutating func scanEscape() throws(JSONError) {
        position += 1
        guard let letter = try peek() else { throw error(.unexpectedEnd(inside: "a string")) }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            for _ in 0..<4 {
                guard let digit = try peek() else { throw error(.unexpectedEnd(inside: "a string")) }
                guard JSONText.hexValue(digit) != nil else { throw error(.badEscape) }
                position += 1
            }
        default: throw error(.badEscape)
        }
    }

    // MARK: - Scalars

    private mutating func scanLiteral(
        _ word: StaticString, _ kind: JSONToken.Kind, _ recordStart: Int?
    ) throws(JSONError) {
        let start = offset
        for expected in "\(word)".utf8 {
            guard let byte = try peek() else { throw unexpectedEnd() }
            guard byte == expected else { throw error(.expected("'\(word)'")) }
            position += 1
        }
        try finishScalar(JSONToken(kind: kind, offset: 0), from: start, recordStart) {
            $0.error(.expected("'\(word)'"))
        }
    }

    /// `[-] (0 | 1-9 digits) [. digits] [(e | E) [+ | -] digits]`
    private mutating func scanNumber(_ recordStart: Int?) throws(JSONError) {
        let start = offset
        var flags: JSONToken.Flags = .integer
        if try peek() == UInt8(ascii: "-") { position += 1 }
        if try peek() == UInt8(ascii: "0") { position += 1 } else { try scanDigits() }
        if try peek() == UInt8(ascii: ".") {
            flags = []
            position += 1
            try scanDigits()
        }
        if let mark = try peek(), mark | 0x20 == UInt8(ascii: "e") {
            flags = []
            position += 1
            if let sign = try peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try scanDigits()
        }
        try finishScalar(JSONToken(kind: .number, flags: flags, offset: 0), from: start, recordStart) {
            $0.error(.badNumber)
        }
    }

    /// Scans one digit or more.
    private mutating func scanDigits() throws(JSONError) {
        guard let first = try peek() else { throw unexpectedEnd() }
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { throw error(.badNumber) }
        while let digit = try peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { position += 1 }
    }

    /// Keeps the token of a scalar that ends here, if nothing follows that would belong to it.
    private mutating func finishScalar(
        _ token: JSONToken, from start: Int, _ recordStart: Int?, _ fault: (JSONScanner) -> JSONError
    ) throws(JSONError) {
        if let byte = try peek(), byte >= 0x80 || JSONText.isWordByte(byte) { throw fault(self) }
        guard let recordStart else { return }
        var whole = token
        whole.offset = UInt32(truncatingIfNeeded: start - recordStart)
        whole.count = UInt32(truncatingIfNeeded: offset - start)
        whole.next = UInt32(truncatingIfNeeded: tokens.count + 1)
        try append(whole)
    }
}
