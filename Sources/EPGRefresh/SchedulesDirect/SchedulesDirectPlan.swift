/// Which days stay as they are, and which are asked for.
struct SchedulesDirectPlan {
    /// Days that stand and stay, out of date or not.
    var kept: Set<StationDay> = []
    /// Days that are new or changed, with their marks.
    var asked: [StationDay: String] = [:]

    /// Compares what the service says with what stands.
    ///
    /// Of a station of which the service tells days, those stand that it tells. Where it says nothing of a station, or
    /// has a problem with a day, what stands stays until the day is over: nothing is lost by a gap in an answer.
    /// - Parameters:
    ///   - told: The mark of each day of each station; `nil` for a day with a problem.
    ///   - standing: The marks of the days that stand.
    ///   - stations: The stations of all lineups.
    ///   - firstDay: Days before it are over, in UTC, such as `2026-03-28`.
    init(
        told: [String: [String: String?]], standing: [StationDay: String], stations: [String], firstDay: String
    ) {
        let wanted = Set(stations)
        for (station, days) in told where wanted.contains(station) {
            for case (let day, let mark?) in days {
                let key = StationDay(station: station, day: day)
                if standing[key] != nil { kept.insert(key) }
                if standing[key] != mark { asked[key] = mark }
            }
        }
        for (key, _) in standing where wanted.contains(key.station) && !kept.contains(key) {
            let days = told[key.station]
            let hasProblem = days.map { $0[key.day] == .some(.none) } ?? true
            if hasProblem, key.day >= firstDay { kept.insert(key) }
        }
    }

    /// Whether nothing changes.
    ///
    /// - Parameter standing: How many days stand.
    func isEmpty(standing: Int) -> Bool { asked.isEmpty && kept.count == standing }
}
