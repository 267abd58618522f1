import XMLTV

/// A filter that sorts programmes by time and adds missing stops, like `tv_sort`.
///
/// Programmes are sorted by start, stop (a missing one first), channel, and part of a clump. The sort is stable. A
/// programme without a stop gets the start of the next programme on its channel that starts later, or, if several start
/// together, the stop of the next one. Duplicates on a channel are dropped. Overlaps are reported and kept. Channels
/// are sorted by the bytes of their identifiers.
///
/// All programmes are kept in memory as output bytes plus about a hundred bytes each.
package struct SortFilter {
    /// Whether to group programmes by channel. The default is `false`.
    package var isByChannel = false
    /// Whether to warn about duplicate programmes. The default is `false`.
    package var warnsOfDuplicates = false

    /// Creates a filter.
    package init() {}

    /// Reads the guides and writes the sorted guide.
    ///
    /// - Parameters:
    ///   - sources: The guides.
    ///   - warn: Receives warnings.
    ///   - send: Receives the output in pieces of about 64 KiB. An error that it throws ends the run.
    /// - Throws: ``FilterError``, and any error of `send`.
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
    /// The channels sorted by the bytes of their identifiers.
    var sortedByIdentifier: [XMLTVElement] {
        let keyed = map { (Array<UInt8>(($0[attribute: "id"] ?? "").utf8), $0) }
        return keyed.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }
}

/// The programmes of a guide as bytes, and their sorting.
private struct SortedProgrammes {
    private var programmes: [SortedProgramme] = []
    /// The output bytes of all programmes, one after the other.
    private var bytes: [UInt8] = []
    /// The identifiers of the channels by number.
    private var channels: [String] = []
    private var channelNumbers: [[UInt8]: Int] = [:]

    private static let beginning = Array("  <programme start=\"".utf8)
    private static let stopMark = Array(" stop=\"".utf8)

    /// Adds a programme. Drops a programme with an invalid start, and an invalid stop.
    mutating func append(_ programme: XMLTVElement, _ warn: (FilterWarning) -> Void) {
        let id = programme[attribute: "channel"] ?? ""
        guard let start = SortedProgrammes.time("start", of: programme, warn) else { return }
        let stop = SortedProgrammes.time("stop", of: programme, warn)
        var programme = programme.withoutEmptyParts
        if stop == nil { programme.attributes.removeAll { $0.name == "stop" } }

        let offset = bytes.count
        bytes += XMLTVWriter.bytes(of: programme)
        let startValue = value(from: offset + SortedProgrammes.beginning.count)
        var stopValue: Range<Int>?
        var rest = startValue.upperBound + 1
        if stop != nil {
            stopValue = value(from: rest + SortedProgrammes.stopMark.count)
            rest = (stopValue?.upperBound ?? rest) + 1
        }
        programmes.append(
            SortedProgramme(
                start: start, stop: stop, channel: number(of: id),
                clump: programme[attribute: "clumpidx"].flatMap { ClumpPlace($0) }, order: programmes.count,
                bytes: offset..<bytes.count, startValue: startValue, stopValue: stopValue, rest: rest))
    }

    /// Returns the range of an attribute value that starts at an offset. It ends at the quote, which no escaped value
    /// contains.
    private func value(from start: Int) -> Range<Int> {
        start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\"")) ?? start)
    }

    private mutating func number(of channel: String) -> Int {
        // By bytes, because equal strings may have different bytes.
        let key = Array(channel.utf8)
        if let number = channelNumbers[key] { return number }
        channelNumbers[key] = channels.count
        channels.append(channel)
        return channels.count - 1
    }

    private static func time(
        _ attribute: String, of programme: XMLTVElement, _ warn: (FilterWarning) -> Void
    ) -> Int64? {
        guard let text = programme[attribute: attribute] else { return nil }
        do throws(XMLTVTimeError) {
            return try XMLTVTime(text).secondsSince1970
        } catch {
            warn(.badTime(text, attribute: attribute, channel: programme[attribute: "channel"] ?? ""))
            return nil
        }
    }

    /// Writes the programmes in order.
    func write(to output: inout GuideOutput) throws {
        for programme in programmes {
            try output.write(bytes: bytes[programme.head])
            if let stop = programme.stopValue {
                try output.write(bytes: SortedProgrammes.stopMark)
                try output.write(bytes: bytes[stop])
                try output.write(bytes: CollectionOfOne(UInt8(ascii: "\"")))
            }
            try output.write(bytes: bytes[programme.tail])
        }
    }
}

// MARK: - Order

extension SortedProgrammes {
    /// Sorts by channel, then by time.
    mutating func sortByChannel() {
        let names = channels.map { Array($0.utf8) }
        let sorted = channels.indices.sorted { names[$0].lexicographicallyPrecedes(names[$1]) }
        var ranks = sorted
        for (rank, number) in sorted.enumerated() { ranks[number] = rank }
        channels = sorted.map { channels[$0] }
        for index in programmes.indices { programmes[index].channel = ranks[programmes[index].channel] }
        programmes.sort { left, right in
            left.channel == right.channel
                ? SortedProgramme.isEarlier(left, right) : left.channel < right.channel
        }
        renumber()
    }

    /// Sorts by time, then by channel.
    mutating func sortByTime() {
        programmes.sort(by: SortedProgramme.isEarlier)
    }

