import EPGCalendar
import EPGModel

/// A source by its name, and how a person wants it to be read this time.
struct SourceReading: Hashable, Sendable {
    let name: String
    private let timeZone: String?
    private let shift: Int64?

    /// - Throws: `ZoneError` where there is no such zone.
    init(name: String, timeZone: String?, shift: Int64?) throws(ZoneError) {
        if let timeZone { _ = try Zone(named: timeZone) }
        self.name = name
        self.timeZone = timeZone
        self.shift = shift
    }

    /// The source as it is to be read now, and what is to be remembered of it.
    ///
    /// A known source is read as it was set up, but for what is said here, which concerns this import only. What stands of
    /// a source that is fetched is then no longer what was fetched last, so the next refresh has to fetch it anew.
    func source(in guide: some GuideReading, now: Instant) throws -> (source: Source, state: SourceState) {
        let known = try guide.sourceRecords().first { $0.source.name == name }
        var source = known?.source ?? Source(name: name)
        source.timeZone = timeZone ?? source.timeZone
        source.shift = shift ?? source.shift
        var state = SourceState()
        if let known, source.location != nil {
            state = known.state
            state.entityTag = nil
            state.lastModified = nil
            state.bodyHash = nil
        } else {
            state.lastAttempt = now
            state.lastSuccess = now
        }
        return (source, state)
    }
}
