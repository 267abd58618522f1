import EPGImport
import EPGJSON
import EPGModel
import Foundation
import TestSupport
import Testing

@Suite struct EPGJSONReadingTests {
    private static let airing =
        #"{"type":"airing","station":"a","start":"2026-03-29T00:30:00Z","programme":{"title":["N"]}}"#

    private func programme(_ json: String) throws -> String {
        let line = #"{"type":"airing","station":"a","start":"2026-03-29T00:30:00Z","programme":\#(json)}"#
        let records = try JSONReading.records(line)
        expectEqual(records.faults, [])
        return try #require(records.airings.first).nodes.xml
    }

    @Test(arguments: [
        (#"{"title":["One","Two"]}"#, "<title>One</title><title>Two</title>"),
        // A single value needs no array.
        (#"{"title":"One","date":2026}"#, "<title>One</title><date>2026</date>"),
        (#"{"new":true,"premiere":false,"desc":null,"title":[null,"A"]}"#, "<title>A</title><new/>"),
        (#"{"title":{"@lang":"de","text":"Eins"}}"#, "<title lang='de'>Eins</title>"),
        (
            #"{"credits":{"actor":[{"@role":"X","text":"N"}],"director":"D"}}"#,
            "<credits><director>D</director><actor role='X'>N</actor></credits>"
        ),
        (#"{"<text":"t","<id":["i"],"<<b":true}"#, "<<b/><id>i</id><text>t</text>"),
        (#"{"text":"beside","title":"T"}"#, "beside<title>T</title>"),
        // Of two attributes with the same name, the last one wins.
        (#"{"icon":{"@src":"a","@src":"b"}}"#, "<icon src='b'/>"),
        (#"{"title":""}"#, "<title/>"),
        (#"{}"#, ""),
    ])
    func programmeIsReadAsDocumented(_ json: String, xml: String) throws {
        try expectEqual(programme(json), xml)
    }

    @Test func memberOrderIsIrrelevant() throws {
        let records = try JSONReading.records(
            #"{"programme":{"title":"N"},"x-more":[1],"stop":"2026-03-29T01:00:00Z","transmission":{"showview":"1"}"#
                + #","clump":"1/2","start":"2026-03-29T00:30:00Z","station":"a","type":"airing"}"#)
        let expected = AiringRecord(
            station: StationID("a"), start: .text("2026-03-29T00:30:00Z"), stop: .text("2026-03-29T01:00:00Z"),
            clump: Clump(index: 1, count: 2), transmission: [ContentAttribute(name: "showview", value: "1")],
            nodes: [.element(ContentElement(name: "title", children: [.text("N")]))], line: 1)
        expectEqual(records, [.airing(expected)])
    }

    @Test(arguments: [
        ("\n\n\(airing)\n\n\(airing)\n", [3, 5]), ("[\(airing),\n\n\n\(airing)]", [1, 4]),
        ("\(airing)\r\n\r\n\r\n\(airing)", [1, 4]), ("\(airing)[\(airing)]", [1, 1]), ("[]\n[\(airing)]", [2]),
    ])
    func linesAndArraysAreRead(_ text: String, lines: [Int]) throws {
        let records = try JSONReading.records(text, chunk: 7)
        expectEqual(records.airings.map(\.line), lines)
        expectEqual(records.faults, [])
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
    func invalidRecordAffectsOnlyItself(_ line: String, fault: String) throws {
        let records = try JSONReading.records("\(Self.airing)\n\(line)\n\(Self.airing)")
        expectEqual(records.airings.map(\.line), [1, 3])
        expectEqual(records.faults, ["2 \(fault)"])
        let array = try JSONReading.records("[\(Self.airing),\n\(line),\n\(Self.airing)]")
        expectEqual(array.airings.map(\.line), [1, 3])
        expectEqual(array.faults, ["2 \(fault)"])
    }

    @Test(arguments: [
        ("{\"type\":\"airing\",", 2), ("{\"a\" 1}", 2), ("garbage", 2), ("{\"a\":\"b\u{1}\"}", 2), ("}", 2), ("\"x", 2),
        ("{\"type\":\"airing\"", 3),
    ])
    func malformedLineAffectsOnlyItself(_ line: String, at place: Int) throws {
        for chunk in [1, 9, Int.max] {
            let records = try JSONReading.records("\(Self.airing)\n\(line)\n\(Self.airing)\n", chunk: chunk)
            expectEqual(records.airings.map(\.line), [1, 3])
            expectEqual(records.faults.count, 1)
            expectEqual(records.faults.first?.contains(" notwell skipped "), true)
        }
    }

    @Test(arguments: [
        ("{\"type\":\"airing\" 1}\n\(airing)", "line 1, column 18: expected a comma or '}'"),
        (
            "{\"type\":\"guide\",\"version\":2}",
            "line 1, column 1: this is EPG JSON version 2; this program supports version 1, update it"
        ),
    ])
    func fileWithMalformedFirstLineOrNewerVersionIsRejected(_ text: String, message: String) {
        expectEqual(JSONReading.failure(text), message)
    }

    @Test func truncatedFileIsRejectedAfterCompleteRecords() throws {
        var reader = GuideJSONReader(JSONReading.source(Array("\(Self.airing)\n{\"type\":\"air".utf8)))
        #expect(try reader.next() != nil)
        let error = expectThrows(JSONError.self) { try reader.next() }
        expectEqual(error?.isTruncated, true)
    }

    @Test func unreadableClumpStaysAnAttribute() throws {
        let lines = ["0/1", "3/2", "x"].map {
            #"{"type":"airing","station":"a","start":"2026-03-29T00:30:00Z","clump":"\#($0)"}"#
        }
        let airings = try JSONReading.records(lines.joined(separator: "\n")).airings
        expectEqual(airings.map(\.clump), [nil, nil, nil])
        expectEqual(airings.map { $0.transmission.map(\.value) }, [[], ["3/2"], ["x"]])
    }

    @Test func invalidUTF8IsReported() throws {
        var reader = GuideJSONReader(
            JSONReading.source(
                Array("{\"type\":\"station\",\"id\":\"a\",\"display-name\":\"".utf8) + [0xE9] + Array("\"}".utf8)))
        var records: [GuideRecord] = []
        while let record = try reader.next() { records.append(record) }
        expectEqual(records.faults, ["1 badutf8 kept invalid UTF-8 was read as U+FFFD"])
        expectEqual(records.stations.map { $0.nodes.xml }, ["<display-name>\u{FFFD}</display-name>"])
    }

    @Test func tooManyAttributesAreRejected() throws {
        let attributes = (0..<65).map { "\"@a\($0)\":\"\"" }.joined(separator: ",")
        let records = try JSONReading.records("{\"type\":\"station\",\"id\":\"a\",\"icon\":{\(attributes)}}")
        expectEqual(records.faults, ["1 notvalid skipped @a64: more than 64 attributes"])
    }
}

@Suite struct EPGJSONRoundTripTests {
    /// Any guide round-trips, for any chunks.
    @Test(arguments: 1...40)
    func outputRoundTrips(seed: Int) throws {
        var random = RandomRecords(seed: UInt64(seed))
        let guide = random.guide(records: 12)
        var bytes: [UInt8] = []
        for record in guide { record.write(to: &bytes) }
        let read = try JSONReading.records(String(decoding: bytes, as: UTF8.self), chunk: seed % 3 == 0 ? 5 : .max)
        expectEqual(read.map(\.comparable), guide.map(\.comparable))
    }

    /// Each record is on one line and has no characters that a terminal, script, or reader could misinterpret.
    @Test func eachLineIsOneSafeRecord() {
        var random = RandomRecords(seed: 3)
        let guide = random.guide(records: 200)
        var bytes: [UInt8] = []
        for record in guide { record.write(to: &bytes) }
        expectEqual(bytes.count { $0 == 0x0A }, guide.count)
        let text = String(decoding: bytes, as: UTF8.self)
        let hidden: [ClosedRange<UInt32>] = [0x00...0x09, 0x0B...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0xFEFF...0xFEFF]
        #expect(!text.unicodeScalars.contains { scalar in hidden.contains { $0.contains(scalar.value) } })
    }

    /// The expected lines come from Documentation/epg-json.md.
    @Test func outputMatchesDocumentation() {
        var bytes: [UInt8] = []
        GuideJSONWriter.append(header: [ContentAttribute(name: "source-info-name", value: "One")], to: &bytes)
        GuideJSONWriter.append(
            station: StationID("one.example"),
            nodes: [
                .element(ContentElement(name: "lcn", children: [.text("7")])),
                .element(ContentElement(name: "@x-tier", children: [.text("hd")])),
                .element(ContentElement(name: "display-name", children: [.text("One")])),
                .element(
                    ContentElement(
                        name: "display-name", attributes: [ContentAttribute(name: "lang", value: "de")],
                        children: [.text("Eins")])),
                .element(ContentElement(name: "text", children: [.text("odd")])),
            ], to: &bytes)
        GuideJSONWriter.append(
            AiringRecord(
                station: StationID("one.example"), start: .instant(Instant(secondsSince1970: 1_774_744_200)),
                clump: Clump(index: 0, count: 2),
                transmission: [ContentAttribute(name: "showview", value: "123")],
                nodes: [
                    .element(ContentElement(name: "new")),
                    .element(
                        ContentElement(
                            name: "credits",
                            children: [
                                .element(
                                    ContentElement(
                                        name: "actor", attributes: [ContentAttribute(name: "role", value: "X")],
                                        children: [.text("Name")]))
                            ])),
                    .element(ContentElement(name: "title", children: [.text("News")])),
                ]), to: &bytes)
        expectEqual(
            String(decoding: bytes, as: UTF8.self),
            #"""
            {"type":"guide","version":1,"source-info-name":"One"}
            {"type":"station","id":"one.example","display-name":["One",{"@lang":"de","text":"Eins"}],"lcn":["7"],"@x-tier":"hd","<text":["odd"]}
            {"type":"airing","station":"one.example","start":"2026-03-29T00:30:00Z","clump":"0/2","transmission":{"showview":"123"},"programme":{"title":["News"],"credits":[{"actor":[{"@role":"X","text":"Name"}]}],"new":[true]}}

            """#)
    }

    /// Every output line is valid under the schema, which rejects invalid records.
    @Test(.needs(.pythonModule("jsonschema")))
    func outputIsValidUnderSchema() throws {
        var random = RandomRecords(seed: 99)
        var bytes: [UInt8] = []
        for record in random.guide(records: 300) { record.write(to: &bytes) }
        let invalid = [
            #"{"type":"station"}"#, #"{"type":"airing","station":"a"}"#, #"{"type":"other"}"#, #"{}"#, "[]",
            #"{"type":"station","id":"a","icon":[[]]}"#, #"{"type":"station","id":"a","icon":[{"@src":[1]}]}"#,
            #"{"type":"airing","station":"a","start":"2026-03-29T00:30:00Z","programme":[]}"#,
            #"{"type":"guide","version":2}"#, #"{"type":"airing","station":"a","start":1774744200}"#,
            #"{"type":"guide","end":"true"}"#, #"{"type":"end","stations":-1}"#, #"{"type":"end","airings":"7"}"#,
        ]
        let valid = [
            #"{"type":"station","id":"a","display-name":"A"}"#,
            #"{"start":"2026-03-29T00:30:00Z","station":"a","programme":{"title":"News"},"type":"airing"}"#,
            #"{"type":"guide"}"#, #"{"type":"guide","version":1,"end":true}"#, #"{"type":"end"}"#,
            #"{"type":"end","stations":1,"airings":0,"x-more":[]}"#,
        ]
        bytes += Array((valid.joined(separator: "\n") + "\n").utf8)
        let output = try Python.output(
            of: """
                import json, sys, jsonschema
                schema = json.load(open(sys.argv[1]))
                jsonschema.Draft202012Validator.check_schema(schema)
                validator = jsonschema.Draft202012Validator(schema)
                for number, line in enumerate(sys.stdin.buffer.read().decode("utf-8").split("\\n")):
                    if line and not validator.is_valid(json.loads(line)): print(number)
                for number, line in enumerate(sys.argv[2:]):
                    if validator.is_valid(json.loads(line)): print("invalid record accepted:", number)
                """, input: bytes, [Self.schema.path] + invalid)
        expectEqual(output, "")
    }

    private static let schema = PackageFiles.root.appending(path: "Documentation/epg-json.schema.json")
}
