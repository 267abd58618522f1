internal import Glibc
internal import Synchronization
internal import XMLTV

/// The bytes of a fetched guide, while somebody looks on who may end it.
struct WatchedSource: ByteSource {
    /// How far the reading is, put together from bytes and programmes.
    final class Progress: Sendable {
        private let total: Int64
        private let tell: @Sendable (GuideIntake.Progress) -> Void
        private let state = Mutex((byteCount: Int64(0), programmes: 0))

        init(total: Int64, _ tell: @escaping @Sendable (GuideIntake.Progress) -> Void) {
            self.total = total
            self.tell = tell
        }

        func note(bytes: Int) {
            state.withLock { $0.byteCount += Int64(bytes) }
            tellAll()
        }

        func note(programmes: Int) {
            state.withLock { $0.programmes = programmes }
            tellAll()
        }

        private func tellAll() {
            let (byteCount, programmes) = state.withLock { $0 }
            tell(GuideIntake.Progress(byteCount: byteCount, total: total, programmes: programmes))
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
        let got = try base.read(into: &buffer, at: offset, upTo: count)
        progress.note(bytes: got)
        return got
    }

    /// The size of a file in bytes; 0 where it can't be told.
    static func byteCount(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
