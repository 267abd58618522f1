import EPGModel
import Glibc

/// The name of a generation of the guide in URLs: `42`, or `42.k3f9` in full.
///
/// Every database counts from 1, so a number alone may come to mean another guide. The full name includes a hash of the
/// generation's nonce (``GuideVersion``) and of the service's edition, so that it means one state of one guide forever.
struct GenerationName: Hashable, Sendable {
    let generation: Generation
    /// Digits and lowercase letters that tell generations and editions apart; `nil` for a number alone.
    let key: String?

    /// The full name of a version of the guide.
    ///
    /// - Parameter edition: See ``Site/edition``.
    init(_ version: GuideVersion, edition: String) {
        generation = version.generation
        let hasher = ContentHasher(
            key: ContentHash(high: 0x9E37_79B9_7F4A_7C15, low: UInt64(bitPattern: version.nonce)))
        key = String(hasher.hash(Array(edition.utf8).span).high, radix: 36)
    }

    /// Parses a name; `nil` for anything else.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first.flatMap({ String($0) }), number.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let generation = Int64(number)
        else { return nil }
        self.generation = Generation(generation)
        guard parts.count > 1 else {
            key = nil
            return
        }
        guard (1...13).contains(parts[1].count), parts[1].allSatisfy(GenerationName.mayBeInKey) else { return nil }
        key = String(parts[1])
    }

    /// Whether the name means the generation with this full name.
    func means(_ full: GenerationName) -> Bool {
        generation == full.generation && (key == nil || key == full.key)
    }

    private static func mayBeInKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }
}

extension GenerationName: CustomStringConvertible {
    var description: String { key.map { "\(generation).\($0)" } ?? "\(generation)" }
}

/// Identifies the build of the program.
enum BuildIdentifier {
    /// A hash of the program's file, which is the same on all machines that run this build; the time of the start if the file
    /// can't be read.
    static let current: String = {
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "started \(time(nil))" }
        defer { close(file) }
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
