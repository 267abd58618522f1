import EPGFiles
import Glibc
import Synchronization

/// Runs blocking work of several minutes on its own thread, so that it occupies no pool thread.
enum DedicatedThread {
    /// Runs work on a new thread and returns its result.
    ///
    /// - Parameter work: Gets a function that returns whether the task was canceled.
    /// - Throws: ``Failure`` if the system cannot create a thread; any error of the work.
    static func run<Outcome: Sendable>(
        _ work: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Outcome
    ) async throws -> Outcome {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await start { try work { cancellation.flag.load(ordering: .relaxed) } }
        } onCancel: {
            cancellation.flag.store(true, ordering: .relaxed)
        }
    }

    private static func start<Outcome: Sendable>(
        _ work: @escaping @Sendable () throws -> Outcome
    ) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job { continuation.resume(with: Result(catching: work)) }
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            // The default stack size of a main thread.
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

    /// The system cannot create a thread.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let errorNumber: Int32

        var description: String { "cannot create a thread: \(SystemFault(number: errorNumber))" }
    }

    private final class Cancellation: Sendable {
        let flag = Atomic(false)
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
