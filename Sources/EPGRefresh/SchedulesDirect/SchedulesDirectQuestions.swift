import EPGJSON

internal import EPGImport

/// The questions of the API, each with its answer as values.
struct SchedulesDirectQuestions {
    let client: SchedulesDirectClient
    let limits: SchedulesDirectLimits

    /// What the service says of itself: when each lineup of the account was modified last.
    ///
    /// - Throws: That it is offline, where it says so.
    func lineupMarks() throws(SchedulesDirectTrouble) -> [String: String] {
        let node = try client.answer("/status").root()
        for status in node["systemStatus"]?.elements ?? [] {
            guard let word = status["status"]?.string, word.lowercased() == "offline" else { continue }
            throw SchedulesDirectTrouble(
                SchedulesDirectCode.refusal(SchedulesDirectCode.offline, message: status["message"]?.string ?? ""))
        }
        var marks: [String: String] = [:]
        for lineup in node["lineups"]?.elements ?? [] {
            if let id = lineup.lineupID { marks[id] = lineup["modified"]?.text ?? "" }
        }
        return marks
    }

    /// The lineups of the account that stand, in its order.
    func lineups() throws(SchedulesDirectTrouble) -> [String] {
        let node = try client.answer("/lineups").root()
        let lineups = node["lineups"]?.elements.filter { $0["isDeleted"]?.bool != true } ?? []
        return SchedulesDirectStock.unique([lineups.compactMap(\.lineupID)])
    }

    /// One lineup with its stations.
    func lineup(_ id: String, mark: String) throws(SchedulesDirectTrouble) -> SchedulesDirectLineup {
        let body = try client.answer("/lineups/\(Self.escaped(id))")
        return try body.read { (json) throws(JSONError) in
            let node = try json.readValue()
            guard node.kind == .object, node["map"] != nil || node["stations"] != nil else {
                throw JSONError(reason: .notAGuide(found: "no stations in a lineup"))
            }
            let lists = [node["map"], node["stations"]].map { list in
                // The map is by kind of modulation in some lineups.
                let records = (list?.elements ?? []) + (list?.members.flatMap(\.value.elements) ?? [])
                return records.compactMap { $0["stationID"]?.text }
            }
            return SchedulesDirectLineup(
                id: id, mark: mark, stations: SchedulesDirectStock.unique(lists),
                place: SchedulesDirectPlace(body, behindBraceOf: node, end: json.offset))
        }
    }

    /// The mark of each day of each station; `nil` for a day that the service has a problem with. A station of which it
    /// says nothing isn't there.
    func dayMarks(of stations: [String]) throws(SchedulesDirectTrouble) -> [String: [String: String?]] {
        var marks: [String: [String: String?]] = [:]
        for batch in stations.batches(of: limits.stations) {
            var json: [UInt8] = []
            json.appendList(batch, "[", "]") { json, station in
                json += Array("{\"stationID\":".utf8)
                JSONText.append(quoted: station, to: &json)
                json.append(UInt8(ascii: "}"))
            }
            let body = try client.answer("/schedules/md5", body: String(decoding: json, as: UTF8.self))
            try body.read { (json) throws(JSONError) in
                try json.enterObject()
                while let station = try json.nextKey() {
                    var days: [String: String?] = [:]
                    // An empty array stands where a station has no day.
                    for (day, value) in try json.readValue().members {
                        let isSound = (value["code"]?.integer ?? 0) == 0
                        days[day] = .some(isSound ? value["md5"]?.text ?? value["hash"]?.text : nil)
                    }
                    if !days.isEmpty { marks[station] = days }
                }
            }
        }
        return marks
    }

    /// The schedules of some days; each record of the answer is handed out.
    func schedules(
        _ days: [StationDay], _ take: (JSONNode, SchedulesDirectPlace) -> Void
    ) throws(SchedulesDirectTrouble) {
        var stations: [String] = []
        var byStation: [String: [String]] = [:]
        for day in days {
            if byStation[day.station] == nil { stations.append(day.station) }
            byStation[day.station, default: []].append(day.day)
        }
        var json: [UInt8] = []
        json.appendList(stations, "[", "]") { json, station in
            json += Array("{\"stationID\":".utf8)
            JSONText.append(quoted: station, to: &json)
            json += Array(",\"date\":".utf8)
            json.appendList(byStation[station] ?? [], "[", "]}") { JSONText.append(quoted: $1, to: &$0) }
        }
        try client.answer("/schedules", body: String(decoding: json, as: UTF8.self)).forEachRecord(take)
    }

    /// The contents that are aired; each record of the answer is handed out.
    func contents(
        _ ids: [String], _ take: (JSONNode, SchedulesDirectPlace) -> Void
    ) throws(SchedulesDirectTrouble) {
        var json: [UInt8] = []
        json.appendList(ids, "[", "]") { JSONText.append(quoted: $1, to: &$0) }
        try client.answer("/programs", body: String(decoding: json, as: UTF8.self)).forEachRecord(take)
    }

    /// Asks for many things in groups; those that the service is still making are asked for again a little later.
    ///
    /// - Parameters:
    ///   - count: How many are asked for at once.
    ///   - take: Asks for a group, and gives back which of it the service is still making.
    /// - Returns: What it hadn't made after the last time.
    func ask<Key>(
        _ keys: [Key], inBatchesOf count: Int, _ take: ([Key]) throws(SchedulesDirectTrouble) -> [Key]
    ) throws(SchedulesDirectTrouble) -> [Key] {
        var asked = keys
        for round in 0...limits.queueRounds where !asked.isEmpty {
            if round > 0 { client.wait(.seconds(limits.queueSeconds)) }
            var queued: [Key] = []
            for batch in asked.batches(of: count) { queued += try take(batch) }
            asked = queued
        }
        return asked
    }

    /// A part of a path (RFC 3986, 2.3).
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}

extension JSONNode {
    /// The identifier of a lineup, which older answers call by another name.
    fileprivate var lineupID: String? {
        let id = self["lineup"]?.string ?? self["lineupID"]?.string
        return id?.isEmpty == true ? nil : id
    }
}

extension Array {
    /// The elements in groups of so many at most.
    func batches(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}
