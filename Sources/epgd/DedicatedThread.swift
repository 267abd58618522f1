import Glibc

/// A thread for one piece of work that blocks for minutes, so that it occupies no thread of a pool.
enum DedicatedThread {
    /// Runs work on a new thread, and returns its outcome. The work is not cancelled with the task.
    ///
    /// - Throws: ``Failure`` if the system creates no thread; any error of the work.
    static func run<Outcome: Sendable>(_ work: @escaping @Sendable () throws -> Outcome) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job { continuation.resume(with: Result(catching: work)) }
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            // The size of the main thread's stack by default.
            pthread_attr_setstacksize(&attributes, 8 << 20)
            pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
            let context = Unmanaged.passRetained(job)
            var thread = pthread_t()
            let code = pthread_create(
                &thread, &attributes,
                { context in
                    if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
                    return nil
                }, context.toOpaque())
            if code != 0 {
                context.release()
                continuation.resume(throwing: Failure(errorNumber: code))
            }
        }
    }

    /// The system created no thread.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let errorNumber: Int32

        var description: String { "cannot create a thread: \(String(cString: strerror(errorNumber)))" }
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
