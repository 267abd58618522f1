import EPGCalendar
import EPGHTTP
import EPGImport
import EPGJSON
import EPGLayout
import EPGModel
import EPGRender
import HTTPTypes

/// Stations, their schedules, and the groups and lineups that they belong to.
enum StationController {
    static let endpoints: [any Endpoint.Type] = [
        StationsEndpoint.self, StationEndpoint.self, ScheduleEndpoint.self, StationDayEndpoint.self, NowEndpoint.self,
        NextEndpoint.self, GroupsEndpoint.self, LineupsEndpoint.self, DuplicatesEndpoint.self,
    ]
}

/// `/api/v1/stations`: a page of the stations that match a filter, in the order of the guide.
struct StationsEndpoint: Endpoint {
    static let path = "/api/v1/stations"

    private let filter: StationFilter
    private let page: PageRange
    private let form: StationForm

    init(_ parameters: inout ParameterReader) throws(Problem) {
        filter = StationFilter(
            text: try parameters.text("q"), group: try parameters.text("group"), lineup: try parameters.text("lineup"))
        page = try PageRange(&parameters)
        form = try StationForm(&parameters)
    }

    func document(from guide: GuideView) throws -> Document {
        let found = try guide.guide.stations(filter, offset: page.offset, limit: page.limit)
        return .object { json in
            json.member("total", found.total)
            json.member("offset", page.offset)
            json.member("stations", objects: found.stations) { form.write($0, to: &$1) }
        }
    }
}

/// `/api/v1/stations/{id}`: all data of a station.
struct StationEndpoint: Endpoint {
    static let path = "/api/v1/stations/{id}"

    private let id: StationID
    private let form: StationForm

    init(_ parameters: inout ParameterReader) throws(Problem) {
        id = StationID(parameters.path("id"))
        form = try StationForm(&parameters)
    }

    func document(from guide: GuideView) throws -> Document {
        let station = try guide.guide.existingStation(id)
        return .object { json in json.member("station", object: { form.write(station, to: &$0) }) }
    }
}

/// The members of stations in a response, and their languages: the parameters `fields` and `lang`.
private struct StationForm: Sendable {
    private let languages: [String]
    private let members: StationMembers

    init(_ parameters: inout ParameterReader) throws(Problem) {
        languages = try parameters.languages()
        members = try parameters.members()
    }

    func write(_ row: StationRow, to json: inout JSONWriter) {
        row.withHTTPURLsOnly.localized(in: languages).writeMembers(members, to: &json)
    }
}

// MARK: - Schedules

/// The schedule of a station on a day, or between two instants.
struct StationSchedule: JSONObject, Sendable {
    let station: StationID
    let stationName: String
    /// The day that `window` covers; `nil` for a window between two instants.
    let day: CivilDate?
    /// The zone of the day.
    let zone: Zone
    let window: TimeWindow
    /// The airings that overlap the window, in order.
    let airings: [SelectedAiring]

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

/// Identifies the content of a day of a station: a hash in base 36, which is the same in all copies of a guide.
///
/// It hashes the digests of the stored content and not the response, because decoding 150,000 airings takes a second.
struct DayVersion {
    /// Increase it whenever the response to an equal request for an equal day changes, because clients keep responses.
    static let format = 4

    let text: String

