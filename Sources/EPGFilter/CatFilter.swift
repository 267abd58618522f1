import XMLTV

/// A filter that concatenates guides, like `tv_cat`.
///
/// The header comes from the last guide, each channel is written once, and a programme with the same channel, start (as
/// written), and first title as an earlier one is dropped. Memory grows by 16 bytes per programme.
package struct CatFilter {
    /// Creates a filter.
    package init() {}

    /// Reads the guides and writes the combined guide.
    ///
    /// - Parameters:
    ///   - sources: The guides.
    ///   - warn: Receives warnings.
    ///   - send: Receives the output in pieces of about 64 KiB. An error that it throws ends the run.
    /// - Throws: ``FilterError``, and any error of `send`.
    /// - Complexity: O(bytes of the guides).
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

/// A 128-bit hash of a programme's channel, start, and first title. Among a billion programmes, two share one by chance
/// once in 10²⁰ runs.
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
