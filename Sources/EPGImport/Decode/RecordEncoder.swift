import EPGJSON
import EPGModel
import EPGOutput
import XMLTV

/// Encodes the tokens of a programme as the columns and the JSON document that a store keeps (``StoredProgramme``).
///
/// The document is written directly from the bytes of the feed. A tree is built only for elements with mixed content.
///
/// Token offsets are relative to the start of the bytes passed with them.
package struct RecordEncoder {
    /// The version of the encoding, from 1 to 255. Increase it when the same bytes are stored differently than before, so that
    /// known programmes are encoded again, and refreshes import unchanged guides again.
    package static let version: UInt8 = 8

    /// The texts of the columns, one after the other, with the category last.
    private(set) var texts: [UInt8] = []
    private(set) var title: Range<Int>?
    private(set) var subtitle: Range<Int>?
    private(set) var description: Range<Int>?
    private(set) var category: Range<Int>?
    /// The JSON of ``StoredProgramme``, or of the attributes of a transmission.
    private(set) var document: [UInt8] = []
    private(set) var marks: AiringMarks = []
    private(set) var findings: ProgrammeDigest.Findings = []
    /// The numbers of the episode, the first of each that the feed gives.
    private(set) var season: Int?
    private(set) var episode: Int?
    private(set) var part: Int?
    /// The categories that were read.
    private var genreFinder = GenreFinder()
    /// Whether the programme has the year of its production.
    private var isDated = false
    /// Whether texts that were encoded twice are decoded once more (Rules.md, rule 18).
    private let repairsTexts: Bool

    /// The kinds of direct children of an element.
    private struct Shape: OptionSet {
        let rawValue: UInt8
        static let elements = Shape(rawValue: 1)
        static let texts = Shape(rawValue: 2)
    }

    /// The extent of an element.
    private struct Extent {
        /// The end token.
        var end = 0
        var shape: Shape = []
    }

    private let names = EncodedNames()
    private let numbering = Array("xmltv_ns".utf8)
    private var decoded: [UInt8] = []
    private var normalized: [UInt8] = []
    /// The start tokens of the children of all elements being written, the innermost element's children last.
    private var children: [Int] = []
    /// The extents by index of the start token, relative to the token before the programme's first one, which
    /// represents the programme.
    private var extents: [Extent] = []
    private var beforeFirst = 0

    init(repairsTexts: Bool = true) {
        self.repairsTexts = repairsTexts
    }

    // MARK: - Programmes

    /// Encodes a programme.
    ///
    /// - Parameters:
    ///   - content: The tokens between the programme's attributes and its end.
    ///   - base: The position in `bytes` that token offsets are relative to.
    /// - Complexity: O(bytes), and O(n log n) for n elements that are not in canonical order.
    mutating func encode(_ tokens: Span<XMLToken>, _ content: Range<Int>, _ bytes: Span<UInt8>, from base: Int) {
        begin()
        let bytes = bytes.extracting(base...)
        let shape = measure(tokens, content, bytes)
        document.append(UInt8(ascii: "{"))
        if shape.contains(.texts) { appendRecordText(tokens, content, bytes) }
        appendMembers(tokens, content, bytes, isRecord: true)
        document.append(UInt8(ascii: "}"))
        if !hasTitle { findings.insert(.emptyTitle) }
    }

    /// Encodes a programme given as nodes in any order.
    mutating func encode(_ nodes: [ContentNode]) {
        let record = XMLTokenRecord(programme: nodes)
        encode(record.tokens.span, 1..<record.tokens.count, record.bytes.span, from: 0)
    }

    /// The genre of the programme.
    var genre: ProgrammeGenre { genreFinder.genre(isDated: isDated, hasEpisode: episode != nil) }

    /// Encodes the attributes of a transmission; no bytes if there are none.
    mutating func encode(attributes: [ContentAttribute]) {
        document.removeAll(keepingCapacity: true)
        if !attributes.isEmpty { ElementJSON.append(object: attributes.canonical, to: &document) }
    }

    /// Returns the hash of the content: of the document and of the texts that only columns hold.
    func contentHash(_ hasher: ContentHasher) -> ContentHash {
        hasher.programme(
            document.span, texts: texts.span.extracting(0..<textCount), title: title?.count, subtitle: subtitle?.count,
            description: description?.count)
    }

    /// Whether the programme has a title, which is more than punctuation.
    var hasTitle: Bool {
        guard let title else { return false }
        let bytes = texts[title]
        // Most titles start with a letter or a digit.
        if let first = bytes.first, first < 0x80, first.isASCIILetterOrDigit { return true }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.contains { !$0.isPunctuation }
    }

    /// The amount of information in the programme (Rules.md, rule 15): the number of characters that a store keeps, less
    /// ``damagePenalty`` for each damaged place.
    var richness: UInt16 {
        let (document, columns) = (
            TextDamage.count(document.span), TextDamage.count(texts.span.extracting(0..<textCount))
        )
        let penalty = (document.damage + columns.damage) * Self.damagePenalty
        return UInt16(clamping: document.characters + columns.characters - penalty)
    }

    /// The number of characters that a damaged place costs: more than the few that it adds to a text.
    private static let damagePenalty = 40

    /// The number of bytes of title, sub-title, and description.
    private var textCount: Int { description?.upperBound ?? subtitle?.upperBound ?? title?.upperBound ?? 0 }

    private mutating func begin() {
        texts.removeAll(keepingCapacity: true)
        document.removeAll(keepingCapacity: true)
        (title, subtitle, description, category) = (nil, nil, nil, nil)
        // An empty array literal would call the generic initializer of `SetAlgebra`, which takes 1.6% of an import.
        (marks, findings) = (AiringMarks(rawValue: 0), ProgrammeDigest.Findings(rawValue: 0))
        (season, episode, part) = (nil, nil, nil)
        genreFinder.begin()
        isDated = false
    }

    /// Appends the text of a column.
    private mutating func column(_ text: String?) -> Range<Int>? {
        guard let text else { return nil }
        texts.append(contentsOf: text.utf8)
        return texts.count - text.utf8.count..<texts.count
    }

    // MARK: - Structure

    /// Finds the end and the shape of each element.
    ///
    /// - Returns: The shape of the programme itself.
    private mutating func measure(_ tokens: Span<XMLToken>, _ content: Range<Int>, _ bytes: Span<UInt8>) -> Shape {
        beforeFirst = content.lowerBound &- 1
        if extents.count <= content.count {
            extents += repeatElement(Extent(), count: content.count &+ 1 &- extents.count)
        }
        let drops = Self.measure(tokens, content, bytes, names.needContent, &extents, &decoded)
        if drops { findings.formUnion(.emptyElement) }
        return extents[0].shape
    }

    /// Finds the end and the shape of each element. The arrays are separate variables here, so that unique ownership of
    /// each is checked only once.
    ///
    /// - Returns: Whether an element within a child of the programme is dropped, because it lacks the content that it needs.
    private static func measure(
        _ tokens: Span<XMLToken>, _ content: Range<Int>, _ bytes: Span<UInt8>, _ needContent: [Bool],
        _ storage: inout [Extent], _ decoded: inout [UInt8]
    ) -> Bool {
        let beforeFirst = content.lowerBound &- 1
        var drops = false
        var extents = storage.mutableSpan
        extents[0] = Extent()
        // The innermost open element. Until it ends, its `end` holds its parent.
        var open = 0
        for index in content {
            let token = tokens[index]
            switch token.kind {
            case .start:
                extents[index &- beforeFirst] = Extent(end: open)
                open = index &- beforeFirst
            case .end where open > 0:
                let parent = extents[open].end
                extents[open].end = index
                // An empty element that is dropped is no part of its parent, unless it is in the middle of a text.
                if extents[open].shape.rawValue != 0 || !needContent[Int(tokens[beforeFirst &+ open].name.rawValue)]
                    || tokens[beforeFirst &+ parent].name.namesText
                {
                    extents[parent].shape.insert(.elements)
                } else {
                    drops = drops || parent > 0
                }
                open = parent
            case .text, .cdata, .skippedEntity:
                if holdsText(token, bytes, &decoded) { extents[open].shape.insert(.texts) }
            case .attribute, .end, .comment, .processingInstruction: break
            }
        }
        return drops
    }

    /// Appends the child elements in a range of tokens as members: a key and an array for each name, in canonical
    /// order.
    private mutating func appendMembers(
        _ tokens: Span<XMLToken>, _ content: Range<Int>, _ bytes: Span<UInt8>, isRecord: Bool
    ) {
        let first = children.count
        var last: UInt8 = 0
        var isOrdered = true
        var index = content.lowerBound
        while index < content.upperBound {
            let token = tokens[index]
            if token.kind == .start {
                let rank = names.ranks[Int(token.name.rawValue)]
                // The bytes decide between two unknown names.
                if rank < last || rank == last && rank == ElementOrder.unknown { isOrdered = false }
                last = rank
                if extents[index &- beforeFirst].shape.rawValue == 0, names.needContent[Int(token.name.rawValue)] {
                    if isRecord { reportEmpty(token.name) }
                } else {
                    children.append(index)
                }
                index = extents[index &- beforeFirst].end
            }
            index &+= 1
        }
        if !isOrdered { Self.order(&children, from: first, by: names.ranks, tokens, bytes) }
        var place = first
        while place < children.count {
            var end = place &+ 1
            while end < children.count, Self.isSameName(tokens[children[place]], tokens[children[end]], bytes) {
                end &+= 1
            }
            appendGroup(place..<end, tokens, bytes, isRecord: isRecord)
            place = end
        }
        children.removeLast(children.count &- first)
    }

    /// Reports a child of the programme that is dropped because it lacks the content that it needs.
    private mutating func reportEmpty(_ name: XMLTVName) {
        switch name {
        case .title: findings.insert(.emptyTitle)
        case .desc: findings.insert(.emptyDescription)
        default: findings.insert(.emptyElement)
        }
    }

    /// Sorts the token indices from `first` on like ``ordered(_:by:_:_:)``, without allocating for the few elements
    /// that most programmes have.
    private static func order(
        _ indices: inout [Int], from first: Int, by ranks: [UInt8], _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>
    ) {
        func rank(_ index: Int) -> UInt8 { ranks[Int(tokens[index].name.rawValue)] }
        // Empty elements can be out of order, too, and are not among the indices.
        guard indices.count &- first > 1 else { return }
        guard indices.count &- first <= 32, !indices[first...].contains(where: { rank($0) == ElementOrder.unknown })
        else {
            indices.replaceSubrange(first..., with: ordered(indices[first...], by: ranks, tokens, bytes))
            return
        }
        for end in first &+ 1..<indices.count {
            let index = indices[end]
            var place = end
            while place > first, rank(indices[place &- 1]) > rank(index) {
                indices[place] = indices[place &- 1]
                place &-= 1
            }
            indices[place] = index
        }
    }

    /// Returns tokens in the order of the ranks of their names. Unknown names are ordered by their bytes.
    private static func ordered(
        _ indices: some Sequence<Int>, by ranks: [UInt8], _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>
    ) -> [Int] {
        let keyed = indices.map { index in
            let rank = ranks[Int(tokens[index].name.rawValue)]
            return (rank: rank, name: rank == ElementOrder.unknown ? Self.name(tokens[index], bytes) : "", index: index)
        }
        return keyed.sorted { left, right in
            if left.rank != right.rank { return left.rank < right.rank }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }.map(\.index)
    }

    private static func isSameName(_ left: XMLToken, _ right: XMLToken, _ bytes: Span<UInt8>) -> Bool {
        guard left.name == .other, right.name == .other else { return left.name == right.name }
        return Self.name(left, bytes).utf8.elementsEqual(Self.name(right, bytes).utf8)
    }

    /// Appends a member: the key of a name, and the array of all elements with that name. A text that only its column
    /// holds needs no member.
    private mutating func appendGroup(
        _ group: Range<Int>, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>, isRecord: Bool
    ) {
        let start = document.count
        let token = tokens[children[group.lowerBound]]
        if token.name == .other {
            let name = Self.name(token, bytes)
            if isRecord, group.count == 1, name.utf8.first == UInt8(ascii: "@"),
                let content = textContent(tokens, children[group.lowerBound])
            {
                // An attribute of the record, which JSON has as an element.
                ElementJSON.append(key: name, to: &document)
                return appendText(tokens, children[group.lowerBound], content, bytes, isRecord: true)
            }
            ElementJSON.append(key: ElementJSON.key(of: name), to: &document)
        } else {
            ElementJSON.appendComma(to: &document)
            append(constant: names.elementKeys[Int(token.name.rawValue)])
        }
        if isRecord { marks.formUnion(names.marks[Int(token.name.rawValue)]) }
        var isOnlyInColumn = group.count == 1
        for place in group {
            document.append(place == group.lowerBound ? UInt8(ascii: "[") : UInt8(ascii: ","))
            let value = document.count
            append(tokens, children[place], bytes, isRecord: isRecord)
            isOnlyInColumn = isOnlyInColumn && document.count == value &+ 4 && document[value] == UInt8(ascii: "n")
        }
        if isOnlyInColumn { return document.removeLast(document.count &- start) }
        document.append(UInt8(ascii: "]"))
    }

    // MARK: - Elements

    /// Appends an element as a value.
    ///
    /// - Parameter isRecord: Whether it is a direct child of the programme.
    private mutating func append(_ tokens: Span<XMLToken>, _ start: Int, _ bytes: Span<UInt8>, isRecord: Bool) {
        let token = tokens[start]
        let shape = extents[start &- beforeFirst].shape
        let content = Self.content(tokens, from: start, to: extents[start &- beforeFirst].end)
        if shape.contains(.elements), shape.contains(.texts) || token.name.namesText {
            return appendTree(element(tokens, start, bytes), isRecord: isRecord)
        }
        guard shape.contains(.elements) || content.lowerBound > start &+ 1 else {
            if shape.isEmpty {
                append(constant: names.true)
            } else {
                appendText(tokens, start, content, bytes, isRecord: isRecord)
            }
            return
        }
        document.append(UInt8(ascii: "{"))
        append(attributes: start &+ 1..<content.lowerBound, tokens, bytes)
        if shape.contains(.elements) {
            appendMembers(tokens, content, bytes, isRecord: false)
        } else if shape.contains(.texts) {
            append(constant: names.textKey)
            appendText(tokens, start, content, bytes, isRecord: isRecord)
        }
        document.append(UInt8(ascii: "}"))
    }

    /// Returns the tokens of an element that has only a text; `nil` for any other element.
    private func textContent(_ tokens: Span<XMLToken>, _ start: Int) -> Range<Int>? {
        let extent = extents[start &- beforeFirst]
        let content = Self.content(tokens, from: start, to: extent.end)
        return content.lowerBound == start &+ 1 && extent.shape == .texts ? content : nil
    }

    /// Returns the tokens between the attributes of an element and its end.
    private static func content(_ tokens: Span<XMLToken>, from start: Int, to end: Int) -> Range<Int> {
        var content = start &+ 1
        while content < end, tokens[content].kind == .attribute { content &+= 1 }
        return content..<end
    }

    /// Appends attributes as members, in canonical order.
    private mutating func append(attributes range: Range<Int>, _ tokens: Span<XMLToken>, _ bytes: Span<UInt8>) {
        var isOrdered = true
        var last: UInt8 = 0
        for index in range {
            let rank = names.attributeRanks[Int(tokens[index].name.rawValue)]
            isOrdered = isOrdered && (index == range.lowerBound || rank > last)
            last = rank
        }
        if isOrdered {
            for index in range { append(tokens[index], bytes) }
        } else {
            for index in Self.ordered(range, by: names.attributeRanks, tokens, bytes) { append(tokens[index], bytes) }
        }
    }

    /// Appends an attribute as a member.
    private mutating func append(_ token: XMLToken, _ bytes: Span<UInt8>) {
        if token.name == .other {
            ElementJSON.append(key: "@" + Self.name(token, bytes), to: &document)
        } else {
            ElementJSON.appendComma(to: &document)
            append(constant: names.attributeKeys[Int(token.name.rawValue)])
        }
        if token.flags.requiresDecoding {
            decoded.removeAll(keepingCapacity: true)
            XMLDecoding.append(token, in: bytes, from: 0, to: &decoded)
            let value = decoded
            JSONText.append(quoted: value.span, to: &document)
        } else {
            let start = Int(token.offset)
            JSONText.append(quoted: bytes.extracting(start..<start &+ Int(token.count)), to: &document)
        }
    }

    /// Appends the text of an element that holds nothing else, or `null` if the text goes to a column.
    private mutating func appendText(
        _ tokens: Span<XMLToken>, _ start: Int, _ content: Range<Int>, _ bytes: Span<UInt8>, isRecord: Bool
    ) {
        let name = isRecord ? tokens[start].name : .other
        let token = tokens[content.lowerBound]
        if content.count == 1, token.kind != .skippedEntity, !token.flags.requiresDecoding {
            let range = Int(token.offset)..<Int(token.offset) &+ Int(token.count)
            let clean = TextNormalizer.cleanRange(bytes, range, isDescription: name == .desc)
            if let clean { return append(text: bytes.extracting(clean), tokens, start, name, bytes) }
        }
        decode(tokens, content, bytes)
        normalized.removeAll(keepingCapacity: true)
        TextNormalizer.append(decoded, isDescription: name == .desc, to: &normalized)
        let text = normalized
        append(text: text.span, tokens, start, name, bytes)
    }

    /// Appends the texts that are direct children of the programme, separated by spaces, as a member.
    private mutating func appendRecordText(_ tokens: Span<XMLToken>, _ content: Range<Int>, _ bytes: Span<UInt8>) {
        let texts = nodes(tokens, content, bytes).compactMap { normalized(text: $0, isDescription: false) }
        ElementJSON.append(key: ElementJSON.text, to: &document)
        JSONText.append(quoted: texts.joined(separator: " "), to: &document)
    }

    private mutating func append(
        text: Span<UInt8>, _ tokens: Span<XMLToken>, _ start: Int, _ name: XMLTVName, _ bytes: Span<UInt8>
    ) {
        if repairsTexts, let repaired = TextDamage.decodedOnceMore(text) {
            findings.insert(.doubleEncoding)
            return append(text: repaired.span, tokens, start, name, bytes)
        }
        let range = texts.count..<texts.count &+ text.count
        switch name {
        case .title where title == nil: title = range
        case .subTitle where subtitle == nil: subtitle = range
        case .desc where description == nil: description = range
        case .category:
            if category == nil {
                category = range
                texts.append(text, from: 0, count: text.count)
            }
            genreFinder.add(String(text))
            return JSONText.append(quoted: text, to: &document)
        default:
            if name == .episodeNum { readEpisode(text, isIndexed: isNumbered(tokens, start, bytes)) }
            if name == .date, text.count == 4 { readDate(String(text)) }
            return JSONText.append(quoted: text, to: &document)
        }
        texts.append(text, from: 0, count: text.count)
        append(constant: names.null)
    }

    private mutating func append(constant range: Range<Int>) { Self.append(names.bytes, range, to: &document) }

    private static func append(_ bytes: [UInt8], _ range: Range<Int>, to document: inout [UInt8]) {
        document.append(bytes.span, from: range.lowerBound, count: range.count)
    }

    /// Appends an element that was converted to a tree. Copies its text content to a column that is still free.
    private mutating func appendTree(_ element: ContentElement, isRecord: Bool) {
        guard isRecord, element.isMarkedUpText else {
            let element = normalizedDeep(element, isDescription: element.name == "desc").canonical
            return ElementJSON.append(element, to: &document)
        }
        var element = element.canonical.normalizedMarkup
        if repairsTexts {
            while true {
                let repaired = element.decodingDoubleEncoding
                if repaired == element { break }
                findings.insert(.doubleEncoding)
                element = repaired
            }
        }
        ElementJSON.append(element, to: &document)
        let text = element.textContent
        guard !text.isEmpty else { return }
        switch element.name {
        case "title" where title == nil: title = column(text)
        case "sub-title" where subtitle == nil: subtitle = column(text)
        case "desc" where description == nil: description = column(text)
        case "category":
            if category == nil { category = column(text) }
            genreFinder.add(text)
        default: return
        }
    }

    // MARK: - Trees

    /// Returns the nodes in a range of tokens, without normalizing their texts.
    private mutating func nodes(
        _ tokens: Span<XMLToken>, _ content: Range<Int>, _ bytes: Span<UInt8>
    ) -> [ContentNode] {
        var nodes: [ContentNode] = []
        var index = content.lowerBound
        while index < content.upperBound {
            switch tokens[index].kind {
            case .start:
                nodes.append(.element(element(tokens, index, bytes)))
                index = extents[index &- beforeFirst].end &+ 1
            case .text, .cdata, .skippedEntity:
                let first = index
                while index < content.upperBound, ![.start, .end].contains(tokens[index].kind) { index &+= 1 }
                decode(tokens, first..<index, bytes)
                nodes.append(.text(String(decoding: decoded, as: UTF8.self)))
            case .attribute, .end, .comment, .processingInstruction: index &+= 1
            }
        }
        return nodes
    }

    private mutating func element(_ tokens: Span<XMLToken>, _ start: Int, _ bytes: Span<UInt8>) -> ContentElement {
        let content = Self.content(tokens, from: start, to: extents[start &- beforeFirst].end)
        return ContentElement(
            name: Self.name(tokens[start], bytes),
            attributes: (start &+ 1..<content.lowerBound).map { attribute(tokens[$0], bytes) },
            children: nodes(tokens, content, bytes))
    }

    mutating func attribute(_ token: XMLToken, _ bytes: Span<UInt8>) -> ContentAttribute {
        decoded.removeAll(keepingCapacity: true)
        XMLDecoding.append(token, in: bytes, from: 0, to: &decoded)
        return ContentAttribute(name: Self.name(token, bytes), value: String(decoding: decoded, as: UTF8.self))
    }

    // Static, like the other steps that need no state: calling it on `self` in a mutating method would copy the
    // encoder.
    private static func name(_ token: XMLToken, _ bytes: Span<UInt8>) -> String {
        guard token.name == .other else { return "\(token.name.text)" }
        var name: [UInt8] = []
        name.append(bytes, from: Int(token.nameOffset), count: Int(token.nameCount))
        return String(decoding: name, as: UTF8.self)
    }

    /// Returns an element with each of its texts normalized, and without empty texts and elements that lack content.
    private mutating func normalizedDeep(_ element: ContentElement, isDescription: Bool) -> ContentElement {
        var copy = element
        copy.children = []
        for node in element.children {
            if case .element(let child) = node {
                let child = normalizedDeep(child, isDescription: false)
                if child.lacksContent { findings.insert(.emptyElement) } else { copy.children.append(.element(child)) }
            } else if let text = normalized(text: node, isDescription: isDescription) {
                if case .text(let before) = copy.children.last {
                    // The element between them was dropped.
                    copy.children[copy.children.count - 1] = .text(before + " " + text)
                } else {
                    copy.children.append(.text(text))
                }
            }
        }
        return copy
    }

    /// Returns the normalized text of a node; `nil` if it is empty, or the node is an element.
    private mutating func normalized(text node: ContentNode, isDescription: Bool) -> String? {
        guard case .text(let raw) = node else { return nil }
        var text = TextNormalizer.normalized(raw, isDescription: isDescription)
        while repairsTexts, let repaired = TextDamage.decodedOnceMore(Array(text.utf8).span) {
            findings.insert(.doubleEncoding)
            text = String(decoding: repaired, as: UTF8.self)
        }
        return text.isEmpty ? nil : text
    }

    // MARK: - Texts

    /// Returns whether a piece of text is more than white space.
    private static func holdsText(_ token: XMLToken, _ bytes: Span<UInt8>, _ decoded: inout [UInt8]) -> Bool {
        if token.kind == .skippedEntity { return true }
        let start = Int(token.offset)
        for index in start..<start &+ Int(token.count) where bytes[index] > 0x20 {
            guard bytes[index] == UInt8(ascii: "&"), token.flags.requiresDecoding else { return true }
            // A reference may denote white space.
            decoded.removeAll(keepingCapacity: true)
            XMLDecoding.append(token, in: bytes, from: 0, to: &decoded)
            return decoded.contains { $0 > 0x20 }
        }
        return false
    }

    /// Decodes the pieces of text in a range of tokens, which only comments, CDATA boundaries, or references separate.
    private mutating func decode(_ tokens: Span<XMLToken>, _ pieces: Range<Int>, _ bytes: Span<UInt8>) {
        decoded.removeAll(keepingCapacity: true)
        for index in pieces {
            let token = tokens[index]
            switch token.kind {
            case .skippedEntity:
                // Only a DTD could define it: keep it as written.
                findings.insert(.foreignEntity)
                decoded.append(UInt8(ascii: "&"))
                decoded.append(bytes, from: Int(token.offset), count: Int(token.count))
                decoded.append(UInt8(ascii: ";"))
            case .text, .cdata: XMLDecoding.append(token, in: bytes, from: 0, to: &decoded)
            case .start, .attribute, .end, .comment, .processingInstruction: break
            }
        }
    }

    /// Returns whether the system of an `<episode-num>` is `xmltv_ns`.
    private func isNumbered(_ tokens: Span<XMLToken>, _ start: Int, _ bytes: Span<UInt8>) -> Bool {
        var index = start &+ 1
        while tokens[index].kind == .attribute {
            let token = tokens[index]
            if token.name == .system, Int(token.count) == numbering.count {
                return numbering.indices.allSatisfy { bytes[Int(token.offset) &+ $0] == numbering[$0] }
            }
            index &+= 1
        }
        return false
    }

    private mutating func readDate(_ text: String) { isDated = isDated || GenreFinder.isYear(text.utf8) }

    /// Reads the number of an episode: of `xmltv_ns` if it is indexed, else, or if that is malformed and reported, of the
    /// form `S01E02` (Rules.md, rule 10).
    private mutating func readEpisode(_ text: Span<UInt8>, isIndexed: Bool) {
        var position: EpisodePosition?
        if isIndexed {
            do throws(MalformedEpisodeNumber) { position = try EpisodePosition(fields: text) } catch {
                findings.formUnion(.badEpisode)
            }
        }
        guard episode == nil, let position = position ?? EpisodePosition(seasonAndEpisode: text),
            let number = position.episode.number
        else { return }
        (season, episode, part) = (position.season.number, number, position.part.number)
    }
}

