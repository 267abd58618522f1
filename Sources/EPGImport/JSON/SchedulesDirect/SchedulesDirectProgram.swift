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
        for title in program["titles"]?.elements ?? .none(program) {
            nodes.append("title", title["title120"]?.text, ("lang", title["titleLanguage"]?.text))
        }
        nodes.append("sub-title", program["episodeTitle150"]?.text)
        appendDescriptions(program["descriptions"], to: &nodes)
        SchedulesDirectCredits.append(program, to: &nodes)
        let firstShown = program["originalAirDate"]?.text.flatMap(date)
        nodes.append("date", program["movie"]?["year"]?.text ?? firstShown)
        appendCategories(program, to: &nodes)
        for (_, group) in program["keyWords"]?.members ?? .none(program) {
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
        for country in program["country"]?.elements ?? .none(program) { nodes.append("country", country.text) }
        appendRatings(program["contentRating"], to: &nodes)
        for advice in program["contentAdvisory"]?.elements ?? .none(program) {
            appendRating(advice.text, system: "advisory", to: &nodes)
        }
        for rating in program["movie"]?["qualityRating"]?.elements ?? .none(program) {
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
        guard let value, !value.isEmpty else { return }
        nodes.append(
            element: "rating", ("system", system),
            children: [.element(ContentElement(name: "value", children: [.text(value)]))])
    }

    private static func appendStars(_ rating: JSONNode, to nodes: inout [ContentNode]) {
        guard let value = rating["rating"]?.text, !value.isEmpty else { return }
        let text = rating["maxRating"]?.text.map { "\(value)/\($0)" } ?? value
        nodes.append(
            element: "star-rating", ("system", rating["ratingsBody"]?.text),
            children: [.element(ContentElement(name: "value", children: [.text(text)]))])
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

    /// Genres, kind of programme, and the word by which MythTV tells films, series and sports.
    private static func appendCategories(_ program: JSONNode, to nodes: inout [ContentNode]) {
        var seen: Set<String> = []
        func append(_ category: String?) {
            if let category, seen.insert(category).inserted { nodes.append("category", category) }
        }
        for genre in program["genres"]?.elements ?? .none(program) { append(genre.text) }
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
        guard let metadata else { return }
        var numbers: JSONNode?
        for element in metadata.elements where numbers == nil {
            numbers = element["Gracenote"] ?? element.members.lazy.map(\.value).first { $0.kind == .object }
        }
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
        let digits = String(year)
        return String(repeating: "0", count: 4 - digits.count) + digits + Int64(month).paddedToTwo
            + Int64(day).paddedToTwo
    }

    /// Addresses of images are given from the service's own folder on.
    private static func imageAddress(_ address: String) -> String {
        address.hasPrefix("http") ? address : "https://json.schedulesdirect.org/20141201/image/" + address
    }
}
