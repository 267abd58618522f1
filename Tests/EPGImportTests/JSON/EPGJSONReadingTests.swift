import EPGJSON
import EPGImport
import EPGModel
import Testing

@Suite struct EPGJSONReadingTests {
    private static let airing =
        #"{"type":"airing","station":"a","start":"2026-03-29T00:30:00Z","programme":{"title":["N"]}}"#

    private func programme(_ json: String) throws -> String {
        let line = #"{"type":"airing","station":"a","start":"2026-03-29T00:30:00Z","programme":\#(json)}"#
        let records = try JSONReading.records(line)
        #expect(records.faults == [])
        return try #require(records.airings.first).nodes.xml
    }

    @Test(arguments: [
        (#"{"title":["One","Two"]}"#, "<title>One</title><title>Two</title>"),
        // One alone needs no array.
        (#"{"title":"One","date":2026}"#, "<title>One</title><date>2026</date>"),
        (#"{"new":true,"premiere":false,"desc":null,"title":[null,"A"]}"#, "<title>A</title><new/>"),
        (#"{"title":{"@lang":"de","text":"Eins"}}"#, "<title lang='de'>Eins</title>"),
        (
            #"{"credits":{"actor":[{"@role":"X","text":"N"}],"director":"D"}}"#,
            "<credits><director>D</director><actor role='X'>N</actor></credits>"
        ),
        (#"{"<text":"t","<id":["i"],"<<b":true}"#, "<<b/><id>i</id><text>t</text>"),
        (#"{"text":"beside","title":"T"}"#, "beside<title>T</title>"),
        // Of two attributes of one name, the last counts.
        (#"{"icon":{"@src":"a","@src":"b"}}"#, "<icon src='b'/>"),
        (#"{"title":""}"#, "<title/>"),
        (#"{}"#, ""),
    ])
    func programmeIsReadAsDocumented(_ json: String, xml: String) throws {
        #expect(try programme(json) == xml)
    }

    @Test func membersStandInAnyOrder() throws {
        let records = try JSONReading.records(
            #"{"programme":{"title":"N"},"x-more":[1],"stop":"2026-03-29T01:00:00Z","transmission":{"showview":"1"}"#
                + #","clump":"1/2","start":"2026-03-29T00:30:00Z","station":"a","type":"airing"}"#)
        let expected = AiringRecord(
            station: StationID("a"), start: .text("2026-03-29T00:30:00Z"), stop: .text("2026-03-29T01:00:00Z"),
            clump: Clump(index: 1, count: 2), transmission: [ContentAttribute(name: "showview", value: "1")],
            nodes: [.element(ContentElement(name: "title", children: [.text("N")]))], line: 1)
        #expect(records == [.airing(expected)])
    }

    @Test(arguments: [
        ("\n\n\(airing)\n\n\(airing)\n", [3, 5]), ("[\(airing),\n\n\n\(airing)]", [1, 4]),
        ("\(airing)\r\n\r\n\r\n\(airing)", [1, 4]), ("\(airing)[\(airing)]", [1, 1]), ("[]\n[\(airing)]", [2]),
    ])
    func linesAndArraysAreRead(_ text: String, lines: [Int]) throws {
        let records = try JSONReading.records(text, chunk: 7)
        #expect(records.airings.map(\.line) == lines)
        #expect(records.faults == [])
    }

    @Test(arguments: [
        (#"{"type":"airing","start":"2026-03-29T00:30:00Z"}"#, "unknownid skipped station: missing"),
        (#"{"type":"airing","station":"a"}"#, "badstart skipped "),
        (#"{"type":"airing","station":"a","start":1774744200}"#, "badstart skipped 1774744200"),
        (#"{"type":"airing","station":"a","start":"x","programme":[]}"#, "notvalid skipped programme: not an object"),
        (
            #"{"type":"airing","station":"a","start":"x","transmission":7}"#,
            "notvalid skipped transmission: not an object"
        ),
        (
            #"{"type":"airing","station":"a","start":"x","programme":{"title":[["N"]]}}"#,
            "notvalid skipped title: an array within an array"
        ),
        (
            #"{"type":"airing","station":"a","start":"x","programme":{"icon":{"@src":{}}}}"#,
            "notvalid skipped @src: not a string"
        ),
        (#"{"type":"station","display-name":["A"]}"#, "invalidid skipped id: missing"),
        (#"{"type":"programme"}"#, "notvalid skipped type: programme"),
        (#"{"title":"N"}"#, "notvalid skipped type: missing"),
        (#"7"#, "notvalid skipped not an object"),
    ])
    func badRecordCostsItselfOnly(_ line: String, fault: String) throws {
        let records = try JSONReading.records("\(Self.airing)\n\(line)\n\(Self.airing)")
        #expect(records.airings.map(\.line) == [1, 3])
        #expect(records.faults == ["2 \(fault)"])
        let array = try JSONReading.records("[\(Self.airing),\n\(line),\n\(Self.airing)]")
        #expect(array.airings.map(\.line) == [1, 3])
        #expect(array.faults == ["2 \(fault)"])
    }

    @Test(arguments: [
        ("{\"type\":\"airing\",", 2), ("{\"a\" 1}", 2), ("garbage", 2), ("{\"a\":\"b\u{1}\"}", 2), ("}", 2), ("\"x", 2),
        ("{\"type\":\"airing\"", 3),
    ])
    func lineThatIsNotWellFormedCostsItselfOnly(_ line: String, at place: Int) throws {
        for chunk in [1, 9, Int.max] {
            let records = try JSONReading.records("\(Self.airing)\n\(line)\n\(Self.airing)\n", chunk: chunk)
            #expect(records.airings.map(\.line) == [1, 3])
            #expect(records.faults.count == 1)
            #expect(records.faults.first?.contains(" notwell skipped ") == true)
        }
    }

    @Test func fileThatBeginsBadlyIsRefused() {
        #expect(
            JSONReading.failure("{\"type\":\"airing\" 1}\n\(Self.airing)")
                == "line 1, column 18: a comma or '}' is expected here")
    }

    @Test func cutFileIsRefusedAfterWhatIsWhole() throws {
        var reader = GuideJSONReader(JSONReading.source(Array("\(Self.airing)\n{\"type\":\"air".utf8)))
        #expect(try reader.next() != nil)
        let error = #expect(throws: JSONError.self) { try reader.next() }
        #expect(error?.isCutOff == true)
    }

    @Test func newerVersionIsRefused() {
        #expect(
            JSONReading.failure("{\"type\":\"guide\",\"version\":2}")
                == "line 1, column 1: this is EPG JSON of version 2; this program reads version 1, take a newer one")
    }

    @Test func unreadableClumpStaysAnAttribute() throws {
        let lines = ["0/1", "3/2", "x"].map {
            #"{"type":"airing","station":"a","start":"2026-03-29T00:30:00Z","clump":"\#($0)"}"#
        }
        let airings = try JSONReading.records(lines.joined(separator: "\n")).airings
        #expect(airings.map(\.clump) == [nil, nil, nil])
        #expect(airings.map { $0.transmission.map(\.value) } == [[], ["3/2"], ["x"]])
    }

    @Test func textThatIsNotUTF8IsARemark() throws {
        var reader = GuideJSONReader(
            JSONReading.source(
                Array("{\"type\":\"station\",\"id\":\"a\",\"display-name\":\"".utf8) + [0xE9] + Array("\"}".utf8)))
        var records: [GuideRecord] = []
        while let record = try reader.next() { records.append(record) }
        #expect(records.faults == ["1 badutf8 kept not UTF-8: read as U+FFFD"])
        #expect(records.stations.map { $0.nodes.xml } == ["<display-name>\u{FFFD}</display-name>"])
    }

    @Test func manyAttributesAreRefused() throws {
        let attributes = (0..<65).map { "\"@a\($0)\":\"\"" }.joined(separator: ",")
        let records = try JSONReading.records("{\"type\":\"station\",\"id\":\"a\",\"icon\":{\(attributes)}}")
        #expect(records.faults == ["1 notvalid skipped @a64: more than 64 attributes"])
    }
}
