import EPGJSON
import EPGModel

/// The programs of Schedules Direct, and the airings that wait for theirs.
///
/// Schedules name programs that may stand in another file, or further on. An airing whose program is known goes out at
/// once; any other waits, in 32 bytes, until everything was read. Programs are kept as stored documents, a few
/// hundred bytes each: memory grows with the number of programs, and of airings that come before theirs.
struct SchedulesDirectLibrary {
    /// An airing in few bytes; texts by their number.
    private struct Waiting {
        var start: Int64
        /// 0 where there is no stop.
        var seconds: Int32
        var station: UInt32
        var program: UInt32
        var nodes: UInt32
        var line: UInt32
    }

    /// All programs, one document after the other.
    private var documents: [UInt8] = []
    private var places: [String: Range<Int>] = [:]
    /// What was made of those that were asked for of late: each is aired several times.
    private var decoded: [String: SchedulesDirectContent] = [:]
    /// Bytes of their documents, at most ``decodedLimit``. Made, they take some ten times as many.
    private var decodedBytes = 0
    static let decodedLimit = 512 << 10

    /// Bytes of a stored program; each of its airings repeats them. Real ones have some hundred.
    static let programBytes = 256 << 10

    private var waiting: [Waiting] = []
    private var texts = NumberedValues<String>()
    /// What airings say of themselves, which is much the same for most of them.
    private var remarks = NumberedValues<[UInt8]>()
    private var released = 0
    /// Programs that are missing, so that each is reported once.
    private var missing: Set<String> = []

    /// Bytes of the identifiers of programs.
    private var identifierBytes = 0

    /// Bytes of programs and of airings that wait, with what they are found by.
    var heldBytes: Int {
        documents.capacity + decodedBytes + waiting.capacity * MemoryLayout<Waiting>.stride + identifierBytes
            + texts.heldBytes + remarks.heldBytes
    }

    /// Keeps a program; of two with one identifier the last counts.
    ///
    /// - Returns: `false` where it is longer than ``programBytes``: its first title alone is kept, if that is shorter.
    mutating func add(program id: String, _ nodes: [ContentNode]) -> Bool {
        var bytes = Self.document(nodes)
        let isWhole = bytes.count <= Self.programBytes
        if !isWhole {
            bytes = nodes.element(named: "title").map { Self.document([.element($0)]) } ?? []
            if bytes.count > Self.programBytes { bytes = [] }
        }
        let start = documents.count
        documents.append(contentsOf: bytes)
        decoded[id] = nil
        if places.updateValue(start..<documents.count, forKey: id) == nil {
            // A table is half full, on average.
            identifierBytes += 2 * (MemoryLayout<String>.stride + MemoryLayout<Range<Int>>.stride) + id.heldBytes
        }
        return isWhole
    }

    private static func document(_ nodes: [ContentNode]) -> [UInt8] {
        nodes.isEmpty ? [] : StoredDocument.nodes(nodes)
    }

    /// The record of an airing; `nil` where it has to wait for its program.
    mutating func record(_ airing: SchedulesDirectAiring) -> GuideRecord? {
        if let program = program(airing.programID) { return .airing(airing.record(with: program)) }
        let remark = Self.document(airing.nodes)
        waiting.append(
            Waiting(
                start: airing.start.secondsSince1970,
                seconds: Int32(clamping: airing.stop.map { airing.start.seconds(to: $0) } ?? 0),
                station: texts.number(of: airing.stationID, bytes: airing.stationID.heldBytes),
                program: texts.number(of: airing.programID, bytes: airing.programID.heldBytes),
                nodes: remarks.number(of: remark, bytes: 32 + remark.count), line: UInt32(clamping: airing.line)))
        return nil
    }

    /// The next airing that waited, when everything was read; before it, once, a word on its program that is missing.
    mutating func nextWaiting() -> GuideRecord? {
        guard released < waiting.count else { return nil }
        let entry = waiting[released]
        let start = Instant(secondsSince1970: entry.start)
        let airing = SchedulesDirectAiring(
            stationID: texts[entry.station], programID: texts[entry.program], start: start,
            stop: entry.seconds == 0 ? nil : start.advanced(by: Int64(entry.seconds)),
            nodes: Self.nodes(remarks[entry.nodes]), line: Int(entry.line))
        let program = program(airing.programID)
        if program == nil, missing.insert(airing.programID).inserted {
            let quote =
                airing.programID.isEmpty
                ? "programID: missing" : "the program \(airing.programID.prefix(100)) is in no file"
            return .remark(
                .notvalid, airing.line, quote, station: SchedulesDirectStations.id(airing.stationID))
        }
        released += 1
        return .airing(airing.record(with: program ?? SchedulesDirectContent([])))
    }

    private mutating func program(_ id: String) -> SchedulesDirectContent? {
        if let known = decoded[id] { return known }
        guard let place = places[id] else { return nil }
        if place.isEmpty { return SchedulesDirectContent([]) }
        let program = SchedulesDirectContent(Self.nodes(Array(documents[place])))
        decodedBytes += place.count
        if decodedBytes > Self.decodedLimit { (decoded, decodedBytes) = ([:], place.count) }
        decoded[id] = program
        return program
    }

    /// The nodes of a document that was written here.
    private static func nodes(_ bytes: [UInt8]) -> [ContentNode] {
        guard !bytes.isEmpty else { return [] }
        do throws(StoredDocument.Damage) {
            return try StoredDocument.nodes(bytes)
        } catch {
            preconditionFailure("a document that was just written cannot be read: \(error)")
        }
    }
}

/// Values that are kept once, by number.
private struct NumberedValues<Value: Hashable> {
    private var values: [Value] = []
    private var numbers: [Value: UInt32] = [:]
    /// Bytes that the values take, about.
    private(set) var heldBytes = 0

    /// The number of a value, which is added if it is new.
    ///
    /// - Parameter bytes: What the value takes beside its stride.
    mutating func number(of value: Value, bytes: Int) -> UInt32 {
        if let number = numbers[value] { return number }
        let number = UInt32(values.count)
        values.append(value)
        numbers[value] = number
        heldBytes += 4 * MemoryLayout<Value>.stride + bytes
        return number
    }

    subscript(_ number: UInt32) -> Value { values[Int(number)] }
}
