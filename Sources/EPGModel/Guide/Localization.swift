extension GuideReading {
    /// Returns airings with texts in the first of the languages that the feed provides.
    ///
    /// - Complexity: One seek for each airing; O(1) without languages.
    package func airings(_ airings: [Airing], in languages: [String]) throws -> [Airing] {
        guard !languages.isEmpty else { return airings }
        return try airings.map { airing in
            guard let programme = try self.airing(airing.id)?.programme else { return airing }
            return airing.localized(by: programme, in: languages)
        }
    }

    /// Returns matches with airings and station names in the first of the languages that the feed provides.
    package func matches(_ matches: [SearchMatch], in languages: [String]) throws -> [SearchMatch] {
        guard !languages.isEmpty else { return matches }
        return try matches.map { match in
            guard let programme = try airing(match.airing.id)?.programme else { return match }
            var localized = match.localized(match.airing.localized(by: programme, in: languages))
            let station = try station(match.airing.station)?.station.localized(in: languages)
            localized.stationName = station?.name ?? match.stationName
            return localized
        }
    }

    /// Returns schedules with airings in the first of the languages that the feed provides.
    package func schedules(_ schedules: [RowSchedule], in languages: [String]) throws -> [RowSchedule] {
        guard !languages.isEmpty else { return schedules }
        return try schedules.map { schedule in
            var schedule = schedule
            schedule.schedule = Schedule(
                station: schedule.schedule.station, airings: try airings(schedule.schedule.airings, in: languages))
            return schedule
        }
    }
}

extension Airing {
    /// Returns the airing with the texts of its programme in the first of the languages that the programme provides.
    package func localized(by programme: Programme, in languages: [String]) -> Airing {
        guard !languages.isEmpty else { return self }
        var airing = self
        airing.title = programme.titles.text(preferring: languages) ?? title
        if subtitle != nil { airing.subtitle = programme.subtitles.text(preferring: languages) ?? subtitle }
        if description != nil { airing.description = programme.descriptions.text(preferring: languages) ?? description }
        if !categories.isEmpty {
            let localized = programme.categories.texts(preferring: languages)
            // Airings in a grid have only the first category.
            if !localized.isEmpty { airing.categories = categories.count == 1 ? Array(localized.prefix(1)) : localized }
        }
        return airing
    }
}

extension SearchMatch {
    /// Returns the match with a localized airing, without the highlights of texts that differ.
    package func localized(_ airing: Airing) -> SearchMatch {
        var match = self
        match.airing = airing
        if airing.title != self.airing.title { match.highlights?[.title] = nil }
        if airing.subtitle != self.airing.subtitle { match.highlights?[.subtitle] = nil }
        if airing.description != self.airing.description { match.highlights?[.description] = nil }
        return match
    }
}

extension Station {
    /// Returns the station with the display name in the first available of the languages moved to the front, where it
    /// becomes the name.
    package func localized(in languages: [String]) -> Station {
        guard let name = displayNames.text(preferring: languages),
            let index = displayNames.firstIndex(where: { $0.text == name }), index > 0
        else { return self }
        var station = self
        station.displayNames.insert(station.displayNames.remove(at: index), at: 0)
        return station
    }
}

extension StationRow {
    /// Returns the row with a localized station; see ``Station/localized(in:)``.
    package func localized(in languages: [String]) -> StationRow {
        var row = self
        row.station = station.localized(in: languages)
        return row
    }
}

/// A language of the pages, by its code (BCP 47).
package enum PageLanguage: String, Hashable, Sendable, CaseIterable {
    case ar, de, en, es, fr, he, it, ja, nl, pl, pt, zh
}
