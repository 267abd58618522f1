import EPGModel
import EPGRefresh
import EPGStore
import StoreConformance
import Synchronization
import TestSupport
import Testing

/// The import of a fetched guide reports progress and can be canceled.
@Suite struct FetchedGuideTests {
    /// The number of programmes in a guide of several megabytes, which is more than one read. Every 1024th is reported.
    private static let programmes = 13_000
    private static let guide = Day.guide(
        (0..<programmes).map { number in
            let title = "T\(number) " + String(repeating: "x", count: 100)
            return "s\(number % 500) \(number / 500):00-\(number / 500 + 1):00 \(title)"
        })

    private struct NoGuide: Error {}

    private func importGuide(
        _ text: String, into scratch: ScratchGuide,
        watch: @escaping @Sendable (ReadingProgress) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> ImportOutcome {
        let file = try TemporaryText(text)
        var fetched = FetchedGuide(
            source: Source(name: "feed"), path: file.path, state: SourceState(), minimumShare: nil, now: Day.now)
        fetched.watch = watch
        fetched.isCancelled = isCancelled
        let content = try withExtendedLifetime(file) { try fetched.importContent(into: try scratch.store) }
        guard case .guide(let outcome) = content else { throw NoGuide() }
        return outcome
    }

    @Test func progressIsReportedUntilEnd() throws {
        let scratch = try ScratchGuide()
        let steps = Mutex<[ReadingProgress]>([])
        let outcome = try importGuide(Self.guide, into: scratch) { step in steps.withLock { $0.append(step) } }
        expectEqual(outcome.report.programmesRead, Self.programmes)
        let reported = steps.withLock { $0 }
        #expect(reported.allSatisfy { $0.total == Self.guide.utf8.count })
        expectEqual(reported.last?.byteCount, Int64(Self.guide.utf8.count))
        expectEqual(reported.last?.programmes, Self.programmes)
        expectEqual(reported.last?.isRead, true)
        expectEqual(reported.map(\.byteCount), reported.map(\.byteCount).sorted())
        expectEqual(reported.map(\.programmes), reported.map(\.programmes).sorted())
        #expect(Set(reported.map(\.programmes)).count > 10, "the count grows while the guide is read")
    }

    /// The count also grows if the import writes nothing.
    @Test func unchangedGuideReportsProgress() throws {
        let scratch = try ScratchGuide()
        _ = try importGuide(Self.guide, into: scratch)
        let counts = Mutex<Set<Int>>([])
        _ = try importGuide(Self.guide, into: scratch) { step in counts.withLock { _ = $0.insert(step.programmes) } }
        #expect(counts.withLock { $0.count } > 10)
    }

    @Test func interruptedImportKeepsGuide() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 News"])
        let before = try GuideDump(path: scratch.path, tables: GuideDump.guideTables)
        let isCancelled = Atomic(false)
        #expect(throws: RefreshFailure.self) {
            try importGuide(Self.guide, into: scratch) { step in
                if step.programmes > 5000 { isCancelled.store(true, ordering: .relaxed) }
            } isCancelled: {
                isCancelled.load(ordering: .relaxed)
            }
        }
        try expectEqual(GuideDump(path: scratch.path, tables: GuideDump.guideTables), before)
        // The next import succeeds.
        try expectEqual(importGuide(Self.guide, into: scratch).report.programmesRead, Self.programmes)
    }
}
