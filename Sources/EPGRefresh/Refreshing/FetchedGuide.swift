internal import EPGFiles
internal import EPGImport
package import EPGModel
internal import Synchronization
internal import XMLTV

/// A fetched guide, and the options of its import.
package struct FetchedGuide: Sendable {
    /// The source, with its import settings.
    package let source: Source
    /// The file that contains the guide until the import ends.
    package let path: String
    /// The new state of the source, which the import stores in its transaction.
    package let state: SourceState
    /// Minimum share of airings in percent that the import must keep; `nil` for no minimum. See `ImportSafeguard`.
    package let minimumShare: Int?
    /// The current time, for the import log.
    package let now: Instant
    /// The start of the import, which skips programmes that end earlier, because pruning would remove them; `nil`
    /// imports all.
    package var begin: Instant?
    /// Limits on the contents of the guide.
    package var limits = ImportLimits()
    /// Receives the progress of reading the guide, often.
    package var watch: @Sendable (ReadingProgress) -> Void = { _ in }
    /// Returns whether to cancel the import, while it is reading.
    package var isCancelled: @Sendable () -> Bool = { false }

    /// Creates the description of a guide in a file, which the caller owns.
    package init(source: Source, path: String, state: SourceState, minimumShare: Int?, now: Instant) {
        self.source = source
        self.path = path
        self.state = state
        self.minimumShare = minimumShare
        self.now = now
    }

    /// Imports the guide.
    ///
    /// - Throws: ``RefreshFailure`` for a file that cannot be imported, ``RefusedImport``, and errors of the store.
    package func importGuide(into guide: any GuideWriting) throws -> ImportOutcome {
        var options = ImportOptions()
        options.minimumShare = minimumShare
        options.acceptsMissingTimes = minimumShare == nil
        options.limits = limits
        options.window = begin.map { TimeWindow(start: $0, end: Instant(secondsSince1970: .max)) }
        do {
            let total = FileStatus(path: path)?.size ?? 0
            let progress = SharedProgress(
                ReadingProgress(byteCount: 0, total: Int64(total), programmes: 0), watch)
            options.progress = { count in progress.update { $0.programmes = count } }
            let file = WatchedSource(try FileSource(path: path), isCancelled: isCancelled) { count in
                progress.update { $0.byteCount = count }
            }
            return try GuideImporter(store: guide).importGuide(
                file, as: source, options: options, now: now, state: state)
        } catch let error as GuideFileError {
            let place = GuideLocation.displayable(source.location ?? source.name)
            throw RefreshFailure(
                sentence: "\(place): \(error).",
                kind: error.isUnreadable ? .inputOutput : .badContent,
                remedy: error.reason == .playlist ? .importPlaylist : error.isWithoutTimes ? .acceptGuide : nil)
        } catch let error as SystemFault {
            throw RefreshFailure(
                sentence: "Cannot read the fetched guide (\(error)).", kind: .inputOutput)
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
