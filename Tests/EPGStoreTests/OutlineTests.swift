import EPGImport
import EPGModel
import EPGStore
import Testing

/// Outlines and briefs together say what schedules say.
@Suite struct OutlineTests {
    @Test(arguments: 0..<20) func theySayWhatSchedulesSayOfStationsWithSeveralSources(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scratch = try ScratchGuide()
        for feed in OverlayOracle.random(using: &generator) {
            try scratch.importing(
                feed.broadcasts.flatMap(\.elements), as: Source(name: feed.name, priority: feed.priority))
        }
        for _ in 0..<20 {
            let start = Day.instant("0:\(Int.random(in: -30...900, using: &generator))")
            try check(
                scratch.store, rows: 0..<3,
                during: TimeWindow(
                    start: start, end: start.advanced(by: 60 * Int64.random(in: 0...200, using: &generator))))
        }
    }

    @Test func theySayWhatSchedulesSayOfAClumpAndOfMarks() throws {
        let scratch = try ScratchGuide()
        try scratch.importing(
            text: """
                <tv><programme start="20260328200000 +0000" stop="20260328210000 +0000" channel="one" clumpidx="0/2">
                <title>A</title><sub-title>a</sub-title><category>News</category><new/></programme>
                <programme start="20260328200000 +0000" stop="20260328210000 +0000" channel="one" clumpidx="1/2">
                <title>B</title><live/></programme>
                <programme start="20260328210000 +0000" channel="two"><title>C</title></programme></tv>
                """)
        let day = TimeWindow(start: Day.instant("0:00"), end: Day.instant("23:59"))
        try check(scratch.store, rows: 0..<2, during: day)
        let outlines = try scratch.store.outlines(inRows: 0..<2, during: day)
        #expect(outlines.map(\.row) == [0, 1])
        #expect(outlines[0].airings.map(\.isInClump) == [true, true])
        #expect(outlines[1].airings.map(\.isStopInferred) == [true])
        let briefs = try scratch.store.briefs(ofProgrammes: outlines[0].airings.map(\.programme) + [999])
        #expect(briefs.map(\.title).sorted() == ["A", "B"])
        let first = try #require(briefs.first { $0.title == "A" })
        #expect(first.subtitle == "a" && first.category == "News" && first.marks == .new)
    }

    @Test func rowsAndWindowsWithNothingInThemAreEmpty() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        let empty = TimeWindow(start: Day.instant("20:30"), end: Day.instant("20:30"))
        #expect(try scratch.store.outlines(inRows: 5..<9, during: empty).isEmpty)
        #expect(try scratch.store.outlines(inRows: 0..<1, during: empty) == [RowOutline(row: 0, airings: [])])
        #expect(try scratch.store.briefs(ofProgrammes: []).isEmpty)
    }

    private func check(_ store: GuideStore, rows: Range<Int>, during window: TimeWindow) throws {
        let schedules = try store.schedules(inRows: rows, during: window)
        let outlines = try store.outlines(inRows: rows, during: window)
        let numbers = Set(outlines.flatMap(\.airings).map(\.programme))
        let briefs = Dictionary(
            uniqueKeysWithValues: try store.briefs(ofProgrammes: Array(numbers)).map { ($0.number, $0) })
        #expect(outlines.map(\.row) == schedules.map(\.row))
        for (outline, schedule) in zip(outlines, schedules) {
            #expect(outline.airings.count == schedule.schedule.airings.count)
            for (short, airing) in zip(outline.airings, schedule.schedule.airings) {
                let brief = try #require(briefs[short.programme])
                #expect(short.id == airing.id && short.window == airing.window)
                #expect(short.isInClump == (airing.clump != nil) && short.isStopInferred == airing.isStopInferred)
                #expect(brief.title == airing.title && brief.subtitle == airing.subtitle)
                #expect(brief.category == airing.categories.first && brief.marks == airing.marks)
            }
        }
    }
}
