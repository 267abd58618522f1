internal import EPGFiles
internal import EPGImport
import EPGJSON
internal import EPGModel
internal import XMLTV

/// One download from an account: fetches what changed, and caches and returns the resulting guide.
struct SchedulesDirectDownload {
    let client: SchedulesDirectClient
    let cache: SchedulesDirectCache
    /// The lineups to fetch; empty for all of the account.
    let wantedLineups: [String]

    /// Runs the download.
    ///
    /// - Parameter tag: The entity tag of the guide that the caller already has.
    func run(known tag: String?) throws(FetchError) -> FetchResult {
        let marks = try client.lineupMarks()
        let lineups = try chosenLineups()
        var index = try FetchError.converting(cacheFile: cache.path) { () throws(SystemFault) in try cache.index() }
        var draft = try Draft(self, lineups, marks, index)
        if let index, draft.isUnchanged(index), tag == entityTag(index) { return .notModified }
        var records = SchedulesDirectRecords()
        if let known = index {
            if let cached = try FetchError.converting(
                cacheFile: cache.path, { () throws(SystemFault) in try cache.records(known) })
            {
                records = cached
            } else {
                // A damaged cache is fetched again.
                index = nil
                draft = try Draft(self, lineups, marks, nil)
            }
        }
        if let index, draft.isUnchanged(index) { return try body(index, tag) }
        return try update(records, draft, tag)
    }

    private func update(
        _ records: SchedulesDirectRecords, _ draft: Draft, _ tag: String?
    ) throws(FetchError) -> FetchResult {
        var update = SchedulesDirectUpdate(client: client, records: records)
        update.records.lineups = lineups(draft, cached: records)
        update.records.days = records.days.filter { draft.plan.kept.contains($0.key) }
        do throws(FetchError) {
            try update.fetchDays(draft.plan.requested)
            let fresh = draft.plan.requested.keys.filter { update.records.days[$0]?.mark == draft.plan.requested[$0] }
            try update.fetchPrograms(namedBy: Set(fresh))
        } catch {
            // Save what was fetched before the failure.
            update.records.isPending = true
            let records = update.records
            _ = try FetchError.converting(cacheFile: cache.path) { () throws(SystemFault) in try cache.save(records) }
            throw error
        }
        let complete = update.records
        let (index, _) = try FetchError.converting(cacheFile: cache.path) { () throws(SystemFault) in
            try cache.save(complete)
        }
        return try body(index, tag)
    }

    /// Returns the lineups to fetch.
    ///
    /// - Throws: An error if the account lacks a configured lineup.
    private func chosenLineups() throws(FetchError) -> [String] {
        let lineups = try client.lineups()
        guard !lineups.isEmpty else { throw FetchError(SchedulesDirectCode.refusal(4102, message: "")) }
        for id in wantedLineups where !lineups.contains(id) {
            throw FetchError(
                ServiceRefusal(
                    problem: "the account has no lineup \(id.prefix(100)); it has \(lineups.joined(separator: ", "))",
                    advice:
                        "Correct it in the settings of the source, or add it to the account at schedulesdirect.org.",
                    kind: .configuration))
        }
        return wantedLineups.isEmpty ? lineups : SchedulesDirectRecords.unique([wantedLineups])
    }

    private func lineups(
        _ draft: Draft, cached: SchedulesDirectRecords
    ) -> [SchedulesDirectLineup] {
        draft.lineups.compactMap { lineup in
            draft.fetched[lineup.id] ?? cached.lineups.first { $0.id == lineup.id }
        }
    }

    /// Returns the cached guide, unless it is the known one.
    private func body(_ index: SchedulesDirectIndex, _ tag: String?) throws(FetchError) -> FetchResult {
        if tag == entityTag(index) { return .notModified }
        let file = try FetchError.converting(cacheFile: cache.path) { () throws(SystemFault) in
            try SchedulesDirectBody(path: cache.path)
        }
        return .body(
            FetchedBody(
                path: cache.path, byteCount: file.byteCount, hash: index.checksum, entityTag: entityTag(index)))
    }

