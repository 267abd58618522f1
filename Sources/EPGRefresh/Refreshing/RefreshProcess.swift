internal import CProcess
internal import EPGFiles
internal import Glibc
internal import Synchronization

/// Runs a refresh in a child process, so that a guide that exhausts memory or triggers a crash ends that process and
/// not the server.
package enum RefreshProcess {
    /// Runs a program. Blocks until it ends.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments. It inherits the environment of this process.
    ///   - isCancelled: Returns whether to terminate the program, which happens once.
    ///   - takeErrors: Receives its standard error as it is written.
    ///   - takeOutput: Receives its standard output as it is written.
    /// - Returns: How it ended; `nil` for exit code 0.
    /// - Throws: ``RefreshFailure`` if it cannot be started.
    package static func run(
        _ command: [String], isCancelled: () -> Bool, takeErrors: (UnsafeRawBufferPointer) -> Void,
        takeOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws -> CommandTermination? {
        let process: ChildProcess
        do throws(SystemFault) {
            process = try ChildProcess(command)
        } catch {
            throw RefreshFailure(
                sentence: "Cannot start the refresh process (\(error)).", kind: .inputOutput)
        }
        var wasTerminated = false
        _ = process.read {
            if !wasTerminated, isCancelled() {
                process.terminate()
                wasTerminated = true
            }
            return true
        } errors: {
            takeErrors($0)
        } output: {
            takeOutput($0)
        }
        return process.finish()
    }

    /// Configures this process as the child of a server: the kernel prefers to kill it if memory runs out, and it ends
    /// with the server.
    package static func yieldToService() { cprocess_yield_to_parent() }

    /// Runs a function with a memory limit for this process. Running child processes are not limited.
    ///
    /// - Parameter bytes: Maximum size of the data segment: heap and thread stacks.
    package static func limitingMemory<Result>(to bytes: Int, _ body: () throws -> Result) rethrows -> Result {
        // If the system refuses the limit, its own applies (MemoryMax= of the unit).
        _ = cprocess_limit_data(UInt64(clamping: max(1, bytes)))
        defer { _ = cprocess_limit_data(0) }
        return try body()
    }
}

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
