/// The genre of a programme by all of its categories, and what tells a film from a series.
///
/// It follows from the elements of the programme by the words in `genres.txt`. A store keeps it as one number, so that a grid needs
/// no other categories.
public struct ProgrammeGenre: RawRepresentable, Hashable, Sendable {
    /// What the programme says about being a film.
    public enum Form: UInt16, Sendable {
        /// Nothing.
        case unknown
        /// A category names a film.
        case film
        /// A category names a series, or the programme has a number of an episode.
        case series
        /// Neither, but the programme has the year of its production.
        case dated
    }

    /// The ``code``, plus 256 times the number of the ``form``: at most 1023.
    public let rawValue: UInt16

    /// No genre.
    public static let none = ProgrammeGenre(code: 0, form: .unknown)

    /// Creates the genre with a code and a form.
    public init(code: UInt8, form: Form) {
        rawValue = form.rawValue << 8 | UInt16(code)
    }

    /// Creates a genre from a number in a store; ``none`` for a number out of range.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue < 1024 ? rawValue : 0
    }

    /// The content nibbles of ETSI EN 300 468, table 28, such as 0x14 (comedy); 0 without a genre.
    public var code: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

    public var form: Form { Form(rawValue: rawValue >> 8) ?? .unknown }
}
