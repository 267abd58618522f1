import Foundation
import TestSupport
import Testing

/// Tests of the columns form of `/api/v1/grid`, against the documented members and the elements form.
@Suite struct GridColumnsTests {
    private let guide: APIGuide

    init() throws { guide = try SharedGuides.sample.get() }

    /// A cell in either form.
    private struct Cell: Hashable {
        var row: Int
        var id: Int
        var start: Int
        var stop: Int
        var x: Double
        var width: Double
        var title: String
        var subtitle: String
        var isStartClipped: Bool
        var isEndClipped: Bool
    }

    @Test(arguments: [
        "", "&rows=1,4-9", "&cluster=45", "&pointsPerHour=37.77&scale=1.5", "&pointsPerHour=37.77&cluster=80",
        "&x=333&width=250&y=100&height=180", "&rows=1-8&lang=en,zh", "&x=5000&width=10", "&stations=1&direction=ltr",
    ])
    func columnsHaveTheSameCellsAsElements(parameters: String) async throws {
        let window = "from=2026-10-24T16:45:00Z&hours=9&stationWidth=0&headerHeight=0" + parameters
        let elements = try await guide.get("/api/v1/grid?" + window).json["elements"].list.compactMap(cell)
        let columns = try await guide.get("/api/v1/grid?form=columns&" + window).json
        let cells = self.cells(columns)
        expectEqual(Set(cells), Set(elements))
        expectEqual(cells.count, elements.count)
        #expect(!parameters.isEmpty || cells.count > 60)
        // Cells are sorted by row, then by time.
        expectEqual(
            cells.map { [$0.row, $0.start] },
            cells.map { [$0.row, $0.start] }.sorted { $0.lexicographicallyPrecedes($1) })
        for key in ["genre", "flags"] { expectEqual(columns["cells"][key].list.count, cells.count) }
    }

    /// By the genres and flags of the cells in the same window.
    @Test(arguments: ["news", "film", "sport", nil])
    func rowsHaveAnAiringOfTheGenre(genre: String?) async throws {
        let window = "from=2026-10-24T18:00:00Z&to=2026-10-25T18:00:00Z"
        let columns = try await guide.get(
            "/api/v1/grid?form=columns&stationWidth=0&headerHeight=0&pointsPerHour=960&" + window
        ).json
        let cells = columns["cells"]
        let number = try genre.map { name in
            try #require(columns["genres"].list.firstIndex { $0.text == name })
        }
        for isNew in [false, true] where genre != nil || isNew {
            var expected: Set<Int> = []
            for (index, flags) in cells["flags"].integers.enumerated() where cells["id"].integers[index] > 0 {
                // Bits 3 and 4 mark new airings and premieres.
                guard number == nil || cells["genre"].integers[index] == number, !isNew || flags & 24 != 0 else {
                    continue
                }
                expected.insert(columns["rows"].integers[cells["row"].integers[index]])
            }
            let query = window + (genre.map { "&genre=\($0)" } ?? "") + (isNew ? "&new=1" : "")
            expectEqual(try await guide.get("/api/v1/rows?" + query).json["rows"].integers, expected.sorted())
            #expect(!expected.isEmpty || genre != nil)
        }
    }

    /// The cell of an element; `nil` for other elements.
    private func cell(_ element: Loose) -> Cell? {
        guard let kind = element["kind"].text, ["airing", "gap", "cluster"].contains(kind) else { return nil }
        return Cell(
            row: element["row"].integer ?? -1, id: element["airing"].integer ?? -element["members"].list.count,
            start: seconds(element["start"]), stop: seconds(element["stop"]),
            x: element["frame"]["x"].number ?? .nan, width: element["frame"]["width"].number ?? .nan,
            title: element["title"].text ?? "", subtitle: element["subtitle"].text ?? "",
            isStartClipped: element["clippedStart"].flag ?? false, isEndClipped: element["clippedEnd"].flag ?? false)
    }

