/// The data of a stored programme that an import needs besides its content.
package struct ProgrammeDigest: Hashable, Sendable {
    /// Problems of a programme, which each of its listings reports.
    package struct Findings: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        /// Creates a set from the sum of the raw values of the findings, as the table stores it.
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
        /// A text that was encoded twice.
        package static let doubleEncoding = Findings(rawValue: 16)
        /// An element other than a title or description without the content that it needs.
        package static let emptyElement = Findings(rawValue: 32)

        /// The diagnostic of each finding.
        package static let keywords: [(finding: Findings, keyword: Diagnostic.Keyword)] = [
            (.emptyTitle, .emptytitle), (.emptyDescription, .emptydescription), (.badEpisode, .badepisode),
            (.foreignEntity, .badentity), (.doubleEncoding, .doubleencoding), (.emptyElement, .emptyelement),
        ]

        /// The findings that change a text. Their diagnostics are warnings with ``Diagnostic/Action/decodedText``.
        package static let changesOfTexts: Findings = [.doubleEncoding]
    }

    /// The ``version`` of programmes that were completed from several sources, which no import recognizes.
    package static let completedVersion = UInt8.max

    /// The hash of the content. Equal contents are one programme.
    package var content: ContentHash
    /// The hash of the bytes in the feed. Equal bytes need not be parsed again.
    package var bytes: ContentHash
    /// ``Listing/titleKey``
    package var titleKey: UInt32
    /// ``Listing/episodeKey``
    package var episodeKey: EpisodeKey
    /// ``Listing/richness``
    package var richness: UInt16
    /// The problems in the bytes. Other bytes with the same content may have others.
    package var findings: Findings
    /// The version of the rules by which the bytes were read, from 1.
    package var version: UInt8

    /// Creates a digest; see the properties.
    package init(
        content: ContentHash, bytes: ContentHash, titleKey: UInt32, episodeKey: EpisodeKey = EpisodeKey(rawValue: 0),
        richness: UInt16, findings: Findings, version: UInt8 = 1
    ) {
        self.content = content
        self.bytes = bytes
        self.titleKey = titleKey
        self.episodeKey = episodeKey
        self.richness = richness
        self.findings = findings
        self.version = version
    }
}

