import EPGJSON
import EPGModel

/// An episode of a TVmaze schedule (`/schedule`, `/schedule/web`): its station, and its airing.
struct TVmazeEpisode {
    let station: StationID
    /// The station as `<channel>` has it.
    let stationNodes: [ContentNode]
    let airing: AiringRecord

    /// Reads an element of a schedule.
    ///
    /// - Throws: `EPGJSONFault` where it has no station or no time that can be read.
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
    }

    /// The network, or the web channel: the latter first in the schedule of web channels.
    ///
    /// The two are numbered apart, so that their identifiers say which they are.
    private static func station(_ show: JSONNode, isWeb: Bool) -> (StationID, [ContentNode])? {
        let web = (key: "webChannel", prefix: "web")
        let network = (key: "network", prefix: "network")
        for source in isWeb ? [web, network] : [network, web] {
            guard let station = show[source.key], let number = station["id"]?.text, !number.isEmpty else { continue }
            var nodes: [ContentNode] = []
            nodes.append("display-name", station["name"]?.text)
            nodes.append("url", station["officialSite"]?.text)
            return (StationID("\(source.prefix)-\(number).tvmaze.com"), nodes)
        }
        return nil
    }

    /// How long the episode's slot is: what the episode says, else the show, else the show's average.
    private static func minutes(_ episode: JSONNode, _ show: JSONNode) -> Int64? {
        [episode["runtime"], show["runtime"], show["averageRuntime"]].lazy.compactMap { $0?.integer }
            .first { (1...100_000).contains($0) }
    }

    private static func nodes(_ episode: JSONNode, _ show: JSONNode) -> [ContentNode] {
        var nodes: [ContentNode] = []
        nodes.append("title", show["name"]?.text)
        nodes.append("sub-title", episode["name"]?.text)
        for summary in [episode["summary"], show["summary"]] {
            let text = summary?.text.map(HTMLText.plain) ?? ""
            guard !text.isEmpty else { continue }
            nodes.append("desc", text)
            break
        }
        nodes.append("category", show["type"]?.text)
        for genre in show["genres"]?.elements ?? .none(show) { nodes.append("category", genre.text) }
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
        if let rating {
            nodes.append(
                element: "star-rating", ("system", "tvmaze"),
                children: [.element(ContentElement(name: "value", children: [.text("\(rating)/10")]))])
        }
        return nodes
    }

    /// Season and number, and what other services call the show.
    private static func appendNumbers(_ episode: JSONNode, _ show: JSONNode, to nodes: inout [ContentNode]) {
        let season = number(episode["season"])
        let number = number(episode["number"])
        if season != nil || number != nil {
            let fields = [season, number].map { $0.map { String($0 - 1) } ?? "" }
            nodes.append("episode-num", fields.joined(separator: ".") + ".", ("system", "xmltv_ns"))
            let words = [season.map { "S" + $0.paddedToTwo }, number.map { "E" + $0.paddedToTwo }]
            nodes.append("episode-num", words.compactMap(\.self).joined(), ("system", "onscreen"))
        }
        if let id = episode["id"]?.text { nodes.append("episode-num", "episode/" + id, ("system", "tvmaze.com")) }
        if let id = show["externals"]?["thetvdb"]?.text {
            nodes.append("episode-num", "series/" + id, ("system", "thetvdb.com"))
        }
        if let id = show["externals"]?["imdb"]?.text {
            nodes.append("episode-num", "series/" + id, ("system", "imdb.com"))
        }
    }

    private static func number(_ node: JSONNode?) -> Int64? {
        node?.integer.flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    }
}
