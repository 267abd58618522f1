/// Which contents are stored, and under which number: a hash table in memory.
package struct ContentIndex: Sendable {
    private struct Entry: Sendable {
        let hash: ContentHash
        let id: Int64
    }

    /// Bytes that each content takes, about.
    package static let bytesPerContent = MemoryLayout<Entry>.stride * 3 / 2 + HashPlaces.bytesPerPlace

    private var entries: [Entry] = []
    private var places: HashPlaces

    /// An empty table with room for some contents.
    package init(minimumCapacity: Int = 0) {
        places = HashPlaces(minimumCapacity: minimumCapacity)
        entries.reserveCapacity(minimumCapacity)
    }

    /// How many contents are known.
    package var count: Int { entries.count }

    /// The number under which the content is known.
    package func id(of hash: ContentHash) -> Int64? {
        places.find(hash) { entries[$0].hash == hash }.index.map { entries[$0].id }
    }

    /// The number under which the content is known, or the one it is given now.
    package mutating func id(of hash: ContentHash, orInsert newID: Int64) -> (id: Int64, isNew: Bool) {
        let (index, place) = places.find(hash) { entries[$0].hash == hash }
        if let index { return (entries[index].id, false) }
        entries.append(Entry(hash: hash, id: newID))
        let hashed = entries
        places.fill(place, hash, index: hashed.count - 1) { hashed[$0].hash }
        return (newID, true)
    }
}
