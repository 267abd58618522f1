/// A day of a station, by which schedules come.
struct StationDay: Hashable {
    var station: String
    /// In UTC, such as `2026-03-29`.
    var day: String
}

/// A record of the service as it was answered, and the mark (an MD5, or an instant) under which it was asked for.
struct SchedulesDirectRecord {
    /// Empty where it is known to be out of date.
    var mark: String
    var place: SchedulesDirectPlace
}

/// A lineup, and the stations in it.
struct SchedulesDirectLineup {
    var id: String
    /// When it was modified last, in the service's words.
    var mark: String
    /// In its order.
    var stations: [String]
    var place: SchedulesDirectPlace
}

/// Everything of the service that stands: texts stay in files.
///
/// - Complexity: Some hundred bytes of memory for each record.
struct SchedulesDirectStock {
    var lineups: [SchedulesDirectLineup] = []
    var days: [StationDay: SchedulesDirectRecord] = [:]
    /// What is aired, by `programID`.
    var contents: [String: SchedulesDirectRecord] = [:]
    /// Whether contents are missing or out of date.
    var isPending = false

    /// The stations of all lineups, each once, in their order.
    var stations: [String] { SchedulesDirectStock.unique(lineups.map(\.stations)) }

    /// The days in the order in which they are written: by station, then by date.
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
