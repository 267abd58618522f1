import XMLTV

/// Records that wait to be written because a clump isn't whole yet.
///
/// A clump is the programmes of a channel that start together and have a `clumpidx` other than `0/1`. It is whole when as
/// many have come as it says, at the end of the guide, or with its hundredth part: no broadcaster has such clumps, and the
/// work for one grows with the square of its parts.
///
/// Everything behind a clump that isn't whole waits, too, for the records keep their order. When ``limit`` bytes wait, the
/// clump in front is given up, as if the guide ended here; parts of it that come later are another clump. `tv_grep`, which
/// holds the whole guide in memory, would number them together. Only a clump that says that it has more parts than come, or
/// whose parts stand that far from each other, is given up.
struct ClumpQueue {
    /// Bytes that may wait, as they are written; a record counts 128 more for what it takes beside them.
    static let limit = 16 << 20

    private static let maximumParts = 100
    private static let recordBytes = 128

    private enum Entry {
        /// What is written.
        case ready([UInt8])
        /// A part of a clump, and its bytes.
        case waiting(Key, Int)
        /// Nothing is written.
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

    /// The records that aren't written yet; the first `written` of them are.
    private var entries: [Entry] = []
    private var written = 0
    /// How many records went out of `entries`.
    private var removed = 0
    private var clumps: [Key: Clump] = [:]
    private var lonely: [FilterWarning] = []
    /// Bytes of the entries that aren't written.
    private var held = 0

    mutating func append(channel: XMLTVElement) {
        append(ready: XMLTVWriter.bytes(of: channel))
    }

    /// Takes a programme, to be written or not.
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
        held += size
        clumps[key, default: Clump(count: place.count)].parts.append(part)
        if let clump = clumps[key], clump.parts.count >= min(clump.count, ClumpQueue.maximumParts) {
            clumps[key] = nil
            settle(clump.parts)
        }
    }

    /// Settles the clumps that never became whole: the guide is at its end.
    mutating func end() {
        let rest = clumps.values.sorted { ($0.parts.first?.place ?? 0) < ($1.parts.first?.place ?? 0) }
        clumps = [:]
        for clump in rest { settle(clump.parts) }
    }

    /// Writes the records that wait for nothing, and as many others as are more than may wait.
    mutating func write(to output: inout GuideOutput, _ warn: (FilterWarning) -> Void) throws {
        loop: while written < entries.count {
            switch entries[written] {
            case .ready(let bytes):
                try output.write(bytes: bytes)
                held -= bytes.count + Self.recordBytes
            case .dropped: break
            case .waiting(let key, _):
                guard held > Self.limit, let clump = clumps.removeValue(forKey: key) else { break loop }
                settle(clump.parts)
                continue
            }
            entries[written] = .dropped
            written += 1
        }
        for warning in lonely { warn(warning) }
        lonely = []
        if written == entries.count || written >= 4096 {
            entries.removeFirst(written)
            removed += written
            written = 0
        }
    }

    private mutating func append(ready bytes: [UInt8]) {
        entries.append(.ready(bytes))
        held += bytes.count + Self.recordBytes
    }

    private static func start(of programme: XMLTVElement) -> Int64? {
        guard let text = programme[attribute: "start"] else { return nil }
        do throws(XMLTVTimeError) {
            return try XMLTVTime(text).secondsSince1970
        } catch {
            // A programme whose start can't be read belongs to no clump.
            return nil
        }
    }
}

extension ClumpQueue {
    /// Numbers the parts of a clump that stay, as if the others were taken out one by one in their order.
    ///
    /// When one part is left of two it is no clump any more. Of more, those behind the one that goes move up, and all say
    /// how many are left.
    private mutating func settle(_ all: [Part]) {
        var parts = all
        var present = Array(parts.indices)
        for index in parts.indices where !parts[index].isKept {
            guard let own = ClumpPlace(parts[index].programme[attribute: "clumpidx"] ?? "") else { continue }
            present.removeAll { $0 == index }
            guard !present.isEmpty else {
                lonely.append(
                    .lonelyClump(
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
            if case .waiting(_, let size) = entries[place] { held -= size }
            entries[place] = .dropped
            guard part.isKept else { continue }
            let bytes = XMLTVWriter.bytes(of: part.programme)
            entries[place] = .ready(bytes)
            held += bytes.count + Self.recordBytes
        }
    }
}
