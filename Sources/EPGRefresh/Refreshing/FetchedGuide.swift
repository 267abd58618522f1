internal import EPGFiles
internal import EPGImport
package import EPGModel
internal import Synchronization
internal import XMLTV

/// A fetched guide or playlist, and the options of its import.
package struct FetchedGuide: Sendable {
    /// The source, with its import settings.
    package let source: Source
    /// What the source contained before; `nil` if it is new. The file must have the same kind of content.
    package let kind: SourceKind?
    /// The file that contains the guide until the import ends.
    package let path: String
    /// The new state of the source, which the import stores in its transaction.
    package let state: SourceState
    /// Minimum share of airings or channels in percent that the import must keep; `nil` for no minimum. See `ImportSafeguard`.
    package let minimumShare: Int?
    /// The current time, for the import log.
    package let now: Instant
    /// The start of the import, which skips programmes that end earlier, because pruning would remove them; `nil`
    /// imports all.
    package var begin: Instant?
    /// Earlier starts of the import for stations with catch-up.
    package var horizons: [StationID: Instant] = [:]
    /// Limits on the contents of the guide.
    package var limits = ImportLimits()
    /// Receives the progress of reading the guide, often.
    package var watch: @Sendable (ReadingProgress) -> Void = { _ in }
    /// Returns whether to cancel the import, while it is reading.
    package var isCancelled: @Sendable () -> Bool = { false }

    /// Creates the description of a guide in a file, which the caller owns.
    package init(
        source: Source, kind: SourceKind? = nil, path: String, state: SourceState, minimumShare: Int?, now: Instant
    ) {
        self.source = source
        self.kind = kind
        self.path = path
        self.state = state
        self.minimumShare = minimumShare
        self.now = now
    }

    /// Imports the guide or the playlist, according to its content.
    ///
    /// - Throws: ``RefreshFailure`` for a file that cannot be imported, ``RefusedImport``, and errors of the store.
    package func importContent(into guide: any GuideWriting) throws -> ImportedContent {
        var options = ImportOptions()
        options.minimumShare = minimumShare
        options.acceptsMissingTimes = minimumShare == nil
        options.limits = limits
        options.window = begin.map { TimeWindow(start: $0, end: Instant(secondsSince1970: .max)) }
        options.starts = horizons
        do {
            let total = FileStatus(path: path)?.size ?? 0
            let progress = SharedProgress(
                ReadingProgress(byteCount: 0, total: Int64(total), programmes: 0), watch)
            options.progress = { count in progress.update { $0.programmes = count } }
            let file = WatchedSource(try FileSource(path: path), isCancelled: isCancelled) { count in
                progress.update { $0.byteCount = count }
            }
            var content = GuideFile(file)
            let importer = GuideImporter(store: guide)
            let isAccount = source.account?.service == .xtreamPlaylist
            guard !isAccount || content.format != .json else {
                throw RefreshFailure(
                    sentence:
                        "The server responded with JSON instead of a playlist. Check the user name and the password.",
                    kind: .badContent)
            }
            guard content.format == .playlist || kind == .playlist || isAccount else {
                return .guide(
                    try importer.importGuide([content], as: source, options: options, now: now, state: state))
            }
            guard kind != .guide, source.account?.service != .xtreamGuide else { throw otherKind("playlist", "guide") }
            guard ![.xmltv, .json].contains(content.format) else { throw otherKind("guide", "playlist") }
            content.encoding = source.encoding
            let (outcome, attributes) = try importer.importPlaylist(
                content, of: source, minimumShare: minimumShare, limits: limits, now: now, state: state)
            return .playlist(outcome, attributes: attributes)
        } catch let error as GuideFileError {
            let place = GuideLocation.displayable(source.location ?? source.name)
            throw RefreshFailure(
                sentence: "\(place): \(error).",
                kind: error.isUnreadable ? .inputOutput : .badContent,
                remedy: error.isWithoutTimes || error.isTruncatedPlaylist ? .acceptGuide : nil)
        } catch let error as SystemFault {
            throw RefreshFailure(
                sentence: "Cannot read the fetched guide (\(error)).", kind: .inputOutput)
        }
    }

    /// The failure of a source whose content is of another kind than before, because its location is probably wrong.
    private func otherKind(_ found: String, _ expected: String) -> RefreshFailure {
        RefreshFailure(
            sentence:
                "The download is a \(found), but this source is a \(expected). Add the \(found) as another source.",
            kind: .badContent)
    }
}

/// What a refresh has imported.
package enum ImportedContent: Hashable, Sendable {
    case guide(ImportOutcome)
    /// A lineup, and the attributes of the list in the file.
    case playlist(LineupOutcome, attributes: [ContentAttribute])

    /// Whether the guide changed.
    package var changedGuide: Bool {
        switch self {
        case .guide(let outcome): outcome.changedGuide
        case .playlist(let outcome, _): outcome.changedGuide
        }
    }
}

/// The progress of reading a guide.
package struct ReadingProgress: Hashable, Sendable {
    /// Bytes of the file read so far.
    package fileprivate(set) var byteCount: Int64
    /// Size of the file in bytes; 0 if unknown.
    package let total: Int64
    /// Complete programmes read so far.
    package fileprivate(set) var programmes: Int

    /// Whether the file was read completely, so that only sorting and storing are left.
    package var isRead: Bool { byteCount >= total }

    /// Creates the progress of an import.
    package init(byteCount: Int64, total: Int64, programmes: Int) {
        self.byteCount = byteCount
        self.total = total
        self.programmes = programmes
    }
}

/// Progress that several closures update.
private final class SharedProgress: Sendable {
    private let state: Mutex<ReadingProgress>
    private let watch: @Sendable (ReadingProgress) -> Void

    init(_ progress: ReadingProgress, _ watch: @escaping @Sendable (ReadingProgress) -> Void) {
        state = Mutex(progress)
        self.watch = watch
    }

    func update(_ change: (inout ReadingProgress) -> Void) {
        watch(
            state.withLock { progress in
                change(&progress)
                return progress
            })
    }
}
