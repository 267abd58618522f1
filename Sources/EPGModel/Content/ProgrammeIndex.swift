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
