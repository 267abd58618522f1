import XMLTV

/// All programmes of a guide as bytes, and how to sort them.
struct SortedProgrammes {
    private var programmes: [SortedProgramme] = []
    /// What is written of each programme, one after the other.
    private var bytes: [UInt8] = []
    /// The identifiers of the channels by their numbers.
    private var channels: [String] = []
    private var channelNumbers: [[UInt8]: Int] = [:]

    private static let beginning = Array("  <programme start=\"".utf8)
    private static let stopMark = Array(" stop=\"".utf8)

    /// Keeps a programme; one whose start can't be read is left out, and a stop that can't be read is taken off.
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

    /// The value of an attribute that begins at a place: up to the quote, which stands in no value.
    private func value(from start: Int) -> Range<Int> {
        start..<(bytes[start...].firstIndex(of: UInt8(ascii: "\"")) ?? start)
    }

    private mutating func number(of channel: String) -> Int {
        // By bytes: equal strings may differ in them.
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

    /// Writes the programmes in their order.
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

    /// Gives programmes that have no stop the start of the next one on the channel that starts later, or the stop of one
    /// that starts with them.
    ///
    /// - Precondition: They are sorted by channel.
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

// MARK: - Faults

extension SortedProgrammes {
    /// Leaves out what stands twice, and warns of programmes that overlap or stop before they start.
    ///
    /// - Precondition: They are sorted by channel.
    mutating func check(_ warn: (FilterWarning) -> Void, warnsOfDuplicates: Bool) {
        for programme in programmes {
            guard let stop = programme.stop, stop < programme.start else { continue }
            warn(
                .reversed(
                    channel: channels[programme.channel], start: text(programme.startValue),
                    stop: text(programme.stopValue)))
        }
        var kept: [SortedProgramme] = []
        for programme in programmes {
            if let last = kept.last, last.channel == programme.channel {
                let channel = channels[programme.channel]
                if areEqual(last, programme) {
                    if warnsOfDuplicates { warn(.duplicate(channel: channel, words(for: programme))) }
                    continue
                }
                if last.overlaps(programme) {
                    warn(.overlap(channel: channel, first: words(for: last), second: words(for: programme)))
                }
            }
            kept.append(programme)
        }
        programmes = kept
        renumber()
    }

    /// Whether two programmes are written alike.
    private func areEqual(_ left: SortedProgramme, _ right: SortedProgramme) -> Bool {
        guard left.start == right.start, left.stop == right.stop, left.tail.count == right.tail.count,
            bytes[left.head].elementsEqual(bytes[right.head]), bytes[left.tail].elementsEqual(bytes[right.tail])
        else { return false }
        return text(left.stopValue) == text(right.stopValue)
    }

    /// Title and times, for a message.
    private func words(for programme: SortedProgramme) -> String {
        let document = Array("<tv>".utf8) + bytes[programme.bytes] + Array("</tv>".utf8)
        var reader = XMLTVReader(ChunkSource(document))
        var title = ""
        do throws(XMLError) {
            while let record = try reader.next() {
                if record == .programme { title = reader.element.child("title")?.text ?? "" }
            }
        } catch {
            // Our own bytes are well-formed, but a title is no reason to end the work if they weren't.
            title = "?"
        }
        return "\(title) at \(text(programme.startValue))-|\(text(programme.stopValue))"
    }

    private func text(_ range: Range<Int>?) -> String {
        range.map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
    }
}
