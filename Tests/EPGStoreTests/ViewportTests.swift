import EPGModel
import EPGStore
import Testing

/// The core question: what is on in some rows during a window.
@Suite struct ViewportTests {
    @Test func answersAreThoseOfAFilterOverEverything() throws {
        var generator = SeededGenerator(seed: 42)
        var records: [String] = []
        for station in 0..<6 {
            var minute = Int.random(in: 0...60, using: &generator)
            while minute < 40 * 60 {
                let end = minute + Int.random(in: 1...120, using: &generator)
                records.append(
                    "s\(station) \(minute / 60):\(minute % 60)-\(end / 60):\(end % 60) T\(records.count % 17)")
                minute = end + (Bool.random(using: &generator) ? 0 : Int.random(in: 0...90, using: &generator))
            }
        }
        let scratch = try ScratchGuide(records)
        let store = try scratch.store
        let all = try store.stations(inRows: 0..<6).map { row in
            try store.schedule(of: row.station.id, during: Day.allTime).airings
        }
        #expect(all.map(\.count).reduce(0, +) == records.count)
        for _ in 0..<300 {
            let start = Day.instant("0:\(Int.random(in: -60...2500, using: &generator))")
            let window = TimeWindow(
                start: start, end: start.advanced(by: Int64.random(in: 0...20_000, using: &generator)))
            let first = Int.random(in: 0...6, using: &generator)
            let rows = first..<Int.random(in: first...8, using: &generator)
            let answer = try store.schedules(inRows: rows, during: window)
            #expect(answer.map(\.row) == Array(rows.clamped(to: 0..<6)))
            for row in answer {
                let expected = all[row.row].filter { $0.window.overlaps(window) }
                #expect(row.schedule.airings.map(\.id) == expected.map(\.id))
                #expect(try store.schedule(of: row.schedule.station, during: window).airings == expected)
            }
        }
    }

    @Test func windowsAreHalfOpen() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A", "one 21:00-22:00 B"])
        func titles(_ window: String) throws -> [String] {
            try scratch.store.schedules(inRows: 0..<1, during: Day.window(window)).flatMap { $0.schedule.airings }
                .map(\.title)
        }
        #expect(try titles("20:00-21:00") == ["A"])
        #expect(try titles("21:00-22:00") == ["B"])
        #expect(try titles("20:59-21:01") == ["A", "B"])
        #expect(try titles("22:00-23:00") == [])
        #expect(try titles("19:00-20:00") == [])
        #expect(try titles("21:00-21:00") == [])
    }

    @Test func anAiringThatBeganLongBeforeIsThere() throws {
        let scratch = try ScratchGuide(["one 2:00-25:30 Marathon", "one 25:30-26:00 News"])
        let answer = try scratch.store.schedules(inRows: 0..<1, during: Day.window("25:00-25:10"))
        #expect(answer.first?.schedule.airings.map(\.title) == ["Marathon"])
    }

    @Test func stationsWithNothingOnHaveTheirRow() throws {
        let scratch = try ScratchGuide([
            "<channel id=\"none\"><display-name>None</display-name></channel>", "one 20:00-21:00 A",
        ])
        let answer = try scratch.store.schedules(inRows: 0..<10, during: Day.window("10:00-11:00"))
        #expect(answer.map(\.stationName) == ["None", "one"])
        #expect(answer.allSatisfy { $0.schedule.airings.isEmpty })
    }

    @Test func theEndsOfTimeAndAbsurdRowsAreQuestionsLikeOthers() throws {
        let scratch = try ScratchGuide(["one 20:00-21:00 A"])
        let ever = TimeWindow(start: Instant(secondsSince1970: .min), end: Instant(secondsSince1970: .max))
        #expect(try scratch.store.schedules(inRows: Int.min..<Int.max, during: ever).count == 1)
        #expect(try scratch.store.schedules(inRows: -5..<0, during: ever).isEmpty)
        #expect(try scratch.store.nowAndNext(at: ever.end, inRows: 0..<1).first?.now.isEmpty == true)
        #expect(try scratch.store.nowAndNext(at: ever.start, inRows: 0..<1).first?.next?.title == "A")
        #expect(try scratch.store.schedule(of: StationID("nobody"), during: ever).airings.isEmpty)
    }

    @Test(
        arguments: [
            ("19:59", [], "A"), ("20:00", ["A"], "B"), ("20:59", ["A"], "B"), ("21:00", ["B"], "C1"),
            ("21:30", [], "C1"),
            ("22:00", ["C1", "C2"], "D"), ("22:59", ["C1", "C2"], "D"), ("23:30", ["D"], nil), ("24:00", [], nil),
        ] as [(String, [String], String?)])
    func nowIsWhatIsOnAndNextWhatStartsLater(clock: String, now: [String], next: String?) throws {
        func clump(_ title: String, _ index: Int) -> String {
            "<programme start=\"20260328220000\" stop=\"20260328230000\" clumpidx=\"\(index)/2\" channel=\"one\">"
                + "<title>\(title)</title></programme>"
        }
        let scratch = try ScratchGuide([
            "one 20:00-21:00 A", "one 21:00-21:30 B", clump("C1", 0), clump("C2", 1), "one 23:00-24:00 D",
        ])
        let answer = try #require(try scratch.store.nowAndNext(at: Day.instant(clock), inRows: 0..<1).first)
        #expect(answer.now.map(\.title) == now)
        #expect(answer.next?.title == next)
    }

    @Test func aStationIsSuggestedByWhatItsNameLooksLike() throws {
        let scratch = try ScratchGuide([
            "<channel id=\"bbcone.test\"><display-name>Beeb One</display-name></channel>",
            "<channel id=\"itv.test\"><display-name>ITV</display-name></channel>",
        ])
        #expect(try scratch.store.stationSuggestions(for: "bbcnoe.test", limit: 3).first == StationID("bbcone.test"))
        #expect(try scratch.store.stationSuggestions(for: "ITB", limit: 1) == [StationID("itv.test")])
        #expect(try scratch.store.stationSuggestions(for: "completely different", limit: 3) == [])
        #expect(try scratch.store.stationSuggestions(for: "", limit: 0) == [])
    }
}
