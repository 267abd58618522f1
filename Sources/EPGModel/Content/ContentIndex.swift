/// Which contents are stored, and under which number: a hash table of open addressing, 24 bytes an entry.
package struct ContentIndex: Sendable {
    private struct Entry: Sendable {
        var hash: ContentHash
        /// 0 in a free place.
        var id: Int64
    }

    private var entries: [Entry]
    private(set) package var count = 0

    package init(minimumCapacity: Int = 1 << 10) {
        var capacity = 1 << 10
        while capacity < minimumCapacity * 3 / 2 { capacity <<= 1 }
        entries = Array(repeating: Entry(hash: ContentHash(high: 0, low: 0), id: 0), count: capacity)
    }

    /// The number under which the content is known.
    package func id(of hash: ContentHash) -> Int64? {
        let entry = entries[place(of: hash)]
        return entry.id == 0 ? nil : entry.id
    }

    /// The number under which the content is known, or the one it is given now.
    ///
    /// - Precondition: `newID` is not 0.
    package mutating func id(of hash: ContentHash, orInsert newID: Int64) -> (id: Int64, isNew: Bool) {
        let place = place(of: hash)
        if entries[place].id != 0 { return (entries[place].id, false) }
        precondition(newID != 0)
        entries[place] = Entry(hash: hash, id: newID)
        count += 1
        if count * 3 > entries.count * 2 { grow() }
        return (newID, true)
    }

    private func place(of hash: ContentHash) -> Int {
        let mask = entries.count - 1
        var place = Int(truncatingIfNeeded: hash.low) & mask
        while entries[place].id != 0, entries[place].hash != hash { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: Entry(hash: ContentHash(high: 0, low: 0), id: 0), count: old.count * 2)
        for entry in old where entry.id != 0 { entries[place(of: entry.hash)] = entry }
    }
}