/// An index of the stored programmes by their content and by their bytes in the feed.
package struct ProgrammeIndex: Sendable {
    /// A stored programme.
    package struct Entry: Sendable {
        /// The number in the store.
        package let id: Int64
        /// What an import needs besides the content.
        package fileprivate(set) var digest: ProgrammeDigest
    }

    /// The result of ``programme(of:orInsert:)``.
    package enum Origin: Sendable {
        case new, known
        /// Known, but read by an older version, whose bytes no longer find it, and which may have computed its richness, title or
        /// episode differently.
        case updated
    }

    /// The approximate size of a programme: an entry, and a slot in both tables, all of which grow by doubling.
    package static let bytesPerProgramme = MemoryLayout<Entry>.stride * 3 / 2 + 2 * HashSlots.bytesPerEntry

    private var entries: [Entry] = []
    private var byBytes: HashSlots
    /// Created on first use, because a feed without new programmes does not need it.
    private var byContent: HashSlots?
    /// Other bytes with the same content: the indexes in ``entries``, and the findings in these bytes.
    private var byOtherBytes: [ContentHash: (index: Int, findings: ProgrammeDigest.Findings)] = [:]
    /// The index of the last found programme, and the largest index found.
    private var last = -1
    private var furthest = -1

    /// Creates an empty index.
    ///
    /// - Parameter minimumCapacity: The number of programmes to reserve memory for.
    package init(minimumCapacity: Int = 0) {
        byBytes = HashSlots(minimumCapacity: minimumCapacity)
        entries.reserveCapacity(minimumCapacity)
    }

    /// Returns the programme with the same bytes in the feed.
    ///
    /// Feeds mostly keep their order. Trying the next programmes first is fast, because they are adjacent in memory, unlike
    /// their slots in the table.
    package mutating func programme(readFrom bytes: ContentHash) -> Entry? {
        let index =
            if holds(bytes, at: last + 1) {
                last + 1
            } else if holds(bytes, at: furthest + 1) {
                furthest + 1
            } else {
                byBytes.find(bytes) { entries[$0].digest.bytes }.index
            }
        if let index {
            last = index
            furthest = max(furthest, index)
            return entries[index]
        }
        return byOtherBytes[bytes].map { entry(at: $0.index, with: $0.findings) }
    }

    private func entry(at index: Int, with findings: ProgrammeDigest.Findings) -> Entry {
        var entry = entries[index]
        entry.digest.findings = findings
        return entry
    }

    private func holds(_ bytes: ContentHash, at index: Int) -> Bool {
        index < entries.count && entries[index].digest.bytes == bytes
    }

    /// Adds a stored programme.
    ///
    /// - Precondition: ``programme(of:orInsert:)`` has not been called, and no content is added twice.
    package mutating func insert(_ digest: ProgrammeDigest, id: Int64) {
        precondition(byContent == nil)
        append(Entry(id: id, digest: digest))
    }

    /// Returns the programme with a content, or inserts it with a new number. Afterwards the bytes of the digest also find it.
    package mutating func programme(
        of digest: ProgrammeDigest, orInsert newID: Int64
    ) -> (entry: Entry, origin: Origin) {
        var contents = byContent.take() ?? makeContents()
        defer { byContent = contents }
        if let index = contents.find(digest.content, { entries[$0].digest.content }).index {
            if entries[index].digest.bytes != digest.bytes, byOtherBytes[digest.bytes] == nil {
                byOtherBytes[digest.bytes] = (index, digest.findings)
            }
            // These follow from the content. Bytes and findings do not: they differ between places in a feed.
            let known = entries[index].digest
            guard
                (known.version, known.richness, known.episodeKey, known.titleKey) != (
                    digest.version, digest.richness, digest.episodeKey, digest.titleKey
                )
            else { return (entry(at: index, with: digest.findings), .known) }
            entries[index].digest = digest
            return (entries[index], .updated)
        }
        let new = Entry(id: newID, digest: digest)
        append(new)
        contents.insert(entries.count - 1) { entries[$0].digest.content }
        return (new, .new)
    }

    private mutating func append(_ new: Entry) {
        entries.append(new)
        let hashed = entries
        byBytes.insert(hashed.count - 1) { hashed[$0].digest.bytes }
    }

    private func makeContents() -> HashSlots {
        var contents = HashSlots(minimumCapacity: entries.count)
        for index in entries.indices { contents.insert(index) { entries[$0].digest.content } }
        return contents
    }
}

/// The slots of a hash table with open addressing, whose entries are in a separate array.
///
/// A slot has eight bytes: a quarter of the hash as a tag, and the entry's 1-based index; 0 if it is free. A lookup therefore
/// has one cache miss for the slot, and a second cache miss only for a matching entry.
private struct HashSlots: Sendable {
    /// The average number of bytes per entry: one to two thirds of the slots are in use.
    static let bytesPerEntry = 2 * MemoryLayout<UInt64>.stride

    private var slots: [UInt64]
    private var used = 0

    private static let tagBits: UInt64 = 0xFFFF_FFFF_0000_0000

    init(minimumCapacity: Int) {
        var capacity = 1 << 10
        while capacity < minimumCapacity * 2 { capacity <<= 1 }
        slots = Array(repeating: 0, count: capacity)
    }

    /// Returns the index of the entry with a hash, and its slot or a free one.
    ///
    /// - Parameter hashAt: Returns the hash of the entry at an index; called only if the tag matches.
    @inline(__always)
    func find(_ hash: ContentHash, _ hashAt: (Int) -> ContentHash) -> (index: Int?, slot: Int) {
        let mask = slots.count &- 1
        let tag = hash.high & Self.tagBits
        var slot = Int(truncatingIfNeeded: hash.low) & mask
        while true {
            let found = slots[slot]
            if found == 0 { return (nil, slot) }
            if found & Self.tagBits == tag {
                let index = Int(found & ~Self.tagBits) &- 1
                if hashAt(index) == hash { return (index, slot) }
            }
            slot = (slot &+ 1) & mask
        }
    }

