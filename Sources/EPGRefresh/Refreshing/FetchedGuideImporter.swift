internal import EPGFiles
internal import EPGImport
package import EPGModel
internal import Glibc
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
            let progress = WatchedSource.Progress(total: WatchedSource.byteCount(of: fetched.path)) { [watch] in
                watch(source, $0)
            }
            options.progress = { progress.record(programmes: $0) }
            let bytes = WatchedSource(
                try FileSource(path: fetched.path), progress: progress, isCancelled: isCancelled)
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

/// A file that reports how far it was read, and that can be canceled.
private struct WatchedSource: ByteSource {
    /// Combines the counts of bytes and programmes.
    final class Progress: Sendable {
        private let total: Int64
        private let report: @Sendable (FetchedGuideImporter.Progress) -> Void
        private let state = Mutex((byteCount: Int64(0), programmes: 0))

        init(total: Int64, _ report: @escaping @Sendable (FetchedGuideImporter.Progress) -> Void) {
            self.total = total
            self.report = report
        }

        func record(bytes: Int) {
            state.withLock { $0.byteCount += Int64(bytes) }
            reportState()
        }

        func record(programmes: Int) {
            state.withLock { $0.programmes = programmes }
            reportState()
        }

        private func reportState() {
            let (byteCount, programmes) = state.withLock { $0 }
            report(FetchedGuideImporter.Progress(byteCount: byteCount, total: total, programmes: programmes))
        }
    }

    private var base: FileSource
    private let progress: Progress
    private let isCancelled: @Sendable () -> Bool

    init(_ base: FileSource, progress: Progress, isCancelled: @escaping @Sendable () -> Bool) {
        self.base = base
        self.progress = progress
        self.isCancelled = isCancelled
    }

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        if isCancelled() { throw .system(SystemFault(number: ECANCELED)) }
        let readCount = try base.read(into: &buffer, at: offset, upTo: count)
        progress.record(bytes: readCount)
        return readCount
    }

    /// Returns the size of a file in bytes; 0 if unknown.
    static func byteCount(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
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