    /// Returns the strong entity tag of a cached guide (RFC 9110, 8.8.3).
    private func entityTag(_ index: SchedulesDirectIndex) -> String { "\"\(index.checksum)\"" }
}

extension SchedulesDirectDownload {
    /// The state of the service compared with the cache.
    private struct Draft {
        /// Lineups in the order of the account or of the configuration.
        var lineups: [SchedulesDirectIndex.Lineup] = []
        /// Modified and new lineups.
        var fetched: [String: SchedulesDirectLineup] = [:]
        var plan: SchedulesDirectPlan

        /// Fetches modified lineups, and the marks of all days.
        init(
            _ download: SchedulesDirectDownload, _ ids: [String], _ marks: [String: String],
            _ index: SchedulesDirectIndex?
        ) throws(FetchError) {
            for id in ids {
                let mark = marks[id] ?? ""
                if !mark.isEmpty, let known = index?.lineups.first(where: { $0.id == id }), known.mark == mark {
                    lineups.append(known)
                } else {
                    let lineup = try download.client.lineup(id, mark: mark)
                    fetched[id] = lineup
                    lineups.append(SchedulesDirectIndex.Lineup(id: id, mark: mark, stations: lineup.stations))
                }
            }
            let stations = SchedulesDirectRecords.unique(lineups.map(\.stations))
            guard !stations.isEmpty else {
                throw FetchError(
                    ServiceRefusal(
                        problem: "the lineups of the account contain no station",
                        advice: "Check them at schedulesdirect.org.", kind: .badContent))
            }
            // Yesterday (UTC) isn't over in all time zones.
            let yesterday = CivilDate(daysSince1970: download.client.web.clock.now().secondsSince1970 / 86_400 - 1)
            plan = SchedulesDirectPlan(
                listed: try download.client.dayMarks(of: stations), cached: index?.days ?? [:], stations: stations,
                firstDay: yesterday.description)
        }

        /// Returns whether the cached guide is complete and up to date.
        func isUnchanged(_ index: SchedulesDirectIndex) -> Bool {
            fetched.isEmpty && !index.isPending && plan.isEmpty(cached: index.days.count)
                && lineups.map(\.id) == index.lineups.map(\.id)
        }
    }
}

/// The days to keep and the days to fetch.
private struct SchedulesDirectPlan {
    /// Cached days to keep, including those to fetch again.
    var kept: Set<StationDay> = []
    /// New and changed days with their marks.
    var requested: [StationDay: String] = [:]

    /// Compares the days of the service with those in the cache.
    ///
    /// If the service lists days of a station, the others are dropped. If it does not mention a station, or cannot
    /// deliver a day, the cached day is kept until it is over, so that a gap in a response loses nothing.
    /// - Parameters:
    ///   - listed: The mark of each day of each station; `nil` for a day that the service cannot deliver.
    ///   - cached: The marks of the cached days.
    ///   - stations: The stations of all lineups.
    ///   - firstDay: The first day to keep, in UTC, such as `2026-03-28`.
    init(
        listed: [String: [String: String?]], cached: [StationDay: String], stations: [String], firstDay: String
    ) {
        let wanted = Set(stations)
        for (station, days) in listed where wanted.contains(station) {
            for case (let day, let mark?) in days {
                let key = StationDay(station: station, day: day)
                if cached[key] != nil { kept.insert(key) }
                if cached[key] != mark { requested[key] = mark }
            }
        }
        for (key, _) in cached where wanted.contains(key.station) && !kept.contains(key) {
            let days = listed[key.station]
            let hasProblem = days.map { $0[key.day] == .some(.none) } ?? true
            if hasProblem, key.day >= firstDay { kept.insert(key) }
        }
    }

    /// Returns whether nothing changes.
    ///
    /// - Parameter cached: The number of cached days.
    func isEmpty(cached: Int) -> Bool { requested.isEmpty && kept.count == cached }
}

