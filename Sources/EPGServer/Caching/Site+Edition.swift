import EPGCalendar
import Glibc

extension Site {
    /// What decides the bytes of answers besides the guide and the address: what the service tells of itself, and the program.
    ///
    /// It is a part of every entity tag, so that nobody is told after a restart that what he kept still stands.
    var edition: String {
        [title, zone.name, publicAddress ?? "", Site.program].joined(separator: "\n")
    }

    /// What tells this build of the program from others: the size of its file and when it was written, to the nanosecond;
    /// where that can't be known, when it was started.
    private static let program: String = {
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return "started \(time(nil))" }
        return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }()
}
