import EPGImport
import EPGJSON
import EPGModel
import TestSupport

/// Random guides with names and texts that need escaping.
struct RandomRecords {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func header() -> [ContentAttribute] { attributes(limit: 3) }

    mutating func station() -> (id: StationID, nodes: [ContentNode]) {
        var nodes = nodes(depth: 3)
        if Bool.random(using: &generator) {
            nodes.append(.element(ContentElement(name: "@x-tier", children: [.text(text())])))
        }
        return (StationID("s" + text()), nodes.canonical)
    }

    mutating func airing() -> AiringRecord {
        AiringRecord(
            station: StationID("s" + text()), start: time(), stop: Bool.random(using: &generator) ? time() : nil,
            clump: Bool.random(using: &generator) ? Clump(index: 1, count: 3) : nil,
            transmission: attributes(limit: 3), nodes: nodes(depth: 3).canonical, line: 0)
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &generator)]
    }

    private mutating func time() -> AiringRecord.Time {
        pick([.instant(Instant(secondsSince1970: 1_774_744_200)), .text("20260329003000 +0100"), .text(text())])
    }

    private mutating func nodes(depth: Int) -> [ContentNode] {
        (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            depth > 0 && Int.random(in: 0..<3, using: &generator) > 0 ? element(depth: depth) : .text(text())
        }
    }

    private mutating func element(depth: Int) -> ContentNode {
        let name = pick([
            "title", "title", "desc", "value", "text", "type", "id", "version", "end", "@lang", "@", "<b", "<<", "",
            "x-é",
            "e\u{301}", "programme", "new",
        ])
        return .element(
            ContentElement(name: name, attributes: attributes(limit: 3), children: nodes(depth: depth - 1)))
    }

    private mutating func attributes(limit: Int) -> [ContentAttribute] {
        var names = ["lang", "src", "text", "type", "id", "version", "end", "@", "<x", "システム", ""]
        names.shuffle(using: &generator)
        return names.prefix(Int.random(in: 0...limit, using: &generator)).map {
            ContentAttribute(name: $0, value: text())
        }.canonical
    }

    private mutating func text() -> String {
        pick([
            "", "News", "晚间新闻", "نشرة", "é", "🎬", "\u{0}", "\u{1B}[1m", "\"\\/", "\n\t\r", "\u{2028}\u{2029}",
            "\u{7F}\u{85}", "\u{202E}abc\u{2066}", "\u{FEFF}", "\u{FFFE}\u{FFFF}", "</script>", " a  b ", "true",
            "null",
            String(repeating: "long ", count: 40),
        ])
    }
}

extension GuideRecord {
    /// The record without its line and with its times as texts.
    var comparable: GuideRecord {
        switch self {
        case .station(let id, let nodes, _): return .station(id, nodes: nodes.canonical, line: 0)
        case .airing(var airing):
            airing.line = 0
            airing.nodes = airing.nodes.canonical
            airing.start = airing.start.asText
            airing.stop = airing.stop?.asText
            return .airing(airing)
        case .header, .unreadable: return self
        }
    }

    /// Appends the record as a line of EPG JSON.
    func write(to bytes: inout [UInt8]) {
        switch self {
        case .header(let attributes): GuideJSONWriter.append(header: attributes, to: &bytes)
        case .station(let id, let nodes, _): GuideJSONWriter.append(station: id, nodes: nodes, to: &bytes)
        case .airing(let airing): GuideJSONWriter.append(airing, to: &bytes)
        case .unreadable: break
        }
    }
}

extension AiringRecord.Time {
    fileprivate var asText: AiringRecord.Time {
        if case .instant(let instant) = self { .text(instant.iso8601) } else { self }
    }
}

extension RandomRecords {
    /// Returns a guide with some stations and airings.
    mutating func guide(records: Int) -> [GuideRecord] {
        var guide: [GuideRecord] = [.header(header())]
        for _ in 0..<records {
            if Bool.random(using: &generator) {
                let (id, nodes) = station()
                guide.append(.station(id, nodes: nodes, line: 0))
            } else {
                guide.append(.airing(airing()))
            }
        }
        return guide
    }
}
