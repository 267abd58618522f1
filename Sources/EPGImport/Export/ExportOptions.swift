import EPGModel

/// How a guide is written.
package struct ExportOptions: Hashable, Sendable {
    /// Which times an airing gets where they were repaired.
    package enum Times: Hashable, Sendable {
        /// Those that the feed published, and no stop where it gave none: imported again, they give the same guide.
        case published
        /// Those that the guide shows: airings of one station never overlap, and each has a stop.
        case shown
    }

    package var times: Times
    /// Leaves out whatever `xmltv.dtd` doesn't allow.
    package var isStrict: Bool
    /// Adds what `xmltv.dtd` demands and the feed didn't give: a station's name, a programme's title.
    package var addsRequired: Bool
    /// Who writes it, such as `swift-epg/1.0`.
    package var generator: String

    package init(
        times: Times = .published, isStrict: Bool = false, addsRequired: Bool = true, generator: String = "swift-epg"
    ) {
        self.times = times
        self.isStrict = isStrict
        self.addsRequired = addsRequired
        self.generator = generator
    }
}

/// Takes the bytes of an exported guide, piece by piece.
package typealias ExportSink = ([UInt8]) throws -> Void

extension ExportedAiring {
    /// The start and, where it has one, the stop that are written.
    func times(_ choice: ExportOptions.Times) -> PublishedTimes {
        switch choice {
        case .shown: PublishedTimes(start: window.start, stop: window.end)
        case .published: published ?? PublishedTimes(start: window.start, stop: isStopInferred ? nil : window.end)
        }
    }
}
