import EPGModel

/// Logged changes that can't be read: the database was damaged or written by something else.
struct ChangeDamage: Error, Hashable {
    /// The offset of the first byte that makes no sense.
    let offset: Int
}

/// Reads back what ``ChangeEncoder`` wrote, from bytes that may be anything.
struct ChangeDecoder {
    private let bytes: [UInt8]
    private var offset = 0
    private var lastID: Int64 = 0
    private var lastStart: Int64 = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// All changes, in their order; an airing may occur more than once in damaged bytes only.
    ///
    /// - Complexity: O(bytes).
    mutating func changes() throws(ChangeDamage) -> [AiringChange] {
        var changes: [AiringChange] = []
        while offset < bytes.count {
            guard changes.count < LoggedChanges.limit else { throw ChangeDamage(offset: offset) }
            changes.append(try change())
        }
        return changes
    }

    private mutating func change() throws(ChangeDamage) -> AiringChange {
        let start = offset
        let kind = bytes[offset]
        offset += 1
        guard kind <= 3 else { throw ChangeDamage(offset: start) }
        lastID &+= try signed()
        let before = kind == 0 ? nil : try window()
        let after = kind == 1 ? nil : try window()
        guard let change = AiringChange(AiringID(lastID), from: before, to: after),
            (change.kind == .moved) == (kind == 2)
        else { throw ChangeDamage(offset: start) }
        return change
    }

    private mutating func window() throws(ChangeDamage) -> TimeWindow {
        let place = offset
        lastStart &+= try signed()
        // A length that leads beyond the last instant comes out before the start.
        let stop = lastStart &+ Int64(bitPattern: try unsigned())
        let window = TimeWindow(from: Instant(secondsSince1970: lastStart), to: Instant(secondsSince1970: stop))
        guard let window, !window.isEmpty else { throw ChangeDamage(offset: place) }
        return window
    }

    private mutating func signed() throws(ChangeDamage) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    private mutating func unsigned() throws(ChangeDamage) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard offset < bytes.count, shift < 64 else { throw ChangeDamage(offset: start) }
            let byte = bytes[offset]
            offset += 1
            let bits = UInt64(byte & 0x7F)
            // Of the tenth byte only one bit has room.
            guard shift < 63 || bits <= 1 else { throw ChangeDamage(offset: start) }
            value |= bits << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }
}
