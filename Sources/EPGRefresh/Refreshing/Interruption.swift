internal import Glibc
internal import Synchronization

/// The signals that end a refresh: at the first one it breaks off in order, the second one ends the program at once.
package enum Interruption {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// The first signal that came; 0 for none.
    private static let first = Atomic<Int32>(0)
    /// When it came, in milliseconds of a clock that nobody sets.
    private static let moment = Atomic<Int64>(0)
    /// Signals within so many milliseconds are one order.
    private static let echo = Atomic<Int64>(200)

    /// Takes the signals from now on, but for those that are ignored: by `nohup`, or in a script's background. The caller of
    /// this program may have blocked them (threads of libdispatch do).
    ///
    /// - Parameter echo: Signals within so many milliseconds of the first one repeat its order. By default 200: `timeout` and
    ///   some supervisors signal the process and then its group.
    package static func take(echo: Int64 = 200) {
        self.echo.store(echo, ordering: .relaxed)
        var taken = sigset_t()
        sigemptyset(&taken)
        defer { pthread_sigmask(SIG_UNBLOCK, &taken, nil) }
        for number in signals {
            sigaddset(&taken, number)
            let before = signal(number, handler)
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
        }
    }

    /// Whether a signal came.
    package static var isWanted: Bool { first.load(ordering: .relaxed) != 0 }

    /// Ends the program by the signal that came, so that a shell or a supervisor learns of it; returns where none came.
    package static func finish() {
        let number = first.load(ordering: .relaxed)
        if number != 0 { end(by: number) }
    }

    /// What is done as a signal comes: nothing but atomics and system calls.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        let code = errno
        if first.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged {
            moment.store(now, ordering: .relaxed)
        } else if now - moment.load(ordering: .relaxed) > echo.load(ordering: .relaxed) {
            RunningCommand.kill()
            end(by: number)
        }
        errno = code
    }

    private static func end(by number: Int32) {
        signal(number, SIG_DFL)
        raise(number)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
