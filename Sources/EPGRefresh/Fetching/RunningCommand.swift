internal import Glibc
internal import Synchronization

/// The program that runs now: that of a source, or the refresh of a service.
package enum RunningCommand {
    /// Kills it with all that it started. For a process that ends at once, and doesn't come to end it in order.
    ///
    /// A handler of signals may call this.
    package static func kill() {
        let group = ChildProcess.running.load(ordering: .relaxed)
        if group > 0 { _ = Glibc.kill(-group, SIGKILL) }
    }

    /// Asks it to end, and again after half a second, so that it can kill what it started itself; kills it after a second.
    package static func end() {
        let group = ChildProcess.running.load(ordering: .relaxed)
        guard group > 0 else { return }
        var info = siginfo_t()
        for step in 0..<50 {
            if step % 25 == 0 { _ = Glibc.kill(-group, SIGTERM) }
            // Somebody else may have taken its end away already.
            guard waitid(P_PID, id_t(group), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo == 0 else { break }
            usleep(20_000)
        }
        kill()
    }
}
