import EPGModel
import XMLTV

/// Turns the tokens of a record into the stored form of its content, without a `String` in between.
///
/// The buffers are used again for each record.
struct RecordEncoder {
    /// Raised when the same bytes are stored otherwise than before: programmes that are known by their bytes are then
    /// read anew.
    static let version: UInt64 = 3

    /// The texts that stand in columns, one after the other: title, sub-title and description, whatever their order.
    var texts: [UInt8] = []
    /// The tokens of the stored document.
    var document: [UInt8] = []
    var title: Range<Int>?
    var subtitle: Range<Int>?
    var description: Range<Int>?
    /// In ``document``.
    var category: Range<Int>?
    /// The text content of the category, in ``texts``, where child elements part it in ``document``.
    var categoryContent: Range<Int>?
    var findings: ProgrammeDigest.Findings = []
    private var scratch: [UInt8] = []
    private var decoded: [UInt8] = []
    private let names = ContentNames()
    private let numbering = Array("xmltv_ns".utf8)
    var order = ContentOrder()

    /// Encodes the children of a record.
    ///
    /// - Parameters:
    ///   - tokens: The scanner's tokens.
    ///   - children: Those between the record's attributes and its end.
    ///   - bytes: What they point into, and where their offset 0 is.
    ///   - hoistsTexts: Whether the first title, sub-title and description go to ``texts``.
    mutating func encode(
        _ tokens: Span<XMLToken>, _ children: Range<Int>, _ bytes: Span<UInt8>, from base: Int, hoistsTexts: Bool
    ) {
        begin()
        var depth = 0
        var childStart = 0
        var childToken = 0
        var hasElements = false
        /// The child of the record that is open.
        var child = XMLTVName.other
        var isNumbering = false
        var index = children.lowerBound
        while index < children.upperBound {
            let token = tokens[index]
            index &+= 1
            switch token.kind {
            case .start:
                depth &+= 1
                if depth == 1 {
                    child = token.name
                    childStart = document.count
                    childToken = index &- 1
                    hasElements = false
                    isNumbering = false
                } else {
                    hasElements = true
                }
                begin(token, bytes, base)
            case .attribute:
                if depth == 1, child == .episodeNum, token.name == .system {
                    isNumbering = isXMLTVNumbering(token, bytes, base)
                }
                attribute(token, bytes, base)
            case .end:
                if depth == 1 {
                    checkEmpty(child, tokens[index &- 2].kind)
                    // A title without anything says nothing, and isn't kept.
                    if child == .title, document.count == childStart &+ 1 { order.needTree() }
                    if hasElements, child.namesText {
                        document.removeLast(document.count - childStart)
                        if let range = category, range.lowerBound >= childStart { category = nil }
                        appendUnchanged(tokens, childToken..<index &- 1, bytes, base)
                        order.needTree()
                    }
                }
                depth &-= 1
                document.append(ContentToken.end)
                order.end()
            case .text, .cdata, .skippedEntity:
                let first = index &- 1
                while index < children.upperBound, tokens[index].kind.isText { index &+= 1 }
                let isWhole = depth == 1 && tokens[index].kind == .end && isAfterTag(tokens, first)
                text(
                    tokens, first..<index, bytes, base, child: depth == 1 ? child : .other,
                    isHoistable: hoistsTexts && isWhole)
                if isNumbering, depth == 1 { checkEpisode(tokens[first], bytes, base) }
            case .comment, .processingInstruction:
                break
            }
        }
        switch order.state {
        case .inOrder: break
        case .needsSorting: sort()
        case .needsTree: encodeAnew()
        }
        if title == nil { findings.insert(.emptyTitle) }
    }

    /// Where the texts stand in ``texts``: two contents whose texts are parted otherwise are not the same.
    var textPlaces: ContentHash {
        func packed(_ title: Int?, _ subtitle: Int?, _ description: Int?) -> UInt64 {
            // Different odd factors, so that lengths of any size don't cancel each other out.
            UInt64(truncatingIfNeeded: (title ?? -1) + 1) &* 0x9E37_79B9_7F4A_7C15
                ^ UInt64(truncatingIfNeeded: (subtitle ?? -1) + 1) &* 0xC2B2_AE3D_27D4_EB4F
                ^ UInt64(truncatingIfNeeded: (description ?? -1) + 1) &* 0x1656_67B1_9E37_79F9
        }
        return ContentHash(
            high: packed(title?.count, subtitle?.count, description?.count),
            low: packed(title?.lowerBound, subtitle?.lowerBound, description?.lowerBound))
    }

