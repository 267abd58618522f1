import EPGJSON
import EPGModel

/// The content of a Schedules Direct program as XMLTV has it, after the example of `tv_grab_zz_sdjson`.
enum SchedulesDirectProgram {
    /// Elements that don't stand for themselves: what an airing needs of its program, and takes away.
    enum Mark {
        static let season = "@season"
        static let episode = "@episode"
        static let firstShown = "@first-shown"
        static let part = "@part"
        static let isRepeat = "@repeat"
    }

    /// The nodes of a program, marks among them.
    static func nodes(_ program: JSONNode) -> [ContentNode] {
        var nodes: [ContentNode] = []
        for title in program["titles"]?.elements ?? [] {
            nodes.append("title", title["title120"]?.text, ("lang", title["titleLanguage"]?.text))
        }
        nodes.append("sub-title", program["episodeTitle150"]?.text)
        appendDescriptions(program["descriptions"], to: &nodes)
        appendCredits(program, to: &nodes)
        let firstShown = program["originalAirDate"]?.text.flatMap(date)
        nodes.append("date", program["movie"]?["year"]?.text ?? firstShown)
        appendCategories(program, to: &nodes)
        for (_, group) in program["keyWords"]?.members ?? [] {
            for word in group.elements { nodes.append("keyword", word.text) }
        }
        if let seconds = (program["duration"] ?? program["movie"]?["duration"])?.integer, seconds > 0 {
            nodes.append("length", String(seconds), ("units", "seconds"))
        }
        if let image = program["episodeImage"], let address = image["uri"]?.text, !address.isEmpty {
            nodes.append(
                element: "icon", ("src", imageAddress(address)), ("width", image["width"]?.text),
                ("height", image["height"]?.text))
        }
        nodes.append("url", program["officialURL"]?.text)
        for country in program["country"]?.elements ?? [] { nodes.append("country", country.text) }
        appendRatings(program["contentRating"], to: &nodes)
        for advice in program["contentAdvisory"]?.elements ?? [] {
            appendRating(advice.text, system: "advisory", to: &nodes)
        }
        for rating in program["movie"]?["qualityRating"]?.elements ?? [] {
            appendStars(rating, to: &nodes)
        }
        appendNumbers(program["metadata"], to: &nodes)
        nodes.append(Mark.firstShown, firstShown)
        return nodes
    }

    /// `<rating>` for each element of a list of ratings.
    static func appendRatings(_ ratings: JSONNode?, to nodes: inout [ContentNode]) {
        guard let ratings else { return }
        for rating in ratings.elements { appendRating(rating["code"]?.text, system: rating["body"]?.text, to: &nodes) }
    }

    private static func appendRating(_ value: String?, system: String?, to nodes: inout [ContentNode]) {
        nodes.append("rating", ("system", system), child: "value", value)
    }

    private static func appendStars(_ rating: JSONNode, to nodes: inout [ContentNode]) {
        guard let value = rating["rating"]?.text, !value.isEmpty else { return }
        let text = rating["maxRating"]?.text.map { "\(value)/\($0)" } ?? value
        nodes.append("star-rating", ("system", rating["ratingsBody"]?.text), child: "value", text)
    }

    /// The long descriptions, or else the short ones.
    private static func appendDescriptions(_ descriptions: JSONNode?, to nodes: inout [ContentNode]) {
        for key in ["description1000", "description255", "description100"] {
            guard let list = descriptions?[key] else { continue }
            for description in list.elements {
                nodes.append(
                    "desc", description["description"]?.text, ("lang", description["descriptionLanguage"]?.text))
            }
            if nodes.element(named: "desc") != nil { return }
        }
    }

    /// What a role contains, and the element for it; the first that fits counts.
    ///
    /// The order is that of `tv_grab_zz_sdjson`, but that guest stars, whose characters are known, are actors (the DTD's
    /// `guest="yes"`), and that there is a place for composers, editors and commentators.
    private static let roles: [(part: String, element: String?)] = [
        ("guest star", "actor"), ("casting", nil), ("photography", nil), ("art dir", nil), ("director", "director"),
        ("actor", "actor"), ("voice", "actor"),
        ("writer", "writer"), ("screenplay", "writer"), ("adapt", "adapter"), ("producer", "producer"),
        ("music", "composer"), ("composer", "composer"), ("editor", "editor"), ("commentator", "commentator"),
        ("narrator", "presenter"), ("presenter", "presenter"), ("host", "presenter"), ("anchor", "presenter"),
        ("guest", "guest"), ("contestant", "guest"),
    ]

