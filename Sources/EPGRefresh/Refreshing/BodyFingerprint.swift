package import EPGModel

/// Tells whether a body is the one that was imported last, read in the same way.
///
/// It stands in ``SourceState/bodyHash`` as `version-reading-body`. When the first two parts differ, what is known of
/// the last body is worth nothing: neither is its hash compared nor are its validators sent.
package struct BodyFingerprint: Hashable, Sendable {
    /// Raise it when the import reads the same bytes differently: then every source is read again.
    package static let version = 3

    /// A hash of location, zone, shift, stations and encoding.
    private let reading: String
    /// The hash of the bytes; see ``BodyHasher``.
    private let body: String

    /// The fingerprint of a body of a source.
    package init(of source: Source, body: String) {
        reading = BodyFingerprint.reading(of: source)
        self.body = body
    }

    /// Whether a remembered text is that of the same source, read in the same way, whatever the body was.
    package static func isReading(of source: Source, in text: String?) -> Bool {
        guard let text else { return false }
        return text.hasPrefix("\(version)-\(reading(of: source))-")
    }

    /// The text that is remembered.
    package var text: String { "\(BodyFingerprint.version)-\(reading)-\(body)" }

    private static func reading(of source: Source) -> String {
        // Each text has its length before it, so that no two sources give the same bytes.
        let texts = [source.location ?? "", source.timeZone ?? "", source.encoding ?? ""] + source.stations
        let parts = texts.map { "\($0.utf8.count):\($0)" }.joined() + "\(source.shift)"
        return ContentHasher(key: BodyHasher.key).hash(Array(parts.utf8).span).hexadecimal
    }
}
