internal import CProcess
internal import EPGFiles
internal import Glibc
internal import Synchronization

/// A child process in its own process group, with pipes for its output and errors.
///
/// If this object is released before the program has ended, it kills the process group.
final class ChildProcess {
    /// The nonblocking pipes of its standard error and standard output.
    private let pipes: [OpenFile]
    private let id: pid_t
    private var status: Int32?

    /// The process group of the most recently started program, until it ends; 0 for none.
    fileprivate static let running = Atomic<pid_t>(0)

    /// Starts a program. It is looked up in `PATH` unless its name contains a slash.
    ///
    /// The program inherits the working folder, has default signal handlers, and no open files other than standard
    /// input, output, and error.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments, passed verbatim, without a shell.
    ///   - environment: Its environment; `nil` for the environment of this process.
    ///   - input: Its standard input; empty by default.
    /// - Throws: ``SystemFault`` if it cannot be started; its number is `ENOENT` for a missing program.
    init(_ command: [String], environment: [String: String]? = nil, input: [UInt8] = []) throws(SystemFault) {
        guard let name = command.first, !name.isEmpty, command.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw SystemFault(number: ENOENT)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        var variables = environment.map { $0.map { name, value in strdup("\(name)=\(value)") } }
        defer { for text in arguments + (variables ?? []) { free(text) } }
        guard !arguments.contains(nil), variables?.contains(nil) != true else { throw SystemFault(number: ENOMEM) }
        arguments.append(nil)
        variables?.append(nil)
        var process = cprocess()
        let code =
            if let variables {
                cprocess_start(arguments, variables, input, input.count, &process)
            } else {
                cprocess_start(arguments, nil, input, input.count, &process)
            }
        guard code == 0 else { throw SystemFault(number: code) }
        id = process.id
        pipes = [process.errors, process.output].map { OpenFile(owning: $0) }
        ChildProcess.running.store(id, ordering: .relaxed)
        for pipe in pipes { _ = fcntl(pipe.descriptor, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        if status == nil { kill() }
    }

    /// Whether the program itself has ended. Its children may still run.
    var hasEnded: Bool {
        if status != nil { return true }
        var info = siginfo_t()
        // WNOWAIT leaves the zombie in place, so that the group number cannot be reused.
        return waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_signo != 0 : errno == ECHILD
    }

    /// Waits for the program and returns how it ended; `nil` for exit code 0.
    func finish() -> CommandTermination? {
        let status = status ?? reap()
        self.status = status
        let signal = status & 0x7F
        if signal != 0 { return .signal(signal) }
        let code = status >> 8 & 0xFF
        return code == 0 ? nil : .exit(code)
    }

    /// Terminates the process group: sends SIGTERM, waits up to two seconds, then sends SIGKILL.
    func end() {
        guard status == nil else { return }
        Glibc.kill(-id, SIGTERM)
        for _ in 0..<100 where !hasEnded { usleep(20_000) }
        kill()
    }

    /// Sends SIGTERM to the program and returns immediately.
    func terminate() {
        if status == nil { Glibc.kill(id, SIGTERM) }
    }

    private func kill() {
        Glibc.kill(-id, SIGKILL)
        status = reap()
    }

    private func reap() -> Int32 {
        var status: Int32 = 0
        // Clear the number before the kernel can reuse it.
        _ = ChildProcess.running.compareExchange(expected: id, desired: 0, ordering: .relaxed)
        while waitpid(id, &status, 0) == -1 {
            // If another part of the process already reaped it, the status is lost.
            guard errno == EINTR else { return 0 }
        }
        return status
    }

    /// Reads the output and the errors until the program has ended.
    ///
    /// - Parameters:
    ///   - isOutputComplete: Whether to read until the end of the output, too, which other processes may keep open.
    ///   - mayContinue: Returns whether to continue. Called several times a second.
    /// - Returns: `false` if `mayContinue` ended the reading.
    func read(
        toEndOfOutput isOutputComplete: Bool = false, while mayContinue: () -> Bool,
        errors takeErrors: (UnsafeRawBufferPointer) -> Void, output takeOutput: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        /// Returns `false` at the end of a pipe, and if it is empty.
        func read(_ index: Int) -> Bool {
            guard let count = try? pipes[index].read(into: &buffer, upTo: buffer.count), count > 0 else { return false }
            buffer.withUnsafeBytes { bytes in
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                if index == 0 { takeErrors(bytes) } else { takeOutput(bytes) }
            }
            return true
        }
        var polled = pipes.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        // A program may close its output before it ends, and its children may keep its pipes open.
        while !hasEnded || isOutputComplete && polled[1].fd >= 0 {
            guard mayContinue() else { return false }
            _ = poll(&polled, nfds_t(polled.count), polled.contains { $0.fd < 0 } ? 20 : 100)
            for index in polled.indices where polled[index].revents != 0 && !read(index) { polled[index].fd = -1 }
        }
        for index in polled.indices { while polled[index].fd >= 0, read(index) {} }
        return true
    }
}

/// How a failed program ended.
package enum CommandTermination: Hashable, Sendable {
    /// It returned an exit code other than 0.
    case exit(Int32)
    /// A signal terminated it.
    case signal(Int32)
    /// It exceeded the time limit and was terminated.
    case timedOut(seconds: Int)
}

extension CommandTermination: CustomStringConvertible {
    /// A predicate, such as `failed with exit code 2`.
    package var description: String {
        switch self {
        case .exit(let code): "failed with exit code \(code)"
        case .signal(let number): "was terminated by signal \(number)"
        case .timedOut(let seconds): "did not finish within \(seconds) seconds"
        }
    }
}

/// The program that is currently running: the command of a source, or the refresh process of a server.
package enum RunningCommand {
    /// Kills the program and its children, for a process that is about to exit without an orderly shutdown.
    ///
    /// Safe to call from a signal handler.
    package static func kill() {
        let group = ChildProcess.running.load(ordering: .relaxed)
        if group > 0 { _ = Glibc.kill(-group, SIGKILL) }
    }

    /// Sends SIGTERM, again after half a second, so that the program can end its own children; kills it after a second.
    package static func end() {
        let group = ChildProcess.running.load(ordering: .relaxed)
        guard group > 0 else { return }
        var info = siginfo_t()
        for step in 0..<50 {
            if step % 25 == 0 { _ = Glibc.kill(-group, SIGTERM) }
            // Another part of the process may have reaped it already.
            guard waitid(P_PID, id_t(group), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo == 0 else { break }
            usleep(20_000)
        }
        kill()
    }
}