    /// Adds the entry at an index unless an entry with its hash exists.
    ///
    /// - Precondition: `index` is below 2³² − 1.
    mutating func insert(_ index: Int, hashAt: (Int) -> ContentHash) {
        precondition(index < Int(UInt32.max))
        let hash = hashAt(index)
        let (existing, slot) = find(hash, hashAt)
        guard existing == nil else { return }
        slots[slot] = hash.high & Self.tagBits | UInt64(index + 1)
        used += 1
        if used * 3 > slots.count * 2 { grow(hashAt) }
    }

    private mutating func grow(_ hashAt: (Int) -> ContentHash) {
        let old = slots
        slots = Array(repeating: 0, count: old.count * 2)
        let mask = slots.count - 1
        for found in old where found != 0 {
            let hash = hashAt(Int(found & ~Self.tagBits) - 1)
            var slot = Int(truncatingIfNeeded: hash.low) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = found
        }
    }
}

/// The encoding of the rows (pieces) of the table `programme_digest`; see schema.sql.
package enum DigestPiece {
    /// The number of bytes of a digest.
    package static let width = 44
    /// The offset of ``ProgrammeDigest/version``, which is 0 for a removed programme.
    fileprivate static let liveOffset = 43

    /// Returns the bytes of programmes with consecutive numbers.
    package static func bytes(of rows: [ContentBatch.ProgrammeRow]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * width)
        for row in rows { append(row.digest, to: &bytes) }
        return bytes
    }

    /// Adds the programmes of a piece to an index.
    package static func insert(_ bytes: [UInt8], from first: Int64, into index: inout ProgrammeIndex) {
        unsafe bytes.withUnsafeBytes { bytes in
            for place in 0..<bytes.count / width {
                let version = unsafe bytes[place * width + liveOffset]
                if version == 0 || version == ProgrammeDigest.completedVersion { continue }
                unsafe index.insert(digest(bytes, at: place * width), id: first + Int64(place))
            }
        }
    }

    /// Returns the hash of the content of the programme at a place.
    fileprivate static func content(_ bytes: [UInt8], at place: Int) -> ContentHash {
        unsafe bytes.withUnsafeBytes { unsafe digest($0, at: place * width).content }
    }

    /// Returns the number of programmes of a piece that are not removed.
    package static func liveCount(_ bytes: [UInt8]) -> Int {
        (0..<bytes.count / width).count { bytes[$0 * width + liveOffset] != 0 }
    }

    /// Appends the bytes of one programme.
    fileprivate static func append(_ digest: ProgrammeDigest, to bytes: inout [UInt8]) {
        let (content, source) = (digest.content, digest.bytes)
        let words = (
            content.high.littleEndian, content.low.littleEndian, source.high.littleEndian, source.low.littleEndian,
            digest.titleKey.littleEndian, digest.episodeKey.rawValue.littleEndian, digest.richness.littleEndian,
            digest.findings.rawValue, digest.version
        )
        unsafe withUnsafeBytes(of: words) { unsafe bytes.append(contentsOf: $0) }
    }

    private static func digest(_ bytes: UnsafeRawBufferPointer, at start: Int) -> ProgrammeDigest {
        func word(_ offset: Int) -> UInt64 {
            unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self))
        }
        let (keys, rest) = (word(32), word(36) >> 32)
        return ProgrammeDigest(
            content: ContentHash(high: word(0), low: word(8)), bytes: ContentHash(high: word(16), low: word(24)),
            titleKey: UInt32(truncatingIfNeeded: keys),
            episodeKey: EpisodeKey(rawValue: UInt32(truncatingIfNeeded: keys >> 32)),
            richness: UInt16(truncatingIfNeeded: rest),
            findings: ProgrammeDigest.Findings(rawValue: UInt8(truncatingIfNeeded: rest >> 16)),
            version: UInt8(truncatingIfNeeded: rest >> 24))
    }
}

/// The rows of the table `programme_digest`.
package protocol DigestTable {
    /// Returns the last piece that begins at or before a programme; `nil` if there is none.
    func piece(of programme: Int64) throws -> (first: Int64, bytes: [UInt8])?

    /// Returns the pieces of programmes, in ascending order.
    func pieces(of programmes: [Int64]) throws -> [(first: Int64, bytes: [UInt8])]

    /// Replaces the piece that begins with a programme, or deletes it (`nil`).
    func replacePiece(from first: Int64, with bytes: [UInt8]?) throws
}

