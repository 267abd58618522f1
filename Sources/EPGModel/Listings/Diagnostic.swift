/// Something that the import found, with the facts of it; words are made where it is shown.
public struct Diagnostic: Hashable, Sendable {
    /// How far what is stored is from what was published.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Read as it was meant.
        case note
        /// Repaired: what is stored differs from what was published.
        case warning
        /// Something of the feed is not in the schedule.
        case error
    }

    /// What was found. The first group are the keywords of the XMLTV project's validator, as they are.
    public enum Keyword: String, Hashable, Sendable, CaseIterable {
        /// Not well-formed; not as its format has it; an identifier that can't be one, one that is declared twice, one that
        /// is not declared; a feed without programmes, a station without programmes; a title without text.
        case notwell, notvalid, invalidid, duplicateid, unknownid, noprogrammes, channelnoprogramme, emptytitle
        /// A description without text; a start, a stop, an episode's number that can't be; bytes that are not ISO 8859, not
        /// UTF-8; an entity that XML doesn't have; a time without a zone.
        case emptydescription, badstart, badstop, badepisode, badiso8859, badutf8, badentity, missingtimezone
        /// A time with a zone that there isn't.
        case invalidtimezone

        /// No stop was given (rule 1).
        case missingstop
        /// The stop is the start: a grouping marker (rule 2).
        case zerolength
        /// The same airing again (rule 4).
        case duplicate
        /// A clump whose parts don't agree (rule 5).
        case badclump
        /// Two airings at the same time (rule 6).
        case overlap
        /// Longer than the cap (rule 13).
        case toolong
    }

    /// What was done about it.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// Kept as it is, and only reported.
        case kept
        /// The stop was inferred from the next start or the cap.
        case inferredStop
        /// The stop was brought forward.
        case trimmedStop
        /// It is the same as another one, which stands for both.
        case merged
        /// It is not in the schedule; it stands in the log.
        case dropped
        /// The record couldn't be read.
        case skipped
        /// A station that nothing declared was made.
        case createdStation
    }

    /// A listing that is concerned: when it was to be shown, and what.
    public struct Reference: Hashable, Sendable {
        /// From 1; 0 where it has none.
        public var line: Int
        /// As it was published.
        public var start: Instant
        /// As it was published; `nil` where none was given.
        public var stop: Instant?
        /// The stored programme's number.
        public var programme: Int64

        public init(line: Int, start: Instant, stop: Instant?, programme: Int64) {
            self.line = line
            self.start = start
            self.stop = stop
            self.programme = programme
        }

        /// The reference to a listing.
        public init(_ listing: Listing) {
            self.init(
                line: Int(listing.line), start: listing.start, stop: listing.published.stop,
                programme: listing.programme)
        }
    }

    /// How grave it is.
    public var severity: Severity
    /// What was found.
    public var keyword: Keyword
    /// What was done about it.
    public var action: Action
    /// The line of the feed, from 1; 0 where it concerns no line.
    public var line: Int
    /// Whose listings it concerns; `nil` where it concerns none.
    public var station: StationID?
    /// The one that it is about.
    public var listing: Reference?
    /// The one that was the reason.
    public var other: Reference?
    /// The window that the listing has now, where it has one.
    public var window: TimeWindow?
    /// The bytes of the feed that it is about, such as a time that can't be read, cut at 200 characters.
    public var quote: String?

    public init(
        severity: Severity, keyword: Keyword, action: Action, line: Int, station: StationID? = nil,
        listing: Reference? = nil, other: Reference? = nil, window: TimeWindow? = nil, quote: String? = nil
    ) {
        self.severity = severity
        self.keyword = keyword
        self.action = action
        self.line = line
        self.station = station
        self.listing = listing
        self.other = other
        self.window = window
        self.quote = quote
    }
}
