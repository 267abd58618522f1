package import EPGModel

extension GuideReading {
    /// Returns the airings with a title as a watch rule for the title finds them: current and upcoming airings by start, then past airings
    /// of the last week, the latest first.
    ///
    /// If a title has more than ``Watchlist/maximumCount`` airings in the last week, past airings are from the last day or hour only.
    /// - Parameters:
    ///   - limit: The maximum number of current and upcoming airings.
    ///   - index: What former evaluations of watch rules have read of the guide.
    /// - Complexity: Two to four evaluations of a rule; see ``Watchlist/airings(of:until:limit:)``.
    package func airings(
        titled title: String, at now: Instant, limit: Int, index: WatchIndex
    ) throws -> [SearchMatch] {
        guard let end = try guideSpan()?.end,
            let rule = try? WatchRule(name: "series", WatchConditions(title: title))
        else { return [] }
        func airings(from start: Instant, to end: Instant, limit: Int) throws -> WatchedAirings {
            try Watchlist(self, now: start, index: index) { _ in 0 }.airings(of: [rule], until: end, limit: limit)
        }
        var past = try airings(
            from: now.advanced(by: -Watchlist.lookBack), to: now, limit: Watchlist.maximumCount)
        // An evaluation returns the first airings, and the page shows the last ones.
        for seconds: Int64 in [86_400, 3600] where !past.isComplete {
            past = try airings(from: now.advanced(by: -seconds), to: now, limit: Watchlist.maximumCount)
        }
        let over = past.airings.filter { $0.airing.window.end <= now }
        let coming = try airings(from: now, to: end, limit: limit).airings
        return (coming + over.reversed()).map { watched in
            SearchMatch(
                airing: watched.airing, stationName: watched.detail.stationName, row: watched.station?.row ?? 0)
        }
    }

    /// Returns upcoming airings of other programmes with the people of an airing in their texts, or with words of its title, at most one
    /// of each title. Airings of the same genre or category come first.
    ///
    /// It is empty without a search index, and for an airing that a parental limit hides.
    /// - Complexity: At most four searches that look at 40 airings each; at 640 for a text for which these have the same title or are past.
    ///   Measured for 161,000 programmes with a debug build: 6 ms in the median, at most 25 ms; for a series with 2,000 airings 0.3 s.
    package func similar(to detail: AiringDetail, at now: Instant, limit: Int = 6) throws -> [SearchMatch] {
        guard try !isLocked(detail.airing.id) else { return [] }
        let airing = detail.airing
        var titles: Set = [airing.title.foldedForComparison]
        var found: [(match: SearchMatch, score: Int)] = []
        do {
            for (text, score) in Self.texts(identifying: detail) {
                for match in try others(having: text, than: detail, at: now) {
                    let other = match.airing
                    guard titles.insert(other.title.foldedForComparison).inserted else { continue }
                    let isSameGenre = airing.drawnGenre != nil && other.drawnGenre == airing.drawnGenre
                    let isSameCategory = !Set(other.categories).isDisjoint(with: airing.categories)
                    found.append((match, score + (isSameGenre ? 2 : 0) + (isSameCategory ? 1 : 0)))
                }
            }
        } catch is SearchIndexMissing {
            return []
        }
        return found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .prefix(limit).map(\.element.match)
    }

    /// Returns the texts that similar programmes may have, with their weights: the first two people, and the two longest words of the title.
    private static func texts(identifying detail: AiringDetail) -> [(text: String, score: Int)] {
        let people = detail.programme.creditsByRole.flatMap { $0.people.map(\.name) }.prefix(2)
        let words = detail.airing.title.split { !$0.isLetter && !$0.isNumber }.filter { $0.count > 4 }
        let longest = words.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .prefix(2).map { String($0.element) }
        return people.map { ($0, 3) } + longest.map { ($0, 1) }
    }

    /// Returns some current and upcoming airings with a phrase and another title.
    private func others(having phrase: String, than detail: AiringDetail, at now: Instant) throws -> [SearchMatch] {
        let title = detail.airing.title.foldedForComparison
        var query = SearchQuery(
            words: "\"" + phrase.replacing("\"", with: " ") + "\"", now: now, order: .any, limit: 40)
        do {
            while true {
                let matches = try search(query).matches
                let others = matches.filter {
                    $0.airing.window.end > now && $0.airing.title.foldedForComparison != title
                }
                // The series itself may have more airings than the search looks at.
                guard others.isEmpty, matches.count == query.limit, query.limit < 640 else { return others }
                query.limit = 640
            }
        } catch is SearchExpressionError {
            // A text without letters and digits.
            return []
        }
    }
}
