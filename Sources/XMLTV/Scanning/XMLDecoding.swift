/// Turns what is written in a token into what it stands for.
///
/// References become their characters, and line ends become line feeds (XML 1.0, 2.11); in the value of an attribute
/// white space becomes blanks (3.3.3, for attributes that are CDATA, as all are without a DTD). Characters that come
/// from a character reference stay as they are.
public enum XMLDecoding {
    /// Appends what the content of a token stands for, in UTF-8.
    ///
    /// - Parameters:
    ///   - token: Any token; one without content appends nothing.
    ///   - bytes: The bytes that the token's offsets point into.
    ///   - recordStart: Where offset 0 of the token is in them.
    ///   - keepsForeign: Whether a reference to an entity that only a DTD could declare stays as it is written, `&name;`.
    ///     Otherwise nothing stands for it. In a content that was repaired it stays always.
    /// - Complexity: O(bytes of the content); a plain copy where nothing needs decoding.
    package static func append(
        _ token: XMLToken, in bytes: Span<UInt8>, from recordStart: Int, to output: inout [UInt8],
        keepsForeign: Bool = true
    ) {
        let start = recordStart &+ Int(token.offset)
        let end = start &+ Int(token.count)
        guard token.flags.needDecoding else {
            output.append(bytes, from: start, count: end &- start)
            return
        }
        guard !token.flags.contains(.repaired) else {
            return RepairedText(start..<end, kind: token.kind).append(bytes, to: &output)
        }
        let isAttribute = token.kind == .attribute
        let hasReferences = token.flags.contains(.references)
        var index = start
        var copied = start
        while index < end {
            let byte = bytes[index]
            let isSpace = byte == ASCII.carriageReturn || isAttribute && byte.isXMLSpace && byte != ASCII.space
            let isReference = byte == ASCII.ampersand && hasReferences
            guard isSpace || isReference else {
                index &+= 1
                continue
            }
            output.append(bytes, from: copied, count: index &- copied)
            if isReference {
                index = References.append(bytes, at: index, to: &output, keepsForeign: keepsForeign)
            } else {
                let isPair = byte == ASCII.carriageReturn && index &+ 1 < end && bytes[index &+ 1] == ASCII.lineFeed
                index &+= isPair ? 2 : 1
                output.append(isAttribute ? ASCII.space : ASCII.lineFeed)
            }
            copied = index
        }
        output.append(bytes, from: copied, count: end &- copied)
    }
}

extension XMLScanner {
    /// Appends what the content of a token of the current piece stands for, in UTF-8.
    ///
    /// - Parameters:
    ///   - token: One of ``tokens``.
    ///   - output: Where it is appended.
    ///   - keepsForeign: Whether a reference to an entity that only a DTD could declare stays as it is written, `&name;`.
    ///     Otherwise nothing stands for it.
    /// - Complexity: O(bytes of the content).
    public func append(_ token: XMLToken, to output: inout [UInt8], keepsForeign: Bool = true) {
        XMLDecoding.append(token, in: bytes.span, from: recordStart, to: &output, keepsForeign: keepsForeign)
    }

    /// Appends the name of a token of the current piece: of an element, attribute or processing instruction.
    ///
    /// End tokens have no name of their own.
    /// - Complexity: O(bytes of the name).
    public func appendName(of token: XMLToken, to output: inout [UInt8]) {
        output.append(bytes.span, from: recordStart &+ Int(token.nameOffset), count: Int(token.nameCount))
    }
}
