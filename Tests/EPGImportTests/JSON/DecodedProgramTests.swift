import EPGImport
import EPGModel
import Testing

/// Programs that many airings share, more than are kept decoded.
@Suite struct DecodedProgramTests {
    /// The airings of many programs in turn, of which each has something of its own and marks.
    @Test func airingsInTurnHaveTheirOwnPrograms() throws {
        let programs = (0..<300).map { number in
            """
            {"programID": "EP\(number)", "titles": [{"title120": "T\(number)"}], "originalAirDate": "2012-06-06",
             "metadata": [{"Gracenote": {"season": 1, "episode": \(number + 1)}}], "showType": "\(String(repeating: "x", count: 3000))"}
            """
        }
        let airings = (0..<1200).map { number in
            """
            {"programID": "EP\(number % 300)", "airDateTime": "2026-10-25T18:00:00Z", "duration": 60,
             "new": \(number >= 600), "multipart": {"partNumber": \(number / 300 + 1), "totalParts": 4}}
            """
        }
        let text = """
            {"programs": [\(programs.joined(separator: ","))],
             "schedules": [{"stationID": "1", "programs": [\(airings.joined(separator: ","))]}]}
            """
        let records = try JSONReading.records(text).airings
        #expect(records.count == 1200)
        for (number, record) in records.enumerated() {
            #expect(record.nodes.xml("title") == ["<title>T\(number % 300)</title>"])
            #expect(
                record.nodes.xml("episode-num") == [
                    "<episode-num system='xmltv_ns'>0.\(number % 300).\(number / 300)/4</episode-num>",
                    "<episode-num system='dd_progid'>EP\(number % 300)</episode-num>",
                ])
            #expect(
                record.nodes.xml("previously-shown")
                    == (number < 600 ? ["<previously-shown start='20120606'/>"] : []))
            #expect(record.nodes.xml("new") == (number < 600 ? [] : ["<new/>"]))
        }
    }
}
