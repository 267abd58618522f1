import EPGJSON
package import EPGModel
package import EPGOutput

/// A visitor that passes a guide on with the genres, texts and logos of ``OutputSettings``.
package struct ShapedGuide<Visitor: GuideVisitor>: GuideVisitor {
    /// The other visitor.
    package private(set) var visitor: Visitor
    private let settings: OutputSettings
    private let logos: Logos
    /// The genres of categories; `nil` if nothing needs them.
    private let table: GenreTable?
    private let stationTexts: [(patterns: [WildcardPattern], texts: OutputTexts)]
    /// The names of stations, for templates.
    private var names: [StationID: String] = [:]
    /// The station of the last airing and its texts.
    private var current: (station: StationID, texts: OutputTexts)?
    /// The genres of categories that programmes had before.
    private var genres: [[String]: Genre?] = [:]

    /// Creates a visitor that passes everything on, changed as the settings say.
    package init(for visitor: Visitor, _ settings: OutputSettings, _ logos: Logos) {
        self.visitor = visitor
        self.settings = settings
        self.logos = logos
        table = settings.needsGenres ? GenreTable(adding: settings.genreWords) : nil
        stationTexts = settings.stations.map { ($0.patterns.map { WildcardPattern($0) }, $0.texts) }
    }

    package mutating func begin(header: [ContentAttribute]) throws { try visitor.begin(header: header) }

    package mutating func station(_ row: StationRow, nodes: [ContentNode]) throws {
        if !settings.keepsProgrammes { names[row.station.id] = row.station.name }
        try visitor.station(logos.applied(to: row), nodes: logos.applied(to: row, nodes))
    }

    package mutating func airing(_ airing: ExportedAiring) throws {
        guard !settings.keepsProgrammes else { return try visitor.airing(airing) }
        var airing = airing
        airing.programme = StoredProgramme(
            shaped(try airing.programme.nodes(), of: airing.station), marks: airing.programme.marks)
        try visitor.airing(airing)
    }

    package mutating func end() throws { try visitor.end() }

    // MARK: - Programmes

    private mutating func shaped(_ nodes: [ContentNode], of station: StationID) -> [ContentNode] {
        let texts = texts(of: station)
        let genre = genre(of: nodes)
        var shaped = nodes.keepingTexts(in: texts.languages ?? [])
        let values = shaped
        let name = names[station] ?? station.rawValue
        for (element, template) in [
            ("title", texts.title), ("sub-title", texts.subtitle), ("desc", texts.description),
        ] {
            guard let template else { continue }
            shaped.setTexts(of: element) { language in
                template.rendered { $0.value(of: values, language: language, station: name, genre: genre) }
            }
        }
        if let dropped = texts.dropped { shaped.removeAll { dropped.contains($0.elementName ?? "") } }
        if settings.genres == .etsiOnly { shaped.removeAll { $0.elementName == "category" } }
        if settings.genres != .none, let genre, !shaped.contains(where: { $0.isCategory(genre.name) }) {
            shaped.append(
                .element(
                    ContentElement(
                        name: "category", attributes: [ContentAttribute(name: "lang", value: "en")],
                        children: [.text(genre.name)])))
        }
        return shaped
    }

    private mutating func texts(of station: StationID) -> OutputTexts {
        if let current, current.station == station { return current.texts }
        var texts = settings.texts
        for (patterns, other) in stationTexts where patterns.contains(where: { $0.matches(station.rawValue) }) {
            texts.override(with: other)
        }
        current = (station, texts)
        return texts
    }

    private mutating func genre(of nodes: [ContentNode]) -> Genre? {
        guard let table else { return nil }
        let categories = nodes.elements.filter { $0.name == "category" }.map(\.textContent)
        if let known = genres[categories] { return known }
        let genre = table.genre(of: categories)
        // Guides have few combinations; a limit protects against one that has a category for each programme.
        if genres.count > 10_000 { genres.removeAll() }
        genres[categories] = genre
        return genre
    }
}

extension ContentNode {
    fileprivate var elementName: String? { if case .element(let element) = self { element.name } else { nil } }

    fileprivate func isCategory(_ text: String) -> Bool {
        if case .element(let element) = self {
            element.name == "category" && element.textContent == text
        } else {
            false
        }
    }
}

extension [ContentNode] {
    /// Returns the nodes with the titles, subtitles and descriptions in the first available language only; with all of them if
    /// none is available.
    fileprivate func keepingTexts(in languages: [String]) -> [ContentNode] {
        guard !languages.isEmpty else { return self }
        var kept: Set<Int> = []
        for name in ["title", "sub-title", "desc"] {
            let texts = indices.filter { self[$0].elementName == name }.map { index in
                guard case .element(let element) = self[index] else { return LocalizedText("\(index)") }
                return LocalizedText("\(index)", language: element[attribute: "lang"])
            }
            kept.formUnion(texts.texts(preferring: languages).compactMap { Int($0) })
        }
        return indices.filter { index in
            kept.contains(index) || !["title", "sub-title", "desc"].contains(self[index].elementName ?? "")
        }.map { self[$0] }
    }

    /// Replaces the texts of the elements with a name, or adds one if there is none.
    ///
    /// An empty text removes the element, except for a title, which stays as it is.
    ///
    /// - Parameter text: Returns the text in a language.
    fileprivate mutating func setTexts(of name: String, _ text: (_ language: String?) -> String) {
        var found = false
        self = compactMap { node in
            guard case .element(var element) = node, element.name == name else { return node }
            found = true
            let text = text(element[attribute: "lang"])
            if text.isEmpty { return name == "title" ? node : nil }
            element.children = [.text(text)]
            return .element(element)
        }
        guard !found else { return }
        let text = text(nil)
        if !text.isEmpty { append(.element(ContentElement(name: name, children: [.text(text)]))) }
    }
}
