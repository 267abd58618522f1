import EPGModel

extension GuideReading {
    /// Airings with their texts in the first of some languages that the feed has them in.
    ///
    /// - Complexity: One seek for each airing.
    func airings(_ airings: [Airing], in languages: [String]) throws -> [Airing] {
        guard !languages.isEmpty else { return airings }
        return try airings.map { airing in
            guard let programme = try self.airing(airing.id)?.programme else { return airing }
            return airing.told(by: programme, in: languages)
        }
    }

    /// Schedules with the texts of their airings in the first of some languages that the feed has them in.
    func schedules(_ schedules: [RowSchedule], in languages: [String]) throws -> [RowSchedule] {
        try schedules.map { schedule in
            var schedule = schedule
            schedule.schedule = Schedule(
                station: schedule.schedule.station, airings: try airings(schedule.schedule.airings, in: languages))
            return schedule
        }
    }
}

extension Airing {
    /// The airing with the texts of its programme in the first of some languages that it has them in.
    func told(by programme: Programme, in languages: [String]) -> Airing {
        var airing = self
        airing.title = programme.titles.text(preferring: languages) ?? title
        if subtitle != nil { airing.subtitle = programme.subtitles.text(preferring: languages) ?? subtitle }
        if description != nil { airing.description = programme.descriptions.text(preferring: languages) ?? description }
        if !categories.isEmpty {
            let told = programme.categories.texts(preferring: languages)
            // A grid's airing has the first category alone.
            if !told.isEmpty { airing.categories = categories.count == 1 ? Array(told.prefix(1)) : told }
        }
        return airing
    }
}
