import EPGJSON
import EPGCalendar
import EPGModel
import EPGRender

/// `/api/v1/stations/{id}/schedule`: what a station airs on a day, or between two instants.
struct ScheduleEndpoint: Endpoint {
    static let path = "/api/v1/stations/{id}/schedule"

    private let id: StationID
    private let zone: Zone
    /// `nil` where instants were named.
    private let day: CivilDate?
    private let window: TimeWindow
    private let languages: [String]

    /// 15 days.
    private static let longestWindow: Int64 = 15 * 86_400

    init(_ request: inout RequestReader) throws(Problem) {
        id = StationID(request.capture("id"))
        zone = try request.zone()
        languages = try request.languages()
        let day = try request.day()
        let (from, to) = (try request.instant("from"), try request.instant("to"))
        if let from {
            // It changes nothing here, but the address may have it.
            _ = try request.instant("at")
            self.day = nil
            window = try ScheduleEndpoint.window(from: from, to: to)
        } else {
            guard to == nil else { throw .badParameter("to", "give from, too, or a day.") }
            let day = if let day { day } else { zone.date(at: try request.minute()) }
            _ = try request.instant("at")
            self.day = day
            window = zone.window(of: day)
        }
    }

    /// The window from an instant up to another, else 24 hours long.
    private static func window(from start: Instant, to end: Instant?) throws(Problem) -> TimeWindow {
        guard let end else { return TimeWindow(start: start, end: start.advanced(by: 86_400)) }
        guard let window = TimeWindow(from: start, to: end), !window.isEmpty else {
            throw .badParameter("to", "it must be later than from, which is \(start).")
        }
        guard window.seconds <= longestWindow else {
            throw .badParameter("to", "the window is longer than 15 days; ask for a part of it.")
        }
        return window
    }

    func answer(_ guide: GuideView) throws -> Document {
        let station = try guide.guide.knownStation(id)
        let schedule = try guide.guide.schedule(of: id, during: window)
        let airings = try guide.guide.airings(schedule.airings, in: languages)
        return Document { json in
            json.object { json in
                json.member("generation", guide.generation.rawValue)
                json.member("row", station.row)
                json.member("station", id)
                json.member("stationName", station.station.name)
                json.member("day", day?.description)
                json.member("zone", day == nil ? nil : zone.name)
                json.member("from", window.start)
                json.member("to", window.end)
                json.member("airings", airings)
            }
        }
    }
}

extension RequestReader {
    /// `day`: a day of the calendar from 1900 to 2199, such as `2026-03-29`; `nil` where it isn't there.
    mutating func day() throws(Problem) -> CivilDate? {
        try value("day", wanted: "a day such as 2026-03-29, from 1900 to 2199", CivilDate.init(parameter:))
    }
}

extension CivilDate {
    /// `YYYY-MM-DD`; `nil` for anything else, for a day that no calendar has, and outside of the years 1900 to 2199.
    fileprivate init?(parameter text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            guard digits[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
            return digits[range].reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            (1900...2199).contains(year)
        else { return nil }
        self.init(year: year, month: Int(month), day: Int(day))
    }
}