/// An editor of the digests of programmes, in ascending order of their numbers.
package struct DigestEditor {
    private let table: any DigestTable
    private var first: Int64 = 0
    private var bytes: [UInt8] = []
    /// The end of the numbers of the current piece.
    private var end: Int64 { first &+ Int64(bytes.count / DigestPiece.width) }

    /// Creates an editor that has changed nothing. ``finish()`` writes the last changes.
    package init(_ table: any DigestTable) {
        self.table = table
    }

    /// Replaces the digest of a programme; returns `false` if it has none.
    package mutating func set(_ digest: ProgrammeDigest, of programme: Int64) throws -> Bool {
        var bytes: [UInt8] = []
        DigestPiece.append(digest, to: &bytes)
        return try replace(bytes, at: 0, of: programme)
    }

    /// Marks the digest of a programme as unused.
    package mutating func remove(_ programme: Int64) throws {
        _ = try replace([0], at: DigestPiece.liveOffset, of: programme)
    }

    /// Replaces the bytes at an offset of a digest.
    private mutating func replace(_ new: [UInt8], at offset: Int, of programme: Int64) throws -> Bool {
        if bytes.isEmpty || programme >= end {
            try finish()
            guard let piece = try table.piece(of: programme) else { return false }
            (first, bytes) = piece
        }
        guard programme < end else { return false }
        let start = Int(programme - first) * DigestPiece.width + offset
        bytes.replaceSubrange(start..<start + new.count, with: new)
        return true
    }

    /// Writes the current piece, or deletes it if all of its programmes are removed.
    package mutating func finish() throws {
        guard !bytes.isEmpty else { return }
        let isLive = stride(from: DigestPiece.liveOffset, to: bytes.count, by: DigestPiece.width).contains {
            bytes[$0] != 0
        }
        try table.replacePiece(from: first, with: isLive ? bytes : nil)
        (first, bytes) = (0, [])
    }
}

/// A reader of the digests of programmes, which reads each piece once.
package struct DigestReader {
    private let table: any DigestTable
    /// The pieces that were read, in ascending order, and the piece that was used last.
    private var pieces: [(numbers: Range<Int64>, bytes: [UInt8])] = []
    private var last = 0

    /// Creates a reader that has read most pieces of some programmes.
    package init(_ table: any DigestTable, for programmes: [Int64]) throws {
        self.table = table
        // One programme of each 256 is enough, because a piece has a thousand or more. The reader reads other pieces on demand.
        var chosen: [Int64: Int64] = [:]
        var last: Int64?
        for programme in programmes where programme >> 8 != last {
            last = programme >> 8
            chosen[programme >> 8] = programme
        }
        pieces = try table.pieces(of: chosen.values.sorted()).map { Self.piece($0.first, $0.bytes) }
    }

    private static func piece(_ first: Int64, _ bytes: [UInt8]) -> (numbers: Range<Int64>, bytes: [UInt8]) {
        let (end, overflows) = first.addingReportingOverflow(Int64(bytes.count / DigestPiece.width))
        return (first..<(overflows ? first : end), bytes)
    }

    /// Returns the hash of the content of a programme; `nil` if it has no digest.
    ///
    /// Neighbors in a schedule are often neighbors in a piece, so the piece that was used last is tried first.
    package mutating func content(of programme: Int64) throws -> ContentHash? {
        if last >= pieces.count || !pieces[last].numbers.contains(programme) {
            last = pieces.partitioningIndex { $0.numbers.upperBound > programme }
            if last == pieces.count || pieces[last].numbers.lowerBound > programme {
                guard let found = try table.piece(of: programme).map({ Self.piece($0.first, $0.bytes) }),
                    found.numbers.contains(programme)
                else { return nil }
                pieces.insert(found, at: last)
            }
        }
        let piece = pieces[last]
        return DigestPiece.content(piece.bytes, at: Int(programme - piece.numbers.lowerBound))
    }
}
