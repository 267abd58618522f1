import EPGJSON
import EPGModel

/// The programs of Schedules Direct, and the airings that wait for their programs.
///
/// A schedule may name programs that are in another file or later in the same file. The library returns an airing whose
/// program is known immediately. It keeps any other, in 32 bytes, until all files have been read. Programs are kept as
/// stored documents of a few hundred bytes each, so memory grows with the number of programs, and of airings that
/// precede their programs.
struct SchedulesDirectLibrary {
    /// An airing in compact form, with strings as numbers.
    private struct Waiting {
        var start: Int64
        /// 0 if there is no stop.
        var seconds: Int32
        var station: UInt32
        var program: UInt32
        var nodes: UInt32
        var line: UInt32
    }

    /// All programs, one document after the other.
    private var documents: [UInt8] = []
    private var places: [String: Range<Int>] = [:]
    /// Recently used programs in decoded form, because each airs several times.
    private var decoded: [String: SchedulesDirectContent] = [:]
    /// The size of their documents in bytes, at most ``decodedLimit``. Decoded, they take about ten times as much.
    private var decodedBytes = 0
    private static let decodedLimit = 512 << 10

    /// The maximum size of a stored program in bytes, because each of its airings repeats them. Real programs have
    /// several hundred bytes.
    private static let programBytes = 256 << 10

    /// The airings whose programs were unknown when they were read.
    private var waiting: [Waiting] = []
    private var texts = NumberedValues<String>()
    /// The content specific to airings, which is the same for most of them.
    private var remarks = NumberedValues<[UInt8]>()
    /// The number of waiting airings that were returned.
    private var released = 0
    /// The missing programs that were already reported.
    private var missing: Set<String> = []

    /// The memory of the programs' identifiers in bytes.
    private var identifierBytes = 0

    /// The memory of programs and waiting airings with their indexes in bytes.
    var heldBytes: Int {
        documents.capacity + decodedBytes + waiting.capacity * MemoryLayout<Waiting>.stride + identifierBytes
            + texts.heldBytes + remarks.heldBytes
    }

    /// Adds a program. The last one with an identifier wins.
    ///
    /// - Returns: `false` if it exceeds ``programBytes``. Only its first title is kept then, unless that is too long,
    ///   too.
    mutating func add(program id: String, _ nodes: [ContentNode]) -> Bool {
        var bytes = Self.document(nodes)
        let isComplete = bytes.count <= Self.programBytes
        if !isComplete {
            bytes = nodes.element(named: "title").map { Self.document([.element($0)]) } ?? []
            if bytes.count > Self.programBytes { bytes = [] }
        }
        let start = documents.count
        documents.append(contentsOf: bytes)
        decoded[id] = nil
        if places.updateValue(start..<documents.count, forKey: id) == nil {
            // A hash table is half full on average.
            identifierBytes += 2 * (MemoryLayout<String>.stride + MemoryLayout<Range<Int>>.stride) + id.heldBytes
        }
        return isComplete
    }

    private static func document(_ nodes: [ContentNode]) -> [UInt8] {
        nodes.isEmpty ? [] : StoredDocument.nodes(nodes)
    }

    /// Returns the record of an airing, or `nil` if it must wait for its program.
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

    /// Returns the next waiting airing after everything has been read, preceded by one remark if its program is
    /// missing.
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
                ? "programID: missing" : "the program \(airing.programID.prefix(100)) is in none of the files"
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

    /// Decodes a document that this type has written.
    private static func nodes(_ bytes: [UInt8]) -> [ContentNode] {
        guard !bytes.isEmpty else { return [] }
        do throws(StoredDocument.Damage) {
            return try StoredDocument.nodes(bytes)
        } catch {
            preconditionFailure("a document that was just written cannot be read: \(error)")
        }
    }
}

/// A table that stores each value once and numbers it.
private struct NumberedValues<Value: Hashable> {
    private var values: [Value] = []
    private var numbers: [Value: UInt32] = [:]
    /// The approximate memory of the values in bytes.
    private(set) var heldBytes = 0

