import EPGJSON
import EPGModel

/// Conversion of Schedules Direct programs to XMLTV content, modeled on `tv_grab_zz_sdjson`.
enum SchedulesDirectProgram {
    /// Names of temporary elements, which an airing needs from its program and then removes.
    enum Mark {
        static let season = "@season"
        static let episode = "@episode"
        static let firstShown = "@first-shown"
        static let part = "@part"
        static let isRepeat = "@repeat"
    }

    /// Returns the nodes of a program, including marks.
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
        if let image = program["episodeImage"], let url = image["uri"]?.text, !url.isEmpty {
            nodes.append(
                element: "icon", ("src", imageURL(url)), ("width", image["width"]?.text),
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

    /// Appends a `<rating>` for each element of a list of ratings.
    fileprivate static func appendRatings(_ ratings: JSONNode?, to nodes: inout [ContentNode]) {
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

    /// Appends the long descriptions, or the short ones if there are none.
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

    /// Parts of role names, and the element for each. The first match wins.
    ///
    /// The order follows `tv_grab_zz_sdjson`, except that guest stars, whose characters are known, are actors (the
    /// DTD's `guest="yes"`), and that composers, editors, and commentators have entries.
    private static let roles: [(part: String, element: String?)] = [
        ("guest star", "actor"), ("casting", nil), ("photography", nil), ("art dir", nil), ("director", "director"),
        ("actor", "actor"), ("voice", "actor"),
        ("writer", "writer"), ("screenplay", "writer"), ("adapt", "adapter"), ("producer", "producer"),
        ("music", "composer"), ("composer", "composer"), ("editor", "editor"), ("commentator", "commentator"),
        ("narrator", "presenter"), ("presenter", "presenter"), ("host", "presenter"), ("anchor", "presenter"),
        ("guest", "guest"), ("contestant", "guest"),
    ]

    /// Appends `<credits>`. Omits people whose role has no element in XMLTV.
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

    /// Appends genres, the kind of programme, and the word by which MythTV recognizes movies, series, and sports.
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

    /// Appends season and episode as fields of `xmltv_ns`. The part number comes from the airing.
    private static func appendNumbers(_ metadata: JSONNode?, to nodes: inout [ContentNode]) {
        let numbers = metadata?.elements.lazy.compactMap { element in
            element["Gracenote"] ?? element.members.map(\.value).first { $0.kind == .object }
        }.first
        guard let numbers else { return }
        nodes.append(Mark.season, field(numbers["season"], of: numbers["totalSeasons"]))
        nodes.append(Mark.episode, field(numbers["episode"], of: numbers["totalEpisodes"]))
    }

    /// Returns a field of `xmltv_ns`: the number, counted from 0, and the total. Returns `nil` if there is no number.
    static func field(_ number: JSONNode?, of total: JSONNode?) -> String? {
        guard let number = number?.integer, (1...1_000_000).contains(number) else { return nil }
        guard let total = total?.integer, total >= number, total <= 1_000_000 else { return String(number - 1) }
        return "\(number - 1)/\(total)"
    }

    /// Converts `2012-06-06` to `20120606`. Returns `nil` if it is not a date.
    private static func date(_ text: String) -> String? {
        let fields = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, let year = Int64(fields[0]), let month = Int(fields[1]), let day = Int(fields[2]),
            (1...9999).contains(year), CivilDate(year: year, month: month, day: day) != nil
        else { return nil }
        return [year / 100, year % 100, Int64(month), Int64(day)].map(\.paddedToTwo).joined()
    }

    /// Resolves the URL of an image, which may be relative to the image folder of the service.
    private static func imageURL(_ url: String) -> String {
        url.hasPrefix("http") ? url : "https://json.schedulesdirect.org/20141201/image/" + url
    }
}

extension String {
    /// Returns whether the string contains the bytes of a short string.
    fileprivate func hasBytes(of part: String) -> Bool { utf8.span.contains(part.utf8.span) }
}

/// An airing of a Schedules Direct schedule, before it is combined with its program.
struct SchedulesDirectAiring {
    var stationID: String
    /// Empty if the schedule names no program.
    var programID: String
    var start: Instant
    var stop: Instant?
    /// The content specific to this airing, including marks (``SchedulesDirectProgram/Mark``).
    var nodes: [ContentNode]
    var line: Int
}

extension SchedulesDirectAiring {
    /// Parses an element of `programs` of a schedule.
    ///
    /// - Throws: `EPGJSONFault` if it has no valid start.
    init(_ entry: JSONNode, stationID: String) throws(EPGJSONFault) {
        let text = entry["airDateTime"]?.text ?? ""
        guard let start = Instant(iso8601: text) else { throw EPGJSONFault(.badstart, text) }
        self.stationID = stationID
        self.start = start
        programID = entry["programID"]?.text ?? ""
        line = entry.line
        if let seconds = entry["duration"]?.integer, (1...100_000_000).contains(seconds) {
            stop = start.advanced(by: seconds)
        }
        nodes = Self.nodes(entry)
    }

    private static func nodes(_ entry: JSONNode) -> [ContentNode] {
        var nodes: [ContentNode] = []
        let properties = words(entry["audioProperties"]) + words(entry["videoProperties"])
        appendPicture(properties, to: &nodes)
        appendSound(properties, to: &nodes)
        appendSubtitles(properties, to: &nodes)
        if entry["new"]?.bool == true { nodes.append(element: "new") }
        if let word = entry["isPremiereOrFinale"]?.text, word.lowercased().hasBytes(of: "premiere") {
            nodes.append("premiere", word)
        } else if entry["premiere"]?.bool == true {
            nodes.append(element: "premiere")
        }
        if entry["liveTapeDelay"]?.text?.lowercased() == "live" { nodes.append(element: "live") }
        if entry["repeat"]?.bool == true { nodes.append(element: SchedulesDirectProgram.Mark.isRepeat) }
        SchedulesDirectProgram.appendRatings(entry["ratings"], to: &nodes)
        if let part = entry["multipart"] {
            nodes.append(
                SchedulesDirectProgram.Mark.part,
                SchedulesDirectProgram.field(part["partNumber"], of: part["totalParts"]))
        }
        return nodes
    }

    /// Returns the lowercase words of a list. The service has sent lists as objects, too (`{"0": "hdtv", "2": …}`).
    private static func words(_ list: JSONNode?) -> [String] {
        guard let list else { return [] }
        return (list.elements + list.members.map(\.value)).compactMap { $0.text?.lowercased() }
    }

    private static func appendPicture(_ properties: [String], to nodes: inout [ContentNode]) {
        let isUltra = properties.contains { $0.hasBytes(of: "uhd") }
        let isHigh = properties.contains { $0.hasBytes(of: "hdtv") || $0.hasPrefix("hd ") }
        nodes.append("video", child: "quality", isUltra ? "UHDTV" : isHigh ? "HDTV" : nil)
    }

    /// Appends the best sound format, and whether there is an audio description.
    private static func appendSound(_ properties: [String], to nodes: inout [ContentNode]) {
        let sounds: [(part: String, name: String)] = [
            ("dd", "dolby digital"), ("dolby", "dolby"), ("surround", "surround"), ("stereo", "stereo"),
            ("mono", "mono"),
        ]
        let sound = sounds.first { sound in properties.contains { $0.hasPrefix(sound.part) } }
        nodes.append("audio", child: "stereo", sound?.name)
        if properties.contains("dvs") { nodes.append(element: "audio-described") }
    }

    private static func appendSubtitles(_ properties: [String], to nodes: inout [ContentNode]) {
        if properties.contains("cc") { nodes.append(element: "subtitles", ("type", "teletext")) }
        if properties.contains("subtitled") { nodes.append(element: "subtitles", ("type", "onscreen")) }
        if properties.contains("signed") { nodes.append(element: "subtitles", ("type", "deaf-signed")) }
    }

    /// Returns the airing combined with its program.
    ///
    /// - Parameter program: The content of the program; empty if it is unknown.
    func record(with program: SchedulesDirectContent) -> AiringRecord {
        typealias Mark = SchedulesDirectProgram.Mark
        let own = SchedulesDirectContent(nodes)
        // The program's ratings are more precise, and the schedule repeats some of them.
        let isRated = program.elements.contains { $0.name == "rating" }
        var content = (program.elements + own.elements.filter { !isRated || $0.name != "rating" })
            .map { ContentNode.element($0) }
        let marks = own.marks.isEmpty ? program.marks : program.marks.merging(own.marks) { $1 }
        let fields = [marks[Mark.season], marks[Mark.episode], marks[Mark.part]]
        if fields.contains(where: { $0 != nil }) {
            content.append(
                "episode-num", fields.map { $0 ?? "" }.joined(separator: "."), ("system", "xmltv_ns"))
        }
        content.append("episode-num", programID, ("system", "dd_progid"))
        if nodes.element(named: "new") == nil {
            if let date = marks[Mark.firstShown] {
                content.append(element: "previously-shown", ("start", date))
            } else if marks[Mark.isRepeat] != nil {
                content.append(element: "previously-shown")
            }
        }
        return AiringRecord(
            station: SchedulesDirectStations.id(stationID), start: .instant(start), stop: stop.map { .instant($0) },
            nodes: content, line: line)
    }
}

/// The content of a program or an airing, separated from its marks.
struct SchedulesDirectContent {
    /// All elements except marks.
    let elements: [ContentElement]
    /// The texts of the marks by name (``SchedulesDirectProgram/Mark``). The last one of a name wins.
    let marks: [String: String]

    /// - Parameter nodes: Elements, including marks.
    init(_ nodes: [ContentNode]) {
        let isMark = { (element: ContentElement) in element.name.utf8.first == UInt8(ascii: "@") }
        elements = nodes.elements.filter { !isMark($0) }
        marks = Dictionary(nodes.elements.filter(isMark).map { ($0.name, $0.text) }) { $1 }
    }
}
