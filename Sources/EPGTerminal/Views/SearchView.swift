import CollectionLayout
import EPGCalendar
import EPGModel
import EPGRender

/// Search as you type: a list of matches, grouped by title, with past airings at the end.
final class SearchView {
    let list: ListView
    /// The matches in the order of the list.
    private(set) var matches: [SearchMatch] = []
    /// The guide version of the last search; `nil` before the first one.
    private(set) var version: GuideVersion?
    /// The search text.
    private(set) var text = ""
    private let clock: GuideClock

    /// Creates an empty search.
    init(clock: GuideClock, size: Screen.Size) throws {
        self.clock = clock
        list = ListView(size: size)
        try list.show([ListView.Section(header: SearchView.invitation, rows: [])])
    }

    private static let invitation = "Type words to search for."

    /// The index in ``matches`` of the focused row; `nil` if there is none.
    var focusedMatch: Int? { list.focus.flatMap { focus in matches.firstIndex { $0.airing.id == focus } } }

    /// Searches for the words of a text, the last of which may be incomplete.
    ///
    /// - Throws: An error of the store. For invalid search text or a missing index, the list shows the error message instead.
    func search(_ text: String, in storage: any GuideStorage, now: Instant) throws {
        self.text = text
        try run(in: storage, now: now) { try list.show($0) }
    }

    /// Repeats the search after the guide has changed. Keeps the focus, open titles and the scroll position.
    ///
    /// - Throws: An error of the store, without changing the matches.
    func reload(in storage: any GuideStorage, now: Instant) throws {
        try run(in: storage, now: now) { try list.update($0) }
    }

    private func run(in storage: any GuideStorage, now: Instant, _ present: ([ListView.Section]) throws -> Void) throws
    {
        func show(_ header: String, _ groups: [[SearchMatch]] = [], earlier: [[SearchMatch]] = []) throws {
            matches = (groups + earlier).flatMap(\.self)
            let sections = [ListView.Section(header: header, rows: groups.map { row(of: $0) })]
            let past = ListView.Section(header: "Earlier", rows: earlier.map { row(of: $0) })
            try present(earlier.isEmpty ? sections : sections + [past])
        }
        guard text.contains(where: { !$0.isWhitespace }) else { return try show(SearchView.invitation) }
        do {
            let query = SearchQuery(words: text, lastWord: .prefix, now: now, order: .start, limit: 200)
            let (version, found) = try storage.read(within: .seconds(5)) { (try $0.version(), try $0.search(query)) }
            self.version = version
            let upcoming = found.matches.prefix { $0.airing.window.end > now }
            let count = Wording.count(found.total, "match", plural: "matches")
            try show(
                found.isTotalExact ? count : "At least " + count, SearchView.groups(of: upcoming),
                earlier: SearchView.groups(of: found.matches.dropFirst(upcoming.count)))
        } catch let error as SearchExpressionError {
            try show("\(error)")
        } catch is SearchIndexMissing {
            try show("The search index is missing. The next import builds it.")
        }
    }

    /// Groups matches by title, in the order of each title's first match.
    private static func groups(of matches: some Sequence<SearchMatch>) -> [[SearchMatch]] {
        var places: [String: Int] = [:]
        var groups: [[SearchMatch]] = []
        for match in matches {
            if let place = places[match.airing.title] {
                groups[place].append(match)
            } else {
                places[match.airing.title] = groups.count
                groups.append([match])
            }
        }
        return groups
    }

    /// The row of a title: its first match, with the others as children.
    private func row(of group: [SearchMatch]) -> ListView.Row {
        var row = row(of: group[0])
        (row.title, row.detail) = (group[0].airing.shownTitle, row.title)
        if group.count > 1 { row.detail += " · \(group.count - 1) more" }
        row.children = group.dropFirst().map { self.row(of: $0) }
        return row
    }

    /// The row of a match within its title.
    private func row(of match: SearchMatch) -> ListView.Row {
        let time = "\(clock.zone.dayLabel(at: match.airing.window.start)), \(AiringText(match.airing).times(clock))"
        return ListView.Row(id: match.airing.id, title: time, detail: "", accessory: match.stationName)
    }
}
