import Glibc

/// A thread for one piece of work that blocks for long, so that it takes none of those that answer requests.
package enum OwnThread {
    /// Runs the work, and gives what it returns or throws.
    ///
    /// It isn't cancelled with the task that waits for it.
    package static func run<Outcome: Sendable>(_ work: @escaping @Sendable () throws -> Outcome) async throws -> Outcome
    {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job { continuation.resume(with: Result(catching: work)) }
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            // What a main thread has.
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
                continuation.resume(throwing: SpoolError(code))
            }
        }
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
