internal import CProcess
internal import EPGFiles

/// Runs a refresh, or sends reminders, in a child process of the service, so that a guide that exhausts memory or triggers a
/// crash ends that process and not the service.
package enum WorkerProcess {
    /// Runs this program in a child process, with the environment of this process. Blocks until it ends. It writes to
    /// the standard error of this process.
    ///
    /// - Parameters:
    ///   - isCancelled: Returns whether to terminate the program, which happens once.
    ///   - takeOutput: Receives its standard output as it is written.
    /// - Returns: How it ended; `nil` for exit code 0.
    /// - Throws: ``RefreshFailure`` if it cannot be started.
    package static func run(
        _ arguments: [String], isCancelled: () -> Bool, takeOutput: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws -> CommandTermination? {
        let process: ChildProcess
        do throws(SystemFault) {
            // This is the running program, even if another version was installed since.
            process = try ChildProcess(["/proc/self/exe"] + arguments)
        } catch {
            throw RefreshFailure(sentence: "Cannot start a process (\(error)).", kind: .inputOutput)
        }
        var wasTerminated = false
        _ = process.read {
            if !wasTerminated, isCancelled() {
                process.terminate()
                wasTerminated = true
            }
            return true
        } errors: { bytes in
            // Ignore a failure, because there is no other place to report it.
            try? OpenFile.standardError.write(bytes)
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
