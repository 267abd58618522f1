/// Writes changes of a station's airings as the column `change.airings` has them; the format stands in `schema.sql`.
struct ChangeEncoder {
    private(set) var bytes: [UInt8] = []
    private var lastID: Int64 = 0
    private var lastStart: Int64 = 0

    mutating func inserted(_ airing: StoredAiring) {
        begin(0, airing.id)
        window(airing)
    }

    mutating func removed(_ airing: StoredAiring) {
        begin(1, airing.id)
        window(airing)
    }

    /// An airing that kept its identifier.
    mutating func changed(_ id: Int64, from old: StoredAiring, to new: StoredAiring) {
        begin(old.start == new.start ? 3 : 2, id)
        window(old)
        window(new)
    }

    private mutating func begin(_ kind: UInt8, _ id: Int64) {
        bytes.append(kind)
        signed(id &- lastID)
        lastID = id
    }

    private mutating func window(_ airing: StoredAiring) {
        signed(airing.start &- lastStart)
        lastStart = airing.start
        unsigned(UInt64(bitPattern: airing.stop &- airing.start))
    }

    private mutating func signed(_ value: Int64) {
        unsigned(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    private mutating func unsigned(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
