import EPGModel
import Testing

/// The stored form of content: what is written is read back, and damage is an error, never a trap.
@Suite struct ContentCodingTests {
    private func encoded(_ nodes: [ContentNode]) -> [UInt8] {
        var encoder = ContentEncoder()
        for node in nodes { encoder.node(node) }
        return encoder.bytes
    }

    private func decoded(_ bytes: [UInt8], hoisted: [String: String] = [:]) throws -> [ContentNode] {
        var decoder = ContentDecoder(bytes, hoisted: hoisted)
        return try decoder.nodes()
    }

    @Test(arguments: 0..<200) func everyTreeComesBackAsItWas(seed: UInt64) throws {
        var random = RandomContent(seed: seed)
        let nodes = random.nodes(limit: 6, depth: 4)
        #expect(try decoded(encoded(nodes)) == nodes)
    }

    @Test(arguments: 0..<100) func damagedBytesAreAnErrorOrAnotherTree(seed: UInt64) {
        var random = RandomContent(seed: seed)
        var generator = SeededGenerator(seed: seed)
        let sound = encoded(random.nodes(limit: 6, depth: 4))
        for _ in 0..<50 where !sound.isEmpty {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
                default: if bytes.count > 1 { bytes.remove(at: place) }
                }
            }
            do {
                _ = try decoded(bytes, hoisted: ["title": "Title"])
            } catch let damage as ContentDamage {
                #expect((0...bytes.count).contains(damage.offset))
            } catch {
                Issue.record(error)
            }
            var decoder = ContentDecoder(bytes)
            _ = Result { try decoder.attributes() }
        }
    }

    @Test(arguments: 0..<20) func everyTruncationIsAnErrorOrAPrefix(seed: UInt64) throws {
        var random = RandomContent(seed: seed)
        let nodes = random.nodes(limit: 4, depth: 2)
        let bytes = encoded(nodes)
        for count in bytes.indices {
            guard case .success(let read) = Result(catching: { try decoded(Array(bytes[..<count])) }) else { continue }
            #expect(read.count < nodes.count || read == nodes)
            #expect(nodes.starts(with: read))
        }
    }

    @Test func aLengthBeyondTheEndIsDamage() {
        // A text whose length claims 2³⁵−1 bytes, and one whose length never ends.
        #expect(throws: ContentDamage.self) { try decoded([0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]) }
        #expect(throws: ContentDamage.self) { try decoded([0x01] + [UInt8](repeating: 0x80, count: 40)) }
        #expect(throws: ContentDamage.self) { try decoded([0x01]) }
        #expect(throws: ContentDamage.self) { try decoded([0x04]) }
    }

    @Test func nestingBeyondAnyGuideIsDamage() {
        let title: UInt8 = 0x10
        #expect(throws: ContentDamage.self) { try decoded([UInt8](repeating: title, count: 100_000)) }
    }

    @Test func aHoistedTextStandsOnceWhereItsMarkIs() throws {
        var encoder = ContentEncoder()
        for text in [nil, nil, "Zweiter"] as [String?] {
            encoder.begin(element: "title")
            if let text { encoder.text(text) } else { encoder.hoistedText() }
            encoder.end()
        }
        let titles = try decoded(encoder.bytes, hoisted: ["title": "Erster"])
        #expect(
            titles == [
                .element(ContentElement(name: "title", children: [.text("Erster")])),
                .element(ContentElement(name: "title")),
                .element(ContentElement(name: "title", children: [.text("Zweiter")])),
            ])
    }

    @Test func codesOfStoredNamesNeverChange() {
        // They stand in databases: the first, the last and one of the middle, as they were in the first version.
        #expect(ContentName.elementCode("title") == 0x10)
        #expect(ContentName.elementCode("premiere") == 0x21)
        #expect(ContentName.elementCode("audio-described") == 0x40)
        #expect(ContentName.attributeCode("lang") == 0x80)
        #expect(ContentName.attributeCode("catchup-id") == 0x94)
        #expect(ContentName.elementCode("x-mood") == nil)
    }
}
