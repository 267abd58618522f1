import EPGModel

/// Options of an export.
package struct ExportOptions: Hashable, Sendable {
    /// Which times to write for airings whose times were repaired.
    package enum Times: Hashable, Sendable {
        /// The times that the feed published, and no stop if it gave none. Importing them again gives the same guide.
        /// Zero-length headings replace dropped listings that bounded an airing without a stop.
        case published
        /// The times that the guide shows: airings of one station never overlap, each has a stop, and no two start
        /// together.
        ///
        /// Players need this: pvr.iptvsimple skips programmes without a stop and keeps only one for each start. The
        /// members of a clump get the shares of its window that the grid draws (``TimeWindow/share(_:of:)``) and no
        /// `clumpidx`.
        case shown
    }

    /// The times to write. The default is ``Times/published``.
    package var times: Times
    /// Whether to omit everything that `xmltv.dtd` doesn't allow. The default is `false`.
    package var isStrict: Bool
    /// Whether to add elements that `xmltv.dtd` requires and the feed lacks: a station's name, a programme's title. The
    /// default is `true`.
    package var addsRequired: Bool
    /// The name of the generating program, such as `swift-epg/1.0`.
    package var generator: String

    /// Creates options.
    package init(
        times: Times = .published, isStrict: Bool = false, addsRequired: Bool = true, generator: String = "swift-epg"
    ) {
        self.times = times
        self.isStrict = isStrict
        self.addsRequired = addsRequired
        self.generator = generator
    }
}

/// A closure that receives the bytes of an exported guide, piece by piece.
package typealias ExportSink = ([UInt8]) throws -> Void

extension ExportedAiring {
    /// Returns the start to write and, if there is one, the stop.
    func times(_ choice: ExportOptions.Times) -> PublishedTimes {
        switch choice {
        case .shown: PublishedTimes(start: window.start, stop: window.end)
        case .published: published ?? PublishedTimes(start: window.start, stop: isStopInferred ? nil : window.end)
        }
    }
}

/// A stage that converts airings to the times and URLs of ``ExportOptions/Times``.
///
/// With ``ExportOptions/Times/shown``, it holds back the members of a clump until all are known. The members
/// that exist share the window, as in the grid, even if a member is missing.
///
/// With ``ExportOptions/Times/published``, importing an airing without a stop again would end it at the next start or
/// after an hour. If it ends at another time in the guide, because the import dropped the listing that bounded it, a
/// zero-length heading (`stop` equals `start`) replaces that listing.
struct ExportedAirings {
    /// The number of skipped clump members: their window has fewer seconds than members.
    private(set) var omittedCount = 0

    private let times: ExportOptions.Times
    /// The members of one window, before their shares are known.
    private var clump: [ExportedAiring] = []
    /// The published times of the last station's airings that were cut, which continuations belong to.
    private var cutTimes: Set<PublishedTimes> = []
    /// The sources of the last station's airings, by published start.
    private var sources: [Instant: String] = [:]
    /// The last airing with published times.
    private var last: ExportedAiring?
    /// Whether that airing and all that start with it have no published stop.
    private var isLastOpen = false

    init(_ times: ExportOptions.Times) {
        self.times = times
    }

    /// Adds an airing, and returns the airings that are complete, in order.
    mutating func append(_ airing: ExportedAiring) -> [ExportedAiring] {
        guard times == .shown else { return appendPublished(airing) }
        guard airing.clump != nil else { return finishClump() + [airing] }
        guard let first = clump.first, first.station != airing.station || first.window != airing.window else {
            clump.append(airing)
            return []
        }
        defer { clump.append(airing) }
        return finishClump()
    }

    /// Returns the airings that remain at the end of the guide.
    mutating func finish() -> [ExportedAiring] {
        guard times == .published else { return finishClump() }
        defer { last = nil }
        return heading(before: nil).map { [$0] } ?? []
    }

    private mutating func appendPublished(_ airing: ExportedAiring) -> [ExportedAiring] {
        if last?.station != airing.station { (cutTimes, sources) = ([], [:]) }
        if airing.isContinuation {
            // An import derives it from the first part again. Without that, it is an airing by itself.
            guard let published = airing.published, !cutTimes.contains(published) else { return [] }
            // An import also derives the rest of an airing that lost against another airing with the same start.
            if sources[published.start] == airing.source {
                cutTimes.insert(published)
                return [airing]
            }
            var rest = airing
            rest.published = nil
            return [rest]
        }
        var airing = airing
        sources[airing.start] = airing.source
        if let published = airing.published, let stop = published.stop {
            if stop > airing.window.end { cutTimes.insert(published) }
            // An import joins only parts of a clump with the same times (Rules.md, rule 20).
            if airing.clump != nil, stop >= published.start, stop < airing.window.end { airing.published = nil }
        }
        defer { last = airing }
        if let last, last.station == airing.station, last.start == airing.start {
            isLastOpen = isLastOpen && airing.isStopInferred
            return [airing]
        }
        let heading = heading(before: airing)
        isLastOpen = airing.isStopInferred
        return heading.map { [$0, airing] } ?? [airing]
    }

    /// Returns a heading at the end of the last airing if an import would infer a different end.
    private func heading(before next: ExportedAiring?) -> ExportedAiring? {
        guard let last, isLastOpen, !last.stopsAfterMidnight else { return nil }
        let policy = NormalizationPolicy.standard
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

    /// Returns the members of the pending clump.
    private mutating func finishClump() -> [ExportedAiring] {
        guard !clump.isEmpty else { return [] }
        let members = clump.enumerated().map { position, member in
            var airing = member
            airing.window = member.window.share(position, of: clump.count)
            airing.clump = nil
            return airing
        }
        let written = members.filter { !$0.window.isEmpty }
        omittedCount += members.count - written.count
        clump.removeAll(keepingCapacity: true)
        return written
    }

    /// Returns the content of a station or a programme for the chosen times.
    func content(_ nodes: [ContentNode]) -> [ContentNode] { times == .shown ? nodes.encodingURLs : nodes }
}

extension ExportedAiring {
    /// The published start.
    fileprivate var start: Instant { published?.start ?? window.start }

    /// Whether an import infers its stop from the published one, a day later (Rules.md, rule 3).
    fileprivate var stopsAfterMidnight: Bool {
        published?.stop.map { $0.advanced(by: 24 * 3600) == window.end } ?? false
    }
}
