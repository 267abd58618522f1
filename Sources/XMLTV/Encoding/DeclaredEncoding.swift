/// The encoding that an XML declaration names.
enum DeclaredEncoding {
    /// As a well-formed declaration has it; `nil` where there is none, or where the scanner will refuse it.
    ///
    /// - Parameter characters: The document up to its first `>`.
    static func strict(_ characters: [UInt8]) -> String? {
        let isDeclaration = characters.starts(with: "<?xml".utf8) && characters.suffix(2).elementsEqual("?>".utf8)
        guard isDeclaration, characters.count >= 7 else { return nil }
        do throws(ScanFault) {
            return try XMLDeclaration(characters.span, 5..<characters.count - 2).encoding
        } catch {
            // A declaration that isn't well-formed names no encoding; the scanner refuses it at its place.
            return nil
        }
    }

    /// As somebody may have meant it: behind white space, in any order and case, with wrong quotes or none, or cut off.
    ///
    /// - Parameter characters: The document up to its first `>`.
    /// - Returns: At most 64 characters, all ASCII.
    static func lenient(_ characters: [UInt8]) -> String? {
        let text = characters.drop { $0.isXMLSpace }
        guard text.prefix(5).map({ $0 | 0x20 }).elementsEqual("<?xml".utf8.map { $0 | 0x20 }) else { return nil }
        let word = Array("encoding".utf8)
        var index = text.startIndex + 5
        while index + word.count < text.endIndex {
            defer { index += 1 }
            guard text[index..<index + word.count].map({ $0 | 0x20 }) == word else { continue }
            let rest = text[(index + word.count)...].drop { $0.isXMLSpace }
            guard rest.first == ASCII.equals else { continue }
            return value(rest.dropFirst().drop { $0.isXMLSpace })
        }
        return nil
    }

    /// What stands between quotes, or up to a blank where there are none.
    private static func value(_ rest: ArraySlice<UInt8>) -> String? {
        let isQuote = { (byte: UInt8) in byte == ASCII.doubleQuote || byte == ASCII.singleQuote }
        let isQuoted = rest.first.map(isQuote) ?? false
        let inner = rest.drop { isQuote($0) || $0.isXMLSpace }
        let label = inner.prefix { byte in
            let ends = isQuote(byte) || byte == ASCII.question || byte == ASCII.greaterThan
            return !ends && (isQuoted || !byte.isXMLSpace)
        }
        let trimmed = label.prefix(64).reversed().drop { $0.isXMLSpace }.reversed()
        return trimmed.isEmpty ? nil : String(decoding: Array(trimmed), as: UTF8.self)
    }
}
