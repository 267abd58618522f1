internal import CProcess
internal import Glibc
internal import Synchronization

/// A program that runs in a process group of its own, with nothing to read and two pipes to write to.
///
/// It is never left behind: where this object goes before the program has ended, the whole group is killed.
final class ChildProcess {
    /// Where its standard output is read; closed with this object.
    let output: Int32
    /// Where its standard error is read, without waiting; closed with this object.
    let errors: Int32
    private let id: pid_t
    private var status: Int32?

    /// The program that was started last and hasn't ended, by the number of its group; 0 for none.
    static let running = Atomic<pid_t>(0)

    /// Starts a program, which is looked for in `PATH` unless its name has a slash.
    ///
    /// It has the working folder of this process, the standard handling of every signal, and no open file beyond its three.
    /// - Parameters:
    ///   - command: The program and its arguments; they are handed over as they are, without a shell.
    ///   - environment: Its variables; `nil` for those of this process.
    /// - Throws: ``SystemFailure`` where it can't be started, `ENOENT` for one that isn't there.
    init(_ command: [String], environment: [String: String]? = nil) throws(SystemFailure) {
        guard let name = command.first, !name.isEmpty, command.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw SystemFailure(code: ENOENT)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        var variables = environment.map { $0.map { name, value in strdup("\(name)=\(value)") } }
        defer { for text in arguments + (variables ?? []) { free(text) } }
        guard !arguments.contains(nil), variables?.contains(nil) != true else { throw SystemFailure(code: ENOMEM) }
        arguments.append(nil)
        variables?.append(nil)
        var process = cprocess()
        let code =
            if let variables {
                cprocess_start(arguments, variables, &process)
            } else {
                cprocess_start(arguments, nil, &process)
            }
        guard code == 0 else { throw SystemFailure(code: code) }
        (id, output, errors) = (process.id, process.output, process.errors)
        ChildProcess.running.store(id, ordering: .relaxed)
        _ = fcntl(errors, F_SETFL, O_NONBLOCK)
    }

    deinit {
        if status == nil { kill() }
        close(output)
        close(errors)
    }

    /// Whether the program itself has ended; what it started may still run.
    var hasEnded: Bool {
        if status != nil { return true }
        var info = siginfo_t()
        // Without taking it away: as long as it is there, its number stands for no other group.
        return waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 ? info.si_signo != 0 : errno == ECHILD
    }

    /// How it ended; `nil` for exit code 0. Waits for the end.
    func finish() -> CommandEnding? {
        let status = status ?? reap()
        self.status = status
        let signal = status & 0x7F
        if signal != 0 { return .signal(signal) }
        let code = status >> 8 & 0xFF
        return code == 0 ? nil : .exit(code)
    }

    /// Ends the whole group: asks, waits for two seconds at most, and kills what is left.
    func end() {
        guard status == nil else { return }
        Glibc.kill(-id, SIGTERM)
        for _ in 0..<100 where !hasEnded { usleep(20_000) }
        kill()
    }

    /// Asks the program to end, and waits for nothing.
    func terminate() {
        if status == nil { Glibc.kill(id, SIGTERM) }
    }

    private func kill() {
        Glibc.kill(-id, SIGKILL)
        status = reap()
    }

    private func reap() -> Int32 {
        var status: Int32 = 0
        // Before its number can be another's.
        _ = ChildProcess.running.compareExchange(expected: id, desired: 0, ordering: .relaxed)
        while waitpid(id, &status, 0) == -1 {
            // Somebody who takes every child's end away leaves no word of how it was.
            guard errno == EINTR else { return 0 }
        }
        return status
    }
}
