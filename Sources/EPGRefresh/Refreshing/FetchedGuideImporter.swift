internal import EPGFiles
internal import EPGImport
package import EPGModel
internal import Synchronization
internal import XMLTV

/// Imports fetched guides.
package struct FetchedGuideImporter: Sendable {
    /// The progress of reading a guide.
    package struct Progress: Hashable, Sendable {
        /// Bytes of the file read so far.
        package let byteCount: Int64
        /// Size of the file in bytes; 0 if unknown.
        package let total: Int64
        /// Programmes read so far.
        package let programmes: Int

        /// Whether the file was read completely, so that only sorting and storing are left.
        package var isRead: Bool { byteCount >= total }

        /// Creates a progress report. `programmes` counts only complete ones.
        package init(byteCount: Int64, total: Int64, programmes: Int) {
            self.byteCount = byteCount
            self.total = total
            self.programmes = programmes
        }
    }

    private let now: Instant
    private let watch: @Sendable (_ source: String, _ progress: Progress) -> Void
    private let isCancelled: @Sendable () -> Bool

    /// - Parameters:
    ///   - now: The current time, for the import log.
    ///   - watch: Receives progress after each chunk. Called often.
    ///   - isCancelled: Returns whether to cancel the import, while it is reading.
    package init(
        now: Instant, watch: @escaping @Sendable (_ source: String, _ progress: Progress) -> Void = { _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.now = now
        self.watch = watch
        self.isCancelled = isCancelled
    }

    /// Imports a fetched guide.
    ///
    /// - Throws: ``RefreshFailure`` for a file that cannot be imported, ``RefusedImport``, and errors of the store.
    package func importGuide(_ fetched: FetchedGuide, into guide: any GuideWriting) throws -> ImportOutcome {
        let source = fetched.source.name
        var options = ImportOptions()
        options.minimumShare = fetched.minimumShare
        options.acceptsMissingTimes = fetched.minimumShare == nil
        options.limits = fetched.limits
        options.window = fetched.begin.map { TimeWindow(start: $0, end: Instant(secondsSince1970: .max)) }
        do {
            let total = FileStatus(path: fetched.path)?.size ?? 0
            let progress = ProgressRecorder(total: Int64(total)) { [watch] in watch(source, $0) }
            options.progress = { progress.record(programmes: $0) }
            let bytes = WatchedSource(try FileSource(path: fetched.path), isCancelled: isCancelled) {
                progress.record(byteCount: $0)
            }
            return try GuideImporter(store: guide).importGuide(
                bytes, as: fetched.source, options: options, now: now, state: fetched.state)
        } catch let error as GuideFileError {
            let place = GuideLocation.displayable(fetched.source.location ?? source)
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

/// Combines the counts of bytes and programmes.
private final class ProgressRecorder: Sendable {
    private let state: Mutex<FetchedGuideImporter.Progress>
    private let report: @Sendable (FetchedGuideImporter.Progress) -> Void

    init(total: Int64, _ report: @escaping @Sendable (FetchedGuideImporter.Progress) -> Void) {
        state = Mutex(FetchedGuideImporter.Progress(byteCount: 0, total: total, programmes: 0))
        self.report = report
    }

    func record(byteCount: Int64? = nil, programmes: Int? = nil) {
        report(
            state.withLock { state in
                state = FetchedGuideImporter.Progress(
                    byteCount: byteCount ?? state.byteCount, total: state.total,
                    programmes: programmes ?? state.programmes)
                return state
            })
    }
}

/// A fetched guide, and the options of its import.
package struct FetchedGuide: Hashable, Sendable {
    /// The source, with its import settings.
    package let source: Source
    /// The file that contains the guide until the import ends.
    package let path: String
    /// The new state of the source, which the import stores in its transaction.
    package let state: SourceState
    /// Minimum share of airings in percent that the import must keep; `nil` for no minimum. See `ImportSafeguard`.
    package let minimumShare: Int?
    /// The start of the import, which skips programmes that end earlier, because pruning would remove them; `nil`
    /// imports all.
    package let begin: Instant?
    /// Limits on the contents of the guide.
    package let limits: ImportLimits

    /// Creates the description of a guide in a file, which the caller owns.
    package init(
        source: Source, path: String, state: SourceState, minimumShare: Int?, begin: Instant? = nil,
        limits: ImportLimits = ImportLimits()
    ) {
        self.source = source
        self.path = path
        self.state = state
        self.minimumShare = minimumShare
        self.begin = begin
        self.limits = limits
    }
}
