import Foundation

/// Measures the processor time of the current thread, which doesn't depend on other tests.
enum ProcessorTime {
    /// Returns the processor time that a closure takes, in seconds.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
