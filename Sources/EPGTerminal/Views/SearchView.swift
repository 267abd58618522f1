import CollectionLayout
import EPGCalendar
import EPGModel
import EPGRender

/// Search as you type: the matches in a list, those of one title together, and those that have ended at its end.
final class SearchView {
    let list: ListView
    private(set) var matches: [SearchMatch] = []
    /// The number of matches that had not ended when they were found.
    private var upcoming = 0
    private let zone: Zone

    /// A search without words.
    init(zone: Zone, size: Screen.Size) {
        self.zone = zone
        list = ListView(size: size)
        show(header: "Type what to look for.")
    }

    /// The place in ``matches`` of the focused row; `nil` if there is none.
    var focusedMatch: Int? { list.focus.flatMap { focus in matches.firstIndex { $0.airing.id == focus } } }

    /// Searches for the words of a text, the last of which may be incomplete.
    ///
    /// - Throws: An error of the store. A text that is no search, and a missing index, are shown instead of matches.
    func search(_ text: String, in storage: any GuideStorage, now: Instant) throws {
        matches = []
        guard text.contains(where: { !$0.isWhitespace }) else { return show(header: "Type what to look for.") }
        do {
            let query = SearchQuery(words: SearchView.words(text), now: now, order: .start, limit: 200)
            let found = try storage.read(within: .seconds(5)) { try $0.search(query) }
            matches = found.matches
            upcoming = matches.prefix { $0.airing.window.end > now }.count
            let count = Wording.count(found.total, "match", plural: "matches")
            show(header: found.isTotalExact ? count : "At least " + count)
        } catch let error as SearchExpressionError {
            show(header: "\(error)")
        } catch is SearchIndexMissing {
            show(header: "The search index is missing. The next import builds it.")
        }
    }

    /// A single letter begins too many words.
    private static func words(_ text: String) -> String {
        guard let last = text.split(separator: " ").last, last.count > 1,
            last.allSatisfy({ $0.isLetter || $0.isNumber })
        else { return text }
        return text + "*"
    }

    private func show(header: String) {
        let earlier = rows(of: matches.dropFirst(upcoming))
        list.show(
            [ListView.Section(header: header, rows: rows(of: matches.prefix(upcoming)))]
                + (earlier.isEmpty ? [] : [ListView.Section(header: "Earlier", rows: earlier)]))
    }

    /// A row for each title: its first match, which opens to show the others.
    private func rows(of matches: some Sequence<SearchMatch>) -> [ListView.Row] {
        var titles: [String: Int] = [:]
        var groups: [[SearchMatch]] = []
        for match in matches {
            if let group = titles[match.airing.title] {
                groups[group].append(match)
            } else {
                titles[match.airing.title] = groups.count
                groups.append([match])
            }
        }
        return groups.map { group in
            var row = row(of: group[0])
            (row.title, row.detail) = (group[0].airing.title, row.title)
            if group.count > 1 { row.detail += " · \(group.count - 1) more" }
            row.children = group.dropFirst().map(self.row)
            return row
        }
    }

    /// A match among others of its title.
    private func row(of match: SearchMatch) -> ListView.Row {
        let time = "\(zone.dayLabel(at: match.airing.window.start)), \(zone.rangeLabel(of: match.airing))"
        return ListView.Row(id: match.airing.id, title: time, detail: "", accessory: match.stationName)
    }
}
