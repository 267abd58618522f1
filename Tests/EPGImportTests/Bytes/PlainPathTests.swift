import EPGImport
import Testing
import XMLTV

@Suite struct PlainPathTests {
    @Test func plainBytesComeAsTheyAre() {
        for count in [0, 1, 2, 3, 5, 100, 4095, 4096, 4097, 20_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 + 60) }
            var source = UnpackedSource(ChunkSource(bytes))
            #expect(source.layers().isEmpty)
            let result = Outpouring(source)
            #expect(result.fault == nil && result.bytes == bytes)
        }
    }

    /// Behind the first 4 KiB each call goes to the source below as it is, and nothing is copied on the way.
    @Test func readsGoStraightToTheSourceBelow() throws {
        let calls = Calls()
        var source = UnpackedSource(RecordingSource(calls: calls))
        var room = [UInt8](repeating: 0, count: 300_000)
        #expect(try source.read(into: &room, at: 10, upTo: 200_000) == 4096)
        #expect(calls.made == [.init(offset: 0, count: 4096)])
        #expect(try source.read(into: &room, at: 77, upTo: 200_000) == 200_000)
        #expect(try source.read(into: &room, at: 1, upTo: 3) == 3)
        #expect(calls.made.dropFirst() == [.init(offset: 77, count: 200_000), .init(offset: 1, count: 3)])
        #expect(room[10] == UInt8(ascii: "<") && room[77 + 199_999] == UInt8(ascii: "<"))
    }

    @Test func whatIsReadBeforeAFaultComesFirst() {
        let fault = ByteFault.cutOff(format: "test")
        let result = Outpouring(UnpackedSource(FailingSource(bytes: Array("<tv>".utf8), fault: fault)))
        #expect(result.bytes == Array("<tv>".utf8))
        #expect(result.fault == fault)
    }

    @Test func aPeekChangesNothing() throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        var source = PeekedSource(ChunkSource(bytes))
        #expect(try source.peek(10) == bytes[0..<10])
        #expect(try Array(source.peek(100_000)) == Array(bytes[0..<4096]))
        #expect(try source.peek(0).isEmpty)
        var room = [UInt8](repeating: 0, count: 3)
        #expect(try source.read(into: &room, at: 0, upTo: 3) == 3)
        #expect(try Array(source.peek(5)) == Array(bytes[3..<8]))
        #expect(try Array(source.peek()) == Array(bytes[3..<4099]))
        #expect(room + Outpouring(source).bytes == bytes)
    }

    @Test func aPeekAtAShortSourceGivesWhatThereIs() throws {
        var source = PeekedSource(ChunkSource([1, 2]))
        #expect(try source.peek() == [1, 2])
        #expect(Outpouring(source).bytes == [1, 2])
    }

    @Test func aPeekAtAFaultThrowsItAndSoDoesReading() {
        let fault = ByteFault.cutOff(format: "test")
        var source = PeekedSource(FailingSource(bytes: [], fault: fault))
        #expect(throws: fault) { try source.peek() }
        #expect(Outpouring(source).fault == fault)
    }
}

private final class Calls {
    struct Call: Hashable {
        let offset: Int
        let count: Int
    }
    var made: [Call] = []
}

/// Gives as many `<` as are asked for, and remembers the calls.
private struct RecordingSource: ByteSource {
    let calls: Calls

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        calls.made.append(.init(offset: offset, count: count))
        for place in offset..<offset + count { buffer[place] = UInt8(ascii: "<") }
        return count
    }
}

/// Gives some bytes, and then a fault.
private struct FailingSource: ByteSource {
    var bytes: [UInt8]
    let fault: ByteFault

    mutating func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
        if bytes.isEmpty { throw fault }
        buffer[offset] = bytes.removeFirst()
        return 1
    }
}
