import EPGJSON

internal import EPGImport
internal import EPGModel

/// Brings a stock up to date: asks for days that changed, then for contents that these name and that changed.
struct SchedulesDirectUpdate {
    let questions: SchedulesDirectQuestions
    var stock: SchedulesDirectStock

    // MARK: - Days

    /// Asks for days; those that the service is still making are asked for again a little later, and stay as they stood
    /// where they still aren't there.
    mutating func askDays(_ days: [StationDay: String]) throws(SchedulesDirectTrouble) {
        let order = Dictionary(uniqueKeysWithValues: stock.stations.enumerated().map { ($1, $0) })
        let asked = days.keys.sorted {
            (order[$0.station] ?? 0, $0.day) < (order[$1.station] ?? 0, $1.day)
        }
        let questions = questions
        _ = try questions.ask(asked, inBatchesOf: questions.limits.stations) { (batch) throws(SchedulesDirectTrouble) in
            var answers = DayAnswers(batch)
            try questions.schedules(batch) { answers.take($0, $1) }
            for (day, place) in answers.schedules {
                stock.days[day] = SchedulesDirectRecord(mark: days[day] ?? "", place: place)
            }
            // The reason goes with the guide, so that the import reports it; what stood is better than that.
            for (day, place) in answers.refusals where stock.days[day] == nil {
                stock.days[day] = SchedulesDirectRecord(mark: days[day] ?? "", place: place)
            }
            return batch.filter { answers.queued.contains($0) }
        }
    }

    // MARK: - Contents

    /// Asks for the contents that the days name and that are missing or changed, and lets go of those that none names.
    ///
    /// - Parameter fresh: The days that came now. What they say of a content is newer than what the others say.
    mutating func askContents(namedBy fresh: Set<StationDay>) throws(SchedulesDirectTrouble) {
        let named = try namedContents(fresh)
        stock.contents = stock.contents.filter { named[$0.key] != nil }
        let contents = stock.contents
        let asked = named.filter { id, names in
            guard let known = contents[id] else { return true }
            return known.mark.isEmpty || !names.includes(known.mark)
        }.keys.sorted()
        // Until it is answered, what stands is out of date.
        stock.isPending = !asked.isEmpty
        let questions = questions
        let missing = try questions.ask(asked, inBatchesOf: questions.limits.contents) {
            (batch) throws(SchedulesDirectTrouble) in
            var answers = ContentAnswers(batch)
            try questions.contents(batch) { answers.take($0, $1) }
            for (id, place) in answers.contents {
                stock.contents[id] = SchedulesDirectRecord(mark: named[id]?.newest ?? "", place: place)
            }
            for (id, place) in answers.refusals {
                // It isn't asked for again before it changes.
                let standing = stock.contents[id]?.place
                stock.contents[id] = SchedulesDirectRecord(mark: named[id]?.newest ?? "", place: standing ?? place)
            }
            return answers.missing
        }
        for id in missing { stock.contents[id]?.mark = "" }
        stock.isPending = !missing.isEmpty
    }

    /// Under which marks a content is named.
    private struct Names {
        /// By a day that came now, which knows it best.
        var fresh: String?
        /// By days that stood; they may be of different age.
        var standing: [String] = []

        var newest: String { fresh ?? standing.first ?? "" }

        func includes(_ mark: String) -> Bool { fresh.map { $0 == mark } ?? standing.contains(mark) }
    }

    private func namedContents(_ fresh: Set<StationDay>) throws(SchedulesDirectTrouble) -> [String: Names] {
        var named: [String: Names] = [:]
        for day in stock.orderedDays {
            guard let record = stock.days[day] else { continue }
            let isFresh = fresh.contains(day)
            for airing in try airings(record.place) {
                guard let id = airing["programID"]?.text, !id.isEmpty else { continue }
                // Without a mark it is asked for once.
                let mark = airing["md5"]?.text ?? airing["hash"]?.text ?? "-"
                var names = named[id] ?? Names()
                if isFresh {
                    names.fresh = mark
                } else if !names.standing.contains(mark) {
                    names.standing.append(mark)
                }
                named[id] = names
            }
        }
        return named
    }

    /// The airings of a day, read from where it lies.
    private func airings(_ place: SchedulesDirectPlace) throws(SchedulesDirectTrouble) -> [JSONNode] {
        do throws(SystemFailure) {
            let node = try place.node()
            return node?["programs"]?.elements ?? []
        } catch {
            throw SchedulesDirectTrouble(error)
        }
    }
}
