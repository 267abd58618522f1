import EPGJSON
import EPGModel
import XMLTV

/// An episode of a TVmaze schedule (`/schedule`, `/schedule/web`): its station and its airing.
struct TVmazeEpisode {
    let station: StationID
    /// The content of `<channel>` for the station.
    let stationNodes: [ContentNode]
    private(set) var airing: AiringRecord

    /// Parses an element of a schedule.
    ///
    /// - Throws: `EPGJSONFault` if it has no station or no valid time.
    init(_ episode: JSONNode) throws(EPGJSONFault) {
        let embedded = episode["_embedded"]?["show"]
        guard let show = embedded ?? episode["show"], show.kind == .object else {
            throw EPGJSONFault(.notvalid, "show: missing")
        }
        guard let (id, nodes) = Self.station(show, isWeb: embedded != nil) else {
            throw EPGJSONFault(.unknownid, "show.network and show.webChannel: missing")
        }
        (station, stationNodes) = (id, nodes)
        let stamp = episode["airstamp"]?.text ?? ""
        guard let start = Instant(iso8601: stamp) else { throw EPGJSONFault(.badstart, stamp) }
        airing = AiringRecord(
            station: id, start: .instant(start),
            stop: Self.minutes(episode, show).map { .instant(start.advanced(by: $0 * 60)) },
            nodes: Self.nodes(episode, show), line: episode.line)
        airing.isRelease = id.rawValue.hasPrefix("web-")
    }

    /// Returns the network or the web channel. In the schedule of web channels, the web channel takes precedence.
    ///
    /// Their numbers are independent, so the identifier includes the kind.
    private static func station(_ show: JSONNode, isWeb: Bool) -> (StationID, [ContentNode])? {
        for key in isWeb ? ["webChannel", "network"] : ["network", "webChannel"] {
            guard let station = show[key], let number = station["id"]?.text, !number.isEmpty else { continue }
            var nodes: [ContentNode] = []
            nodes.append("display-name", station["name"]?.text)
            nodes.append("url", station["officialSite"]?.text)
            return (StationID("\(key == "network" ? key : "web")-\(number).tvmaze.com"), nodes)
        }
        return nil
    }

    /// Returns the duration in minutes: the episode's, or else the show's, or else the show's average.
    private static func minutes(_ episode: JSONNode, _ show: JSONNode) -> Int64? {
        [episode["runtime"], show["runtime"], show["averageRuntime"]].lazy.compactMap { $0?.integer }
            .first { (1...100_000).contains($0) }
    }

    private static func nodes(_ episode: JSONNode, _ show: JSONNode) -> [ContentNode] {
        var nodes: [ContentNode] = []
        nodes.append("title", show["name"]?.text)
        nodes.append("sub-title", episode["name"]?.text)
        let summaries = [episode["summary"], show["summary"]].lazy.compactMap { $0?.text.map(HTMLText.plain) }
        nodes.append("desc", summaries.first { !$0.isEmpty })
        nodes.append("category", show["type"]?.text)
        for genre in show["genres"]?.elements ?? [] { nodes.append("category", genre.text) }
        nodes.append("language", show["language"]?.text)
        nodes.append("country", (show["network"]?["country"] ?? show["webChannel"]?["country"])?["code"]?.text)
        for (owner, type) in [(episode, "still"), (show, "poster")] {
            guard let image = owner["image"] else { continue }
            nodes.append("image", (image["original"] ?? image["medium"])?.text, ("type", type))
        }
        nodes.append("url", episode["url"]?.text, ("system", "tvmaze"))
        nodes.append("url", show["officialSite"]?.text)
        appendNumbers(episode, show, to: &nodes)
        let rating = [episode["rating"], show["rating"]].lazy.compactMap { $0?["average"]?.text }.first
        nodes.append("star-rating", ("system", "tvmaze"), child: "value", rating.map { "\($0)/10" })
        return nodes
    }

    /// Appends season and number, and the identifiers that other services use.
    private static func appendNumbers(_ episode: JSONNode, _ show: JSONNode, to nodes: inout [ContentNode]) {
        let season = number(episode["season"])
        let number = number(episode["number"])
        if season != nil || number != nil {
            let fields = [season, number].map { $0.map { String($0 - 1) } ?? "" }
            nodes.append("episode-num", fields.joined(separator: ".") + ".", ("system", "xmltv_ns"))
            let words = [season.map { "S" + $0.paddedToTwo }, number.map { "E" + $0.paddedToTwo }]
            nodes.append("episode-num", words.compactMap(\.self).joined(), ("system", "onscreen"))
        }
        nodes.append("episode-num", episode["id"]?.text.map { "episode/" + $0 }, ("system", "tvmaze.com"))
        for service in ["thetvdb", "imdb"] {
            let id = show["externals"]?[service]?.text
            nodes.append("episode-num", id.map { "series/" + $0 }, ("system", service + ".com"))
        }
    }

    private static func number(_ node: JSONNode?) -> Int64? {
        node?.integer.flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    }
}

/// Conversion of HTML, such as `<p>On <b>Morning Joe</b> …</p>`, to plain text.
private enum HTMLText {
    /// Elements that start and end a line.
    private static let lineElements: Set<String> = ["p", "br", "div", "li", "ul", "ol", "tr", "h1", "h2", "h3"]

    /// Returns the text without tags. Paragraphs and line breaks become line breaks, and entities become their
    /// characters.
    ///
    /// Text that is neither a tag nor an entity is unchanged. White space at both ends is removed.
    /// - Complexity: O(*n*) in the length of the text.
    static func plain(_ html: String) -> String {
        let bytes = Array(html.utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        // The offset after which no '>' follows. It avoids repeated searches in a text full of '<'.
        var noTagFrom = bytes.count
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<"), index < noTagFrom, isTag(bytes, at: index) {
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: ">")) else {
                    noTagFrom = index
                    continue
                }
                if lineElements.contains(name(bytes[index + 1..<close])), text.last != 0x0A, !text.isEmpty {
                    text.append(0x0A)
                }
                index = close + 1
            } else if byte == UInt8(ascii: "&"), let (scalar, next) = entity(bytes, at: index) {
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                index = next
            } else {
                text.append(byte)
                index += 1
            }
        }
        while let last = text.last, last <= 0x20 { text.removeLast() }
        return String(decoding: text.drop { $0 <= 0x20 }, as: UTF8.self)
    }

    /// Returns whether a tag or comment starts here: `a < b` is text.
    private static func isTag(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index + 1 < bytes.count else { return false }
        let next = bytes[index + 1]
        return next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || (next | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// Returns the name of an element, given the text between `<` and `>`.
    private static func name(_ tag: ArraySlice<UInt8>) -> String {
        let letters = tag.drop { $0 == UInt8(ascii: "/") }.prefix { $0 > 0x2F && $0 < 0x7B }
        return String(decoding: letters.prefix(8), as: UTF8.self).lowercased()
    }

    /// Parses `&name;`, `&#8217;`, or `&#x2019;`. Returns the character and the index after it, or `nil` if it is not
    /// an entity.
    private static func entity(_ bytes: [UInt8], at index: Int) -> (Unicode.Scalar, next: Int)? {
        guard let end = bytes[(index + 1)...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[index + 1..<end], as: UTF8.self)
        let own: [String: Unicode.Scalar] = ["apos": "'", "nbsp": " "]
        if let scalar = own[name] ?? HTMLEntities.character(bytes.span, index + 1..<end) { return (scalar, end + 1) }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        guard let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits),
            let scalar = Unicode.Scalar(value)
        else { return nil }
        return (scalar, end + 1)
    }
}
