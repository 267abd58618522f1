public import EPGModel
public import XMLTV

/// An importer of guides into a store: bytes → records → stored contents and listings → schedules → one commit.
///
/// The importer sends contents to the store as it reads them, so that memory holds only a few dozen bytes per
/// programme. It reports an invalid record as a diagnostic. For an invalid file, it throws an error and leaves the
/// guide unchanged.
///
/// ```swift
/// let outcome = try guide.write { guide in
///     try GuideImporter(store: guide).importGuide(try FileSource(path: "guide.xml"), as: Source(name: "feed"), now:
///     now)
/// }
/// ```
public struct GuideImporter {
    private let store: any GuideWriting

    /// Creates an importer into a store that is open for writing.
    public init(store: any GuideWriting) {
        self.store = store
    }

    /// Imports one guide of any supported format, compressed or not.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the guide.
    ///   - source: The source of the listings. They replace those that the source listed before for the same range.
    ///   - options: What to import, and how to handle invalid files.
    ///   - now: The instant for the import log.
    ///   - state: The state to store for the source; `nil` leaves it unchanged.
    /// - Throws: ``GuideFileError`` for an invalid file, `ZoneError` for the source's zone, `RefusedImport` if the
    ///   options require more than the guide contains, `ExceededImportLimit` if it exceeds a limit, and errors of the
    ///   store.
    public func importGuide(
        _ bytes: some ByteSource, as source: Source, options: ImportOptions = ImportOptions(), now: Instant,
        state: SourceState? = nil
    ) throws -> ImportOutcome {
        try importGuide([GuideFile(bytes)], as: source, options: options, now: now, state: state)
    }

    /// Imports one guide that may consist of several JSON files, as with Schedules Direct.
    ///
    /// The other parameters and the errors are the same as for a single file.
    ///
    /// - Parameter files: The files of the guide, in any order; more than one only for JSON.
    public func importGuide(
        _ files: [GuideFile], as source: Source, options: ImportOptions = ImportOptions(), now: Instant,
        state: SourceState? = nil
    ) throws -> ImportOutcome {
        let options = options.completed(by: source)
        let times = try TimeResolver(source)
        var stored = source
        if source.location == nil {
            // Time options of a one-off import apply to that import only, unless they are part of the configured
            // source.
            (stored.timeZone, stored.shift) = (nil, 0)
        }
        let session = try store.beginImport(
            of: stored, now: now, matcher: StationMatcher(), safeguard: options.safeguard, limits: options.limits)
        do {
            var decoder = GuideDecoder(try session.loadContentIndex(), key: session.contentKey, times, options)
            try decoder.decode(files, into: session)
            let report = try decoder.finish(into: session)
            return try session.commit(report, state: state)
        } catch {
            session.cancel()
            throw error
        }
    }

    /// Imports records that no file contains, as of a source without a location.
    ///
    /// - Throws: `ExceededImportLimit`, and errors of the store.
    package func importRecords(
        _ records: some GuideRecordReader, as source: Source, limits: ImportLimits, now: Instant, state: SourceState?
    ) throws -> ImportOutcome {
        var options = ImportOptions()
        options.limits = limits
        let times = try TimeResolver(source)
        let session = try store.beginImport(
            of: source, now: now, matcher: StationMatcher(), safeguard: nil, limits: limits)
        do {
            var decoder = GuideDecoder(try session.loadContentIndex(), key: session.contentKey, times, options)
            var records = records
            try decoder.decode(records: &records, into: session)
            return try session.commit(try decoder.finish(into: session), state: state)
        } catch {
            session.cancel()
            throw error
        }
    }

    /// Imports a playlist as a lineup. If there is a lineup with that name, its channels keep the changes of the user.
    ///
    /// - Parameters:
    ///   - file: The playlist.
    ///   - name: The name of the lineup.
    ///   - limits: The channels may use half of the memory limit.
    ///   - now: The instant for the change log.
    /// - Returns: The outcome, and the findings in the file.
    /// - Throws: ``GuideFileError`` for an invalid file, `ExceededImportLimit` if the channels take too much memory,
    ///   and errors of the store.
    public func importLineup(
        _ file: GuideFile, named name: String, limits: ImportLimits = ImportLimits(), now: Instant
    ) throws -> (outcome: LineupOutcome, findings: PlaylistFindings) {
        let (lineup, findings, _) = try file.readLineup(named: name, limits: limits)
        return (try store.replaceLineup(lineup, from: nil, matcher: StationMatcher(), now: now), findings)
    }

    /// Imports the playlist of a source as the lineup with the source's name.
    ///
    /// - Parameters:
    ///   - minimumShare: Minimum share of the stored channels in percent that the playlist must have; `nil` for no minimum, also accepts
    ///     a truncated playlist.
    ///   - state: The state to store for the source.
    /// - Returns: The outcome, and the attributes of the list.
    /// - Throws: As ``importLineup(_:named:limits:now:)``, and `RefusedImport` if the playlist has too few channels.
    package func importPlaylist(
        _ file: GuideFile, of source: Source, minimumShare: Int?, limits: ImportLimits, now: Instant, state: SourceState
    ) throws -> (outcome: LineupOutcome, attributes: [ContentAttribute]) {
        let (lineup, findings, _) = try file.readLineup(named: source.name, limits: limits)
        if findings.isTruncated, minimumShare != nil {
            throw GuideFileError(.lineup(PlaylistError(reason: .truncated(channels: lineup.channels.count), line: 0)))
        }
        let refresh = LineupRefresh(
            source: source.name, minimumShare: minimumShare, diagnostics: findings.diagnostics, state: state)
        let outcome = try store.replaceLineup(lineup, from: refresh, matcher: StationMatcher(), now: now)
        return (outcome, lineup.attributes)
    }
}

extension GuideFile {
    /// Reads a playlist without importing it.
    package func readPlaylist(named name: String) throws -> Lineup {
        try readLineup(named: name, limits: ImportLimits()).lineup
    }

    /// Reads a playlist; see ``GuideImporter/importLineup(_:named:limits:now:)``.
    func readLineup(
        named name: String, limits: ImportLimits
    ) throws -> (lineup: Lineup, findings: PlaylistFindings, title: String?) {
        var playlistLimits = PlaylistLimits.standard
        playlistLimits.heldBytes = limits.memory / 2
        var reader = PlaylistReader(bytes, limits: playlistLimits)
        do throws(PlaylistError) {
            var lineup = try reader.readLineup(named: name)
            // These attributes are the user's, not the list's.
            for index in lineup.channels.indices { lineup.channels[index].attributes.removeAll(where: Channel.isEdit) }
            return (lineup, reader.findings, reader.title)
        } catch {
            // The store holds the channels twice while it compares them with the stored ones.
            if case .tooMuchMemory = error.reason { throw ExceededImportLimit(.memory, value: limits.memory) }
            throw GuideFileError(.lineup(error))
        }
    }
}
