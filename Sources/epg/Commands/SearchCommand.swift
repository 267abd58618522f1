import ArgumentParser
import EPGCalendar
import EPGModel
import EPGRender

/// `epg search`: finds airings by text.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Find airings by words in the title, subtitle or description.",
        discussion: """
            Matches airings that contain all words, ignoring case. '"low water"' is a phrase; 'kerb*' matches words \
            that start with kerb. A search can have up to 12 different words or phrases. At most one of them can be a \
            single-letter prefix, and only with another word.
            """)

    @Argument(help: ArgumentHelp("Words to find.", valueName: "words"))
    var words: [String]

    @Option(parsing: .unconditional, help: "Maximum number of airings")
    var limit = 50

    @OptionGroup var moment: MomentOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        try ValidationError.check(limit, in: 1...100_000, of: "--limit")
        guard words.contains(where: { !$0.trimmed.isEmpty }) else {
            throw ValidationError("Give at least one word to find.")
        }
    }

    func run() throws {
        let (moment, matches, suggestions, isComplete) = try database.read { guide in
            let moment = try self.moment.moment(in: guide)
            var query = SearchQuery(words: words.joined(separator: " "), now: moment.now, order: .start, limit: limit)
            let profile = try profile.guide(guide)
            var matches: [SearchMatch] = []
            while true {
                let page = try (profile?.guide ?? guide).search(query).matches
                matches += page.filter { profile?.hidden.contains($0.airing.station) != true }
                query.offset += page.count
                if matches.count >= limit || page.count < limit { break }
            }
            let suggestions = try matches.isEmpty ? (profile?.guide ?? guide).suggestions(for: query) : []
            return (moment, Array(matches.prefix(limit)), suggestions, try guide.isSearchIndexCurrent())
        }
        try output.print(matches) { SearchText(matches: matches, moment: moment).text(for: $0) }
        if matches.isEmpty { StandardError.write("No airings found.\n") }
        if !suggestions.isEmpty {
            StandardError.write("Did you mean \(suggestions.map { "“\($0)”" }.joined(separator: " or "))?\n")
        }
        if !isComplete {
            StandardError.write(
                "The search index is out of date, so airings may be missing. Run `epg refresh` to update it.\n")
        }
    }
}

// MARK: - Text

/// Prints the airings that a search found as a table.
private struct SearchText {
    let matches: [SearchMatch]
    let moment: Moment

    func text(for terminal: Terminal) -> String {
        var table = Table([
            Table.Column(), Table.Column(), Table.Column(), Table.Column(minimumWidth: 10),
            Table.Column(minimumWidth: 16), Table.Column(alignment: .trailing),
        ])
        for match in matches { table.append(row(of: match)) }
        return table.text(for: terminal)
    }

    private func row(of match: SearchMatch) -> [Cell] {
        let airing = match.airing
        let isOn = airing.window.contains(moment.now)
        let isOver = airing.window.end <= moment.now
        var title = Cell(airing.shownTitle, isOver ? .dim : .bold)
        if let subtitle = airing.subtitle { title.append("· \(subtitle)", .dim) }
        let style: PrintStyle = isOver ? .dim : .plain
        return [
            Cell(isOn ? "▶" : "", .green), Cell(day(of: airing), style),
            Cell(AiringText(airing).times(moment.clock), style),
            Cell(match.stationName, style), title, Cell("#\(airing.id)", .dim),
        ]
    }

    /// `Sat 24 Oct`, with the year if it is not the current one.
    private func day(of airing: Airing) -> String {
        moment.zone.date(at: airing.window.start).label(seenFrom: moment.zone.date(at: moment.now))
    }
}
