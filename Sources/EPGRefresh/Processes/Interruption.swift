internal import Glibc
internal import Synchronization

/// Handles the signals that stop a refresh: the first one cancels it, the second one ends the program immediately.
package enum Interruption {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// The first signal received; 0 for none.
    private static let first = Atomic<Int32>(0)
    /// The time at which the first signal was received, in milliseconds of the monotonic clock.
    private static let firstTime = Atomic<Int64>(0)
    /// Milliseconds after the first signal during which further signals count as repetitions.
    private static let repetitionMilliseconds = Atomic<Int64>(200)

    /// Installs the handlers, except for signals that are ignored (by `nohup`, or in the background of a script).
    /// Unblocks the signals, which the parent process may have blocked (threads of libdispatch do).
    ///
    /// - Parameter repetitionMilliseconds: Milliseconds after the first signal during which further ones count as
    ///   repetitions, because `timeout` and some supervisors signal the process and then its group. The default is 200.
    package static func installHandlers(repetitionMilliseconds: Int64 = 200) {
        self.repetitionMilliseconds.store(repetitionMilliseconds, ordering: .relaxed)
        var handledSignals = sigset_t()
        sigemptyset(&handledSignals)
        defer { pthread_sigmask(SIG_UNBLOCK, &handledSignals, nil) }
        for number in signals {
            sigaddset(&handledSignals, number)
            let previous = signal(number, handler)
            if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
        }
    }

    /// Whether a signal was received.
    package static var isRequested: Bool { first.load(ordering: .relaxed) != 0 }

    /// Ends the program with the signal that was received, so that its parent can see it. Returns if there was none.
    package static func finish() {
        let number = first.load(ordering: .relaxed)
        if number != 0 { end(by: number) }
    }

    /// The signal handler. It uses only atomics and async-signal-safe calls.
    private static let handler: @convention(c) (Int32) -> Void = { number in
        let code = errno
        if first.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged {
            firstTime.store(now, ordering: .relaxed)
        } else if now - firstTime.load(ordering: .relaxed) > repetitionMilliseconds.load(ordering: .relaxed) {
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