    /// - Parameter contents: The airings of the day, and perhaps of days around it.
    init(
        of station: Station, _ day: CivilDate, _ zone: Zone, _ window: TimeWindow, _ selection: AiringSelection,
        _ contents: [AiringContent]
    ) {
        let head = [
            "\(Self.format)", station.id.rawValue, station.localized(in: selection.languages).name, day.description,
            zone.name, selection.key,
        ].joined(separator: "\0")
        var hash = ContentHasher.fixed.hash(Array(head.utf8).span)
        hash.add(window.start.secondsSince1970, window.end.secondsSince1970)
        if !window.isEmpty {
            for content in contents where content.window.start < window.end && content.window.end > window.start {
                hash.add(content.id.rawValue, content.window.start.secondsSince1970)
                hash.add(content.window.end.secondsSince1970, Int64(bitPattern: content.hash.high))
            }
        }
        text = String(hash.high, radix: 36)
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
    private let selection: AiringSelection
    /// The current time; if the members do not depend on it, any time of the current day.
    private let now: Instant

    init(_ parameters: inout ParameterReader) throws(Problem) {
        id = StationID(parameters.path("id"))
        selection = try AiringSelection(&parameters)
        let day = try parameters.day("day")
        let (from, to) = (try parameters.instant("from"), try parameters.instant("to"))
        if selection.dependsOnTime {
            (zone, now) = (try parameters.zone(), try parameters.minute())
        } else if from == nil, day == nil {
            (zone, now) = try parameters.today()
        } else {
            // `at` has no effect here, but URLs may contain it.
            (zone, now) = (try parameters.zone(), try parameters.instant("at") ?? parameters.clock)
        }
        if let from {
            self.day = nil
            window = try .between(from, to ?? from.advanced(by: 86_400))
        } else {
            guard to == nil else {
                throw .badParameter("to", "from is missing. Add it, or use day\(day == nil ? "" : " without to").")
            }
            let chosen = day ?? zone.date(at: now)
            (self.day, window) = (chosen, zone.window(of: chosen))
        }
    }

    func document(from guide: GuideView) throws -> Document {
        let station = try guide.guide.existingStation(id).localized(in: selection.languages)
        let airings = try AiringReader(selection, of: guide, at: (now, zone))
            .airings(guide.guide.schedule(of: id, during: window).airings)
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
    private let selection: AiringSelection
    /// `nil` for the current version.
    private let version: String?

    init(_ parameters: inout ParameterReader) throws(Problem) {
        id = StationID(parameters.path("id"))
        day = try parameters.pathDay("date")
        zone = try parameters.zone()
        selection = try AiringSelection(&parameters)
        try selection.requireVersionedMembers()
        version = try parameters.value(
            "version", maximumLength: 13, expected: "a version such as 2k9x7c1p0m3q4"
        ) { text in
            text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) } ? text : nil
        }
    }

    func document(from guide: GuideView) throws -> Document {
        let row = try guide.guide.existingStation(id)
        let station = row.station.localized(in: selection.languages)
        let window = zone.window(of: day)
        let contents = try guide.guide.contents(inRows: row.row..<row.row + 1, during: window)[row.row] ?? []
        let airings = try AiringReader(selection, of: guide)
            .airings(guide.guide.schedule(of: id, during: window).airings)
        let schedule = StationSchedule(
            station: id, stationName: station.name, day: day, zone: zone, window: window, airings: airings)
        let current = DayVersion(of: row.station, day, zone, window, selection, contents).text
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

    /// - Throws: ``Problem`` with status 404 for a missing lineup; an error of the store.
    fileprivate func requireLineup(_ name: String) throws {
        guard try !lineups().contains(name) else { return }
        throw Problem.notFound("There is no lineup “\(name)”. /api/v1/lineups lists all of them.")
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
        try query.document(from: guide, includesCurrent: true)
    }
}

/// `/api/v1/next`: the next airings of stations after an instant.
struct NextEndpoint: Endpoint {
    static let path = "/api/v1/next"

    private let query: MomentQuery

    init(_ parameters: inout ParameterReader) throws(Problem) {
        query = try MomentQuery(&parameters)
    }

    func document(from guide: GuideView) throws -> Document {
        try query.document(from: guide, includesCurrent: false)
    }
}

/// Stations at an instant.
private struct MomentQuery: Sendable {
    private let now: Instant
    private let zone: Zone
    private let stations: StationSelection
    /// Used only if the request names no rows.
    private let page: PageRange
    private let selection: AiringSelection

    private static let maximumCount = 500

    init(_ parameters: inout ParameterReader) throws(Problem) {
        now = try parameters.minute()
        zone = try parameters.zone()
        stations = try StationSelection(&parameters)
        page = try PageRange(&parameters, maximum: MomentQuery.maximumCount)
        selection = try AiringSelection(&parameters)
    }

    /// Writes an object for each row: `row`, `station`, `stationName`, `now`, which is empty in a gap, and `next`, which is
    /// missing at the end of the schedule.
    ///
    /// - Parameter includesCurrent: Whether to write `now`.
    func document(from guide: GuideView, includesCurrent: Bool) throws -> Document {
        let listed = try stations.listed(in: guide.guide)
        let reader = AiringReader(selection, of: guide, at: (now, zone))
        let entries = try rows(of: listed).ranges.flatMap { try guide.guide.nowAndNext(at: now, inRows: $0) }
        return try .object { json in
            json.member("at", now)
            json.member("total", listed.count)
            try json.member("stations", objects: entries) { entry, json in
                json.member("row", entry.row)
                json.member("station", entry.station)
                json.member("stationName", try reader.name(ofStation: entry.station) ?? entry.stationName)
                if includesCurrent { json.member("now", try reader.airings(entry.now)) }
                json.member("next", try entry.next.flatMap { try reader.airing($0) })
            }
        }
    }

