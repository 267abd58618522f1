import EPGJSON

internal import EPGImport
internal import XMLTV

/// The guide of the service as it stands, kept in one file that the import reads.
///
/// ```
/// {"lineups":[…],
/// "programs":[…],
/// "schedules":[…],
/// "index":{…},
/// "end":{"index":"00000000000000012345","checksum":"0123456789abcdef0123456789abcdef"}}
/// ```
///
/// Records stand in it as the service sent them, but each begins with what it was asked for:
/// `{"asked":{"id":"EP000000000001","mark":"its MD5"},"programID":…`. The checksum is over everything before the last line, which
/// has a fixed length. A file that is damaged, of another version or of another account is as good as none.
struct SchedulesDirectCache {
    let path: String
    /// A hash of whose account it is.
    let account: String

    private static let endHead = ",\n\"end\":{\"index\":\""
    private static let endMiddle = "\",\"checksum\":\""
    private static let endTail = "\"}}\n"
    private static let endByteCount = endHead.utf8.count + 20 + endMiddle.utf8.count + 32 + endTail.utf8.count

    /// What the file says of itself; `nil` where there is none, or none that can be used.
    ///
    /// - Throws: ``SystemFailure`` where it can't be read.
    func index() throws(SystemFailure) -> SchedulesDirectIndex? {
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

    /// All records of the file; `nil` where it is damaged.
    ///
    /// - Throws: ``SystemFailure`` where it can't be read.
    func stock(_ index: SchedulesDirectIndex) throws(SystemFailure) -> SchedulesDirectStock? {
        guard let body = try open(), let end = try end(of: body), end.checksum == index.checksum,
            try checksum(of: body) == end.checksum
        else { return nil }
        var stock = SchedulesDirectStock()
        stock.isPending = index.isPending
        var isDamaged = false
        do throws(SchedulesDirectTrouble) {
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
                        let place = SchedulesDirectPlace(body, behindBraceOf: node, end: json.offset)
                        if !stock.take(node, place, from: key, index) { isDamaged = true }
                    }
                }
            }
        } catch {
            return nil
        }
        return isDamaged || stock.lineups.count != index.lineups.count ? nil : stock
    }

    /// Writes what stands, in the place of what stood.
    ///
    /// - Returns: What the new file says of itself.
    func save(_ stock: SchedulesDirectStock) throws(SystemFailure) -> (SchedulesDirectIndex, byteCount: Int64) {
        let writer = try SchedulesDirectWriter(replacing: path)
        do throws(SystemFailure) {
            var index = SchedulesDirectIndex(of: stock, account: account)
            let orderedDays = stock.orderedDays
            let lineups = stock.lineups.map { ([$0.id, $0.mark], $0.place) }
            try writer.write(Array("{\"lineups\":[".utf8))
            try write(lineups, to: writer)
            try writer.write(Array("],\n\"programs\":[".utf8))
            let contents = stock.contents.sorted { $0.key < $1.key }.lazy.map {
                ([$0.key, $0.value.mark], $0.value.place)
            }
            try write(contents, to: writer)
            try writer.write(Array("],\n\"schedules\":[".utf8))
            let days = orderedDays.lazy.compactMap { day in
                stock.days[day].map { ([day.station, day.day, $0.mark], $0.place) }
            }
            try write(days, to: writer)
            try writer.write(Array("],\n\"index\":".utf8))
            let offset = String(writer.byteCount)
            try writer.write(index.json(orderedDays: orderedDays))
            index.checksum = try writer.checksum()
            let zeros = String(repeating: "0", count: 20 - offset.count)
            try writer.write(
                Array("\(Self.endHead)\(zeros)\(offset)\(Self.endMiddle)\(index.checksum)\(Self.endTail)".utf8))
            try writer.finish()
            return (index, writer.byteCount)
        } catch {
            writer.discard()
            throw error
        }
    }

    private func write(
        _ records: some Sequence<([String], SchedulesDirectPlace)>, to writer: SchedulesDirectWriter
    ) throws(SystemFailure) {
        var isFirst = true
        for (asked, place) in records {
            try writer.write(Array((isFirst ? "\n" : ",\n").utf8) + Self.prefix(asked))
            try writer.write(try place.body.bytes(place.range))
            isFirst = false
        }
    }

    /// What a record begins with: its identifier, the day where it is one of a station, and the mark.
    static func prefix(_ asked: [String]) -> [UInt8] {
        let names = asked.count == 3 ? ["id", "day", "mark"] : ["id", "mark"]
        var prefix = Array("{\"asked\":".utf8)
        prefix.appendList(Array(zip(names, asked)), "{", "},") { json, member in
            JSONText.append(quoted: member.0, to: &json)
            json.append(UInt8(ascii: ":"))
            JSONText.append(quoted: member.1, to: &json)
        }
        return prefix
    }

    private func open() throws(SystemFailure) -> SchedulesDirectBody? { try SchedulesDirectBody(atPath: path) }

    /// The last line; `nil` where it is none.
    private func end(of body: SchedulesDirectBody) throws(SystemFailure) -> (index: Int, checksum: String)? {
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

    private func checksum(of body: SchedulesDirectBody) throws(SystemFailure) -> String {
        var hasher = BodyHasher()
        let end = Int(body.byteCount) - Self.endByteCount
        for start in stride(from: 0, to: end, by: 1 << 20) {
            try body.bytes(start..<min(start + 1 << 20, end)).withUnsafeBytes { hasher.append($0) }
        }
        return hasher.finish()
    }
}

extension SchedulesDirectStock {
    /// Takes a record of the file; `false` where it isn't one.
    fileprivate mutating func take(
        _ node: JSONNode, _ place: SchedulesDirectPlace, from key: String, _ index: SchedulesDirectIndex
    ) -> Bool {
        let asked = node["asked"]?.members.compactMap(\.value.string) ?? []
        let prefix = SchedulesDirectCache.prefix(asked)
        guard node.recordBytes.starts(with: prefix) else { return false }
        let rest = SchedulesDirectPlace(
            place.body, range: place.range.lowerBound - 1 + prefix.count..<place.range.upperBound)
        switch (key, asked.count) {
        case ("lineups", 2):
            guard let lineup = index.lineups.first(where: { $0.id == asked[0] }) else { return false }
            lineups.append(
                SchedulesDirectLineup(id: asked[0], mark: asked[1], stations: lineup.stations, place: rest))
        case ("programs", 2): contents[asked[0]] = SchedulesDirectRecord(mark: asked[1], place: rest)
        case ("schedules", 3):
            days[StationDay(station: asked[0], day: asked[1])] = SchedulesDirectRecord(mark: asked[2], place: rest)
        default: return false
        }
        return true
    }
}
