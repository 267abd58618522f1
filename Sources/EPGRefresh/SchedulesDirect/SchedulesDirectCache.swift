internal import EPGFiles
internal import EPGImport
import EPGJSON
internal import XMLTV

/// The cached guide of an account: a single file that the import reads.
///
/// ```
/// {"lineups":[…],
/// "programs":[…],
/// "schedules":[…],
/// "index":{…},
/// "end":{"index":"00000000000000012345","checksum":"0123456789abcdef0123456789abcdef"}}
/// ```
///
/// It contains records as the service sent them, except that each begins with its key:
/// `{"asked":{"id":"EP000000000001","mark":"its MD5"},"programID":…`. The checksum covers everything before the last
/// line, which has a fixed length. A file that is damaged, or has another version or account, is ignored.
struct SchedulesDirectCache {
    let path: String
    /// A hash of the account.
    let account: String

    private static let endHead = ",\n\"end\":{\"index\":\""
    private static let endMiddle = "\",\"checksum\":\""
    private static let endTail = "\"}}\n"
    private static let endByteCount = endHead.utf8.count + 20 + endMiddle.utf8.count + 32 + endTail.utf8.count

    /// Reads the index of the file; `nil` if there is no valid file.
    ///
    /// - Throws: ``SystemFault`` if the file cannot be read.
    func index() throws(SystemFault) -> SchedulesDirectIndex? {
        guard let body = try open(), let end = try end(of: body), end.index < body.byteCount else { return nil }
        let bytes = try body.bytes(end.index..<Int(body.byteCount) - Self.endByteCount)
        var scanner = JSONScanner(ChunkSource(bytes))
        do throws(JSONError) {
            let index = SchedulesDirectIndex(try scanner.readValue(), checksum: end.checksum)
            return index?.account == account ? index : nil
        } catch {
            return nil
        }
    }

    /// Reads the complete file; `nil` if it is damaged.
    ///
    /// - Throws: ``SystemFault`` if the file cannot be read.
    func records(_ index: SchedulesDirectIndex) throws(SystemFault) -> SchedulesDirectRecords? {
        guard let body = try open(), let end = try end(of: body), end.checksum == index.checksum,
            try checksum(of: body) == end.checksum
        else { return nil }
        var records = SchedulesDirectRecords()
        records.isPending = index.isPending
        var isDamaged = false
        do throws(FetchError) {
            try body.read { (json) throws(JSONError) in
                try json.enterObject()
                while let key = try json.nextKey() {
                    guard ["lineups", "programs", "schedules"].contains(key) else {
                        try json.skipValue()
                        continue
                    }
                    try json.enterArray()
                    while try json.nextElement() {
                        let node = try json.readValue()
                        let slice = SchedulesDirectSlice(body, afterBraceOf: node, end: json.offset)
                        if !records.take(node, slice, from: key, index) { isDamaged = true }
                    }
                }
            }
        } catch {
            return nil
        }
        return isDamaged || records.lineups.count != index.lineups.count ? nil : records
    }

    /// Replaces the file.
    ///
    /// - Returns: The index of the new file.
    func save(_ records: SchedulesDirectRecords) throws(SystemFault) -> (SchedulesDirectIndex, byteCount: Int64) {
        let writer = try SchedulesDirectWriter(replacing: path)
        var index = SchedulesDirectIndex(of: records, account: account)
        let lineups = records.lineups.map { ([$0.id, $0.mark], $0.slice) }
        try writer.write(Array("{\"lineups\":[".utf8))
        try write(lineups, to: writer)
        try writer.write(Array("],\n\"programs\":[".utf8))
        let programs = records.programs.sorted { $0.key < $1.key }.lazy.map {
            ([$0.key, $0.value.mark], $0.value.slice)
        }
        try write(programs, to: writer)
        try writer.write(Array("],\n\"schedules\":[".utf8))
        let days = records.orderedDays.lazy.compactMap { day in
            records.days[day].map { ([day.station, day.day, $0.mark], $0.slice) }
        }
        try write(days, to: writer)
        try writer.write(Array("],\n\"index\":".utf8))
        let offset = String(writer.byteCount)
        try writer.write(index.json)
        index.checksum = try writer.checksum()
        let zeros = String(repeating: "0", count: 20 - offset.count)
        try writer.write(
            Array("\(Self.endHead)\(zeros)\(offset)\(Self.endMiddle)\(index.checksum)\(Self.endTail)".utf8))
        try writer.finish()
        return (index, writer.byteCount)
    }

