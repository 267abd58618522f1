import EPGModel

/// How a guide is written.
package struct ExportOptions: Hashable, Sendable {
    /// Which times an airing gets where they were repaired.
    package enum Times: Hashable, Sendable {
        /// Those that the feed published, and no stop where it gave none: imported again, they give the same guide.
        case published
        /// Those that the guide shows: airings of one station never overlap, each has a stop, and no two start together.
        ///
        /// Players need this: pvr.iptvsimple skips programmes without a stop and keeps one for each start. The members of a
        /// clump get the shares of its window that the grid draws (``TimeWindow/share(_:of:)``) and no `clumpidx`.
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

/// The members of a clump that an exporter has been given so far, until all of them are known.
///
/// The shares are those of the members that are there, as in the grid, which tile the window even if one is missing.
struct PendingClump {
    private var members: [ExportedAiring] = []

    var isEmpty: Bool { members.isEmpty }

    /// Whether an airing is a member of this clump, or of a first one.
    func accepts(_ airing: ExportedAiring) -> Bool {
        guard airing.clump != nil else { return false }
        guard let first = members.first else { return true }
        return first.station == airing.station && first.window == airing.window
    }

    mutating func append(_ airing: ExportedAiring) { members.append(airing) }

    /// Returns the members with their shares, in their order, and begins anew.
    mutating func takeShares() -> [ExportedAiring] {
        defer { members.removeAll(keepingCapacity: true) }
        return members.enumerated().map { position, member in
            var airing = member
            airing.window = member.window.share(position, of: members.count)
            airing.clump = nil
            return airing
        }
    }
}
