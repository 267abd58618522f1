import Testing
import XMLTV

@Suite(.serialized) struct MemoryTests {
    /// A guide of any length is read in the memory of one record.
    @Test func memoryDoesNotGrowWithTheGuide() throws {
        let title = String(repeating: "t", count: 900)
        let record = Array("<programme channel='a'><title>\(title)</title></programme>\n".utf8)
        let chunk = [[UInt8]](repeating: record, count: 64).flatMap { $0 }
        let wanted = TestRun.isDebug ? 200 : 4000
        var served = -1
        let source = ChunkSource {
            served += 1
            if served == 0 { return Array("<tv>".utf8) }
            return served <= wanted ? chunk : served == wanted + 1 ? Array("</tv>".utf8) : nil
        }
        var scanner = XMLScanner(source)
        var children = 0
        var largest = 0
        while let piece = try scanner.next() {
            guard piece == .child else { continue }
            children += 1
            largest = max(largest, scanner.bytes.capacity)
        }
        #expect(children == wanted * 64)
        // The window holds what one read brings and nothing of what is done with.
        #expect(largest < 1 << 20)
    }

    @Test func windowGrowsOnlyToTheLargestRecord() throws {
        let text = String(repeating: "x", count: 1 << 20)
        let children = String(repeating: "<a><b>\(text)</b></a>", count: 4)
        var scanner = XMLScanner(ChunkSource(Array("<tv>\(children)</tv>".utf8)) { 10_000 })
        var largest = 0
        while try scanner.next() != nil { largest = max(largest, scanner.bytes.capacity) }
        #expect(largest < 5 << 20)
    }
}