    /// Appends `<credits>`; people whose role has no element in XMLTV are left out.
    private static func appendCredits(_ program: JSONNode, to nodes: inout [ContentNode]) {
        var people: [ContentNode] = []
        for person in (program["cast"]?.elements ?? []) + (program["crew"]?.elements ?? []) {
            let role = person["role"]?.text?.lowercased() ?? ""
            guard let element = roles.first(where: { role.hasBytes(of: $0.part) })?.element else { continue }
            people.append(
                element, person["name"]?.text,
                ("role", element == "actor" ? person["characterName"]?.text : nil),
                ("guest", role.hasBytes(of: "guest star") ? "yes" : nil))
        }
        if !people.isEmpty { nodes.append(element: "credits", children: people) }
    }

    /// Genres, kind of programme, and the word by which MythTV tells films, series and sports.
    private static func appendCategories(_ program: JSONNode, to nodes: inout [ContentNode]) {
        var seen: Set<String> = []
        func append(_ category: String?) {
            if let category, seen.insert(category).inserted { nodes.append("category", category) }
        }
        for genre in program["genres"]?.elements ?? [] { append(genre.text) }
        append(program["showType"]?.text)
        switch program["entityType"]?.text?.lowercased() {
        case let type? where type.hasBytes(of: "movie"): append("movie")
        case let type? where type.hasBytes(of: "episode"): append("series")
        case let type? where type.hasBytes(of: "sports"): append("sports")
        case _?: append("tvshow")
        case nil: break
        }
    }

    /// Season and episode as fields of `xmltv_ns`; the part is known to the airing.
    private static func appendNumbers(_ metadata: JSONNode?, to nodes: inout [ContentNode]) {
        let numbers = metadata?.elements.lazy.compactMap { element in
            element["Gracenote"] ?? element.members.map(\.value).first { $0.kind == .object }
        }.first
        guard let numbers else { return }
        nodes.append(Mark.season, field(numbers["season"], of: numbers["totalSeasons"]))
        nodes.append(Mark.episode, field(numbers["episode"], of: numbers["totalEpisodes"]))
    }

    /// A field of `xmltv_ns`: the number from 0, and out of how many; `nil` where there is none.
    static func field(_ number: JSONNode?, of total: JSONNode?) -> String? {
        guard let number = number?.integer, (1...1_000_000).contains(number) else { return nil }
        guard let total = total?.integer, total >= number, total <= 1_000_000 else { return String(number - 1) }
        return "\(number - 1)/\(total)"
    }

    /// `2012-06-06` as `20120606`; `nil` where it is no date.
    private static func date(_ text: String) -> String? {
        let fields = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, let year = Int64(fields[0]), let month = Int(fields[1]), let day = Int(fields[2]),
            (1...9999).contains(year), CivilDate(year: year, month: month, day: day) != nil
        else { return nil }
        return [year / 100, year % 100, Int64(month), Int64(day)].map(\.paddedToTwo).joined()
    }

    /// Addresses of images are given from the service's own folder on.
    private static func imageAddress(_ address: String) -> String {
        address.hasPrefix("http") ? address : "https://json.schedulesdirect.org/20141201/image/" + address
    }
}

extension String {
    /// Whether the bytes of a short text stand in it.
    ///
    /// `contains` of the standard library makes a table for each search, which takes far longer than to look for a word.
    ///
    /// - Complexity: O(*nm*) for a text of m bytes.
    func hasBytes(of part: String) -> Bool {
        let (bytes, part) = (utf8.span, part.utf8.span)
        guard bytes.count >= part.count else { return false }
        for start in 0...bytes.count - part.count {
            var index = 0
            while index < part.count, bytes[start + index] == part[index] { index += 1 }
            if index == part.count { return true }
        }
        return false
    }
}
