/// What an import did, in numbers that add up: `read = stored + merged + dropped + skipped + filtered`.
public struct ImportReport: Hashable, Sendable {
    /// `<programme>` elements of the file.
    public var programmesRead = 0
    /// Airings that the schedules of this import hold.
    public var airingsStored = 0
    /// Listings that said the same as another one.
    public var merged = 0
    /// Listings that are not in the schedule, by reason; they stand in the log.
    public var dropped: [Diagnostic.Keyword: Int] = [:]
    /// Records that couldn't be read, by reason; they stand in the log.
    public var skipped: [Diagnostic.Keyword: Int] = [:]
    /// Listings outside the stations or days that were asked for.
    public var filtered = 0
    /// `<channel>` elements of the file.
    public var stationsRead = 0
    /// Diagnostics by keyword.
    public var diagnostics: [Diagnostic.Keyword: Int] = [:]

    /// The attributes of `<tv>`: who made the guide, of what, and when.
    public var header: [ContentAttribute] = []

    /// Nothing was read yet.
    public init() {}

    /// Whether every programme that was read is accounted for.
    public var addsUp: Bool {
        programmesRead
            == airingsStored + merged + dropped.values.reduce(0, +) + skipped.values.reduce(0, +) + filtered
    }
}

/// What an import changed in the store.
public struct ImportOutcome: Hashable, Sendable {
    /// What was read.
    public var report: ImportReport
    /// The number of the import in the log.
    public var importID: Int64
    /// Airings that are new.
    public var airingsInserted = 0
    /// Airings that kept their identifier and start, and say something else now.
    public var airingsChanged = 0
    /// Airings that kept their identifier and start at another time.
    public var airingsMoved = 0
    /// Airings that the source no longer lists within its coverage.
    public var airingsRemoved = 0
    /// Airings that stand as they did.
    public var airingsUnchanged = 0
    /// Stations that are new.
    public var stationsInserted = 0
    /// Stations that are described otherwise now.
    public var stationsChanged = 0
    /// Contents that were not known; those of dropped listings, which only the log keeps, count too.
    public var programmesInserted = 0
    /// The generation that the guide has now.
    public var generation: Generation
    /// Whether the guide differs from what stood before.
    public var changedGuide: Bool

    public init(report: ImportReport, importID: Int64, generation: Generation, changedGuide: Bool) {
        self.report = report
        self.importID = importID
        self.generation = generation
        self.changedGuide = changedGuide
    }
}
