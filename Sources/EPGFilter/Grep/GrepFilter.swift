import XMLTV

/// A filter that selects programmes and channels by an expression, like `tv_grep`.
///
/// It streams programmes. If some parts of a clump are dropped, the others are renumbered, so everything from the first
/// part of a clump on is kept in memory until the last part has been read, up to ``ClumpQueue/limit``.
package struct GrepFilter {
    private let expression: GrepExpression

    /// Creates a filter for an expression.
    package init(_ expression: GrepExpression) {
        self.expression = expression
    }

    /// Reads the guides and writes the selected records.
    ///
    /// - Parameters:
    ///   - sources: The guides.
    ///   - warn: Receives warnings.
    ///   - send: Receives the output in pieces of about 64 KiB. An error that it throws ends the run.
    /// - Returns: The number of selected programmes.
    /// - Throws: ``FilterError``, and any error of `send`.
    @discardableResult
    package func run(
        _ sources: [FilterSource], warn: @escaping (FilterWarning) -> Void, send: @escaping ([UInt8]) throws -> Void
    ) throws -> Int {
        var selected = 0
        var guide = try GuideSequence(sources, warn)
        var output = GuideOutput(send)
        var queue = ClumpQueue()
        var names: [[UInt8]: Set<Int>] = [:]
        var unnamed: Set<[UInt8]> = []
        var hasWarned = false

        try output.begin(guide.attributes)
        for channel in guide.channels.sortedByIdentifier {
            let key = channel.identifier
            names[key] = matchingNames(of: channel)
            if isWanted(channel, names[key]) { try output.write(channel) }
        }
        while let record = try guide.next() {
            switch record {
            case .guide: break
            case .channel(let channel):
                names[channel.identifier] = matchingNames(of: channel)
                if unnamed.contains(channel.identifier) {
                    warn(.channelAfterProgrammes(channel[attribute: "id"] ?? ""))
                }
                if isWanted(channel, names[channel.identifier]) {
                    queue.append(channel: channel)
                    try queue.write(to: &output, warn)
                }
            case .programme(let programme):
                let key = Array((programme[attribute: "channel"] ?? "").utf8)
                if names[key] == nil, !expression.namePatterns.isEmpty { unnamed.insert(key) }
                let isKept = expression.selects(programme, names: names[key] ?? []) {
                    if !hasWarned { warn(.missingStop) }
                    hasWarned = true
                }
                if isKept { selected += 1 }
                queue.append(programme, isKept: isKept)
                try queue.write(to: &output, warn)
            }
        }
        queue.end()
        try queue.write(to: &output, warn)
        try output.end()
        return selected
    }

    private func isWanted(_ channel: XMLTVElement, _ names: Set<Int>?) -> Bool {
        expression.selects(channel: channel[attribute: "id"] ?? "", names: names ?? [])
    }

    /// Returns the indices of the name patterns that match a channel's names.
    private func matchingNames(of channel: XMLTVElement) -> Set<Int> {
        let texts = channel.children("display-name").map(\.text)
        return Set(
            expression.namePatterns.indices.filter { number in
                texts.contains { expression.namePatterns[number].isFound(in: $0) }
            })
    }
}

extension XMLTVElement {
    /// The channel's identifier as bytes, because equal strings may have different bytes.
    fileprivate var identifier: [UInt8] { Array((self[attribute: "id"] ?? "").utf8) }
}

/// A queue of records that can't be written yet because a clump is incomplete.
///
/// A clump consists of the programmes of a channel that start together and have a `clumpidx` other than `0/1`. It is
/// complete when it has as many parts as it declares, at the end of the guide, or with its hundredth part: no
/// broadcaster has such clumps, and the work for a clump is quadratic in its parts.
///
/// To preserve the order, everything after an incomplete clump waits, too. When more than ``limit`` bytes wait, the
/// first clump is settled as if the guide ended here. Parts that follow later form another clump, whereas `tv_grep`,
/// which holds the whole guide in memory, would number them together. This happens only if a clump declares more parts
/// than follow, or if its parts are that far apart.
private struct ClumpQueue {
    /// The maximum number of waiting output bytes. Each record counts 128 bytes more for its overhead.
    static let limit = 16 << 20

    private static let maximumParts = 100
    private static let recordBytes = 128

    private enum Entry {
        /// Bytes ready to be written.
        case ready([UInt8])
        /// A part of a clump, and the length of its bytes.
        case waiting(Key, Int)
        /// A record that is not written.
        case dropped
    }

    private struct Key: Hashable {
        let channel: [UInt8]
        let start: Int64
    }

    private struct Part {
        let place: Int
        var programme: XMLTVElement
        let isKept: Bool
    }

    private struct Clump {
        var parts: [Part] = []
        let count: Int
    }