    private mutating func renumber() {
        for index in programmes.indices { programmes[index].order = index }
    }

    /// Adds missing stops: the start of the next programme on the channel that starts later, or the stop of one that
    /// starts at the same time.
    ///
    /// - Precondition: The programmes are sorted by channel.
    mutating func fillStops() {
        for index in programmes.indices.dropLast().reversed() where programmes[index].stop == nil {
            let next = programmes[index + 1]
            guard next.channel == programmes[index].channel else { continue }
            if next.start > programmes[index].start {
                programmes[index].stop = next.start
                programmes[index].stopValue = next.startValue
            } else {
                programmes[index].stop = next.stop
                programmes[index].stopValue = next.stopValue
            }
        }
    }
}

// MARK: - Checks

extension SortedProgrammes {
    /// Drops duplicates, and warns about programmes that overlap or stop before they start.
    ///
    /// - Precondition: The programmes are sorted by channel.
    mutating func check(_ warn: (FilterWarning) -> Void, warnsOfDuplicates: Bool) {
        for programme in programmes {
            guard let stop = programme.stop, stop < programme.start else { continue }
            warn(
                .stopBeforeStart(
                    channel: channels[programme.channel], start: text(programme.startValue),
                    stop: text(programme.stopValue)))
        }
        var kept: [SortedProgramme] = []
        for programme in programmes {
            if let last = kept.last, last.channel == programme.channel {
                let channel = channels[programme.channel]
                if areEqual(last, programme) {
                    if warnsOfDuplicates { warn(.duplicate(channel: channel, summary(of: programme))) }
                    continue
                }
                if last.overlaps(programme) {
                    warn(.overlap(channel: channel, first: summary(of: last), second: summary(of: programme)))
                }
            }
            kept.append(programme)
        }
        programmes = kept
        renumber()
    }

    /// Returns whether two programmes have the same output.
    private func areEqual(_ left: SortedProgramme, _ right: SortedProgramme) -> Bool {
        guard left.start == right.start, left.stop == right.stop, left.tail.count == right.tail.count,
            bytes[left.head].elementsEqual(bytes[right.head]), bytes[left.tail].elementsEqual(bytes[right.tail])
        else { return false }
        return text(left.stopValue) == text(right.stopValue)
    }

    /// Returns title and times for a message.
    private func summary(of programme: SortedProgramme) -> String {
        let document = Array("<tv>".utf8) + bytes[programme.bytes] + Array("</tv>".utf8)
        var reader = XMLTVReader(ChunkSource(document))
        var title = ""
        do throws(XMLError) {
            while let record = try reader.next() {
                if record == .programme { title = reader.element.child("title")?.text ?? "" }
            }
        } catch {
            // This module's own output is well-formed. Otherwise, a missing title is no reason to stop.
            title = "?"
        }
        return "\(title) at \(text(programme.startValue))-|\(text(programme.stopValue))"
    }

    private func text(_ range: Range<Int>?) -> String {
        range.map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
    }
}

/// The sort keys of a programme, and the position of its bytes among the bytes of all programmes.
private struct SortedProgramme {
    /// Seconds since 1970.
    var start: Int64
    /// Seconds since 1970: the programme's own stop, or an inferred one.
    var stop: Int64?
    /// The number of the channel. Channels are numbered in input order, and by identifier before sorting.
    var channel: Int
    var clump: ClumpPlace?
    /// The input position, or the output position after sorting.
    var order: Int

    /// The output bytes.
    var bytes: Range<Int>
    /// The escaped value of the attribute `start`.
    var startValue: Range<Int>
    /// The escaped value of the attribute `stop`: its own, or the value of another programme that provides it.
    var stopValue: Range<Int>?
    /// The position after its own attribute `stop`, or after `start` if it has none.
    var rest: Int

    /// The bytes before the attribute `stop`.
    var head: Range<Int> { bytes.lowerBound..<startValue.upperBound + 1 }
    /// The bytes after the attribute `stop`.
    var tail: Range<Int> { rest..<bytes.upperBound }

    /// Returns whether one precedes another by start, stop, channel, position in the clump, and order.
    static func isEarlier(_ left: SortedProgramme, _ right: SortedProgramme) -> Bool {
        if left.start != right.start { return left.start < right.start }
        if left.stop != right.stop {
            guard let leftStop = left.stop else { return true }
            guard let rightStop = right.stop else { return false }
            return leftStop < rightStop
        }
        if left.channel != right.channel { return left.channel < right.channel }
        if let clump = ClumpPlace?.compare(left.clump, right.clump), clump != 0 { return clump < 0 }
        return left.order < right.order
    }

    /// Returns whether two programmes of a channel, given in sort order, overlap.
    ///
    /// If a stop is missing, only certain overlaps count. Parts of a clump don't overlap.
    func overlaps(_ next: SortedProgramme) -> Bool {
        switch (stop, next.stop) {
        case (nil, nil): return false
        case (nil, let nextStop?): return start > next.start && start < nextStop
        case (let stop?, nil): return next.start > start && next.start < stop
        case (let stop?, let nextStop?):
            if stop <= next.start { return false }
            if start < next.start { return true }
            if start == next.start, start < stop, next.start < nextStop {
                return ClumpPlace?.compare(clump, next.clump).map { $0 == 0 } ?? true
            }
            return start > next.start && start < nextStop
        }
    }
}
