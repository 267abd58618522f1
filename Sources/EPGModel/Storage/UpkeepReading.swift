/// Questions of the nightly job to a stored guide, cheap whatever the guide's size.
package protocol UpkeepReading: ScheduleReading {
    /// The sources, by name, without a count of what they hold.
    func sourceRecords() throws -> [SourceRecord]

    /// Whether any airing stopped at or before an instant.
    ///
    /// - Complexity: A seek for each station and source.
    func hasAirings(stoppedBy instant: Instant) throws -> Bool

    /// When the last airing of a source ends; `nil` where it has none.
    ///
    /// - Complexity: A seek for each of its stations.
    func end(ofSource name: String) throws -> Instant?

    /// Whether anything is on at an instant.
    ///
    /// - Complexity: A seek for each station and source.
    func isAnythingOn(at instant: Instant) throws -> Bool

    /// Whether a source was asked, or airings were removed for their age, at a time after an instant: by a clock that ran
    /// ahead, where that instant is still to come.
    func wasKeptUp(after instant: Instant) throws -> Bool

    /// Whether the index for searches knows of all that is in the guide: an import that was ended by force behind its
    /// commit leaves it behind.
    func isSearchIndexCurrent() throws -> Bool
}

/// A source, and what is remembered of it.
package struct SourceRecord: Hashable, Sendable {
    package var source: Source
    package var state: SourceState

    package init(source: Source, state: SourceState) {
        self.source = source
        self.state = state
    }
}
