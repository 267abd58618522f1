import Dispatch
import EPGTerminal
import Glibc
import Synchronization

/// Runs work of `epg browse` on background threads, and keeps its results for the thread of the screen.
final class BackgroundWork: Sendable {
    /// Applies a result, on the thread of the screen.
    typealias Completion = @Sendable (Browser) -> Void
    /// Work that may block.
    typealias Work = @Sendable () -> Completion

    private let finished = Mutex<[Completion]>([])
    /// Becomes readable when work has finished; -1 if the system has no pipe left.
    let descriptor: Int32
    private let writingEnd: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        (descriptor, writingEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writingEnd)
    }

    func start(_ work: @escaping Work) {
        DispatchQueue.global().async { [self] in
            let completion = work()
            finished.withLock { $0.append(completion) }
            var notice: UInt8 = 0
            _ = write(writingEnd, &notice, 1)
        }
    }

    /// Returns the results since the last call.
    func takeFinished() -> [Completion] {
        var notices = [UInt8](repeating: 0, count: 64)
        _ = read(descriptor, &notices, notices.count)
        return finished.withLock { finished in
            defer { finished = [] }
            return finished
        }
    }
}