    private func write(
        _ records: some Sequence<([String], SchedulesDirectSlice)>, to writer: SchedulesDirectWriter
    ) throws(SystemFault) {
        var isFirst = true
        for (asked, slice) in records {
            try writer.write(Array((isFirst ? "\n" : ",\n").utf8) + Self.prefix(asked))
            try writer.write(try slice.body.bytes(slice.range))
            isFirst = false
        }
    }

    /// Returns the beginning of a record: its identifier, its day if it is a schedule, and its mark.
    static func prefix(_ asked: [String]) -> [UInt8] {
        let names = asked.count == 3 ? ["id", "day", "mark"] : ["id", "mark"]
        var json = JSONWriter()
        json.write(Texts(members: Array(zip(names, asked))))
        return Array("{\"asked\":\(json.text),".utf8)
    }

    private func open() throws(SystemFault) -> SchedulesDirectBody? { try SchedulesDirectBody(atPath: path) }

    /// Parses the last line; `nil` if it is invalid.
    private func end(of body: SchedulesDirectBody) throws(SystemFault) -> (index: Int, checksum: String)? {
        guard body.byteCount > Self.endByteCount else { return nil }
        let bytes = try body.bytes(Int(body.byteCount) - Self.endByteCount..<Int(body.byteCount))
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(Self.endHead), text.hasSuffix(Self.endTail) else { return nil }
        let rest = text.dropFirst(Self.endHead.count).dropLast(Self.endTail.count)
        guard let index = Int(rest.prefix(20)), index >= 0,
            index <= Int(body.byteCount) - Self.endByteCount,
            rest.dropFirst(20).hasPrefix(Self.endMiddle)
        else { return nil }
        return (index, String(rest.suffix(32)))
    }

    private func checksum(of body: SchedulesDirectBody) throws(SystemFault) -> String {
        var hasher = BodyHasher()
        let end = Int(body.byteCount) - Self.endByteCount
        for start in stride(from: 0, to: end, by: 1 << 20) {
            try body.bytes(start..<min(start + 1 << 20, end)).withUnsafeBytes { hasher.append($0) }
        }
        return hasher.finish()
    }
}

extension SchedulesDirectRecords {
    /// Adds a record of the file. Returns `false` if it is invalid.
    fileprivate mutating func take(
        _ node: JSONNode, _ slice: SchedulesDirectSlice, from key: String, _ index: SchedulesDirectIndex
    ) -> Bool {
        let asked = node["asked"]?.members.compactMap(\.value.string) ?? []
        let prefix = SchedulesDirectCache.prefix(asked)
        guard node.recordBytes.starts(with: prefix) else { return false }
        let rest = SchedulesDirectSlice(
            slice.body, range: slice.range.lowerBound - 1 + prefix.count..<slice.range.upperBound)
        switch (key, asked.count) {
        case ("lineups", 2):
            guard let lineup = index.lineups.first(where: { $0.id == asked[0] }) else { return false }
            lineups.append(
                SchedulesDirectLineup(id: asked[0], mark: asked[1], stations: lineup.stations, slice: rest))
        case ("programs", 2): programs[asked[0]] = SchedulesDirectRecord(mark: asked[1], slice: rest)
        case ("schedules", 3):
            days[StationDay(station: asked[0], day: asked[1])] = SchedulesDirectRecord(mark: asked[2], slice: rest)
        default: return false
        }
        return true
    }
}

/// A day of a station, the unit of schedules.
struct StationDay: Hashable {
    var station: String
    /// The date in UTC, such as `2026-03-29`.
    var day: String
}

