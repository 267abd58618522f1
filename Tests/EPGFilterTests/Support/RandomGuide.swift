import XMLTV
import TestSupport

/// Random valid guides that challenge filters: times in several zones and forms, missing stops, clumps, duplicates,
/// white space, and private elements.
struct RandomGuide {
    private var random: SeededGenerator
    private static let channels = ["one.example", "two.example", "b", "0", "unknown"]

    static func bytes(seed: UInt64, programmes: Int = 40) -> [UInt8] {
        var guide = RandomGuide(random: SeededGenerator(seed: seed))
        guide.month = Int(seed % 9) + 1
        var writer = XMLTVWriter()
        writer.begin(attributes: guide.chance(2) ? [.init("source-info-name", " S "), .init("date", "2026")] : [])
        for channel in channels.dropLast().shuffled(using: &guide.random) {
            writer.write(guide.channel(channel))
        }
        for _ in 0..<programmes {
            for programme in guide.programmes() { writer.write(programme) }
        }
        writer.end()
        return writer.takeBytes()
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private mutating func channel(_ id: String) -> XMLTVElement {
        var children: [XMLTVElement.Child] = [.element(.init("display-name", text: "Name \(id)"))]
        if chance(2) { children.append(.element(.init("icon", attributes: [.init("src", "i.png")]))) }
        return XMLTVElement("channel", attributes: [.init("id", id)], children: children)
    }

    /// Returns one programme, a duplicate pair, or a clump.
    private mutating func programmes() -> [XMLTVElement] {
        let channel = RandomGuide.channels.randomElement(using: &random) ?? ""
        let minute = Int.random(in: 0..<400, using: &random) * 15
        let start = time(minute)
        let stop = chance(3) ? nil : time(minute + 15 * Int.random(in: 0...8, using: &random))
        var attributes: [XMLTVElement.Attribute] = [.init("channel", channel), .init("start", start)]
        if let stop { attributes.append(.init("stop", stop)) }
        if chance(5) { attributes.append(.init("showview", " 12345 ")) }
        if chance(5) { attributes.append(.init("x-private", "1")) }
        guard chance(8) else {
            let programme = XMLTVElement("programme", attributes: attributes, children: content())
            return chance(10) ? [programme, programme] : [programme]
        }
        let parts = Int.random(in: 2...4, using: &random)
        // Use a time at which no other programme of any guide starts, so that clumps don't collide.
        clumps += 1
        attributes[1].value = "20270\(month)1\(clumps % 10)\(10 + clumps / 10)00 +0000"
        attributes.removeAll { $0.name == "stop" }
        return (0..<parts).map { part in
            XMLTVElement(
                "programme", attributes: attributes + [.init("clumpidx", "\(part)/\(parts)")], children: content())
        }
    }

    private var clumps = 0
    private var month = 1

    init(random: SeededGenerator) {
        self.random = random
    }

    /// Returns a time in minutes after 2026-03-28T00:00 UTC, in one of the formats that feeds use.
    private mutating func time(_ minute: Int) -> String {
        func digits(_ minute: Int) -> String {
            let days = minute / 1440
            let date = days < 4 ? 20_260_328 + days : 20_260_401 + days - 4
            let clock = minute / 60 % 24 * 100 + minute % 60
            return "\(date)" + String(repeating: "0", count: 4 - "\(clock)".count) + "\(clock)"
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return digits(minute) + "00"
        case 1: return digits(minute)
        case 2: return digits(minute + 60) + "00 +0100"
        case 3: return digits(minute + 330) + "00 +0530"
        default: return digits(minute) + "00 +0000"
        }
    }

    private mutating func content() -> [XMLTVElement.Child] {
        var parts: [XMLTVElement] = [
            .init("title", attributes: chance(3) ? [.init("lang", "en")] : [], text: text() + " t")
        ]
        if chance(3) { parts.append(.init("sub-title", text: "  \(text())s ")) }
        if chance(2) { parts.append(.init("desc", text: "\n   \(text())\n     more of \(text())d  ")) }
        if chance(4) {
            parts.append(
                .init(
                    "credits", children: [.element(.init("actor", text: "A")), .element(.init("director", text: "D"))]))
        } else if chance(4) {
            parts.append(.init("credits"))
        }
        if chance(4) { parts.append(.init("date", text: "1999")) }
        for _ in 0..<Int.random(in: 0...2, using: &random) { parts.append(.init("category", text: text() + "c")) }
        if chance(4) {
            let unit = ["seconds", "minutes", "hours"].randomElement(using: &random) ?? ""
            let length = String(Int.random(in: 1...40, using: &random) * 30)
            parts.append(.init("length", attributes: [.init("units", unit)], text: length))
        }
        if chance(4) { parts.append(.init("url", text: "https://example.com/?a=1&b=2")) }
        if chance(3) {
            parts.append(.init("episode-num", attributes: [.init("system", "xmltv_ns")], text: " 1 .2 / 3. 0/1 "))
        }
        if chance(4) { parts.append(.init("episode-num", text: "S1")) }
        if chance(5) { parts.append(.init("video", children: [.element(.init("aspect", text: "16:9"))])) }
        if chance(5) { parts.append(.init("previously-shown", attributes: [.init("start", "1999")])) }
        if chance(5) { parts.append(.init("premiere")) }
        if chance(5) { parts.append(.init("last-chance", text: " Last \(text()) ")) }
        if chance(5) { parts.append(.init("new")) }
        if chance(5) { parts.append(.init("star-rating", children: [.element(.init("value", text: "3/5"))])) }
        if chance(5) {
            parts.insert(.init("x-private", text: "b"), at: Int.random(in: 0...parts.count, using: &random))
        }
        return parts.map { .element($0) }
    }

    private mutating func text() -> String {
        let words = ["News", "a & b", "<x>", "\"q\"", "it's", "Été", "新闻", "b", "Weather", "]]>"]
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
            .joined(separator: " ")
    }
}