    private func cells(_ columns: Loose) -> [Cell] {
        let (rows, cells) = (columns["rows"].integers, columns["cells"])
        return cells["id"].integers.indices.map { index in
            let flags = cells["flags"][index].integer ?? 0
            return Cell(
                row: rows[cells["row"][index].integer ?? 0], id: cells["id"][index].integer ?? -1,
                start: cells["start"][index].integer ?? 0, stop: cells["stop"][index].integer ?? 0,
                x: cells["x"][index].number ?? .nan, width: cells["w"][index].number ?? .nan,
                title: cells["title"][index].text ?? "-", subtitle: cells["sub"][index].text ?? "-",
                isStartClipped: flags & 1 != 0, isEndClipped: flags & 2 != 0)
        }
    }

    private func seconds(_ time: Loose) -> Int {
        Int((ISO8601DateFormatter().date(from: time.text ?? "")?.timeIntervalSince1970) ?? -1)
    }

    @Test func columnsHaveTheDocumentedMembers() async throws {
        let response = try await guide.get(
            "/api/v1/grid?form=columns&from=1792864800&to=1792872000&rows=0-1&stations=1&origin=1792800000"
        ).json
        expectEqual(response.keys, ["from", "to", "rows", "cells", "genres", "stations"])
        expectEqual([response["from"].integer, response["to"].integer], [1_792_864_800, 1_792_872_000])
        expectEqual(
            response["genres"].texts,
            ["", "news", "sport", "children", "documentary", "music", "film", "series", "entertainment"])
        // sample-data/evening.m3u and evening.xml.
        expectEqual(
            ["id", "name", "number"].map { response["stations"][0][$0].text },
            ["harbour-one.example", "Harbour One", "1"])
        expectEqual(response["stations"][1]["icon"].text, "https://images.example.com/logo/harbour-two.png")
        // The Ferry Choir, 18:15Z to 19:15Z, starts 18.25 hours of 240 points after the origin, which is midnight UTC.
        let cells = response["cells"]
        let index = try #require(cells["title"].texts.firstIndex(of: "The Ferry Choir"))
        // The flag 16 is <premiere/>.
        expectEqual(
            ["start", "stop", "x", "w", "genre", "flags"].map { cells[$0][index].number },
            [1_792_865_700, 1_792_869_300, 4380, 240, 5, 16])
        expectEqual(cells["sub"][index].text, "Boarding")
    }

    @Test func tilesWithTheSameOriginAdjoin() async throws {
        var ends: [Int: Double] = [:]
        for tile in 0..<6 {
            let start = 1_792_800_000 + tile * 14_400
            let response = try await guide.get(
                "/api/v1/grid?form=columns&from=\(start)&to=\(start + 14_400)&origin=1792800000&pointsPerHour=133.37&rows=0-15"
            ).json
            let cells = response["cells"]
            for row in 0..<16 {
                let indices = cells["row"].integers.indices.filter { cells["row"][$0].integer == row }
                var x = ends[row] ?? 0
                for index in indices {
                    expectEqual(cells["x"][index].number, x, "tile \(tile), row \(row)")
                    x = (cells["x"][index].number ?? 0) + (cells["w"][index].number ?? 0)
                }
                ends[row] = x
            }
        }
        // 24 hours of 133.37 points: 3200.88.
        expectEqual(Set(ends.values), [3201])
    }