    /// Empties the document, to encode attributes alone, as they are kept of a transmission.
    mutating func beginAttributes() {
        document.removeAll(keepingCapacity: true)
        order.begin()
    }

    /// Puts the attributes that were encoded alone into the stored order.
    mutating func endAttributes() {
        guard order.state != .inOrder else { return }
        replaceAttributes { $0 }
    }

    /// Replaces the attributes that were encoded alone by others, in the stored order.
    mutating func replaceAttributes(_ replacement: ([ContentAttribute]) -> [ContentAttribute]) {
        guard !document.isEmpty else { return }
        var decoder = ContentDecoder(document)
        guard case .success(let attributes) = Result(catching: { try decoder.attributes() }) else { return }
        encode(attributes: replacement(attributes))
    }

    /// Encodes the attributes of a transmission.
    mutating func encode(attributes: [ContentAttribute]) {
        var content = ContentEncoder()
        for attribute in attributes.canonical { content.attribute(attribute.name, attribute.value) }
        document = content.bytes
    }

    /// Appends an attribute.
    mutating func attribute(_ token: XMLToken, _ bytes: Span<UInt8>, _ base: Int) {
        let code = names.attributes[Int(token.name.rawValue)]
        order.attribute(code)
        if code != 0 {
            document.append(code)
        } else {
            document.append(ContentToken.attribute)
            document.appendLength(Int(token.nameCount))
            document.append(bytes, from: base &+ Int(token.nameOffset), count: Int(token.nameCount))
        }
        if token.flags.needDecoding {
            decoded.removeAll(keepingCapacity: true)
            XMLDecoding.append(token, in: bytes, from: base, to: &decoded)
            document.appendLength(decoded.count)
            document.append(contentsOf: decoded)
        } else {
            document.appendLength(Int(token.count))
            document.append(bytes, from: base &+ Int(token.offset), count: Int(token.count))
        }
    }

    // MARK: - Private

    mutating func begin() {
        texts.removeAll(keepingCapacity: true)
        document.removeAll(keepingCapacity: true)
        (title, subtitle, description, category, categoryContent) = (nil, nil, nil, nil, nil)
        findings = []
        order.begin()
    }

    private mutating func begin(_ token: XMLToken, _ bytes: Span<UInt8>, _ base: Int) {
        let code = names.elements[Int(token.name.rawValue)]
        order.begin(element: names.elementRanks[Int(token.name.rawValue)])
        append(name: code, token, bytes, base)
    }

    private mutating func append(name code: UInt8, _ token: XMLToken, _ bytes: Span<UInt8>, _ base: Int) {
        if code != 0 {
            document.append(code)
        } else {
            document.append(ContentToken.element)
            document.appendLength(Int(token.nameCount))
            document.append(bytes, from: base &+ Int(token.nameOffset), count: Int(token.nameCount))
        }
    }

