package import EPGModel

/// How to import a guide or a playlist that a client of a service sends.
package struct ImportOrder: Sendable {
    /// The name of the source.
    package var source: String
    /// The format that the file must have; `nil` for any.
    package var format: ImportFormat?
    /// The name of the lineup of a playlist; `nil` for the name of the source.
    package var lineup: String?
    /// The zone of times without one; `nil` for that of the source.
    package var timeZone: String?
    /// Seconds to add to all times; `nil` for those of the source.
    package var shift: Int64?
    package var options: ImportOptions
    package var now: Instant

    /// Creates an order with the default options, for a guide or a playlist in any format.
    package init(source: String, now: Instant) {
        self.source = source
        self.now = now
        options = ImportOptions()
    }
}

/// The formats of files that an ``ImportOrder`` accepts.
package enum ImportFormat: String, CaseIterable, Sendable, CustomStringConvertible {
    case xmltv, json, m3u

    package var description: String { rawValue }

    /// Whether a file in a format, detected from its bytes, is in this format.
    package func fits(_ format: GuideFormat) -> Bool {
        switch self {
        case .xmltv: format == .xmltv
        case .json: format == .json
        case .m3u: format == .playlist
        }
    }
}
