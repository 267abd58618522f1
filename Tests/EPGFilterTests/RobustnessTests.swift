import EPGFilter
import Testing
import XMLTV

/// No guide brings a filter down: it comes to its end or says why it can't.
@Suite struct RobustnessTests {
    private static let commands = [
        ["cat"], ["sort"], ["sort", "--by-channel"], ["grep", "[ab]"],
        ["grep", "--title", "b", "--or", "--on-after", "2026"],
        ["grep", "--not", "--channel-name", "e", "--clumpidx", "1"],
    ]

    private static let oddities = [
        "", " ", "0/0", "1/1", "9/2", "-1/3", "999999999/999999999", "2026", "20260229", "99999999999999", "00000101",
        "20260329093000 XYZ", "20260329093000 +9999", "../../x", "\u{0}", "é", "e\u{301}", "\"", "%", "0/3", "1/3",
        "2/3",
    ]

    @Test(arguments: UInt64(0)..<60)
    func oddValuesAreRead(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var reader = XMLTVReader(ChunkSource(RandomGuide.bytes(seed: seed, programmes: 30)))
        var writer = XMLTVWriter()
        writer.begin()
        while let record = try reader.next() {
            guard record != .guide else { continue }
            var element = reader.element
            for index in element.attributes.indices where Int.random(in: 0..<4, using: &random) == 0 {
                element.attributes[index].value = Self.oddities.randomElement(using: &random) ?? ""
            }
            if Int.random(in: 0..<5, using: &random) == 0 { element.attributes.removeFirst() }
            if Int.random(in: 0..<5, using: &random) == 0 { element.children.removeFirst() }
            writer.write(element)
        }
        writer.end()
        let guide = writer.takeBytes()
        for command in Self.commands {
            let run = try FilterRun(command, [guide])
            // What comes out is a guide.
            _ = try FilterRun(["cat"], [run.bytes])
        }
    }

    @Test(arguments: UInt64(0)..<60)
    func brokenBytesEndTheWork(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var guide = RandomGuide.bytes(seed: seed, programmes: 10)
        for _ in 0...Int.random(in: 0...3, using: &random) {
            guide[Int.random(in: guide.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        for command in Self.commands {
            do {
                _ = try FilterRun(command, [guide])
            } catch is FilterError {
                // Said so.
            }
        }
    }
}
