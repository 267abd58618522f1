public import EPGModel
public import XMLTV

/// Imports guides into a store: bytes → records → stored contents and listings → schedules → one commit.
///
/// Contents go to the store as they are read, so that memory holds only a few dozen bytes of each programme. A bad record
/// is a diagnostic; a bad file throws, and the guide stays as it was.
///
/// ```swift
/// let outcome = try guide.write { guide in
///     try GuideImporter(store: guide).importGuide(try FileSource(path: "guide.xml"), as: Source(name: "feed"), now: now)
/// }
/// ```
public struct GuideImporter {
    private let store: any GuideWriting

    public init(store: any GuideWriting) {
        self.store = store
    }

    /// Imports one guide of whatever format, packed or not.
    ///
    /// - Parameters:
    ///   - bytes: The guide, as it comes.
    ///   - source: Whose listings they are; what that source said before of the same range is replaced.
    ///   - options: Which part is taken, and what of bad files.
    ///   - now: The instant for the log.
    ///   - state: What to remember of the source; `nil` leaves it.
    /// - Throws: ``GuideFileError`` for a bad file, `ZoneError` for the source's zone, `RefusedImport` where the options
    ///   ask for more than the guide brings, `ExceededImportLimit` where it brings more than they allow, and the store's
    ///   errors.
    public func importGuide(
        _ bytes: some ByteSource, as source: Source, options: ImportOptions = ImportOptions(), now: Instant,
        state: SourceState? = nil
    ) throws -> ImportOutcome {
        try importGuide([GuideFile(bytes)], as: source, options: options, now: now, state: state)
    }

    /// Imports one guide that may consist of several files, as that of Schedules Direct does.
    public func importGuide(
        _ files: [GuideFile], as source: Source, options: ImportOptions = ImportOptions(), now: Instant,
        state: SourceState? = nil
    ) throws -> ImportOutcome {
        let options = options.completed(by: source)
        let times = try TimeResolver(source)
        var stored = source
        if source.location == nil {
            // How the times of a guide are read that is imported by hand concerns that import only, unless the source was
            // set up so.
            (stored.timeZone, stored.shift) = (nil, 0)
        }
        let session = try store.beginImport(
            of: stored, now: now, matcher: StationMatcher(), safeguard: options.safeguard, limits: options.limits)
        do {
            var decoder = GuideDecoder(try session.takeContentIndex(), key: session.contentKey, times, options)
            try decoder.decode(files, into: session)
            let report = try decoder.finish(into: session)
            return try session.commit(report, state: state)
        } catch {
            session.cancel()
            throw error
        }
    }

    /// Imports a playlist as a lineup, in the place of the lineup of that name.
    ///
    /// - Parameters:
    ///   - limits: Half of their memory may be held for the channels.
    ///   - now: The instant for the log of changes.
    /// - Returns: What was done, and what was found in the file.
    /// - Throws: ``GuideFileError`` for a bad file, `ExceededImportLimit` where the channels take too much memory, and the store's
    ///   errors.
    public func importLineup(
        _ file: GuideFile, named name: String, limits: ImportLimits = ImportLimits(), now: Instant
    ) throws -> (outcome: LineupOutcome, findings: PlaylistFindings) {
        var playlistLimits = PlaylistLimits.standard
        playlistLimits.heldBytes = limits.memory / 2
        var reader = PlaylistReader(file.bytes, limits: playlistLimits)
        let lineup: Lineup
        do throws(PlaylistError) {
            lineup = try reader.readLineup(named: name)
        } catch {
            // The store holds the channels twice while it compares them with those that stand.
            if case .tooMuchMemory = error.reason { throw ExceededImportLimit(.memory, value: limits.memory) }
            throw GuideFileError(.lineup(error))
        }
        return (try store.saveLineup(lineup, matcher: StationMatcher(), now: now), reader.findings)
    }
}
