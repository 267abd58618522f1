@testable import EPGStore
import EPGJSON
import EPGModel
import StoreConformance
import TestSupport
import Testing

/// The binary format of version 5, which the migration reads. The bytes are encoded by hand.
@Suite struct Version5Tests {
    private func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

    @Test func documentTreeIsDecoded() throws {
        // <title lang="de">(column)</title><icon src="i"/><x-mood v="1">T<new/></x-mood>
        let bytes: [UInt8] =
            [0x10, 0x80] + text("de") + [0x03, 0x00] + [0x1A, 0x81] + text("i") + [0x00] + [0x02] + text("x-mood") + [
                0x04
            ]
            + text("v") + text("1") + [0x01] + text("T") + [0x23, 0x00, 0x00]
        let nodes = try Version5Reader(bytes, columns: ["title": "Eins"]).nodes()
        expectEqual(
            nodes,
            [
                .element(
                    ContentElement(
                        name: "title", attributes: [.init(name: "lang", value: "de")], children: [.text("Eins")])),
                .element(ContentElement(name: "icon", attributes: [.init(name: "src", value: "i")])),
                .element(
                    ContentElement(
                        name: "x-mood", attributes: [.init(name: "v", value: "1")],
                        children: [.text("T"), .element(ContentElement(name: "new"))])),
            ])
    }

    @Test(
        arguments: [[0x10], [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0x01], [0x04], [0x00], [0x7F], [0xFF]] as [[UInt8]])
    func damagedDocumentIsReported(bytes: [UInt8]) {
        #expect(throws: StoredDocument.Damage.self) { try Version5Reader(bytes).nodes() }
        #expect(throws: StoredDocument.Damage.self) { try Version5Reader(bytes).attributes() }
    }

    @Test func excessiveNestingIsDamage() {
        #expect(throws: StoredDocument.Damage.self) {
            try Version5Reader([UInt8](repeating: 0x10, count: 100_000)).nodes()
        }
    }

    /// 1000 is zigzag 2000 = 0x7D0, LEB128 D0 0F; 60 is 3C; 300 is AC 02.
    @Test func changesAreDecoded() throws {
        let changes = try Version5Reader([
            0x00, 10, 0xD0, 0x0F, 0x3C,  // inserted 5 at 1000 for 60
            0x01, 3, 0xC7, 0x01, 0xAC, 0x02,  // removed 3 = 5 - 2, at 900 = 1000 - 100, for 300
            0x02, 8, 0x00, 0x3C, 0xC8, 0x01, 0x3C,  // moved 7 = 3 + 4, from 900 to 1000 = 900 + 100
            0x03, 2, 0x00, 0x3C, 0x00, 0xAC, 0x02,  // changed 8 = 7 + 1
        ]).changes()
        expectEqual(changes.map(\.kind), [.inserted, .removed, .moved, .changed])
        expectEqual(changes.map(\.id.rawValue), [5, 3, 7, 8])
        expectEqual(changes.map { $0.before?.start.secondsSince1970 }, [nil, 900, 900, 1000])
        expectEqual(changes.map { $0.before?.end.secondsSince1970 }, [nil, 1200, 960, 1060])
        expectEqual(changes.map { $0.after?.start.secondsSince1970 }, [1000, nil, 1000, 1000])
        expectEqual(changes.map { $0.after?.end.secondsSince1970 }, [1060, nil, 1060, 1300])
    }

    @Test(
        arguments: [
            [0x04, 2, 0, 1],  // an unknown kind
            [0x00], [0x00, 2], [0x00, 2, 4],  // truncated
            [0x00, 2, 0, 0],  // a window without length
            // more than 64 bits
            [0x00, 0x80], [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, 0, 1],
            [0x02, 2, 2, 1, 0, 1],  // moved to the same start
            [0x03, 2, 2, 1, 2, 1],  // changed, but with another start
            [0x00, 2, 2, 1, 0xFF],  // truncated in the second change
        ] as [[UInt8]])
    func damagedChangesAreReported(bytes: [UInt8]) {
        #expect(throws: StoredDocument.Damage.self) { try Version5Reader(bytes).changes() }
    }
}
