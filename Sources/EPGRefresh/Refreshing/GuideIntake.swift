internal import EPGImport
package import EPGModel
internal import Glibc
internal import XMLTV

/// Imports what was fetched from the file in which it lies.
package struct GuideIntake: Sendable {
    /// How far the reading of a guide is.
    package struct Progress: Hashable, Sendable {
        /// Bytes of the file that were read, of how many.
        package let byteCount: Int64
        package let total: Int64
        /// Programmes that were read.
        package let programmes: Int

        /// Whether all is read, so that what is left is to sort and to store it.
        package var isRead: Bool { byteCount >= total }

        /// Progress after so many of the file's bytes; programmes count as far as they were read whole.
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
    ///   - now: The instant for the log.
    ///   - watch: Hears of each piece that was read; it is called often.
    ///   - isCancelled: Whether the import is to be given up, as far as it is still reading.
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
    /// - Throws: ``RefreshFailure`` for a file that can't be taken, with its exit code; what the store throws as it is.
    package func take(_ fetched: FetchedGuide, into guide: any GuideWriting) throws -> ImportOutcome {
        let source = fetched.source.name
        var options = ImportOptions()
        options.minimumShare = fetched.minimumShare
        options.limits = fetched.limits
        options.window = fetched.begin.map { TimeWindow(start: $0, end: Instant(secondsSince1970: .max)) }
        do {
            let progress = WatchedSource.Progress(total: WatchedSource.byteCount(of: fetched.path)) { [watch] in
                watch(source, $0)
            }
            options.progress = { progress.note(programmes: $0) }
            let bytes = WatchedSource(
                try FileSource(path: fetched.path), progress: progress, isCancelled: isCancelled)
            return try GuideImporter(store: guide).importGuide(
                bytes, as: fetched.source, options: options, now: now, state: fetched.state)
        } catch let error as GuideFileError {
            let place = GuideLocation.displayable(fetched.source.location ?? source)
            throw RefreshFailure(
                sentence: "\(place): \(error).",
                exitCode: error.isUnreadable ? RefreshFailure.inputOutput : RefreshFailure.badContent)
        } catch let error as SystemFault {
            throw RefreshFailure(
                sentence: "The fetched guide can't be read (\(error.words)).", exitCode: RefreshFailure.inputOutput)
        }
    }
}
