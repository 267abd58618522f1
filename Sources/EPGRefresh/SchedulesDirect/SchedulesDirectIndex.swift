import EPGJSON

internal import EPGImport

/// What a kept guide says of itself at its end, so that it needn't be read to see that nothing is new.
struct SchedulesDirectIndex {
    struct Lineup {
        var id: String
        var mark: String
        var stations: [String]
    }

    /// Raise it when the kept file is written differently: then everything is fetched anew.
    static let version: Int64 = 1

    /// A hash of whose account it is, so that another one's guide isn't taken for it.
    var account: String
    var isPending: Bool
    var lineups: [Lineup]
    /// The mark of each day.
    var days: [StationDay: String]
    /// The hash of all bytes before the end of the file: 32 hexadecimal digits.
    var checksum = ""

    init(of stock: SchedulesDirectStock, account: String) {
        self.account = account
        isPending = stock.isPending
        lineups = stock.lineups.map { Lineup(id: $0.id, mark: $0.mark, stations: $0.stations) }
        days = stock.days.mapValues(\.mark)
    }

    /// Reads the value that ``json(orderedDays:)`` writes; `nil` for anything else.
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
    ///
    /// - Parameter orderedDays: The days by station.
    func json(orderedDays: [StationDay]) -> [UInt8] {
        var json = Array("{\"version\":\(Self.version),\"account\":\"\(account)\",\"isPending\":\(isPending),".utf8)
        json += Array("\"lineups\":".utf8)
        json.appendList(lineups, "[", "]") { json, lineup in
            json += Array("{\"id\":".utf8)
            JSONText.append(quoted: lineup.id, to: &json)
            json += Array(",\"mark\":".utf8)
            JSONText.append(quoted: lineup.mark, to: &json)
            json += Array(",\"stations\":".utf8)
            json.appendList(lineup.stations, "[", "]") { JSONText.append(quoted: $1, to: &$0) }
            json.append(UInt8(ascii: "}"))
        }
        json += Array(",\"days\":".utf8)
        // The days of a station stand together.
        let groups = orderedDays.chunked { $0.station == $1.station }
        json.appendList(groups, "{", "}") { json, group in
            JSONText.append(quoted: group.first?.station ?? "", to: &json)
            json.append(UInt8(ascii: ":"))
            json.appendList(Array(group), "{", "}") { json, day in
                JSONText.append(quoted: day.day, to: &json)
                json.append(UInt8(ascii: ":"))
                JSONText.append(quoted: days[day] ?? "", to: &json)
            }
        }
        json.append(UInt8(ascii: "}"))
        return json
    }
}

extension [UInt8] {
    /// Appends values between brackets, with commas.
    mutating func appendList<Value>(
        _ values: [Value], _ first: String, _ last: String, _ append: (inout [UInt8], Value) -> Void
    ) {
        self += Array(first.utf8)
        for (index, value) in values.enumerated() {
            if index > 0 { self.append(UInt8(ascii: ",")) }
            append(&self, value)
        }
        self += Array(last.utf8)
    }
}

extension [StationDay] {
    /// Runs of elements that belong together.
    fileprivate func chunked(by belong: (StationDay, StationDay) -> Bool) -> [ArraySlice<StationDay>] {
        var chunks: [ArraySlice<StationDay>] = []
        var start = startIndex
        for index in indices where index + 1 == endIndex || !belong(self[index], self[index + 1]) {
            chunks.append(self[start...index])
            start = index + 1
        }
        return chunks
    }
}
