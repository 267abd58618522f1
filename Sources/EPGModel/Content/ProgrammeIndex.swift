/// What an import has to know of a stored programme, beside its content.
package struct ProgrammeDigest: Hashable, Sendable {
    /// Things about a programme that are worth a diagnostic wherever it is listed.
    package struct Findings: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let emptyTitle = Findings(rawValue: 1)
        package static let emptyDescription = Findings(rawValue: 2)
        package static let badEpisode = Findings(rawValue: 4)
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

/// Finds the stored programmes by their content and by the bytes that they were read from.
package struct ProgrammeIndex: Sendable {
    /// A programme, as far as listings need it.
    package struct Known: Sendable {
        package let id: Int64
        /// The high half of the content's hash.
        package let contentKey: UInt64
        package let titleKey: UInt32
        package let richness: UInt16
        package let findings: ProgrammeDigest.Findings
    }

    private var known: [Known] = []
    /// Places in ``known``, counted from 1.
    private var byContent: ContentIndex
    private var byBytes: ContentIndex

    package init(minimumCapacity: Int = 0) {
        byContent = ContentIndex(minimumCapacity: minimumCapacity)
        byBytes = ContentIndex(minimumCapacity: minimumCapacity)
        known.reserveCapacity(minimumCapacity)
    }

    /// The programme that was read from the same bytes.
    package func programme(readFrom bytes: ContentHash) -> Known? {
        byBytes.id(of: bytes).map { known[Int($0) - 1] }
    }

    /// The programme of a content: the one that is known, or a new one of that number.
    ///
    /// From now on it is found by these bytes too.
    package mutating func programme(
        of digest: ProgrammeDigest, orInsert newID: Int64
    ) -> (known: Known, isNew: Bool) {
        let (place, isNew) = byContent.id(of: digest.content, orInsert: Int64(known.count + 1))
        if isNew {
            known.append(
                Known(
                    id: newID, contentKey: digest.content.high, titleKey: digest.titleKey,
                    richness: digest.richness, findings: digest.findings))
        }
        _ = byBytes.id(of: digest.bytes, orInsert: place)
        return (known[Int(place) - 1], isNew)
    }
}