/// Updates the records: fetches changed days, then changed programs that these refer to.
private struct SchedulesDirectUpdate {
    let client: SchedulesDirectClient
    var records: SchedulesDirectRecords

    // MARK: - Days

    /// Fetches days. Days that the service does not generate in time keep their cached version.
    mutating func fetchDays(_ days: [StationDay: String]) throws(FetchError) {
        let order = Dictionary(uniqueKeysWithValues: records.stations.enumerated().map { ($1, $0) })
        let requested = days.keys.sorted {
            (order[$0.station] ?? 0, $0.day) < (order[$1.station] ?? 0, $1.day)
        }
        let client = client
        _ = try client.fetch(requested, inBatchesOf: client.limits.stations) { (batch) throws(FetchError) in
            var response = ScheduleResponse(batch)
            try client.schedules(batch) { response.take($0, $1) }
            for (day, slice) in response.schedules {
                records.days[day] = SchedulesDirectRecord(mark: days[day] ?? "", slice: slice)
            }
            // Save the error as a record, so that the import reports it. A cached schedule takes precedence.
            for (day, slice) in response.refusals where records.days[day] == nil {
                records.days[day] = SchedulesDirectRecord(mark: days[day] ?? "", slice: slice)
            }
            return batch.filter { response.queued.contains($0) }
        }
    }

    // MARK: - Programs

    /// Fetches missing and changed programs that the days refer to, and removes programs that no day refers to.
    ///
    /// - Parameter fresh: The days that were just fetched. Their marks of programs are newer than the marks of other days.
    mutating func fetchPrograms(namedBy fresh: Set<StationDay>) throws(FetchError) {
        let named = try programMarks(fresh)
        records.programs = records.programs.filter { named[$0.key] != nil }
        let programs = records.programs
        let requested = named.filter { id, names in
            guard let known = programs[id] else { return true }
            return known.mark.isEmpty || !names.includes(known.mark)
        }.keys.sorted()
        // The cached versions are outdated until the response arrives.
        records.isPending = !requested.isEmpty
        let client = client
        let missing = try client.fetch(requested, inBatchesOf: client.limits.programs) {
            (batch) throws(FetchError) in
            var response = ProgramResponse(batch)
            try client.programs(batch) { response.take($0, $1) }
            for (id, slice) in response.programs {
                records.programs[id] = SchedulesDirectRecord(mark: named[id]?.newest ?? "", slice: slice)
            }
            for (id, slice) in response.refusals {
                // Do not request it again until it changes.
                let cached = records.programs[id]?.slice
                records.programs[id] = SchedulesDirectRecord(mark: named[id]?.newest ?? "", slice: cached ?? slice)
            }
            return response.missing
        }
        for id in missing { records.programs[id]?.mark = "" }
        records.isPending = !missing.isEmpty
    }

    /// The marks of a program in the days that refer to it.
    private struct Marks {
        /// The mark in a day that was just fetched, which is the newest.
        var fresh: String?
        /// The marks in cached days, which may differ in age.
        var cached: [String] = []

        var newest: String { fresh ?? cached.first ?? "" }

        func includes(_ mark: String) -> Bool { fresh.map { $0 == mark } ?? cached.contains(mark) }
    }

    private func programMarks(_ fresh: Set<StationDay>) throws(FetchError) -> [String: Marks] {
        var named: [String: Marks] = [:]
        for day in records.orderedDays {
            guard let record = records.days[day] else { continue }
            let isFresh = fresh.contains(day)
            for airing in try airings(record.slice) {
                guard let id = airing["programID"]?.text, !id.isEmpty else { continue }
                // A program without a mark is fetched once.
                let mark = airing["md5"]?.text ?? airing["hash"]?.text ?? "-"
                var names = named[id] ?? Marks()
                if isFresh {
                    names.fresh = mark
                } else if !names.cached.contains(mark) {
                    names.cached.append(mark)
                }
                named[id] = names
            }
        }
        return named
    }

