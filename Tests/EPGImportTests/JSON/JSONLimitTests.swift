import EPGImport
import EPGJSON
import EPGModel
import TestSupport
import Testing
import XMLTV

@Suite struct JSONLimitTests {
    private static func limits(depth: Int = 8, bytes: Int = 100, values: Int = 10) -> JSONLimits {
        JSONLimits(depth: depth, recordBytes: bytes, recordValues: values)
    }

    private func read(_ text: String, _ limits: JSONLimits, chunk: Int = 8) throws(JSONError) {
        var scanner = JSONScanner(JSONReading.source(Array(text.utf8), chunk: chunk), limits: limits)
        _ = try scanner.nextDocument()
        _ = try scanner.readValue()
    }

    /// A document within limits, one that exceeds them, the limits, and the reason.
    private static let rows: [(intact: String, large: String, limits: JSONLimits, reason: JSONError.Reason)] = [
        ("[[[1]]]", "[[[[1]]]]", limits(depth: 3, bytes: 1000, values: 1000), .limit(.depth, 3)),
        (
            "[\"\(String(repeating: "a", count: 80))\"]", "[\"\(String(repeating: "a", count: 200_000))\"]", limits(),
            .limit(.recordBytes, 100)
        ),
        (
            "[1,2,3,4,5,6,7,8,9]", "[1,2,3,4,5,6,7,8,9,10]", limits(bytes: 1000), .limit(.recordValues, 10)
        ),
    ]

    @Test(arguments: rows.indices)
    func depthBytesAndValuesOfARecordAreLimited(_ index: Int) throws {
        let row = Self.rows[index]
        try read(row.intact, row.limits)
        let error = expectThrows(JSONError.self) { try read(row.large, row.limits) }
        expectEqual(error?.reason, row.reason)
    }

    /// 200,000 levels are rejected early, whether they are read or skipped.
    @Test(arguments: ["[", "{\"a\":"]) func deepDocumentIsRejected(_ level: String) {
        let bytes = Array(String(repeating: level, count: 200_000).utf8)
        expectThrows(JSONError.self) { try JSONReading.rewritten(bytes) }
        expectThrows(JSONError.self) { try JSONReading.skips(bytes) }
    }

    @Test func longKeyIsRejected() {
        let error = expectThrows(JSONError.self) {
            var scanner = JSONScanner(
                JSONReading.source(Array("{\"\(String(repeating: "k", count: 200_000))\":1}".utf8)),
                limits: Self.limits())
            _ = try scanner.nextDocument()
            try scanner.enterObject()
            _ = try scanner.nextKey()
        }
        expectEqual(error?.reason, .limit(.recordBytes, 100))
    }

    /// A skipped value may have any size, because it passes through a small window.
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
        var scanner = JSONScanner(source, limits: Self.limits())
        _ = try scanner.nextDocument()
        try scanner.skipValue()
        try expectEqual(scanner.nextDocument(), true)
        try expectEqual(scanner.readValue()["end"]?.integer, 1)
        #expect(scanner.heldBytes < 1 << 20)
    }

    @Test func failureOfSourceIsRethrown() {
        struct Broken: ByteSource {
            func read(into buffer: inout [UInt8], at offset: Int, upTo count: Int) throws(ByteFault) -> Int {
                throw .truncated(format: "gzip")
            }
        }
        let error = expectThrows(JSONError.self) {
            var scanner = JSONScanner(Broken())
            _ = try scanner.nextDocument()
        }
        expectEqual(error?.description, "truncated data (gzip)")
        expectEqual(error?.isTruncated, true)
    }
}

/// Tests that guides of any size need little memory. Reads 300 MB in a release build. In a debug build, the guides are only a
/// few times as large as the memory.
@Suite(.serialized) struct JSONMemoryTests {
    private static let bytes = !isDebug ? 300_000_000 : TestScope.current >= .integration ? 6_000_000 : 3_000_000

    private static var isDebug: Bool {
        var isDebug = false
        assert(
            {
                isDebug = true; return true
            }())
        return isDebug
    }

    /// Returns a source that repeats a piece between a head and a tail.
    private func source(_ beginning: String, _ piece: String, times: Int, _ end: String) -> ChunkSource {
        let piece = Array(piece.utf8)
        var served = -1
        return ChunkSource {
            served += 1
            if served == 0 { return Array(beginning.utf8) }
            return served <= times ? piece : served == times + 1 ? Array(end.utf8) : nil
        }
    }

    @Test(arguments: ["", "["])
    func epgJSONIsReadRecordByRecord(_ beginning: String) throws {
        let text = String(repeating: "x", count: 900)
        let line =
            "{\"type\":\"airing\",\"station\":\"a\",\"start\":\"2026-03-29T00:30:00Z\",\"programme\":{\"title\":[\"\(text)\"]}}"
        let isArray = !beginning.isEmpty
        let piece = isArray ? "\(line),\n" : "\(line)\n"
        let times = Self.bytes / piece.utf8.count
        var reader = GuideJSONReader(source(beginning, piece, times: times, isArray ? "\(line)]" : ""))
        var count = 0
        var largest = 0
        while try reader.next() != nil {
            count += 1
            largest = max(largest, reader.heldBytes + reader.windowBytes)
        }
        expectEqual(count, times + (isArray ? 1 : 0))
        #expect(largest < 1 << 20)
    }

    /// Returns an element of a schedules array: one day of a station.
    private func schedule() -> (text: String, airings: Int) {
        let airings = (0..<100).map { number in
            #"{"programID": "EP\#(number)", "airDateTime": "2026-10-25T18:00:00Z", "duration": 60, "md5": "MzrdD5vip8T8AxftXoPsMg"}"#
        }
        return ("{\"stationID\": \"1\", \"programs\": [\(airings.joined(separator: ","))]},\n", airings.count)
    }

    @Test func schedulesAreReadStationByStation() throws {
        let piece = schedule()
        let times = Self.bytes / piece.text.utf8.count
        let programs = (0..<100).map { "{\"programID\": \"EP\($0)\", \"titles\": [{\"title120\": \"T\"}]}" }
        var reader = GuideJSONReader(sources: [
            ("schedules", source("[", piece.text, times: times, "null]")),
            ("programs", source("[", "", times: 0, programs.joined(separator: ",") + "]")),
        ])
        var count = 0
        var largest = 0
        while let record = try reader.next() {
            if case .airing(let airing) = record, airing.nodes.count == 2 { count += 1 }
            largest = max(largest, reader.heldBytes + reader.windowBytes)
        }
        expectEqual(count, times * piece.airings)
        #expect(largest < 2 << 20)
    }

    /// If a single file has the programs last, each airing that waits for its program needs a few dozen bytes.
    @Test func waitingAiringsNeedLittleMemory() throws {
        let piece = schedule()
        let times = (Self.isDebug ? 600_000 : Self.bytes / 10) / piece.text.utf8.count
        let end = "null], \"programs\": [{\"programID\": \"EP7\", \"titles\": [{\"title120\": \"T\"}]}]}"
        var reader = GuideJSONReader(source("{\"schedules\": [", piece.text, times: times, end))
        var count = 0
        var titled = 0
        var largest = 0
        while let record = try reader.next() {
            largest = max(largest, reader.heldBytes + reader.windowBytes)
            guard case .airing(let airing) = record else { continue }
            count += 1
            if airing.nodes.count == 2 { titled += 1 }
        }
        expectEqual(count, times * piece.airings)
        expectEqual(titled, times)
        #expect(largest < 1 << 20 + count * 64)
    }
}
