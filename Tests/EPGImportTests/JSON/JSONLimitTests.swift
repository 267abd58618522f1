import EPGJSON
import EPGImport
import Testing
import XMLTV

@Suite struct JSONLimitTests {
    private func limits(depth: Int = 8, bytes: Int = 100, values: Int = 10) -> JSONLimits {
        JSONLimits(depth: depth, recordBytes: bytes, recordValues: values)
    }

    private func read(_ text: String, _ limits: JSONLimits, chunk: Int = 8) throws(JSONError) {
        var scanner = JSONScanner(JSONReading.source(Array(text.utf8), chunk: chunk), limits: limits)
        _ = try scanner.nextDocument()
        _ = try scanner.readValue()
    }

    @Test func depthIsLimited() throws {
        let limits = limits(depth: 3, bytes: 1000, values: 1000)
        try read("[[[1]]]", limits)
        let error = #expect(throws: JSONError.self) { try read("[[[[1]]]]", limits) }
        #expect(error?.reason == .limit(.depth, 3))
        // 200,000 levels cost nothing, read or skipped.
        for character in ["[", "{\"a\":"] {
            let bytes = Array(String(repeating: character, count: 200_000).utf8)
            #expect(throws: JSONError.self) { try JSONReading.rewritten(bytes) }
            #expect(throws: JSONError.self) { try JSONReading.skips(bytes) }
        }
    }

    @Test func recordBytesAreLimited() throws {
        try read("[\"\(String(repeating: "a", count: 80))\"]", limits())
        let error = #expect(throws: JSONError.self) {
            try read("[\"\(String(repeating: "a", count: 200_000))\"]", limits())
        }
        #expect(error?.reason == .limit(.recordBytes, 100))
    }

    @Test func recordValuesAreLimited() throws {
        try read("[1,2,3,4,5,6,7,8,9]", limits(bytes: 1000))
        let error = #expect(throws: JSONError.self) { try read("[1,2,3,4,5,6,7,8,9,10]", limits(bytes: 1000)) }
        #expect(error?.reason == .limit(.recordValues, 10))
    }

    @Test func longKeyIsRefused() {
        let error = #expect(throws: JSONError.self) {
            var scanner = JSONScanner(
                JSONReading.source(Array("{\"\(String(repeating: "k", count: 200_000))\":1}".utf8)), limits: limits())
            _ = try scanner.nextDocument()
            try scanner.enterObject()
            _ = try scanner.nextKey()
        }
        #expect(error?.reason == .limit(.recordBytes, 100))
    }

    /// What is skipped may be of any size, and passes through a small window.
    @Test func skippedValueNeedsNoMemory() throws {
        var served = 0
        let source = ChunkSource {
            served += 1
            switch served {
            case 1: return Array("[\"".utf8)
            case 2...100: return [UInt8](repeating: UInt8(ascii: "x"), count: 60_000)
            case 101: return Array("\"] {\"end\": 1}".utf8)
            default: return nil
            }
        }
        var scanner = JSONScanner(source, limits: limits())
        _ = try scanner.nextDocument()
        try scanner.skipValue()
        #expect(try scanner.nextDocument())
        #expect(try scanner.readValue()["end"]?.integer == 1)
        #expect(scanner.heldBytes < 1 << 20)
    }

    @Test func failureOfTheSourceIsPassedOn() {
        struct Broken: ByteSource {
            func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
                throw .cutOff(format: "gzip")
            }
        }
        let error = #expect(throws: JSONError.self) {
            var scanner = JSONScanner(Broken())
            _ = try scanner.nextDocument()
        }
        #expect(error?.description == "it was cut off (gzip)")
        #expect(error?.isCutOff == true)
    }
}
