/// Which contents are stored, and under which number: a hash table of open addressing.
///
/// The table itself holds eight bytes a place, so that a look-up costs one miss of the cache where the content is new:
/// half of each place tells whether it may be the content, and only then the whole hash is compared.
package struct ContentIndex: Sendable {
    /// Half of the hash, then the entry's place from 1; 0 in a free place.
    private var places: [UInt64]
    private var hashes: [ContentHash] = []
    private var ids: [Int64] = []

    package init(minimumCapacity: Int = 0) {
        var capacity = 1 << 10
        while capacity < minimumCapacity * 2 { capacity <<= 1 }
        places = Array(repeating: 0, count: capacity)
        hashes.reserveCapacity(minimumCapacity)
        ids.reserveCapacity(minimumCapacity)
    }

    /// How many contents are known.
    package var count: Int { ids.count }

    /// The number under which the content is known.
    package func id(of hash: ContentHash) -> Int64? {
        let entry = places[place(of: hash)]
        return entry == 0 ? nil : ids[Self.index(entry)]
    }

    /// The number under which the content is known, or the one it is given now.
    ///
    /// - Precondition: Fewer than 2³² − 1 contents are known.
    package mutating func id(of hash: ContentHash, orInsert newID: Int64) -> (id: Int64, isNew: Bool) {
        let place = place(of: hash)
        if places[place] != 0 { return (ids[Self.index(places[place])], false) }
        precondition(ids.count < Int(UInt32.max) - 1)
        hashes.append(hash)
        ids.append(newID)
        places[place] = Self.tag(hash) | UInt64(ids.count)
        if ids.count * 3 > places.count * 2 { grow() }
        return (newID, true)
    }

    @inline(__always)
    private func place(of hash: ContentHash) -> Int {
        let mask = places.count &- 1
        let tag = Self.tag(hash)
        var place = Int(truncatingIfNeeded: hash.low) & mask
        while true {
            let entry = places[place]
            if entry == 0 { return place }
            if entry & Self.tagBits == tag, hashes[Self.index(entry)] == hash { return place }
            place = (place &+ 1) & mask
        }
    }

    private static let tagBits: UInt64 = 0xFFFF_FFFF_0000_0000

    @inline(__always)
    private static func tag(_ hash: ContentHash) -> UInt64 { hash.high & tagBits }

    @inline(__always)
    private static func index(_ entry: UInt64) -> Int { Int(entry & ~tagBits) &- 1 }

    private mutating func grow() {
        places = Array(repeating: 0, count: places.count * 2)
        let mask = places.count - 1
        for (index, hash) in hashes.enumerated() {
            var place = Int(truncatingIfNeeded: hash.low) & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = Self.tag(hash) | UInt64(index + 1)
        }
    }
}
