internal import CProcess
internal import Glibc

/// A refresh in a process of its own: a guide that exhausts the memory or finds a fault of ours ends that process, not the
/// service.
package enum RefreshProcess {
    /// Runs a program until it ends; blocks.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments. It has the environment of this process.
    ///   - isCancelled: Whether it is to end; it is then asked to, once.
    ///   - takeErrors: Takes what it writes to standard error, as it comes.
    /// - Returns: How it ended; `nil` for exit code 0.
    /// - Throws: ``RefreshFailure`` where it can't be started.
    package static func run(
        _ command: [String], isCancelled: () -> Bool, takeErrors: (UnsafeRawBufferPointer) -> Void
    ) throws -> CommandEnding? {
        let process: ChildProcess
        do throws(SystemFailure) {
            process = try ChildProcess(command)
        } catch {
            throw RefreshFailure(
                sentence: "The process of the refresh can't be started (\(String(cString: strerror(error.code)))).",
                exitCode: RefreshFailure.inputOutput)
        }
        _ = fcntl(process.output, F_SETFL, O_NONBLOCK)
        var pipes = [process.errors, process.output].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var wasAsked = false
        while !process.hasEnded {
            if !wasAsked, isCancelled() {
                process.terminate()
                wasAsked = true
            }
            // Without open pipes this only waits.
            _ = poll(&pipes, nfds_t(pipes.count), pipes[0].fd < 0 ? 20 : 100)
            for index in pipes.indices where pipes[index].revents != 0 {
                let isOpen = read(pipes[index].fd, &buffer) { if index == 0 { takeErrors($0) } }
                if !isOpen { pipes[index].fd = -1 }
            }
        }
        while pipes[0].fd >= 0, read(process.errors, &buffer, takeErrors) {}
        return process.finish()
    }

    /// What the process of a refresh does for the others, as soon as it runs: it goes first where memory runs out, and ends
    /// with the service.
    package static func yieldToService() { cprocess_yield_to_parent() }

    /// Does something with a limit on the memory of this process; programs that were started before have none.
    ///
    /// - Parameter bytes: Of data: what was allocated, and the stacks of threads.
    package static func limitingMemory<Answer>(to bytes: Int, _ body: () throws -> Answer) rethrows -> Answer {
        // A system that doesn't allow it has limits of its own (MemoryMax= of the unit).
        _ = cprocess_limit_data(UInt64(clamping: max(1, bytes)))
        defer { _ = cprocess_limit_data(0) }
        return try body()
    }

    /// Reads what is there, once; `false` at the end of a pipe, and where an empty one would have to be waited for.
    private static func read(_ pipe: Int32, _ buffer: inout [UInt8], _ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
        while true {
            let count = Glibc.read(pipe, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            buffer.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            return true
        }
    }
}