    /// Appends tokens of a text with child elements, its white space unchanged: ``encodeAnew()`` normalises it as a whole.
    private mutating func appendUnchanged(
        _ tokens: Span<XMLToken>, _ range: Range<Int>, _ bytes: Span<UInt8>, _ base: Int
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            let token = tokens[index]
            switch token.kind {
            case .start: append(name: names.elements[Int(token.name.rawValue)], token, bytes, base)
            case .attribute: attribute(token, bytes, base)
            case .end: document.append(ContentToken.end)
            case .text, .cdata, .skippedEntity:
                decode(tokens, index..<index &+ 1, bytes, base)
                document.append(ContentToken.text)
                document.appendLength(decoded.count)
                document.append(contentsOf: decoded)
            case .comment, .processingInstruction: break
            }
            index &+= 1
        }
    }

    /// A run of text pieces, which only comments, CDATA marks or references part.
    private mutating func text(
        _ tokens: Span<XMLToken>, _ pieces: Range<Int>, _ bytes: Span<UInt8>, _ base: Int, child: XMLTVName,
        isHoistable: Bool
    ) {
        let isDescription = child == .desc
        scratch.removeAll(keepingCapacity: true)
        let first = tokens[pieces.lowerBound]
        let start = base &+ Int(first.offset)
        let isSimple = pieces.count == 1 && first.kind != .skippedEntity && !first.flags.needDecoding
        if !isSimple
            || !TextNormaliser.appendClean(
                bytes, start..<start &+ Int(first.count), isDescription: isDescription, to: &scratch)
        {
            decode(tokens, pieces, bytes, base)
            TextNormaliser.append(decoded, isDescription: isDescription, to: &scratch)
        }
        guard !scratch.isEmpty else { return }
        order.text()
        if isHoistable, hoist(child) {
            document.append(ContentToken.hoisted)
            return
        }
        document.append(ContentToken.text)
        document.appendLength(scratch.count)
        if child == .category, category == nil { category = document.count..<document.count &+ scratch.count }
        document.append(contentsOf: scratch)
    }

    private mutating func decode(
        _ tokens: Span<XMLToken>, _ pieces: Range<Int>, _ bytes: Span<UInt8>, _ base: Int
    ) {
        decoded.removeAll(keepingCapacity: true)
        for index in pieces {
            let token = tokens[index]
            if token.kind == .skippedEntity {
                // What it stands for, only a DTD could say: it stays as it is written.
                findings.insert(.foreignEntity)
                decoded.append(UInt8(ascii: "&"))
                decoded.append(bytes, from: base &+ Int(token.offset), count: Int(token.count))
                decoded.append(UInt8(ascii: ";"))
            } else {
                XMLDecoding.append(token, in: bytes, from: base, to: &decoded)
            }
        }
    }

    /// Moves the text to a column, if its element has one that is free.
    private mutating func hoist(_ child: XMLTVName) -> Bool {
        let range = texts.count..<texts.count &+ scratch.count
        switch child {
        case .title where title == nil: title = range
        case .subTitle where subtitle == nil: subtitle = range
        case .desc where description == nil: description = range
        default: return false
        }
        texts.append(contentsOf: scratch)
        return true
    }

    /// Whether nothing but a tag stands before a text: no child element in the same parent.
    private func isAfterTag(_ tokens: Span<XMLToken>, _ index: Int) -> Bool {
        let before = tokens[index &- 1].kind
        return before == .start || before == .attribute
    }

    private mutating func checkEmpty(_ child: XMLTVName, _ before: XMLToken.Kind) {
        guard before == .start || before == .attribute else { return }
        if child == .title { findings.insert(.emptyTitle) }
        if child == .desc { findings.insert(.emptyDescription) }
    }

    private func isXMLTVNumbering(_ token: XMLToken, _ bytes: Span<UInt8>, _ base: Int) -> Bool {
        guard Int(token.count) == numbering.count else { return false }
        for index in 0..<numbering.count
        where bytes[base &+ Int(token.offset) &+ index] != numbering[index] {
            return false
        }
        return true
    }

    private mutating func checkEpisode(_ token: XMLToken, _ bytes: Span<UInt8>, _ base: Int) {
        let start = base &+ Int(token.offset)
        checkEpisode(bytes.extracting(start..<start &+ Int(token.count)))
    }

    /// `season/total . episode/total . part/total`: digits, at most two points, a slash in each field (facts, rule 10).
    mutating func checkEpisode(_ text: Span<UInt8>) {
        var points = 0
        var slashes = 0
        for index in text.indices {
            switch text[index] {
            case 0x30...0x39, 0x20, 0x09, 0x0A, 0x0D: continue
            case UInt8(ascii: "."):
                points += 1
                slashes = 0
            case UInt8(ascii: "/"): slashes += 1
            default: findings.insert(.badEpisode)
            }
            if points > 2 || slashes > 1 { findings.insert(.badEpisode) }
        }
    }
}

extension XMLToken.Kind {
    /// Whether it is a piece of text.
    @inline(__always)
    fileprivate var isText: Bool { self == .text || self == .cdata || self == .skippedEntity }
}
