/// Where listings come from, and how they are to be read.
public struct Source: Hashable, Sendable {
    /// What people call it; unique in a store.
    public var name: String
    /// A URL or a file; `nil` for a source that is imported by hand.
    public var location: String?
    /// The IANA zone in which zone-less times are meant; `nil` for UTC, as the DTD has it.
    public var timeZone: String?
    /// Seconds that are added to every time.
    public var shift: Int64
    /// Seconds between two refreshes; `nil` for every run.
    public var interval: Int64?
    /// Which source speaks first where several know a station; the default is 0.
    ///
    /// Sources are ranked for each station: the higher priority first, then the one that covers it further into the
    /// future, then the older one; the eight best are heard. Each speaks for the station from the start of its first airing
    /// to the stop of its last. All airings of the best source are shown. An airing of a lesser one is shown outside of
    /// what the better ones speak for, cut at its edges (of two pieces the earlier one), and inside of it only if the
    /// whole airing lies in a gap of what they show.
    public var priority: Int
    /// Patterns (`*`, `?`) of the stations that are taken; empty for all. A pattern can't hold a line feed.
    public var stations: [String]
    /// The encoding that is taken for granted whatever the guide says; `nil` leaves it to the guide's bytes.
    public var encoding: String?
    /// Whether the settings (`epg.yml`) set it up: it is asked only as long as they name it.
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

/// What is remembered of a source from one refresh to the next.
public struct SourceState: Hashable, Sendable {
    /// When the last attempt was made.
    public var lastAttempt: Instant?
    /// When the guide was last known to be up to date with the source.
    public var lastSuccess: Instant?
    /// The `ETag` of the last body that was imported.
    public var entityTag: String?
    /// The `Last-Modified` of the last body that was imported.
    public var lastModified: String?
    /// A hash of the last body that was imported and of how it was to be read.
    public var bodyHash: String?
    /// Why the last attempt failed; `nil` when it didn't.
    public var lastError: String?
    /// What became of the last refresh; `nil` where there was none.
    public var lastEnding: RefreshEnding?
    /// How long the last refresh took, from the question to the stored guide; a store may keep whole milliseconds.
    public var lastDuration: Duration?
    /// How many refreshes have failed since the source is known.
    public var failures = 0
    /// When it may be asked again after a failure; `nil` for its next regular time.
    public var notBefore: Instant?

    /// Whether an import began whose end isn't noted: it is still running, or it ended with its process. It is among the
    /// ``failures``, and has no duration.
    public var hasUnfinishedImport: Bool { lastEnding == .failed && lastDuration == nil }

    /// A source that was never refreshed.
    public init() {}
}

/// A source with what stands of it in the store.
public struct SourceSummary: Hashable, Sendable {
    /// How it is set up.
    public var source: Source
    /// How its last refreshes went.
    public var state: SourceState
    /// Stations of which the source has spoken.
    public var stations: Int
    /// Airings of the source, shown or not.
    public var airings: Int
    /// When the last of its airings ends; `nil` where it has none.
    public var end: Instant?
    /// The attributes of `<tv>` of its last guide.
    public var header: [ContentAttribute]

    public init(
        source: Source, state: SourceState, stations: Int, airings: Int, end: Instant? = nil,
        header: [ContentAttribute] = []
    ) {
        self.header = header
        self.end = end
        self.source = source
        self.state = state
        self.stations = stations
        self.airings = airings
    }
}

/// A source, and what is remembered of it.
public struct SourceRecord: Hashable, Sendable {
    public var source: Source
    public var state: SourceState

    public init(source: Source, state: SourceState) {
        self.source = source
        self.state = state
    }
}

/// What became of a refresh of a source.
public enum RefreshEnding: String, Hashable, Sendable, CaseIterable {
    /// A new guide was fetched and stored.
    case imported
    /// The body had the same bytes as the last one.
    case unchanged
    /// The server said that nothing changed.
    case notModified = "not-modified"
    /// There is a reason why nothing was stored.
    case failed
}

/// What the last import of a source did.
public struct ImportSummary: Hashable, Sendable {
    /// The name of the source.
    public var source: String
    /// When it was imported.
    public var at: Instant
    /// The generation that stood after it.
    public var generation: Generation
    /// Programmes of the file.
    public var read: Int
    /// Airings that the schedules of this import hold.
    public var stored: Int
    /// Listings that are not in the schedule.
    public var dropped: Int
    /// Airings that were new.
    public var inserted: Int
    /// Airings that said something else than before, or moved.
    public var changed: Int
    /// Airings that the source no longer listed.
    public var removed: Int

    public init(
        source: String, at: Instant, generation: Generation, read: Int, stored: Int, dropped: Int, inserted: Int,
        changed: Int, removed: Int
    ) {
        self.source = source
        self.at = at
        self.generation = generation
        self.read = read
        self.stored = stored
        self.dropped = dropped
        self.inserted = inserted
        self.changed = changed
        self.removed = removed
    }
}
