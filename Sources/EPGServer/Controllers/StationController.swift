import EPGCalendar
import EPGJSON
import EPGModel
import HTTPTypes
import EPGRender

/// Stations, their schedules, and the groups and lineups that they belong to.
enum StationController {
    static let endpoints: [any Endpoint.Type] = [
        StationsEndpoint.self, StationEndpoint.self, ScheduleEndpoint.self, StationDayEndpoint.self, NowEndpoint.self,
        NextEndpoint.self, GroupsEndpoint.self, LineupsEndpoint.self,
    ]
}

/// `/api/v1/stations`: a page of the stations that match a filter, in the order of the guide.
struct StationsEndpoint: Endpoint {
    static let path = "/api/v1/stations"

    private let filter: StationFilter
    private let page: PageRange

    init(_ parameters: inout ParameterReader) throws(Problem) {
        filter = StationFilter(
            text: try parameters.text("q"), group: try parameters.text("group"), lineup: try parameters.text("lineup"))
        page = try PageRange(&parameters)
    }

    func document(from guide: GuideView) throws -> Document {
        let found = try guide.guide.stations(filter, offset: page.offset, limit: page.limit)
        return .object { json in
            json.member("total", found.total)
            json.member("offset", page.offset)
            json.member("stations", found.stations.map(\.withHTTPAddressesOnly))
        }
    }
}

/// `/api/v1/stations/{id}`: all data of a station.
struct StationEndpoint: Endpoint {
    static let path = "/api/v1/stations/{id}"

    private let id: StationID

    init(_ parameters: inout ParameterReader) throws(Problem) {
        id = StationID(parameters.path("id"))
    }

    func document(from guide: GuideView) throws -> Document {
        let station = try guide.guide.existingStation(id).withHTTPAddressesOnly
        return .object { $0.member("station", station) }
    }
}

// MARK: - Schedules

/// The schedule of a station on a day, or between two instants.
struct StationSchedule: JSONObject, Sendable {
    let station: StationID
    let stationName: String
    /// The day that `window` is; `nil` for a window between two instants.
    let day: CivilDate?
    /// The zone of the day.
    let zone: Zone
    let window: TimeWindow
    /// The airings that overlap the window, in order.
    let airings: [Airing]

    /// Identifies the content: a hash of all members in base 36, which is the same on every machine with the same guide.
    var version: String {
        var json = JSONWriter()
        json.write(self)
        return String(EntityTag.hasher.hash(json.takeBytes().span).high, radix: 36)
    }

    /// `{"station", "stationName", "day", "zone", "from", "to", "airings"}`; `day` and `zone` only for a day.
    func writeMembers(to json: inout JSONWriter) {
        json.member("station", station)
        json.member("stationName", stationName)
        json.member("day", day?.description)
        json.member("zone", day == nil ? nil : zone.name)
        json.member("from", window.start)
        json.member("to", window.end)
        json.member("airings", airings)
    }
}

/// `/api/v1/stations/{id}/schedule`: the schedule of a station on a day (default: today), or between two instants.
struct ScheduleEndpoint: Endpoint {
    static let path = "/api/v1/stations/{id}/schedule"

    private let id: StationID
    private let zone: Zone
    /// `nil` for a window between two instants.
    private let day: CivilDate?
    private let window: TimeWindow
    private let languages: [String]

    init(_ parameters: inout ParameterReader) throws(Problem) {
        id = StationID(parameters.path("id"))
        languages = try parameters.languages()
        let day = try parameters.day("day")
        let (from, to) = (try parameters.instant("from"), try parameters.instant("to"))
        guard from != nil || day != nil else {
            guard to == nil else { throw .badParameter("to", "from is missing. Add it, or use day.") }
            let (zone, start) = try parameters.today()
            let today = zone.date(at: start)
            (self.zone, self.day, window) = (zone, today, zone.window(of: today))
            return
        }
        zone = try parameters.zone()
        // `at` has no effect here, but URLs may contain it.
        _ = try parameters.instant("at")
        if let from {
            self.day = nil
            window = try .between(from, to ?? from.advanced(by: 86_400))
        } else if let day, to == nil {
            self.day = day
            window = zone.window(of: day)
        } else {
            throw .badParameter("to", "from is missing. Add it, or use day without to.")
        }
    }

    func document(from guide: GuideView) throws -> Document {
        let station = try guide.guide.existingStation(id)
        let airings = try guide.guide.airings(guide.guide.schedule(of: id, during: window).airings, in: languages)
        let schedule = StationSchedule(
            station: id, stationName: station.station.name, day: day, zone: zone, window: window, airings: airings)
        return .object { json in
            json.member("row", station.row)
            schedule.writeMembers(to: &json)
        }
    }
}

/// `/api/v1/stations/{id}/days/{date}`: the schedule of a station on a local day, with its version.
///
/// The response to a URL with the current version is immutable. It does not contain the row of the station, which may change
/// without the day; ``VersionsEndpoint`` lists the versions of all stations.
struct StationDayEndpoint: Endpoint {
    static let path = "/api/v1/stations/{id}/days/{date}"

    private let id: StationID
    private let day: CivilDate
    private let zone: Zone
    private let languages: [String]
    /// `nil` for the current version.
    private let version: String?

