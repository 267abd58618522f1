import EPGJSON
import EPGModel

/// Reads the byte codes of version 5. Numbers are unsigned LEB128.
struct Version5Reader {
    private let bytes: [UInt8]
    private var offset = 0
    private var lastID: Int64 = 0
    private var lastStart: Int64 = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var damage: StoredDocument.Damage {
        .init(detail: "a document of version 5 that cannot be read at byte \(offset)")
    }

    private mutating func byte() throws(StoredDocument.Damage) -> UInt8 {
        guard offset < bytes.count else { throw damage }
        defer { offset += 1 }
        return bytes[offset]
    }

    private mutating func unsigned() throws(StoredDocument.Damage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try byte()
            let bits = UInt64(byte & 0x7F)
            // Of the tenth byte only one bit has room.
            guard shift < 63 || bits <= 1 else { throw damage }
            value |= bits << shift
            if byte < 0x80 { return value }
        }
        throw damage
    }

    // MARK: - Documents

    // A document is a run of tokens, the shape of the XML without its syntax:
    //
    // 0x00                                       ends the innermost element
    // 0x01           length bytes                a text, UTF-8
    // 0x02           length bytes                begins an element whose name has no code
    // 0x03                                       a text that a column of its own holds
    // 0x04           length bytes length bytes   an attribute whose name has no code
    // 0x10 … 0x7F                                begins an element, by the code of its name
    // 0x80 … 0xFF    length bytes                an attribute, by the code of its name

    private static let elements = [
        "title", "sub-title", "desc", "credits", "date", "category", "keyword", "language", "orig-language", "length",
        "icon", "url", "country", "episode-num", "video", "audio", "previously-shown", "premiere", "last-chance", "new",
        "subtitles", "rating", "star-rating", "review", "image", "value", "present", "colour", "aspect", "quality",
        "stereo", "director", "actor", "writer", "adapter", "producer", "composer", "editor", "presenter",
        "commentator", "guest", "display-name", "lcn", "season", "episode", "series-desc", "live", "summary",
        "audio-described",
    ]
    private static let attributes = [
        "lang", "src", "width", "height", "system", "units", "type", "start", "channel", "role", "guest", "size",
        "orient", "source", "reviewer", "pdc-start", "vps-start", "showview", "videoplus", "clumpidx", "catchup-id",
    ]

    /// All nodes of a document.
    ///
    /// - Parameter columns: The texts of columns, by the name of the element; each is used once.
    consuming func nodes(columns: [String: String] = [:]) throws(StoredDocument.Damage) -> [ContentNode] {
        var columns = columns
        return try element(named: "", depth: 0, &columns).children
    }

    /// The attributes of a document that holds nothing else.
    consuming func attributes() throws(StoredDocument.Damage) -> [ContentAttribute] {
        var columns: [String: String] = [:]
        let element = try element(named: "", depth: 0, &columns)
        guard element.children.isEmpty else { throw damage }
        return element.attributes
    }

    /// The attributes and children up to the end of an element; at depth 0 up to the end of the document.
    private mutating func element(
        named name: String, depth: Int, _ columns: inout [String: String]
    ) throws(StoredDocument.Damage) -> ContentElement {
        guard depth <= 64 else { throw damage }
        var element = ContentElement(name: name)
        while offset < bytes.count {
            let code = Int(try byte())
            switch code {
            case 0x00 where depth > 0: return element
            case 0x01: element.children.append(.text(try string()))
            case 0x03: if let text = columns.removeValue(forKey: name) { element.children.append(.text(text)) }
            case 0x04, 0x80...:
                let name = try code == 0x04 ? string() : self.name(code - 0x80, in: Self.attributes)
                element.attributes.append(ContentAttribute(name: name, value: try string()))
            case 0x02, 0x10...:
                let name = try code == 0x02 ? string() : self.name(code - 0x10, in: Self.elements)
                element.children.append(.element(try self.element(named: name, depth: depth + 1, &columns)))
            default: throw damage
            }
        }
        guard depth == 0 else { throw damage }
        return element
    }

    private func name(_ code: Int, in names: [String]) throws(StoredDocument.Damage) -> String {
        guard code < names.count else { throw damage }
        return names[code]
    }

    private mutating func string() throws(StoredDocument.Damage) -> String {
        let length = try unsigned()
        guard length <= UInt64(bytes.count - offset) else { throw damage }
        defer { offset += Int(length) }
        return String(decoding: bytes[offset..<offset + Int(length)], as: UTF8.self)
    }

    // MARK: - Changes

    // The changes of one station are, for each change: a byte for its kind (0 inserted, 1 removed, 2 moved, 3 changed); the
    // airing's identifier, less that of the change before; the window before it, unless it was inserted; the window after it,
    // unless it was removed. Of each window: the start, less the start that was written last; the length in seconds. Numbers
    // that can be negative are zigzag-encoded.

    /// All changes of one station, in their order.
    ///
    /// - Complexity: O(bytes).
    consuming func changes() throws(StoredDocument.Damage) -> [AiringChange] {
        var changes: [AiringChange] = []
        while offset < bytes.count {
            guard changes.count < ChangeLog.limit else { throw damage }
            changes.append(try change())
        }
        return changes
    }

    private mutating func change() throws(StoredDocument.Damage) -> AiringChange {
        let kind = try byte()
        guard kind <= 3 else { throw damage }
        lastID &+= try signed()
        let before = kind == 0 ? nil : try window()
        let after = kind == 1 ? nil : try window()
        guard let change = AiringChange(AiringID(lastID), from: before, to: after),
            (change.kind == .moved) == (kind == 2)
        else { throw damage }
        return change
    }

    private mutating func window() throws(StoredDocument.Damage) -> TimeWindow {
        lastStart &+= try signed()
        // A length that leads beyond the last instant comes out before the start.
        let stop = lastStart &+ Int64(bitPattern: try unsigned())
        let window = TimeWindow(from: Instant(secondsSince1970: lastStart), to: Instant(secondsSince1970: stop))
        guard let window, !window.isEmpty else { throw damage }
        return window
    }

    private mutating func signed() throws(StoredDocument.Damage) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