    /// Reads the airings of a day from its file.
    private func airings(_ slice: SchedulesDirectSlice) throws(FetchError) -> [JSONNode] {
        let node = try FetchError.converting { () throws(SystemFault) in try slice.node() }
        return node?["programs"]?.elements ?? []
    }
}

/// Classifies the records of a response to a request for schedules.
struct ScheduleResponse {
    private(set) var schedules: [StationDay: SchedulesDirectSlice] = [:]
    /// Error records of days that the service cannot deliver.
    private(set) var refusals: [StationDay: SchedulesDirectSlice] = [:]
    /// Days that the service is still generating.
    private(set) var queued: Set<StationDay> = []
    private var requested: [String: [String]] = [:]

    init(_ days: [StationDay]) {
        for day in days { requested[day.station, default: []].append(day.day) }
    }

    /// Adds a record. Ignores one that was not requested.
    mutating func take(_ node: JSONNode, _ slice: SchedulesDirectSlice) {
        guard let station = node["stationID"]?.text, let days = requested[station] else { return }
        let code = node["code"]?.integer ?? 0
        let isSchedule = code == 0 && node["programs"]?.kind == .array
        let named = node["metadata"]?["startDate"]?.text ?? node["requestedDate"]?.text
        let first = node["programs"]?.elements.first?["airDateTime"]?.text?.prefix(10)
        if let day = named ?? (isSchedule ? first.map(String.init) : nil), days.contains(day) {
            take(StationDay(station: station, day: day), isSchedule, code, slice)
        } else if isSchedule {
            // A schedule without a date belongs to the only requested day.
            if named == nil, days.count == 1 { take(StationDay(station: station, day: days[0]), true, 0, slice) }
        } else if named == nil {
            // An error of a station applies to all of its days that have no record.
            for day in days {
                let key = StationDay(station: station, day: day)
                if schedules[key] == nil { take(key, false, code, slice) }
            }
        }
    }

    private mutating func take(_ day: StationDay, _ isSchedule: Bool, _ code: Int64, _ slice: SchedulesDirectSlice) {
        if isSchedule {
            schedules[day] = slice
            refusals[day] = nil
            queued.remove(day)
        } else if SchedulesDirectCode.isQueued(code) {
            queued.insert(day)
        } else if code != 0 {
            refusals[day] = slice
        }
    }
}

/// Classifies the records of a response to a request for programs.
struct ProgramResponse {
    private(set) var programs: [String: SchedulesDirectSlice] = [:]
    /// Error records of programs that the service cannot deliver.
    private(set) var refusals: [String: SchedulesDirectSlice] = [:]
    private let requested: [String]
    private let isRequested: Set<String>

    init(_ ids: [String]) {
        requested = ids
        isRequested = Set(ids)
    }

    /// Programs without a record, because the service is still generating them.
    var missing: [String] { requested.filter { programs[$0] == nil && refusals[$0] == nil } }

    /// Adds a record. Ignores one that was not requested.
    mutating func take(_ node: JSONNode, _ slice: SchedulesDirectSlice) {
        let code = node["code"]?.integer ?? 0
        if let id = node["programID"]?.text, isRequested.contains(id) {
            if code == 0, node["titles"] != nil {
                programs[id] = slice
            } else if !SchedulesDirectCode.isQueued(code) {
                refusals[id] = slice
            }
        } else if code != 0, !SchedulesDirectCode.isQueued(code), let message = node["message"]?.string {
            // "Invalid programID:EP…" contains the identifier only in its message.
            let words = message.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
            for word in words where isRequested.contains(String(word)) { refusals[String(word)] = slice }
        }
    }
}

extension SchedulesDirectSlice {
    /// Parses the record; `nil` if it is invalid.
    ///
    /// - Throws: ``SystemFault`` if its file cannot be read.
    func node() throws(SystemFault) -> JSONNode? {
        var scanner = JSONScanner(ChunkSource([UInt8(ascii: "{")] + (try body.bytes(range))))
        scanner.allowsControlCharacters = true
        do throws(JSONError) {
            return try scanner.readValue()
        } catch {
            return nil
        }
    }
}