    init(_ parameters: inout ParameterReader) throws(Problem) {
        id = StationID(parameters.path("id"))
        day = try parameters.pathDay("date")
        zone = try parameters.zone()
        languages = try parameters.languages()
        version = try parameters.value(
            "version", maximumLength: 13, expected: "a version such as 2k9x7c1p0m3q4"
        ) { text in
            text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) } ? text : nil
        }
    }

    func document(from guide: GuideView) throws -> Document {
        let station = try guide.guide.existingStation(id).station
        let window = zone.window(of: day)
        let airings = try guide.guide.airings(guide.guide.schedule(of: id, during: window).airings, in: languages)
        let schedule = StationSchedule(
            station: id, stationName: station.name, day: day, zone: zone, window: window, airings: airings)
        let current = schedule.version
        if let version, version != current {
            throw Problem(
                .conflict,
                "The day is at version \(current), not \(version). Omit the parameter version, or name the current version.",
                parameter: "version")
        }
        var document = Document.object { json in
            schedule.writeMembers(to: &json)
            json.member("version", current)
        }
        document.isImmutable = version != nil
        return document
    }
}

extension GuideReading {
    /// The station with an identifier.
    ///
    /// - Throws: ``Problem`` with status 404 if the guide does not have it.
    fileprivate func existingStation(_ id: StationID) throws -> StationRow {
        guard let station = try station(id) else {
            throw Problem.notFound(
                "The guide has no station “\(id.rawValue.prefix(100))”. Find stations with /api/v1/stations?q=….")
        }
        return station
    }
}

// MARK: - Now and next

/// `/api/v1/now`: the current airings of stations at an instant, and the next ones.
struct NowEndpoint: Endpoint {
    static let path = "/api/v1/now"

    private let query: MomentQuery

    init(_ parameters: inout ParameterReader) throws(Problem) {
        query = try MomentQuery(&parameters)
    }

    func document(from guide: GuideView) throws -> Document {
        try query.document(from: guide) { entry in entry }
    }
}

/// `/api/v1/next`: the next airings of stations after an instant.
struct NextEndpoint: Endpoint {
    static let path = "/api/v1/next"

    /// The next airing of a station; none at the end of its schedule.
    private struct Entry: JSONObject {
        let entry: NowAndNext

        func writeMembers(to json: inout JSONWriter) {
            json.member("row", entry.row)
            json.member("station", entry.station)
            json.member("stationName", entry.stationName)
            json.member("next", entry.next)
        }
    }

    private let query: MomentQuery

    init(_ parameters: inout ParameterReader) throws(Problem) {
        query = try MomentQuery(&parameters)
    }

    func document(from guide: GuideView) throws -> Document {
        try query.document(from: guide) { Entry(entry: $0) }
    }
}

/// Stations at an instant.
private struct MomentQuery: Sendable {
    private let now: Instant
    /// `nil` for a page of all rows.
    private let rows: RowRanges?
    private let page: PageRange
    private let languages: [String]

    private static let maximumCount = 500

    /// Reads `at`, `lang`, and either `rows` or `offset` and `limit`.
    init(_ parameters: inout ParameterReader) throws(Problem) {
        now = try parameters.minute()
        languages = try parameters.languages()
        rows = try parameters.rows()
        page = try PageRange(&parameters, maximum: MomentQuery.maximumCount)
    }

    /// Writes a value for each row.
    func document(from guide: GuideView, _ value: (NowAndNext) -> some JSONValue) throws -> Document {
        let total = try guide.guide.stationCount()
        let entries = try rows(of: total).ranges.flatMap { range in
            try guide.guide.nowAndNext(at: now, inRows: range).map { try localized($0, by: guide.guide) }
        }
        return .object { json in
            json.member("at", now)
            json.member("total", total)
            json.member("stations", entries.map(value))
        }
    }

    /// - Throws: ``Problem`` if there are too many rows.
    private func rows(of total: Int) throws(Problem) -> RowRanges {
        guard let rows = rows?.clamped(toCount: total) else {
            return RowRanges(upTo: total).rows(at: page.places(inListOf: total))
        }
        guard rows.count <= MomentQuery.maximumCount else {
            throw .badParameter(
                "rows", "the list has \(rows.count) rows of the guide; the maximum is \(MomentQuery.maximumCount).")
        }
        return rows
    }

    private func localized(_ entry: NowAndNext, by guide: any GuideReading) throws -> NowAndNext {
        guard !languages.isEmpty else { return entry }
        var entry = entry
        entry.now = try guide.airings(entry.now, in: languages)
        entry.next = try entry.next.flatMap { try guide.airings([$0], in: languages).first }
        return entry
    }
}

// MARK: - Groups and lineups

/// `/api/v1/groups`: the groups of the channels of all lineups.
struct GroupsEndpoint: Endpoint {
    static let path = "/api/v1/groups"

    private struct Entry: JSONObject {
        let group: NameCount

        func writeMembers(to json: inout JSONWriter) {
            json.member("name", group.name)
            json.member("stations", group.count)
        }
    }

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        let groups = try guide.guide.stationGroups()
        return .object { $0.member("groups", groups.map { Entry(group: $0) }) }
    }
}

/// `/api/v1/lineups`: the lineups, with the number of channels that show a station.
struct LineupsEndpoint: Endpoint {
    static let path = "/api/v1/lineups"

    private struct Entry: JSONObject {
        let lineup: Lineup
        /// The number of channels that show a station.
        let matched: Int

        func writeMembers(to json: inout JSONWriter) {
            json.member("name", lineup.name)
            json.member("channels", lineup.channels.count)
            json.member("matched", matched)
            json.member("groups", groups)
        }

        /// In the order in which the channels first name them.
        private var groups: [String] {
            var seen: Set<String> = []
            return lineup.channels.flatMap(\.groups).filter { seen.insert($0).inserted }
        }
    }

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        let entries = try guide.guide.lineups().compactMap { name -> Entry? in
            guard let (lineup, matches) = try guide.guide.lineup(named: name) else { return nil }
            return Entry(lineup: lineup, matched: matches.count { $0 != nil })
        }
        return .object { $0.member("lineups", entries) }
    }
}
