/// Decodes the content of tokens.
///
/// References become the characters they denote, and line ends become line feeds (XML 1.0, 2.11). In attribute values,
/// white space becomes spaces (3.3.3, for CDATA attributes: without a DTD, all are). Characters from character
/// references stay unchanged.
public enum XMLDecoding {
    /// Appends the decoded content of a token in UTF-8.
    ///
    /// - Parameters:
    ///   - token: Any token. One without content appends nothing.
    ///   - bytes: The bytes that the token's offsets refer to.
    ///   - recordStart: The position of token offset 0 in `bytes`.
    ///   - keepsForeign: Whether to append a reference to an entity that only a DTD could declare as written, `&name;`,
    ///     rather than drop it. Repaired content always keeps it.
    /// - Complexity: O(bytes of the content); a plain copy if nothing needs decoding.
    package static func append(
        _ token: XMLToken, in bytes: Span<UInt8>, from recordStart: Int, to output: inout [UInt8],
        keepsForeign: Bool = true
    ) {
        let start = recordStart &+ Int(token.offset)
        let end = start &+ Int(token.count)
        guard token.flags.requiresDecoding else {
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
    /// Appends the decoded content of a token of the current piece in UTF-8.
    ///
    /// - Parameters:
    ///   - token: One of ``tokens``.
    ///   - output: The buffer to append to.
    ///   - keepsForeign: Whether to append a reference to an entity that only a DTD could declare as written, `&name;`,
    ///     rather than drop it.
    /// - Complexity: O(bytes of the content).
    public func append(_ token: XMLToken, to output: inout [UInt8], keepsForeign: Bool = true) {
        XMLDecoding.append(token, in: bytes.span, from: recordStart, to: &output, keepsForeign: keepsForeign)
    }

    /// Appends the name of a token of the current piece: of an element, attribute, or processing instruction.
    ///
    /// End tokens have no name.
    /// - Complexity: O(bytes of the name).
    public func appendName(of token: XMLToken, to output: inout [UInt8]) {
        output.append(bytes.span, from: recordStart &+ Int(token.nameOffset), count: Int(token.nameCount))
    }
}

/// Decoding of references.
enum References {
    /// Returns the character of one of the five predefined entities (4.6).
    @inline(__always)
    static func predefined(_ bytes: Span<UInt8>, _ name: Range<Int>) -> UInt8? {
        let start = name.lowerBound
        switch name.count {
        case 2 where bytes[start &+ 1] == 0x74:  // lt, gt
            if bytes[start] == 0x6C { return ASCII.lessThan }
            return bytes[start] == 0x67 ? ASCII.greaterThan : nil
        case 3 where bytes[start] == 0x61 && bytes[start &+ 1] == 0x6D && bytes[start &+ 2] == 0x70:  // amp
            return ASCII.ampersand
        case 4 where bytes[start &+ 2] == 0x6F:
            // apos, quot
            if bytes[start] == 0x61, bytes[start &+ 1] == 0x70, bytes[start &+ 3] == 0x73 { return ASCII.singleQuote }
            if bytes[start] == 0x71, bytes[start &+ 1] == 0x75, bytes[start &+ 3] == 0x74 { return ASCII.doubleQuote }
            return nil
        default:
            return nil
        }
    }

    /// Appends the character of a reference in UTF-8.
    ///
    /// Appends a reference to any other entity as written, or drops it: only a DTD, which the reader ignores, could
    /// define it.
    ///
    /// - Parameters:
    ///   - start: The offset of the `&` of a reference that the scanner has validated.
    ///   - keepsForeign: Whether to append a reference to any other entity.
    /// - Returns: The offset after the `;`.
    static func append(_ bytes: Span<UInt8>, at start: Int, to output: inout [UInt8], keepsForeign: Bool) -> Int {
        var end = start &+ 1
        while bytes[end] != ASCII.semicolon { end &+= 1 }
        if bytes[start &+ 1] == ASCII.hash {
            appendScalar(bytes, start &+ 2..<end, to: &output)
        } else if let character = predefined(bytes, start &+ 1..<end) {
            output.append(character)
        } else if keepsForeign {
            output.append(bytes, from: start, count: end &+ 1 &- start)
        }
        return end &+ 1
    }

    private static func appendScalar(_ bytes: Span<UInt8>, _ digits: Range<Int>, to output: inout [UInt8]) {
        let isHexadecimal = bytes[digits.lowerBound] == ASCII.x
        var value: UInt32 = 0
        for index in digits.lowerBound &+ (isHexadecimal ? 1 : 0)..<digits.upperBound {
            value = value &* (isHexadecimal ? 16 : 10) &+ (bytes[index].hexadecimalDigit ?? 0)
        }
        guard let scalar = Unicode.Scalar(value) else { return }
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}

/// Content with faults that have an obvious meaning (``XMLRepair``).
///
/// Decoding depends on the bytes alone and finds the same faults as the scanner.
private struct RepairedText {
    private let range: Range<Int>
    private let isAttribute: Bool
    private let hasReferences: Bool

    /// Creates the content of a token of a kind. `range` refers to the bytes passed to ``append(_:to:)``.
    init(_ range: Range<Int>, kind: XMLToken.Kind) {
        self.range = range
        isAttribute = kind == .attribute
        hasReferences = kind == .text || kind == .attribute
    }

    /// Appends the content in UTF-8.
    func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            switch byte {
            case ASCII.ampersand where hasReferences:
                index = appendReference(bytes, at: index, to: &output)
            case 0x80...:
                index = appendNonASCII(bytes, at: index, to: &output)
            case ASCII.carriageReturn:
                let isPair = index + 1 < range.upperBound && bytes[index + 1] == ASCII.lineFeed
                output.append(isAttribute ? ASCII.space : ASCII.lineFeed)
                index += isPair ? 2 : 1
            case ASCII.lineFeed, ASCII.tab:
                output.append(isAttribute ? ASCII.space : byte)
                index += 1
            case 0..<ASCII.space:
                index += 1
            default:
                output.append(byte)
                index += 1
            }
        }
    }

    // MARK: - Non-ASCII characters

    private func appendNonASCII(_ bytes: Span<UInt8>, at index: Int, to output: inout [UInt8]) -> Int {
        do throws(ScanFault) {
            if let character = try UTF8Scan.character(in: bytes, at: index, limit: range.upperBound) {
                output.append(bytes, from: index, count: character.length)
                return index + character.length
            }
        } catch {
            // Drop U+FFFE and U+FFFF.
            if case .invalidCharacter = error.reason { return index + 3 }
        }
        append(Windows1252.character(bytes[index]).value, to: &output)
        return index + 1
    }

    // MARK: - References

    /// Appends the character of `&…;`, or only the `&` if it isn't a reference; what follows is then decoded as text.
    /// - Returns: The offset to continue at.
    private func appendReference(_ bytes: Span<UInt8>, at start: Int, to output: inout [UInt8]) -> Int {
        if let reference = number(bytes, at: start) {
            guard (0xD800...0xDBFF).contains(reference.value), let low = number(bytes, at: reference.end),
                (0xDC00...0xDFFF).contains(low.value)
            else {
                append(reference.value, to: &output)
                return reference.end
            }
            // A generator that writes UTF-16 as references writes one character as two.
            append(0x10000 + (reference.value & 0x3FF) << 10 + low.value & 0x3FF, to: &output)
            return low.end
        }
        var end = start + 1
        while end < range.upperBound, bytes[end] != ASCII.semicolon, end - start <= 8 { end += 1 }
        if end < range.upperBound, bytes[end] == ASCII.semicolon {
            let name = start + 1..<end
            if let character = References.predefined(bytes, name).map(UInt32.init)
                ?? HTMLEntities.character(bytes, name)?.value
            {
                append(character, to: &output)
                return end + 1
            }
        }
        output.append(ASCII.ampersand)
        return start + 1
    }

    /// Parses `&#123;` or `&#x1F;`. Returns the number, at most 0x110000, and the offset after it.
    private func number(_ bytes: Span<UInt8>, at start: Int) -> (value: UInt32, end: Int)? {
        guard start + 3 < range.upperBound, bytes[start] == ASCII.ampersand, bytes[start + 1] == ASCII.hash else {
            return nil
        }
        let isHexadecimal = bytes[start + 2] == ASCII.x
        let first = start + (isHexadecimal ? 3 : 2)
        var index = first
        var value: UInt32 = 0
        while index < range.upperBound, let digit = bytes[index].hexadecimalDigit, isHexadecimal || digit < 10 {
            value = min(value * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
            index += 1
        }
        guard index > first, index < range.upperBound, bytes[index] == ASCII.semicolon else { return nil }
        return (value, index + 1)
    }

    /// Appends a character. Drops control characters, U+FFFE, and U+FFFF, and replaces invalid code points by U+FFFD.
    private func append(_ value: UInt32, to output: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(value) else {
            output.append(contentsOf: [0xEF, 0xBF, 0xBD])
            return
        }
        guard value.isXMLCharacter else { return }
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}

/// The 252 named character entities of HTML 4 (W3C Recommendation, section 24).
///
/// Guides use them although XML doesn't define them.
package enum HTMLEntities {
    /// Returns the character of a case-sensitive entity name.
    ///
    /// - Complexity: O(log 252). The first call builds the table.
    package static func character(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Unicode.Scalar? {
        guard 2...8 ~= name.count else { return nil }
        let wanted = key(name.map { bytes[$0] })
        var low = 0
        var high = table.count
        while low < high {
            let middle = (low + high) / 2
            if table[middle].key < wanted { low = middle + 1 } else { high = middle }
        }
        return low < table.count && table[low].key == wanted ? table[low].character : nil
    }

    /// Packs a name of at most eight bytes into a number with the same sort order.
    private static func key(_ name: some Collection<UInt8>) -> UInt64 {
        name.reduce(0) { $0 << 8 | UInt64($1) } << UInt64((8 - name.count) * 8)
    }

    private static let table: [(key: UInt64, character: Unicode.Scalar)] = {
        let words = "\(names)".split(separator: " ")
        return stride(from: 0, to: words.count - 1, by: 2).map { index in
            let code = UInt32(words[index + 1], radix: 16) ?? 0
            return (key(words[index].utf8), Unicode.Scalar(code) ?? "\u{FFFD}")
        }
    }()

    /// Names and hexadecimal code points, sorted by the bytes of the names.
    private static let names: StaticString = """
        AElig C6 Aacute C1 Acirc C2 Agrave C0 Alpha 391 Aring C5 Atilde C3 Auml C4 Beta 392 Ccedil C7 Chi 3A7 \
        Dagger 2021 Delta 394 ETH D0 Eacute C9 Ecirc CA Egrave C8 Epsilon 395 Eta 397 Euml CB Gamma 393 Iacute CD \
        Icirc CE Igrave CC Iota 399 Iuml CF Kappa 39A Lambda 39B Mu 39C Ntilde D1 Nu 39D OElig 152 Oacute D3 \
        Ocirc D4 Ograve D2 Omega 3A9 Omicron 39F Oslash D8 Otilde D5 Ouml D6 Phi 3A6 Pi 3A0 Prime 2033 Psi 3A8 \
        Rho 3A1 Scaron 160 Sigma 3A3 THORN DE Tau 3A4 Theta 398 Uacute DA Ucirc DB Ugrave D9 Upsilon 3A5 Uuml DC \
        Xi 39E Yacute DD Yuml 178 Zeta 396 aacute E1 acirc E2 acute B4 aelig E6 agrave E0 alefsym 2135 alpha 3B1 \
        amp 26 and 2227 ang 2220 aring E5 asymp 2248 atilde E3 auml E4 bdquo 201E beta 3B2 brvbar A6 bull 2022 \
        cap 2229 ccedil E7 cedil B8 cent A2 chi 3C7 circ 2C6 clubs 2663 cong 2245 copy A9 crarr 21B5 cup 222A \
        curren A4 dArr 21D3 dagger 2020 darr 2193 deg B0 delta 3B4 diams 2666 divide F7 eacute E9 ecirc EA egrave E8 \
        empty 2205 emsp 2003 ensp 2002 epsilon 3B5 equiv 2261 eta 3B7 eth F0 euml EB euro 20AC exist 2203 fnof 192 \
        forall 2200 frac12 BD frac14 BC frac34 BE frasl 2044 gamma 3B3 ge 2265 gt 3E hArr 21D4 harr 2194 hearts 2665 \
        hellip 2026 iacute ED icirc EE iexcl A1 igrave EC image 2111 infin 221E int 222B iota 3B9 iquest BF \
        isin 2208 iuml EF kappa 3BA lArr 21D0 lambda 3BB lang 2329 laquo AB larr 2190 lceil 2308 ldquo 201C le 2264 \
        lfloor 230A lowast 2217 loz 25CA lrm 200E lsaquo 2039 lsquo 2018 lt 3C macr AF mdash 2014 micro B5 middot B7 \
        minus 2212 mu 3BC nabla 2207 nbsp A0 ndash 2013 ne 2260 ni 220B not AC notin 2209 nsub 2284 ntilde F1 nu 3BD \
        oacute F3 ocirc F4 oelig 153 ograve F2 oline 203E omega 3C9 omicron 3BF oplus 2295 or 2228 ordf AA ordm BA \
        oslash F8 otilde F5 otimes 2297 ouml F6 para B6 part 2202 permil 2030 perp 22A5 phi 3C6 pi 3C0 piv 3D6 \
        plusmn B1 pound A3 prime 2032 prod 220F prop 221D psi 3C8 quot 22 rArr 21D2 radic 221A rang 232A raquo BB \
        rarr 2192 rceil 2309 rdquo 201D real 211C reg AE rfloor 230B rho 3C1 rlm 200F rsaquo 203A rsquo 2019 \
        sbquo 201A scaron 161 sdot 22C5 sect A7 shy AD sigma 3C3 sigmaf 3C2 sim 223C spades 2660 sub 2282 sube 2286 \
        sum 2211 sup 2283 sup1 B9 sup2 B2 sup3 B3 supe 2287 szlig DF tau 3C4 there4 2234 theta 3B8 thetasym 3D1 \
        thinsp 2009 thorn FE tilde 2DC times D7 trade 2122 uArr 21D1 uacute FA uarr 2191 ucirc FB ugrave F9 uml A8 \
        upsih 3D2 upsilon 3C5 uuml FC weierp 2118 xi 3BE yacute FD yen A5 yuml FF zeta 3B6 zwj 200D zwnj 200C
        """
}
