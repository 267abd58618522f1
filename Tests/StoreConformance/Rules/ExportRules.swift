import EPGImport
import EPGModel
import TestSupport
import Testing

extension StoreRule {
    /// An export visits one consistent state of the guide in a fixed order.
    static let exports: [StoreRule] = [
        StoreRule("An export visits all stations in the order of their source, then their airings") { guide in
            try guide.importing(evening)
            let log = try ExportLog.of(guide)
            expectEqual(
                log.lines,
                [
                    "begin", "station two", "station one", "station three", "two 20:00-21:00? C (feed)",
                    "one 20:00-21:00 A (feed)", "one 21:00-22:00 B (feed)", "three 20:00-21:00 D (feed)", "end",
                ])
            expectEqual(log.nodes["three"], [])
            expectEqual(log.nodes["two"], [.element(ContentElement(name: "display-name", children: [.text("Two")]))])
        },
        StoreRule("An export can follow the order of rows") { guide in
            try guide.importing(evening)
            _ = try guide.saveLineup(Lineup("cable", ["three 1", "one 2"]))
            var selection = ExportSelection()
            selection.inRows = true
            selection.stations = { $0.id != StationID("two") }
            try expectEqual(
                ExportLog.of(guide, selection).lines,
                [
                    "begin", "station three", "station one", "three 20:00-21:00 D (feed)", "one 20:00-21:00 A (feed)",
                    "one 21:00-22:00 B (feed)", "end",
                ])
        },
        StoreRule("An export of a window contains complete airings that overlap it") { guide in
            try guide.importing(evening)
            for (window, expected) in [
                ("20:59-21:00", ["one 20:00-21:00 A", "two 20:00-21:00? C", "three 20:00-21:00 D"]),
                ("21:00-21:01", ["one 21:00-22:00 B"]), ("20:30-20:30", []), ("22:00-23:00", []),
            ] as [(String, [String])] {
                var selection = ExportSelection()
                selection.window = Day.window(window)
                let lines = try ExportLog.of(guide, selection).lines
                expectEqual(
                    lines.filter { $0.contains("(feed)") }.sorted(), expected.map { $0 + " (feed)" }.sorted())
            }
        },
        StoreRule("An export preserves the contents of the feed") { guide in
            let text = """
                <tv generator-info-name="g" x="1">
                <programme start="20260328200000 +0000" stop="20260328210000 +0000" showview="12" channel="one">
                <title lang="de">T</title><desc>D</desc><wild a="1">w<inner/></wild><sub-title>S</sub-title></programme>
                </tv>
                """
            try guide.importing(text: text)
            let log = try ExportLog.of(guide)
            expectEqual(
                log.header,
                [
                    ContentAttribute(name: "generator-info-name", value: "g"), ContentAttribute(name: "x", value: "1"),
                ])
            let airing = try #require(log.airings.first)
            expectEqual(airing.transmission, [ContentAttribute(name: "showview", value: "12")])
            expectEqual(
                Set(airing.nodes),
                [
                    .element(
                        ContentElement(
                            name: "title", attributes: [ContentAttribute(name: "lang", value: "de")],
                            children: [.text("T")]
                        )),
                    .element(ContentElement(name: "desc", children: [.text("D")])),
                    .element(ContentElement(name: "sub-title", children: [.text("S")])),
                    .element(
                        ContentElement(
                            name: "wild", attributes: [ContentAttribute(name: "a", value: "1")],
                            children: [.text("w"), .element(ContentElement(name: "inner"))])),
                ])
        },
        StoreRule("An export contains either the shown airings or all airings of one source") { guide in
            try guide.importing(
                ["one 19:30-20:30 Cut", "one 20:30-21:00 Hidden", "four 20:00-21:00 F"], as: Source(name: "o"))
            try guide.importing(["one 20:00-21:00 B", "two 20:00-21:00 T"], as: Source(name: "best", priority: 1))
            let shown = try ExportLog.of(guide)
            expectEqual(
                shown.lines,
                [
                    "begin", "station one", "station four", "station two", "one 19:30-20:00 Cut (o)",
                    "one 20:00-21:00 B (best)", "four 20:00-21:00 F (o)", "two 20:00-21:00 T (best)", "end",
                ])
            expectEqual(
                shown.airings[0].published,
                PublishedTimes(start: Day.instant("19:30"), stop: Day.instant("20:30")))
            expectEqual(shown.header, [])
            var selection = ExportSelection()
            selection.source = "o"
            let all = try ExportLog.of(guide, selection)
            expectEqual(
                all.lines,
                [
                    "begin", "station one", "station four", "one 19:30-20:30 Cut (o)", "one 20:30-21:00 Hidden (o)",
                    "four 20:00-21:00 F (o)", "end",
                ])
            #expect(all.airings.allSatisfy { $0.published == nil })
            // The other source describes `one`, but this source has airings of it.
            selection.source = "best"
            try expectEqual(ExportLog.of(guide, selection).lines.prefix(3), ["begin", "station one", "station two"])
        },
        StoreRule("An export preserves the order of a clump") { guide in
            func part(_ index: Int) -> String {
                "<programme start=\"20260328200000\" stop=\"20260328210000\" clumpidx=\"\(index)/2\" channel=\"one\">"
                    + "<title>P\(index)</title></programme>"
            }
            try guide.importing([part(1), part(0)])
            let log = try ExportLog.of(guide)
            expectEqual(log.airings.map(\.clump), [Clump(index: 0, count: 2), Clump(index: 1, count: 2)])
        },
        StoreRule("An export of a missing source is an error") { guide in
            try guide.importing(evening)
            var selection = ExportSelection()
            selection.source = "nobody"
            #expect(throws: UnknownSource(name: "nobody")) { try ExportLog.of(guide, selection) }
        },
        StoreRule("An export rethrows errors of the visitor") { guide in
            try guide.importing(evening)
            var log = ExportLog(stops: true)
            #expect(throws: ExportLog.Stop()) { try guide.export(ExportSelection(), to: &log) }
            try expectEqual(ExportLog.of(guide).airings.count, 4)
            try expectEqual(guide.importing(evening).changedGuide, false)
        },
    ]
}

private let evening = [
    "<channel id=\"two\"><display-name>Two</display-name></channel><channel id=\"one\"/>", "one 21:00-22:00 B",
    "one 20:00-21:00 A", "two 20:00-? C", "three 20:00-21:00 D",
]
