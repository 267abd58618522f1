package import EPGModel

/// A record of a guide that isn't XMLTV, as passed from its decoder to the import.
package enum GuideRecord: Hashable, Sendable {
    /// The description of the guide, as attributes of `<tv>`.
    case header([ContentAttribute])
    /// A station: its identifier, and the content of `<channel>` (see ``Station/nodes``).
    case station(StationID, nodes: [ContentNode], line: Int)
    /// One transmission of a programme.
    case airing(AiringRecord)
    /// A record that can't be read. It doesn't affect others.
    case unreadable(Diagnostic)
}

/// One transmission, with the content of `<programme>`.
package struct AiringRecord: Hashable, Sendable {
    /// A time as written in a guide.
    package enum Time: Hashable, Sendable {
        /// A time in any form that ``XMLTVTime`` parses, including ISO 8601.
        case text(String)
        /// A time that the reader has parsed.
        case instant(Instant)
    }

    /// The station of the airing.
    package var station: StationID
    /// The published start.
    package var start: Time
    /// The published stop; `nil` if the guide gives none.
    package var stop: Time?
    /// The position in a clump; `nil` if the window isn't shared.
    package var clump: Clump?
    /// Whether it is a release by a streaming service rather than a transmission.
    package var isRelease = false
    /// The attributes of the transmission: `showview`, `catchup-id`, …
    package var transmission: [ContentAttribute]
    /// The content of `<programme>`: title, sub-title, desc, …, in any order.
    package var nodes: [ContentNode]
    /// The line number, from 1; 0 if the format has no lines.
    package var line: Int

    package init(
        station: StationID, start: Time, stop: Time? = nil, clump: Clump? = nil,
        transmission: [ContentAttribute] = [], nodes: [ContentNode] = [], line: Int = 0
    ) {
        self.station = station
        self.start = start
        self.stop = stop
        self.clump = clump
        self.transmission = transmission
        self.nodes = nodes
        self.line = line
    }
}

/// A reader that returns the records of a guide one by one.
package protocol GuideRecordReader {
    /// Returns the next record, or `nil` at the end.
    ///
    /// - Throws: An error with the reason and position if the file can't be read further.
    mutating func next() throws -> GuideRecord?

    /// The memory in bytes held in addition to the record, because later records need it.
    var heldBytes: Int { get }
}

// MARK: - Building nodes

extension [ContentNode] {
    /// Appends an element with a text, unless the text is missing or empty.
    ///
    /// - Parameter attributes: Attributes without a value are omitted.
    mutating func append(
        _ name: String, _ text: String?, _ attributes: (name: String, value: String?)...
    ) {
        guard let text, !text.isEmpty else { return }
        append(name, attributes, children: [.text(text)])
    }

    /// Appends an element without text.
    mutating func append(
        element name: String, _ attributes: (name: String, value: String?)..., children: [ContentNode] = []
    ) {
        append(name, attributes, children: children)
    }

    /// Appends an element that contains only a child with a text, unless the text is missing or empty.
    mutating func append(
        _ name: String, _ attributes: (name: String, value: String?)..., child: String, _ text: String?
    ) {
        var children: [ContentNode] = []
        children.append(child, text)
        if !children.isEmpty { append(name, attributes, children: children) }
    }

    private mutating func append(
        _ name: String, _ attributes: [(name: String, value: String?)], children: [ContentNode]
    ) {
        let attributes = attributes.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : ContentAttribute(name: name, value: $0) }
        }
        append(.element(ContentElement(name: name, attributes: attributes, children: children)))
    }

    /// Returns the first element with a name.
    func element(named name: String) -> ContentElement? { elements.first { $0.name == name } }
}

// MARK: - Memory

extension ContentNode {
    /// The approximate memory of the node and its descendants in bytes.
    var heldBytes: Int {
        switch self {
        case .text(let text): MemoryLayout<ContentNode>.stride + text.heldBytes
        case .element(let element):
            MemoryLayout<ContentNode>.stride + element.name.heldBytes
                + element.attributes.reduce(element.attributes.isEmpty ? 0 : 32) {
                    $0 + MemoryLayout<ContentAttribute>.stride + $1.name.heldBytes + $1.value.heldBytes
                }
                + element.children.reduce(element.children.isEmpty ? 0 : 32) { $0 + $1.heldBytes }
        }
    }
}

extension String {
    /// The memory of the string in bytes in addition to its value, which holds up to 15 bytes inline.
    var heldBytes: Int { utf8.count <= 15 ? 0 : 32 + utf8.count }
}

// MARK: - Repairs

// JSON strings may contain U+0000, unlike XML.

extension ContentNode {
    var holdsNull: Bool {
        switch self {
        case .text(let text): text.utf8.contains(0)
        case .element(let element):
            element.name.utf8.contains(0) || element.attributes.contains(where: \.holdsNull)
                || element.children.contains(where: \.holdsNull)
        }
    }

    /// The node with texts that were encoded as UTF-8 twice decoded once more (Rules.md, rule 18).
    var decodingDoubleEncoding: ContentNode {
        switch self {
        case .text(let text):
            TextDamage.decodedOnceMore(Array(text.utf8).span).map { .text(String(decoding: $0, as: UTF8.self)) } ?? self
        case .element(let element): .element(element.decodingDoubleEncoding)
        }
    }

    /// The node without U+0000.
    var withoutNull: ContentNode {
        switch self {
        case .text(let text): return .text(text.withoutNull)
        case .element(var element):
            element.name = element.name.withoutNull
            element.attributes = element.attributes.map(\.withoutNull)
            element.children = element.children.map(\.withoutNull)
            return .element(element)
        }
    }
}

extension ContentElement {
    /// See ``ContentNode/decodingDoubleEncoding``.
    var decodingDoubleEncoding: ContentElement {
        var copy = self
        copy.children = children.map(\.decodingDoubleEncoding)
        return copy
    }
}

extension ContentAttribute {
    fileprivate var holdsNull: Bool { name.utf8.contains(0) || value.utf8.contains(0) }

    var withoutNull: ContentAttribute {
        ContentAttribute(name: name.withoutNull, value: value.withoutNull)
    }
}

extension AiringRecord {
    /// Whether the airing has U+0000, other than in its times.
    var holdsNull: Bool {
        station.rawValue.utf8.contains(0) || transmission.contains(where: \.holdsNull)
            || nodes.contains(where: \.holdsNull)
    }

    /// The airing without U+0000, except in its times.
    var withoutNull: AiringRecord {
        var copy = self
        copy.station = StationID(station.rawValue.withoutNull)
        copy.transmission = transmission.map(\.withoutNull)
        copy.nodes = nodes.map(\.withoutNull)
        return copy
    }
}

extension [ContentNode] {
    /// Returns whether elements are nested deeper than a limit.
    func isDeeper(than limit: Int) -> Bool {
        guard limit >= 0 else { return true }
        return contains { node in
            guard case .element(let element) = node else { return false }
            return element.children.isDeeper(than: limit - 1)
        }
    }
}
