/// A problem that an import found or repaired. Programs provide the message.
public struct Diagnostic: Hashable, Sendable {
    /// The effect of a problem on the stored schedule.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The import understood the data.
        case note
        /// The stored data differs from the published data.
        case warning
        /// Part of the feed is missing in the schedule.
        case error
    }

    /// The kind of problem. The first cases are the keywords of the XMLTV project's validator.
    public enum Keyword: String, Hashable, Sendable, CaseIterable {
        case notwell, notvalid, invalidid, duplicateid, unknownid, noprogrammes, channelnoprogramme, emptytitle
        case emptydescription, badstart, badstop, badepisode, badiso8859, badutf8, badentity, missingtimezone
        case invalidtimezone

        /// Starts in implausible years (Rules.md, XMLTV 2).
        case badyear
        /// A missing stop (Rules.md, rule 1).
        case missingstop
        /// A stop equal to the start (Rules.md, rule 2).
        case zerolength
        /// A repeated airing (Rules.md, rule 4).
        case duplicate
        /// Inconsistent parts of a clump (Rules.md, rule 5).
        case badclump
        /// Overlapping airings (Rules.md, rule 6).
        case overlap
        /// An implausibly long airing (Rules.md, rule 13).
        case toolong
        /// Several episodes in one window: a double bill (Rules.md, rule 14).
        case doublebill
        /// Two schedules under one station identifier (Rules.md, rule 17).
        case twoschedules
        /// A text that was encoded twice (Rules.md, rule 18).
        case doubleencoding
        /// Several programmes with one start that share the time (Rules.md, rule 20).
        case sharedstart
        /// An element without the content that it needs (Rules.md, XMLTV 1).
        case emptyelement
    }

    /// The action of the import.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// Reported only.
        case kept
        /// The stop was inferred from the next start or the maximum length.
        case inferredStop
        /// The stop was moved to an earlier time.
        case trimmedStop
        /// The listing continues after an airing within it.
        case continued
        /// The listing was merged with an equal one.
        case merged
        /// The listing is in the log, but not in the schedule.
        case dropped
        /// The record is unreadable.
        case skipped
        /// An undeclared station was created.
        case createdStation
        /// A text was decoded once more.
        case decodedText
    }

    /// A reference to a listing, with its published times.
    public struct Reference: Hashable, Sendable {
        /// The 1-based line; 0 if there is none.
        public var line: Int
        public var start: Instant
        public var stop: Instant?
        /// The stored programme's number.
        public var programme: Int64
        /// The title; `nil` unless it was looked up.
        public var title: String?

        /// Creates a reference without a title.
        ///
        /// - Parameters:
        ///   - line: The 1-based line of the feed; 0 if there is none.
        ///   - start: The published start.
        ///   - stop: The published stop; `nil` if it is missing or unreadable.
        ///   - programme: The stored programme's number.
        public init(line: Int, start: Instant, stop: Instant?, programme: Int64) {
            self.line = line
            self.start = start
            self.stop = stop
            self.programme = programme
        }

        /// Creates a reference to a listing, without a title.
        public init(_ listing: Listing) {
            self.init(
                line: Int(listing.line), start: listing.start, stop: listing.stop, programme: listing.programme)
        }
    }

    public var severity: Severity
    public var keyword: Keyword
    public var action: Action
    /// The 1-based line of the feed; 0 if there is none.
    public var line: Int
    public var station: StationID?
    /// The affected listing.
    public var listing: Reference?
    /// The listing that caused the problem.
    public var other: Reference?
    /// The new window of the affected listing; `nil` if it has none.
    public var window: TimeWindow?
    /// The affected text of the feed, such as an unreadable time; at most 200 characters.
    public var quote: String?

    /// Creates a diagnostic.
    ///
    /// - Parameters:
    ///   - severity: The effect on the stored schedule.
    ///   - keyword: The kind of problem.
    ///   - action: What the import did.
    ///   - line: The 1-based line of the feed; 0 if there is none.
    ///   - station: The affected station; `nil` if the problem does not belong to one.
    ///   - listing: The affected listing, if there is one.
    ///   - other: The listing that caused the problem, if there is one.
    ///   - window: The new window of the affected listing; `nil` if it has none.
    ///   - quote: The affected text of the feed, at most 200 characters. It is not shortened here.
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

/// The counts of an import: `read = stored + merged + dropped + skipped + filtered`.
public struct ImportReport: Hashable, Sendable {
    /// The number of `<programme>` elements in the file.
    public var programmesRead = 0
    /// The number of listings in the schedules of this import. One that continues after an embedded airing counts once.
    public var airingsStored = 0
    /// The number of listings that repeat another listing.
    public var merged = 0
    /// The numbers of listings that are only in the log, by reason.
    public var dropped: [Diagnostic.Keyword: Int] = [:]
    /// The numbers of unreadable records, by reason.
    public var skipped: [Diagnostic.Keyword: Int] = [:]
    /// The number of listings outside the selected stations or days.
    public var filtered = 0
    /// The number of `<channel>` elements in the file.
    public var stationsRead = 0
    /// The numbers of diagnostics, by keyword.
    public var diagnostics: [Diagnostic.Keyword: Int] = [:]
    /// The first invalid start, stop and time zone, by keyword.
    public var samples: [Diagnostic.Keyword: String] = [:]
    /// The attributes of `<tv>`, such as the origin and the date of the guide.
    public var header: [ContentAttribute] = []

    /// Creates a report whose counts are 0.
    public init() {}
}

/// The changes that an import made in the store.
public struct ImportOutcome: Hashable, Sendable {
    public var report: ImportReport
    /// The number of the import in the log.
    public var importID: Int64
    public var airings = AiringDifference()
    /// The number of airings that were already stored with the same times and content.
    public var airingsUnchanged = 0
    /// The numbers of airings of any source that the import completed, by the source that lists the fields (Rules.md, rule 22).
    public var completed: [String: CompletionCount] = [:]
    public var stationsInserted = 0
    /// The number of stations with a changed description.
    public var stationsChanged = 0
    /// The number of new programmes, including programmes of dropped listings, which only the log references.
    public var programmesInserted = 0
    /// The current generation of the guide.
    public var generation: Generation
    /// Whether the import changed the guide and therefore began a new generation.
    public var changedGuide: Bool

    /// Creates the outcome of an import, with 0 for all counts of changes.
    ///
    /// - Parameters:
    ///   - report: The counts of the import.
    ///   - importID: The number of the import in the log.
    ///   - generation: The generation of the guide after the import.
    ///   - changedGuide: Whether the import began that generation.
    public init(report: ImportReport, importID: Int64, generation: Generation, changedGuide: Bool) {
        self.report = report
        self.importID = importID
        self.generation = generation
        self.changedGuide = changedGuide
    }
}

/// The numbers of changed airings of a source by the kinds of ``AiringChange``. Each airing is counted once.
public struct AiringDifference: Hashable, Sendable {
    public var inserted: Int
    /// The number of airings that the source no longer lists within its coverage.
    public var removed: Int
    public var moved: Int
    public var changed: Int

    /// Creates a difference from nonnegative numbers.
    package init(inserted: Int = 0, removed: Int = 0, moved: Int = 0, changed: Int = 0) {
        self.inserted = inserted
        self.removed = removed
        self.moved = moved
        self.changed = changed
    }
}
