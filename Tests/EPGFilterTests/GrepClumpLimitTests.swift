import EPGFilter
import EPGModel
import Testing
import XMLTV

/// What waits for the rest of a clump is bounded.
@Suite struct GrepClumpLimitTests {
    /// A guide that is made while it is read: a beginning, then a programme again and again, then an end.
    private struct LongGuide {
        var beginning: String
        var programme: (Int) -> String
        var count: Int
        var end = ""
    }

    private struct Outcome {
        var written = ""
        /// The most bytes that had been read and not yet written.
        var mostHeld = 0
    }

    private func grep(_ guide: LongGuide, _ arguments: [String]) throws -> Outcome {
        final class Box {
            var served = 0
            var read = 0
            var outcome = Outcome()
        }
        let box = Box()
        let source = ChunkSource {
            box.served += 1
            let piece: String? =
                switch box.served {
                case 1: "<tv>" + guide.beginning
                case 2...(guide.count + 1): guide.programme(box.served - 2)
                case guide.count + 2: guide.end + "</tv>"
                default: nil
                }
            box.read += piece?.utf8.count ?? 0
            box.outcome.mostHeld = max(box.outcome.mostHeld, box.read - box.outcome.written.utf8.count)
            return piece.map { Array($0.utf8) }
        }
        let expression = try GrepArguments(arguments, now: FilterRun.now).expression
        try GrepFilter(expression).run(
            [FilterSource(name: "long", source: source)], warn: { _ in },
            send: { box.outcome.written += String(decoding: $0, as: UTF8.self) })
        return box.outcome
    }

    private static let filler = String(repeating: "x", count: 10_000)

    private static func programme(_ title: String, start: Int, clump: String? = nil) -> String {
        let clump = clump.map { " clumpidx=\"\($0)\"" } ?? ""
        return """
            <programme start="20260329090000 +0000" stop="20260329100000 +0000" channel="c\(start)"\(clump)>\
            <title>\(title)</title></programme>
            """
    }

    /// 32 MB behind the first part of a clump that never becomes whole.
    @Test func whatStandsBehindAClumpThatNeverBecomesWholeIsWritten() throws {
        let guide = LongGuide(
            beginning: Self.programme("first", start: -1, clump: "0/2"),
            programme: { Self.programme("\($0) " + Self.filler, start: $0) }, count: 3200,
            end: Self.programme("last", start: -1, clump: "1/2"))
        let outcome = try grep(guide, ["--title", ""])
        #expect(outcome.mostHeld < 17 << 20)
        let titles = outcome.written.split(separator: "<title>").dropFirst().map {
            $0.prefix { $0 != " " && $0 != "<" }
        }
        #expect(titles.map(String.init) == ["first"] + (0..<3200).map { "\($0)" } + ["last"])
        #expect(outcome.written.contains("clumpidx=\"0/2\""))
    }

    /// As many clumps that never become whole as there are programmes.
    @Test func clumpsThatNeverBecomeWholeAreGivenUpInTurn() throws {
        let guide = LongGuide(
            beginning: "", programme: { Self.programme("\($0) " + Self.filler, start: $0, clump: "0/2") }, count: 3200)
        let outcome = try grep(guide, ["--title", ""])
        #expect(outcome.mostHeld < 17 << 20)
        let titles = outcome.written.split(separator: "<title>").dropFirst().map { $0.prefix { $0 != " " } }
        #expect(titles.map(String.init) == (0..<3200).map { "\($0)" })
    }

    /// Up to the limit, a clump is numbered anew however far its parts stand from each other.
    @Test func partsThatStandFarApartAreStillOneClump() throws {
        let guide = LongGuide(
            beginning: Self.programme("dropped", start: -1, clump: "0/3"),
            programme: { Self.programme("\($0) " + Self.filler, start: $0) }, count: 1000,
            end: Self.programme("b", start: -1, clump: "1/3") + Self.programme("c", start: -1, clump: "2/3"))
        let outcome = try grep(guide, ["--not", "--title", "dropped"])
        let clumps = outcome.written.split(separator: "clumpidx=").dropFirst().map { String($0.prefix(5)) }
        #expect(clumps == ["\"0/2\"", "\"1/2\""])
    }
}
