import EPGCalendar
import EPGModel
import Glibc

/// What decides the bytes of answers besides the guide and the address: what the service tells of itself, and the program.
struct Edition: Hashable, Sendable {
    /// A part of every entity tag, so that nobody is told after a restart that what he kept still stands.
    var name = ""
    /// Since when the service shows this edition, as far as it knows; `nil` where it knows nothing.
    var began: Instant?

    /// When the answers of a version of the guide became what they are.
    ///
    /// Another edition is only ever shown after a restart, so a date from before is no date of what is shown now.
    /// - Returns: `nil` for a guide that was never filled.
    func lastModified(of version: GuideVersion) -> Instant? {
        version.since.map { max($0, began ?? $0) }
    }
}

extension Site {
    var edition: Edition {
        Edition(
            name: [title, zone.name, publicAddress ?? "", Site.program].joined(separator: "\n"), began: began)
    }

    /// What tells this build of the program from others: the size of its file and when it was written, to the nanosecond;
    /// where that can't be known, when it was started.
    private static let program: String = {
        var status = stat()
        guard stat("/proc/self/exe", &status) == 0 else { return "started \(time(nil))" }
        return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }()
}
