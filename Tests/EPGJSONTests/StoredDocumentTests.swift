import EPGJSON
import EPGModel
import TestSupport
import Testing

/// Stored documents are read back. Damage is an error, never a trap.
@Suite struct StoredDocumentTests {
    private func element(_ name: String, _ children: [ContentNode] = [], lang: String? = nil) -> ContentNode {
        let attributes = lang.map { [ContentAttribute(name: "lang", value: $0)] } ?? []
        return .element(ContentElement(name: name, attributes: attributes, children: children))
    }

    @Test(arguments: 0..<300) func everyTreeRoundTripsInCanonicalOrder(seed: UInt64) throws {
        var random = RandomContent(seed: seed)
        let nodes = random.nodes(limit: 6, depth: 4)
        try expectEqual(StoredDocument.nodes(StoredDocument.nodes(nodes)), nodes.canonical)
    }

    @Test(arguments: 0..<100) func damagedDocumentIsErrorOrDifferentTree(seed: UInt64) {
        var random = RandomContent(seed: seed)
        var generator = SeededGenerator(seed: seed)
        let intact = StoredDocument.nodes(random.nodes(limit: 6, depth: 4))
        for _ in 0..<50 {
            var bytes = intact
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
                default: bytes.remove(at: place)
                }
            }
            for read in [{ _ = try StoredDocument.nodes(bytes) }, { _ = try StoredDocument.attributes(bytes) }] {
                do { try read() } catch { #expect(error is StoredDocument.Damage) }
            }
        }
    }

    @Test(arguments: ["", "null", "[]", "{", "{}x", "{\"a\":[[]]}", "{\"a\":{\"@b\":[]}}"])
    func invalidDocumentIsDamage(text: String) {
        #expect(throws: StoredDocument.Damage.self) { try StoredDocument.nodes(Array(text.utf8)) }
    }

    @Test func excessiveNestingIsDamage() {
        let text = String(repeating: "{\"a\":[", count: 100_000)
        #expect(throws: StoredDocument.Damage.self) { try StoredDocument.nodes(Array(text.utf8)) }
    }

    @Test func attributesAndTextsRoundTripInOrder() throws {
        let attributes = [("type", "a"), ("@x", "b\"\\"), ("lang", "")].map { ContentAttribute(name: $0, value: $1) }
        expectEqual(
            String(decoding: StoredDocument.attributes(attributes), as: UTF8.self),
            #"{"<type":"a","<@x":"b\"\\","lang":""}"#)
        try expectEqual(StoredDocument.attributes(StoredDocument.attributes(attributes)), attributes)
        try expectEqual(StoredDocument.texts(StoredDocument.texts(["", "é", "\u{1}"])), ["", "é", "\u{1}"])
        try expectEqual(StoredDocument.texts(Array("[]".utf8)), [String]())
        expectEqual(StoredDocument.texts([String]()), Array("[]".utf8))
    }
}
