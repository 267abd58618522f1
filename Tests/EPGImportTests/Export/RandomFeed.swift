import EPGImport
import EPGModel

/// Random guides that violate the DTD: DTD names in invalid positions, and other names.
struct RandomFeed {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func guide(stations: Int, airings: Int) -> WrittenGuide {
        var guide = WrittenGuide()
        for number in 0..<stations { guide.stations.append(("s\(number).test", nodes(depth: 2))) }
        for number in 0..<airings {
            var airing = ExportedAiring.evening(transmission: attributes())
            airing.station = StationID("s\(number % stations).test")
            airing.nodes = nodes(depth: 3)
            guide.airings.append(airing)
        }
        return guide
    }

    private mutating func nodes(depth: Int) -> [ContentNode] {
        (0..<number(below: 8)).map { _ in
            guard depth > 0, number(below: 5) > 0 else { return .text(text()) }
            return .element(
                ContentElement(
                    name: pick(Self.names), attributes: attributes(), children: nodes(depth: depth - 1)))
        }
    }

    private mutating func attributes() -> [ContentAttribute] {
        (0..<number(below: 3)).map { _ in ContentAttribute(name: pick(Self.attributeNames), value: text()) }
    }

    private mutating func text() -> String {
        pick(["", "News", "text", "minutes", "poster", "yes", "1", "<&>\"", "新闻", "a\nb", "\u{1}", "teletext"])
    }

    private mutating func pick(_ choices: [String]) -> String { choices[number(below: choices.count)] }

    /// SplitMix64.
    private mutating func number(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    private static let names = [
        "title", "sub-title", "desc", "credits", "date", "category", "keyword", "language", "orig-language", "length",
        "icon", "url", "country", "episode-num", "video", "audio", "previously-shown", "premiere", "last-chance", "new",
        "subtitles", "rating", "star-rating", "review", "image", "value", "present", "colour", "aspect", "quality",
        "stereo", "director", "actor", "guest", "display-name", "lcn", "live", "x-mood", "série", "no name", "",
    ]

    private static let attributeNames = [
        "lang", "src", "width", "system", "units", "type", "size", "orient", "role", "guest", "start", "channel",
        "showview", "clumpidx", "x-a", "no name", "",
    ]
}