    /// The records that haven't been removed. The first `written` of them have been written.
    private var entries: [Entry] = []
    private var written = 0
    /// The number of records removed from `entries`.
    private var removed = 0
    private var clumps: [Key: Clump] = [:]
    private var incompleteClumps: [FilterWarning] = []
    /// The size of the unwritten entries in bytes.
    private var bufferedBytes = 0

    mutating func append(channel: XMLTVElement) {
        append(ready: XMLTVWriter.bytes(of: channel))
    }

    /// Adds a programme. One that isn't kept is not written, but affects its clump.
    mutating func append(_ programme: XMLTVElement, isKept: Bool) {
        guard let text = programme[attribute: "clumpidx"], let place = ClumpPlace(text), text != "0/1",
            let start = ClumpQueue.start(of: programme)
        else {
            if isKept { append(ready: XMLTVWriter.bytes(of: programme.withoutEmptyParts)) }
            return
        }
        let key = Key(channel: Array((programme[attribute: "channel"] ?? "").utf8), start: start)
        let part = Part(place: removed + entries.count, programme: programme.withoutEmptyParts, isKept: isKept)
        let size = XMLTVWriter.bytes(of: part.programme).count + Self.recordBytes
        entries.append(.waiting(key, size))
        bufferedBytes += size
        clumps[key, default: Clump(count: place.count)].parts.append(part)
        if let clump = clumps[key], clump.parts.count >= min(clump.count, ClumpQueue.maximumParts) {
            clumps[key] = nil
            settle(clump.parts)
        }
    }

    /// Settles all incomplete clumps at the end of the guide.
    mutating func end() {
        let rest = clumps.values.sorted { ($0.parts.first?.place ?? 0) < ($1.parts.first?.place ?? 0) }
        clumps = [:]
        for clump in rest { settle(clump.parts) }
    }

    /// Writes the records that wait for nothing, and others while the limit is exceeded.
    mutating func write(to output: inout GuideOutput, _ warn: (FilterWarning) -> Void) throws {
        loop: while written < entries.count {
            switch entries[written] {
            case .ready(let bytes):
                try output.write(bytes: bytes)
                bufferedBytes -= bytes.count + Self.recordBytes
            case .dropped: break
            case .waiting(let key, _):
                guard bufferedBytes > Self.limit, let clump = clumps.removeValue(forKey: key) else { break loop }
                settle(clump.parts)
                continue
            }
            entries[written] = .dropped
            written += 1
        }
        for warning in incompleteClumps { warn(warning) }
        incompleteClumps = []
        if written == entries.count || written >= 4096 {
            entries.removeFirst(written)
            removed += written
            written = 0
        }
    }

    private mutating func append(ready bytes: [UInt8]) {
        entries.append(.ready(bytes))
        bufferedBytes += bytes.count + Self.recordBytes
    }

    private static func start(of programme: XMLTVElement) -> Int64? {
        guard let text = programme[attribute: "start"] else { return nil }
        do throws(XMLTVTimeError) {
            return try XMLTVTime(text).secondsSince1970
        } catch {
            // A programme with an invalid start belongs to no clump.
            return nil
        }
    }
}

extension ClumpQueue {
    /// Renumbers the kept parts of a clump as if the others were removed one by one, in order.
    ///
    /// A single remaining part is no longer a clump. Otherwise, the parts after a removed one move up, and all get the
    /// new count.
    private mutating func settle(_ all: [Part]) {
        var parts = all
        var present = Array(parts.indices)
        for index in parts.indices where !parts[index].isKept {
            guard let own = ClumpPlace(parts[index].programme[attribute: "clumpidx"] ?? "") else { continue }
            present.removeAll { $0 == index }
            guard !present.isEmpty else {
                incompleteClumps.append(
                    .incompleteClump(
                        channel: parts[index].programme[attribute: "channel"] ?? "",
                        clump: parts[index].programme[attribute: "clumpidx"] ?? ""))
                continue
            }
            for other in present {
                guard present.count > 1, let place = ClumpPlace(parts[other].programme[attribute: "clumpidx"] ?? "")
                else {
                    parts[other].programme.attributes.removeAll { $0.name == "clumpidx" }
                    continue
                }
                let moved = place.index > own.index ? place.index - 1 : place.index
                parts[other].programme.attributes = parts[other].programme.attributes.map {
                    $0.name == "clumpidx" ? .init("clumpidx", "\(moved)/\(present.count)") : $0
                }
            }
        }
        for part in parts {
            let place = part.place - removed
            if case .waiting(_, let size) = entries[place] { bufferedBytes -= size }
            entries[place] = .dropped
            guard part.isKept else { continue }
            let bytes = XMLTVWriter.bytes(of: part.programme)
            entries[place] = .ready(bytes)
            bufferedBytes += bytes.count + Self.recordBytes
        }
    }
}
