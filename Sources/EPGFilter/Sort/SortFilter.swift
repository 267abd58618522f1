import XMLTV

/// Sorts the programmes of guides by time and adds the stops that are missing, as `tv_sort` does.
///
/// The order is that of start, stop (a programme without one comes first), channel and part of a clump; what is equal in
/// all of them keeps its order. A programme that has no stop gets the start of the next programme of its channel that
/// starts later; of several that start together, the stop of the next. What stands twice on a channel comes once.
/// Overlaps are warned of and stay. Channels are sorted by their identifiers, byte by byte.
///
/// All programmes are kept in memory as the bytes that will be written, and some hundred bytes besides.
package struct SortFilter {
    /// Whether all of a channel's programmes come before those of the next channel.
    package var isByChannel = false
    /// Whether programmes that stand twice are warned of.
    package var warnsOfDuplicates = false

    package init() {}

    /// Reads the guides and writes the sorted one.
    ///
    /// - Parameters:
    ///   - sources: The guides.
    ///   - warn: Told what is odd in them.
    ///   - send: Gets the bytes of the result, piece by piece; what it throws ends the work.
    /// - Complexity: O(*n* log *n*) for *n* programmes.
    package func run(
        _ sources: [FilterSource], warn: @escaping (FilterWarning) -> Void, send: @escaping ([UInt8]) throws -> Void
    ) throws {
        var guide = try GuideSequence(sources, warn)
        var channels = guide.channels
        var programmes = SortedProgrammes()
        while let record = try guide.next() {
            switch record {
            case .guide: break
            case .channel(let channel): channels.append(channel)
            case .programme(let programme): programmes.append(programme, warn)
            }
        }
        programmes.sortByChannel()
        programmes.fillStops()
        programmes.check(warn, warnsOfDuplicates: warnsOfDuplicates)
        if !isByChannel { programmes.sortByTime() }

        var output = GuideOutput(send)
        try output.begin(guide.attributes)
        for channel in channels.sortedByIdentifier { try output.write(channel) }
        try programmes.write(to: &output)
        try output.end()
    }
}

extension [XMLTVElement] {
    /// Channels sorted by their identifiers, byte by byte.
    var sortedByIdentifier: [XMLTVElement] {
        let keyed = map { (Array<UInt8>(($0[attribute: "id"] ?? "").utf8), $0) }
        return keyed.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }
}
