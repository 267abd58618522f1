/// The origin of listings, and how to read them.
public struct Source: Hashable, Sendable {
    /// Unique in a store.
    public var name: String
    /// A URL or a file; `nil` for a source that is imported by hand.
    public var location: String?
    /// The IANA zone of times without a zone; `nil` for UTC, as in the DTD.
    public var timeZone: String?
    /// Seconds to add to every time.
    public var shift: Int64
    /// Seconds between two refreshes; `nil` for every run.
    public var interval: Int64?
    /// Which source takes precedence where several know a station; the default is 0.
    ///
    /// Sources are ranked for each station: the higher priority first, then the one that covers it further into the
    /// future, then the older one; only the eight best count. Each covers the station from the start of its first airing
    /// to the stop of its last. All airings of the best source are shown. An airing of a lesser one is shown outside of
    /// what the better ones cover, cut at its edges (of two pieces the earlier one), and inside of it only if the whole
    /// airing lies in a gap between shown airings.
    public var priority: Int
    /// Patterns (`*`, `?`) of the stations to import; empty for all. A pattern can't hold a line feed.
    public var stations: [String]
    /// The encoding of the guide, whatever it declares; `nil` to detect it.
    public var encoding: String?
    /// Whether the settings (`epg.yml`) define it: then it is refreshed only as long as they name it.
    public var isConfigured: Bool

    public init(
        name: String, location: String? = nil, timeZone: String? = nil, shift: Int64 = 0, interval: Int64? = nil,
        priority: Int = 0, stations: [String] = [], encoding: String? = nil, isConfigured: Bool = false
    ) {
        self.name = name
        self.location = location
        self.timeZone = timeZone
        self.shift = shift
        self.interval = interval
        self.priority = priority
        self.stations = stations
        self.encoding = encoding
        self.isConfigured = isConfigured
    }
}

/// The state of a source between two refreshes.
public struct SourceState: Hashable, Sendable {
    public var lastAttempt: Instant?
    /// When the guide was last known to be up to date with the source.
    public var lastSuccess: Instant?
    /// The `ETag` of the last imported body.
    public var entityTag: String?
    /// The `Last-Modified` of the last imported body.
    public var lastModified: String?
    /// A hash of the last imported body and of the settings for reading it.
    public var bodyHash: String?
    /// Why the last attempt failed; `nil` when it didn't.
    public var lastError: String?
    /// The result of the last refresh; `nil` where there was none.
    public var lastEnding: RefreshEnding?
    /// The duration of the last refresh, from the request to the stored guide; a store may keep whole milliseconds.
    public var lastDuration: Duration?
    /// The number of all failed refreshes.
    public var failures = 0
    /// The earliest time for a retry after a failure; `nil` for the next regular time.
    public var notBefore: Instant?

    /// Whether an import began and didn't end: it is still running, or its process died. It counts among the ``failures``, and
    /// has no duration.
    public var hasUnfinishedImport: Bool { lastEnding == .failed && lastDuration == nil }

    public init() {}
}

/// A source and its state.
public struct SourceRecord: Hashable, Sendable {
    public var source: Source
    public var state: SourceState

    public init(source: Source, state: SourceState) {
        self.source = source
        self.state = state
    }
}

/// A source with a summary of its contents in the store.
public struct SourceSummary: Hashable, Sendable {
    public var source: Source
    public var state: SourceState
    /// The number of stations that the source covers, and of its airings, shown or not.
    public var stations = 0
    public var airings = 0
    /// The end of its last airing; `nil` where it has none.
    public var end: Instant?
    /// The attributes of `<tv>` of its last guide.
    public var header: [ContentAttribute] = []
    /// `nil` where nothing was imported yet.
    public var lastImport: ImportSummary?

    public init(source: Source, state: SourceState = SourceState()) {
        self.source = source
        self.state = state
    }
}

/// The result of a refresh of a source.
public enum RefreshEnding: String, Hashable, Sendable, CaseIterable {
    /// A new guide was fetched and stored.
    case imported
    /// The body had the same bytes as the last one.
    case unchanged
    /// The server answered that nothing changed.
    case notModified = "not-modified"
    /// Nothing was stored because of an error.
    case failed
}

/// The numbers of an import.
public struct ImportSummary: Hashable, Sendable {
    public var at: Instant
    /// The generation after the import.
    public var generation: Generation
    /// Programmes of the file.
    public var read = 0
    /// Airings in the schedules of this import.
    public var stored = 0
    /// Listings that are not in the schedules.
    public var dropped = 0
    public var inserted = 0
    /// Airings whose content or time changed.
    public var changed = 0
    /// Airings that the source no longer listed.
    public var removed = 0

    public init(at: Instant, generation: Generation) {
        self.at = at
        self.generation = generation
    }
}
