import EPGCalendar
import EPGModel

/// A source by its name, and how a person wants it to be read.
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
    /// A source that is fetched is read as it was set up, but for what is said here; and since what stands of it is then
    /// no longer what was fetched last, the next refresh has to fetch it anew. One that is imported by hand is read as is
    /// said here, whatever was said last time.
    func source(in guide: some ScheduleReading, now: Instant) throws -> (source: Source, state: SourceState) {
        let known = try guide.sources().first { $0.source.name == name }
        guard let known, known.source.location != nil else {
            var state = SourceState()
            state.lastAttempt = now
            state.lastSuccess = now
            return (Source(name: name, timeZone: timeZone, shift: shift ?? 0), state)
        }
        var (source, state) = (known.source, known.state)
        source.timeZone = timeZone ?? source.timeZone
        source.shift = shift ?? source.shift
        state.entityTag = nil
        state.lastModified = nil
        state.bodyHash = nil
        return (source, state)
    }
}
