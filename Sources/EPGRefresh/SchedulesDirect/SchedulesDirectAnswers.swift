import EPGJSON

internal import EPGImport
internal import XMLTV

/// The answers to a question for days, told apart.
struct DayAnswers {
    private(set) var schedules: [StationDay: SchedulesDirectPlace] = [:]
    /// Days that the service can't give, with its words.
    private(set) var refusals: [StationDay: SchedulesDirectPlace] = [:]
    /// Days that the service is still making.
    private(set) var queued: Set<StationDay> = []
    private var asked: [String: [String]] = [:]

    init(_ days: [StationDay]) {
        for day in days { asked[day.station, default: []].append(day.day) }
    }

    /// Takes an element of the answer; one that wasn't asked for is passed over.
    mutating func take(_ node: JSONNode, _ place: SchedulesDirectPlace) {
        guard let station = node["stationID"]?.text, let days = asked[station] else { return }
        let code = node["code"]?.integer ?? 0
        let isSchedule = code == 0 && node["programs"]?.kind == .array
        let named = node["metadata"]?["startDate"]?.text ?? node["requestedDate"]?.text
        let first = node["programs"]?.elements.first?["airDateTime"]?.text?.prefix(10)
        if let day = named ?? (isSchedule ? first.map(String.init) : nil), days.contains(day) {
            take(StationDay(station: station, day: day), isSchedule, code, place)
        } else if isSchedule {
            // An answer that names no day is that of the only one.
            if named == nil, days.count == 1 { take(StationDay(station: station, day: days[0]), true, 0, place) }
        } else if named == nil {
            // What is wrong with a station is wrong with all of its days that have no answer of their own.
            for day in days {
                let key = StationDay(station: station, day: day)
                if schedules[key] == nil { take(key, false, code, place) }
            }
        }
    }

    private mutating func take(_ day: StationDay, _ isSchedule: Bool, _ code: Int64, _ place: SchedulesDirectPlace) {
        if isSchedule {
            schedules[day] = place
            refusals[day] = nil
            queued.remove(day)
        } else if SchedulesDirectCode.isQueued(code) {
            queued.insert(day)
        } else if code != 0 {
            refusals[day] = place
        }
    }
}

/// The answers to a question for contents, told apart.
struct ContentAnswers {
    private(set) var contents: [String: SchedulesDirectPlace] = [:]
    /// Those that the service can't give, with its words.
    private(set) var refusals: [String: SchedulesDirectPlace] = [:]
    private let asked: [String]
    private let isAsked: Set<String>

    init(_ ids: [String]) {
        asked = ids
        isAsked = Set(ids)
    }

    /// Those without an answer, as the service is still making them.
    var missing: [String] { asked.filter { contents[$0] == nil && refusals[$0] == nil } }

    /// Takes an element of the answer; one that wasn't asked for is passed over.
    mutating func take(_ node: JSONNode, _ place: SchedulesDirectPlace) {
        let code = node["code"]?.integer ?? 0
        if let id = node["programID"]?.text, isAsked.contains(id) {
            if code == 0, node["titles"] != nil {
                contents[id] = place
            } else if !SchedulesDirectCode.isQueued(code) {
                refusals[id] = place
            }
        } else if code != 0, !SchedulesDirectCode.isQueued(code), let message = node["message"]?.string {
            // "Invalid programID:EP…" names it in words only.
            let words = message.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
            for word in words where isAsked.contains(String(word)) { refusals[String(word)] = place }
        }
    }
}

extension SchedulesDirectPlace {
    /// Reads the record; `nil` where it is none.
    ///
    /// - Throws: ``SystemFailure`` where its file can't be read.
    func node() throws(SystemFailure) -> JSONNode? {
        var scanner = JSONScanner(ChunkSource([UInt8(ascii: "{")] + (try body.bytes(range))))
        scanner.takesControls = true
        do throws(JSONError) {
            return try scanner.readValue()
        } catch {
            return nil
        }
    }
}