    /// Returns the number of a value. Adds it if it is new.
    ///
    /// - Parameter bytes: The memory of the value in addition to its stride.
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

/// The stations of Schedules Direct lineups: descriptions from `stations` and numbers from `map`, in either order.
struct SchedulesDirectStations {
    /// A station whose lineup isn't complete yet.
    private struct Draft {
        var nodes: [ContentNode] = []
        var numbers: [String] = []
        var callsign: String?
        var line: Int
    }

    private var order: [String] = []
    private var drafts: [String: Draft] = [:]
    /// Stations already returned. Further lineups don't change them.
    private var known: Set<String> = []
    /// The approximate memory of the stations in bytes.
    private(set) var heldBytes = 0

    /// Returns the identifier of a station in XMLTV, as in `tv_grab_zz_sdjson` of the XMLTV project.
    static func id(_ stationID: String) -> StationID { StationID("I\(stationID).json.schedulesdirect.org") }

    /// Adds an element of `stations`.
    mutating func add(station: JSONNode, _ id: String) {
        let nodes = Self.nodes(station)
        heldBytes += nodes.reduce(0) { $0 + $1.heldBytes }
        change(id, station.line) { $0.nodes = nodes }
    }

    /// Adds an element of `map`.
    mutating func add(channel: JSONNode, _ id: String) {
        let number = Self.number(channel)
        change(id, channel.line) { draft in
            if let number, !draft.numbers.contains(number), draft.numbers.count < 64 { draft.numbers.append(number) }
            draft.callsign = draft.callsign ?? channel["providerCallsign"]?.text
        }
    }

    /// Returns the stations added since the last call, in file order.
    mutating func drainRecords() -> [GuideRecord] {
        defer { (order, drafts) = ([], [:]) }
        return order.compactMap { id in
            guard let draft = drafts[id], known.insert(id).inserted else { return nil }
            var nodes = draft.nodes
            if nodes.element(named: "display-name") == nil { nodes.append("display-name", draft.callsign) }
            for number in draft.numbers { nodes.append("lcn", number) }
            return .station(Self.id(id), nodes: nodes, line: draft.line)
        }
    }

    private mutating func change(_ id: String, _ line: Int, _ change: (inout Draft) -> Void) {
        if drafts[id] == nil {
            order.append(id)
            heldBytes += 4 * (MemoryLayout<String>.stride + MemoryLayout<Draft>.stride) + 2 * id.heldBytes
        }
        change(&drafts[id, default: Draft(line: line)])
    }

    /// Returns the names, the main one first, and the logos of a station.
    private static func nodes(_ station: JSONNode) -> [ContentNode] {
        var nodes: [ContentNode] = []
        var names: Set<String> = []
        for key in ["name", "callsign", "affiliate"] {
            if let name = station[key]?.text, names.insert(name).inserted { nodes.append("display-name", name) }
        }
        var urls: Set<String> = []
        for logo in [station["logo"]].compactMap(\.self) + (station["stationLogo"]?.elements ?? []) {
            guard let url = logo["URL"]?.text, !url.isEmpty, urls.insert(url).inserted else { continue }
            nodes.append(
                element: "icon", ("src", url), ("width", logo["width"]?.text), ("height", logo["height"]?.text))
        }
        return nodes
    }

    /// Returns the number of a channel without leading zeros.
    ///
    /// Of the numbers in Schedules Direct, uses the first present: the number that viewers see
    /// (`logicalChannelNumber`, `virtualChannel`), ATSC, the provider's, and the transmitter's.
    private static func number(_ channel: JSONNode) -> String? {
        func text(_ keys: String...) -> String? {
            keys.lazy.compactMap { channel[$0]?.text }.first { !$0.isEmpty }
        }
        if let number = text("logicalChannelNumber", "virtualChannel") { return withoutZeros(number) }
        if let major = text("atscMajor", "channelMajor") {
            return withoutZeros(major) + (text("atscMinor", "channelMinor").map { "." + withoutZeros($0) } ?? "")
        }
        return text("channel", "uhfVhf").map(withoutZeros)
    }

    private static func withoutZeros(_ number: String) -> String {
        let rest = number.drop { $0 == "0" }
        return rest.first?.isNumber == true ? String(rest) : number
    }
}
