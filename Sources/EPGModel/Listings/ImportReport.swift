/// The numbers of an import, which add up: `read = stored + merged + dropped + skipped + filtered`.
public struct ImportReport: Hashable, Sendable {
    /// `<programme>` elements of the file.
    public var programmesRead = 0
    /// Airings in the schedules of this import.
    public var airingsStored = 0
    /// Listings that repeat another one.
    public var merged = 0
    /// Listings that are only in the log, not in the schedules, by reason.
    public var dropped: [Diagnostic.Keyword: Int] = [:]
    /// Unreadable records, which are only in the log, by reason.
    public var skipped: [Diagnostic.Keyword: Int] = [:]
    /// Listings outside the selected stations or days.
    public var filtered = 0
    /// `<channel>` elements of the file.
    public var stationsRead = 0
    /// Diagnostics by keyword.
    public var diagnostics: [Diagnostic.Keyword: Int] = [:]
    /// The attributes of `<tv>`: the origin and date of the guide.
    public var header: [ContentAttribute] = []

    public init() {}
}

/// What an import changed in the store.
public struct ImportOutcome: Hashable, Sendable {
    public var report: ImportReport
    /// The number of the import in the log.
    public var importID: Int64
    public var airings = AiringDifference()
    public var airingsUnchanged = 0
    public var stationsInserted = 0
    /// Stations with another description.
    public var stationsChanged = 0
    /// New contents, including those of dropped listings, which only the log keeps.
    public var programmesInserted = 0
    /// The current generation of the guide.
    public var generation: Generation
    public var changedGuide: Bool

    public init(report: ImportReport, importID: Int64, generation: Generation, changedGuide: Bool) {
        self.report = report
        self.importID = importID
        self.generation = generation
        self.changedGuide = changedGuide
    }
}

/// The numbers of airings of a source that an import changed, each counted once, by the kinds of ``AiringChange``.
public struct AiringDifference: Hashable, Sendable {
    public var inserted: Int
    /// Those that the source no longer lists within its coverage.
    public var removed: Int
    public var moved: Int
    public var changed: Int

    /// Numbers of at least 0.
    package init(inserted: Int = 0, removed: Int = 0, moved: Int = 0, changed: Int = 0) {
        self.inserted = inserted
        self.removed = removed
        self.moved = moved
        self.changed = changed
    }
}
