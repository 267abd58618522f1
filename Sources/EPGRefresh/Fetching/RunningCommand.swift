internal import Glibc
internal import Synchronization

/// The program of a source that runs now.
package enum RunningCommand {
    /// Kills it with all that it started. For a process that ends at once, and doesn't come to end it in order.
    ///
    /// A handler of signals may call this.
    package static func kill() {
        let group = ChildProcess.running.load(ordering: .relaxed)
        if group > 0 { _ = Glibc.kill(-group, SIGKILL) }
    }
}