    /// - Throws: ``Problem`` if there are too many rows.
    private func rows(of listed: RowRanges) throws(Problem) -> RowRanges {
        guard stations.hasRows else { return listed.rows(at: page.places(inListOf: listed.count)) }
        let rows = stations.named(in: listed)
        guard rows.count <= MomentQuery.maximumCount else {
            throw .badParameter(
                "rows", "the list has \(rows.count) rows of the guide; the maximum is \(MomentQuery.maximumCount).")
        }
        return rows
    }
}

// MARK: - Groups and lineups

/// `/api/v1/groups`: the groups of the channels of all lineups, and the runs of rows with the same group.
struct GroupsEndpoint: Endpoint {
    static let path = "/api/v1/groups"

    /// The lineup whose groups the rows have; `nil` for all lineups.
    private let lineup: String?

    init(_ parameters: inout ParameterReader) throws(Problem) {
        lineup = try parameters.text("lineup")
    }

    func document(from guide: GuideView) throws -> Document {
        if let lineup { try guide.guide.requireLineup(lineup) }
        let groups = try guide.guide.stationGroups()
        let runs = GuideGroup.groups(
            ofRows: Array(0..<(try guide.guide.stationCount())), titled: try guide.guide.groups(inLineup: lineup))
        return .object { json in
            json.member("groups", objects: groups) { group, json in
                json.member("name", group.name)
                json.member("stations", group.count)
            }
            json.member("runs", objects: runs) { run, json in
                json.member("row", run.firstRow)
                json.member("name", run.title)
            }
        }
    }
}

/// `/api/v1/duplicates`: the stations that differ only in quality and list the same today, which a grid can fold into one row.
struct DuplicatesEndpoint: Endpoint {
    static let path = "/api/v1/duplicates"

    private let now: Instant
    private let zone: Zone

    init(_ parameters: inout ParameterReader) throws(Problem) {
        (zone, now) = try parameters.today()
    }

    var isSlow: Bool { true }

    func document(from guide: GuideView) throws -> Document {
        let day = zone.window(of: zone.date(at: now))
        let groups = try guide.duplicates().groups(in: guide.guide.unlimited, during: day)
        return .object { json in
            json.member("stations", objects: groups) { rows, json in
                json.member("row", rows[0])
                json.member("folded", Array(rows.dropFirst()))
            }
        }
    }
}

/// `/api/v1/lineups`: the lineups, with the number of channels that show a station.
struct LineupsEndpoint: Endpoint {
    static let path = "/api/v1/lineups"

    init(_ parameters: inout ParameterReader) throws(Problem) {}

    func document(from guide: GuideView) throws -> Document {
        let lineups = try guide.guide.lineups().compactMap { try guide.guide.lineup(named: $0) }
        return .object { json in
            json.member("lineups", objects: lineups) { found, json in
                json.member("name", found.lineup.name)
                json.member("channels", found.lineup.channels.count)
                json.member("matched", found.matches.count { $0 != nil })
                // In the order in which the channels first name them.
                var seen: Set<String> = []
                json.member("groups", found.lineup.channels.flatMap(\.groups).filter { seen.insert($0).inserted })
            }
        }
    }
}

/// The selection of stations by the parameters `lineup`, `group` and, unless responses are always paged, `rows`.
struct StationSelection: Sendable {
    /// `nil` for all rows.
    private let rows: RowRanges?
    /// `nil` for all stations.
    private let filter: StationFilter?

    init(_ parameters: inout ParameterReader, hasRows: Bool = true) throws(Problem) {
        rows = hasRows ? try parameters.rows() : nil
        let (lineup, group) = (try parameters.text("lineup"), try parameters.text("group"))
        filter = lineup == nil && group == nil ? nil : StationFilter(group: group, lineup: lineup)
    }

    /// The lineup whose stations the request selects; `nil` for all.
    var lineup: String? { filter?.lineup }

    /// Whether the request names rows.
    var hasRows: Bool { rows != nil }

    /// The rows of a guide whose stations need not be read; `nil` for a lineup or a group.
    ///
    /// - Parameter count: The number of stations.
    func rows(ofStationCount count: Int) -> RowRanges? {
        filter == nil ? rows?.clamped(toCount: count) ?? RowRanges(upTo: count) : nil
    }

    /// The rows that belong to the lineup and the group, whether or not the request names them.
    ///
    /// - Throws: ``Problem`` with status 404 for a missing lineup; an error of the store.
    func listed(in guide: any GuideReading) throws -> RowRanges {
        let count = try guide.stationCount()
        guard let filter else { return RowRanges(upTo: count) }
        if let lineup = filter.lineup { try guide.requireLineup(lineup) }
        return RowRanges(ascending: try guide.stations(filter, offset: 0, limit: count).stations.map(\.row))
    }

    /// Returns the listed rows that are in the request.
    func named(in listed: RowRanges) -> RowRanges { rows.map(listed.intersection) ?? listed }
}
