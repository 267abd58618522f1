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
        for key in isWeb ? ["webChannel", "network"] : ["network", "webChannel"] {
            guard let station = show[key], let number = station["id"]?.text, !number.isEmpty else { continue }
            var nodes: [ContentNode] = []
            nodes.append("display-name", station["name"]?.text)
            nodes.append("url", station["officialSite"]?.text)
            return (StationID("\(key == "network" ? key : "web")-\(number).tvmaze.com"), nodes)
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
