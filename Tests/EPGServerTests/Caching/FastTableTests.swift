import EPGCalendar
import EPGModel
import NIOCore
import Testing

@testable import EPGServer

@Suite struct FastTableTests {
    private let now = Instant(secondsSince1970: 600)

    private func answer(bytes count: Int = 10) throws -> ReadyAnswer {
        let request = try RequestReader(query: nil, captures: [:], clock: now, defaultZone: .utc, host: nil)
        let question = try Question(path: "/x", request, freshness: .live) { _ in Document(.plain, text: "") }
        let cached = CachedAnswer(
            Document(.plain, ByteBuffer(repeating: 7, count: count)), of: question,
            at: GuideVersion(generation: Generation(1), nonce: 7, since: nil))
        return ReadyAnswer(cached.plain, figures: RequestMetrics.Figures(route: "/x"))
    }

    /// Each address can be written in many ways, and each way is a target of its own.
    @Test func itNeverHoldsMoreThanItHasRoomFor() throws {
        let table = FastTable(capacity: 1_000_000)
        let answer = try answer(bytes: 100_000)
        for number in 0..<100 {
            table.insert(answer, for: "/x?\(number)", acceptsGzip: false, epoch: 1, minute: nil)
            #expect(table.size <= 1_000_000)
            #expect(table.answer(for: "/x?\(number)", acceptsGzip: false, epoch: 1, now: now) != nil)
        }
        table.insert(try self.answer(bytes: 200_000), for: "/large", acceptsGzip: false, epoch: 1, minute: nil)
        #expect(table.answer(for: "/large", acceptsGzip: false, epoch: 1, now: now) == nil)
    }

    @Test func whatIsPutInAgainCountsOnce() throws {
        let table = FastTable(capacity: 1_000_000)
        let answer = try answer(bytes: 1000)
        table.insert(answer, for: "/x", acceptsGzip: true, epoch: 1, minute: nil)
        let size = table.size
        for _ in 0..<1000 { table.insert(answer, for: "/x", acceptsGzip: true, epoch: 1, minute: nil) }
        #expect(table.size == size)
    }

    @Test func aNewEpochLetsAllAnswersGoAndAnOldOneBringsNone() throws {
        let table = FastTable()
        table.insert(try answer(), for: "/old", acceptsGzip: false, epoch: 1, minute: nil)
        table.insert(try answer(), for: "/new", acceptsGzip: false, epoch: 2, minute: nil)
        let size = table.size
        table.insert(try answer(), for: "/late", acceptsGzip: false, epoch: 1, minute: nil)
        #expect(table.size == size)
        for target in ["/old", "/late"] {
            for epoch in [1, 2] as [UInt64] {
                #expect(table.answer(for: target, acceptsGzip: false, epoch: epoch, now: now) == nil)
            }
        }
        #expect(table.answer(for: "/new", acceptsGzip: false, epoch: 2, now: now) != nil)
        #expect(table.answer(for: "/new", acceptsGzip: true, epoch: 2, now: now) == nil)
    }

    @Test func anAnswerOfAMinuteIsGoodForThatMinute() throws {
        let table = FastTable()
        table.insert(try answer(), for: "/x", acceptsGzip: false, epoch: 1, minute: 10)
        for (second, isGood) in [(599, false), (600, true), (659, true), (660, false)] {
            let now = Instant(secondsSince1970: Int64(second))
            #expect((table.answer(for: "/x", acceptsGzip: false, epoch: 1, now: now) != nil) == isGood)
        }
    }
}
