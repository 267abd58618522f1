/// The places of a hash table of open addressing whose entries stand in an array elsewhere.
///
/// A place has eight bytes: half of the hash, which tells whether the entry may be the one that is sought, and the
/// entry's index from 1, 0 in a free place. So a search misses the processor's cache once for the place, and once more
/// only for an entry that is there.
struct HashPlaces: Sendable {
    /// Bytes for each entry, on average: between a third and two thirds of the places are filled.
    static let bytesPerPlace = 2 * MemoryLayout<UInt64>.stride

    private var places: [UInt64]
    private var used = 0

    private static let tagBits: UInt64 = 0xFFFF_FFFF_0000_0000

    init(minimumCapacity: Int) {
        var capacity = 1 << 10
        while capacity < minimumCapacity * 2 { capacity <<= 1 }
        places = Array(repeating: 0, count: capacity)
    }

    /// The index of the entry that has a hash; else the place for it.
    ///
    /// - Parameter isEntry: Whether the entry of an index has the hash; asked only where half of it fits.
    @inline(__always)
    func find(_ hash: ContentHash, isEntry: (Int) -> Bool) -> (index: Int?, place: Int) {
        let mask = places.count &- 1
        let tag = hash.high & Self.tagBits
        var place = Int(truncatingIfNeeded: hash.low) & mask
        while true {
            let found = places[place]
            if found == 0 { return (nil, place) }
            if found & Self.tagBits == tag {
                let index = Int(found & ~Self.tagBits) &- 1
                if isEntry(index) { return (index, place) }
            }
            place = (place &+ 1) & mask
        }
    }

    /// Fills a free place that ``find(_:isEntry:)`` gave.
    ///
    /// - Parameter hashOf: The hash of the entry of an index, asked when the table grows.
    /// - Precondition: `index` is below 2³² − 1.
    mutating func fill(_ place: Int, _ hash: ContentHash, index: Int, hashOf: (Int) -> ContentHash) {
        precondition(index < Int(UInt32.max))
        places[place] = hash.high & Self.tagBits | UInt64(index + 1)
        used += 1
        if used * 3 > places.count * 2 { grow(hashOf) }
    }

    private mutating func grow(_ hashOf: (Int) -> ContentHash) {
        let old = places
        places = Array(repeating: 0, count: old.count * 2)
        let mask = places.count - 1
        for found in old where found != 0 {
            let hash = hashOf(Int(found & ~Self.tagBits) - 1)
            var place = Int(truncatingIfNeeded: hash.low) & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = found
        }
    }
}