/// The ranks and JSON keys of known names, indexed by the raw value of the name.
private struct EncodedNames {
    let ranks: [UInt8]
    let attributeRanks: [UInt8]
    /// Whether an element is dropped if it has neither text nor child elements.
    let needContent: [Bool]
    /// The marks that an element of the programme sets.
    let marks: [AiringMarks]
    /// All constants below, one after the other.
    let bytes: [UInt8]
    /// `"name":`
    let elementKeys: [Range<Int>]
    /// `"@name":`
    let attributeKeys: [Range<Int>]
    let `true`: Range<Int>
    let null: Range<Int>
    let textKey: Range<Int>

    init() {
        let names = XMLTVName.allCases.map { "\($0.text)" }
        var bytes: [UInt8] = []
        func constant(_ text: String) -> Range<Int> {
            bytes += text.utf8
            return bytes.count - text.utf8.count..<bytes.count
        }
        ranks = names.map { ElementOrder.rank(ofElement: $0) }
        attributeRanks = names.map { ElementOrder.rank(ofAttribute: $0) }
        needContent = names.map(ContentElement.namesWithContent.contains)
        let marks: [XMLTVName: AiringMarks] = [
            .new: .new, .premiere: .premiere, .live: .live, .derived: .derived, .previouslyShown: .repeated,
        ]
        self.marks = XMLTVName.allCases.map { marks[$0] ?? [] }
        elementKeys = names.map { constant("\"\(ElementJSON.key(of: $0))\":") }
        attributeKeys = names.map { constant("\"@\($0)\":") }
        (`true`, null, textKey) = (constant("true"), constant("null"), constant(",\"text\":"))
        self.bytes = bytes
    }
}

