/// The state of a stored guide: the single row of the table `guide`.
package struct GuideState: Hashable, Sendable {
    /// The key of content hashes, which also identifies the guide.
    package let contentKey: ContentHash
    /// See ``Generation``.
    package var generation: Int64
    /// The number of the next new airing; numbers are never reused.
    package var nextAiring: Int64
    /// The number of the next new programme.
    package var nextProgramme: Int64
    /// The number of the next new transmission.
    package var nextTransmission: Int64

    /// Creates the state that a store has read.
    package init(
        contentKey: ContentHash, generation: Int64, nextAiring: Int64, nextProgramme: Int64, nextTransmission: Int64
    ) {
        self.contentKey = contentKey
        self.generation = generation
        self.nextAiring = nextAiring
        self.nextProgramme = nextProgramme
        self.nextTransmission = nextTransmission
    }

    /// Maximum of the generation and of the next identifiers: far below 2⁶³, so that additions cannot overflow.
    package static let maximumNumber: Int64 = 1 << 53
    /// Maximum of ``nextTransmission``: an import refers to transmissions with 32 bits, and adds fewer than 2³¹.
    package static let maximumTransmission: Int64 = 1 << 31

    /// The column of a number that is out of range; `nil` if all are valid.
    package var invalidColumn: String? {
        let next = 1...Self.maximumNumber
        if !(0...Self.maximumNumber).contains(generation) { return "generation" }
        if !next.contains(nextAiring) { return "next_airing" }
        if !next.contains(nextProgramme) { return "next_programme" }
        return (1...Self.maximumTransmission).contains(nextTransmission) ? nil : "next_transmission"
    }
}
