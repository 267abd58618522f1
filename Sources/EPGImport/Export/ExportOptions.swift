import EPGModel

/// How a guide is written.
package struct ExportOptions: Hashable, Sendable {
    /// Which times an airing gets where they were repaired.
    package enum Times: Hashable, Sendable {
        /// Those that the feed published, and no stop where it gave none: imported again, they give the same guide. Headings
        /// without length stand where dropped listings bounded an airing without a stop.
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

/// Airings on their way to a format, with the times and URLs that ``ExportOptions/Times`` asks for.
///
/// With ``ExportOptions/Times/shown``, the members of a clump wait until all of them are known. The shares are those of the
/// members that are there, as in the grid, which tile the window even if one is missing.
///
/// With ``ExportOptions/Times/published``, an airing without a stop ends, when it is imported again, at the next start or an
/// hour later. Where it ends at another time in the guide, because the import dropped the listing that bounded it, a heading
/// without length (`stop` equals `start`) takes the place of that listing.
struct ExportedAirings {
    /// Members of clumps whose window has fewer seconds than members, so that they have no time to show.
    private(set) var leftOut = 0

    private let times: ExportOptions.Times
    /// Of one window, with their shares unknown.
    private var clump: [ExportedAiring] = []
    /// The last airing with published times.
    private var last: ExportedAiring?
    /// Whether that airing, and all that start with it, have no published stop.
    private var isLastOpen = false

    init(_ times: ExportOptions.Times) {
        self.times = times
    }

    /// Returns the airings that can be written now that this one is known: none, one or several, in their order.
    mutating func take(_ airing: ExportedAiring) -> [ExportedAiring] {
        guard times == .shown else { return takeAsPublished(airing) }
        guard airing.clump != nil else { return takeClump() + [airing] }
        guard let first = clump.first, first.station != airing.station || first.window != airing.window else {
            clump.append(airing)
            return []
        }
        defer { clump.append(airing) }
        return takeClump()
    }

    /// Returns the airings that are left when no other follows.
    mutating func takeRest() -> [ExportedAiring] {
        guard times == .published else { return takeClump() }
        defer { last = nil }
        return heading(before: nil).map { [$0] } ?? []
    }

    private mutating func takeAsPublished(_ airing: ExportedAiring) -> [ExportedAiring] {
        defer { last = airing }
        if let last, last.station == airing.station, last.start == airing.start {
            isLastOpen = isLastOpen && airing.isStopInferred
            return [airing]
        }
        let heading = heading(before: airing)
        isLastOpen = airing.isStopInferred
        return heading.map { [$0, airing] } ?? [airing]
    }

    /// A heading at the end of the last airing, where an import would infer another end.
    private func heading(before next: ExportedAiring?) -> ExportedAiring? {
        guard let last, isLastOpen else { return nil }
        let policy = NormalisationPolicy.standard
        let cap = last.start.advanced(by: policy.longestAiringSeconds)
        let following = next.flatMap { $0.station == last.station ? $0.start : nil }
        let inferred = min(following ?? last.start.advanced(by: policy.assumedSeconds), cap)
        let end = last.window.end
        guard end != inferred, end > last.start, following.map({ end < $0 }) ?? true else { return nil }
        var heading = ExportedAiring(
            station: last.station, window: TimeWindow(start: end, end: end), programme: StoredProgramme(),
            source: last.source)
        heading.published = PublishedTimes(start: end, stop: end)
        return heading
    }

    /// Returns the members of the clump that waits.
    private mutating func takeClump() -> [ExportedAiring] {
        guard !clump.isEmpty else { return [] }
        let members = clump.enumerated().map { position, member in
            var airing = member
            airing.window = member.window.share(position, of: clump.count)
            airing.clump = nil
            return airing
        }
        let written = members.filter { !$0.window.isEmpty }
        leftOut += members.count - written.count
        clump.removeAll(keepingCapacity: true)
        return written
    }

    /// The content of a station or a programme.
    func content(_ nodes: [ContentNode]) -> [ContentNode] { times == .shown ? nodes.encodingURLs : nodes }
}

extension ExportedAiring {
    /// The published start.
    fileprivate var start: Instant { published?.start ?? window.start }
}
