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

    /// The build of the program: a hash of its file, the same on all machines that run this build. Where the file cannot be read,
    /// the time at which the program was started.
    private static let program: String = {
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        let hasher = ContentHasher(key: ContentHash(high: 0x9E37_79B9_7F4A_7C15, low: 0xC2B2_AE3D_27D4_EB4F))
        var hash = ContentHash(high: 0, low: 0)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0 { return "started \(time(nil))" }
            if count == 0 { return "\(hash.high) \(hash.low)" }
            hash = hasher.hash(buffer.span.extracting(0..<count), after: hash)
        }
    }()
}