/// A record as the service sent it, and the mark (an MD5 or a date) of its version.
struct SchedulesDirectRecord {
    /// The mark; empty if the record is known to be outdated.
    var mark: String
    var slice: SchedulesDirectSlice
}

/// A lineup and its stations.
struct SchedulesDirectLineup {
    var id: String
    /// When it was last modified, as the service formats it.
    var mark: String
    /// The stations in the service's order.
    var stations: [String]
    var slice: SchedulesDirectSlice
}

/// All records of an account. Their texts stay in files.
///
/// - Complexity: A few hundred bytes of memory per record.
struct SchedulesDirectRecords {
    var lineups: [SchedulesDirectLineup] = []
    var days: [StationDay: SchedulesDirectRecord] = [:]
    /// Programs by `programID`.
    var programs: [String: SchedulesDirectRecord] = [:]
    /// Whether programs are missing or outdated.
    var isPending = false

    /// The stations of all lineups, each once, in order.
    var stations: [String] { SchedulesDirectRecords.unique(lineups.map(\.stations)) }

    /// The days in the order of the file: by station, then by date.
    var orderedDays: [StationDay] {
        var byStation: [String: [String]] = [:]
        for day in days.keys { byStation[day.station, default: []].append(day.day) }
        return stations.flatMap { station in
            (byStation[station] ?? []).sorted().map { StationDay(station: station, day: $0) }
        }
    }

    static func unique(_ lists: [[String]]) -> [String] {
        var seen: Set<String> = []
        return lists.joined().filter { seen.insert($0).inserted }
    }
}

/// The index at the end of a cached guide, which shows whether anything is new without reading the guide.
struct SchedulesDirectIndex {
    struct Lineup {
        var id: String
        var mark: String
        var stations: [String]
    }

    /// Increment this when the format of the file changes. All guides are then fetched again.
    static let version: Int64 = 1

    /// A hash of the account, to detect the guide of another account.
    var account: String
    var isPending: Bool
    var lineups: [Lineup]
    /// The mark of each day.
    var days: [StationDay: String]
    /// The hash of all bytes before the last line: 32 hexadecimal digits.
    var checksum = ""

    init(of records: SchedulesDirectRecords, account: String) {
        self.account = account
        isPending = records.isPending
        lineups = records.lineups.map { Lineup(id: $0.id, mark: $0.mark, stations: $0.stations) }
        days = records.days.mapValues(\.mark)
    }

    /// Parses ``json``; `nil` for anything else.
    init?(_ node: JSONNode, checksum: String) {
        guard node["version"]?.integer == Self.version, let account = node["account"]?.string,
            let isPending = node["isPending"]?.bool, let lineups = node["lineups"], let days = node["days"]
        else { return nil }
        self.account = account
        self.isPending = isPending
        self.checksum = checksum
        self.lineups = []
        for lineup in lineups.elements {
            guard let id = lineup["id"]?.string, let mark = lineup["mark"]?.string,
                let stations = lineup["stations"]
            else { return nil }
            self.lineups.append(Lineup(id: id, mark: mark, stations: stations.elements.compactMap(\.string)))
        }
        self.days = [:]
        for (station, list) in days.members {
            for (day, mark) in list.members { self.days[StationDay(station: station, day: day)] = mark.string ?? "" }
        }
    }

    /// The index as JSON.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("version", Self.version)
            json.member("account", account)
            json.member("isPending", isPending)
            json.member("lineups", objects: lineups) { lineup, json in
                json.member("id", lineup.id)
                json.member("mark", lineup.mark)
                json.member("stations", lineup.stations)
            }
            json.member(
                "days",
                object: { json in
                    for (station, days) in Dictionary(grouping: days, by: \.key.station).sorted(by: { $0.key < $1.key })
                    {
                        json.member(
                            named: station, Texts(members: days.map { ($0.key.day, $0.value) }.sorted { $0 < $1 }))
                    }
                })
        }
        return json.takeBytes()
    }
}

/// A JSON object of texts.
private struct Texts: JSONObject {
    let members: [(key: String, value: String)]

    func writeMembers(to json: inout JSONWriter) {
        for (key, value) in members { json.member(named: key, value) }
    }
}
