import EPGImport
import EPGModel
import Testing

/// Programs that many airings share are made once for all of them.
@Suite struct DecodedProgramTests {
    /// Documents of some bytes each, one behind the other.
    private func places(_ count: Int, bytes: Int) -> [Range<Int>] {
        (0..<count).map { $0 * bytes..<($0 + 1) * bytes }
    }

    @Test(arguments: [1, 2, 50, 256]) func eachIsMadeOnceWhateverTheirOrder(programs: Int) {
        var decoded = DecodedPrograms<Int>()
        var made = 0
        let places = places(programs, bytes: 1024)
        for airing in 0..<10_000 {
            // 7919 is a prime, so that every one is asked for again and again.
            let place = places[airing * 7919 % programs]
            let value = decoded.value(at: place) {
                made += 1
                return place.lowerBound
            }
            #expect(value == place.lowerBound)
        }
        #expect(made == programs)
    }

    @Test func whatIsHeldIsBoundedWhateverIsAskedFor() {
        var decoded = DecodedPrograms<Int>()
        var random = NormaliserGenerator(seed: 5)
        var start = 0
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...DecodedPrograms<Int>.capacity, using: &random)
            _ = decoded.value(at: start..<start + length) { start }
            start += Bool.random(using: &random) ? length : 0
            #expect(decoded.documentBytes <= 2 * DecodedPrograms<Int>.capacity)
        }
    }

    @Test func whatIsUsedStaysWhileOthersPassBy() {
        var decoded = DecodedPrograms<Int>()
        var made = 0
        let places = places(10_000, bytes: 1024)
        for place in places.dropFirst() {
            _ = decoded.value(at: place) { 0 }
            _ = decoded.value(at: places[0]) {
                made += 1
                return 1
            }
        }
        #expect(made == 1)
    }

    /// A document of no bytes stands where the next one does.
    @Test func emptyDocumentIsNotMistakenForTheNext() {
        var decoded = DecodedPrograms<String>()
        #expect(decoded.value(at: 7..<7) { "none" } == "none")
        #expect(decoded.value(at: 7..<9) { "next" } == "next")
        #expect(decoded.value(at: 7..<7) { "none" } == "none")
    }

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
