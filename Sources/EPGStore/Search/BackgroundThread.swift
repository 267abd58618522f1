import Glibc

/// A thread of its own that yields to all others.
enum BackgroundThread {
    /// Runs the work; where the system gives no thread, at once and on this one.
    static func run(_ work: @escaping @Sendable () -> Void) {
        let job = Job {
            // On Linux this holds for the calling thread alone.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
            work()
        }
        let context = Unmanaged.passRetained(job)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, context.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            context.release()
            work()
        }
    }

    private final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}
