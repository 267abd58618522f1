import EPGJSON
import EPGLayout
import EPGRender
import Foundation
import TestSupport
import Testing

@testable import EPGModel

/// Tests of JSON output according to RFC 8259. Foundation's parser checks it.
@Suite struct JSONTests {
    private func json(_ value: some JSONValue, style: JSONWriter.Style = .compact) -> String {
        var writer = JSONWriter(style: style)
        writer.write(value)
        return writer.text
    }

    @Test(arguments: [
        ("plain", #""plain""#), ("\"\\/", #""\"\\/""#), ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
        ("\u{0}\u{1F}\u{7F}\u{9B}", #""\u0000\u001f\u007f\u009b""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
        ("\u{1B}[2J\u{202E}", #""\u001b[2J\u202e""#), ("晚间🌕", "\"晚间🌕\""), ("", "\"\""),
    ])
    func stringsAreEscaped(text: String, expected: String) throws {
        expectEqual(json(text), expected)
        let read = try JSONSerialization.jsonObject(with: Data(expected.utf8), options: .fragmentsAllowed)
        expectEqual(read as? String, text)
    }

    @Test(arguments: [
        (1500.0, "1500"), (0, "0"), (-0.0, "0"), (0.5, "0.5"), (-2.25, "-2.25"),
        (500.6666666666667, "500.6666666666667"),
        (1e300, "1e+300"), (.nan, "null"), (.infinity, "null"),
    ])
    func numbersHaveNoTrailingZeros(number: Double, expected: String) {
        expectEqual(json(number), expected)
    }

    @Test func nestedAndEmptyContainersAreWritten() throws {
        var writer = JSONWriter()
        writer.object { json in
            json.member(
                "a",
                array: { json in
                    json.write(1)
                    json.array { _ in }
                })
            json.member("b", object: { _ in })
            json.member("c", nil as String?)
            json.member("d", list: [Int]())
            json.member("e", [true, false])
        }
        expectEqual(writer.text, #"{"a":[1,[]],"b":{},"e":[true,false]}"#)
    }

    @Test func linesStyleBreaksOnlyOutermostContainer() {
        expectEqual(json([[1, 2], [3]], style: .lines), "[\n[1,2],\n[3]\n]")
        expectEqual(json([Int](), style: .lines), "[]")
    }

    @Test func textCanBeTakenInChunks() {
        var writer = JSONWriter()
        var bytes: [UInt8] = []
        writer.array { json in
            for number in 0..<3 {
                json.write(number)
                bytes += json.takeBytes()
            }
        }
        bytes += writer.takeBytes()
        expectEqual(String(decoding: bytes, as: UTF8.self), "[0,1,2]")
    }

    // MARK: - The guide

    private let range = TimeWindow(
        start: Instant(secondsSince1970: 1_774_744_200), end: Instant(secondsSince1970: 1_774_747_800))

    @Test func airingOmitsUnknownMembers() {
        let bare = Airing(id: AiringID(7), station: StationID("bbc"), window: range, title: "News")
        expectEqual(
            json(bare),
            """
            {"id":7,"station":"bbc","start":"2026-03-29T00:30:00Z","stop":"2026-03-29T01:30:00Z","title":"News",\
            "inferredStop":false}
            """)
    }

    @Test func airingMembersHaveStableOrder() {
        let full = Airing(
            id: AiringID(7), station: StationID("bbc"), window: range, clump: Clump(index: 1, count: 2),
            published: PublishedTimes(start: range.start, stop: nil), isStopInferred: true, title: "News",
            subtitle: "Late",
            description: "All of it.", categories: ["News", "Local"], episode: "S1 E13")
        expectEqual(
            json([full]),
            """
            [{"id":7,"station":"bbc","start":"2026-03-29T00:30:00Z","stop":"2026-03-29T01:30:00Z","title":"News",\
            "subtitle":"Late","description":"All of it.","categories":["News","Local"],"episode":"S1 E13",\
            "inferredStop":true,"clump":{"index":1,"count":2},"published":{"start":"2026-03-29T00:30:00Z"}}]
            """)
    }

    @Test func gridHasContentSizeWindowAndElements() throws {
        let metrics = try GuideMetrics(pointsPerHour: 800, rowHeight: 80, stationColumnWidth: 100, headerHeight: 40)
        let window = TimeWindow(start: range.start.advanced(by: 1800), end: range.end.advanced(by: 1800))
        let layout = try GuideLayout(metrics: metrics, window: window, rowCount: 1)
        let airing = Airing(id: AiringID(7), station: StationID("bbc"), window: range, title: "News")
        let row = RowSchedule(
            row: 0, stationName: "BBC", schedule: Schedule(station: StationID("bbc"), airings: [airing]))
        let viewport = try Viewport(x: 0, y: 0, width: 900, height: 120)
        let elements = layout.page(
            in: viewport, of: GuideContent(schedules: [row], coverage: layout.demand(of: viewport).window)
        ).elements.filter {
            $0.kind == .airing || $0.kind == .corner
        }
        // The window contains the airing from 01:00 to 01:30: 400 of the 800 points, after the column of 100.
        expectEqual(
            json(GridJSON(layout: layout, elements: elements)),
            """
            {"contentSize":{"width":900,"height":120},\
            "window":{"start":"2026-03-29T01:00:00Z","end":"2026-03-29T02:00:00Z"},"elements":[\
            {"kind":"airing","row":0,"station":"bbc","airing":7,"start":"2026-03-29T00:30:00Z",\
            "stop":"2026-03-29T01:30:00Z","shownStart":"2026-03-29T01:00:00Z","title":"News",\
            "frame":{"x":100,"y":40,"width":400,"height":80},"visibleStart":100,"visibleEnd":500,"zIndex":200,\
            "clippedStart":true,"clippedEnd":false,"textLines":4},\
            {"kind":"corner","frame":{"x":0,"y":0,"width":100,"height":40},"visibleStart":0,"visibleEnd":100,\
            "zIndex":500,"clippedStart":false,"clippedEnd":false,"textLines":2}]}
            """)
    }

    @Test func detailRoundTripsThroughFoundation() throws {
        var programme = Programme()
        programme.titles = [LocalizedText("Nachrichten", language: "de")]
        programme.credits = [Programme.Credit(role: "actor", name: "A \"B\" C", character: "Bo", isGuest: true)]
        programme.episodeNumbers = [EpisodeNumber(value: "0 . 12/13 . 0/3", system: "xmltv_ns")]
        programme.starRatings = [Programme.Rating(system: "imdb", value: "0 / 10")]
        programme.isNew = true
        programme.premiere = LocalizedText("")
        var deep = ContentElement(name: "x")
        for _ in 0..<2000 { deep = ContentElement(name: "x", children: [.element(deep)]) }
        programme.extras = [.text("loose"), .element(deep)]
        let airing = Airing(id: AiringID(7), station: StationID("bbc"), window: range, title: "News")
        let detail = AiringDetail(
            airing: airing, stationName: "BBC", programme: programme,
            transmission: [
                ContentAttribute(name: "catchup-id", value: "9"), ContentAttribute(name: "catchup-id", value: "10"),
            ], source: "main")
        let read = try #require(try JSONSerialization.jsonObject(with: Data(json(detail).utf8)) as? [String: Any])
        #expect(read["title"] as? String == "News" && read["source"] as? String == "main")
        expectEqual(read["transmission"] as? [String: String], ["catchup-id": "9"])
        let content = try #require(read["programme"] as? [String: Any])
        #expect((content["titles"] as? [[String: String]]) == [["text": "Nachrichten", "language": "de"]])
        #expect((content["premiere"] as? [String: String]) == ["text": ""])
        #expect(content["isNew"] as? Bool == true && content["video"] == nil)
        let episode = try #require((content["episodeNumbers"] as? [[String: Any]])?.first)
        #expect(episode["season"] as? Int == 1 && episode["episode"] as? Int == 13 && episode["parts"] as? Int == 3)
        expectEqual((content["extras"] as? [Any])?.first as? String, "loose")
    }

    @Test func nowAndNextWritesEmptyNowAndOmitsMissingNext() {
        let offAir = NowAndNext(row: 3, station: StationID("s"), stationName: "S", now: [], next: nil)
        expectEqual(json(offAir), #"{"row":3,"station":"s","stationName":"S","now":[]}"#)
    }
}
