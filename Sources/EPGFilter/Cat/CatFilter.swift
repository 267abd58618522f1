import XMLTV

/// Makes one guide of several, as `tv_cat` does.
///
/// The header is the last guide's, each channel comes once, and a programme that has the channel, the start as it is
/// written and the first title of one before it is left out. Memory grows by 16 bytes for each programme.
package struct CatFilter {
    package init() {}

    /// Reads the guides and writes the one that they make.
    ///
    /// - Parameters:
    ///   - sources: The guides.
    ///   - warn: Told what is odd in them.
    ///   - send: Gets the bytes of the result, piece by piece; what it throws ends the work.
    package func run(
        _ sources: [FilterSource], warn: @escaping (FilterWarning) -> Void, send: @escaping ([UInt8]) throws -> Void
    ) throws {
        var guide = try GuideSequence(sources, warn)
        var output = GuideOutput(send)
        var seen: Set<Fingerprint> = []
        try output.begin(guide.attributes)
        for channel in guide.channels { try output.write(channel) }
        while let record = try guide.next() {
            switch record {
            case .guide: break
            case .channel(let channel): try output.write(channel)
            case .programme(let programme):
                if seen.insert(Fingerprint(programme)).inserted { try output.write(programme) }
            }
        }
        try output.end()
    }
}

/// Stands for channel, start and first title of a programme: 128 bits of hash, so that two programmes out of a thousand
/// million share one by chance once in 10²⁰ runs.
private struct Fingerprint: Hashable {
    let high: Int
    let low: Int

    init(_ programme: XMLTVElement) {
        high = Fingerprint.hash(programme, salt: 0)
        low = Fingerprint.hash(programme, salt: 1)
    }

    private static func hash(_ programme: XMLTVElement, salt: UInt8) -> Int {
        var hasher = Hasher()
        hasher.combine(salt)
        hasher.combine(programme[attribute: "channel"])
        hasher.combine(programme[attribute: "start"])
        hasher.combine(programme.child("title")?.text)
        return hasher.finalize()
    }
}