extension XMLTokenRecord {
    /// Creates a record from the content of a programme.
    fileprivate init(programme nodes: [ContentNode]) {
        self.init(.programme)
        append(nodes)
    }

    private mutating func append(_ nodes: [ContentNode]) {
        for node in nodes {
            switch node {
            case .text(let text): self.text(text)
            case .element(let element):
                start(element.name)
                for attribute in element.attributes { self.attribute(attribute.name, attribute.value) }
                append(element.children)
                end()
            }
        }
    }
}

extension String {
    /// Creates a text from its bytes.
    fileprivate init(_ bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

extension Unicode.Scalar {
    /// Whether it is punctuation, white space, or an ASCII symbol such as `+`.
    fileprivate var isPunctuation: Bool {
        switch properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .spaceSeparator:
            true
        default: isASCII && !properties.isAlphabetic && !("0"..."9").contains(self)
        }
    }
}

extension ContentElement {
    /// The elements of `xmltv.dtd` that say nothing without content, whatever their attributes (Rules.md, XMLTV 1).
    fileprivate static let namesWithContent: Set = [
        "display-name", "title", "sub-title", "desc", "credits", "date", "category", "keyword", "language",
        "orig-language", "length", "url", "country", "episode-num", "video", "audio", "rating", "star-rating", "review",
        "image", "value", "present", "colour", "aspect", "quality", "stereo", "director", "actor", "writer", "adapter",
        "producer", "composer", "editor", "presenter", "commentator", "guest",
    ]

    /// Whether the element has neither texts nor child elements, but needs them.
    var lacksContent: Bool { children.isEmpty && Self.namesWithContent.contains(name) }
}