    @Test func flagsAreBitMasks() async throws {
        let flagged = try APIGuide(
            "<programme start=\"20261024160000 +0000\" stop=\"20261024190000 +0000\" channel=\"a\"><title>Cut</title><new/></programme>",
            "<programme start=\"20261024190000 +0000\" stop=\"20261024193000 +0000\" channel=\"a\"><title>All</title><premiere>Ever</premiere><new/><live/></programme>",
            "<programme start=\"20261024193000 +0000\" stop=\"20261024200000 +0000\" channel=\"a\" clumpidx=\"0/2\"><title>One</title></programme>",
            "<programme start=\"20261024193000 +0000\" stop=\"20261024200000 +0000\" channel=\"a\" clumpidx=\"1/2\"><title>Two</title></programme>",
            "<programme start=\"20261024200000 +0000\" channel=\"a\"><title>Open</title></programme>",
            "<programme start=\"20261024203000 +0000\" stop=\"20261024230000 +0000\" channel=\"a\"><title>Late</title><credits><actor>Live<new/></actor></credits></programme>"
        )
        let response = try await flagged.get("/api/v1/grid?form=columns&from=1792864800&hours=3").json
        let cells = response["cells"]
        expectEqual(cells["title"].texts, ["Cut", "All", "One", "Two", "Open", "Late"])
        expectEqual(cells["flags"].integers, [1 + 8, 8 + 16 + 32, 64, 64, 4, 2])
        // The members of a clump share its half hour, which is 120 points wide.
        expectEqual(cells["x"].numbers, [0, 240, 360, 420, 480, 600])
        expectEqual(cells["start"][3].integer, cells["start"][2].integer)
        expectEqual(
            ["cell", "start", "stop"].map { response["shares"][$0].integers },
            [[2, 3], [1_792_870_200, 1_792_871_100], [1_792_871_100, 1_792_872_000]])
    }

    /// Three airings share 56,320 seconds from 12:47:06. The second takes 18,773 of them, from 17:59:59 on; the grid ends at 18:01.
    @Test func sharesAreExactAndClippedToTheWindow() async throws {
        let shared = try APIGuide(
            (0..<3).map {
                "<programme start=\"20260329124706 +0000\" stop=\"20260330042546 +0000\" channel=\"a\" clumpidx=\"\($0)/3\"><title>\($0)</title></programme>"
            }.joined())
        let shares = try await shared.get("/api/v1/grid?form=columns&from=1774785600&to=1774807260").json["shares"]
        expectEqual(
            ["cell", "start", "stop"].map { shares[$0].integers },
            [[1, 2], [1_774_788_426, 1_774_807_199], [1_774_807_199, 1_774_807_260]])
    }

    @Test func gapsHaveIdentifierZeroAndClustersNegativeCounts() async throws {
        let sparse = try APIGuide(
            "<programme start=\"20261024190000 +0000\" stop=\"20261024190500 +0000\" channel=\"a\"><title>A</title></programme>",
            "<programme start=\"20261024190500 +0000\" stop=\"20261024191000 +0000\" channel=\"a\"><title>B</title></programme>"
        )
        let cells = try await sparse.get("/api/v1/grid?form=columns&from=1792864800&hours=3&cluster=40").json["cells"]
        expectEqual(cells["id"].integers, [0, -2, 0])
        expectEqual(cells["start"].integers, [1_792_864_800, 1_792_868_400, 1_792_869_000])
        expectEqual(cells["stop"].integers, [1_792_868_400, 1_792_869_000, 1_792_875_600])
        expectEqual(cells["x"].numbers, [0, 240, 280])
        expectEqual(cells["w"].numbers, [240, 40, 440])
        expectEqual(cells["title"].texts, ["", "", ""])
    }

    @Test func iconsWithoutHTTPURLsAreOmitted() async throws {
        let hostile = try APIGuide(
            "<channel id=\"a\"><display-name>A</display-name><icon src=\"javascript:alert(1)\"/><icon src=\"HTTPS://pictures.example/a.png\"/></channel>",
            "<channel id=\"b\"><display-name>B</display-name><icon src=\"data:text/html,x\"/></channel>")
        let stations = try await hostile.get("/api/v1/grid?form=columns&stations=1").json["stations"]
        expectEqual(stations[0]["icon"].text, "HTTPS://pictures.example/a.png")
        expectEqual(stations[1].keys, ["id", "name"])
    }
}
