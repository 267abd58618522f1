package import EPGModel
package import TestSupport

/// A reference implementation of the rule of ``Source/priority``.
///
/// It works on sets of minutes and shares no code with the store.
package enum OverlayOracle {
    /// An airing of a source in minutes of the ``Day``. A clump has several titles.
    package struct Broadcast {
        package let minutes: Range<Int>
        package let titles: [String]
    }

    /// The airings of a station in one source.
    package struct Feed {
        package let name: String
        package let priority: Int
        /// The airings in order, without overlaps.
        package let broadcasts: [Broadcast]
    }

    /// Returns the shown airings in order.
    package static func shown(_ feeds: [Feed]) -> [Broadcast] {
        let ranked = feeds.enumerated().filter { !$0.element.broadcasts.isEmpty }
            .sorted { left, right in
                (right.element.priority, end(of: right.element), left.offset)
                    < (left.element.priority, end(of: left.element), right.offset)
            }
            .prefix(8).map(\.element)
        var shown: [Broadcast] = []
        var (covered, occupied) = (Set<Int>(), Set<Int>())
        for feed in ranked {
            let pieces = feed.broadcasts.compactMap { broadcast -> Broadcast? in
                let outside = broadcast.minutes.filter { !covered.contains($0) }
                guard let first = outside.first else {
                    return broadcast.minutes.allSatisfy { !occupied.contains($0) } ? broadcast : nil
                }
                var end = first
                while outside.contains(end) { end += 1 }
                return Broadcast(minutes: first..<end, titles: broadcast.titles)
            }
            shown += pieces
            for piece in pieces { occupied.formUnion(piece.minutes) }
            if let first = feed.broadcasts.first?.minutes.lowerBound { covered.formUnion(first..<end(of: feed)) }
        }
        return shown.sorted { $0.minutes.lowerBound < $1.minutes.lowerBound }
    }

    private static func end(of feed: Feed) -> Int { feed.broadcasts.last?.minutes.upperBound ?? .min }

    /// Returns random feeds of one station.
    package static func random(using generator: inout SeededGenerator) -> [Feed] {
        (0..<Int.random(in: 1...10, using: &generator)).map { number in
            var minute = Int.random(in: 0..<300, using: &generator)
            let end = minute + Int.random(in: 20...500, using: &generator)
            // Feeds are sparse or dense, with short or long airings.
            let gap = [0, 10, 90].randomElement(using: &generator) ?? 0
            let length = [8, 40, 160].randomElement(using: &generator) ?? 0
            var broadcasts: [Broadcast] = []
            while minute < end {
                let stop = minute + Int.random(in: 5...(length + 5), using: &generator)
                let isClump = Int.random(in: 0..<5, using: &generator) == 0
                let title = "F\(number)B\(broadcasts.count)"
                broadcasts.append(
                    Broadcast(minutes: minute..<stop, titles: isClump ? [title, title + "x", title + "y"] : [title]))
                minute = stop + (Bool.random(using: &generator) ? 0 : Int.random(in: 0...gap, using: &generator))
            }
            return Feed(name: "f\(number)", priority: Int.random(in: 0...2, using: &generator), broadcasts: broadcasts)
        }
    }
}

extension OverlayOracle.Broadcast {
    /// Returns the clock time of a minute, such as `20:0`.
    package static func clock(_ minute: Int) -> String { "\(minute / 60):\(minute % 60)" }

    package var window: TimeWindow {
        Day.window("\(Self.clock(minutes.lowerBound))-\(Self.clock(minutes.upperBound))")
    }

    /// The `<programme>` elements of the airing.
    package var elements: [String] {
        titles.enumerated().map { index, title in
            let clump = titles.count > 1 ? " clumpidx=\"\(index)/\(titles.count)\"" : ""
            return "<programme start=\"\(Day.stamp(Self.clock(minutes.lowerBound)))\" "
                + "stop=\"\(Day.stamp(Self.clock(minutes.upperBound)))\"\(clump) channel=\"one\">"
                + "<title>\(title)</title></programme>"
        }
    }
}
