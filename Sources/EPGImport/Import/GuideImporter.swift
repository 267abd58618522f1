package import EPGModel
package import XMLTV

/// Imports guides into a store: bytes → records → stored contents and listings → schedules → one commit.
///
/// Contents go to the store as they are read, so that memory holds only a few dozen bytes of each programme. A bad record
/// is a diagnostic; a bad file throws, and the guide stays as it was.
package struct GuideImporter {
    private let store: any ScheduleWriting

    package init(store: any ScheduleWriting) {
        self.store = store
    }

    /// Imports one guide.
    ///
    /// - Parameters:
    ///   - bytes: The guide, as it comes.
    ///   - source: Whose listings they are; what that source said before of the same range is replaced.
    ///   - options: Which part is taken.
    ///   - now: The instant for the log.
    ///   - state: What to remember of the source; `nil` leaves it.
    /// - Throws: ``GuideFileError`` for a bad file, `ZoneError` for the source's zone, and the store's errors.
    package func importGuide(
        _ bytes: some ByteSource, as source: Source, options: ImportOptions = ImportOptions(), now: Instant,
        state: SourceState? = nil
    ) throws -> ImportOutcome {
        let times = try TimeResolver(source)
        let session = try store.beginImport(of: source, now: now)
        do {
            let memory = FirstBytes()
            var decoder = GuideDecoder(try session.takeContentIndex(), key: session.contentKey, times, options)
            do {
                try decoder.decode(RememberingSource(bytes, memory: memory), into: session)
            } catch let error as XMLError {
                throw GuideFileError(error, firstBytes: memory.bytes)
            }
            let report = try decoder.finish(into: session)
            return try session.commit(report, state: state)
        } catch {
            session.cancel()
            throw error
        }
    }
}
