import EPGImport
import EPGModel
import Foundation
import Testing

@Suite struct EPGJSONRoundTripTests {
    /// Any guide comes back as it was written, however its bytes are cut.
    @Test(arguments: 1...40)
    func whatIsWrittenIsReadBack(seed: Int) throws {
        var random = RandomRecords(seed: UInt64(seed))
        let guide = random.guide(records: 12)
        var bytes: [UInt8] = []
        for record in guide { record.write(to: &bytes) }
        let read = try JSONReading.records(String(decoding: bytes, as: UTF8.self), chunk: seed % 3 == 0 ? 5 : .max)
        #expect(read.map(\.comparable) == guide.map(\.comparable))
    }

    /// What is written stays on its line, and holds nothing that a terminal, a script or a reader could take for more.
    @Test func linesAreOneRecordEachAndPlain() {
        var random = RandomRecords(seed: 3)
        let guide = random.guide(records: 200)
        var bytes: [UInt8] = []
        for record in guide { record.write(to: &bytes) }
        #expect(bytes.count { $0 == 0x0A } == guide.count)
        let text = String(decoding: bytes, as: UTF8.self)
        let hidden: [ClosedRange<UInt32>] = [0x00...0x09, 0x0B...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0xFEFF...0xFEFF]
        #expect(!text.unicodeScalars.contains { scalar in hidden.contains { $0.contains(scalar.value) } })
    }

    /// The form as it is documented.
    @Test func writtenFormIsTheDocumentedOne() {
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
        #expect(
            String(decoding: bytes, as: UTF8.self) == #"""
                {"type":"guide","version":1,"source-info-name":"One"}
                {"type":"station","id":"one.example","display-name":["One",{"@lang":"de","text":"Eins"}],"lcn":["7"],"@x-tier":"hd","<text":["odd"]}
                {"type":"airing","station":"one.example","start":"2026-03-29T00:30:00Z","clump":"0/2","transmission":{"showview":"123"},"programme":{"title":["News"],"credits":[{"actor":[{"@role":"X","text":"Name"}]}],"new":[true]}}

                """#)
    }

    /// Every line that is written is valid by the schema; what the schema should refuse, it refuses.
    @Test(.enabled(if: Python.hasJSONSchema, "python3 with jsonschema isn't here"))
    func writtenLinesAreValidByTheSchema() throws {
        var random = RandomRecords(seed: 99)
        var bytes: [UInt8] = []
        for record in random.guide(records: 300) { record.write(to: &bytes) }
        let wrong = [
            #"{"type":"station"}"#, #"{"type":"airing","station":"a"}"#, #"{"type":"other"}"#, #"{}"#, "[]",
            #"{"type":"station","id":"a","icon":[[]]}"#, #"{"type":"station","id":"a","icon":[{"@src":[1]}]}"#,
            #"{"type":"airing","station":"a","start":"2026-03-29T00:30:00Z","programme":[]}"#,
            #"{"type":"guide","version":2}"#, #"{"type":"airing","station":"a","start":1774744200}"#,
            #"{"type":"guide","end":"true"}"#, #"{"type":"end","stations":-1}"#, #"{"type":"end","airings":"7"}"#,
        ]
        let right = [
            #"{"type":"station","id":"a","display-name":"A"}"#,
            #"{"start":"2026-03-29T00:30:00Z","station":"a","programme":{"title":"News"},"type":"airing"}"#,
            #"{"type":"guide"}"#, #"{"type":"guide","version":1,"end":true}"#, #"{"type":"end"}"#,
            #"{"type":"end","stations":1,"airings":0,"x-more":[]}"#,
        ]
        bytes += Array((right.joined(separator: "\n") + "\n").utf8)
        let output = try Python.output(
            of: """
                import json, sys, jsonschema
                schema = json.load(open(sys.argv[1]))
                jsonschema.Draft202012Validator.check_schema(schema)
                validator = jsonschema.Draft202012Validator(schema)
                for number, line in enumerate(sys.stdin.buffer.read().decode("utf-8").split("\\n")):
                    if line and not validator.is_valid(json.loads(line)): print(number)
                for number, line in enumerate(sys.argv[2:]):
                    if validator.is_valid(json.loads(line)): print("wrong", number)
                """, input: bytes, [Self.schema.path] + wrong)
        #expect(output == "")
    }

    private static let schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Documentation/epg-json.schema.json")
}
