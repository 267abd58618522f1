internal import Glibc

/// Runs a program whose output is a guide, such as one of XMLTV's `tv_grab_*`.
///
/// The program is run without a shell, in a process group of its own. Its output goes to a temporary file and counts only
/// when it has ended with exit code 0; else the last lines of its standard error say why. Where its time is over or its
/// output too large, the whole group is ended.
package struct CommandFetcher: Sendable {
    private let limits: FetchLimits
    private let temporaryFolder: String?
    private let clock: FetchClock

    /// - Parameters:
    ///   - limits: Of these, the time in all and the size hold.
    ///   - temporaryFolder: Where outputs lie until they are imported; `nil` for `TMPDIR`, else `/var/tmp`.
    package init(limits: FetchLimits = FetchLimits(), temporaryFolder: String? = nil) {
        self.limits = limits
        self.temporaryFolder = temporaryFolder
        clock = .system
    }

    /// The output of a program.
    ///
    /// - Parameters:
    ///   - command: The program, looked for in `PATH` unless it has a slash, and its arguments.
    ///   - watch: Who looks on.
    package func fetch(_ command: [String], watch: FetchWatch = .none) throws(FetchError) -> FetchedBody {
        try fetch(FetchRequest(command: command), watch: watch)
    }

    /// The output of the program of a request.
    func fetch(_ request: FetchRequest, watch: FetchWatch) throws(FetchError) -> FetchedBody {
        let command = request.command
        do throws(BodySink.Failure) {
            return try output(of: request, limits: limits.within(request), watch: watch)
        } catch {
            // The arguments may hold a key.
            throw FetchError(location: command.first ?? "", reason: error.reason)
        }
    }

    private func output(
        of request: FetchRequest, limits: FetchLimits, watch: FetchWatch
    ) throws(BodySink.Failure) -> FetchedBody {
        var sink: BodySink
        do throws(SystemFailure) {
            sink = try BodySink(folder: temporaryFolder, byteLimit: limits.byteCount)
        } catch {
            throw BodySink.Failure(reason: .inputOutput(error.code))
        }
        let process: ChildProcess
        do throws(SystemFailure) {
            process = try ChildProcess(
                request.command, environment: CommandEnvironment.variables(own: request.environment))
        } catch {
            throw BodySink.Failure(reason: .cannotRun(error.code))
        }
        var words = OutputTail()
        do throws(BodySink.Failure) {
            guard try read(process, within: limits, into: &sink, words: &words, watch: watch) else {
                process.end()
                let ending = CommandEnding.timedOut(seconds: limits.totalSeconds)
                throw BodySink.Failure(reason: .commandFailed(ending, words: words.text))
            }
        } catch {
            process.end()
            throw error
        }
        if let ending = process.finish() {
            throw BodySink.Failure(reason: .commandFailed(ending, words: words.text))
        }
        guard sink.byteCount > 0 else { throw BodySink.Failure(reason: .empty) }
        if sink.shape.isWebPage { throw BodySink.Failure(reason: .webPage(title: sink.shape.pageTitle)) }
        return sink.body()
    }

    /// Reads until the output has ended and the program too; `false` where the time was over before.
    private func read(
        _ process: ChildProcess, within limits: FetchLimits, into sink: inout BodySink, words: inout OutputTail,
        watch: FetchWatch
    ) throws(BodySink.Failure) -> Bool {
        let deadline = clock.uptime() + .seconds(max(1, limits.totalSeconds))
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var pipes = [process.output, process.errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            // A program may close its output before it ends, and another one that it started may hold its standard error.
            if pipes[0].fd < 0, process.hasEnded {
                while CommandFetcher.read(process.errors, &buffer, { words.append($0) }) {}
                return true
            }
            guard clock.uptime() < deadline else { return false }
            if watch.isCancelled() { throw BodySink.Failure(reason: .cancelled) }
            let wait: Int32 = pipes[0].fd < 0 ? 10 : 250
            guard poll(&pipes, nfds_t(pipes.count), wait) > 0 else { continue }
            if pipes[1].revents != 0, !CommandFetcher.read(process.errors, &buffer, { words.append($0) }) {
                pipes[1].fd = -1
            }
            guard pipes[0].fd >= 0, pipes[0].revents != 0 else { continue }
            var failure: BodySink.Failure?
            let goesOn = CommandFetcher.read(process.output, &buffer) { bytes in
                do throws(BodySink.Failure) {
                    try sink.append(bytes)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            watch.progress(FetchProgress(byteCount: sink.byteCount, total: nil))
            if !goesOn { pipes[0].fd = -1 }
        }
    }

    /// Reads what is there; `false` at the end of a pipe, and where an empty one would have to be waited for.
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
