/// A fault or repair of an import, as facts without words.
public struct Diagnostic: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Read as it was meant.
        case note
        /// Repaired: what is stored differs from what was published.
        case warning
        /// A part of the feed is not in the schedule.
        case error
    }

    /// What is wrong. The first cases are the keywords of the XMLTV project's validator.
    public enum Keyword: String, Hashable, Sendable, CaseIterable {
        case notwell, notvalid, invalidid, duplicateid, unknownid, noprogrammes, channelnoprogramme, emptytitle
        case emptydescription, badstart, badstop, badepisode, badiso8859, badutf8, badentity, missingtimezone
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

    /// What the import did about it.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// Reported only.
        case kept
        /// The stop was inferred from the next start or the cap.
        case inferredStop
        /// The stop was brought forward.
        case trimmedStop
        /// An equal listing represents both.
        case merged
        /// The listing is only in the log, not in the schedule.
        case dropped
        /// The record is unreadable.
        case skipped
        /// An undeclared station was created.
        case createdStation
    }

    /// A listing that is concerned, with its published times.
    public struct Reference: Hashable, Sendable {
        /// From 1; 0 where it has none.
        public var line: Int
        public var start: Instant
        public var stop: Instant?
        /// The stored programme's number.
        public var programme: Int64
        /// Its title, where it was looked up.
        public var title: String?

        public init(line: Int, start: Instant, stop: Instant?, programme: Int64) {
            self.line = line
            self.start = start
            self.stop = stop
            self.programme = programme
        }

        public init(_ listing: Listing) {
            self.init(
                line: Int(listing.line), start: listing.start, stop: listing.stop, programme: listing.programme)
        }
    }

    public var severity: Severity
    public var keyword: Keyword
    public var action: Action
    /// The line of the feed, from 1; 0 where it concerns no line.
    public var line: Int
    public var station: StationID?
    /// The listing that it is about.
    public var listing: Reference?
    /// The listing that was the reason.
    public var other: Reference?
    /// The new window of the listing, where it has one.
    public var window: TimeWindow?
    /// The text of the feed that it is about, such as an unreadable time; at most 200 characters.
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
