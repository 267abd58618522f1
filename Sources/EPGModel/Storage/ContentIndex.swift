/// The identity of a content: 128 bits made from its bytes and the key of the database.
///
/// Two programmes of a guide collide by accident with a chance of about n²/2¹²⁹. The key is random for each database, so
/// that a feed can't be written to collide on purpose.
public struct ContentHash: Hashable, Sendable {
    /// The upper 64 bits.
    public let high: UInt64
    /// The lower 64 bits.
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// Folds bytes into a ``ContentHash``: two lanes of 64 × 64 → 128-bit multiplications, as in wyhash.
package struct ContentHasher: Sendable {
    private let key: ContentHash

    /// Hashes for the database that has the key.
    package init(key: ContentHash) {
        self.key = key
    }

    /// The hash of a run of bytes.
    ///
    /// - Parameter seed: The hash of what comes before them, where they are a part of something.
    /// - Complexity: O(n), about four bytes a cycle.
    package func hash(_ bytes: Span<UInt8>, after seed: ContentHash = ContentHash(high: 0, low: 0)) -> ContentHash {
        let count = bytes.count
        var first = key.high ^ seed.high ^ 0xA076_1D64_78BD_642F
        var second = key.low ^ seed.low ^ 0xE703_7ED1_A0B4_28DB
        let raw = unsafe bytes.bytes
        var offset = 0
        while offset &+ 16 <= count {
            // The loads are checked against the span's bounds, and every bit pattern is a UInt64.
            let left = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let right = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
            first = Self.fold(left ^ 0x8EBC_6AF0_9C88_C6E3 ^ first, right ^ key.low)
            second = Self.fold(right ^ 0x5899_65CC_7537_4CC3 ^ second, left ^ key.high)
            offset &+= 16
        }
        let (left, right) = Self.tail(bytes, from: offset)
        first = Self.fold(left ^ first ^ 0x1D8E_4E27_C47D_124F, right ^ UInt64(count) ^ key.low)
        second = Self.fold(right ^ second ^ 0xEB44_ACCA_B455_D165, left ^ UInt64(count) ^ key.high)
        return ContentHash(
            high: Self.fold(first ^ 0xA076_1D64_78BD_642F, second ^ key.high),
            low: Self.fold(second ^ 0xE703_7ED1_A0B4_28DB, first ^ key.low))
    }

    /// The hash of a programme: of its JSON document, and of the texts that stand in columns.
    ///
    /// - Parameters:
    ///   - texts: Title, sub-title and description, one after the other.
    ///   - title: Bytes of the title, and so are the others; `nil` where there is none. Contents whose texts are divided
    ///     otherwise are not the same.
    package func programme(
        _ document: Span<UInt8>, texts: Span<UInt8>, title: Int?, subtitle: Int?, description: Int?
    ) -> ContentHash {
        func word(_ count: Int?) -> UInt64 { UInt64(truncatingIfNeeded: (count ?? -1) &+ 1) }
        // Different odd factors, so that lengths of any size don't cancel each other out.
        let counts =
            word(title) &* 0x9E37_79B9_7F4A_7C15 ^ word(subtitle) &* 0xC2B2_AE3D_27D4_EB4F
            ^ word(description) &* 0x1656_67B1_9E37_79F9
        return hash(document, after: hash(texts, after: ContentHash(high: counts, low: 0)))
    }

    /// The bytes from an offset on, fewer than sixteen, the first one lowest, with zeros above them.
    private static func tail(_ bytes: Span<UInt8>, from offset: Int) -> (UInt64, UInt64) {
        let count = bytes.count &- offset
        guard bytes.count >= 8 else {
            var word: UInt64 = 0
            for index in offset..<bytes.count { word |= UInt64(bytes[index]) << (UInt64(index &- offset) &* 8) }
            return (word, 0)
        }
        // Checked against the span's bounds, as above: the last eight bytes, those before the offset shifted out.
        let raw = unsafe bytes.bytes
        let last = unsafe raw.unsafeLoadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
        guard count >= 8 else { return (last >> (64 &- count &* 8), 0) }
        let first = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return (first, last >> (128 &- count &* 8))
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

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

/// What an import has to know of a stored programme, beside its content.
package struct ProgrammeDigest: Hashable, Sendable {
    /// Things about a programme that are worth a diagnostic wherever it is listed.
    package struct Findings: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// No title, or one without text.
        package static let emptyTitle = Findings(rawValue: 1)
        /// A description without text.
        package static let emptyDescription = Findings(rawValue: 2)
        /// An `xmltv_ns` number that is not of that form.
        package static let badEpisode = Findings(rawValue: 4)
        /// An entity that only a DTD could resolve.
        package static let foreignEntity = Findings(rawValue: 8)
    }

    /// Of the stored content: equal contents are one programme.
    package var content: ContentHash
    /// Of the bytes of the feed that it was read from first: the same bytes need not be read again.
    package var bytes: ContentHash
    /// A hash of the title.
    package var titleKey: UInt32
    /// ``Listing/richness``.
    package var richness: UInt16
    /// Reported for every listing of the programme.
    package var findings: Findings

    /// A digest of all its parts.
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

/// Finds the stored programmes by their content and by the bytes that they were read from.
package struct ProgrammeIndex: Sendable {
    /// A programme, as far as listings need it.
    package struct Known: Sendable {
        /// Its number in the store.
        package let id: Int64
        /// By which it is found.
        package let digest: ProgrammeDigest
    }

    /// Bytes that each programme takes, about: an entry, and a place in both tables, all of which grow by doubling.
    package static let bytesPerProgramme = MemoryLayout<Known>.stride * 3 / 2 + 2 * HashPlaces.bytesPerPlace

    private var known: [Known] = []
    private var byBytes: HashPlaces
    /// Made when it is first asked for: a feed that says nothing new never does.
    private var byContent: HashPlaces?
    /// Bytes that gave a content which is known from other bytes: indexes of ``known``.
    private var byOtherBytes = ContentIndex()
    /// Where the last one was found, and the one that was found furthest.
    private var last = -1
    private var furthest = -1

    /// An empty index with room for some programmes.
    package init(minimumCapacity: Int = 0) {
        byBytes = HashPlaces(minimumCapacity: minimumCapacity)
        known.reserveCapacity(minimumCapacity)
    }

    /// The programme that was read from the same bytes.
    ///
    /// A feed mostly says things in the order in which it said them first. So those that come next are tried before all
    /// others: they are near in memory, which a place in the table is not.
    package mutating func programme(readFrom bytes: ContentHash) -> Known? {
        let index =
            if holds(bytes, at: last + 1) {
                last + 1
            } else if holds(bytes, at: furthest + 1) {
                furthest + 1
            } else {
                byBytes.find(bytes) { known[$0].digest.bytes == bytes }.index
            }
        if let index {
            last = index
            furthest = max(furthest, index)
            return known[index]
        }
        return byOtherBytes.id(of: bytes).map { known[Int($0)] }
    }

    private func holds(_ bytes: ContentHash, at index: Int) -> Bool {
        index < known.count && known[index].digest.bytes == bytes
    }

    /// Takes a programme that is stored.
    ///
    /// - Precondition: ``programme(of:orInsert:)`` was not called yet, and no content is taken twice.
    package mutating func take(_ digest: ProgrammeDigest, id: Int64) {
        precondition(byContent == nil)
        append(Known(id: id, digest: digest))
    }

    /// The programme of a content: the one that is known, or a new one of that number.
    ///
    /// From now on it is found by these bytes too.
    package mutating func programme(
        of digest: ProgrammeDigest, orInsert newID: Int64
    ) -> (known: Known, isNew: Bool) {
        var contents = byContent.take() ?? makeContents()
        defer { byContent = contents }
        let (index, place) = contents.find(digest.content) { known[$0].digest.content == digest.content }
        if let index {
            if known[index].digest.bytes != digest.bytes {
                _ = byOtherBytes.id(of: digest.bytes, orInsert: Int64(index))
            }
            return (known[index], false)
        }
        let new = Known(id: newID, digest: digest)
        append(new)
        contents.fill(place, digest.content, index: known.count - 1) { known[$0].digest.content }
        return (new, true)
    }

    private mutating func append(_ new: Known) {
        known.append(new)
        let hashed = known
        let (index, place) = byBytes.find(new.digest.bytes) { hashed[$0].digest.bytes == new.digest.bytes }
        guard index == nil else { return }
        byBytes.fill(place, new.digest.bytes, index: hashed.count - 1) { hashed[$0].digest.bytes }
    }

    private func makeContents() -> HashPlaces {
        var contents = HashPlaces(minimumCapacity: known.count)
        for (index, programme) in known.enumerated() {
            let hash = programme.digest.content
            let place = contents.find(hash) { known[$0].digest.content == hash }.place
            contents.fill(place, hash, index: index) { known[$0].digest.content }
        }
        return contents
    }
}

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
