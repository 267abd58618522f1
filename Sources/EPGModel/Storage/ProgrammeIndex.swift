/// What an import has to know of a stored programme besides its content.
package struct ProgrammeDigest: Hashable, Sendable {
    /// Faults of a programme that each of its listings reports.
    package struct Findings: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// No title, or one without text.
        package static let emptyTitle = Findings(rawValue: 1)
        /// A description without text.
        package static let emptyDescription = Findings(rawValue: 2)
        /// A malformed `xmltv_ns` number.
        package static let badEpisode = Findings(rawValue: 4)
        /// An entity that only a DTD could resolve.
        package static let foreignEntity = Findings(rawValue: 8)
    }

    /// Equal contents are one programme.
    package var content: ContentHash
    /// The hash of the bytes of the feed that it was first read from: the same bytes need not be read again.
    package var bytes: ContentHash
    /// ``Listing/titleKey``
    package var titleKey: UInt32
    /// ``Listing/richness``
    package var richness: UInt16
    package var findings: Findings

    package init(
        content: ContentHash, bytes: ContentHash, titleKey: UInt32, richness: UInt16, findings: Findings
    ) {
        self.content = content
        self.bytes = bytes
        self.titleKey = titleKey
        self.richness = richness
        self.findings = findings
    }
}

/// The stored programmes, by their content and by the bytes that they were read from.
package struct ProgrammeIndex: Sendable {
    package struct Known: Sendable {
        /// The number in the store.
        package let id: Int64
        package let digest: ProgrammeDigest
    }

    /// The approximate size of a programme: an entry, and a place in both tables, all of which grow by doubling.
    package static let bytesPerProgramme = MemoryLayout<Known>.stride * 3 / 2 + 2 * HashPlaces.bytesPerPlace

    private var known: [Known] = []
    private var byBytes: HashPlaces
    /// Made on the first use: a feed without new programmes needs none.
    private var byContent: HashPlaces?
    /// Indexes of ``known`` by other bytes with the same content.
    private var byOtherBytes: [ContentHash: Int] = [:]
    /// The indexes of the last found programme and of the one furthest back.
    private var last = -1
    private var furthest = -1

    package init(minimumCapacity: Int = 0) {
        byBytes = HashPlaces(minimumCapacity: minimumCapacity)
        known.reserveCapacity(minimumCapacity)
    }

    /// The programme that was read from the same bytes.
    ///
    /// A feed mostly keeps its order. So the next programmes are tried first: they are near in memory, unlike their places in
    /// the table.
    package mutating func programme(readFrom bytes: ContentHash) -> Known? {
        let index =
            if holds(bytes, at: last + 1) {
                last + 1
            } else if holds(bytes, at: furthest + 1) {
                furthest + 1
            } else {
                byBytes.find(bytes) { known[$0].digest.bytes }.index
            }
        if let index {
            last = index
            furthest = max(furthest, index)
            return known[index]
        }
        return byOtherBytes[bytes].map { known[$0] }
    }

    private func holds(_ bytes: ContentHash, at index: Int) -> Bool {
        index < known.count && known[index].digest.bytes == bytes
    }

    /// Adds a stored programme.
    ///
    /// - Precondition: ``programme(of:orInsert:)`` was not called yet, and no content is added twice.
    package mutating func take(_ digest: ProgrammeDigest, id: Int64) {
        precondition(byContent == nil)
        append(Known(id: id, digest: digest))
    }

    /// The programme of a content, or a new one of that number. From now on the bytes of the digest find it too.
    package mutating func programme(
        of digest: ProgrammeDigest, orInsert newID: Int64
    ) -> (known: Known, isNew: Bool) {
        var contents = byContent.take() ?? makeContents()
        defer { byContent = contents }
        if let index = contents.find(digest.content, { known[$0].digest.content }).index {
            if known[index].digest.bytes != digest.bytes, byOtherBytes[digest.bytes] == nil {
                byOtherBytes[digest.bytes] = index
            }
            return (known[index], false)
        }
        let new = Known(id: newID, digest: digest)
        append(new)
        contents.insert(known.count - 1) { known[$0].digest.content }
        return (new, true)
    }

    private mutating func append(_ new: Known) {
        known.append(new)
        let hashed = known
        byBytes.insert(hashed.count - 1) { hashed[$0].digest.bytes }
    }

    private func makeContents() -> HashPlaces {
        var contents = HashPlaces(minimumCapacity: known.count)
        for index in known.indices { contents.insert(index) { known[$0].digest.content } }
        return contents
    }
}

/// The places of a hash table with open addressing whose entries are in an array elsewhere.
///
/// A place has eight bytes: a quarter of the hash, which tells whether the entry may match, and the entry's index from 1; 0 if
/// it is free. So a search misses the processor's cache once for the place, and once more only for a matching entry.
private struct HashPlaces: Sendable {
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

    /// The index of the entry with a hash, or the place for it.
    ///
    /// - Parameter hashAt: The hash of the entry at an index; called only where a quarter of it matches.
    @inline(__always)
    func find(_ hash: ContentHash, _ hashAt: (Int) -> ContentHash) -> (index: Int?, place: Int) {
        let mask = places.count &- 1
        let tag = hash.high & Self.tagBits
        var place = Int(truncatingIfNeeded: hash.low) & mask
        while true {
            let found = places[place]
            if found == 0 { return (nil, place) }
            if found & Self.tagBits == tag {
                let index = Int(found & ~Self.tagBits) &- 1
                if hashAt(index) == hash { return (index, place) }
            }
            place = (place &+ 1) & mask
        }
    }

    /// Adds the entry at an index, unless there is one with its hash.
    ///
    /// - Precondition: `index` is below 2³² − 1.
    mutating func insert(_ index: Int, hashAt: (Int) -> ContentHash) {
        precondition(index < Int(UInt32.max))
        let hash = hashAt(index)
        let (existing, place) = find(hash, hashAt)
        guard existing == nil else { return }
        places[place] = hash.high & Self.tagBits | UInt64(index + 1)
        used += 1
        if used * 3 > places.count * 2 { grow(hashAt) }
    }

    private mutating func grow(_ hashAt: (Int) -> ContentHash) {
        let old = places
        places = Array(repeating: 0, count: old.count * 2)
        let mask = places.count - 1
        for found in old where found != 0 {
            let hash = hashAt(Int(found & ~Self.tagBits) - 1)
            var place = Int(truncatingIfNeeded: hash.low) & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = found
        }
    }
}
